"""What goes wrong in a command is reported in one sentence that says what to do, without a
trace.
"""

import asyncio
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from service.cli import run
from service.eventstore.embedded import Dsns
from service.exits import Exit

PROJECT = Path(__file__).parents[2]
Told = tuple[int, str]
Command = Callable[..., Told]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command on a database; gives its exit code and what it said on standard error."""
    for name in [name for name in os.environ if name.startswith("WARLOG_")]:
        monkeypatch.delenv(name)

    def call(address: str, *arguments: str) -> Told:
        monkeypatch.setenv("WARLOG_DATABASE_URL", address)
        capsys.readouterr()
        code = run(list(arguments))
        return code, capsys.readouterr().err

    return call


@pytest.fixture
def made(command: Command, database: Dsns) -> str:
    """The name of a tenant that is there."""
    name = f"tenant {secrets.token_hex(4)}"
    assert command(database.app, "tenants", "create", name, "--json") == (Exit.OK, "")
    return name


def elsewhere(address: str, name: str) -> str:
    return urlsplit(address)._replace(path=f"/{name}").geturl()


@pytest.mark.parametrize("arguments", [["keys", "list"], ["migrate"]])
def test_a_database_that_is_not_there(
    command: Command, database: Dsns, arguments: list[str]
) -> None:
    assert command(elsewhere(database.app, "nowhere"), *arguments) == (
        Exit.UNAVAILABLE,
        "warlog: there is no database of that name on the server; make it (deploy/roles.sql), or"
        " name another in WARLOG_DATABASE_URL (database_away)\n",
    )


def test_a_password_that_is_wrong(command: Command, database: Dsns) -> None:
    parts = urlsplit(database.app)
    wrong = parts._replace(netloc=f"{parts.username}:wrong@{parts.hostname}:{parts.port}").geturl()
    assert command(wrong, "tenants", "list") == (
        Exit.UNAVAILABLE,
        "warlog: the database refuses this user or password; see WARLOG_DATABASE_URL"
        " (database_away)\n",
    )


def test_a_server_that_is_away(command: Command) -> None:
    assert command("postgresql://127.0.0.1:1/x", "tenants", "list") == (
        Exit.UNAVAILABLE,
        "warlog: the database does not answer; is WARLOG_DATABASE_URL right? 'warlog doctor' looks"
        " at everything (database_away)\n",
    )


async def test_a_database_that_was_never_migrated(command: Command, empty_database: Dsns) -> None:
    assert await asyncio.to_thread(command, empty_database.app, "tenants", "list") == (
        Exit.UNAVAILABLE,
        "warlog: the database's schema is not the one this build works with; 'warlog migrate'"
        " brings an older one up to date, 'warlog doctor' looks at everything (schema_mismatch)\n",
    )


async def test_another_program_s_database(command: Command, empty_database: Dsns) -> None:
    owner = await asyncpg.connect(empty_database.owner)
    await owner.execute("CREATE TABLE event (id integer)")
    code, said = await asyncio.to_thread(command, empty_database.owner, "migrate")
    assert (code, said.partition(";")[0]) == (
        Exit.UNAVAILABLE,
        'warlog: the database has already what this build would make: relation "event"',
    )
    await owner.execute("CREATE TABLE alembic_version (version_num text PRIMARY KEY)")
    await owner.execute("INSERT INTO alembic_version VALUES ('theirs')")
    code, said = await asyncio.to_thread(command, empty_database.owner, "migrate")
    assert (code, said.partition(",")[0]) == (
        Exit.UNAVAILABLE,
        "warlog: the database is at revision 'theirs'",
    )
    tables = await owner.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert {row["tablename"] for row in tables} == {"event", "alembic_version"}
    await owner.close()


@pytest.mark.usefixtures("made")
def test_a_port_that_is_taken(database: Dsns) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert served(database.app, "--port", str(port)) == (
            Exit.UNAVAILABLE,
            f"warlog: cannot listen on 127.0.0.1, port {port} (Address already in use); name"
            " another with --host and --port, or WARLOG_HOST and WARLOG_PORT",
        )


def test_nobody_waits_for_a_database_that_is_not_there(database: Dsns) -> None:
    code, said = served(elsewhere(database.app, "nowhere"), "--port", "0")
    assert (code, said.partition(";")[0]) == (
        Exit.UNAVAILABLE,
        "warlog: there is no database of that name on the server",
    )


def served(address: str, *options: str) -> tuple[int, str]:
    """How `warlog serve` ended in a separate process, and the last it said."""
    environ = {**os.environ, "WARLOG_DATABASE_URL": address}
    done = subprocess.run(
        [sys.executable, "-m", "service", "serve", *options],
        cwd=PROJECT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.splitlines()[-1]


def test_a_name_that_is_taken(command: Command, database: Dsns, made: str) -> None:
    assert command(database.app, "tenants", "create", made) == (
        Exit.WRONG,
        "warlog: there is one of that name already; take another name (name_taken)\n",
    )


def test_a_setting_that_is_none(
    command: Command, database: Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARLOG_PORT", "many")
    assert command(database.app, "serve") == (
        Exit.USAGE,
        "warlog: WARLOG_PORT must be a whole number from 0 to 65535\n",
    )
