"""Samples are complete actions, the same for the same view."""

from random import Random
from typing import Any

from service.engine.kit.samples import pick_action
from tests.kit.random_battles import play
from tests.kit.table import Table
from tests.rulesets.seeker_d100.battles import random_setup
from tests.rulesets.seeker_d100.setups import done, duel, fighter, scene, seated, strike


def sample(table: Table, combatant: str, by: str, dice: Random) -> dict[str, Any]:
    """One legal action of a combatant that these dice pick."""
    action = pick_action(table.legal(combatant, by), dice.randrange)
    assert action is not None
    return action


def table_of(number: int) -> Table:
    table = seated(random_setup(number))
    play(table, number, 3)
    return table


def test_one_sample_is_a_typed_action() -> None:
    table = table_of(2)
    who = table.questions[0][1] if table.questions else str(table.turn)
    table.read(sample(table, who, "gm", Random(5)))
    assert table.samples(who, 1)


def test_samples_of_a_player_are_accepted_where_nothing_is_hidden() -> None:
    battle = scene(
        fighter("a", "red", 0, 0), fighter("t", "blue", 2, 1), fighter("u", "blue", 9, 9)
    )
    for seed in range(40):
        action = sample(battle.table, "a", "ann", Random(seed))
        assert battle.foretold(action, by="ann")["legal"], action


def test_an_answer_is_sampled_for_who_is_asked() -> None:
    battle = duel(fresh=True)
    done(battle, strike())
    dice = Random(3)
    kinds = set()
    for _ in range(30):
        kinds.add(sample(battle.table, "t", "bob", dice)["choice"]["type"])
    assert kinds == {"dodge", "resist", "pass"}
