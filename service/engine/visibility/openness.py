"""Whether everyone may know all of a value: most events of most battles hide nothing.

How this works. For each type the few fields that could keep it from being open are listed once: ids
of combatants, units and decisions, flags, streams, free text, what is a side's or the GM's, and
whatever may hold such fields inside. If none of them narrows the value, `projection.annotate` would
mark every node for everyone, and the value may be encoded as it is.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from operator import attrgetter
from typing import Final, get_type_hints

from msgspec import UNSET, Struct

from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.audience_plan import (
    AudiencePlan,
    FieldPlan,
    is_array,
    may_hold_struct,
    plan_of,
)
from service.engine.visibility.scope import Scope, audience_of
from service.engine.visibility.streams import PUBLIC_STREAM

_OPTIONAL_MARKS: Final = ("numbers", "health", "band", "breakdown")
"""Marks that mean everyone unless the table hides what they mark."""

_IDS: Final = frozenset({"subject", "other", "mention", "actors"})
"""What a field is that holds the id of a combatant, or several."""

_Check = Callable[[Struct, Scope], bool]
"""Whether something that could narrow a value leaves it to everyone."""


@dataclass(frozen=True, slots=True)
class _Watch:
    """The fields of one type that could keep it from being open to everyone.

    `closed` must not be stated, each of `ids` be unset or that of a combatant whom everyone may
    know of, the further `checks` hold, and what the `inner` ones have be open in turn.
    """

    closed: tuple[str, ...]
    ids: tuple[str, ...]
    checks: tuple[_Check, ...]
    inner: tuple[str, ...]


class _Watches(dict[type, _Watch | None]):
    """The watch of each type where the marks of `public` mean everyone; made when asked for.

    None where nothing could keep a value from being open: in places, numbers, what is unset.
    """

    def __init__(self, public: frozenset[str]) -> None:
        super().__init__()
        self.public = public

    def __missing__(self, kind: type) -> _Watch | None:
        watch = self[kind] = _watch_of(kind, self.public) if issubclass(kind, Struct) else None
        return watch


def is_open(value: Struct, scope: Scope) -> bool:
    """Whether everyone may know all of this value, and no free text is in it."""
    watches = _watches(scope.numbers, scope.health, scope.breakdowns)
    watch = watches[type(value)]
    return watch is None or _is_open(value, watch, scope, watches)


@cache
def _watches(numbers: str, health: str, breakdowns: str) -> _Watches:
    """The watches where the marks that mean everyone are those that do, whosever numbers."""
    scope = Scope(sides=(), numbers=numbers, health=health, breakdowns=breakdowns)
    optional = (mark for mark in _OPTIONAL_MARKS if scope.declared(mark, GM_WORD) == EVERYONE_WORD)
    return _Watches(frozenset((EVERYONE_WORD, *optional)))


def _is_open(value: Struct, watch: _Watch, scope: Scope, watches: _Watches) -> bool:
    for name in watch.closed:
        if getattr(value, name) is not UNSET:
            return False
    seen = scope.seen
    for name in watch.ids:
        named = getattr(value, name)
        if named not in seen and named is not UNSET:
            return False
    for check in watch.checks:
        if not check(value, scope):
            return False
    for name in watch.inner:
        item = getattr(value, name)
        for each in item if isinstance(item, tuple) else (item,):
            inner = watches[type(each)]
            if inner is not None and not _is_open(each, inner, scope, watches):
                return False
    return True


def _watch_of(kind: type[Struct], public: frozenset[str]) -> _Watch | None:
    """The watch of a type, None if there is nothing to look at."""
    plan = plan_of(kind)
    hints = get_type_hints(kind, include_extras=True)
    named = [f for f in plan.fields if f.names in _IDS]
    watch = _Watch(
        closed=tuple(f.attribute for f in plan.fields if f.is_text or f.mark not in public),
        ids=tuple(f.attribute for f in named if not is_array(hints[f.attribute])),
        checks=tuple(_checks(plan, [f for f in named if is_array(hints[f.attribute])])),
        inner=tuple(
            f.attribute
            for f in plan.fields
            if may_hold_struct(hints[f.attribute]) and f.names != "draws"
        ),
    )
    return watch if watch.closed or watch.ids or watch.checks or watch.inner else None


def _checks(plan: AudiencePlan, lists: list[FieldPlan]) -> Iterator[_Check]:
    """What there is to look at besides single ids; `lists` hold several."""
    yield from (partial(_are_seen, each.attribute) for each in lists)
    for each in plan.fields:
        if each.names == "unit_mention":
            yield partial(_is_unit_seen, each.attribute)
        elif each.names == "draws":
            yield partial(_are_public, each.attribute)
        elif each.names == "stream":
            yield partial(_is_public, each.attribute)
    if plan.base != EVERYONE_WORD or any(each.names not in _CHECKED for each in plan.fields):
        yield _is_for_everyone


_CHECKED: Final = frozenset({"", "subject", "other", "mention", "unit_mention", "draws", "stream"})
"""What a field can be without narrowing its object in a way that only `audience_of` knows."""


def _are_seen(attribute: str, value: Struct, scope: Scope) -> bool:
    """Whether everyone may know of all combatants that a field names."""
    named = getattr(value, attribute)
    return named is UNSET or scope.seen.issuperset(named)


def _is_unit_seen(attribute: str, value: Struct, scope: Scope) -> bool:
    unit = getattr(value, attribute)
    return unit is UNSET or scope.unit(unit) == EVERYONE_WORD


_STREAM: Final = attrgetter("stream")


def _are_public(attribute: str, value: Struct, scope: Scope) -> bool:
    """Whether all draws that a roll names are of the public stream."""
    return {PUBLIC_STREAM}.issuperset(map(_STREAM, getattr(value, attribute)))


def _is_public(attribute: str, value: Struct, scope: Scope) -> bool:
    """Whether a draw, or a run of draws, is of the public stream."""
    return getattr(value, attribute) in (PUBLIC_STREAM, UNSET)


def _is_for_everyone(value: Struct, scope: Scope) -> bool:
    return audience_of(value, scope) == EVERYONE_WORD
