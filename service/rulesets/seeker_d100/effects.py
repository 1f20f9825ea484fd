"""The shared effects with this ruleset's own payloads, and what an event of it looks like.

Aim, answers, standing rolls, unawareness and what the game master adds to a roll are conditions
with an amount, a value, an item or facts; a hold is a link of the held one to its holder.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine import effects as fx
from service.engine import event as log
from service.engine.audience import (
    BEARER,
    BREAKDOWN,
    COUNTED,
    EVERYONE,
    GM,
    NUMBERS,
    SECRET,
    RuleId,
    SubjectId,
)
from service.engine.breakdown import Modifier
from service.engine.vocabulary import DrawRun, Roll, Word
from service.rulesets.seeker_d100.actions import AnyAction, AnyChoice, CreateBattle
from service.rulesets.seeker_d100.rules.attack import AttackOutcome
from service.rulesets.seeker_d100.rules.opposed import Why
from service.rulesets.seeker_d100.state import Card, Combatant, Condition, Level, Options, Reaction
from service.rulesets.seeker_d100.terrain import MAX_COVERS, CoverChange
from service.rulesets.seeker_d100.weapons import WeaponId

Outcome = Literal[AttackOutcome, "wasted"]
"""How an attack ended; `wasted`: its target was gone before it was carried out."""

Mode = Literal["attack", "called", "disarm", "grapple", "counter"]
"""What kind of attack it was."""


class Prepared(Struct, frozen=True, kw_only=True):
    """The rule state of a battle in progress that belongs to no combatant."""

    deck: Annotated[tuple[Card, ...], GM]


class EncounterCreated(fx.EncounterCreated, frozen=True, kw_only=True, tag="encounter_created"):
    """The terms of the battle."""

    options: Annotated[Options, EVERYONE]
    setup: Annotated[Prepared | UnsetType, GM] = UNSET


class OptionsSet(fx.OptionsSet, frozen=True, kw_only=True, tag="options_set"):
    """Terms changed before the start; a new map begins without changes and secrets."""

    options: Annotated[Options, EVERYONE]


class CombatantAdded(fx.CombatantAdded, frozen=True, kw_only=True, tag="combatant_added"):
    """A combatant is in the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]


class OrderEntry(fx.OrderEntry, frozen=True, kw_only=True):
    """One place in the order of turns; `facts.card` is the card, the score its rank."""

    score: Annotated[int | UnsetType, EVERYONE] = UNSET
    facts: Annotated[dict[str, int] | UnsetType, EVERYONE] = UNSET


class OrderSet(fx.OrderSet, frozen=True, kw_only=True, tag="order_set"):
    """The whole order of turns; if somebody joined it, whoever does not know him sees nothing."""

    entries: Annotated[tuple[OrderEntry, ...], EVERYONE]
    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET


class Rolled(fx.Rolled, frozen=True, kw_only=True, tag="rolled"):
    """A card, damage that all in an area share, or dice for their digits alone.

    Those are of `combatant` against `target`. Whoever may not know the dice sees nothing of it.
    """

    target: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    roll: Annotated[Roll, EVERYONE, BEARER]


class Opposed(fx.Opposed, frozen=True, kw_only=True):
    """The holder whom one breaks free from; without a roll that of the grapple counted."""

    level: Annotated[Level | UnsetType, EVERYONE] = UNSET
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()


class CheckResolved(fx.CheckResolved, frozen=True, kw_only=True, tag="check_resolved"):
    """A movement test, an attempt to break free, or a dive for cover."""

    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    level: Annotated[Level | UnsetType, EVERYONE] = UNSET
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    opposed: Annotated[Opposed | UnsetType, EVERYONE] = UNSET
    why: Annotated[Why | UnsetType, EVERYONE] = UNSET


class Report(Struct, frozen=True, kw_only=True):
    """What the weapon of `combatant` did, by which rules; unseen with him."""

    combatant: Annotated[SubjectId, EVERYONE]
    about: Annotated[Word, EVERYONE]
    value: Annotated[Word | UnsetType, EVERYONE] = UNSET
    rules: Annotated[tuple[RuleId, ...] | UnsetType, EVERYONE] = UNSET
    facts: Annotated[dict[str, int] | UnsetType, EVERYONE] = UNSET


class Detail(fx.AttackDetail, frozen=True, kw_only=True):
    """The attacker's side of an attack: `base` is the skill, `pool` the chance in per cent."""

    mode: Annotated[Mode, EVERYONE]
    level: Annotated[Level | UnsetType, EVERYONE] = UNSET


class AnswerOutcome(Struct, frozen=True, kw_only=True):
    """How a victim answered an attack, and whether that succeeded.

    `natural` stands for the roll where a creation stated one that stands: nobody drew it.
    """

    combatant: Annotated[SubjectId, EVERYONE]
    kind: Annotated[Literal["dodge", "resist", "take_cover", "standing"], EVERYONE]
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    natural: Annotated[int | UnsetType, EVERYONE] = UNSET
    level: Annotated[Level | UnsetType, EVERYONE] = UNSET
    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    outcome: Annotated[Literal["success", "failure", "stalemate"], EVERYONE]
    why: Annotated[Why | UnsetType, EVERYONE] = UNSET


