"""The shared vocabulary of effects: one fact each, named alike in all five rulesets.

How this works. `VOCABULARY.md` maps every catalogue onto these names. The combatant an effect
*happens to* stands in the effect itself (`combatant`, `target`); whoever *did* it, and all that
is known only through them, stands in a nested object, so that an unseen doer hides only that
object. Where a payload is a ruleset's own (options, sheets, terrain) the ruleset extends the
struct and narrows the field's type under the same tag. Shapes are kept for ever: new fields are
optional, none is renamed.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Raw, Struct, UnsetType

from service.engine.actions import Choice
from service.engine.audience import (
    BAND,
    BEARER,
    BREAKDOWN,
    DECISION,
    EVERYONE,
    GM,
    GM_TEXT,
    HEALTH,
    NUMBERS,
    SECRET,
    TEXT,
    MentionId,
    RuleId,
    SubjectId,
)
from service.engine.breakdown import Modifier
from service.engine.scope import GM_WORD
from service.engine.state import (
    Combatant,
    Decision,
    Declared,
    How,
    Seat,
    Suspended,
    TableOptions,
)
from service.engine.vocabulary import (
    By,
    DecisionId,
    DiceMode,
    Digest,
    Facing,
    LongText,
    Metadata,
    NameText,
    Opened,
    Place,
    Roll,
    SeatId,
    Side,
    SideId,
    Word,
)


class Effect(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Fields every effect carries: the rule it follows from, if one does."""

    rule: Annotated[RuleId | UnsetType, EVERYONE] = UNSET


class Source(Struct, frozen=True, kw_only=True):
    """Who or what did it; withheld whole from those who do not know of the combatant."""

    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    item: Annotated[str | UnsetType, EVERYONE] = UNSET
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    feature: Annotated[str | UnsetType, EVERYONE] = UNSET


class Shape(Struct, frozen=True, kw_only=True):
    """An area on the table, in the ruleset's unit."""

    kind: Annotated[Word, EVERYONE]
    origin: Annotated[Place, EVERYONE]
    aim: Annotated[Place | UnsetType, EVERYONE] = UNSET
    radius: Annotated[int | UnsetType, EVERYONE] = UNSET
    length: Annotated[int | UnsetType, EVERYONE] = UNSET


class Victim(Struct, frozen=True, kw_only=True):
    """What an area did to one combatant."""

    target: Annotated[SubjectId, EVERYONE]
    outcome: Annotated[Word, EVERYONE]
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET


class Against(Struct, frozen=True, kw_only=True):
    """The target's side of an attack: the number to reach."""

    target: Annotated[SubjectId, EVERYONE]
    needed: Annotated[int | UnsetType, NUMBERS] = UNSET


class AttackDetail(Struct, frozen=True, kw_only=True):
    """The attacker's side of an attack; unseen as long as the attacker is.

    `base`, `breakdown` and `pool` explain the size of the roll (dice) or its chance.
    Rulesets extend it with what their attacks show besides.
    """

    attacker: Annotated[SubjectId, EVERYONE]
    item: Annotated[str | UnsetType, EVERYONE] = UNSET
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    base: Annotated[int | UnsetType, NUMBERS] = UNSET
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    pool: Annotated[int | UnsetType, NUMBERS] = UNSET
    against: Annotated[Against | UnsetType, EVERYONE] = UNSET


class Opposed(Struct, frozen=True, kw_only=True):
    """The other side of an opposed check."""

    combatant: Annotated[SubjectId, EVERYONE]
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET


class DiceTerms(Struct, frozen=True, kw_only=True):
    """How the dice of the encounter are made."""

    algorithm: Annotated[Word, EVERYONE] = "hmac_sha256_1"
    mode: Annotated[DiceMode, EVERYONE]


class ForkOf(Struct, frozen=True, kw_only=True):
    """The event another encounter was continued from."""

    encounter: Annotated[str, EVERYONE]
    seq: Annotated[int, EVERYONE]
    hash: Annotated[Digest, EVERYONE]


class EncounterCreated(Effect, frozen=True, kw_only=True, tag="encounter_created"):
    """The terms of the battle; combatants, seats and hidden terrain follow as own effects."""

    format: Annotated[int, EVERYONE] = 1
    ruleset: Annotated[str, EVERYONE]
    version: Annotated[str, EVERYONE]
    dice: Annotated[DiceTerms, EVERYONE]
    commitment: Annotated[Digest, EVERYONE]
    seed: Annotated[Literal["os", "given"], EVERYONE]
    options: Annotated[TableOptions, EVERYONE]
    sides: Annotated[tuple[Side, ...], EVERYONE]
    map: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    content: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    creator: Annotated[By, EVERYONE]
    reveal_by_days: Annotated[int, EVERYONE]
    fork_of: Annotated[ForkOf | UnsetType, EVERYONE] = UNSET
    prepared: Annotated[bool, EVERYONE] = False
    title: Annotated[NameText | UnsetType, TEXT] = UNSET
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET


