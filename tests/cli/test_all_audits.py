"""`warlog audit --all`: every stored battle is judged, nothing written, and it can be stopped."""

import asyncio
import json
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from msgspec import UNSET

from service.cli import run
from service.cli.all_audits.job import AuditJob, JudgedLine
from service.cli.all_audits.run import AllAudits, audit_all
from service.cli.all_audits.worker import AuditWorker
from service.cli.reporting import WARNINGS
from service.engine.vocabulary import actions as do
from service.errors import JobFailed
from service.eventstore.connection import Database
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.moment import READING
from service.eventstore.records import EncounterRow
from service.exits import Exit
from tests.conftest import scratch_database, user_of
from tests.eventstore.test_hosts import behind
from tests.kit.rigs import rig_of
from tests.kit.table import Table
from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port
from tests.replay.stored_tables import numbered, random_table, store_tables
from tests.replay.tampering import without_guard
from tests.toy.audit_work import BOTH, DEADLY
from tests.toy.battles import SETUP, SIDES, ambush
from tests.toy.rules import RULESET

SLUGS = ("crossfire-d6", "squad-d100")
CROSSFIRE, SQUAD = (f"{slug} {rig_of(slug).ruleset.version}" for slug in SLUGS)
NUMBERS = range(4)
AMBUSH = ambush()

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
async def database(server: str) -> AsyncIterator[Dsns]:
    """A database of this module alone."""
    async with scratch_database(server) as dsns:
        await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
        yield dsns


@pytest.fixture(scope="module")
def battles() -> list[Table]:
    """Battles of two rulesets."""
    return [random_table(rig_of(slug), number, 12) for slug in SLUGS for number in NUMBERS]


@pytest.fixture
async def season(
    database: Dsns, battles: list[Table], monkeypatch: pytest.MonkeyPatch, state_home: Path
) -> Dsns:
    """A database with these battles and no others."""
    monkeypatch.setenv("WARLOG_DATABASE_URL", database.app)
    await empty(database)
    await store_tables(database.admin, battles)
    return database


@pytest.fixture
async def toys(database: Dsns, monkeypatch: pytest.MonkeyPatch, state_home: Path) -> Dsns:
    """A database with four battles of the toy ruleset; in three of them nobody is hurt."""
    monkeypatch.setenv("WARLOG_DATABASE_URL", database.app)
    await empty(database)
    quiet_ones = [quiet(number, count) for number, count in enumerate(QUIET)]
    await store_tables(database.admin, [AMBUSH, *quiet_ones])
    return database


async def empty(database: Dsns) -> None:
    """Nothing is left in the database but its schema."""
    async with without_guard(database) as connection:
        await connection.execute(
            "TRUNCATE encounter, fork, fork_day, event, event_part, secret, encounter_blob"
        )


@pytest.fixture
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs keep what they have judged."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "warlog" / "audits"


QUIET = (DEADLY - 1, DEADLY, DEADLY + 1)


def quiet_id(number: int) -> UUID:
    return UUID(int=number + 1)


def quiet(number: int, events: int) -> Table:
    """A battle of so many events in which turns end."""
    table = Table(RULESET, SETUP, sides=SIDES, encounter=str(quiet_id(number)))
    table.act(do.StartEncounter())
    while len(table.sealed) < events:
        table.act(do.EndTurn(combatant=table.state.rule.turn))
    return table


async def everything(dsns: Dsns) -> list[str]:
    """All rows of all tables."""
    connection = await asyncpg.connect(dsns.admin)
    try:
        names = await connection.fetch(
            "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'"
        )
        rows: list[str] = []
        for name in sorted(str(name) for (name,) in names):
            statement = f"SELECT t::text || t.xmin::text FROM {name} t ORDER BY 1"
            rows += [f"{name} {row[0]}" for row in await connection.fetch(statement)]
        return rows
    finally:
        await connection.close()


