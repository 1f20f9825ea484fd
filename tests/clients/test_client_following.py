"""Who follows with the JavaScript client holds what `GET` shows, whatever becomes of the service.

The service runs in a separate process that is killed, stopped, started again and paused; battles
are played by several at once, with secrets, notes, rewinds and changes of seats in between.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest

from service.eventstore.embedded import Dsns
from tests.clients.node_client import Followed, NodeClient, node_client
from tests.encounters.random_actions import RULESETS
from tests.live.arena import Arena, Battle, arena_of, begun, new_tenant
from tests.live.players import Play, do, play, remark
from tests.live.subscribers import Person
from tests.patience import PATIENCE_SECONDS, until

pytestmark = pytest.mark.slow

NAMES: Final = ("decisions", "state", "table")
IMPATIENT: Final = {"retry": {"answerSeconds": 5, "totalSeconds": 5 * PATIENCE_SECONDS}}
SILENCE_SECONDS: Final = 12
"""More than between two heartbeats, so that a slow machine is not taken for a silent one."""


@pytest.fixture
async def arena(database: Dsns, tmp_path: Path) -> AsyncIterator[Arena]:
    async with arena_of(tmp_path, database, None, count=1) as one:
        yield one


async def document_at(arena: Arena, battle: Battle, who: Person, seq: int | None = None) -> Any:
    """What `GET` shows somebody: the state with the last notes, and the scene."""
    at = "" if seq is None else f"?at={seq}"
    cut = f"{at or '?'}{'&' if at else ''}notes=100"
    told = await arena.asker.json(who, "GET", f"{battle.address}{cut}")
    drawn = await arena.asker.json(who, "GET", f"{battle.address}/scene{at}")
    return {**{name: told[name] for name in NAMES}, "scene": drawn["scene"]}


async def followers(
    node: NodeClient, arena: Arena, battle: Battle, **options: object
) -> dict[str, Followed]:
    """The battle as everybody with a token follows it."""
    everybody = {}
    for who in (battle.gm, *battle.people):
        encounter = battle.address.rsplit("/", 1)[1]
        await node.battle(who.name, arena.urls[0], who.token, encounter, service=IMPATIENT)
        everybody[who.name] = followed = await node.follow(who.name, scene=True, **options)
        await followed.begun()
    return everybody


async def played(arena: Arena, battle: Battle, events: int, number: int) -> None:
    """So many actions more that were accepted."""
    done = Play()
    playing = [asyncio.ensure_future(play(arena.asker, battle, number + at, done)) for at in (0, 1)]
    await until(lambda: done.accepted.total() >= events, seconds=5 * PATIENCE_SECONDS)
    done.enough.set()
    await asyncio.gather(*playing)


async def pause(arena: Arena, everybody: dict[str, Followed]) -> None:
    """The process does nothing until all have noticed, and hangs up on nobody."""
    process = arena.services[0]._process
    assert process is not None
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    try:
        await until(lambda: all(each.statuses[-1] == "offline" for each in everybody.values()))
    finally:
        os.kill(process.pid, signal.SIGCONT)


async def hold_the_same(
    node: NodeClient, arena: Arena, battle: Battle, everybody: dict[str, Followed]
) -> int:
    """Wait until everybody is at the head; each has what `GET` shows. The head."""
    head = (await do(arena.asker, battle, {"type": "note", "text": "the last"})).version
    people = {who.name: who for who in battle.everybody}
    for name, followed in everybody.items():
        await followed.at(head)
        assert await node.do(name, "document") == await document_at(arena, battle, people[name])
    return head


async def test_each_document_is_what_is_told_of_its_event(arena: Arena) -> None:
    _, key = await new_tenant(arena.dsns)
    battle = await begun(arena.asker, key, "crossfire-d6")
    async with node_client() as node:
        everybody = await followers(node, arena, battle, shows=True)
        await played(arena, battle, 12, 1)
        await hold_the_same(node, arena, battle, everybody)
        anna = next(who for who in battle.people if who.name == "anna")
        for line in everybody["anna"].lines:
            if line["record"]["type"] == "event":
                told = await document_at(arena, battle, anna, line["seq"])
                # A resync follows where earlier events show otherwise by now.
                if not everybody["anna"].of("resync"):
                    assert line["document"] == told
        assert everybody["anna"].statuses[:2] == ["catching_up", "live"]


async def through_trouble(arena: Arena, ruleset: str, rounds: int, *, has_pauses: bool) -> None:
    """Kills, orderly ends and pauses; nothing is missed or shown twice, and all hold the same."""
    _, key = await new_tenant(arena.dsns)
    battle = await begun(arena.asker, key, ruleset)
    [service] = arena.services
    async with node_client() as node:
        everybody = await followers(node, arena, battle, silenceSeconds=SILENCE_SECONDS)
        began = await hold_the_same(node, arena, battle, everybody)
        for number in range(rounds):
            await played(arena, battle, 10, 10 * number)
            service.kill()
            await asyncio.sleep(0.3)
            await service.start()
            await played(arena, battle, 10, 10 * number + 3)
            await asyncio.to_thread(service.stop)
            await service.start()
            await remark(arena.asker, battle, 80)
            await played(arena, battle, 5, 10 * number + 6)
            if has_pauses:
                await pause(arena, everybody)
            await played(arena, battle, 5, 10 * number + 8)
        head = await hold_the_same(node, arena, battle, everybody)
        await until(lambda: {each.statuses[-1] for each in everybody.values()} == {"live"})
        for followed in everybody.values():
            assert followed.seqs[followed.seqs.index(began) :] == list(range(began, head + 1))
            assert "offline" in followed.statuses


async def test_nothing_is_missed_or_told_twice_through_a_kill(arena: Arena) -> None:
    await through_trouble(arena, "seeker-d100", 1, has_pauses=False)


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_battles_of_all_rulesets_are_followed_through_trouble(
    arena: Arena, ruleset: str
) -> None:
    await through_trouble(arena, ruleset, 3, has_pauses=True)
