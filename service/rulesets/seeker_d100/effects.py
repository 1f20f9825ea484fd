"""The shared effects with this ruleset's own payloads, and what an event of it looks like.

Aim, answers, standing rolls, unawareness and what the game master adds to a roll are conditions
with an amount, a value, an item or facts; a hold is a link of the held one to its holder.
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
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.recorded_words import (
    RecordedSubjectId,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    DrawRun,
    Roll,
)
from service.rulesets.seeker_d100.actions import AnyAction, AnyChoice, CreateBattle
from service.rulesets.seeker_d100.rules.attack import AttackOutcome
from service.rulesets.seeker_d100.rules.checks import Level
from service.rulesets.seeker_d100.rules.escape import EscapeRating
from service.rulesets.seeker_d100.rules.opposed import Why
from service.rulesets.seeker_d100.state import (
    BattleState,
    CardIndex,
    Combatant,
    Condition,
    Options,
    Reaction,
)
from service.rulesets.seeker_d100.terrain import MAX_COVERS, CoverChange
from service.rulesets.seeker_d100.weapons import WeaponId

ResolvedOutcome = Literal[AttackOutcome, "wasted"]
"""How an attack ended; `wasted`: its target was gone before it was carried out."""

Mode = Literal["attack", "called", "disarm", "grapple", "counter"]
"""What kind of attack it was."""


class Prepared(Struct, frozen=True, kw_only=True):
    """The rule state of a battle in progress that belongs to no combatant."""

    deck: Annotated[tuple[CardIndex, ...], GM]
    """Cards not drawn yet, by index, as they lie."""


class EncounterCreated(fx.EncounterCreated, frozen=True, kw_only=True, tag="encounter_created"):
    """The terms of the battle."""

    options: Annotated[Options, EVERYONE]
    """What the table chose."""
    setup: Annotated[Prepared | UnsetType, GM] = UNSET
    """Deck of a battle in progress; absent if no card was stated."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it is taken up here; absent for a new battle."""


class OptionsSet(fx.OptionsSet, frozen=True, kw_only=True, tag="options_set"):
    """Terms changed before the start; a new map begins without changes and secrets."""

    options: Annotated[Options, EVERYONE]
    """All options from now on."""


class CombatantAdded(fx.CombatantAdded, frozen=True, kw_only=True, tag="combatant_added"):
    """A combatant is in the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """The combatant as the battle keeps it, completed from its samples."""


class OrderEntry(fx.OrderEntry, frozen=True, kw_only=True):
    """One place in the order of turns; `facts.card` is the card, the score its rank."""

    score: Annotated[int | UnsetType, EVERYONE] = UNSET
    """Rank of the card, the higher acts first: 2 to 14, joker 15, low ace 1 (SK-INIT-4)."""
    facts: Annotated[dict[str, int] | UnsetType, EVERYONE] = UNSET
    """`card`: index of the card in the canonical deck, 0 to 53 (SK-INIT-2)."""


class OrderSet(fx.OrderSet, frozen=True, kw_only=True, tag="order_set"):
    """The whole order of turns; if somebody joined it, whoever does not know him sees nothing."""

    entries: Annotated[tuple[OrderEntry, ...], EVERYONE]
    """All who have a card, the first to act first."""
    rules: Annotated[tuple[RuleId, ...], EVERYONE] = ()
    """What put those whom everyone knows into this order: SK-INIT-4, the rank, and SK-INIT-5, the
    suit, where ranks are equal.
    """
    combatant: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Who joined a running battle and thereby changed the order; absent otherwise."""


