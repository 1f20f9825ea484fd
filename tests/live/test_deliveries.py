"""What many followers are sent: some of them in each turn, everybody in order, nobody twice."""

import asyncio

from service.live.deliveries import PER_TURN
from tests.encounters.table import Table
from tests.live.clients import NOTE, Client, joined
from tests.patience import PATIENCE_SECONDS, until

MANY = 3 * PER_TURN


async def crowd(table: Table) -> list[Client]:
    """More live followers of one encounter than are written to in one turn."""
    encounter = await table.started()
    return [await joined(table, encounter) for _ in range(MANY)]


async def turn_of(clients: list[Client], seq: int) -> int:
    """Wait for the turn in which the first are sent an event; how many have it by then."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (count := heard(clients, seq)):  # noqa: ASYNC110 - each turn is looked at
            await asyncio.sleep(0)
    return count


def heard(clients: list[Client], seq: int) -> int:
    """How many were sent this event."""
    return sum([client.sink.seqs[-1:] == [seq] for client in clients])


async def test_others_are_served_between_two_slices(table: Table) -> None:
    clients = await crowd(table)
    acting = asyncio.create_task(table.act(clients[0].encounter, NOTE))
    assert await turn_of(clients, 3) == PER_TURN
    assert acting.done()
    for slices in (2, 3):
        await asyncio.sleep(0)
        assert heard(clients, 3) == slices * PER_TURN


async def test_what_comes_meanwhile_follows_in_one_write(table: Table) -> None:
    clients = await crowd(table)
    encounter = clients[0].encounter
    await table.act(encounter, NOTE)
    await asyncio.gather(*[table.act(encounter, NOTE) for _ in range(4)])
    for client in clients:
        await client.at(7)
        assert client.sink.seqs == [3, 4, 5, 6, 7]
        assert client.sink.writes <= 4


async def test_who_goes_between_two_slices_is_sent_nothing_more_and_all_others_everything(
    table: Table,
) -> None:
    clients = await crowd(table)
    *others, last = clients
    acting = asyncio.create_task(table.act(last.encounter, NOTE))
    await turn_of(clients, 3)
    last.leave()
    assert heard(others, 3) == len(others)
    assert last.sink.seqs == []
    await acting
    await table.act(last.encounter, NOTE)
    for client in others:
        await client.at(4)
        assert client.sink.seqs == [3, 4]


async def test_who_is_ended_between_two_slices_has_everything_before_the_end(table: Table) -> None:
    clients = await crowd(table)
    acting = asyncio.create_task(table.act(clients[0].encounter, NOTE))
    await turn_of(clients, 3)
    table.encounters.hub.stop()
    kinds = [[record.kind for record in client.sink.records] for client in clients]
    assert kinds == [["hello", "event", "bye"]] * MANY
    await acting


async def test_a_record_between_two_slices_comes_behind_the_event(table: Table) -> None:
    clients = await crowd(table)
    encounter = clients[0].encounter
    acting = asyncio.create_task(table.act(encounter, NOTE))
    await turn_of(clients, 3)
    table.encounters.hub.channels[encounter].heartbeat_at = 0.0
    await table.encounters.hub.send_heartbeats()
    await acting
    await until(lambda: all(len(client.sink.records) == 3 for client in clients))
    kinds = [[record.kind for record in client.sink.records] for client in clients]
    assert kinds == [["hello", "event", "heartbeat"]] * MANY
