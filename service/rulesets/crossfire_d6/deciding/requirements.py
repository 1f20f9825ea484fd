"""What every combatant's action asks first, on what the asker may know."""

from msgspec import UNSET

from service.engine.kit.combatants import require_combatant
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.defaults import CF_SD_1
from service.rulesets.crossfire_d6.rules.facing import turn_facts
from service.rulesets.crossfire_d6.state import BattleState, Combatant, actions_of, is_out


def able(rule: BattleState, combatant: str) -> Combatant:
    """The combatant, who is neither helpless nor dead.

    Asked before the turn: those who are out are passed over, so they never have one, and that it
    is somebody else's turn would not tell them why they cannot act.
    Raises Refused("unknown_combatant") or ("actor_incapacitated").
    """
    actor = require_combatant(rule, combatant)
    if is_out(actor):
        raise Refused("actor_incapacitated", combatant=combatant, conditions=list(actor.conditions))
    return actor


def acting(rule: BattleState, combatant: str) -> Combatant:
    """The combatant, who is able to act and whose turn it is.

    Raises Refused("unknown_combatant"), ("actor_incapacitated") or ("not_your_turn").
    """
    actor = able(rule, combatant)
    if rule.turn != combatant:
        raise Refused("not_your_turn", rule=CF_SD_1, **turn_facts(combatant, whose_turn(rule)))
    return actor


def whose_turn(rule: BattleState) -> str | None:
    """Who has the turn, as far as the asker may know."""
    return None if rule.turn is UNSET else rule.turn


def require_action_left(actor: Combatant) -> None:
    """An action is left in this turn. Raises Refused("no_actions_left")."""
    if actions_of(actor) < 1:
        raise Refused("no_actions_left", rule=CF_SD_1, combatant=actor.id)


def require_hostile(actor: Combatant, other: Combatant) -> None:
    """The other is of another side. Raises Refused("target_not_hostile")."""
    if actor.side == other.side:
        raise Refused("target_not_hostile", target=other.id, side=other.side)
