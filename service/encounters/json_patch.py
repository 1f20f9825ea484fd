"""What leads from one JSON text to another: a JSON Patch (RFC 6902).

How this works. Two documents of a battle are nearly the same, so the texts are compared as they
are, and taken apart only along what differs: of an object or an array one level at a time, down to
the values that are another. Both are written in one way (compact, members in one order), so equal
values are equal bytes. Of arrays the equal beginning and the equal end are left out. What lies
between is matched by the ids of its elements where all of them have one and those in both stand in
one order, so that a combatant that left does not make every later one another; else place by place.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import UNSET, Raw, Struct, UnsetType, ValidationError
from msgspec.json import Decoder

Id: TypeAlias = str | int


class Added(Struct, frozen=True, tag_field="op", tag="add"):
    """A member that was not there, or an element put before the one at that index."""

    path: str
    """Where (RFC 6901)."""
    value: Raw
    """What."""


class Removed(Struct, frozen=True, tag_field="op", tag="remove"):
    """A member or an element that is gone; later elements move up."""

    path: str
    """Where it was (RFC 6901)."""


class Replaced(Struct, frozen=True, tag_field="op", tag="replace"):
    """Another value in the same place."""

    path: str
    """Where (RFC 6901); empty for the whole document."""
    value: Raw
    """What stands there now."""


PatchStep: TypeAlias = Added | Removed | Replaced
"""One step of a patch; the steps are applied in order."""


class _Named(Struct):
    """What tells elements of an array apart: their id, or the event that made them."""

    id: Id | UnsetType = UNSET
    seq: int | UnsetType = UNSET


_OBJECT: Final = Decoder(dict[str, Raw])
_ARRAY: Final = Decoder(list[Raw])
_NAMED: Final = Decoder(list[_Named])


def patch(before: bytes, after: bytes) -> tuple[PatchStep, ...]:
    """The steps from `before` to `after`, two compact JSON texts; none where they are equal."""
    return tuple(_steps("", before, after))


def _steps(path: str, before: bytes | Raw, after: bytes | Raw) -> Iterator[PatchStep]:
    if before == after:
        return
    kinds = _kind(before), _kind(after)
    if kinds == (b"{", b"{"):
        yield from _object_steps(path, _OBJECT.decode(before), _OBJECT.decode(after))
    elif kinds == (b"[", b"["):
        yield from _array_steps(path, _ARRAY.decode(before), _ARRAY.decode(after))
    else:
        yield Replaced(path, Raw(after))


def _kind(text: bytes | Raw) -> bytes:
    return bytes(memoryview(text)[:1])


def _object_steps(
    path: str, before: Mapping[str, Raw], after: Mapping[str, Raw]
) -> Iterator[PatchStep]:
    for name in before:
        if name not in after:
            yield Removed(_below(path, name))
    for name, value in after.items():
        was = before.get(name)
        if was is None:
            yield Added(_below(path, name), value)
        else:
            yield from _steps(_below(path, name), was, value)


def _array_steps(path: str, before: Sequence[Raw], after: Sequence[Raw]) -> Iterator[PatchStep]:
    first = _common(before, after)
    last = _common(before[first:][::-1], after[first:][::-1])
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    was, ids = _ids(old), _ids(new)
    if was is not None and ids is not None and _stand_in_one_order(was, ids):
        yield from _matched_steps(path, first, dict(zip(was, old, strict=True)), ids, new)
    else:
        yield from _placed_steps(path, first, old, new)


def _matched_steps(
    path: str, first: int, old: Mapping[Id, Raw], ids: Sequence[Id], new: Sequence[Raw]
) -> Iterator[PatchStep]:
    """Elements with ids: those that are gone from the last to the first, then the others."""
    kept = set(ids)
    for index, known in reversed([*enumerate(old, first)]):
        if known not in kept:
            yield Removed(f"{path}/{index}")
    for index, (known, value) in enumerate(zip(ids, new, strict=True), first):
        was = old.get(known)
        if was is None:
            yield Added(f"{path}/{index}", value)
        else:
            yield from _steps(f"{path}/{index}", was, value)


def _placed_steps(
    path: str, first: int, old: Sequence[Raw], new: Sequence[Raw]
) -> Iterator[PatchStep]:
    """Elements place by place: those in both, then what is gone from the end or came there."""
    for index, (was, value) in enumerate(zip(old, new, strict=False), first):
        yield from _steps(f"{path}/{index}", was, value)
    for index in range(first + len(old) - 1, first + len(new) - 1, -1):
        yield Removed(f"{path}/{index}")
    for index, value in enumerate(new[len(old) :], first + len(old)):
        yield Added(f"{path}/{index}", value)


def _common(first: Sequence[Raw], second: Sequence[Raw]) -> int:
    """How many elements at the beginning are equal."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


def _ids(elements: Sequence[Raw]) -> list[Id] | None:
    """The ids of objects; None unless each has one of its own."""
    if any(_kind(each) != b"{" for each in elements):
        return None
    try:
        named = _NAMED.decode(b"[%b]" % b",".join(elements))
    except ValidationError:
        return None
    for ids in ([each.id for each in named], [each.seq for each in named]):
        known = [each for each in ids if each is not UNSET]
        if len({*known}) == len(elements):
            return known
    return None


def _stand_in_one_order(first: Sequence[Id], second: Sequence[Id]) -> bool:
    """Whether the ids that are in both come in the same order."""
    common = {*first} & {*second}
    return [each for each in first if each in common] == [each for each in second if each in common]


def _below(path: str, name: str) -> str:
    return f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
