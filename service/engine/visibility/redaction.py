"""A value with only what a viewer may know left in it: the rules judge a player's action on that.

How this works. The same marks that say who is shown a field (`audience.py`) say what is left of it
here. A field that the viewer may not know reads its default, or the value that its mark `unseen`
states. An object that the viewer may not know is gone: from the array that holds it, or with the
default of its field. So is one that would have to read a field which is `NEEDED` or has neither a
default nor an `unseen`; an array of which nothing is left reads the default of its field. Free text
stays, since no rule reads it, and so does a field marked `KEPT`.

Where nothing is hidden the very same objects come back. What may have to change in an object of
one type and side is worked out once for all viewers and tables alike, so that most of a battle is
never walked.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import is_
from typing import Annotated, Final, TypeVar, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, UNSET, Struct
from msgspec.structs import FieldInfo, fields, replace

from service.engine.visibility.audience import GM_WORD
from service.engine.visibility.audience_plan import FieldPlan, marks_of, plan_of
from service.engine.visibility.scope import Scope, Viewer, audience_of

S = TypeVar("S", bound=Struct)

_MARKS: Final = ("everyone", "side", "gm", "numbers", "health", "band", "breakdown")

_NARROWING: Final = frozenset(
    {"decision", "bearer", "bearers", "actors", "unit", "secret", "counted", "stream"}
)
"""What else than a combatant's id may take an object away."""

_MENTIONS: Final[Mapping[str, Callable[[Scope, str], str]]] = {
    "mention": Scope.subject,
    "actors": Scope.subject,
    "unit_mention": Scope.unit,
}
"""Who may know whom a field, or an element of it, mentions."""


@dataclass(frozen=True, slots=True)
class _Sensitive:
    """The marks and references in a type or a field, at any depth, that may hide it from a viewer.

    `marks` of the fields in it, `others` of those in objects that may be another side's;
    `names_combatants`: something goes or stays with combatants; `is_narrowed`: something is
    narrowed by more than that, such as a stream of dice.
    """

    marks: frozenset[str]
    others: frozenset[str]
    names_combatants: bool
    is_narrowed: bool


@dataclass(frozen=True, slots=True)
class _JudgedField:
    """A field that rules may read and that is not kept; `blank` is what it reads unseen.

    `mentioned` says who may know of the id in it, if it is one; `held` are the types of the objects
    in it; `is_object`: it is always one object.
    """

    name: str
    mark: str
    mentioned: Callable[[Scope, str], str] | None
    blank: object
    held: tuple[type[Struct], ...]
    is_object: bool


@dataclass(frozen=True, slots=True)
class _Shape:
    """A type: its fields, and how its objects are judged as a whole."""

    fields: tuple[_JudgedField, ...]
    own: str
    subjects: tuple[str, ...]
    named: tuple[str, ...]
    is_narrowed: bool


@dataclass(frozen=True, slots=True)
class _Watch:
    """What changes in the objects of one type and side: `blanks` in all, `inner` in some of them.

    Each of `inner` stands with whether an object in that field may itself be hidden. `is_gone`: the
    objects cannot be without what is hidden.
    """

    blanks: Mapping[str, object]
    inner: tuple[tuple[_JudgedField, bool], ...]
    is_gone: bool


@dataclass(frozen=True, slots=True)
class _Veil:
    """What is hidden from one viewer at tables with the same options and sides.

    `marks` are those hidden on objects of each side, `anywhere` those hidden on any;
    `hides_combatants`: somebody is hidden from the viewer. `watches` are filled as they are needed.
    """

    marks: Mapping[str, frozenset[str]]
    anywhere: frozenset[str]
    hides_combatants: bool
    watches: dict[tuple[type[Struct], str], _Watch]


