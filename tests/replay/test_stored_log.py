"""What an audit makes of a log whose events are whole, but not what is next to them."""

from uuid import UUID

import pytest
from msgspec import UNSET

from service.errors import LogDamaged
from service.eventstore.connection import Connection
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_log
from service.replay.report.verdicts import LogProblem
from service.rulesets import RULESETS
from tests.encounters.table import Table, beside, new_table
from tests.replay.tampering import Tamper, after, audit, battle, bundle

MOVED_BACK = """
    UPDATE encounter SET head_seq = 9,
        head_hash = (SELECT hash FROM event WHERE encounter_id = $1 AND seq = 9)
    WHERE id = $1
"""


async def move_back(connection: Connection, encounter: UUID) -> None:
    """The head stands two events earlier, both of which are still there."""
    await connection.execute(MOVED_BACK, encounter)


async def test_a_head_that_was_moved_back_leaves_rows_beyond_it(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await battle(table)
    assert (await audit(table, encounter)).clean
    report = await after(database, store, encounter, move_back)
    assert dict(report.counts) == {"match": 8, "override": 1}
    assert report.problems == (LogProblem(code="rows_beyond_head", where="event 10"),)
    assert not report.clean
    for seat in ("rita", "olaf"):
        assert (await audit(table.seat(seat), encounter)).problems == report.problems


async def test_a_log_that_goes_on_during_its_audit_has_no_rows_beyond_its_head(
    table: Table, store: EventStore
) -> None:
    encounter = await battle(table)
    row = await store.log.head(encounter)
    await table.act(encounter, {"type": "note", "text": "Meanwhile"})
    assert row is not None
    report = await audit_log(store.log, row, RULESETS)
    assert (report.head, report.clean) == (11, True)


async def lose_secret(connection: Connection, encounter: UUID) -> None:
    """Seed and seal key are gone."""
    await connection.execute("DELETE FROM secret WHERE encounter_id = $1", encounter)


async def test_a_secret_that_is_gone_is_a_finding(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await battle(table)
    report = await after(database, store, encounter, lose_secret)
    assert report.problems == (LogProblem(code="secret_missing", where="secret"),)
    assert dict(report.counts) == {"sealed": 11}
    assert not report.clean
    assert report.dice is not UNSET
    assert report.dice.fairness == "not_verified"


async def test_a_secret_that_is_gone_is_told_to_everybody_and_keeps_nobody_from_reading(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await battle(table)
    await after(database, store, encounter, lose_secret)
    fresh = beside(table, store)
    assert await fresh.state(encounter) == await table.state(encounter)
    report = await audit(fresh, encounter)
    word = await audit(fresh.seat("rita"), encounter)
    assert report.problems == word.problems == (LogProblem(code="secret_missing", where="secret"),)
    assert dict(word.counts) == {"unavailable": 11}
    gone = {"encounter": str(encounter), "found": "no_secret"}
    for attempt in (fresh.act(encounter, {"type": "note", "text": "?"}), bundle(fresh, encounter)):
        with pytest.raises(LogDamaged) as damage:
            await attempt
        assert damage.value.params == gone
    assert (await table.encounters.reads.view(table.who, encounter, None)).head == 11


async def test_a_seed_that_was_revealed_does_not_make_up_for_a_lost_secret(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await battle(table)
    await table.act(encounter, {"type": "end_encounter", "reveal": "now", "open": "all"})
    report = await after(database, store, encounter, lose_secret)
    assert report.problems == (LogProblem(code="secret_missing", where="secret"),)


def put(column: str, value: object) -> Tamper:
    async def tamper(connection: Connection, encounter: UUID) -> None:
        statement = f"UPDATE encounter SET {column} = $2 WHERE id = $1"
        await connection.execute(statement, encounter, value)

    return tamper


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [("status", "ended", "running"), ("status", "setup", "running"), ("version", "0", "2")],
)
async def test_a_row_that_says_something_else_than_its_log_is_told(
    table: Table, store: EventStore, database: Dsns, column: str, value: str, expected: str
) -> None:
    report = await after(database, store, await battle(table), put(column, value))
    assert report.problems == (differs(column, value, expected),)
    assert not report.clean


def differs(where: str, stored: str, expected: str) -> LogProblem:
    return LogProblem(code="header_differs", where=where, stored=stored, expected=expected)


async def test_an_encounter_that_was_given_to_another_tenant_is_told(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await battle(table)
    thief = await new_table(store)
    report = await after(database, store, encounter, put("tenant", thief.who.tenant))
    problem = differs("tenant", str(thief.who.tenant), str(table.who.tenant))
    assert report.problems == (problem,)
    assert (await audit(thief, encounter)).problems == (problem,)


async def test_a_tenant_that_nobody_can_know_of_any_more_is_told(
    table: Table, store: EventStore, database: Dsns
) -> None:
    async def forget(connection: Connection, encounter: UUID) -> None:
        await connection.execute("DELETE FROM api_key WHERE id = $1", table.who.key_id)

    report = await after(database, store, await battle(table), forget)
    assert report.problems == (differs("tenant", str(table.who.tenant), "unknown"),)


async def test_the_row_is_held_against_the_log_at_its_own_head(table: Table) -> None:
    encounter = await battle(table)
    assert (await audit(table, encounter)).clean
    await table.act(encounter, {"type": "end_encounter"})
    report = await audit(table, encounter)
    assert (report.head, report.problems) == (12, ())
