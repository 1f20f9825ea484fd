"""`warlog doctor` finds what would hurt, and its exit code says so."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
from msgspec import structs

from service.cli import run
from service.cli.findings import Finding, Severity, judge_ends, judge_server, judge_serving
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import downgrade, upgrade
from service.eventstore.probe import Examination
from service.eventstore.schema_version import SchemaVersion
from service.exits import Exit
from tests.conftest import scratch_database, user_of

HEALTHY = Examination(
    role="warlog_app",
    version=15,
    version_name="15.1",
    encoding="UTF8",
    is_migrated=True,
    is_read_only=False,
    may_append=True,
    may_rewrite=(),
    ahead_ms=-2_001,
    within_ms=1,
    revision="0042",
    schema=SchemaVersion(42, 41),
)


@pytest.fixture(scope="module")
async def database(server: str) -> AsyncIterator[Dsns]:
    """A database that no other test left anything in."""
    async with scratch_database(server) as dsns:
        await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
        yield dsns


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, database: Dsns) -> pytest.MonkeyPatch:
    monkeypatch.setenv("WARLOG_DATABASE_URL", database.app)
    monkeypatch.setenv("WARLOG_MIGRATE_URL", database.owner)
    monkeypatch.setenv("WARLOG_ERASE_URL", database.eraser)
    return monkeypatch


def findings(capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[str, str]]:
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {line["subject"]: (line["verdict"], line["says"]) for line in lines}


def verdicts(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    return {subject: verdict for subject, (verdict, _) in findings(capsys).items()}


@pytest.mark.usefixtures("environment")
def test_a_healthy_service_is_found_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--json"]) == Exit.OK
    subjects = (
        "signing key",
        "database",
        "encoding",
        "writable",
        "schema",
        "clock",
        "serving role",
        "erasing role",
    )
    assert verdicts(capsys) == dict.fromkeys(subjects, "ok")


@pytest.mark.parametrize(
    ("right", "table"),
    [
        ("UPDATE", "event"),
        ("UPDATE (body)", "event_p3"),
        ("DELETE", "event_p0"),
        ("TRUNCATE", "event_p7"),
        ("INSERT", "event"),
        ("UPDATE (head_seq)", "encounter"),
        ("UPDATE (status)", "encounter"),
    ],
)
def test_a_right_to_rewrite_the_log_is_found_even_on_one_partition(
    right: str,
    table: str,
    environment: pytest.MonkeyPatch,
    database: Dsns,
    capsys: pytest.CaptureFixture[str],
) -> None:
    role = database.app.split("//")[1].split(":")[0]
    execute(database.owner, f"GRANT {right} ON {table} TO {role}")
    try:
        assert run(["doctor", "--json"]) == Exit.WRONG
    finally:
        execute(database.owner, f"REVOKE {right} ON {table} FROM {role}")
    verdict, says = findings(capsys)["serving role"]
    assert verdict == "wrong"
    assert f"{table} {right.split()[0].lower()}" in says


@pytest.mark.parametrize(
    ("right", "table", "told"),
    [
        ("SELECT", "tenant_origin", "tenant_origin select"),
        ("INSERT", "invitation", "invitation insert"),
        ("UPDATE (token_hash)", "seat", "seat update"),
        ("DELETE", "clock", "clock delete"),
    ],
)
def test_a_right_that_is_missing_on_any_table_is_found(
    right: str,
    table: str,
    told: str,
    environment: pytest.MonkeyPatch,
    database: Dsns,
    capsys: pytest.CaptureFixture[str],
) -> None:
    role = database.app.split("//")[1].split(":")[0]
    execute(database.owner, f"REVOKE {right} ON {table} FROM {role}")
    try:
        assert run(["doctor", "--json"]) == Exit.WRONG
    finally:
        execute(database.owner, f"GRANT {right} ON {table} TO {role}")
    verdict, says = findings(capsys)["serving role"]
    assert verdict == "wrong"
    assert f"({told})" in says


def test_a_schema_of_another_release_is_found(
    environment: pytest.MonkeyPatch, empty_database: Dsns, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.setenv("WARLOG_DATABASE_URL", empty_database.app)
    environment.setenv("WARLOG_MIGRATE_URL", empty_database.owner)
    environment.delenv("WARLOG_ERASE_URL")
    assert run(["migrate"]) == Exit.OK
    asyncio.run(downgrade(empty_database.owner, revision="0005"))
    capsys.readouterr()
    assert run(["doctor", "--json"]) == Exit.WRONG
    verdict, says = findings(capsys)["schema"]
    assert verdict == "wrong"
    assert says.startswith("at 0005")


@pytest.mark.usefixtures("environment")
def test_text_that_was_to_be_erased_and_is_still_there_is_a_warning(
    database: Dsns, capsys: pytest.CaptureFixture[str]
) -> None:
    execute(database.owner, "INSERT INTO due_erasure SELECT gen_random_uuid(), 1")
    try:
        assert run(["doctor", "--json"]) == Exit.OK
    finally:
        execute(database.owner, "DELETE FROM due_erasure")
    verdict, says = findings(capsys)["erasures"]
    assert (verdict, says.split()[0]) == ("warning", "1")


@pytest.mark.usefixtures("environment")
def test_rows_beyond_the_head_of_a_log_are_found(
    database: Dsns, capsys: pytest.CaptureFixture[str]
) -> None:
    encounter = uuid4()
    for statement in (
        "INSERT INTO tenant (id, name) VALUES ('{0}', '{0}')",
        "INSERT INTO encounter (id, tenant, ruleset, version, status, head_seq, head_hash)"
        " VALUES ('{0}', '{0}', 'crossfire-d6', '1', 'running', 1, sha256('1'))",
        "INSERT INTO event SELECT '{0}', seq, seq - 1, sha256('1'), '{{}}', ''"
        " FROM generate_series(1, 2) AS seq",
    ):
        execute(database.owner, statement.format(encounter))
    assert run(["doctor", "--json"]) == Exit.WRONG
    verdict, says = findings(capsys)["heads"]
    execute(database.owner, f"UPDATE encounter SET head_seq = 2 WHERE id = '{encounter}'")
    assert run(["doctor", "--json"]) == Exit.OK
    assert (verdict, says.split()[0]) == ("wrong", "1")
    assert "heads" not in verdicts(capsys)


def test_a_superuser_may_rewrite_everything_and_is_found(
    environment: pytest.MonkeyPatch, database: Dsns, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.setenv("WARLOG_DATABASE_URL", database.admin)
    assert run(["doctor", "--json"]) == Exit.WRONG
    assert verdicts(capsys)["serving role"] == "wrong"


def test_a_database_without_schema_or_rights_is_found(
    environment: pytest.MonkeyPatch,
    database: Dsns,
    empty_database: Dsns,
    capsys: pytest.CaptureFixture[str],
) -> None:
    environment.setenv("WARLOG_DATABASE_URL", empty_database.app)
    environment.setenv("WARLOG_MIGRATE_URL", empty_database.owner)
    environment.delenv("WARLOG_ERASE_URL")
    assert run(["doctor", "--json"]) == Exit.WRONG
    assert verdicts(capsys)["schema"] == "wrong"
    assert run(["migrate"]) == Exit.OK
    assert run(["migrate"]) == Exit.OK
    migrated, again = capsys.readouterr().out.splitlines()
    assert migrated.startswith("migrated from an empty database to ")
    assert again == f"up to date at {migrated.split()[-1]}"
    assert run(["doctor"]) == Exit.OK


def test_what_cannot_be_reached_is_told_without_hiding_the_rest(
    environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.setenv("WARLOG_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    environment.setenv("WARLOG_REDIS_URL", "redis://127.0.0.1:1")
    environment.setenv("WARLOG_DATABSE_URL", "slip")
    assert run(["doctor", "--json"]) == Exit.UNAVAILABLE
    assert verdicts(capsys) == {
        "settings": "warning",
        "signing key": "ok",
        "redis": "away",
        "database": "away",
        "erasing role": "ok",
    }


def test_the_private_database_is_examined_where_none_is_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("WARLOG_DATABASE_URL", raising=False)
    monkeypatch.setenv("WARLOG_DATA_DIR", str(tmp_path))
    assert run(["migrate"]) == Exit.OK
    capsys.readouterr()
    assert run(["doctor", "--json"]) == Exit.OK
    assert set(verdicts(capsys).values()) == {"ok"}


def test_a_setting_that_cannot_be_used_ends_with_a_sentence_and_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARLOG_PORT", "[red]8080")
    assert run(["doctor"]) == Exit.USAGE
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "warlog: WARLOG_PORT must be a whole number from 0 to 65535\n"


def test_a_database_that_is_away_ends_migrate_with_code_3(
    environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.setenv("WARLOG_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    environment.setenv("WARLOG_MIGRATE_URL", "postgresql://nobody@127.0.0.1:1/none")
    assert run(["migrate"]) == Exit.UNAVAILABLE
    assert "database_away" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["nonsense"], ["doctor", "--nonsense"], []])
def test_a_wrong_call_ends_with_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == Exit.USAGE
    assert "Usage: warlog" in "".join(capsys.readouterr())


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == Exit.OK
    assert "Exit codes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changed", "subject"),
    [
        ({"version": 14}, "database"),
        ({"encoding": "SQL_ASCII"}, "encoding"),
        ({"is_read_only": True}, "writable"),
        ({"is_migrated": False}, "schema"),
        ({"revision": "0041", "schema": SchemaVersion(41, 41)}, "schema"),
        ({"revision": "0043", "schema": SchemaVersion(43, 43)}, "schema"),
        ({"revision": "0008", "schema": None}, "schema"),
        ({"lacks": ("clock select",)}, "serving role"),
        ({"may_append": False}, "serving role"),
        ({"may_rewrite": ("event update",)}, "serving role"),
        ({"beyond_head": 3}, "heads"),
    ],
)
def test_each_fault_is_found_by_its_name(changed: dict[str, object], subject: str) -> None:
    seen = structs.replace(HEALTHY, **changed)
    found = [*judge_server(seen, 42), judge_serving(seen), *judge_ends(seen)]
    assert [one.subject for one in found if one.verdict is Severity.WRONG] == [subject]


def test_logs_that_were_too_many_to_look_through_are_a_warning() -> None:
    [heads] = judge_ends(structs.replace(HEALTHY, beyond_head=None))
    assert heads.verdict is Severity.WARNING


@pytest.mark.parametrize(
    ("revision", "schema", "verdict", "says"),
    [
        (None, None, Severity.OK, "present, at unknown"),
        ("0042", SchemaVersion(42, 42), Severity.OK, "present, at 0042"),
        (
            "0043",
            SchemaVersion(43, 42),
            Severity.OK,
            "present, at 0043, newer than this build (0042), serves it",
        ),
        (
            "0043",
            SchemaVersion(43, 43),
            Severity.WRONG,
            "at 0043, this build needs 0042, and serves none before 0043; run a newer build",
        ),
        (
            "0041",
            SchemaVersion(41, 40),
            Severity.WRONG,
            "at 0041, this build needs 0042; run 'warlog migrate' of this build",
        ),
    ],
)
def test_a_schema_is_judged_by_the_builds_it_serves(
    revision: str | None, schema: SchemaVersion | None, verdict: Severity, says: str
) -> None:
    seen = structs.replace(HEALTHY, revision=revision, schema=schema)
    [found] = [one for one in judge_server(seen, 42) if one.subject == "schema"]
    assert found == Finding(subject="schema", verdict=verdict, says=says)


@pytest.mark.parametrize(
    ("ahead_ms", "within_ms", "verdict"),
    [
        (2_001, 1, Severity.OK),
        (2_002, 1, Severity.WARNING),
        (-2_001, 1, Severity.OK),
        (-2_002, 1, Severity.WARNING),
        (3_000, 1_000, Severity.OK),
    ],
)
def test_clocks_may_be_two_seconds_apart(ahead_ms: int, within_ms: int, verdict: Severity) -> None:
    seen = structs.replace(HEALTHY, ahead_ms=ahead_ms, within_ms=within_ms)
    [clock] = [one for one in judge_server(seen, 42) if one.subject == "clock"]
    assert clock.verdict is verdict


def execute(address: str, statement: str) -> None:
    async def work() -> None:
        connection = await asyncpg.connect(address)
        await connection.execute(statement)
        await connection.close()

    asyncio.run(work())
