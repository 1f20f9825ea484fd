"""Effects that tell what was rolled and what came of it; other effects say what it changed."""

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from service.engine.visibility.audience import (
    BREAKDOWN,
    EVERYONE,
    NUMBERS,
)
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.effects.effect import Effect, Shape
from service.engine.vocabulary.recorded_words import (
    RecordedSubjectId,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    DiceMode,
    Place,
    Roll,
)


class Victim(Struct, frozen=True, kw_only=True):
    """What an area did to one combatant."""

    target: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that the area reached."""
    outcome: Annotated[RecordedWord, EVERYONE]
    """What became of the attack for this victim, such as `hit` or `miss`."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """The victim's own dice against the area; absent where none were rolled."""


class Against(Struct, frozen=True, kw_only=True):
    """The target's side of an attack: the number to reach."""

    target: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant attacked."""
    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Total that the attack has to reach: the target's defence against it. Absent where the caller
    may not know the target's numbers."""


class AttackDetail(Struct, frozen=True, kw_only=True):
    """The attacker's side of an attack; unseen as long as the attacker is.

    `base`, `breakdown` and `pool` explain the size of the roll (dice) or its chance.
    Rulesets extend it with what their attacks show besides.
    """

    attacker: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that attacks."""
    item: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Weapon used, by its id on the attacker's sheet; absent without one."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """Dice of the attack; absent where none were rolled."""
    base: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Where the breakdown starts: dice of the weapon in Crossfire d6, the skill in per cent in
    Seeker d100, the bonus of the weapon in Tactical d20; absent in Squad d100, where nothing was
    rolled or the caller may not know it."""
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    """Modifiers that lead from `base` to `pool`, cancelled ones included; the option `breakdowns`
    says who is told."""
    pool: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Size of the roll after all modifiers: dice rolled in Crossfire d6, the chance in per cent in
    Seeker d100, what is added to the die in Tactical d20 and Squad d100; absent where nothing was
    rolled or the caller may not know it."""
    against: Annotated[Against | UnsetType, EVERYONE] = UNSET
    """What the attack had to reach; absent where it is rolled against no number of the target, or
    nothing was rolled."""


class Opposed(Struct, frozen=True, kw_only=True):
    """The other side of an opposed check."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant on the other side of the check."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """That combatant's dice; absent where none were rolled."""


class DiceTerms(Struct, frozen=True, kw_only=True):
    """How the dice of the encounter are made."""

    algorithm: Annotated[RecordedWord, EVERYONE] = "hmac_sha256_1"
    """How faces are made from the seed: `hmac_sha256_1` draws them from HMAC-SHA-256 streams, one
    per event and audience."""
    mode: Annotated[DiceMode, EVERYONE]
    """`sealed`: the service draws from the seed behind the commitment. `supplied`: the table rolls
    its own dice and sends the faces."""


class Rolled(Effect, frozen=True, kw_only=True, tag="rolled"):
    """A roll that neither succeeds nor fails, such as initiative."""

    purpose: Annotated[RecordedWord, EVERYONE]
    """What was rolled for: `initiative`, `card` (of initiative), `damage`, or `digits` of an armour
    test."""
    combatant: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Who rolled, or for whom; absent where it was for nobody in particular."""
    roll: Annotated[Roll, EVERYONE]
    """The dice."""
    value: Annotated[str | UnsetType, EVERYONE] = UNSET
    """What the dice stand for, such as the card drawn; absent where the faces say it all."""


class CheckResolved(Effect, frozen=True, kw_only=True, tag="check_resolved"):
    """A test and its outcome, opposed or not."""

    check: Annotated[RecordedWord, EVERYONE]
    """What was tested: `hide` in Crossfire d6; `movement`, `break_free` or `take_cover` in Seeker
    d100; `vigilance` in Squad d100."""
    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Whose test it is."""
    outcome: Annotated[RecordedWord, EVERYONE]
    """How it ended, such as `success`, `failure`, `critical` or `fumble`."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """Dice of the test; absent where none were rolled."""
    opposed: Annotated[Opposed | UnsetType, EVERYONE] = UNSET
    """The other side's dice; absent for a test against nobody."""


class AttackResolved(Effect, frozen=True, kw_only=True, tag="attack_resolved"):
    """An attack and its outcome; `detail` goes unseen with its attacker."""

    target: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Combatant attacked; absent for an attack at a place."""
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Point attacked; absent for an attack at a combatant."""
    outcome: Annotated[RecordedWord, EVERYONE]
    """How it ended, such as `hit`, `miss` or `critical`; `obstructed` met something unseen and was
    not rolled."""
    detail: Annotated[AttackDetail, EVERYONE]
    """Attacker, weapon, dice and modifiers; absent where the attacker is hidden from the caller."""


class AreaResolved(Effect, frozen=True, kw_only=True, tag="area_resolved"):
    """What an area did, victim by victim."""

    area: Annotated[Shape, EVERYONE]
    """Where it was."""
    outcome: Annotated[RecordedWord, EVERYONE]
    """How the attack as a whole ended."""
    victims: Annotated[tuple[Victim, ...], EVERYONE] = ()
    """Combatants in the area, those left out that the caller may not know of."""
    detail: Annotated[AttackDetail | UnsetType, EVERYONE] = UNSET
    """Attacker, weapon, dice and modifiers; absent without an attacker or where it is hidden from
    the caller."""
