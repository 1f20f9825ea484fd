"""While attacks wait and the game master changes the battle, secrets stay secret.

Two battles differ in the green side alone, which red, blue and an onlooker do not know. The game
master changes the same of what they know in both, and something else of the green side in each.
"""

from random import Random
from typing import Any

import pytest

from service.errors import Malformed, Refused
from tests.kit.table import Table, effects_of
from tests.kit.test_two_worlds import next_deeds
from tests.kit.two_worlds import Action, compare, meets_a_secret, pair
from tests.rulesets.seeker_d100.battles import random_change
from tests.rulesets.seeker_d100.setups import only
from tests.rulesets.seeker_d100.v3.rig import RIG

EVENTS = 70
KNOWN = ("red", "blue")
STOPPING: tuple[Action, ...] = (
    {"type": "hide"},
    *({"type": "place", "place": {"x": x, "y": 0}} for x in (0, 9, 60)),
)
"""What most often ends an attack that waits."""
LIVELY = (6, 22)
"""Battles in which much is ruled while attacks wait."""


def world(number: int, variant: int) -> dict[str, Any]:
    """The battle of a number: in each variant with other secrets; where hands meet more often."""
    setup = RIG.worlds.world(number, variant)
    setup["options"] |= {"melee_reach_sq": 9, "reactions": "prompt"}
    return setup


def is_unseen_met(table: Table, event: Any) -> bool:
    """Whether somebody was struck whom the game master has hidden: hidden cover may have helped."""
    struck = {each["combatant"] for each in only(effects_of(event), "hurt")}
    return any(each.hidden and each.id in struck for each in table.state.rule.combatants)


def is_over(table: Table, event: Any) -> bool:
    """Whether a secret has come out."""
    return meets_a_secret(RIG.worlds, event) or is_unseen_met(table, event)


def is_waiting(table: Table) -> bool:
    """Whether an action waits for answers."""
    return bool(table.state.rule.pending)


def secret_changes(dice: Random) -> tuple[Action, Action]:
    """Something else that happens to the hidden h in each world."""
    first, second = (
        {"type": "place", "place": {"x": dice.randint(0, 20), "y": dice.randint(0, 12)}},
        {"type": "stat", "stat": "dodge", "value": dice.randint(1, 90)},
    )
    return {**first, "combatant": "h"}, {**second, "combatant": "h"}


def outcome_of(table: Table, changes: tuple[Action, ...]) -> Any:
    """The event of a ruling, or why it is refused."""
    try:
        return table.ask({"type": "adjust", "changes": list(changes)})
    except (Refused, Malformed) as refusal:
        return refusal.code


def rule(one: Table, other: Table, dice: Random) -> bool:
    """The game master changes something in both worlds; whether a secret came out with it."""
    known = [each.id for each in one.state.rule.combatants if each.side in KNOWN]
    involved = [each for each in (one.turn, *(who for _, who in one.questions)) if each in known]
    shared = random_change(dice, known)
    if involved and dice.random() < 0.6:
        shared = {**dice.choice(STOPPING), "combatant": dice.choice(involved)}
    first, second = secret_changes(dice)
    changes = ((shared, first), (shared, second)) if dice.random() < 0.5 else ((shared,), (shared,))
    events = [outcome_of(one, changes[0]), outcome_of(other, changes[1])]
    if isinstance(events[0], str):
        assert events[0] == events[1]
        return False
    if any(map(is_over, (one, other), events)):
        return True
    compare(one, other, events[0], events[1])
    return False


def played(number: int) -> tuple[int, int]:
    """How many rulings were made while something waited in a battle, and how many stops followed.

    The battle ends when a secret comes out.
    """
    one, other = pair(RIG.ruleset, world(number, 0), world(number, 3))
    dice, rulings = Random(number), 0
    while len(one.events) < EVENTS and one.turn is not None:
        assert one.turn == other.turn
        if is_waiting(one) and dice.random() < 0.7:
            rulings += 1
            if rule(one, other, dice):
                break
            continue
        by, deeds = next_deeds(RIG, one, other, dice)
        events = [one.ask(deeds[0], by), other.ask(deeds[1], by)]
        if any(map(is_over, (one, other), events)):
            break
        compare(one, other, events[0], events[1])
    stopped = [each for event in one.events for each in only(effects_of(event), "action_stopped")]
    return rulings, len(stopped)


def test_what_is_ruled_while_attacks_wait_looks_the_same_in_both_worlds() -> None:
    played_so_far = [played(number) for number in LIVELY]
    assert min(rulings for rulings, _ in played_so_far) > 0
    assert sum(stops for _, stops in played_so_far) > 0


@pytest.mark.soak
@pytest.mark.parametrize("number", range(100))
def test_in_many_battles_it_looks_the_same(number: int) -> None:
    played(number)
