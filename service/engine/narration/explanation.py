"""What an explanation of an event says: the shapes that a dispute page is made of."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from service.engine.vocabulary.catalogue import Language
from service.engine.vocabulary.values import DiceMode


class ExplainedRule(Struct, frozen=True, kw_only=True):
    """A rule in the reader's language, and the phrase of the rulebook that it follows."""

    id: str
    """Id of the rule, as the event names it."""
    text: str
    """What the rule says, in the language of the explanation."""
    source: str | UnsetType = UNSET
    """Phrase of the rulebook that it follows, in the language of the rulebook; absent for a default
    of this service."""


class ExplainedFact(Struct, frozen=True, kw_only=True):
    """A fact of the event in words."""

    path: str
    """Where the fact stands, from the effect or the action on, such as `detail.distance_ft`."""
    label: str
    """What it is, in the language of the explanation."""
    value: str
    """Its value in words: numbers as they are, ids by their names, words of the rules as terms.
    Places and lengths are in cells, metres or steps, whichever the rulebook counts in."""


class ExplainedModifier(Struct, frozen=True, kw_only=True):
    """One line of a breakdown, with its rule; suppressed ones are there with their reason."""

    path: str
    """Breakdown that it stands in, from the effect on, such as `detail.breakdown`."""
    amount: int
    """What it adds, with sign, in the unit of the roll; 0 for a suppressed line."""
    rule: ExplainedRule
    """Rule that the line follows from."""
    suppressed: bool = False
    """Whether another rule made 0 of it; `note` says why."""
    note: str | UnsetType = UNSET
    """Why it was suppressed, or what it stands for, in words; absent where nothing is to be added.
    """
    facts: tuple[ExplainedFact, ...] = ()
    """Numbers and combatants that made it apply."""
    rules: tuple[ExplainedRule, ...] = ()
    """Further rules that made the line what it is, such as one that cancelled or capped it."""


class ExplainedEffect(Struct, frozen=True, kw_only=True):
    """A fact that came of the event: its sentence, and why it is so."""

    type: str
    """Type of the effect."""
    sentence: str
    """The sentence that tells it."""
    facts: tuple[ExplainedFact, ...] = ()
    """Facts that mattered, of rolls and harm; other effects are told in their sentence."""
    modifiers: tuple[ExplainedModifier, ...] = ()
    """Lines of its breakdowns that the caller may know, in order."""
    rules: tuple[ExplainedRule, ...] = ()
    """Rules that it follows from besides those of its modifiers, in the order of naming."""


class ExplainedAction(Struct, frozen=True, kw_only=True):
    """What was asked for."""

    type: str
    """Type of the action."""
    label: str
    """Its name, in the language of the explanation."""
    facts: tuple[ExplainedFact, ...] = ()
    """Its fields in words; a creation, sheets, maps and ground have none here."""


class DieProof(Struct, frozen=True, kw_only=True):
    """How a face follows from the blocks of its stream; there once the seed is revealed."""

    offset: int
    """Byte of the stream (0 is the first of block 0) at which the die begins to read."""
    bytes: str
    """All bytes that it reads, in hex: one at a time for up to 256 sides, else two, read as a
    big-endian number v; a v in the last, incomplete group of `sides` is skipped."""
    skipped: int = 0
    """How many of these bytes were skipped, at the front."""
    face: int
    """v mod `sides` + 1 of the bytes that were not skipped: equal to the face of the event, unless
    the log was changed."""


class ExplainedDie(Struct, frozen=True, kw_only=True):
    """A die that the event drew and the caller may know of."""

    stream: int
    """Dice stream: 0 public, 1 and up the sides in their order, 255 the game master's."""
    number: int
    """Place of the die within its stream of this event, from 1."""
    sides: int
    """Sides of the die."""
    face: int
    """Face that came up."""
    purpose: str
    """What it was rolled for, in words."""
    combatant: str | UnsetType = UNSET
    """Name of whom it was rolled for; absent where it was for nobody or the caller may not know."""
    uncounted: str | UnsetType = UNSET
    """Why it does not count, in words; absent where it counts."""
    proof: DieProof | UnsetType = UNSET
    """How the face follows from its stream; absent while the seed is sealed, and for dice that the
    table rolled."""


class StreamBlock(Struct, frozen=True, kw_only=True):
    """32 bytes of a stream: HMAC-SHA-256 under `key` over `input`."""

    stream: int
    """Dice stream."""
    block: int
    """Number of the block within the stream of this event, from 0."""
    input: str
    """What is authenticated, in hex: seq (8 bytes), stream (1), block (4), all big-endian."""
    bytes: str
    """The 32 bytes that come of it, in hex."""


class ExplainedDice(Struct, frozen=True, kw_only=True):
    """The dice of the event and how anybody draws them again."""

    mode: DiceMode
    """`sealed`: the service drew them. `supplied`: the table rolled its own dice."""
    note: str
    """How they can be checked, in words."""
    draws: tuple[ExplainedDie, ...] = ()
    """Every die that the caller may know of, in the order of drawing."""
    key: str | UnsetType = UNSET
    """Key of all streams of the encounter, 32 bytes in hex: HMAC-SHA-256 under the seed over
    `warlog/dice/1`, a zero byte, the id of the encounter, and SHA-256 over all contributions in
    order if there are any. Absent while the seed is sealed, and for dice that the table rolled."""
    blocks: tuple[StreamBlock, ...] = ()
    """The blocks that these dice read; empty while there is no `key`."""


EventRemarkKind = Literal["rewound", "override", "erased", "hidden"]
"""`rewound`: a later event went back behind it. `override`: the game master overruled. `erased`:
free text of it is gone. `hidden`: what was asked for is not for the caller to know."""


class EventRemark(Struct, frozen=True, kw_only=True):
    """Something to know of the event as a whole."""

    kind: EventRemarkKind
    """What it is."""
    text: str
    """The same in words."""
    seq: int | UnsetType = UNSET
    """Of `rewound` the event that went back behind it; absent for other remarks."""


class Explanation(Struct, frozen=True, kw_only=True):
    """Why an event came out as it did, from nothing but what the caller may see of it."""

    language: Language
    """Language of all words."""
    by: str
    """Who asked for it, in words."""
    narration: str
    """The event in a few sentences."""
    action: ExplainedAction | UnsetType = UNSET
    """What was asked for; absent where the caller may not know."""
    effects: tuple[ExplainedEffect, ...] = ()
    """Everything that came of it and that the caller may know, in order."""
    dice: ExplainedDice
    """The dice, and how to draw them again."""
    remarks: tuple[EventRemark, ...] = ()
    """What else is to be known of it."""
