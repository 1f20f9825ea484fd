"""Who may act now, and the two phases of a turn: when the first may end and the second begins."""

from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State
from service.errors import Refused
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.actions import EndMovement
from service.rulesets.squad_d100.deciding.cover_duty import require_duty_done
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.rules.shots import require_shooting_phase as require_phase_free
from service.rulesets.squad_d100.rules.turns import SQ_TURN_1, require_movement_phase
from service.rulesets.squad_d100.state import BattleState, Combatant, is_down, points_left


def acting(rule: BattleState, combatant: str) -> Combatant:
    """The combatant, which is not down and has the turn.

    Raises Refused("unknown_combatant"), ("combatant_down") or ("not_your_turn").
    """
    actor = require_combatant(rule, combatant)
    if is_down(actor):
        raise Refused("combatant_down", combatant=combatant)
    if rule.turn != combatant:
        raise Refused("not_your_turn", combatant=combatant)
    return actor


def moving(rule: BattleState, combatant: str) -> Combatant:
    """The combatant, which has the turn and is in its movement phase.

    Raises what `acting` does, then Refused("wrong_phase").
    """
    actor = acting(rule, combatant)
    require_movement_phase(actor.phase, combatant)
    return actor


def require_end_movement(view: State[BattleState], actor: Combatant) -> None:
    """The movement phase of whoever has the turn may end.

    Raises Refused("wrong_phase"), ("shooting_phase_lost") or ("must_seek_cover").
    """
    require_movement_phase(actor.phase, actor.id)
    require_phase_free(has_sprinted=actor.sprinted, is_used=False)
    require_duty_done(view, actor)


def require_shooting_phase(view: State[BattleState], actor: Combatant) -> None:
    """The shooting phase of whoever has the turn is free, or the movement phase may end for it.

    Raises Refused("shooting_phase_lost"), ("must_seek_cover") or ("shooting_phase_used").
    """
    if actor.phase == "movement":
        require_end_movement(view, actor)
    require_phase_free(has_sprinted=actor.sprinted, is_used=actor.shooting_used)


def begin_shooting(effects: BattleEffects, combatant: str) -> None:
    """The shooting phase begins, unless it has: movement points that are left are lost."""
    actor = existing(effects.rule, combatant)
    if actor.phase == "movement":
        effects.emit(own.PhaseChanged(rule=SQ_TURN_1, phase="shooting", combatant=combatant))
        if points_left(actor):
            effects.emit(own.ResourceChanged(combatant=combatant, resource="mp", now=0))


def spend_points(effects: BattleEffects, combatant: str, price: int) -> None:
    """A price in movement points is paid; a price of 0 is none."""
    if price:
        left = points_left(existing(effects.rule, combatant)) - price
        effects.emit(own.ResourceChanged(combatant=combatant, resource="mp", now=left))


def end_movement(resolution: Resolution, action: EndMovement) -> None:
    """The effects of ending the movement phase."""
    require_end_movement(resolution.view, acting(resolution.view.rule, action.combatant))
    effects = resolution.effects
    begin_shooting(effects, action.combatant)
