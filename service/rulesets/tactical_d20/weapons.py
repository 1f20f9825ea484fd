"""Weapons and area effects as sheets state them."""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import EVERYONE, NUMBERS, TEXT
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.engine.vocabulary.values import NameText
from service.rulesets.tactical_d20.rules.words import AttackMode

WeaponId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Id of a weapon, unique with its bearer."""

AreaId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Id of an area effect, unique with its bearer."""

SheetBonus = Annotated[int, Meta(ge=-50, le=100)]
"""A bonus of the sheet, or a penalty below 0."""

MOST_REACH_FT: Final = 100
"""The greatest reach of a sheet, in feet."""

Reach = Annotated[int, Meta(ge=0, le=MOST_REACH_FT)]
"""How far one strikes, in feet."""

Radius = Annotated[int, Meta(ge=5, le=200)]
"""The radius of an area, in feet."""

Difficulty = Annotated[int, Meta(ge=0, le=100)]
"""What a Reflex save must reach."""

Defence = Literal["eac", "kac"]
"""Which armour class a weapon is rolled against."""


class DamageDice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Damage: `count` dice of `sides` sides and a fixed `bonus`, together never below 0."""

    count: Annotated[Annotated[int, Meta(ge=0, le=50)], EVERYONE] = 1
    """Dice that are rolled and added up; 0 draws nothing."""
    sides: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE]
    """Sides of each die."""
    bonus: Annotated[Annotated[int, Meta(ge=-100, le=1000)], EVERYONE] = 0
    """Points added to the sum of the dice."""


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a combatant attacks with. A ranged one states its increment."""

    id: Annotated[WeaponId, EVERYONE]
    """Id of the weapon, unique with its bearer; attacks name it."""
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Name to display; no rule reads it."""
    kind: Annotated[AttackMode, EVERYONE]
    """Whether one strikes or shoots with it."""
    attack_bonus: Annotated[SheetBonus, NUMBERS]
    """Added to the d20 of an attack before any modifier (TD-SD-2)."""
    targets: Annotated[Defence, NUMBERS] = "kac"
    """Armour class that it is rolled against."""
    damage: Annotated[DamageDice, NUMBERS]
    """Damage of a hit (TD-SD-2, TD-SD-3)."""
    range_increment_ft: Annotated[Annotated[int, Meta(ge=5, le=100_000)] | UnsetType, NUMBERS] = (
        UNSET
    )
    """Feet per step of range: each one after the first costs a shot (TD-SD-4). Stated for `ranged`
    weapons alone, which need it."""
    max_increments: Annotated[Annotated[int, Meta(ge=1, le=100)], NUMBERS] = 10
    """Farthest shot in increments (TD-SD-4); not read of a `melee` weapon."""
    reach_ft: Annotated[Reach | UnsetType, NUMBERS] = UNSET
    """Farthest target in feet of a strike with it; stated for `melee` weapons alone, absent: the
    reach of its bearer (TD-GEO-3)."""
    ready: Annotated[bool, EVERYONE] = True
    """Whether it is in hand; one that is not neither attacks nor controls cells (TD-GEO-3)."""


class Area(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An area effect that its bearer may use: everybody within the radius saves or suffers."""

    id: Annotated[AreaId, EVERYONE]
    """Id of the area effect, unique with its bearer; `area_attack` names it."""
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Name to display; no rule reads it."""
    radius_ft: Annotated[Radius, NUMBERS]
    """Radius in feet round the corner where it begins."""
    dc: Annotated[Difficulty, NUMBERS]
    """What a Reflex save must reach for half the damage."""
    damage: Annotated[DamageDice, NUMBERS]
    """Damage, rolled once for all."""
    spread: Annotated[bool, NUMBERS] = False
    """Whether it spreads round corners like a cloud and ignores cover (TD-COVER-7)."""
