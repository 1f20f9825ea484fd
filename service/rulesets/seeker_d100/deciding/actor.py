"""Requirements that every action of a combatant shares, checked on what the caller may know."""

from msgspec import UNSET

from service.engine.battle.roster import require_combatant
from service.errors import Refused
from service.rulesets.seeker_d100.actions import (
    Attack,
    CalledShot,
    Deed,
    Disarm,
    Grapple,
    Move,
)
from service.rulesets.seeker_d100.rules.attack import SK_ATK_1
from service.rulesets.seeker_d100.rules.grapple import require_held_may, require_holder_may
from service.rulesets.seeker_d100.rules.turns import (
    require_action_left,
    require_active,
    require_turn,
)
from service.rulesets.seeker_d100.state import BattleState, Combatant, felled_state, weapon_named
from service.rulesets.seeker_d100.weapons import Weapon


def require_actor(rule: BattleState, action: Deed) -> Combatant:
    """The combatant, if an action of this kind is open to it at this moment.

    That it is not out is checked before the turn, which passes over combatants that are out.
    Raises Refused("unknown_combatant"), ("actor_incapacitated"), ("not_your_turn"),
    ("action_spent"), ("held") or ("holding_target").
    """
    actor = require_combatant(rule, action.combatant)
    require_active(actor.id, felled_state(actor))
    require_turn(actor.id, None if rule.turn is UNSET else rule.turn)
    require_action_left(actor.id, is_action_spent=not actor.actions_left)
    _require_free(actor, action)
    return actor


def _require_free(actor: Combatant, action: Deed) -> None:
    name = str(action.__struct_config__.tag)
    steps = not isinstance(action, Move) and action.step is not UNSET
    if actor.held_by is not UNSET:
        require_held_may(name, steps=steps)
    if actor.holding is not UNSET:
        require_holder_may(name, held_target=actor.holding, target=_target_of(action), steps=steps)


def _target_of(action: Deed) -> str | None:
    if isinstance(action, Attack | CalledShot | Disarm | Grapple):
        return None if action.target is UNSET else action.target
    return None


def require_weapon(combatant: Combatant, weapon: str) -> Weapon:
    """A weapon that the combatant can use. Raises Refused("unknown_weapon")."""
    own = weapon_named(combatant, weapon)
    if own is None:
        allowed = [each.id for each in combatant.weapons if not each.dropped]
        raise Refused("unknown_weapon", rule=SK_ATK_1, weapon=weapon, allowed=allowed)
    return own
