"""Effects on the encounter itself: its life, seats and seed, and the books of the log."""

from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.linear import Seat
from service.engine.battle.state import RuleState, TableOptions
from service.engine.visibility.audience import (
    DECISION,
    EVERYONE,
    GM,
    GM_TEXT,
    SECRET,
    TEXT,
)
from service.engine.vocabulary.effects.attacks import DiceTerms
from service.engine.vocabulary.effects.effect import Effect
from service.engine.vocabulary.recorded_words import (
    RecordedDecisionId,
    RecordedDigest,
    RecordedSeatId,
    RecordedSideId,
    RecordedSubjectId,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    By,
    ForkOf,
    LongText,
    Metadata,
    NameText,
    Opened,
    Side,
)


class EncounterCreated(Effect, frozen=True, kw_only=True, tag="encounter_created"):
    """The terms of the battle; combatants, seats and hidden terrain follow as own effects."""

    format: Annotated[int, EVERYONE] = 1
    """Version of the event format."""
    ruleset: Annotated[str, EVERYONE]
    """Slug of the ruleset whose rules decide."""
    version: Annotated[str, EVERYONE]
    """Version of the ruleset that decides all events of this encounter."""
    dice: Annotated[DiceTerms, EVERYONE]
    """How the dice are made, for good."""
    commitment: Annotated[RecordedDigest, EVERYONE]
    """SHA-256 of the label `warlog/commit/1` with a zero byte and the 32 bytes of the seed: binds
    the dice before the first draw."""
    seed: Annotated[Literal["os", "given"], EVERYONE]
    """Where the seed came from: `os` made by the service, `given` by the creator, who could then
    have chosen it for its dice."""
    options: Annotated[TableOptions, EVERYONE]
    """All options of the ruleset, defaults written out."""
    sides: Annotated[tuple[Side, ...], EVERYONE]
    """Sides of the battle, in the order of their dice streams; never changed."""
    map: Annotated[RecordedDigest | UnsetType, EVERYONE] = UNSET
    """Digest of the map; absent without one."""
    content: Annotated[RecordedDigest | UnsetType, EVERYONE] = UNSET
    """Digest of the content, such as weapons and armour of the table; absent without any."""
    creator: Annotated[By, EVERYONE]
    """Who created the encounter."""
    reveal_by_days: Annotated[int, EVERYONE]
    """Days without any event after which the service ends the battle and reveals the seed, once it
    has started."""
    fork_of: Annotated[ForkOf | UnsetType, EVERYONE] = UNSET
    """Event of another encounter that this one continues; absent for a new battle."""
    state: Annotated[RuleState | UnsetType, EVERYONE] = UNSET
    """The battle as it stood at that event and is taken up here, without free text: decisions have
    new ids, and draws that were told before are named as those of event 1. Absent for a new battle.
    """
    prepared: Annotated[bool, EVERYONE] = False
    """Whether the battle begins in the middle, with a round, turn or state of combatants stated at
    creation."""
    title: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Title of the encounter; absent where none was given or its text was erased."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET
    """The creator's own JSON object, as a string; no rule reads it. Absent where none was given or
    it was erased."""


class EncounterStarted(Effect, frozen=True, kw_only=True, tag="encounter_started"):
    """The options are frozen and the battle runs."""


class EncounterEnded(Effect, frozen=True, kw_only=True, tag="encounter_ended"):
    """The battle is over."""

    cause: Annotated[RecordedWord, EVERYONE] = "gm"
    """Why it ended: `gm` by a request of the game master or the service."""
    winner: Annotated[RecordedSideId | UnsetType, EVERYONE] = UNSET
    """Side that won; absent for a draw or where nobody was named."""
    opened: Annotated[Opened, EVERYONE] = "none"
    """To whom the hidden parts of the log are opened: `none` to nobody new, `sides` to every seat
    those of all sides, `all` those of the game master too."""
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET
    """Free text of whoever ended it; absent where none was given or it was erased."""


class Contributed(Effect, frozen=True, kw_only=True, tag="contributed"):
    """A seat mixed 32 bytes of its own into the dice."""

    seat: Annotated[str, EVERYONE]
    """Seat that contributed; the id of the API key where a key did by itself."""
    value: Annotated[RecordedDigest, EVERYONE]
    """The 32 bytes, in hex, that go into the key of all draws, in the order of the log."""


