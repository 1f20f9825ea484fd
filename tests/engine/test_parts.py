"""Splitting an event into body and parts, and joining it again, are exact inverses."""

from collections.abc import Iterator
from copy import deepcopy

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs

from service.engine.log import parts
from service.engine.visibility.projection import (
    Array,
    Element,
    Leaf,
    Member,
    Object,
    ProjectedNode,
    visible,
)
from service.engine.visibility.scope import GAME_MASTER, Viewer, narrow

SIDES = ("red", "blue", "green")
AUDIENCES = st.sampled_from(("everyone", "everyone", *SIDES, "gm"))
LEAVES = st.integers(-5, 5) | st.text("aé\u2028", max_size=3) | st.booleans()


@st.composite
def nodes(draw: st.DrawFn, holder: str = "everyone", depth: int = 3) -> ProjectedNode:
    kind = draw(st.sampled_from(("leaf", "object", "array"))) if depth else "leaf"
    if kind == "leaf":
        return Leaf(draw(LEAVES))
    if kind == "object":
        return draw(objects(holder, depth))
    count = draw(st.integers(0, 4))
    audiences = [narrow(holder, draw(AUDIENCES)) for _ in range(count)]
    return Array([Element(own, draw(nodes(own, depth - 1))) for own in audiences])


@st.composite
def objects(draw: st.DrawFn, holder: str = "everyone", depth: int = 3) -> Object:
    names = draw(st.lists(st.sampled_from("abcde"), unique=True, max_size=4))
    members = []
    for name in names:
        own = narrow(holder, draw(AUDIENCES))
        is_text = draw(st.integers(0, 5)) == 0
        node = Leaf(draw(st.text("xyz", max_size=3))) if is_text else draw(nodes(own, depth - 1))
        members.append(Member(name, own, is_text, node))
    return Object(members)


def opened(node: Object) -> tuple[object, dict[tuple[str, str], parts.Part]]:
    body, encoded = parts.split(node, SIDES)
    names = parts.part_names(SIDES)
    kept: dict[tuple[str, str], parts.Part] = {
        name: parts.PARTS.decode(part)
        for name, part in zip(names, encoded, strict=True)
        if part != parts.EMPTY_PART
    }
    return msgspec.to_builtins(body), kept


@given(objects())
def test_joining_what_was_split_gives_the_gm_the_whole_event(node: Object) -> None:
    body, kept = opened(node)
    assert visible(parts.join(body, kept, SIDES), GAME_MASTER) == visible(node, GAME_MASTER)


@given(objects(), st.lists(st.sampled_from(SIDES), unique=True))
def test_joining_what_was_split_gives_every_viewer_what_it_may_see(
    node: Object, sides: list[str]
) -> None:
    body, kept = opened(node)
    viewer = Viewer(sides=tuple(sides))
    assert visible(parts.join(body, kept, SIDES), viewer) == visible(node, viewer)


@given(objects(), st.sampled_from(SIDES))
def test_a_side_needs_only_the_body_and_its_own_parts(node: Object, side: str) -> None:
    body, kept = opened(node)
    own = {name: part for name, part in kept.items() if name[1] in ("everyone", side)}
    assert parts.side_view(body, own, side) == visible(node, Viewer(sides=(side,)))


VIEWERS = st.one_of(
    st.just(GAME_MASTER), st.sets(st.sampled_from(SIDES)).map(lambda s: Viewer(sides=tuple(s)))
)


@given(objects(), VIEWERS)
def test_parts_that_are_laid_over_the_body_give_what_joining_them_gives(
    node: Object, viewer: Viewer
) -> None:
    body, kept = opened(node)
    tree = deepcopy(body)
    if parts.lay_over(tree, kept, SIDES, viewer):
        assert tree == visible(node, viewer)
    else:
        assert tree == body
        assert len(viewer.sides) > 1


@given(objects(), st.data())
def test_where_text_is_erased_both_leave_it_out(node: Object, data: st.DataObject) -> None:
    body, kept = opened(node)
    known = {
        name: part
        for name, part in kept.items()
        if name[0] == parts.FACTS or data.draw(st.booleans(), label=str(name))
    }
    joined = visible(parts.join(body, deepcopy(known), SIDES), GAME_MASTER)
    tree = deepcopy(body)
    assert (parts.lay_over(tree, known, SIDES, GAME_MASTER), tree) == (True, joined)


