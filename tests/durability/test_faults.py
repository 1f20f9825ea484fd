"""Whatever dies, hangs or lies between a client and the disk: nothing is lost, nothing doubled."""

import random
from functools import partial
from pathlib import Path

import pytest

from tests.durability import faults
from tests.durability.driver import Mix
from tests.durability.rig import Store
from tests.durability.trial import Trial
from tests.eventstore.relay import Relay

TIMES = [pytest.param(1, id="once"), pytest.param(20, id="twenty", marks=pytest.mark.soak)]
MANY = [pytest.param(3, id="short"), pytest.param(50, id="long", marks=pytest.mark.soak)]

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("times", TIMES)
async def test_the_service_is_killed(
    store: Store, tmp_path: Path, chance: random.Random, times: int
) -> None:
    async with Trial(store, tmp_path) as trial:
        is_noticed = partial(trial.has_told_any, "answer_lost", "not_connected")
        await trial.suffer(faults.kill_service(trial.services[0], chance, times, is_noticed))
        await trial.prove()


@pytest.mark.parametrize("times", TIMES)
async def test_the_database_is_killed(
    store: Store, tmp_path: Path, chance: random.Random, times: int
) -> None:
    async with Trial(store, tmp_path) as trial:
        is_noticed = partial(trial.has_told_any, "database_away", "outcome_unknown")
        await trial.suffer(faults.kill_database(store, chance, times, is_noticed))
        await trial.prove()


@pytest.mark.parametrize("times", MANY)
async def test_nobody_hears_of_a_commit(store: Store, tmp_path: Path, times: int) -> None:
    async with (
        Relay(store.dsns.app) as relay,
        Trial(store, tmp_path, Mix(encounters=3), app=relay.dsn) as trial,
    ):
        unknown = partial(trial.told, "outcome_unknown")
        await trial.suffer(faults.lose_answers(relay, times, trial.goes_on, unknown))
        await trial.prove()


@pytest.mark.parametrize("times", MANY)
async def test_connections_are_cut_in_the_middle_of_a_statement(
    store: Store, tmp_path: Path, times: int
) -> None:
    async with (
        Relay(store.dsns.app) as relay,
        Trial(store, tmp_path, app=relay.dsn) as trial,
    ):
        unknown = partial(trial.told, "outcome_unknown")
        await trial.suffer(faults.cut_connections(relay, times, trial.goes_on, unknown))
        await trial.prove()


@pytest.mark.parametrize("times", TIMES)
async def test_an_encounter_is_locked_for_longer_than_the_service_waits(
    store: Store, tmp_path: Path, times: int
) -> None:
    async with Trial(store, tmp_path) as trial:
        busy = partial(trial.told, "encounter_busy")
        await trial.suffer(faults.hold_rows(store.dsns, trial.encounters, times, busy))
        await trial.prove()


@pytest.mark.parametrize("times", MANY)
async def test_statements_are_cancelled_and_sessions_ended(
    store: Store, tmp_path: Path, chance: random.Random, times: int
) -> None:
    async with Trial(store, tmp_path) as trial:
        is_told = partial(trial.has_told, "database_slow", "outcome_unknown")
        await trial.suffer(faults.interrupt_statements(store.dsns, chance, times, is_told))
        await trial.prove()


@pytest.mark.soak
@pytest.mark.parametrize("times", [1, 20], ids=["once", "twenty"])
async def test_two_processes_write_and_somebody_locks_in_the_other_order(
    store: Store, tmp_path: Path, chance: random.Random, times: int
) -> None:
    mix = Mix(clients=8, encounters=4)
    async with Trial(store, tmp_path, mix, services=2) as trial:
        await trial.suffer(
            faults.lock_backwards(store, trial.encounters, times),
            faults.kill_service(trial.services[1], chance, times),
            trial.told("replayed"),
        )
        await trial.prove()


@pytest.mark.parametrize("times", MANY)
async def test_clients_vanish_and_some_events_cannot_be_stored(
    store: Store, tmp_path: Path, chance: random.Random, times: int
) -> None:
    mix = Mix(vanishing=0.1, poisoned=0.1, erasing=0.05)
    async with Trial(store, tmp_path, mix) as trial:
        await trial.suffer(
            faults.time_passes(chance, times), trial.told("vanished"), trial.told("unstorable")
        )
        await trial.prove()


@pytest.mark.parametrize("times", TIMES)
async def test_the_pool_is_full_and_sessions_are_refused(
    store: Store, tmp_path: Path, chance: random.Random, times: int
) -> None:
    async with Trial(store, tmp_path, WARLOG_POOL_SIZE="1") as trial:
        await trial.suffer(
            faults.crowd(trial.urls[0], trial.key, trial.encounters, 40, 3 * times),
            faults.refuse_sessions(
                store.dsns, chance, 2 * times, partial(trial.told, "database_away")
            ),
        )
        await trial.prove()
