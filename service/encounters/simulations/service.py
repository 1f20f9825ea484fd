"""Simulations for callers: who may have one, and what comes of it.

How this works. What may be forked may be simulated, by the same callers. The state goes to jobs as
bytes, with the request's own seed; so no job can tell anything of the dice of the battle. Battles
are counted in the order of their numbers, up to the first that was not played.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Final
from uuid import UUID

import msgspec
from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace

from service.encounters.clock_and_ids import Sources
from service.encounters.creation import KEY_BYTES
from service.encounters.forks.service import ForkService, actions_of
from service.encounters.principal import Principal
from service.encounters.requests import ActionItem, convert, place_under
from service.encounters.simulations.messages import (
    BattleEnd,
    RefusedAction,
    SimulationAnswer,
    SimulationOrder,
    SimulationProgress,
    SimulationRequest,
)
from service.encounters.simulations.processes import BattleProcesses, SimulationLimits
from service.encounters.simulations.simulated_battle import MASTER
from service.encounters.simulations.tally import BattleTally
from service.engine.battle.continuation import continuation, standing_of
from service.engine.battle.state import RuleState
from service.engine.log import canonical
from service.engine.ruleset.definition import Ruleset
from service.errors import Forbidden, Malformed, Refused, WarlogError
from service.jobs.jobs import Jobs

NOT_PLAYED: Final = frozenset(
    {"rewind", "assign_control", "add_seat", "change_seat", "remove_seat"}
)
"""Types of actions that mean nothing to a battle in memory."""

TELLINGS: Final = 1_000
"""So often at most it is reported how many battles were played."""


class PlannedSimulation(Struct, frozen=True, kw_only=True):
    """What is to be played, and of what."""

    tenant: str
    encounter: str
    ruleset: Ruleset[RuleState]
    at: int
    n: int
    rule: RuleState
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
        rule = replace(
            continuation(battle.ruleset, there.state, MASTER, "sealed"),
            status=standing_of(there.state),
        )
        return PlannedSimulation(
            tenant=str(who.tenant),
            encounter=battle.id,
            ruleset=battle.ruleset,
            at=request.at,
            n=request.n,
            rule=rule,
            order=_order_of(battle.ruleset, rule, there.state.terms.blobs, request, seed),
        )

    async def played(
        self, planned: PlannedSimulation
    ) -> AsyncGenerator[SimulationProgress | SimulationAnswer, None]:
        """Play it: how far it is, and at the end what came of it.

        Whoever closes this iterator ends it. Raises Refused for an action that the first battle
        refuses and Refused("simulation_too_long"), Forbidden, Unavailable.
        """
        tally, ends = BattleTally(planned.rule), dict[int, BattleEnd]()
        every = max(1, planned.n // TELLINGS)
        processes = BattleProcesses(
            self._jobs, planned.order, planned.n, self._limits, planned.tenant
        )
        async with aclosing(processes.lines()) as lines:
            async for line in lines:
                if isinstance(line, RefusedAction):
                    raise _refusal_of(line, planned.ruleset)
                ends[line.number] = line.end
                while (end := ends.pop(tally.played, None)) is not None:
                    tally.add(end)
                    if tally.played % every == 0:
                        yield SimulationProgress(done=tally.played, n=planned.n)
        if not tally.played:
            raise Refused("simulation_too_long", seconds=self._limits.seconds)
        yield SimulationAnswer(
            encounter=planned.encounter,
            ruleset=planned.order.ruleset,
            version=planned.order.version,
            at=planned.at,
            seed=planned.order.seed,
            max_rounds=planned.order.max_rounds,
            asked=planned.n,
            ended="complete" if tally.played == planned.n else "time",
            left_out=processes.begun - tally.played,
            simulation=tally.simulation(),
        )


def _require_playable(items: tuple[ActionItem, ...]) -> None:
    """A battle in memory takes no faces, has nothing to go back to, and its own seats.

    Raises Malformed.
    """
    for index, item in enumerate(items):
        if item.dice is not UNSET:
            raise Malformed(path=f"$.actions[{index}].dice", allowed="no faces of dice")
        if item.action.get("type") in NOT_PLAYED:
            raise Malformed(
                path=f"$.actions[{index}].action.type",
                allowed="an action other than rewind and those of seats",
            )


def _order_of(
    ruleset: Ruleset[RuleState],
    rule: RuleState,
    blobs: Mapping[str, object],
    request: SimulationRequest,
    seed: str,
) -> SimulationOrder:
    """All that the processes are sent. The service rolls, whoever does at the table."""
    digests = (rule.map, rule.content)
    return SimulationOrder(
        ruleset=ruleset.slug,
        version=ruleset.version,
        rule=Raw(canonical.encode(rule)),
        blobs={
            digest: Raw(canonical.encode(blobs[digest]))
            for digest in digests
            if digest is not UNSET
        },
        actions=tuple(Raw(msgspec.json.encode(item.action)) for item in request.actions),
        policies=request.policies,
        max_rounds=request.max_rounds,
        seed=seed,
    )


def _refusal_of(refused: RefusedAction, ruleset: Ruleset[RuleState]) -> WarlogError:
    """The refusal as the rules made it, with its place in the request."""
    error: WarlogError
    match refused.kind:
        case "forbidden":
            error = Forbidden(refused.code, **refused.params)
        case "malformed":
            error = Malformed(refused.code, **refused.params)
        case "refused":
            rule = None if refused.rule is UNSET else refused.rule
            error = Refused(refused.code, rule=rule, **refused.params)
    if refused.index is not UNSET and isinstance(error, Malformed | Refused):
        place_under(f"$.actions[{refused.index}].action", error)
    error.ruleset = (ruleset.slug, ruleset.version)
    return error
