"""Weapons and armour as sheets and the content's samples state them."""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.audience import EVERYONE, NUMBERS, TEXT
from service.engine.vocabulary import NameText, Word
from service.rulesets.seeker_d100.rules.words import (
    ArmouredPart,
    AttackSkill,
    DamageDice,
    Delivery,
    Metres,
    Shots,
)
from service.rulesets.seeker_d100.terrain import Protection

BARE_HANDS: Final = "w_unarmed"
"""The sample and the id of what everybody has: bare hands and feet."""

IMPROVISED: Final = "w_ied"
"""The sample whose lethality is the option `ied_lethality`."""

Rounds = Annotated[int, Meta(ge=0, le=1000)]
"""Rounds fired, or left."""

Radius = Annotated[int, Meta(ge=0, le=1000)]
"""A radius in metres as somebody asks for it."""

WeaponId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[a-z0-9_-]+$")]
"""Id of a weapon, unique with its bearer."""

ItemId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[a-z0-9_-]+$")]
"""Something one holds; a weapon of that id is the same thing."""


class Arms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a weapon is like. Whatever is left out, its sample states, or it has none of it.

    Without a delivery it is that of its skill; without ammunition stated it never runs out.
    """

    skill: Annotated[AttackSkill | UnsetType, EVERYONE] = UNSET
    delivery: Annotated[Delivery | UnsetType, EVERYONE] = UNSET
    damage: Annotated[DamageDice | UnsetType, NUMBERS] = UNSET
    lethality: Annotated[Annotated[int, Meta(ge=1, le=100)] | UnsetType, NUMBERS] = UNSET
    radius: Annotated[Metres | UnsetType, NUMBERS] = UNSET
    shots: Annotated[Shots | UnsetType, NUMBERS] = UNSET
    ammo: Annotated[Rounds | UnsetType, NUMBERS] = UNSET
    range_m: Annotated[Annotated[int, Meta(ge=1, le=100_000)] | UnsetType, NUMBERS] = UNSET


class Weapon(Arms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a combatant attacks with; `sample` names the content's weapon that it is one of.

    `dropped`: it lies on the ground and cannot be used.
    """

    id: Annotated[WeaponId, EVERYONE]
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    sample: Annotated[Word | UnsetType, EVERYONE] = UNSET
    dropped: Annotated[bool, EVERYONE] = False


class WeaponSample(Arms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon of the content, to be referred to by its id."""

    id: Annotated[Word, EVERYONE]
    en: Annotated[NameText | UnsetType, EVERYONE] = UNSET
    ru: Annotated[NameText | UnsetType, EVERYONE] = UNSET


class ArmourSample(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body armour or cover of the content, to be referred to by its id."""

    id: Annotated[Word, EVERYONE]
    value: Annotated[Protection, EVERYONE]
    en: Annotated[NameText | UnsetType, EVERYONE] = UNSET
    ru: Annotated[NameText | UnsetType, EVERYONE] = UNSET


class BodyArmour(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Armour worn: its value, or that of the content's `sample`, and the parts it protects."""

    value: Annotated[Protection | UnsetType, NUMBERS] = UNSET
    sample: Annotated[Word | UnsetType, EVERYONE] = UNSET
    parts: Annotated[Annotated[tuple[ArmouredPart, ...], Meta(max_length=6)], EVERYONE] = ("torso",)
