"""Effects on who takes part and whose turn it is."""

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import Combatant
from service.engine.visibility.audience import (
    BEARER,
    EVERYONE,
    NUMBERS,
)
from service.engine.vocabulary.effects.effect import Effect
from service.engine.vocabulary.recorded_words import (
    RecordedMentionId,
    RecordedSideId,
    RecordedSubjectId,
    RecordedWord,
)


class CombatantAdded(Effect, frozen=True, kw_only=True, tag="combatant_added"):
    """A combatant is in the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """The whole sheet, as it enters."""


class CombatantRemoved(Effect, frozen=True, kw_only=True, tag="combatant_removed"):
    """A combatant is out of the battle."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that leaves."""
    cause: Annotated[RecordedWord, EVERYONE] = "gm"
    """Why it left: `gm` by a request of the game master."""


class OrderEntry(Struct, frozen=True, kw_only=True):
    """One place in the order of turns, and the score that gave it."""

    combatant: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Whose turn it is at this place; absent where a side has it."""
    side: Annotated[RecordedSideId | UnsetType, EVERYONE] = UNSET
    """Side whose turn it is at this place; absent where a combatant has it."""
    score: Annotated[int | UnsetType, NUMBERS] = UNSET
    """What gave the place: the total of the initiative roll in Crossfire d6, in Tactical d20 with
    the bonus, the rank of the card in Seeker d100, the current agility in Squad d100. Absent where
    the place was stated or the caller may not know it."""


class OrderSet(Effect, frozen=True, kw_only=True, tag="order_set"):
    """The whole order of turns."""

    entries: Annotated[tuple[OrderEntry, ...], EVERYONE]
    """Every place, first to act first; replaces the order before."""


class RoundBegan(Effect, frozen=True, kw_only=True, tag="round_began"):
    """A round, counted from 1."""

    round: Annotated[int, EVERYONE]
    """Number of the round, from 1."""


class TurnBegan(Effect, frozen=True, kw_only=True, tag="turn_began"):
    """Somebody's turn; that somebody unseen has it is a declared leak."""

    combatant: Annotated[RecordedMentionId | UnsetType, EVERYONE] = UNSET
    """Whose turn it is; absent where it is a side's, or its holder is hidden from the caller."""
    side: Annotated[RecordedSideId | UnsetType, EVERYONE] = UNSET
    """Side whose turn it is; absent where a combatant has it."""


class TurnEnded(Effect, frozen=True, kw_only=True, tag="turn_ended"):
    """The turn is over: `ended` by its owner, `felled`, `removed`, `passed_over`."""

    combatant: Annotated[RecordedMentionId | UnsetType, EVERYONE] = UNSET
    """Whose turn is over; absent where it was a side's, or its holder is hidden from the caller."""
    side: Annotated[RecordedSideId | UnsetType, EVERYONE] = UNSET
    """Side whose turn is over; absent where a combatant had it."""
    cause: Annotated[RecordedWord, EVERYONE] = "ended"
    """Why: `ended` by its owner, `felled`, `removed`, `passed_over` as not able to act, `timeout`
    by the service at the limit of the option `turn_seconds`."""


class PhaseChanged(Effect, frozen=True, kw_only=True, tag="phase_changed"):
    """A turn or an activation went on to another phase."""

    phase: Annotated[RecordedWord, EVERYONE]
    """Phase that begins."""
    combatant: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Whose turn has the phases; absent where it is no combatant's."""
