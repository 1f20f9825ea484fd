"""What has to hold before any die of an attack is rolled, each kind in the catalogue's order.

Asked is what the side of whoever acts may know: the walls of its view, and no creature that it
does not know of. Cover and concealment that only the game master knows count for nobody.
"""

from typing import NamedTuple

from msgspec.structs import replace

from service.engine.battle.roster import require_combatant
from service.engine.battle.state import State
from service.engine.geometry.spaces import has_cell
from service.errors import Refused
from service.rulesets.tactical_d20.actions import Attack, AttackCell
from service.rulesets.tactical_d20.creatures import (
    cover_override_of,
    is_known_to_side,
    space_of,
    those_in,
    weapon_reach,
)
from service.rulesets.tactical_d20.deciding.aim import (
    Aim,
    aim_at,
    aim_at_cell,
    aim_of,
)
from service.rulesets.tactical_d20.deciding.attack_modifiers import cover_of
from service.rulesets.tactical_d20.deciding.turns import acting, require_standard
from service.rulesets.tactical_d20.ground import ground_of
from service.rulesets.tactical_d20.readings import Readings
from service.rulesets.tactical_d20.rules.concealment import require_concealment_corner
from service.rulesets.tactical_d20.rules.control import require_in_reach
from service.rulesets.tactical_d20.rules.cover import require_corner, require_no_cover
from service.rulesets.tactical_d20.rules.defaults import require_in_range
from service.rulesets.tactical_d20.rules.ground import Ground
from service.rulesets.tactical_d20.rules.movement import off_edge
from service.rulesets.tactical_d20.rules.reports import CoverReport
from service.rulesets.tactical_d20.rules.total_cover import require_line_of_effect
from service.rulesets.tactical_d20.rules.unseen import (
    has_line_of_sight,
    require_seen,
    require_unseen,
)
from service.rulesets.tactical_d20.state import BattleState, Combatant, is_dead, weapon_named
from service.rulesets.tactical_d20.weapons import Weapon


def require_attack(view: State[BattleState], action: Attack) -> Aim:
    """All preconditions of `attack` on what the asker may know (`view`).

    Raises Refused with the code of the first that fails.
    """
    rule = view.rule
    target = require_combatant(rule, action.target)
    attacker = acting(rule, action.combatant)
    require_standard(attacker)
    weapon = require_weapon(attacker, action.weapon)
    aim = aim_at(rule, action, attacker, target, weapon)
    require_target(attacker, target)
    require_line(rule, ground_of(view), aim)
    return aim


def require_guess(view: State[BattleState], action: AttackCell) -> Aim:
    """All preconditions of `attack_cell` on what the asker may know (`view`).

    Raises Refused with the code of the first that fails.
    """
    rule, ground = view.rule, ground_of(view)
    attacker = acting(rule, action.combatant)
    require_standard(attacker)
    weapon = require_weapon(attacker, action.weapon)
    aim = aim_at_cell(rule, action, attacker, weapon)
    edge = off_edge(aim.at, ground.bounds)
    if edge is not None:
        raise Refused("off_map", x=aim.at.x, y=aim.at.y, bounds=list(edge))
    if has_cell(space_of(attacker), (aim.at.x, aim.at.y)):
        raise Refused("target_is_self", x=aim.at.x, y=aim.at.y)
    require_line(rule, ground, aim)
    _require_nobody_seen(rule, aim, ground)
    return aim


def require_strike(
    battle: State[BattleState],
    ground: Ground,
    attacker: Combatant,
    weapon_id: str,
    target: Combatant,
) -> Aim:
    """All preconditions of an opportunity attack that is on offer; lines are those of `ground`.

    Raises Refused with the code of the first that fails.
    """
    if not attacker.reaction_left:
        raise Refused("reaction_used", combatant=attacker.id)
    weapon = _require_known_weapon(attacker, weapon_id)
    if not weapon.ready or weapon.kind != "melee":
        raise Refused("weapon_not_ready", weapon=weapon.id, kind=weapon.kind)
    aim = replace(aim_of(battle.rule, attacker, target, weapon), is_opportunity=True)
    _require_way(aim, ground)
    _require_seen(aim, ground)
    require_no_cover(cover_of(battle, aim, target))
    return aim


