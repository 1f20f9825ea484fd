"""Seats over HTTP: given, changed, taken away, and who may know or do what with them."""

import asyncio
import secrets
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest

from service.api.authentication import hash_of
from service.encounters.access import ROUTES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.joining import BOB, delete, invited, join, joined, patch, seated_by
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
from tests.api.streaming import eventually

Tree = dict[str, Any]
NOTE = {"type": "note", "text": "Here."}
HIDDEN_RAIDER = {
    **CREATION,
    "setup": {
        **CREATION["setup"],
        "combatants": [
            CREATION["setup"]["combatants"][0],
            {**CREATION["setup"]["combatants"][1], "hidden": True},
        ],
    },
}


def test_a_seat_is_given_with_an_event_and_a_code(caller: Caller) -> None:
    encounter = caller.create()
    answer = caller.post(f"{encounter}/seats", {"seat": BOB})
    told = answer.json()
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"{encounter}/seats/bob"
    assert answer.headers["ETag"] == f'"{told["etag"]}"' == caller.get(encounter).headers["ETag"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert told["version"] == 2
    assert told["seat"] == {
        **{name: BOB[name] for name in ("id", "role", "sides", "name")},
        "combatants": [],
        "has_joined": False,
        "devices": 0,
        "is_present": False,
        "invited_until": told["invitation"]["expires_at"],
    }
    [event] = told["events"]
    assert event["event"]["action"]["type"] == "add_seat"
    invitation = told["invitation"]
    assert invitation["link"] == f"{caller.url}/join#{invitation['code']}"
    assert caller.get(f"{encounter}/seats/bob").json() == told["seat"]
    listed = caller.get(f"{encounter}/seats").json()
    assert [seat["id"] for seat in listed["seats"]] == ["vera", "guest", "bob"]
    assert listed["version"] == 2


def test_the_same_request_gives_one_seat_and_tells_its_code_once(caller: Caller) -> None:
    encounter = caller.create()
    key = secrets.token_hex(8)
    first = caller.post(f"{encounter}/seats", {"seat": BOB}, idempotency_key=key)
    again = caller.post(f"{encounter}/seats", {"seat": BOB}, idempotency_key=key)
    assert again.status_code == 201
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    told, retold = first.json(), again.json()
    code = told.pop("invitation")["code"]
    assert "invitation" not in retold
    assert code not in again.text
    assert (retold["events"], retold["version"]) == (told["events"], told["version"])
    assert caller.head(encounter)[1] == 2
    assert join(caller.url, code).status_code == 201, "the first code is still good"
    other = caller.post(f"{encounter}/seats", {"seat": {**BOB, "id": "ben"}}, idempotency_key=key)
    assert problem(other)["code"] == "idempotency_key_reused"
    acted = caller.post(f"{encounter}/actions", {"action": START}, idempotency_key=key)
    assert problem(acted)["code"] == "idempotency_key_reused"


async def test_requests_at_once_under_one_key_give_one_seat(caller: Caller) -> None:
    encounter = caller.create()
    headers = {**caller.http.headers, "Idempotency-Key": "one"}
    async with httpx.AsyncClient(base_url=caller.url, headers=headers) as client:
        answers = await asyncio.gather(
            *(client.post(f"{encounter}/seats", json={"seat": BOB}) for _ in range(8))
        )
    assert {answer.status_code for answer in answers} <= {201, 409}
    codes = [answer.json()["invitation"] for answer in answers if "invitation" in answer.json()]
    assert len(codes) == 1
    assert caller.head(encounter)[1] == 2


def test_a_seat_can_be_given_without_an_invitation(caller: Caller) -> None:
    encounter = caller.create()
    told = caller.post(f"{encounter}/seats", {"seat": BOB, "invite": False}).json()
    assert "invitation" not in told
    assert "invited_until" not in told["seat"]
    answer = caller.post(f"{encounter}/seats/bob/invitation", None)
    assert answer.status_code == 201
    assert answer.json()["seat"] == "bob"
    assert answer.headers["Cache-Control"] == "no-store"
    assert join(caller.url, answer.json()["invitation"]["code"]).status_code == 201


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "malformed"),
        ({"seat": {"id": "Bob!", "role": "player"}}, 400, "malformed"),
        ({"seat": {"id": "bob", "role": "king"}}, 400, "malformed"),
        ({"seat": {"id": "bob", "role": "player"}, "token": "x"}, 400, "malformed"),
        ({"seat": {"id": "vera", "role": "player"}}, 422, "seat_taken"),
        ({"seat": {"id": "bob", "role": "player", "sides": ["moon"]}}, 422, "unknown_side"),
        (
            {"seat": {"id": "bob", "role": "player", "combatants": ["moon"]}},
            422,
            "unknown_combatant",
        ),
    ],
)
def test_a_seat_that_cannot_be_is_refused_and_leaves_nothing(
    caller: Caller, body: Tree, status: int, code: str
) -> None:
    encounter = caller.create()
    before = caller.head(encounter)
    for language in ("en", "ru"):
        answer = caller.post(f"{encounter}/seats", body, accept_language=language)
        assert (answer.status_code, problem(answer)["code"]) == (status, code)
    assert caller.head(encounter) == before
    assert len(caller.get(f"{encounter}/seats").json()["seats"]) == 2


