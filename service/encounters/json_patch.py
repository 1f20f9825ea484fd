"""What leads from one JSON value to another: a JSON Patch (RFC 6902).

How this works. Two documents of a battle are nearly the same, and parts that nothing changed are
often the same object, which ends the comparison there. Objects are compared member by member. Of
arrays the equal beginning and the equal end are left out. What lies between is matched by the ids
of its elements where all of them have one and those in both stand in one order, so that a combatant
that left does not make every later one another; else place by place.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | int | float | bool | None"
"""A JSON value, decoded."""

Id: TypeAlias = str | int


class Added(Struct, frozen=True, tag_field="op", tag="add"):
    """A member that was not there, or an element put before the one at that index."""

    path: str
    """Where (RFC 6901)."""
    value: Tree
    """What."""


class Removed(Struct, frozen=True, tag_field="op", tag="remove"):
    """A member or an element that is gone; later elements move up."""

    path: str
    """Where it was (RFC 6901)."""


class Replaced(Struct, frozen=True, tag_field="op", tag="replace"):
    """Another value in the same place."""

    path: str
    """Where (RFC 6901); empty for the whole document."""
    value: Tree
    """What stands there now."""


Operation: TypeAlias = Added | Removed | Replaced
"""One step of a patch; the steps are applied in order."""

ID_MEMBERS: Final = ("id", "seq")
"""What tells elements of an array apart, where all of them have it."""


def patch(before: Tree, after: Tree) -> tuple[Operation, ...]:
    """The steps from `before` to `after`; none where they are equal."""
    return tuple(_steps("", before, after))


def _steps(path: str, before: Tree, after: Tree) -> Iterator[Operation]:
    if before is after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _object_steps(path, before, after)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _array_steps(path, before, after)
    elif not _is_same(before, after):
        yield Replaced(path, after)


def _object_steps(
    path: str, before: Mapping[str, Tree], after: Mapping[str, Tree]
) -> Iterator[Operation]:
    for name in before:
        if name not in after:
            yield Removed(_below(path, name))
    for name, value in after.items():
        if name in before:
            yield from _steps(_below(path, name), before[name], value)
        else:
            yield Added(_below(path, name), value)


def _array_steps(path: str, before: Sequence[Tree], after: Sequence[Tree]) -> Iterator[Operation]:
    first = _common(before, after)
    last = _common(before[first:][::-1], after[first:][::-1])
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    was, ids = _ids(old), _ids(new)
    if was is not None and ids is not None and _stand_in_one_order(was, ids):
        yield from _matched_steps(path, first, dict(zip(was, old, strict=True)), ids, new)
    else:
        yield from _placed_steps(path, first, old, new)


def _matched_steps(
    path: str, first: int, old: Mapping[Id, Tree], ids: Sequence[Id], new: Sequence[Tree]
) -> Iterator[Operation]:
    """Elements with ids: those that are gone from the last to the first, then the others."""
    kept = set(ids)
    for index, known in reversed([*enumerate(old, first)]):
        if known not in kept:
            yield Removed(f"{path}/{index}")
    for index, (known, value) in enumerate(zip(ids, new, strict=True), first):
        if known in old:
            yield from _steps(f"{path}/{index}", old[known], value)
        else:
            yield Added(f"{path}/{index}", value)


def _placed_steps(
    path: str, first: int, old: Sequence[Tree], new: Sequence[Tree]
) -> Iterator[Operation]:
    """Elements place by place: those in both, then what is gone from the end or came there."""
    for index, (was, value) in enumerate(zip(old, new, strict=False), first):
        yield from _steps(f"{path}/{index}", was, value)
    for index in range(first + len(old) - 1, first + len(new) - 1, -1):
        yield Removed(f"{path}/{index}")
    for index, value in enumerate(new[len(old) :], first + len(old)):
        yield Added(f"{path}/{index}", value)


def _common(first: Sequence[Tree], second: Sequence[Tree]) -> int:
    """How many elements at the beginning are equal."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if not _is_same(one, other):
            break
        count += 1
    return count


def _ids(elements: Sequence[Tree]) -> list[Id] | None:
    """The ids of objects; None unless each has one of its own."""
    for member in ID_MEMBERS:
        ids = [each.get(member) if isinstance(each, dict) else None for each in elements]
        known = [each for each in ids if isinstance(each, str | int)]
        if len({*known}) == len(elements):
            return known
    return None


def _stand_in_one_order(first: Sequence[Id], second: Sequence[Id]) -> bool:
    """Whether the ids that are in both come in the same order."""
    common = {*first} & {*second}
    return [each for each in first if each in common] == [each for each in second if each in common]


def _is_same(one: Tree, other: Tree) -> bool:
    """Whether two values are the same JSON: 1, 1.0 and true are three."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return one == other


def _below(path: str, name: str) -> str:
    return f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