class SeedRevealed(Effect, frozen=True, kw_only=True, tag="seed_revealed"):
    """The seed is public, so every draw can be made again."""

    seed: Annotated[RecordedDigest, EVERYONE]
    """The 32 bytes of the seed, in hex; they fit the commitment of event 1."""
    opened: Annotated[Opened, EVERYONE] = "none"
    """To whom hidden parts of the log are opened with it: `none` to nobody new, `sides` to every
    seat those of all sides, `all` those of the game master too."""


class PartsOpened(Effect, frozen=True, kw_only=True, tag="parts_opened"):
    """After the seed: more parts are open to those who could not read them."""

    opened: Annotated[Opened, EVERYONE]
    """To whom hidden parts are open now: `sides` to every seat those of all sides, `all` those of
    the game master too."""


class OptionsSet(Effect, frozen=True, kw_only=True, tag="options_set"):
    """Terms changed before the start: the whole options, and what else is another one now."""

    options: Annotated[TableOptions, EVERYONE]
    """All options as they are now, defaults written out."""
    map: Annotated[RecordedDigest | UnsetType, EVERYONE] = UNSET
    """Digest of the new map; absent where the map stays."""
    content: Annotated[RecordedDigest | UnsetType, EVERYONE] = UNSET
    """Digest of the new content; absent where it stays."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET
    """The encounter's new metadata, a JSON object as a string; absent where they stay or were
    erased."""


class SeatChanged(Effect, frozen=True, kw_only=True, tag="seat_changed"):
    """A seat exists with this role and control, or was `removed` for good.

    A seat keeps its name and its metadata until others are stated.
    """

    seat: Annotated[Seat, EVERYONE]
    """The seat as it is now; of a removed one its id and last role, with nothing controlled."""
    removed: Annotated[bool | UnsetType, EVERYONE] = UNSET
    """True where the seat is gone for good; absent otherwise."""


class ControlChanged(Effect, frozen=True, kw_only=True, tag="control_changed"):
    """What a seat controls from now on, and whose secrets it shares (`knows`)."""

    seat: Annotated[RecordedSeatId, EVERYONE]
    """Seat whose control changed."""
    sides: Annotated[tuple[RecordedSideId, ...], EVERYONE] = ()
    """Sides all of whose combatants it controls now."""
    combatants: Annotated[tuple[RecordedSubjectId, ...], EVERYONE] = ()
    """Combatants that it controls by name now."""
    knows: Annotated[tuple[RecordedSideId, ...], GM] = ()
    """Sides whose secrets it shares: its own and those of its combatants."""


class Noted(Effect, frozen=True, kw_only=True, tag="noted"):
    """A remark; `gm_text` is for the GM alone."""

    text: Annotated[LongText | UnsetType, TEXT] = UNSET
    """Remark for everyone; absent where none was left or it was erased."""
    gm_text: Annotated[LongText | UnsetType, GM_TEXT] = UNSET
    """Remark for the game master alone; absent where none was left or it was erased."""


class Adjusted(Effect, frozen=True, kw_only=True, tag="adjusted"):
    """The GM overruled; what was changed follows as ordinary effects of the same event.

    `secret` where all it concerned is hidden.
    """

    reason: Annotated[LongText | UnsetType, TEXT] = UNSET
    """The game master's reason; absent where none was given or it was erased."""
    secret: Annotated[bool, EVERYONE, SECRET] = False
    """True where everything it concerns is hidden: then it is the game master's alone."""


class Reissued(Struct, frozen=True, kw_only=True):
    """A decision open at the seq rewound to, under its new id."""

    was: Annotated[RecordedDecisionId, EVERYONE, DECISION]
    """Id that the decision had at the seq rewound to; an answer to it is refused."""
    id: Annotated[RecordedDecisionId, EVERYONE]
    """Id under which it is answered from now on."""


class Rewound(Effect, frozen=True, kw_only=True, tag="rewound"):
    """The battle continues from the rule state of seq `to`."""

    to: Annotated[int, EVERYONE]
    """Seq after which the battle continues, its rule state restored."""
    decisions: Annotated[tuple[Reissued, ...], EVERYONE] = ()
    """Decisions open there, each with its new id; those left out that the caller may not know of.
    """


class Erased(Effect, frozen=True, kw_only=True, tag="erased"):
    """Free text of these events is gone; the chain still verifies."""

    seqs: Annotated[tuple[int, ...], EVERYONE]
    """Events whose free text was erased, in order."""
