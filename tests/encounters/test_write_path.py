"""The write path: keys, heads, lists, conflicts between processes, refusals that change nothing."""

import asyncio
from uuid import UUID

import msgspec
import pytest

from service.encounters.receipts import is_genuine
from service.encounters.requests import ActRequest
from service.encounters.responses import Stopped
from service.errors import (
    ConflictingRequest,
    Forbidden,
    Malformed,
    NotFound,
    PreconditionFailed,
    PreconditionRequired,
    Refused,
)
from service.eventstore.store import EventStore
from tests.encounters.table import (
    SIGNER,
    Table,
    beside,
    creation,
    effects,
    end_turn,
    fighter,
    new_table,
    shoot,
)


async def test_an_action_is_one_event_behind_the_last_one(table: Table) -> None:
    encounter = await table.started()
    acted = await table.act(encounter, shoot("r1", "b1"))
    record = acted.answer.events[0]
    body = msgspec.json.decode(record.event)
    before = await table.encounters.reads.event(table.who, encounter, 2)
    assert (acted.answer.version, body["seq"], body["prev"]) == (3, 3, before.hash)
    assert "attack_resolved" in effects(record)


async def test_a_receipt_is_signed_over_the_head(table: Table) -> None:
    encounter = await table.started()
    acted = await table.act(encounter, shoot("r1", "b1"))
    receipt = acted.answer.receipt
    public = SIGNER.key.public_key().public_bytes_raw()
    assert is_genuine(receipt, public)
    assert (receipt.seq, receipt.hash) == (3, acted.answer.events[0].hash)
    assert not is_genuine(msgspec.structs.replace(receipt, seq=4), public)


async def test_the_same_key_and_body_is_answered_from_the_log_and_applied_once(
    table: Table,
) -> None:
    encounter = await table.started()
    first = await table.act(encounter, shoot("r1", "b1"), key="once")
    await table.act(encounter, shoot("r1", "b1"))
    again = await table.act(encounter, shoot("r1", "b1"), key="once")
    assert (first.replayed, again.replayed) == (False, True)
    assert msgspec.json.encode(again.answer.events) == msgspec.json.encode(first.answer.events)
    assert again.answer.version == first.answer.version
    assert (await table.encounters.reads.view(table.who, encounter, None)).head == 4


async def test_a_retry_succeeds_even_when_the_rules_would_refuse_it_now(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, end_turn("r1"), key="turn")
    again = await table.act(encounter, end_turn("r1"), key="turn")
    assert again.replayed


async def test_a_retry_succeeds_even_when_its_if_match_is_stale(table: Table) -> None:
    encounter = await table.started()
    head = (await table.encounters.reads.view(table.who, encounter, None)).hash[:8]
    await table.act(encounter, shoot("r1", "b1"), key="k", if_match=f"2-{head}")
    again = await table.act(encounter, shoot("r1", "b1"), key="k", if_match=f"2-{head}")
    assert again.replayed


async def test_the_same_key_with_another_body_is_refused(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, shoot("r1", "b1"), key="one")
    with pytest.raises(ConflictingRequest) as refused:
        await table.act(encounter, end_turn("r1"), key="one")
    assert refused.value.code == "idempotency_key_reused"


async def test_a_refused_action_is_not_remembered_under_its_key(table: Table) -> None:
    encounter = await table.started()
    with pytest.raises(Refused):
        await table.act(encounter, end_turn("b1"), key="later")
    await table.act(encounter, end_turn("r1"))
    assert not (await table.act(encounter, end_turn("b1"), key="later")).replayed


async def test_a_write_needs_a_key_or_a_head(table: Table) -> None:
    encounter = await table.started()
    request = ActRequest.read({"action": end_turn("r1")}, 32)
    with pytest.raises(PreconditionRequired):
        await table.encounters.write_path.act(table.who, encounter, request, None, None)


async def test_a_stale_if_match_names_the_head(table: Table) -> None:
    encounter = await table.started()
    view = await table.encounters.reads.view(table.who, encounter, None)
    page = await table.encounters.reads.events(table.who, encounter, None, 1)
    stale = page.next
    with pytest.raises(PreconditionFailed) as refused:
        await table.act(encounter, end_turn("r1"), if_match=stale)
    assert refused.value.params == {"head": f"2-{view.hash[:8]}", "given": stale}


