"""The shared effects with this ruleset's own payloads, and what an event of it looks like.

Suppression is `stat_changed {stat: suppression, now, place}` (count and origin), the streak
remembered for one turn `remembered_suppression` (without a place: forgotten), and
`live_suppression` tells how much of it counts where the combatant stands now; that last one is
derived and not kept. Hiding from an enemy and a position the game master overrules are links.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from service.engine.geometry.arcs import Heading
from service.engine.log import event as log
from service.engine.visibility.audience import (
    BEARER,
    EVERYONE,
    NUMBERS,
    SECRET,
    RuleId,
)
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.recorded_words import (
    RecordedSubjectId,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    Place,
    Roll,
)
from service.rulesets.crossfire_d6.actions import AnyAction, CreateBattle
from service.rulesets.crossfire_d6.rules.facing import Direction
from service.rulesets.crossfire_d6.rules.ground import Position, Posture
from service.rulesets.crossfire_d6.state import BattleState, Combatant, Options
from service.rulesets.crossfire_d6.terrain import TerrainChange

Outcome = Literal["miss", "hit", "critical", "obstructed"]
"""How an attack ended; `obstructed`: something unseen was in the way and nothing was rolled."""


class EncounterCreated(fx.EncounterCreated, frozen=True, kw_only=True, tag="encounter_created"):
    """The terms of the battle."""

    options: Annotated[Options, EVERYONE]
    """What this table chooses among the rules' variants."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it is taken up here; absent for a new battle."""


class OptionsSet(fx.OptionsSet, frozen=True, kw_only=True, tag="options_set"):
    """Terms changed before the start; a new map begins without changes and secrets."""

    options: Annotated[Options, EVERYONE]
    """All options as they are from now on."""


class CombatantAdded(fx.CombatantAdded, frozen=True, kw_only=True, tag="combatant_added"):
    """A combatant is in the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """Its sheet as the battle keeps it; its ties to others follow as `link_changed`."""


class OrderSet(fx.OrderSet, frozen=True, kw_only=True, tag="order_set"):
    """The whole order of turns; if somebody joined it, whoever does not know him sees nothing."""

    combatant: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Id of the one who joined the order; absent where several did or the order was given."""


class Faced(fx.Faced, frozen=True, kw_only=True, tag="faced"):
    """A combatant looks another way."""

    facing: Annotated[Heading, EVERYONE]
    """Where it looks from now on."""


class PostureChanged(fx.PostureChanged, frozen=True, kw_only=True, tag="posture_changed"):
    """A combatant takes cover, goes behind it or comes out."""

    posture: Annotated[Posture, EVERYONE]
    """The posture from now on: `open`, `in_cover` or `blocked` (behind cover) (CF-POS-1)."""


class Rolled(fx.Rolled, frozen=True, kw_only=True, tag="rolled"):
    """Initiative: the number of dice tells the pool, so that hidden numbers hide the roll."""

    roll: Annotated[Roll, NUMBERS]
    """Initiative, `int_pool` d6; the total is the score (CF-SD-1). Unseen by whoever may not know
    the pool."""


class Opposed(fx.Opposed, frozen=True, kw_only=True):
    """The enemy one hides from."""

    roll: Annotated[Roll | UnsetType, NUMBERS] = UNSET
    """That enemy's `int_pool` d6 (CF-PIN-6); absent for whoever may not know the pool."""


class CheckResolved(fx.CheckResolved, frozen=True, kw_only=True, tag="check_resolved"):
    """An attempt to hide; the number of dice tells the pools."""

    roll: Annotated[Roll | UnsetType, NUMBERS] = UNSET
    """The hider's `agi_pool` d6 (CF-PIN-6); absent for whoever may not know the pool."""
    opposed: Annotated[Opposed | UnsetType, EVERYONE] = UNSET
    """The enemy and its roll, whose total the hider's must reach (beat, without
    `hide_tie_succeeds`)."""


class Detail(fx.AttackDetail, frozen=True, kw_only=True):
    """The attacker's side of an attack."""

    mode: Annotated[Literal["ranged", "melee"], EVERYONE]
    """Whether the attacker shoots or strikes."""
    distance_ft: Annotated[int, EVERYONE]
    """Distance of attacker and target in feet (CF-RANGE-3)."""
    attacked_from: Annotated[Direction, EVERYONE]
    """Where the attack comes from, as the target looks (CF-FACE-5)."""
    position: Annotated[Position | UnsetType, EVERYONE] = UNSET
    """The target's position against this attacker; absent in melee without `cover_vs_melee`, and
    where a reckless miss hits an ally."""
    line: Annotated[tuple[Place, Place] | UnsetType, EVERYONE] = UNSET
    """Cells at the attacker's and at the target's end of the line used, lean cells included
    (CF-GEO-5); absent where `position` is."""
    obscured: Annotated[bool, EVERYONE] = False
    """Whether the shot has poor visibility, even if that costs no dice (CF-OBSC-1)."""
    critical: Annotated[bool, EVERYONE] = False
    """Whether the hit is critical (CF-SD-3, CF-HELP-1)."""
    reckless: Annotated[bool, EVERYONE] = False
    """Whether it was shot without regard for an ally near the target (CF-ALLY-3)."""
    rule: Annotated[RuleId | UnsetType, EVERYONE] = UNSET
    """Rule that decided the outcome: CF-SD-3 the total against the defence, CF-SD-2 a pool without
    dice, CF-HELP-1 the target's helplessness; absent where the attack was obstructed, and where a
    reckless miss hits an ally."""


class AttackResolved(fx.AttackResolved, frozen=True, kw_only=True, tag="attack_resolved"):
    """An attack and its outcome."""

    outcome: Annotated[Outcome, EVERYONE]
    """How the attack ended; `obstructed`: something unseen was in the way and nothing was
    rolled."""
    detail: Annotated[Detail, EVERYONE]
    """The attacker's side: weapon, roll, pool and line."""


class LinkChanged(fx.LinkChanged, frozen=True, kw_only=True, tag="link_changed"):
    """`hidden_from` (amount: turns that no longer count) or `position_override` (value).

    In a battle created in progress also `shot_at`: in this round.
    """

    link: Annotated[Literal["hidden_from", "position_override", "shot_at"], EVERYONE]
    """`hidden_from`: `combatant` hides from the enemy `other` (CF-PIN-6); `position_override`: its
    position against `other` is the game master's word; `shot_at`: it has shot at `other` in this
    round."""
    amount: Annotated[int | UnsetType, NUMBERS] = UNSET
    """Of `hidden_from`: own turns of the count that give `other` no dice; else absent."""
    value: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Of `position_override`: the position that counts; else, and where it is lifted, absent."""


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
    | Faced
    | PostureChanged
    | Rolled
    | CheckResolved
    | AttackResolved
    | fx.Hurt
    | fx.Healed
    | fx.Felled
    | fx.StatChanged
    | fx.ResourceChanged
    | fx.ConditionGained
    | fx.ConditionLost
    | fx.ItemChanged
    | LinkChanged
    | TerrainChanged
    | Revealed
    | fx.Hidden
    | fx.DecisionOpened
    | fx.DecisionClosed
    | fx.ActionStopped
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
