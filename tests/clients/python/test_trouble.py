"""The client through lost answers, kills, restarts and pauses of a real service process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from service.eventstore.embedded import Dsns
from tests.api.serving import START, Caller
from tests.clients.python.trouble import LossyProxy
from tests.durability.rig import ServiceProcess
from tests.encounters.random_actions import RULESETS, anything, battle, reply
from tests.live.arena import GENEROUS, new_tenant
from tests.patience import until
from warlog import AsyncBattle, AsyncWarlog, Event, Patience, Problem, Unreachable

pytestmark = pytest.mark.slow

STUBBORN: Final = Patience(tries=4000, first_seconds=0.02, longest_seconds=0.2, silence_seconds=12)
"""Silence is longer than between two heartbeats, so that a slow machine is not taken for silent."""

SEATS: Final = (None, "rita", "olaf")


class Follower:
    """Somebody who follows from the beginning, with the events that were shown."""

    def __init__(self, table: AsyncBattle) -> None:
        self.table = table
        self.seqs: list[int] = []
        self.task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        async for record in self.table.follow(after=0):
            if isinstance(record, Event):
                self.seqs.append(record.seq)

    async def stop(self) -> None:
        """Follow no more; raises what ended it before."""
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task


async def act_somehow(table: AsyncBattle, ruleset: str, chance: Random) -> None:
    """One attempt of the game master."""
    view = await table.read()
    if view.decisions and chance.random() < 0.8:
        asked = {"id": view.decisions[0].id, "options": view.decisions[0].options}
        action, _ = reply(chance, ruleset, asked)
    elif chance.random() < 0.5:
        nodes = (await table.legal_actions()).actions
        action = chance.choice(nodes).random(chance) if nodes else {"type": "note", "text": "hm"}
    else:
        action = anything(chance, ruleset, view.seq, view.state)
    with contextlib.suppress(Problem):
        await table.act(action)


async def held_is_told(follower: Follower) -> None:
    """Wait for the end of the log; what is held is what `GET` shows."""
    table = follower.table
    view = await table.read()
    await until(lambda: table.seq == view.seq, lambda: (table.seq, view.seq, table.status))
    assert (table.state, table.table, table.decisions) == (view.state, view.table, view.decisions)
    assert follower.seqs == list(range(1, view.seq + 1))


async def see_through(
    dsns: Dsns, folder: Path, rulesets: tuple[str, ...], actions: int, blows: int
) -> None:
    """Battles that are played while their service is killed, started again, and stands still."""
    chance = Random(actions)
    _, key = await new_tenant(dsns)
    service = ServiceProcess(folder, dsns, **GENEROUS)
    await service.start()
    followers: list[Follower] = []
    async with AsyncWarlog(service.url, key, patience=STUBBORN) as warlog:
        tables = {}
        for ruleset in rulesets:
            created = await warlog.create_encounter(battle(ruleset, "sealed"))
            tables[ruleset] = warlog.battle(created.encounter)
            await tables[ruleset].act(START)
            followers += [Follower(warlog.battle(created.encounter, seat=seat)) for seat in SEATS]
        playing = [
            asyncio.create_task(play(table, ruleset, actions)) for ruleset, table in tables.items()
        ]
        try:
            for _ in range(blows):
                await asyncio.sleep(chance.uniform(0.2, 1))
                service.kill()
                await service.start()
                await asyncio.sleep(chance.uniform(0.2, 1))
                await stand_still(service, followers)
            await asyncio.gather(*playing)
            for follower in followers:
                await held_is_told(follower)
        finally:
            for each in playing:
                each.cancel()
            for follower in followers:
                await follower.stop()
    assert service.complaints() == []
    service.stop()


async def stand_still(service: ServiceProcess, followers: list[Follower]) -> None:
    """The process does nothing until all have noticed, and hangs up on nobody."""
    service.pause()
    try:
        await until(lambda: {each.table.status for each in followers} == {"offline"})
    finally:
        service.resume()


async def play(table: AsyncBattle, ruleset: str, actions: int) -> None:
    """So many attempts."""
    chance = Random(ruleset)
    for _ in range(actions):
        await act_somehow(table, ruleset, chance)
        await asyncio.sleep(0.02)


async def test_state_stays_equal_through_a_kill_and_a_pause(database: Dsns, tmp_path: Path) -> None:
    await see_through(database, tmp_path, RULESETS, 12, 1)


@pytest.mark.soak
async def test_state_stays_equal_through_many_kills_and_pauses(
    database: Dsns, tmp_path: Path
) -> None:
    await see_through(database, tmp_path, RULESETS, 400, 10)


@pytest.fixture
async def lossy(caller: Caller) -> AsyncIterator[LossyProxy]:
    """The service behind a network that loses three answers of ten."""
    async with LossyProxy(caller.url, Random(7), 0.3) as proxy:
        yield proxy


async def test_nothing_is_done_twice_when_answers_are_lost(
    lossy: LossyProxy, caller: Caller
) -> None:
    patience = Patience(tries=60, first_seconds=0.001, longest_seconds=0.01)
    async with AsyncWarlog(lossy.url, caller.token, patience=patience) as warlog:
        created = await warlog.create_encounter(battle("seeker-d100", "sealed"))
        table = warlog.battle(created.encounter)
        await table.act(START)
        follower = Follower(warlog.battle(created.encounter))
        notes = [f"note {number}" for number in range(60)]
        for text in notes:
            await table.act({"type": "note", "text": text})
        added = [
            (await table.add_seat({"id": f"seat{number}", "role": "observer"})).version
            for number in range(5)
        ]
        lost, lossy.loss = lossy.lost, 0.0
        await held_is_told(follower)
        await follower.stop()
        log = [event async for event in table.log()]
    assert lost > 20
    battles = caller.get("/v1/encounters?ruleset=seeker-d100&order=newest").json()["encounters"]
    assert [each["encounter"] for each in battles][:1] == [created.encounter]
    assert [each.action["text"] for each in log if each.action["type"] == "note"] == notes
    assert [each.seq for each in log if each.action["type"] == "add_seat"] == added


async def test_an_answer_that_never_comes_is_said_with_its_key(caller: Caller) -> None:
    encounter = caller.started()
    patience = Patience(tries=3, first_seconds=0.001)
    async with (
        LossyProxy(caller.url, Random(1), 1.0) as proxy,
        AsyncWarlog(proxy.url, caller.token, patience=patience) as warlog,
    ):
        table = warlog.battle(encounter.rpartition("/")[2])
        with pytest.raises(Unreachable) as raised:
            await table.act({"type": "note", "text": "once"})
        assert (proxy.lost, raised.value.outcome_unknown) == (3, True)
        proxy.loss = 0.0
        again = await table.act({"type": "note", "text": "once"}, key=raised.value.key)
    assert again.version == 3
    assert caller.head(encounter)[1] == 3
