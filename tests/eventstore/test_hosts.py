"""Hosts of an address are tried next to each other, and a silent server is not waited for."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from functools import partial
from urllib.parse import urlsplit

import asyncpg
import pytest

from service.errors import DatabaseAway, DatabaseReadOnly, OutcomeUnknown
from service.eventstore import servers
from service.eventstore.connection import Database
from service.eventstore.embedded import Dsns
from service.eventstore.hosts import Host, hosts_of, wanted_attributes
from service.eventstore.moment import READING
from service.eventstore.schema_version import build_number
from service.eventstore.session import NAME, one_session
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from tests.eventstore.logs import until
from tests.eventstore.relay import Relay
from tests.patience import PATIENCE_SECONDS, PATIENT
from tests.ports import free_port

ENDED = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1"
SLOW = 3 * servers.SILENCE_SECONDS


@pytest.fixture
def mute() -> Iterator[int]:
    """The port of a host that lets everybody connect and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.fixture
def closed() -> int:
    """A port that nobody listens on."""
    return free_port()


def behind(dsn: str, *ports: int, query: str = "") -> str:
    """The address with other hosts before its own."""
    parts = urlsplit(dsn)
    login, _, host = parts.netloc.rpartition("@")
    hosts = ",".join([*(f"127.0.0.1:{port}" for port in ports), host])
    return parts._replace(netloc=f"{login}@{hosts}", query=query).geturl()


@pytest.mark.parametrize(
    ("address", "hosts", "attributes"),
    [
        ("postgresql:///db", (None,), None),
        ("postgresql://u:p@h/db", (Host("h"),), None),
        ("postgresql://u:p@h:1,[::1]:2/db", (Host("h", 1), Host("::1", 2)), "read-write"),
        ("postgresql://u@h,i:3/db?port=4", (Host("h", 4), Host("i", 3)), "read-write"),
        ("postgresql:///db?host=a,b&port=1,2", (Host("a", 1), Host("b", 2)), "read-write"),
        ("postgresql:///db?host=/run/a", (Host("/run/a"),), None),
        ("postgresql://%2Frun%2Fa/db", (Host("/run/a"),), None),
        ("postgresql://a,b/db?target_session_attrs=any", (Host("a"), Host("b")), None),
    ],
)
def test_an_address_names_its_hosts(
    address: str, hosts: tuple[Host | None, ...], attributes: str | None
) -> None:
    assert (hosts_of(address), wanted_attributes(address)) == (hosts, attributes)


