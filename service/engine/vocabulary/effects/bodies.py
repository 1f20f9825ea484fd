"""Effects on combatants: health, conditions, what they carry and hold."""

from typing import Annotated

from msgspec import UNSET, UnsetType

from service.engine.visibility.audience import (
    BAND,
    BREAKDOWN,
    EVERYONE,
    HEALTH,
    NUMBERS,
)
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.effects.effect import Effect, Source
from service.engine.vocabulary.recorded_words import (
    RecordedSideId,
    RecordedSubjectId,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    Place,
    Roll,
)


class Hurt(Effect, frozen=True, kw_only=True, tag="hurt"):
    """`amount` of damage was taken (0 and up); `health` and `band` are what is left."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that was hurt."""
    amount: Annotated[int, HEALTH]
    """Points of health lost; 0 where armour took all."""
    health: Annotated[int, HEALTH]
    """Points of health left; 0 or less is down."""
    band: Annotated[RecordedWord, BAND]
    """Health in words afterwards: `unhurt`, `hurt`, `badly_hurt` (at most half left) or `down`."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """Damage dice that belong to no combatant; those of an attack stand in `source`. Absent where
    there are none."""
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    """What changed the damage, such as armour, in points; the option `breakdowns` says who is told.
    """
    cause: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Why: `attack`, or `gm` by an adjustment; absent where no reason is named."""
    source: Annotated[Source | UnsetType, EVERYONE] = UNSET
    """Who or what did it; absent where nobody did or the caller may not know of them."""


class Healed(Effect, frozen=True, kw_only=True, tag="healed"):
    """`amount` of health came back; `health` and `band` are what there is now."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that recovered."""
    amount: Annotated[int, HEALTH]
    """Points of health gained."""
    health: Annotated[int, HEALTH]
    """Points of health now."""
    band: Annotated[RecordedWord, BAND]
    """Health in words afterwards: `unhurt`, `hurt`, `badly_hurt` (at most half left) or `down`."""
    cause: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Why: `gm` by an adjustment; absent where no reason is named."""


class Felled(Effect, frozen=True, kw_only=True, tag="felled"):
    """Out of the fight: `state` also becomes a condition."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that is out of the fight."""
    state: Annotated[RecordedWord, EVERYONE]
    """How: `helpless` or `dead` in Crossfire d6, `unconscious` or `dead` in Seeker d100 and
    Tactical d20, `down` in Squad d100."""
    cause: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Why: `attack`, or `gm` by an adjustment; absent where no reason is named."""


class StatChanged(Effect, frozen=True, kw_only=True, tag="stat_changed"):
    """A number of a combatant has another value."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant whose number changed."""
    stat: Annotated[RecordedWord, EVERYONE]
    """Field of the sheet, or number that the ruleset keeps of the combatant, such as `suppression`
    (CF-PIN-2)."""
    now: Annotated[int, NUMBERS]
    """Its value afterwards."""
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Where the number counts from, such as the cell of a streak of suppression (CF-PIN-2,
    CF-PIN-4); absent where it has no place."""
    cause: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Why: `gm` by an adjustment; absent where it follows from the rules."""


class ResourceChanged(Effect, frozen=True, kw_only=True, tag="resource_changed"):
    """Something that is spent and regained: actions, rounds, points."""

    combatant: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Whose resource it is; absent where it is a side's."""
    side: Annotated[RecordedSideId | UnsetType, EVERYONE] = UNSET
    """Side whose resource it is; absent where it is a combatant's."""
    resource: Annotated[RecordedWord, EVERYONE]
    """What is spent and regained: `actions` in Crossfire d6; `action`, or `ammo` of a weapon, in
    Seeker d100; `standard`, `move`, `swift` and `reaction` in Tactical d20."""
    item: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Weapon that holds it, by its id; absent where none does."""
    now: Annotated[int, EVERYONE]
    """How much is left."""
    cause: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Why: `turn_began`, `turn_ended`, or `gm` by an adjustment; absent where an action spent it.
    """


class ConditionGained(Effect, frozen=True, kw_only=True, tag="condition_gained"):
    """A condition holds from now on; gaining it again replaces its amount."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that has the condition."""
    condition: Annotated[RecordedWord, EVERYONE]
    """Condition that holds from now on."""
    amount: Annotated[int | UnsetType, EVERYONE] = UNSET
    """Size of the condition, such as the modifier of a next roll; absent for one that only holds.
    """
    cause: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Why: `gm` by an adjustment, `knocked_down_weightless` where that would have been to lie
    down; absent where it was chosen or follows from the rules."""


class ConditionLost(Effect, frozen=True, kw_only=True, tag="condition_lost"):
    """A condition holds no longer."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that had the condition."""
    condition: Annotated[RecordedWord, EVERYONE]
    """Condition that holds no longer."""
    cause: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Why, such as `used`, `attack`, `turn_began`, `recovered` or `gm`; absent where the combatant
    chose it."""


class ItemChanged(Effect, frozen=True, kw_only=True, tag="item_changed"):
    """An item was gained, lost, dropped, readied or stowed."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Who has or had the item."""
    item: Annotated[str, EVERYONE]
    """Id of the item on that combatant's sheet."""
    change: Annotated[RecordedWord, EVERYONE]
    """What happened: `gained`, `lost`, `dropped`, `taken`, `readied` or `stowed`."""
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Where it lies; absent where it lies nowhere."""


class LinkChanged(Effect, frozen=True, kw_only=True, tag="link_changed"):
    """Two combatants are tied, or no longer: a hold, a guard, a song."""

    link: Annotated[RecordedWord, EVERYONE]
    """What ties them: `hidden_from`, `position_override` or `shot_at` in Crossfire d6, `hold` in
    Seeker d100, `cover_override` or `concealment_override` in Tactical d20."""
    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that the tie is about, such as the one held."""
    other: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant at the other end, such as the holder."""
    tied: Annotated[bool, EVERYONE]
    """True where the tie holds from now on, false where it is gone."""
    amount: Annotated[int | UnsetType, EVERYONE] = UNSET
    """Size of the tie, such as the offset of a hiding; absent where it has none."""
