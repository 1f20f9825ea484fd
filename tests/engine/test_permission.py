"""Who may ask for what: roles, seats, the service itself, combatants that one controls or knows."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import fields

from service.engine.battle.state import TableOptions
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import By
from service.rulesets import RULESETS
from tests.kit.table import GM, Table, seat_by
from tests.toy.battles import ANN, BOB, SEATS, SETUP, SIDES
from tests.toy.model import Adjust, DodgeChoice, Hide, Sniff, Step, ToyAnswer, ToySetup
from tests.toy.rules import RULESET
from tests.toy.seating import asked, fresh, refused, running
from tests.toy.sweeps import CLOCK

EVE = seat_by("eve", "observer")
GMS: dict[str, do.Action] = {
    "adjust": Adjust(changes=(alter.RevealCombatant(combatant="lurker"),)),
    "sniff": Sniff(),
    "end_encounter": do.EndEncounter(),
    "erase": do.Erase(seqs=(1,)),
    "remove_seat": do.RemoveSeat(seat="eve"),
}


def answer(code: str, **params: Any) -> tuple[str, dict[str, Any]]:
    return code, params


def denied(table: Table, action: do.Action, by: By) -> tuple[str, dict[str, Any]]:
    return refused(lambda: table.act(action, by))


@pytest.mark.parametrize("name", GMS)
def test_what_is_the_game_masters_nobody_else_does(name: str) -> None:
    action = GMS[name]
    for by in (ANN, BOB):
        assert denied(running(), action, by) == answer("gm_only", action=name)
    assert denied(running(), action, EVE) == answer("observer_cannot_act", action=name)
    running().act(action)
    if name == "end_encounter":
        running().act(action, CLOCK)
        return
    assert denied(running(), action, CLOCK) == answer("gm_only", action=name)


def test_observers_do_nothing_not_even_remark() -> None:
    remark = do.NoteAction(text="?")
    assert denied(running(), remark, EVE) == answer("observer_cannot_act", action="note")
    running().act(remark, ANN)


def test_what_only_the_game_master_states_is_refused_before_the_moment() -> None:
    over = running()
    over.act(do.EndEncounter(reveal="now"))
    remark = do.NoteAction(gm_text="psst")
    for table in (running(), over):
        refusal = denied(table, remark, ANN)
        assert refusal == answer("gm_only", action="note", field="gm_text")
    assert denied(over, remark, GM) == answer("seed_revealed", action="note")


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda each: str(each.slug))
def test_game_masters_fields_are_optional_ones_of_players_actions(ruleset: Ruleset[Any]) -> None:
    stating = [kind for kind in ruleset.action.__args__ if kind.GM_FIELDS]
    assert do.NoteAction in stating
    for kind in stating:
        optional = {each.name for each in fields(kind) if each.default is UNSET}
        assert (kind.WHO, set(kind.GM_FIELDS) - optional) == ("player", set())


@pytest.mark.parametrize("name", ["note", "rewind", "contribute"])
def test_the_service_does_nothing_for_the_pleasure_of_it(name: str) -> None:
    actions: dict[str, do.Action] = {
        "note": do.NoteAction(text="?"),
        "rewind": do.Rewind(to=2),
        "contribute": do.Contribute(value="ab" * 32),
    }
    table = fresh() if name == "contribute" else running()
    assert denied(table, actions[name], CLOCK) == answer("gm_only", action=name)


def test_the_service_passes_for_those_whose_time_is_over_and_chooses_nothing() -> None:
    table = asked()
    [decision] = table.state.rule.pending[-1].decisions
    for choice in (PassChoice(), DodgeChoice()):
        chosen = ToyAnswer(decision_id=decision.id, choice=choice)
        assert denied(table, chosen, CLOCK) == answer("gm_only", action="answer")
    table.act(ToyAnswer(decision_id=decision.id, choice=PassChoice(reason="timeout")), CLOCK)
    assert table.state.rule.pending == ()


@pytest.mark.parametrize("seconds", [None, 60])
def test_the_service_ends_turns_only_where_they_have_a_limit(seconds: int | None) -> None:
    options = TableOptions() if seconds is None else TableOptions(turn_seconds=seconds)
    setup = ToySetup(fighters=SETUP.fighters, options=options)
    table = Table(RULESET, setup, sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    over = do.EndTurn(combatant=str(table.state.rule.turn))
    if seconds is None:
        assert denied(table, over, CLOCK) == answer("gm_only", action="end_turn")
        return
    table.act(over, CLOCK)


@pytest.mark.parametrize("by", [seat_by("zoe"), seat_by("ann", "gm"), seat_by("eve")])
def test_nobody_acts_for_a_seat_that_is_not_there_or_is_another(by: By) -> None:
    assert denied(running(), do.NoteAction(text="?"), by) == answer(
        "not_seated", seat=by.seat, role=by.role
    )


@pytest.mark.parametrize(
    ("by", "combatant", "code"),
    [
        (ANN, "anders", None),
        (ANN, "berta", "not_your_combatant"),
        (ANN, "lurker", "unknown_combatant"),
        (ANN, "nobody", "unknown_combatant"),
        (BOB, "anders", "not_your_combatant"),
        (BOB, "berta", None),
        (BOB, "lurker", None),
        (BOB, "nobody", "unknown_combatant"),
        (GM, "anders", None),
        (GM, "lurker", None),
        (GM, "nobody", "unknown_combatant"),
    ],
)
def test_one_acts_for_those_that_one_controls_and_knows_of_no_others(
    by: By, combatant: str, code: str | None
) -> None:
    table = running()
    action = Hide(combatant=combatant)
    if code is None:
        table.act(action, by)
        return
    assert denied(table, action, by) == answer(code, combatant=combatant)


def test_control_is_asked_before_the_moment_and_whether_one_is_known_after_it() -> None:
    table = fresh()
    moment = answer("encounter_not_running", status="setup", action="hide")
    for by, combatant, told in (
        (ANN, "lurker", moment),
        (ANN, "nobody", moment),
        (ANN, "anders", moment),
        (ANN, "berta", answer("not_your_combatant", combatant="berta")),
    ):
        assert denied(table, Hide(combatant=combatant), by) == told
    waiting = asked()
    assert denied(waiting, Step(combatant="lurker", dx=1, dy=0), ANN)[0] == "decision_pending"
