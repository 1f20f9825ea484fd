"""A Redis that is slow, wiped, restarted, moved, gone or useless costs latency, nothing else."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from redis.crc import key_slot

from service.fanout.messages import News
from service.fanout.outbox import MOST, MOST_BYTES, NEWS_SECONDS
from service.fanout.redis import RedisFanout
from service.fanout.topology import channel_of
from tests.eventstore.relay import Relay
from tests.fanout.receivers import KEY, Clock, Receiver, limit_waits, listening, news, pair, running
from tests.fanout.servers import Cluster, Server
from tests.patience import PATIENCE_SECONDS, until

LATER = 1_000_000
"""A seq beyond those of any load."""


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that says nothing is given up soon; on a slow machine now and then another, too."""
    limit_waits(monkeypatch, quiet=0.3, answer=0.3, command=1.0)


@contextlib.asynccontextmanager
async def load(fanout: RedisFanout, encounters: list[UUID]) -> AsyncIterator[None]:
    """Somebody who sends all the time, about these encounters in turn."""

    async def publish() -> None:
        seq = 0
        while True:
            seq += 1
            for encounter in encounters:
                fanout.publish(news(encounter, seq))
            await asyncio.sleep(0.002)

    task = asyncio.create_task(publish())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def has_complained(fanout: RedisFanout) -> bool:
    """Whether something did not work, and does not yet."""
    listeners = [node.subscriber.complaint for node in fanout._nodes.values()]
    return any(each._last is not None for each in (fanout._complaint, *listeners))


def last_heard(ear: Receiver, encounter: UUID) -> int:
    return max(ear.seqs(encounter), default=0)


async def is_heard_again(fanout: RedisFanout, ear: Receiver, encounters: list[UUID]) -> None:
    """Wait until something is heard of each that was sent only now."""
    from_here = {each: last_heard(ear, each) for each in encounters}
    submitted = fanout.tally.submitted
    await until(lambda: fanout.tally.submitted > submitted)
    await until(lambda: all(last_heard(ear, each) > from_here[each] + 5 for each in encounters))


def assert_in_order(ear: Receiver, encounter: UUID) -> None:
    """What is heard twice is what was on its way when a connection was lost.

    Holds of one server. While a slot moves two of them deliver, and neither waits for the other.
    """
    seqs = ear.seqs(encounter)
    firsts = list(dict.fromkeys(seqs))
    assert firsts == sorted(firsts)


