"""Looks at Redis as the service sees it: what it is, and whether messages get through."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID, uuid4

from msgspec import Struct
from redis.exceptions import ResponseError

from service.fanout.connection import LOST, SECONDS, Endpoint, RedisConnection, RedisDialer
from service.fanout.supervisor import said
from service.fanout.topology import UNOWNED, Topology, Unfit, channel_of, surveyed

_VERSIONS: Final = (("valkey_version", "Valkey"), ("redis_version", "Redis"))
_MARK: Final = b"warlog doctor"


class RedisFault(Struct, frozen=True, kw_only=True):
    """What is wrong with one server; `is_away`: it could not be asked."""

    server: str
    says: str
    is_away: bool


class RedisExamination(Struct, frozen=True, kw_only=True):
    """What was seen: `unowned` counts the slots of a cluster that are nobody's."""

    version_name: str
    is_cluster: bool
    servers: int
    unowned: int
    faults: tuple[RedisFault, ...]


async def examine_redis(url: str) -> RedisExamination:
    """Look at it, and send one message to ourselves through each server; nothing stays behind.

    Raises ValueError for an address that cannot be used, Unfit for a server that cannot do what
    is needed, or what the last server that is named said when none could be asked (one of LOST).
    """
    dialer = RedisDialer(url)
    version, topology = await _survey(dialer)
    faults = [await _fault(dialer, topology, endpoint) for endpoint in topology.endpoints]
    return RedisExamination(
        version_name=version,
        is_cluster=bool(topology.owners),
        servers=len(topology.endpoints),
        unowned=topology.owners.count(UNOWNED),
        faults=tuple(fault for fault in faults if fault is not None),
    )


async def _survey(dialer: RedisDialer) -> tuple[str, Topology]:
    failure: Exception | None = None
    for endpoint in dialer.endpoints:
        wire = dialer.wire(endpoint)
        try:
            await wire.open()
            return await _version(wire), await surveyed(wire, endpoint, dialer)
        except LOST as error:
            failure = error
        finally:
            await wire.close()
    raise failure or ValueError(dialer)


async def _version(wire: RedisConnection) -> str:
    [said] = await wire.ask([(b"INFO", b"server")])
    lines = said.decode().splitlines() if isinstance(said, bytes) else []
    known = dict(line.split(":", 1) for line in lines if ":" in line)
    names = [f"{name} {known[field]}" for field, name in _VERSIONS if field in known]
    return names[0] if names else "a server that does not tell its version"


async def _fault(dialer: RedisDialer, topology: Topology, endpoint: Endpoint) -> RedisFault | None:
    server = f"{dialer.host(endpoint)}:{endpoint.port}" if endpoint.host else "the server"
    listening, telling = dialer.wire(endpoint), dialer.wire(endpoint)
    try:
        await listening.open()
        await telling.open()
        await _through(listening, telling, channel_of(_encounter_at(topology, endpoint)))
    except Unfit as unfit:
        return RedisFault(server=server, says=str(unfit), is_away=False)
    except LOST as error:
        return RedisFault(server=server, says=said(error), is_away=True)
    finally:
        await listening.close()
        await telling.close()
    return None


async def _through(listening: RedisConnection, telling: RedisConnection, channel: bytes) -> None:
    """Raises Unfit if a message does not get from one wire to the other."""
    await listening.send([(b"SSUBSCRIBE", channel)])
    subscribed = await listening.hear(SECONDS)
    if isinstance(subscribed, ResponseError):
        raise Unfit(f"refuses to be listened to: {subscribed}")
    [published] = await telling.ask([(b"SPUBLISH", channel, _MARK)])
    if isinstance(published, ResponseError):
        raise Unfit(f"refuses to publish: {published}")
    if await listening.hear(SECONDS) != [b"smessage", channel, _MARK]:
        raise Unfit("a message was published and not delivered")


def _encounter_at(topology: Topology, endpoint: Endpoint) -> UUID:
    return next(each for each in _encounters() if topology.owner(each) == endpoint)


def _encounters() -> Iterator[UUID]:
    while True:
        yield uuid4()
