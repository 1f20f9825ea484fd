"""Turns of the loop: a few requests begin in each, in order, whoever else waits."""

import asyncio
from functools import partial

from service.api.limits.fair_queue import PER_TURN, RequestClass, Turns


async def test_what_comes_alone_begins_at_once() -> None:
    turns, begun = Turns(), list[str]()
    turns.take(lambda: begun.append("one"), "stranger")
    assert (begun, turns.waiting) == (["one"], 0)


async def test_many_of_one_kind_begin_in_order_and_keep_no_other_kind_waiting() -> None:
    turns, begun = Turns(), list[tuple[RequestClass, int]]()
    many = 3 * PER_TURN["stranger"]
    for number in range(many):
        turns.take(partial(begun.append, ("stranger", number)), "stranger")
    assert begun == [("stranger", number) for number in range(PER_TURN["stranger"])]
    turns.take(lambda: begun.append(("caller", 0)), "caller")
    assert begun[-1] == ("caller", 0)
    for turn in range(2, 4):
        await asyncio.sleep(0)
        strangers = [number for kind, number in begun if kind == "stranger"]
        assert strangers == list(range(turn * PER_TURN["stranger"]))
    assert turns.waiting == 0


async def test_a_turn_with_nothing_to_do_is_the_last() -> None:
    turns, begun = Turns(), list[int]()
    for number in range(PER_TURN["handshake"]):
        turns.take(partial(begun.append, number), "handshake")
    for _ in range(3):
        await asyncio.sleep(0)
    assert not turns._is_counting
    turns.take(lambda: begun.append(-1), "handshake")
    assert begun == [*range(PER_TURN["handshake"]), -1]
