"""Tells, without building a tree, that everyone may know all of a value.

How this works. Most events of most battles hide nothing. For each type the few fields that could
narrow or leave the body are listed once: ids of combatants and decisions, flags, streams, free
text, what is a side's or the GM's, and whatever may hold such fields inside. If none of them does,
`projection.annotate` would mark every node for everyone, and the value may be encoded as it is.
"""

import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Annotated, ClassVar, Literal, get_args, get_origin, get_type_hints

from msgspec import UNSET, Struct

from service.engine.projection import audience_of, plan_of
from service.engine.scope import EVERYONE_WORD, Scope

_OPTIONAL_MARKS = frozenset({"numbers", "health", "band", "breakdown"})
"""Marks that mean everyone where the table hides nothing."""


@dataclass(frozen=True, slots=True)
class _Watch:
    """What has to be looked at in one type."""

    closed: tuple[str, ...]
    mentions: tuple[str, ...]
    inner: tuple[str, ...]
    has_names: bool
    is_harmless: bool


def hides_nothing(scope: Scope) -> bool:
    """Whether the table's options let everyone know every number."""
    return (scope.numbers, scope.health, scope.breakdowns) == ("shown", "exact", "all")


def is_open(value: Struct, scope: Scope) -> bool:
    """Whether everyone may know all of this value, and no free text is in it.

    `scope` must be one that `hides_nothing`.
    """
    watch = _watch_of(type(value))
    if watch.is_harmless:
        return True
    if watch.has_names and audience_of(value, scope) != EVERYONE_WORD:
        return False
    for name in watch.closed:
        if getattr(value, name) is not UNSET:
            return False
    for name in watch.mentions:
        if not _is_known(getattr(value, name), scope):
            return False
    return all(_is_inner_open(getattr(value, name), scope) for name in watch.inner)


def _is_known(named: object, scope: Scope) -> bool:
    if named is UNSET:
        return True
    if not isinstance(named, tuple):
        return scope.subject(str(named)) == EVERYONE_WORD
    return all(scope.subject(each) == EVERYONE_WORD for each in named)


def _is_inner_open(item: object, scope: Scope) -> bool:
    if isinstance(item, Struct):
        return is_open(item, scope)
    if isinstance(item, tuple):
        for each in item:
            if not _is_inner_open(each, scope):
                return False
    return True


@cache
def _watch_of(kind: type[Struct]) -> _Watch:
    plan = plan_of(kind)
    hints = get_type_hints(kind, include_extras=True)
    public = _OPTIONAL_MARKS | {"everyone"}
    closed = tuple(f.attribute for f in plan.fields if f.is_text or f.mark not in public)
    mentions = tuple(f.attribute for f in plan.fields if f.names == "mention")
    inner = tuple(f.attribute for f in plan.fields if _may_hold_struct(hints[f.attribute]))
    has_names = plan.base != EVERYONE_WORD or any(
        f.names not in ("", "mention") for f in plan.fields
    )
    return _Watch(
        closed=closed,
        mentions=mentions,
        inner=inner,
        has_names=has_names,
        is_harmless=not (closed or mentions or inner or has_names),
    )


def _may_hold_struct(hint: object) -> bool:
    """Whether a value of this type can have a Struct in it, at any depth."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _may_hold_struct(get_args(hint)[0])
    if origin in {tuple, typing.Union, types.UnionType}:
        return any(_may_hold_struct(each) for each in get_args(hint) if each is not Ellipsis)
    if origin in {dict, Literal, ClassVar}:
        return False
    return not (isinstance(hint, type) and not issubclass(hint, Struct))
