"""An attack that is about to be made: who, with what, at whom or at which cell, and how far."""

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.rulesets.tactical_d20.actions import Attack, AttackCell
from service.rulesets.tactical_d20.creatures import elevation_of, space_of
from service.rulesets.tactical_d20.rules.geometry import cell_distance_ft, distance_ft
from service.rulesets.tactical_d20.rules.words import AttackMode
from service.rulesets.tactical_d20.state import BattleState, Combatant
from service.rulesets.tactical_d20.terrain import Corner
from service.rulesets.tactical_d20.weapons import Weapon


class Aim(Struct, frozen=True, kw_only=True):
    """An attack with one weapon.

    `at` is the target's space, for a guessed cell that cell; `target` is then who is attacked
    there, None as long as nobody is known to be. `distance_ft` counts to `at`.
    """

    mode: AttackMode
    attacker: Combatant
    weapon: Weapon
    target: Combatant | None
    at: Space
    distance_ft: int
    cover_corner: Cell | None = None
    concealment_corner: Cell | None = None
    is_guess: bool = False
    is_opportunity: bool = False

    @property
    def is_shot(self) -> bool:
        """Whether it is a ranged attack, which gives enemies nearby an opportunity."""
        return self.mode == "ranged"


def aim_at(
    rule: BattleState, action: Attack, attacker: Combatant, target: Combatant, weapon: Weapon
) -> Aim:
    """The attack on a target that an action states."""
    aim = aim_of(rule, attacker, target, weapon)
    if action.cover_corner is UNSET and action.concealment_corner is UNSET:
        return aim
    return replace(
        aim,
        cover_corner=_vertex(action.cover_corner),
        concealment_corner=_vertex(action.concealment_corner),
    )


def aim_of(rule: BattleState, attacker: Combatant, target: Combatant, weapon: Weapon) -> Aim:
    """An attack on a target from no corner in particular."""
    at = space_of(target)
    return Aim(
        mode=weapon.kind,
        attacker=attacker,
        weapon=weapon,
        target=target,
        at=at,
        distance_ft=distance_ft(
            space_of(attacker),
            elevation_of(attacker),
            at,
            elevation_of(target),
            rule.options.diagonal_rule,
        ),
    )


def aim_at_cell(rule: BattleState, action: AttackCell, attacker: Combatant, weapon: Weapon) -> Aim:
    """The attack on a cell that an action states; height makes no difference to a cell."""
    cell = (action.cell.x, action.cell.y)
    return Aim(
        mode=weapon.kind,
        attacker=attacker,
        weapon=weapon,
        target=None,
        at=Space(*cell),
        distance_ft=cell_distance_ft(space_of(attacker), cell, rule.options.diagonal_rule),
        cover_corner=_vertex(action.cover_corner),
        concealment_corner=_vertex(action.concealment_corner),
        is_guess=True,
    )


def aim_again(rule: BattleState, action: Attack | AttackCell) -> Aim:
    """The attack of an action in the battle as it is; nothing is checked.

    Attacker, weapon and target are known to be there.
    """
    attacker = existing(rule, action.combatant)
    weapon = next(each for each in attacker.weapons if each.id == action.weapon)
    if isinstance(action, AttackCell):
        return aim_at_cell(rule, action, attacker, weapon)
    return aim_at(rule, action, attacker, existing(rule, action.target), weapon)


def aim_into(aim: Aim, creature: Combatant) -> Aim:
    """The attack at a cell with whoever is there as its target; the distance is the cell's."""
    return replace(aim, target=creature)


def renewed(rule: BattleState, aim: Aim) -> Aim:
    """The same attack with attacker and target as the battle has them now."""
    target = None if aim.target is None else existing(rule, aim.target.id)
    return replace(aim, attacker=existing(rule, aim.attacker.id), target=target)


def _vertex(corner: Corner | UnsetType) -> Cell | None:
    return None if corner is UNSET else (corner.x, corner.y)
