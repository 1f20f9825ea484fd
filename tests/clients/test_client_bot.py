"""The bot of the JavaScript client's README, run as it is there."""

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from service.eventstore.embedded import Dsns
from tests.clients.tools import NODE
from tests.clients.verifier import PACKAGE
from tests.kit.rigs import rig_of
from tests.live.arena import Arena, Battle, Tree, arena_of, begun, new_tenant
from tests.live.players import do
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

MOST_LINES: Final = 30
RULESET: Final = "seeker-d100"


def bot_of_readme() -> str:
    """The bot, from its first line to its last."""
    blocks = re.findall(r"```js\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    [bot] = [block for block in blocks if block.startswith("// node bot.mjs")]
    return str(bot)


async def narrated(arena: Arena, battle: Battle, seat: str, language: str) -> list[str]:
    """What is shown of each event to a seat."""
    path = f"{battle.address}/events?limit=64&narrate={language}&view={seat}"
    events = (await arena.asker.json(battle.gm, "GET", path))["events"]
    return [f"{each['seq']} {each['narration']}" for each in events if each.get("narration")]


async def asked(arena: Arena, battle: Battle) -> int:
    """Attack until somebody of ben's is asked; the event that asked."""
    for _ in range(6):
        view = await arena.asker.json(battle.gm, "GET", battle.address)
        target = "b1" if view["state"]["turn"].startswith("r") else "r1"
        attack = rig_of(RULESET).brawl.attack(view["state"]["turn"], target)
        answer = await do(arena.asker, battle, attack)
        if answer.decisions:
            return answer.version
    raise AssertionError("nobody is asked")


async def next_events(arena: Arena, battle: Battle, seq: int) -> list[Tree]:
    """What happens behind an event, once something does."""
    path = f"{battle.address}/events?after={seq}&wait=30"
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            events: list[Tree] = (await arena.asker.json(battle.gm, "GET", path))["events"]
            if events:
                return events


async def test_the_bot_tells_what_happens_and_passes(database: Dsns, tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "warlog").symlink_to(PACKAGE)
    (tmp_path / "bot.mjs").write_text(bot_of_readme())
    assert len(bot_of_readme().splitlines()) <= MOST_LINES
    async with arena_of(tmp_path, database, None, count=1) as arena:
        _, key = await new_tenant(arena.dsns)
        battle = await begun(arena.asker, key, RULESET)
        path = f"{battle.address}/seats/ben/invitation"
        invited = await arena.asker.json(battle.gm, "POST", path)
        pipe = asyncio.subprocess.PIPE
        bot = await asyncio.create_subprocess_exec(
            str(NODE),
            "bot.mjs",
            arena.urls[0],
            invited["invitation"]["code"],
            "ru",
            cwd=tmp_path,
            stdout=pipe,
            stderr=pipe,
        )
        try:
            [answer] = await next_events(arena, battle, await asked(arena, battle))
            event: Tree = answer.get("seen") or answer["event"]
            assert event["action"]["choice"] == {"type": "pass", "reason": "choice"}
            assert event["by"]["seat"] == "ben"
            await do(arena.asker, battle, {"type": "end_encounter", "reveal": "later"})
            async with asyncio.timeout(PATIENCE_SECONDS):
                said, complaints = await bot.communicate()
            assert complaints == b"", complaints.decode()
            lines = said.decode().splitlines()
            assert [line for line in lines if line[0].isdigit()] == await narrated(
                arena, battle, "ben", "ru"
            )
            assert "(live)" in lines
        finally:
            with suppress(ProcessLookupError):
                bot.kill()
