"""What callers send and get to take up a battle somewhere else."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from service.encounters.requests import ActionItem, RulesetName
from service.encounters.responses import EncounterView, EventRecord, Receipt, Stopped
from service.engine.battle.linear import Seat
from service.engine.vocabulary.values import DiceMode, Digest, ForkOf, Metadata, NameText, Seq

MOST_ACTIONS = 32
"""Actions that are taken at once behind what a fork takes up."""

ForkActions = Annotated[tuple[ActionItem, ...], Meta(max_length=MOST_ACTIONS)]
"""Actions of the forker's own."""


class ForkRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new encounter that continues from event `at`; options, sides and map are those of the
    battle.

    With a `ruleset` it is refused of an encounter of another one.
    """

    at: Seq
    """The last event that the new encounter builds on."""
    ruleset: RulesetName | UnsetType = UNSET
    """The ruleset that the request is meant for: an encounter of another one refuses it. Absent: of
    any."""
    dice: DiceMode | UnsetType = UNSET
    """`sealed`: the service rolls from a seed of the fork's own; `supplied`: the table rolls and
    sends the faces. Absent: as in the battle that it continues."""
    seed: Digest | UnsetType = UNSET
    """The secret seed of the fork's dice, 64 hex digits; drawn from the system's randomness if
    absent."""
    title: NameText | UnsetType = UNSET
    """Display name of the fork; absent: none, whatever the battle is called."""
    metadata: Metadata | UnsetType = UNSET
    seats: Annotated[tuple[Seat, ...], Meta(max_length=100)] = ()
    """Participants of the fork from the beginning; those of the battle are not among them."""
    reveal_by_days: Annotated[int, Meta(ge=1, le=3650)] = 180
    """Days after its last event when the service ends a started fork, if nobody did, and reveals
    its seed."""
    actions: ForkActions = ()
    """Actions to apply at once, in this order, one event each, by the fork's game master;
    `start_encounter` is the first of them where the battle is to go on."""


class ForkAnswer(Struct, frozen=True, kw_only=True):
    """A fork, its event 1, and what came of the actions sent along."""

    encounter: str
    """Id of the new encounter."""
    ruleset: str
    """Slug of its ruleset."""
    fork_of: ForkOf
    """The event that it continues."""
    view: EncounterView
    """The fork behind these events."""
    events: tuple[EventRecord, ...]
    """Event 1 and those of the actions, in order."""
    accepted: int
    """How many of the actions were applied."""
    receipt: Receipt
    """The service's signature over the last of these events."""
    stopped: Stopped | UnsetType = UNSET
    """Why not all actions were applied; absent when all were."""
    token: str | UnsetType = UNSET
    """Where a seat asks by its own token: the bearer token, `ws_...`, of its seat `gm` in the fork.
    Shown once; absent for a key, which is the fork's game master by itself, and in a repeated
    answer."""

    def __repr__(self) -> str:
        """Only the name: whoever has the token has the seat."""
        return "ForkAnswer()"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Nothing to tracebacks that print records in colour either."""
        return []
