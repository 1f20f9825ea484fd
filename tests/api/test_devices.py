"""Tokens that a client makes itself, joining that is asked for again, and a seat on two devices."""

import asyncio
import secrets
from collections import Counter
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

import asyncpg
import httpx
import pytest

from service.api.authentication import hash_of, seat_token_of
from service.encounters.seats.client_tokens import HASH_EXAMPLE
from service.eventstore.embedded import Dsns
from service.eventstore.seats import DEVICES
from tests.api.joining import BOB, delete, invited, join, joined, seated_by
from tests.api.serving import Caller, problem
from tests.api.test_seats import NOTE


def fresh_token() -> str:
    """A token as a client makes it."""
    return seat_token_of(secrets.token_bytes(32))


def join_as(caller: Caller, code: str, token: str) -> httpx.Response:
    """The answer to a client that made this token."""
    return join(caller.url, code, token_hash=sha256(token.encode()).hexdigest())


def device_code(seat: Caller) -> str:
    """A code for another device of the seat that asks."""
    answer = seat.post("/v1/me/devices", None)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    code: str = answer.json()["invitation"]["code"]
    return code


def told_of_bob(caller: Caller, encounter: str) -> tuple[object, ...]:
    """What is said of how Bob's seat is held."""
    seat = caller.get(f"{encounter}/seats/bob").json()
    return seat["has_joined"], seat.get("devices"), "invited_until" in seat


def test_a_client_that_made_the_token_is_answered_again_and_nobody_else(caller: Caller) -> None:
    encounter = caller.create()
    code, token = invited(caller, encounter, BOB), fresh_token()
    first = join_as(caller, code, token)
    assert first.status_code == 201, first.text
    assert first.json() == {
        "encounter": encounter.rpartition("/")[2],
        "seat": "bob",
        "role": "player",
    }
    again = join_as(caller, code.lower().replace("-", " "), token)
    assert (again.status_code, again.content) == (201, first.content)
    marks = ["Idempotency-Replayed" in answer.headers for answer in (first, again)]
    assert marks == [False, True]
    for other in (join_as(caller, code, fresh_token()), join(caller.url, code)):
        assert problem(other)["code"] == "unknown_invitation"
    with Caller(caller.url, token) as bob:
        assert bob.get("/v1/me").json()["seat"]["id"] == "bob"
        bob.act(encounter, NOTE)


def test_the_same_request_many_times_at_once_is_one(caller: Caller) -> None:
    encounter = caller.create()
    code, token = invited(caller, encounter, BOB), fresh_token()

    async def all_at_once() -> list[httpx.Response]:
        asked = (asyncio.to_thread(join_as, caller, code, token) for _ in range(8))
        return await asyncio.gather(*asked)

    answers = asyncio.run(all_at_once())
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (201, answers[0].content)
    }
    replayed = Counter("Idempotency-Replayed" in answer.headers for answer in answers)
    assert replayed == {False: 1, True: 7}


async def test_asking_again_ends_after_ten_minutes_and_with_the_token(
    caller: Caller, database: Dsns
) -> None:
    encounter = caller.create()
    code, token = invited(caller, encounter, BOB), fresh_token()
    assert join_as(caller, code, token).status_code == 201
    admin = await asyncpg.connect(database.admin)
    later = "UPDATE invitation SET used_at = used_at - $2::interval WHERE encounter_id = $1"
    for minutes, status in ((9, 201), (2, 404)):
        await admin.execute(later, UUID(encounter.rpartition("/")[2]), timedelta(minutes=minutes))
        assert join_as(caller, code, token).status_code == status
    await admin.close()
    code, token = invited(caller, encounter, {"id": "eve", "role": "observer"}), fresh_token()
    assert join_as(caller, code, token).status_code == 201
    assert caller.http.delete(f"{encounter}/seats/eve/token").status_code == 200
    assert problem(join_as(caller, code, token))["code"] == "unknown_invitation"
    code, token = invited(caller, encounter, {"id": "eva", "role": "observer"}), fresh_token()
    assert join_as(caller, code, token).status_code == 201
    assert delete(caller, f"{encounter}/seats/eva").status_code == 200
    assert problem(join_as(caller, code, token))["code"] == "unknown_invitation"


GUESSABLE = [
    sha256(b"").hexdigest(),
    sha256(b"ws_").hexdigest(),
    sha256(b"ws_" + b"A" * 43).hexdigest(),
    sha256(b"ws_" + b"x" * 43).hexdigest(),
    hash_of(seat_token_of(b"\xff" * 32)).hex(),
    hash_of(seat_token_of(bytes(range(32)))).hex(),
    "0" * 64,
    "f" * 64,
]


@pytest.mark.parametrize("token_hash", GUESSABLE)
def test_the_hash_of_a_token_that_anybody_would_guess_is_refused(
    caller: Caller, token_hash: str
) -> None:
    encounter = caller.create()
    code = invited(caller, encounter, BOB)
    for language in ("en", "ru"):
        told = problem(join(caller.url, code, token_hash=token_hash, accept_language=language))
        assert (told["status"], told["code"]) == (400, "malformed")
        assert told["params"] == {"path": "$.token_hash", "why": "guessable"}
    assert join(caller.url, code).status_code == 201, "the code is good still"


