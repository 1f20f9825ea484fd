"""`warlog migrate`: bring the database's schema up to date, and finish an upgrade."""

import asyncio
import os
from typing import Annotated

import typer

from service.cli.database import Addresses, bring_up_to_date, open_database
from service.cli.upgrade_words import FINISH, held_words, users_of
from service.console import AsJson, err, escaped, out, print_json
from service.eventstore.migrate import current
from service.eventstore.store import EventStore
from service.eventstore.upgrades import Finish, finish_upgrade
from service.exits import Exit
from service.releases import RELEASES, newest_of
from service.settings import from_environment


def migrate(
    *,
    finish: Annotated[
        bool,
        typer.Option(
            "--finish",
            help="Finish the upgrade too: allow what this release brought, and no older build.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring the database up to date and give its roles their rights.

    Works on WARLOG_DATABASE_URL, as the owner of the schema that WARLOG_MIGRATE_URL names; roles
    and database must exist (deploy/roles.sql). Without WARLOG_DATABASE_URL, on the private
    database, where 'warlog serve' does the same by itself. Doing it twice does no harm.

    A release may bring versions of rulebooks, actions and options that the release before cannot
    read. They are held back until the upgrade is finished, so that both releases can serve
    meanwhile, and the one before can be started again. Replace all processes, then run
    'warlog migrate --finish'. While a process or a database session of an older build lives,
    --finish lists it, changes nothing and exits with 1. Afterwards older builds do not start.
    An empty database and the private one need no --finish.
    """
    with open_database(from_environment(os.environ)) as addresses:
        before, after = asyncio.run(_migrate(addresses))
        finished = asyncio.run(finish_upgrade(addresses.migrate, RELEASES)) if finish else None
        lowest = asyncio.run(_lowest_release(addresses))
    held = held_words(lowest, RELEASES)
    if as_json:
        told: dict[str, object] = {"before": before, "after": after, "held_back": held}
        if finished is not None:
            told["finish"] = {
                "before": finished.before,
                "release": finished.release,
                "is_finished": finished.is_finished,
                "processes": finished.older.processes,
                "sessions": finished.older.sessions,
            }
        print_json(told)
    else:
        _tell_schema(before, after)
        if finished is not None:
            _tell_finish(finished)
        elif held:
            out.print(
                f"the upgrade from {lowest} to {newest_of(lowest, RELEASES)} is not finished; held"
                f" back until '{FINISH}': {', '.join(held)}"
            )
    if finished is not None and not finished.is_finished:
        raise typer.Exit(Exit.WRONG)


async def _migrate(addresses: Addresses) -> tuple[str | None, str | None]:
    before = await current(addresses.migrate)
    await bring_up_to_date(addresses)
    return before, await current(addresses.migrate)


async def _lowest_release(addresses: Addresses) -> str:
    store = await EventStore.open(addresses.migrate, pool_size=1)
    try:
        return await store.processes.lowest_release()
    finally:
        await store.close()


def _tell_schema(before: str | None, after: str | None) -> None:
    if before == after:
        out.print(f"up to date at {after}")
    else:
        out.print(f"migrated from {before or 'an empty database'} to {after}")


def _tell_finish(finish: Finish) -> None:
    if not finish.is_finished:
        err.print(
            f"the upgrade from {finish.before} to {finish.release} cannot be finished: older"
            " builds use the database. Stop them, then try again:"
        )
        for line in users_of(finish.older):
            err.print(f"    {escaped(line)}")
    elif finish.before == finish.release:
        out.print(f"there is no upgrade to finish: {finish.release} is the lowest release allowed")
    else:
        out.print(
            f"the upgrade from {finish.before} to {finish.release} is finished; older builds do"
            " not start any longer"
        )
