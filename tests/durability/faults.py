"""What goes wrong while the load runs. Each of these ends by itself and leaves nothing behind."""

import asyncio
import random
from collections.abc import Sequence
from uuid import UUID

import asyncpg

from service.eventstore.embedded import Dsns
from tests.conftest import user_of
from tests.durability.driver import Key
from tests.durability.rig import ServiceProcess, Store
from tests.durability.wire import AnswerLost, NotConnected, Wire
from tests.eventstore.relay import Relay

_BACKENDS = "SELECT {}(pid) FROM pg_stat_activity WHERE usename = $1"
_APPENDING = f"{_BACKENDS} AND state = 'active' AND query LIKE '%append_events%'"
_GLANCES = 1000
_LOCK = "SELECT FROM encounter WHERE id = $1 FOR UPDATE"


async def at_random(chance: random.Random, least: float = 0.05, most: float = 0.5) -> None:
    """A moment that nobody foresees."""
    await asyncio.sleep(chance.uniform(least, most))


async def time_passes(chance: random.Random, times: int) -> None:
    """Nothing goes wrong from outside; what does is part of the load."""
    for _ in range(times):
        await at_random(chance, 0.05, 0.2)


async def kill_service(service: ServiceProcess, chance: random.Random, times: int) -> None:
    """The process dies in the middle of whatever it does, and comes back."""
    for _ in range(times):
        await at_random(chance)
        service.kill()
        await service.start()


async def kill_database(store: Store, chance: random.Random, times: int) -> None:
    """PostgreSQL dies in the middle of whatever it does, and recovers."""
    for _ in range(times):
        await at_random(chance)
        await store.kill()


async def lose_answers(relay: Relay, chance: random.Random, times: int) -> None:
    """The server commits, and nobody hears of it."""
    for _ in range(times):
        await at_random(chance)
        relay.swallow_answers()
        await asyncio.sleep(0.03)
        relay.pass_answers()


async def cut_connections(relay: Relay, chance: random.Random, times: int) -> None:
    """Half a statement arrives, or the line is down for a moment."""
    for number in range(times):
        await at_random(chance)
        if number % 2:
            await relay.stop()
            await asyncio.sleep(0.1)
            await relay.start()
        else:
            relay.tear_requests()
            await asyncio.sleep(0.03)
            relay.pass_requests()


async def hold_rows(dsns: Dsns, encounters: Sequence[str], times: int, seconds: float) -> None:
    """Somebody locks an encounter for longer than the service waits."""
    admin = await asyncpg.connect(dsns.admin)
    for number in range(times):
        async with admin.transaction():
            await admin.execute(_LOCK, UUID(encounters[number % len(encounters)]))
            await asyncio.sleep(seconds)
        await asyncio.sleep(0.2)
    await admin.close()


async def interrupt_statements(dsns: Dsns, chance: random.Random, times: int) -> None:
    """Statements are cancelled as by their time limit, sessions ended as by an operator."""
    admin = await asyncpg.connect(dsns.admin)
    for number in range(times):
        await at_random(chance, 0.01, 0.1)
        what = "pg_terminate_backend" if number % 4 == 3 else "pg_cancel_backend"
        for _ in range(_GLANCES):
            if await admin.fetch(_APPENDING.format(what), user_of(dsns.app)):
                break
    await admin.close()


async def lock_backwards(dsns: Dsns, encounters: Sequence[str], times: int) -> None:
    """Somebody locks the same encounters in the other order: deadlocks, for one side to lose."""
    admin = await asyncpg.connect(dsns.admin)
    for _ in range(times):
        try:
            async with admin.transaction():
                for encounter in sorted(encounters, key=UUID, reverse=True):
                    await admin.execute(_LOCK, UUID(encounter))
                    await asyncio.sleep(0.01)
        except asyncpg.DeadlockDetectedError:
            pass
        await asyncio.sleep(0.05)
    await admin.close()


async def refuse_sessions(dsns: Dsns, chance: random.Random, times: int) -> None:
    """The server takes no more sessions of the service, and ends those it has."""
    admin = await asyncpg.connect(dsns.admin)
    role = user_of(dsns.app)
    for _ in range(times):
        await at_random(chance)
        await admin.execute(f"ALTER ROLE {role} CONNECTION LIMIT 0")
        await admin.fetch(_BACKENDS.format("pg_terminate_backend"), role)
        await asyncio.sleep(0.3)
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