@pytest.mark.parametrize(
    ("address", "environment", "attributes"),
    [
        ("postgresql://a/db", "", None),
        ("postgresql://a,b/db", "", "any"),
        ("postgresql://a/db?target_session_attrs=read-write", "", "any"),
        ("postgresql://a,b/db?target_session_attrs=read-write", "", "any"),
        ("postgresql://a,b/db?target_session_attrs=standby", "", None),
        ("postgresql://a,b/db?target_session_attrs=primary", "read-write", None),
        ("postgresql://a/db", "read-write", "any"),
        ("postgresql://a,b/db", "prefer-standby", None),
    ],
)
def test_a_session_that_only_reads_never_asks_for_a_server_that_takes_writes(
    address: str, environment: str, attributes: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGTARGETSESSIONATTRS", environment)
    assert wanted_attributes(address, is_reading=True) == attributes


async def test_a_session_that_only_reads_is_made_and_kept_whatever_the_address_demands(
    database: Dsns, closed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "PROBE_SECONDS", PATIENCE_SECONDS)
    address = behind(database.app, closed, query="target_session_attrs=read-write")
    pool = await Database.open(address, size=1, settings=READING)
    assert await pool.fetch("SELECT pg_sleep($1)", SLOW)
    assert (await pool.fetch("SHOW default_transaction_read_only"))[0][0] == "on"
    await pool.close()


def test_as_many_ports_as_hosts_are_named_or_one() -> None:
    with pytest.raises(ValueError, match="as many ports as hosts"):
        hosts_of("postgresql:///db?host=a,b&port=1,2,3")


async def test_a_silent_and_a_closed_host_hold_nobody_up(
    database: Dsns, mute: int, closed: int
) -> None:
    store = await EventStore.open(behind(database.app, mute, closed, mute))
    ready = await store.ready()
    assert ready.schema is not None
    assert ready.schema.serves(build_number())
    await store.close()
    session = await one_session(
        behind(database.app, mute), seconds=10.0, answer_seconds=10.0, settings=NAME
    )
    assert await session.fetchval("SELECT 1") == 1
    await session.close()


async def test_a_host_that_only_reads_is_passed_over_unless_the_address_wants_it(
    database: Dsns, closed: int
) -> None:
    reads = "default_transaction_read_only=on"
    barred = await Database.open(behind(database.app, closed, query=reads), size=1)
    with pytest.raises(DatabaseReadOnly):
        await barred.fetch("SELECT 1")
    await barred.close()
    any_one = f"{reads}&target_session_attrs=any"
    willing = await Database.open(behind(database.app, closed, query=any_one), size=1)
    assert await willing.fetch("SELECT 1")
    await willing.close()


async def test_hosts_that_are_all_closed_are_told_at_once_and_silent_ones_in_time(
    database: Dsns, closed: int, mute: int
) -> None:
    gone = f"postgresql://u@127.0.0.1:{closed},127.0.0.1:{closed}/d"
    silent = f"postgresql://u@127.0.0.1:{mute},127.0.0.1:{closed}/d"
    for address in (gone, silent):
        pool = await Database.open(address, size=1, patience=Patience(connect_seconds=1.0))
        with pytest.raises(DatabaseAway):
            await pool.fetch("SELECT 1")
        await pool.close()


async def test_a_server_that_comes_back_is_found_while_the_first_call_still_hangs(
    database: Dsns,
) -> None:
    async with Relay(database.app) as relay:
        relay.fall_silent()
        pool = await Database.open(relay.dsn, size=1, patience=PATIENT)
        waiting = asyncio.create_task(pool.fetch("SELECT 1"))

        async def is_used() -> bool:
            return relay.is_used

        await until(is_used)
        relay.speak()
        assert await waiting
        await pool.close()


async def test_a_slow_statement_is_waited_for_as_long_as_its_server_is_there(
    database: Dsns,
) -> None:
    # It is asked as soon as ever, and may take as long as the machine needs to answer.
    pool = await Database.open(database.app, size=2)
    await asyncio.gather(
        pool.write("SELECT pg_sleep($1)", SLOW), pool.fetch("SELECT pg_sleep($1)", SLOW)
    )
    await pool.close()


@pytest.mark.usefixtures("silence_is_noticed")
async def test_a_silent_server_is_given_up_by_all_pools_long_before_its_statements(
    database: Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = servers.Servers()
    patience = Patience(answer_seconds=600.0, statement_ms=600_000)
    async with Relay(database.app) as relay:
        pools = [
            await Database.open(relay.dsn, size=2, patience=patience, servers=shared)
            for _ in range(2)
        ]
        for pool in pools:
            await asyncio.gather(pool.fetch("SELECT 1"), pool.fetch("SELECT 1"))
        relay.fall_silent()
        writing = asyncio.create_task(pools[0].write("SELECT 1"))
        with pytest.raises(OutcomeUnknown):
            await writing
        relay.speak()
        # The sessions that were idle are gone with the one that was asked for something: it need
        # not be found out again that the server does not answer on them.
        monkeypatch.setattr(servers, "SILENCE_SECONDS", 10 * PATIENCE_SECONDS)
        async with asyncio.timeout(PATIENCE_SECONDS):
            for pool in pools:
                assert await pool.fetch("SELECT 1")
        for pool in pools:
            await pool.close()


async def test_what_is_written_is_not_cancelled_when_nobody_waits_any_more(
    database: Dsns,
) -> None:
    slow = "SELECT set_config('application_name', $1, false), pg_sleep(600)"
    endless = int(1_000 * PATIENCE_SECONDS)
    hasty, patient = [
        await Database.open(
            database.app, size=1, patience=Patience(answer_seconds=seconds, statement_ms=endless)
        )
        for seconds in (0.2, PATIENCE_SECONDS)
    ]
    watcher = await asyncpg.connect(database.admin)
    counted = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1"

    async def goes_on(name: str) -> bool:
        return bool(await watcher.fetchval(counted, name) == 1)

    with pytest.raises(OutcomeUnknown):
        await hasty.write(slow, "given up")
    gone = asyncio.create_task(patient.write(slow, "left alone"))
    await until(partial(goes_on, "left alone"))
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    # Whoever cancels does so over another session, which would have come before these.
    for pool in (hasty, patient):
        await until(partial(answers, pool))
    for name in ("given up", "left alone"):
        await until(partial(goes_on, name))
        await watcher.execute(ENDED, name)
    await watcher.close()
    for pool in (hasty, patient):
        await pool.close()


async def answers(pool: Database) -> bool:
    """Whether the database answers in time."""
    with contextlib.suppress(DatabaseAway):
        return bool(await pool.fetch("SELECT 1"))
    return False
