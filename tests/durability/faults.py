"""What goes wrong while the load runs. Each of these ends by itself and leaves nothing behind."""

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from uuid import UUID

import asyncpg

from service.eventstore.embedded import Dsns
from tests.conftest import user_of
from tests.durability.driver import Key
from tests.durability.rig import ServiceProcess, Store
from tests.durability.wire import AnswerLost, NotConnected, Wire
from tests.eventstore.logs import until
from tests.eventstore.relay import Relay

_BACKENDS = "SELECT {}(pid) FROM pg_stat_activity WHERE usename = $1"
_WAITING = f"{_BACKENDS} AND wait_event_type = 'Lock'"
_FULL = """
    CREATE FUNCTION refuse_growth() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full';
    END $$;
    CREATE TRIGGER refuse_growth BEFORE INSERT ON event
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_growth();
"""
HOUR = 3600
Told = Callable[[], Awaitable[None]]
"""Waits until some client has been shown what is the matter, or that all is well again."""

Noticed = Callable[[], bool]
"""Whether clients were informed of what went wrong."""

BODY = b'{"action": {"type": "note", "text": "never heard"}}'
_LOCK = "SELECT FROM encounter WHERE id = $1 FOR UPDATE"


def always() -> bool:
    """Nobody need notice."""
    return True


async def at_random(chance: random.Random, least: float = 0.05, most: float = 0.5) -> None:
    """A moment that nobody foresees."""
    await asyncio.sleep(chance.uniform(least, most))


async def time_passes(chance: random.Random, times: int) -> None:
    """Nothing goes wrong from outside; what does is part of the load."""
    for _ in range(times):
        await at_random(chance, 0.05, 0.2)


async def kill_service(
    service: ServiceProcess, chance: random.Random, times: int, is_noticed: Noticed = always
) -> None:
    """The process dies in the middle of whatever it does, and comes back.

    So many times, and on until clients noticed.
    """
    for number in itertools.count():
        if number >= times and is_noticed():
            return
        await at_random(chance)
        service.kill()
        await service.start()


@asynccontextmanager
async def _stuck(
    dsns: Dsns, deadlock_timeout: str = "10s"
) -> AsyncIterator[tuple[asyncpg.Connection, asyncpg.Connection]]:
    """An append of the service waits in its middle for a lock: its holder, and somebody else."""
    holder, other = await asyncpg.connect(dsns.admin), await asyncpg.connect(dsns.admin)
    try:
        await holder.execute(f"SET deadlock_timeout = '{deadlock_timeout}'")
        async with holder.transaction():
            await holder.execute("LOCK TABLE command IN SHARE MODE")

            async def is_stuck() -> bool:
                return bool(await other.fetchval(_WAITING.format("count"), user_of(dsns.app)))

            await until(is_stuck)
            yield holder, other
    finally:
        await holder.close()
        await other.close()


async def kill_waiting(dsns: Dsns, service: ServiceProcess, times: int) -> None:
    """The process dies while the server waits for a lock in the middle of its append."""
    for _ in range(times):
        async with _stuck(dsns):
            service.kill()
        await service.start()


async def kill_before_the_whole_request(
    service: ServiceProcess, key: Key, encounters: Sequence[str], times: int
) -> None:
    """The process dies when it has read half of a request."""
    for _ in range(times):
        wire = Wire(service.url, key.token)
        await wire.post_part(f"/v1/encounters/{encounters[0]}/actions", BODY, 0.99)
        await asyncio.sleep(0.02)
        service.kill()
        wire.close()
        await service.start()


async def kill_database(
    store: Store, chance: random.Random, times: int, is_noticed: Noticed
) -> None:
    """PostgreSQL dies in the middle of whatever it does, and recovers.

    So many times, and on until clients noticed.
    """
    for number in itertools.count():
        if number >= times and is_noticed():
            return
        await at_random(chance)
        await store.kill()


async def lose_answers(relay: Relay, times: int, goes_on: Told, told: Told) -> None:
    """The server commits, and nobody hears of it."""
    for _ in range(times):
        unknown = asyncio.ensure_future(told())
        while not unknown.done():
            await goes_on()
            relay.swallow_answers()
            await asyncio.wait([unknown], timeout=0.1)
            relay.pass_answers()
        await unknown


async def cut_connections(relay: Relay, times: int, goes_on: Told, told: Told) -> None:
    """Half a statement arrives, and then the line is down for a moment."""
    for _ in range(times):
        unknown = asyncio.ensure_future(told())
        while not unknown.done():
            await goes_on()
            relay.tear_requests()
            await asyncio.wait([unknown], timeout=0.1)
            relay.pass_requests()
        await unknown
        await goes_on()
        await relay.stop()
        await asyncio.sleep(0.1)
        await relay.start()


async def hold_rows(dsns: Dsns, encounters: Sequence[str], times: int, told: Told) -> None:
    """Somebody locks an encounter until somebody else has given up on it."""
    admin = await asyncpg.connect(dsns.admin)
    for number in range(times):
        async with admin.transaction():
            await admin.execute(_LOCK, UUID(encounters[number % len(encounters)]))
            await told()
    await admin.close()


