"""Effects on the map: where combatants stand and look, what lies there, what comes to light."""

from typing import Annotated

from msgspec import UNSET, UnsetType

from service.engine.battle.state import Combatant
from service.engine.visibility.audience import (
    EVERYONE,
)
from service.engine.vocabulary.effects.effect import Effect, Shape
from service.engine.vocabulary.recorded_words import (
    RecordedFacing,
    RecordedSideId,
    RecordedSubjectId,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    Place,
)


class Moved(Effect, frozen=True, kw_only=True, tag="moved"):
    """From `start` along `path` (start left out) to `end`; not `complete` when cut short."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that moved."""
    manner: Annotated[RecordedWord, EVERYONE]
    """How: `walk` in Crossfire d6, Tactical d20 and Squad d100, the gait or `cover` in Seeker d100,
    `placed` where the game master put it there, or the start of a battle on a reserved cell."""
    start: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Where it stood before; absent where it stood nowhere."""
    path: Annotated[tuple[Place, ...], EVERYONE] = ()
    """Places passed through in order, `start` left out and `end` included; empty where it was
    placed."""
    end: Annotated[Place, EVERYONE]
    """Where it stands now."""
    cost: Annotated[int | UnsetType, EVERYONE] = UNSET
    """Length of the way: feet in Crossfire d6 and Tactical d20, metres in Seeker d100, movement
    points in Squad d100; absent where it was placed."""
    complete: Annotated[bool, EVERYONE] = True
    """False where the movement was cut short of where it was to go."""
    cause: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Why it was cut short or happened: `contact` with something hidden, `blocked` by what was put
    there meanwhile, `opportunity` where enemies are asked before it goes on, `vigilance` where
    those on watch test, `fire` where the last cell burns; absent for an ordinary movement."""


class Faced(Effect, frozen=True, kw_only=True, tag="faced"):
    """A combatant looks another way."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that turned."""
    facing: Annotated[RecordedFacing, EVERYONE]
    """Direction it looks in now."""


class PostureChanged(Effect, frozen=True, kw_only=True, tag="posture_changed"):
    """A combatant holds itself otherwise."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant whose posture changed."""
    posture: Annotated[RecordedWord, EVERYONE]
    """Its posture from now on."""
    cause: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Why: `gm` by an adjustment, `cover_lost` where the ground gives none any more; absent where
    the combatant chose it."""


class MarkerPlaced(Effect, frozen=True, kw_only=True, tag="marker_placed"):
    """A marker or template lies on the table."""

    marker: Annotated[str, EVERYONE]
    """Id of the marker."""
    kind: Annotated[RecordedWord, EVERYONE]
    """What the marker stands for."""
    shape: Annotated[Shape, EVERYONE]
    """Ground that it covers."""
    side: Annotated[RecordedSideId | UnsetType, EVERYONE] = UNSET
    """Side it belongs to; absent where it is nobody's."""


class MarkerRemoved(Effect, frozen=True, kw_only=True, tag="marker_removed"):
    """A marker or template lies there no longer."""

    marker: Annotated[str, EVERYONE]
    """Id of the marker."""
    cause: Annotated[RecordedWord, EVERYONE]
    """Why it is gone."""


class TerrainChanged(Effect, frozen=True, kw_only=True, tag="terrain_changed"):
    """Ground is otherwise from now on; rulesets extend it with what changed."""

    cause: Annotated[RecordedWord, EVERYONE] = "gm"
    """Why: `gm` by a request of the game master, `setup` at creation, `met` where hidden ground
    came to light."""


class Revealed(Effect, frozen=True, kw_only=True, tag="revealed"):
    """What was hidden is known to everyone: the combatant is stated anew."""

    combatant: Annotated[Combatant, EVERYONE]
    """The whole sheet as everyone may know it now."""
    cause: Annotated[RecordedWord, EVERYONE]
    """How it came to light: `gm` by an adjustment, `contact` where somebody met it, `attack` by its
    own attack."""


class Hidden(Effect, frozen=True, kw_only=True, tag="hidden"):
    """A combatant is known only to its own side from now on."""

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant that others see no longer."""
    cause: Annotated[RecordedWord, EVERYONE] = "gm"
    """Why: `gm` by an adjustment."""