def lines(capsys: Capture) -> list[Any]:
    # A service that another test keeps in this process may say how it fares, which is no JSON.
    told = capsys.readouterr().out.splitlines()
    return [json.loads(line) for line in told if line.startswith("{")]


async def change(dsns: Dsns, *statements: tuple[str, UUID]) -> None:
    """Tamper with encounters."""
    async with without_guard(dsns) as connection:
        for statement, encounter in statements:
            await connection.execute(statement, encounter)


def ids(slug: str) -> list[UUID]:
    return [numbered(rig_of(slug), number) for number in NUMBERS]


# --- what is found --------------------------------------------------------------------------------


def test_every_battle_is_judged_and_nothing_is_written(
    season: Dsns, state_home: Path, capsys: Capture
) -> None:
    before = asyncio.run(everything(season))
    assert run(["audit", "--all", "--json", "--processes", "2"]) == Exit.OK
    *audits, summary = lines(capsys)
    assert {audit["encounter"] for audit in audits} == {str(i) for s in SLUGS for i in ids(s)}
    assert all(audit["clean"] and audit["result"] == "clean" for audit in audits)
    assert sum(audit["head"] for audit in audits) == summary["events"]
    assert summary == {
        "type": "summary",
        "build": summary["build"],
        "complete": True,
        "encounters": 8,
        "before": 0,
        "events": summary["events"],
        "results": {"clean": 8},
        "rulesets": {CROSSFIRE: {"clean": 4}, SQUAD: {"clean": 4}},
        "left_out": {},
        "kinds": [],
        "warnings": [],
    }
    assert asyncio.run(everything(season)) == before
    assert list(state_home.iterdir()) == []


