"""The table's own dice: asked for once all have answered, on top of the question answered last."""

import pytest
from msgspec import UNSET

from service.engine.battle.linear import Seat
from service.engine.battle.open_decisions import Decision
from service.engine.log.event import Event
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.errors import Forbidden, Refused
from tests.kit.table import GM, Table, seat_by
from tests.toy.battles import ANN, BOB
from tests.toy.model import Adjust, Sweep, ToyAnswer
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


def two_answered() -> Table:
    """Gerda stands still and berta, the last, dodges: the sweep's die is asked for."""
    table = swept(dice="supplied", targets=["gerda", "berta"])
    answer(table, "gerda", PASS)
    answer(table, "berta", DODGE)
    return table


def question(table: Table) -> Decision:
    """The one question on top."""
    [decision] = table.state.rule.pending[-1].decisions
    assert isinstance(decision, Decision)
    return decision


def request(table: Table) -> tuple[object, object, str]:
    """Whom the question on top asks, and for what."""
    decision = question(table)
    assert decision.roll is not UNSET
    return decision.seat, decision.side, decision.roll.purpose


def closings(event: Event) -> list[tuple[object, object]]:
    return [(e.how, e.choice) for e in event.effects if isinstance(e, fx.DecisionClosed)]


def test_an_answer_that_leaves_others_open_needs_no_dice() -> None:
    table = swept(dice="supplied", targets=["gerda", "berta"])
    assert answer(table, "gerda", DODGE).draws == ()
    with pytest.raises(Refused) as caught:
        answer(table, "berta", DODGE, BOB, faces=(5,))
    assert caught.value.code == "faces_not_taken"


def test_the_last_answer_is_declared_and_whoever_rolls_is_asked() -> None:
    table = two_answered()
    assert [len(group.decisions) for group in table.state.rule.pending] == [1, 1]
    assert request(table) == (UNSET, "red", "sweep")
    beneath = table.state.rule.pending[0].decisions[0].id
    with pytest.raises(Refused) as caught:
        table.act(ToyAnswer(decision_id=beneath, choice=PASS), BOB)
    assert caught.value.code == "decision_closed"
    rolled(table, ANN, 4)
    assert request(table) == ("bob", UNSET, "dodge")
    rolled(table, BOB, 3)
    assert request(table) == (UNSET, "green", "damage")
    rolled(table, GIL, 2)
    assert request(table) == ("bob", UNSET, "damage")
    event = rolled(table, BOB, 1)
    assert closings(event) == [("answered", "roll"), ("passed", "pass"), ("answered", "dodge")]
    assert [effect.health for effect in event.effects if isinstance(effect, fx.Hurt)] == [4, 5]
    assert [len(e.draws) for e in table.events[-4:]] == [1, 1, 1, 1]
    assert table.state.rule.pending == ()


def test_the_game_master_brings_all_dice_with_the_last_answer() -> None:
    table = swept(dice="supplied", targets=["gerda", "berta"])
    answer(table, "gerda", PASS)
    with pytest.raises(Refused) as caught:
        answer(table, "berta", DODGE, GM, faces=(4, 3))
    assert caught.value.code == "too_few_faces"
    event = answer(table, "berta", DODGE, GM, faces=(4, 3, 2, 1))
    assert [draw.face for draw in event.draws] == [4, 3, 2, 1]


def test_faces_that_come_too_early_are_told_whose_answers_are_due() -> None:
    table = melee(dice="supplied")
    with pytest.raises(Refused) as caught:
        table.act(Sweep(combatant="anders", targets=("gerda", "berta")), GM, (4,))
    due = {"supplied": 1, "needed": 0, "asked": ["gerda", "berta"]}
    assert (caught.value.code, caught.value.params) == ("too_many_faces", due)
    table = swept(dice="supplied", targets=["gerda", "berta"])
    with pytest.raises(Refused) as caught:
        answer(table, "gerda", PASS, GM, faces=(4,))
    due = {"supplied": 1, "needed": 0, "asked": ["berta"]}
    assert (caught.value.code, caught.value.params) == ("too_many_faces", due)
    with pytest.raises(Refused) as caught:
        table.act(Adjust(changes=(alter.SetHp(combatant="berta", value=2),)), GM, (4,))
    assert caught.value.params == {"supplied": 1, "needed": 0}


def test_time_that_ran_out_brings_no_dice_so_the_table_is_asked() -> None:
    table = swept(dice="supplied", targets=["gerda"])
    answer(table, "gerda", PassChoice(reason="timeout"), CLOCK)
    assert request(table) == (UNSET, "red", "sweep")
    assert closings(rolled(table, ANN, 1)) == [("answered", "roll"), ("timeout", "pass")]


def test_the_dice_of_an_open_attack_are_asked_openly_though_one_answers_unseen() -> None:
    table = swept(dice="supplied", targets=["gerda"], hidden=["gerda"])
    answer(table, "gerda", DODGE)
    assert request(table) == (UNSET, "red", "sweep")
    rolled(table, ANN, 5)
    assert request(table) == ("gil", UNSET, "dodge")
    assert question(table).id == f"d{len(table.sealed)}.c1"


