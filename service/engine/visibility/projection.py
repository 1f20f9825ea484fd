"""The one serializer's first half: a value and, for every node of it, who may know it.

How this works. `audience_plan.py` reads the marks of each type once. `annotate` walks
a value by these plans and yields a tree of nodes, each with an audience at least as narrow as
its parent's. `parts.py` cuts that tree into the body and the parts of an event; `visible` cuts
out of it what one viewer may see. A field without a mark is the GM's.
"""

from collections.abc import Callable, Iterable
from functools import partial

import msgspec
from msgspec import UNSET, Struct

from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.audience_plan import MENTIONS, FieldPlan, plan_of
from service.engine.visibility.scope import (
    GAME_MASTER,
    Scope,
    Viewer,
    audience_of,
    narrow,
    side_of,
)


class Leaf(Struct):
    """A value without inner structure, as JSON has it."""

    value: object


class Member(Struct):
    """A field of an object: its name, who may know it, and whether it is free text."""

    name: str
    audience: str
    is_text: bool
    node: "ProjectedNode"


class Object(Struct):
    """A Struct: its members in the order they were defined.

    `plain` are the members without inner structure that have the object's own audience.
    """

    members: list[Member]
    plain: dict[str, object] = {}


class Element(Struct):
    """An element of an array and who may know it."""

    audience: str
    node: "ProjectedNode"


class Array(Struct):
    """A tuple: its elements in order, those not everyone may know included."""

    elements: list[Element]


ProjectedNode = Leaf | Object | Array


FieldViewer = Callable[[FieldPlan, object, Callable[[object], object]], object]
"""What is seen of a field: by its plan, its value, and what shows any value that stood there.

UNSET if nothing is.
"""


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
    audiences = {mark: narrow(audience, scope.declared(mark, side)) for mark in plan.marks}
    for plan_field in plan.fields:
        item = getattr(value, plan_field.attribute)
        if item is UNSET:
            continue
        if not plan_field.is_simple:
            member = _member(item, plan_field, value, side, scope, audience, viewer)
            if member is not None:
                members.append(member)
        elif audiences[plan_field.mark] == audience:
            plain[plan_field.name] = item
        elif viewer.may_know(audiences[plan_field.mark]):
            members.append(Member(plan_field.name, audiences[plan_field.mark], False, Leaf(item)))
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
        subject = getattr(holder, field.of)
        side = GM_WORD if subject is UNSET else scope.side_of(subject)
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
        is_reference = field.names in MENTIONS
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
    members = dict(node.plain)
    for member in node.members:
        if viewer.may_know(member.audience):
            members[member.name] = visible(member.node, viewer)
    return members


def view(value: object, scope: Scope, viewer: Viewer) -> object:
    """The JSON of a value with only the members and elements that the viewer may know."""
    return visible(annotate(value, scope, viewer=viewer), viewer)


def view_by_fields(
    value: Struct, scope: Scope, viewer: Viewer, shown: FieldViewer
) -> dict[str, object]:
    """As `view` of an object; `shown` says what is seen of fields with inner structure."""
    plan = plan_of(type(value))
    side = side_of(value, plan, scope, GM_WORD)
    members: dict[str, object] = {plan.tag_name: plan.tag} if plan.tag else {}
    for field in plan.fields:
        item = getattr(value, field.attribute)
        if item is UNSET:
            continue
        if field.is_simple:
            if viewer.may_know(scope.declared(field.mark, side)):
                members[field.name] = item
            continue
        seen = shown(field, item, partial(_field_view, field, value, side, scope, viewer))
        if seen is not UNSET:
            members[field.name] = seen
    return members


def _field_view(
    field: FieldPlan, holder: Struct, side: str, scope: Scope, viewer: Viewer, item: object
) -> object:
    """What is seen of a value in this field; UNSET if nothing is."""
    member = _member(item, field, holder, side, scope, EVERYONE_WORD, viewer)
    return UNSET if member is None else visible(member.node, viewer)
