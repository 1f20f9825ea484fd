"""Turns of those who catch up: a few at a time, and with rests while somebody acts."""

import asyncio
from functools import partial

from service.live import catch_up
from service.live.fair_queue import AT_ONCE, FairQueue
from tests.encounters.table import Table
from tests.live.clients import MUCH, NOTE, joined
from tests.patience import until


async def test_a_few_are_admitted_in_each_turn_in_order() -> None:
    queue, begun = FairQueue(lambda: False), list[int]()
    for number in range(2 * AT_ONCE):
        queue.take(partial(begun.append, number))
    await asyncio.sleep(0)
    assert begun == list(range(AT_ONCE))
    await until(lambda: len(begun) > AT_ONCE)
    assert begun == list(range(2 * AT_ONCE))


async def test_while_somebody_acts_there_is_a_rest_behind_each_turn() -> None:
    queue, begun = FairQueue(lambda: True), list[tuple[int, float]]()
    clock = asyncio.get_running_loop().time

    def begin(number: int) -> None:
        begun.append((number, clock()))

    for number in range(2 * AT_ONCE):
        queue.take(partial(begin, number))
    await until(lambda: len(begun) > AT_ONCE)
    assert [number for number, _ in begun] == list(range(2 * AT_ONCE))
    assert begun[AT_ONCE][1] - begun[AT_ONCE - 1][1] >= 0.0005


async def test_clients_that_read_nothing_leave_their_places_to_others(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, *[NOTE] * 20)
    stuck = [await joined(table, encounter, "0") for _ in range(2 * catch_up.AT_ONCE)]
    for client in stuck:
        await client.at(22)
        client.sink.unread = MUCH
    channel = table.encounters.hub.channels[encounter]
    for follower in channel.followers:
        channel.fall_behind(follower)
    await table.act(encounter, NOTE)
    late = await joined(table, encounter, "0")
    await late.at(23)
    assert late.sink.seqs == list(range(1, 24))
    for client in stuck:
        client.sink.read_on()
        await client.at(23)
