"""Rights that change while somebody follows: the view changes with the event that changed them."""

import pytest

from service.eventstore.store import EventStore
from tests.encounters.table import Table, beside, creation, fighter
from tests.live.clients import (
    NOTE,
    SECRET,
    change,
    joined,
    looking,
    stalled,
    visible,
    wired,
)
from tests.patience import until

END = {"type": "end_encounter", "reveal": "later", "open": "all"}


async def test_news_of_a_changed_role_changes_the_view(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    there, _ = wired(table, store)
    rita, bob = there.seat("rita"), there.seat("bob")
    clients = [await joined(rita, encounter), await joined(bob, encounter)]
    actions: list[dict[str, object]] = [
        change("rita", role="gm"),
        SECRET,
        change("rita", role="player"),
        SECRET,
    ]
    for seq, action in enumerate(actions, start=3):
        await here.act(encounter, action)
        there.encounters.hub.receive(await wires.latest(seq - 2))
        for client in clients:
            await client.at(seq)
    await clients[0].greeted(3)
    for client in clients:
        assert client.sink.of("event") == await visible(client.table, encounter, "2")
    await here.act(encounter, {"type": "remove_seat", "seat": "rita"})
    there.encounters.hub.receive(await wires.latest(5))
    await clients[0].over()
    assert clients[0].sink.last_word == ("bye", "revoked")
    await clients[1].at(7)


async def test_what_was_opened_stays_open_for_what_follows(table: Table) -> None:
    encounter = await table.started()
    client = await joined(table.seat("olaf"), encounter)
    for action in (END, SECRET, {"type": "rewind", "to": 2}, SECRET):
        await table.act(encounter, action)
    await client.at(6)
    assert client.sink.of("event") == await visible(client.table, encounter, "2")
    knew = [len(each["parts"]) for each in client.sink.of("event")]
    assert knew == [0, 1, 0, 0]


async def test_a_list_of_actions_that_changes_rights_in_the_middle(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, change("rita", role="gm"))
    client = await joined(table.seat("rita"), encounter)
    late = await stalled(table.seat("rita"), encounter)
    await table.act(encounter, SECRET, change("rita", role="player"), SECRET, NOTE)
    await client.at(7)
    late.sink.read_on()
    await late.at(7)
    for each in (client, late):
        assert each.sink.of("event") == await visible(each.table, encounter, "3")
        assert [bool(event["parts"]) for event in each.sink.of("event")] == [
            True,
            False,
            False,
            True,
        ]


@pytest.mark.parametrize("place", ["here", "elsewhere"])
async def test_a_changed_role_changes_the_view_and_is_said_with_a_hello(
    table: Table, store: EventStore, place: str
) -> None:
    encounter = await table.started()
    writer = table if place == "here" else beside(table, store)
    rita, olaf = table.seat("rita"), table.seat("olaf")
    clients = [await joined(rita, encounter), await joined(olaf, encounter)]
    async with looking(table):
        for action in (
            SECRET,
            change("rita", role="gm"),
            SECRET,
            change("rita", role="observer"),
            SECRET,
            NOTE,
        ):
            await writer.act(encounter, action)
            seq = (await table.encounters.reads.view(table.who, encounter, None)).seq
            for client in clients:
                await client.at(seq)
            await until(lambda: table.encounters.hub.channels[encounter]._behind == {})
    sink = clients[0].sink
    order = [
        each.get("role", each.get("seq")) for each in sink.bodies if each["type"] != "presence"
    ]
    assert order == ["player", 3, 4, "gm", 5, 6, "observer", 7, 8]
    knew = {each["seq"]: len(each["parts"]) for each in sink.of("event")}
    assert (knew[3], knew[5], knew[7]) == (0, 1, 0)
    assert len(clients[1].sink.of("hello")) == 1
    assert clients[1].sink.of("event") == await visible(olaf, encounter, "2")


@pytest.mark.parametrize("place", ["here", "elsewhere"])
async def test_a_removed_seat_is_told_goodbye_at_once(
    table: Table, store: EventStore, place: str
) -> None:
    encounter = await table.started()
    writer = table if place == "here" else beside(table, store)
    rita, bob = table.seat("rita"), table.seat("bob")
    gone = [await joined(rita, encounter) for _ in range(2)]
    stays = await joined(bob, encounter)
    late = await joined(rita, encounter, "0")
    await writer.act(encounter, {"type": "remove_seat", "seat": "rita"})
    async with looking(table):
        await writer.act(encounter, SECRET)
        await stays.at(4)
        for client in (*gone, late):
            await client.over()
            assert client.sink.last_word == ("bye", "revoked")
            assert 4 not in client.sink.seqs
    assert stays.sink.of("event") == await visible(bob, encounter, "2")


async def test_control_over_people_comes_with_a_hello(table: Table) -> None:
    encounter = await table.started()
    client = await joined(table.seat("olaf"), encounter)
    await table.act(encounter, {"type": "change_seat", "seat": "olaf", "role": "player"})
    await until(lambda: len(client.sink.of("hello")) == 2)
    assign = {"type": "assign_control", "seat": "olaf", "combatants": ["b1"]}
    await table.act(encounter, assign)
    await until(lambda: len(client.sink.of("hello")) == 3)
    assert [each["role"] for each in client.sink.of("hello")] == ["observer", "player", "player"]


@pytest.mark.parametrize("combatants", [(), ("b2",)])
async def test_control_over_somebody_unseen_is_said_with_as_many_hellos_as_over_nobody(
    table: Table, combatants: tuple[str, ...]
) -> None:
    hidden = fighter("b2", "blue", 9, 9, hidden=True)
    people = (fighter("r1", "red", 0, 0), fighter("b1", "blue", 6, 0), hidden)
    encounter = await table.started(creation(*people))
    client = await joined(table.seat("olaf"), encounter)
    for hellos, controlled in ((2, combatants), (3, ())):
        await table.act(encounter, change("olaf", combatants=controlled))
        await client.greeted(hellos)
    kinds = [each["type"] for each in client.sink.bodies if each["type"] != "presence"]
    assert kinds == ["hello", "event", "hello", "event", "hello"]


async def test_what_is_opened_at_the_end_is_open_to_those_who_follow(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, SECRET)
    client = await joined(table.seat("olaf"), encounter)
    await table.act(encounter, {"type": "end_encounter", "reveal": "now", "open": "all"})
    await client.at(4)
    late = await joined(table.seat("olaf"), encounter, "0")
    await late.at(4)
    assert late.sink.of("event") == await visible(late.table, encounter)
    assert b"what nobody heard" in late.sink.records[3].body
