"""The shared effects with this ruleset's own payloads, and what an event of it looks like."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.log import event as log
from service.engine.visibility.audience import (
    BEARER,
    BREAKDOWN,
    EVERYONE,
    NUMBERS,
    RuleId,
)
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.recorded_words import (
    RecordedMentionId,
    RecordedOtherId,
    RecordedSideId,
    RecordedSubjectId,
    RecordedUnitId,
    RecordedUnitMention,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    Roll,
)
from service.rulesets.melody_d6.actions import AnyAction, AnyChoice, CreateBattle
from service.rulesets.melody_d6.attack_effects import AttackResolved
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.options import Options
from service.rulesets.melody_d6.questions import Question
from service.rulesets.melody_d6.rules.dampening import Automatic
from service.rulesets.melody_d6.rules.lasting import Ending, TargetKind
from service.rulesets.melody_d6.rules.songs import Classification, RerollSource
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    Condition,
    FelledState,
    Phase,
    Resource,
    RoundNumber,
    Unit,
)
from service.rulesets.melody_d6.terrain import MAX_FEATURES, FeatureChange
from service.rulesets.melody_d6.weapons import ContentId


class EncounterCreated(fx.EncounterCreated, frozen=True, kw_only=True, tag="encounter_created"):
    """The terms of the battle."""

    options: Annotated[Options, EVERYONE]
    """What this table chooses among the rules' variants."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it is taken up here; absent for a new battle."""


class OptionsSet(fx.OptionsSet, frozen=True, kw_only=True, tag="options_set"):
    """Terms changed before the start."""

    options: Annotated[Options, EVERYONE]
    """All options as they are from now on."""


