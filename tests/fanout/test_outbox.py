"""What waits is bounded, and every message is accounted for."""

import asyncio
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.fanout.fanout import FanoutTally
from service.fanout.messages import News, Presence
from service.fanout.outbox import BATCH, BATCH_BYTES, NEWS_SECONDS, Letter, Outbox
from tests.fanout.receivers import news

ENCOUNTER = UUID(int=7)


class Clock:
    """A clock that is put forward by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tally() -> FanoutTally:
    return FanoutTally()


def seqs(letters: list[Letter]) -> list[int]:
    return [each.message.seq for each in letters if isinstance(each.message, News)]


async def test_messages_are_taken_in_their_order_so_many_at_a_time(
    tally: FanoutTally, clock: Clock
) -> None:
    outbox = Outbox(tally, clock)
    for seq in range(1, BATCH + 3):
        outbox.put(news(ENCOUNTER, seq))
    assert seqs(await outbox.take()) == list(range(1, BATCH + 1))
    assert seqs(await outbox.take()) == [BATCH + 1, BATCH + 2]
    assert len(outbox) == 0


async def test_few_long_messages_are_taken_at_a_time(tally: FanoutTally, clock: Clock) -> None:
    outbox = Outbox(tally, clock)
    for seq in range(1, 9):
        outbox.put(news(ENCOUNTER, seq, bytes(BATCH_BYTES // 2)))
    assert seqs(await outbox.take()) == [1, 2]


def test_the_oldest_go_when_there_are_too_many(tally: FanoutTally, clock: Clock) -> None:
    outbox = Outbox(tally, clock, most=3)
    for seq in range(1, 6):
        outbox.put(news(ENCOUNTER, seq))
    assert tally.dropped == 2
    assert seqs(outbox.take_all()) == [3, 4, 5]


def test_the_oldest_go_when_they_are_too_long(tally: FanoutTally, clock: Clock) -> None:
    outbox = Outbox(tally, clock, most_bytes=10_000)
    for seq in range(1, 6):
        outbox.put(news(ENCOUNTER, seq, bytes(4_000)))
    outbox.put(Presence(encounter=ENCOUNTER, process="here", seats=("s" * 200,) * 20))
    assert (tally.dropped, seqs(outbox.take_all())) == (4, [5])


async def test_what_is_no_news_any_more_goes(tally: FanoutTally, clock: Clock) -> None:
    outbox = Outbox(tally, clock)
    outbox.put(news(ENCOUNTER, 1))
    clock.seconds += NEWS_SECONDS
    outbox.put(news(ENCOUNTER, 2))
    assert tally.dropped == 0
    clock.seconds += 0.01
    assert seqs(await outbox.take()) == [2]
    assert tally.dropped == 1


async def test_who_takes_waits_for_something(tally: FanoutTally, clock: Clock) -> None:
    outbox = Outbox(tally, clock)
    outbox.put(news(ENCOUNTER, 1))
    clock.seconds += NEWS_SECONDS + 1
    taking = asyncio.create_task(outbox.take())
    await asyncio.sleep(0)
    assert not taking.done()
    outbox.put(news(ENCOUNTER, 2))
    assert seqs(await taking) == [2]


async def test_what_is_put_back_comes_first(tally: FanoutTally, clock: Clock) -> None:
    outbox = Outbox(tally, clock, most=3)
    for seq in (1, 2, 3):
        outbox.put(news(ENCOUNTER, seq))
    taken = await outbox.take()
    outbox.put(news(ENCOUNTER, 4))
    outbox.put_back(taken)
    assert seqs(await outbox.take()) == [2, 3, 4]
    assert tally.dropped == 1


@given(
    st.lists(
        st.one_of(
            st.integers(0, 3_000).map(lambda size: ("put", size)),
            st.just(("take", 0)),
            st.just(("put back", 0)),
            st.integers(0, 9).map(lambda seconds: ("wait", seconds)),
        )
    )
)
def test_whatever_happens_all_are_accounted_for_and_few_wait(steps: list[tuple[str, int]]) -> None:
    tally, clock = FanoutTally(), Clock()
    outbox = Outbox(tally, clock, most=5, most_bytes=8_000)
    put = gone = 0
    taken: list[Letter] = []
    for step, number in steps:
        match step:
            case "put":
                put += 1
                outbox.put(news(ENCOUNTER, put, bytes(number)))
            case "take":
                gone += len(taken)
                taken = outbox.take_all()
            case "put back":
                outbox.put_back(taken)
                taken = []
            case _:
                clock.seconds += number
        assert put == gone + tally.dropped + len(taken) + len(outbox)
        assert len(outbox) <= 5
    rest = outbox.take_all()
    assert sum(letter.bytes for letter in rest) <= 8_000
    assert seqs(rest) == sorted(seqs(rest))
