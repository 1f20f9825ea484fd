"""The places of text: where an action or an effect has free text, read from its type.

A place is the path from the action or effect to a member that is marked as text, with `*` for any
position of an array. A text part sets nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from service.engine.visibility.audience_plan import marks_of, members

ANY: Final = "*"
"""Any position of an array, in a place. No member has this name."""

TextPlace = tuple[str, ...]


class TextPlaces(Struct, frozen=True):
    """The places of text of every action and effect of a ruleset, by their types."""

    actions: Mapping[str, frozenset[TextPlace]]
    effects: Mapping[str, frozenset[TextPlace]]

    def has(self, view: object, path: Sequence[str | int]) -> bool:
        """Whether a path leads to a place of text; `view` is an event that has the types.

        Of a type that the ruleset does not have any place may be one.
        """
        tree = view if isinstance(view, dict) else {}
        match path:
            case ["action", *steps]:
                kinds, holder = self.actions, tree.get("action")
            case ["effects", int(at), *steps]:
                kinds, holder = self.effects, _element(tree.get("effects"), at)
            case _:
                return False
        kind = holder.get("type") if isinstance(holder, dict) else None
        place = tuple(map(_step, steps))
        return isinstance(kind, str) and place in kinds.get(kind, (place,))

    def knows(self, path: Sequence[str | int], kind: object) -> bool:
        """Whether the ruleset has the type of an action or effect at this path."""
        known = self.actions if path[0] == "action" else self.effects
        return isinstance(kind, str) and kind in known


@cache
def text_places(event: type[Struct]) -> TextPlaces:
    """The places of a ruleset's type of event. Raises TypeError for text that is no string."""
    hints = get_type_hints(event, include_extras=True)
    [effects] = members(hints["effects"])
    return TextPlaces(
        actions=_by_tag(members(hints["action"])),
        effects=_by_tag(members(get_args(effects)[0])),
    )


def _step(step: str | int) -> str:
    """A step as a place has it; a name that is no member's is none of them."""
    if isinstance(step, int):
        return ANY
    return "" if step == ANY else step


def _element(listed: object, at: int) -> object:
    return listed[at] if isinstance(listed, list) and 0 <= at < len(listed) else None


def _by_tag(kinds: set[object]) -> dict[str, frozenset[TextPlace]]:
    return {
        str(kind.__struct_config__.tag): frozenset(_places(kind, ()))
        for kind in kinds
        if isinstance(kind, type) and issubclass(kind, Struct)
    }


def _places(kind: type[Struct], way: TextPlace) -> Iterator[TextPlace]:
    hints = get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        place, hint = (*way, field.encode_name), hints[field.name]
        if marks_of(hint).get("text", False):
            _require_string(kind, field.name, hint)
            yield place
        else:
            yield from _places_within(hint, place)


def _places_within(hint: object, way: TextPlace) -> Iterator[TextPlace]:
    for kind in members(hint):
        if get_origin(kind) is tuple:
            for inner in get_args(kind):
                yield from _places_within(inner, (*way, ANY))
        elif isinstance(kind, type) and issubclass(kind, Struct):
            yield from _places(kind, way)


def _require_string(kind: type[Struct], name: str, hint: object) -> None:
    if members(hint) - {msgspec.UnsetType} != {str}:
        raise TypeError(f"{kind.__name__}.{name} is text and must be a string")
