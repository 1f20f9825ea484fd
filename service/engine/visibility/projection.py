"""The one serializer's first half: a value and, for every node of it, who may know it.

How this works. The marks of `audience.py` are read once per type into a plan. `annotate` walks
a value by these plans and yields a tree of nodes, each with an audience at least as narrow as
its parent's. `parts.py` cuts that tree into the body and the parts of an event; `visible` cuts
out of it what one viewer may see. A field without a mark is the GM's.
"""

import types
import typing
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, ClassVar, Final, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.engine.visibility.scope import (
    EVERYONE_WORD,
    GAME_MASTER,
    GM_WORD,
    Scope,
    Viewer,
    narrow,
    widest,
)


@dataclass(slots=True)
class Leaf:
    """A value without inner structure, as JSON has it."""

    value: object


@dataclass(slots=True)
class Member:
    """A field of an object: its name, who may know it, and whether it is free text."""

    name: str
    audience: str
    is_text: bool
    node: "ProjectedNode"


@dataclass(slots=True)
class Object:
    """A Struct: its members in the order they were defined.

    `plain` are further members without inner structure, which whoever knows the object knows.
    """

    members: list[Member]
    plain: dict[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Element:
    """An element of an array and who may know it."""

    audience: str
    node: "ProjectedNode"


@dataclass(slots=True)
class Array:
    """A tuple: its elements in order, those not everyone may know included."""

    elements: list[Element]


ProjectedNode = Leaf | Object | Array


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """How one field is treated: its mark, what it names, and where its side comes from.

    `is_simple`: its mark alone says who may know it, and nothing in it is marked. `is_kept`: the
    rules that judge a player's action read it whole, whatever that player is shown of it.
    """

    attribute: str
    name: str
    mark: str
    names: str
    of: str
    is_text: bool
    is_simple: bool
    is_kept: bool


@dataclass(frozen=True, slots=True)
class AudiencePlan:
    """How one type is treated: `base` is the audience of the type itself (GM-only actions).

    `named` are the subjects and the others it names; `is_narrowed` if more than these narrow it.
    `marks` are those of its simple fields.
    """

    fields: tuple[FieldPlan, ...]
    base: str
    subjects: tuple[str, ...]
    named: tuple[str, ...]
    is_narrowed: bool
    marks: tuple[str, ...]
    decisions: tuple[str, ...]
    own: str
    bearer: str
    bearers: str
    actors: str
    unit: str
    is_joint: bool
    secret: str
    counted: str
    stream: str
    draws: str
    tag_name: str
    tag: str


_NO_MARK: Final = "gm"

_NARROWING: Final = frozenset(
    {
        "decision",
        "own",
        "bearer",
        "bearers",
        "actors",
        "unit",
        "secret",
        "counted",
        "stream",
        "draws",
    }
)
"""What narrows an object besides the combatants it names."""

_REFERENCES: Final = frozenset({"subject", "other", "mention", "own", "unit", "unit_mention"})
"""What a field can be that holds the id of a combatant or of a unit."""

_MENTIONS: Final = frozenset({"mention", "actors", "unit_mention"})
"""What narrows the field, or the elements, in which it stands."""


@cache
def plan_of(kind: type[Struct]) -> AudiencePlan:
    """The plan of a type, read from its annotations once."""
    hints = get_type_hints(kind, include_extras=True)
    renamed = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    fields = tuple(
        _field_plan(attribute, encoded, hints[attribute]) for attribute, encoded in renamed.items()
    )
    config = kind.__struct_config__
    return AudiencePlan(
        fields=fields,
        base=getattr(kind, "AUDIENCE", EVERYONE_WORD),
        subjects=tuple(f.attribute for f in fields if f.names == "subject"),
        named=tuple(f.attribute for f in fields if f.names in ("subject", "other")),
        is_narrowed=any(f.names in _NARROWING for f in fields),
        marks=tuple(sorted({f.mark for f in fields if f.is_simple})),
        decisions=tuple(f.attribute for f in fields if f.names == "decision"),
        own=next((f.attribute for f in fields if f.names == "own"), ""),
        bearer=next((f.attribute for f in fields if f.names == "bearer"), ""),
        bearers=next((f.attribute for f in fields if f.names == "bearers"), ""),
        actors=next((f.attribute for f in fields if f.names == "actors"), ""),
        unit=next((f.attribute for f in fields if f.names == "unit"), ""),
        is_joint=any(f.names in ("actors", "unit") for f in fields),
        secret=next((f.attribute for f in fields if f.names == "secret"), ""),
        counted=next((f.attribute for f in fields if f.names == "counted"), ""),
        stream=next((f.attribute for f in fields if f.names == "stream"), ""),
        draws=next((f.attribute for f in fields if f.names == "draws"), ""),
        tag_name=config.tag_field or "",
        tag=str(config.tag or ""),
    )


def _field_plan(attribute: str, encoded: str, hint: object) -> FieldPlan:
    marks = marks_of(hint)
    names = str(marks.get("names", ""))
    if names and _is_array(hint):
        names = {
            "subject": "mention",
            "other": "mention",
            "own": "mention",
            "bearer": "bearers",
        }.get(names, names)
    elif names in _REFERENCES:
        _require_alone(attribute, hint)
    return FieldPlan(
        attribute=attribute,
        name=encoded,
        mark=str(marks.get("audience", _NO_MARK)),
        names=names,
        of=str(marks.get("of", "")),
        is_text=bool(marks.get("text", False)),
        is_simple=not (
            names in _MENTIONS or "of" in marks or "text" in marks or may_hold_struct(hint)
        ),
        is_kept=bool(marks.get("kept", False)),
    )


def _require_alone(attribute: str, hint: object) -> None:
    """A field that names a combatant holds nothing else: what is no id would be nobody's to know.

    Raises TypeError.
    """
    others = _members(hint) - {str, UnsetType}
    if others:
        raise TypeError(f"{attribute} names a combatant or {others}: give each a field of its own")


def _members(hint: object) -> set[object]:
    """The types that a type is one of, without what only bounds them."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _members(get_args(hint)[0])
    if origin in {typing.Union, types.UnionType}:
        return {inner for each in get_args(hint) for inner in _members(each)}
    return {hint}


def marks_of(hint: object) -> dict[str, object]:
    """All marks in an annotation by name, the outer one where two say the same."""
    marks: dict[str, object] = {}
    for extra in _marks(hint):
        marks.update(extra)
    return marks


def may_hold_struct(hint: object) -> bool:
    """Whether a value of this type can have a Struct (or raw JSON) in it, at any depth."""
    origin = get_origin(hint)
    if origin is Annotated:
        return may_hold_struct(get_args(hint)[0])
    if origin in {tuple, typing.Union, types.UnionType}:
        return any(may_hold_struct(each) for each in get_args(hint) if each is not Ellipsis)
    if origin in {dict, Literal, ClassVar}:
        return False
    return not (isinstance(hint, type) and not issubclass(hint, Struct | msgspec.Raw))


def _marks(hint: object) -> list[dict[str, object]]:
    """Every `extra` in an annotation, inner ones first; never looks inside another Struct."""
    found: list[dict[str, object]] = []
    if get_origin(hint) is Annotated:
        inner, *metas = get_args(hint)
        found += _marks(inner)
        found += [m.extra for m in metas if isinstance(m, msgspec.Meta) and m.extra]
    elif get_origin(hint) is not ClassVar:
        for argument in get_args(hint):
            if argument is not Ellipsis:
                found += _marks(argument)
    return found


def _is_array(hint: object) -> bool:
    if get_origin(hint) is tuple:
        return True
    return get_origin(hint) in {Annotated, typing.Union, types.UnionType} and any(
        _is_array(argument) for argument in get_args(hint)
    )


def audience_of(value: Struct, scope: Scope) -> str:
    """Who may know this object at all: narrowed by each combatant and decision, and its stream."""
    plan = plan_of(type(value))
    audience = plan.base
    for attribute in plan.named:
        named = getattr(value, attribute)
        if named is not UNSET:
            audience = narrow(audience, scope.subject(named))
    return _narrowed(audience, value, plan, scope) if plan.is_narrowed else audience


def _narrowed(audience: str, value: Struct, plan: AudiencePlan, scope: Scope) -> str:
    """Narrowed also by what else an object may name: itself, decisions, a bearer, a stream."""
    if plan.own:
        audience = narrow(audience, _own_audience(value))
    for attribute in plan.decisions:
        audience = narrow(audience, scope.decision(getattr(value, attribute)))
    if plan.bearer:
        audience = narrow(audience, audience_of(getattr(value, plan.bearer), scope))
    if plan.bearers:
        audience = narrow(audience, _common_audience(getattr(value, plan.bearers), scope))
    if plan.is_joint:
        audience = narrow(audience, _joint_audience(value, plan, scope))
    if plan.secret and getattr(value, plan.secret):
        audience = GM_WORD
    if plan.counted and getattr(value, plan.counted) is not UNSET:
        audience = narrow(audience, scope.declared("numbers", side_of(value, plan, scope, GM_WORD)))
    if plan.draws:
        for run in getattr(value, plan.draws):
            audience = narrow(audience, scope.stream(run.stream))
    stream = getattr(value, plan.stream) if plan.stream else UNSET
    return audience if stream is UNSET else narrow(audience, scope.stream(stream))


def _joint_audience(value: Struct, plan: AudiencePlan, scope: Scope) -> str:
    """Who knows any of those who act together: of those named one by one, and of a unit."""
    audience = EVERYONE_WORD
    if plan.actors:
        audience = widest(map(scope.subject, getattr(value, plan.actors)))
    unit = getattr(value, plan.unit) if plan.unit else UNSET
    return audience if unit is UNSET else narrow(audience, scope.unit(unit))


def _common_audience(bearers: tuple[Struct, ...], scope: Scope) -> str:
    """Who knows of the holder of these: everyone who knows any; of none, everyone."""
    if not bearers:
        return EVERYONE_WORD
    return widest(audience_of(bearer, scope) for bearer in bearers)


def _own_audience(value: Struct) -> str:
    """A combatant described by the object itself: its side while it is hidden."""
    side: str = getattr(value, "side", GM_WORD)
    return side if getattr(value, "hidden", False) else EVERYONE_WORD


def side_of(value: Struct, plan: AudiencePlan, scope: Scope, holder: str) -> str:
    """Whose side's secrets the marked fields of an object are: its subject's, else its holder's."""
    if plan.own:
        side: str = getattr(value, "side", GM_WORD)
        return side
    for attribute in plan.subjects:
        named = getattr(value, attribute)
        if named is not UNSET:
            return scope.side_of(named)
    return holder


def annotate(
    value: object,
    scope: Scope,
    audience: str = EVERYONE_WORD,
    side: str = GM_WORD,
    viewer: Viewer = GAME_MASTER,
) -> ProjectedNode:
    """The tree of a value with an audience on every member and element.

    `audience` is that of whatever holds the value, nothing inside is wider; `side` is the one
    whose numbers the value holds unless it names a subject itself. What the viewer may not know is
    not looked into and left out, so that it costs next to nothing.
    """
    if isinstance(value, Struct):
        return _annotate_object(value, scope, audience, side, viewer)
    if isinstance(value, tuple | list):
        return _annotate_array(value, scope, audience, side, viewer, is_reference=False)
    return Leaf(msgspec.json.decode(value) if isinstance(value, msgspec.Raw) else value)


def _annotate_object(
    value: Struct, scope: Scope, audience: str, holder: str, viewer: Viewer
) -> Object:
    plan = plan_of(type(value))
    side = side_of(value, plan, scope, holder)
    members: list[Member] = []
    plain: dict[str, object] = {plan.tag_name: plan.tag} if plan.tag else {}
    known = {mark: narrow(audience, scope.declared(mark, side)) for mark in plan.marks}
    for each in plan.fields:
        item = getattr(value, each.attribute)
        if item is UNSET:
            continue
        if not each.is_simple:
            member = _member(item, each, value, side, scope, audience, viewer)
            if member is not None:
                members.append(member)
        elif known[each.mark] == audience:
            plain[each.name] = item
        elif viewer.may_know(known[each.mark]):
            members.append(Member(each.name, known[each.mark], False, Leaf(item)))
    return Object(members, plain)


def _member(
    item: object,
    field: FieldPlan,
    holder: Struct,
    side: str,
    scope: Scope,
    audience: str,
    viewer: Viewer,
) -> Member | None:
    """A field with who may know it; None if the viewer may not."""
    if field.of:
        named = getattr(holder, field.of)
        side = GM_WORD if named is UNSET else scope.side_of(named)
    own = narrow(audience, scope.declared(field.mark, side))
    is_array = isinstance(item, tuple | list)
    if field.names == "mention" and not is_array:
        own = narrow(own, scope.subject(str(item)))
    elif field.names == "unit_mention":
        own = narrow(own, scope.unit(str(item)))
    if isinstance(item, Struct):
        own = narrow(own, audience_of(item, scope))
    if not viewer.may_know(own):
        return None
    if isinstance(item, tuple | list):
        is_reference = field.names in _MENTIONS
        node: ProjectedNode = _annotate_array(
            item, scope, own, side, viewer, is_reference=is_reference
        )
    else:
        node = annotate(item, scope, own, side, viewer)
    return Member(field.name, own, field.is_text, node)


def _annotate_array(
    entries: Iterable[object],
    scope: Scope,
    audience: str,
    side: str,
    viewer: Viewer,
    *,
    is_reference: bool,
) -> Array:
    elements = []
    for entry in entries:
        own = audience
        if isinstance(entry, Struct):
            own = narrow(own, audience_of(entry, scope))
        elif is_reference:
            own = narrow(own, scope.subject(str(entry)))
        if viewer.may_know(own):
            elements.append(Element(own, annotate(entry, scope, own, side, viewer)))
    return Array(elements)


def visible(node: ProjectedNode, viewer: Viewer) -> object:
    """The JSON value that a viewer may see of a node the viewer may know."""
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, Array):
        return [
            visible(element.node, viewer)
            for element in node.elements
            if viewer.may_know(element.audience)
        ]
    shown = dict(node.plain)
    for member in node.members:
        if viewer.may_know(member.audience):
            shown[member.name] = visible(member.node, viewer)
    return shown


def view(value: object, scope: Scope, viewer: Viewer) -> object:
    """What a viewer may see of a value: JSON values, nothing else left in them."""
    return visible(annotate(value, scope, viewer=viewer), viewer)