async def test_a_list_is_one_event_each_and_stops_before_the_first_refusal(table: Table) -> None:
    encounter = await table.started()
    acted = await table.act(
        encounter, shoot("r1", "b1"), shoot("r1", "b1"), shoot("r1", "b1"), end_turn("r1")
    )
    stopped = acted.answer.stopped
    assert isinstance(stopped, Stopped)
    assert (acted.answer.accepted, acted.answer.version) == (2, 4)
    assert (stopped.index, stopped.reason) == (2, "refused")
    assert acted.refusal is not None
    assert acted.refusal.code == "no_actions_left"


async def test_a_list_whose_first_action_is_refused_writes_nothing(table: Table) -> None:
    encounter = await table.started()
    with pytest.raises(Refused, match="not_your_turn"):
        await table.act(encounter, end_turn("b1"), end_turn("r1"))
    assert (await table.encounters.reads.view(table.who, encounter, None)).head == 2


async def test_two_processes_decide_again_when_their_heads_have_moved(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    await other.state(encounter)
    await table.act(encounter, end_turn("r1"))
    await other.act(encounter, end_turn("b1"))
    acted = await table.act(encounter, shoot("r1", "b1"))
    assert acted.answer.version == 5


async def test_racing_writers_of_two_processes_lose_nothing_and_leave_no_gap(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    tables = (table, beside(table, store))
    notes = [{"type": "note", "text": f"note {index}"} for index in range(24)]
    answers = await asyncio.gather(
        *(tables[index % 2].act(encounter, note) for index, note in enumerate(notes))
    )
    page = await table.encounters.reads.events(table.who, encounter, "2", 100)
    assert sorted(answer.answer.version for answer in answers) == list(range(3, 27))
    assert [record.seq for record in page.events] == list(range(3, 27))


async def test_the_same_key_at_the_same_time_is_applied_once(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    tables = (table, beside(table, store))
    outcomes = await asyncio.gather(
        *(each.act(encounter, shoot("r1", "b1"), key="same") for each in tables * 3),
        return_exceptions=True,
    )
    done = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    told = {getattr(outcome, "code", "ok") for outcome in outcomes}
    assert told <= {"ok", "in_progress"}
    assert {each.answer.version for each in done} == {3}
    assert sum(not each.replayed for each in done) == 1


async def test_an_action_that_does_not_fit_names_the_field(table: Table) -> None:
    encounter = await table.started()
    with pytest.raises(Malformed) as refused:
        await table.act(encounter, {"type": "end_turn", "combatant": 3})
    assert refused.value.params["path"] == "$.action.combatant"
    with pytest.raises(Malformed) as refused:
        await table.act(encounter, end_turn("r1"), {"type": "sing"})
    assert str(refused.value.params["path"]).startswith("$.actions[1].action")


async def test_a_note_says_something(table: Table) -> None:
    encounter = await table.started()
    with pytest.raises(Malformed) as refused:
        await table.act(encounter, {"type": "note"})
    assert refused.value.params == {"path": "$.action.text", "allowed": "text or gm_text"}


async def test_another_tenants_encounter_does_not_exist(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    stranger = await new_table(store)
    with pytest.raises(NotFound) as theirs:
        await stranger.state(encounter)
    with pytest.raises(NotFound) as none:
        await stranger.state(UUID(int=7))
    assert theirs.value.code == none.value.code == "unknown_encounter"


async def test_a_player_acts_for_its_own_side_only_and_observers_not_at_all(
    table: Table,
) -> None:
    encounter = await table.started()
    await table.seat("rita").act(encounter, shoot("r1", "b1"))
    with pytest.raises(Forbidden, match="not_your_combatant"):
        await table.seat("bob").act(encounter, shoot("r1", "b1"))
    with pytest.raises(Forbidden, match="gm_only"):
        await table.seat("bob").act(encounter, {"type": "end_encounter"})
    with pytest.raises(Forbidden, match="observer_cannot_act"):
        await table.seat("olaf").act(encounter, {"type": "note", "text": "hm"})


async def test_combatants_nobody_may_know_of_do_not_exist_for_a_player(table: Table) -> None:
    hidden = fighter("ambusher", "blue", 8, 3, hidden=True)
    encounter = await table.started(
        creation(fighter("r1", "red", 0, 0), fighter("b1", "blue", 6, 0), hidden)
    )
    for name in ("ambusher", "nobody"):
        with pytest.raises(Refused) as refused:
            await table.seat("rita").act(encounter, shoot("r1", name))
        assert refused.value.code == "unknown_combatant"
