"""Simulations for callers: who may have one, and the process that plays it.

How this works. What may be forked may be simulated, by the same callers. The state goes to a job as
bytes, with the request's own seed; so no job can tell anything of the dice of the battle.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from uuid import UUID

import msgspec
from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace

from service.encounters.clock_and_ids import Sources
from service.encounters.creation import KEY_BYTES
from service.encounters.forks.service import ForkPoint, ForkService, actions_of
from service.encounters.principal import Principal
from service.encounters.requests import ActionItem, convert, place_under
from service.encounters.simulations.job import JOB
from service.encounters.simulations.messages import (
    DoneRuns,
    FinishedSimulation,
    JobLine,
    RefusedAction,
    SimulationAnswer,
    SimulationOrder,
    SimulationProgress,
    SimulationRequest,
)
from service.encounters.simulations.simulated_battle import MASTER
from service.engine.battle.continuation import continuation
from service.engine.battle.state import RuleState
from service.engine.log import canonical
from service.engine.ruleset import Ruleset
from service.errors import Forbidden, JobTimedOut, Malformed, Refused, WarlogError
from service.jobs.jobs import Jobs

MEMORY_BYTES = 1 << 30
"""Address space of a process that plays battles; it keeps one at a time."""

_LINES: msgspec.json.Decoder[JobLine] = msgspec.json.Decoder(JobLine)


class SimulationLimits(Struct, frozen=True, kw_only=True):
    """How many battles a request may have played, and for how long."""

    most: int = 1_000
    seconds: int = 300


class PlannedSimulation(Struct, frozen=True, kw_only=True):
    """What is to be played, and of what."""

    encounter: str
    ruleset: Ruleset[RuleState]
    at: int
    order: SimulationOrder


class Simulations:
    """Has battles played to their end. Nothing of it is stored, and nothing changes."""

    def __init__(
        self, forks: ForkService, jobs: Jobs, sources: Sources, limits: SimulationLimits
    ) -> None:
        self._forks = forks
        self._jobs = jobs
        self._sources = sources
        self._limits = limits

    async def plan(self, who: Principal, encounter: UUID, tree: object) -> PlannedSimulation:
        """What a request asks for.

        Raises NotFound, Forbidden("gm_only"), Malformed, Refused.
        """
        battle, _ = await self._forks.standing(who, encounter, "simulate")
        request = convert(tree, SimulationRequest)
        if request.n > self._limits.most:
            raise Malformed(path="$.n", allowed=f"1 to {self._limits.most}")
        _require_playable(request.actions)
        actions_of(request.actions, request.ruleset, tree, battle.ruleset)
        there = await self._forks.state_at(battle, request.at)
        sides = [side.id for side in there.state.rule.sides]
        for side in request.policies:
            if side not in sides:
                raise Refused("unknown_side", side=side, allowed=sides)
        seed = self._sources.random(KEY_BYTES).hex() if request.seed is UNSET else request.seed
        order = _order_of(battle.ruleset, there, request, seed)
        return PlannedSimulation(
            encounter=battle.id, ruleset=battle.ruleset, at=request.at, order=order
        )

    async def played(
        self, planned: PlannedSimulation
    ) -> AsyncGenerator[SimulationProgress | SimulationAnswer, None]:
        """Play it: how far it is, and at the end what came of it.

        Whoever closes this iterator ends it. Raises Refused for an action that the first battle
        refuses and Refused("simulation_too_long"), Forbidden, Unavailable.
        """
        order, body = planned.order, msgspec.json.encode(planned.order)

        async def fed() -> AsyncIterator[bytes]:
            yield body

        lines = self._jobs.run(JOB, fed(), seconds=self._limits.seconds, memory_bytes=MEMORY_BYTES)
        try:
            async with aclosing(lines):
                async for line in lines:
                    match _LINES.decode(line):
                        case RefusedAction() as refused:
                            raise _refusal_of(refused, planned.ruleset)
                        case DoneRuns(done=done):
                            yield SimulationProgress(done=done, n=order.n)
                        case FinishedSimulation(simulation=simulation):
                            yield SimulationAnswer(
                                encounter=planned.encounter,
                                ruleset=order.ruleset,
                                version=order.version,
                                at=planned.at,
                                seed=order.seed,
                                max_rounds=order.max_rounds,
                                simulation=simulation,
                            )
        except JobTimedOut:
            raise Refused("simulation_too_long", seconds=self._limits.seconds) from None


def _require_playable(items: tuple[ActionItem, ...]) -> None:
    """A battle in memory takes no faces and has nothing to go back to. Raises Malformed."""
    for index, item in enumerate(items):
        if item.dice is not UNSET:
            raise Malformed(path=f"$.actions[{index}].dice", allowed="no faces of dice")
        if item.action.get("type") == "rewind":
            raise Malformed(
                path=f"$.actions[{index}].action.type", allowed="an action other than rewind"
            )


def _order_of(
    ruleset: Ruleset[RuleState], there: ForkPoint, request: SimulationRequest, seed: str
) -> SimulationOrder:
    """All that the process is told. The service rolls, whoever does at the table."""
    rule = there.state.rule
    taken = continuation(rule, ruleset.evolve, MASTER, "sealed")
    taken = replace(taken, status=rule.status)
    digests = (rule.map, rule.content)
    return SimulationOrder(
        ruleset=ruleset.slug,
        version=ruleset.version,
        rule=Raw(canonical.encode(taken)),
        blobs={
            digest: Raw(canonical.encode(there.state.blobs[digest]))
            for digest in digests
            if digest is not UNSET
        },
        actions=tuple(Raw(msgspec.json.encode(item.action)) for item in request.actions),
        policies=request.policies,
        n=request.n,
        max_rounds=request.max_rounds,
        seed=seed,
    )


def _refusal_of(refused: RefusedAction, ruleset: Ruleset[RuleState]) -> WarlogError:
    """The refusal as the rules made it, with its place in the request."""
    rule = None if refused.rule is UNSET else refused.rule
    error: WarlogError
    if refused.is_forbidden:
        error = Forbidden(refused.code, **refused.params)
    else:
        error = Refused(refused.code, rule=rule, **refused.params)
        place_under(f"$.actions[{refused.index}].action", error)
    error.ruleset = (ruleset.slug, ruleset.version)
    return error