class EncounterStarted(Effect, frozen=True, kw_only=True, tag="encounter_started"):
    """The options are frozen and the battle runs."""


class EncounterEnded(Effect, frozen=True, kw_only=True, tag="encounter_ended"):
    """The battle is over."""

    cause: Annotated[Word, EVERYONE] = "gm"
    winner: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    opened: Annotated[Opened, EVERYONE] = "none"
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET


class Contributed(Effect, frozen=True, kw_only=True, tag="contributed"):
    """A seat mixed 32 bytes of its own into the dice."""

    seat: Annotated[str, EVERYONE]
    value: Annotated[Digest, EVERYONE]


class SeedRevealed(Effect, frozen=True, kw_only=True, tag="seed_revealed"):
    """The seed is public, so every draw can be made again."""

    seed: Annotated[Digest, EVERYONE]
    opened: Annotated[Opened, EVERYONE] = "none"


class PartsOpened(Effect, frozen=True, kw_only=True, tag="parts_opened"):
    """After the seed: more parts are open to those who could not read them."""

    opened: Annotated[Opened, EVERYONE]


class OptionsSet(Effect, frozen=True, kw_only=True, tag="options_set"):
    """Terms changed before the start: the whole options, and what else is another one now."""

    options: Annotated[TableOptions, EVERYONE]
    map: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    content: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET


class CombatantAdded(Effect, frozen=True, kw_only=True, tag="combatant_added"):
    """A combatant is in the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]


class CombatantRemoved(Effect, frozen=True, kw_only=True, tag="combatant_removed"):
    """A combatant is out of the battle."""

    combatant: Annotated[SubjectId, EVERYONE]
    cause: Annotated[Word, EVERYONE] = "gm"


class SeatChanged(Effect, frozen=True, kw_only=True, tag="seat_changed"):
    """A seat exists with this role and control, or was `removed` for good.

    A seat keeps its name and its metadata until others are stated.
    """

    seat: Annotated[Seat, EVERYONE]
    removed: Annotated[bool | UnsetType, EVERYONE] = UNSET


class ControlChanged(Effect, frozen=True, kw_only=True, tag="control_changed"):
    """What a seat controls from now on, and whose secrets it shares (`knows`)."""

    seat: Annotated[SeatId, EVERYONE]
    sides: Annotated[tuple[SideId, ...], EVERYONE] = ()
    combatants: Annotated[tuple[SubjectId, ...], EVERYONE] = ()
    knows: Annotated[tuple[SideId, ...], GM] = ()


class OrderEntry(Struct, frozen=True, kw_only=True):
    """One place in the order of turns, and the score that gave it."""

    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    score: Annotated[int | UnsetType, NUMBERS] = UNSET


class OrderSet(Effect, frozen=True, kw_only=True, tag="order_set"):
    """The whole order of turns."""

    entries: Annotated[tuple[OrderEntry, ...], EVERYONE]


class RoundBegan(Effect, frozen=True, kw_only=True, tag="round_began"):
    """A round, counted from 1."""

    round: Annotated[int, EVERYONE]


class TurnBegan(Effect, frozen=True, kw_only=True, tag="turn_began"):
    """Somebody's turn; that somebody unseen has it is a declared leak."""

    combatant: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET


class TurnEnded(Effect, frozen=True, kw_only=True, tag="turn_ended"):
    """The turn is over: `ended` by its owner, `felled`, `removed`, `passed_over`."""

    combatant: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    cause: Annotated[Word, EVERYONE] = "ended"


class PhaseChanged(Effect, frozen=True, kw_only=True, tag="phase_changed"):
    """A turn or an activation went on to another phase."""

    phase: Annotated[Word, EVERYONE]
    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET


class Moved(Effect, frozen=True, kw_only=True, tag="moved"):
    """From `start` along `path` (start left out) to `end`; not `complete` when cut short."""

    combatant: Annotated[SubjectId, EVERYONE]
    manner: Annotated[Word, EVERYONE]
    start: Annotated[Place | UnsetType, EVERYONE] = UNSET
    path: Annotated[tuple[Place, ...], EVERYONE] = ()
    end: Annotated[Place, EVERYONE]
    cost: Annotated[int | UnsetType, EVERYONE] = UNSET
    complete: Annotated[bool, EVERYONE] = True
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET


class Faced(Effect, frozen=True, kw_only=True, tag="faced"):
    """A combatant looks another way."""

    combatant: Annotated[SubjectId, EVERYONE]
    facing: Annotated[Facing, EVERYONE]


