"""The proof fails when something is wrong: one thing is forged at a time, and put right again."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import asyncpg
import msgspec
import pytest
from msgspec.structs import replace

from tests.durability import rig
from tests.durability.battles import creation
from tests.durability.driver import Mix
from tests.durability.history import Asked, Told
from tests.durability.rig import Gauges, Store
from tests.durability.trial import BLOCKS_PER_CALL, MOST_CONNECTIONS, Trial, left_behind
from tests.durability.wire import Wire

HELD = Gauges(tasks=3, handles=20, connections=2, blocks=700_000, resident=135_000_000)


@asynccontextmanager
async def tampering(store: Store) -> AsyncIterator[asyncpg.Connection]:
    """A superuser whom no trigger holds back."""
    admin = await asyncpg.connect(store.dsns.admin)
    await admin.execute("SET session_replication_role = replica")
    yield admin
    await admin.close()


async def is_found(trial: Trial, *codes: str) -> None:
    """The proof fails, and says at least this."""
    with pytest.raises(AssertionError) as failure:
        await trial.prove()
    for code in codes:
        assert re.search(code, str(failure.value)), failure.value


async def an_event_is_altered(store: Store, trial: Trial, encounter: UUID) -> None:
    """The service still knows the true one; whoever reads the log finds another."""
    altered = "UPDATE event SET body = replace(body::text, $2, $3)::json WHERE encounter_id = $1"
    async with tampering(store) as admin:
        kept = await admin.fetch("SELECT * FROM snapshot WHERE encounter_id = $1", encounter)
        await admin.execute("DELETE FROM snapshot WHERE encounter_id = $1", encounter)
        await admin.execute(f"{altered} AND seq = 1", encounter, '"health":10000', '"health":9999')
        await is_found(trial, "audit in", "state_differs")
        await admin.execute(f"{altered} AND seq = 1", encounter, '"health":9999', '"health":10000')
        await admin.copy_records_to_table("snapshot", records=[tuple(row) for row in kept])


async def a_snapshot_is_altered(store: Store, trial: Trial, encounter: UUID) -> None:
    altered = "UPDATE snapshot SET state = $3, digest = $4 WHERE encounter_id = $1 AND seq = $2"
    async with tampering(store) as admin:
        row = await admin.fetchrow(
            "SELECT seq, state FROM snapshot WHERE encounter_id = $1 ORDER BY seq LIMIT 1",
            encounter,
        )
        assert row is not None
        # In the half that no rewind takes back.
        forged = re.sub(rb'"next_number":\d+', b'"next_number":77', row["state"])
        for state, is_forged in ((forged, True), (row["state"], False)):
            digest = sha256(state).digest()
            await admin.execute(altered, encounter, row["seq"], state, digest)
            if is_forged:
                await is_found(trial, "fold_differs", "audit in")


async def a_session_stays_open(store: Store, trial: Trial, encounter: UUID) -> None:
    session = await asyncpg.connect(store.dsns.app)
    await session.execute("BEGIN")
    with pytest.MonkeyPatch.context() as patch:
        # It stays open however long is waited for it.
        patch.setattr(rig, "PATIENCE_SECONDS", 1.0)
        await is_found(trial, "a session is idle in transaction")
    await session.close()


async def a_receipt_is_forged(store: Store, trial: Trial, encounter: UUID) -> None:
    """A call is added to the log of calls whose receipt nobody signed."""
    call, receipt = next((each, each.told.receipt) for each in trial.calls() if each.told.receipt)
    other = "0" if receipt.sig[-1] != "0" else "1"
    forged = replace(receipt, sig=receipt.sig[:-1] + other)
    trial.tell(call.asked, replace(call.told, receipt=forged))
    await is_found(trial, "receipt_forged")


async def an_event_is_claimed(store: Store, trial: Trial, encounter: UUID) -> None:
    asked = Asked(encounter=str(encounter), principal="p", key="claimed", if_match=None, actions=1)
    trial.tell(asked, Told(outcome="ok", status=201, version=9999, seqs=(9999,), hashes=("f",)))
    await is_found(trial, "acknowledged_lost")


async def an_encounter_turns_up(store: Store, trial: Trial, encounter: UUID) -> None:
    wire = Wire(trial.urls[0], trial.key.token)
    body = msgspec.json.encode(creation())
    await wire.post("/v1/encounters", {"Idempotency-Key": "stranger"}, body)
    wire.close()
    await is_found(trial, "was never asked for")


@pytest.mark.slow
async def test_what_is_forged_in_the_database_is_found(store: Store, tmp_path: Path) -> None:
    async with Trial(store, tmp_path, Mix(clients=3, encounters=1)) as trial:
        await trial.suffer(trial.snapshot_kept())
        await trial.prove()
        encounter = UUID(trial.encounters[0])
        for forge in (an_event_is_altered, a_snapshot_is_altered, a_session_stays_open):
            await forge(store, trial, encounter)
            await trial.prove()
        for forge in (a_receipt_is_forged, an_event_is_claimed, an_encounter_turns_up):
            await forge(store, trial, encounter)


def test_a_service_may_keep_what_it_had_and_the_states_of_its_encounters() -> None:
    kept = replace(HELD, connections=MOST_CONNECTIONS, blocks=HELD.blocks + BLOCKS_PER_CALL * 100)
    assert left_behind(kept, HELD, 100) == []


@pytest.mark.parametrize(
    "forged",
    [
        replace(HELD, tasks=HELD.tasks + 1),
        replace(HELD, handles=HELD.handles + 1),
        replace(HELD, connections=MOST_CONNECTIONS + 1),
        replace(HELD, blocks=HELD.blocks + 20 * 10_000),
        replace(HELD, resident=2 * HELD.resident),
    ],
)
def test_what_a_service_does_not_let_go_of_is_found(forged: Gauges) -> None:
    assert len(left_behind(forged, HELD, 10_000)) == 1
