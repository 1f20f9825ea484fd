"""An event as somebody sees it who shares the secrets of several sides, from the parts of these.

How this works. Positions in a part count what its audience sees. So the parts are laid into one
tree in which every element has its audience, and each part counts past what only others see. In
which order the elements of two sides stand between those that everyone sees, the game master's part
alone says: the parts are laid in one order of the sides and in the reverse one, so that any two
elements whose order is not known stand either way in one of them.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from service.engine.log.event import open_parts, view_of_event
from service.engine.log.parts import FACTS, TEXT, Part, PartName
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.scope import Viewer
from service.replay.log.sealed_event import Evidence, filled_parts


class Told(dict[str, Any]):
    """A JSON object that only one audience was told of."""

    __slots__ = ("audience",)

    def __init__(self, members: Mapping[str, Any], audience: str) -> None:
        super().__init__(members)
        self.audience = audience


class _Elements:
    """A JSON array in which every element has its audience."""

    __slots__ = ("audiences", "values")

    def __init__(self, values: list[Any], audience: str) -> None:
        self.values = values
        self.audiences = [audience] * len(values)


def ways_seen(
    evidence: Evidence, sides: tuple[str, ...], viewer: Viewer
) -> tuple[dict[str, Any], ...]:
    """The event as a viewer may see it; both ways where the parts at hand leave an order open.

    Raises LookupError, TypeError or ValueError for parts that do not fit.
    """
    filled = filled_parts(evidence)
    if len(viewer.sides) > 1 and (FACTS, GM_WORD) not in evidence.opened:
        return joint_events(evidence.body, filled, sides, viewer)
    seen = view_of_event(evidence.body, filled, sides, viewer)
    return (msgspec.json.decode(seen, type=dict[str, Any]),)


def joint_events(
    body: bytes, filled: Mapping[PartName, bytes], sides: tuple[str, ...], viewer: Viewer
) -> tuple[dict[str, Any], ...]:
    """The event as the viewer sees it, in both orders where parts leave the order open.

    Objects that not everyone knows are `Told`. Raises LookupError, TypeError or ValueError for
    parts that do not fit.
    """
    opened = open_parts(filled)
    known = [side for side in sides if side in viewer.sides]
    informed = [side for side in known if (FACTS, side) in opened or (TEXT, side) in opened]
    first = _laid(body, opened, informed)
    if len(informed) < 2:
        return (first,)
    second = _laid(body, opened, informed[::-1])
    return (first,) if first == second else (first, second)


def _laid(body: bytes, opened: Mapping[PartName, Part], informed: list[str]) -> dict[str, Any]:
    tree = _open(msgspec.json.decode(body), EVERYONE_WORD)
    for audience in (EVERYONE_WORD, *informed):
        for kind in (FACTS, TEXT):
            if (kind, audience) in opened:
                for path, value in opened[kind, audience].entries:
                    _place(tree, path, value, audience, is_new=kind == FACTS)
    event: dict[str, Any] = _closed(tree)
    return event


def _place(tree: Any, path: list[str | int], value: object, audience: str, *, is_new: bool) -> None:
    """Put a value where an audience sees this path: a new member, or with facts a new element.

    Raises ValueError for a member that is there already and for an element that a text sets.
    """
    for step in path[:-1]:
        tree = tree[step] if isinstance(step, str) else _seen_of(tree, step, audience)
    last, opened = path[-1], _open(value, audience)
    if not isinstance(last, int):
        if last in tree:
            raise ValueError(f"{path!r} is there already")
        tree[last] = opened
        return
    places = _places(tree, audience)
    if not is_new:
        raise ValueError(f"{path!r} is no place of text")
    place = places[last] if last < len(places) else len(tree.values)
    tree.values.insert(place, opened)
    tree.audiences.insert(place, audience)


def _seen_of(tree: Any, index: int, audience: str) -> Any:
    """The element that an audience counts as this one."""
    place = _places(tree, audience)[index]
    return tree.values[place]


def _places(tree: Any, audience: str) -> list[int]:
    """Where the elements of an array stand that an audience sees."""
    if not isinstance(tree, _Elements):
        raise TypeError(f"no array but {type(tree).__name__}")
    seen = (EVERYONE_WORD, audience)
    return [place for place, each in enumerate(tree.audiences) if each in seen]


def _open(value: object, audience: str) -> Any:
    """A JSON value with the audience that it has as a whole."""
    if isinstance(value, list):
        return _Elements([_open(each, audience) for each in value], audience)
    if not isinstance(value, dict):
        return value
    members = {name: _open(each, audience) for name, each in value.items()}
    return members if audience == EVERYONE_WORD else Told(members, audience)


def _closed(tree: Any) -> Any:
    """The same with arrays as JSON has them."""
    if isinstance(tree, _Elements):
        return [_closed(each) for each in tree.values]
    if isinstance(tree, dict):
        for name, each in tree.items():
            tree[name] = _closed(each)
    return tree
