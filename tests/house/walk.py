"""The walk of one action: which files of the service a warm shot runs through, and how often.

    .venv/bin/python -m tests.house.walk

How this works. The service runs in a thread of this process, on a private database. A profiler sees
every call of a Python function there; of those under `service/` the file is noted while the second
ranged attack of the README's example is answered. Fewer files and fewer changes of file are fewer
places to look at for whoever follows an action. Clock and random bytes are fixed, so the dice fall
alike in every run. Calls of tasks that the service started with are left out: they run by the
clock, not for this action.
"""

import asyncio
import json
import secrets
import socket
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.client import HTTPResponse
from pathlib import Path
from types import FrameType
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from service.app import build
from service.encounters.clock_and_ids import Sources
from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns, EmbeddedPostgres
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from tests.api.serving import Caller, Served, new_key, settings_for
from tests.clients.bodies import shown_in_readme
from tests.conftest import user_of
from tests.house.tree import SERVICE
from tests.patience import PATIENCE_SECONDS, PATIENT

INSIDE: Final = str(SERVICE) + "/"
SHOT: Final = {"type": "ranged_attack", "combatant": "mara", "weapon": "rifle", "target": "ghoul"}
MOMENT: Final = datetime(2026, 1, 1, tzinfo=UTC)
BATTLES: Final = (3, 6)
"""The random byte of each battle, from which its id, seed and dice follow: in both the second shot
hits and wounds. The first one warms up what the process looks up once; the second one counts."""


class Walk:
    """The files that calls went to, one after another."""

    def __init__(self) -> None:
        self.files: list[str] = []

    @property
    def changes(self) -> int:
        """How often a call went to another file than the one before."""
        return sum(a != b for a, b in zip(self.files, self.files[1:], strict=False))


class OneByte:
    """Random bytes that are all the same."""

    def __init__(self) -> None:
        self.byte = 0

    def __call__(self, count: int) -> bytes:
        return bytes([self.byte]) * count


class Observer:
    """Sees the calls in the loop of a service; those on behalf of requests belong to `walk`."""

    def __init__(self) -> None:
        self.walk: Walk | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._resident: set[asyncio.Task[Any]] = set()

    def see(self, frame: FrameType, what: str, _: Any) -> None:
        """Take note of a call; the signature is that of `sys.setprofile`."""
        file = frame.f_code.co_filename
        if what != "call" or not file.startswith(INSIDE):
            return
        if self._loop is None:
            self._loop = _loop_here()
        elif self.walk is not None and not self._is_by_itself(frame):
            self.walk.files.append(file.removeprefix(INSIDE))

    def _is_by_itself(self, frame: FrameType) -> bool:
        """Whether the service does this by the clock, or in another thread."""
        if _loop_here() is None or frame.f_code.co_qualname == "Servers._check":
            return True
        return asyncio.current_task() in self._resident

    def begin(self) -> None:
        """The service is up: its tasks are those that last."""
        self._in_loop(self._note_resident())

    def taken(self) -> Walk:
        """The walk from now on, until `end`; nothing of earlier requests is under way."""
        self._in_loop(self._quiet())
        self.walk = walk = Walk()
        return walk

    def end(self) -> None:
        """Wait until all that the last request set off is done, and see no more."""
        self._in_loop(self._quiet())
        self.walk = None

    def _in_loop(self, work: Coroutine[None, None, None]) -> None:
        assert self._loop is not None, "nothing was seen of the service"
        asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_SECONDS)

    async def _note_resident(self) -> None:
        self._resident = asyncio.all_tasks() - {asyncio.current_task()}

    async def _quiet(self) -> None:
        here = {asyncio.current_task()}
        while others := asyncio.all_tasks() - self._resident - here:
            await asyncio.wait(others)


def _loop_here() -> asyncio.AbstractEventLoop | None:
    """The loop that runs in this thread, if one does."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


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


def shoot(connection: socket.socket, encounter: str, token: str) -> None:
    """Send the shot in one piece, so that the service reads it at once, and take the answer."""
    body = json.dumps({"action": SHOT})
    request = (
        f"POST {encounter}/actions HTTP/1.1\r\nHost: warlog\r\nAuthorization: Bearer {token}\r\n"
        f"Idempotency-Key: {secrets.token_hex(8)}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    )
    connection.sendall(request.encode())
    answer = HTTPResponse(connection)
    answer.begin()
    text = answer.read()
    assert answer.status == 201, text


def walked(dsns: Dsns, token: str) -> Walk:
    """The walk of the second ranged attack of the README's example; once in each database."""
    creation = next(body for path, body in shown_in_readme() if path == "/v1/encounters")
    settings, observer, walk = settings_for(dsns), Observer(), Walk()
    random = OneByte()
    edge = build(settings, sources=Sources(now=lambda: MOMENT, random=random), patience=PATIENT)
    with (
        seen(observer),
        Served(settings, edge=edge) as served,
        Caller(served.url, token) as caller,
    ):
        observer.begin()
        address = urlsplit(served.url)
        for random.byte in BATTLES:
            encounter = caller.create(creation)
            caller.act(encounter, {"type": "start_encounter"})
            with socket.create_connection((address.hostname, address.port)) as own:
                shoot(own, encounter, token)
                walk = observer.taken()
                shoot(own, encounter, token)
                observer.end()
    return walk


def main() -> None:
    """Print the walk, on a private database."""
    with (
        tempfile.TemporaryDirectory(prefix="warlog-walk-") as folder,
        postgres(Path(folder)) as dsns,
    ):
        sys.stdout.write(f"{report(walked(dsns, asyncio.run(prepared(dsns))))}\n")


if __name__ == "__main__":
    main()
