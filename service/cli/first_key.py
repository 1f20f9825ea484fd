"""The key of the owner of a new database: made once, and shown where only the owner reads it.

How this works. What a process prints is often kept: by a container engine, systemd or nohup. So the
key is printed on a terminal only. Elsewhere it is written to a file that only its user may read.
With neither a terminal nor a file no key is made. The tenant is made first: of several processes
that start on a new database, only the one that makes the tenant makes a key.
"""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from uuid import UUID

from service.api.authentication import SECRET_BYTES, hash_of, token_of
from service.app import system_sources
from service.console import err, escaped, out
from service.encounters.clock_and_ids import new_id
from service.encounters.principal import SCOPES
from service.errors import DatabaseAway, NameTaken
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from service.settings import Settings

FIRST_TENANT: Final = "owner"
START_SECONDS: Final = 30
KNOWN_TO_NOBODY: Final = ("28", "3D")
"""How SQLSTATEs begin that say: no such user, no such database."""

CREATE: Final = f"warlog keys create NAME --tenant {FIRST_TENANT}"


async def provide_first_key(settings: Settings, database_url: str) -> None:
    """Make the owner's key if the database has no key, and show it or write it to a file.

    Waits for a database that is not up yet. Raises DatabaseAway when that takes too long, and at
    once if the server is up and knows no such database or user.
    """
    store = await EventStore.open(database_url, pool_size=1)
    try:
        for _ in range(START_SECONDS):
            try:
                return await _provide(store, settings)
            except DatabaseAway as away:
                if str(away.params.get("sqlstate", "")).startswith(KNOWN_TO_NOBODY):
                    raise
                await asyncio.sleep(1)
        await _provide(store, settings)
    finally:
        await store.close()


async def _provide(store: EventStore, settings: Settings) -> None:
    if await store.access.has_api_keys():
        return
    try:
        tenant = await store.access.create_tenant(new_id(system_sources()), FIRST_TENANT)
    except NameTaken:
        # Another process does the same at this moment, or was ended between the two steps.
        err.print(f"there may be no key yet: {CREATE}")
        return
    token = token_of(system_sources().random(SECRET_BYTES))
    if settings.first_key_file is None and sys.stdout.isatty():
        await _store_key(store, tenant.id, token)
        out.print("\nThis database is new. The key of its owner, shown only now:\n")
        out.print(f"    {token}\n")
        out.print("More keys are made with 'warlog keys create'.\n")
        return
    file = settings.first_key_file or settings.spare_key_file
    if file is None:
        out.print(f"\nThis database is new and has no key. Make one: {CREATE}\n")
        return
    name = escaped(str(file))
    try:
        with _written(file, token):
            await _store_key(store, tenant.id, token)
    except OSError as error:
        out.print(
            f"\nThis database is new and has no key, because {name} cannot be written"
            f" ({error.strerror}). Make one: {CREATE}\n"
        )
        return
    out.print(f"\nThis database is new. The key of its owner is in {name}\n")


async def _store_key(store: EventStore, tenant: UUID, token: str) -> None:
    await store.access.create_api_key(
        NewApiKey(
            id=new_id(system_sources()),
            tenant=tenant,
            name=FIRST_TENANT,
            secret_hash=hash_of(token),
            scopes=SCOPES,
        )
    )


@contextmanager
def _written(file: Path, token: str) -> Iterator[None]:
    """A new file of mode 0600 that holds the key; it is removed if the block fails.

    Raises OSError, such as FileExistsError: an existing file may hold the key of another database.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(f"{token}\n")
            opened.flush()
            os.fsync(opened.fileno())
        yield
    except BaseException:
        file.unlink(missing_ok=True)
        raise
