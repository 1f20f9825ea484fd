"""`warlog keys`: the API keys of a tenant. A key is shown when it is made, and never again."""

import asyncio
import os
from typing import Annotated
from uuid import UUID

import typer
from rich.table import Table

from service.api.authentication import SECRET_BYTES, hash_of, token_of
from service.app import system_sources
from service.cli.database import open_database, with_store
from service.console import AsJson, err, out, print_json, tell_error
from service.encounters.clock_and_ids import new_id
from service.encounters.principal import SCOPES
from service.eventstore.records import ApiKey, NewApiKey
from service.eventstore.store import EventStore
from service.exits import Exit
from service.settings import from_environment

keys = typer.Typer(
    help="Create, list and revoke API keys.", no_args_is_help=True, rich_markup_mode=None
)

ID_WIDTH = 36
"""Characters of an id: a table that is too wide for the terminal breaks elsewhere."""

Owner = Annotated[str, typer.Option("--tenant", help="Name of the tenant.")]


@keys.command("create")
def create(
    name: Annotated[str, typer.Argument(help="What the key is for.")],
    tenant: Owner = "owner",
    scope: Annotated[
        list[str] | None,
        typer.Option(help=f"What it may do: {', '.join(SCOPES)}; all of it if none is named."),
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Create a key and print it: keep it, it is shown only now."""
    scopes = tuple(dict.fromkeys(scope or SCOPES))
    unknown = [word for word in scopes if word not in SCOPES]
    if unknown:
        tell_error(f"there is no scope {unknown[0]!r}; there are {', '.join(SCOPES)}")
        raise typer.Exit(Exit.USAGE)
    token = token_of(system_sources().random(SECRET_BYTES))

    async def work(store: EventStore) -> ApiKey:
        return await store.access.create_api_key(
            NewApiKey(
                id=new_id(system_sources()),
                tenant=await _tenant(store, tenant),
                name=name,
                secret_hash=hash_of(token),
                scopes=scopes,
            )
        )

    with open_database(from_environment(os.environ)) as addresses:
        made = asyncio.run(with_store(addresses, work))
    if as_json:
        print_json({"key": made, "token": token})
        return
    err.print(f"key {made.id} of {tenant}, may {', '.join(made.scopes)}; shown only now:")
    out.print(token)


@keys.command("list")
def list_(
    tenant: Owner = "owner",
    *,
    as_json: AsJson = False,
) -> None:
    """List a tenant's keys, oldest first, the revoked ones included."""

    async def work(store: EventStore) -> tuple[ApiKey, ...]:
        return await store.access.api_keys(await _tenant(store, tenant))

    with open_database(from_environment(os.environ)) as addresses:
        listed = asyncio.run(with_store(addresses, work))
    if as_json:
        for key in listed:
            print_json(key)
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("id", no_wrap=True, min_width=ID_WIDTH)
    for heading in ("name", "may", "created", "revoked"):
        table.add_column(heading)
    for key in listed:
        revoked = f"{key.revoked_at:%Y-%m-%d %H:%M}" if key.revoked_at else ""
        created = f"{key.created_at:%Y-%m-%d %H:%M}"
        table.add_row(str(key.id), key.name, ", ".join(key.scopes), created, revoked)
    out.print(table)


@keys.command("revoke")
def revoke(
    key: Annotated[UUID, typer.Argument(help="The key's id, as 'list' shows it.")],
    tenant: Owner = "owner",
    *,
    as_json: AsJson = False,
) -> None:
    """Revoke a key: within seconds no process takes it any more.

    Exits with 1 if there is no such key, or if it was revoked before.
    """

    async def work(store: EventStore) -> bool:
        return await store.access.revoke_api_key(await _tenant(store, tenant), key)

    with open_database(from_environment(os.environ)) as addresses:
        done = asyncio.run(with_store(addresses, work))
    if not done:
        tell_error(f"{tenant} has no such key, or it was revoked before")
        raise typer.Exit(Exit.WRONG)
    if as_json:
        print_json({"id": key, "revoked": True})
    else:
        out.print(f"revoked {key}")


async def _tenant(store: EventStore, name: str) -> UUID:
    tenant = await store.access.tenant_named(name)
    if tenant is None:
        names = ", ".join(tenant.name for tenant in await store.access.tenants())
        tell_error(f"there is no tenant {name!r}; there are: {names or 'none'}")
        raise typer.Exit(Exit.USAGE)
    return tenant.id
