"""Events and states of somebody who shares the secrets of several sides, put together by hand."""

from typing import Annotated, Any

import pytest
from msgspec import UNSET, Struct, UnsetType

from service.engine.log import canonical
from service.engine.visibility.audience import EVERYONE, SIDE, SubjectId
from service.engine.visibility.scope import Scope, Viewer
from service.replay.seen.gaps import UNKNOWN, WITHHELD
from service.replay.seen.joint_event import Told, joint_events
from service.replay.seen.order import agreed, still_open
from service.replay.seen.seen_effects import EffectReader

SIDES = ("red", "blue", "green")
BOTH = Viewer(sides=("blue", "red"))
BODY = {"effects": [{"at": 1}, {"at": 2}], "seq": 3}


def ways(**entries: list[Any]) -> tuple[dict[str, Any], ...]:
    """The event of BODY with parts of facts, and of text where the name begins so."""
    filled = {}
    for name, listed in entries.items():
        kind, _, audience = name.rpartition("_")
        filled[(kind or "facts", audience)] = canonical.encode({"entries": listed})
    return joint_events(canonical.encode(BODY), filled, SIDES, BOTH)


def test_elements_of_two_sides_at_one_place_stand_either_way() -> None:
    red = [(["effects", 1], {"r": 1}), (["effects", 2], {"r": 2})]
    blue = [(["effects", 1], {"b": 1}), (["effects", 3], {"b": 2})]
    first, second = ways(red=red, blue=blue)
    r1, r2, b1, b2 = {"r": 1}, {"r": 2}, {"b": 1}, {"b": 2}
    assert first["effects"] == [{"at": 1}, r1, r2, b1, {"at": 2}, b2]
    assert second["effects"] == [{"at": 1}, b1, r1, r2, {"at": 2}, b2]
    assert {each.audience for each in first["effects"] if isinstance(each, Told)} == {"red", "blue"}


def test_elements_that_others_part_have_one_order() -> None:
    [event] = ways(red=[(["effects", 0], 7)], blue=[(["effects", 2], {"b": [1, 2]})])
    assert event == {"effects": [7, {"at": 1}, {"at": 2}, {"b": [1, 2]}], "seq": 3}


def test_paths_count_what_their_side_sees() -> None:
    [event] = ways(
        red=[(["effects", 0], {"r": 1})],
        blue=[(["effects", 0, "own"], [4]), (["effects", 1, "own"], 5)],
        text_everyone=[(["effects", 1, "name"], "said")],
        text_blue=[(["effects", 1, "title"], "read")],
        text_red=[(["effects", 0, "name"], "whispered")],
    )
    assert event["effects"] == [
        {"r": 1, "name": "whispered"},
        {"at": 1, "own": [4]},
        {"at": 2, "own": 5, "name": "said", "title": "read"},
    ]


def test_parts_of_other_sides_are_left_alone() -> None:
    assert ways(green=[(["effects", 0], 7)]) == (BODY,)


@pytest.mark.parametrize("path", [["effects", 9, "own"], ["seq", 0], ["nothing", "own"]])
def test_a_part_that_does_not_fit_is_no_event(path: list[Any]) -> None:
    with pytest.raises((LookupError, TypeError)):
        ways(red=[(path, 1)])


def test_two_parts_that_set_one_member_are_no_event() -> None:
    for other in (
        {"blue": [(["effects", 0, "own"], 2)]},
        {"text_red": [(["effects", 0, "own"], "x")]},
    ):
        with pytest.raises(ValueError, match="is there already"):
            ways(red=[(["effects", 0, "own"], 1)], **other)
    with pytest.raises(ValueError, match="no place of text"):
        ways(text_everyone=[(["effects", 0], "x")])


class Mark(Struct, frozen=True, kw_only=True):
    """Something that a side set on a combatant."""

    combatant: Annotated[SubjectId, EVERYONE]
    strength: Annotated[int | UnsetType, SIDE] = UNSET


def test_what_only_one_side_was_told_of_holds_nothing_of_another_ones() -> None:
    """A number of blue's in an object that only red knows of is the game master's."""
    scope = Scope(sides=SIDES, subjects={"b": ("blue", False)})
    reader = EffectReader(scope, BOTH)
    assert reader.read(Mark, {"combatant": "b"}).strength is UNSET
    assert reader.read(Mark, Told({"combatant": "b"}, "blue")).strength is UNSET
    assert reader.read(Mark, Told({"combatant": "b"}, "red")).strength is WITHHELD


class Piece(Struct, frozen=True):
    """An element with an id."""

    id: Annotated[str, EVERYONE]
    tags: Annotated[tuple[str, ...], EVERYONE] = ()
    height: Annotated[int, EVERYONE] = 0


class Whole(Struct, frozen=True):
    """A state."""

    pieces: Annotated[tuple[Piece, ...], EVERYONE] = ()
    order: Annotated[tuple[str, ...], EVERYONE] = ()
    round: Annotated[int, EVERYONE] = 0


def test_an_array_in_another_order_is_kept_and_named() -> None:
    one, other = Piece("a", ("x", "y")), Piece("b")
    first = Whole((one, other), ("a", "b"))
    second = Whole((other, Piece("a", ("y", "x"))), ("a", "b"))
    assert agreed(first, second) == (first, frozenset({"pieces", "pieces.tags"}))
    assert agreed(first, Whole((one, other), ("a", "b"))) == (first, frozenset())


def test_what_differs_otherwise_is_not_known() -> None:
    value, paths = agreed(
        Whole((Piece("a", height=1), Piece("b")), ("a",), 1),
        Whole((Piece("b"), Piece("a", height=2)), ("a", "b"), 2),
    )
    assert paths == {"pieces"}
    assert value.round is UNKNOWN
    assert [piece.id for piece in value.pieces] == ["a", "b"]
    assert value.pieces[0].height is UNKNOWN
    assert value.pieces[1].height == 0
    assert value.order[-1] is UNKNOWN


def test_an_order_is_forgotten_where_there_is_none_left() -> None:
    paths = frozenset({"pieces", "pieces.tags", "order"})
    assert still_open(Whole((Piece("a", ("x", "y")),), ("a", "b")), paths) == {
        "pieces.tags",
        "order",
    }
    assert still_open(Whole(), paths) == frozenset()
