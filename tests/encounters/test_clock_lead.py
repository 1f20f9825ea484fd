"""A service's clock that is ahead: counted, and a remark in the audit of what was stored."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from service.encounters.clock_and_ids import ClockLead, Sources, is_ahead
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_stored
from tests.encounters.table import Table, end_turn, new_table

RECORDED = datetime(2026, 11, 30, 12, 0, 0, 400_000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "ahead"),
    [
        ("2026-11-30T12:00:05.399Z", False),
        ("2026-11-30T12:00:05.400Z", True),
        ("2025-01-01T00:00:00.000Z", False),
    ],
)
def test_a_lead_counts_from_five_seconds_on(at: str, ahead: bool) -> None:
    lead = ClockLead()
    lead.note(at, RECORDED, 2)
    assert is_ahead(at, RECORDED) is ahead
    assert (lead.events, lead.seconds) == ((2, 5.0) if ahead else (0, 0.0))


async def test_one_step_into_the_future_is_seen_in_all_later_events(store: EventStore) -> None:
    wrong = timedelta()
    sources = Sources(now=lambda: datetime.now(UTC) + wrong, random=os.urandom)
    table: Table = await new_table(store, sources=sources)
    lead = table.encounters.write_path.clock_lead
    encounter = await table.started()
    report = await audit_stored(table.encounters.reads, table.who, encounter)
    assert (report.warnings, lead.events, lead.seconds) == ((), 0, 0.0)
    wrong = timedelta(hours=1)
    await table.act(encounter, end_turn("r1"))
    wrong = timedelta()
    await table.act(encounter, end_turn("b1"), end_turn("r1"))
    assert lead.events == 3
    assert 3_000 < lead.seconds < 3_601
    report = await audit_stored(table.encounters.reads, table.who, encounter)
    assert (report.clean, report.warnings) == (True, ("clock_was_ahead",))
    # Another battle does not inherit it.
    await table.started()
    assert (lead.events, lead.seconds) == (3, 0.0)
