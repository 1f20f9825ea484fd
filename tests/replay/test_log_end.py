"""What an audit makes of a log whose events are whole, but not what stands beside them."""

from uuid import UUID

from service.eventstore.connection import Connection
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.replay.auditing import audit_log
from service.replay.verdicts import Problem
from service.rulesets import RULESETS
from tests.encounters.table import Table
from tests.replay.tampered import after, audit, battle

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
    assert report.problems == (Problem(code="rows_beyond_head", where="event 10"),)
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
