"""`warlog migrate --finish`, and what `doctor` and `serve` say before and after it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from service.cli import run
from service.eventstore.embedded import Dsns, EmbeddedPostgres
from service.eventstore.migrate import upgrade
from service.exits import Exit
from service.releases import BUILD, FIRST_LOWEST, Release
from tests.conftest import user_of
from tests.patience import PATIENCE_SECONDS

TABLE = (
    Release(number=FIRST_LOWEST),
    Release(
        number=BUILD,
        versions={"toy": "2"},
        actions=("roll",),
        changes=("toy/sheet",),
        options=("undo_bar",),
    ),
)
OLDER = "1.1.7"
HELD = "toy 2, action roll, change toy/sheet, option undo_bar"
UNFINISHED = f"from {FIRST_LOWEST} to {BUILD} is not finished; held back until"
FINISHED = (
    f"the upgrade from {FIRST_LOWEST} to {BUILD} is finished; older builds do not start any"
    " longer\n"
)


@pytest.fixture(autouse=True)
def something_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """This build brings something, as the commands see it."""
    for module in ("database", "doctor", "migrate"):
        monkeypatch.setattr(f"service.cli.{module}.RELEASES", TABLE)


@pytest.fixture
def upgrading(empty_database: Dsns, monkeypatch: pytest.MonkeyPatch) -> Dsns:
    """A database whose upgrade is unfinished, named by the environment."""
    app_role, eraser_role = user_of(empty_database.app), user_of(empty_database.eraser)
    asyncio.run(
        upgrade(
            empty_database.owner,
            app_role=app_role,
            eraser_role=eraser_role,
            releases=TABLE[:1],
        )
    )
    for name, address in environ_of(empty_database).items():
        monkeypatch.setenv(name, address)
    return empty_database


def environ_of(dsns: Dsns) -> dict[str, str]:
    return {
        "WARLOG_DATABASE_URL": dsns.app,
        "WARLOG_MIGRATE_URL": dsns.owner,
        "WARLOG_ERASE_URL": dsns.eraser,
    }


def execute(dsn: str, statement: str, *values: object) -> list[tuple[object, ...]]:
    async def work() -> list[tuple[object, ...]]:
        session = await asyncpg.connect(dsn)
        try:
            return [tuple(row) for row in await session.fetch(statement, *values)]
        finally:
            await session.close()

    return asyncio.run(work())


def lowest(dsns: Dsns) -> object:
    return execute(dsns.owner, "SELECT lowest_release FROM schema_version")[0][0]


def set_lowest(dsn: str, release: str) -> None:
    execute(dsn, "UPDATE schema_version SET lowest_release = $1", release)


def begin_older(dsns: Dsns) -> None:
    """A process of an older build that is alive as long as a test takes."""
    execute(
        dsns.owner,
        "INSERT INTO serving_process (id, build, rulesets, seen_at)"
        " VALUES ($1, $2, '{}', clock_timestamp() + interval '1 hour')",
        uuid4(),
        OLDER,
    )


@contextmanager
def session_of_before(dsns: Dsns) -> Iterator[int]:
    """A session as the release before has it, and its process."""
    with asyncio.Runner() as runner:
        settings = {"application_name": "warlog"}
        session = runner.run(asyncpg.connect(dsns.app, server_settings=settings))
        try:
            yield session.get_server_pid()
        finally:
            runner.run(session.close())


def said(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> tuple[int, str, str]:
    capsys.readouterr()
    code = run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def upgrade_finding(capsys: pytest.CaptureFixture[str]) -> tuple[int, str | None, str]:
    """The exit code of `doctor`, and what it says of the upgrade."""
    code, out, _ = said(capsys, ["doctor", "--json"])
    for line in map(json.loads, out.splitlines()):
        if line["subject"] == "upgrade":
            return code, line["verdict"], line["says"]
    return code, None, ""


def test_an_upgrade_is_finished_once_nobody_of_an_older_build_lives(
    upgrading: Dsns, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = said(capsys, ["migrate"])
    assert code == Exit.OK
    assert out.splitlines()[1] == (f"the upgrade {UNFINISHED} 'warlog migrate --finish': {HELD}")
    begin_older(upgrading)
    with session_of_before(upgrading) as pid:
        code, out, err = said(capsys, ["migrate", "--finish"])
        assert (code, lowest(upgrading)) == (Exit.WRONG, FIRST_LOWEST)
        assert err == (
            f"the upgrade from {FIRST_LOWEST} to {BUILD} cannot be finished: older builds use the"
            " database. Stop them, then try again:\n"
            f"    a process of {OLDER}, seen 0 s ago\n"
            f"    1 database sessions of {FIRST_LOWEST} or earlier as {user_of(upgrading.app)}"
            f" (pg_stat_activity: {pid})\n"
        )
        code, verdict, says = upgrade_finding(capsys)
        assert (code, verdict) == (Exit.OK, "warning")
        assert says == (
            f"{UNFINISHED} 'warlog migrate --finish': {HELD}. Stop the older builds first: a"
            f" process of {OLDER}, seen 0 s ago; 1 database sessions of {FIRST_LOWEST} or earlier"
            f" as {user_of(upgrading.app)} (pg_stat_activity: {pid})"
        )
    execute(upgrading.owner, "DELETE FROM serving_process")
    until_gone(upgrading)
    assert upgrade_finding(capsys)[2].endswith("No older build is seen: it can be finished")
    code, out, _ = said(capsys, ["migrate", "--finish"])
    assert (code, lowest(upgrading)) == (Exit.OK, BUILD)
    assert out.endswith(FINISHED)
    assert upgrade_finding(capsys) == (Exit.OK, None, "")
    code, out, _ = said(capsys, ["migrate", "--finish"])
    assert (code, lowest(upgrading)) == (Exit.OK, BUILD)
    assert out.splitlines()[1] == (
        f"there is no upgrade to finish: {BUILD} is the lowest release allowed"
    )


def until_gone(dsns: Dsns) -> None:
    """Wait until the server has let go of the session of the release before."""
    asked = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE application_name = 'warlog' AND datname = current_database()"
    )
    wait_for(lambda: execute(dsns.owner, asked) == [(0,)])


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_scripts_learn_what_is_held_back_and_who_is_in_the_way(
    upgrading: Dsns, capsys: pytest.CaptureFixture[str]
) -> None:
    begin_older(upgrading)
    told: list[dict[str, Any]] = []
    for arguments, expected in (
        (["migrate", "--json"], Exit.OK),
        (["migrate", "--finish", "--json"], Exit.WRONG),
    ):
        code, out, _ = said(capsys, arguments)
        assert code == expected
        told.append(json.loads(out))
    [plain, finishing] = told
    revision = plain["after"]
    held = HELD.split(", ")
    assert plain == {"before": revision, "after": revision, "held_back": held}
    assert finishing == {
        **plain,
        "finish": {
            "before": FIRST_LOWEST,
            "release": BUILD,
            "is_finished": False,
            "processes": [{"build": OLDER, "rulesets": [], "seen_seconds": 0}],
            "sessions": [],
        },
    }


def test_an_empty_database_is_finished_at_once(
    empty_database: Dsns, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(upgrade(empty_database.owner, releases=TABLE))
    assert lowest(empty_database) == BUILD
    for name, address in environ_of(empty_database).items():
        monkeypatch.setenv(name, address)
    code, out, _ = said(capsys, ["migrate"])
    assert (code, len(out.splitlines())) == (Exit.OK, 1)


def test_the_private_database_is_finished_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("WARLOG_DATABASE_URL", "WARLOG_MIGRATE_URL", "WARLOG_ERASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WARLOG_DATA_DIR", str(tmp_path))
    # Keeps the server up; as the release before left it.
    with EmbeddedPostgres(tmp_path / "postgres") as dsns:
        asyncio.run(upgrade(dsns.owner, revision="0015"))
        code, out, _ = said(capsys, ["migrate"])
        assert (code, len(out.splitlines())) == (Exit.OK, 1)
        assert execute(dsns.owner, "SELECT lowest_release FROM schema_version") == [(BUILD,)]
        # A build before that does not open it.
        set_lowest(dsns.owner, "99.0.0")
        code, _, err = said(capsys, ["keys", "list"])
        assert (code, err) == (Exit.UNAVAILABLE, too_old("99.0.0"))


def too_old(release: str) -> str:
    return (
        f"warlog: this build is of release {BUILD}, but the upgrade to {release} is finished on"
        f" this database: no earlier build starts on it. Install release {release} or later"
        " (build_too_old)\n"
    )


def test_a_build_below_the_lowest_release_does_not_serve(
    upgrading: Dsns, capsys: pytest.CaptureFixture[str]
) -> None:
    set_lowest(upgrading.owner, "99.0.0")
    for workers in ("1", "2"):
        code, _, err = said(capsys, ["serve", "--port", "0", "--workers", workers])
        assert (code, err.splitlines()[-1] + "\n") == (Exit.UNAVAILABLE, too_old("99.0.0"))
    code, _, err = said(capsys, ["migrate", "--finish"])
    assert (code, err.splitlines()[-1] + "\n") == (Exit.UNAVAILABLE, too_old("99.0.0"))
    code, verdict, says = upgrade_finding(capsys)
    assert (code, verdict, says) == (
        Exit.WRONG,
        "wrong",
        f"this build is of {BUILD}, and none before 99.0.0 starts; run a newer one",
    )


def test_an_older_process_that_lives_after_the_finish_is_found(
    upgrading: Dsns, capsys: pytest.CaptureFixture[str]
) -> None:
    set_lowest(upgrading.owner, BUILD)
    begin_older(upgrading)
    assert upgrade_finding(capsys) == (
        Exit.OK,
        "warning",
        f"finished to {BUILD}, but older builds live: a process of {OLDER}, seen 0 s ago. Stop"
        " them",
    )


@pytest.fixture
def environment(upgrading: Dsns) -> Mapping[str, str]:
    clean = {name: value for name, value in os.environ.items() if "WARLOG_" not in name}
    return {**clean, **environ_of(upgrading), "WARLOG_PORT": "0", "HOME": "/nonexistent"}


@pytest.mark.slow
def test_a_killed_process_leaves_its_row_and_one_that_is_asked_to_end_does_not(
    upgrading: Dsns, environment: Mapping[str, str]
) -> None:
    asked = "SELECT id::text FROM serving_process"
    rows: list[int] = []
    for ending, left in ((signal.SIGKILL, 1), (signal.SIGTERM, 1)):
        with subprocess.Popen(
            [sys.executable, "-m", "service", "serve"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            wait_for(lambda: len(execute(upgrading.owner, asked)) == len(rows) + 1)
            process.send_signal(ending)
            process.wait(PATIENCE_SECONDS)
        rows.append(len(execute(upgrading.owner, asked)))
        assert rows[-1] == left
