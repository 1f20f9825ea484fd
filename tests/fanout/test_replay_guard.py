"""Presence that was recorded earlier is not believed again."""

from uuid import UUID, uuid4

import pytest

from service.fanout.message_mac import MessageSealer, Unsound
from service.fanout.messages import Presence
from service.fanout.replay_guard import FRESH_SECONDS, ReplayGuard
from tests.fanout.receivers import KEY, listening, pair
from tests.fanout.servers import Server
from tests.patience import until

ENCOUNTER = UUID(int=7)


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self, seconds: float = 1_000_000.0) -> None:
        self.seconds = seconds

    def __call__(self) -> float:
        return self.seconds


def sealer(name: str, clock: Clock) -> MessageSealer:
    return MessageSealer(KEY, name, ReplayGuard(clock))


def presence(*seats: str, encounter: UUID = ENCOUNTER) -> Presence:
    return Presence(encounter=encounter, process="there", seats=seats)


def test_presence_is_believed_once_and_only_if_it_is_the_newest() -> None:
    clock = Clock()
    there, here = sealer("there", clock), sealer("here", clock)
    older, newer = there.seal(presence("ann")), there.seal(presence())
    assert here.open(newer) == presence()
    for replay in (older, newer):
        with pytest.raises(Unsound):
            here.open(replay)
    elsewhere = presence("ann", encounter=uuid4())
    assert here.open(there.seal(elsewhere)) == elsewhere
    assert here.open(there.seal(presence("bob"))) == presence("bob")


@pytest.mark.parametrize("apart", [FRESH_SECONDS, -FRESH_SECONDS])
def test_presence_of_another_time_is_not_believed_even_by_who_hears_it_first(
    apart: float,
) -> None:
    clock = Clock()
    there = sealer("there", clock)
    sealed = there.seal(presence("ann"))
    clock.seconds += apart
    assert sealer("here", clock).open(sealed) == presence("ann")
    clock.seconds += 0.001 if apart > 0 else -0.001
    with pytest.raises(Unsound):
        sealer("late", clock).open(sealed)


def test_what_is_too_old_to_be_believed_is_not_remembered() -> None:
    clock = Clock()
    freshness = ReplayGuard(clock)
    for number in range(1_000):
        assert freshness.is_fresh("there", UUID(int=number), freshness.stamp())
        clock.seconds += 1.0
    assert len(freshness._newest) <= 2 * FRESH_SECONDS + 1


async def test_whoever_writes_to_redis_can_repeat_nothing(valkey: Server) -> None:
    encounter = uuid4()
    async with pair(valkey.url) as (here, there, _, ear):
        there.follow(encounter)
        await listening(here, there)
        tap = MessageSealer(KEY, here.process)
        channel = f"warlog:{encounter}"
        recorded = [
            tap.seal(Presence(encounter=encounter, process=here.process, seats=seats))
            for seats in (("ann",), ())
        ]
        for sealed in recorded:
            valkey.say("SPUBLISH", channel, sealed)
        await until(lambda: len(ear.heard) == 2)
        refused = there.tally.refused
        for _ in range(50):
            for sealed in recorded:
                valkey.say("SPUBLISH", channel, sealed)
        await until(lambda: there.tally.refused == refused + 100)
        assert len(ear.heard) == 2