class PostureChanged(Effect, frozen=True, kw_only=True, tag="posture_changed"):
    """A combatant holds itself otherwise."""

    combatant: Annotated[SubjectId, EVERYONE]
    posture: Annotated[Word, EVERYONE]
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET


class Rolled(Effect, frozen=True, kw_only=True, tag="rolled"):
    """A roll that neither succeeds nor fails, such as initiative."""

    purpose: Annotated[Word, EVERYONE]
    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    roll: Annotated[Roll, EVERYONE]
    value: Annotated[str | UnsetType, EVERYONE] = UNSET


class CheckResolved(Effect, frozen=True, kw_only=True, tag="check_resolved"):
    """A test and its outcome, opposed or not."""

    check: Annotated[Word, EVERYONE]
    combatant: Annotated[SubjectId, EVERYONE]
    outcome: Annotated[Word, EVERYONE]
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    opposed: Annotated[Opposed | UnsetType, EVERYONE] = UNSET


class AttackResolved(Effect, frozen=True, kw_only=True, tag="attack_resolved"):
    """An attack and its outcome; `detail` goes unseen with its attacker."""

    target: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    outcome: Annotated[Word, EVERYONE]
    detail: Annotated[AttackDetail, EVERYONE]


class AreaResolved(Effect, frozen=True, kw_only=True, tag="area_resolved"):
    """What an area did, victim by victim."""

    area: Annotated[Shape, EVERYONE]
    outcome: Annotated[Word, EVERYONE]
    victims: Annotated[tuple[Victim, ...], EVERYONE] = ()
    detail: Annotated[AttackDetail | UnsetType, EVERYONE] = UNSET


class Hurt(Effect, frozen=True, kw_only=True, tag="hurt"):
    """`amount` of damage was taken (0 and up); `health` and `band` are what is left."""

    combatant: Annotated[SubjectId, EVERYONE]
    amount: Annotated[int, HEALTH]
    health: Annotated[int, HEALTH]
    band: Annotated[Word, BAND]
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET
    source: Annotated[Source | UnsetType, EVERYONE] = UNSET


class Healed(Effect, frozen=True, kw_only=True, tag="healed"):
    """`amount` of health came back; `health` and `band` are what there is now."""

    combatant: Annotated[SubjectId, EVERYONE]
    amount: Annotated[int, HEALTH]
    health: Annotated[int, HEALTH]
    band: Annotated[Word, BAND]
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET


class Felled(Effect, frozen=True, kw_only=True, tag="felled"):
    """Out of the fight: `state` also becomes a condition."""

    combatant: Annotated[SubjectId, EVERYONE]
    state: Annotated[Word, EVERYONE]
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET


class StatChanged(Effect, frozen=True, kw_only=True, tag="stat_changed"):
    """A number of a combatant has another value."""

    combatant: Annotated[SubjectId, EVERYONE]
    stat: Annotated[Word, EVERYONE]
    now: Annotated[int, NUMBERS]
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET


class ResourceChanged(Effect, frozen=True, kw_only=True, tag="resource_changed"):
    """Something that is spent and regained: actions, rounds, points."""

    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    resource: Annotated[Word, EVERYONE]
    item: Annotated[str | UnsetType, EVERYONE] = UNSET
    now: Annotated[int, EVERYONE]
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET


class ConditionGained(Effect, frozen=True, kw_only=True, tag="condition_gained"):
    """A condition holds from now on; gaining it again replaces its amount."""

    combatant: Annotated[SubjectId, EVERYONE]
    condition: Annotated[Word, EVERYONE]
    amount: Annotated[int | UnsetType, EVERYONE] = UNSET
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET


class ConditionLost(Effect, frozen=True, kw_only=True, tag="condition_lost"):
    """A condition holds no longer."""

    combatant: Annotated[SubjectId, EVERYONE]
    condition: Annotated[Word, EVERYONE]
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET


class ItemChanged(Effect, frozen=True, kw_only=True, tag="item_changed"):
    """An item was gained, lost, dropped, readied or stowed."""

    combatant: Annotated[SubjectId, EVERYONE]
    item: Annotated[str, EVERYONE]
    change: Annotated[Word, EVERYONE]
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET


class LinkChanged(Effect, frozen=True, kw_only=True, tag="link_changed"):
    """Two combatants are tied, or no longer: a hold, a guard, a song."""

    link: Annotated[Word, EVERYONE]
    combatant: Annotated[SubjectId, EVERYONE]
    other: Annotated[SubjectId, EVERYONE]
    tied: Annotated[bool, EVERYONE]
    amount: Annotated[int | UnsetType, EVERYONE] = UNSET


