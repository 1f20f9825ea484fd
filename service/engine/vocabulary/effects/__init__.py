"""The shared vocabulary of effects: one fact each, named alike in all five rulesets.

How this works. `VOCABULARY.md` maps every catalogue onto these names. The combatant an effect
*happens to* stands in the effect itself (`combatant`, `target`); whoever *did* it, and all that
is known only through them, stands in a nested object, so that an unseen doer hides only that
object. Where a payload is a ruleset's own (options, sheets, terrain) the ruleset extends the
struct and narrows the field's type under the same tag. Shapes are kept for ever: new fields are
optional, none is renamed.

The engine's reducer (`battle/evolve.py`) applies them, but for nine, which a ruleset that uses them
applies itself: `phase_changed`, `faced`, `stat_changed`, `resource_changed`, `item_changed`,
`link_changed`, `marker_placed`, `marker_removed`, `terrain_changed`; and `encounter_created`, which
a ruleset's `initial` makes a state of.
"""

from service.engine.vocabulary.effects.attacks import (
    Against,
    AreaResolved,
    AttackDetail,
    AttackResolved,
    CheckResolved,
    DiceTerms,
    Opposed,
    Rolled,
    Victim,
)
from service.engine.vocabulary.effects.bodies import (
    ConditionGained,
    ConditionLost,
    Felled,
    Healed,
    Hurt,
    ItemChanged,
    LinkChanged,
    ResourceChanged,
    StatChanged,
)
from service.engine.vocabulary.effects.decisions import (
    ActionStopped,
    AnswerAsked,
    DecisionClosed,
    DecisionOpened,
    Sealed,
    WindowSkipped,
)
from service.engine.vocabulary.effects.effect import Effect, Shape, Source
from service.engine.vocabulary.effects.encounter import (
    Adjusted,
    Contributed,
    ControlChanged,
    EncounterCreated,
    EncounterEnded,
    EncounterStarted,
    Erased,
    Noted,
    OptionsSet,
    PartsOpened,
    Reissued,
    Rewound,
    SeatChanged,
    SeedRevealed,
)
from service.engine.vocabulary.effects.order import (
    CombatantAdded,
    CombatantRemoved,
    OrderEntry,
    OrderSet,
    PhaseChanged,
    RoundBegan,
    TurnBegan,
    TurnEnded,
)
from service.engine.vocabulary.effects.places import (
    Faced,
    Hidden,
    MarkerPlaced,
    MarkerRemoved,
    Moved,
    PostureChanged,
    Revealed,
    TerrainChanged,
)

__all__ = [
    "ActionStopped",
    "Adjusted",
    "Against",
    "AnswerAsked",
    "AreaResolved",
    "AttackDetail",
    "AttackResolved",
    "CheckResolved",
    "CombatantAdded",
    "CombatantRemoved",
    "ConditionGained",
    "ConditionLost",
    "Contributed",
    "ControlChanged",
    "DecisionClosed",
    "DecisionOpened",
    "DiceTerms",
    "Effect",
    "EncounterCreated",
    "EncounterEnded",
    "EncounterStarted",
    "Erased",
    "Faced",
    "Felled",
    "Healed",
    "Hidden",
    "Hurt",
    "ItemChanged",
    "LinkChanged",
    "MarkerPlaced",
    "MarkerRemoved",
    "Moved",
    "Noted",
    "Opposed",
    "OptionsSet",
    "OrderEntry",
    "OrderSet",
    "PartsOpened",
    "PhaseChanged",
    "PostureChanged",
    "Reissued",
    "ResourceChanged",
    "Revealed",
    "Rewound",
    "Rolled",
    "RoundBegan",
    "Sealed",
    "SeatChanged",
    "SeedRevealed",
    "Shape",
    "Source",
    "StatChanged",
    "TerrainChanged",
    "TurnBegan",
    "TurnEnded",
    "Victim",
    "WindowSkipped",
]
