"""Charging: a movement into contact, which gives the charger away at its declaration."""

from service.engine.battle.roster import require_combatant
from service.engine.battle.state import State
from service.errors import Refused
from service.rulesets.melody_d6.actions import Charge
from service.rulesets.melody_d6.deciding import moves
from service.rulesets.melody_d6.deciding.discovery import attack_begins
from service.rulesets.melody_d6.deciding.requirements import require_acting
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.remainders import MoveRemainder
from service.rulesets.melody_d6.rules.movement import ML_MOVE_6
from service.rulesets.melody_d6.state import BattleState, Combatant, is_on_table


def require_charge(view: State[BattleState], action: Charge) -> int:
    """All preconditions of a charge on what its side may know; the cost of its path in u.

    Raises Refused("unknown_combatant"), what `require_acting` does, then ("target_friendly"),
    ("target_gone"), ("already_moved"), ("engaged") and what `require_way` raises.
    """
    target = require_combatant(view.rule, action.target)
    charger = require_acting(view.rule, action.combatant, "movement")
    _require_target(charger, target)
    moves.require_free(view.rule, charger)
    return moves.require_path(view, charger, action.path, deed="charge", target=target.id)


def require_rest(view: State[BattleState], action: Charge, remainder: MoveRemainder) -> None:
    """The same of a charge on its way: what is left of it leads into contact, too.

    Raises what `require_charge` does, as far as it is still ahead.
    """
    target = require_combatant(view.rule, action.target)
    charger = require_acting(view.rule, action.combatant, "movement")
    _require_target(charger, target)
    moves.require_rest(view, remainder, target=target.id)


def _require_target(charger: Combatant, target: Combatant) -> None:
    if target.side == charger.side:
        raise Refused("target_friendly", rule=ML_MOVE_6, target=target.id)
    if not is_on_table(target):
        raise Refused("target_gone", rule=ML_MOVE_6, target=target.id)


def charge(resolution: Resolution, action: Charge) -> None:
    """A warrior charges. Raises Refused."""
    require_charge(resolution.view, action)
    attack_begins(resolution.effects, action.combatant)
    moves.set_out(resolution, action.combatant, action.path, "charge")