class Rolled(fx.Rolled, frozen=True, kw_only=True, tag="rolled"):
    """A card, damage that all in an area share, or dice for their digits alone.

    Those are of `combatant` against `target`. Whoever may not know the dice sees nothing of it.
    """

    target: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Id of the victim whose damage the digits are; absent for a card and shared damage."""
    roll: Annotated[Roll, EVERYONE, BEARER]
    """The dice: one of as many sides as cards are left (`card`), the damage that all in an area
    share (`damage`), or a d100 for its digits alone (`digits`, SK-ARM-7).
    """


class Opposed(fx.Opposed, frozen=True, kw_only=True):
    """The holder whom one breaks free from; without a roll that of the grapple counted."""

    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Chance of the holder's new roll in per cent; absent where that of the grapple counts."""
    natural: Annotated[int | UnsetType, EVERYONE] = UNSET
    """Face of the grapple's d100, where that roll counts (`break_free_versus`)."""
    level: Annotated[Level | UnsetType, EVERYONE] = UNSET
    """Level of the holder's roll: 0 fumble, 1 failure, 2 success, 3 critical success."""
    level_rule: Annotated[RuleId | UnsetType, EVERYONE] = UNSET
    """What made a new roll critical or a fumble, as in the check itself; absent otherwise."""
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    """What changed the holder's chance, in per cent."""


class CheckResolved(fx.CheckResolved, frozen=True, kw_only=True, tag="check_resolved"):
    """A movement test, an attempt to break free, or a dive for cover."""

    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Chance in per cent: the d100 succeeds at or under it (SK-CHECK-1); any whole number."""
    rating: Annotated[EscapeRating | UnsetType, NUMBERS] = UNSET
    """What one broke free with: `strength` (five times it) or `unarmed`, the better (SK-FREE-1)."""
    level: Annotated[Level | UnsetType, EVERYONE] = UNSET
    """0 fumble, 1 failure, 2 success, 3 critical success (SK-CHECK-4)."""
    level_rule: Annotated[RuleId | UnsetType, EVERYONE] = UNSET
    """What made the roll critical or a fumble: SK-CHECK-2, a natural 1 or 100, or SK-CHECK-3, equal
    digits; absent otherwise.
    """
    breakdown: Annotated[tuple[Modifier, ...], BREAKDOWN] = ()
    """What was added to the skill or attribute, in per cent."""
    opposed: Annotated[Opposed | UnsetType, EVERYONE] = UNSET
    """The holder's side of `break_free`; absent for other checks."""
    why: Annotated[Why | UnsetType, EVERYONE] = UNSET
    """What decided an opposed check (SK-OPP-1); absent if both failed or nothing opposed it."""


class Report(Struct, frozen=True, kw_only=True):
    """What the weapon of `combatant` did, by which rules; unseen with him."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of whoever used the weapon."""
    about: Annotated[RecordedWord, EVERYONE]
    """`lethality`, or `damage`: what dice and bonus of an ordinary weapon came to."""
    value: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """What killed: `attack_roll` (SK-LETH-4), `critical` (SK-LETH-5), `lethality_roll` (SK-LETH-2);
    or `digits`: the damage of the die's digits (SK-LETH-3). Absent for `damage`.
    """
    rules: Annotated[tuple[RuleId, ...] | UnsetType, EVERYONE] = UNSET
    """Rules that applied, in their order, such as SK-LETH-6 where the face of the die would mark
    any other roll, SK-ARM-7 where cover softened a kill, or SK-DMG-2 where a bonus below 0 left no
    damage.
    """
    facts: Annotated[dict[str, int] | UnsetType, EVERYONE] = UNSET
    """`rating`: lethality in per cent that counted; `roll`: d100, if one was rolled; for `digits`
    its digits `a` and `b`, where 0 counts 10. For `damage`: `roll`, the sum of the dice, the
    weapon's `bonus`, and the `damage` they come to, in points.
    """


class Detail(fx.AttackDetail, frozen=True, kw_only=True):
    """The attacker's side of an attack: `base` is the skill, `pool` the chance in per cent."""

    mode: Annotated[Mode, EVERYONE]
    """Kind of the attack; `counter` is the damage of a won resist (SK-RES-3)."""
    level: Annotated[Level | UnsetType, EVERYONE] = UNSET
    """0 fumble, 1 failure, 2 success, 3 critical success; of a counter that of the resist; absent
    if nothing was rolled.
    """
    level_rule: Annotated[RuleId | UnsetType, EVERYONE] = UNSET
    """What made the roll critical or a fumble: SK-CHECK-2, a natural 1 or 100, or SK-CHECK-3, equal
    digits; absent otherwise, and of a counter.
    """