def require_weapon(attacker: Combatant, weapon_id: str) -> Weapon:
    """The weapon, ready to be used. Raises Refused("unknown_weapon") or ("weapon_not_ready")."""
    weapon = _require_known_weapon(attacker, weapon_id)
    if not weapon.ready:
        raise Refused("weapon_not_ready", weapon=weapon.id)
    return weapon


def _require_known_weapon(attacker: Combatant, weapon_id: str) -> Weapon:
    weapon = weapon_named(attacker, weapon_id)
    if weapon is None:
        allowed = [each.id for each in attacker.weapons]
        raise Refused("unknown_weapon", weapon=weapon_id, allowed=allowed)
    return weapon


def require_target(attacker: Combatant, target: Combatant) -> None:
    """A living enemy. Raises Refused("target_is_self"), ("target_dead"), ("target_not_hostile")."""
    if attacker.id == target.id:
        raise Refused("target_is_self", target=target.id)
    if is_dead(target):
        raise Refused("target_dead", target=target.id)
    if attacker.side == target.side:
        raise Refused("target_not_hostile", target=target.id, side=target.side)


def require_line(rule: BattleState, ground: Ground, aim: Aim) -> None:
    """What is attacked is near enough, in reach of a line, seen, and the corners are right.

    Raises Refused("out_of_reach"), ("out_of_range"), ("total_cover"), ("target_unseen") or
    ("bad_corner").
    """
    _require_way(aim, ground)
    _require_seen(aim, ground)
    _require_corners(rule, aim)


def _require_way(aim: Aim, ground: Ground) -> None:
    weapon, target = aim.weapon, aim.target
    if aim.mode == "melee":
        require_in_reach(aim.distance_ft, weapon_reach(aim.attacker, weapon))
    elif isinstance(weapon.range_increment_ft, int):
        require_in_range(aim.distance_ft, weapon.range_increment_ft, weapon.max_increments)
    override = None if target is None else cover_override_of(target, aim.attacker.id)
    require_line_of_effect(ground, space_of(aim.attacker), aim.at, override)


def _require_seen(aim: Aim, ground: Ground) -> None:
    if aim.target is not None:
        require_seen(is_seen=_is_seen(ground, aim.attacker, aim.target))


def _require_corners(rule: BattleState, aim: Aim) -> None:
    space = space_of(aim.attacker)
    if aim.cover_corner is not None:
        require_corner(aim.cover_corner, space)
    if aim.concealment_corner is not None:
        chooser = rule.options.concealment_corner_chooser
        require_concealment_corner(aim.concealment_corner, space, chooser)


def _require_nobody_seen(rule: BattleState, aim: Aim, ground: Ground) -> None:
    """Nobody in the guessed cell whom the attacker can see (TD-UNSEEN-2).

    Raises Refused("target_is_visible").
    """
    for creature in creatures_in(rule, aim):
        is_known = is_known_to_side(creature, aim.attacker.side)
        is_seen = is_known and _is_seen(ground, aim.attacker, creature)
        require_unseen((aim.at.x, aim.at.y), is_seen=is_seen)


def creatures_in(rule: BattleState, aim: Aim) -> tuple[Combatant, ...]:
    """Everybody in the cell that is aimed at and not dead, by number, the attacker left out."""
    return tuple(
        creature
        for creature in those_in(rule, (aim.at.x, aim.at.y))
        if creature.id != aim.attacker.id and not is_dead(creature)
    )


class Found(NamedTuple):
    """Somebody in a guessed cell; `cover` keeps the attack from him, None: he is attacked."""

    creature: Combatant
    cover: CoverReport | None


def found_in(battle: State[BattleState], aim: Aim) -> Found | None:
    """The first by number in the cell who is attacked, else the first; None: nobody is there."""
    guess = battle.terms.read_as(Readings).guess
    found = [
        Found(each, guess(cover_override_of(each, aim.attacker.id)))
        for each in creatures_in(battle.rule, aim)
    ]
    first = next(iter(found), None)
    return next((each for each in found if each.cover is None), first)


def _is_seen(ground: Ground, attacker: Combatant, target: Combatant) -> bool:
    """Whether the attacker has a line of sight to a creature; being hidden is no lack of one."""
    return has_line_of_sight(
        ground,
        space_of(attacker),
        space_of(target),
        attacker.senses,
        is_invisible="invisible" in target.conditions,
    )
