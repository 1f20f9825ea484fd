"""`warlog doctor --backup` proves a dump, or says why it cannot be restored or is not sound."""

import asyncio
import json
import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.cli import run
from service.eventstore.embedded import Dsns, EmbeddedError
from service.eventstore.embedded.binaries import choose_installation
from service.eventstore.embedded.restore import DumpOrigin, first_error, origin_of
from service.eventstore.migrate import upgrade
from service.exits import Exit
from tests.conftest import scratch_database, user_of
from tests.kit.rigs import rig_of
from tests.replay.stored_tables import random_table, store_tables
from tests.replay.tampering import without_guard

Capture = pytest.CaptureFixture[str]
BATTLES = 3


@pytest.fixture
async def database(server: str) -> AsyncIterator[Dsns]:
    """A database with a few battles."""
    async with scratch_database(server) as dsns:
        await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
        rig = rig_of("crossfire-d6")
        await store_tables(dsns.admin, [random_table(rig, each, 12) for each in range(BATTLES)])
        yield dsns


def dumped(dsns: Dsns, folder: Path) -> Path:
    """A dump as the guide makes one."""
    file = folder / "warlog.dump"
    login = urlsplit(dsns.owner)
    program = choose_installation(folder / "none").program("pg_dump")
    options = ["--format=custom", "--no-owner", "--no-privileges", f"--file={file}"]
    address = login._replace(netloc=login.netloc.replace(f":{login.password}@", "@")).geturl()
    environment = {**os.environ, "PGPASSWORD": login.password or ""}
    subprocess.run([program, *options, address], check=True, env=environment)
    return file


def proved(file: Path, capsys: Capture) -> tuple[int, dict[str, tuple[str, str]]]:
    """The exit code, and what is found by subject."""
    code = run(["doctor", "--backup", str(file), "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    found = [line for line in lines if "subject" in line]
    return code, {line["subject"]: (line["verdict"], line["says"]) for line in found}


def test_a_file_that_is_no_dump_is_refused(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "warlog.sql"
    file.write_text("CREATE TABLE event ();")
    assert proved(file, capsys) == (
        Exit.WRONG,
        {"backup": ("wrong", f"{file}: it is no dump of pg_dump --format=custom")},
    )
    assert proved(tmp_path / "none", capsys)[0] == Exit.WRONG


def test_a_dump_names_the_server_and_the_program_that_made_it(
    database: Dsns, tmp_path: Path
) -> None:
    file = dumped(database, tmp_path)
    origin = origin_of(file)
    assert origin.is_one_major
    assert not DumpOrigin("15.20", "16.14").is_one_major
    file.write_bytes(file.read_bytes()[:500])
    with pytest.raises(EmbeddedError):
        origin_of(file)


def test_the_first_error_of_a_restore_is_told_without_what_it_is_about() -> None:
    said = (
        "pg_restore: error: could not execute query: ERROR:  unrecognized parameter\n"
        "DETAIL:  Key (title)=(a player's text) already exists.\n"
        "Command was: ALTER TABLE x\n"
    )
    assert first_error(said) == "could not execute query: ERROR:  unrecognized parameter"


@pytest.mark.soak
def test_a_dump_is_proved_by_a_restore_and_an_audit(
    database: Dsns, tmp_path: Path, capsys: Capture
) -> None:
    file = dumped(database, tmp_path)
    code, found = proved(file, capsys)
    assert (code, {verdict for verdict, _ in found.values()}) == (Exit.OK, {"ok"})
    assert found["restore"] == ("ok", "pg_restore took all of it")
    assert found["audit"] == ("ok", "every battle is clean")
    damage = "UPDATE event SET body = '5' WHERE seq = 3"
    asyncio.run(changed(database, damage))
    code, found = proved(dumped(database, tmp_path), capsys)
    assert (code, found["restore"][0], found["audit"][0]) == (Exit.WRONG, "ok", "wrong")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) - len(whole) // 10])
    code, found = proved(file, capsys)
    assert (code, found["restore"][0]) == (Exit.WRONG, "wrong")
    assert "audit" not in found


async def changed(dsns: Dsns, statement: str) -> None:
    """Tamper with the logs."""
    async with without_guard(dsns) as connection:
        await connection.execute(statement)