class AnswerOutcome(Struct, frozen=True, kw_only=True):
    """How a victim answered an attack, and whether that succeeded.

    `natural` stands for the roll where a creation stated one that stands: nobody drew it.
    """

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of the victim who answered."""
    kind: Annotated[Literal["dodge", "resist", "take_cover", "standing"], EVERYONE]
    """How it answered; `standing`: a roll made earlier in the round served (SK-STAND-1, 2)."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """The d100; absent where a creation stated the roll that stands."""
    natural: Annotated[int | UnsetType, EVERYONE] = UNSET
    """Face of a roll that a creation stated; absent where `roll` is there."""
    level: Annotated[Level | UnsetType, EVERYONE] = UNSET
    """0 fumble, 1 failure, 2 success, 3 critical success (SK-CHECK-4)."""
    level_rule: Annotated[RuleId | UnsetType, EVERYONE] = UNSET
    """What made the roll critical or a fumble: SK-CHECK-2, a natural 1 or 100, or SK-CHECK-3, equal
    digits; absent otherwise, and where a creation stated the roll.
    """
    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Chance in per cent; absent for a roll that stood."""
    outcome: Annotated[Literal["success", "failure", "stalemate"], EVERYONE]
    """Whether the answer won; of `take_cover` whether it succeeded. `stalemate`: both failed."""
    why: Annotated[Why | UnsetType, EVERYONE] = UNSET
    """What decided the opposed check (SK-OPP-1); absent for `stalemate`, for `take_cover` and for
    a dodge that is a plain check.
    """
    rules: Annotated[tuple[RuleId, ...], EVERYONE] = ()
    """Rules of the answer in their order, such as SK-DODGE-1 and SK-OPP-1. SK-DODGE-2, for what is
    thrown or shot with a bow, only where everyone knows the attacker; none of a dodge from others
    in version 2, where they would tell a shot from a blow.
    """


class AttackResolved(fx.AttackResolved, frozen=True, kw_only=True, tag="attack_resolved"):
    """An attack at one target and its outcome."""

    outcome: Annotated[ResolvedOutcome, EVERYONE]
    """How it ended: `critical` and `hit` strike, `miss` and `fumble` failed, `avoided` was dodged,
    `stopped` resisted, `wasted`: the target was gone.
    """
    detail: Annotated[Detail, EVERYONE]
    """Attacker, weapon and roll."""
    answered: Annotated[AnswerOutcome | UnsetType, EVERYONE] = UNSET
    """How the target answered; absent if it did not."""


class Victim(fx.Victim, frozen=True, kw_only=True):
    """What an area did to one combatant."""

    outcome: Annotated[ResolvedOutcome, EVERYONE]
    """How the attack ended for it: `critical` and `hit` strike, `miss` and `fumble` failed, for all
    alike; `avoided` was dodged, `stopped` resisted. Who dived out of the radius is no victim.
    """
    answered: Annotated[AnswerOutcome | UnsetType, EVERYONE] = UNSET
    """How the victim answered; absent if it did not."""


class AreaResolved(fx.AreaResolved, frozen=True, kw_only=True, tag="area_resolved"):
    """An attack with a radius, victim by victim."""

    outcome: Annotated[ResolvedOutcome, EVERYONE]
    """How the one attack roll for all came out: `fumble`, `miss`, `hit` or `critical`."""
    victims: Annotated[tuple[Victim, ...], EVERYONE] = ()
    """All within the radius in victim order: the target, then the nearest (SK-AREA-3)."""
    detail: Annotated[Detail | UnsetType, EVERYONE] = UNSET
    """Attacker, weapon and roll."""


