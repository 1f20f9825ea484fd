"""The servers of a Redis or a cluster, and which of them serves the channel of an encounter."""

from typing import Final
from uuid import UUID

from msgspec import Struct
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import NoPermissionError, ResponseError

from service.fanout.connection import Endpoint, RedisConnection, RedisDialer

PREFIX: Final = b"warlog:"
UNOWNED: Final = -1
_UNCLEAR: Final = "it does not say clearly which servers the cluster has"


class Unfit(Exception):
    """A server that cannot do what the fan-out needs; the text says what."""


class Topology(Struct, frozen=True):
    """Servers, and per slot the index of its owner; without slots a single server owns all."""

    endpoints: tuple[Endpoint, ...]
    owners: tuple[int, ...] = ()

    def owner(self, encounter: UUID) -> Endpoint | None:
        """The server of an encounter's channel; None while no server owns its slot."""
        if not self.owners:
            return self.endpoints[0]
        number = self.owners[key_slot(channel_of(encounter))]
        return None if number == UNOWNED else self.endpoints[number]


def channel_of(encounter: UUID) -> bytes:
    """The name of an encounter's channel."""
    return PREFIX + str(encounter).encode()


def encounter_of(channel: bytes) -> UUID | None:
    """The encounter of a channel; None if the channel is not the service's."""
    try:
        return UUID(channel[len(PREFIX) :].decode()) if channel.startswith(PREFIX) else None
    except ValueError:
        return None


async def survey(connection: RedisConnection, endpoint: Endpoint, dialer: RedisDialer) -> Topology:
    """Ask over an open connection which servers there are.

    Raises Unfit where there is no sharded pub/sub, or one of LOST.
    """
    role, slots, shards = await connection.request(
        [(b"ROLE",), (b"CLUSTER", b"SLOTS"), (b"PUBSUB", b"SHARDNUMSUB")]
    )
    if isinstance(role, list) and role[:1] == [b"sentinel"]:
        raise Unfit("it is a Sentinel, which passes no messages on: name a Redis or a cluster")
    if isinstance(shards, ResponseError) and not isinstance(shards, NoPermissionError):
        raise Unfit("it knows no sharded pub/sub: Redis 7 or later, or Valkey, is needed")
    if not isinstance(slots, ResponseError):
        return _read(slots, dialer.host(endpoint))
    if len(dialer.endpoints) > 1:
        raise Unfit("several addresses are named, but it is no cluster")
    return Topology((endpoint,))


def _read(slots: object, host: str) -> Topology:
    """Raises Unfit if that is no answer to CLUSTER SLOTS."""
    if not isinstance(slots, list):
        raise Unfit(_UNCLEAR)
    ranges = [_range(entry, host) for entry in slots]
    if not ranges:
        raise Unfit("no server of the cluster owns a slot")
    # Sorted, so that the same servers are the same topology whichever of them was asked.
    endpoints = tuple(sorted({endpoint for _, _, endpoint in ranges}))
    owners = [UNOWNED] * REDIS_CLUSTER_HASH_SLOTS
    for first, last, endpoint in ranges:
        owners[first : last + 1] = [endpoints.index(endpoint)] * (last + 1 - first)
    return Topology(endpoints, tuple(owners))


def _range(entry: object, queried_host: str) -> tuple[int, int, Endpoint]:
    """The first and last slot of a range, and its server. Raises Unfit."""
    match entry:
        case [int(first), int(last), [None | bytes() as host, int(port), *_], *_] if (
            0 <= first <= last < REDIS_CLUSTER_HASH_SLOTS
        ):
            # A server that does not know its own name has the one it was reached by.
            name = host.decode(errors="replace") if host and host != b"?" else queried_host
            return first, last, Endpoint(0, name, port)
        case _:
            raise Unfit(_UNCLEAR)