@pytest.mark.parametrize("query", ["", "target_session_attrs=read-write"])
def test_an_address_of_several_hosts_is_audited_on_one_that_answers(
    season: Dsns, query: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("WARLOG_DATABASE_URL", behind(season.app, free_port(), query=query))
    assert run(["audit", "--all", "--json", "--processes", "1"]) == Exit.OK
    *audits, summary = lines(capsys)
    assert (len(audits), summary["results"]) == (8, {"clean": 8})


DAMAGES: list[tuple[str, dict[str, Any]]] = [
    ("UPDATE event SET body = '5' WHERE encounter_id = $1 AND seq = 3", {"first": "mismatch"}),
    ("DELETE FROM event WHERE encounter_id = $1 AND seq = 3", {"first": "mismatch"}),
    ("DELETE FROM event WHERE encounter_id = $1", {"problem": "head_differs"}),
    ("UPDATE encounter SET version = '9' WHERE id = $1", {"first": "unavailable"}),
    ("DELETE FROM encounter_blob WHERE encounter_id = $1", {"first": "refused"}),
    ("DELETE FROM secret WHERE encounter_id = $1", {"problem": "secret_missing"}),
]


def test_damaged_battles_are_findings_and_the_others_are_judged(
    season: Dsns, capsys: Capture
) -> None:
    damaged = dict(zip(ids("squad-d100") + ids("crossfire-d6"), DAMAGES, strict=False))
    statements = [(statement, encounter) for encounter, (statement, _) in damaged.items()]
    asyncio.run(change(season, *statements))
    assert run(["audit", "--all", "--json", "--processes", "1"]) == Exit.WRONG
    *audits, summary = lines(capsys)
    assert len(audits) == 8
    for audit in audits:
        _, expected = damaged.get(UUID(audit["encounter"]), ("", {}))
        if "first" in expected:
            assert audit["first_failure"]["verdict"] == expected["first"]
        elif "problem" in expected:
            assert expected["problem"] in [problem["code"] for problem in audit["problems"]]
        assert audit["result"] == ("wrong" if expected else "clean")
    assert summary["results"] == {"wrong": 6, "clean": 2}
    kinds = {kind["what"]: kind["encounters"] for kind in summary["kinds"]}
    assert kinds["mismatch at $"] == 1
    assert kinds["secret_missing"] == 1
    assert sum(kinds.values()) == 6


def test_people_are_told_what_is_wrong_and_how_often(season: Dsns, capsys: Capture) -> None:
    """Of those whose last event is not too old; one without a last event is looked into."""
    wrong, old, lost, _ = ids("squad-d100")
    aged = "UPDATE event SET recorded_at = '2001-02-03T04:05:06Z' WHERE encounter_id = $1"
    changes = (
        ("UPDATE event SET body = '5' WHERE encounter_id = $1 AND seq = 3", wrong),
        (f"{aged} AND seq < 14", wrong),
        (aged, old),
        ("DELETE FROM event WHERE encounter_id = $1 AND seq > 8", lost),
    )
    asyncio.run(change(season, *changes))
    asked = ["--ruleset", "squad-d100", "--since", "2001-02-03T06:05:07+02:00"]
    assert run(["audit", "--all", "--processes", "1", *asked]) == Exit.WRONG
    told = capsys.readouterr().out.splitlines()
    assert [line[:90] for line in told] == [
        f"{wrong}, {SQUAD}: something is wrong",
        "  event 3: $ does not fit",
        "    mismatch",
        "    at $",
        "    broken: canonical, hash",
        f"{lost}, {SQUAD}: something is wrong",
        told[6][:90],
        "something is wrong",
        f"3 encounters, {14 + 8 + 14} events",
        "        2 something is wrong",
        "        1 clean",
        f"        1 x {SQUAD}: head_differs (such as {lost})"[:90],
        f"        1 x {SQUAD}: mismatch at $ (such as {wrong})"[:90],
        f"warning: {WARNINGS['clock_was_ahead']}"[:90],
    ]
    assert told[6].startswith("  head: the log does not end where it should; found 8-")


# --- going on -------------------------------------------------------------------------------------


def test_what_was_judged_is_not_judged_again_unless_its_log_or_the_build_is_another(
    season: Dsns, tmp_path: Path, capsys: Capture
) -> None:
    kept = tmp_path / "kept.ndjson"
    asked = ["audit", "--all", "--json", "--processes", "1", "--resume", str(kept)]
    assert run(asked) == Exit.OK
    *first, summary = lines(capsys)
    assert (summary["before"], summary["journal"]) == (0, str(kept))
    *judged, last = kept.read_text().splitlines(keepends=True)
    # One line was cut off, one is of another build, one of a head that the log no longer has.
    judged[-1] = judged[-1].replace(summary["build"], "1.0.0+another")
    judged[-2] = judged[-2].replace('"head":14', '"head":13')
    kept.write_text("".join(judged) + last[:-9])
    assert run(asked) == Exit.OK
    *again, summary = lines(capsys)
    assert (summary["before"], summary["encounters"]) == (5, 8)
    assert sorted(first, key=str) == sorted(again, key=str)
    assert run(asked) == Exit.OK
    assert lines(capsys)[-1]["before"] == 8


def test_a_run_that_is_stopped_says_how_to_go_on_and_does(
    season: Dsns, state_home: Path, capsys: Capture
) -> None:
    asyncio.run(store_tables(season.admin, [random_table(rig_of("squad-d100"), 99, 120)]))
    command = [sys.executable, "-m", "service", "audit", "--all", "--json", "--processes", "1"]
    # A terminal for the bar, and a pipe for what is found.
    terminal, its_end = pty.openpty()
    shown: list[bytes] = []
    reading = threading.Thread(target=read_to_the_end, args=(terminal, shown))
    reading.start()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=its_end) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == Exit.UNAVAILABLE
    os.close(its_end)
    reading.join(PATIENCE_SECONDS)
    errors = b"".join(shown).decode()
    *_, summary = [json.loads(line) for line in told.splitlines()]
    [journal] = state_home.iterdir()
    assert (summary["complete"], summary["journal"]) == (False, str(journal))
    assert f"stopped; the same command goes on from {journal}" in errors
    assert " events, " in errors
    assert run(["audit", "--all", "--json"]) == Exit.OK
    captured = capsys.readouterr()
    *audits, second = [json.loads(line) for line in captured.out.splitlines()]
    assert (second["encounters"], second["before"]) == (9, summary["encounters"])
    assert first in audits
    assert not journal.exists()


