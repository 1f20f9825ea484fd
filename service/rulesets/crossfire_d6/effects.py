"""The shared effects with this ruleset's own payloads, and what an event of it looks like.

Suppression is `stat_changed {stat: suppression, now, place}` (count and origin), the streak
remembered for one turn `remembered_suppression` (without a place: forgotten), and
`live_suppression` tells how much of it counts where the combatant stands now; that last one is
derived and not kept. Hiding from an enemy and a position the game master overrules are links.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from service.engine import effects as fx
from service.engine import event as log
from service.engine.audience import BEARER, EVERYONE, NUMBERS, SECRET, SubjectId
from service.engine.geometry.arcs import Facing
from service.engine.vocabulary import Place, Roll, Word
from service.rulesets.crossfire_d6.actions import AnyAction, CreateBattle
from service.rulesets.crossfire_d6.rules.facing import Direction
from service.rulesets.crossfire_d6.rules.ground import Position, Posture
from service.rulesets.crossfire_d6.state import Combatant, Options
from service.rulesets.crossfire_d6.terrain import TerrainChange

Outcome = Literal["miss", "hit", "critical", "obstructed"]
"""How an attack ended; `obstructed`: something unseen was in the way and nothing was rolled."""


class EncounterCreated(fx.EncounterCreated, frozen=True, kw_only=True, tag="encounter_created"):
    """The terms of the battle."""

    options: Annotated[Options, EVERYONE]


class OptionsSet(fx.OptionsSet, frozen=True, kw_only=True, tag="options_set"):
    """Terms changed before the start; a new map begins without changes and secrets."""

    options: Annotated[Options, EVERYONE]


class CombatantAdded(fx.CombatantAdded, frozen=True, kw_only=True, tag="combatant_added"):
    """A combatant is in the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]


class OrderSet(fx.OrderSet, frozen=True, kw_only=True, tag="order_set"):
    """The whole order of turns; if somebody joined it, whoever does not know him sees nothing."""

    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET


class Faced(fx.Faced, frozen=True, kw_only=True, tag="faced"):
    """A combatant looks another way."""

    facing: Annotated[Facing, EVERYONE]


class PostureChanged(fx.PostureChanged, frozen=True, kw_only=True, tag="posture_changed"):
    """A combatant takes cover, goes behind it or comes out."""

    posture: Annotated[Posture, EVERYONE]


class Rolled(fx.Rolled, frozen=True, kw_only=True, tag="rolled"):
    """Initiative: the number of dice tells the pool, so that hidden numbers hide the roll."""

    roll: Annotated[Roll, NUMBERS]


class Opposed(fx.Opposed, frozen=True, kw_only=True):
    """The enemy one hides from."""

    roll: Annotated[Roll | UnsetType, NUMBERS] = UNSET


class CheckResolved(fx.CheckResolved, frozen=True, kw_only=True, tag="check_resolved"):
    """An attempt to hide; the number of dice tells the pools."""

    roll: Annotated[Roll | UnsetType, NUMBERS] = UNSET
    opposed: Annotated[Opposed | UnsetType, EVERYONE] = UNSET


class Detail(fx.AttackDetail, frozen=True, kw_only=True):
    """The attacker's side of an attack.

    `line` are the cells at the attacker's and the target's end of the line used, lean cells
    included; `position` is the target's against this attacker; `obscured`: poor visibility;
    `attacked_from` is where it came from as the target looks. Melee has no line, and a position
    only where cover counts against it.
    """

    mode: Annotated[Literal["ranged", "melee"], EVERYONE]
    distance_ft: Annotated[int, EVERYONE]
    attacked_from: Annotated[Direction, EVERYONE]
    position: Annotated[Position | UnsetType, EVERYONE] = UNSET
    line: Annotated[tuple[Place, Place] | UnsetType, EVERYONE] = UNSET
    obscured: Annotated[bool, EVERYONE] = False
    critical: Annotated[bool, EVERYONE] = False
    reckless: Annotated[bool, EVERYONE] = False


class AttackResolved(fx.AttackResolved, frozen=True, kw_only=True, tag="attack_resolved"):
    """An attack and its outcome."""

    outcome: Annotated[Outcome, EVERYONE]
    detail: Annotated[Detail, EVERYONE]


class LinkChanged(fx.LinkChanged, frozen=True, kw_only=True, tag="link_changed"):
    """`hidden_from` (amount: turns that no longer count) or `position_override` (value).

    In a battle created in progress also `shot_at`: in this round.
    """

    link: Annotated[Literal["hidden_from", "position_override", "shot_at"], EVERYONE]
    amount: Annotated[int | UnsetType, NUMBERS] = UNSET
    value: Annotated[Word | UnsetType, EVERYONE] = UNSET


class TerrainChanged(fx.TerrainChanged, frozen=True, kw_only=True, tag="terrain_changed"):
    """Cells and borders as they are from now on; `secret` ones only the game master knows.

    Cause `met`: hidden ground that somebody came across; from now on everyone knows it.
    """

    changes: Annotated[Annotated[tuple[TerrainChange, ...], Meta(max_length=10_000)], EVERYONE]
    secret: Annotated[bool, EVERYONE, SECRET] = False


class Revealed(fx.Revealed, frozen=True, kw_only=True, tag="revealed"):
    """A hidden combatant is known to everyone."""

    combatant: Annotated[Combatant, EVERYONE]


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
