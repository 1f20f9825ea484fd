"""What shots and fights tell: rolls to hit, wound dice and saves.

Whatever follows from the die or the numbers of an attacker stands with him, so that it goes unseen
while he does; what dice had to reach for the target's sake stands in `against`.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType

from service.engine.visibility.audience import (
    BREAKDOWN,
    EVERYONE,
    NUMBERS,
)
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.recorded_words import (
    RecordedSubjectId,
)
from service.engine.vocabulary.values import (
    Roll,
)
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.rules.shooting import RollReason

AttackMode = Literal["shot", "guard", "fight"]
"""A shot in the own turn, a shot on guard, a fight."""

AttackOutcome = Literal["hit", "miss", "stopped", "stalemate"]
"""At least one die hit or the attacker won the fight; none hit; the defender won; neither did."""


class Further(Struct, frozen=True, kw_only=True):
    """Wound dice or saves of whoever was hit (ML-SHOOT-6)."""

    target: Annotated[RecordedSubjectId, EVERYONE]
    """Id of whoever was hit."""
    purpose: Annotated[Literal["wound", "save"], EVERYONE]
    """What was rolled for."""
    roll: Annotated[Roll, EVERYONE]
    """The dice, one for each hit or each wound."""
    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    """What each die had to reach, of a save with what the hit takes off it; absent where the
    caller may not know it."""
    successes: Annotated[int | UnsetType, NUMBERS] = UNSET
    """How many dice wounded, or how many wounds were saved; absent where the caller may not know
    it."""


class AttackAgainst(fx.Against, frozen=True, kw_only=True):
    """The target's side of an attack: its die in a fight, wounds and saves.

    `needed` is 7 of a shot and absent of a fight.
    """

    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """The defender's die in a fight; absent of a shot."""
    base: Annotated[int | UnsetType, NUMBERS] = UNSET
    """What the defender added to it, 0 while stunned; absent of a shot or where the caller may not
    know it."""
    item: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Weapon of a defender who won the fight, by its id; absent else, or where it has none."""


class Detail(fx.AttackDetail, frozen=True, kw_only=True):
    """The attacker's side of an attack: `base` is its Accuracy or Melee, `pool` that with all.

    The notes of the breakdown are long_range, cover, dazed, melody_by, melody_at, guard_fleeting
    and guard_charged, in this order; those that are 0 are left out.
    """

    mode: Annotated[AttackMode, EVERYONE]
    """Whether it was a shot, a shot on guard or a fight."""
    breakdown: Annotated[tuple[Line, ...], BREAKDOWN] = ()
    """What was added to the die besides `base`."""
    reasons: Annotated[tuple[RollReason, ...], EVERYONE] = ()
    """What decided each die to hit: `natural_1`, `natural_6`, or the `total`; empty of a fight."""
    hits: Annotated[int, EVERYONE] = 0
    """How many dice hit (ML-SHOOT-2); 1 for who won a fight."""
    against: Annotated[AttackAgainst | UnsetType, EVERYONE] = UNSET
    """What the attack met."""
    wounds: Annotated[Further | UnsetType, EVERYONE] = UNSET
    """Wound dice; absent where nobody was hit."""
    saves: Annotated[Further | UnsetType, EVERYONE] = UNSET
    """Saves; absent without armour or wounds."""
    ambush: Annotated[bool, EVERYONE] = False
    """Whether it was a shot from ambush (ML-AMB-1)."""


class AttackResolved(fx.AttackResolved, frozen=True, kw_only=True, tag="attack_resolved"):
    """A shot or a fight, and its outcome."""

    outcome: Annotated[AttackOutcome, EVERYONE]
    """How it ended."""
    detail: Annotated[Detail, EVERYONE]
    """Attacker, weapon, dice and modifiers; absent where the attacker is hidden from the caller."""
