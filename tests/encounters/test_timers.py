"""Time that is over ends a decision or a turn, once, whichever process notices."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import msgspec
import pytest

from service.encounters.responses import EventRecord, Replayable
from service.errors import NotFound, Refused
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.encounters.own_database import database, own_clocks, store
from tests.encounters.table import Table, beside, creation, end_turn, new_table
from tests.encounters.timed_battles import (
    DECISION,
    SLACK,
    TABLES,
    TURN,
    about,
    change,
    deeds,
    left,
    questions,
    require_clean,
    rows,
    struck,
    swept,
    time_passes,
    timed,
    to,
    toy_of,
    toy_tree,
    turn_to,
)
from tests.toy import battles

__all__ = ["database", "own_clocks", "store"]

pytestmark = pytest.mark.usefixtures("own_clocks")

MOVE = {"type": "move", "combatant": "r1", "path": [{"x": 0, "y": 1}]}


@pytest.fixture
async def table(store: EventStore) -> AsyncIterator[Table]:
    fresh = await new_table(store)
    yield fresh
    await fresh.encounters.writes.settle()


@pytest.fixture
async def toys(store: EventStore) -> AsyncIterator[Table]:
    fresh = toy_of(store, (await new_table(store)).who)
    yield fresh
    await fresh.encounters.writes.settle()


def whole(record: EventRecord) -> dict[str, Any]:
    """An event as the GM sees it."""
    body = record.event if record.seen is msgspec.UNSET else record.seen
    return msgspec.json.decode(body, type=dict[str, Any])


async def swept_through(*processes: Table) -> int:
    """Processes that look at the same time; how much they ended."""
    return sum(await asyncio.gather(*(each.encounters.writes.sweep_timers() for each in processes)))


async def test_a_turn_whose_time_is_over_ends_and_the_next_has_all_its_time(
    table: Table, database: Dsns
) -> None:
    encounter = await table.started(timed())
    await time_passes(database, encounter, TURN - SLACK, table)
    assert await swept_through(table) == 0
    assert (await left(table, encounter))["r1"] in about(SLACK)
    await time_passes(database, encounter, SLACK + 1, table)
    assert await swept_through(table) == 1
    assert await deeds(table, encounter, 2) == [("system", "end_turn")]
    record = await table.encounters.reads.event(table.who, encounter, 3)
    ended = msgspec.json.decode(record.event)["effects"][0]
    assert (ended["type"], ended["cause"]) == ("turn_ended", "timeout")
    assert (await left(table, encounter))["b1"] in about(TURN)
    assert await swept_through(table) == 0
    await require_clean(table, encounter)


async def test_a_decision_whose_time_is_over_is_passed_and_the_battle_goes_on(
    toys: Table, database: Dsns
) -> None:
    encounter, asked = await struck(toys)
    head = (await toys.encounters.reads.view(toys.who, encounter, None)).seq
    assert (await left(toys, encounter))[asked] in about(DECISION)
    await time_passes(database, encounter, DECISION + 1, toys)
    assert await swept_through(toys) == 1
    body = whole(await toys.encounters.reads.event(toys.who, encounter, head + 1))
    assert body["by"] == {"kind": "system", "id": "timer", "role": "gm"}
    assert body["action"]["choice"] == {"type": "pass", "reason": "timeout"}
    assert await questions(toys, encounter) == {}
    with pytest.raises(Refused, match="decision_closed"):
        await toys.seat("bob").act(encounter, to(asked, "dodge"))
    await require_clean(toys, encounter)


async def test_of_three_processes_that_look_at_once_one_ends_it(
    toys: Table, table: Table, store: EventStore, database: Dsns
) -> None:
    encounter, _ = await struck(toys)
    turn = await table.started(timed())
    others = [toy_of(store, toys.who) for _ in range(3)]
    await time_passes(database, encounter, DECISION + 1, toys)
    head = (await toys.encounters.reads.view(toys.who, encounter, None)).seq
    assert await swept_through(*others) == 1
    assert await deeds(toys, encounter, head) == [("system", "answer")]
    # The same without anything that keeps them apart.
    await time_passes(database, turn, TURN + 1, table)
    three = [beside(table, store) for _ in range(3)]
    await asyncio.gather(*(each.encounters.timing.look_after(turn) for each in three))
    assert await deeds(table, turn, 2) == [("system", "end_turn")]
    assert sum(each.encounters.timing.fired for each in three) == 1
    again = await struck(toys)
    await time_passes(database, again[0], DECISION + 1, toys)
    head = (await toys.encounters.reads.view(toys.who, again[0], None)).seq
    await asyncio.gather(*(each.encounters.timing.look_after(again[0]) for each in others))
    assert await deeds(toys, again[0], head) == [("system", "answer")]
    for each in (encounter, again[0]):
        await require_clean(toys, each)
    await require_clean(table, turn)


async def test_an_answer_that_races_the_clock_counts_or_is_told_that_it_does_not(
    toys: Table, store: EventStore, database: Dsns
) -> None:
    for _ in range(4):
        encounter, asked = await struck(toys)
        head = (await toys.encounters.reads.view(toys.who, encounter, None)).seq
        await time_passes(database, encounter, DECISION + 1, toys)
        other = toy_of(store, toys.who)
        answered, _ = await asyncio.gather(
            toys.seat("bob").act(encounter, to(asked, "dodge")),
            other.encounters.timing.look_after(encounter),
            return_exceptions=True,
        )
        [(who, what)] = await deeds(toys, encounter, head)
        assert what == "answer"
        if isinstance(answered, Replayable):
            assert who == "seat"
        else:
            assert isinstance(answered, Refused)
            assert (who, answered.code) == ("system", "decision_closed")
        await require_clean(toys, encounter)


async def test_a_group_is_passed_one_by_one_but_for_who_answered(
    toys: Table, database: Dsns
) -> None:
    encounter, asked = await swept(toys)
    await toys.seat("bob").act(encounter, to(asked["berta"], "dodge"))
    head = (await toys.encounters.reads.view(toys.who, encounter, None)).seq
    await time_passes(database, encounter, DECISION + 1, toys)
    assert await swept_through(toys) == 2
    record = await toys.encounters.reads.event(toys.who, encounter, head + 2)
    event = whole(record)
    effects = event["effects"]
    closed = [each for each in effects if each["type"] == "decision_closed"]
    assert {each["decision_id"]: each["how"] for each in closed} == {
        asked["berta"]: "answered",
        asked["gerda"]: "timeout",
        asked["bruno"]: "timeout",
    }
    assert event["draws"]
    await require_clean(toys, encounter)


async def test_a_rewind_by_the_gm_gives_all_the_time_anew(toys: Table, database: Dsns) -> None:
    encounter, asked = await struck(toys)
    head = (await toys.encounters.reads.view(toys.who, encounter, None)).seq
    await time_passes(database, encounter, DECISION - SLACK, toys)
    await toys.act(encounter, {"type": "note", "text": "Wait"})
    await toys.act(encounter, {"type": "rewind", "to": head})
    fresh = (await questions(toys, encounter))["berta"]
    assert fresh != asked
    found = await left(toys, encounter)
    assert found[fresh] in about(DECISION)
    assert found["anders"] in about(10 * TURN)
    await time_passes(database, encounter, DECISION - SLACK, toys)
    assert await swept_through(toys) == 0
    await time_passes(database, encounter, DECISION, toys)
    assert await swept_through(toys) == 1
    await require_clean(toys, encounter)


async def test_a_player_who_takes_moves_back_has_no_more_time(table: Table, database: Dsns) -> None:
    encounter, rita = await table.started(timed()), table.seat("rita")
    await change(table, encounter, "k", "extend", seconds=1200)
    await time_passes(database, encounter, 3000, table)
    for to_seq in (2, 4):
        await rita.act(encounter, MOVE)
        await rita.act(encounter, {"type": "rewind", "to": to_seq})
        assert (await left(table, encounter))["r1"] in about(1800)
    await rita.act(encounter, end_turn("r1"))
    assert (await left(table, encounter))["b1"] in about(TURN)
    await rita.act(encounter, {"type": "rewind", "to": 6})
    assert (await left(table, encounter))["r1"] in about(1800)
    await time_passes(database, encounter, 1801, table)
    assert await swept_through(beside(table, table.encounters.reads.store)) == 1
    assert (await deeds(table, encounter, 8)) == [("system", "end_turn")]
    await require_clean(table, encounter)


async def test_an_answer_taken_back_gives_the_others_no_more_time(
    toys: Table, database: Dsns
) -> None:
    encounter, asked = await swept(toys)
    head = (await toys.encounters.reads.view(toys.who, encounter, None)).seq
    await change(toys, encounter, "k", "extend", seconds=500, decision_id=asked["gerda"])
    await time_passes(database, encounter, 1000, toys)
    bob = toys.seat("bob")
    await bob.act(encounter, to(asked["berta"], "dodge"))
    await bob.act(encounter, {"type": "rewind", "to": head})
    fresh = await questions(toys, encounter)
    found = await left(toys, encounter)
    assert set(fresh.values()).isdisjoint(asked.values())
    assert found[fresh["berta"]] in about(DECISION - 1000)
    assert found[fresh["gerda"]] in about(DECISION - 500)


async def test_the_beginning_of_a_turn_is_found_however_long_ago(
    table: Table, database: Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.encounters.timers.start_events.PAGE", 2)
    encounter = await table.started(timed())
    await time_passes(database, encounter, 2000, table)
    for _ in range(3):
        await table.act(encounter, *[{"type": "note", "text": "x"}] * 5)
        cold = beside(table, table.encounters.reads.store)
        for process in (table, cold):
            assert (await left(process, encounter))["r1"] in about(TURN - 2000)


async def test_a_process_that_ends_before_it_notes_what_is_due_costs_no_deadline(
    table: Table, store: EventStore, database: Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.encounters.timing.upcoming, "committed", lambda battle: None)
    encounter = await table.started(timed())
    other = beside(table, store)
    await swept_through(other)
    [row] = (await rows(database, encounter))["clock"]
    assert (row["seq"], row["due"]) == (0, None)
    await time_passes(database, encounter, 2, table, other)
    other.encounters.timing._sweeps = 0
    assert await swept_through(other) == 0
    [row] = (await rows(database, encounter))["clock"]
    assert row["seq"] == 2
    assert row["due"] is not None
    await time_passes(database, encounter, TURN, table, other)
    assert await swept_through(other) == 1
    await require_clean(table, encounter)


async def test_a_process_that_ends_in_the_middle_of_a_change_costs_no_deadline(
    table: Table, store: EventStore, database: Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started(timed())
    await change(table, encounter, "stop", "pause")

    async def nothing(*_: object) -> None:
        """The process ended."""

    monkeypatch.setattr(table.encounters.timing.upcoming, "note", nothing)
    await change(table, encounter, "go", "resume")
    await time_passes(database, encounter, 2, table)
    other = beside(table, store)
    assert await swept_through(other) == 0
    [row] = (await rows(database, encounter))["clock"]
    assert row["due"] - datetime.now(UTC) > timedelta(seconds=TURN - SLACK)


async def test_what_a_process_claimed_and_did_not_do_another_does(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await table.started(timed())
    await time_passes(database, encounter, TURN + 1, table)
    assert encounter in await store.timers.due(limit=1000)
    assert await swept_through(beside(table, store)) == 0
    await time_passes(database, encounter, 6, table)
    assert await swept_through(beside(table, store)) == 1


async def test_options_set_change_and_take_away_the_limits_while_they_may(
    table: Table, database: Dsns
) -> None:
    encounter = await table.create()
    configure = {"type": "configure", "options": {"initiative": "fixed"}}
    with pytest.raises(Refused, match="no_time_limit"):
        await left(table, encounter)
    assert (await rows(database, encounter))["clock"] == []
    limited = {**configure, "options": {"initiative": "fixed", "turn_seconds": 600}}
    await table.act(encounter, limited)
    assert len((await rows(database, encounter))["clock"]) == 1
    assert await left(table, encounter) == {}
    limited["options"] = {"initiative": "fixed", "turn_seconds": 200}
    await table.act(encounter, limited)
    started = await table.act(encounter, {"type": "start_encounter"})
    assert started.answer.version == 4
    assert (await left(table, encounter))["r1"] in about(200)
    await time_passes(database, encounter, 201, table)
    assert await swept_through(table) == 1
    without = await table.create()
    await table.act(without, limited)
    await table.act(without, configure)
    await table.act(without, {"type": "start_encounter"})
    await time_passes(database, without, 10 * TURN, table)
    assert await swept_through(beside(table, table.encounters.reads.store)) == 0
    assert (await rows(database, without))["clock"] == []
    with pytest.raises(Refused, match="no_time_limit"):
        await left(table, without)


async def test_a_deleted_encounter_leaves_nothing_of_its_clock(
    table: Table, database: Dsns
) -> None:
    encounter = await table.started(timed())
    for number, do in enumerate(("pause", "resume", "pause")):
        await change(table, encounter, f"k{number}", do)
    await change(table, encounter, "k3", "extend", seconds=5)
    assert all((await rows(database, encounter)).values())
    await table.encounters.writes.settle()
    await table.encounters.writes.delete(table.who, encounter)
    assert await rows(database, encounter) == {name: [] for name in TABLES}
    with pytest.raises(NotFound, match="unknown_encounter"):
        await change(table, encounter, "k4", "pause")
    await table.encounters.reads.store.timers.begin(encounter)
    await table.encounters.timing.look_after(encounter)
    assert await rows(database, encounter) == {name: [] for name in TABLES}


async def test_nothing_is_due_after_the_end_and_time_runs_again_if_it_is_taken_back(
    table: Table, database: Dsns
) -> None:
    encounter = await table.started(timed())
    await table.act(encounter, {"type": "end_encounter"})
    assert await left(table, encounter) == {}
    with pytest.raises(Refused, match="encounter_not_running"):
        await change(table, encounter, "k", "pause")
    await time_passes(database, encounter, 1000, table)
    assert await swept_through(table) == 0
    await table.act(encounter, {"type": "rewind", "to": 2})
    assert (await left(table, encounter))["r1"] in about(TURN)
    await time_passes(database, encounter, TURN + 1, table)
    assert await swept_through(table) == 1
    await table.act(encounter, {"type": "end_encounter", "reveal": "now"})
    await table.encounters.timing.upcoming.settle()
    assert (await rows(database, encounter))["clock"] == []
    assert await left(table, encounter) == {}
    await require_clean(table, encounter)


async def test_the_turn_of_somebody_unseen_has_no_deadline_for_others(
    toys: Table, database: Dsns
) -> None:
    fighters = battles.SETUP.fighters
    encounter = await toys.started(toy_tree(battles.SEATS, battles.SIDES, fighters))
    await turn_to(toys, encounter, "lurker")
    seen = {name: set(await left(toys.seat(name), encounter)) for name in ("ann", "bob", "eve")}
    assert seen == {"ann": set(), "bob": {"lurker"}, "eve": set()}
    assert set(await left(toys, encounter)) == {"lurker"}
    await time_passes(database, encounter, 10 * TURN + 1, toys)
    assert await swept_through(toys) == 1
    await require_clean(toys, encounter)


async def test_a_question_for_dice_stays_open_overdue_and_is_not_tried(
    toys: Table, database: Dsns
) -> None:
    encounter, asked = await struck(toys, dice="supplied")
    await time_passes(database, encounter, DECISION + 1, toys)
    assert await swept_through(toys) == 1
    view = await toys.encounters.reads.view(toys.who, encounter, None)
    [roll] = msgspec.json.decode(view.decisions)
    assert roll["kind"] == "roll"
    await time_passes(database, encounter, 20 * TURN, toys)
    assert await swept_through(toys) == 0
    assert (await left(toys, encounter))[roll["id"]] == 0
    assert (await toys.encounters.reads.view(toys.who, encounter, None)).seq == view.seq
    # The dice never come: the question beneath is open again, and it is the GM's to decide.
    await toys.act(encounter, {"type": "force_pass", "decision_id": roll["id"]})
    assert await questions(toys, encounter) == {"berta": asked}
    await toys.encounters.timing.upcoming.settle()
    for _ in range(2):
        assert await swept_through(toys) == 0
    [row] = (await rows(database, encounter))["clock"]
    assert (row["seq"], row["due"]) == (view.seq + 1, None)
    await toys.act(encounter, to(asked, "pass"), dice=[2])
    assert await questions(toys, encounter) == {}
    await require_clean(toys, encounter)


async def test_a_question_beneath_dice_that_never_came_has_what_it_had_left(
    toys: Table, database: Dsns
) -> None:
    encounter, asked = await struck(toys, dice="supplied")
    await time_passes(database, encounter, DECISION - 600, toys)
    await toys.seat("bob").act(encounter, to(asked, "dodge"))
    view = await toys.encounters.reads.view(toys.who, encounter, None)
    [roll] = msgspec.json.decode(view.decisions)
    assert (await left(toys, encounter))[roll["id"]] in about(DECISION)
    await toys.act(encounter, {"type": "force_pass", "decision_id": roll["id"]})
    assert (await left(toys, encounter))[asked] in about(600)


async def test_a_turn_that_is_over_while_somebody_is_asked_ends_after_it(
    toys: Table, database: Dsns
) -> None:
    encounter, asked = await struck(toys)
    await change(toys, encounter, "k", "extend", seconds=100 * TURN, decision_id=asked)
    [row] = (await rows(database, encounter))["clock"]
    assert row["due"] - datetime.now(UTC) > timedelta(seconds=50 * TURN)
    await time_passes(database, encounter, 10 * TURN + 1, toys)
    assert await swept_through(toys) == 0
    head = (await toys.seat("bob").act(encounter, to(asked, "dodge"))).answer.version
    await toys.encounters.timing.upcoming.settle()
    assert await swept_through(toys) == 1
    assert await deeds(toys, encounter, head) == [("system", "end_turn")]
    await require_clean(toys, encounter)


async def test_an_encounter_that_this_build_cannot_read_holds_up_no_other(
    table: Table, store: EventStore, database: Dsns
) -> None:
    newer, known = await table.started(timed()), await table.started(timed())
    for each in (newer, known):
        await time_passes(database, each, TURN + 1, table)
    admin = await asyncpg.connect(database.admin)
    await admin.execute("UPDATE encounter SET version = '99' WHERE id = $1", newer)
    assert await swept_through(beside(table, store)) == 1
    assert await deeds(table, known, 2) == [("system", "end_turn")]
    await admin.execute("UPDATE encounter SET version = '1' WHERE id = $1", newer)
    await admin.close()


async def test_a_turn_that_moved_on_while_it_was_looked_at_is_not_ended(
    table: Table, database: Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started(timed())
    await time_passes(database, encounter, TURN + 1, table)
    other = beside(table, table.encounters.reads.store)
    real = other.encounters.timing._first_over

    async def overtaken(*arguments: Any) -> object:
        found = await real(*arguments)
        if found is not None:
            await table.act(encounter, end_turn("r1"), end_turn("b1"))
        return found

    monkeypatch.setattr(other.encounters.timing, "_first_over", overtaken)
    assert await swept_through(other) == 0
    assert await deeds(table, encounter, 2) == [("key", "end_turn"), ("key", "end_turn")]
    assert (await left(table, encounter))["r1"] in about(TURN)


async def test_an_encounter_without_limits_has_no_clock_and_its_view_says_nothing_of_one(
    table: Table, database: Dsns
) -> None:
    encounter = await table.started(creation())
    view = await table.encounters.reads.view(table.who, encounter, None)
    assert b"timers" not in msgspec.json.encode(view)
    assert await rows(database, encounter) == {name: [] for name in TABLES}
    log = await table.encounters.reads.stored(table.who, encounter)
    assert bytes(await table.encounters.timing._reads.as_json(log.battle, log.viewer)) == b"[]"
