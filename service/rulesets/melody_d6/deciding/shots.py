"""Shots: allowed on what the asker knows (ML-SHOOT-1), then fired, from ambush too (ML-AMB)."""

from msgspec import UNSET

from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State
from service.engine.geometry.segments import Spot
from service.errors import Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Shoot
from service.rulesets.melody_d6.deciding import ambush
from service.rulesets.melody_d6.deciding.discovery import attack_begins
from service.rulesets.melody_d6.deciding.hits import GuardShot, Shot, strike
from service.rulesets.melody_d6.deciding.requirements import (
    require_acting,
    require_action,
    require_ranged,
    require_weapon,
)
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.occupancy import is_engaged, spot_of
from service.rulesets.melody_d6.rules.ambush import is_ambush
from service.rulesets.melody_d6.rules.geometry import has_line_of_sight, is_within_distance
from service.rulesets.melody_d6.rules.masking import require_masked_before
from service.rulesets.melody_d6.rules.movement import ML_MOVE_6
from service.rulesets.melody_d6.rules.shooting import Aim, require_shootable
from service.rulesets.melody_d6.rules.turns import ML_TURN_4
from service.rulesets.melody_d6.state import BattleState, is_masked, is_on_table
from service.rulesets.melody_d6.weapons import is_quiet


def require_shoot(view: State[BattleState], action: Shoot) -> None:
    """All preconditions of a shot in one's own turn (row 8).

    Raises Refused("unknown_combatant"), ("unknown_weapon"), what `require_acting` does, then
    ("action_spent"), ("masked_this_turn"), ("engaged"), ("weapon_not_ranged") and what
    `require_target` does, checked in this order.
    """
    rule = view.rule
    require_combatant(rule, action.target)
    shooter = require_combatant(rule, action.combatant)
    weapon = require_weapon(view, shooter, action.weapon)
    require_acting(rule, shooter.id, "action")
    require_action(shooter)
    require_masked_before(shooter.id, masked_this_turn=shooter.masked_this_turn)
    if is_engaged(rule, shooter):
        raise Refused("engaged", rule=ML_MOVE_6, combatant=shooter.id)
    require_ranged(weapon)
    require_target(view, shooter.id, action.target, weapon.id)


def require_target(
    battle: State[BattleState],
    shooter_id: str,
    target_id: str,
    weapon_id: str,
    *,
    at: Spot | None = None,
    is_on_its_way: bool = False,
    is_detected: bool = False,
) -> None:
    """The target may be shot at with a ranged weapon (ML-SHOOT-1), on what `rule` shows.

    `at` is where it is aimed at, else where it stands; one that `is_on_its_way` is engaged with
    nobody, one that `is_detected` is no longer masked. Raises Refused as ML-SHOOT-1 says.
    """
    rule = battle.rule
    shooter, target = existing(rule, shooter_id), require_combatant(rule, target_id)
    weapon = require_weapon(battle, shooter, weapon_id)
    reach, measure = weapon.range, rule.options.measure
    start, end = spot_of(shooter), at or spot_of(target)
    radii = shooter.base_radius + target.base_radius
    high = (each.polygon for each in ground_of(battle).obstacles if each.is_high)
    require_shootable(
        target.id,
        Aim(
            is_friendly=target.side == shooter.side,
            is_gone=not is_on_table(target),
            is_masked=is_masked(target) and not is_detected,
            is_engaged=lambda: not is_on_its_way and is_engaged(rule, target),
            is_in_sight=lambda: is_within_distance(start, end, shooter.sight, radii, measure),
            has_line=lambda: has_line_of_sight(start, end, high),
            is_in_range=lambda: (
                reach is not UNSET and is_within_distance(start, end, reach, radii, measure)
            ),
            sight=shooter.sight,
            longest=reach or 0,
        ),
    )


def shoot(resolution: Resolution, action: Shoot) -> None:
    """A shot in the own turn: it is the warrior's action. Raises Refused."""
    require_shoot(resolution.view, action)
    resolution.effects.emit(
        own.ResourceChanged(rule=ML_TURN_4, combatant=action.combatant, resource="action", now=0)
    )
    resolve(resolution, action.combatant, action.target, action.weapon)


def resolve(
    resolution: Resolution,
    shooter_id: str,
    target_id: str,
    weapon_id: str,
    *,
    guard: GuardShot | None = None,
) -> None:
    """A shot that is allowed, with everything that follows from it."""
    effects = resolution.effects
    from_ambush = is_ambush(is_masked=is_masked(existing(effects.rule, shooter_id)))
    attack_begins(effects, shooter_id)
    rule = effects.rule
    shooter, target = existing(rule, shooter_id), existing(rule, target_id)
    weapon = require_weapon(effects.state, shooter, weapon_id)
    shot = Shot(shooter, target, weapon, guard)
    is_killed = strike(resolution, shot, is_ambush=from_ambush)
    if from_ambush:
        ambush.follow(
            resolution, shooter_id, target_id, is_killed=is_killed, is_quiet=is_quiet(weapon)
        )