def test_what_changes_of_a_seat_is_what_is_stated(caller: Caller) -> None:
    encounter = caller.create()
    caller.post(f"{encounter}/seats", {"seat": BOB})
    address = f"{encounter}/seats/bob"
    patched = patch(caller, address, {"role": "gm"})
    assert patched.status_code == 200, patched.text
    told = patched.json()
    assert (told["seat"]["role"], told["seat"]["sides"]) == ("gm", ["raiders"])
    assert told["seat"]["name"] == "Bob"
    assert "invitation" not in told
    tag = patched.headers["ETag"]
    assert patch(caller, address, {"sides": []}, key=None, if_match=tag).status_code == 200
    stale = patch(caller, address, {"name": "B"}, key=None, if_match=tag)
    assert problem(stale)["code"] == "precondition_failed"
    assert problem(patch(caller, address, {"name": "B"}, key=None))["status"] == 428
    assert problem(patch(caller, address, {}))["code"] == "malformed"
    assert problem(patch(caller, f"{encounter}/seats/nobody", {"role": "gm"}))["status"] == 404
    first = patch(caller, address, {"role": "observer"}, key="k")
    again = patch(caller, address, {"role": "observer"}, key="k")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.json()["events"] == again.json()["events"]
    reused = patch(caller, address, {"role": "gm"}, key="k")
    assert problem(reused)["code"] == "idempotency_key_reused"
    elsewhere = patch(caller, f"{encounter}/seats/vera", {"role": "observer"}, key="k")
    assert problem(elsewhere)["code"] == "idempotency_key_reused"


def test_a_seat_that_is_removed_is_gone_for_good(caller: Caller) -> None:
    encounter = caller.create()
    code = invited(caller, encounter, BOB)
    seat = seated_by(caller, code)
    address = f"{encounter}/seats/bob"
    again = caller.post(f"{address}/invitation", None).json()["invitation"]["code"]
    assert problem(delete(caller, address, key=None))["status"] == 428
    first = delete(caller, address, key="k")
    assert first.status_code == 200, first.text
    [event] = first.json()["events"]
    assert event["event"]["action"] == {"type": "remove_seat", "seat": "bob"}
    second = delete(caller, address, key="k")
    assert second.headers["Idempotency-Replayed"] == "true"
    assert second.json()["events"] == first.json()["events"]
    told = problem(delete(caller, address))
    assert (told["status"], told["code"]) == (404, "unknown_seat")
    assert problem(caller.get(address))["code"] == "unknown_seat"
    assert problem(caller.post(f"{address}/invitation", None))["code"] == "unknown_seat"
    assert problem(caller.post(f"{encounter}/seats", {"seat": BOB}))["code"] == "seat_taken"
    for each in (code, again):
        assert problem(join(caller.url, each))["code"] == "unknown_invitation"
    assert problem(seat.get(encounter))["code"] == "unauthenticated"
    seat.http.close()


def test_a_seat_removed_by_an_action_is_as_gone_as_any(caller: Caller) -> None:
    encounter = caller.create()
    seat = joined(caller, encounter)
    code = caller.post(f"{encounter}/seats/bob/invitation", None).json()["invitation"]["code"]
    caller.act(encounter, {"type": "remove_seat", "seat": "bob"})
    assert problem(seat.get(encounter))["code"] == "unauthenticated"
    told = problem(seat.post(f"{encounter}/actions", {"action": START}))
    assert told["code"] == "unauthenticated"
    assert problem(join(caller.url, code))["code"] == "unknown_invitation"
    seat.http.close()