def read_to_the_end(terminal: int, shown: list[bytes]) -> None:
    """Read what a terminal shows until nobody writes to it any more."""
    with suppress(OSError):
        while piece := os.read(terminal, 1 << 16):
            shown.append(piece)
    os.close(terminal)


@pytest.mark.parametrize("content", ["a bundle\n", '{"type":"header"}\n'])
def test_a_file_that_is_something_else_is_left_alone(
    tmp_path: Path, capsys: Capture, content: str
) -> None:
    path = tmp_path / "battle.ndjson"
    path.write_text(content)
    assert run(["audit", "--all", "--resume", str(path)]) == Exit.USAGE
    assert capsys.readouterr().err == (
        f"warlog: {path}: is no file of audits; nothing in it was changed\n"
    )
    assert path.read_text() == content


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--all", "--ruleset", "chess"], "there is no chess in this build; it has crossfire-d6,"),
        (["--all", "--since", "yesterday"], "--since takes a moment, such as 2026-11-01"),
        (["--all", "--against", "99"], "this build has no version 99 of any ruleset; it has 1"),
        (["x.ndjson", "--against", "99"], "this build has no version 99 of any ruleset"),
        (["--all", "--head", "1-" + "0" * 64], "--head is of one log"),
        (["--all", "--public-key", "00" * 32], "held against one log that is audited as it is"),
        (["x.ndjson", "--since", "2026-11-01"], "go with --all"),
        (["x.ndjson", "--processes", "2"], "go with --all"),
        (["x.ndjson", "--resume", "kept"], "go with --all"),
        (["--all", "--processes", "0"], "--processes"),
    ],
)
def test_options_that_mean_nothing_here_are_refused(
    arguments: list[str], said: str, capsys: Capture
) -> None:
    assert run(["audit", *arguments]) == Exit.USAGE
    assert said in " ".join(capsys.readouterr().err.split())