class _Redactor:
    """One viewer's look at one moment."""

    __slots__ = ("_scope", "_veil", "_viewer")

    def __init__(self, scope: Scope, viewer: Viewer) -> None:
        self._scope = scope
        self._viewer = viewer
        self._veil = _veil(
            scope.sides,
            scope.numbers,
            scope.health,
            scope.breakdowns,
            viewer,
            any(
                is_hidden and not viewer.may_know(side)
                for side, is_hidden in scope.subjects.values()
            ),
        )

    def left_of(self, value: S, holder: str) -> S | None:
        """What is left of an object that the viewer may know of; None if it cannot be without."""
        kind = type(value)
        shape = _shape(kind)
        side = self._side_of(value, shape, holder) if shape.own or shape.subjects else holder
        watch = self._veil.watches.get((kind, side)) or self._watch(kind, side)
        if watch.is_gone:
            return None
        changes = None
        for field, may_be_hidden in watch.inner:
            item = getattr(value, field.name)
            if item is UNSET or item == ():
                continue
            left = self._inside(item, field, may_be_hidden, side)
            if left is NODEFAULT:
                return None
            if left is not item:
                changes = {**watch.blanks} if changes is None else changes
                changes[field.name] = left
        if changes is not None:
            return replace(value, **changes)
        for name, blank in watch.blanks.items():
            if getattr(value, name) != blank:
                return replace(value, **watch.blanks)
        return value

    def _watch(self, kind: type[Struct], side: str) -> _Watch:
        watch = _watch_of(kind, side, self._veil)
        self._veil.watches[kind, side] = watch
        return watch

    def _side_of(self, value: Struct, shape: _Shape, holder: str) -> str:
        """Whose numbers an object holds: its own side's, its subject's, else its holder's."""
        if shape.own:
            own: str = getattr(value, "side", GM_WORD)
            return own
        for attribute in shape.subjects:
            named = getattr(value, attribute)
            if named is not UNSET:
                return self._scope.side_of(named)
        return holder

    def _inside(self, item: object, field: _JudgedField, may_be_hidden: bool, side: str) -> object:
        """What is left of a field's value, its blank if nothing is."""
        if not isinstance(item, tuple):
            left = self._element(item, field, may_be_hidden, side)
            return field.blank if left is None else left
        elements = [self._element(each, field, may_be_hidden, side) for each in item]
        if all(map(is_, elements, item)):
            return item
        return tuple([each for each in elements if each is not None]) or field.blank

    def _element(self, item: object, field: _JudgedField, may_be_hidden: bool, side: str) -> object:
        """What is left of one value: of an object, or of the id of a combatant."""
        if isinstance(item, Struct):
            return None if may_be_hidden and not self._is_known(item) else self.left_of(item, side)
        if field.mentioned is None or self._viewer.may_know(
            field.mentioned(self._scope, str(item))
        ):
            return item
        return None

    def _is_known(self, value: Struct) -> bool:
        """Whether the viewer may know of an object at all."""
        if not _may_be_hidden(type(value), self._veil):
            return True
        return self._viewer.may_know(audience_of(value, self._scope))


def redacted(value: S, scope: Scope, viewer: Viewer, side: str = GM_WORD) -> S | None:
    """What is left of an object for a viewer who may know of it, None if it cannot be without.

    `side` is the one whose numbers it holds unless it names a subject itself. Every object inside
    is judged by itself: someone who shares the secrets of two sides keeps what names hidden
    combatants of both.
    """
    return value if viewer.is_gm else _Redactor(scope, viewer).left_of(value, side)


@lru_cache(maxsize=4096)
def _veil(
    sides: tuple[str, ...],
    numbers: str,
    health: str,
    breakdowns: str,
    viewer: Viewer,
    hides_combatants: bool,
) -> _Veil:
    scope = Scope(sides=sides, numbers=numbers, health=health, breakdowns=breakdowns)
    hidden = {
        side: frozenset(mark for mark in _MARKS if not viewer.may_know(scope.declared(mark, side)))
        for side in (*sides, GM_WORD)
    }
    anywhere = frozenset[str]().union(*hidden.values())
    return _Veil(marks=hidden, anywhere=anywhere, hides_combatants=hides_combatants, watches={})


