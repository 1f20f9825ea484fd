"""Fights as steps: who may fight, both dice, and what the winner does."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET, UnsetType

from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import DrawRun, Roll
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Fight
from service.rulesets.melody_d6.attack_effects import AttackAgainst, AttackResolved, Detail, Further
from service.rulesets.melody_d6.deciding import fights
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.state import Combatant
from tests.rulesets.melody_d6.refusals import refusal
from tests.rulesets.melody_d6.steps import Skirmish, warrior

FAR = warrior("b9", 59_000, 39_000)


def fighter(name: str, *weapons: str, x: int = 20_000, **sheet: Any) -> Combatant:
    return warrior(name, x, 10_000, weapons=weapons, **sheet)


def melee(attacker: Combatant, defender: Combatant, **options: Any) -> Skirmish:
    return Skirmish(attacker, defender, FAR, acting="unit_a1", **options)


def fought(battle: Skirmish, weapon: str | UnsetType = UNSET) -> Callable[[Resolution], None]:
    action = Fight(combatant="a1", target="b1", weapon=weapon)
    return lambda on: fights.fight(on, action)


def roll(face: int, number: int) -> Roll:
    draws = (DrawRun(stream=0, number=number),)
    return Roll(sides=6, faces=(face,), total=face, draws=draws)


@pytest.mark.rule("ML-FIGHT-1")
def test_the_attacker_rolls_first_and_the_winner_wounds() -> None:
    """E61: draws 4, 3, 4."""
    battle = melee(fighter("a1", "rifle", "blade"), fighter("b1", x=21_100))
    assert battle.after(fought(battle), (4, 3, 4)) == (
        own.ResourceChanged(rule="ML-TURN-4", combatant="a1", resource="action", now=0),
        own.ConditionGained(rule="ML-FIGHT-1", combatant="a1", condition="attacked"),
        AttackResolved(
            rule="ML-FIGHT-1",
            target="b1",
            outcome="hit",
            detail=Detail(
                attacker="a1",
                item="blade",
                mode="fight",
                roll=roll(4, 1),
                base=3,
                pool=3,
                hits=1,
                against=AttackAgainst(target="b1", roll=roll(3, 2), base=3),
                wounds=Further(
                    target="b1", purpose="wound", roll=roll(4, 3), needed=4, successes=1
                ),
            ),
        ),
        fx.Hurt(
            rule="ML-SHOOT-6",
            combatant="b1",
            amount=1,
            health=0,
            band="down",
            cause="attack",
            source=fx.Source(combatant="a1", item="blade"),
        ),
        own.Felled(rule="ML-SHOOT-6", combatant="b1", state="out", cause="attack"),
    )


@pytest.mark.rule("ML-FIGHT-1")
def test_equal_totals_do_nothing() -> None:
    battle = melee(fighter("a1", "blade"), fighter("b1", x=21_100))
    assert battle.story(fought(battle), (4, 4))[2:] == [
        ("attack_resolved", "b1", "stalemate", (4,))
    ]


@pytest.mark.rule("ML-FIGHT-1")
def test_a_stunned_defender_adds_nothing() -> None:
    battle = melee(fighter("a1", "blade"), fighter("b1", x=21_100, conditions=("stunned",)))
    assert battle.story(fought(battle), (4, 6, 3))[2:] == [("attack_resolved", "b1", "hit", (4,))]


@pytest.mark.rule("ML-FIGHT-1")
def test_a_defender_who_wins_strikes_with_its_first_melee_weapon() -> None:
    """A halberd: strength 4 wounds with 3, and takes 1 off the save."""
    battle = melee(
        fighter("a1", "blade", health_max=2, armour=4),
        fighter("b1", "rifle", "halberd", "blade", x=21_100),
    )
    effects = battle.after(fought(battle), (2, 3, 3, 4))
    (resolved,) = [each for each in effects if isinstance(each, AttackResolved)]
    detail = resolved.detail
    assert (resolved.outcome, detail.hits, detail.item) == ("stopped", 0, "blade")
    assert detail.against == AttackAgainst(target="b1", roll=roll(3, 2), base=3, item="halberd")
    assert detail.wounds == Further(
        target="a1", purpose="wound", roll=roll(3, 3), needed=3, successes=1
    )
    assert detail.saves == Further(
        target="a1", purpose="save", roll=roll(4, 4), needed=5, successes=0
    )
    assert effects[-1] == fx.Hurt(
        rule="ML-SHOOT-6",
        combatant="a1",
        amount=1,
        health=1,
        band="badly_hurt",
        cause="attack",
        source=fx.Source(combatant="b1", item="halberd"),
    )


@pytest.mark.rule("ML-FIGHT-1")
@pytest.mark.parametrize(
    ("weapons", "named", "item", "needed"),
    [
        ((), UNSET, UNSET, 4),
        (("rifle",), UNSET, UNSET, 4),
        (("blade", "halberd"), UNSET, "blade", 4),
        (("blade", "halberd"), "halberd", "halberd", 3),
    ],
)
def test_the_attacker_strikes_with_the_named_the_first_or_no_weapon(
    weapons: tuple[str, ...], named: str | UnsetType, item: str | UnsetType, needed: int
) -> None:
    battle = melee(fighter("a1", *weapons), fighter("b1", x=21_100))
    effects = battle.after(fought(battle, named), (5, 1, 1))
    (resolved,) = [each for each in effects if isinstance(each, AttackResolved)]
    assert resolved.detail.item == item
    assert resolved.detail.wounds is not UNSET
    assert resolved.detail.wounds.needed == needed


@pytest.mark.rule("ML-FIGHT-1")
@pytest.mark.parametrize(
    ("attacker", "defender", "weapon", "refused"),
    [
        ({}, {"x": 21_100}, "blade", None),
        ({}, {"x": 21_101}, "blade", ("not_engaged", {"combatant": "a1", "target": "b1"})),
        ({}, {"x": 21_100, "side": "a"}, "blade", ("not_engaged", None)),
        ({}, {"x": 21_100, "conditions": ("out",)}, "blade", ("not_engaged", None)),
        ({}, {"x": 21_100}, "rifle", ("weapon_not_melee", {"weapon": "rifle"})),
        ({}, {"x": 21_101}, "rifle", ("not_engaged", None)),
        ({}, {"x": 21_101}, "halberd", ("unknown_weapon", None)),
        (
            {"masked_this_turn": True},
            {"x": 21_101},
            "blade",
            ("masked_this_turn", {"combatant": "a1"}),
        ),
        ({"acted": True, "masked_this_turn": True}, {"x": 21_101}, "blade", ("action_spent", None)),
        (
            {"acted": True, "unit": "v"},
            {"x": 21_100},
            "blade",
            ("warrior_not_in_active_unit", None),
        ),
        (
            {"acted": True, "conditions": ("stunned",)},
            {"x": 21_100},
            "blade",
            ("warrior_stunned", None),
        ),
    ],
)
def test_who_may_fight(
    attacker: dict[str, Any],
    defender: dict[str, Any],
    weapon: str,
    refused: tuple[str, dict[str, object] | None] | None,
) -> None:
    battle = melee(fighter("a1", "rifle", "blade", **attacker), fighter("b1", **defender))
    action = Fight(combatant="a1", target="b1", weapon=weapon)
    told = refusal(lambda: fights.require_fight(battle.state, action))
    assert (None if told is None else told[0]) == (None if refused is None else refused[0])
    if told is not None and refused is not None and refused[1] is not None:
        assert told[2] == refused[1]


@pytest.mark.parametrize(("reveals", "stream"), [(True, 0), (False, 1)])
def test_a_hidden_fighter_becomes_known_or_its_dice_stay_its_sides(
    reveals: bool, stream: int
) -> None:
    hidden = fighter("a1", "blade", hidden=True)
    battle = melee(hidden, fighter("b1", x=21_100), attack_reveals=reveals)
    story = battle.after(fought(battle), (4, 4))
    (resolved,) = [each for each in story if isinstance(each, AttackResolved)]
    assert resolved.detail.roll == Roll(
        sides=6, faces=(4,), total=4, draws=(DrawRun(stream=stream, number=1),)
    )
    assert len([each for each in story if isinstance(each, own.Revealed)]) == int(reveals)


def test_a_fight_that_is_not_allowed_does_nothing() -> None:
    battle = melee(fighter("a1", "blade"), fighter("b1", x=21_101))
    before = battle.rule

    def step() -> None:
        battle.after(fought(battle), (4, 4))

    told = refusal(step)
    assert (told and told[0], battle.rule) == ("not_engaged", before)


@pytest.mark.rule("ML-MASK-6")
def test_who_fights_is_masked_no_more_and_a_fleeting_target() -> None:
    """Only the game master can leave somebody masked next to an enemy."""
    battle = melee(fighter("a1", "blade", conditions=("masked",)), fighter("b1", x=21_100))
    assert battle.story(fought(battle), (4, 4)) == [
        ("resource_changed", "a1", "action", 0),
        ("condition_gained", "a1", "attacked"),
        ("condition_lost", "a1", "masked", "attacked"),
        ("condition_gained", "a1", "fleeting"),
        ("attack_resolved", "b1", "stalemate", (4,)),
    ]


@pytest.mark.rule("ML-GUARD-8")
@pytest.mark.parametrize(("lost_on", "left"), [("damage", False), ("hit", True)])
def test_a_lost_fight_ends_a_guard_where_the_table_wants_it(lost_on: str, left: bool) -> None:
    guard = fighter("b1", x=21_100, conditions=("on_guard",))
    battle = melee(fighter("a1", "blade"), guard, guard_lost_on=lost_on)
    lost = ("condition_lost", "b1", "on_guard", "suffered")
    assert (lost in battle.story(fought(battle), (5, 1, 3))) == left
