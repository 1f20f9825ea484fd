"""Parts and views: how what is hidden is laid into what everyone may know.

Parts only add: no entry sets a member that is there, fills an element that is not empty or changes
a draw, and a text sets a string at a place of text alone.

How this works. A tree is never changed: what lies on the way to a change is copied, all else is
shared. So a view that an event does not touch is the same object as the body, and whoever compares
two views sees at once what is the same in both.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from warlog.verifier.asked_effects import REPEATING
from warlog.verifier.details import Detail, said
from warlog.verifier.findings import Difference, Step
from warlog.verifier.line_forms import Json
from warlog.verifier.text_places import TextPlaces, is_place_of_draws

Opened: TypeAlias = Mapping[str, Json]
"""Bodies of parts by name, such as `facts/red`."""


class _Hole:
    """Where an element of the game master's will stand."""


HOLE: Final = _Hole()
_OPEN_TO_PARTS: Final = ("action", "effects", "draws")
_TO_A_DRAW: Final = 2
_TO_AN_EFFECT: Final = 2


def part_names(sides: Sequence[str]) -> list[str]:
    """The names of all parts of an event, in the order of its commitments."""
    texts = [f"text/{each}" for each in ("everyone", *sides, "gm")]
    return [*texts, *(f"facts/{each}" for each in (*sides, "gm"))]


def part_name(part: Json) -> str:
    """The name of a part."""
    return f"{part['kind']}/{part['audience']}"


def opened_parts(parts: Sequence[Json]) -> dict[str, Json]:
    """The bodies of parts that are there, by name."""
    return {part_name(part): part["body"] for part in parts if "body" in part}


class _Copy:
    """A tree that is being changed: what it shares with others is copied on the way to a change.

    `is_inserting`: what stood at an element moves up.
    """

    def __init__(self, tree: Any, *, is_inserting: bool) -> None:
        self.top = [tree]
        self.is_inserting = is_inserting
        self._own: dict[int, Any] = {}

    def lay(self, path: Sequence[Step], value: Any) -> None:
        """Put a value at a path. Raises a Difference where that leads nowhere."""
        holder: Any = self.top
        place: Any = 0
        for step in path[:-1]:
            holder = self._copied(holder, place)
            _require_place(holder, step)
            place = step
        holder = self._copied(holder, place)
        last: Any = path[-1]
        if isinstance(holder, list) and self.is_inserting:
            _require_place(holder, last, more=1)
            holder.insert(last, value)
        elif isinstance(holder, dict) and isinstance(last, str):
            if last in holder:
                raise _misfit("a member that is there")
            holder[last] = value
        else:
            _require_place(holder, last)
            if holder[last] is not HOLE:
                raise _misfit("an element that is not empty")
            holder[last] = value

    def _copied(self, holder: Any, place: Any) -> Any:
        """What a holder has at a place, as a copy that belongs to this tree alone."""
        node = holder[place]
        if id(node) not in self._own and isinstance(node, list | dict):
            node = holder[place] = node.copy()
            self._own[id(node)] = node
        return node


def _require_place(holder: Any, step: Step, more: int = 0) -> None:
    """Raises a Difference unless the holder has the place, or that of an element more."""
    if isinstance(holder, list) and isinstance(step, int):
        if step >= len(holder) + more:
            raise _misfit("an index out of range")
    elif isinstance(holder, dict) and isinstance(step, str):
        if step not in holder:
            raise _misfit("a path to no member")
    else:
        raise _misfit("a path to nothing")


def _misfit(reason: str) -> Difference:
    return Difference("parts", said(reason))


def laid(
    tree: Any, opened: Opened, name: str, places: TextPlaces | None, *, is_inserting: bool
) -> Any:
    """A tree with the entries of a part laid into it. Raises a Difference that names the entry.

    Without `places` a text may stand anywhere.
    """
    entries = opened[name]["entries"] if name in opened else ()
    if not entries:
        return tree
    copy = _Copy(tree, is_inserting=is_inserting)
    for at, (path, value) in enumerate(entries):
        try:
            _require_allowed(name, copy.top[0], path, value, places)
            copy.lay(path, value)
        except Difference as error:
            place = f"parts.{name.replace('/', '.')}.entries[{at}]"
            raise Difference("parts", said("the entry has {}", error.detail), place) from None
    return copy.top[0]


def _require_allowed(
    name: str, tree: Any, path: Sequence[Step], value: Any, places: TextPlaces | None
) -> None:
    """Raises a Difference where a part of this kind may not set such a value there."""
    if path[0] not in _OPEN_TO_PARTS:
        raise _misfit("a path to what the body alone says")
    if name.startswith("text/"):
        if not isinstance(value, str):
            raise _misfit("a text that is no string")
        if places is not None and not places.has(tree, path):
            raise _misfit("a path to no place of text")
    elif path[0] == "draws":
        _require_of_a_draw(path, value)
    elif path == ["action"] or (len(path) == _TO_AN_EFFECT and path[0] == "effects"):
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, str):
            raise _misfit("an action or effect without a type")
        if path[0] == "effects" and kind in REPEATING:
            raise _misfit("an effect that the body alone may have")


def _require_of_a_draw(path: Sequence[Step], value: Any) -> None:
    """Raises a Difference unless this is a draw, or whose it is."""
    if not is_place_of_draws(path):
        raise _misfit("a path into a draw")
    if len(path) > _TO_A_DRAW and not isinstance(value, str):
        raise _misfit("a combatant that is no string")


def view_of(body: Json, opened: Opened, audience: str, places: TextPlaces | None = None) -> Json:
    """An event as `everyone` or a side sees it."""
    common: Json = laid(body, opened, "text/everyone", places, is_inserting=False)
    if audience == "everyone":
        return common
    facts = laid(common, opened, f"facts/{audience}", places, is_inserting=True)
    view: Json = laid(facts, opened, f"text/{audience}", places, is_inserting=False)
    return view


def order_misfit(detail: Detail) -> Difference:
    """What the game master's part says of orders cannot be."""
    return Difference("parts", detail, "parts.facts.gm")