def _watch_of(kind: type[Struct], side: str, veil: _Veil) -> _Watch:
    blanks: dict[str, object] = {}
    inner = []
    for field in _shape(kind).fields:
        if field.mark in veil.marks[side]:
            blanks[field.name] = field.blank
        elif (left := _left_of_all(field, side, veil)) is not UNSET:
            blanks[field.name] = left
        elif _may_change(_sensitive_in(field), side, veil):
            inner.append((field, any(_may_be_hidden(held, veil) for held in field.held)))
    return _Watch(blanks=blanks, inner=tuple(inner), is_gone=NODEFAULT in blanks.values())


def _may_be_hidden(kind: type[Struct], veil: _Veil) -> bool:
    """Whether some objects of a type are nothing that the viewer knows of."""
    shape = _shape(kind)
    return shape.is_narrowed or (bool(shape.own or shape.named) and veil.hides_combatants)


def _left_of_all(field: _JudgedField, side: str, veil: _Veil) -> object:
    """What is left of any value that a field may have, if that is always the same; else UNSET."""
    if not field.held or any(_shape(kind).own or _shape(kind).subjects for kind in field.held):
        return UNSET
    watches = [_watch_of(kind, side, veil) for kind in field.held]
    if all(watch.is_gone for watch in watches):
        return field.blank
    if field.is_object and len(watches[0].blanks) == len(fields(field.held[0])):
        return field.held[0](**watches[0].blanks)
    return UNSET


def _may_change(sensitive: _Sensitive, side: str, veil: _Veil) -> bool:
    return (
        sensitive.is_narrowed
        or not sensitive.marks.isdisjoint(veil.marks[side])
        or not sensitive.others.isdisjoint(veil.anywhere)
        or (sensitive.names_combatants and veil.hides_combatants)
    )


@cache
def _shape(kind: type[Struct]) -> _Shape:
    plan = plan_of(kind)
    hints = get_type_hints(kind, include_extras=True)
    defaults = {field.name: _default_of(field) for field in fields(kind)}
    return _Shape(
        fields=tuple(
            _judged_field(field, hints[field.attribute], defaults[field.attribute])
            for field in plan.fields
            if not (field.is_text or field.is_kept)
        ),
        own=plan.own,
        subjects=plan.subjects,
        named=plan.named,
        is_narrowed=any(field.names in _NARROWING for field in plan.fields),
    )


def _judged_field(field: FieldPlan, hint: object, default: object) -> _JudgedField:
    marks = marks_of(hint)
    return _JudgedField(
        name=field.attribute,
        mark=field.mark,
        mentioned=_MENTIONS.get(field.names),
        blank=NODEFAULT if "needed" in marks else marks.get("unseen", default),
        held=_structs_in(hint),
        is_object=get_origin(hint) is Annotated and get_args(hint)[0] in _structs_in(hint),
    )


def _default_of(field: FieldInfo) -> object:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _structs_in(hint: object) -> tuple[type[Struct], ...]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        return (hint,)
    return tuple(kind for each in get_args(hint) for kind in _structs_in(each))


def _sensitive_in(field: _JudgedField) -> _Sensitive:
    """What the value of a field may hold."""
    held = [_sensitive(kind) for kind in field.held]
    return _Sensitive(
        marks=frozenset[str]().union(*(each.marks for each in held)),
        others=frozenset[str]().union(*(each.others for each in held)),
        names_combatants=field.mentioned is not None or any(each.names_combatants for each in held),
        is_narrowed=any(each.is_narrowed for each in held),
    )


@cache
def _sensitive(kind: type[Struct]) -> _Sensitive:
    """What an object of a type may hold, and name."""
    shape = _shape(kind)
    held = [_sensitive_in(field) for field in shape.fields]
    marks = frozenset(field.mark for field in shape.fields).union(*(each.marks for each in held))
    further = frozenset[str]().union(*(each.others for each in held))
    has_side = bool(shape.own or shape.subjects)
    return _Sensitive(
        marks=frozenset() if has_side else marks,
        others=further | marks if has_side else further,
        names_combatants=bool(shape.own or shape.named)
        or any(each.names_combatants for each in held),
        is_narrowed=shape.is_narrowed or any(each.is_narrowed for each in held),
    )
