"""Samples are complete actions, the same for the same view."""

from random import Random
from typing import Any

import msgspec
import pytest

from service.engine.battle.state import State, viewer_of
from service.engine.kit.samples import picked
from service.engine.visibility.scope import Viewer
from service.rulesets.seeker_d100.state import BattleState
from tests.rulesets.seated import PEOPLE
from tests.rulesets.seeker_d100.battles import play, random_setup
from tests.rulesets.seeker_d100.table import RULESET, Table, done, duel, fighter, scene, strike
from tests.rulesets.table import Given


def seen_by(name: str, battle: Given) -> Viewer:
    """What somebody may know of a battle."""
    state = battle.table.state
    return viewer_of(PEOPLE[name], state.rule, state.linear)


def sample(
    state: State[BattleState], combatant: str, viewer: Viewer, dice: Random
) -> dict[str, Any]:
    """One legal action of a combatant that these dice pick."""
    action = picked(
        RULESET.legal_actions(state, combatant, viewer).actions, combatant, dice.randrange
    )
    assert action is not None
    return action


def table_of(number: int) -> Table:
    table = Table(random_setup(number))
    play(table, number, 3)
    return table


@pytest.mark.parametrize("number", range(12))
def test_so_many_samples_are_given_and_the_same_again(number: int) -> None:
    table = table_of(number)
    who = table.asked[0][1] if table.asked else str(table.turn)
    found = table.samples(who, 25)
    assert len(found) == 25
    assert table.samples(who, 25) == found
    assert table.samples(who, 10) == found[:10]
    is_varied = len({msgspec.json.encode(each, order="sorted") for each in found}) > 1
    assert is_varied or table.asked


def test_nobody_else_has_samples() -> None:
    table = table_of(1)
    say = {table.turn} if not table.asked else {who for _, who in table.asked}
    others = [each.id for each in table.state.rule.combatants if each.id not in say]
    assert others
    assert [table.samples(each, 3) for each in others] == [[]] * len(others)


def test_one_sample_is_a_typed_action() -> None:
    table = table_of(2)
    who = table.asked[0][1] if table.asked else str(table.turn)
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
