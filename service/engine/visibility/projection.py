"""The one serializer's first half: a value and, for every node of it, who may know it.

How this works. `audience_plan.py` reads the marks of each type once. `annotate` walks
a value by these plans and yields a tree of nodes, each with an audience at least as narrow as
its parent's. `parts.py` cuts that tree into the body and the parts of an event; `visible` cuts
out of it what one viewer may see. A field without a mark is the GM's.
"""

from collections.abc import Iterable, Iterator
from typing import cast

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


class Holder:
    """An object whose fields are looked at one by one."""

    def __init__(self, value: Struct, scope: Scope) -> None:
        self._value = value
        self._scope = scope
        self._plan = plan_of(type(value))
        self._side = side_of(value, self._plan, scope, GM_WORD)

    def stated(self) -> Iterator[tuple[FieldPlan, object]]:
        """The fields that are stated, in the order of their definition."""
        for field in self._plan.fields:
            item = getattr(self._value, field.attribute)
            if item is not UNSET:
                yield field, item

    def audience(self, field: FieldPlan) -> str:
        """Who may know a field as it is marked."""
        return self._scope.declared(field.mark, self._side)

    def member(self, field: FieldPlan, item: object) -> Member:
        """A field with who may know what of it."""
        holder, side, scope = self._value, self._side, self._scope
        member = _member(item, field, holder, side, scope, EVERYONE_WORD, GAME_MASTER)
        # Nothing is kept from the game master.
        return cast(Member, member)

    def element(self, field: FieldPlan, item: Struct) -> Element:
        """An object as it stands in an array, with who may know what of it."""
        own, side = self.audience(field), self._side
        [element] = _annotate_array(
            (item,), self._scope, own, side, GAME_MASTER, is_reference=False
        ).elements
        return element


def audiences_in(node: ProjectedNode) -> Iterator[str]:
    """Who may know each member and element of a node, at any depth."""
    if isinstance(node, Leaf):
        return
    for inner in node.elements if isinstance(node, Array) else node.members:
        yield inner.audience
        yield from audiences_in(inner.node)
