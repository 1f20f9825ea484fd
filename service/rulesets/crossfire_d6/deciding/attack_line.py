"""An attacker, a target and a weapon, and the line between the two.

First the preconditions of attacks, in the catalogue's order, on what the asker may know; then the
line in the battle as it is: where hidden ground makes it otherwise than it seemed, that ground is
met.
"""

from collections.abc import Iterable
from typing import Literal, assert_never

from msgspec import UNSET, Struct

from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State
from service.engine.geometry.distance import cells_apart
from service.engine.geometry.features import features_of
from service.engine.geometry.lines import (
    Segment,
    cells_crossed,
    centre_line,
    features_met,
    vertices_inside,
)
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import cells_of
from service.engine.kit.grid import border_of
from service.errors import Refused
from service.rulesets.crossfire_d6.actions import AttackAction, MeleeAttack, RangedAttack
from service.rulesets.crossfire_d6.deciding.turns import acting, require_action_left
from service.rulesets.crossfire_d6.fighters import (
    distance_between,
    fighter_of,
    longest_of,
    overriding_of,
    sight_between,
    sight_of,
)
from service.rulesets.crossfire_d6.maps import board_of, public_board
from service.rulesets.crossfire_d6.rules.cover import require_reckless_allowed
from service.rulesets.crossfire_d6.rules.defaults import CF_SD_4
from service.rulesets.crossfire_d6.rules.facing import require_arc
from service.rulesets.crossfire_d6.rules.ground import Board, Fighter, Ground
from service.rulesets.crossfire_d6.rules.melee import (
    can_strike,
    require_open_strike,
    require_within_reach,
)
from service.rulesets.crossfire_d6.rules.position import (
    Sight,
    require_line_of_sight,
    require_not_hiding,
)
from service.rulesets.crossfire_d6.rules.range import FEET_PER_CELL, require_in_range
from service.rulesets.crossfire_d6.state import BattleState, Combatant, Options, Weapon
from service.rulesets.crossfire_d6.terrain import GroundBorder, GroundCell, TerrainChange

Mode = Literal["ranged", "melee"]

_Ends = tuple[Cell, Cell]


class Aim(Struct, frozen=True, kw_only=True):
    """An attack that is about to be made: the two combatants, the weapon, how far apart.

    `attacker_at` and `target_at` are the two as they stand on the ground; `board` is what
    everyone knows of it. `overriding` are the combatants with an overruled position.
    """

    mode: Mode
    attacker: Combatant
    target: Combatant
    weapon: Weapon
    attacker_at: Fighter
    target_at: Fighter
    board: Board
    overriding: tuple[Combatant, ...]
    distance_ft: int
    is_reckless: bool = False


def take_aim(battle: State[BattleState], action: AttackAction) -> Aim:
    """The attack as this state has it; combatants and weapon are known to be there."""
    rule = battle.rule
    attacker, target = existing(rule, action.combatant), existing(rule, action.target)
    weapon = next(weapon for weapon in attacker.weapons if weapon.id == action.weapon)
    return _aim(battle, action, (attacker, target, weapon))


def _aim(
    battle: State[BattleState],
    action: AttackAction,
    parties: tuple[Combatant, Combatant, Weapon],
) -> Aim:
    rule, board = battle.rule, public_board(battle)
    attacker, target, weapon = parties
    attacker_at = fighter_of(rule, attacker, board.heights)
    target_at = fighter_of(rule, target, board.heights)
    return Aim(
        mode="ranged" if isinstance(action, RangedAttack) else "melee",
        attacker=attacker,
        target=target,
        weapon=weapon,
        attacker_at=attacker_at,
        target_at=target_at,
        board=board,
        overriding=overriding_of(rule),
        distance_ft=distance_between(attacker_at, target_at, rule.options),
        is_reckless=isinstance(action, RangedAttack) and action.reckless,
    )


