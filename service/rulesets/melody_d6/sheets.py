"""The sheet of a warrior: bounds of its numbers, singers, resistances."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from service.engine.visibility.audience import EVERYONE, NUMBERS, unseen
from service.rulesets.melody_d6.weapons import ContentId

Mobility = Annotated[int, Meta(ge=0, le=12)]
Move = Annotated[int, Meta(ge=0, le=20_000)]
Skill = Annotated[int, Meta(ge=0, le=10)]
Toughness = Annotated[int, Meta(ge=1, le=10)]
Wounds = Annotated[int, Meta(ge=1, le=20)]
WoundsLeft = Annotated[int, Meta(ge=0, le=20)]
Armour = Annotated[int, Meta(ge=2, le=6)]
Courage = Annotated[int, Meta(ge=2, le=12)]
Sight = Annotated[int, Meta(ge=1000, le=170_000)]
BaseRadius = Annotated[int, Meta(ge=100, le=5000)]
Rerolls = Annotated[int, Meta(ge=0, le=3)]
Bonus = Annotated[int, Meta(ge=-10, le=10)]

FULL: Final = 20
"""Wounds left that a creation leaves out: as many as `health_max`."""

Presence = Literal["table", "out", "fled"]
"""Whether a warrior is on the table, was killed, or has left it in flight."""


class Singer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a warrior who sings Melodies can do (1.2)."""

    song_dice: Annotated[Annotated[int, Meta(ge=1, le=8)], NUMBERS, unseen(2)] = 2
    """D6 of a song or of a dampening."""
    song_bonus: Annotated[Bonus, NUMBERS, unseen(0)] = 0
    """Added to a song (ML-SING-1)."""
    dampen_bonus: Annotated[Bonus, NUMBERS, unseen(0)] = 0
    """Added to a dampening (ML-DAMP-2)."""
    rerolls_per_round: Annotated[Rerolls, NUMBERS, unseen(0)] = 0
    """Ordinary rerolls per round, of songs and dampenings together (ML-SING-7)."""
    melodies: Annotated[
        Annotated[tuple[ContentId, ...], Meta(min_length=1, max_length=20)], EVERYONE
    ]
    """Ids of the Melodies that it knows, each once."""


class Resistance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Resistance X Y (ML-RES-1)."""

    to: Annotated[ContentId, EVERYONE]
    """What it holds against: a Melody's id, its colour, one of its tags, or `melody`."""
    value: Annotated[Annotated[int, Meta(ge=1, le=6)], EVERYONE]
    """Highest face of the die that resists (ML-RES-2)."""
