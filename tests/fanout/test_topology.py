"""Every encounter has one channel, and every channel at most one server."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.fanout.connection import Endpoint, RedisDialer
from service.fanout.topology import (
    UNOWNED,
    Topology,
    Unfit,
    channel_of,
    encounter_of,
    survey,
)
from tests.fanout.scripted_server import scripted
from tests.fanout.servers import Cluster, Server

OFF = b"-ERR This instance has cluster support disabled\r\n"
NONE = b"*0\r\n"


@given(st.uuids())
def test_a_channel_names_its_encounter(encounter: UUID) -> None:
    assert encounter_of(channel_of(encounter)) == encounter


@pytest.mark.parametrize("channel", [b"", b"warlog:", b"warlog:1", b"other", b"warlog:\xff" * 9])
def test_other_channels_are_nobodys(channel: bytes) -> None:
    assert encounter_of(channel) is None


def test_a_slot_without_a_server_is_nobodys() -> None:
    here = Endpoint(0, "here", 1)
    topology = Topology((here,), (UNOWNED,) * 16_384)
    assert topology.owner(UUID(int=1)) is None
    assert Topology((here,)).owner(UUID(int=1)) == here


async def survey_of(url: str) -> Topology:
    dialer = RedisDialer(url)
    [endpoint, *_] = dialer.endpoints
    wire = dialer.dial(endpoint)
    await wire.open()
    try:
        return await survey(wire, endpoint, dialer)
    finally:
        await wire.close()


async def test_one_server_owns_everything(valkey: Server) -> None:
    assert await survey_of(valkey.url) == Topology((Endpoint(0),))


async def test_a_cluster_is_the_same_whoever_is_asked(cluster: Cluster) -> None:
    first, second, third = [await survey_of(server.url) for server in cluster.servers]
    assert first == second == third
    assert first.endpoints == tuple(
        Endpoint(0, "127.0.0.1", port) for port in sorted(each.port for each in cluster.servers)
    )
    assert UNOWNED not in first.owners


@pytest.mark.parametrize(
    ("slots", "shards", "told"),
    [
        (OFF, b"-ERR Unknown subcommand or wrong number of arguments\r\n", "7 or later"),
        (b"*0\r\n", NONE, "owns a slot"),
        (b"+what\r\n", NONE, "not say clearly"),
        (b"$-1\r\n", NONE, "not say clearly"),
        (b"*1\r\n*3\r\n:0\r\n:1\r\n$4\r\nhost\r\n", NONE, "not say clearly"),
        (b"*1\r\n*3\r\n:0\r\n$1\r\nx\r\n*2\r\n$4\r\nhost\r\n:1\r\n", NONE, "not say clearly"),
        (b"*1\r\n*3\r\n:0\r\n:99999\r\n*2\r\n$4\r\nhost\r\n:1\r\n", NONE, "not say clearly"),
        (b"*1\r\n*3\r\n:0\r\n:5\r\n*2\r\n$4\r\nhost\r\n+x\r\n", NONE, "not say clearly"),
    ],
)
async def test_a_server_that_will_not_do_is_refused(slots: bytes, shards: bytes, told: str) -> None:
    async with scripted({b"CLUSTER": slots, b"PUBSUB": shards}) as url:
        with pytest.raises(Unfit, match=told):
            await survey_of(url)


async def test_several_addresses_must_be_of_one_cluster(valkey: Server) -> None:
    with pytest.raises(Unfit, match="no cluster"):
        await survey_of(f"{valkey.url},{valkey.url}")


async def test_a_server_that_does_not_know_its_name_is_where_it_was_asked() -> None:
    slots = b"*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$-1\r\n:7\r\n"
    async with scripted({b"CLUSTER": slots, b"PUBSUB": NONE}) as url:
        assert (await survey_of(url)).endpoints == (Endpoint(0, "127.0.0.1", 7),)


@pytest.mark.parametrize(
    "url", ["redis://h:port", "redis://h?what=1", "redis://h?db=x", "http://h", "redis://h,h"]
)
def test_an_address_that_cannot_be_used_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        RedisDialer(url)


def test_what_an_address_says_of_the_protocol_does_not_count() -> None:
    dialer = RedisDialer("redis://u:p@h:1/2?protocol=3&decode_responses=true&max_connections=4")
    assert dialer.host(dialer.endpoints[0]) == "h"
