"""`warlog demo`: start the service, play a battle over HTTP, prove it, show where to look."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from msgspec import Struct
from msgspec.structs import replace

from service.api.authentication import SECRET_BYTES, hash_of, token_of
from service.app import build, system_sources
from service.cli.audit import audit_file
from service.cli.database import bring_up_to_date, open_database
from service.cli.first_key import provide_first_key
from service.cli.key_sets import keys_in
from service.cli.network_address import network_address
from service.cli.reporting import exit_of, write_report
from service.console import escaped, out, tell_error
from service.demo.bridge.battle import Watch
from service.demo.duel.battle import Duel
from service.demo.event_printer import EventPrinter
from service.demo.hangar.battle import Storming
from service.demo.mill.battle import Director
from service.demo.page_links import is_of_this_machine, links_to
from service.demo.player import Play
from service.demo.qr_code import qr_code
from service.demo.tabletop import RemoteTable
from service.demo.warehouse.battle import Raid
from service.encounters.clock_and_ids import new_id
from service.encounters.principal import SCOPES
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from service.exits import Exit
from service.replay.audit.trust import Kept, TrustedKeys
from service.rulesets import latest
from service.server.http_server import HttpServer
from service.server.listening_sockets import bound_or_told
from service.server.log_lines import configure_logging
from service.settings import Limits, Settings, from_environment
from warlog import UnexpectedAnswer, Warlog, WarlogError

TENANT = "demo"
START_SECONDS = 60


class Battle(Struct, frozen=True, kw_only=True):
    """A battle to be played: its ruleset, its director, and whether it is shown in Russian too."""

    ruleset: str
    director: Callable[[Play], Director | Raid | Watch | Storming | Duel]
    in_russian: bool = False


BATTLES: Final = (
    Battle(
        ruleset="crossfire-d6",
        director=Director,
    ),
    Battle(
        ruleset="seeker-d100",
        director=Raid,
    ),
    Battle(
        ruleset="tactical-d20",
        director=Watch,
    ),
    Battle(
        ruleset="squad-d100",
        director=Storming,
        in_russian=True,
    ),
    Battle(
        ruleset="melody-d6",
        director=Duel,
        in_russian=True,
    ),
)


PREVIEWS_PER_MINUTE: Final = 6_000
"""Ten times the service's own limit: five battles take some 200 previews in a few seconds."""


class Stage(Struct, frozen=True, kw_only=True):
    """A service that runs for the demonstration: where, and with which key to look at it."""

    url: str
    key: str


def demo(
    *,
    once: Annotated[bool, typer.Option("--once", help="Stop after the battles.")] = False,
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 0,
    lan: Annotated[
        bool, typer.Option("--lan", help="Listen on the network, so that phones can join.")
    ] = False,
) -> None:
    """Play a battle of each rulebook over HTTP, export it, audit it offline, keep serving.

    Uses WARLOG_DATABASE_URL (and migrates it), or the private database in the data directory. The
    battles belong to the tenant 'demo'; their bundles are written to the data directory. Links are
    printed to play each of them again on a phone, to look at it roll by roll, and to watch.

    Exits with 0 if all were played and their audits are clean.
    """
    settings = replace(from_environment(os.environ), port=port)
    if lan:
        settings = replace(settings, host=address_or_told())
    configure_logging("warning")
    with open_database(settings) as addresses:
        asyncio.run(bring_up_to_date(addresses))
        asyncio.run(provide_first_key(settings, addresses.serve))
        key = asyncio.run(key_of_demo(addresses.serve))
        served = replace(
            settings,
            database_url=addresses.serve,
            erase_url=addresses.erase,
            limits=with_room_for_previews(settings.limits),
        )
        with serving(served, key) as stage:
            if lan:
                out.print(f"Listening at {stage.url}: all of this network can reach it, in plain.")
            result = perform(stage, settings.data_dir, goes_on=not once)
            if not once:
                serve_until_told("\nServing until Ctrl-C.")
    raise typer.Exit(result)


def with_room_for_previews(limits: Limits) -> Limits:
    """Limits that let the demonstration preview before each action without waiting."""
    return replace(limits, previews_per_minute=max(limits.previews_per_minute, PREVIEWS_PER_MINUTE))


def address_or_told() -> str:
    """The machine's address on its network. Exits if it has none."""
    address = network_address()
    if address is None:
        tell_error("this machine is on no network; leave --lan away")
        raise typer.Exit(Exit.UNAVAILABLE)
    return address


async def key_of_demo(database_url: str) -> str:
    """A fresh key of the demonstration's own tenant; those of earlier runs are revoked."""
    store = await EventStore.open(database_url, pool_size=1)
    try:
        tenant = await store.access.tenant_named(TENANT)
        if tenant is None:
            tenant = await store.access.create_tenant(new_id(system_sources()), TENANT)
        for key in await store.access.api_keys(tenant.id):
            if key.name == TENANT and key.revoked_at is None:
                await store.access.revoke_api_key(tenant.id, key.id)
        token = token_of(system_sources().random(SECRET_BYTES))
        await store.access.create_api_key(
            NewApiKey(
                id=new_id(system_sources()),
                tenant=tenant.id,
                name=TENANT,
                secret_hash=hash_of(token),
                scopes=SCOPES,
            )
        )
        return token
    finally:
        await store.close()


