"""What every combatant's action asks first, on what the asker may know."""

from service.errors import Refused
from service.rulesets.crossfire_d6.state import (
    BattleState,
    Combatant,
    actions_of,
    combatant_named,
    is_out,
)


def known(rule: BattleState, combatant: str) -> Combatant:
    """The combatant of that id. Raises Refused("unknown_combatant")."""
    found = combatant_named(rule, combatant)
    if found is None:
        raise Refused("unknown_combatant", combatant=combatant)
    return found


def acting(rule: BattleState, combatant: str) -> Combatant:
    """The combatant, whose turn it is and who is able to act.

    Raises Refused("unknown_combatant"), ("not_your_turn") or ("actor_incapacitated").
    """
    actor = known(rule, combatant)
    if rule.turn != combatant:
        raise Refused("not_your_turn", rule="CF-SD-1", combatant=combatant)
    if is_out(actor):
        raise Refused("actor_incapacitated", combatant=combatant, conditions=list(actor.conditions))
    return actor


def require_action_left(actor: Combatant) -> None:
    """An action is left in this turn. Raises Refused("no_actions_left")."""
    if actions_of(actor) < 1:
        raise Refused("no_actions_left", rule="CF-SD-1", combatant=actor.id)


def require_hostile(actor: Combatant, other: Combatant) -> None:
    """The other is of another side. Raises Refused("target_not_hostile")."""
    if actor.side == other.side:
        raise Refused("target_not_hostile", target=other.id, side=other.side)
