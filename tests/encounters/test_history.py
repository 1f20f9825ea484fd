"""Rewind, time travel, snapshots, erasure, revealed seeds: what becomes of a log over time."""

import secrets

import msgspec
import pytest

from service.encounters import loader
from service.encounters.loader import ENGINE_VERSION, Fold, Loader
from service.errors import ConflictingRequest, NotFound, Refused
from service.eventstore.store import EventStore
from service.rulesets import RULESETS
from tests.encounters.table import Table, beside, creation, effects, end_turn, shoot
from tests.live.clients import joined

STEP = {"type": "move", "combatant": "r1", "path": [{"x": 0, "y": 1}]}


async def test_a_rewind_continues_an_earlier_state_and_deletes_nothing(table: Table) -> None:
    encounter = await table.started()
    before = await table.state(encounter)
    await table.act(encounter, STEP)
    await table.act(encounter, shoot("r1", "b1"))
    await table.act(encounter, {"type": "rewind", "to": 2})
    assert await table.state(encounter) == before
    page = await table.encounters.reads.events(table.who, encounter, None, 100)
    assert [record.seq for record in page.events] == [1, 2, 3, 4, 5]


async def test_a_redo_is_a_rewind_to_what_was_undone(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, STEP)
    moved = await table.state(encounter)
    await table.act(encounter, {"type": "rewind", "to": 2})
    await table.act(encounter, {"type": "rewind", "to": 3})
    assert await table.state(encounter) == moved


async def test_an_undone_shot_does_not_come_back_with_the_same_dice(table: Table) -> None:
    encounter = await table.started()
    faces = []
    for _ in range(6):
        acted = await table.act(encounter, shoot("r1", "b1"))
        body = msgspec.json.decode(acted.answer.events[0].event)
        faces.append(tuple(draw["face"] for draw in body["draws"])[:5])
        await table.act(encounter, {"type": "rewind", "to": 2})
    assert len(set(faces)) > 1


async def test_a_player_takes_back_a_move_but_not_what_dice_or_others_did(table: Table) -> None:
    encounter = await table.started()
    rita = table.seat("rita")
    await rita.act(encounter, STEP)
    await rita.act(encounter, {"type": "rewind", "to": 2})
    await rita.act(encounter, shoot("r1", "b1"))
    with pytest.raises(Refused, match="rewind_not_allowed"):
        await rita.act(encounter, {"type": "rewind", "to": 4})
    wound = {"type": "hp", "combatant": "b1", "value": 7}
    await table.act(encounter, {"type": "adjust", "changes": [wound], "reason": "a trap"})
    await rita.act(encounter, end_turn("r1"))
    with pytest.raises(Refused, match="rewind_not_allowed"):
        await rita.act(encounter, {"type": "rewind", "to": 5})
    await rita.act(encounter, {"type": "rewind", "to": 6})


async def test_no_rewind_leads_before_the_start_or_past_the_head(table: Table) -> None:
    encounter = await table.started()
    with pytest.raises(Refused, match="rewind_before_start"):
        await table.act(encounter, {"type": "rewind", "to": 1})
    with pytest.raises(Refused, match="unknown_event"):
        await table.act(encounter, {"type": "rewind", "to": 3})


async def test_after_the_seed_is_out_nothing_is_rewound_or_noted(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, {"type": "end_encounter", "reveal": "now"})
    for action in ({"type": "rewind", "to": 2}, {"type": "note", "text": "late"}):
        with pytest.raises(Refused, match="seed_revealed"):
            await table.act(encounter, action)


async def test_an_ended_battle_may_be_rewound_while_the_seed_is_sealed(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, {"type": "end_encounter"})
    await table.act(encounter, {"type": "rewind", "to": 2})
    assert (await table.state(encounter))["status"] == "running"


async def test_the_state_at_any_seq_is_what_it_was_then(table: Table) -> None:
    encounter = await table.started()
    then = []
    for action in (STEP, shoot("r1", "b1"), end_turn("r1"), {"type": "rewind", "to": 3}):
        await table.act(encounter, action)
        then.append(await table.state(encounter))
    assert [await table.state(encounter, at) for at in (3, 4, 5, 6)] == then
    with pytest.raises(NotFound, match="unknown_event"):
        await table.state(encounter, 7)


