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
"""What a connection raises when it is lost."""

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
    """One connection: a single task requests, or one task sends and another one receives."""

    def __init__(self, connection: AbstractConnection) -> None:
        self._connection = connection

    async def open(self) -> None:
        """Connect and log in. Raises one of LOST."""
        async with asyncio.timeout(2 * SECONDS):
            connect: Callable[[], Awaitable[None]] = self._connection.connect
            await connect()

    async def request(self, commands: Sequence[RedisCommand]) -> list[object]:
        """Send these commands and return their answers, errors of the server as values.

        Raises one of LOST; whether the commands were carried out is unknown then.
        """
        async with asyncio.timeout(SECONDS):
            await self.send(commands)
            return [await self._answer(math.inf) for _ in commands]

    async def send(self, commands: Sequence[RedisCommand]) -> None:
        """Send these commands. Raises one of LOST."""
        if not self._connection.is_connected:
            # redis-py would connect again by itself, to a server without our subscriptions.
            raise Disconnected("the connection is closed")
        packed = self._connection.pack_commands(commands)
        await self._connection.send_packed_command(packed, check_health=False)

    async def receive(self, seconds: float) -> object | None:
        """The next message of the server, an error as a value; None if there is none for so long.

        Raises one of LOST.
        """
        return await self._answer(seconds)

    async def close(self) -> None:
        """Disconnect at once; bytes on their way are lost."""
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
    """Makes connections. `url` is one address or several of one cluster, separated by commas."""

    def __init__(self, url: str) -> None:
        """Raises ValueError if an address cannot be used."""
        if _SENTINEL.search(url):
            raise ValueError(
                "names a Sentinel, which is not supported: give the redis:// address of the Redis"
                " server itself, of a name or proxy that leads to the present primary, or of a"
                " Redis Cluster"
            )
        self._addresses = tuple(_parse(address) for address in _BETWEEN.split(url))

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The servers that the URL names."""
        return tuple(Endpoint(number) for number in range(len(self._addresses)))

    def dial(self, endpoint: Endpoint) -> RedisConnection:
        """A connection to this server, not open yet."""
        kind, options = self._addresses[endpoint.address]
        if not endpoint.host:
            return RedisConnection(kind(**options))
        shared = {name: value for name, value in options.items() if name not in {"path", "db"}}
        if kind is UnixDomainSocketConnection:
            kind = Connection
        return RedisConnection(kind(**shared | {"host": endpoint.host, "port": endpoint.port}))

    def host(self, endpoint: Endpoint) -> str:
        """The name of the machine that this server runs on."""
        return endpoint.host or str(self._addresses[endpoint.address][1].get("host", "localhost"))


def _parse(url: str) -> tuple[type[AbstractConnection], dict[str, Any]]:
    """The class of the connection and its options.

    Raises ValueError, which repeats nothing of the address: there may be a password in it.
    """
    try:
        parsed: dict[str, Any] = dict(parse_url(url))
        kind: type[AbstractConnection] = parsed.get("connection_class", Connection)
        options = {name: value for name, value in parsed.items() if name not in _OF_POOLS} | _FIXED
        kind(**options)
    except (TypeError, ValueError, RedisError):
        raise ValueError("must be redis://, rediss:// or unix:// addresses") from None
    if "," in options.get("host", ""):
        raise ValueError("must begin each of several addresses with its redis://")
    return kind, options
