"""How far a player goes back: over its own deeds alone, and by nothing that it does not see."""

from collections.abc import Callable

import pytest

from service.engine.battle.linear import UndoFloor
from service.engine.battle.undo import floor_of
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import By, UndoBar
from tests.kit.table import GM, Table, seat_by
from tests.toy.battles import ANN, BOB, turn_to
from tests.toy.model import Adjust, Hide, Sniff, Step, Sweep
from tests.toy.seating import add, fresh, refused
from tests.toy.sweeps import (
    CLOCK,
    DODGE,
    GIL,
    PASS,
    answer,
    asked,
    melee,
    rolled,
    struck_down,
    swept,
)

STEP = Step(combatant="anders", dx=0, dy=1)


def stepped(hidden: tuple[str, ...] = ("gerda",)) -> Table:
    """Anders' turn, and he has taken a step."""
    table = melee(hidden=hidden)
    table.act(STEP, ANN)
    return table


def refusal(table: Table, to: int, by: By = ANN) -> tuple[str, dict[str, object]]:
    """Why somebody may not go back to a seq."""
    return refused(lambda: table.act(do.Rewind(to=to), by))


def floor(table: Table, seat: str) -> UndoFloor | None:
    """How far a seat may go back, and why no further."""
    return floor_of(table.state.linear, seat)


def barred(table: Table, seat: str, reason: UndoBar) -> None:
    """The last event bars this seat, for this reason."""
    assert floor(table, seat) == UndoFloor(seat=seat, floor=len(table.sealed), reason=reason)


def test_one_owns_what_one_did_until_something_bars() -> None:
    table = stepped()
    mark = len(table.sealed) - 1
    table.act(STEP, ANN)
    assert floor(table, "ann") == UndoFloor(seat="ann", floor=mark, reason="not_yours")
    table.act(do.Rewind(to=mark), ANN)
    table.act(do.Rewind(to=mark + 2), ANN)
    table.act(do.Rewind(to=mark + 1), ANN)
    assert table.state.rule.combatants[0].place.y == 1


# --- what others did ------------------------------------------------------------------------------

UNSEEN: list[tuple[str, Callable[[Table], object]]] = [
    ("a move of another side", lambda t: t.act(Hide(combatant="gerda"), GIL)),
    ("a secret word of the GM", lambda t: t.act(struck_down("gerda"))),
    ("a secret roll of the GM", lambda t: t.act(Sniff())),
    ("nothing but a mark", lambda t: t.act(Adjust(changes=()))),
]


@pytest.mark.parametrize(("name", "deed"), UNSEEN, ids=[name for name, _ in UNSEEN])
def test_what_others_did_unseen_is_not_undone(name: str, deed: Callable[[Table], object]) -> None:
    table = stepped()
    deed(table)
    head = len(table.sealed)
    assert refusal(table, head - 1) == ("rewind_not_allowed", {"to": head - 1, "earliest": head})
    barred(table, "ann", "not_yours")


def test_what_another_seat_of_the_same_side_did_is_not_undone() -> None:
    table = stepped()
    table.act(add("amy", sides=("red",)))
    table.act(Hide(combatant="anders"), seat_by("amy"))
    barred(table, "ann", "not_yours")


def test_what_the_clock_did_is_not_undone() -> None:
    table = swept(hidden=["gerda"], targets=["gerda", "berta"])
    answer(table, "berta", PASS)
    answer(table, "gerda", PassChoice(reason="timeout"), CLOCK)
    head = len(table.sealed)
    assert refusal(table, head - 1, BOB)[1] == {"to": head - 1, "earliest": head}
    barred(table, "bob", "not_yours")


PASSED_OVER: list[tuple[str, do.Action, By]] = [
    ("a note", do.NoteAction(text="well done"), BOB),
    ("a note for the GM alone", do.NoteAction(gm_text="she is in the cellar"), GM),
    ("a seat given", add("zoe", combatants=("gerda",)), GM),
    ("a seat changed", do.ChangeSeat(seat="eve", combatants=("gerda",)), GM),
    ("a seat removed", do.RemoveSeat(seat="gil"), GM),
    ("control given", do.AssignControl(seat="gil", combatants=("gerda",)), GM),
]


@pytest.mark.parametrize(("name", "deed", "by"), PASSED_OVER, ids=[each[0] for each in PASSED_OVER])
def test_what_no_rewind_undoes_bars_nobody(name: str, deed: do.Action, by: By) -> None:
    table = stepped()
    mark = len(table.sealed) - 1
    linear = table.act(deed, by)
    seats, notes = table.state.linear.seats, table.state.linear.notes
    table.act(do.Rewind(to=mark), ANN)
    assert table.state.rule.combatants[0].place.y == 0
    assert (table.state.linear.seats, table.state.linear.notes) == (seats, notes)
    assert linear.seq == mark + 2


