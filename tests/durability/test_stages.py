"""The service is killed at every stage of what it writes, one after the other."""

import asyncio
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from service.eventstore.log_writes import APPEND
from tests.durability import faults
from tests.durability.battles import creation
from tests.durability.driver import Mix
from tests.durability.rig import ServiceProcess, Store
from tests.durability.trial import Trial
from tests.durability.tripwire import Moment, Stage, Tripwire
from tests.durability.verifying import Evidence, verify
from tests.durability.wire import AnswerLost, NotConnected, Wire
from tests.patience import PATIENCE_SECONDS

MOMENTS: tuple[Moment, ...] = (
    "unsent",
    "half_sent",
    "unsynced",
    "sent",
    "answered",
    "half_answered",
    "told",
)
AROUND: tuple[Moment, ...] = ("unsent", "sent", "answered", "told")
APPENDS = tuple(Stage(text=APPEND, moment=moment) for moment in MOMENTS)
SNAPSHOTS = tuple(Stage(text="INSERT INTO snapshot", moment=moment) for moment in AROUND[:3])
ERASURES = (
    Stage(text="UPDATE event_part", moment="unsent"),
    *(Stage(text="COMMIT", moment=moment) for moment in AROUND),
)
CREATIONS = (
    Stage(text="INSERT INTO encounter ", moment="told"),
    *(Stage(text="COMMIT", moment=moment) for moment in AROUND),
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(15 * PATIENCE_SECONDS)]


@pytest.mark.parametrize(
    "rounds",
    [pytest.param(1, id="once"), pytest.param(20, id="twenty", marks=pytest.mark.soak)],
)
async def test_the_service_is_killed_at_every_stage_of_an_append(
    store: Store, tmp_path: Path, rounds: int
) -> None:
    async with (
        Tripwire(store.dsns.app) as app,
        Tripwire(store.dsns.eraser) as eraser,
        Trial(store, tmp_path, Mix(erasing=0.1), app=app.dsn, eraser=eraser.dsn) as trial,
    ):
        [service] = trial.services
        plan = [(app, stage) for stage in APPENDS + SNAPSHOTS]
        plan += [(eraser, stage) for stage in ERASURES]

        async def kill() -> None:
            for wire, stage in plan * rounds:
                await wire.trip(stage, service.kill)
                await service.start()
            await faults.kill_waiting(store.dsns, service, rounds)
            await faults.kill_before_the_whole_request(service, trial.key, trial.encounters, rounds)

        await trial.suffer(kill(), trial.told("answer_lost"), trial.told("replayed"))
        await trial.prove()


@pytest.mark.soak
async def test_the_service_is_killed_at_every_stage_of_a_creation(
    store: Store, tmp_path: Path
) -> None:
    tenant, (key, *_) = await store.holders()
    body = msgspec.json.encode(creation())
    async with Tripwire(store.dsns.app) as app:
        service = ServiceProcess(tmp_path, store.dsns, app=app.dsn)
        await service.start()
        wire = Wire(service.url, key.token)
        created: list[str] = []
        for stage in CREATIONS:
            name = {"Idempotency-Key": f"created-{len(created)}"}
            trap = asyncio.create_task(app.trip(stage, service.kill))
            heard = None
            with suppress(AnswerLost):
                heard = await wire.post("/v1/encounters", name, body)
            await asyncio.wait([trap], timeout=PATIENCE_SECONDS)
            assert trap.done(), heard
            with pytest.raises(NotConnected):
                await wire.post("/v1/encounters", name, body)
            await service.start()
            again = [await wire.post("/v1/encounters", name, body) for _ in range(2)]
            assert [reply.status for reply in again] == [201, 201]
            [encounter] = {msgspec.json.decode(reply.body)["encounter"] for reply in again}
            created.append(encounter)
        found = await verify(store.dsns, [service.url], Evidence(calls=(), tenant=tenant, key=key))
        wire.close()
        await asyncio.to_thread(service.stop)
    assert found == ()
    assert await store.encounters(tenant) == set(created)
    assert len(set(created)) == len(CREATIONS)
