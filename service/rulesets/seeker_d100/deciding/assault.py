"""An attack as its action states it, and the requirements it has to meet.

All four attack actions become one `Assault`. Disarming and grappling are done with bare hands.
"""

from typing import NamedTuple

from msgspec import UNSET

from service.engine.battle.roster import combatant_of, existing
from service.engine.battle.state import State
from service.engine.geometry.segments import Spot
from service.errors import Refused
from service.rulesets.seeker_d100.actions import (
    Armed,
    Attack,
    AttackAction,
    CalledShot,
    Disarm,
    Grapple,
)
from service.rulesets.seeker_d100.covers import covers_of
from service.rulesets.seeker_d100.deciding.actor import require_actor, require_weapon
from service.rulesets.seeker_d100.deciding.moves import place_of_action
from service.rulesets.seeker_d100.equipment import (
    Arm,
    arm_of,
    bare_hands,
)
from service.rulesets.seeker_d100.places import spot_at, spot_of
from service.rulesets.seeker_d100.rules.area import SK_AREA_1, chosen_radius
from service.rulesets.seeker_d100.rules.attack import (
    SK_ATK_1,
    require_ammo,
    require_complete,
    require_in_range,
    require_reach,
    require_target,
    shots_fired,
)
from service.rulesets.seeker_d100.rules.called import (
    require_called_form,
    require_called_part,
    require_exposed,
)
from service.rulesets.seeker_d100.rules.cover import ALL_PARTS, covers_between
from service.rulesets.seeker_d100.rules.disarm import held_after_drop, require_free_hand
from service.rulesets.seeker_d100.rules.grapple import require_not_held
from service.rulesets.seeker_d100.rules.standing import require_intent_allowed
from service.rulesets.seeker_d100.rules.words import AttackKind, BodyPart, Intent
from service.rulesets.seeker_d100.state import BattleState, Combatant, is_dead


class Assault(NamedTuple):
    """An attack: who attacks with what, and where.

    `origin` is where the attacker stands, `centre` where the target stands, or the stated point.
    `radius` in metres, None for one target alone. `item` is the item a disarm is aimed at.
    """

    kind: AttackKind
    attacker: Combatant
    origin: Spot
    arm: Arm
    target: Combatant | None
    centre: Spot
    radius: int | None
    intent: Intent | None
    part: BodyPart | None
    over_cover: bool
    item: str | None

    @property
    def is_explosive(self) -> bool:
        """Whether it bursts at its centre."""
        return self.arm.delivery == "explosive"


def assault_of(rule: BattleState, action: AttackAction) -> Assault:
    """The attack that an action states, in the battle as it stands; nothing is checked."""
    attacker = existing(rule, action.combatant)
    here = spot_of(attacker)
    target = None if action.target is UNSET else combatant_of(rule, action.target)
    centre = here if target is None else spot_of(target)
    if isinstance(action, Disarm | Grapple):
        arm, radius = bare_hands(attacker, rule.options), None
    else:
        arm = arm_stated(rule, attacker, action.weapon)
        radius = None if arm.radius is None else arm.radius.min
        if action.radius is not UNSET:
            radius = action.radius
        if action.point is not UNSET:
            centre = spot_at(action.point)
            radius = radius or 0
    return Assault(
        kind=_kind(action),
        attacker=attacker,
        origin=here,
        arm=arm,
        target=target,
        centre=centre,
        radius=radius,
        intent=_intent(action),
        part=_part(action),
        over_cover=isinstance(action, CalledShot) and action.over_cover,
        item=action.item if isinstance(action, Disarm) else None,
    )


def rounds_of(arm: Arm, action: Armed) -> int:
    """The rounds that an attack takes: those it states, else the fewest (SK-ATK-3)."""
    return arm.shots.min if action.shots is UNSET else action.shots


def arm_stated(rule: BattleState, attacker: Combatant, weapon: str) -> Arm:
    """The weapon that an action states, which is sure to be there."""
    for each in attacker.weapons:
        if each.id == weapon:
            return arm_of(each, rule.options)
    raise KeyError(weapon)


