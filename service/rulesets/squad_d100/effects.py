"""The shared effects with this ruleset's own payloads, and what an event of it looks like.

What shots, throws and explosions tell stands in `attack_effects`.
"""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from service.engine.log import event as log
from service.engine.visibility.audience import (
    BEARER,
    EVERYONE,
    GM,
    NUMBERS,
    SECRET,
    RuleId,
)
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.recorded_words import (
    RecordedMentionId,
    RecordedOtherId,
    RecordedSubjectId,
)
from service.engine.vocabulary.values import (
    Place,
)
from service.rulesets.squad_d100.actions import AnyAction, CreateBattle
from service.rulesets.squad_d100.attack_effects import AreaResolved, AttackResolved, Hurt
from service.rulesets.squad_d100.maps import Fold
from service.rulesets.squad_d100.rules.turns import Phase
from service.rulesets.squad_d100.rules.vigilance import VigilanceOutcome
from service.rulesets.squad_d100.rules.words import NoShot, Posture
from service.rulesets.squad_d100.state import (
    BattleState,
    Cache,
    Combatant,
    Condition,
    Options,
    Resource,
)
from service.rulesets.squad_d100.terrain import MAX_CHANGES, TerrainChange
from service.rulesets.squad_d100.weapons import Grenades, Weapons


class EncounterCreated(fx.EncounterCreated, frozen=True, kw_only=True, tag="encounter_created"):
    """The terms of the battle."""

    options: Annotated[Options, EVERYONE]
    """What this table chooses among the rules' variants."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it is taken up here; absent for a new battle."""


class OptionsSet(fx.OptionsSet, frozen=True, kw_only=True, tag="options_set"):
    """Terms changed before the start; a new map begins without changes and without its units."""

    options: Annotated[Options, EVERYONE]
    """All options as they are from now on."""


class CombatantAdded(fx.CombatantAdded, frozen=True, kw_only=True, tag="combatant_added"):
    """A combatant is in the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """Its sheet as the battle keeps it."""


class GlyphsFolded(fx.Effect, frozen=True, kw_only=True, tag="glyphs_folded"):
    """Characters of a map were read as glyphs that they look like."""

    folds: Annotated[Annotated[tuple[Fold, ...], Meta(max_length=MAX_CHANGES)], EVERYONE, BEARER]
    """The cells, row by row; those of hidden units only for who knows them."""


class MapStocked(fx.Effect, frozen=True, kw_only=True, tag="map_stocked"):
    """What only the game master knows of a map: its units, and what lies in its caches."""

    units: Annotated[tuple[RecordedMentionId, ...], GM] = ()
    """Ids of the combatants who came with the map."""
    caches: Annotated[tuple[Cache, ...], GM] = ()
    """What lies in cells of `weapons_ammo`."""
    secret: Annotated[bool, EVERYONE, SECRET] = True
    """Always true: it is the game master's."""


class PhaseChanged(fx.PhaseChanged, frozen=True, kw_only=True, tag="phase_changed"):
    """A turn goes on to the shooting phase."""

    phase: Annotated[Phase, EVERYONE]
    """Phase that begins."""


class Moved(fx.Moved, frozen=True, kw_only=True, tag="moved"):
    """A leg of a walk, or where somebody is put.

    Beside the causes that all rulesets have: `vigilance` where those on watch test before the walk
    goes on, `fire` where the last cell burns.
    """

    rules: Annotated[tuple[RuleId, ...] | UnsetType, EVERYONE] = UNSET
    """Rules that make its price: SQ-MOVE-2 of straight steps, SQ-MOVE-3 of diagonal ones; absent
    where it was placed."""


class PostureChanged(fx.PostureChanged, frozen=True, kw_only=True, tag="posture_changed"):
    """A combatant kneels down or stands up."""

    posture: Annotated[Posture, EVERYONE]
    """Its posture from now on."""


class ResourceChanged(fx.ResourceChanged, frozen=True, kw_only=True, tag="resource_changed"):
    """Movement points, rounds, grenades; `shooting` and `sprint` are 0 once they are used."""

    resource: Annotated[Resource, EVERYONE]
    """What is spent: `mp`, `rounds` or `grenades` of `item`, `shooting` or `sprint` of the turn."""
    now: Annotated[int, NUMBERS]
    """How much is left."""


