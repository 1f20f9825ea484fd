"""What one process sends the others hear, on every kind of Redis."""

import asyncio
from uuid import UUID, uuid4

import pytest
from redis.crc import key_slot

from service.fanout.fanout import SingleProcess
from service.fanout.message_mac import LONGEST, LONGEST_BODY, MessageSealer
from service.fanout.messages import Missed, Presence
from service.fanout.redis import RedisFanout
from service.fanout.topology import channel_of
from tests.fanout.receivers import KEY, Clock, Receiver, listening, news, pair, running
from tests.fanout.servers import Cluster, Server
from tests.patience import until


async def test_what_is_told_is_heard_by_the_others_and_not_by_oneself(any_redis: str) -> None:
    encounter = uuid4()
    async with pair(any_redis) as (here, there, ear, other):
        here.follow(encounter)
        there.follow(encounter)
        await listening(here, there)
        presence = Presence(encounter=encounter, process=there.process, seats=("ann", "bob"))
        here.publish(news(encounter, 1))
        there.publish(presence)
        await until(lambda: ear.heard and other.heard)
        assert (ear.heard, other.heard) == ([presence], [news(encounter, 1)])
        assert (here.tally.received, there.tally.received) == (1, 1)
        assert here.process != there.process


async def test_many_encounters_are_heard_each_in_its_order(any_redis: str) -> None:
    encounters = [uuid4() for _ in range(60)]
    async with pair(any_redis) as (here, there, _, ear):
        for encounter in encounters:
            there.follow(encounter)
        await listening(here, there)
        for seq in range(1, 31):
            for encounter in encounters:
                here.publish(news(encounter, seq))
            await asyncio.sleep(0)
        await until(lambda: len(ear.heard) == 60 * 30)
        assert all(ear.seqs(each) == list(range(1, 31)) for each in encounters)
        assert here.tally.published == 60 * 30
        assert sorted(ear.begun) == sorted(encounters)


async def test_who_follows_is_told_when_listening_has_begun(any_redis: str) -> None:
    before, after = uuid4(), uuid4()
    fanout = RedisFanout(any_redis, KEY)
    fanout.follow(before)
    async with running(fanout) as [ear]:
        await until(lambda: ear.messages == [Missed(encounters=(before,))])
        fanout.follow(after)
        fanout.follow(after)
        await until(lambda: ear.begun == [before, after])
        assert not fanout.is_deaf
        fanout.leave(after)
        fanout.follow(after)
        await until(lambda: ear.begun == [before, after, after])


async def test_what_is_not_followed_is_not_heard(any_redis: str) -> None:
    left, kept = uuid4(), uuid4()
    async with pair(any_redis) as (here, there, _, ear):
        there.follow(left)
        there.follow(kept)
        await listening(here, there)
        there.leave(left)
        there.leave(left)
        here.publish(news(left, 1))
        here.publish(news(kept, 1))
        await until(lambda: ear.heard)
        assert ear.heard == [news(kept, 1)]
        there.follow(left)
        await until(lambda: ear.begun.count(left) == 2)
        here.publish(news(left, 2))
        await until(lambda: len(ear.heard) == 2)
        assert ear.seqs(left) == [2]


async def test_whoever_comes_and_goes_in_a_hurry_is_heard_in_the_end(any_redis: str) -> None:
    encounters = [uuid4() for _ in range(20)]
    async with pair(any_redis) as (here, there, _, ear):
        await listening(here, there)
        for turn in range(7):
            for encounter in encounters:
                (there.leave if turn % 2 else there.follow)(encounter)
            if turn % 3 == 0:
                await asyncio.sleep(0.01)
        await listening(there)
        for encounter in encounters:
            here.publish(news(encounter, 1))
        await until(lambda: len(ear.heard) == 20)
        assert set(encounters) <= set(ear.begun)


async def test_a_long_body_is_left_to_be_read(any_redis: str) -> None:
    encounter = uuid4()
    async with pair(any_redis) as (here, there, _, ear):
        there.follow(encounter)
        await listening(here, there)
        here.publish(news(encounter, 1, bytes(LONGEST_BODY)))
        here.publish(news(encounter, 2, bytes(LONGEST_BODY + 1)))
        here.publish(Presence(encounter=encounter, process="p", seats=("s" * 200,) * 2_000))
        here.publish(news(encounter, 3))
        await until(lambda: len(ear.heard) == 3)
        assert ear.heard == [
            news(encounter, 1, bytes(LONGEST_BODY)),
            news(encounter, 2, b""),
            news(encounter, 3),
        ]
        assert here.tally.dropped == 1


def inject(server: Server, encounter: UUID, *payloads: bytes) -> None:
    """Publish as somebody else who can reach Redis."""
    for payload in payloads:
        server.say("SPUBLISH", channel_of(encounter), payload)


