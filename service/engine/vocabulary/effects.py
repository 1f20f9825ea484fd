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

from service.engine.battle.state import (
    Combatant,
    Decision,
    Declared,
    How,
    Seat,
    Suspended,
    TableOptions,
)
from service.engine.visibility.audience import (
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
from service.engine.visibility.scope import GM_WORD
from service.engine.vocabulary.actions import Choice
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.values import (
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
    """Rule of the catalogue that this fact follows from; absent where none does, such as for what
    the game master alone decided."""


class Source(Struct, frozen=True, kw_only=True):
    """Who or what did it; withheld whole from those who do not know of the combatant."""

    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Who did it; absent where nobody did."""
    item: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Weapon or other item of that combatant that did it; absent where none was used."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """Dice of whoever did it, such as damage dice; absent where none were rolled for it."""
    feature: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Piece of ground that did it, by its id; absent where none did."""


class Shape(Struct, frozen=True, kw_only=True):
    """An area on the table, in the ruleset's unit."""

    kind: Annotated[Word, EVERYONE]
    """Form of the area, such as `blast`: everything within `radius` of `origin`."""
    origin: Annotated[Place, EVERYONE]
    """Where the area starts: the centre of a blast."""
    aim: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Point that a directed area is aimed at; absent for one that has no direction."""
    radius: Annotated[int | UnsetType, EVERYONE] = UNSET
    """How far it reaches from `origin`, in the unit of the ruleset (metres in Seeker d100); absent
    for a form without one."""
    length: Annotated[int | UnsetType, EVERYONE] = UNSET
    """How long it is from `origin` towards `aim`, in the unit of the ruleset; absent for a form
    without one."""


class Victim(Struct, frozen=True, kw_only=True):
    """What an area did to one combatant."""

    target: Annotated[SubjectId, EVERYONE]
    """Combatant that the area reached."""
    outcome: Annotated[Word, EVERYONE]
    """What became of the attack for this victim, such as `hit` or `miss`."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """The victim's own dice against the area; absent where none were rolled."""


class Against(Struct, frozen=True, kw_only=True):
    """The target's side of an attack: the number to reach."""

    target: Annotated[SubjectId, EVERYONE]
    """Combatant attacked."""
    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Total that the attack has to reach: the target's defence against it. Absent where the caller
    may not know the target's numbers."""


class AttackDetail(Struct, frozen=True, kw_only=True):
    """The attacker's side of an attack; unseen as long as the attacker is.

    `base`, `breakdown` and `pool` explain the size of the roll (dice) or its chance.
    Rulesets extend it with what their attacks show besides.
    """

    attacker: Annotated[SubjectId, EVERYONE]
    """Combatant that attacks."""
    item: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Weapon used, by its id on the attacker's sheet; absent without one."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """Dice of the attack; absent where none were rolled."""
    base: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Where the breakdown starts: dice of the weapon in Crossfire d6, the skill in per cent in
    Seeker d100; absent where nothing was rolled or the caller may not know it."""
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    """Modifiers that lead from `base` to `pool`, cancelled ones included; the option `breakdowns`
    says who is told."""
    pool: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Size of the roll after all modifiers: dice rolled in Crossfire d6, the chance in per cent in
    Seeker d100; absent where nothing was rolled or the caller may not know it."""
    against: Annotated[Against | UnsetType, EVERYONE] = UNSET
    """What the attack had to reach; absent where it is rolled against no number of the target, or
    nothing was rolled."""


class Opposed(Struct, frozen=True, kw_only=True):
    """The other side of an opposed check."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant on the other side of the check."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """That combatant's dice; absent where none were rolled."""


class DiceTerms(Struct, frozen=True, kw_only=True):
    """How the dice of the encounter are made."""

    algorithm: Annotated[Word, EVERYONE] = "hmac_sha256_1"
    """How faces are made from the seed: `hmac_sha256_1` draws them from HMAC-SHA-256 streams, one
    per event and audience."""
    mode: Annotated[DiceMode, EVERYONE]
    """`sealed`: the service draws from the seed behind the commitment. `supplied`: the table rolls
    its own dice and sends the faces."""


class ForkOf(Struct, frozen=True, kw_only=True):
    """The event another encounter was continued from."""

    encounter: Annotated[str, EVERYONE]
    """Id of the encounter continued from."""
    seq: Annotated[int, EVERYONE]
    """Its last event that the new encounter builds on."""
    hash: Annotated[Digest, EVERYONE]
    """Hash of that event."""


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
    commitment: Annotated[Digest, EVERYONE]
    """SHA-256 of the label `warlog/commit/1` with a zero byte and the 32 bytes of the seed: binds
    the dice before the first draw."""
    seed: Annotated[Literal["os", "given"], EVERYONE]
    """Where the seed came from: `os` made by the service, `given` by the creator, who could then
    have chosen it for its dice."""
    options: Annotated[TableOptions, EVERYONE]
    """All options of the ruleset, defaults written out."""
    sides: Annotated[tuple[Side, ...], EVERYONE]
    """Sides of the battle, in the order of their dice streams; never changed."""
    map: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    """Digest of the map; absent without one."""
    content: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    """Digest of the content, such as weapons and armour of the table; absent without any."""
    creator: Annotated[By, EVERYONE]
    """Who created the encounter."""
    reveal_by_days: Annotated[int, EVERYONE]
    """Days without any event after which the service ends the battle and reveals the seed, once it
    has started."""
    fork_of: Annotated[ForkOf | UnsetType, EVERYONE] = UNSET
    """Event of another encounter that this one continues; absent for a new battle."""
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

    cause: Annotated[Word, EVERYONE] = "gm"
    """Why it ended: `gm` by a request of the game master or the service."""
    winner: Annotated[SideId | UnsetType, EVERYONE] = UNSET
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
    value: Annotated[Digest, EVERYONE]
    """The 32 bytes, in hex, that go into the key of all draws, in the order of the log."""


class SeedRevealed(Effect, frozen=True, kw_only=True, tag="seed_revealed"):
    """The seed is public, so every draw can be made again."""

    seed: Annotated[Digest, EVERYONE]
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
    map: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    """Digest of the new map; absent where the map stays."""
    content: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    """Digest of the new content; absent where it stays."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET
    """The encounter's new metadata, a JSON object as a string; absent where they stay or were
    erased."""


class CombatantAdded(Effect, frozen=True, kw_only=True, tag="combatant_added"):
    """A combatant is in the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """The whole sheet, as it enters."""


class CombatantRemoved(Effect, frozen=True, kw_only=True, tag="combatant_removed"):
    """A combatant is out of the battle."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that leaves."""
    cause: Annotated[Word, EVERYONE] = "gm"
    """Why it left: `gm` by a request of the game master."""


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

    seat: Annotated[SeatId, EVERYONE]
    """Seat whose control changed."""
    sides: Annotated[tuple[SideId, ...], EVERYONE] = ()
    """Sides all of whose combatants it controls now."""
    combatants: Annotated[tuple[SubjectId, ...], EVERYONE] = ()
    """Combatants that it controls by name now."""
    knows: Annotated[tuple[SideId, ...], GM] = ()
    """Sides whose secrets it shares: its own and those of its combatants."""


class OrderEntry(Struct, frozen=True, kw_only=True):
    """One place in the order of turns, and the score that gave it."""

    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Whose turn it is at this place; absent where a side has it."""
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    """Side whose turn it is at this place; absent where a combatant has it."""
    score: Annotated[int | UnsetType, NUMBERS] = UNSET
    """What gave the place: the total of the initiative roll in Crossfire d6, the rank of the card
    in Seeker d100. Absent where the place was stated or the caller may not know it."""


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

    combatant: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    """Whose turn it is; absent where it is a side's, or its holder is hidden from the caller."""
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    """Side whose turn it is; absent where a combatant has it."""


class TurnEnded(Effect, frozen=True, kw_only=True, tag="turn_ended"):
    """The turn is over: `ended` by its owner, `felled`, `removed`, `passed_over`."""

    combatant: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    """Whose turn is over; absent where it was a side's, or its holder is hidden from the caller."""
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    """Side whose turn is over; absent where a combatant had it."""
    cause: Annotated[Word, EVERYONE] = "ended"
    """Why: `ended` by its owner, `felled`, `removed`, `passed_over` as not able to act, `timeout`
    by the service at the limit of the option `turn_seconds`."""


class PhaseChanged(Effect, frozen=True, kw_only=True, tag="phase_changed"):
    """A turn or an activation went on to another phase."""

    phase: Annotated[Word, EVERYONE]
    """Phase that begins."""
    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Whose turn has the phases; absent where it is no combatant's."""


class Moved(Effect, frozen=True, kw_only=True, tag="moved"):
    """From `start` along `path` (start left out) to `end`; not `complete` when cut short."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that moved."""
    manner: Annotated[Word, EVERYONE]
    """How: `walk` in Crossfire d6, the gait or `cover` in Seeker d100, `placed` where the game
    master put it there."""
    start: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Where it stood before; absent where it stood nowhere."""
    path: Annotated[tuple[Place, ...], EVERYONE] = ()
    """Places passed through in order, `start` left out and `end` included; empty where it was
    placed."""
    end: Annotated[Place, EVERYONE]
    """Where it stands now."""
    cost: Annotated[int | UnsetType, EVERYONE] = UNSET
    """Length of the way: feet in Crossfire d6, metres in Seeker d100; absent where it was placed.
    """
    complete: Annotated[bool, EVERYONE] = True
    """False where the movement was cut short of where it was to go."""
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Why it was cut short or happened: `contact` with something hidden; absent for an ordinary
    movement."""


class Faced(Effect, frozen=True, kw_only=True, tag="faced"):
    """A combatant looks another way."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that turned."""
    facing: Annotated[Facing, EVERYONE]
    """Direction it looks in now."""


class PostureChanged(Effect, frozen=True, kw_only=True, tag="posture_changed"):
    """A combatant holds itself otherwise."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant whose posture changed."""
    posture: Annotated[Word, EVERYONE]
    """Its posture from now on."""
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Why: `gm` by an adjustment, `cover_lost` where the ground gives none any more; absent where
    the combatant chose it."""


class Rolled(Effect, frozen=True, kw_only=True, tag="rolled"):
    """A roll that neither succeeds nor fails, such as initiative."""

    purpose: Annotated[Word, EVERYONE]
    """What was rolled for: `initiative`, `card` (of initiative), `damage`, or `digits` of an armour
    test."""
    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Who rolled, or for whom; absent where it was for nobody in particular."""
    roll: Annotated[Roll, EVERYONE]
    """The dice."""
    value: Annotated[str | UnsetType, EVERYONE] = UNSET
    """What the dice stand for, such as the card drawn; absent where the faces say it all."""


class CheckResolved(Effect, frozen=True, kw_only=True, tag="check_resolved"):
    """A test and its outcome, opposed or not."""

    check: Annotated[Word, EVERYONE]
    """What was tested: `hide` in Crossfire d6; `movement`, `break_free` or `take_cover` in Seeker
    d100."""
    combatant: Annotated[SubjectId, EVERYONE]
    """Whose test it is."""
    outcome: Annotated[Word, EVERYONE]
    """How it ended, such as `success`, `failure`, `critical` or `fumble`."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """Dice of the test; absent where none were rolled."""
    opposed: Annotated[Opposed | UnsetType, EVERYONE] = UNSET
    """The other side's dice; absent for a test against nobody."""


class AttackResolved(Effect, frozen=True, kw_only=True, tag="attack_resolved"):
    """An attack and its outcome; `detail` goes unseen with its attacker."""

    target: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Combatant attacked; absent for an attack at a place."""
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Point attacked; absent for an attack at a combatant."""
    outcome: Annotated[Word, EVERYONE]
    """How it ended, such as `hit`, `miss` or `critical`; `obstructed` met something unseen and was
    not rolled."""
    detail: Annotated[AttackDetail, EVERYONE]
    """Attacker, weapon, dice and modifiers; absent where the attacker is hidden from the caller."""


class AreaResolved(Effect, frozen=True, kw_only=True, tag="area_resolved"):
    """What an area did, victim by victim."""

    area: Annotated[Shape, EVERYONE]
    """Where it was."""
    outcome: Annotated[Word, EVERYONE]
    """How the attack as a whole ended."""
    victims: Annotated[tuple[Victim, ...], EVERYONE] = ()
    """Combatants in the area, those left out that the caller may not know of."""
    detail: Annotated[AttackDetail | UnsetType, EVERYONE] = UNSET
    """Attacker, weapon, dice and modifiers; absent without an attacker or where it is hidden from
    the caller."""


class Hurt(Effect, frozen=True, kw_only=True, tag="hurt"):
    """`amount` of damage was taken (0 and up); `health` and `band` are what is left."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that was hurt."""
    amount: Annotated[int, HEALTH]
    """Points of health lost; 0 where armour took all."""
    health: Annotated[int, HEALTH]
    """Points of health left; 0 or less is down."""
    band: Annotated[Word, BAND]
    """Health in words afterwards: `unhurt`, `hurt`, `badly_hurt` (at most half left) or `down`."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """Damage dice that belong to no combatant; those of an attack stand in `source`. Absent where
    there are none."""
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    """What changed the damage, such as armour, in points; the option `breakdowns` says who is told.
    """
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Why: `attack`, or `gm` by an adjustment; absent where no reason is named."""
    source: Annotated[Source | UnsetType, EVERYONE] = UNSET
    """Who or what did it; absent where nobody did or the caller may not know of them."""


class Healed(Effect, frozen=True, kw_only=True, tag="healed"):
    """`amount` of health came back; `health` and `band` are what there is now."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that recovered."""
    amount: Annotated[int, HEALTH]
    """Points of health gained."""
    health: Annotated[int, HEALTH]
    """Points of health now."""
    band: Annotated[Word, BAND]
    """Health in words afterwards: `unhurt`, `hurt`, `badly_hurt` (at most half left) or `down`."""
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Why: `gm` by an adjustment; absent where no reason is named."""


class Felled(Effect, frozen=True, kw_only=True, tag="felled"):
    """Out of the fight: `state` also becomes a condition."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that is out of the fight."""
    state: Annotated[Word, EVERYONE]
    """How: `helpless` or `dead` in Crossfire d6, `unconscious` or `dead` in Seeker d100."""
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Why: `attack`, or `gm` by an adjustment; absent where no reason is named."""


class StatChanged(Effect, frozen=True, kw_only=True, tag="stat_changed"):
    """A number of a combatant has another value."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant whose number changed."""
    stat: Annotated[Word, EVERYONE]
    """Field of the sheet, or number that the ruleset keeps of the combatant, such as `suppression`
    (CF-PIN-2)."""
    now: Annotated[int, NUMBERS]
    """Its value afterwards."""
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Where the number counts from, such as the cell of a streak of suppression (CF-PIN-2,
    CF-PIN-4); absent where it has no place."""
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Why: `gm` by an adjustment; absent where it follows from the rules."""


class ResourceChanged(Effect, frozen=True, kw_only=True, tag="resource_changed"):
    """Something that is spent and regained: actions, rounds, points."""

    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Whose resource it is; absent where it is a side's."""
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    """Side whose resource it is; absent where it is a combatant's."""
    resource: Annotated[Word, EVERYONE]
    """What is spent and regained: `actions` in Crossfire d6; `action`, or `ammo` of a weapon, in
    Seeker d100."""
    item: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Weapon that holds it, by its id; absent where none does."""
    now: Annotated[int, EVERYONE]
    """How much is left."""
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Why: `turn_began`, `turn_ended`, or `gm` by an adjustment; absent where an action spent it.
    """


class ConditionGained(Effect, frozen=True, kw_only=True, tag="condition_gained"):
    """A condition holds from now on; gaining it again replaces its amount."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that has the condition."""
    condition: Annotated[Word, EVERYONE]
    """Condition that holds from now on."""
    amount: Annotated[int | UnsetType, EVERYONE] = UNSET
    """Size of the condition, such as the modifier of a next roll; absent for one that only holds.
    """
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Why: `gm` by an adjustment; absent where it was chosen or follows from the rules."""


class ConditionLost(Effect, frozen=True, kw_only=True, tag="condition_lost"):
    """A condition holds no longer."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that had the condition."""
    condition: Annotated[Word, EVERYONE]
    """Condition that holds no longer."""
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Why, such as `used`, `attack`, `turn_began`, `recovered` or `gm`; absent where the combatant
    chose it."""


class ItemChanged(Effect, frozen=True, kw_only=True, tag="item_changed"):
    """An item was gained, lost, dropped, readied or stowed."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Who has or had the item."""
    item: Annotated[str, EVERYONE]
    """Id of the item on that combatant's sheet."""
    change: Annotated[Word, EVERYONE]
    """What happened: `gained`, `lost`, `dropped`, `taken`, `readied` or `stowed`."""
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Where it lies; absent where it lies nowhere."""


class LinkChanged(Effect, frozen=True, kw_only=True, tag="link_changed"):
    """Two combatants are tied, or no longer: a hold, a guard, a song."""

    link: Annotated[Word, EVERYONE]
    """What ties them: `hidden_from`, `position_override` or `shot_at` in Crossfire d6, `hold` in
    Seeker d100."""
    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that the tie is about, such as the one held."""
    other: Annotated[SubjectId, EVERYONE]
    """Combatant at the other end, such as the holder."""
    tied: Annotated[bool, EVERYONE]
    """True where the tie holds from now on, false where it is gone."""
    amount: Annotated[int | UnsetType, EVERYONE] = UNSET
    """Size of the tie, such as the offset of a hiding; absent where it has none."""


class MarkerPlaced(Effect, frozen=True, kw_only=True, tag="marker_placed"):
    """A marker or template lies on the table."""

    marker: Annotated[str, EVERYONE]
    """Id of the marker."""
    kind: Annotated[Word, EVERYONE]
    """What the marker stands for."""
    shape: Annotated[Shape, EVERYONE]
    """Ground that it covers."""
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    """Side it belongs to; absent where it is nobody's."""


class MarkerRemoved(Effect, frozen=True, kw_only=True, tag="marker_removed"):
    """A marker or template lies there no longer."""

    marker: Annotated[str, EVERYONE]
    """Id of the marker."""
    cause: Annotated[Word, EVERYONE]
    """Why it is gone."""


class TerrainChanged(Effect, frozen=True, kw_only=True, tag="terrain_changed"):
    """Ground is otherwise from now on; rulesets extend it with what changed."""

    cause: Annotated[Word, EVERYONE] = "gm"
    """Why: `gm` by a request of the game master, `setup` at creation, `met` where hidden ground
    came to light."""


class Revealed(Effect, frozen=True, kw_only=True, tag="revealed"):
    """What was hidden is known to everyone: the combatant is stated anew."""

    combatant: Annotated[Combatant, EVERYONE]
    """The whole sheet as everyone may know it now."""
    cause: Annotated[Word, EVERYONE]
    """How it came to light: `gm` by an adjustment, `contact` where somebody met it, `attack` by its
    own attack."""


class Hidden(Effect, frozen=True, kw_only=True, tag="hidden"):
    """A combatant is known only to its own side from now on."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that others see no longer."""
    cause: Annotated[Word, EVERYONE] = "gm"
    """Why: `gm` by an adjustment."""


class DecisionOpened(Effect, frozen=True, kw_only=True, tag="decision_opened"):
    """A question is open.

    It opens a new group on top of the stack, unless it `joins` the top one: told openly, that would
    betray questions that others do not see, so `first` is always true. `declared` is the action
    that waits for the table's dice, with the faces so far; `suspended` the one that waits until
    the group is complete.
    """

    decision: Annotated[Decision, EVERYONE]
    """The question, and who may answer it."""
    first: Annotated[bool, EVERYONE] = True
    """Always true: whether it is the first of its group would tell of questions that others do not
    see."""
    joins: Annotated[bool | UnsetType, GM] = UNSET
    """True where it belongs to the group on top of the stack; absent where it opens a group of its
    own."""
    declared: Annotated[Declared | UnsetType, GM] = UNSET
    """Action that waits for the table's dice, with the faces so far; absent where none does."""
    suspended: Annotated[Suspended | UnsetType, GM] = UNSET
    """Action that waits until its group is complete; stated with the first question of the group,
    absent otherwise."""


class AnswerAsked(DecisionOpened, frozen=True, kw_only=True, tag="decision_opened"):
    """One question of several: who may not know of it sees nothing, not even that there is one."""

    decision: Annotated[Decision, EVERYONE, BEARER]
    """The question, and who may answer it."""


class Sealed(Struct, frozen=True, kw_only=True):
    """How a question was closed and with which choice, while others of its group are open."""

    how: Annotated[How, GM]
    """How it was closed: `answered`, `passed`, `forced` by the game master or `timeout`."""
    choice: Annotated[Raw, GM]
    """The choice with its fields; of a forced decision `pass`."""


class DecisionClosed(Effect, frozen=True, kw_only=True, tag="decision_closed"):
    """A question is closed; how and with which choice is stated once its group is complete.

    Until then both are `sealed`. `full` is a choice that says more than its name. `roll` are the
    faces that it brought where the action waits for more: no other effect names them.
    """

    decision_id: Annotated[DecisionId, EVERYONE, DECISION]
    """Decision that is closed."""
    how: Annotated[How | UnsetType, EVERYONE] = UNSET
    """How: `answered`, `passed`, `forced` by the game master, `timeout`, or `void` where nobody can
    answer any more. Absent while others of its group are open."""
    choice: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Name of the choice; absent where the decision is void, where a `roll` is forced, or while
    others of its group are open."""
    sealed: Annotated[Sealed | UnsetType, GM] = UNSET
    """How it was closed and with which choice, kept from everyone but the game master until the
    group is complete; absent once both are stated."""
    full: Annotated[Choice | UnsetType, EVERYONE] = UNSET
    """The whole choice, where it says more than its name; absent otherwise."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """Faces that an answered `roll` brought where the action waits for more dice; absent otherwise,
    since the effects of the action show them."""


class WindowSkipped(Effect, frozen=True, kw_only=True, tag="window_skipped"):
    """A question nobody was eligible to answer was not asked; only the GM knows of it."""

    AUDIENCE: ClassVar[str] = GM_WORD

    kind: Annotated[Word, GM]
    """Kind of question that was not asked, such as `reaction` (SK-REACT-2)."""
    why: Annotated[Word, GM]
    """`nobody_eligible`, or `reactions_none` where the option `reactions` is `none`."""


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

    was: Annotated[DecisionId, EVERYONE, DECISION]
    """Id that the decision had at the seq rewound to; an answer to it is refused."""
    id: Annotated[DecisionId, EVERYONE]
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