class CombatantAdded(fx.CombatantAdded, frozen=True, kw_only=True, tag="combatant_added"):
    """A warrior is in the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """Its sheet as the battle keeps it."""


class UnitFormed(fx.Effect, frozen=True, kw_only=True, tag="unit_formed"):
    """A unit is in the battle."""

    unit: Annotated[Unit, EVERYONE, BEARER]
    """The unit as the battle keeps it."""


class ForceSet(fx.Effect, frozen=True, kw_only=True, tag="force_set"):
    """What a side has."""

    side: Annotated[RecordedSideId, EVERYONE]
    """Id of the side."""
    home_edge: Annotated[Literal["north", "south", "west", "east"], EVERYONE]
    """Edge of the table that its warriors flee to (ML-PANIC-3)."""
    fp: Annotated[int, EVERYONE] = 0
    """FP that it has (ML-FP-1)."""
    dampenings: Annotated[int, EVERYONE] = 0
    """Attempts at lasting Melodies in this round (ML-LAST-7)."""


class ActivationBegan(fx.Effect, frozen=True, kw_only=True, tag="activation_began"):
    """A unit is activated within the turn of its side; it begins with its movement phase."""

    side: Annotated[RecordedSideId, EVERYONE]
    """Id of the side."""
    unit: Annotated[RecordedUnitMention | UnsetType, EVERYONE] = UNSET
    """Id of the unit; absent for who knows none of its members."""


class ActivationEnded(fx.Effect, frozen=True, kw_only=True, tag="activation_ended"):
    """The activation of a unit is over, the turn of its side goes on."""

    side: Annotated[RecordedSideId, EVERYONE]
    """Id of the side."""
    unit: Annotated[RecordedUnitMention | UnsetType, EVERYONE] = UNSET
    """Id of the unit; absent for who knows none of its members."""
    cause: Annotated[RecordedWord, EVERYONE] = "ended"
    """Why: `ended` by its side, `timeout` by the service at the limit of the turn, `removed` with
    its last member."""


class UnitSpent(fx.Effect, frozen=True, kw_only=True, tag="unit_spent"):
    """A unit counts as activated in this turn, since it rallied (ML-PANIC-4)."""

    unit: Annotated[RecordedUnitId, EVERYONE]
    """Id of the unit."""


class PhaseChanged(fx.PhaseChanged, frozen=True, kw_only=True, tag="phase_changed"):
    """An activation goes on to the action phase."""

    phase: Annotated[Phase, EVERYONE]
    """Phase that begins."""
    unit: Annotated[RecordedUnitMention | UnsetType, EVERYONE] = UNSET
    """Id of the unit; absent for who knows none of its members."""


class MaskDeclared(fx.Effect, frozen=True, kw_only=True, tag="mask_declared"):
    """Warriors are about to mask (ML-MASK-4); the activation has had its `mask`."""

    combatants: Annotated[tuple[RecordedMentionId, ...], EVERYONE]
    """Ids of the warriors."""


class Rolled(fx.Rolled, frozen=True, kw_only=True, tag="rolled"):
    """A roll that neither succeeds nor fails, or is told before somebody is asked about it.

    Purposes: `initiative`, `song`, `dampening`, `mistake`.
    """

    side: Annotated[RecordedSideId | UnsetType, EVERYONE] = UNSET
    """Side that rolled, for the initiative; absent else."""


class Rerolled(Struct, frozen=True, kw_only=True):
    """Dice that were rolled again: those they replace stay in `roll` as `replaced`."""

    source: Annotated[RerollSource, EVERYONE]
    """Where the reroll came from."""
    dice: Annotated[tuple[int, ...], EVERYONE]
    """Places of the dice rolled again, from 0."""
    before: Annotated[tuple[int, ...], EVERYONE]
    """All faces before."""
    after: Annotated[tuple[int, ...], EVERYONE]
    """All faces afterwards."""
    roll: Annotated[Roll, EVERYONE]
    """The new dice."""


class Tested(Struct, frozen=True, kw_only=True):
    """A masked warrior whom a detection roll concerns (ML-MASK-12)."""

    target: Annotated[RecordedOtherId, EVERYONE]
    """Id of the masked warrior."""
    detected: Annotated[bool, EVERYONE]
    """Whether it is detected."""


class CheckResolved(fx.CheckResolved, frozen=True, kw_only=True, tag="check_resolved"):
    """A test and its outcome.

    `song` (ML-SING-1), `dampening` (ML-DAMP-2), `template` (ML-TPL-2), `resistance` (ML-RES-2),
    `detection` (ML-MASK-12), `mobility` (ML-TEST-1), `panic` (ML-PANIC-1), `rally` (ML-PANIC-4),
    `wound` and `save` of a Melody or mistake (ML-SHOOT-6; those of attacks stand with the attack).
    """

    base: Annotated[int | UnsetType, NUMBERS] = UNSET
    """What the breakdown starts with: Mobility in a detection, Courage in a test of panic or rally;
    absent else or where the caller may not know it."""
    breakdown: Annotated[tuple[Line, ...], BREAKDOWN] = ()
    """Modifiers of the total, or of the number to reach in a panic test."""
    total: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Faces with modifiers; absent where nothing is added up or the caller may not know it."""
    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    """What the total has to reach, or (tests of panic, rally, Mobility and Resistance) may be at
    most; absent where there is no number or the caller may not know it."""
    melody: Annotated[ContentId | UnsetType, EVERYONE] = UNSET
    """Id of the Melody concerned; absent where none is."""
    song: Annotated[ContentId | UnsetType, EVERYONE] = UNSET
    """Id of the song in play that is to be dampened; absent else."""
    source: Annotated[fx.Source | UnsetType, EVERYONE] = UNSET
    """Who sang what a template or a Resistance is rolled for, and the Melody as `item`; absent for
    other checks or where the caller may not know of the singer."""
    resistance: Annotated[ContentId | UnsetType, EVERYONE] = UNSET
    """What the Resistance that is rolled for holds against; absent for other checks."""
    classification: Annotated[Classification | UnsetType, EVERYONE] = UNSET
    """What a song counts as in the end, an avoided Mistake as `none`; absent for other checks."""
    automatic: Annotated[Automatic | UnsetType, EVERYONE] = UNSET
    """What the first natural dice make of a dampening; absent for other checks."""
    target_kind: Annotated[TargetKind | UnsetType, EVERYONE] = UNSET
    """Whether a dampening had to reach the result or the difficulty; absent for other checks."""
    reroll: Annotated[Rerolled | UnsetType, EVERYONE] = UNSET
    """What was rolled again; absent where nothing was."""
    unit: Annotated[RecordedUnitMention | UnsetType, EVERYONE] = UNSET
    """Id of the unit that tests its Courage; absent for other checks."""
    versus: Annotated[RecordedOtherId | UnsetType, EVERYONE] = UNSET
    """Id of the shooter whom a Mobility test may notice; absent for other checks."""
    tested: Annotated[tuple[Tested, ...], EVERYONE] = ()
    """Masked warriors whom a detection concerns."""
    rules: Annotated[tuple[RuleId, ...] | UnsetType, EVERYONE] = UNSET
    """Further rules that made the outcome what it is; absent where there are none."""


class Felled(fx.Felled, frozen=True, kw_only=True, tag="felled"):
    """A warrior is killed (`out`), or has left the table in flight (`fled`)."""

    state: Annotated[FelledState, EVERYONE]
    """How it left the table."""


class ConditionGained(fx.ConditionGained, frozen=True, kw_only=True, tag="condition_gained"):
    """A condition holds from now on."""

    condition: Annotated[Condition, EVERYONE]
    """Condition that holds from now on; `hoarse` until the end of round `amount`."""
    item: Annotated[ContentId | UnsetType, EVERYONE] = UNSET
    """Id of the song, for `melody`; absent else."""
    until: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """`next_activation` where a stun outlasts the open activation (ML-STUN-1); absent else."""


class ConditionLost(fx.ConditionLost, frozen=True, kw_only=True, tag="condition_lost"):
    """A condition holds no longer; of `melody` only the song `item`."""

    condition: Annotated[Condition, EVERYONE]
    """Condition that holds no longer."""
    source: Annotated[fx.Source | UnsetType, EVERYONE] = UNSET
    """Who detected a masked warrior; absent else or where the caller may not know of that one."""
    item: Annotated[ContentId | UnsetType, EVERYONE] = UNSET
    """Id of the song, for `melody`; absent else."""


