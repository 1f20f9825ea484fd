"""What callers send and get to have a battle played to its end many times."""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from service.encounters.forks.messages import ForkActions
from service.encounters.requests import RulesetName
from service.engine.vocabulary.values import Digest, Seq, SideId

Policy = Literal["random", "simple"]
"""`random`: any of the legal actions that are sampled for the side. `simple`: the attack that is
most likely to come to anything, else a step towards the nearest enemy, else what helps, such as to
get up or to reload, else the end of its turn."""

MOST_ROUNDS: Final = 1_000
"""Rounds that a simulated battle may go on for."""


class SimulationRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Play the battle after event `at` to its end `n` times. Nothing of it is stored.

    With a `ruleset` it is refused of an encounter of another one.
    """

    at: Seq
    """The event after which each of the battles begins."""
    n: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    """How many are to be played; at most `simulations` of the limits."""
    ruleset: RulesetName | UnsetType = UNSET
    """The ruleset that the request is meant for: an encounter of another one refuses it. Absent: of
    any."""
    actions: ForkActions = ()
    """Actions of the game master that each of the battles begins with, in this order: what else had
    been. One that the first battle refuses is refused; in another, the list ends before it."""
    policies: dict[SideId, Policy] = {}
    """Who chooses for a side, by its id, from what that side sees and may do: `random` any of its
    legal actions, `simple` the likeliest attack, else a step towards the nearest enemy, else what
    helps. A side that is left out plays at random."""
    max_rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 20
    """Rounds after which a battle counts as undecided."""
    seed: Digest | UnsetType = UNSET
    """What all dice and choices follow from, 64 hex digits: the same request with the same seed has
    the same answer. Drawn from the system's randomness if absent."""


class BattleShare(Struct, frozen=True, kw_only=True):
    """How many of the battles, with the 95 % confidence interval of the chance (Wilson)."""

    count: int
    """In how many battles."""
    num: str
    """Numerator of the exact share, a decimal string."""
    den: str
    """Denominator of the exact share, a decimal string."""
    percent_milli: int
    """The share in thousandths of a per cent, rounded down."""
    low_milli: int
    """Lower end of the interval, in thousandths of a per cent, rounded down."""
    high_milli: int
    """Upper end of the interval, in thousandths of a per cent, rounded up."""


class SimulatedOutcome(BattleShare, frozen=True, kw_only=True):
    """One way in which battles ended."""

    outcome: Literal["won", "draw", "undecided"]
    """`won` by `side`, the only one that could act or the one the rules name. `draw`: nobody could,
    or the rules name nobody. `undecided`: it went on for `max_rounds`, or came to a standstill."""
    side: SideId | UnsetType = UNSET
    """The side that won; absent for the others."""


class RoundSpread(Struct, frozen=True, kw_only=True):
    """How many rounds began in the battles."""

    least: int
    """Fewest rounds."""
    median: str
    """Median, a decimal string with at most one digit behind the point."""
    most: int
    """Most rounds."""
    mean: str
    """Mean, a decimal string with three digits behind the point, rounded down."""


class SideLosses(Struct, frozen=True, kw_only=True):
    """What a side lost."""

    side: SideId
    """Id of the side."""
    began: int
    """Its combatants who could act at the beginning."""
    lost: int
    """How many of them were out at the end, over all battles."""
    mean: str
    """The same for each battle, a decimal string with three digits behind the point, rounded down.
    """


class CombatantLosses(BattleShare, frozen=True, kw_only=True):
    """In how many battles a combatant who could act at the beginning was out at the end."""

    combatant: str
    """Id of the combatant."""
    side: SideId
    """Its side."""


class Simulation(Struct, frozen=True, kw_only=True):
    """What came of the battles."""

    played: int
    """How many were played to their end: the shares are of these."""
    outcomes: tuple[SimulatedOutcome, ...]
    """How they ended: won by each side in their order, draws, undecided ones."""
    rounds: RoundSpread
    """How long they were."""
    sides: tuple[SideLosses, ...]
    """What each side lost, in their order."""
    combatants: tuple[CombatantLosses, ...]
    """Who was out how often, in the order of the battle."""


class SimulationAnswer(Struct, frozen=True, kw_only=True):
    """What came of the battles, and what they were."""

    encounter: str
    """Id of the encounter."""
    ruleset: str
    """Slug of its ruleset."""
    version: str
    """Version of the ruleset."""
    at: int
    """The event after which each battle began."""
    seed: str
    """What all dice and choices follow from, 64 hex digits."""
    max_rounds: int
    """Rounds after which a battle counted as undecided."""
    asked: int
    """How many were to be played."""
    ended: Literal["complete", "time"]
    """`complete`: all were played. `time`: as many as there was time for, in the order of their
    numbers; asked for so many with the same seed, the simulation is the same."""
    left_out: int
    """Battles that are not counted although they had begun: those cut short when all time was up,
    and any of higher numbers. Others that were under way were played to their end, so that short
    battles are not favoured."""
    simulation: Simulation
    """What came of them."""


class SimulationProgress(Struct, frozen=True, kw_only=True):
    """How far a simulation has come."""

    done: int
    """Battles that were played, without a gap in the order of their numbers."""
    n: int
    """Battles to play."""


class SimulationOrder(Struct, frozen=True, kw_only=True):
    """All that a process learns which plays battles: nothing of where they come from."""

    ruleset: str
    version: str
    rule: Raw
    blobs: dict[str, Raw]
    actions: tuple[Raw, ...]
    policies: dict[str, Policy]
    max_rounds: int
    seed: str


class BattleEnd(Struct, frozen=True, kw_only=True):
    """How one battle ended: the side that won or whether nobody did, its rounds, who was out."""

    winner: str | UnsetType = UNSET
    is_decided: bool
    rounds: int
    out: frozenset[str]


class RefusedAction(Struct, frozen=True, kw_only=True, tag_field="type", tag="refused"):
    """An action that the first battle refuses, or the start behind them: that has no `index`."""

    index: int | UnsetType = UNSET
    kind: Literal["refused", "forbidden", "malformed"]
    code: str
    rule: str | UnsetType = UNSET
    params: dict[str, object]


class PlayedBattle(Struct, frozen=True, kw_only=True, tag_field="type", tag="played"):
    """The battle of this number was played; they count from 0."""

    number: int
    end: BattleEnd


BattleLine = RefusedAction | PlayedBattle
"""A line of a process that plays battles."""
