"""What two states agree in that came of the same facts, told in another order.

How this works. Facts of different sides can be told in either order, and mostly it does not matter:
only arrays that hold some of both come out in another order. Such an array is kept as it is and its
path is noted. What differs in anything else is a gap, as wherever two ways lead apart.
"""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from service.engine.visibility.audience_plan import plan_of
from service.replay.seen.gaps import merged

Paths = frozenset[str]
"""Where arrays are whose order is not known: field names with dots, such as `combatants` or
`pending.decisions`."""

NO_PATHS: Final[Paths] = frozenset()


def agreed(first: Any, second: Any, path: str = "") -> tuple[Any, Paths]:
    """What two values agree in but for the order of arrays, and where that differs."""
    if first is second:
        return first, NO_PATHS
    if isinstance(first, Struct) and type(first) is type(second):
        return _agreed_objects(first, second, path)
    if isinstance(first, tuple) and isinstance(second, tuple):
        return _agreed_arrays(first, second, path)
    return merged(first, second), NO_PATHS


def _agreed_objects(first: Any, second: Any, path: str) -> tuple[Any, Paths]:
    values, paths = {}, NO_PATHS
    kind: type[Struct] = type(first)
    for field in plan_of(kind).fields:
        inner = f"{path}.{field.name}" if path else field.name
        pair = getattr(first, field.attribute), getattr(second, field.attribute)
        values[field.attribute], found = agreed(*pair, inner)
        paths |= found
    return kind(**values), paths


def _agreed_arrays(
    first: tuple[Any, ...], second: tuple[Any, ...], path: str
) -> tuple[tuple[Any, ...], Paths]:
    places = _places(first, second)
    if places is None:
        both: tuple[Any, ...] = merged(first, second)
        return both, NO_PATHS
    paths = NO_PATHS if places == sorted(places) else frozenset({path})
    elements = []
    for one, place in zip(first, places, strict=True):
        element, found = agreed(one, second[place], path)
        elements.append(element)
        paths |= found
    return tuple(elements), paths


def _places(first: tuple[Any, ...], second: tuple[Any, ...]) -> list[int] | None:
    """Where the elements of an array stand in the other one; None if that has more or fewer.

    Those that are not there again are taken for one another in their order.
    """
    if len(first) != len(second):
        return None
    names = [_name_of(each) for each in second]
    left = list(range(len(second)))
    found: list[int | None] = []
    for each in first:
        name = _name_of(each)
        found.append(next((at for at in left if names[at] == name), None))
        left = [at for at in left if at != found[-1]]
    rest = iter(left)
    return [next(rest) if place is None else place for place in found]


def _name_of(element: object) -> object:
    """What tells an element from others: its id, or all of it."""
    return getattr(element, "id", element)


def still_open(value: object, paths: Paths) -> Paths:
    """Those of the paths at which there are arrays of several elements."""
    return frozenset(path for path in paths if any(_several(value, path.split("."))))


def _several(value: object, names: list[str]) -> Iterator[bool]:
    if isinstance(value, tuple):
        if not names:
            yield len(value) > 1
        for each in value if names else ():
            yield from _several(each, names)
    elif names and isinstance(value, Struct):
        for field in plan_of(type(value)).fields:
            if field.name == names[0]:
                yield from _several(getattr(value, field.attribute), names[1:])
