"""`warlog tenants`: who encounters and keys belong to."""

import asyncio
import os
from collections.abc import Callable
from typing import Annotated
from uuid import UUID

import typer
from rich.progress import Progress
from rich.table import Table

from service.api.cors import FORM, MOST_OF_A_TENANT, origin_of
from service.app import system_sources
from service.cli.database import open_database, with_store
from service.cli.keys import ID_WIDTH
from service.console import AsJson, err, out, print_json, tell_error
from service.encounters.clock_and_ids import new_id
from service.eventstore.records import Tenant
from service.eventstore.store import EventStore
from service.exits import Exit
from service.settings import from_environment

tenants = typer.Typer(
    help="Create, list and delete tenants; say whose web pages may use them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@tenants.command("create")
def create(
    name: Annotated[str, typer.Argument(help="A name that no other tenant has.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Create a tenant; print its id."""

    async def work(store: EventStore) -> Tenant:
        return await store.access.create_tenant(new_id(system_sources()), name)

    with open_database(from_environment(os.environ)) as addresses:
        made = asyncio.run(with_store(addresses, work))
    if as_json:
        print_json(made)
    else:
        out.print(str(made.id))


@tenants.command("list")
def list_(
    *,
    as_json: AsJson = False,
) -> None:
    """List the tenants, oldest first, the deleted ones included."""

    async def work(store: EventStore) -> tuple[Tenant, ...]:
        return await store.access.tenants()

    with open_database(from_environment(os.environ)) as addresses:
        listed = asyncio.run(with_store(addresses, work))
    if as_json:
        for tenant in listed:
            print_json(tenant)
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("id", no_wrap=True, min_width=ID_WIDTH)
    for heading in ("name", "created", "deleted"):
        table.add_column(heading)
    for tenant in listed:
        deleted = f"{tenant.deleted_at:%Y-%m-%d %H:%M}" if tenant.deleted_at else ""
        created = f"{tenant.created_at:%Y-%m-%d %H:%M}"
        table.add_row(str(tenant.id), tenant.name, created, deleted)
    out.print(table)


@tenants.command("delete")
def delete(
    name: Annotated[str, typer.Argument(help="The tenant's name, or its id.")],
    *,
    yes: Annotated[
        bool, typer.Option("--yes", help="Really delete: nothing brings it back.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a tenant with all its encounters, for good.

    Its keys end within seconds. Of each encounter only the id and the last hash stay; of the
    tenant its id. If it is interrupted, run it again: it continues where it stopped. Doing it
    twice does no harm; afterwards the tenant is known by its id alone.
    """
    if not yes:
        tell_error("this deletes the tenant's encounters for good; say --yes if that is meant")
        raise typer.Exit(Exit.USAGE)

    async def work(store: EventStore) -> int:
        tenant = await _tenant(store, name)
        with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
            task = progress.add_task("deleting encounters", total=None)

            def show(done: int, total: int) -> None:
                progress.update(task, completed=done, total=total)

            return await deleted(store, tenant, show)

    with open_database(from_environment(os.environ)) as addresses:
        gone = asyncio.run(with_store(addresses, work))
    if as_json:
        print_json({"tenant": name, "deleted_encounters": gone})
    else:
        out.print(f"deleted {name} and its encounters: {gone}")


@tenants.command("origins")
def origins(
    name: Annotated[str, typer.Argument(help="The tenant's name, or its id.")],
    add: Annotated[
        list[str] | None, typer.Option(help=f"An origin to allow, {FORM}; may be repeated.")
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option(help="An origin to allow no longer; may be repeated.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Allow web pages of other origins to use the service with this tenant's keys; list them.

    Without options nothing changes. A change is known to every process within seconds.
    Exits with 1 if there are too many, or if one to remove was not there.
    """
    added, removed = _origins(add), _origins(remove)

    async def work(store: EventStore) -> tuple[str, ...]:
        tenant = await _tenant(store, name)
        for origin in added:
            if not await store.origins.add(tenant, origin, MOST_OF_A_TENANT):
                tell_error(f"{name} has {MOST_OF_A_TENANT} origins, and no room for {origin}")
                raise typer.Exit(Exit.WRONG)
        gone = [origin for origin in removed if not await store.origins.remove(tenant, origin)]
        if gone:
            tell_error(f"{name} does not allow {', '.join(gone)}")
            raise typer.Exit(Exit.WRONG)
        return await store.origins.of_tenant(tenant)

    with open_database(from_environment(os.environ)) as addresses:
        allowed = asyncio.run(with_store(addresses, work))
    if as_json:
        print_json({"tenant": name, "origins": allowed})
        return
    for origin in allowed:
        out.print(origin)


def _origins(texts: list[str] | None) -> tuple[str, ...]:
    """Origins as browsers write them. A text that is none ends the command."""
    try:
        return tuple(dict.fromkeys(origin_of(text) for text in texts or ()))
    except ValueError as error:
        tell_error(str(error))
        raise typer.Exit(Exit.USAGE) from None


async def deleted(store: EventStore, tenant: UUID, show: Callable[[int, int], None]) -> int:
    """Delete a tenant; `show` gets how many of its encounters are gone, and of how many."""
    total = await store.retirer.retire(tenant) or 0
    done = 0
    show(done, total)
    async for count in store.retirer.delete_encounters(tenant):
        done += count
        show(done, total)
    await store.retirer.forget(tenant)
    return done


async def _tenant(store: EventStore, name: str) -> UUID:
    tenant = await store.access.tenant_named(name)
    if tenant is None:
        try:
            tenant = await store.access.tenant(UUID(name))
        except ValueError:
            tenant = None
    if tenant is None:
        names = ", ".join(
            tenant.name for tenant in await store.access.tenants() if tenant.deleted_at is None
        )
        tell_error(f"there is no tenant {name!r}; there are: {names or 'none'}")
        raise typer.Exit(Exit.USAGE)
    return tenant.id