async def test_an_interrupted_removal_is_finished_by_asking_again(
    caller: Caller, store: EventStore
) -> None:
    """The event was stored and the process ended before the rows: as if by another process."""
    encounter = caller.create()
    seat = joined(caller, encounter)
    await put_back(store, encounter, seat)
    delete(caller, f"{encounter}/seats/bob", key="k")
    identity = UUID(encounter.rpartition("/")[2])
    await put_back(store, encounter, seat)
    assert "bob" in await store.seats.standing(identity)
    assert delete(caller, f"{encounter}/seats/bob", key="k").status_code == 200
    assert "bob" not in await store.seats.standing(identity)
    await put_back(store, encounter, seat)
    assert problem(delete(caller, f"{encounter}/seats/bob"))["status"] == 404
    assert "bob" not in await store.seats.standing(identity)
    seat.http.close()


async def put_back(store: EventStore, encounter: str, seat: Caller) -> None:
    """Leave the row of Bob's seat as it was before the removal."""
    await store.seats._pool.write(
        "UPDATE seat SET revoked_at = NULL, token_hash = $2 WHERE encounter_id = $1 AND id = 'bob'",
        UUID(encounter.rpartition("/")[2]),
        hash_of(seat.token or ""),
    )


MANAGING = {
    "create_seat": ("POST", "/seats", {"seat": {"id": "eve", "role": "gm"}}),
    "change_seat": ("PATCH", "/seats/vera", {"role": "gm"}),
    "remove_seat": ("DELETE", "/seats/vera", None),
    "invite": ("POST", "/seats/vera/invitation", None),
    "revoke_token": ("DELETE", "/seats/vera/token", None),
}
LOOKING = {
    "list_seats": ("GET", "/seats", None),
    "read_seat": ("GET", "/seats/vera", None),
}


def ask(caller: Caller, encounter: str, call: str, **headers: str) -> httpx.Response:
    method, path, body = (MANAGING | LOOKING)[call]
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    given = {"Idempotency-Key": secrets.token_hex(8), **named}
    return caller.http.request(method, encounter + path, json=body, headers=given)


def test_only_game_masters_run_the_seats(caller: Caller) -> None:
    encounter = caller.create()
    assert {call for call, entry in ROUTES.items() if entry.seat == "gm"} >= MANAGING.keys()
    observer = {"id": "otto", "role": "observer"}
    for seat in (joined(caller, encounter), joined(caller, encounter, observer)):
        before = caller.head(encounter), caller.get(f"{encounter}/seats").json()
        for call in MANAGING:
            told = problem(ask(seat, encounter, call))
            assert (told["status"], told["code"]) == (403, "gm_only")
            assert told["params"] == {"action": call}
        assert (caller.head(encounter), caller.get(f"{encounter}/seats").json()) == before
        for call in LOOKING:
            assert ask(seat, encounter, call).status_code == 200
        seat.http.close()
    with caller.seated("vera") as acted_for:
        for call in MANAGING:
            assert problem(ask(acted_for, encounter, call))["code"] == "gm_only"


@pytest.mark.parametrize("call", MANAGING)
def test_a_second_game_master_runs_the_seats_as_the_first(caller: Caller, call: str) -> None:
    encounter = caller.create()
    with joined(caller, encounter, {"id": "gia", "role": "gm"}) as second:
        answer = ask(second, encounter, call)
        assert answer.status_code in {200, 201}, answer.text
        for event in answer.json().get("events", ()):
            by = {"kind": "seat", "id": "gia", "role": "gm", "seat": "gia"}
            assert event["event"]["by"] == by, "and no key is named"


async def test_a_key_runs_the_seats_only_with_the_scope_to_play(
    served: Served, store: EventStore, tenant: UUID, caller: Caller
) -> None:
    encounter = caller.create()
    with Caller(served.url, await new_key(store, tenant, ("read",))) as reader:
        for call in MANAGING:
            assert problem(ask(reader, encounter, call))["params"] == {"scope": "play"}
        for call in LOOKING:
            assert ask(reader, encounter, call).status_code == 200


