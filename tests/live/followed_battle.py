"""A battle that is played and followed while something goes wrong, and what must come of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from msgspec import Struct

from tests.live.arena import Arena, Battle, begun, new_tenant
from tests.live.players import Play, erased_in, play
from tests.live.subscribers import Book, Subscriber, spread
from tests.patience import PATIENCE_SECONDS, until
from warlog import AsyncBattle, Event, Hello

SHOWN: Final = 20

Trouble = Callable[[Callable[[int], Awaitable[None]]], Awaitable[None]]
"""Makes things go wrong; may wait for so many more events in between."""


class Scale(Struct, frozen=True, kw_only=True):
    """How many follow and play, for how many seconds a subscriber stays, a writer thinks.

    It is not over before the subscribers have come `visits` times on average.
    """

    subscribers: int = 40
    writers: int = 5
    restless: float = 0.5
    think_seconds: float = 0.02
    visits: float = 1.0


async def see_it_through(
    arena: Arena, ruleset: str, trouble: Trouble, scale: Scale
) -> list[Subscriber]:
    """Play and follow a new battle while `trouble` happens; everybody ends with what they may see.

    The subscribers, when all is over.
    """
    _, key = await new_tenant(arena.dsns)
    battle = await begun(arena.asker, key, ruleset)
    everybody = spread(
        Book(), battle.everybody, battle.address, arena.urls, scale.subscribers, scale.restless
    )
    done = Play()
    held = [
        HeldBattle(arena.asker.table(who, battle.address, at % len(arena.urls)))
        for at, who in enumerate((battle.gm, *battle.people))
    ]
    async with followed([*everybody, *held]):
        async with asyncio.TaskGroup() as group:
            for number in range(scale.writers):
                group.create_task(play(arena.asker, battle, number, done, scale.think_seconds))
            await trouble(lambda count: some_more(done, count))
            await enough_came(everybody, scale.visits)
            done.enough.set()
        await prove(arena, battle, everybody)
        for each in held:
            await each.prove()
    return everybody


class HeldBattle:
    """A battle as the client for Python holds it, followed from its beginning."""

    def __init__(self, table: AsyncBattle) -> None:
        self.table = table
        self.seqs: list[int] = []
        self.hellos = 0

    async def follow(self) -> None:
        """Follow until cancelled."""
        async for record in self.table.follow(after=0):
            if isinstance(record, Event):
                self.seqs.append(record.seq)
            self.hellos += isinstance(record, Hello)

    async def prove(self) -> None:
        """It was shown everything once, in order, and holds what the service shows whoever asks."""
        table, view = self.table, await self.table.read()
        document = {"decisions": view.decisions, "state": view.state, "table": view.table}
        await until(lambda: table.seq == view.seq, lambda: (table.seq, view.seq, table.status))
        # Where old events show otherwise by now, the whole of it follows the last of them.
        await until(lambda: self.document == document, lambda: (self.document, document))
        assert self.seqs == list(range(1, view.seq + 1))

    @property
    def document(self) -> dict[str, object]:
        """What it holds."""
        table = self.table
        return {"decisions": table.decisions, "state": table.state, "table": table.table}


async def some_more(done: Play, count: int) -> None:
    """Wait until so many more actions were accepted."""
    before = done.accepted.total()
    await until(
        lambda: done.accepted.total() >= before + count,
        lambda: f"no more than {done.accepted.total() - before} of {count} events",
        PATIENCE_SECONDS,
    )


async def enough_came(everybody: Sequence[Subscriber], visits: float) -> None:
    """Wait until subscribers have come so often on average."""

    def came() -> int:
        return sum(each.connects for each in everybody)

    await until(
        lambda: came() >= visits * len(everybody), lambda: f"came: {came()}", PATIENCE_SECONDS
    )


@asynccontextmanager
async def followed(everybody: Sequence[Subscriber | HeldBattle]) -> AsyncIterator[None]:
    """Have these follow meanwhile; they are greeted before it begins."""
    tasks = [asyncio.create_task(each.follow()) for each in everybody]
    try:
        await until(
            lambda: all(each.hellos for each in everybody) or any(map(_failed, tasks)),
            lambda: f"greeted: {sum(bool(each.hellos) for each in everybody)}",
            PATIENCE_SECONDS,
        )
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in tasks:
        if _failed(task):
            task.result()


def _failed(task: asyncio.Task[None]) -> bool:
    return task.done() and not task.cancelled() and task.exception() is not None


async def prove(arena: Arena, battle: Battle, everybody: Sequence[Subscriber]) -> None:
    """All have heard everything they may see, once, in order, as the log shows it to them."""
    whole = await arena.asker.log(battle.gm, battle.address)
    head = len(whole)
    await until(
        lambda: all(each.seq >= head for each in everybody),
        lambda: [(each.who.name, each.seq, each.flaws) for each in everybody if each.seq < head],
        PATIENCE_SECONDS,
    )
    erased = erased_in([bytes(event.event) for event in whole.values()])
    flaws = list(everybody[0].book.flaws)
    for who in {each.who: None for each in everybody}:
        log = await arena.asker.log(who, battle.address)
        for each in everybody:
            if each.who is who:
                flaws += each.compared(log, head, erased)
    assert not flaws, "\n".join([f"{len(flaws)} flaws", *flaws[:SHOWN]])
