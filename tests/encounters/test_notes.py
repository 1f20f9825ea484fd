"""The notes of a table in views: the state keeps the text of the last ones, the log that of all."""

from contextlib import suppress
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec import Raw

from service.encounters import earlier_notes, loader
from service.encounters.loader import ENGINE_VERSION, Loader
from service.engine.battle import linear_steps
from service.engine.battle.linear import WHOLE_NOTES
from service.engine.visibility.scope import Viewer
from service.errors import OutcomeUnknown, WarlogError
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_stored
from service.rulesets import RULESETS
from tests.encounters.random_actions import RULESETS as SLUGS
from tests.encounters.random_actions import anything, battle
from tests.encounters.table import Table, beside
from tests.eventstore.relay import Relay

EVERYONE = ("rita", "bob", "olaf")
ROLES = ("gm", "player", "observer")
ALL = 10**6


async def notes_seen(table: Table, encounter: UUID, at: int | None = None) -> list[dict[str, Any]]:
    view = await table.encounters.reads.view(table.who, encounter, at)
    notes: list[dict[str, Any]] = msgspec.json.decode(view.table)["notes"]
    return notes


def remark(number: int) -> dict[str, Any]:
    """A remark for everyone, for the game master alone, or for both apart."""
    said, secret = {"text": f"said {number}"}, {"gm_text": f"secret {number}"}
    return {"type": "note", **(said, secret, said | secret)[number % 3]}


async def remarked(table: Table, encounter: UUID, count: int) -> list[dict[str, Any]]:
    """So many remarks are left; as the game master is shown them."""
    first = (await table.encounters.reads.view(table.who, encounter, None)).head + 1
    remarks = [remark(number) for number in range(count)]
    for start in range(0, count, 32):
        await table.act(encounter, *remarks[start : start + 32])
    return [
        {"seq": seq} | {name: text for name, text in each.items() if name != "type"}
        for seq, each in enumerate(remarks, first)
    ]


def as_players_see(notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: it for name, it in note.items() if name != "gm_text"} for note in notes]


def keep(monkeypatch: pytest.MonkeyPatch, whole: int) -> None:
    """States of this many whole notes, folded from the first event on: no snapshot is read."""
    monkeypatch.setattr(linear_steps, "WHOLE_NOTES", whole)
    monkeypatch.setattr(earlier_notes, "WHOLE_NOTES", whole)
    monkeypatch.setattr(loader, "ENGINE_VERSION", "none")