def _kind(action: AttackAction) -> AttackKind:
    match action:
        case Attack():
            return "attack"
        case CalledShot():
            return "called_shot"
        case Disarm():
            return "disarm"
        case Grapple():
            return "grapple"


def _intent(action: AttackAction) -> Intent | None:
    return action.intent if isinstance(action, Attack) and action.intent is not UNSET else None


def _part(action: AttackAction) -> BodyPart | None:
    if not isinstance(action, CalledShot) or action.part is UNSET:
        return None
    return next((part for part in ALL_PARTS if part == action.part), None)


def require_attack(battle: State[BattleState], action: AttackAction) -> None:
    """An attack has to be allowed on what the caller may know.

    Raises Refused with the code of the first check that fails, in the catalogue's order.
    """
    rule = battle.rule
    attacker = require_actor(rule, action)
    origin = place_of_action(attacker, action.step)
    match action:
        case Disarm() | Grapple():
            _require_hand_to_hand(rule, action, attacker, origin)
        case Attack() | CalledShot():
            _require_armed(rule, action, attacker, origin)
    if isinstance(action, CalledShot):
        _require_called(battle, action, origin)


def _require_armed(
    rule: BattleState, action: Attack | CalledShot, attacker: Combatant, origin: Spot
) -> None:
    arm = arm_of(require_weapon(attacker, action.weapon), rule.options)
    require_complete(
        arm.item, has_damage=arm.damage is not None, has_lethality=arm.lethality is not None
    )
    require_intent_allowed(arm.skill, _intent(action))
    shots = shots_fired(None if action.shots is UNSET else action.shots, arm.shots)
    require_ammo(arm.item, arm.ammo, shots)
    centre = _require_centre(rule, action, arm, attacker)
    if arm.delivery == "melee":
        require_reach(origin, centre, rule.options.melee_reach_sq)
    require_in_range(origin, centre, arm.range_m)
    chosen_radius(None if action.radius is UNSET else action.radius, arm.radius)


def _require_centre(
    rule: BattleState, action: Attack | CalledShot, arm: Arm, attacker: Combatant
) -> Spot:
    """Where an attack goes: to its target, or with explosives to a point. Raises Refused."""
    if action.target is not UNSET:
        return spot_of(_require_target(rule, attacker, action.target))
    if arm.delivery != "explosive" or action.point is UNSET:
        raise Refused(
            "invalid_field",
            rule=SK_AREA_1,
            field="point",
            delivery=arm.delivery,
            allowed=["target"],
        )
    return spot_at(action.point)


def _require_target(rule: BattleState, attacker: Combatant, target: str) -> Combatant:
    combatant = combatant_of(rule, target)
    if combatant is None:
        allowed = [
            each.id for each in rule.combatants if each.id != attacker.id and not is_dead(each)
        ]
        raise Refused("unknown_target", rule=SK_ATK_1, target=target, allowed=allowed)
    require_target(attacker.id, target, is_dead=is_dead(combatant))
    return combatant


def _require_hand_to_hand(
    rule: BattleState, action: Disarm | Grapple, attacker: Combatant, origin: Spot
) -> None:
    target = _require_target(rule, attacker, action.target)
    require_reach(origin, spot_of(target), rule.options.melee_reach_sq)
    if isinstance(action, Disarm):
        require_free_hand(attacker.free_hands, rule.options.disarm_free_hands)
        held_after_drop(action.item, target.held_items)
    else:
        require_not_held(target.id, None if target.held_by is UNSET else target.held_by.holder)


def _require_called(battle: State[BattleState], action: CalledShot, origin: Spot) -> None:
    rule = battle.rule
    arm = arm_stated(rule, existing(rule, action.combatant), action.weapon)
    require_called_form(arm.delivery, has_part=action.part is not UNSET)
    if action.part is UNSET or action.target is UNSET:
        return
    part = require_called_part(action.part)
    if arm.delivery != "melee":
        there = spot_of(existing(rule, action.target))
        require_exposed(part, covers_between(origin, there, covers_of(battle)))
