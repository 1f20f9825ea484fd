"""Seats that change while the table's dice are awaited: whose they are, and what becomes void."""

import pytest
from msgspec import UNSET

from service.engine.log.event import Event
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from tests.kit.table import GM, Table, seat_by
from tests.replay.memory_audit import audit
from tests.toy.battles import ANN, BOB, answer_roll
from tests.toy.model import Strike
from tests.toy.seating import GUS, add, fresh, refused
from tests.toy.sweeps import DODGE, answer, rolled, swept


def declared() -> Table:
    """Ann has anders strike, and is asked for a die."""
    table = fresh(dice="supplied")
    table.act(do.StartEncounter(), faces=(20, 3, 4))
    table.act(Strike(combatant="anders", target="berta"), ANN)
    return table


def awaited(table: Table) -> tuple[str, object, object]:
    """Kind of the question on top, and the seat and side asked."""
    [decision] = table.state.rule.pending[-1].decisions
    return decision.kind, decision.seat, decision.side


def closings(event: Event) -> list[tuple[object, object]]:
    return [(e.how, e.choice) for e in event.effects if isinstance(e, fx.DecisionClosed)]


def test_seats_that_have_nothing_to_do_with_the_dice_leave_the_question_alone() -> None:
    table = declared()
    before = table.state.rule.pending
    table.act(add("zoe", "gm"))
    table.act(do.ChangeSeat(seat="bob", sides=()))
    table.act(do.ChangeSeat(seat="ann", name="Anna"))
    table.act(do.RemoveSeat(seat="eve"))
    assert table.state.rule.pending == before
    answer_roll(table, (2,), ANN)
    assert audit(table).clean


def test_the_dice_go_with_the_control_to_the_side() -> None:
    table = declared()
    event = table.act(do.AssignControl(seat="ann"))
    assert closings(event) == [("void", UNSET)]
    assert awaited(table) == ("roll", UNSET, "red")
    assert refused(lambda: answer_roll(table, (2,), ANN))[0] == "not_your_decision"
    table.act(do.ChangeSeat(seat="bob", sides=("red", "blue")))
    answer_roll(table, (2,), BOB)
    assert [draw.face for draw in table.events[-1].draws] == [2]
    assert audit(table).clean


@pytest.mark.parametrize(
    ("change", "by", "code"),
    [
        (do.RemoveSeat(seat="ann"), ANN, "not_seated"),
        (do.ChangeSeat(seat="ann", role="observer"), seat_by("ann", "observer"), None),
    ],
)
def test_the_dice_of_a_seat_that_plays_no_more_are_asked_of_others(
    change: do.Action, by: By, code: str | None
) -> None:
    table = declared()
    table.act(change)
    assert awaited(table)[1] == UNSET
    assert refused(lambda: answer_roll(table, (2,), by))[0] == (code or "observer_cannot_act")
    answer_roll(table, (2,), GM)
    assert audit(table).clean


def test_further_dice_of_a_seat_that_plays_no_more_are_asked_of_the_game_master() -> None:
    table = swept(dice="supplied", targets=["berta"])
    answer(table, "berta", DODGE)
    table.act(do.ChangeSeat(seat="bob", role="gm"))
    rolled(table, ANN, 4)
    assert awaited(table) == ("roll", UNSET, UNSET)
    rolled(table, seat_by("bob", "gm"), 6)
    assert table.state.rule.pending == ()
    assert audit(table).clean


@pytest.mark.parametrize("change", [do.ChangeSeat(seat="bob", sides=()), do.RemoveSeat(seat="bob")])
def test_an_answer_that_its_seat_could_not_give_any_more_is_void_and_asked_for_anew(
    change: do.Action,
) -> None:
    table = swept(dice="supplied", targets=["berta"])
    answer(table, "berta", DODGE)
    assert awaited(table) == ("roll", UNSET, "red")
    assert closings(table.act(change)) == [("void", UNSET)]
    assert awaited(table) == ("sweep", UNSET, "blue")
    answer(table, "berta", DODGE, GM, faces=(4, 6))
    assert audit(table).clean


def test_a_rewind_to_dice_that_nobody_could_ask_for_any_more_makes_them_void() -> None:
    table = swept(dice="supplied", targets=["berta"])
    answer(table, "berta", DODGE)
    mark = len(table.sealed)
    rolled(table, ANN, 4)
    table.act(do.Rewind(to=mark))
    assert awaited(table)[0] == "roll"
    table.act(do.ForcePass(decision_id=table.state.rule.pending[-1].decisions[0].id))
    table.act(do.ChangeSeat(seat="bob", sides=()))
    event = table.act(do.Rewind(to=mark))
    assert closings(event) == [("void", UNSET)]
    assert awaited(table) == ("sweep", UNSET, "blue")
    assert audit(table).clean


def test_a_rewind_asks_those_who_were_asked_whoever_controls_them_now() -> None:
    table = declared()
    mark = len(table.sealed)
    answer_roll(table, (2,), ANN)
    table.act(do.AssignControl(seat="ann"))
    table.act(do.Rewind(to=mark))
    assert awaited(table) == ("roll", "ann", UNSET)
    answer_roll(table, (2,), ANN)
    assert audit(table).clean


def test_a_second_game_master_brings_dice_with_the_action() -> None:
    table = fresh(dice="supplied")
    table.act(add("gus", "gm"))
    table.act(do.StartEncounter(), GUS, (20, 3, 4))
    table.act(Strike(combatant="anders", target="berta"), GUS, (1,))
    assert table.state.rule.pending == ()
