"""What is checked before an action's own rules (2.2), in this order: ids, turn, unit, phase, state.

A player's action is judged on what he may know: hand in the battle as he perceives it. Role and
control, the moment, open decisions and the acting ids were judged by the engine already.
"""

from msgspec import UNSET

from service.engine.battle.roster import combatant_of, require_combatant
from service.engine.battle.state import State, controls
from service.engine.vocabulary.values import By
from service.errors import Forbidden, Refused
from service.rulesets.melody_d6.content import content_of, melody_of, weapon_of
from service.rulesets.melody_d6.melodies import Melody
from service.rulesets.melody_d6.rules.panic import ML_PANIC_4
from service.rulesets.melody_d6.rules.stun import ML_STUN_1
from service.rulesets.melody_d6.rules.turns import (
    ML_TURN_1,
    ML_TURN_2,
    ML_TURN_3,
    Phase,
    require_unspent,
)
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    is_fleeing,
    is_on_table,
    is_stunned,
    members_of,
)
from service.rulesets.melody_d6.weapons import Weapon, is_ranged


def require_own(view: State[BattleState], by: By, combatant: str) -> None:
    """Whoever answers controls the warrior it names, if it knows of that one.

    Raises Forbidden("not_your_combatant").
    """
    named = combatant_of(view.rule, combatant)
    if named is not None and not controls(by, view.linear, named):
        raise Forbidden("not_your_combatant", combatant=combatant)


def is_own_unit(view: State[BattleState], by: By, unit: str) -> bool:
    """Whether a caller may act for a unit: for one of its members on the table, if any is there."""
    present = [each for each in members_of(view.rule, unit) if is_on_table(each)]
    return not present or any(controls(by, view.linear, each) for each in present)


def require_own_unit(view: State[BattleState], by: By, unit: str) -> None:
    """Whoever acts for a unit controls one of its members on the table, if any is there.

    Raises Forbidden("not_your_unit").
    """
    if not is_own_unit(view, by, unit):
        raise Forbidden("not_your_unit", unit=unit)


def require_weapon(battle: State[BattleState], warrior: Combatant, weapon: str) -> Weapon:
    """A weapon that the warrior carries. Raises Refused("unknown_weapon")."""
    found = weapon_of(content_of(battle), weapon) if weapon in warrior.weapons else None
    if found is None:
        raise Refused("unknown_weapon", weapon=weapon, allowed=list(warrior.weapons))
    return found


def require_ranged(weapon: Weapon) -> None:
    """A weapon that shoots. Raises Refused("weapon_not_ranged")."""
    if not is_ranged(weapon):
        raise Refused("weapon_not_ranged", weapon=weapon.id)


def require_melody(battle: State[BattleState], melody: str) -> Melody:
    """A Melody of the content, whoever knows it. Raises Refused("unknown_melody")."""
    content = content_of(battle)
    found = melody_of(content, melody)
    if found is None:
        raise Refused(
            "unknown_melody", melody=melody, allowed=[each.id for each in content.melodies]
        )
    return found


def require_side_turn(rule: BattleState, side: str) -> None:
    """It is the turn of this side (mark T). Raises Refused("not_your_turn")."""
    if rule.turn_side != side:
        turn = {} if rule.turn_side is UNSET else {"turn": rule.turn_side}
        raise Refused("not_your_turn", rule=ML_TURN_1, side=side, **turn)


def require_active_unit(rule: BattleState, unit: str, *phases: Phase) -> None:
    """This unit's activation is open, in one of these phases (mark A, for actions of units).

    Raises Refused("no_active_unit") or ("wrong_phase"), checked in this order.
    """
    if rule.turn_unit != unit:
        raise Refused("no_active_unit", rule=ML_TURN_2, unit=unit)
    _require_phase(rule, phases)


def require_acting(rule: BattleState, combatant: str, *phases: Phase) -> Combatant:
    """The warrior acts in the open activation of its unit, in one of these phases (marks T, A).

    Raises Refused("not_your_turn"), ("no_active_unit"), ("warrior_not_in_active_unit"),
    ("wrong_phase") and what `require_able` does, checked in this order.
    """
    actor = require_in_activation(rule, combatant, *phases)
    require_able(actor)
    return actor


def require_in_activation(rule: BattleState, combatant: str, *phases: Phase) -> Combatant:
    """The warrior is of the unit whose activation is open, in one of these phases.

    As `require_acting`, but in whatever state the warrior is.
    """
    actor = require_combatant(rule, combatant)
    require_side_turn(rule, actor.side)
    if rule.turn_unit is UNSET:
        raise Refused("no_active_unit", rule=ML_TURN_2, unit=actor.unit)
    if actor.unit != rule.turn_unit:
        raise Refused(
            "warrior_not_in_active_unit", rule=ML_TURN_3, combatant=combatant, unit=rule.turn_unit
        )
    _require_phase(rule, phases)
    return actor


def _require_phase(rule: BattleState, phases: tuple[Phase, ...]) -> None:
    if rule.phase not in phases:
        raise Refused("wrong_phase", rule=ML_TURN_2, phase=rule.phase, allowed=list(phases))


def require_able(warrior: Combatant) -> None:
    """The warrior is there, steady and not stunned.

    Raises Refused("actor_incapacitated"), ("warrior_fleeing") or ("warrior_stunned"), checked in
    this order.
    """
    if not is_on_table(warrior):
        raise Refused("actor_incapacitated", combatant=warrior.id)
    if is_fleeing(warrior):
        raise Refused("warrior_fleeing", rule=ML_PANIC_4, combatant=warrior.id)
    if is_stunned(warrior):
        raise Refused("warrior_stunned", rule=ML_STUN_1, combatant=warrior.id)


def is_able(warrior: Combatant) -> bool:
    """Whether the warrior is there, steady and not stunned."""
    return is_on_table(warrior) and not is_fleeing(warrior) and not is_stunned(warrior)


def require_action(warrior: Combatant) -> None:
    """The warrior still has its action. Raises Refused("action_spent")."""
    require_unspent(warrior.id, "action", is_spent=warrior.acted)
