"""Two services, one database, one Redis: whoever acts on one is followed on the other."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from uuid import UUID

import pytest
import redis.asyncio

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import CREATION, START, new_key
from tests.fanout.processes import Client, Process, started
from tests.fanout.servers import Server
from tests.patience import PATIENCE_SECONDS, until

SEAT = "vera"
REMARK = "for all of you"
SECRET = "only the game master reads this"


@pytest.fixture
async def token(database: Dsns) -> AsyncIterator[str]:
    """A key with every scope, of a tenant of this test alone."""
    store = await EventStore.open(database.app, pool_size=1)
    tenant = UUID(bytes=secrets.token_bytes(16))
    await store.access.create_tenant(tenant, secrets.token_hex(8))
    yield await new_key(store, tenant, SCOPES)
    await store.close()


async def new_battle(client: Client) -> str:
    """The address of a battle that has begun; its last event is the second."""
    answer = await client.post("/v1/encounters", CREATION)
    assert answer.status_code == 201, answer.text
    address: str = answer.headers["Location"]
    answer = await client.post(f"{address}/actions", {"action": START})
    assert answer.status_code == 201, answer.text
    return address


async def act(client: Client, address: str, action: dict[str, str]) -> None:
    """Do something. It is accepted."""
    answer = await client.post(f"{address}/actions", {"action": action})
    assert answer.status_code == 201, answer.text


async def take_turns(client: Client, address: str, enough: asyncio.Event) -> None:
    """Turn after turn: events that have no part but the GM's."""
    while not enough.is_set():
        for combatant in ("hunter", "raider"):
            await act(client, address, {"type": "end_turn", "combatant": combatant})


async def remark(client: Client, address: str, enough: asyncio.Event) -> None:
    """Remark after remark: events with a text for everyone, or for the GM alone."""
    while not enough.is_set():
        await act(client, address, {"type": "note", "text": REMARK})
        await act(client, address, {"type": "note", "gm_text": SECRET})


@asynccontextmanager
async def followed(followers: list[Client], address: str) -> AsyncIterator[None]:
    """Have these follow meanwhile; nobody stops following."""
    tasks = [asyncio.create_task(follower.follow(address)) for follower in followers]
    try:
        await until(lambda: all(follower.hello for follower in followers))
        yield
    finally:
        ended = [task for task in tasks if task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in ended:
            task.result()


async def see_it_through(
    urls: tuple[str, str], token: str, trouble: Callable[[Callable[[], int]], Awaitable[None]]
) -> None:
    """Follow a battle as the GM and as a player, on both, while on both is acted and `trouble`
    happens; it is given how many events the GM has seen. All end with what the log says."""
    here, there = urls
    writers = [Client(urls, token), Client((there, here), token)]
    gms = [Client(urls, token), Client((there, here), token)]
    players = [Client(urls, token, SEAT), Client((there, here), token, SEAT)]
    followers = gms + players
    address = await new_battle(writers[0])
    async with followed(followers, address):
        enough = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(take_turns(writers[0], address, enough))
            group.create_task(remark(writers[1], address, enough))
            await trouble(lambda: len(gms[0].streamed))
            enough.set()
        logs = [await each[1].events(address, 2) for each in (gms, players)]
        head = logs[0][-1]["seq"]
        with suppress(TimeoutError):
            await until(lambda: all(each.cursor.startswith(f"{head}-") for each in followers))
    for follower, log in zip(followers, (logs[0], logs[0], logs[1], logs[1]), strict=True):
        streamed = follower.streamed
        assert [event["seq"] for event in streamed] == list(range(3, head + 1))
        assert [event["hash"] for event in streamed] == [event["hash"] for event in log]
    for player in players:
        assert not any(SECRET in line for line in player.lines)
    for client in (*writers, *followers):
        await client.close()


async def test_what_is_done_here_is_followed_there_whatever_redis_does(
    database: Dsns, token: str, tmp_path: Path, own_valkey: Server
) -> None:
    own_valkey.start()
    here, there = started(
        *(Process(database, tmp_path, WARLOG_REDIS_URL=own_valkey.url) for _ in range(2))
    )

    async def trouble(streamed: Callable[[], int]) -> None:
        async def some_more() -> None:
            before = streamed()
            await until(lambda: streamed() > before + 20)

        await some_more()
        own_valkey.say("FLUSHALL")
        await some_more()
        own_valkey.kill()
        await some_more()
        own_valkey.start()
        await some_more()
        own_valkey.freeze()
        await some_more()
        own_valkey.thaw()
        await some_more()

    try:
        await see_it_through((here.url, there.url), token, trouble)
    finally:
        complaints = here.stop() + there.stop()
    assert complaints == []


async def test_a_process_that_is_killed_costs_its_followers_nothing(
    database: Dsns, token: str, tmp_path: Path, valkey: Server
) -> None:
    here, there = started(
        *(Process(database, tmp_path, WARLOG_REDIS_URL=valkey.url) for _ in range(2))
    )

    async def trouble(streamed: Callable[[], int]) -> None:
        await until(lambda: streamed() > 20)
        here.kill()
        before = streamed()
        await until(lambda: streamed() > before + 20)

    try:
        await see_it_through((here.url, there.url), token, trouble)
    finally:
        here.kill()
        complaints = there.stop()
    assert complaints == []


async def test_what_not_everybody_may_know_does_not_travel(
    database: Dsns, token: str, tmp_path: Path, valkey: Server
) -> None:
    [service] = started(Process(database, tmp_path, WARLOG_REDIS_URL=valkey.url))
    client = Client([service.url], token)
    try:
        address = await new_battle(client)
        async with redis.asyncio.Redis.from_url(valkey.url) as tap, tap.pubsub() as subscription:
            await subscription.ssubscribe(f"warlog:{address.rpartition('/')[2]}")
            for action in ({"text": REMARK}, {"gm_text": SECRET}):
                await act(client, address, {"type": "note", **action})
            travelled: list[bytes] = []
            while len(travelled) < 2:
                message = await subscription.get_message(timeout=PATIENCE_SECONDS)
                assert message is not None
                if message["type"] == "smessage":
                    travelled.append(message["data"])
    finally:
        await client.close()
        service.stop()
    for message in travelled:
        assert b'"action":' in message
        for secret in (REMARK, SECRET, token):
            assert secret.encode() not in message
