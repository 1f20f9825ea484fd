"""Weapons and grenades as sheets state them."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import EVERYONE, NUMBERS, TEXT
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.engine.vocabulary.values import NameText
from service.rulesets.squad_d100.rules.ranges import WeaponClass

ItemId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Id of a weapon or of grenades, unique with their bearer."""

ApClass = Annotated[int, Meta(ge=0, le=100)]
"""Armour-piercing class."""

Rounds = Annotated[int, Meta(ge=0, le=1000)]
"""Rounds, or grenades of one kind."""

FixedDamage = Annotated[int, Meta(ge=0, le=10_000)]
"""Damage that is not rolled, in points."""


class DamageDice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Damage that is rolled: `count` dice of `sides` sides and a `bonus`, never below 0."""

    count: Annotated[Annotated[int, Meta(ge=1, le=20)], EVERYONE]
    """Dice that are rolled and added up."""
    sides: Annotated[Annotated[int, Meta(ge=2, le=100)], EVERYONE]
    """Sides of each die."""
    bonus: Annotated[Annotated[int, Meta(ge=-100, le=1000)], EVERYONE] = 0
    """Points added to the sum of the dice."""


Damage = FixedDamage | DamageDice
"""What a penetration takes, before the heavy wound: points, or dice."""


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A firearm."""

    id: Annotated[ItemId, EVERYONE]
    """Id of the weapon, unique with its bearer; shots name it."""
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Name to display; no rule reads it."""
    kind: Annotated[WeaponClass, EVERYONE]
    """Class of the weapon: it says at which range the weapon is at home (SQ-RANGE-2 to 4)."""
    automatic: Annotated[bool | UnsetType, EVERYONE] = UNSET
    """Whether it fires bursts and suppresses; absent when it comes in: if it is an
    `automatic_rifle`."""
    ap_class: Annotated[ApClass, NUMBERS]
    """Armour-piercing class (SQ-AP-1)."""
    damage: Annotated[Damage, NUMBERS]
    """Damage of a penetration (SQ-WOUND-3)."""
    magazine: Annotated[Rounds, NUMBERS] = 0
    """Rounds in a full magazine."""
    rounds: Annotated[Rounds | UnsetType, NUMBERS] = UNSET
    """Rounds in the magazine now; absent when it comes in: as many as `magazine`."""
    burning: Annotated[bool, EVERYONE] = False
    """Whether it burns; nothing but how a wound is called depends on it (SQ-WOUND-5)."""


class Grenade(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Grenades of one kind."""

    id: Annotated[ItemId, EVERYONE]
    """Id of the grenades, unique with their bearer; throws name it."""
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Name to display; no rule reads it."""
    damage: Annotated[Damage, NUMBERS]
    """Damage of a penetration, rolled once for all in the blast (SQ-GREN-4)."""
    ap_class: Annotated[ApClass, NUMBERS]
    """Armour-piercing class (SQ-AP-1)."""
    radius: Annotated[Annotated[int, Meta(ge=0, le=20)], NUMBERS]
    """Radius of the blast in cells (SQ-GREN-4)."""
    burning: Annotated[bool, EVERYONE] = False
    """Whether it burns; nothing but how a wound is called depends on it (SQ-WOUND-5)."""
    count: Annotated[Rounds, NUMBERS] = 1
    """How many of them are left."""


Weapons = Annotated[tuple[Weapon, ...], Meta(max_length=20)]
Grenades = Annotated[tuple[Grenade, ...], Meta(max_length=20)]


def rounds_of(weapon: Weapon) -> int:
    """The rounds in a weapon; as many as its magazine holds where it does not say."""
    return weapon.magazine if weapon.rounds is UNSET else weapon.rounds


def is_automatic(weapon: Weapon) -> bool:
    """Whether a weapon fires bursts; where it does not say, automatic rifles do."""
    if weapon.automatic is UNSET:
        return weapon.kind == "automatic_rifle"
    return weapon.automatic
