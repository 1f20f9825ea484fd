"""What the engine decides by itself no ruleset ever sees, and every ruleset takes the rest."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By
from service.rulesets import RULESETS
from tests.kit.table import Table
from tests.toy.battles import ANN, SEATS, SETUP, SIDES, turn_to
from tests.toy.model import Step, ToyState
from tests.toy.rules import RULESET
from tests.toy.seating import add

ENGINE = frozenset(get_args(do.EngineAction))


def test_a_ruleset_is_handed_nothing_that_the_engine_decides() -> None:
    handed: list[do.Action] = []
    judged: list[do.Action] = []

    def decide(state: State[ToyState], action: do.Action, by: By, seq: int, dice: Dice) -> Any:
        handed.append(action)
        return RULESET.decide(state, action, by, seq, dice)

    def binds(state: State[ToyState], viewer: Viewer, action: do.Action) -> bool:
        judged.append(action)
        return RULESET.binds(state, viewer, action)

    watched = replace(RULESET, decide=decide, binds=binds)
    table = Table(watched, SETUP, sides=SIDES, seats=SEATS)
    table.act(do.Contribute(value="ab" * 32), ANN)
    table.act(add("zoe"))
    table.act(do.AssignControl(seat="zoe", sides=("blue",)))
    table.act(do.ChangeSeat(seat="zoe", role="observer"))
    table.act(do.RemoveSeat(seat="zoe"))
    table.act(do.StartEncounter())
    turn_to(table, "anders")
    table.act(Step(combatant="anders", dx=0, dy=1), ANN)
    table.act(do.NoteAction(text="There he goes"), ANN)
    table.act(do.Rewind(to=len(table.sealed) - 2), ANN)
    table.act(do.EndEncounter())
    table.act(do.Reveal())
    table.act(do.Erase(seqs=(2,)))
    played = {type(event.action) for event in table.events}
    assert played >= ENGINE
    assert {type(action) for action in handed} == played - ENGINE
    assert {type(action) for action in judged} == {Step}


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda each: each.slug)
def test_every_ruleset_takes_what_is_common_and_what_the_engine_decides(
    ruleset: Ruleset[Any],
) -> None:
    tags = [str(kind.__struct_config__.tag) for kind in get_args(ruleset.action)]
    assert tags[-len(COMMON) :] == list(COMMON)
    assert {kind for kind in get_args(ruleset.action) if kind in ENGINE} == ENGINE


COMMON = (
    "configure",
    "add_combatant",
    "remove_combatant",
    "assign_control",
    "add_seat",
    "change_seat",
    "remove_seat",
    "start_encounter",
    "set_terrain",
    "adjust",
    "answer",
    "force_pass",
    "end_encounter",
    "reveal",
    "erase",
    "contribute",
    "note",
    "rewind",
)
"""In the order in which they are published."""


def test_what_is_shared_is_what_is_common_and_what_the_engine_decides() -> None:
    assert set(get_args(do.SharedAction)) == {*get_args(do.CommonAction), *ENGINE}