class Hurt(fx.Hurt, frozen=True, kw_only=True, tag="hurt"):
    """Damage was taken; `reports` say what the weapon did before any armour."""

    reports: Annotated[tuple[Report, ...], BREAKDOWN] = ()
    """What a lethal weapon did before any armour, or one that adds to its dice; else empty."""


class ResourceChanged(fx.ResourceChanged, frozen=True, kw_only=True, tag="resource_changed"):
    """The action of the round, or the rounds of the weapon `item`: a number of the sheet."""

    item: Annotated[WeaponId | UnsetType, EVERYONE, COUNTED] = UNSET
    """Id of the weapon whose rounds are meant; absent for the action."""


class ConditionGained(fx.ConditionGained, frozen=True, kw_only=True, tag="condition_gained"):
    """A condition holds from now on, with what its field of the sheet says."""

    condition: Annotated[Condition, EVERYONE]
    """Condition that holds from now on."""
    value: Annotated[str | UnsetType, EVERYONE] = UNSET
    """`answering` and `standing_roll`: dodge, resist_counter or resist_block; else absent."""
    item: Annotated[WeaponId | UnsetType, EVERYONE] = UNSET
    """Id of the weapon that resists; absent where none is used, as for a dodge or a grapple."""
    facts: Annotated[dict[str, int] | UnsetType, EVERYONE] = UNSET
    """`aim`: the `round` it was taken in; `standing_roll`: `natural` face and `level`, 0 to 3."""
    draw: Annotated[DrawRun | UnsetType, EVERYONE] = UNSET
    """Draw of this event that a `standing_roll` came from; absent for other conditions."""


class ConditionLost(fx.ConditionLost, frozen=True, kw_only=True, tag="condition_lost"):
    """A condition holds no longer."""

    condition: Annotated[Condition, EVERYONE]
    """Condition that holds no longer."""


class LinkChanged(fx.LinkChanged, frozen=True, kw_only=True, tag="link_changed"):
    """`other` holds `combatant`, with the facts of the roll that did it, or no longer does."""

    link: Annotated[Literal["hold"], EVERYONE]
    """Always a hold: `other` holds `combatant` (SK-GRAB-1)."""
    facts: Annotated[dict[str, int] | UnsetType, EVERYONE] = UNSET
    """`natural` face and `level` (0 to 3) of the roll that made the hold; absent when it ends."""
    cause: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Why the hold ended: broken_free, released, holder_held, holder_felled, or removed; absent
    when it begins.
    """


class TerrainChanged(fx.TerrainChanged, frozen=True, kw_only=True, tag="terrain_changed"):
    """Covers as they are from now on; `secret` ones only the game master knows.

    Cause `met`: hidden cover that an attack came across; from now on everyone knows it.
    """

    changes: Annotated[Annotated[tuple[CoverChange, ...], Meta(max_length=MAX_COVERS)], EVERYONE]
    """Covers as they are from now on, each whole, sorted by id."""
    secret: Annotated[bool, EVERYONE, SECRET] = False
    """True: only the game master knows them."""


class Revealed(fx.Revealed, frozen=True, kw_only=True, tag="revealed"):
    """A hidden combatant is known to everyone."""

    combatant: Annotated[Combatant, EVERYONE]
    """The combatant, whole, as everyone knows it from now on."""


class DecisionOpened(fx.DecisionOpened, frozen=True, kw_only=True, tag="decision_opened"):
    """A question is open: how to answer an attack, or which faces the table's dice show."""

    decision: Annotated[Reaction, EVERYONE, BEARER]
    """The question, who may answer it and with what."""


class DecisionClosed(fx.DecisionClosed, frozen=True, kw_only=True, tag="decision_closed"):
    """A question is closed; `full` is the choice once its group is complete."""

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
    """What was asked for."""
    effects: Annotated[tuple[AnyEffect, ...], EVERYONE]
    """What it changed, in order."""
