"""A load against its own services while things go wrong, and the proof afterwards."""

import asyncio
import logging
import time
from collections.abc import Coroutine, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import UUID

from msgspec import structs

from tests.durability.checker import Restore, tally
from tests.durability.driver import Battle, Key, Load, Mix
from tests.durability.history import Asked, Call, History, Told, read
from tests.durability.rig import Gauges, ServiceProcess, Store
from tests.durability.verifying import Evidence, verify
from tests.patience import PATIENCE_SECONDS

SOME = 12
"""Acknowledgements by which a service shows that it works."""

MOST_CONNECTIONS = 15
"""What the pools of a service may have: 10 to read, 3 to append, one to erase, one to probe."""

STATE_BLOCKS = 80_000
BLOCKS_PER_CALL = 2
STATE_BYTES = 64 << 20

Lost = tuple[Battle, str]
"""A battle and the tag of an event that it may not have any more."""

_log = logging.getLogger(__name__)


class Trial:
    """Use as a context; `suffer` what goes wrong, then `prove` that nothing was lost.

    `app` and `eraser` are the addresses the services reach the database by, if not its own.
    """

    def __init__(
        self,
        store: Store,
        folder: Path,
        mix: Mix | None = None,
        *,
        services: int = 1,
        app: str | None = None,
        eraser: str | None = None,
        **settings: str,
    ) -> None:
        self._store = store
        self._mix = mix or Mix()
        self.services = [
            ServiceProcess(folder, store.dsns, app=app, eraser=eraser, **settings)
            for _ in range(services)
        ]
        self._history = History(folder / "calls.jsonl")
        self._tenant: UUID
        self._keys: tuple[Key, ...]
        self._load: Load
        self._baselines: list[Gauges] = []

    async def __aenter__(self) -> Self:
        try:
            await self._begin()
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._end()

    async def _begin(self) -> None:
        self._tenant, self._keys = await self._store.holders()
        await asyncio.gather(*(service.start() for service in self.services))
        self._load = Load(self.urls, self._keys, self._history, self._mix)
        await self._load.prepare()
        await asyncio.sleep(0.1)
        self._baselines = [await service.gauges() for service in self.services]

    async def _end(self) -> None:
        self._history.close()
        for service in self.services:
            await asyncio.to_thread(service.stop)

    @property
    def urls(self) -> tuple[str, ...]:
        """Where the services are."""
        return tuple(service.url for service in self.services)

    @property
    def encounters(self) -> tuple[str, ...]:
        """The encounters played, the busiest first."""
        return tuple(battle.id for battle in self._load.battles)

    @property
    def key(self) -> Key:
        """A key of the load's tenant."""
        return self._keys[0]

    @property
    def acknowledged(self) -> int:
        """How many requests were acknowledged so far."""
        return self._load.acknowledged().total()

    def calls(self) -> tuple[Call, ...]:
        """Every call so far."""
        return read([self._history.path])

    def tell(self, asked: Asked, told: Told) -> None:
        """Write down a call that nobody made."""
        self._history.end(self._history.invoke(asked), told)

    async def suffer(self, *faults: Coroutine[object, object, None]) -> None:
        """Play; let everything go wrong that shall; see that every service continues by itself."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._load.run())
            await self.goes_on()
            await asyncio.gather(*faults)
            await self.goes_on()
            self._load.stop()

    async def goes_on(self) -> None:
        """Wait until every service has acknowledged some more: nobody had to help it."""
        before = now = self._load.acknowledged()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            now = self._load.acknowledged()
            if all(now[url] >= before[url] + SOME for url in self.urls):
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"acknowledged {before}, {PATIENCE_SECONDS} seconds later {now}")

    async def told(self, code: str) -> None:
        """Wait until some client has been shown this once more."""
        before = self._load.told(code)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._load.told(code) == before:
            if time.monotonic() > deadline:
                raise AssertionError(f"nobody is told {code}")
            await asyncio.sleep(0.01)

    def has_told(self, *codes: str) -> bool:
        """Whether clients have been shown each of these at least once."""
        return all(self._load.told(code) for code in codes)

    def has_told_any(self, *codes: str) -> bool:
        """Whether clients have been shown one of these at least once."""
        return any(self._load.told(code) for code in codes)

    async def heard_behind(self, heads: Mapping[str, tuple[int, str]]) -> Lost:
        """Wait until a client has heard of an event behind one of these heads."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (lost := self._load.lost_to(heads)) is None:
            if time.monotonic() > deadline:
                raise AssertionError("no battle goes on")
            await asyncio.sleep(0.01)
        return lost

    async def act_behind(self, lost: Lost) -> str | None:
        """Act on what a client heard of before it was lost; the code it is shown."""
        return await self._load.act_behind(*lost)

    async def snapshot_kept(self) -> None:
        """Wait until there is a snapshot of the busiest encounter."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not await self._store.snapshots(self.encounters[0]):
            if time.monotonic() > deadline:
                raise AssertionError("no snapshot is written")
            await asyncio.sleep(0.05)

    async def prove(self, restore: Restore | None = None) -> Mapping[str, int]:
        """Nothing was lost, doubled or left behind; how many calls of which kind there were.

        `restore` says what a restored backup had; calls that it undid are not held against it.
        """
        gauges = await self._drained()
        calls = self.calls()
        counts = tally(calls)
        _log.info("%s", counts)
        left = [
            line
            for now, before in zip(gauges, self._baselines, strict=True)
            for line in left_behind(now, before, len(calls))
        ]
        left += await self._store.busy_sessions()
        left += [line for service in self.services for line in service.complaints()]
        left += [f"{each} was never asked for" for each in await self._strangers()]
        evidence = Evidence(calls=calls, tenant=self._tenant, key=self.key, restore=restore)
        found = await verify(self._store.dsns, self.urls, evidence)
        wrong = [f"{each.code} in {each.encounter}: {each.detail}" for each in found]
        assert not left + wrong, "\n".join(left + wrong)
        return counts

    async def _strangers(self) -> set[str]:
        """Encounters of the tenant that nobody created."""
        return await self._store.encounters(self._tenant) - set(self.encounters)

    async def _drained(self) -> list[Gauges]:
        """Wait until the services hold nothing that they did not hold at first, or for too long.

        What they hold then: a look a moment later may meet one of the rounds they make.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            gauges = [await service.gauges() for service in self.services]
            pairs = zip(gauges, self._baselines, strict=True)
            is_over = time.monotonic() > deadline
            if is_over or all(
                now.tasks <= old.tasks and now.handles <= old.handles for now, old in pairs
            ):
                return gauges
            await asyncio.sleep(0.1)


def left_behind(now: Gauges, before: Gauges, calls: int) -> list[str]:
    """What a service holds that it should have let go of after so many calls.

    Connections to the database are kept, as many as the pools may have; memory is kept for the
    states of encounters, which grow a little with their logs.
    """
    most = {
        "tasks": before.tasks,
        "handles": before.handles,
        "connections": MOST_CONNECTIONS,
        "blocks": before.blocks + STATE_BLOCKS + BLOCKS_PER_CALL * calls,
        "resident": before.resident + STATE_BYTES,
    }
    held = structs.asdict(now)
    return [
        f"{name}: {held[name]}, at most {most[name]}" for name in most if held[name] > most[name]
    ]
