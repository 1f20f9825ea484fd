"""The places of text: where a text part may set a string, by the type of the action or effect.

How this works. The table is that of the specification. A place is written with dots between its
steps and `*` for any position.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from warlog.verifier.findings import Step
from warlog.verifier.line_forms import Json

_Place: TypeAlias = tuple[str, ...]
_ByType: TypeAlias = Mapping[str, frozenset[_Place]]

_ANY: Final = "*"


class RollPlaces(Struct, frozen=True):
    """The places of rolls of one version of a ruleset: which may tell faces again, and why."""

    all: frozenset[str]
    held: frozenset[str]
    meanwhile: frozenset[str]
    questions: frozenset[str]
    shared: Mapping[str, frozenset[str]]
    standing: frozenset[str]
    waiting: frozenset[str]


class _Row(Struct):
    """The places of some versions of a ruleset, as the table has them."""

    ruleset: str
    versions: list[str]
    actions: dict[str, list[str]]
    effects: dict[str, list[str]]
    rolls: RollPlaces


class _Table(Struct):
    format: int
    draws: list[str]
    rulesets: list[_Row]


class TextPlaces(Struct, frozen=True):
    """The places of text of one version of a ruleset, and those of rolls."""

    actions: _ByType
    effects: _ByType
    rolls: RollPlaces

    def has(self, view: Any, path: Sequence[Step]) -> bool:
        """Whether a path leads to a place of text; `view` is the event, which has the types.

        Of a type that the table does not have any place may be one.
        """
        tree = view if isinstance(view, dict) else {}
        match path:
            case ["action", *steps]:
                known, holder = self.actions, tree.get("action")
            case ["effects", int(at), *steps]:
                known, holder = self.effects, _element(tree.get("effects"), at)
            case _:
                return False
        kind = holder.get("type") if isinstance(holder, dict) else None
        place = _place(steps)
        return isinstance(kind, str) and place in known.get(kind, (place,))


def unknown_type(body: Json, facts: Sequence[tuple[str, Json]], places: TextPlaces) -> str | None:
    """Where the first action or effect is whose type the table does not have.

    `facts` are the bodies of facts that are at hand, each with its place.
    """
    holders = [("$.action.type", places.actions, body["action"])] if "action" in body else []
    holders += [
        (f"$.effects[{at}].type", places.effects, each) for at, each in enumerate(body["effects"])
    ]
    for root, part in facts:
        for at, (path, value) in enumerate(part["entries"]):
            where = f"{root}.entries[{at}]"
            if path == ["action"]:
                holders.append((where, places.actions, value))
            elif len(path) == 2 and path[0] == "effects":
                holders.append((where, places.effects, value))
    for where, known, holder in holders:
        if not isinstance(holder, dict) or str(holder.get("type")) not in known:
            return where
    return None


def is_place_of_draws(path: Sequence[Step]) -> bool:
    """Whether facts may set something at a path that begins with `draws`."""
    return _place(path[1:]) in _OF_DRAWS


def text_places_of(ruleset: Any, version: Any) -> TextPlaces | None:
    """The places of a version of a ruleset; None for one that the table does not have."""
    is_named = isinstance(ruleset, str) and isinstance(version, str)
    return _KNOWN.get((ruleset, version)) if is_named else None


def _place(steps: Sequence[Step]) -> _Place:
    # No member is called "*", so that a step of that name is no position.
    return tuple(_ANY if isinstance(step, int) else "" if step == _ANY else step for step in steps)


def _element(listed: Any, at: int) -> Any:
    return listed[at] if isinstance(listed, list) and at < len(listed) else None


def _split(places: Mapping[str, Sequence[str]]) -> _ByType:
    return {
        kind: frozenset(tuple(each.split(".")) for each in listed)
        for kind, listed in places.items()
    }


_TABLE: Final = msgspec.json.decode(
    files("warlog.verifier").joinpath("text_places.json").read_bytes(), type=_Table
)
_OF_DRAWS: Final = frozenset(tuple(each.split(".")) for each in _TABLE.draws)
TABLE_FORMAT: Final = _TABLE.format
"""The number of the table."""
_KNOWN: Final = {
    (row.ruleset, version): TextPlaces(_split(row.actions), _split(row.effects), row.rolls)
    for row in _TABLE.rulesets
    for version in row.versions
}