class MarkerPlaced(Effect, frozen=True, kw_only=True, tag="marker_placed"):
    """A marker or template lies on the table."""

    marker: Annotated[str, EVERYONE]
    kind: Annotated[Word, EVERYONE]
    shape: Annotated[Shape, EVERYONE]
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET


class MarkerRemoved(Effect, frozen=True, kw_only=True, tag="marker_removed"):
    """A marker or template lies there no longer."""

    marker: Annotated[str, EVERYONE]
    cause: Annotated[Word, EVERYONE]


class TerrainChanged(Effect, frozen=True, kw_only=True, tag="terrain_changed"):
    """Ground is otherwise from now on; rulesets extend it with what changed."""

    cause: Annotated[Word, EVERYONE] = "gm"


class Revealed(Effect, frozen=True, kw_only=True, tag="revealed"):
    """What was hidden is known to everyone: the combatant is stated anew."""

    combatant: Annotated[Combatant, EVERYONE]
    cause: Annotated[Word, EVERYONE]


class Hidden(Effect, frozen=True, kw_only=True, tag="hidden"):
    """A combatant is known only to its own side from now on."""

    combatant: Annotated[SubjectId, EVERYONE]
    cause: Annotated[Word, EVERYONE] = "gm"


class DecisionOpened(Effect, frozen=True, kw_only=True, tag="decision_opened"):
    """A question is open.

    It opens a new group on top of the stack, unless it `joins` the top one: told openly, that would
    betray questions that others do not see, so `first` is always true. `declared` is the action
    that waits for the table's dice, with the faces so far; `suspended` the one that waits until
    the group is complete.
    """

    decision: Annotated[Decision, EVERYONE]
    first: Annotated[bool, EVERYONE] = True
    joins: Annotated[bool | UnsetType, GM] = UNSET
    declared: Annotated[Declared | UnsetType, GM] = UNSET
    suspended: Annotated[Suspended | UnsetType, GM] = UNSET


class AnswerAsked(DecisionOpened, frozen=True, kw_only=True, tag="decision_opened"):
    """One question of several: who may not know of it sees nothing, not even that there is one."""

    decision: Annotated[Decision, EVERYONE, BEARER]


class Sealed(Struct, frozen=True, kw_only=True):
    """How a question was closed and with which choice, while others of its group are open."""

    how: Annotated[How, GM]
    choice: Annotated[Raw, GM]


class DecisionClosed(Effect, frozen=True, kw_only=True, tag="decision_closed"):
    """A question is closed; how and with which choice is stated once its group is complete.

    Until then both are `sealed`. `full` is a choice that says more than its name. `roll` are the
    faces that it brought where the action waits for more: no other effect names them.
    """

    decision_id: Annotated[DecisionId, EVERYONE, DECISION]
    how: Annotated[How | UnsetType, EVERYONE] = UNSET
    choice: Annotated[Word | UnsetType, EVERYONE] = UNSET
    sealed: Annotated[Sealed | UnsetType, GM] = UNSET
    full: Annotated[Choice | UnsetType, EVERYONE] = UNSET
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET


class WindowSkipped(Effect, frozen=True, kw_only=True, tag="window_skipped"):
    """A question nobody was eligible to answer was not asked; only the GM knows of it."""

    AUDIENCE: ClassVar[str] = GM_WORD

    kind: Annotated[Word, GM]
    why: Annotated[Word, GM]


class Noted(Effect, frozen=True, kw_only=True, tag="noted"):
    """A remark; `gm_text` is for the GM alone."""

    text: Annotated[LongText | UnsetType, TEXT] = UNSET
    gm_text: Annotated[LongText | UnsetType, GM_TEXT] = UNSET


class Adjusted(Effect, frozen=True, kw_only=True, tag="adjusted"):
    """The GM overruled; what was changed follows as ordinary effects of the same event.

    `secret` where all it concerned is hidden.
    """

    reason: Annotated[LongText | UnsetType, TEXT] = UNSET
    secret: Annotated[bool, EVERYONE, SECRET] = False


class Reissued(Struct, frozen=True, kw_only=True):
    """A decision open at the seq rewound to, under its new id."""

    was: Annotated[DecisionId, EVERYONE, DECISION]
    id: Annotated[DecisionId, EVERYONE]


class Rewound(Effect, frozen=True, kw_only=True, tag="rewound"):
    """The battle continues from the rule state of seq `to`."""

    to: Annotated[int, EVERYONE]
    decisions: Annotated[tuple[Reissued, ...], EVERYONE] = ()


class Erased(Effect, frozen=True, kw_only=True, tag="erased"):
    """Free text of these events is gone; the chain still verifies."""

    seqs: Annotated[tuple[int, ...], EVERYONE]
