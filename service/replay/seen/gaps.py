"""Values that somebody was not told, and what follows where a reducer looks at one.

How this works. A gap stands in a state in the place of a value. A reducer copies facts, gaps among
them; where it asks something of a gap, both answers are followed (`outcomes`) and what comes out
otherwise is a gap again (`merged`). So nothing that depends on what was not told is ever told.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.state import UnknownEffect
from service.engine.visibility.audience_plan import is_array, plan_of

T = TypeVar("T")

MOST_WAYS: Final = 64
"""Ways of one effect that are followed; where there are more, the state is not known."""


class Unfollowable(ValueError):
    """What an effect does to a state cannot be told from what was told of both."""


class _Way:
    """The answers of one way: those given before, then yes; `known` are the ids of combatants.

    What was asked before is answered alike.
    """

    def __init__(self, answers: tuple[bool, ...], known: Collection[str]) -> None:
        self.answers = list(answers)
        self.known = known
        self._given: dict[tuple[str, object], bool] = {}

    def answer(self, gap: str, other: object) -> bool:
        """Whether a gap is this, or holds."""
        question = (gap, other if isinstance(other, str) else id(other))
        answer = self._given.get(question)
        if answer is None:
            if len(self._given) == len(self.answers):
                self.answers.append(True)
            answer = self._given[question] = self.answers[len(self._given)]
        return answer


_way: ContextVar[_Way | None] = ContextVar("way", default=None)


class Gap:
    """A value that is not known; `word` is what it reads as text, which is no id."""

    __slots__ = ("word",)

    def __init__(self, word: str) -> None:
        self.word = word

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __eq__(self, other: object) -> bool:
        return self._is(other)

    def __ne__(self, other: object) -> bool:
        return not self._is(other)

    def __hash__(self) -> int:
        if self is not UNSEEN and _way.get() is not None:
            raise Unfollowable
        return hash(self.word)

    def __bool__(self) -> bool:
        return self._asked()

    def __lt__(self, other: object) -> bool:
        return self._asked()

    def __gt__(self, other: object) -> bool:
        return self._asked()

    def __le__(self, other: object) -> bool:
        return self._asked()

    def __ge__(self, other: object) -> bool:
        return self._asked()

    def __add__(self, other: object) -> "Gap":
        return self

    def __iter__(self) -> Iterator["Gap"]:
        return iter((self,))

    def __str__(self) -> str:
        return self.word

    def _asked(self) -> bool:
        way = _way.get()
        return False if way is None else way.answer(self.word, None)

    def _is(self, other: object) -> bool:
        way = _way.get()
        if way is None:
            return self is other
        if isinstance(other, HiddenId):
            return True
        if self is UNSEEN and isinstance(other, str) and other in way.known:
            return False
        return way.answer(self.word, other)


class HiddenId(str):
    """The id of the one combatant that stands for all who are not known: any gap names it."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Gap) or self is other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return str.__hash__(self)


WITHHELD: Final = Gap("\0withheld")
"""What its mark kept from the viewer when it was stated: shown as soon as the mark does not."""

UNSEEN: Final = Gap("\0unseen")
"""Nothing, or what names somebody whom the viewer did not know of, and does not."""

UNKNOWN: Final = Gap("\0unknown")
"""What the viewer may know by now and was never told."""

NOBODY: Final = "\0"
"""A side that is nobody's."""


def outcomes(act: Callable[[], T], known: Collection[str]) -> list[T]:
    """What comes of it on every way. Raises Unfollowable where no way leads anywhere."""
    ways: list[tuple[bool, ...]] = [()]
    found: list[T] = []
    for _ in range(MOST_WAYS):
        if not ways:
            break
        given = ways.pop()
        way = _Way(given, known)
        token = _way.set(way)
        try:
            with suppress(UnknownEffect, LookupError, TypeError, ValueError, ArithmeticError):
                found.append(act())
        finally:
            _way.reset(token)
        taken = tuple(way.answers)
        ways += [(*taken[:at], False) for at in range(len(given), len(taken))]
    if ways or not found:
        raise Unfollowable
    return found


def merged(first: Any, second: Any) -> Any:
    """What two values agree in; a gap where they do not."""
    if first is second:
        return first
    if isinstance(first, Struct) and type(first) is type(second):
        fields = first.__struct_fields__
        changed = {
            name: both
            for name in fields
            if (both := merged(getattr(first, name), getattr(second, name)))
            is not getattr(first, name)
        }
        return replace(first, **changed) if changed else first
    if isinstance(first, tuple) and isinstance(second, tuple):
        return _merged_arrays(first, second)
    if isinstance(first, Gap) or isinstance(second, Gap):
        silent = {id(UNSEEN), id(UNSET)}
        return UNSEEN if {id(first), id(second)} <= silent else UNKNOWN
    return first if type(first) is type(second) and first == second else UNKNOWN


def _merged_arrays(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(first) == len(second):
        both = tuple(map(merged, first, second))
        return first if all(map(_is, both, first)) else both
    longer = max(first, second, key=len)
    same = 0
    for one, other in zip(first, second, strict=False):
        if merged(one, other) is not one:
            break
        same += 1
    return (*longer[:same], hole_like(longer[same]))


def _is(one: object, other: object) -> bool:
    return one is other


def hole_like(element: object) -> Any:
    """An element that says that there may be others."""
    return blank(type(element), UNKNOWN) if isinstance(element, Struct) else UNKNOWN


def is_hole(element: object) -> bool:
    """Whether an element says that there may be others."""
    if isinstance(element, Struct):
        return any(getattr(element, name) is UNKNOWN for name in _named(type(element)))
    return element is UNKNOWN


def _named(kind: type[Struct]) -> tuple[str, ...]:
    """What names an object: an id in it, else whatever is always stated."""
    plan = plan_of(kind)
    ids = tuple(name for name in (plan.own, plan.unit, *plan.named) if name)
    return ids or tuple(field.attribute for field in plan.fields if field.attribute == "id")


def blank(kind: type[Struct], gap: Gap) -> Any:
    """An object of which nothing is known but its type."""
    hints = get_type_hints(kind, include_extras=True)
    plan = plan_of(kind)
    values = {
        field.attribute: _blank_of(hints[field.attribute], field.names, gap)
        for field in plan.fields
    }
    return kind(**values)


def _blank_of(hint: object, names: str, gap: Gap) -> Any:
    if names in ("subject", "other", "mention", "own", "unit", "unit_mention", "actors"):
        return () if is_array(hint) else gap
    if UnsetType in kinds_in(hint):
        return UNSET
    if is_array(hint):
        return ()
    structs = [kind for kind in kinds_in(hint) if issubclass(kind, Struct)]
    return blank(structs[0], gap) if structs else gap


def kinds_in(hint: object) -> list[type]:
    """The types in an annotation, those in arrays included."""
    if isinstance(hint, type) and get_origin(hint) is None:
        return [hint]
    if get_origin(hint) is None or not get_args(hint):
        return []
    return [kind for each in get_args(hint) for kind in kinds_in(each)]
