"""The hosts that a database address names, tried next to each other.

How this works. A host that refuses says so at once; one that hangs, or whose machine is gone, says
nothing, and waiting for it is in vain. So hosts are not tried one behind the other: each gets a
head start over the next, the first session that is usable wins, and the others are dropped. While a
host is silent it is dialled again every second, since what is lost on the way to a machine that
comes back is not sent again for seconds; and a host that said no, such as a standby that is about
to be promoted, is asked again meanwhile. When all have said no, that is the answer.

Of several hosts one that takes writes is wanted, unless the address says otherwise. Sessions that
only read take any host: they are read-only by their settings, and the driver judges the session, so
it would refuse even the primary.
"""

import asyncio
import os
import re
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg

from service.eventstore.driver_errors import DRIVER_ERRORS, DriverError

AnySession = TypeVar("AnySession", bound="asyncpg.Connection[asyncpg.Record]")

HEAD_START_SECONDS: Final = 0.25
"""The time a host has before the next one is tried as well."""

REDIAL_SECONDS: Final = 1.0
"""A host that is silent for so long is dialled again, next to the attempt that is under way."""

AGAIN_SECONDS: Final = 0.25
"""A host that said no is asked again after so long, while another one is silent."""

ATTRIBUTES: Final = "target_session_attrs"
ANY: Final = "any"
_PORTED: Final = re.compile(r"(?:\[(?P<six>[^\]]+)\]|(?P<name>[^:]*))(?::(?P<port>[0-9]+))?")


class Host(NamedTuple):
    """One server's machine, or the folder of its socket; without a port the usual one."""

    name: str
    port: int | None = None


Dial = Callable[[Host | None], Coroutine[None, None, AnySession]]
"""Make a session on a host; None is whichever the environment names."""


def hosts_of(address: str) -> tuple[Host | None, ...]:
    """The hosts of an address in the order it names them; None for one it leaves open.

    Raises ValueError for hosts and ports that do not fit together.
    """
    parts = urlsplit(address)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    named = unquote(parts.netloc.rpartition("@")[2]) or query.get("host", "")
    if not named:
        return (None,)
    hosts = [_host(each) for each in named.split(",")]
    ports = query.get("port", "").split(",") if "port" in query else []
    if len(ports) == 1:
        ports *= len(hosts)
    if ports and len(ports) != len(hosts):
        raise ValueError("a database address names as many ports as hosts, or one")
    return tuple(
        host if host.port or not ports else host._replace(port=int(ports[number]))
        for number, host in enumerate(hosts)
    )


def wanted_attributes(address: str, *, is_reading: bool = False) -> str | None:
    """The attribute to ask for; None: the one that the address or the environment names.

    `is_reading`: the session is read-only by its settings, so a demand for `read-write` is dropped.
    """
    query = parse_qs(urlsplit(address).query)
    named = query.get(ATTRIBUTES, [os.environ.get("PGTARGETSESSIONATTRS", "")])[-1]
    wanted = named or ("read-write" if len(hosts_of(address)) > 1 else "")
    if is_reading and wanted == "read-write":
        return ANY
    return None if named or not wanted else wanted


def _host(spec: str) -> Host:
    match = None if spec.startswith("/") else _PORTED.fullmatch(spec)
    if match is None:
        return Host(spec)
    return Host(match["six"] or match["name"], int(match["port"]) if match["port"] else None)


async def first_of(
    hosts: Sequence[Host | None], dial: Dial[AnySession], seconds: float
) -> AnySession:
    """The first session that one of these hosts grants within so many seconds.

    Raises what they said if all of them said no, or OSError if one of them was silent.
    """
    race = _Race(hosts, dial)
    try:
        return await race.run(seconds)
    finally:
        await race.end()


class _Race(Generic[AnySession]):
    """Attempts under way; `due` is when a host is tried next, by the loop's clock."""

    def __init__(self, hosts: Sequence[Host | None], dial: Dial[AnySession]) -> None:
        self._dial = dial
        self._clock = asyncio.get_running_loop().time
        began = self._clock()
        self._due = {
            host: began + at * HEAD_START_SECONDS for at, host in enumerate(dict.fromkeys(hosts))
        }
        self._attempts: dict[asyncio.Task[AnySession], Host | None] = {}
        self._refusals: dict[Host | None, DriverError] = {}

    async def run(self, seconds: float) -> AnySession:
        """See `first_of`."""
        deadline = self._clock() + seconds
        while (now := self._clock()) < deadline:
            self._begin(now)
            wake = min(deadline, *self._due.values()) - now
            done, _ = await asyncio.wait(
                self._attempts, timeout=wake, return_when=asyncio.FIRST_COMPLETED
            )
            for attempt in done:
                if self._is_granted(attempt, self._attempts.pop(attempt)):
                    return attempt.result()
            if not self._attempts and len(self._refusals) == len(self._due):
                raise _most_telling(self._refusals.values())
        raise OSError("no server answers")

    async def end(self) -> None:
        """Drop what is under way."""
        for attempt in self._attempts:
            attempt.cancel()
        for session in await asyncio.gather(*self._attempts, return_exceptions=True):
            if not isinstance(session, BaseException):
                # It was granted in the moment in which another one was taken.
                session.terminate()

    def _begin(self, now: float) -> None:
        for host, due in self._due.items():
            if due <= now:
                self._attempts[asyncio.create_task(self._dial(host))] = host
                self._due[host] = now + REDIAL_SECONDS

    def _is_granted(self, attempt: asyncio.Task[AnySession], host: Host | None) -> bool:
        """Whether it got a session. If not, the next host is tried now, and this one later."""
        if attempt.cancelled():
            return False
        try:
            attempt.result()
        except DRIVER_ERRORS as error:
            self._refusals[host] = error
        else:
            return True
        now = self._clock()
        untried = [each for each, due in self._due.items() if due > now and self._is_new(each)]
        self._due[host] = now + AGAIN_SECONDS
        for each in untried[:1]:
            self._due[each] = now
        for other, where in self._attempts.items():
            if where == host:
                # The answer of an older attempt would be the same, or none.
                other.cancel()
        return False

    def _is_new(self, host: Host | None) -> bool:
        return host not in self._refusals and host not in self._attempts.values()


def _most_telling(refusals: Iterable[DriverError]) -> DriverError:
    """What a server said is worth more than that none was there."""

    def rank(error: DriverError) -> int:
        if isinstance(error, asyncpg.PostgresError):
            return 0
        return 1 if isinstance(error, asyncpg.TargetServerAttributeNotMatched) else 2

    return min(refusals, key=rank)
