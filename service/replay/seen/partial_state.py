"""States that rules may be run on although part of them is not known.

How this works. What the viewer may not know is redacted as it always is before a player's action is
judged. Whatever is left unknown becomes an `UnknownValue`, an array that may lack elements too: the
rules may pass it by, and where they look into it they fail. That a field is not empty they may have
asked all the same: so they are run once more with unknown values absent, and in the reverse order
of the combatants where theirs is not known. What comes out alike does not hang on it.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NoReturn, TypeVar

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

from service.engine.battle.state import RuleState, scope_of
from service.engine.visibility.audience_plan import plan_of
from service.engine.visibility.redaction import redacted
from service.errors import WarlogError
from service.replay.seen.gaps import UNKNOWN, UNSEEN, Gap, is_hole
from service.replay.seen.seen_state import COMBATANTS, SeenRule, seen_scope

T = TypeVar("T")


class UnknownReadError(Exception):
    """The rules look at something that is not known."""


class UnknownValue:
    """A value that is not known, or an array that may lack elements: nothing can be read of it.

    Redacting it leaves it as it is: it is not empty, and as text it is nobody's id.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return UNKNOWN.word

    def __eq__(self, other: object) -> bool:
        return False if other == () else self._fail()

    def __ne__(self, other: object) -> bool:
        return True if other == () else self._fail()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self._fail()

    def _fail(self, *_: object) -> NoReturn:
        raise UnknownReadError

    __hash__ = __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = _fail
    __lt__ = __le__ = __gt__ = __ge__ = _fail
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _fail
    __neg__ = __index__ = __int__ = _fail
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _fail


UNKNOWN_VALUE: Final = UnknownValue()

_UNREAD: Final = (
    UnknownReadError,
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
    RecursionError,
)
"""What rules raise that meet an unknown value, or a state that no rules lead to."""


def same_of_all(seen: SeenRule, ask: Callable[[RuleState], T]) -> T | None:
    """What the rules answer on a seen state; None where it hangs on what is not known.

    Raises WarlogError where they refuse, whatever is not known.
    """
    if seen.may_lack or not seen.unordered <= COMBATANTS:
        return None
    try:
        answers = [*_answers(seen, ask, is_absent=False), *_answers(seen, ask, is_absent=True)]
    except _UNREAD:
        return None
    first = answers[0]
    if any(type(each) is not type(first) for each in answers):
        return None
    if isinstance(first, WarlogError):
        raise first
    return first if all(each == first for each in answers) else None


def _answers(
    seen: SeenRule, ask: Callable[[RuleState], T], *, is_absent: bool
) -> list[T | WarlogError]:
    """What the rules answer, in either order of the combatants where theirs is not known."""
    rule = _read_by_viewer(seen, is_absent=is_absent)
    ways = [rule]
    if seen.unordered:
        ways.append(replace(rule, combatants=rule.combatants[::-1]))
    return [_answer(ask, each) for each in ways]


def _answer(ask: Callable[[RuleState], T], rule: RuleState) -> T | WarlogError:
    _widen_scope(rule)
    try:
        return ask(rule)
    except WarlogError as error:
        return error


def _read_by_viewer(seen: SeenRule, *, is_absent: bool) -> RuleState:
    """The state as it is before a player's action is judged.

    What is hidden is gone from it together with its gaps; those that are left are guarded.
    """
    rule = _guarded(seen.rule, _of_hole, is_absent=is_absent)
    left = redacted(rule, seen_scope(seen.rule), seen.viewer)
    if left is None:
        raise UnknownReadError
    read: RuleState = replace(_guarded(left, _of_gap, is_absent=is_absent))
    return read


def _widen_scope(rule: RuleState) -> None:
    """An unknown id may be anybody's: redacting once more leaves it."""
    scope = scope_of(rule)
    everywhere = {UNKNOWN.word: "everyone"}
    rule.__dict__["scope"] = replace(
        scope,
        subjects={**scope.subjects, UNKNOWN.word: ("", False)},
        units={**scope.units, **everywhere},
        decisions={**scope.decisions, **everywhere},
    )


def _guarded(value: Any, guard: Callable[[Any, Any], Any], *, is_absent: bool) -> Any:
    """The same with what a guard is for guarded, or absent."""
    if isinstance(value, tuple):
        elements = tuple([_guarded(each, guard, is_absent=is_absent) for each in value])
        return value if all(map(_is, elements, value)) else elements
    if not isinstance(value, Struct):
        return value
    changed: dict[str, Any] = {}
    defaults = _defaults(type(value))
    for field in plan_of(type(value)).fields:
        item = getattr(value, field.attribute)
        may_be_absent = is_absent or item is UNSEEN
        left = guard(item, defaults[field.attribute] if may_be_absent else NODEFAULT)
        if left is item:
            left = _guarded(item, guard, is_absent=is_absent)
        if left is not item:
            changed[field.attribute] = left
    return replace(value, **changed) if changed else value


def _of_hole(item: Any, default: Any) -> Any:
    """An array that may lack elements is unknown, or has those that were told.

    `default` is that of the field where what is unknown is to be absent.
    """
    if not isinstance(item, tuple):
        return item
    known = tuple([each for each in item if each is not UNKNOWN and not is_hole(each)])
    if len(known) == len(item):
        return item
    return UNKNOWN_VALUE if default is NODEFAULT else known


def _of_gap(item: Any, default: Any) -> Any:
    """A gap is unknown, or reads the default of its field, as what was never seen always does."""
    if isinstance(item, tuple) and any(isinstance(each, Gap) for each in item):
        return UNKNOWN_VALUE
    if not isinstance(item, Gap):
        return item
    return UNKNOWN_VALUE if default is NODEFAULT else default


def _is(one: object, other: object) -> bool:
    return one is other


@cache
def _defaults(kind: type[Struct]) -> dict[str, Any]:
    return {field.name: field.default for field in fields(kind)}
