"""`warlog migrate`: bring the database's schema up to date."""

import asyncio
import os

from service.cli.database import Addresses, bring_up_to_date, open_database
from service.console import AsJson, out, print_json
from service.eventstore.migrate import current
from service.settings import from_environment


def migrate(*, as_json: AsJson = False) -> None:
    """Bring the database up to date and give its roles their rights.

    Works on WARLOG_DATABASE_URL, as the owner of the schema that WARLOG_MIGRATE_URL names; roles
    and database must exist (deploy/roles.sql). Without WARLOG_DATABASE_URL, on the private
    database, where 'warlog serve' does the same by itself. Doing it twice does no harm.
    """
    with open_database(from_environment(os.environ)) as addresses:
        before, after = asyncio.run(_migrate(addresses))
    if as_json:
        print_json({"before": before, "after": after})
    elif before == after:
        out.print(f"up to date at {after}")
    else:
        out.print(f"migrated from {before or 'an empty database'} to {after}")


async def _migrate(addresses: Addresses) -> tuple[str | None, str | None]:
    before = await current(addresses.migrate)
    await bring_up_to_date(addresses)
    return before, await current(addresses.migrate)
