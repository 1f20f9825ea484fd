"""What a rewind undid and whose it was: shown by reads and audits, to each as he may see it."""

from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from service.encounters import rewind_summary
from service.encounters.responses import EventRecord
from service.encounters.rewind_summary import RewindSummaries
from service.encounters.undone_events import Undoing
from service.replay.audit.audits import audit_stored
from service.replay.report.interventions import SeqRun
from tests.encounters.table import Table, creation, end_turn, fighter

STEP = {"type": "move", "combatant": "r1", "path": [{"x": 0, "y": 1}]}
HIDDEN = fighter("b2", "blue", 9, 9, hidden=True)
HURT = {"type": "adjust", "changes": [{"type": "hp", "combatant": "b2", "value": 3}]}


async def rewound(table: Table) -> UUID:
    """Rita steps (3), the master hurts somebody unseen (4), Rita remarks (5), all is undone (6)."""
    people = (fighter("r1", "red", 0, 0), fighter("b1", "blue", 6, 0), HIDDEN)
    encounter = await table.started(creation(*people))
    await table.seat("rita").act(encounter, STEP)
    await table.act(encounter, HURT)
    await table.seat("rita").act(encounter, {"type": "note", "text": "hm"})
    await table.act(encounter, {"type": "rewind", "to": 2})
    return encounter


async def undoing(table: Table, encounter: UUID, seq: int) -> Any:
    """What an event undid, as its reader is shown."""
    record = await table.encounters.reads.event(table.who, encounter, seq)
    return short(record.undoing)


def short(undoing: Undoing | UnsetType) -> Any:
    """Seqs, seats and actions; None where there is nothing."""
    if undoing is UNSET:
        return None
    told = msgspec.to_builtins(undoing)
    for name in ("undone", "restored"):
        told[name] = [(e["seq"], e["by"].get("seat"), e.get("action")) for e in told[name]]
    return told


async def test_each_is_told_what_he_may_see_of_what_was_undone(table: Table) -> None:
    encounter = await rewound(table)
    for name, adjusted in (("gm", "adjust"), ("bob", "adjust"), ("rita", None), ("olaf", None)):
        caller = table if name == "gm" else table.seat(name)
        undone = [(3, "rita", "move"), (4, None, adjusted), (5, "rita", "note")]
        assert await undoing(caller, encounter, 6) == {
            "undone_count": 3,
            "undone": undone,
            "restored_count": 0,
            "restored": [],
        }
        for seq in range(1, 6):
            assert await undoing(caller, encounter, seq) is None


async def test_a_redo_brings_back_and_undoes_what_came_between(table: Table) -> None:
    encounter = await rewound(table)
    await table.act(encounter, end_turn("r1"))
    await table.act(encounter, {"type": "rewind", "to": 4})
    assert await undoing(table, encounter, 8) == {
        "undone_count": 2,
        "undone": [(6, None, "rewind"), (7, None, "end_turn")],
        "restored_count": 2,
        "restored": [(3, "rita", "move"), (4, None, "adjust")],
    }


async def test_an_audit_tells_the_same(table: Table) -> None:
    encounter = await rewound(table)
    for name in ("gm", "rita"):
        caller = table if name == "gm" else table.seat(name)
        report = await audit_stored(caller.encounters.reads, caller.who, encounter)
        told = {each.seq: short(each.undoing) for each in report.verdicts}
        assert [seq for seq, each in told.items() if each] == [6]
        assert told[6] == await undoing(caller, encounter, 6)
        assert {each.seq: each.undone_by for each in report.verdicts if each.undone_by} == {
            3: 6,
            4: 6,
            5: 6,
        }
        [rewind] = report.rewinds
        assert (rewind.from_seq, rewind.to, rewind.undone) == (5, 2, (SeqRun(first=3, last=5),))


async def test_an_override_of_somebody_unseen_is_listed_for_those_who_know(table: Table) -> None:
    encounter = await rewound(table)
    listed = {}
    for name in ("gm", "bob", "rita", "olaf"):
        caller = table if name == "gm" else table.seat(name)
        report = await audit_stored(caller.encounters.reads, caller.who, encounter)
        listed[name] = [(each.seq, each.changes_count) for each in report.overrides]
    assert listed == {"gm": [(4, 1)], "bob": [(4, 1)], "rita": [], "olaf": []}


