"""`warlog keys`: the API keys of a tenant, and the keys of services whose receipts are trusted.

An API key is shown when it is made, and never again. Trusted keys are public; they need no database
and are the caller's own.
"""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated
from uuid import UUID

import typer
from rich.table import Table

from service.api.authentication import SECRET_BYTES, hash_of, token_of
from service.app import system_sources
from service.cli.database import open_database, with_store
from service.cli.key_sets import UnreadableKeys, keys_at, pin, pinned, pins_path, unpin
from service.console import AsJson, err, escaped, out, print_json, tell_error
from service.encounters.clock_and_ids import new_id
from service.encounters.principal import SCOPES
from service.eventstore.records import ApiKey, NewApiKey
from service.eventstore.store import EventStore
from service.exits import Exit
from service.settings import from_environment

keys = typer.Typer(
    help="Create, list and revoke API keys; trust the keys that services sign with.",
    no_args_is_help=True,
    rich_markup_mode=None,
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
        typer.Option(
            help=f"What it may do: {', '.join(SCOPES)}; all of it if none is named. `play` contains"
            " `read`: whoever acts is answered what happens, and may fork."
        ),
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


@keys.command("trust")
def trust(
    source: Annotated[
        str,
        typer.Argument(
            metavar="URL|FILE",
            help="What the service publishes at /.well-known/warlog-keys.json, or a copy of it.",
        ),
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Trust a service's signing keys from now on: bundles that they signed are known as its own.

    Do it once, when you have reason to believe that the address is the service's, and again when it
    has a new key. Keys that were trusted before stay so. Needs no database.
    """
    if source.startswith("http://"):
        err.print("over http:// anybody on the way could have put a key of their own there")
    with _key_files():
        added = pin(keys_at(source), source)
    if as_json:
        for key in added:
            print_json(key)
        return
    for key in added:
        out.print(f"trusts {key.kid}")
    if not added:
        out.print("nothing new")
    err.print(f"kept in {pins_path()}")


@keys.command("trusted")
def trusted(*, as_json: AsJson = False) -> None:
    """List the signing keys that are trusted, and where they were taken from."""
    with _key_files():
        listed = pinned().keys
    if as_json:
        for key in listed:
            print_json(key)
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "key", "from"):
        table.add_column(heading, no_wrap=True)
    for key in listed:
        table.add_row(key.kid, key.x, escaped(key.source))
    out.print(table)


@keys.command("distrust")
def distrust(
    key: Annotated[str, typer.Argument(help="The key's id, as 'trusted' shows it.")],
) -> None:
    """Trust a signing key no longer. Exits with 1 if it was not trusted."""
    with _key_files():
        was_trusted = unpin(key)
    if not was_trusted:
        tell_error(f"{key} was not trusted")
        raise typer.Exit(Exit.WRONG)
    out.print(f"no longer trusts {key}")


@contextmanager
def _key_files() -> Iterator[None]:
    try:
        yield
    except UnreadableKeys as unreadable:
        tell_error(f"{unreadable.where}: {unreadable.why}")
        raise typer.Exit(Exit.USAGE) from unreadable


async def _tenant(store: EventStore, name: str) -> UUID:
    tenant = await store.access.tenant_named(name)
    if tenant is None:
        names = ", ".join(tenant.name for tenant in await store.access.tenants())
        tell_error(f"there is no tenant {name!r}; there are: {names or 'none'}")
        raise typer.Exit(Exit.USAGE)
    return tenant.id