@pytest.mark.parametrize("call", [*MANAGING, *LOOKING])
def test_a_stranger_cannot_tell_a_foreign_encounter_from_none(
    caller: Caller, stranger: Caller, call: str
) -> None:
    encounter = caller.create()
    elsewhere = caller.create()
    nowhere = f"/v1/encounters/{uuid4()}"
    with joined(caller, encounter, {"id": "gia", "role": "gm"}) as second:
        for asking, foreign in ((stranger, encounter), (second, elsewhere)):
            told, absent = (ask(asking, each, call) for each in (foreign, nowhere))
            assert told.status_code == absent.status_code == 404
            assert masked(told, foreign) == masked(absent, nowhere)


def masked(answer: httpx.Response, encounter: str) -> tuple[str, list[tuple[str, str]]]:
    """The body and the headers in their order, without the encounter that was asked for."""
    identity = encounter.rpartition("/")[2]
    headers = [(name, value) for name, value in answer.headers.items() if name != "date"]
    return answer.text.replace(identity, "ID"), headers


def test_a_player_is_not_told_of_combatants_that_hide(caller: Caller) -> None:
    encounter = caller.create(HIDDEN_RAIDER)
    spy = {"id": "spy", "role": "player", "combatants": ["raider", "hunter"]}
    caller.post(f"{encounter}/seats", {"seat": spy})
    for told in (
        caller.get(f"{encounter}/seats/spy").json(),
        caller.get(f"{encounter}/seats").json()["seats"][-1],
    ):
        assert told["combatants"] == ["raider", "hunter"]
    with joined(caller, encounter, {"id": "v2", "role": "player", "sides": ["village"]}) as vera:
        told = vera.get(f"{encounter}/seats/spy")
        assert told.json()["combatants"] == ["hunter"]
        assert "raider" not in vera.get(f"{encounter}/seats").text.replace("raiders", "")
        assert "invited_until" not in told.json()
        assert "knows" not in told.text


def test_a_lost_phone_is_locked_out_and_the_seat_stays(caller: Caller) -> None:
    encounter = caller.create()
    with joined(caller, encounter) as lost:
        assert lost.get(encounter).status_code == 200
        address = f"{encounter}/seats/bob"
        assert caller.get(address).json()["has_joined"]
        before = caller.head(encounter)
        told = delete(caller, f"{address}/token", key=None)
        assert (told.status_code, told.json()["has_joined"]) == (200, False)
        assert delete(caller, f"{address}/token", key=None).json() == told.json()
        assert caller.head(encounter) == before
        code = caller.post(f"{address}/invitation", None).json()["invitation"]["code"]
        with seated_by(caller, code) as found:
            assert found.get(encounter).status_code == 200
        wait_until_refused(lost, encounter)


def wait_until_refused(seat: Caller, encounter: str) -> None:
    eventually(lambda: seat.get(encounter).status_code != 200, "the token is still good")
    assert problem(seat.get(encounter))["code"] == "unauthenticated"


def test_a_new_invitation_is_told_once_and_ends_the_token_when_it_is_used(caller: Caller) -> None:
    encounter = caller.create()
    address = f"{encounter}/seats/bob/invitation"
    with joined(caller, encounter) as first:
        answer = caller.post(address, None, idempotency_key="k")
        code = answer.json()["invitation"]["code"]
        again = caller.post(address, None, idempotency_key="k")
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.json() == {"seat": "bob"}
        other = caller.post(f"{encounter}/seats/vera/invitation", None, idempotency_key="k")
        assert problem(other)["code"] == "idempotency_key_reused"
        assert problem(caller.post(address, None, idempotency_key=""))["status"] == 428
        newer = caller.post(address, None).json()["invitation"]["code"]
        assert problem(join(caller.url, code))["code"] == "unknown_invitation"
        assert first.get(encounter).status_code == 200, "until the code is exchanged"
        with seated_by(caller, newer) as second:
            assert second.get(encounter).status_code == 200
        wait_until_refused(first, encounter)


def test_bare_seats_of_the_creation_can_be_invited(caller: Caller) -> None:
    encounter = caller.started()
    code = caller.post(f"{encounter}/seats/vera/invitation", None).json()["invitation"]["code"]
    with seated_by(caller, code) as vera:
        acted = vera.act(encounter, SHOT)
        [event] = acted["events"]
        assert event["event"]["by"] == {
            "kind": "seat",
            "id": "vera",
            "role": "player",
            "seat": "vera",
        }


