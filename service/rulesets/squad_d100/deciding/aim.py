"""Who shoots at what with which weapon, and everything that must hold before (2.4)."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET

from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.engine.geometry.points import Cell
from service.errors import Refused
from service.rulesets.squad_d100.actions import Aim
from service.rulesets.squad_d100.deciding.arcs import is_arc_barred
from service.rulesets.squad_d100.ground import ground_of, line_options
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.explosives import SQ_EXP_1
from service.rulesets.squad_d100.rules.ground import Ground, has_shot_line, is_inside, terrain_at
from service.rulesets.squad_d100.rules.lines import SQ_LOS_3
from service.rulesets.squad_d100.rules.shots import Manner, require_rounds
from service.rulesets.squad_d100.rules.suppression import SQ_SUP_4
from service.rulesets.squad_d100.rules.wounds import SQ_WOUND_6
from service.rulesets.squad_d100.state import BattleState, Combatant, is_down, weapon_named
from service.rulesets.squad_d100.weapons import Weapon, rounds_of


class Mark(NamedTuple):
    """What a round is fired at: a combatant, or the object in a cell."""

    target: str | None
    cell: Cell


class Volley(NamedTuple):
    """The shots of one action, as its preconditions leave them: the weapon and mark of each."""

    shooter: str
    manner: Manner
    shots: tuple[tuple[str, Mark], ...]
    rounds: tuple[tuple[str, int], ...]
    gm_modifier: int = 0
    is_dual: bool = False
    is_reaction: bool = False


def require_weapon(actor: Combatant, weapon: str) -> Weapon:
    """A weapon that the combatant carries. Raises Refused("unknown_weapon")."""
    carried = weapon_named(actor, weapon)
    if carried is None:
        allowed = [each.id for each in actor.weapons]
        raise Refused("unknown_weapon", weapon=weapon, allowed=allowed)
    return carried


def require_marks(
    view: State[BattleState], shooter: Combatant, aims: Sequence[Aim]
) -> tuple[Mark, ...]:
    """What is shot at, each in the order of firing and each with all that must hold of it.

    Raises Refused("unknown_target"), ("target_self"), ("target_down"), ("not_a_target"),
    ("suppressed_arc") or ("no_line_of_shot").
    """
    ground = ground_of(view)
    return tuple(_require_mark(view.rule, ground, shooter, aim) for aim in aims)


def _require_mark(rule: BattleState, ground: Ground, shooter: Combatant, aim: Aim) -> Mark:
    if isinstance(aim.target, str):
        target = require_target(rule, shooter, aim.target)
        cell = require_cell(target)
    else:
        target, cell = None, _require_object(ground, aim)
    if is_arc_barred(rule, shooter, target, cell, due_only=True):
        raise Refused("suppressed_arc", rule=SQ_SUP_4, combatant=shooter.id)
    require_shot_line(rule, ground, shooter, cell)
    return Mark(None if target is None else target.id, cell)


def require_target(rule: BattleState, attacker: Combatant, target: str) -> Combatant:
    """Somebody else who is not down.

    Raises Refused("unknown_target"), ("target_self") or ("target_down").
    """
    combatant = combatant_of(rule, target)
    if combatant is None:
        raise Refused("unknown_target", target=target)
    if target == attacker.id:
        raise Refused("target_self", target=target)
    if is_down(combatant):
        raise Refused("target_down", rule=SQ_WOUND_6, target=target)
    return combatant


def require_cell(target: Combatant) -> Cell:
    """Where a target is. Raises Refused("no_line_of_shot") for one that is nowhere."""
    if target.place is UNSET:
        raise Refused("no_line_of_shot", rule=SQ_LOS_3, target=target.id)
    return cell_of(target)


def _require_object(ground: Ground, aim: Aim) -> Cell:
    """A cell with cargo or fuel. Raises Refused("unknown_target") or ("not_a_target")."""
    if aim.cell is UNSET:
        raise ValueError("a shot is at a combatant or at a cell")
    cell = (aim.cell.x, aim.cell.y)
    if not is_inside(ground, cell):
        raise Refused("unknown_target", x=cell[0], y=cell[1])
    if terrain_at(ground, cell) not in ("explosive_cargo", "fuel"):
        raise Refused("not_a_target", rule=SQ_EXP_1, x=cell[0], y=cell[1])
    return cell


def require_shot_line(rule: BattleState, ground: Ground, attacker: Combatant, cell: Cell) -> None:
    """Nothing that stops shots is between. Raises Refused("no_line_of_shot")."""
    if not has_shot_line(ground, cell_of(attacker), cell, line_options(rule.options)):
        raise Refused("no_line_of_shot", rule=SQ_LOS_3, x=cell[0], y=cell[1])


def require_ammunition(actor: Combatant, rounds: Sequence[tuple[str, int]]) -> None:
    """Each weapon has the rounds of the whole action. Raises Refused("not_enough_ammo")."""
    for weapon, needed in rounds:
        require_rounds(weapon, rounds_of(require_weapon(actor, weapon)), needed)