def require_attack(state: State[BattleState], action: AttackAction) -> Aim:
    """All preconditions of an attack, on what the asker may know.

    Raises Refused with the code of the first that fails.
    """
    rule = state.rule
    aim = _aim(state, action, _require_parties(rule, action))
    ground = (board_of(state) if rule.secrets else aim.board).ground
    match action:
        case RangedAttack():
            _require_shot(rule, ground, aim)
        case MeleeAttack():
            _require_strike(rule, ground, aim)
        case _:
            assert_never(action)
    return aim


def _require_parties(
    rule: BattleState, action: AttackAction
) -> tuple[Combatant, Combatant, Weapon]:
    """Attacker, target and weapon, if they may attack at all, wherever they stand."""
    target = require_combatant(rule, action.target)
    attacker = acting(rule, action.combatant)
    require_action_left(attacker)
    weapon = _require_weapon(attacker, action)
    if attacker.id == target.id:
        raise Refused("target_is_self", target=target.id)
    if "dead" in target.conditions:
        raise Refused("target_dead", rule=CF_SD_4, target=target.id)
    require_hostile(attacker, target)
    if isinstance(action, RangedAttack) and action.reckless:
        require_reckless_allowed(is_allowed=rule.options.allow_reckless_fire)
    return attacker, target, weapon


def require_hostile(actor: Combatant, other: Combatant) -> None:
    """The other is of another side. Raises Refused("target_not_hostile")."""
    if actor.side == other.side:
        raise Refused("target_not_hostile", target=other.id, side=other.side)


def _require_weapon(attacker: Combatant, action: AttackAction) -> Weapon:
    """The weapon of an attack, made for its kind and ready.

    Raises Refused("unknown_weapon"), ("wrong_weapon_kind") or ("weapon_not_ready").
    """
    weapon = next((each for each in attacker.weapons if each.id == action.weapon), None)
    if weapon is None:
        allowed = [each.id for each in attacker.weapons]
        raise Refused("unknown_weapon", weapon=action.weapon, allowed=allowed)
    needed: Mode = "ranged" if isinstance(action, RangedAttack) else "melee"
    fitting = [each for each in attacker.weapons if each.kind in (needed, "both")]
    if weapon not in fitting:
        raise Refused(
            "wrong_weapon_kind",
            weapon=weapon.id,
            kind=weapon.kind,
            needed=needed,
            allowed=[each.id for each in fitting],
        )
    if not weapon.ready:
        ready = [each.id for each in fitting if each.ready]
        raise Refused("weapon_not_ready", weapon=weapon.id, allowed=ready)
    return weapon


def _require_shot(rule: BattleState, ground: Ground, aim: Aim) -> None:
    require_arc(aim.weapon.arc, aim.attacker_at.space, aim.attacker.facing, aim.target_at.space)
    require_in_range(aim.distance_ft, longest_of(aim.weapon, rule.options))
    sight = sight_between(ground, aim.attacker_at, aim.target_at, rule.options, aim.overriding)
    require_not_hiding(sight)
    require_line_of_sight(sight)


def _require_strike(rule: BattleState, ground: Ground, aim: Aim) -> None:
    require_arc(aim.weapon.arc, aim.attacker_at.space, aim.attacker.facing, aim.target_at.space)
    require_within_reach(aim.distance_ft, aim.weapon.reach_ft)
    require_open_strike(
        ground,
        aim.attacker_at,
        aim.target_at,
        aim.weapon.reach_ft,
        rule.options.diagonal_rule,
    )


def _sight_along(ground: Ground, aim: Aim, options: Options) -> Sight:
    """The position of the target against the attacker on this ground."""
    return sight_between(ground, aim.attacker_at, aim.target_at, options, aim.overriding)


def shot_meets(battle: State[BattleState], aim: Aim) -> tuple[TerrainChange, ...]:
    """The hidden ground that makes a shot otherwise than everyone would think.

    None if the position and the visibility are what they seem. Else what lies on the line that
    seemed best and on the one that is; if that is nothing, on any line between the two.
    """
    rule = battle.rule
    if not rule.secrets:
        return ()
    seeming, real = _sights(battle, aim)
    if _judged(seeming) == _judged(real):
        return ()
    on_lines = _on_lines(rule.secrets, (_ends(seeming), _ends(real)))
    return on_lines or _on_lines(rule.secrets, _all_lines(aim))