async def test_of_many_the_last_hundred_are_told_one_by_one(table: Table) -> None:
    encounter = await table.started()
    for _ in range(60):
        await table.act(encounter, end_turn("r1"), end_turn("b1"))
    await table.act(encounter, {"type": "rewind", "to": 2})
    told = await undoing(table, encounter, 123)
    assert (told["undone_count"], told["undone"][0][0], told["undone"][-1][0]) == (120, 23, 122)


def counting(bases: dict[int, int], head: int) -> list[int]:
    """The events that count at a head, from the last back to the first."""
    way = []
    while head:
        way.append(head)
        head = bases[head]
    return way


def told_by_counting(bases: dict[int, int], seq: int, head: int) -> tuple[Any, int | None]:
    """What an event undid, by seq, and what undid it, worked out event by event."""
    undone_by = None
    if seq not in counting(bases, head):
        undone_by = 1 + max(s for s in range(seq, head) if seq in counting(bases, s))
    if bases[seq] == seq - 1:
        return None, undone_by
    before, after = counting(bases, seq - 1), counting(bases, bases[seq])
    gone, back = set(before) - set(after), set(after) - set(before)
    return (sorted(gone), sorted(back)), undone_by


def told_by(record: EventRecord) -> tuple[Any, int | None]:
    """The same as a read shows it."""
    undone_by = None if record.undone_by is UNSET else record.undone_by
    if record.undoing is UNSET:
        return None, undone_by
    told = record.undoing
    assert (told.undone_count, told.restored_count) == (len(told.undone), len(told.restored))
    return ([each.seq for each in told.undone], [each.seq for each in told.restored]), undone_by


def random_bases(chance: Random, count: int) -> Iterator[tuple[int, int]]:
    """Each further seq with its base: every third or so goes back, none before the start."""
    for seq in range(3, 3 + count):
        yield seq, chance.randint(2, seq - 2) if seq > 4 and chance.random() < 0.4 else seq - 1


async def test_reads_between_rewinds_tell_what_counting_tells(table: Table) -> None:
    encounter, chance = await table.started(), Random(16)
    bases = {1: 0, 2: 1}
    for seq, base in random_bases(chance, 60):
        note = {"type": "note", "text": "hm"}
        action = note if base == seq - 1 else {"type": "rewind", "to": base}
        await table.act(encounter, action)
        bases[seq] = base
        asked = chance.randint(1, seq)
        record = await table.encounters.reads.event(table.who, encounter, asked)
        assert told_by(record) == told_by_counting(bases, asked, seq)
    page = await table.encounters.reads.events(table.who, encounter, None, limit=50)
    assert [told_by(each)[1] for each in page.events] == [
        told_by_counting(bases, each.seq, 62)[1] for each in page.events
    ]


async def test_what_is_kept_of_another_log_is_not_used(table: Table) -> None:
    encounter = await rewound(table)
    store = table.encounters.reads.store
    battle, _ = await table.encounters.reads.load(table.who, encounter)
    page = await store.log.events(encounter, after=0, limit=2)
    summaries = RewindSummaries(store.log)
    undoer = await summaries.undoer_of(encounter, page, battle.head)
    assert [undoer(seq) for seq in range(1, 7)] == [None, None, 6, 6, 6, None]
    kept = summaries._kept[encounter]
    for seq in (5, 6, 7):
        summaries._kept[encounter] = kept._replace(head=(seq, "0" * 64), undoer=lambda _: 1)
        again = await summaries.undoer_of(encounter, page, battle.head)
        assert [again(seq) for seq in range(1, 7)] == [None, None, 6, 6, 6, None]


async def test_no_more_than_so_many_rewinds_are_kept(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    battles = [await rewound(table) for _ in range(3)]
    monkeypatch.setattr(rewind_summary, "MOST_KEPT", 5)
    store = table.encounters.reads.store
    summaries = RewindSummaries(store.log)
    for encounter in (*battles, battles[1]):
        battle, _ = await table.encounters.reads.load(table.who, encounter)
        page = await store.log.events(encounter, after=0, limit=2)
        await summaries.undoer_of(encounter, page, battle.head)
    assert list(summaries._kept) == [battles[2], battles[1]]
    assert summaries._size == 4
