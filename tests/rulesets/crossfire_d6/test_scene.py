"""What is remembered of a battle is never shown of another state of it."""

from collections.abc import Mapping
from weakref import ref

import pytest
from msgspec.structs import replace

from service.engine.vocabulary.values import Place
from service.rulesets.crossfire_d6.fighters import MOST_GROUNDS, fighter_of, sight_of
from service.rulesets.crossfire_d6.rules.ground import Ground
from service.rulesets.crossfire_d6.state import BattleState, Combatant, Options, Weapon
from tests.kit.given_when_then import Given
from tests.rulesets.crossfire_d6.duels import T, at, duel, shoot
from tests.rulesets.crossfire_d6.examples import Tree

HEIGHTS: Mapping[tuple[int, int], int] = {(1, 1): 10}
RULE = BattleState(options=Options(), dice="sealed", sides=())
RIFLE = Weapon(id="rifle", kind="ranged", attack_dice=4, damage_dice=2, range_increment_ft=20)
ANN = Combatant(
    id="ann",
    side="red",
    place=Place(x=0, y=0),
    health=10,
    melee_defence=8,
    ranged_defence=8,
    weapons=(RIFLE,),
)


def test_a_fighter_is_the_same_while_only_its_health_and_actions_change() -> None:
    known = fighter_of(RULE, ANN, HEIGHTS)
    assert fighter_of(RULE, replace(ANN, health=3, actions_left=1), HEIGHTS) is known


@pytest.mark.parametrize(
    "changed",
    [
        replace(ANN, place=Place(x=1, y=1)),
        replace(ANN, place=Place(x=0, y=0, elevation=5)),
        replace(ANN, size=2),
        replace(ANN, side="blue"),
        replace(ANN, posture="in_cover"),
        replace(ANN, conditions=("helpless",)),
        replace(ANN, conditions=("dead",)),
        replace(ANN, weapons=()),
        replace(ANN, weapons=(replace(RIFLE, ready=False),)),
    ],
)
def test_a_fighter_is_another_once_something_changes_that_rules_look_at(
    changed: Combatant,
) -> None:
    known = fighter_of(RULE, ANN, HEIGHTS)
    assert fighter_of(RULE, changed, HEIGHTS) != known


class Watched(Ground, frozen=True, kw_only=True, eq=False, weakref=True):
    """A ground of which one can tell whether it is still kept."""


class Heights(dict[tuple[int, int], int]):
    """Heights of which one can tell whether they are still kept."""


def test_a_battle_whose_ground_keeps_changing_leaves_few_of_them_behind() -> None:
    rule = duel().table.state.rule
    shooter = fighter_of(rule, ANN, {})
    target = fighter_of(rule, replace(ANN, id="bob", place=Place(x=9, y=0)), {})
    seen = []
    for _ in range(3 * MOST_GROUNDS):
        ground = Watched()
        sight_of(rule, ground, shooter, target)
        seen.append(ref(ground))
        del ground
    assert sum(each() is not None for each in seen) == MOST_GROUNDS


def test_a_fighter_keeps_no_map() -> None:
    heights = Heights({(0, 0): 15})
    assert fighter_of(RULE, ANN, heights).elevation_ft == 15
    kept = ref(heights)
    del heights
    assert kept() is None


def rules_of(battle: Given) -> list[str]:
    """The rules in the breakdown that is foretold for A's shot at T."""
    told = battle.foretold(shoot())
    assert isinstance(told, dict), told
    return [str(line["rule"]) for line in told["facts"]["breakdown"]]


def said(position: str | None = None) -> Tree:
    change = {"type": "position", "combatant": "t", "versus": "b"}
    stated = change if position is None else {**change, "position": position}
    return {"type": "adjust", "changes": [stated]}


def test_a_crossfire_ends_and_returns_with_the_game_masters_word() -> None:
    battle = duel(b={"side": "red", "weapons": [{"id": "gun"}], **at(4, 0)})
    assert "CF-XFIRE-2" in rules_of(battle)
    battle.when(said("blocked"))
    assert "CF-XFIRE-2" not in rules_of(battle)
    battle.when(said())
    assert "CF-XFIRE-2" in rules_of(battle)


def test_an_ally_near_the_target_counts_until_he_is_dead() -> None:
    battle = duel(t={**T, **at(8, 0)}, b={"side": "red", **at(9, 0)})
    assert "CF-ALLY-1" in rules_of(battle)
    change = {"type": "hp", "combatant": "b", "value": -10_000}
    assert isinstance(battle.when({"type": "adjust", "changes": [change]}).outcome, list)
    assert "CF-ALLY-1" not in rules_of(battle)
