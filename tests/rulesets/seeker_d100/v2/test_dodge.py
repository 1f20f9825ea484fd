"""What version 2 has otherwise: plain checks of dodge against what flies, and nothing else."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import pytest

from service.rulesets import RULESETS
from service.rulesets.seeker_d100.rules.words import Delivery
from service.rulesets.seeker_d100.v2.rules.dodge import plain_dodge_rule
from tests.kit.random_battles import play
from tests.kit.table import SEED, Table, effects_of, seated
from tests.replay.memory_audit import audit
from tests.rulesets.seeker_d100.battles import random_setup
from tests.rulesets.seeker_d100.setups import battle_of, do, fighter, only, strike

FIRST, SECOND = (RULESETS["seeker-d100", version] for version in ("1", "2"))
NUMBERS = range(3)
SURE = {"skills": {"ranged": 98}}


@pytest.mark.rule("SK-DODGE-4")
def test_arrows_and_thrown_weapons_alone_are_avoided_by_a_plain_check() -> None:
    assert {each: plain_dodge_rule(each) for each in get_args(Delivery)} == {
        "melee": None,
        "bullet": None,
        "thrown": "SK-DODGE-4",
        "arrow": "SK-DODGE-4",
        "explosive": None,
    }


def is_plain_dodge(effect: Mapping[str, Any]) -> bool:
    """Whether this tells of an attack that flew and was answered by a dodge, in version 1."""
    return "SK-DODGE-2" in effect.get("answered", {}).get("rules", ())


def test_version_1_decided_by_version_2_differs_in_dodges_of_what_flies_alone() -> None:
    """A battle is still audited clean by its own version; some would go otherwise."""
    differing = 0
    for number in NUMBERS:
        table = seated(FIRST, random_setup(number))
        play(table, number, 120)
        assert audit(table, seed=SEED).clean
        later = {("seeker-d100", "1"): replace(SECOND, version="1", create=FIRST.create)}
        report = audit(table, seed=SEED, rulesets=later)
        changed = [each.seq for each in report.verdicts if each.verdict != "match"]
        dodged = [e.seq for e in table.events if any(map(is_plain_dodge, effects_of(e)))]
        assert changed == dodged
        differing += bool(changed)
    assert differing


def struck_unseen(delivery: str, standing: Mapping[str, int]) -> tuple[Table, int]:
    """Green's h, whom nobody knows, strikes at t, whose dodge stands."""
    arm = {"id": "arm", "skill": "ranged", "delivery": delivery, "damage": {"sides": 4}}
    people = [
        fighter("a", "red", 8, 2),
        fighter("t", "blue", 8, 0, actions_left=0, standing_roll={"kind": "dodge", **standing}),
        fighter("h", "green", 8, 1, weapons=[arm], hidden=True, **SURE),
    ]
    options = {"attack_reveals": False}
    table = seated(SECOND, {"combatants": people, "battle": battle_of(*people), "options": options})
    table.ask({"type": "start_encounter"})
    table.ask(do("end_turn"))
    return table, table.ask(strike("arm", "h")).seq


@pytest.mark.parametrize(
    ("standing", "outcome"),
    [({"natural": 99, "level": 3}, "success"), ({"natural": 99, "level": 1}, "failure")],
)
def test_an_answer_does_not_tell_whether_somebody_unseen_struck_or_shot(
    standing: Mapping[str, int], outcome: str
) -> None:
    told = {"combatant": "t", "kind": "standing", "outcome": outcome, "rules": [], **standing}
    for delivery in ("melee", "thrown", "arrow"):
        table, seq = struck_unseen(delivery, standing)
        [struck] = only(effects_of(table.events[seq - 1]), "attack_resolved")
        assert struck["answered"] == told, delivery


def test_where_everybody_sees_the_archer_the_rules_are_told() -> None:
    standing = {"natural": 12, "level": 2}
    table, seq = struck_unseen("arrow", standing)
    table.ask({"type": "rewind", "to": seq - 1})
    table.ask({"type": "adjust", "changes": [{"type": "reveal", "combatant": "h"}]})
    [shot] = only(effects_of(table.ask(strike("arm", "h"))), "attack_resolved")
    assert (shot["outcome"], shot["answered"]["rules"]) == (
        "avoided",
        ["SK-DODGE-2", "SK-DODGE-4"],
    )