def test_a_rewind_to_dice_that_were_asked_for_asks_for_them_again() -> None:
    table = two_answered()
    waiting = len(table.sealed)
    rolled(table, ANN, 4)
    seq = table.act(do.Rewind(to=waiting)).seq
    beneath, top = table.state.rule.pending
    assert [beneath.decisions[0].id, top.decisions[0].id] == [f"d{seq}.2", f"d{seq}.3"]
    event = rolled(table, ANN, 1)
    assert request(table) == ("bob", UNSET, "dodge")
    rolled(table, BOB, 6)
    assert [draw.face for draw in event.draws] == [1]
    closed = [e for e in table.events[-1].effects if isinstance(e, fx.DecisionClosed)]
    assert [e.decision_id for e in closed][1:] == [f"d{seq}.1", f"d{seq}.2"]


def test_dice_that_never_come_leave_the_question_to_be_answered_again() -> None:
    table = two_answered()
    table.act(do.ForcePass(decision_id=question(table).id))
    assert question(table).combatant == "berta"
    event = answer(table, "berta", PASS, GM, faces=(1,))
    assert closings(event) == [("passed", "pass"), ("passed", "pass")]


def test_who_is_struck_down_while_dice_are_asked_for_has_not_answered() -> None:
    table = two_answered()
    with pytest.raises(Refused) as caught:
        table.act(struck_down("berta"))
    assert (caught.value.code, caught.value.params["purpose"]) == ("too_few_faces", "sweep")
    assert set(caught.value.params) == {"purpose", "sides", "needed", "supplied", "missing"}
    event = table.act(struck_down("berta"), GM, (1,))
    assert closings(event) == [("void", UNSET), ("void", UNSET), ("passed", "pass")]
    assert [draw.purpose for draw in event.draws] == ["sweep"]
    assert table.state.rule.pending == ()


def test_what_was_rolled_for_the_action_stays_when_it_goes_on_without_the_answer() -> None:
    table = two_answered()
    swung = rolled(table, ANN, 4)
    assert request(table) == ("bob", UNSET, "dodge")
    with pytest.raises(Refused) as caught:
        table.act(struck_down("berta"))
    assert (caught.value.code, caught.value.params["purpose"]) == ("too_few_faces", "damage")
    event = table.act(struck_down("berta"), GM, (2, 1))
    assert [draw.purpose for draw in event.draws] == ["damage", "damage"]
    assert closings(event) == [("void", UNSET), ("void", UNSET), ("passed", "pass")]
    [sweep] = [e for e in event.effects if isinstance(e, fx.Rolled)]
    assert (sweep.purpose, sweep.roll.faces) == ("sweep", (4,))
    assert [run.seq for run in sweep.roll.draws] == [swung.seq]
    assert table.state.rule.pending == ()


def test_an_attacker_struck_down_while_dice_are_asked_for_takes_all_along() -> None:
    table = two_answered()
    event = table.act(struck_down("anders"))
    assert closings(event) == [("void", UNSET)] * 3
    assert table.state.rule.pending == ()


def test_what_changes_nothing_about_the_dice_leaves_the_question_for_them() -> None:
    table = two_answered()
    before = table.state.rule.pending
    table.act(Adjust(changes=(alter.SetHp(combatant="berta", value=2),)))
    assert table.state.rule.pending == before


def test_neither_a_roll_nor_an_answer_is_taken_for_the_other() -> None:
    table = two_answered()
    for choice in (PASS, DODGE):
        with pytest.raises(Refused) as caught:
            table.act(ToyAnswer(decision_id=question(table).id, choice=choice), ANN)
        assert caught.value.code == "dodge_not_possible"
        assert caught.value.params["allowed"] == ["roll"]
    fresh = swept(dice="supplied")
    with pytest.raises(Refused) as caught:
        fresh.act(ToyAnswer(decision_id=asked(fresh, "berta").id, choice=RollChoice()), BOB)
    assert caught.value.code == "dodge_not_possible"


# --- who may roll for a side ----------------------------------------------------------------------


def controlling(seat: str, *combatants: str) -> do.ChangeSeat:
    """The GM's word that a seat plays these and no side as a whole."""
    return do.ChangeSeat(seat=seat, sides=(), combatants=combatants)


def test_whoever_controls_any_combatant_of_a_side_rolls_for_it() -> None:
    table = melee(dice="supplied")
    table.act(do.AddSeat(seat=Seat(id="zoe", role="player", combatants=("bruno",))))
    table.act(controlling("ann", "anders"))
    table.act(controlling("bob", "berta"))
    table.act(Sweep(combatant="anders", targets=("berta",)), ANN)
    answer(table, "berta", PassChoice(reason="timeout"), CLOCK)
    assert request(table) == (UNSET, "red", "sweep")
    for by in (BOB, GIL, seat_by("zoe")):
        with pytest.raises(Forbidden) as caught:
            rolled(table, by, 4)
        assert caught.value.code == "not_your_decision"
    rolled(table, ANN, 4)
    assert request(table) == (UNSET, "blue", "damage")
    for by in (ANN, GIL):
        with pytest.raises(Forbidden):
            rolled(table, by, 1)
    rolled(table, seat_by("zoe"), 1)
    assert table.state.rule.pending == ()
