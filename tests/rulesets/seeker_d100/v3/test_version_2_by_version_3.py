"""Battles of version 2, decided by version 3, differ where cover is asked for or one waited."""

from dataclasses import replace
from typing import Any

import pytest

from service.rulesets import RULESETS
from tests.kit import table as kit
from tests.kit.random_battles import play
from tests.kit.table import SEED, Table, effects_of, seated
from tests.replay.memory_audit import audit
from tests.rulesets.seeker_d100.battles import random_setup
from tests.rulesets.seeker_d100.setups import Tree, battle_of, fighter, only, reply
from tests.rulesets.seeker_d100.v3.setups import ARMS, BLOW, PASS, place
from tests.soak import with_soak

SECOND, THIRD = (RULESETS["seeker-d100", version] for version in ("2", "3"))


def differing(table: Table) -> set[int]:
    """The events of a battle of version 2 that version 3 decides otherwise; it audits clean."""
    assert audit(table, seed=SEED).clean
    later = {("seeker-d100", "2"): replace(THIRD, version="2", create=SECOND.create)}
    verdicts = audit(table, seed=SEED, rulesets=later).verdicts
    return {each.seq for each in verdicts if each.verdict not in ("match", "override")}


def is_cover_asked(event: Any) -> bool:
    """Whether somebody is asked who may take cover: the question names whom the danger follows."""
    opened = only(effects_of(event), "decision_opened")
    return any("take_cover" in each["decision"]["options"] for each in opened)


@pytest.mark.parametrize("number", with_soak(range(3), range(3, 60)))
def test_a_random_battle_differs_where_cover_is_asked_for(number: int) -> None:
    table = seated(SECOND, random_setup(number))
    play(table, number, 120)
    asked = {event.seq for event in table.events if is_cover_asked(event)}
    assert differing(table) <= asked


def blow(*changes: Tree) -> set[int]:
    """A blow of version 2 during which the game master says this: what differs of it."""
    people = [fighter("a", "red", 0, 0, weapons=list(ARMS)), fighter("t", "blue", 1, 0)]
    table = kit.seated(SECOND, {"combatants": people, "battle": battle_of(*people)})
    table.ask({"type": "start_encounter"})
    table.ask(BLOW, "ann")
    table.ask({"type": "adjust", "changes": list(changes)})
    table.ask(reply(table, "t", PASS), "bob")
    return differing(table)


def test_a_blow_differs_where_its_target_is_out_of_reach_by_then() -> None:
    assert (blow(place("t", 1, 1)), blow(place("t", 31))) == (set(), {5})