def test_a_seat_speaks_for_nobody_else(caller: Caller) -> None:
    encounter = caller.create()
    with joined(caller, encounter) as bob:
        assert bob.get(encounter, warlog_seat="bob").status_code == 200
        for other in ("vera", "nobody"):
            told = problem(bob.get(encounter, warlog_seat=other))
            assert (told["status"], told["params"]) == (403, {"scope": "act_as"})


async def test_a_seat_named_like_a_key_shares_nothing_with_it(
    caller: Caller, store: EventStore, tenant: UUID
) -> None:
    [key] = await store.access.api_keys(tenant)
    encounter = caller.create()
    twin = {"id": str(key.id), "role": "gm"}
    with joined(caller, encounter, twin) as seat:
        mine = caller.post(f"{encounter}/actions", {"action": NOTE}, idempotency_key="k")
        its = seat.post(f"{encounter}/actions", {"action": NOTE}, idempotency_key="k")
        with caller.seated(twin["id"]) as acted_for:
            third = acted_for.post(f"{encounter}/actions", {"action": NOTE}, idempotency_key="k")
        answers = [mine, its, third]
        assert [answer.status_code for answer in answers] == [201] * 3
        assert ["Idempotency-Replayed" in answer.headers for answer in answers] == [False] * 3
        kinds = [answer.json()["events"][0]["event"]["by"]["kind"] for answer in answers]
        assert kinds == ["key", "seat", "seat"]


async def test_nothing_a_seat_does_lands_behind_its_removal(caller: Caller) -> None:
    encounter = caller.started()
    with joined(caller, encounter) as bob:
        await race(caller, bob, encounter, delete)
        events = caller.get(f"{encounter}/events?limit=500").json()["events"]
    deeds = [event["event"]["action"]["type"] for event in events]
    removed = deeds.index("remove_seat")
    late = [event for event in events[removed + 1 :] if event["event"]["by"]["kind"] == "seat"]
    assert late == []
    assert caller.get(f"{encounter}/audit").json()["clean"]


async def test_what_a_seat_does_is_judged_by_the_role_it_has_by_then(caller: Caller) -> None:
    encounter = caller.started()
    with joined(caller, encounter, {"id": "bob", "role": "gm"}) as bob:

        def demote(caller: Caller, path: str) -> httpx.Response:
            return patch(caller, path, {"role": "player"})

        refusals = await race(caller, bob, encounter, demote, {"type": "erase", "seqs": [1]})
        events = caller.get(f"{encounter}/events?limit=500").json()["events"]
    assert refusals <= {"gm_only", "not_seated"}
    demoted = next(
        index for index, e in enumerate(events) if e["event"]["action"]["type"] == "change_seat"
    )
    late = [event for event in events[demoted + 1 :] if event["event"]["by"]["kind"] == "seat"]
    assert late == []
    assert caller.get(f"{encounter}/audit").json()["clean"]


async def race(
    caller: Caller, seat: Caller, encounter: str, end: Any, action: Tree = NOTE
) -> set[str]:
    """Let a seat act without a pause while something is done to it; why it was refused."""
    headers = {**seat.http.headers}
    refusals: set[str] = set()
    answers = 0
    some, ended = asyncio.Event(), asyncio.Event()
    async with httpx.AsyncClient(base_url=seat.url, headers=headers) as client:

        async def act() -> None:
            nonlocal answers
            behind = 0
            while behind < 3:
                behind += ended.is_set()
                key = {"Idempotency-Key": secrets.token_hex(8)}
                path = f"{encounter}/actions"
                answer = await client.post(path, json={"action": action}, headers=key)
                if answer.status_code != 201:
                    refusals.add(answer.json()["code"])
                answers += 1
                if answers >= 8:
                    some.set()

        acting = [asyncio.create_task(act()) for _ in range(4)]
        await some.wait()
        done = await asyncio.to_thread(end, caller, f"{encounter}/seats/bob")
        assert done.status_code == 200, done.text
        ended.set()
        await asyncio.gather(*acting)
    assert refusals
    return refusals


