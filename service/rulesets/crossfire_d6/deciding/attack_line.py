"""Who attacks whom with what: the preconditions of attacks in the catalogue's order."""

from collections.abc import Mapping
from typing import Literal, assert_never

from msgspec import Struct

from service.engine.battle.state import State
from service.engine.kit.combatants import existing, require_combatant
from service.errors import Refused
from service.rulesets.crossfire_d6.actions import MeleeAttack, RangedAttack
from service.rulesets.crossfire_d6.deciding.requirements import (
    acting,
    require_action_left,
    require_hostile,
)
from service.rulesets.crossfire_d6.fighters import (
    distance_between,
    fighter_of,
    is_ranged,
    longest_of,
    sight_of,
)
from service.rulesets.crossfire_d6.maps import board_of, public_board
from service.rulesets.crossfire_d6.rules.allies import require_reckless_allowed
from service.rulesets.crossfire_d6.rules.facing import require_arc
from service.rulesets.crossfire_d6.rules.ground import Board, Fighter
from service.rulesets.crossfire_d6.rules.melee import require_open_strike, require_within_reach
from service.rulesets.crossfire_d6.rules.position import (
    Sight,
    require_line_of_sight,
    require_not_hiding,
)
from service.rulesets.crossfire_d6.rules.range import require_in_range
from service.rulesets.crossfire_d6.state import BattleState, Combatant, Weapon

Mode = Literal["ranged", "melee"]


class Aim(Struct, frozen=True, kw_only=True):
    """An attack that is about to be made: the two combatants, the weapon, how far apart."""

    mode: Mode
    attacker: Combatant
    target: Combatant
    weapon: Weapon
    shooter: Fighter
    mark: Fighter
    distance_ft: int
    is_reckless: bool = False


def taken_aim(
    rule: BattleState, blobs: Mapping[str, object], action: RangedAttack | MeleeAttack
) -> Aim:
    """The attack as this state has it; combatants and weapon are known to be there."""
    attacker, target = existing(rule, action.combatant), existing(rule, action.target)
    heights = public_board(rule, blobs).heights
    shooter = fighter_of(rule, attacker, heights)
    mark = fighter_of(rule, target, heights)
    return Aim(
        mode="ranged" if isinstance(action, RangedAttack) else "melee",
        attacker=attacker,
        target=target,
        weapon=next(weapon for weapon in attacker.weapons if weapon.id == action.weapon),
        shooter=shooter,
        mark=mark,
        distance_ft=distance_between(shooter, mark, rule.options),
        is_reckless=isinstance(action, RangedAttack) and action.reckless,
    )


def require_attack(state: State[BattleState], action: RangedAttack | MeleeAttack) -> Aim:
    """All preconditions of an attack, on what the asker may know.

    Raises Refused with the code of the first that fails.
    """
    rule = state.rule
    _require_target(rule, action)
    aim = taken_aim(rule, state.blobs, action)
    board = board_of(rule, state.blobs)
    match action:
        case RangedAttack():
            _require_shot(rule, board, aim)
        case MeleeAttack():
            _require_strike(rule, board, aim)
        case _:
            assert_never(action)
    return aim


def _require_target(rule: BattleState, action: RangedAttack | MeleeAttack) -> None:
    target = require_combatant(rule, action.target)
    attacker = acting(rule, action.combatant)
    require_action_left(attacker)
    weapon = next((each for each in attacker.weapons if each.id == action.weapon), None)
    if weapon is None:
        allowed = [each.id for each in attacker.weapons]
        raise Refused("unknown_weapon", weapon=action.weapon, allowed=allowed)
    is_shot = isinstance(action, RangedAttack)
    if not (is_ranged(weapon) if is_shot else weapon.kind != "ranged"):
        raise Refused("wrong_weapon_kind", weapon=weapon.id, kind=weapon.kind)
    if not weapon.ready:
        raise Refused("weapon_not_ready", weapon=weapon.id)
    if attacker.id == target.id:
        raise Refused("target_is_self", target=target.id)
    if "dead" in target.conditions:
        raise Refused("target_dead", target=target.id)
    require_hostile(attacker, target)
    if isinstance(action, RangedAttack):
        require_reckless_allowed(
            is_reckless=action.reckless, is_allowed=rule.options.allow_reckless_fire
        )


def _require_shot(rule: BattleState, board: Board, aim: Aim) -> None:
    require_arc(aim.weapon.arc, aim.shooter.space, aim.attacker.facing, aim.mark.space)
    require_in_range(aim.distance_ft, longest_of(aim.weapon, rule.options))
    sight = sight_along(rule, board, aim)
    require_not_hiding(sight)
    require_line_of_sight(sight)


def _require_strike(rule: BattleState, board: Board, aim: Aim) -> None:
    require_arc(aim.weapon.arc, aim.shooter.space, aim.attacker.facing, aim.mark.space)
    require_within_reach(aim.distance_ft, aim.weapon.reach_ft)
    require_open_strike(
        board.ground, aim.shooter, aim.mark, aim.weapon.reach_ft, rule.options.diagonal_rule
    )


def sight_along(rule: BattleState, board: Board, aim: Aim) -> Sight:
    """The position of the target against the attacker on this board."""
    return sight_of(rule, board.ground, aim.shooter, aim.mark)
