"""One connection to one Redis server, with a limit on every wait.

Connections are redis-py's, which knows addresses, passwords, TLS and the protocol; its clients
are not used. They try again by themselves and wait meanwhile, and its sharded pub/sub on a
cluster reads the nodes in turn, so that one node that hangs keeps all others waiting.
"""

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from msgspec import Struct
from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    UnixDomainSocketConnection,
    parse_url,
)
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError, ResponseError

SECONDS: Final = 1.0
"""How long a connection, a command, or a batch of them may take."""

LOST: Final = (RedisError, OSError)
"""What a wire raises when it is of no use any more."""

RedisCommand = tuple[bytes, ...]

_BETWEEN: Final = re.compile(r",(?=(?:rediss?|unix)://)")
_SENTINEL: Final = re.compile(r"(?:^|,)\s*(?:\w+[+-])?sentinels?://", re.IGNORECASE)
_OF_POOLS: Final = {"connection_class", "max_connections", "timeout"}
_FIXED: Final[dict[str, Any]] = {
    "decode_responses": False,
    "driver_info": None,
    "health_check_interval": 0,
    "protocol": 2,
    "retry": None,
    "retry_on_timeout": False,
    "socket_connect_timeout": SECONDS,
    # Limits are set here, around whole batches: redis-py would start a task for each write.
    "socket_timeout": None,
}


class Endpoint(Struct, frozen=True, order=True):
    """A server: the address of this number, or another of the cluster, with the same login."""

    address: int
    host: str = ""
    port: int = 0


class RedisConnection:
    """One connection; one task may ask, or one may send and another one hear."""

    def __init__(self, connection: AbstractConnection) -> None:
        self._connection = connection

    async def open(self) -> None:
        """Connect and log in. Raises one of LOST."""
        async with asyncio.timeout(2 * SECONDS):
            connect: Callable[[], Awaitable[None]] = self._connection.connect
            await connect()

    async def ask(self, commands: Sequence[RedisCommand]) -> list[object]:
        """Say these commands and give their answers; those that are errors as values.

        Raises one of LOST; what became of the commands is unknown then.
        """
        async with asyncio.timeout(SECONDS):
            await self.send(commands)
            return [await self._answer(math.inf) for _ in commands]

    async def send(self, commands: Sequence[RedisCommand]) -> None:
        """Say these commands. Raises one of LOST."""
        if not self._connection.is_connected:
            # It would connect again by itself, to a server that knows nothing of what was asked.
            raise Disconnected("the connection is closed")
        packed = self._connection.pack_commands(commands)
        await self._connection.send_packed_command(packed, check_health=False)

    async def hear(self, seconds: float) -> object | None:
        """The next thing the server says, an error as a value; None if it says nothing so long.

        Raises one of LOST.
        """
        return await self._answer(seconds)

    async def close(self) -> None:
        """Hang up, whatever is on its way."""
        await self._connection.disconnect(nowait=True)

    async def _answer(self, seconds: float) -> object | None:
        try:
            answer: object = await self._connection.read_response(
                disable_decoding=True, timeout=seconds
            )
        except ResponseError as error:
            return error
        return answer


class RedisDialer:
    """Makes wires. `url` is one address or several of one cluster, with commas between."""

    def __init__(self, url: str) -> None:
        """Raises ValueError if one of them cannot be used."""
        if _SENTINEL.search(url):
            raise ValueError(
                "names a Sentinel, which is not supported: give the redis:// address of the Redis"
                " server itself, of a name or proxy that leads to the present primary, or of a"
                " Redis Cluster"
            )
        self._addresses = tuple(_understood(each) for each in _BETWEEN.split(url))

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The servers that are named."""
        return tuple(Endpoint(number) for number in range(len(self._addresses)))

    def wire(self, endpoint: Endpoint) -> RedisConnection:
        """A wire to this server, not open yet."""
        kind, given = self._addresses[endpoint.address]
        if not endpoint.host:
            return RedisConnection(kind(**given))
        kept = {name: value for name, value in given.items() if name not in {"path", "db"}}
        if kind is UnixDomainSocketConnection:
            kind = Connection
        return RedisConnection(kind(**kept | {"host": endpoint.host, "port": endpoint.port}))

    def host(self, endpoint: Endpoint) -> str:
        """The name of the machine that this server runs on."""
        return endpoint.host or str(self._addresses[endpoint.address][1].get("host", "localhost"))


def _understood(url: str) -> tuple[type[AbstractConnection], dict[str, Any]]:
    """The kind of connection and what it is made with.

    Raises ValueError, which repeats nothing of the address: there may be a password in it.
    """
    try:
        read: dict[str, Any] = dict(parse_url(url))
        kind: type[AbstractConnection] = read.get("connection_class", Connection)
        given = {name: value for name, value in read.items() if name not in _OF_POOLS} | _FIXED
        kind(**given)
    except (TypeError, ValueError, RedisError):
        raise ValueError("must be redis://, rediss:// or unix:// addresses") from None
    if "," in given.get("host", ""):
        raise ValueError("must begin each of several addresses with its redis://")
    return kind, given
