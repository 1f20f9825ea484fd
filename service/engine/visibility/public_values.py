"""Tells, without building a tree, that everyone may know all of a value.

How this works. Most events of most battles hide nothing. For each type the few fields that could
narrow or leave the body are listed once: ids of combatants and decisions, flags, streams, free
text, what is a side's or the GM's, and whatever may hold such fields inside. If none of them does,
`projection.annotate` would mark every node for everyone, and the value may be encoded as it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, get_type_hints

from msgspec import UNSET, Struct

from service.engine.visibility.projection import audience_of, may_hold_struct, plan_of
from service.engine.visibility.scope import EVERYONE_WORD, GM_WORD, Scope

_OPTIONAL_MARKS = ("numbers", "health", "band", "breakdown")
"""Marks that mean everyone unless the table hides what they mark."""

_MENTIONS: Final[Mapping[str, Callable[[Scope, str], str]]] = {
    "mention": Scope.subject,
    "actors": Scope.subject,
    "unit_mention": Scope.unit,
}
"""Who may know what a field mentions."""


@dataclass(frozen=True, slots=True)
class _Watch:
    """What has to be looked at in one type."""

    closed: tuple[str, ...]
    mentions: tuple[tuple[str, Callable[[Scope, str], str]], ...]
    inner: tuple[str, ...]
    has_names: bool
    is_harmless: bool


def hides_nothing(scope: Scope) -> bool:
    """Whether the table's options let everyone know every number."""
    return (scope.numbers, scope.health, scope.breakdowns) == ("shown", "exact", "all")


def is_open(value: Struct, scope: Scope) -> bool:
    """Whether everyone may know all of this value, and no free text is in it."""
    return _is_open(value, scope, _open_marks(scope.numbers, scope.health, scope.breakdowns))


@cache
def _open_marks(numbers: str, health: str, breakdowns: str) -> frozenset[str]:
    """The marks that mean everyone, whosever numbers they are."""
    scope = Scope(sides=(), numbers=numbers, health=health, breakdowns=breakdowns)
    optional = (mark for mark in _OPTIONAL_MARKS if scope.declared(mark, GM_WORD) == EVERYONE_WORD)
    return frozenset(("everyone", *optional))


def _is_open(value: Struct, scope: Scope, marks: frozenset[str]) -> bool:
    watch = _watch_of(type(value), marks)
    if watch.is_harmless:
        return True
    if watch.has_names and audience_of(value, scope) != EVERYONE_WORD:
        return False
    for name in watch.closed:
        if getattr(value, name) is not UNSET:
            return False
    for name, audience_of_id in watch.mentions:
        if not _is_known(getattr(value, name), scope, audience_of_id):
            return False
    for name in watch.inner:
        item = getattr(value, name)
        if item is not UNSET and item != () and not _is_inner_open(item, scope, marks):
            return False
    return True


def _is_known(named: object, scope: Scope, audience_of_id: Callable[[Scope, str], str]) -> bool:
    if named is UNSET:
        return True
    if not isinstance(named, tuple):
        return audience_of_id(scope, str(named)) == EVERYONE_WORD
    return all(audience_of_id(scope, each) == EVERYONE_WORD for each in named)


def _is_inner_open(item: object, scope: Scope, marks: frozenset[str]) -> bool:
    if isinstance(item, Struct):
        return _is_open(item, scope, marks)
    if isinstance(item, tuple):
        for each in item:
            if not _is_inner_open(each, scope, marks):
                return False
    return True


@cache
def _watch_of(kind: type[Struct], public: frozenset[str]) -> _Watch:
    plan = plan_of(kind)
    hints = get_type_hints(kind, include_extras=True)
    closed = tuple(f.attribute for f in plan.fields if f.is_text or f.mark not in public)
    mentions = tuple((f.attribute, _MENTIONS[f.names]) for f in plan.fields if f.names in _MENTIONS)
    inner = tuple(
        f.attribute
        for f in plan.fields
        if may_hold_struct(hints[f.attribute]) and f.names != "draws"
    )
    has_names = plan.base != EVERYONE_WORD or any(
        f.names not in ("", "mention", "unit_mention") for f in plan.fields
    )
    return _Watch(
        closed=closed,
        mentions=mentions,
        inner=inner,
        has_names=has_names,
        is_harmless=not (closed or mentions or inner or has_names),
    )