async def test_each_seat_is_told_all_notes_at_every_seq(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    notes = await remarked(table, encounter, 2 * WHOLE_NOTES + 5)
    await table.encounters.writes.settle()
    for process in (table, beside(table, store)):
        for at in (2, 2 + WHOLE_NOTES, 3 + WHOLE_NOTES, 2 * WHOLE_NOTES, None):
            until = [note for note in notes if at is None or note["seq"] <= at]
            assert await notes_seen(process, encounter, at) == until
            for seat in EVERYONE:
                seen = await notes_seen(process.seat(seat), encounter, at)
                assert seen == as_players_see(until)
    report = await audit_stored(table.encounters.reads, table.who, encounter)
    assert (set(report.counts), report.problems) == ({"match"}, ())


async def test_a_state_and_its_snapshots_hold_the_text_of_the_last_notes_only(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    notes = await remarked(table, encounter, 128)
    await table.encounters.writes.settle()
    snapshot = await store.snapshots.newest(encounter, 130, ENGINE_VERSION)
    assert snapshot is not None
    stored = msgspec.json.decode(snapshot.state)["linear"]["notes"]
    assert stored == kept(notes[: len(stored)])
    assert len(stored) > WHOLE_NOTES
    state = await Loader(store).state_at(encounter, RULESETS["crossfire-d6", "1"], 130)
    assert msgspec.to_builtins(state.linear.notes) == tuple(kept(notes))


def kept(notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"seq": note["seq"]} for note in notes[:-WHOLE_NOTES]] + notes[-WHOLE_NOTES:]


@pytest.mark.parametrize("slug", SLUGS[:2])
async def test_a_view_is_the_same_however_many_notes_the_state_keeps(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    encounter = await table.started(battle(slug, "sealed"))
    await randomly_played(Random(slug), table, slug, encounter)
    keep(monkeypatch, ALL)
    before = await all_views(beside(table, store), encounter)
    keep(monkeypatch, 2)
    after = await all_views(beside(table, store), encounter)
    assert after == before
    assert len(msgspec.json.decode(before[-1].table)["notes"]) > 8


async def randomly_played(chance: Random, table: Table, slug: str, encounter: UUID) -> None:
    """Notes among whatever else the game master tries, seats that change their rights, the end."""
    for number in range(40):
        view = await table.encounters.reads.view(table.who, encounter, None)
        state = msgspec.json.decode(view.state)
        seat = {"type": "change_seat", "seat": "olaf", "role": chance.choice(ROLES)}
        erase = {"type": "erase", "seqs": [chance.randint(2, view.head)]}
        other = chance.choice([anything(chance, slug, view.head, state), seat, erase])
        with suppress(WarlogError):
            await table.act(encounter, remark(number) if number % 2 else other)
    if chance.random() < 0.5:
        await table.act(encounter, {"type": "end_encounter", "reveal": "now", "open": "all"})


async def all_views(table: Table, encounter: UUID) -> list[Any]:
    """What each caller is shown after each event, and at last by the head."""
    callers = (table, *map(table.seat, EVERYONE))
    head = (await table.encounters.reads.view(table.who, encounter, None)).head
    return [
        await each.encounters.reads.view(each.who, encounter, at)
        for at in (*range(1, head + 1), None)
        for each in callers
    ]


async def test_erased_notes_stay_without_text_wherever_it_was_read(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    notes = await remarked(table, encounter, WHOLE_NOTES + 8)
    erased = [notes[number] for number in (0, 2, WHOLE_NOTES + 2)]
    await table.act(encounter, {"type": "erase", "seqs": [note["seq"] for note in erased]})
    left = [{"seq": note["seq"]} if note in erased else note for note in notes]
    for process in (table, beside(table, store)):
        for at in (None, notes[-1]["seq"]):
            assert await notes_seen(process, encounter, at) == left
            assert await notes_seen(process.seat("bob"), encounter, at) == as_players_see(left)


async def test_text_that_is_due_to_be_erased_is_told_no_more(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await table.started()
    notes = await remarked(table, encounter, WHOLE_NOTES + 8)
    first = notes[0]["seq"]
    async with Relay(database.eraser) as relay:
        halved = await EventStore.open(database.app, eraser_url=relay.dsn)
        other = beside(table, halved)
        await relay.stop()
        with pytest.raises(OutcomeUnknown):
            await other.act(encounter, {"type": "erase", "seqs": [first]})
        assert (await store.log.due_erasures(encounter)) == (first,)
        # The process that has the encounter in memory already does not finish the erasure.
        assert await notes_seen(table, encounter) == [{"seq": first}, *notes[1:]]
        assert (await store.log.due_erasures(encounter)) == (first,)
        await halved.close()


async def test_earlier_notes_are_read_once_and_anew_where_text_was_erased(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    notes = await remarked(table, encounter, WHOLE_NOTES + 5)
    kept = table.encounters.reads.documents.notes
    reading, reads = kept._read, list[int]()

    async def counted(encounter: UUID, seqs: list[int], viewer: Viewer) -> tuple[Raw, ...]:
        reads.append(len(seqs))
        return await reading(encounter, seqs, viewer)

    monkeypatch.setattr(kept, "_read", counted)
    for _ in range(2):
        assert await notes_seen(table, encounter) == notes
    assert reads == [5]
    more = await remarked(table, encounter, 1)
    assert await notes_seen(table, encounter) == [*notes, *more]
    assert await notes_seen(table, encounter, notes[-1]["seq"]) == notes
    assert reads == [5, 1]
    await table.act(encounter, {"type": "erase", "seqs": [notes[0]["seq"]]})
    assert await notes_seen(table, encounter) == [{"seq": notes[0]["seq"]}, *notes[1:], *more]
    assert reads == [5, 1, 6]
