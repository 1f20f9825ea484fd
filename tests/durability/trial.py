"""A load against services of its own while things go wrong, and the proof afterwards."""

import asyncio
import logging
import time
from collections.abc import Coroutine, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import UUID

from tests.durability.checker import tally
from tests.durability.driver import Key, Load, Mix
from tests.durability.history import History, read
from tests.durability.rig import Gauges, ServiceProcess, Store
from tests.durability.verifying import verify

CALM_SECONDS = 0.3
DRAIN_SECONDS = 15.0

_log = logging.getLogger(__name__)


class Trial:
    """Use as a context; `suffer` what goes wrong, then `prove` that nothing was lost.

    `app` is the address the services reach the database by, if not its own.
    """

    def __init__(
        self,
        store: Store,
        folder: Path,
        mix: Mix | None = None,
        *,
        services: int = 1,
        app: str | None = None,
        **settings: str,
    ) -> None:
        self._store = store
        self._mix = mix or Mix()
        self.services = [
            ServiceProcess(folder, store.dsns, app=app, **settings) for _ in range(services)
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

    async def suffer(self, *faults: Coroutine[object, object, None]) -> None:
        """Play, with a calm moment before and after whatever goes wrong."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._load.run())
            await asyncio.sleep(CALM_SECONDS)
            await asyncio.gather(*faults)
            await asyncio.sleep(CALM_SECONDS)
            self._load.stop()

    async def prove(self) -> Mapping[str, int]:
        """Nothing was lost, doubled or left behind; how many calls of which kind there were."""
        held = await self._drained()
        calls = read([self._history.path])
        counts = tally(calls)
        _log.info("%s", counts)
        found = await verify(self._store.dsns, self._tenant, self.key, self.urls, calls)
        wrong = [f"{each.code} in {each.encounter}: {each.detail}" for each in found]
        wrong += [line for service in self.services for line in service.complaints()]
        wrong += [
            f"held {now}, once {before}"
            for now, before in zip(held, self._baselines, strict=True)
            if not _is_within(now, before)
        ]
        assert not wrong, "\n".join(wrong)
        return counts

    async def _drained(self) -> list[Gauges]:
        """What the services hold once they have nothing left to do."""
        deadline = time.monotonic() + DRAIN_SECONDS
        while True:
            held = [await service.gauges() for service in self.services]
            is_drained = all(map(_is_within, held, self._baselines))
            if is_drained or time.monotonic() > deadline:
                return held
            await asyncio.sleep(0.2)


def _is_within(now: Gauges, before: Gauges) -> bool:
    return now.tasks <= before.tasks and now.handles <= before.handles