@pytest.mark.parametrize(
    "token_hash", ["", "00", HASH_EXAMPLE.upper(), HASH_EXAMPLE + "0", "g" * 64, 7, []]
)
def test_what_is_no_hash_is_malformed(caller: Caller, token_hash: object) -> None:
    told = problem(join(caller.url, "7K3QF-9TX0M", token_hash=token_hash))
    assert (told["status"], told["params"]["path"]) == (400, "$.token_hash")


def test_a_token_is_of_one_seat(caller: Caller) -> None:
    encounter = caller.create()
    token = fresh_token()
    assert join_as(caller, invited(caller, encounter, BOB), token).status_code == 201
    code = invited(caller, encounter, {"id": "eve", "role": "observer"})
    told = problem(join_as(caller, code, token))
    assert (told["status"], told["code"]) == (409, "token_taken")
    with Caller(caller.url, token) as bob:
        assert bob.get("/v1/me").json()["seat"]["id"] == "bob"
    assert join_as(caller, code, fresh_token()).json()["seat"] == "eve"


def test_a_seat_goes_on_on_two_devices(caller: Caller) -> None:
    encounter = caller.create()
    with joined(caller, encounter) as phone:
        assert told_of_bob(caller, encounter) == (True, 1, False)
        code = device_code(phone)
        assert told_of_bob(caller, encounter) == (True, 1, False)
        with seated_by(caller, code) as tablet:
            assert told_of_bob(caller, encounter) == (True, 2, False)
            assert told_of_bob(tablet, encounter) == (True, 2, False)
            with caller.seated("vera") as vera:
                assert told_of_bob(vera, encounter) == (True, None, False)
            for device in (phone, tablet):
                noted = device.act(encounter, NOTE)
                assert noted["events"][0]["event"]["by"]["seat"] == "bob"
            assert problem(join(caller.url, code))["code"] == "unknown_invitation"
            assert phone.get(encounter).content == tablet.get(encounter).content


def test_both_devices_end_with_the_seats_token(caller: Caller) -> None:
    encounter = caller.create()
    address = f"{encounter}/seats/bob"
    with joined(caller, encounter) as phone, seated_by(caller, device_code(phone)) as tablet:
        code = caller.post(f"{address}/invitation", None).json()["invitation"]["code"]
        for device in (phone, tablet):
            assert device.get(encounter).status_code == 200, "until the code is exchanged"
        open_code = device_code(tablet)
        with seated_by(caller, code) as new:
            for device in (phone, tablet):
                assert problem(device.get(encounter))["code"] == "unauthenticated", "at once"
            assert problem(join(caller.url, open_code))["code"] == "unknown_invitation"
            assert new.get(encounter).status_code == 200
            assert told_of_bob(caller, encounter) == (True, 1, False)
            with seated_by(caller, device_code(new)) as second:
                assert second.get(encounter).status_code == 200
                assert caller.http.delete(f"{address}/token").status_code == 200
                for device in (new, second):
                    assert problem(device.get(encounter))["code"] == "unauthenticated", "at once"


def test_the_stream_of_another_device_ends_with_the_seats_token(caller: Caller) -> None:
    encounter = caller.create()
    with (
        joined(caller, encounter) as phone,
        seated_by(caller, device_code(phone)) as tablet,
        tablet.http.stream("GET", f"{encounter}/stream") as following,
    ):
        lines = following.iter_lines()
        assert "event: hello" in [next(lines) for _ in range(5)]
        assert caller.http.delete(f"{encounter}/seats/bob/token").status_code == 200
        assert any(line == "event: bye" for line in lines)


def test_a_code_for_another_device_is_told_once_and_ends_the_one_before(caller: Caller) -> None:
    encounter = caller.create()
    with joined(caller, encounter) as phone:
        key = secrets.token_hex(8)
        first = phone.post("/v1/me/devices", None, idempotency_key=key)
        again = phone.post("/v1/me/devices", None, idempotency_key=key)
        assert (again.status_code, again.json()) == (201, {"seat": "bob"})
        assert again.headers["Idempotency-Replayed"] == "true"
        told = first.json()["invitation"]
        assert told["link"].endswith(f"/join#{told['code']}")
        other = device_code(phone)
        assert problem(join(caller.url, told["code"]))["code"] == "unknown_invitation"
        seated_by(caller, other).http.close()
        unkeyed = phone.http.post("/v1/me/devices")
        assert problem(unkeyed)["code"] == "idempotency_key_required"


def test_a_game_masters_invitation_stays_open_beside_it(caller: Caller) -> None:
    """Or whoever found the lost phone could end each of them."""
    encounter = caller.create()
    with joined(caller, encounter) as phone:
        answer = caller.post(f"{encounter}/seats/bob/invitation", None)
        device_code(phone)
        assert told_of_bob(caller, encounter) == (True, 1, True)
        code = answer.json()["invitation"]["code"]
        assert join_as(caller, code, fresh_token()).status_code == 201


def test_a_seat_is_on_so_many_devices_and_no_more(caller: Caller) -> None:
    encounter = caller.create()
    with joined(caller, encounter) as phone:
        for _ in range(DEVICES - 1):
            seated_by(caller, device_code(phone)).http.close()
        told = problem(phone.post("/v1/me/devices", None))
        assert (told["status"], told["code"]) == (409, "too_many_devices")
        assert told["params"] == {"limit": DEVICES}
        assert told_of_bob(caller, encounter) == (True, DEVICES, False)


def test_a_key_makes_no_code_for_another_device(caller: Caller) -> None:
    caller.create()
    told = problem(caller.post("/v1/me/devices", None))
    assert (told["status"], told["code"]) == (403, "own_token_only")
