"""What the game master does to a clock: pause, resume, extend; and who hears of it."""

import asyncio
from typing import Any
from uuid import UUID

import msgspec
import pytest

from service.errors import ConflictingRequest, Forbidden, Malformed, NotFound, Refused, WarlogError
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.encounters.table import Table, beside, creation, end_turn, new_table
from tests.encounters.timed_battles import (
    DECISION,
    TURN,
    about,
    change,
    left,
    rows,
    struck,
    time_passes,
    timed,
    toy_of,
)
from tests.live.clients import FakeSink
from tests.patience import until

SECONDS = 10.0


async def test_a_pause_takes_no_time_and_afterwards_as_much_is_left(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await table.started(timed())
    await time_passes(database, encounter, 1600, table)
    await change(table, encounter, "stop", "pause")
    await time_passes(database, encounter, 9000, table)
    before = await left(table, encounter)
    assert before["r1"] in about(2000)
    for process in (table, beside(table, store)):
        await process.encounters.timing.look_after(encounter)
        [row] = (await rows(database, encounter))["clock"]
        assert (row["seq"], row["due"]) == (2, None)
    view = (await table.encounters.reads.view(table.who, encounter, None)).timers
    assert view is not msgspec.UNSET
    assert (view[0].paused, view[0].expires_at) == (True, msgspec.UNSET)
    await change(table, encounter, "go", "resume")
    assert (await left(table, encounter))["r1"] in about(before["r1"])
    await table.encounters.timing.look_after(encounter)
    assert (await table.encounters.reads.view(table.who, encounter, None)).seq == 2
    await time_passes(database, encounter, before["r1"], table)
    await table.encounters.timing.look_after(encounter)
    assert (await table.encounters.reads.view(table.who, encounter, None)).seq == 3


async def test_whose_turn_begins_in_a_pause_has_all_his_time_after_it(
    table: Table, database: Dsns
) -> None:
    encounter = await table.create(timed())
    await change(table, encounter, "stop", "pause")
    await time_passes(database, encounter, 100, table)
    await table.act(encounter, {"type": "start_encounter"})
    await time_passes(database, encounter, 100, table)
    assert await left(table, encounter) == {"r1": TURN}
    await table.act(encounter, end_turn("r1"))
    await time_passes(database, encounter, 100, table)
    assert await left(table, encounter) == {"b1": TURN}
    await change(table, encounter, "go", "resume")
    assert (await left(table, encounter))["b1"] in about(TURN)


async def test_more_time_is_for_whoever_is_named_or_for_all(toys: Table, database: Dsns) -> None:
    encounter, asked = await struck(toys)
    await change(toys, encounter, "1", "extend", seconds=1000, decision_id=asked)
    await change(toys, encounter, "2", "extend", seconds=2000, turn="anders")
    found = await left(toys, encounter)
    assert found[asked] in about(DECISION + 1000)
    assert found["anders"] in about(10 * TURN + 2000)
    await change(toys, encounter, "3", "extend", seconds=1000)
    more = await left(toys, encounter)
    assert more[asked] in about(found[asked] + 1000)
    assert more["anders"] in about(found["anders"] + 1000)
    await time_passes(database, encounter, 90_000, toys)
    await change(toys, encounter, "4", "extend", seconds=500, turn="anders")
    found = await left(toys, encounter)
    assert found[asked] == 0
    assert found["anders"] in about(500)


async def test_a_key_changes_a_clock_once(table: Table, store: EventStore) -> None:
    encounter = await table.started(timed())
    three = [beside(table, store) for _ in range(3)]
    extended = [change(each, encounter, "once", "extend", seconds=1000) for each in three]
    assert sorted(await asyncio.gather(*extended)) == [False, True, True]
    assert (await left(table, encounter))["r1"] in about(TURN + 1000)
    with pytest.raises(ConflictingRequest, match="idempotency_key_reused"):
        await change(table, encounter, "once", "pause")
    # It was done, whatever became of the encounter since.
    await table.act(encounter, {"type": "end_encounter"})
    assert await change(table, encounter, "once", "extend", seconds=1000)


async def test_of_several_who_give_time_at_once_each_does(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await table.started(timed())
    four = [beside(table, store) for _ in range(4)]
    await asyncio.gather(
        *(
            change(each, encounter, f"{number}", "extend", seconds=1000)
            for number, each in enumerate(four)
        )
    )
    assert (await left(table, encounter))["r1"] in about(TURN + 4000)
    await table.encounters.timing.look_after(encounter)
    [row] = (await rows(database, encounter))["clock"]
    assert (row["seq"], row["changes"]) == (2, 4)


async def test_what_was_worked_out_before_a_change_is_not_noted_after_it(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await table.started(timed())
    await table.encounters.timing.upcoming.settle()
    before = await store.timers.clock(encounter)
    await change(table, encounter, "k", "extend", seconds=1000)
    noted = (await rows(database, encounter))["clock"]
    await store.timers.wind(encounter, seq=9, due=before.now, changes=before.changes)
    await store.timers.wind(encounter, seq=1, due=before.now, changes=before.changes + 1)
    assert (await rows(database, encounter))["clock"] == noted


async def test_only_so_many_pauses_and_extensions_are_kept(
    table: Table, database: Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.eventstore.timers.MOST_PAUSES", 2)
    monkeypatch.setattr("service.eventstore.timers.MOST_CHANGES", 2)
    encounter = await table.started(timed())
    for number in range(4):
        await change(table, encounter, f"stop {number}", "pause")
        await change(table, encounter, f"go {number}", "resume")
        await change(table, encounter, f"more {number}", "extend", seconds=1000)
        await table.act(encounter, end_turn(f"{'rb'[number % 2]}1"))
    await change(table, encounter, "last", "extend", seconds=1000)
    found = await rows(database, encounter)
    kept = found["clock_pause"]
    assert len(kept) == 2
    assert len(found["clock_change"]) <= 3
    assert len(found["clock_command"]) == 13
    assert (await left(table, encounter))["r1"] in about(TURN + 1000)


@pytest.mark.parametrize(
    ("tree", "code"),
    [
        ({"do": "extend", "seconds": 60, "turn": "b1"}, "unknown_timer"),
        ({"do": "extend", "seconds": 60, "decision_id": "d2.1"}, "unknown_timer"),
        ({"do": "extend", "seconds": 60, "decision_id": "d2.1", "turn": "r1"}, "unknown_timer"),
        ({"do": "extend"}, "malformed"),
        ({"do": "extend", "seconds": 0}, "malformed"),
        ({"do": "extend", "seconds": 604_801}, "malformed"),
        ({"do": "extend", "seconds": 60, "turn": ""}, "malformed"),
        ({"do": "pause", "seconds": 60}, "malformed"),
        ({"do": "stop"}, "malformed"),
        ({}, "malformed"),
        ([], "malformed"),
    ],
)
async def test_what_cannot_be_done_to_a_clock_is_refused(
    table: Table, database: Dsns, tree: object, code: str
) -> None:
    encounter = await table.started(timed())
    with pytest.raises(WarlogError) as caught:
        await table.encounters.writes.change_timers(table.who, encounter, tree, "k")
    assert caught.value.code == code
    assert isinstance(caught.value, Malformed if code == "malformed" else Refused)
    assert (await rows(database, encounter))["clock_command"] == []


async def test_time_is_given_up_to_thirty_days(table: Table) -> None:
    encounter = await table.started(timed())
    for number in range(4):
        await change(table, encounter, f"{number}", "extend", seconds=604_800)
    with pytest.raises(Refused, match="extended_too_far"):
        await change(table, encounter, "too much", "extend", seconds=604_800)
    assert (await left(table, encounter))["r1"] <= 30 * 86_400


async def test_where_nothing_runs_nothing_is_extended(table: Table) -> None:
    encounter = await table.create(timed())
    with pytest.raises(Refused, match="unknown_timer"):
        await change(table, encounter, "k", "extend", seconds=60)
    without = await table.started(creation())
    with pytest.raises(Refused, match="no_time_limit"):
        await change(table, without, "k", "pause")


async def test_only_who_runs_the_battle_runs_its_clock(table: Table, store: EventStore) -> None:
    given: Any = creation()["seats"]
    seats = [*given, {"id": "gus", "role": "gm"}]
    encounter = await table.started({**timed(), "seats": seats})
    for name in ("rita", "olaf"):
        with pytest.raises(Forbidden, match="gm_only"):
            await change(table.seat(name), encounter, "k", "pause")
        assert set(await left(table.seat(name), encounter)) == {"r1"}
    assert not await change(table.seat("gus"), encounter, "k", "pause")
    stranger = await new_table(store)
    for asked in (left(stranger, encounter), change(stranger, encounter, "k", "resume")):
        with pytest.raises(NotFound, match="unknown_encounter"):
            await asked


def timers_told(heard: FakeSink) -> list[list[dict[str, Any]]]:
    """What was shown of deadlines so far, in a greeting or by itself."""
    return [body["timers"] for body in heard.bodies if body["type"] in ("hello", "timers")]


def runs_for(heard: FakeSink) -> str:
    """Whose turn has a deadline, by what was shown last."""
    return str(timers_told(heard)[-1][0]["turn"])


def is_stopped(heard: FakeSink) -> bool:
    """Whether the clock was stopped."""
    return bool(timers_told(heard)) and bool(timers_told(heard)[-1][0]["paused"])


async def test_followers_hear_of_deadlines_that_changed_here_and_elsewhere(
    table: Table, store: EventStore
) -> None:
    encounter, other = await table.started(timed()), beside(table, store)
    # Deadlines that are noted while somebody is greeted are reported in a second greeting.
    await table.encounters.timing.upcoming.settle()
    here, there = FakeSink(), FakeSink()
    for process, heard in ((table, here), (other, there)):
        await process.encounters.hub.follow(process.who, encounter, None, heard)
    assert [timer["turn"] for timer in here.bodies[0]["timers"]] == ["r1"]
    await change(table, encounter, "stop", "pause")
    await until(lambda: is_stopped(here))
    await other.encounters.timing.upcoming.look_around()
    await until(lambda: is_stopped(there))
    await table.act(encounter, end_turn("r1"))
    await until(lambda: runs_for(here) == "b1")
    await table.encounters.timing.upcoming.settle()
    await other.encounters.timing.upcoming.look_around()
    await until(lambda: runs_for(there) == "b1")
    told = len(timers_told(there))
    for _ in range(2):
        await other.encounters.timing.upcoming.look_around()
    await table.act(encounter, {"type": "note", "text": "x"})
    await table.encounters.timing.upcoming.settle()
    await other.encounters.timing.upcoming.look_around()
    await asyncio.sleep(0)
    assert len(timers_told(there)) == told
    for process in (table, other):
        process.encounters.hub.stop()


@pytest.fixture
async def toys(store: EventStore) -> Table:
    return toy_of(store, (await new_table(store)).who)


async def stamp(store: EventStore, encounter: UUID) -> tuple[int, int]:
    return (await store.timers.stamps([encounter]))[encounter]


async def test_a_stamp_is_another_after_every_change(table: Table, store: EventStore) -> None:
    encounter = await table.started(timed())
    await table.encounters.timing.upcoming.settle()
    stamps = [await stamp(store, encounter)]
    await change(table, encounter, "k", "pause")
    stamps.append(await stamp(store, encounter))
    await table.act(encounter, {"type": "note", "text": "x"})
    await table.encounters.timing.upcoming.settle()
    stamps.append(await stamp(store, encounter))
    assert len(set(stamps)) == 3
