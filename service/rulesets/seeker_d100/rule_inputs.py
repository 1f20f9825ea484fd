"""The battle in the few plain values that the rules take: places, weapons, covers."""

from collections.abc import Mapping
from typing import NamedTuple, cast

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.vocabulary.values import Place
from service.rulesets.seeker_d100.content import BUILT_IN, Blob
from service.rulesets.seeker_d100.rules.armour import Armour, worn_armour
from service.rulesets.seeker_d100.rules.attack import default_delivery
from service.rulesets.seeker_d100.rules.cover import Cover
from service.rulesets.seeker_d100.rules.geometry import Point
from service.rulesets.seeker_d100.rules.words import (
    AttackSkill,
    DamageDice,
    Delivery,
    Metres,
    Part,
    Shots,
)
from service.rulesets.seeker_d100.state import BattleState, Combatant, Options, weapon_named
from service.rulesets.seeker_d100.terrain import CoverChange, Ground
from service.rulesets.seeker_d100.terrain import Point as Spot
from service.rulesets.seeker_d100.weapons import (
    BARE_HANDS,
    IMPROVISED,
    ArmourSample,
    Weapon,
    WeaponSample,
)

Blobs = Mapping[str, object]


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
    """What one strikes with who uses no weapon: the sheet's `w_unarmed`."""
    hands = next((each for each in combatant.weapons if each.id == BARE_HANDS), None)
    if hands is None:
        sample = next(each for each in BUILT_IN.weapons if each.id == BARE_HANDS)
        hands = Weapon(id=BARE_HANDS, skill=sample.skill, damage=sample.damage)
    return arm_of(hands, options)


def arm_at_hand(combatant: Combatant, weapon: str | None, options: Options) -> Arm:
    """The weapon of that id if the combatant can use it, else bare hands."""
    found = None if weapon is None else weapon_named(combatant, weapon)
    return bare_hands(combatant, options) if found is None else arm_of(found, options)


def point_of(combatant: Combatant) -> Point:
    """Where a combatant stands."""
    return combatant.place.x, combatant.place.y


def spot_of(point: Spot) -> Point:
    """A point of an action as the rules use it."""
    return point.x, point.y


def place_at(point: Point, before: Place | UnsetType = UNSET) -> Place:
    """A place on the table, at the height of the one before."""
    if before is UNSET:
        return Place(x=point[0], y=point[1])
    return replace(before, x=point[0], y=point[1])


def worn_by(combatant: Combatant, part: Part | None, options: Options) -> Armour:
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


def _blob(blobs: Blobs, digest: str | UnsetType) -> Blob | None:
    return None if digest is UNSET else cast("Blob | None", blobs.get(digest))


def weapon_samples(rule: BattleState, blobs: Blobs) -> tuple[WeaponSample, ...]:
    """The weapons of the battle's content."""
    content = _blob(blobs, rule.content)
    return () if content is None or content.weapons is UNSET else content.weapons


def weapon_sample(rule: BattleState, blobs: Blobs, sample: str) -> WeaponSample | None:
    """A weapon of the battle's content, if it has one of that id."""
    return next((each for each in weapon_samples(rule, blobs) if each.id == sample), None)


def armour_samples(rule: BattleState, blobs: Blobs) -> tuple[ArmourSample, ...]:
    """The pieces of armour of the battle's content."""
    content = _blob(blobs, rule.content)
    return () if content is None or content.armour is UNSET else content.armour


def armour_sample(rule: BattleState, blobs: Blobs, sample: str) -> ArmourSample | None:
    """A piece of armour of the battle's content, if it has one of that id."""
    return next((each for each in armour_samples(rule, blobs) if each.id == sample), None)


def cover_names(rule: BattleState, blobs: Blobs) -> tuple[str, ...]:
    """The ids of all covers that there are or were on this map, whoever knows of them."""
    board = _blob(blobs, rule.map)
    mapped = () if board is None or board.cover is UNSET else board.cover
    return (
        *(each.id for each in mapped),
        *(change.feature for change in (*rule.terrain, *rule.secrets)),
    )


def public_covers(rule: BattleState, blobs: Blobs) -> tuple[Cover, ...]:
    """The covers that everyone knows, by id."""
    return _covers(rule, blobs, ())


def covers_of(rule: BattleState, blobs: Blobs) -> tuple[Cover, ...]:
    """The covers as they are, with those that only the game master knows, by id."""
    return _covers(rule, blobs, rule.secrets)


def _covers(rule: BattleState, blobs: Blobs, secrets: tuple[CoverChange, ...]) -> tuple[Cover, ...]:
    known: dict[str, Cover] = {}
    board = _blob(blobs, rule.map)
    if board is not None and board.cover is not UNSET:
        scale = rule.options.cell_m if board.unit == "cells" else 1
        known = {each.id: cover_of(rule, blobs, each.id, each, scale) for each in board.cover}
    for change in (*rule.terrain, *secrets):
        if change.terrain is UNSET:
            known.pop(change.feature, None)
        else:
            known[change.feature] = cover_of(rule, blobs, change.feature, change.terrain, 1)
    return tuple(known[each] for each in sorted(known))


def cover_of(rule: BattleState, blobs: Blobs, name: str, ground: Ground, scale: int) -> Cover:
    """A cover as the rules use it, its value looked up in the content if it names a sample."""
    armour = 0 if ground.armour is UNSET else ground.armour
    if ground.sample is not UNSET and ground.armour is UNSET:
        sample = armour_sample(rule, blobs, ground.sample)
        armour = 0 if sample is None else sample.value
    return Cover(
        id=name,
        start=(ground.start.x * scale, ground.start.y * scale),
        end=(ground.end.x * scale, ground.end.y * scale),
        degree=ground.degree,
        armour=armour,
        exposed=ground.exposed,
    )
