"""The whole event, put together from the views of everyone and of each side.

How this works. Views are merged from the outside inwards: each value is put where its container has
kept a place for it. What merges a container yields the places within it, one by one, and continues
when that place is done; so there is a stack of those instead of calls, for views nest as deeply as
canonical JSON may.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from warlog.verifier.details import said
from warlog.verifier.findings import Step
from warlog.verifier.line_forms import Json
from warlog.verifier.parts import HOLE, Opened, laid, order_misfit
from warlog.verifier.text_places import TextPlaces

Views: TypeAlias = Mapping[str, Any]
"""What each audience sees at a place."""


class _Orders(Struct, eq=False):
    """Orders by path."""

    inner: dict[Step, "_Orders"]
    audiences: list[str] | None = None


class _Place(Struct, frozen=True):
    """A value to be merged, and where it goes. `own` is whose the value is."""

    views: Views
    own: str
    orders: _Orders | None
    holder: Any
    key: Any


def whole_of(views: Views, opened: Opened, places: TextPlaces | None = None) -> Json:
    """The event as the game master sees it, from the views of `everyone` and each side, in order.

    Raises a Difference where parts do not fit together.
    """
    orders = _tree_of_orders(opened.get("facts/gm", {}).get("orders", ()))
    facts = laid(_merged(views, orders), opened, "facts/gm", places, is_inserting=False)
    whole: Json = laid(facts, opened, "text/gm", places, is_inserting=False)
    if orders is not None and _has_hole(whole, orders):
        raise order_misfit(said("an element of the game master's was never filled"))
    return whole


def _tree_of_orders(orders: Any) -> _Orders | None:
    root = _Orders({})
    for path, audiences in orders:
        node = root
        for step in path:
            node = node.inner.setdefault(step, _Orders({}))
        if node.audiences is not None:
            raise order_misfit(said("two orders of one array"))
        node.audiences = audiences
    return root if orders else None


def _merged(views: Views, orders: _Orders | None) -> Any:
    top: list[Any] = [None]
    merging = [_merge(_Place(views, "everyone", orders, top, 0))]
    while merging:
        inner = next(merging[-1], None)
        if inner is None:
            merging.pop()
        else:
            merging.append(_merge(inner))
    return top[0]


def _merge(place: _Place) -> Iterator[_Place]:
    """Put a value at its place; yields what within it is to be merged."""
    value, orders = place.views[place.own], place.orders
    if orders is None and _is_one(place.views, value):
        place.holder[place.key] = value
    elif isinstance(value, dict):
        yield from _merge_record(place)
    elif isinstance(value, list):
        yield from _merge_array(place, len(value))
    elif orders is not None and orders.audiences is not None:
        raise order_misfit(said("an order of what is no array"))
    elif not all(type(each) is type(value) and each == value for each in place.views.values()):
        raise order_misfit(said("an order that pairs different elements"))
    else:
        place.holder[place.key] = value


def _is_one(views: Views, value: Any) -> bool:
    """Whether all see the very same value."""
    return set(map(id, views.values())) == {id(value)}


def _merge_record(place: _Place) -> Iterator[_Place]:
    orders = place.orders.inner if place.orders is not None else {}
    if place.orders is not None and place.orders.audiences is not None:
        raise order_misfit(said("an order of what is no array"))
    members: dict[str, dict[str, Any]] = {}
    for audience, view in place.views.items():
        if not isinstance(view, dict):
            raise order_misfit(said("views that differ in what they are"))
        for name, each in view.items():
            members.setdefault(name, {})[audience] = each
    if any(str(name) not in members for name in orders):
        raise order_misfit(said("an order of nothing"))
    tree: dict[str, Any] = dict.fromkeys(members)
    place.holder[place.key] = tree
    for name, inner in members.items():
        if place.own not in inner and len(inner) > 1:
            raise order_misfit(said("a member that two sides set"))
        if place.own in inner and len(inner) < len(place.views):
            raise order_misfit(said("an order that pairs different elements"))
        yield _Place(inner, _owner(inner, place.own), orders.get(name), tree, name)


def _merge_array(place: _Place, length: int) -> Iterator[_Place]:
    if not all(isinstance(view, list) for view in place.views.values()):
        raise order_misfit(said("views that differ in what they are"))
    order = None if place.orders is None else place.orders.audiences
    below = {} if place.orders is None else place.orders.inner
    counts = dict.fromkeys(place.views, 0)
    elements: list[Any] = []
    place.holder[place.key] = elements
    for at, audience in enumerate([place.own] * length if order is None else order):
        is_seen = place.own == "everyone" and audience in place.views
        if not is_seen and audience not in (place.own, "gm"):
            raise order_misfit(said("an order for nobody who sees the array"))
        inner = _taken(place.views, counts, audience)
        elements.append(HOLE)
        if inner:
            yield _Place(inner, _owner(inner, audience), below.get(at), elements, at)
    for audience, count in counts.items():
        must_be_placed = place.own in ("everyone", audience)
        if must_be_placed and count < len(place.views[audience]):
            raise order_misfit(said("an element that no order names"))


def _taken(views: Views, counts: dict[str, int], audience: str) -> dict[str, Any]:
    """The next element of each view that an audience's element is in."""
    inner = {}
    for seer, count in counts.items():
        if audience in ("everyone", seer):
            if count >= len(views[seer]):
                raise order_misfit(said("an order with an element too many"))
            inner[seer] = views[seer][count]
    counts.update({seer: counts[seer] + 1 for seer in inner})
    return inner


def _owner(inner: Mapping[str, Any], audience: str) -> str:
    return audience if audience in inner else next(iter(inner))


def _has_hole(tree: Any, orders: _Orders) -> bool:
    """Whether an element that was kept free is still empty."""
    waiting = [(tree, orders)]
    while waiting:
        node, below = waiting.pop()
        if below.audiences is not None and isinstance(node, list) and HOLE in node:
            return True
        for step, inner in below.inner.items():
            members = dict(enumerate(node)) if isinstance(node, list) else node
            if isinstance(members, dict) and step in members:
                waiting.append((members[step], inner))
    return False
