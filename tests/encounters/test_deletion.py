"""Deleting an encounter: everything goes but a tombstone."""

import pytest

from service.errors import Forbidden, NotFound
from service.eventstore.store import EventStore
from tests.encounters.table import Table, beside, new_table, shoot


async def test_a_deleted_encounter_leaves_its_id_and_its_last_hash(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    head = (await table.act(encounter, shoot("r1", "b1"))).answer.events[0]
    other = beside(table, store)
    await other.state(encounter)
    left = await table.encounters.writes.delete(table.who, encounter)
    assert (left.encounter, left.seq, left.hash) == (str(encounter), 3, head.hash)
    assert await other.encounters.writes.delete(other.who, encounter) == left
    for each in (table, other):
        with pytest.raises(NotFound, match="unknown_encounter"):
            await each.state(encounter)
        with pytest.raises(NotFound, match="unknown_encounter"):
            await each.act(encounter, shoot("r1", "b1"))
    assert await store.log.secret(encounter) is None


async def test_only_the_tenants_key_itself_deletes(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    stranger = await new_table(store)
    with pytest.raises(NotFound, match="unknown_encounter"):
        await stranger.encounters.writes.delete(stranger.who, encounter)
    seated = table.seat("rita")
    with pytest.raises(Forbidden, match="gm_only"):
        await seated.encounters.writes.delete(seated.who, encounter)
    assert (await table.state(encounter))["status"] == "running"