async def test_state_from_snapshots_and_from_scratch_are_the_same(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    for _ in range(40):
        await table.act(encounter, end_turn("r1"), end_turn("b1"))
    await table.act(encounter, {"type": "rewind", "to": 20})
    await table.act(encounter, STEP)
    await table.encounters.writes.settle()
    assert await store.snapshots.seqs(encounter, ENGINE_VERSION)
    live = await table.encounters.reads.view(table.who, encounter, None)
    rebuilt = await beside(table, store).encounters.reads.view(table.who, encounter, None)
    assert (rebuilt.state, rebuilt.table) == (live.state, live.table)


async def test_a_log_folded_in_pages_goes_back_to_what_rewinds_name(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    for health, to in enumerate((2, 3, 5, 2, 6, 9, 4), start=1):
        wound = {"type": "hp", "combatant": "b1", "value": health}
        await table.act(encounter, {"type": "adjust", "changes": [wound]})
        await table.act(encounter, {"type": "note", "text": "that hurt"})
        await table.act(encounter, {"type": "rewind", "to": to})
    row = await store.log.head(encounter)
    assert row is not None
    ruleset = RULESETS[row.ruleset, row.version]
    whole = await Loader(store).state_at(encounter, ruleset, row.head_seq)
    for page in (1, 3, 100):
        monkeypatch.setattr(loader, "PAGE", page)
        fold = Fold(state=None, seq=0)
        await Loader(store).continued(encounter, ruleset, fold, row.head_seq)
        assert fold.state is not None
        assert (fold.state.rule, fold.state.linear) == (whole.rule, whole.linear)
        assert sorted(fold.rules) == [2, 3, 4, 5, 6, 9]


async def test_erased_text_is_gone_and_the_chain_stands(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    secret = f"something private {secrets.token_hex(4)}"
    await table.act(encounter, {"type": "note", "text": secret})
    before = await table.encounters.reads.event(table.who, encounter, 3)
    assert secret.encode() in msgspec.json.encode(before)
    await table.act(encounter, {"type": "erase", "seqs": [3]})
    for each in (table, beside(table, store)):
        after = await each.encounters.reads.event(each.who, encounter, 3)
        view = await each.encounters.reads.view(each.who, encounter, None)
        assert secret.encode() not in msgspec.json.encode((after, view))
        assert (after.hash, after.commits, after.event) == (
            before.hash,
            before.commits,
            before.event,
        )


async def test_a_note_of_the_gm_alone_reaches_no_player(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, {"type": "note", "text": "boo", "gm_text": "the ghoul fears fire"})
    record = await table.seat("rita").encounters.reads.event(table.seat("rita").who, encounter, 3)
    encoded = msgspec.json.encode(record)
    assert b"boo" in encoded
    assert b"fears fire" not in encoded


async def test_contributions_are_taken_once_each_before_the_start(table: Table) -> None:
    encounter = await table.create()
    await table.seat("rita").act(encounter, {"type": "contribute", "value": "ab" * 32})
    with pytest.raises(Refused, match="already_contributed"):
        await table.seat("rita").act(encounter, {"type": "contribute", "value": "cd" * 32})
    await table.act(encounter, {"type": "start_encounter"})
    with pytest.raises(Refused, match="already_started"):
        await table.seat("bob").act(encounter, {"type": "contribute", "value": "cd" * 32})


async def test_parts_open_to_everybody_when_the_gm_says_so(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, {"type": "note", "gm_text": "it was the butler"})
    await table.act(encounter, {"type": "end_encounter", "reveal": "now", "open": "all"})
    olaf = table.seat("olaf")
    record = await olaf.encounters.reads.event(olaf.who, encounter, 3)
    assert b"butler" in msgspec.json.encode(record)


async def test_a_cursor_of_another_history_is_told(table: Table) -> None:
    encounter = await table.started()
    for cursor in ("2-00000000", "9"):
        with pytest.raises(ConflictingRequest, match="history_diverged"):
            await table.encounters.reads.events(table.who, encounter, cursor, 10)


async def test_every_cursor_of_a_page_is_taken_back(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, end_turn("r1"))
    await table.act(encounter, {"type": "rewind", "to": 2})
    records = (await table.encounters.reads.events(table.who, encounter, None, 10)).events
    whole = [f"{each.seq}-{each.hash[:8]}" for each in records]
    for after in (None, "0", "0-00000000", "1", "2", "3", "4", *whole):
        seq = 0 if after is None else int(after.partition("-")[0])
        for limit in (1, 10):
            page = await table.encounters.reads.events(table.who, encounter, after, limit)
            stands = min(seq + limit, 4)
            assert (page.next, page.head) == (whole[stands - 1], 4)
            again = await table.encounters.reads.events(table.who, encounter, page.next, 10)
            assert [each.seq for each in again.events] == list(range(stands + 1, 5))
            client = await joined(table, encounter, page.next)
            assert client.sink.records[0].place == page.next
            client.leave()


async def test_a_players_shot_waits_for_the_dice_the_table_rolls(table: Table) -> None:
    encounter = await table.started(creation(dice="supplied"))
    rita = table.seat("rita")
    asked = await rita.act(encounter, shoot("r1", "b1"))
    decision = msgspec.json.decode(asked.answer.decisions)[0]
    assert (decision["seat"], decision["roll"]) == (
        "rita",
        {"count": 5, "sides": 6, "purpose": decision["roll"]["purpose"]},
    )
    with pytest.raises(Refused, match="decision_pending"):
        await rita.act(encounter, end_turn("r1"))
    answer = {"type": "answer", "decision_id": decision["id"], "choice": {"type": "roll"}}
    with pytest.raises(Refused, match="too_few_faces"):
        await rita.act(encounter, answer, dice=[1])
    with pytest.raises(Refused, match="impossible_face"):
        await rita.act(encounter, answer, dice=[1, 2, 3, 4, 7])
    rolled = await rita.act(encounter, answer, dice=[1, 2, 1, 2, 1])
    happened = effects(rolled.answer.events[0])
    assert happened[0] == "decision_closed"
    assert "attack_resolved" in happened
    body = msgspec.json.decode(rolled.answer.events[0].event)
    assert [draw["face"] for draw in body["draws"]] == [1, 2, 1, 2, 1]


async def test_a_hit_asks_for_the_damage_dice_too(table: Table) -> None:
    encounter = await table.started(creation(dice="supplied"))
    rita = table.seat("rita")
    asked = await rita.act(encounter, shoot("r1", "b1"))
    first = msgspec.json.decode(asked.answer.decisions)[0]["id"]
    answer = {"type": "answer", "decision_id": first, "choice": {"type": "roll"}}
    more = await rita.act(encounter, answer, dice=[5, 5, 5, 1, 1])
    second = msgspec.json.decode(more.answer.decisions)[0]
    assert (second["roll"]["count"], second["id"] != first) == (2, True)
    with pytest.raises(Refused, match="decision_closed"):
        await rita.act(encounter, answer, dice=[5, 5, 5, 1, 1])
    done = await rita.act(encounter, answer | {"decision_id": second["id"]}, dice=[3, 4])
    assert "hurt" in effects(done.answer.events[0])


async def test_the_gm_supplies_faces_at_once_and_exactly(table: Table) -> None:
    encounter = await table.started(creation(dice="supplied"))
    with pytest.raises(Refused, match="too_few_faces"):
        await table.act(encounter, shoot("r1", "b1"), dice=[1, 1])
    with pytest.raises(Refused, match="too_many_faces"):
        await table.act(encounter, shoot("r1", "b1"), dice=[1, 1, 1, 1, 1, 1])
    await table.act(encounter, shoot("r1", "b1"), dice=[1, 1, 1, 1, 1])
    sealed = await table.started()
    with pytest.raises(Refused, match="faces_not_taken"):
        await table.act(sealed, shoot("r1", "b1"), dice=[6, 6, 6, 6, 6])