class ResourceChanged(fx.ResourceChanged, frozen=True, kw_only=True, tag="resource_changed"):
    """FP and attempts of a side; movement, action (0 once spent) and rerolls of a warrior."""

    resource: Annotated[Resource, EVERYONE]
    """`fp`: left; `dampening`: attempts made in this round; `movement`, `action`: 0 once they are
    spent; `rerolls`: left in this round."""


class MarkerPlaced(fx.MarkerPlaced, frozen=True, kw_only=True, tag="marker_placed"):
    """A lasting Melody is in play (ML-LAST-1); `marker` is the id of the song, `kind` `melody`."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of the singer."""
    melody: Annotated[ContentId, EVERYONE]
    """Id of the Melody."""
    target: Annotated[RecordedMentionId | UnsetType, EVERYONE] = UNSET
    """Id of the warrior it was sung at, with whom it goes; absent with a template."""
    round: Annotated[RoundNumber, EVERYONE]
    """Round in which it was sung."""
    monstrous: Annotated[bool, EVERYONE] = False
    """Whether it was sung with Monstrous Power."""
    dampened_in: Annotated[RoundNumber, EVERYONE] = 0
    """Last round in which the other side tried to dampen it; 0: none."""


class MarkerRemoved(fx.MarkerRemoved, frozen=True, kw_only=True, tag="marker_removed"):
    """A lasting Melody is in play no longer (ML-LAST-3, ML-LAST-4, ML-LAST-5)."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of the singer."""
    cause: Annotated[Ending, EVERYONE]
    """What ended it: `dampened`, `stopped`, `singer_gone` (killed or off the table), or
    `singer_fled`."""


class SongDampening(fx.Effect, frozen=True, kw_only=True, tag="song_dampening"):
    """The other side has had its attempt of this round at a song in play (ML-LAST-7)."""

    marker: Annotated[str, EVERYONE]
    """Id of the song."""
    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of its singer."""
    round: Annotated[RoundNumber, EVERYONE]
    """The round."""


class AreaResolved(fx.AreaResolved, frozen=True, kw_only=True, tag="area_resolved"):
    """The template of a Melody that takes effect at once, and who is under it.

    The outcome is `success`, that of a victim `full` or `part`; dice and effects follow.
    """

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of the singer."""
    melody: Annotated[ContentId, EVERYONE]
    """Id of the Melody."""


class TerrainChanged(fx.TerrainChanged, frozen=True, kw_only=True, tag="terrain_changed"):
    """Features as they are from now on."""

    changes: Annotated[
        Annotated[tuple[FeatureChange, ...], Meta(max_length=MAX_FEATURES)], EVERYONE
    ]
    """The features that change."""


class Revealed(fx.Revealed, frozen=True, kw_only=True, tag="revealed"):
    """A hidden warrior is known to everyone."""

    combatant: Annotated[Combatant, EVERYONE]
    """Its sheet as it is now."""


class DecisionOpened(fx.DecisionOpened, frozen=True, kw_only=True, tag="decision_opened"):
    """A question is open: a window of 2.3, or which faces the table's dice show."""

    decision: Annotated[Question, EVERYONE, BEARER]
    """The question, which side may answer it and with what."""


class DecisionClosed(fx.DecisionClosed, frozen=True, kw_only=True, tag="decision_closed"):
    """A question is closed; `full` is the choice."""

    full: Annotated[AnyChoice | UnsetType, EVERYONE] = UNSET
    """The choice with all its fields; absent for one that has none beside its type."""


AnyEffect = (
    EncounterCreated
    | fx.EncounterStarted
    | fx.EncounterEnded
    | fx.Contributed
    | fx.SeedRevealed
    | fx.PartsOpened
    | OptionsSet
    | ForceSet
    | CombatantAdded
    | fx.CombatantRemoved
    | UnitFormed
    | fx.SeatChanged
    | fx.ControlChanged
    | fx.OrderSet
    | fx.RoundBegan
    | fx.TurnBegan
    | fx.TurnEnded
    | ActivationBegan
    | ActivationEnded
    | UnitSpent
    | PhaseChanged
    | fx.Moved
    | MaskDeclared
    | Rolled
    | CheckResolved
    | AttackResolved
    | fx.Hurt
    | fx.Healed
    | Felled
    | fx.StatChanged
    | ResourceChanged
    | ConditionGained
    | ConditionLost
    | MarkerPlaced
    | MarkerRemoved
    | SongDampening
    | AreaResolved
    | TerrainChanged
    | Revealed
    | fx.Hidden
    | DecisionOpened
    | DecisionClosed
    | fx.ActionStopped
    | fx.WindowSkipped
    | fx.Noted
    | fx.Adjusted
    | fx.Rewound
    | fx.Erased
)
"""Everything a battle's log can hold."""


class Event(log.Event, frozen=True, kw_only=True):
    """One event of a battle."""

    action: Annotated[AnyAction | CreateBattle, EVERYONE]
    """What was asked for; `create_encounter` in event 1."""
    effects: Annotated[tuple[AnyEffect, ...], EVERYONE]
    """What happened, fact by fact, in the order in which it happened."""
