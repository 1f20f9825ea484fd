"""The JavaScript client acts once whatever becomes of its answers, and says what went wrong."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest

from service.eventstore.embedded import Dsns
from tests.clients.cutting_proxy import cutting_proxy
from tests.clients.lossy_proxy import lossy_proxy
from tests.clients.node_client import Told, node_client
from tests.live.arena import Arena, Battle, arena_of, begun, new_tenant
from tests.live.players import do, remark
from tests.live.subscribers import Person
from tests.patience import until

pytestmark = pytest.mark.slow

LOST: Final = 0.3
HASTY: Final = {"retry": {"answerSeconds": 5, "totalSeconds": 120}}


@pytest.fixture(scope="module")
async def arena(database: Dsns, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Arena]:
    async with arena_of(tmp_path_factory.mktemp("calls"), database, None, count=1) as one:
        yield one


@pytest.fixture
async def battle(arena: Arena) -> Battle:
    _, key = await new_tenant(arena.dsns)
    return await begun(arena.asker, key, "crossfire-d6")


def id_of(battle: Battle) -> str:
    return battle.address.rsplit("/", 1)[1]


async def log_of(arena: Arena, battle: Battle) -> list[Any]:
    """All events as the game master sees them."""
    page = await arena.asker.json(battle.gm, "GET", f"{battle.address}/events?limit=500")
    return [each.get("seen", each["event"]) for each in page["events"]]


async def test_no_action_is_done_twice_when_answers_are_lost(arena: Arena, battle: Battle) -> None:
    texts = [f"note {number}" for number in range(40)]
    async with lossy_proxy(arena.urls[0], LOST) as proxy, node_client() as node:
        await node.battle("gm", proxy.url, battle.gm.token, id_of(battle), service=HASTY)
        notes = [node.begin("gm", "act", {"type": "note", "text": text}) for text in texts]
        answers = await asyncio.gather(*notes)
        # How many answers share a piece depends on the machine.
        assert proxy.lost > len(texts) // 10
    log = await log_of(arena, battle)
    told = Counter(each["action"].get("text") for each in log if each["action"]["type"] == "note")
    assert {text: told[text] for text in texts} == dict.fromkeys(texts, 1)
    versions = [answer["version"] for answer in answers]
    assert [log[version - 1]["action"]["text"] for version in versions] == texts


async def test_seats_and_codes_come_through_lost_answers(arena: Arena, battle: Battle) -> None:
    async with lossy_proxy(arena.urls[0], LOST) as proxy, node_client() as node:
        await node.battle("gm", proxy.url, battle.gm.token, id_of(battle), service=HASTY)
        for number in range(5):
            seat = {"id": f"guest{number}", "role": "player", "sides": ["red"]}
            code = (await node.do("gm", "addSeat", seat))["invitation"]["code"]
            assert (await node.do("gm", "invite", seat["id"]))["code"] != code
        assert proxy.lost > 0
    seats = await arena.asker.json(battle.gm, "GET", f"{battle.address}/seats")
    assert [each["id"] for each in seats["seats"]].count("guest4") == 1
    log = await log_of(arena, battle)
    assert Counter(each["action"]["type"] for each in log)["add_seat"] == 5


async def test_whoever_comes_to_a_seat_can_ask_again(arena: Arena, battle: Battle) -> None:
    async with lossy_proxy(arena.urls[0], LOST, 5) as proxy, node_client() as node:
        await node.do("service", "open", {"url": proxy.url, **HASTY})
        for _ in range(5):
            path = f"{battle.address}/seats/anna/invitation"
            invited = await arena.asker.json(battle.gm, "POST", path)
            joined = await node.do("service", "join", invited["invitation"]["code"])
            assert (joined["seat"], joined["encounter"]) == ("anna", id_of(battle))
            await node.battle("anna", proxy.url, joined["token"], id_of(battle), service=HASTY)
            code = (await node.do("anna", "addDevice"))["code"]
            second = await node.do("service", "join", code)
            for token in (joined["token"], second["token"]):
                me = await node.do("service", "me", {"token": token})
                assert (me["seat"]["id"], me["seat"]["devices"]) == ("anna", 2)
        assert proxy.lost > 1


async def test_refusals_are_problems_and_never_asked_again(arena: Arena, battle: Battle) -> None:
    async with node_client() as node:
        options = {"service": {"language": "ru", **HASTY}}
        await node.battle("gm", arena.urls[0], battle.gm.token, id_of(battle), **options)
        await node.battle("nobody", arena.urls[0], f"ws_{'a' * 43}", id_of(battle))
        head = len(await log_of(arena, battle))
        with pytest.raises(Told) as refused:
            await node.do("gm", "act", {"type": "end_turn", "combatant": "nobody-here"})
        problem = refused.value.error
        assert (problem["name"], problem["status"]) == ("WarlogProblem", 422)
        assert problem["code"] == "unknown_combatant"
        assert not problem["detail"].isascii()
        with pytest.raises(Told) as malformed:
            await node.do("gm", "act", {"type": "no_such_thing"})
        assert malformed.value.error["status"] == 400
        with pytest.raises(Told) as unknown:
            await node.do("nobody", "read")
        assert unknown.value.error["code"] == "unauthenticated"
        with pytest.raises(Told) as late:
            await node.do("gm", "act", {"type": "note", "text": "late"}, {"ifMatch": "1-00000000"})
        assert late.value.error["code"] == "history_diverged"
        assert len(await log_of(arena, battle)) == head


async def test_who_gives_up_is_told_the_key_to_ask_again_with(arena: Arena, battle: Battle) -> None:
    """A note whose answer never comes is written once, also when it is sent again later."""
    note = {"type": "note", "text": "once"}
    async with lossy_proxy(arena.urls[0], 1.0) as proxy, node_client() as node:
        impatient = {"retry": {"answerSeconds": 1, "totalSeconds": 1}}
        await node.battle("lost", proxy.url, battle.gm.token, id_of(battle), service=impatient)
        await node.battle("found", arena.urls[0], battle.gm.token, id_of(battle))
        with pytest.raises(Told) as given_up:
            await node.do("lost", "act", note)
        error = given_up.value.error
        assert error["name"] == "WarlogUnreachable"
        await node.do("found", "act", note, {"key": error["key"]})
    log = await log_of(arena, battle)
    assert Counter(each["action"].get("text") for each in log)["once"] == 1


async def test_what_ends_the_right_to_read_ends_the_stream(arena: Arena, battle: Battle) -> None:
    async with node_client() as node:
        anna = next(who for who in battle.people if who.name == "anna")
        await node.battle("anna", arena.urls[0], anna.token, id_of(battle))
        followed = await node.follow("anna")
        await followed.begun()
        await do(arena.asker, battle, {"type": "remove_seat", "seat": "anna"})
        ended = await followed.over()
        assert "error" not in ended
        assert followed.of("bye")[-1]["reason"] == "revoked"
        closed = await node.do("anna", "properties", "status", "closedBy")
        assert closed == {"status": "closed", "closedBy": "revoked"}
        again = await node.follow("anna")
        ended = await again.over()
        assert ended["error"]["status"] == 401
        recorded = await node.follow("anna", refusals="record")
        error = (await recorded.over())["error"]
        assert {**error, "request": ""} == {**ended["error"], "request": ""}


async def test_another_history_and_a_spoiled_document_are_noticed(
    arena: Arena, battle: Battle
) -> None:
    async with lossy_proxy(arena.urls[0], 0) as proxy, node_client() as node:
        ben = next(who for who in battle.people if who.name == "ben")
        await node.battle("ben", proxy.url, ben.token, id_of(battle))
        await node.battle("other", arena.urls[0], ben.token, id_of(battle))
        other = await node.follow("other", after="2-deadbeef", refusals="record")
        await until(lambda: other.statuses[-1:] == ["live"])
        assert other.of("resync")[0] == {"type": "resync", "reason": "history_diverged"}
        followed = await node.follow("ben")
        await followed.begun()
        await node.do("ben", "spoil")
        head = await remark(arena.asker, battle, 2)
        await followed.at(head)
        proxy.break_off()
        await until(lambda: "offline" in followed.statuses)
        await until(lambda: followed.statuses[-1] == "live")
        told = await arena.asker.json(ben, "GET", battle.address)
        document = {name: told[name] for name in ("decisions", "state", "table")}
        assert await node.do("ben", "document") == document
        assert await node.do("other", "document") == document


async def test_an_older_service_is_asked_without_records(arena: Arena, battle: Battle) -> None:
    async with cutting_proxy(arena.urls[0]) as proxy, node_client() as node:
        # As a service answers that takes the parameter for a slip.
        proxy.replaced = (b"refusals=record", b"refusals=recorded")
        ben = next(who for who in battle.people if who.name == "ben")
        await node.battle("ben", proxy.url, ben.token, id_of(battle))
        followed = await node.follow("ben", refusals="record")
        await until(lambda: followed.statuses[-1:] == ["live"])
        asked = ["refusals=" in head for head in proxy.heads if "/stream" in head]
        assert asked == [True, False]


async def test_a_long_absence_is_told_event_by_event(arena: Arena, battle: Battle) -> None:
    """More than a stream with patches brings: the rest is read by pages."""
    async with lossy_proxy(arena.urls[0], 0) as proxy, node_client() as node:
        gm = Person(name="gm", token=battle.gm.token)
        await node.battle("gm", proxy.url, gm.token, id_of(battle))
        followed = await node.follow("gm", after=0)
        await followed.begun()
        proxy.is_shut = True
        proxy.break_off()
        head = await remark(arena.asker, battle, 150)
        proxy.is_shut = False
        await until(lambda: followed.of("resync"))
        assert followed.seqs == list(range(1, head + 1))
        assert followed.of("resync")[-1]["reason"] == "too_far_behind"
        told = await arena.asker.json(battle.gm, "GET", f"{battle.address}?notes=100")
        document = {name: told[name] for name in ("decisions", "state", "table")}
        assert await node.do("gm", "document") == document


async def test_a_game_master_reads_through_the_eyes_of_a_seat(arena: Arena, battle: Battle) -> None:
    anna = next(who for who in battle.people if who.name == "anna")
    async with node_client() as node:
        await node.battle("eyes", arena.urls[0], battle.gm.token, id_of(battle), view="anna")
        await node.battle("anna", arena.urls[0], anna.token, id_of(battle))
        through = await node.follow("eyes", after=0, narrate="en")
        own = await node.follow("anna", after=0, narrate="en")
        head = await remark(arena.asker, battle, 1)
        await through.at(head)
        await own.at(head)
        assert await node.do("eyes", "document") == await node.do("anna", "document")
        assert through.of("event") == own.of("event")
        assert all("narration" in each for each in own.of("event"))
        assert await node.do("eyes", "readScene") == await node.do("anna", "readScene")
        await do(arena.asker, battle, {"type": "end_encounter", "reveal": "now", "open": "all"})
        report = await node.do("eyes", "verify")
        assert (report["clean"], report["signer"]) == (True, "trusted")


async def test_a_player_is_told_how_far_it_may_take_back(arena: Arena, battle: Battle) -> None:
    async with node_client() as node:
        ben = next(who for who in battle.people if who.name == "ben")
        await node.battle("ben", arena.urls[0], ben.token, id_of(battle))
        followed = await node.follow("ben")
        await followed.begun()
        told = await node.do("ben", "properties", "undoTo", "undoBar")
        view = await arena.asker.json(ben, "GET", battle.address)
        names = {"undoTo": "undo_to", "undoBar": "undo_bar"}
        table = view["table"]
        assert told == {name: table[field] for name, field in names.items() if field in table}
        assert "undoBar" in told
