"""Making sessions: on whichever host of an address grants one, with the settings they need.

How this works. A pooler between the service and its server may refuse settings it does not know,
or drop them. In the first case they are left out; in both, what counts is what the role has
(`warlog migrate` puts them there). And it may hand each transaction to another session of the
server, where nothing is that was prepared in the one before. So a session that is not the server's
own, which is seen by the number of its process, prepares nothing to be kept, and each of its
statements is put into a transaction.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, Final

import asyncpg

from service.eventstore.driver_errors import DRIVER_ERRORS
from service.eventstore.hosts import ANY, ATTRIBUTES, Host, first_of, hosts_of, wanted_attributes
from service.eventstore.servers import PROBE_SECONDS, DatabaseServer, Servers, ServerSession
from service.releases import BUILD

NAME: Final = {"application_name": f"warlog {BUILD}"}
"""Shows the release of a session: 1.1.0 and earlier ones call theirs `warlog`."""
_ON_ANY_SERVER: Final[dict[str, Any]] = {ATTRIBUTES: ANY}
READ_ONLY: Final = "default_transaction_read_only"
STRIDE_SECONDS: Final = 0.5
"""Hosts are given up so much sooner than the wait for a session, so that the reason is known."""

_WHERE: Final = "SELECT pg_postmaster_start_time() AS started, pg_backend_pid() AS process"
UNKEPT: Final = ""
"""The name of a prepared statement that the next one replaces."""

Prepare = Callable[[ServerSession], Awaitable[None]]
"""Makes a new session ready for use."""


class SessionDialer:
    """Makes the sessions of one address.

    `seconds` is the limit for a session to be made, `answer_seconds` that for an answer on it;
    `settings` are the server's, by name.
    """

    def __init__(
        self,
        address: str,
        servers: Servers,
        *,
        seconds: float,
        answer_seconds: float | None,
        settings: Mapping[str, str],
        prepare: Prepare,
    ) -> None:
        """Raises ValueError for an address that is none."""
        self._address = driver_url(address)
        self._servers = servers
        self._seconds = seconds
        self._answer_seconds = answer_seconds
        self._settings = settings
        self._prepare = prepare
        self._hosts = hosts_of(address)
        attributes = wanted_attributes(address, is_reading=settings.get(READ_ONLY) == "on")
        self._attributes: dict[str, Any] = {} if attributes is None else {ATTRIBUTES: attributes}
        self._are_settings_refused = False
        self._is_pooled = False

    async def connect(self, *_: object, **__: object) -> ServerSession:
        """A session, as a pool asks for one. Raises one of DRIVER_ERRORS."""
        hosts = self._servers.in_order(self._hosts)
        seconds = max(self._seconds - STRIDE_SECONDS, self._seconds / 2)
        session = await first_of(hosts, self._dial, seconds)
        self._servers.joined(session)
        return session

    async def is_there(self, server: DatabaseServer) -> bool:
        """Whether this server answers, and is the one that it was.

        A server that answers with a refusal is there: it has too many sessions, say.
        """
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                session = await asyncpg.connect(
                    self._address,
                    **_place(server.host),
                    **_ON_ANY_SERVER,
                    connection_class=ServerSession,
                    server_settings=NAME,
                )
                try:
                    started, _ = await _whereabouts(session)
                finally:
                    session.terminate()
        except asyncpg.PostgresError as error:
            return not str(error.sqlstate).startswith("08")
        except DRIVER_ERRORS:
            return False
        return started == server.started

    async def _dial(self, host: Host | None) -> ServerSession:
        session = await self._session(host)
        if session.is_pooled and not self._is_pooled:
            self._is_pooled = True
            session.terminate()
            session = await self._session(host)
        return session

    async def _session(self, host: Host | None) -> ServerSession:
        if not self._are_settings_refused:
            try:
                return await self._session_with(host, {**NAME, **self._settings})
            except asyncpg.ProtocolViolationError:
                self._are_settings_refused = self._is_pooled = True
        return await self._session_with(host, NAME)

    async def _session_with(self, host: Host | None, settings: Mapping[str, str]) -> ServerSession:
        kept: dict[str, Any] = {"statement_cache_size": 0} if self._is_pooled else {}
        session = await asyncpg.connect(
            self._address,
            **_place(host),
            **self._attributes,
            **kept,
            timeout=self._seconds,
            command_timeout=self._answer_seconds,
            max_cached_statement_lifetime=0,
            connection_class=ServerSession,
            server_settings=dict(settings),
        )
        try:
            session.host = host
            session.started, process = await _whereabouts(session)
            session.is_pooled = process != session.get_server_pid()
            await self._prepare(session)
        except BaseException:
            session.terminate()
            raise
        return session


async def one_session(
    address: str, *, seconds: float, answer_seconds: float | None, settings: Mapping[str, str]
) -> ServerSession:
    """A session by itself, in no pool; the caller closes it. Raises one of DRIVER_ERRORS."""
    dialer = SessionDialer(
        address,
        Servers(),
        seconds=seconds,
        answer_seconds=answer_seconds,
        settings=settings,
        prepare=_nothing,
    )
    return await dialer.connect()


def driver_url(url: str) -> str:
    """The URL as the driver takes it: SQLAlchemy's `postgresql+asyncpg:` is the same server.

    Raises ValueError for another scheme, without repeating what may hold a password.
    """
    scheme, _, rest = url.partition("://")
    if scheme.partition("+")[0] not in ("postgresql", "postgres"):
        raise ValueError("a database URL starts with postgresql://")
    return f"postgresql://{rest}"


def _place(host: Host | None) -> dict[str, Any]:
    if host is None:
        return {}
    return {"host": host.name} if host.port is None else {"host": host.name, "port": host.port}


async def _whereabouts(session: ServerSession) -> tuple[datetime, int]:
    """When the server of a session started, and the number of its process there."""
    async with session.transaction():
        statement = await session.prepare(_WHERE, name=UNKEPT)
        [row] = await statement.fetch()
    return row["started"], row["process"]


async def _nothing(_: ServerSession) -> None:
    """A session by itself is used as it comes."""
