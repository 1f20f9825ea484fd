"""The shared effects with this ruleset's own payloads, and what an event of it looks like.

What the game master overrules of cover and concealment are links of the target to an attacker. What
an attack at a cell came to depends on who was there, so that part of it is the game master's.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.log import event as log
from service.engine.visibility.audience import (
    BEARER,
    BREAKDOWN,
    COUNTED,
    EVERYONE,
    GM,
    NUMBERS,
    SECRET,
    RuleId,
)
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.breakdown import GroundPart, Modifier
from service.engine.vocabulary.recorded_words import (
    RecordedMentionId,
    RecordedOtherId,
    RecordedSubjectId,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    Roll,
)
from service.rulesets.tactical_d20.actions import AnyAction, AnyChoice, CreateBattle
from service.rulesets.tactical_d20.rules.reports import (
    ConcealmentReport,
    CoverReport,
    FlankingReport,
)
from service.rulesets.tactical_d20.rules.words import AttackMode, Gravity, Outcome
from service.rulesets.tactical_d20.state import (
    BattleState,
    Combatant,
    Condition,
    Opportunity,
    Options,
)
from service.rulesets.tactical_d20.terrain import TerrainChange
from service.rulesets.tactical_d20.weapons import Defence

ResolvedOutcome = Literal[Outcome, "obstructed"]
"""How an attack ended; `obstructed`: something unseen was in the way and nothing was rolled."""

SaveOutcome = Literal["success", "failure"]
"""Whether a Reflex save reached the difficulty."""


class EncounterCreated(fx.EncounterCreated, frozen=True, kw_only=True, tag="encounter_created"):
    """The terms of the battle."""

    options: Annotated[Options, EVERYONE]
    """What this table chooses among the rules' variants."""
    gravity: Annotated[Gravity, EVERYONE] = "normal"
    """Whether things have weight (TD-PRONE-4)."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it is taken up here; absent for a new battle."""


class OptionsSet(fx.OptionsSet, frozen=True, kw_only=True, tag="options_set"):
    """Terms changed before the start; a new map begins without changes and secrets."""

    options: Annotated[Options, EVERYONE]
    """All options as they are from now on."""


class GravitySet(fx.Effect, frozen=True, kw_only=True, tag="gravity_set"):
    """Things have weight from now on, or have none."""

    gravity: Annotated[Gravity, EVERYONE]
    """Gravity from now on (TD-PRONE-4)."""


class CombatantAdded(fx.CombatantAdded, frozen=True, kw_only=True, tag="combatant_added"):
    """A combatant is in the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """Its sheet as the battle keeps it; what is overruled of it follows as `link_changed`."""


class OrderSet(fx.OrderSet, frozen=True, kw_only=True, tag="order_set"):
    """All places in the order of turns, by initiative (TD-SD-1).

    If somebody joined it, whoever does not know him sees nothing of the change.
    """

    combatant: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Id of the one who joined the order; absent where several did or the order was given."""


class Against(fx.Against, frozen=True, kw_only=True):
    """The target's side of an attack: its armour class and what changed it."""

    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Armour class against this attack, all modifiers included (TD-SD-2)."""
    base: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Armour class of the sheet, from which the breakdown leads to `needed`."""
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    """What changed the armour class: cover, the target's being prone, its spinning."""


class Detail(fx.AttackDetail, frozen=True, kw_only=True):
    """The attacker's side of an attack: `base` is the weapon's bonus, `pool` that with modifiers.

    Of an attack at a cell what depends on who is there stands in `guess` of the effect.
    """

    mode: Annotated[AttackMode, EVERYONE]
    """Whether the attacker strikes or shoots."""
    defence: Annotated[Defence | UnsetType, NUMBERS] = UNSET
    """Armour class that the weapon is rolled against."""
    opportunity: Annotated[bool, EVERYONE] = False
    """Whether it was an attack out of turn."""
    distance_ft: Annotated[int, EVERYONE]
    """Distance in feet of attacker and target, or of the cell attacked (TD-GEO-2)."""
    result: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Face of the d20 and `pool`: what is compared with the armour class (TD-SD-2); absent where
    nothing was rolled."""
    against: Annotated[Against | UnsetType, EVERYONE] = UNSET
    """What the attack had to reach; absent where nothing was rolled, and at a cell."""
    cover: Annotated[CoverReport | UnsetType, EVERYONE] = UNSET
    """The target's cover with corner and lines (TD-COVER-1); absent at a cell."""
    concealment: Annotated[ConcealmentReport | UnsetType, BREAKDOWN] = UNSET
    """The target's concealment with corner and lines (TD-CONC-2, TD-CONC-6); absent at a cell."""
    flanking: Annotated[FlankingReport | UnsetType, BREAKDOWN] = UNSET
    """Who flanks with the attacker (TD-FLANK-1); absent for shots, and at a cell."""
    miss_chance: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """The d% against the miss chance (TD-CONC-3); absent where none was rolled, and at a cell."""
    obstructed_by: Annotated[tuple[GroundPart, ...], EVERYONE] = ()
    """Cells and borders that interrupt the line of an `obstructed` attack and become known."""


