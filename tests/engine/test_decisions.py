"""Pending decisions: their ids by audience, who may answer, who may know of them."""

import pytest
from msgspec import UNSET, UnsetType

from service.engine.battle.decisions import decision_id, is_entitled, reissue
from service.engine.battle.linear import Seat
from service.engine.battle.linear_steps import evolve_linear
from service.engine.battle.open_decisions import Decision
from service.engine.battle.state import State, scope_of
from service.engine.visibility.scope import audience_of
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import Side
from tests.kit.table import Table, seat_by
from tests.toy.battles import SEATS, SETUP, fighter
from tests.toy.model import ToySetup, ToyState
from tests.toy.rules import RULESET

SIDES = (Side(id="red"), Side(id="blue"))


def decision(
    name: str,
    *,
    side: str | UnsetType = UNSET,
    combatant: str | UnsetType = UNSET,
) -> Decision:
    return Decision(
        id=name,
        kind="dodge",
        opened_by=2,
        side=side,
        combatant=combatant,
        options=("pass",),
        default="pass",
    )


def asked(*decisions: Decision, fighters: ToySetup = SETUP) -> State[ToyState]:
    """A battle that runs, with these decisions open."""
    table = Table(RULESET, fighters, sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    rule = table.state.rule
    for each in decisions:
        joins = True if rule.pending else UNSET
        rule = RULESET.evolve(rule, fx.DecisionOpened(decision=each, joins=joins))
    return State(rule=rule, linear=table.state.linear, terms=table.terms)


AMBUSHERS = ToySetup(
    fighters=(
        fighter("anders", "red", 0),
        fighter("sneak", "red", 1, hidden=True),
        fighter("lurker", "blue", 3, hidden=True),
    )
)


def test_no_two_audiences_share_an_id() -> None:
    scope = scope_of(asked().rule)
    ids = [decision_id(7, 1, each, scope) for each in ("everyone", "red", "blue", "gm")]
    assert ids == ["d7.1", "d7.a1", "d7.b1", "d7.g1"]


def test_questions_of_two_sides_are_asked_again_under_ids_of_their_own() -> None:
    state = asked(
        decision("d2.1"),
        decision("d2.a1", combatant="sneak"),
        decision("d2.b1", combatant="lurker"),
        fighters=AMBUSHERS,
    )
    assert reissue(state.rule, 9) == (
        fx.Reissued(was="d2.1", id="d9.1"),
        fx.Reissued(was="d2.a1", id="d9.a1"),
        fx.Reissued(was="d2.b1", id="d9.b1"),
    )


def test_whatever_names_a_question_is_known_to_those_who_know_the_question() -> None:
    scope = scope_of(asked(decision("d2.b1", combatant="lurker"), fighters=AMBUSHERS).rule)
    named = (
        do.Answer(decision_id="d2.b1", choice=PassChoice()),
        do.ForcePass(decision_id="d2.b1"),
        fx.DecisionClosed(decision_id="d2.b1"),
        fx.Reissued(was="d2.b1", id="d9.b1"),
    )
    assert [audience_of(each, scope) for each in named] == ["blue"] * 4


def test_that_nobody_was_asked_is_the_gms_alone() -> None:
    skipped = fx.WindowSkipped(kind="dodge", why="nobody")
    assert audience_of(skipped, scope_of(asked().rule)) == "gm"


@pytest.mark.parametrize(
    ("side", "combatant", "allowed"),
    [
        ("blue", UNSET, {"bob", "lena"}),
        ("red", UNSET, {"ann", "carl"}),
        ("blue", "anders", {"bob", "lena"}),
        ("red", "anders", {"ann", "carl"}),
        (UNSET, "anders", {"ann", "carl"}),
        (UNSET, UNSET, set()),
    ],
)
def test_a_side_answers_and_whoever_controls_the_combatant_of_that_side(
    side: str | UnsetType, combatant: str | UnsetType, allowed: set[str]
) -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    carl = fx.SeatChanged(seat=Seat(id="carl", role="player", combatants=("anders",)))
    lena = fx.SeatChanged(seat=Seat(id="lena", role="player", sides=("blue",)))
    linear = evolve_linear(evolve_linear(table.state.linear, carl, 2), lena, 2)
    state = State(rule=table.state.rule, linear=linear, terms=table.terms)
    question = decision("d2.1", side=side, combatant=combatant)
    seats = ("ann", "bob", "carl", "lena")
    assert {seat for seat in seats if is_entitled(state, question, seat_by(seat))} == allowed
