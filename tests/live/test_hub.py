"""Following an encounter: who is sent what, from which event on, and how a stream ends."""

import asyncio
import secrets
from collections.abc import Callable
from uuid import UUID, uuid4

import pytest

from service.encounters.principal import SCOPES, Principal, seat_principal
from service.errors import (
    ConflictingRequest,
    Forbidden,
    Malformed,
    NotFound,
    Unavailable,
)
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from service.fanout.messages import Presence
from service.live.inbox import MOST_INBOX
from service.live.records import Page
from tests.encounters.table import Table, beside, creation, end_turn, fighter, new_table, shoot
from tests.live.clients import (
    MUCH_SECONDS,
    NOTE,
    SECRET,
    Client,
    FakeSink,
    joined,
    looking,
    visible,
    wired,
)
from tests.patience import PATIENCE_SECONDS, until


async def test_a_stream_begins_with_a_hello_and_goes_on_with_what_happens(table: Table) -> None:
    encounter = await table.started()
    client = await joined(table.seat("rita"), encounter)
    [hello] = client.sink.bodies
    view = await table.encounters.reads.view(table.who, encounter, None)
    assert (hello["type"], hello["seq"], hello["hash"]) == ("hello", 2, view.hash)
    assert hello["etag"] == client.sink.cursor == f"2-{view.hash[:8]}"
    assert (hello["seat"], hello["role"], hello["presence"]) == ("rita", "player", ["rita"])
    assert (hello["decisions"], hello["timers"]) == ([], [])
    assert hello["receipt"]["seq"] == 2
    assert hello["state_url"] == f"/v1/encounters/{encounter}?at=2"
    await table.act(encounter, NOTE)
    await table.act(encounter, SECRET, end_turn("r1"))
    await client.at(5)
    after = hello["etag"]
    assert client.sink.bodies[1:] == await visible(table.seat("rita"), encounter, after)


async def test_each_view_is_told_what_it_may_see_and_each_is_encoded_once(table: Table) -> None:
    encounter = await table.started()
    seats = [table, table.seat("rita"), table.seat("bob"), table.seat("olaf")]
    clients = [await joined(each, encounter) for each in seats for _ in range(3)]
    await table.act(encounter, SECRET)
    await table.act(encounter, shoot("r1", "b1"))
    for client in clients:
        await client.at(4)
        events = [each for each in client.sink.bodies if each["type"] == "event"]
        assert events == await visible(client.table, encounter, "2")
    secret, shot = ({id(c.sink.records[-at].body) for c in clients} for at in (2, 1))
    assert len(secret) == 2
    assert len(shot) == 1


async def test_a_client_resumes_behind_any_event_it_has(table: Table) -> None:
    encounter = await table.started()
    for _ in range(150):
        await table.act(encounter, NOTE)
    everything = await visible(table, encounter)
    for seq in (0, 1, 63, 64, 65, 100, 151, 152):
        digits = "00000000" if seq == 0 else everything[seq - 1]["hash"][:8]
        for cursor in (f"{seq}", f"{seq}-{digits}"):
            client = await joined(table, encounter, cursor)
            assert client.sink.records[0].place == f"{seq}-{digits}"
            await client.has_caught_up(f"152-{everything[-1]['hash'][:8]}")
            assert client.sink.of("event") == everything[seq:]
            client.leave()