class Guess(Struct, frozen=True, kw_only=True):
    """What an attack at a cell came to, for the game master alone (TD-UNSEEN-3)."""

    target: Annotated[RecordedMentionId | UnsetType, GM] = UNSET
    """Id of the combatant who was there; absent if nobody was. Of several the first; in version 2
    the first who was attacked, if any was (TD-TOTAL-2)."""
    outcome: Annotated[ResolvedOutcome, GM]
    """How it ended: `miss` also where nobody was there or, in version 2, nobody who could be
    attacked; `miss_concealment` where the d% made a miss of a hit."""
    needed: Annotated[int | UnsetType, GM] = UNSET
    """Armour class of whoever was there against this attack; absent if nobody was attacked."""
    base: Annotated[int | UnsetType, GM] = UNSET
    """Armour class of the sheet; absent if nobody was attacked."""
    pool: Annotated[int | UnsetType, GM] = UNSET
    """What was added to the d20 against whoever was there, flanking included; absent if nobody
    was attacked."""
    attack_breakdown: Annotated[tuple[Modifier, ...], GM] = ()
    """What changed the attack roll against whoever was there, flanking included."""
    breakdown: Annotated[tuple[Modifier, ...], GM] = ()
    """What changed the armour class."""
    cover: Annotated[CoverReport | UnsetType, GM] = UNSET
    """Cover of whoever was there; absent if nobody was. In version 2 total cover by the game
    master's word, by TD-TOTAL-2: it kept the attack from him."""
    concealment: Annotated[ConcealmentReport | UnsetType, GM] = UNSET
    """Concealment of whoever was there, at least `unseen_pct`; absent if nobody was
    attacked."""
    flanking: Annotated[FlankingReport | UnsetType, GM] = UNSET
    """Who flanked with the attacker; absent for shots and if nobody was attacked."""
    miss_chance: Annotated[Roll | UnsetType, GM] = UNSET
    """The d%, drawn after every d20 but a natural 1 and read on a hit alone."""


class AttackResolved(fx.AttackResolved, frozen=True, kw_only=True, tag="attack_resolved"):
    """An attack and its outcome; at a cell `place` is the cell, and every miss is a `miss`."""

    outcome: Annotated[ResolvedOutcome, EVERYONE]
    """How the attack ended; `obstructed`: something unseen was in the way and nothing was
    rolled."""
    detail: Annotated[Detail, EVERYONE]
    """The attacker's side: weapon, roll, modifiers, corner and lines."""
    guess: Annotated[Guess | UnsetType, GM] = UNSET
    """Who was in the cell and what that made of the attack; absent for an attack at a combatant."""


class Victim(fx.Victim, frozen=True, kw_only=True):
    """What an area did to one combatant."""

    outcome: Annotated[SaveOutcome, EVERYONE]
    """Whether its Reflex save reached the difficulty: `success` halves the damage."""
    base: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Its Reflex bonus."""
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    """What changed the save: cover, with 0 where the effect spreads (TD-COVER-7)."""
    result: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Face of the d20, bonus and modifiers."""
    cover: Annotated[CoverReport | UnsetType, EVERYONE] = UNSET
    """Its cover from the origin (TD-COVER-9)."""


class AreaDetail(fx.AttackDetail, frozen=True, kw_only=True):
    """Who used the area effect, and what it is like; `item` is its id on the sheet."""

    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    """What a Reflex save must reach."""
    spread: Annotated[bool, EVERYONE] = False
    """Whether it spreads round corners and ignores cover (TD-COVER-7)."""
    against: Annotated[Against | UnsetType, EVERYONE] = UNSET
    """Always absent: an area effect is rolled against nobody's armour class."""


class AreaResolved(fx.AreaResolved, frozen=True, kw_only=True, tag="area_resolved"):
    """An area effect, victim by victim; the one damage roll for all is a `rolled` behind it."""

    outcome: Annotated[Literal["carried_out"], EVERYONE]
    """Always `carried_out`: how it ended for whom stands with the victims."""
    victims: Annotated[tuple[Victim, ...], EVERYONE] = ()
    """All whom the effect reaches, in the order in which they came in."""
    detail: Annotated[AreaDetail | UnsetType, EVERYONE] = UNSET
    """Who used it and what it is like."""


class Report(Struct, frozen=True, kw_only=True):
    """What the weapon or area of `combatant` did to make the damage; unseen with him."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of whoever attacked."""
    about: Annotated[Literal["damage"], EVERYONE]
    """Always `damage`: what dice and bonus came to."""
    rules: Annotated[tuple[RuleId, ...] | UnsetType, EVERYONE] = UNSET
    """Rules that applied: TD-SD-2 where a critical hit doubled dice and bonus; absent if none."""
    facts: Annotated[dict[str, int] | UnsetType, EVERYONE] = UNSET
    """`roll`, the sum of the dice, the `bonus` added to it, and the `damage` they come to, in
    points; of a saved area effect also `half`."""


