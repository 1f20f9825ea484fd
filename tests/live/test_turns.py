"""Turns of those who catch up: a few at a time, and with rests while somebody acts."""

import asyncio
from functools import partial

from service.live.fair_queue import AT_ONCE, FairQueue


async def test_a_few_are_admitted_in_each_turn_in_order() -> None:
    queue, begun = FairQueue(lambda: False), list[int]()
    for number in range(2 * AT_ONCE):
        queue.take(partial(begun.append, number))
    await asyncio.sleep(0)
    assert begun == list(range(AT_ONCE))
    await asyncio.sleep(0.05)
    assert begun == list(range(2 * AT_ONCE))


async def test_while_somebody_acts_there_is_a_rest_behind_each_turn() -> None:
    queue, begun = FairQueue(lambda: True), list[int]()
    for number in range(2 * AT_ONCE):
        queue.take(partial(begun.append, number))
    clock = asyncio.get_running_loop().time
    await asyncio.sleep(0)
    began, turns = clock(), 0
    while len(begun) == AT_ONCE:
        turns += 1
        await asyncio.sleep(0)
    assert clock() - began >= 0.0005
    assert turns > 1
    assert begun == list(range(2 * AT_ONCE))