async def test_what_cannot_be_followed_is_refused_before_anything_is_written(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    stranger = await new_table(store)
    refused = [
        (stranger, encounter, None, NotFound),
        (table.seat("nobody"), encounter, None, NotFound),
        (table, encounter, "x", Malformed),
        (table, encounter, "2-00000000", ConflictingRequest),
        (table, encounter, "99", ConflictingRequest),
    ]
    for asker, wanted, after, kind in refused:
        client = Client(asker, wanted)
        with pytest.raises(kind):
            await client.join(after)
        assert client.sink.records == []
        assert not client.sink.is_closed
    assert table.encounters.hub.streams_open == 0
    assert table.encounters.hub.channels == {}


async def test_who_leaves_is_told_nothing_more_and_leaves_nothing_behind(table: Table) -> None:
    encounter = await table.started()
    client, other = await joined(table, encounter), await joined(table, encounter)
    client.leave()
    client.leave()
    await client.over()
    await table.act(encounter, NOTE)
    await other.at(3)
    assert client.sink.seqs == []
    assert not client.sink.is_closed
    other.leave()
    hub = table.encounters.hub
    assert (hub.streams_open, hub.channels) == (0, {})


async def test_what_another_process_wrote_is_found_in_the_log(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    seats = (table, table.seat("rita"), table.seat("olaf"))
    clients = [await joined(seat, encounter) for seat in seats]
    async with looking(table):
        for action in (NOTE, SECRET, end_turn("r1")):
            await other.act(encounter, action)
        for _ in range(200):
            await other.act(encounter, NOTE)
        for client in clients:
            await client.at(205)
            assert client.sink.of("event") == await visible(client.table, encounter, "2")


async def test_the_end_of_the_process_is_said_to_everybody(table: Table) -> None:
    encounter = await table.started()
    client = await joined(table, encounter)
    wait = table.encounters.wait
    waiting = asyncio.create_task(wait(table.who, encounter, "2", MUCH_SECONDS))
    await until(lambda: encounter in table.encounters.hub.waiters)
    table.encounters.hub.stop()
    await client.over()
    assert client.sink.last_word == ("bye", "shutdown")
    assert client.sink.is_closed
    async with asyncio.timeout(PATIENCE_SECONDS):
        await waiting
        await wait(table.who, encounter, "2", MUCH_SECONDS)
    with pytest.raises(Unavailable, match="try_again"):
        await joined(table, encounter)
    await table.encounters.hub.settle()


async def test_a_deleted_encounter_is_followed_no_longer_at_any_process(
    table: Table, store: EventStore
) -> None:
    encounter, kept = await table.started(), await table.started()
    other = beside(table, store)
    clients = [await joined(each, encounter) for each in (table, other)]
    many = FakeSink()
    await other.encounters.hub.follow_many(other.who, {encounter: None, kept: None}, many)
    await table.encounters.writes.delete(table.who, encounter)
    async with looking(other):
        for client in clients:
            await client.over()
            assert client.sink.last_word == ("bye", "deleted")
        await until(lambda: many.bodies[-1]["type"] == "bye")
        assert many.bodies[-1] == {
            "type": "bye",
            "encounter": str(encounter),
            "reason": "deleted",
            "retry": False,
        }
        await other.act(kept, NOTE)
        await until(lambda: many.seqs == [3])
        assert not many.is_closed


async def test_several_encounters_on_one_stream(table: Table) -> None:
    first, second = await table.started(), await table.started()
    sink = FakeSink()
    hub = table.encounters.hub
    subscription = await hub.follow_many(table.who, {first: None, second: "1"}, sink)
    await table.act(first, NOTE)
    await table.act(second, NOTE)
    await until(lambda: len(sink.seqs) == 3)
    seqs_of: dict[str, list[int]] = {str(each): [] for each in (first, second)}
    for each in sink.of("event"):
        seqs_of[each["encounter"]].append(each["seq"])
    assert seqs_of == {str(first): [3], str(second): [2, 3]}
    with pytest.raises(Forbidden, match="gm_only"):
        await hub.follow_many(table.seat("rita").who, {first: None}, FakeSink())
    for cursors in ({}, {uuid4(): None for _ in range(101)}):
        with pytest.raises(Malformed):
            await hub.follow_many(table.who, cursors, FakeSink())
    subscription.cancel()
    assert hub.channels == {}


async def test_a_burst_goes_out_with_few_writes(table: Table) -> None:
    encounter = await table.started()
    client = await joined(table, encounter)
    await table.act(encounter, *[NOTE] * 20)
    await client.at(22)
    assert client.sink.writes == 2
    page = Page(tuple(client.sink.records[1:]))
    assert (page.seq, page.hash8) == (22, client.sink.records[-1].hash8)


async def test_the_answer_is_out_before_the_event(table: Table) -> None:
    encounter = await table.started()
    client = await joined(table, encounter)
    await table.act(encounter, NOTE)
    assert client.sink.seqs == []
    await client.at(3)


async def test_an_open_decision_is_in_the_hello_of_who_may_know_of_it(table: Table) -> None:
    encounter = await table.started(creation(dice="supplied"))
    await table.seat("rita").act(encounter, shoot("r1", "b1"))
    client = await joined(table.seat("rita"), encounter)
    [decision] = client.sink.bodies[0]["decisions"]
    assert decision["seat"] == "rita"


async def test_a_heartbeat_states_the_end_and_is_signed(table: Table) -> None:
    encounter = await table.started()
    client = await joined(table, encounter)
    [channel] = table.encounters.hub.channels.values()
    channel.heartbeat_at = 0.0
    await table.encounters.hub.send_heartbeats()
    await table.encounters.hub.send_heartbeats()
    [beat] = client.sink.of("heartbeat")
    assert client.sink.records[-1].place == client.sink.records[0].place
    assert beat["receipt"]["hash"] == beat["hash"]


async def test_hidden_people_stay_hidden_on_streams(table: Table) -> None:
    ambush = creation(
        fighter("r1", "red", 0, 0),
        fighter("b1", "blue", 6, 0),
        fighter("lurker", "blue", 6, 3, hidden=True),
    )
    encounter = await table.started(ambush)
    clients = [await joined(table.seat(name), encounter, "0") for name in ("rita", "bob", "olaf")]
    reveal = {"type": "reveal", "combatant": "lurker"}
    await table.act(encounter, {"type": "adjust", "changes": [reveal], "reason": "seen"})
    for client in clients:
        await client.at(3)
        assert client.sink.of("event") == await visible(client.table, encounter)
        if client.table.who.acting_for != "bob":
            bodies = [each.body for each in client.sink.records if each.seq != 3]
            assert b"lurker" not in b"".join(bodies)


async def test_more_than_can_be_passed_on_is_left_to_the_log(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, _ = wired(table, store)
    there, wires = wired(table, store)
    client = await joined(here, encounter)
    await there.act(encounter, NOTE)
    await until(lambda: bool(wires.news))
    hub = here.encounters.hub
    presence = Presence(encounter=encounter, process="elsewhere", seats=())
    for _ in range(3 * MOST_INBOX):
        hub.receive(presence)
    hub.receive(wires.news[0])
    assert (len(hub.inbox), hub.tally.overflown) == (MOST_INBOX, 2 * MOST_INBOX + 1)
    await client.at(3)
    await until(lambda: len(hub.inbox) == 0)


async def test_streams_of_keys_and_tokens_that_ended_are_closed(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    key = UUID(bytes=secrets.token_bytes(16))
    await store.access.create_api_key(
        NewApiKey(
            id=key,
            tenant=table.who.tenant,
            name="a key",
            secret_hash=secrets.token_bytes(32),
            scopes=SCOPES,
        )
    )
    who = Principal(key_id=key, tenant=table.who.tenant, scopes=frozenset(SCOPES))
    keyed = await joined(Table(table.encounters, who), encounter)
    acting = await joined(Table(table.encounters, who).seat("rita"), encounter)
    token = seat_principal(table.who.tenant, encounter, "bob", secrets.token_bytes(32))
    seated = await joined(Table(table.encounters, token), encounter)
    await table.encounters.hub.end_revoked()
    await seated.over()
    assert seated.sink.last_word == ("bye", "revoked")
    assert not keyed.sink.is_closed
    await store.access.revoke_api_key(table.who.tenant, key)
    await table.encounters.hub.end_revoked()
    for client in (keyed, acting):
        await client.over()
        assert client.sink.last_word == ("bye", "revoked")


async def test_what_nobody_expected_ends_streams_and_is_reported(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    hub_here = table.encounters.hub
    reported: list[Exception] = []
    hub_here.failed = reported.append
    live = await joined(table, encounter)
    monkeypatch.setattr(hub_here.channels[encounter], "_send", broken)
    await table.act(encounter, NOTE)
    await live.over()
    monkeypatch.setattr(hub_here.pages, "read", broken)
    behind = await joined(table, encounter, "0")
    await behind.over()
    for client in (live, behind):
        assert client.sink.last_word == ("bye", "failed")
    assert len(reported) == 2


def broken(*_: object) -> Callable[[], None]:
    raise RuntimeError("a mistake of ours")