class Hurt(fx.Hurt, frozen=True, kw_only=True, tag="hurt"):
    """Damage was taken; `reports` say what made it."""

    reports: Annotated[tuple[Report, ...], BREAKDOWN] = ()
    """What dice and bonus of the weapon or area came to; empty where the game master decided."""


class ConditionGained(fx.ConditionGained, frozen=True, kw_only=True, tag="condition_gained"):
    """A condition holds from now on; cause `knocked_down_weightless`: it would be prone."""

    condition: Annotated[Condition, EVERYONE]
    """Condition that holds from now on."""


class ConditionLost(fx.ConditionLost, frozen=True, kw_only=True, tag="condition_lost"):
    """A condition holds no longer."""

    condition: Annotated[Condition, EVERYONE]
    """Condition that holds no longer."""


class LinkChanged(fx.LinkChanged, frozen=True, kw_only=True, tag="link_changed"):
    """The game master's word on `combatant` as a target of the attacker `other`, or none any more.

    Whoever may not know the numbers of `combatant` sees nothing of it.
    """

    link: Annotated[Literal["cover_override", "concealment_override"], EVERYONE]
    """`cover_override`: its cover (TD-COVER-8), `concealment_override`: its concealment
    (TD-CONC-7)."""
    other: Annotated[RecordedOtherId, EVERYONE]
    """Id of the attacker against whom it counts."""
    tied: Annotated[bool, EVERYONE, COUNTED]
    """True where the word counts from now on, false where the map counts again."""
    amount: Annotated[int | UnsetType, EVERYONE] = UNSET
    """Of `concealment_override`: the per cent that count; absent otherwise and where lifted."""
    value: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Of `cover_override`: the grade that counts; absent otherwise and where lifted."""


class TerrainChanged(fx.TerrainChanged, frozen=True, kw_only=True, tag="terrain_changed"):
    """Cells and borders as they are from now on; `secret` ones only the game master knows.

    Cause `met`: hidden ground that somebody came across; from now on everyone knows it.
    """

    changes: Annotated[Annotated[tuple[TerrainChange, ...], Meta(max_length=10_000)], EVERYONE]
    """The cells and borders that change, each whole."""
    secret: Annotated[bool, EVERYONE, SECRET] = False
    """Whether only the game master knows of it until somebody meets it."""


class Revealed(fx.Revealed, frozen=True, kw_only=True, tag="revealed"):
    """A hidden combatant is known to everyone."""

    combatant: Annotated[Combatant, EVERYONE]
    """Its sheet as it is now."""


class DecisionOpened(fx.DecisionOpened, frozen=True, kw_only=True, tag="decision_opened"):
    """A question is open: attack out of turn or not, or which faces the table's dice show."""

    decision: Annotated[Opportunity, EVERYONE, BEARER]
    """The question, who may answer it and with what."""


class DecisionClosed(fx.DecisionClosed, frozen=True, kw_only=True, tag="decision_closed"):
    """A question is closed; `full` is the choice once its group is complete."""

    full: Annotated[AnyChoice | UnsetType, EVERYONE] = UNSET
    """The choice with all its fields; absent for one that has none beside its type."""


LifeEffect = (
    fx.EncounterStarted | fx.EncounterEnded | fx.Contributed | fx.SeedRevealed | fx.PartsOpened
)
"""How a battle begins and ends, and what is opened of its log."""

PlayedEffect = (
    GravitySet
    | CombatantAdded
    | fx.CombatantRemoved
    | fx.SeatChanged
    | fx.ControlChanged
    | OrderSet
    | fx.RoundBegan
    | fx.TurnBegan
    | fx.TurnEnded
    | fx.Moved
    | fx.Rolled
    | AttackResolved
    | AreaResolved
    | Hurt
    | fx.Healed
    | fx.Felled
    | fx.StatChanged
    | fx.ResourceChanged
    | ConditionGained
    | ConditionLost
    | fx.ItemChanged
    | LinkChanged
    | TerrainChanged
    | Revealed
    | fx.Hidden
    | DecisionOpened
    | DecisionClosed
    | fx.ActionStopped
    | fx.Noted
    | fx.Adjusted
    | fx.Rewound
    | fx.Erased
)
"""What happens in a battle that exists, whatever its terms are."""

AnyEffect = EncounterCreated | LifeEffect | OptionsSet | PlayedEffect
"""Everything a battle's log can hold."""


class Event(log.Event, frozen=True, kw_only=True):
    """One event of a battle."""

    action: Annotated[AnyAction | CreateBattle, EVERYONE]
    """What was asked for; `create_encounter` in event 1."""
    effects: Annotated[tuple[AnyEffect, ...], EVERYONE]
    """What happened, fact by fact, in the order in which it happened."""
