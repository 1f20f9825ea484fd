"""Weapons as the content states them; warriors carry them by their ids."""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import EVERYONE
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.engine.vocabulary.content_names import Title
from service.engine.vocabulary.values import NameText

WeaponKind = Literal["bow", "crossbow", "dart", "firearm", "thrown", "melee"]
"""Class of a weapon."""

QUIET_KINDS: Final[tuple[WeaponKind, ...]] = ("bow", "crossbow", "dart")
"""Classes of weapons that are quiet by themselves."""

ContentId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Id of a weapon, Melody, template or mistake table, unique among those of its kind."""

Strength = Annotated[int, Meta(ge=1, le=10)]
"""How strong a hit is (ML-SHOOT-6)."""

Pen = Annotated[int, Meta(ge=0, le=5)]
"""What a hit takes off a save (ML-SHOOT-6)."""

WeaponRange = Annotated[int, Meta(ge=1000, le=60_000)]
"""How far a weapon shoots: greatest edge distance in u."""


class BilingualName(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What something of the content is called; no rule reads it."""

    en: Annotated[NameText, EVERYONE]
    """English display name."""
    ru: Annotated[NameText, EVERYONE]
    """Russian display name."""


def title_of(name: BilingualName | UnsetType) -> Title | None:
    """What something of the content is called in sentences; None where it has no name."""
    return None if name is UNSET else Title(name.en, name.ru)


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon of the content."""

    id: Annotated[ContentId, EVERYONE]
    """Id of the weapon, which sheets and actions name."""
    name: Annotated[BilingualName | UnsetType, EVERYONE] = UNSET
    """Display names; absent where it has none but its id."""
    kind: Annotated[WeaponKind, EVERYONE]
    """Class of the weapon: `melee` ones fight, all others shoot. Bows, crossbows and darts are
    quiet (ML-AMB-2)."""
    silencer: Annotated[bool, EVERYONE] = False
    """Whether it has a silencer and is quiet; of a `firearm` only."""
    range: Annotated[WeaponRange | UnsetType, EVERYONE] = UNSET
    """Greatest edge distance in u (ML-SHOOT-1); absent for `melee`, stated for all others."""
    shots: Annotated[Annotated[int, Meta(ge=1, le=6)], EVERYONE] = 1
    """Dice to hit of one shooting action (ML-SHOOT-2)."""
    strength: Annotated[Strength, EVERYONE]
    """How strong a hit is (ML-SHOOT-6)."""
    pen: Annotated[Pen, EVERYONE] = 0
    """What a hit takes off a save (ML-SHOOT-6)."""
    damage: Annotated[Annotated[int, Meta(ge=1, le=6)], EVERYONE] = 1
    """Wounds that are lost for each wound that is not saved (ML-SHOOT-6)."""

    @property
    def title(self) -> Title | None:
        """What it is called in sentences."""
        return title_of(self.name)


def is_ranged(weapon: Weapon) -> bool:
    """Whether one shoots with a weapon; with all others one fights."""
    return weapon.kind != "melee"


def is_quiet(weapon: Weapon) -> bool:
    """Whether a weapon has the rule "quiet": by its class, or by a silencer (ML-AMB-2)."""
    return weapon.kind in QUIET_KINDS or weapon.silencer