async def hold_table(dsns: Dsns, told: Awaitable[None]) -> None:
    """Somebody locks a table that every append writes to, until somebody has given up on it."""
    admin = await asyncpg.connect(dsns.admin)
    async with admin.transaction():
        await admin.execute("LOCK TABLE command IN SHARE MODE")
        await told
    await admin.close()


async def take_no_writes(dsns: Dsns, told: Awaitable[None]) -> None:
    """The server takes no writes until somebody learns so."""
    admin = await asyncpg.connect(dsns.admin)
    await admin.execute("ALTER SYSTEM SET default_transaction_read_only = on")
    await admin.execute("SELECT pg_reload_conf()")
    await told
    await admin.execute("ALTER SYSTEM RESET default_transaction_read_only")
    await admin.execute("SELECT pg_reload_conf()")
    await admin.close()


async def fill_up(dsns: Dsns, told: Awaitable[None]) -> None:
    """There is no room for another event until somebody learns so."""
    admin = await asyncpg.connect(dsns.admin)
    await admin.execute(_FULL)
    await told
    await admin.execute("DROP TRIGGER refuse_growth ON event; DROP FUNCTION refuse_growth")
    await admin.close()


async def end_sessions(dsns: Dsns) -> None:
    """Every session of the services is ended, as by an operator."""
    admin = await asyncpg.connect(dsns.admin)
    await admin.fetch(_BACKENDS.format("pg_terminate_backend"), user_of(dsns.app))
    await admin.close()


async def step_clocks(services: Sequence[ServiceProcess], goes_on: Told, times: int) -> None:
    """The clocks jump an hour ahead, back, an hour behind, and right again."""
    for _ in range(times):
        for seconds in (HOUR, 0, -HOUR, 0):
            for service in services:
                service.set_clock(seconds)
            await goes_on()


async def interrupt_statements(
    dsns: Dsns, chance: random.Random, times: int, is_told: Callable[[], bool]
) -> None:
    """Appends are cancelled in their middle, and sessions are ended, then or at any moment.

    So many times, and on until clients were informed of it.
    """
    for number in itertools.count():
        if number >= times and is_told():
            return
        async with _stuck(dsns) as (_, admin):
            what = "pg_terminate_backend" if number % 2 else "pg_cancel_backend"
            await admin.fetch(_WAITING.format(what), user_of(dsns.app))
        await at_random(chance, 0.02, 0.2)
        await end_sessions(dsns)
        await at_random(chance, 0.02, 0.2)


async def lock_backwards(store: Store, encounters: Sequence[str], times: int) -> None:
    """Somebody locks what appends lock in the other order: deadlocks, for one side to lose.

    Who has waited for a moment looks whether it is one; now the service does first, now the other.
    Where neither was there in time to look, it is done once more.
    """
    for deadlock_timeout in ("10s", "1ms") * times:
        before = found = await store.deadlocks()
        while found == before:
            await _lock_backwards(store.dsns, encounters, deadlock_timeout)
            found = await store.deadlocks(before + 1)


async def _lock_backwards(dsns: Dsns, encounters: Sequence[str], deadlock_timeout: str) -> None:
    admin = await asyncpg.connect(dsns.admin)
    async with admin.transaction():
        for encounter in sorted(encounters, key=UUID, reverse=True):
            await admin.execute(_LOCK, UUID(encounter))
            await asyncio.sleep(0.005)
    await admin.close()
    with suppress(asyncpg.DeadlockDetectedError):
        async with _stuck(dsns, deadlock_timeout) as (holder, _):
            await holder.execute("LOCK TABLE event IN SHARE MODE")


async def stall(url: str, key: Key, encounters: Sequence[str], clients: int) -> None:
    """Clients say a part of a request and then nothing, until the service has had enough."""

    async def begin(number: int) -> None:
        wire = Wire(url, key.token)
        path = f"/v1/encounters/{encounters[number % len(encounters)]}/actions"
        await wire.post_part(path, BODY, number / clients)
        await wire.hung_up()
        wire.close()

    await asyncio.gather(*(begin(number) for number in range(1, clients)))


async def refuse_sessions(dsns: Dsns, chance: random.Random, times: int, told: Told) -> None:
    """The server no longer takes sessions of the service, and ends those it has."""
    admin = await asyncpg.connect(dsns.admin)
    role = user_of(dsns.app)
    for _ in range(times):
        await at_random(chance)
        await admin.execute(f"ALTER ROLE {role} CONNECTION LIMIT 0")
        await admin.fetch(_BACKENDS.format("pg_terminate_backend"), role)
        await told()
        await admin.execute(f"ALTER ROLE {role} CONNECTION LIMIT -1")
    await admin.close()


async def crowd(url: str, key: Key, encounters: Sequence[str], readers: int, times: int) -> None:
    """More readers than the service has connections to the database for."""

    async def read(number: int) -> None:
        wire = Wire(url, key.token)
        for _ in range(times):
            try:
                path = f"/v1/encounters/{encounters[number % len(encounters)]}"
                await wire.get(f"{path}?at=2" if number % 2 else path)
            except (NotConnected, AnswerLost):
                continue
        wire.close()

    await asyncio.gather(*(read(number) for number in range(readers)))
