"""`warlog tenants`: who encounters and keys belong to."""

import asyncio
import os
import sys
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from service.app import sources
from service.cli.console import out
from service.cli.database import open_database, with_store
from service.encounters.sources import new_id
from service.eventstore.records import Tenant
from service.eventstore.store import EventStore
from service.settings import from_environment

tenants = typer.Typer(help="Create and list tenants.", no_args_is_help=True)


@tenants.command("create")
def create(
    name: Annotated[str, typer.Argument(help="A name that no other tenant has.")],
) -> None:
    """Create a tenant; print its id."""

    async def work(store: EventStore) -> Tenant:
        return await store.access.create_tenant(new_id(sources()), name)

    with open_database(from_environment(os.environ)) as addresses:
        out.print(str(asyncio.run(with_store(addresses, work)).id))


@tenants.command("list")
def list_(
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line.")
    ] = False,
) -> None:
    """List the tenants, oldest first."""

    async def work(store: EventStore) -> tuple[Tenant, ...]:
        return await store.access.tenants()

    with open_database(from_environment(os.environ)) as addresses:
        found = asyncio.run(with_store(addresses, work))
    if as_json:
        for tenant in found:
            sys.stdout.write(msgspec.json.encode(tenant).decode() + "\n")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "name", "created"):
        table.add_column(heading)
    for tenant in found:
        table.add_row(str(tenant.id), tenant.name, f"{tenant.created_at:%Y-%m-%d %H:%M}")
    out.print(table)
