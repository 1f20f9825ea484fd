"""The processes that play the battles of one request: however many, and however long, they are."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from typing import Any

import msgspec
import pytest

from service.encounters.simulations.messages import (
    PlayedBattle,
    SimulationAnswer,
    SimulationProgress,
)
from service.encounters.simulations.processes import BattleProcesses, SimulationLimits
from service.encounters.simulations.service import PlannedSimulation, Simulations
from service.errors import Refused, Unavailable
from service.jobs.jobs import Jobs
from tests.encounters.table import SOURCES, Table
from tests.patience import PATIENCE_SECONDS

SEED = "07" * 32


@pytest.fixture
async def jobs() -> AsyncIterator[Jobs]:
    made = Jobs(3)
    yield made
    await made.drain()


async def planned(table: Table, n: int) -> PlannedSimulation:
    """A battle that has begun, to be played on so many times."""
    encounter = await table.started()
    tree = {"at": 2, "n": n, "max_rounds": 2, "seed": SEED}
    return await simulations(table, Jobs(1)).plan(table.who, encounter, tree)


def simulations(table: Table, jobs: Jobs, **limits: Any) -> Simulations:
    return Simulations(table.encounters.forks, jobs, SOURCES, SimulationLimits(**limits))


async def answered(made: Simulations, plan: PlannedSimulation) -> SimulationAnswer:
    """The answer; progress is shown without a gap before it."""
    *progress, answer = [each async for each in made.played(plan)]
    assert isinstance(answer, SimulationAnswer)
    steps = range(1, answer.simulation.played + 1)
    assert progress == [SimulationProgress(done=done, n=plan.n) for done in steps]
    return answer


async def test_one_process_and_three_come_to_the_same(table: Table, jobs: Jobs) -> None:
    plan = await planned(table, 7)
    encoded = [
        msgspec.json.encode(await answered(simulations(table, jobs, processes=processes), plan))
        for processes in (1, 3)
    ]
    assert encoded[0] == encoded[1]


async def test_others_join_where_places_are_free(table: Table, jobs: Jobs) -> None:
    plan = await planned(table, 16)
    assert jobs.free == 3
    many = BattleProcesses(jobs, plan.order, plan.n, SimulationLimits(processes=8))
    async with aclosing(many.lines()) as lines:
        numbers = {line.number async for line in lines if isinstance(line, PlayedBattle)}
    assert (numbers, many.begun, jobs.free) == ({*range(16)}, 16, 3)


async def test_what_has_begun_is_played_to_its_end(table: Table, jobs: Jobs) -> None:
    plan = await planned(table, 1_000)
    limits = SimulationLimits(processes=3)
    many = BattleProcesses(jobs, plan.order, plan.n, limits)
    numbers = []
    async with aclosing(many.lines()) as lines:
        async for line in lines:
            assert isinstance(line, PlayedBattle)
            numbers.append(line.number)
            if len(numbers) == 9:
                many.stop()
    assert sorted(numbers) == [*range(many.begun)]
    assert 9 <= many.begun <= 12


async def test_the_answer_is_of_what_there_was_time_for(table: Table, jobs: Jobs) -> None:
    plan = await planned(table, 1_000)
    limits = {"seconds": int(PATIENCE_SECONDS), "beginning_seconds": 1.5}
    answer = await answered(simulations(table, jobs, **limits), plan)
    assert (answer.ended, answer.asked, answer.left_out) == ("time", 1_000, 0)
    again = await planned(table, answer.simulation.played)
    whole = await answered(simulations(table, jobs), again)
    assert whole.simulation == answer.simulation
    assert (whole.ended, whole.left_out) == ("complete", 0)


async def test_it_is_refused_where_not_one_was_over(table: Table, jobs: Jobs) -> None:
    plan = await planned(table, 3)
    made = simulations(table, jobs, seconds=0, processes=3)
    with pytest.raises(Refused) as refusal:
        await answered(made, plan)
    assert (refusal.value.code, refusal.value.params) == ("simulation_too_long", {"seconds": 0})
    assert jobs.free == 3


async def test_a_request_that_waits_for_a_place_ends_no_simulation(table: Table) -> None:
    plan = await planned(table, 5)
    crowded = Jobs(1, wait_seconds=0.6, patience=0.1)
    playing = simulations(table, crowded).played(plan)
    async with aclosing(playing) as progress:
        await anext(progress)
        other = simulations(table, crowded).played(plan)
        waiting = asyncio.create_task(anext(other))
        *_, answer = [each async for each in progress]
        assert isinstance(answer, SimulationAnswer)
        assert (answer.ended, answer.simulation.played) == ("complete", 5)
        with suppress(Unavailable):
            await waiting
        await other.aclose()