async def test_what_others_write_into_redis_is_refused(valkey: Server) -> None:
    encounter, another = uuid4(), uuid4()
    there = MessageSealer(KEY, "there")
    sound = there.seal(news(encounter, 1))
    fanout = RedisFanout(valkey.url, KEY)
    fanout.follow(encounter)
    async with running(fanout) as [ear]:
        await listening(fanout)
        inject(
            valkey,
            encounter,
            *(b"", b"{}", sound[:-1], sound + b"x", bytes(len(sound))),
            MessageSealer(bytes(32), "there").seal(news(encounter, 1)),
            there.seal(news(another, 1)),
            bytes(LONGEST + 1),
            sound,
        )
        await until(lambda: ear.heard)
        assert ear.heard == [news(encounter, 1)]
        assert fanout.tally.refused == 8


async def test_what_comes_twice_or_late_is_passed_on_as_it_comes(valkey: Server) -> None:
    encounter = uuid4()
    there = MessageSealer(KEY, "there")
    first, second = (there.seal(news(encounter, seq)) for seq in (1, 2))
    fanout = RedisFanout(valkey.url, KEY)
    fanout.follow(encounter)
    async with running(fanout) as [ear]:
        await listening(fanout)
        inject(valkey, encounter, second, first, first)
        await until(lambda: len(ear.heard) == 3)
        assert ear.seqs(encounter) == [2, 1, 1]


async def test_who_hears_badly_hears_the_next_one(valkey: Server) -> None:
    encounter = uuid4()
    delivered = []

    def hear(message: object) -> None:
        delivered.append(message)
        raise RuntimeError("not this one")

    here, there = (RedisFanout(valkey.url, KEY, Clock()) for _ in range(2))
    there.follow(encounter)
    async with running(here):
        task = asyncio.create_task(there.run(hear))
        await listening(here, there)
        here.publish(news(encounter, 1))
        here.publish(news(encounter, 2))
        await until(lambda: len(delivered) == 3)
        assert not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("secret", ["p@ss w:rd", "plain"])
async def test_a_redis_with_a_password_and_a_user_is_used(own_valkey: Server, secret: str) -> None:
    own_valkey.start()
    own_valkey.say("ACL", "SETUSER", "war", "on", f">{secret}", "&warlog:*", "+@pubsub", "+cluster")
    own_valkey.say("ACL", "SETUSER", "war", "+select", "+auth")
    own_valkey.say("ACL", "SETUSER", "default", "off")
    encounter = uuid4()
    quoted = secret.replace("@", "%40").replace(" ", "%20").replace(":", "%3A")
    address = f"redis://war:{quoted}@127.0.0.1:{own_valkey.port}/3"
    async with pair(address) as (here, there, _, ear):
        there.follow(encounter)
        await listening(here, there)
        here.publish(news(encounter, 1))
        await until(lambda: ear.heard)


async def test_a_socket_of_the_machine_is_used(own_valkey: Server, short_folder: str) -> None:
    path = f"{short_folder}/v.sock"
    own_valkey.options = ("--unixsocket", path)
    own_valkey.start()
    encounter = uuid4()
    async with pair(f"unix://{path}") as (here, there, _, ear):
        there.follow(encounter)
        await listening(here, there)
        here.publish(news(encounter, 1))
        await until(lambda: ear.heard)


async def test_any_server_of_a_cluster_may_be_named(cluster: Cluster) -> None:
    encounter = uuid4()
    several = ",".join(["redis://127.0.0.1:1", *(each.url for each in cluster.servers)])
    here, there = (RedisFanout(url, KEY, Clock()) for url in (cluster.servers[2].url, several))
    there.follow(encounter)
    async with running(here, there) as (_, ear):
        await listening(here, there)
        here.publish(news(encounter, 1))
        await until(lambda: ear.heard)


async def test_a_cluster_shares_the_channels_out(cluster: Cluster) -> None:
    encounters = [uuid4() for _ in range(30)]
    fanout = RedisFanout(cluster.url, KEY)
    for encounter in encounters:
        fanout.follow(encounter)
    async with running(fanout):
        await listening(fanout)
        for encounter in encounters:
            channel = channel_of(encounter)
            owner = cluster.owner(key_slot(channel))
            assert owner.say("PUBSUB", "SHARDNUMSUB", channel) == [channel, 1]


async def test_who_is_alone_tells_nobody_and_misses_nothing() -> None:
    alone = SingleProcess()
    async with running(alone) as [ear]:
        alone.follow(uuid4())
        alone.publish(news(uuid4(), 1))
        alone.leave(uuid4())
        await asyncio.sleep(0)
        assert (ear.messages, alone.is_deaf, alone.waiting) == ([], False, 0)


async def test_nothing_is_heard_or_waits_before_it_runs(valkey: Server) -> None:
    fanout, ear = RedisFanout(valkey.url, KEY), Receiver()
    encounter = uuid4()
    fanout.follow(encounter)
    fanout.publish(news(encounter, 1))
    assert (fanout.is_deaf, fanout.waiting, ear.messages) == (True, 1, [])