def test_without_a_database_nothing_is_judged(
    monkeypatch: pytest.MonkeyPatch, state_home: Path, capsys: Capture
) -> None:
    monkeypatch.setenv("WARLOG_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    assert run(["audit", "--all"]) == Exit.UNAVAILABLE
    assert "database_away" in capsys.readouterr().err


@pytest.mark.usefixtures("toys")
def test_a_battle_that_no_process_survives_costs_nothing_but_itself(capsys: Capture) -> None:
    assert asked_of_toys("mortal", processes=2) == Exit.UNAVAILABLE
    *audits, summary = lines(capsys)
    found = {audit["encounter"]: audit.get("error") for audit in audits}
    assert found == {
        AMBUSH.encounter: None,
        str(quiet_id(0)): None,
        str(quiet_id(1)): "job_failed",
        str(quiet_id(2)): "LookupError",
    }
    assert summary["results"] == {"clean": 2, "unavailable": 2}
    assert {kind["what"] for kind in summary["kinds"]} == {
        "failed: job_failed",
        "failed: LookupError",
    }


@pytest.mark.usefixtures("toys")
def test_where_no_process_gets_anywhere_it_is_told(state_home: Path, capsys: Capture) -> None:
    with pytest.raises(JobFailed):
        asked_of_toys("stillborn")
    assert (lines(capsys), list(state_home.iterdir())) == ([], [])


def test_a_battle_that_is_deleted_meanwhile_is_counted_as_gone(toys: Dsns) -> None:
    async def judged() -> list[str]:
        database = await Database.open(toys.app, size=1, settings=READING)
        found: list[str] = []
        for against in (UNSET, "2"):
            job = AuditJob(url=toys.app, against=against)
            worker = AuditWorker(job, BOTH, database)
            answers = [answer async for answer in worker.answers(row_of(UUID(int=77)))]
            found += [answer.result for answer in answers if isinstance(answer, JudgedLine)]
        await database.close()
        return found

    assert asyncio.run(judged()) == ["gone", "gone"]


def row_of(encounter: UUID) -> EncounterRow:
    return EncounterRow(
        id=encounter,
        tenant=UUID(int=1),
        ruleset="toy",
        version="1",
        status="running",
        head_seq=1,
        head_hash=bytes(32),
        title=None,
        created_at=datetime.now(UTC),
        erasures=0,
    )


# --- against another version ----------------------------------------------------------------------


def test_what_another_version_would_change_is_no_fault(toys: Dsns, capsys: Capture) -> None:
    rig = rig_of("crossfire-d6")
    asyncio.run(store_tables(toys.admin, [random_table(rig, 0, 3)]))
    renamed = "UPDATE encounter SET ruleset = 'older-d6', version = '1' WHERE id = $1"
    asyncio.run(change(toys, (renamed, numbered(rig, 0))))
    asyncio.run(change(toys, ("UPDATE encounter SET version = '2' WHERE id = $1", quiet_id(2))))
    before = asyncio.run(everything(toys))
    assert asked_of_toys("work", against="2", processes=1) == Exit.OK
    *comparisons, summary = lines(capsys)
    results = {each["encounter"]: each["result"] for each in comparisons}
    assert results == {
        AMBUSH.encounter: "differs",
        str(quiet_id(0)): "same",
        str(quiet_id(1)): "same",
    }
    in_one = {"encounters": 1, "events": 1}
    assert summary == {
        "type": "summary",
        "against": "2",
        "build": summary["build"],
        "complete": True,
        "encounters": 3,
        "before": 0,
        "events": len(AMBUSH.sealed) + QUIET[0] + QUIET[1],
        "results": {"differs": 1, "same": 2},
        "rulesets": {"toy 1": {"differs": 1, "same": 2}},
        "left_out": {"same_version": 1, "version_unknown": 1},
        "kinds": [
            {
                "ruleset": "toy",
                "version": "1",
                "what": "adjust: differs at parts.facts.blue:$.effects[].amount",
                "encounters": 1,
                "examples": [AMBUSH.encounter],
            }
        ],
        "draws": {"encounters": 0, "events": 0},
        "effects": {"hurt": in_one},
        "rules": {"TY-HURT-2": in_one},
        "refusals": {},
        "warnings": [],
    }
    assert asyncio.run(everything(toys)) == before


def test_a_battle_that_cannot_be_decided_at_all_is_told_apart(toys: Dsns, capsys: Capture) -> None:
    damages = (
        ("UPDATE event SET body = '5' WHERE encounter_id = $1 AND seq = 3", UUID(AMBUSH.encounter)),
        ("DELETE FROM event WHERE encounter_id = $1 AND seq > 5", quiet_id(0)),
        ("DELETE FROM secret WHERE encounter_id = $1", quiet_id(1)),
        ("DELETE FROM encounter_blob WHERE encounter_id = $1", quiet_id(2)),
    )
    asyncio.run(change(toys, *damages))
    assert asked_of_toys("work", against="2", processes=1) == Exit.UNAVAILABLE
    *comparisons, _ = lines(capsys)
    assert {each["encounter"]: (each["result"], each["reason"]) for each in comparisons} == {
        AMBUSH.encounter: ("unavailable", "log_damaged"),
        str(quiet_id(0)): ("unavailable", "log_cut_off"),
        str(quiet_id(1)): ("unavailable", "secret_missing"),
        str(quiet_id(2)): ("unavailable", "blob_missing"),
    }


def asked_of_toys(work: str, **more: Any) -> Exit:
    return audit_all(
        AllAudits(rulesets=BOTH, work=f"tests.toy.audit_work:{work}", as_json=True, **more)
    )
