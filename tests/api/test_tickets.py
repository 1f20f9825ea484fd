"""Tickets: what a browser shows instead of a header, and everything that they are not good for."""

import asyncio
import base64
from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.tickets import (
    RESUMED_PER_MINUTE,
    RESUMED_SECONDS,
    TICKET_SECONDS,
    Tickets,
)
from service.errors import Unauthenticated
from service.eventstore.store import EventStore
from tests.api.serving import Caller, Served, new_key, problem
from tests.api.streaming import eventually, following, services_behind

NOW = datetime(2026, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC)
SEATS = st.none() | st.from_regex("[A-Za-z0-9_-]{1,64}", fullmatch=True)


def tickets(secret: bytes = b"k" * 32, now: datetime = NOW) -> Tickets:
    return Tickets(secret, lambda: now)


@given(st.binary(min_size=32, max_size=32), SEATS, st.uuids())
def test_a_ticket_says_what_it_was_issued_for(
    digest: bytes, seat: str | None, encounter: UUID
) -> None:
    text, issued = tickets().issue(digest, seat, encounter)
    assert tickets().opened(text) == issued
    assert (issued.digest, issued.seat, issued.encounter) == (digest, seat, encounter)
    assert issued.expires_at == NOW.replace(microsecond=0) + timedelta(seconds=TICKET_SECONDS)


