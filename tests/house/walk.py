"""The walk of one action: which files of the service a warm shot runs through, and how often.

    .venv/bin/python -m tests.house.walk

How this works. The service runs in a thread of this process, on a private database. A profiler sees
every call of a Python function there; of those under `service/` the file is noted while the second
ranged attack of the README's example is answered. Fewer files and fewer changes of file are fewer
places to look at for whoever follows an action. The dice make a walk longer or shorter, so the
example is played several times and the walk in the middle counts.
"""

import asyncio
import secrets
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final
from uuid import UUID

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns, EmbeddedPostgres
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from tests.api.serving import Caller, Served, new_key, settings_for
from tests.clients.bodies import shown_in_readme
from tests.conftest import user_of
from tests.house.tree import SERVICE

INSIDE: Final = str(SERVICE) + "/"
BATTLES: Final = 7


class Walk:
    """The files that calls went to, one after another."""

    def __init__(self) -> None:
        self.files: list[str] = []

    @property
    def changes(self) -> int:
        """How often a call went to another file than the one before."""
        return sum(a != b for a, b in zip(self.files, self.files[1:], strict=False))


class Observer:
    """Sees the calls of all threads; `walk` is the one that they belong to, if any."""

    def __init__(self) -> None:
        self.walk: Walk | None = None

    def see(self, frame: FrameType, what: str, _: Any) -> None:
        """Take note of a call; the signature is that of `sys.setprofile`."""
        walk, file = self.walk, frame.f_code.co_filename
        if walk is not None and what == "call" and file.startswith(INSIDE):
            walk.files.append(file.removeprefix(INSIDE))


@contextmanager
def seen(observer: Observer) -> Iterator[None]:
    """Every thread that begins inside is seen."""
    threading.setprofile(observer.see)
    try:
        yield
    finally:
        threading.setprofile(None)


def report(walk: Walk) -> str:
    """Counts, and the files with most calls."""
    counted = Counter(walk.files)
    lines = [f"{len(counted)} files, {walk.changes} changes of file, {len(walk.files)} calls"]
    return "\n".join([*lines, *(f"{count:>5}  {name}" for name, count in counted.most_common())])


async def prepared(dsns: Dsns) -> str:
    """The schema, a tenant and a key of it."""
    await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
    store = await EventStore.open(dsns.app, pool_size=1)
    try:
        tenant = await store.access.create_tenant(UUID(bytes=secrets.token_bytes(16)), "walk")
        return await new_key(store, tenant.id, SCOPES)
    finally:
        await store.close()


@contextmanager
def postgres(folder: Path) -> Iterator[Dsns]:
    folder.chmod(0o755)
    with EmbeddedPostgres(folder / "postgres", durable=False) as dsns:
        yield dsns


def walked() -> Walk:
    """The walk of the second ranged attack of the README's example, of median length."""
    creation = next(body for path, body in shown_in_readme() if path == "/v1/encounters")
    shot = {"type": "ranged_attack", "combatant": "mara", "weapon": "rifle", "target": "ghoul"}
    observer, walks = Observer(), [Walk() for _ in range(BATTLES)]
    with (
        tempfile.TemporaryDirectory(prefix="warlog-walk-") as folder,
        postgres(Path(folder)) as dsns,
    ):
        token = asyncio.run(prepared(dsns))
        with (
            seen(observer),
            Served(settings_for(dsns)) as served,
            Caller(served.url, token) as caller,
        ):
            for walk in walks:
                address = caller.create(creation)
                caller.act(address, {"type": "start_encounter"})
                caller.act(address, shot)
                observer.walk = walk
                caller.act(address, shot)
                observer.walk = None
    return sorted(walks, key=lambda walk: walk.changes)[BATTLES // 2]


if __name__ == "__main__":
    sys.stdout.write(f"{report(walked())}\n")
