"""Weapons and armour as sheets and the content's samples state them."""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import EVERYONE, NEEDED, NUMBERS, TEXT, unseen
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.engine.vocabulary.content_names import Title, title_of
from service.engine.vocabulary.values import NameText, Word
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

WeaponId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Id of a weapon, unique with its bearer."""

ItemId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Something one holds; a weapon of that id is the same thing."""


class Arms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a weapon is like. Whatever is left out, its sample states, or it has none of it.

    Without a delivery it is that of its skill; without ammunition stated it never runs out.
    """

    skill: Annotated[AttackSkill | UnsetType, EVERYONE] = UNSET
    """Skill that an attack is rolled on (SK-ATK-2); must be stated unless the sample has it."""
    delivery: Annotated[Delivery | UnsetType, EVERYONE] = UNSET
    """How it reaches its target, which decides the possible answers (SK-REACT-2). Absent: `melee`
    for melee_weapon and unarmed, `bullet` for ranged and heavy_weapons, `thrown` for athletics,
    `explosive` for demolitions.
    """
    damage: Annotated[DamageDice | UnsetType, NUMBERS, NEEDED] = UNSET
    """Damage dice of an ordinary weapon (SK-DMG-1). A weapon needs either these or `lethality` to
    attack, never both.
    """
    lethality: Annotated[Annotated[int, Meta(ge=1, le=100)] | UnsetType, NUMBERS] = UNSET
    """Chance in per cent that a hit kills at once (SK-LETH-1), in the place of `damage`; of the
    sample `w_ied` the option `ied_lethality` says it.
    """
    radius: Annotated[Metres | UnsetType, NUMBERS] = UNSET
    """Metres round the target or point within which all are struck (SK-AREA-1); absent if it
    strikes one target alone.
    """
    shots: Annotated[Shots | UnsetType, NUMBERS] = UNSET
    """How many rounds one attack may fire (SK-ATK-3); absent: exactly 1."""
    ammo: Annotated[Rounds | UnsetType, NUMBERS] = UNSET
    """Rounds left; absent if it never runs out."""
    range_m: Annotated[Annotated[int, Meta(ge=1, le=100_000)] | UnsetType, NUMBERS] = UNSET
    """Metres beyond which a target is refused as `out_of_range`; absent: no limit."""


class Weapon(Arms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a combatant attacks with; `sample` names the content's weapon that it is one of.

    `dropped`: it lies on the ground and cannot be used.
    """

    id: Annotated[WeaponId, EVERYONE]
    """Id of the weapon with its bearer, by which actions name it; `w_unarmed`: bare hands."""
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Display name; no rule reads it."""
    sample: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Id of the content's weapon that states whatever is left out here."""
    dropped: Annotated[bool, EVERYONE] = False
    """Whether it lies on the ground, out of its bearer's hands, and cannot be used."""


class WeaponSample(Arms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon of the content, to be referred to by its id."""

    id: Annotated[Word, EVERYONE]
    """Id of the sample, which weapons of a sheet name as their `sample`."""
    en: Annotated[NameText | UnsetType, EVERYONE] = UNSET
    """English display name."""
    ru: Annotated[NameText | UnsetType, EVERYONE] = UNSET
    """Russian display name."""

    @property
    def title(self) -> Title | None:
        """What it is called in sentences."""
        return title_of(self.en, self.ru)


class ArmourSample(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body armour or cover of the content, to be referred to by its id."""

    id: Annotated[Word, EVERYONE]
    """Id of the sample, which body armour and covers name as their `sample`."""
    value: Annotated[Protection, EVERYONE]
    """Points of damage it takes off, after any doubling (SK-ARM-1)."""
    en: Annotated[NameText | UnsetType, EVERYONE] = UNSET
    """English display name."""
    ru: Annotated[NameText | UnsetType, EVERYONE] = UNSET
    """Russian display name."""


class BodyArmour(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Armour worn: its value, or that of the content's `sample`, and the parts it protects."""

    value: Annotated[Protection | UnsetType, NUMBERS, unseen(0)] = UNSET
    """Points of damage it takes off (SK-ARM-1). A creation states it or `sample`; the state has it
    always.
    """
    sample: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Id of the content's armour whose value it has."""
    parts: Annotated[Annotated[tuple[ArmouredPart, ...], Meta(max_length=6)], EVERYONE] = ("torso",)
    """Parts of the body it protects; counts for called shots alone (SK-CALL-4)."""
