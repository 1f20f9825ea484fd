"""Which database a command works on: the configured one, or the private one started for it."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TypeVar

from msgspec import Struct

from service.errors import Unavailable
from service.eventstore.driver_errors import DRIVER_ERRORS, translated
from service.eventstore.embedded import EmbeddedPostgres
from service.eventstore.processes import require_allowed
from service.eventstore.role_settings import put_settings
from service.eventstore.session import NAME, one_session
from service.eventstore.store import EventStore
from service.eventstore.upgrades import finish_upgrade
from service.releases import BUILD, RELEASES
from service.settings import Settings

SECONDS = 10.0
"""How long a connection, or an answer, is waited for."""

T = TypeVar("T")


class Addresses(Struct, frozen=True, kw_only=True):
    """The addresses of one database by role: serving, schema owner, eraser (None: none)."""

    serve: str
    migrate: str
    erase: str | None
    is_embedded: bool

    def __repr__(self) -> str:
        """Name nothing: addresses hold passwords."""
        return "Addresses(...)"


@contextmanager
def open_database(settings: Settings) -> Iterator[Addresses]:
    """Give the addresses of the database; the private one runs as long as the block.

    Blocks while the private server starts: call it outside any event loop.
    Raises EmbeddedError if that fails.
    """
    if settings.database_url is not None:
        yield Addresses(
            serve=settings.database_url,
            migrate=settings.migrate_url or settings.database_url,
            erase=settings.erase_url,
            is_embedded=False,
        )
        return
    folder = settings.data_dir / "postgres"
    with EmbeddedPostgres(folder, user=settings.embedded_user) as dsns:
        yield Addresses(serve=dsns.app, migrate=dsns.owner, erase=dsns.eraser, is_embedded=True)


async def bring_up_to_date(addresses: Addresses) -> None:
    """Migrate to the newest schema, give each role its rights and put its settings on it.

    Where one role does everything (no WARLOG_MIGRATE_URL) there is nobody to grant to; nor does
    the schema's owner get settings, whose limits are not for those who look after the database.
    On the private database an upgrade is finished at once, unless an older build uses it just now.
    Raises BuildTooOld where a newer build has finished one there.
    """
    owner = await _role_of(addresses.migrate)
    app = await _role_of(addresses.serve)
    eraser = await _role_of(addresses.erase) if addresses.erase else owner
    others = {app: addresses.serve, eraser: addresses.erase, owner: None}
    # What migrates takes longer to import than all that serves, and most that serve never migrate.
    await import_module("service.eventstore.migrate").upgrade(
        addresses.migrate,
        app_role=app if others[app] else None,
        eraser_role=eraser if others[eraser] else None,
    )
    for address in others.values():
        if address is not None:
            await put_settings(address)
    if addresses.is_embedded:
        await finish_upgrade(addresses.migrate, RELEASES)


async def require_allowed_build(address: str) -> None:
    """Raises BuildTooOld if the operator has finished an upgrade to a release after this build.

    A database that cannot say so, such as one that is not migrated, allows every build.
    """
    store = await EventStore.open(address, pool_size=1)
    try:
        lowest = await store.processes.lowest_release()
    except Unavailable:
        return
    finally:
        await store.close()
    require_allowed(BUILD, lowest)


async def with_store(addresses: Addresses, work: Callable[[EventStore], Awaitable[T]]) -> T:
    """Do something with the store; the private database is brought up to date first."""
    if addresses.is_embedded:
        await bring_up_to_date(addresses)
    store = await EventStore.open(addresses.serve, eraser_url=addresses.erase, pool_size=1)
    try:
        return await work(store)
    finally:
        await store.close()


async def _role_of(address: str) -> str:
    """Ask the server who we are: an address need not name its user."""
    try:
        connection = await one_session(
            address, seconds=SECONDS, answer_seconds=SECONDS, settings=NAME
        )
    except DRIVER_ERRORS as error:
        raise translated(error) from error
    try:
        async with connection.transaction():
            return str(await connection.fetchval("SELECT current_user"))
    finally:
        await connection.close()