@contextmanager
def serving(settings: Settings, key: str) -> Iterator[Stage]:
    """A service on a separate thread; it is stopped at the end."""
    with ExitStack() as stack:
        sockets = [
            stack.enter_context(each) for each in bound_or_told(settings.host, settings.port)
        ]
        host, port = sockets[0].getsockname()[:2]
        server = HttpServer(build(settings), settings)
        thread = threading.Thread(target=server.run, args=(sockets,), name="service")
        thread.start()
        try:
            _wait_until_started(server, thread)
            yield Stage(url=f"http://{host}:{port}", key=key)
        finally:
            server.should_exit = True
            thread.join()


def _wait_until_started(server: HttpServer, thread: threading.Thread) -> None:
    waited = threading.Event()
    for _ in range(START_SECONDS * 20):
        if server.started:
            return
        if not thread.is_alive():
            break
        waited.wait(0.05)
    tell_error("the service did not start")
    raise typer.Exit(Exit.UNAVAILABLE)


def perform(stage: Stage, data_dir: Path, *, goes_on: bool) -> Exit:
    """Play, export, audit, and say where to look (online if it continues); the worst
    audit's word.
    """
    played: list[tuple[RemoteTable, Path]] = []
    results = []
    with Warlog(stage.url, stage.key) as warlog:
        # Before the first battle: what a bundle itself says of its signer proves nothing.
        keys = saved_keys(warlog, data_dir)
        kept = Kept(TrustedKeys(keys_in(keys.read_bytes(), str(keys)), is_demanded=True))
        for battle in BATTLES:
            table = RemoteTable(warlog)
            try:
                path = play_through(table, battle, data_dir)
            except WarlogError as error:
                tell_error(f"the battle could not be played: {error}")
                return Exit.WRONG
            report = audit_file(str(path), kept)
            write_report(report)
            results.append(exit_of(report))
            played.append((table, path))
        if goes_on:
            for table, _ in played:
                show_where(stage, table.encounter)
        show_audits(keys, [path for _, path in played])
        try:
            if goes_on:
                show_links([table for table, _ in played])
        except WarlogError as error:
            tell_error(f"nobody could be invited: {error}")
            return Exit.WRONG
    return max(results)


def show_audits(keys: Path, bundles: list[Path]) -> None:
    """How to audit the bundles again."""
    program = sys.argv[0] if Path(sys.argv[0]).name == "warlog" else "warlog"
    out.print("\nTo audit a bundle again, offline:")
    for path in bundles:
        out.print(f"    {program} audit --keys {keys} {path}")


def play_through(table: RemoteTable, battle: Battle, data_dir: Path) -> Path:
    """One battle from its creation to its bundle. Raises WarlogError."""
    ruleset = latest(battle.ruleset)
    if ruleset is None:
        raise UnexpectedAnswer(f"this build has no {battle.ruleset}")

    @cache
    def content(digest: str) -> object:
        return msgspec.convert(table.content(digest), ruleset.blob)

    printer = EventPrinter(ruleset, content, in_russian=battle.in_russian)
    play = Play(table, printer)
    battle.director(play).play()
    path = saved(table, data_dir)
    out.print(f"\n{play.actions} actions. The bundle {path}, audited offline:\n")
    return path


def saved_keys(warlog: Warlog, data_dir: Path) -> Path:
    """The keys that the service signs with, in the data directory. Raises WarlogError."""
    path = data_dir / "demo" / "keys.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(warlog.signing_keys()))
    return path


def saved(table: RemoteTable, data_dir: Path) -> Path:
    """The bundle of the battle, in the data directory."""
    path = data_dir / "demo" / f"{table.encounter}.ndjson"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(table.bundle()))
    return path


def show_where(stage: Stage, encounter: str) -> None:
    """What to look at next, ready to be copied."""
    look = f"curl -sS -H 'Authorization: Bearer {stage.key}'"
    at = f"{stage.url}/v1/encounters/{encounter}"
    out.print("\nWhere to look (the key is the demonstration's own):\n")
    for what, command in (
        ("the interface, for people", f"{stage.url}/docs"),
        ("the battle now, as the GM", f"{look} {at}"),
        ("after event 12", f"{look} '{at}?at=12'"),
        ("as the player Anna", f"{look} -H 'Warlog-Seat: anna' '{at}?at=12'"),
        ("the log, a line per event", f"{look} -H 'Accept: application/x-ndjson' {at}/events"),
        ("the audit, event by event", f"{look} {at}/audit"),
    ):
        out.print(f"  [dim]{what}[/]\n    {command}", markup=True)


def show_links(tables: list[RemoteTable]) -> None:
    """Links to the pages, the phone's as a picture too. Raises WarlogError.

    Each code is good once: the page keeps the seat in its browser.
    """
    out.print("\nTo play each battle again from its beginning, to look at it, and to watch.")
    out.print("A code is good once; opened again in the same browser, the link leads to its seat.")
    for table in tables:
        links = links_to(table)
        out.print(f"\n[bold]{escaped(table.title)}[/]\n")
        for what, link in (
            (f"phone, for {links.player}", links.phone),
            ("replay, roll by roll", links.replay),
            ("table, the big screen", links.watch),
        ):
            out.print(f"  [dim]{escaped(what)}[/]\n    {link}", markup=True)
        out.print(qr_code(links.phone), style="bright_white on black")
        if is_of_this_machine(links.phone):
            out.print("  [dim]A phone reaches this machine with make demo ARGS=--lan.[/]")


def serve_until_told(message: str) -> None:
    """Say so once a signal ends it in order, and return when one does."""
    stopped = threading.Event()
    before = {
        number: signal.signal(number, lambda *_: stopped.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        out.print(message)
        stopped.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