@given(SEATS, st.data())
def test_a_ticket_that_was_touched_is_none(seat: str | None, data: st.DataObject) -> None:
    text, _ = tickets().issue(bytes(32), seat, UUID(int=1))
    sealed = bytearray(base64.urlsafe_b64decode(text[3:] + "=="))
    bit = data.draw(st.integers(0, 8 * len(sealed) - 1))
    sealed[bit // 8] ^= 1 << bit % 8
    for touched in (sealed, sealed[:-1], sealed + b"a"):
        forged = "wt_" + base64.urlsafe_b64encode(touched).rstrip(b"=").decode()
        with pytest.raises(Unauthenticated):
            tickets().opened(forged)


@pytest.mark.parametrize(
    "text",
    ["", "wt_", f"wk_{'A' * 43}", *(f"wt_{'A' * length}" for length in range(118, 206))],
)
def test_what_is_no_ticket_is_none(text: str) -> None:
    with pytest.raises(Unauthenticated):
        tickets().opened(text)


def test_a_ticket_is_good_for_its_time_and_under_its_key() -> None:
    text, issued = tickets().issue(bytes(32), None, UUID(int=1))
    late = timedelta(seconds=RESUMED_SECONDS)
    for passed, standing, is_forgotten in [
        (-timedelta(microseconds=1), True, False),
        (timedelta(), None, False),
        (late - timedelta(microseconds=1), None, False),
        (late, None, True),
    ]:
        then = tickets(now=issued.expires_at + passed)
        assert (then.opened(text), then.standing(text)) == (issued, standing)
        assert (then.is_over(issued), then.is_forgotten(issued)) == (not standing, is_forgotten)
    assert tickets(secret=b"l" * 32).standing(text) is False
    with pytest.raises(Unauthenticated):
        tickets(secret=b"l" * 32).opened(text)


def issued(caller: Caller, encounter: str, **headers: str) -> str:
    """A new ticket, as part of an address."""
    asked_at = datetime.now(UTC).replace(microsecond=0)
    answer = caller.post(f"{encounter}/tickets", None, **headers)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    told = answer.json()
    issued_at = datetime.fromisoformat(told["expires_at"]) - timedelta(seconds=TICKET_SECONDS)
    assert asked_at <= issued_at <= datetime.now(UTC)
    return f"ticket={told['ticket']}"


def refused(url: str) -> tuple[int, str]:
    answer = httpx.get(url)
    return answer.status_code, problem(answer)["code"]


def test_a_ticket_opens_the_stream_of_its_encounter_and_nothing_else(
    served: Served, caller: Caller
) -> None:
    encounter, other = caller.started(), caller.started()
    ticket = issued(caller, encounter)
    with Caller(served.url, None) as browser:
        for _ in range(2):
            with following(browser, f"{encounter}/stream?after=0&{ticket}") as reader:
                assert "seat" not in reader.until("hello").data
                assert reader.seqs(2) == [1, 2]
    own = served.url + encounter
    assert refused(f"{served.url}{other}/stream?{ticket}") == (401, "unauthenticated")
    assert refused(f"{served.url}/v1/encounters/x/stream?{ticket}") == (404, "unknown_encounter")
    assert refused(f"{own}/stream?{ticket[:-5]}AAAAA") == (401, "unauthenticated")
    assert refused(f"{own}/stream?ticket=wt_") == (400, "malformed")
    for address in ("", "/events", "/legal-actions", "/map", "/audit", "/bundle"):
        assert refused(f"{own}{address}?{ticket}") == (401, "unauthenticated")
    assert httpx.post(f"{own}/tickets?{ticket}").status_code == 401
    assert caller.get(f"{encounter}/events?{ticket}").status_code == 400


def test_a_token_in_the_header_wins_over_a_ticket(caller: Caller, stranger: Caller) -> None:
    encounter = caller.started()
    ticket = issued(caller, encounter)
    assert stranger.get(f"{encounter}/stream?{ticket}").status_code == 404


def test_a_ticket_for_a_seat_opens_that_seats_view(served: Served, caller: Caller) -> None:
    encounter = caller.started()
    ticket = issued(caller, encounter, warlog_seat="vera")
    with (
        Caller(served.url, None) as browser,
        following(browser, f"{encounter}/stream?{ticket}") as reader,
    ):
        hello = reader.until("hello").data
    assert (hello["seat"], hello["role"]) == ("vera", "player")


def test_a_ticket_is_only_for_whom_may_follow(served: Served, caller: Caller) -> None:
    encounter = caller.started()
    assert httpx.post(f"{served.url}{encounter}/tickets").status_code == 401
    assert caller.post("/v1/encounters/x/tickets", None).status_code == 404
    assert caller.post(f"{encounter}/tickets", None, warlog_seat="nobody").status_code == 404


def test_a_stranger_gets_no_ticket(caller: Caller, stranger: Caller) -> None:
    answer = stranger.post(f"{caller.started()}/tickets", None)
    assert (answer.status_code, problem(answer)["code"]) == (404, "unknown_encounter")


def test_a_player_opens_a_stream_until_the_token_is_revoked(served: Served, caller: Caller) -> None:
    encounter = caller.started()
    invited = caller.post(f"{encounter}/seats/vera/invitation", None)
    assert invited.status_code == 201, invited.text
    joined = httpx.post(
        f"{served.url}/v1/join", json={"code": invited.json()["invitation"]["code"]}
    )
    assert joined.status_code == 201, joined.text
    with Caller(served.url, joined.json()["token"]) as player:
        ticket = issued(player, encounter)
    with (
        Caller(served.url, None) as browser,
        following(browser, f"{encounter}/stream?{ticket}") as reader,
    ):
        hello = reader.until("hello").data
        assert (hello["seat"], hello["role"]) == ("vera", "player")
        gone = caller.http.delete(
            f"{encounter}/seats/vera/token", headers={"Idempotency-Key": "gone"}
        )
        assert gone.status_code in {200, 204}, gone.text
        assert reader.rest()[-1].data["reason"] == "revoked"
    address = f"{served.url}{encounter}/stream?{ticket}"
    eventually(lambda: httpx.head(address).status_code == 401, "the ticket is still good")


async def test_a_ticket_dies_with_its_key(
    served: Served, store: EventStore, tenant: UUID, caller: Caller
) -> None:
    encounter = caller.started()
    token = await new_key(store, tenant, ("read",))
    [key] = [each for each in await store.access.api_keys(tenant) if each.scopes == ("read",)]
    with Caller(served.url, token) as soon_gone:
        ticket = issued(soon_gone, encounter)
    assert await store.access.revoke_api_key(tenant, key.id)
    address = f"{served.url}{encounter}/stream?{ticket}"
    await asyncio.to_thread(
        eventually, lambda: httpx.head(address).status_code != 200, "the ticket is still good"
    )
    assert await asyncio.to_thread(refused, address) == (401, "unauthenticated")


def later(served: Served, monkeypatch: pytest.MonkeyPatch, seconds: int) -> datetime:
    """From now on tickets are that much older; the moment that it is for them."""
    then = datetime.now(UTC) + timedelta(seconds=seconds)
    monkeypatch.setattr(services_behind(served).tickets, "_now", lambda: then)
    return then


def test_a_browser_comes_back_with_the_ticket_that_it_had(
    served: Served, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = caller.started()
    address = f"{encounter}/stream?after=0&{issued(caller, encounter, warlog_seat='vera')}"
    with Caller(served.url, None) as browser:
        with following(browser, address) as reader:
            first = reader.until("event")
        caller.act(encounter, {"type": "note", "text": "meanwhile"})
        for seconds in (TICKET_SECONDS + 1, TICKET_SECONDS + RESUMED_SECONDS - 600):
            later(served, monkeypatch, seconds)
            with following(browser, address, last_event_id=first.id) as reader:
                assert reader.until("hello").data["seat"] == "vera"
                assert reader.seqs(2) == [2, 3]
        later(served, monkeypatch, TICKET_SECONDS + RESUMED_SECONDS + 1)
        gone = browser.get(address, last_event_id=first.id)
        assert (gone.status_code, problem(gone)["code"]) == (401, "unauthenticated")


def test_a_ticket_that_is_over_is_never_good_for_a_first_connection(
    served: Served, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter, other = caller.started(), caller.started()
    began = datetime.now(UTC)
    ticket = issued(caller, encounter)
    issued_by = datetime.now(UTC)
    etag = caller.get(encounter).headers["ETag"].strip('"').partition(";")[0]
    foreign = caller.get(other).headers["ETag"].strip('"').partition(";")[0]
    over_at = later(served, monkeypatch, TICKET_SECONDS + 1)
    with Caller(served.url, None) as browser:
        for language, said in (("en", "ask for another ticket"), ("ru", "попросите новый билет")):
            first = browser.get(f"{encounter}/stream?{ticket}", accept_language=language)
            told = problem(first)
            assert (told["status"], told["params"]["presented"]) == (401, True)
            expired_at = datetime.fromisoformat(told["params"]["expired_at"])
            issued_at = expired_at - timedelta(seconds=TICKET_SECONDS)
            # Whole seconds are shown.
            assert began - timedelta(seconds=1) < issued_at <= issued_by
            assert expired_at < over_at
            assert said in told["detail"]
            assert told["params"]["expired_at"] in told["detail"]
        assert browser.get(f"{encounter}/stream?after={etag}&{ticket}").status_code == 401
        for known in ("", "0", "0-00000000", "2", "1-00000000", "9-00000000", foreign):
            answer = browser.get(f"{encounter}/stream?{ticket}", last_event_id=known)
            assert (answer.status_code, problem(answer)["code"]) == (401, "unauthenticated")
        # Ticket and proof do not meet in a log of addresses.
        assert browser.get(f"{encounter}/stream?{ticket}&lastEventId={etag}").status_code == 401
        malformed = browser.get(f"{encounter}/stream?{ticket}", last_event_id="x")
        assert malformed.status_code == 400
        assert browser.get(f"{other}/stream?{ticket}", last_event_id=foreign).status_code == 401


def test_hashes_are_not_guessed_with_a_ticket_that_is_over(
    served: Served, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = caller.started()
    ticket = issued(caller, encounter)
    later(served, monkeypatch, TICKET_SECONDS + 1)
    with Caller(served.url, None) as browser:
        statuses = [
            browser.get(f"{encounter}/stream?{ticket}", last_event_id=f"1-{number:08x}").status_code
            for number in range(RESUMED_PER_MINUTE + 1)
        ]
    assert statuses == [401] * RESUMED_PER_MINUTE + [429]


async def test_a_ticket_that_is_over_dies_with_its_key_all_the_same(
    served: Served,
    store: EventStore,
    tenant: UUID,
    caller: Caller,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encounter = caller.started()
    token = await new_key(store, tenant, ("read",))
    [key] = [each for each in await store.access.api_keys(tenant) if each.scopes == ("read",)]
    with Caller(served.url, token) as soon_gone:
        ticket = issued(soon_gone, encounter)
        etag = soon_gone.get(encounter).headers["ETag"].strip('"').partition(";")[0]
    later(served, monkeypatch, TICKET_SECONDS + 1)
    address, resumed = f"{served.url}{encounter}/stream?{ticket}", {"Last-Event-ID": etag}
    async with httpx.AsyncClient() as browser:
        assert (await browser.head(address, headers=resumed)).status_code == 200
    assert await store.access.revoke_api_key(tenant, key.id)
    await asyncio.to_thread(
        eventually,
        lambda: httpx.head(address, headers=resumed).status_code == 401,
        "the ticket is still good",
    )


def test_the_longest_seat_id_goes_through_tokens_tickets_and_tags(
    served: Served, caller: Caller
) -> None:
    encounter = caller.started()
    seat = {"id": "Zz9-_" + "A" * 59, "role": "observer"}
    made = caller.post(f"{encounter}/seats", {"seat": seat}).json()
    assert caller.get(f"{encounter}/seats/{seat['id']}").json()["id"] == seat["id"]
    assert caller.get(f"{encounter}/seats/{seat['id'].swapcase()}").status_code == 404
    token = caller.post("/v1/join", {"code": made["invitation"]["code"]}).json()["token"]
    for headers in ({"warlog_seat": seat["id"]}, {"authorization": f"Bearer {token}"}):
        assert caller.get(encounter, **headers).headers["ETag"].endswith(f';seat={seat["id"]}"')
        ticket = issued(caller, encounter, **headers)
        with (
            Caller(served.url, None) as browser,
            following(browser, f"{encounter}/stream?{ticket}") as reader,
        ):
            assert reader.until("hello").data["seat"] == seat["id"]


def test_a_seat_that_cannot_be_called_so_is_told_where(caller: Caller) -> None:
    encounter = caller.started()
    answer = caller.post(f"{encounter}/seats", {"seat": {"id": "System", "role": "observer"}})
    told = problem(answer)
    assert (told["status"], told["params"]) == (400, {"path": "$.seat.id"})
    assert told["allowed"] == "an id other than everyone, gm and system"
