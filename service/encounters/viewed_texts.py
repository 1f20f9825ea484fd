"""The JSON of what one viewer sees of an object, made from what changed since the object before.

How this works. States share what they leave alone: whatever is the very same object as before, and
stands in the same field, is seen as before as long as the scope is the same: who is on which side,
who is hidden, which decisions are open. Of arrays each element is looked at by itself. Nothing is
kept but what the last object consists of.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec import UNSET, Raw, Struct, UnsetType

from service.encounters.views import raw
from service.engine.visibility.audience_plan import FieldPlan
from service.engine.visibility.projection import view_by_fields
from service.engine.visibility.scope import Scope, Viewer

Shown = Callable[[object], object]
"""Shows a value in the place of a field; UNSET where nothing of it is seen."""


class _Field(NamedTuple):
    """A field as it was seen: its value, the JSON, and that of its elements by their identity."""

    item: object
    text: Raw | UnsetType
    elements: Mapping[int, tuple[object, bytes]] = {}


class ViewedTexts:
    """What one viewer sees of the objects of one type that follow one another."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._scope: Scope | None = None
        self._fields: dict[str, _Field] = {}

    def view(self, value: Struct, scope: Scope) -> dict[str, object]:
        """What is seen, by name; what has inner structure as JSON."""
        if scope is not self._scope and scope != self._scope:
            self._fields = {}
        self._scope = scope
        return view_by_fields(value, scope, self._viewer, self._seen)

    def _seen(self, field: FieldPlan, item: object, shown: Shown) -> object:
        before = self._fields.get(field.name)
        # Where another field says whose it is, that may have changed alone.
        if before is not None and before.item is item and not field.of:
            return before.text
        if not field.of and isinstance(item, tuple) and any(isinstance(e, Struct) for e in item):
            seen = _array(item, shown, {} if before is None else before.elements)
        else:
            value = shown(item)
            seen = _Field(item, UNSET if value is UNSET else raw(value))
        self._fields[field.name] = seen
        return seen.text


def _array(
    items: tuple[object, ...], shown: Shown, before: Mapping[int, tuple[object, bytes]]
) -> _Field:
    """An array, each of its elements as if it stood there alone."""
    elements: dict[int, tuple[object, bytes]] = {}
    for item in items:
        kept = before.get(id(item))
        if kept is None or kept[0] is not item:
            value = shown((item,))
            if value is UNSET:
                return _Field(items, UNSET)
            kept = (item, bytes(raw(value))[1:-1])
        elements[id(item)] = kept
    texts = [text for item in items if (text := elements[id(item)][1])]
    return _Field(items, Raw(b"[%b]" % b",".join(texts)), elements)
