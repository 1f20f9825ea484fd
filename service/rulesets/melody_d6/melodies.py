"""Melodies as the content states them: how they are sung, what they do, what a mistake does.

Lengths are in u, 1,000 of them one step. The kinds of effects are a closed list.
"""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import EVERYONE
from service.engine.vocabulary.content_names import Title
from service.engine.vocabulary.values import Word
from service.rulesets.melody_d6.weapons import BilingualName, ContentId, Pen, Strength, title_of

MOST_EFFECTS: Final = 10
"""Effects of one list."""

MISTAKE_ROWS: Final = 6
"""Rows of a mistake table, one for each face of a D6."""

Colour = Literal["red", "orange", "yellow", "green", "sky", "blue", "violet"]
"""Colour of a Melody in the Rainbow of Music; a Resistance may name it (ML-RES-1)."""

Targeting = Literal["model", "point", "ray"]
"""`model`: one warrior. `point`: a template round a point. `ray`: one that starts at the singer."""

TargetSide = Literal["enemy", "friend", "any"]
"""Whom a Melody of one warrior may choose; the singer is a friend of its own."""

Duration = Literal["instant", "lasting"]

MistakeScope = Literal["singer", "singer_unit", "around"]
"""Whom a row of a mistake table strikes: the singer, its unit, or all others around it."""

Amount = Annotated[int, Meta(ge=1, le=20)]
"""Wounds that are lost or healed."""

PanicModifier = Annotated[int, Meta(ge=-12, le=12)]
"""Added to the courage of a panic test (ML-PANIC-1)."""

Delta = Annotated[int, Meta(ge=-10, le=10)]
"""What a lasting Melody adds to a roll."""

TemplateLength = Annotated[int, Meta(ge=100, le=20_000)]
"""A measure of a template in u."""

Around = Annotated[int, Meta(ge=0, le=20_000)]
"""How far round the singer a mistake reaches: edge distance in u, inclusive."""