def test_a_contribution_bars_nobody() -> None:
    table = fresh()
    table.act(do.Contribute(value="ab" * 32), BOB)
    assert floor(table, "ann") == UndoFloor(seat="ann", floor=1, reason="not_yours")


def test_what_a_seat_did_as_game_master_is_not_its_own_as_a_player() -> None:
    table = stepped()
    table.act(do.ChangeSeat(seat="ann", role="gm"))
    assert floor(table, "ann") is None
    table.act(struck_down("gerda"), seat_by("ann", "gm"))
    table.act(do.ChangeSeat(seat="ann", role="player"))
    barred(table, "ann", "not_yours")


def test_who_becomes_a_player_begins_there() -> None:
    table = stepped()
    table.act(do.ChangeSeat(seat="eve", role="player", sides=("red",)))
    barred(table, "eve", "not_yours")
    table.act(do.RemoveSeat(seat="eve"))
    assert floor(table, "eve") is None


# --- one's own ------------------------------------------------------------------------------------


def test_a_sweep_that_asks_somebody_unseen_alone_is_not_withdrawn() -> None:
    worlds = (melee(hidden=["gerda"]), melee(hidden=["gerda"]))
    worlds[1].act(struck_down("gerda"))
    worlds[0].act(do.NoteAction(gm_text="she stands"))
    told = []
    for table in worlds:
        table.act(Sweep(combatant="anders", targets=("gerda",)), ANN)
        head = len(table.sealed)
        told.append([refusal(table, to) for to in range(2, head)])
    # In one she is asked; in the other, where nobody is left to ask, dice were drawn at once.
    assert worlds[0].state.rule.pending
    assert not worlds[1].state.rule.pending
    assert told[0] == told[1]
    barred(worlds[0], "ann", "asked_somebody")
    barred(worlds[1], "ann", "dice_or_reveal")


@pytest.mark.parametrize("targets", [("gerda", "berta"), ("berta", "gerda")])
def test_a_group_with_a_question_that_is_seen_binds_wherever_that_stands(
    targets: tuple[str, ...],
) -> None:
    table = swept(hidden=["gerda"], targets=targets)
    assert [each.combatant for each in table.state.rule.pending[-1].decisions] == list(targets)
    barred(table, "ann", "asked_somebody")
    assert refusal(table, len(table.sealed) - 1)[0] == "rewind_not_allowed"


def test_a_hidden_question_that_was_asked_keeps_its_place() -> None:
    table = swept(hidden=["gerda"], targets=["gerda"])
    question = asked(table, "gerda").id
    for to in range(2, len(table.sealed)):
        assert refusal(table, to)[0] == "rewind_not_allowed"
    assert asked(table, "gerda").id == question


def test_dice_of_the_table_that_somebody_unseen_must_roll_bind_all_the_same() -> None:
    table = swept(dice="supplied", hidden=["anders"], targets=["berta"])
    answer(table, "berta", DODGE, BOB)
    assert table.state.rule.pending[-1].declared
    assert refusal(table, len(table.sealed) - 2)[0] == "rewind_not_allowed"


def test_what_meets_somebody_unseen_is_not_taken_back() -> None:
    table = fresh()
    table.act(do.StartEncounter())
    turn_to(table, "anders")
    table.act(Step(combatant="anders", dx=3, dy=0), ANN)
    assert not table.state.rule.combatants[2].hidden
    barred(table, "ann", "dice_or_reveal")


def test_an_answer_is_taken_back_until_it_makes_others_known() -> None:
    table = swept(targets=["berta", "gerda"])
    opened = len(table.sealed)
    answer(table, "berta", PASS)
    table.act(do.Rewind(to=opened), BOB)
    answer(table, "gerda", PASS)
    barred(table, "bob", "not_yours")
    answer(table, "berta", PASS)
    barred(table, "bob", "dice_or_reveal")


def test_dice_that_are_asked_for_bind_who_declared_and_who_answered() -> None:
    table = swept(dice="supplied", targets=["berta"])
    barred(table, "ann", "asked_somebody")
    answer(table, "berta", DODGE)
    barred(table, "bob", "asked_somebody")
    rolled(table, ANN, 4)
    barred(table, "ann", "dice_or_reveal")