@pytest.mark.usefixtures("in_a_hurry")
@pytest.mark.parametrize("how", ["killed", "frozen", "clients killed"])
async def test_a_server_that_is_lost_under_load_and_comes_back_is_used_again(
    own_valkey: Server, how: str
) -> None:
    own_valkey.start()
    encounters = [uuid4() for _ in range(5)]
    async with pair(own_valkey.url) as (here, there, _, ear):
        for encounter in encounters:
            there.follow(encounter)
        await listening(here, there)
        async with load(here, encounters):
            await is_heard_again(here, ear, encounters)
            begun = Counter(ear.begun)
            match how:
                case "killed":
                    own_valkey.kill()
                    await until(lambda: there.is_deaf)
                    own_valkey.start()
                case "frozen":
                    own_valkey.freeze()
                    await until(lambda: there.is_deaf)
                    own_valkey.thaw()
                case _:
                    own_valkey.say("CLIENT", "KILL", "TYPE", "pubsub", "SKIPME", "yes")
                    own_valkey.say("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
            await until(lambda: all(ear.begun.count(each) > begun[each] for each in encounters))
            await is_heard_again(here, ear, encounters)
        for encounter in encounters:
            assert_in_order(ear, encounter)
        assert here.waiting <= MOST


async def test_a_server_that_is_wiped_changes_nothing(own_valkey: Server) -> None:
    own_valkey.start()
    encounter = uuid4()
    async with pair(own_valkey.url) as (here, there, _, ear):
        there.follow(encounter)
        await listening(here, there)
        async with load(here, [encounter]):
            await is_heard_again(here, ear, [encounter])
            own_valkey.say("FLUSHALL")
            await is_heard_again(here, ear, [encounter])
        await until(lambda: here.waiting == 0)
        await until(lambda: len(ear.heard) == here.tally.published == here.tally.submitted)
        assert ear.seqs(encounter) == list(range(1, here.tally.submitted + 1))
        assert ear.begun == [encounter]


async def test_a_server_that_appears_later_is_found(own_valkey: Server) -> None:
    encounter = uuid4()
    async with pair(own_valkey.url) as (here, there, _, ear):
        there.follow(encounter)
        here.publish(news(encounter, 1))
        await until(lambda: has_complained(there))
        assert (there.is_deaf, here.waiting) == (True, 1)
        own_valkey.start()
        await listening(here, there)
        here.publish(news(encounter, 2))
        await until(lambda: 2 in ear.seqs(encounter))
        assert encounter in ear.begun


async def test_who_publishes_never_waits_and_keeps_little(own_valkey: Server) -> None:
    own_valkey.start()
    encounter = uuid4()
    fanout = RedisFanout(own_valkey.url, KEY, Clock())
    async with running(fanout):
        await listening(fanout)
        own_valkey.freeze()
        for seq in range(1, 2 * MOST + 1):
            fanout.publish(news(encounter, seq))
        assert fanout.tally.dropped == MOST
        assert fanout.waiting == MOST
        for seq in range(1, 101):
            fanout.publish(news(encounter, seq, bytes(MOST_BYTES // 50)))
        assert fanout.waiting < 50
        own_valkey.thaw()
        await until(lambda: fanout.waiting == 0)


async def test_what_waited_too_long_is_not_told_any_more(own_valkey: Server) -> None:
    encounter, clock = uuid4(), Clock()
    async with pair(own_valkey.url, clock) as (here, there, _, ear):
        there.follow(encounter)
        for seq in range(1, 11):
            here.publish(news(encounter, seq))
        clock.seconds += NEWS_SECONDS + 0.1
        own_valkey.start()
        await listening(here, there)
        here.publish(news(encounter, 11))
        await until(lambda: ear.heard)
        assert ear.seqs(encounter) == [11]
        assert here.tally.dropped == 10


@pytest.mark.usefixtures("in_a_hurry")
async def test_a_wire_that_swallows_answers_is_given_up(own_valkey: Server) -> None:
    own_valkey.start()
    encounter = uuid4()
    async with Relay(own_valkey.url) as relay:
        address = relay.dsn.replace("//@", "//")
        async with pair(address) as (here, there, _, ear):
            there.follow(encounter)
            await listening(here, there)
            async with load(here, [encounter]):
                await is_heard_again(here, ear, [encounter])
                relay.swallow_answers()
                await until(lambda: there.is_deaf)
                relay.pass_answers()
                await listening(there)
                await is_heard_again(here, ear, [encounter])
                relay.tear_requests()
                await until(lambda: there.is_deaf)
                relay.pass_requests()
                await is_heard_again(here, ear, [encounter])


@pytest.mark.parametrize("missing", ["PUBSUB", "SSUBSCRIBE", "SPUBLISH"])
async def test_a_server_without_sharded_messages_is_no_use_and_does_no_harm(
    own_valkey: Server, missing: str
) -> None:
    own_valkey.options = ("--rename-command", missing, "")
    own_valkey.start()
    encounter = uuid4()
    async with pair(own_valkey.url) as (here, there, _, ear):
        there.follow(encounter)
        async with load(here, [encounter]):
            if missing == "SPUBLISH":
                await listening(there)
                await until(lambda: here.tally.dropped > 0)
            else:
                await until(lambda: has_complained(there))
                assert there.is_deaf
            own_valkey.kill()
            own_valkey.options = ()
            own_valkey.start()
            await is_heard_again(here, ear, [encounter])


async def test_a_user_who_may_not_is_deaf_until_he_may(own_valkey: Server) -> None:
    own_valkey.start()
    own_valkey.say("ACL", "SETUSER", "war", "on", ">secret", "resetchannels", "+@all")
    encounter = uuid4()
    async with pair(f"redis://war:secret@127.0.0.1:{own_valkey.port}") as (here, there, _, ear):
        there.follow(encounter)
        async with load(here, [encounter]):
            await until(lambda: here.tally.dropped > 0)
            assert there.is_deaf
            own_valkey.say("ACL", "SETUSER", "war", "&warlog:*")
            await is_heard_again(here, ear, [encounter])
            await listening(there)


async def test_a_channel_that_moves_to_another_server_is_heard_there(own_cluster: Cluster) -> None:
    encounters = [uuid4() for _ in range(6)]
    slots = {each: key_slot(channel_of(each)) for each in encounters}
    async with pair(own_cluster.url) as (here, there, _, ear):
        for encounter in encounters:
            there.follow(encounter)
        await listening(here, there)
        async with load(here, encounters):
            await is_heard_again(here, ear, encounters)
            for slot in slots.values():
                giver = own_cluster.owner(slot)
                taker = next(each for each in own_cluster.servers if each is not giver)
                own_cluster.move(slot, giver, taker)
            await until(lambda: all(ear.begun.count(each) >= 2 for each in encounters))
            await is_heard_again(here, ear, encounters)
            await listening(there)
        await until(lambda: here.waiting == 0)
        # What is sent from now on comes from the new servers alone, so in order.
        told = list(range(LATER, LATER + 20))
        for seq in told:
            for encounter in encounters:
                here.publish(news(encounter, seq))
        await until(lambda: all(last_heard(ear, each) == told[-1] for each in encounters))
        for encounter in encounters:
            assert [seq for seq in ear.seqs(encounter) if seq >= LATER] == told


@pytest.mark.parametrize("how", ["frozen", "killed"])
async def test_one_server_of_a_cluster_that_is_lost_leaves_the_others_alone(
    own_cluster: Cluster, request: pytest.FixtureRequest, how: str
) -> None:
    if how == "frozen":
        request.getfixturevalue("in_a_hurry")
    lost, kept = own_cluster.servers[0], own_cluster.servers[1:]
    encounters = [uuid4() for _ in range(12)]
    there_still = [
        each for each in encounters if own_cluster.owner(key_slot(channel_of(each))) in kept
    ]
    async with pair(own_cluster.url) as (here, there, _, ear):
        for encounter in encounters:
            there.follow(encounter)
        await listening(here, there)
        async with load(here, encounters):
            (lost.freeze if how == "frozen" else lost.kill)()
            await until(lambda: there.is_deaf)
            news_count = len([each for each in ear.heard if isinstance(each, News)])
            await is_heard_again(here, ear, there_still)
            assert len(ear.heard) > news_count
            lost.kill()
            lost.start()
            await is_heard_again(here, ear, encounters)
            await listening(there)
        # In a hurry another one may be given up, too, and be listened to again.
        assert how == "frozen" or all(ear.begun.count(each) == 1 for each in there_still)


@pytest.mark.soak
async def test_a_server_that_stands_by_takes_over(hasty_cluster: Cluster, tmp_path: Path) -> None:
    encounters = [uuid4() for _ in range(12)]
    second = hasty_cluster.seconded(tmp_path / "second")
    async with pair(hasty_cluster.url) as (here, there, _, ear):
        for encounter in encounters:
            there.follow(encounter)
        await listening(here, there)
        async with load(here, encounters):
            await is_heard_again(here, ear, encounters)
            hasty_cluster.servers[0].kill()
            await until(lambda: there.is_deaf)
            await listening(there)
            assert "role:master" in str(second.say("INFO", "replication"))
            await is_heard_again(here, ear, encounters)


async def test_nobody_waits_for_a_server_that_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    much = 10 * PATIENCE_SECONDS
    limit_waits(monkeypatch, quiet=much, answer=much, command=much)
    loop, there = asyncio.get_running_loop(), asyncio.Event()

    class Mute(asyncio.Protocol):
        def data_received(self, _: bytes) -> None:
            there.set()

    server = await loop.create_server(Mute, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    fanout = RedisFanout(f"redis://{host}:{port}", KEY)
    async with asyncio.timeout(PATIENCE_SECONDS), running(fanout):
        await there.wait()
        assert fanout.is_deaf
    server.close()
    await server.wait_closed()


async def test_a_slow_wire_delays_and_drops_nothing(own_valkey: Server) -> None:
    own_valkey.start()
    encounters = [uuid4() for _ in range(5)]
    async with Relay(own_valkey.url) as relay:
        relay.delay(0.05)
        async with pair(relay.dsn.replace("//@", "//")) as (here, there, _, ear):
            for encounter in encounters:
                there.follow(encounter)
            await listening(here, there)
            for seq in range(1, 101):
                for encounter in encounters:
                    here.publish(news(encounter, seq))
                await asyncio.sleep(0.001)
            await until(lambda: len(ear.heard) == 500)
            assert all(ear.seqs(each) == list(range(1, 101)) for each in encounters)
            assert not there.is_deaf
