"""What shots, throws, blows and explosions tell: rolls, armour, and the wounds they make.

Whatever follows from the die or the numbers of an attacker stands with him, so that it goes unseen
while he does; what becomes of a target stands with the target.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType

from service.engine.visibility.audience import (
    BREAKDOWN,
    EVERYONE,
    NUMBERS,
    RuleId,
)
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.recorded_words import (
    RecordedOtherId,
    RecordedSubjectId,
)
from service.engine.vocabulary.values import (
    Place,
    Roll,
)
from service.rulesets.squad_d100.rules.armour import ArmourReason, Zone
from service.rulesets.squad_d100.rules.shots import Manner, Outcome, Waste
from service.rulesets.squad_d100.rules.wounds import WoundKind, WoundWording

ResolvedOutcome = Literal[Outcome, "wasted"]
"""How an attack ended; `wasted`: a round was fired in vain, without a die of its own."""


class ArmourTest(Struct, frozen=True, kw_only=True):
    """What a hit did to the armour of `target`; unseen with whoever made it.

    `rules` are those that led to the zone, in their order: SQ-AP-1, then those of the table.
    """

    target: Annotated[RecordedSubjectId, EVERYONE]
    """Id of whoever was hit."""
    attacker: Annotated[RecordedOtherId | UnsetType, EVERYONE] = UNSET
    """Id of whoever hit; absent where an object exploded."""
    armour_class: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Armour class of the target, 0 without armour."""
    reason: Annotated[ArmourReason | UnsetType, BREAKDOWN] = UNSET
    """What decided (SQ-AP-1): a `critical` success, `no_armour`, the greater class `ap_greater`,
    the option `ap_equal_option` for equal ones, or the `table`."""
    swapped: Annotated[int | UnsetType, BREAKDOWN] = UNSET
    """The natural die with its digits swapped (SQ-AP-2), 1 to 100; absent without the table."""
    column: Annotated[int | UnsetType, BREAKDOWN] = UNSET
    """Column of the table (SQ-AP-3), 0 to 5; absent without the table."""
    zone: Annotated[Zone, EVERYONE]
    """What became of it: `penetration`, or by the table `green`, `yellow` or `red`."""
    rules: Annotated[tuple[RuleId, ...], BREAKDOWN] = ()
    """Rules that led to the zone, in their order."""


class Detail(fx.AttackDetail, frozen=True, kw_only=True):
    """The attacker's side of an attack: `pool` is the sum of the modifiers, `base` always absent.

    The notes of the breakdown are the entries of the catalogue: mode, shooter_kneeling,
    target_kneeling, target_cover, weapon_range, gm; those that are 0 are left out.
    """

    mode: Annotated[Manner, EVERYONE]
    """Manner of the attack: `aimed`, `snap`, `burst`, `suppression`, `throw` or `melee`."""
    reaction: Annotated[bool, EVERYONE] = False
    """Whether it answered a movement (SQ-VIG-4)."""
    rounds: Annotated[int, EVERYONE] = 1
    """Rounds that this roll stands for; 0 hand to hand and of a throw."""
    distance: Annotated[int, EVERYONE]
    """Distance in cells of attacker and target (SQ-DIST-1)."""
    result: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Natural die and modifiers: what is compared with the threshold; absent without a roll, and of
    suppression."""
    threshold: Annotated[int | UnsetType, NUMBERS] = UNSET
    """What the result must be less than; absent without a roll, and of suppression."""
    ap_class: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Armour-piercing class of the attack; absent without a roll, and at an object."""
    rules: Annotated[tuple[RuleId, ...], BREAKDOWN] = ()
    """Rules of the threshold, then the one that decided the roll; of a wasted round why it was."""
    why: Annotated[Waste | UnsetType, EVERYONE] = UNSET
    """Why a round was wasted: `target_down` or gone, `shooter_down`, or a `suppressed_arc` that
    the shooter did not know of; absent otherwise."""
    scatter: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """The d8 of a throw that missed (SQ-GREN-3); absent otherwise."""
    landing: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Cell where a throw comes down; absent for other attacks."""
    armour: Annotated[ArmourTest | UnsetType, EVERYONE] = UNSET
    """What a hit did to the target's armour; absent without one, at an object and of a throw."""


class AttackResolved(fx.AttackResolved, frozen=True, kw_only=True, tag="attack_resolved"):
    """One roll to hit: a shot or round, a throw at `place`, a blow; or a round that was wasted."""

    outcome: Annotated[ResolvedOutcome, EVERYONE]
    """How it ended."""
    detail: Annotated[Detail, EVERYONE]
    """The attacker's side."""


class Victim(fx.Victim, frozen=True, kw_only=True):
    """What a blast did to one combatant."""

    outcome: Annotated[Zone, EVERYONE]
    """What became of its armour: `penetration`, `green`, `yellow` or `red`."""
    armour: Annotated[ArmourTest | UnsetType, EVERYONE] = UNSET
    """Why; absent where the caller may not know who threw."""


class AreaDetail(fx.AttackDetail, frozen=True, kw_only=True):
    """Who threw the grenade `item`; its dice stand in the throw and in the damage roll."""

    ap_class: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Armour-piercing class of the grenade."""


class AreaResolved(fx.AreaResolved, frozen=True, kw_only=True, tag="area_resolved"):
    """A blast, victim by victim: of a grenade where `detail` says whose, else of cargo."""

    outcome: Annotated[Literal["carried_out"], EVERYONE]
    """Always `carried_out`: what it did to whom stands with the victims."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """The d100 of an explosion (SQ-EXP-1); absent of a grenade, whose throw was rolled."""
    victims: Annotated[tuple[Victim, ...], EVERYONE] = ()
    """All whom the blast reaches, the nearest first (SQ-GREN-4)."""
    detail: Annotated[AreaDetail | UnsetType, EVERYONE] = UNSET
    """Who threw it; absent of an explosion."""


class Hurt(fx.Hurt, frozen=True, kw_only=True, tag="hurt"):
    """A hit or fire has done this: HP lost and the wound, if any.

    The notes of the breakdown are `damage` and `heavy_wound`.
    """

    wound: Annotated[WoundKind | UnsetType, EVERYONE] = UNSET
    """The wound, `heavy` or `light`; absent where armour held all, and by the game master's word.
    """
    wording: Annotated[WoundWording | UnsetType, EVERYONE] = UNSET
    """How the wound is called (SQ-WOUND-5); absent without one."""
    rules: Annotated[tuple[RuleId, ...], EVERYONE] = ()
    """Rules of the wound in their order: what it costs, and how it is called."""
