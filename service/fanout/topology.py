"""Which servers there are, and which of them a channel belongs to."""

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
    """A server that cannot do what is asked of it; the text says what."""


class Topology(Struct, frozen=True):
    """Servers, and per slot which of them owns it; without slots there is one, and it owns all."""

    endpoints: tuple[Endpoint, ...]
    owners: tuple[int, ...] = ()

    def owner(self, encounter: UUID) -> Endpoint | None:
        """Where this encounter is told about; None while its slot is nobody's."""
        if not self.owners:
            return self.endpoints[0]
        number = self.owners[key_slot(channel_of(encounter))]
        return None if number == UNOWNED else self.endpoints[number]


def channel_of(encounter: UUID) -> bytes:
    """Where an encounter is told about."""
    return PREFIX + str(encounter).encode()


def encounter_of(channel: bytes) -> UUID | None:
    """The encounter of a channel; None if it is none of ours."""
    try:
        return UUID(channel[len(PREFIX) :].decode()) if channel.startswith(PREFIX) else None
    except ValueError:
        return None


async def surveyed(wire: RedisConnection, endpoint: Endpoint, dialer: RedisDialer) -> Topology:
    """Ask an open wire which servers there are.

    Raises Unfit where there is no sharded pub/sub, or one of the wire's LOST.
    """
    role, slots, shards = await wire.ask(
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


def _read(slots: object, asked: str) -> Topology:
    """Raises Unfit if that is no answer to CLUSTER SLOTS."""
    if not isinstance(slots, list):
        raise Unfit(_UNCLEAR)
    ranges = [_range(each, asked) for each in slots]
    if not ranges:
        raise Unfit("no server of the cluster owns a slot")
    # In one order, whoever was asked: so that the same servers are the same topology.
    endpoints = tuple(sorted({endpoint for _, _, endpoint in ranges}))
    owners = [UNOWNED] * REDIS_CLUSTER_HASH_SLOTS
    for first, last, endpoint in ranges:
        owners[first : last + 1] = [endpoints.index(endpoint)] * (last + 1 - first)
    return Topology(endpoints, tuple(owners))


def _range(said: object, asked: str) -> tuple[int, int, Endpoint]:
    """Slots in a row, first and last, and where they are. Raises Unfit."""
    match said:
        case [int(first), int(last), [None | bytes() as host, int(port), *_], *_] if (
            0 <= first <= last < REDIS_CLUSTER_HASH_SLOTS
        ):
            # A server that does not know its own name is where it was asked.
            name = host.decode(errors="replace") if host and host != b"?" else asked
            return first, last, Endpoint(0, name, port)
        case _:
            raise Unfit(_UNCLEAR)