async def test_another_process_hears_of_a_seat_and_of_its_end(
    caller: Caller, database: Dsns
) -> None:
    encounter = caller.started()
    with Served(settings_for(database)) as other:
        warm = Caller(other.url, caller.token)
        assert warm.get(encounter).status_code == 200
        with joined(caller, encounter) as here, Caller(other.url, here.token) as there:
            key = secrets.token_hex(8)
            noted = there.post(f"{encounter}/actions", {"action": NOTE}, idempotency_key=key)
            assert noted.status_code == 201, "a seat that this process had not heard of"
            assert delete(caller, f"{encounter}/seats/bob").status_code == 200
            wait_until_refused(there, encounter)
            again = there.post(f"{encounter}/actions", {"action": NOTE}, idempotency_key=key)
            assert problem(again)["code"] == "unauthenticated"
        warm.http.close()


def test_a_list_that_ends_its_own_seat_stops_there(caller: Caller) -> None:
    encounter = caller.create()
    with joined(caller, encounter, {"id": "gia", "role": "gm"}) as gia:
        actions = [{"type": "remove_seat", "seat": "gia"}, NOTE]
        answer = gia.post(f"{encounter}/actions", {"actions": [{"action": a} for a in actions]})
        told = answer.json()
        assert (answer.status_code, told["accepted"]) == (201, 1)
        assert told["stopped"]["problem"]["code"] in {"unauthenticated", "not_seated"}
        wait_until_refused(gia, encounter)


def test_the_token_of_a_deleted_encounter_is_good_for_nothing(caller: Caller) -> None:
    encounter = caller.create()
    with joined(caller, encounter) as bob:
        assert bob.get(encounter).status_code == 200
        assert caller.http.delete(encounter).status_code == 200
        assert bob.get(encounter).status_code in {401, 404}
        eventually(lambda: bob.get(encounter).status_code == 401, "the token is still known")


async def test_a_stranger_cannot_tell_an_encounter_that_this_build_cannot_read_from_none(
    caller: Caller, stranger: Caller, database: Dsns
) -> None:
    odd, nowhere = caller.create(), f"/v1/encounters/{uuid4()}"
    admin = await asyncpg.connect(database.admin)
    await admin.execute(
        "UPDATE encounter SET version = '99' WHERE id = $1", UUID(odd.rpartition("/")[2])
    )
    await admin.close()
    with Served(settings_for(database)) as other:
        with Caller(other.url, caller.token) as owner:
            assert problem(owner.get(odd))["code"] == "newer_version"
        with Caller(other.url, stranger.token) as asking:
            for call in LOOKING:
                told, absent = (ask(asking, each, call) for each in (odd, nowhere))
                assert masked(told, odd) == masked(absent, nowhere)
            act = {"action": NOTE}
            told, absent = (asking.post(f"{each}/actions", act) for each in (odd, nowhere))
            assert masked(told, odd) == masked(absent, nowhere)
            assert told.status_code == 404


def test_whoever_follows_the_battle_is_present(caller: Caller) -> None:
    encounter = caller.create()
    with joined(caller, encounter) as bob:
        assert not caller.get(f"{encounter}/seats/bob").json()["is_present"]
        with bob.http.stream("GET", f"{encounter}/stream") as following:
            lines = following.iter_lines()
            assert "event: hello" in [next(lines) for _ in range(5)]
            wait_until_present(caller, encounter, is_present=True)
            assert bob.get("/v1/me").json()["seat"]["is_present"]
        wait_until_present(caller, encounter, is_present=False)


def wait_until_present(caller: Caller, encounter: str, *, is_present: bool) -> None:
    eventually(
        lambda: caller.get(f"{encounter}/seats/bob").json()["is_present"] is is_present,
        f"present: {not is_present}",
    )


@pytest.mark.parametrize(
    ("language", "detail"),
    [
        ("en", "The seed of this battle is revealed: adding a seat is no longer possible in it."),
        ("ru", "Зерно этого боя раскрыто: добавление места — здесь уже нельзя."),
    ],
)
def test_an_ended_battle_whose_seed_is_out_says_that_it_takes_no_seat(
    caller: Caller, language: str, detail: str
) -> None:
    encounter = caller.create()
    caller.act(encounter, START)
    caller.act(encounter, {"type": "end_encounter", "reveal": "now", "open": "all"})
    refused = caller.post(f"{encounter}/seats", {"seat": BOB}, accept_language=language)
    told = refused.json()
    assert (refused.status_code, told["code"], told["params"], told["detail"]) == (
        409,
        "seed_revealed",
        {"action": "add_seat"},
        detail,
    )