@given(objects(), st.sets(st.sampled_from(SIDES)))
def test_without_the_orders_nothing_is_laid_that_joining_would_not_give(
    node: Object, sides: set[str]
) -> None:
    body, kept = opened(node)
    known = {name: part for name, part in kept.items() if name[1] in {"everyone", *sides}}
    tree = deepcopy(body)
    is_laid = parts.lay_over(tree, deepcopy(known), SIDES, GAME_MASTER)
    try:
        joined = visible(parts.join(body, known, SIDES), GAME_MASTER)
    except (ValueError, LookupError):
        # What two sides have at one place may be two elements: only an order tells them apart.
        assert not is_laid
    else:
        assert tree == (joined if is_laid else body)


@given(objects(), st.data())
def test_no_entry_sets_what_is_there(node: Object, data: st.DataObject) -> None:
    body, kept = opened(node)
    name = data.draw(st.sampled_from(parts.part_names(SIDES)))
    viewer = GAME_MASTER if name[1] == "gm" else Viewer(sides=tuple({name[1]} & set(SIDES)))
    taken = list(members_in(visible(node, viewer)))
    assume(taken)
    part = kept.get(name, parts.Part(entries=[]))
    entry = (list(data.draw(st.sampled_from(taken))), "forged")
    forged = {**kept, name: structs.replace(part, entries=[*part.entries, entry])}
    for given_parts, reader in ((forged, viewer), (forged, GAME_MASTER)):
        with pytest.raises((ValueError, LookupError, TypeError)):
            laid(body, deepcopy(given_parts), reader)
    with pytest.raises((ValueError, LookupError, TypeError)):
        parts.join(body, deepcopy(forged), SIDES)


def laid(body: object, kept: dict[tuple[str, str], parts.Part], viewer: Viewer) -> object:
    """An event as a viewer sees it, put together in the one way or the other."""
    tree = deepcopy(body)
    if not parts.lay_over(tree, kept, SIDES, viewer):
        return visible(parts.join(body, kept, SIDES), viewer)
    return tree


def members_in(tree: object, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all members of objects in a tree, those in arrays included."""
    if isinstance(tree, dict):
        for name, inner in tree.items():
            yield (*way, name)
            yield from members_in(inner, (*way, name))
    elif isinstance(tree, list):
        for at, inner in enumerate(tree):
            yield from members_in(inner, (*way, at))


@given(objects())
def test_the_body_holds_nothing_that_everyone_may_not_know_and_no_text(node: Object) -> None:
    body, _ = parts.split(node, SIDES)
    assert body == visible(without_text(node), Viewer())


def without_text(node: ProjectedNode) -> ProjectedNode:
    if isinstance(node, Leaf):
        return node
    if isinstance(node, Array):
        return Array([Element(e.audience, without_text(e.node)) for e in node.elements])
    kept = [m for m in node.members if not m.is_text]
    return Object([Member(m.name, m.audience, False, without_text(m.node)) for m in kept])


@given(objects(), st.sampled_from(SIDES))
def test_what_a_side_may_not_see_changes_neither_the_body_nor_its_parts(
    node: Object, side: str
) -> None:
    viewer = Viewer(sides=(side,))
    bare_body, bare = opened(only_members(node, viewer))
    body, kept = opened(node)
    names = [("text", "everyone"), ("text", side), ("facts", side)]
    assert (body, [kept.get(n) for n in names]) == (bare_body, [bare.get(n) for n in names])


def only(node: ProjectedNode, viewer: Viewer) -> ProjectedNode:
    if isinstance(node, Leaf):
        return node
    if isinstance(node, Array):
        seen = [e for e in node.elements if viewer.may_know(e.audience)]
        return Array([Element(e.audience, only(e.node, viewer)) for e in seen])
    return only_members(node, viewer)


def only_members(node: Object, viewer: Viewer) -> Object:
    known = [m for m in node.members if viewer.may_know(m.audience)]
    return Object([Member(m.name, m.audience, m.is_text, only(m.node, viewer)) for m in known])