def sight_taken(battle: State[BattleState], aim: Aim) -> Sight | None:
    """The line an attack uses: the one everybody would think of, unless it is otherwise.

    None in melee, where the option `cover_vs_melee` is off.
    """
    rule = battle.rule
    if aim.mode == "melee" and not rule.options.cover_vs_melee:
        return None
    if not rule.secrets:
        return _sight_along(aim.board.ground, aim, rule.options)
    return _taken(*_sights(battle, aim))


def shot_line(battle: State[BattleState], attacker: Fighter, target: Fighter) -> Sight:
    """The line that a shot would use, as `sight_taken` of one with any weapon."""
    rule = battle.rule
    seeming = sight_of(rule, public_board(battle).ground, attacker, target)
    if not rule.secrets:
        return seeming
    return _taken(seeming, sight_of(rule, board_of(battle).ground, attacker, target))


def _taken(seeming: Sight, real: Sight) -> Sight:
    return seeming if _judged(seeming) == _judged(real) else real


def _sights(battle: State[BattleState], aim: Aim) -> tuple[Sight, Sight]:
    """What the position seems to be on the ground that everyone knows, and what it is."""
    seeming = _sight_along(aim.board.ground, aim, battle.rule.options)
    return seeming, _sight_along(board_of(battle).ground, aim, battle.rule.options)


def strike_meets(battle: State[BattleState], aim: Aim) -> tuple[TerrainChange, ...]:
    """The hidden ground that stands between the two of a melee attack, none if none does.

    Where cover counts in melee, what makes the position otherwise belongs to it.
    """
    rule = battle.rule
    reach, rule_of_diagonals = aim.weapon.reach_ft, rule.options.diagonal_rule
    ground = board_of(battle).ground
    if not can_strike(ground, aim.attacker_at.space, aim.target_at.space, reach, rule_of_diagonals):
        within = (
            (a, t)
            for a, t in _all_lines(aim)
            if FEET_PER_CELL * cells_apart(t[0] - a[0], t[1] - a[1], rule_of_diagonals) <= reach
        )
        return _on_lines(rule.secrets, within)
    return shot_meets(battle, aim) if rule.options.cover_vs_melee else ()


def _judged(sight: Sight) -> tuple[object, ...]:
    return sight.position, sight.is_smoke_on_line, sight.is_target_dark


def _ends(sight: Sight) -> _Ends:
    ax, ay, tx, ty = sight.line
    return (ax, ay), (tx, ty)


def _all_lines(aim: Aim) -> Iterable[_Ends]:
    return ((a, t) for a in cells_of(aim.attacker_at.space) for t in cells_of(aim.target_at.space))


def _on_lines(
    secrets: tuple[TerrainChange, ...], lines: Iterable[_Ends]
) -> tuple[TerrainChange, ...]:
    walked = tuple((ends, centre_line(*ends)) for ends in lines)
    return tuple(
        secret
        for secret in secrets
        if any(_is_touched(secret, ends, line) for ends, line in walked)
    )


def _is_touched(secret: TerrainChange, ends: _Ends, line: Segment) -> bool:
    if secret.cell is not UNSET:
        return _is_cell_touched(secret.cell, ends, line)
    return secret.border is not UNSET and _is_border_touched(secret.border, line)


def _is_cell_touched(cell: GroundCell, ends: _Ends, line: Segment) -> bool:
    place = (cell.x, cell.y)
    return (
        place in ends
        or place in cells_crossed(line)
        or any(x - 1 <= cell.x <= x and y - 1 <= cell.y <= y for x, y in vertices_inside(line))
    )


def _is_border_touched(side: GroundBorder, line: Segment) -> bool:
    border = border_of(side.axis, side.x, side.y)
    beyond = (side.x, side.y + 1) if side.axis == "v" else (side.x + 1, side.y)
    vertices = vertices_inside(line)
    return (
        bool(features_met(features_of((), (border,)), line))
        or (side.x, side.y) in vertices
        or beyond in vertices
    )
