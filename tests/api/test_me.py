"""Who am I, where do I play, and whose move is it."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.joining import delete, joined, patch
from tests.api.serving import (
    CREATION,
    SHOT,
    START,
    Caller,
    Served,
    new_key,
    problem,
    settings_for,
)

Tree = dict[str, Any]
VERA = {"id": "v2", "role": "player", "combatants": ["hunter"]}
END_TURN = {"type": "end_turn", "combatant": "hunter"}
TABLE_DICE = {**CREATION, "dice": "supplied"}


def me(caller: Caller, query: str = "", **headers: str) -> Tree:
    answer = caller.get(f"/v1/me{query}", **headers)
    assert answer.status_code == 200, answer.text
    told: Tree = answer.json()
    return told


def test_a_seat_is_told_of_itself_and_of_its_battle(caller: Caller) -> None:
    encounter = caller.create()
    with joined(caller, encounter, VERA) as vera, joined(caller, encounter) as bob:
        told = me(vera)
        assert told == {
            "kind": "seat",
            "seat": {
                "id": "v2",
                "role": "player",
                "sides": [],
                "combatants": ["hunter"],
                "has_joined": True,
                "devices": 1,
                "is_present": False,
            },
            "battle": {
                "ruleset": "crossfire-d6",
                "encounter": {
                    "encounter": encounter.rpartition("/")[2],
                    "title": "At the old wall",
                    "ruleset": "crossfire-d6",
                    "version": told["battle"]["encounter"]["version"],
                    "status": "setup",
                    "seq": 3,
                    "created_at": told["battle"]["encounter"]["created_at"],
                },
                "is_my_move": False,
                "decisions": [],
            },
        }
        caller.act(encounter, START)
        assert moves(vera, bob) == [("hunter", True), ("hunter", False)]
        vera.act(encounter, END_TURN)
        assert moves(vera, bob) == [("raider", False), ("raider", True)]


def moves(*callers: Caller) -> list[tuple[str, bool]]:
    battles = [me(each)["battle"] for each in callers]
    return [(battle["turn"], battle["is_my_move"]) for battle in battles]


def test_an_observer_is_never_to_move_and_a_seat_that_is_demoted_no_more(caller: Caller) -> None:
    encounter = caller.started()
    watcher = {"id": "w", "role": "observer", "combatants": ["hunter"]}
    with joined(caller, encounter, watcher) as watching, joined(caller, encounter, VERA) as vera:
        assert moves(watching, vera) == [("hunter", False), ("hunter", True)]
        patch(caller, f"{encounter}/seats/v2", {"role": "observer"})
        assert moves(vera) == [("hunter", False)]
        assert me(vera)["seat"]["role"] == "observer"


def test_an_open_decision_is_shown_to_whoever_may_answer_it(caller: Caller) -> None:
    encounter = caller.create(TABLE_DICE)
    caller.act(encounter, START)
    with joined(caller, encounter, VERA) as vera, joined(caller, encounter) as bob:
        asked = vera.act(encounter, SHOT)["decisions"]
        assert [decision["kind"] for decision in asked] == ["roll"]
        mine = me(vera)["battle"]
        assert (mine["decisions"], mine["is_my_move"]) == (asked, True)
        others = me(bob)["battle"]
        assert (others["decisions"], others["is_my_move"]) == ([], False)
        [running] = me(caller)["battles"]
        assert [decision["id"] for decision in running["decisions"]] == [asked[0]["id"]]
        assert not running["is_my_move"], "a player is asked"


def test_a_turn_that_hides_is_told_to_those_alone_who_may_know(caller: Caller) -> None:
    hunter, raider = CREATION["setup"]["combatants"]
    setup = {**CREATION["setup"], "combatants": [{**hunter, "hidden": True}, raider]}
    encounter = caller.create({**CREATION, "setup": setup})
    caller.act(encounter, START)
    village = {"id": "v2", "role": "player", "sides": ["village"]}
    with joined(caller, encounter, village) as vera, joined(caller, encounter) as bob:
        assert moves(vera) == [("hunter", True)]
        battle = me(bob)["battle"]
        assert not battle["is_my_move"]
        assert "hunter" not in str(battle)


async def test_a_key_is_told_of_the_battles_under_way(
    caller: Caller, stranger: Caller, store: EventStore, tenant: UUID
) -> None:
    [key] = await store.access.api_keys(tenant)
    assert me(caller) == {
        "kind": "key",
        "key": str(key.id),
        "scopes": sorted(SCOPES),
        "battles": [],
    }
    caller.create()
    under_way = [caller.create({**CREATION, "seats": []}) for _ in range(3)]
    ended = caller.create()
    for each in (*under_way, ended):
        caller.act(each, START)
    caller.act(ended, {"type": "end_encounter"})
    joined(caller, under_way[1]).http.close()
    assert places(me(caller)) == [(address, True) for address in map(identity, under_way)]
    joined(caller, under_way[0], VERA).http.close()
    assert places(me(caller))[0] == (identity(under_way[0]), False), "a player's move"
    assert me(stranger)["battles"] == []
    first = me(caller, "?limit=2")
    rest = me(caller, f"?limit=2&cursor={first['next']}")
    assert "next" not in rest
    assert places(first) + places(rest) == places(me(caller))


def identity(address: str) -> str:
    return address.rpartition("/")[2]


def places(told: Tree) -> list[tuple[str, bool]]:
    return [(each["encounter"]["encounter"], each["is_my_move"]) for each in told["battles"]]


def test_a_key_for_a_seat_is_told_of_the_battles_with_such_a_seat(caller: Caller) -> None:
    caller.started()
    mine = caller.started()
    joined(caller, mine).http.close()
    assert places(me(caller, warlog_seat="bob")) == [(identity(mine), False)]
    assert len(places(me(caller, warlog_seat="vera"))) == 2


async def test_one_battle_that_cannot_be_read_does_not_hide_the_others(
    caller: Caller, database: Dsns
) -> None:
    good, odd = caller.started(), caller.create()
    admin = await asyncpg.connect(database.admin)
    await admin.execute(
        "UPDATE encounter SET version = '99', status = 'running' WHERE id = $1",
        UUID(identity(odd)),
    )
    await admin.close()
    with Served(settings_for(database)) as other, Caller(other.url, caller.token) as elsewhere:
        assert [place for place, _ in places(me(elsewhere))] == [identity(good)]


async def test_who_may_not_read_is_told_nothing(
    served: Served, store: EventStore, tenant: UUID, caller: Caller
) -> None:
    with Caller(served.url, await new_key(store, tenant, ("play",))) as blind:
        assert problem(blind.get("/v1/me"))["params"] == {"scope": "read"}
    with Caller(served.url, None) as nobody:
        assert problem(nobody.get("/v1/me"))["code"] == "unauthenticated"
    encounter = caller.create()
    with joined(caller, encounter) as bob:
        delete(caller, f"{encounter}/seats/bob")
        assert problem(bob.get("/v1/me"))["code"] == "unauthenticated"


@pytest.mark.parametrize("query", ["?cursor=x", "?limit=0", "?limit=51", "?at=1"])
def test_a_bad_question_is_malformed(caller: Caller, query: str) -> None:
    assert problem(caller.get(f"/v1/me{query}"))["code"] == "malformed"
