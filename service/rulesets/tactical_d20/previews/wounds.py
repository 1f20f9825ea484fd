"""The chances of wounds: how much an attack may hurt, and whether somebody falls with it."""

from collections.abc import Callable
from fractions import Fraction

from msgspec import UNSET, UnsetType

from service.engine.battle.state import State, scope_of
from service.engine.kit.previews import odds_of
from service.engine.ruleset.definition import Odds
from service.engine.visibility.scope import Viewer
from service.rulesets.tactical_d20.deciding.aim import Aim
from service.rulesets.tactical_d20.rules.defaults import damage_pool
from service.rulesets.tactical_d20.rules.odds import AttackChances, Blow, damage_chance
from service.rulesets.tactical_d20.state import BattleState, Combatant
from service.rulesets.tactical_d20.weapons import DamageDice

AtLeast = Callable[[int], Fraction]
"""The chance that something does at least so much damage."""


def felled_odds(
    view: State[BattleState], target: Combatant, viewer: Viewer, chance: AtLeast
) -> tuple[Odds, ...] | UnsetType:
    """The chances that the target falls, where its health is known in points."""
    if not viewer.may_know(scope_of(view.rule).declared("health", target.side)):
        return UNSET
    killed = chance(target.health + target.health_max)
    if "unconscious" in target.conditions:
        return (odds_of("dead", killed),)
    fallen = chance(target.health)
    return odds_of("unconscious", fallen - killed), odds_of("dead", killed)


def blow_of(aim: Aim, chances: AttackChances) -> Blow:
    """An attack that is weighed, as the chances of its damage follow from it."""
    damage = aim.weapon.damage
    return Blow(chances, damage.count, damage.sides, damage.bonus)


def at_least_in_area(stated: DamageDice, saved: Fraction, damage: int) -> Fraction:
    """The chance that an area effect does at least so much damage, of which there is some.

    `saved` is the chance of the save, which halves it, rounded down.
    """
    dice, bonus = damage_pool(stated.count, stated.bonus, "hit")
    halved, whole = (
        damage_chance(dice, stated.sides, bonus, least) for least in (2 * damage, damage)
    )
    return saved * halved + (1 - saved) * whole
