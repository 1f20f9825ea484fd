"""Published clients of server-sent events lose nothing that the service can save."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from service.api.tickets import TICKET_SECONDS
from service.eventstore.embedded import Dsns
from service.live.comments import SILENCE_SECONDS
from tests.api.serving import Caller, Served, settings_for
from tests.api.streaming import services_behind
from tests.clients.cutting_proxy import cutting_proxy
from tests.clients.stream_readers import (
    JAVASCRIPT,
    PYTHON,
    Heard,
    NodeClients,
    follow,
    node_clients,
)
from tests.patience import until

LONG = {"type": "note", "text": "x" * 500}


@pytest.fixture(scope="module")
async def node() -> AsyncIterator[NodeClients]:
    """The clients of JavaScript."""
    async with node_clients() as clients:
        yield clients


async def act(caller: Caller, encounter: str) -> None:
    """One event more."""
    await asyncio.to_thread(caller.act, encounter, LONG)


def ticket(caller: Caller, encounter: str) -> str:
    """A ticket for the streams of an encounter."""
    answer = caller.post(f"{encounter}/tickets", None)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["ticket"])


@asynccontextmanager
async def everybody(node: NodeClients, url: str, prefix: str) -> AsyncIterator[dict[str, Heard]]:
    """All clients, following an address."""
    heard = {name: node.begin(name, f"{prefix}{name}", url) for name in JAVASCRIPT}
    heard |= {name: Heard() for name in PYTHON}
    tasks = [asyncio.create_task(follow(once, url, heard[name])) for name, once in PYTHON.items()]
    try:
        yield heard
    finally:
        for name in JAVASCRIPT:
            node.end(f"{prefix}{name}")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def heard_by_all(heard: dict[str, Heard], seqs: list[int], *but: str) -> None:
    """Wait until all have heard these events, each once and in order."""
    those = {name: each for name, each in heard.items() if name not in but}
    await until(
        lambda: all(each.seqs[-1:] == seqs[-1:] for each in those.values()),
        lambda: {name: (each.seqs, each.errors[-3:]) for name, each in those.items()},
    )
    assert {name: each.seqs for name, each in those.items()} == dict.fromkeys(those, seqs)


async def test_what_is_cut_off_comes_again(
    served: Served, caller: Caller, node: NodeClients, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await asyncio.to_thread(caller.started)
    shown = await asyncio.to_thread(ticket, caller, encounter)
    async with cutting_proxy(caller.url) as proxy:
        url = f"{proxy.url}{encounter}/stream?after=2&ticket={shown}"
        async with everybody(node, url, "cut ") as heard:
            await until(lambda: all(each.hellos == 1 for each in heard.values()))
            await act(caller, encounter)
            await heard_by_all(heard, [3])
            # A proxy cuts the record of an event.
            assert proxy.cut_next_event() == len(heard)
            await act(caller, encounter)
            await heard_by_all(heard, [3, 4])
            # The service is away for a while.
            proxy.is_shut = True
            proxy.break_off()
            await act(caller, encounter)
            proxy.is_shut = False
            await heard_by_all(heard, [3, 4, 5])
            # The ticket runs out: a client that resumes by a header shows what it had.
            then = datetime.now(UTC) + timedelta(seconds=TICKET_SECONDS + 1)
            monkeypatch.setattr(services_behind(served).tickets, "_now", lambda: then)
            proxy.break_off()
            await act(caller, encounter)
            await heard_by_all(heard, [3, 4, 5, 6], "event-source-polyfill")
            polyfill = heard["event-source-polyfill"]
            await until(lambda: polyfill.is_closed)
            assert polyfill.seqs == [3, 4, 5]
            assert any("lastEventId=5-" in head for head in proxy.heads)


async def test_a_refusal_as_a_record_reaches_every_client(
    caller: Caller, node: NodeClients
) -> None:
    encounter = await asyncio.to_thread(caller.started)
    shown = await asyncio.to_thread(ticket, caller, encounter)
    url = f"{caller.url}{encounter}/stream?after=2-00000000&ticket={shown}"
    async with everybody(node, f"{url}&refusals=record", "told ") as heard:
        await until(
            lambda: all(each.problems for each in heard.values()),
            lambda: {name: (each.messages, each.errors) for name, each in heard.items()},
        )
        told = {
            name: (each.problems[0]["problem"]["code"], each.problems[0]["retry"])
            for name, each in heard.items()
        }
        assert told == dict.fromkeys(heard, ("history_diverged", False))
        assert not any(each.halves for each in heard.values())
    async with everybody(node, url, "silent ") as heard:
        # What each makes of the same refusal without a record.
        final = [name for name in JAVASCRIPT if name != "fetch-event-source"]
        await until(lambda: all(heard[name].is_closed for name in final))
        await until(lambda: len(heard["fetch-event-source"].errors) > 1)
        await until(lambda: "SSEError" in heard["httpx-sse"].errors)
        assert not heard["fetch-event-source"].is_closed
        assert not any(heard[name].errors for name in ("aiosseclient", "sseclient-py"))
        assert not any(each.messages for each in heard.values())


@pytest.mark.soak
async def test_a_restart_and_a_long_silence_lose_nothing(
    database: Dsns, caller: Caller, node: NodeClients
) -> None:
    encounter = await asyncio.to_thread(caller.started)
    shown = await asyncio.to_thread(ticket, caller, encounter)
    settings = settings_for(database)
    async with cutting_proxy("") as proxy:
        first, second = Served(settings), Served(settings)
        proxy.target = (await asyncio.to_thread(first.__enter__)).url
        url = f"{proxy.url}{encounter}/stream?after=2&ticket={shown}"
        async with everybody(node, url, "restarted ") as heard:
            await act(caller, encounter)
            await heard_by_all(heard, [3])
            await asyncio.sleep(3 * SILENCE_SECONDS)
            quiet = {name: (each.hellos, each.halves) for name, each in heard.items()}
            assert quiet == dict.fromkeys(heard, (1, []))
            await asyncio.to_thread(first.__exit__, None, None, None)
            await act(caller, encounter)
            proxy.target = (await asyncio.to_thread(second.__enter__)).url
            await heard_by_all(heard, [3, 4])
            kinds = {name: [each["type"] for each in own.records] for name, own in heard.items()}
            assert all("bye" in each for each in kinds.values()), kinds
        await asyncio.to_thread(second.__exit__, None, None, None)
