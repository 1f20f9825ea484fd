"""Weapons and armour of a combatant as the rules use them."""

from typing import NamedTuple

from msgspec import UNSET

from service.rulesets.seeker_d100.content import BUILT_IN
from service.rulesets.seeker_d100.rules.armour import Armour, worn_armour
from service.rulesets.seeker_d100.rules.attack import default_delivery
from service.rulesets.seeker_d100.rules.resist import is_melee_skill
from service.rulesets.seeker_d100.rules.words import (
    AttackSkill,
    BodyPart,
    DamageDice,
    Delivery,
    Metres,
    Shots,
)
from service.rulesets.seeker_d100.state import Combatant, Options, weapon_named
from service.rulesets.seeker_d100.weapons import (
    BARE_HANDS,
    IMPROVISED,
    Weapon,
)


class Arm(NamedTuple):
    """A weapon as the rules use it; `item` is its id with its bearer."""

    item: str
    skill: AttackSkill
    delivery: Delivery
    damage: DamageDice | None
    lethality: int | None
    radius: Metres | None
    shots: Shots
    ammo: int | None
    range_m: int | None


def arm_of(weapon: Weapon, options: Options) -> Arm:
    """A weapon of a sheet; an improvised explosive has the lethality of the option."""
    skill: AttackSkill = "unarmed" if weapon.skill is UNSET else weapon.skill
    lethality = None if weapon.lethality is UNSET else weapon.lethality
    if weapon.sample == IMPROVISED and lethality is None and weapon.damage is UNSET:
        lethality = options.ied_lethality
    return Arm(
        item=weapon.id,
        skill=skill,
        delivery=default_delivery(skill) if weapon.delivery is UNSET else weapon.delivery,
        damage=None if weapon.damage is UNSET else weapon.damage,
        lethality=lethality,
        radius=None if weapon.radius is UNSET else weapon.radius,
        shots=Shots() if weapon.shots is UNSET else weapon.shots,
        ammo=None if weapon.ammo is UNSET else weapon.ammo,
        range_m=None if weapon.range_m is UNSET else weapon.range_m,
    )


def bare_hands(combatant: Combatant, options: Options) -> Arm:
    """What a combatant without a weapon strikes with: its sheet's `w_unarmed`, else the rulebook's.

    Its skill is unarmed combat and its delivery a blow, whatever the sheet states: a disarm, a
    grapple and a resist without a weapon are unarmed checks (SK-DIS-1, SK-GRAB-1, SK-STAND-1).
    """
    hands = next((weapon for weapon in combatant.weapons if weapon.id == BARE_HANDS), None)
    if hands is None:
        sample = next(weapon for weapon in BUILT_IN.weapons if weapon.id == BARE_HANDS)
        hands = Weapon(id=BARE_HANDS, skill=sample.skill, damage=sample.damage)
    return arm_of(hands, options)._replace(skill="unarmed", delivery="melee", range_m=None)


def arm_at_hand(combatant: Combatant, weapon: str | None, options: Options) -> Arm:
    """The weapon of that id if the combatant can use it, else bare hands."""
    own = None if weapon is None else weapon_named(combatant, weapon)
    return bare_hands(combatant, options) if own is None else arm_of(own, options)


def resisting_weapons(combatant: Combatant, options: Options) -> list[str]:
    """The ids of the weapons at hand that blows can be resisted with."""
    arms = (arm_of(weapon, options) for weapon in combatant.weapons if not weapon.dropped)
    return [arm.item for arm in arms if is_melee_skill(arm.skill)]


def worn_by(combatant: Combatant, part: BodyPart | None, options: Options) -> Armour:
    """The worn armour that counts against an attack, at `part` if it was called."""
    armour = combatant.body_armour
    body = 0 if armour is UNSET or armour.value is UNSET else armour.value
    return worn_armour(
        body,
        () if armour is UNSET else armour.parts,
        has_helmet=combatant.helmet,
        part=part,
        ignores=options.called_ignores_armour,
    )
