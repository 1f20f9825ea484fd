"""Examines Redis as the service uses it: its version, and whether messages get through."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID, uuid4

from msgspec import Struct
from redis.exceptions import ResponseError

from service.fanout.connection import LOST, SECONDS, Endpoint, RedisConnection, RedisDialer
from service.fanout.supervisor import one_line
from service.fanout.topology import UNOWNED, Topology, Unfit, channel_of, survey

_VERSIONS: Final = (("valkey_version", "Valkey"), ("redis_version", "Redis"))
_MARK: Final = b"warlog doctor"


class RedisFault(Struct, frozen=True, kw_only=True):
    """What is wrong with one server; `is_away`: it could not be asked."""

    server: str
    says: str
    is_away: bool


class RedisExamination(Struct, frozen=True, kw_only=True):
    """The result: `unowned` counts the slots of a cluster that no server owns."""

    version_name: str
    is_cluster: bool
    servers: int
    unowned: int
    faults: tuple[RedisFault, ...]


async def examine_redis(url: str) -> RedisExamination:
    """Send a message to ourselves through each server; nothing stays behind in it.

    Raises ValueError for an address that cannot be used, Unfit for a server that cannot do what
    is needed, one of LOST (that of the last server) if none could be reached.
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
        connection = dialer.dial(endpoint)
        try:
            await connection.open()
            return await _version(connection), await survey(connection, endpoint, dialer)
        except LOST as error:
            failure = error
        finally:
            await connection.close()
    raise failure or ValueError(dialer)


async def _version(connection: RedisConnection) -> str:
    [answer] = await connection.request([(b"INFO", b"server")])
    lines = answer.decode().splitlines() if isinstance(answer, bytes) else []
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    names = [f"{name} {fields[field]}" for field, name in _VERSIONS if field in fields]
    return names[0] if names else "a server that does not tell its version"


async def _fault(dialer: RedisDialer, topology: Topology, endpoint: Endpoint) -> RedisFault | None:
    server = f"{dialer.host(endpoint)}:{endpoint.port}" if endpoint.host else "the server"
    receiver, sender = dialer.dial(endpoint), dialer.dial(endpoint)
    try:
        await receiver.open()
        await sender.open()
        await _require_delivery(receiver, sender, channel_of(_encounter_at(topology, endpoint)))
    except Unfit as unfit:
        return RedisFault(server=server, says=str(unfit), is_away=False)
    except LOST as error:
        return RedisFault(server=server, says=one_line(error), is_away=True)
    finally:
        await receiver.close()
        await sender.close()
    return None


async def _require_delivery(
    receiver: RedisConnection, sender: RedisConnection, channel: bytes
) -> None:
    """Raises Unfit if a message does not get from one connection to the other."""
    await receiver.send([(b"SSUBSCRIBE", channel)])
    subscribed = await receiver.receive(SECONDS)
    if isinstance(subscribed, ResponseError):
        raise Unfit(f"refuses to be listened to: {subscribed}")
    [published] = await sender.request([(b"SPUBLISH", channel, _MARK)])
    if isinstance(published, ResponseError):
        raise Unfit(f"refuses to publish: {published}")
    if await receiver.receive(SECONDS) != [b"smessage", channel, _MARK]:
        raise Unfit("a message was published and not delivered")


def _encounter_at(topology: Topology, endpoint: Endpoint) -> UUID:
    return next(encounter for encounter in _encounters() if topology.owner(encounter) == endpoint)


def _encounters() -> Iterator[UUID]:
    while True:
        yield uuid4()
