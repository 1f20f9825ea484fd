"""Samples are complete actions, the same for the same view."""

from random import Random
from typing import Any

from service.engine.battle.state import State, viewer_of
from service.engine.kit.samples import pick_action
from service.engine.visibility.scope import Viewer
from service.rulesets.seeker_d100.state import BattleState
from tests.kit.given_when_then import Given
from tests.kit.random_battles import play
from tests.kit.table import PEOPLE, Table
from tests.rulesets.seeker_d100.battles import random_setup
from tests.rulesets.seeker_d100.setups import RULESET, done, duel, fighter, scene, seated, strike


def seen_by(name: str, battle: Given) -> Viewer:
    """What somebody may know of a battle."""
    state = battle.table.state
    return viewer_of(PEOPLE[name], state.rule, state.linear)


def sample(
    state: State[BattleState], combatant: str, viewer: Viewer, dice: Random
) -> dict[str, Any]:
    """One legal action of a combatant that these dice pick."""
    action = pick_action(
        RULESET.legal_actions(state, combatant, viewer).actions, combatant, dice.randrange
    )
    assert action is not None
    return action


def table_of(number: int) -> Table:
    table = seated(random_setup(number))
    play(table, number, 3)
    return table


def test_one_sample_is_a_typed_action() -> None:
    table = table_of(2)
    who = table.questions[0][1] if table.questions else str(table.turn)
    table.read(sample(table.state, who, table.viewer("gm"), Random(5)))
    assert table.samples(who, 1)


def test_samples_of_a_player_are_accepted_where_nothing_is_hidden() -> None:
    battle = scene(
        fighter("a", "red", 0, 0), fighter("t", "blue", 2, 1), fighter("u", "blue", 9, 9)
    )
    for seed in range(40):
        action = sample(battle.table.state, "a", seen_by("ann", battle), Random(seed))
        assert battle.foretold(action, by="ann")["legal"], action


def test_an_answer_is_sampled_for_who_is_asked() -> None:
    battle = duel(fresh=True)
    done(battle, strike())
    dice = Random(3)
    kinds = set()
    for _ in range(30):
        kinds.add(sample(battle.table.state, "t", seen_by("bob", battle), dice)["choice"]["type"])
    assert kinds == {"dodge", "resist", "pass"}
