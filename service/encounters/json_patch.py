"""What leads from one JSON text to another: a JSON Patch (RFC 6902).

How this works. Two documents of a battle are nearly the same, so the texts are compared as they
are, and taken apart only along what differs: of an object or an array one level at a time, down to
the values that are another. What is in pieces already is compared piece by piece, and a piece that
is the same object in both not at all. Both are written in one way (compact, members in one order),
so equal values are equal bytes. Of arrays the equal beginning and the equal end are left out. What
lies between is matched by the ids of its elements where all of them have one and those in both
stand in one order, so that a combatant that left does not make every later one another; else place
by place.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, ValidationError
from msgspec.json import Decoder

Id: TypeAlias = str | int

DocumentTree: TypeAlias = Mapping[str, "DocumentTree"] | Sequence[Raw] | Raw
"""A JSON value: an object by its members, in one order; an array by its elements; or its text."""


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
    """What is there now."""


PatchStep: TypeAlias = Added | Removed | Replaced
"""One step of a patch; the steps are applied in order."""


class _Named(Struct):
    """What distinguishes elements of an array: their id, or the event that made them."""

    id: Id | UnsetType = UNSET
    seq: int | UnsetType = UNSET


_OBJECT: Final = Decoder(dict[str, Raw])
_ARRAY: Final = Decoder(list[Raw])
_NAMED: Final = Decoder(list[_Named])


class Members(dict[str, DocumentTree]):
    """An object in pieces that keeps what leads to it from the one before, for all who had that."""

    __slots__ = ("_before", "_steps")

    def __init__(self, members: Mapping[str, DocumentTree]) -> None:
        super().__init__(members)
        self._before: Members | None = None
        self._steps: tuple[PatchStep, ...] = ()

    def steps_from(self, path: str, before: "Members") -> tuple[PatchStep, ...]:
        """The steps from another one; `path` is where both stand."""
        if self._before is not before:
            self._steps = tuple(_object_steps(path, before, self))
            self._before = before
            before.let_go()
        return self._steps

    def let_go(self) -> None:
        """Forget what it was compared with: one must not hold all that came before it."""
        self._before, self._steps = None, ()


def patch(before: DocumentTree, after: DocumentTree) -> tuple[PatchStep, ...]:
    """The steps from `before` to `after`, texts of them compact; none where they are equal."""
    return tuple(_steps("", before, after))


def _steps(path: str, before: DocumentTree, after: DocumentTree) -> Iterator[PatchStep]:
    if isinstance(before, Members) and isinstance(after, Members):
        yield from after.steps_from(path, before)
        return
    was, new = _apart(before), _apart(after)
    if isinstance(was, dict) and isinstance(new, dict):
        yield from _object_steps(path, was, new)
    elif isinstance(was, list) and isinstance(new, list):
        yield from _array_steps(path, was, new)
    elif before != after:
        yield Replaced(path, _text(after))


def _apart(tree: DocumentTree) -> DocumentTree:
    """A value with its members or elements one by one, if it has any."""
    if not isinstance(tree, Raw):
        return tree
    match _kind(tree):
        case b"{":
            return _OBJECT.decode(tree)
        case b"[":
            return _ARRAY.decode(tree)
        case _:
            return tree


def _text(tree: DocumentTree) -> Raw:
    return tree if isinstance(tree, Raw) else Raw(msgspec.json.encode(tree))


def _kind(text: Raw) -> bytes:
    return bytes(memoryview(text)[:1])


def _object_steps(
    path: str, before: Mapping[str, DocumentTree], after: Mapping[str, DocumentTree]
) -> Iterator[PatchStep]:
    for name in before:
        if name not in after:
            yield Removed(_below(path, name))
    for name, value in after.items():
        was = before.get(name)
        if was is None:
            yield Added(_below(path, name), _text(value))
        elif was is not value and was != value:
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
        elif was != value:
            yield from _steps(f"{path}/{index}", was, value)


def _placed_steps(
    path: str, first: int, old: Sequence[Raw], new: Sequence[Raw]
) -> Iterator[PatchStep]:
    """Elements place by place: those in both, then what is gone from the end or came there."""
    for index, (was, value) in enumerate(zip(old, new, strict=False), first):
        if was != value:
            yield from _steps(f"{path}/{index}", was, value)
    for index in range(first + len(old) - 1, first + len(new) - 1, -1):
        yield Removed(f"{path}/{index}")
    for index, value in enumerate(new[len(old) :], first + len(old)):
        yield Added(f"{path}/{index}", value)


def _common(first: Sequence[Raw], second: Sequence[Raw]) -> int:
    """How many elements at the beginning are equal."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one is not other and one != other:
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
