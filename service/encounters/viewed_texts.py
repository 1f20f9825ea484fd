"""The JSON of what viewers see of an object, made from what changed since the object before.

How this works. States share what they leave alone: whatever is the very same object as before, and
is in the same field, is seen as before as long as the scope is the same: who is on which side,
who is hidden, which decisions are open. Of arrays each element is looked at by itself.

What a viewer sees of a value follows from the audiences in it and from which of them the viewer
belongs to. So all viewers who belong to the same of these have one text, whatever else they may
know, and what looks the same to two of them, or before and after, is one object. Nothing is kept
but what the last object consists of.
"""

from collections.abc import Mapping
from operator import is_
from typing import cast

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import astuple

from service.encounters.json_patch import Members
from service.encounters.views import raw
from service.engine.visibility.audience_plan import MENTIONS, FieldPlan
from service.engine.visibility.projection import (
    Holder,
    ProjectedNode,
    audiences_in,
    visible,
)
from service.engine.visibility.scope import Scope, Viewer

Audiences = frozenset[str]
"""The audiences in a value, or those of them that a viewer belongs to."""


class _Part:
    """A value where it is, and what is seen of it."""

    __slots__ = ("_audience", "_node", "_texts", "audiences", "item")

    def __init__(self, item: object, audience: str, node: ProjectedNode) -> None:
        self.item = item
        self.audiences: Audiences = frozenset((audience, *audiences_in(node)))
        self._audience = audience
        self._node = node
        self._texts: dict[Audiences, Raw | UnsetType] = {}

    def seen(self, own: Audiences, viewer: Viewer) -> Raw | UnsetType:
        """Its JSON for a viewer who belongs to the audiences `own`; UNSET if it sees nothing."""
        own &= self.audiences
        text = self._texts.get(own)
        if text is None:
            is_seen = self._audience in own
            text = self._texts[own] = raw(visible(self._node, viewer)) if is_seen else UNSET
        return text


class _Array:
    """An array of objects: each of them by itself."""

    __slots__ = ("_audience", "_texts", "audiences", "elements", "item")

    def __init__(
        self,
        holder: Holder,
        field: FieldPlan,
        items: tuple[Struct, ...],
        before: Mapping[int, _Part],
    ) -> None:
        self.item = items
        self.elements = {id(each): _element(holder, field, each, before) for each in items}
        inner = [part.audiences for part in self.elements.values()]
        self._audience = holder.audience(field)
        self.audiences: Audiences = frozenset((self._audience,)).union(*inner)
        self._texts: dict[Audiences, list[Raw] | UnsetType] = {}

    def seen(self, own: Audiences, viewer: Viewer) -> list[Raw] | UnsetType:
        """As of a part: the JSON of each element of which the viewer sees anything."""
        own &= self.audiences
        texts = self._texts.get(own)
        if texts is None:
            is_seen = self._audience in own
            texts = self._texts[own] = self._elements_seen(own, viewer) if is_seen else UNSET
        return texts

    def _elements_seen(self, own: Audiences, viewer: Viewer) -> list[Raw]:
        texts = [self.elements[id(each)].seen(own, viewer) for each in self.item]
        return [text for text in texts if text is not UNSET]


def _element(holder: Holder, field: FieldPlan, item: Struct, before: Mapping[int, _Part]) -> _Part:
    """An element of an array; the same as before if it was there."""
    known = before.get(id(item))
    if known is not None and known.item is item:
        return known
    element = holder.element(field, item)
    return _Part(item, element.audience, element.node)


class ViewedTexts:
    """What viewers see of the objects of one type that follow one another."""

    def __init__(self) -> None:
        self._scope: Scope | None = None
        self._items: tuple[object, ...] = ()
        self._fields: dict[str, _Part | _Array] = {}
        self._audiences: Audiences = frozenset()
        self._seen: dict[Audiences, Members] = {}

    def view(self, value: Struct, scope: Scope, viewer: Viewer) -> Members:
        """What a viewer sees of the fields, by name and in the order of the names."""
        self._turn_to(value, scope)
        own = frozenset(filter(viewer.may_know, self._audiences))
        seen = self._seen.get(own)
        if seen is None:
            texts = [(name, field.seen(own, viewer)) for name, field in self._fields.items()]
            members = {name: text for name, text in texts if text is not UNSET}
            seen = self._seen[own] = Members(members)
        return seen

    def _turn_to(self, value: Struct, scope: Scope) -> None:
        """Look at an object, by what it shares with the one before."""
        items = astuple(value)
        if scope is not self._scope and scope != self._scope:
            self._fields = {}
        elif all(map(is_, items, self._items)):
            return
        before, self._scope, self._items = self._fields, scope, items
        holder = Holder(value, scope)
        fields = {
            field.name: _field(holder, field, item, before.get(field.name))
            for field, item in holder.stated()
        }
        self._fields = {name: fields[name] for name in sorted(fields)}
        self._audiences = frozenset().union(*[each.audiences for each in fields.values()])
        self._seen = {}


def _field(
    holder: Holder, field: FieldPlan, item: object, before: _Part | _Array | None
) -> _Part | _Array:
    """What is in a field; the same as before unless another field says whose it is."""
    if before is not None and before.item is item and not field.of:
        return before
    is_array = isinstance(item, tuple) and all(isinstance(each, Struct) for each in item)
    if is_array and not field.of and field.names not in MENTIONS:
        elements = before.elements if isinstance(before, _Array) else {}
        return _Array(holder, field, cast(tuple[Struct, ...], item), elements)
    member = holder.member(field, item)
    return _Part(item, member.audience, member.node)