class AttackResolved(fx.AttackResolved, frozen=True, kw_only=True, tag="attack_resolved"):
    """An attack at one target and its outcome."""

    outcome: Annotated[Outcome, EVERYONE]
    detail: Annotated[Detail, EVERYONE]
    answered: Annotated[AnswerOutcome | UnsetType, EVERYONE] = UNSET


class Victim(fx.Victim, frozen=True, kw_only=True):
    """What an area did to one combatant."""

    outcome: Annotated[Outcome, EVERYONE]
    answered: Annotated[AnswerOutcome | UnsetType, EVERYONE] = UNSET


class AreaResolved(fx.AreaResolved, frozen=True, kw_only=True, tag="area_resolved"):
    """An attack with a radius, victim by victim."""

    outcome: Annotated[Outcome, EVERYONE]
    victims: Annotated[tuple[Victim, ...], EVERYONE] = ()
    detail: Annotated[Detail | UnsetType, EVERYONE] = UNSET


class Hurt(fx.Hurt, frozen=True, kw_only=True, tag="hurt"):
    """Damage was taken; `reports` say what a lethal weapon did before any armour."""

    reports: Annotated[tuple[Report, ...], BREAKDOWN] = ()


class ResourceChanged(fx.ResourceChanged, frozen=True, kw_only=True, tag="resource_changed"):
    """The action of the round, or the rounds of the weapon `item`: a number of the sheet."""

    item: Annotated[WeaponId | UnsetType, EVERYONE, COUNTED] = UNSET


class ConditionGained(fx.ConditionGained, frozen=True, kw_only=True, tag="condition_gained"):
    """A condition holds from now on, with what its field of the sheet says."""

    condition: Annotated[Condition, EVERYONE]
    value: Annotated[str | UnsetType, EVERYONE] = UNSET
    item: Annotated[WeaponId | UnsetType, EVERYONE] = UNSET
    facts: Annotated[dict[str, int] | UnsetType, EVERYONE] = UNSET
    draw: Annotated[DrawRun | UnsetType, EVERYONE] = UNSET


class ConditionLost(fx.ConditionLost, frozen=True, kw_only=True, tag="condition_lost"):
    """A condition holds no longer."""

    condition: Annotated[Condition, EVERYONE]


class LinkChanged(fx.LinkChanged, frozen=True, kw_only=True, tag="link_changed"):
    """`other` holds `combatant`, with the facts of the roll that did it, or no longer does."""

    link: Annotated[Literal["hold"], EVERYONE]
    facts: Annotated[dict[str, int] | UnsetType, EVERYONE] = UNSET
    cause: Annotated[Word | UnsetType, EVERYONE] = UNSET


class TerrainChanged(fx.TerrainChanged, frozen=True, kw_only=True, tag="terrain_changed"):
    """Covers as they are from now on; `secret` ones only the game master knows.

    Cause `met`: hidden cover that an attack came across; from now on everyone knows it.
    """

    changes: Annotated[Annotated[tuple[CoverChange, ...], Meta(max_length=MAX_COVERS)], EVERYONE]
    secret: Annotated[bool, EVERYONE, SECRET] = False


class Revealed(fx.Revealed, frozen=True, kw_only=True, tag="revealed"):
    """A hidden combatant is known to everyone."""

    combatant: Annotated[Combatant, EVERYONE]


class DecisionOpened(fx.DecisionOpened, frozen=True, kw_only=True, tag="decision_opened"):
    """A question is open: how to answer an attack, or which faces the table's dice show."""

    decision: Annotated[Reaction, EVERYONE, BEARER]


class DecisionClosed(fx.DecisionClosed, frozen=True, kw_only=True, tag="decision_closed"):
    """A question is closed; `full` is the choice once its group is complete."""

    full: Annotated[AnyChoice | UnsetType, EVERYONE] = UNSET


AnyEffect = (
    EncounterCreated
    | fx.EncounterStarted
    | fx.EncounterEnded
    | fx.Contributed
    | fx.SeedRevealed
    | fx.PartsOpened
    | OptionsSet
    | CombatantAdded
    | fx.CombatantRemoved
    | fx.SeatChanged
    | fx.ControlChanged
    | OrderSet
    | fx.RoundBegan
    | fx.TurnBegan
    | fx.TurnEnded
    | fx.Moved
    | Rolled
    | CheckResolved
    | AttackResolved
    | AreaResolved
    | Hurt
    | fx.Healed
    | fx.Felled
    | fx.StatChanged
    | ResourceChanged
    | ConditionGained
    | ConditionLost
    | fx.ItemChanged
    | LinkChanged
    | TerrainChanged
    | Revealed
    | fx.Hidden
    | DecisionOpened
    | DecisionClosed
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
    effects: Annotated[tuple[AnyEffect, ...], EVERYONE]