class ConditionGained(fx.ConditionGained, frozen=True, kw_only=True, tag="condition_gained"):
    """A condition holds from now on."""

    condition: Annotated[Condition, EVERYONE]
    """Condition that holds from now on."""


class ConditionLost(fx.ConditionLost, frozen=True, kw_only=True, tag="condition_lost"):
    """A condition holds no longer."""

    condition: Annotated[Condition, EVERYONE]
    """Condition that holds no longer."""


class Suppressed(fx.Effect, frozen=True, kw_only=True, tag="suppressed"):
    """Fire pins a combatant down in its next turn (SQ-SUP-3)."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of the combatant that is pinned down."""
    by: Annotated[RecordedMentionId | UnsetType, EVERYONE] = UNSET
    """Id of whoever fired; absent where the caller may not know of it."""


class SuppressionDue(fx.Effect, frozen=True, kw_only=True, tag="suppression_due"):
    """The suppressions of a combatant bind it in the turn that begins (SQ-SUP-4)."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of the combatant that is pinned down."""


class SuppressionEnded(fx.Effect, frozen=True, kw_only=True, tag="suppression_ended"):
    """The suppressions that were due in a turn are over (SQ-SUP-6)."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of the combatant that was pinned down."""
    all: Annotated[bool, EVERYONE] = False
    """Whether those that were not due yet are over, too, by the game master's word."""


class VigilanceTested(fx.CheckResolved, frozen=True, kw_only=True, tag="check_resolved"):
    """A vigilance test (SQ-VIG-3): `combatant` is the watcher."""

    outcome: Annotated[VigilanceOutcome, EVERYONE]
    """Whether the watcher noticed the enemy."""
    versus: Annotated[RecordedOtherId, EVERYONE]
    """Id of the enemy who moved."""
    needed: Annotated[int | UnsetType, NUMBERS] = UNSET
    """What the die had to be less than."""


class VigilanceNoShot(fx.Effect, frozen=True, kw_only=True, tag="vigilance_no_shot"):
    """A watcher noticed an enemy and does not shoot (SQ-VIG-4); the watch ends all the same."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of the watcher."""
    target: Annotated[RecordedOtherId, EVERYONE]
    """Id of the enemy who moved."""
    why: Annotated[NoShot, EVERYONE]
    """Why: `no_rounds` in any weapon, `no_line` for a shot, `suppressed` towards the enemy, or
    `reported` by a table without reaction shots."""


class ItemsTaken(fx.Effect, frozen=True, kw_only=True, tag="items_taken"):
    """What lay in a cell was picked up (SQ-LOOT-1)."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Id of whoever picked it up."""
    place: Annotated[Place, EVERYONE]
    """Cell where it lay."""
    weapons: Annotated[Weapons, EVERYONE] = ()
    """Weapons that the combatant carries now besides, under the ids they have now."""
    grenades: Annotated[Grenades, EVERYONE] = ()
    """Grenades that the combatant carries now besides, under the ids they have now."""


class TerrainChanged(fx.TerrainChanged, frozen=True, kw_only=True, tag="terrain_changed"):
    """Cells as they are from now on.

    Causes: `gm`, `setup`, `door`, `picked_up`, `explosion`.
    """

    changes: Annotated[Annotated[tuple[TerrainChange, ...], Meta(max_length=MAX_CHANGES)], EVERYONE]
    """The cells that change."""
    source: Annotated[fx.Source | UnsetType, EVERYONE] = UNSET
    """Who did it; absent where nobody did or the caller may not know of them."""


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
    | GlyphsFolded
    | MapStocked
    | CombatantAdded
    | fx.CombatantRemoved
    | fx.SeatChanged
    | fx.ControlChanged
    | fx.OrderSet
    | fx.RoundBegan
    | fx.TurnBegan
    | fx.TurnEnded
    | PhaseChanged
    | Moved
    | PostureChanged
    | fx.Rolled
    | VigilanceTested
    | VigilanceNoShot
    | AttackResolved
    | AreaResolved
    | Hurt
    | fx.Healed
    | fx.Felled
    | fx.StatChanged
    | ResourceChanged
    | ConditionGained
    | ConditionLost
    | Suppressed
    | SuppressionDue
    | SuppressionEnded
    | ItemsTaken
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