class MelodyEffect(Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    """What a Melody or a mistake does to a warrior."""


class MelodyWound(MelodyEffect, frozen=True, kw_only=True, tag="wound"):
    """One hit: a wound roll, then a save (ML-SHOOT-6)."""

    strength: Annotated[Strength, EVERYONE]
    """How strong the hit is."""
    pen: Annotated[Pen, EVERYONE] = 0
    """What it takes off the save."""
    damage: Annotated[Amount, EVERYONE] = 1
    """Wounds that are lost where it is not saved."""


class MelodyDamage(MelodyEffect, frozen=True, kw_only=True, tag="damage"):
    """Wounds are lost without a roll."""

    amount: Annotated[Amount, EVERYONE]
    """How many."""


class MelodyHeal(MelodyEffect, frozen=True, kw_only=True, tag="heal"):
    """Wounds are healed, never more than were lost."""

    amount: Annotated[Amount, EVERYONE]
    """How many at most."""


class MelodyPanic(MelodyEffect, frozen=True, kw_only=True, tag="panic"):
    """A panic test of the warrior's unit, once for each unit in one song or row (ML-PANIC-1)."""

    modifier: Annotated[PanicModifier, EVERYONE] = 0
    """Added to the courage: below 0 the test is harder."""


class MelodyStun(MelodyEffect, frozen=True, kw_only=True, tag="stun"):
    """The warrior is stunned (ML-STUN-1)."""


class MelodyDaze(MelodyEffect, frozen=True, kw_only=True, tag="daze"):
    """The warrior is dazed: it shoots at -1 until the end of its side's turn (ML-SHOOT-5)."""


class MelodyReveal(MelodyEffect, frozen=True, kw_only=True, tag="reveal"):
    """The warrior loses its masking; it may mask again (ML-MASK-15)."""


class MelodyPush(MelodyEffect, frozen=True, kw_only=True, tag="push"):
    """The warrior is moved away from where the effect comes from (ML-MOVE-8)."""

    distance: Annotated[Annotated[int, Meta(ge=1, le=20_000)], EVERYONE]
    """How far, in u."""


class ModMove(MelodyEffect, frozen=True, kw_only=True, tag="mod_move"):
    """The warrior may move farther, or less far (ML-MOVE-1)."""

    delta: Annotated[Annotated[int, Meta(ge=-20_000, le=20_000)], EVERYONE]
    """Added to its allowance, in u."""


class ModHitBy(MelodyEffect, frozen=True, kw_only=True, tag="mod_hit_by"):
    """The warrior's own shots hit more easily, or less so (ML-SHOOT-5)."""

    delta: Annotated[Delta, EVERYONE]
    """Added to each of its rolls to hit."""


class ModHitAt(MelodyEffect, frozen=True, kw_only=True, tag="mod_hit_at"):
    """Shots at the warrior hit more easily, or less so (ML-SHOOT-5)."""

    delta: Annotated[Delta, EVERYONE]
    """Added to each roll to hit it."""


class ModSong(MelodyEffect, frozen=True, kw_only=True, tag="mod_song"):
    """The warrior sings and dampens better, or worse (ML-SING-1, ML-DAMP-2)."""

    delta: Annotated[Delta, EVERYONE]
    """Added to the total of its song and dampening rolls."""


class Hoarseness(MelodyEffect, frozen=True, kw_only=True, tag="hoarse"):
    """The singer is hoarse and cannot sing (ML-HOARSE-1)."""

    rounds: Annotated[Annotated[int, Meta(ge=1, le=20)], EVERYONE]
    """How many rounds, the present one among them."""


InstantEffect = (
    MelodyWound
    | MelodyDamage
    | MelodyHeal
    | MelodyPanic
    | MelodyStun
    | MelodyDaze
    | MelodyReveal
    | MelodyPush
)
"""What happens at once."""

LastingEffect = ModMove | ModHitBy | ModHitAt | ModSong
"""What holds as long as a lasting Melody is in play; lasting Melodies do nothing else."""

AnyMelodyEffect = (
    MelodyWound
    | MelodyDamage
    | MelodyHeal
    | MelodyPanic
    | MelodyStun
    | MelodyDaze
    | MelodyReveal
    | MelodyPush
    | ModMove
    | ModHitBy
    | ModHitAt
    | ModSong
)
"""What a Melody may do."""

MistakeEffect = (
    MelodyWound
    | MelodyDamage
    | MelodyHeal
    | MelodyPanic
    | MelodyStun
    | MelodyDaze
    | MelodyReveal
    | MelodyPush
    | Hoarseness
)
"""What a Terrible Mistake may do."""

MelodyEffects = Annotated[tuple[AnyMelodyEffect, ...], Meta(max_length=MOST_EFFECTS)]


class Template(Struct, frozen=True, kw_only=True, tag_field="shape", forbid_unknown_fields=True):
    """A shape that is laid on the table."""

    id: Annotated[ContentId, EVERYONE]
    """Id of the template, which Melodies name."""


class DiscTemplate(Template, frozen=True, kw_only=True, tag="disc"):
    """A disc, placed with its centre on a point (ML-GEO-10)."""

    radius: Annotated[TemplateLength, EVERYONE]
    """Radius in u."""


class BeamTemplate(Template, frozen=True, kw_only=True, tag="beam"):
    """A rectangle that begins at the singer (ML-GEO-12)."""

    length: Annotated[TemplateLength, EVERYONE]
    """Length along its axis in u."""
    half_width: Annotated[TemplateLength, EVERYONE]
    """How far it reaches to each side of its axis, in u."""


class ConeTemplate(Template, frozen=True, kw_only=True, tag="cone"):
    """An isosceles triangle with its apex at the singer (ML-GEO-13)."""

    length: Annotated[TemplateLength, EVERYONE]
    """Length along its axis in u."""
    half_width: Annotated[TemplateLength, EVERYONE]
    """How far its far end reaches to each side of its axis, in u."""


AnyTemplate = DiscTemplate | BeamTemplate | ConeTemplate
RayTemplate = BeamTemplate | ConeTemplate


class Melody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Melody of the content."""

    id: Annotated[ContentId, EVERYONE]
    """Id of the Melody, which singers, actions and resistances name."""
    name: Annotated[BilingualName | UnsetType, EVERYONE] = UNSET
    """Display names; absent where it has none but its id."""
    colour: Annotated[Colour, EVERYONE]
    """Its colour in the Rainbow of Music; a Resistance may name it (ML-RES-1)."""
    difficulty: Annotated[Annotated[int, Meta(ge=2, le=48)], EVERYONE]
    """What the total of a song roll must reach (ML-SING-1)."""
    targeting: Annotated[Targeting, EVERYONE]
    """Whom it is aimed at: one warrior, a template round a point, or one that starts at the singer.
    """
    target_side: Annotated[TargetSide, EVERYONE] = "any"
    """Whom a `model` Melody may choose; the singer is a friend of its own. Not read otherwise."""
    range: Annotated[Annotated[int, Meta(ge=0, le=60_000)], EVERYONE] = 0
    """Greatest edge distance in u to the warrior, or from the singer's edge to the point; not read
    for `ray`."""
    needs_los: Annotated[bool, EVERYONE] = True
    """Whether the singer must see the warrior or the point; not read for `ray`."""
    template: Annotated[ContentId | UnsetType, EVERYONE] = UNSET
    """Id of its template: a disc for `point`, a beam or cone for `ray`; absent for `model`."""
    duration: Annotated[Duration, EVERYONE] = "instant"
    """Whether it acts at once, or stays in play; a `ray` never does."""
    tags: Annotated[Annotated[tuple[Word, ...], Meta(max_length=10)], EVERYONE] = ()
    """Words that a Resistance may name (ML-RES-1)."""
    effects: Annotated[MelodyEffects, EVERYONE]
    """What it does, in this order; of a `lasting` one `mod_` kinds alone."""
    mp_effects: Annotated[MelodyEffects, EVERYONE]
    """What it does instead when it is sung with Monstrous Power (ML-SING-10)."""
    mp_ignores_resistance: Annotated[bool, EVERYONE] = False
    """Whether its Monstrous Power cannot be resisted (ML-RES-4)."""
    mistake_table: Annotated[ContentId, EVERYONE]
    """Id of the table that a Terrible Mistake is rolled on (ML-SING-9)."""

    @property
    def title(self) -> Title | None:
        """What it is called in sentences."""
        return title_of(self.name)


class MistakeEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that a row of a mistake table does."""

    scope: Annotated[MistakeScope, EVERYONE]
    """Whom it strikes: the `singer`, its unit (`singer_unit`, with `panic` alone), or everybody
    else `around` it."""
    radius: Annotated[Around | UnsetType, EVERYONE] = UNSET
    """How far `around` reaches: edge distance to the singer in u, inclusive; absent otherwise."""
    effect: Annotated[MistakeEffect, EVERYONE]
    """What it does."""


MistakeRow = Annotated[tuple[MistakeEntry, ...], Meta(max_length=MOST_EFFECTS)]
"""What one face does, entry by entry; nothing where there are none."""


class MistakeTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a Terrible Mistake does, by the face of a D6."""

    id: Annotated[ContentId, EVERYONE]
    """Id of the table, which Melodies name."""
    name: Annotated[BilingualName | UnsetType, EVERYONE] = UNSET
    """Display names; absent where it has none but its id."""
    rows: Annotated[
        Annotated[tuple[MistakeRow, ...], Meta(min_length=MISTAKE_ROWS, max_length=MISTAKE_ROWS)],
        EVERYONE,
    ]
    """Six rows, for the faces 1 to 6."""
