"""Coming to a seat by a code: once, however it is typed, and never by guessing."""

import asyncio
import json
import logging
import secrets
import socket
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.authentication import SEAT_PREFIX, hash_of
from service.api.limits.client_address import neighbours_of, sender_of
from service.api.limits.code_guesses import (
    FREE_GUESSES,
    PER_SENDER,
    REMEMBERED_SECONDS,
    WRONG_COSTS,
    CodeGuesses,
)
from service.encounters.clock_and_ids import Sources
from service.encounters.seats.invitation_codes import (
    EXAMPLE,
    hash_of_code,
    hashes_of_code,
    new_code,
)
from service.encounters.seats.messages import Invitation, JoinAnswer, JoinRequest
from service.errors import TooMany
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.joining import BOB, delete, invited, join, joined, seated_by, some_address
from tests.api.serving import CREATION, SHOT, START, Caller, Served, problem, settings_for
from tests.api.streaming import Plain, services_behind, stop_clock

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODES = st.text(LETTERS, min_size=10, max_size=10)


def test_a_code_is_exchanged_for_a_token_that_speaks_for_the_seat(caller: Caller) -> None:
    encounter = caller.create()
    answer = join(caller.url, invited(caller, encounter, BOB))
    told = answer.json()
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert told == {
        "token": told["token"],
        "encounter": encounter.rpartition("/")[2],
        "seat": "bob",
        "role": "player",
    }
    assert told["token"].startswith(SEAT_PREFIX)
    with Caller(caller.url, told["token"]) as bob:
        listed = bob.get("/v1/encounters").json()
        assert [each["encounter"] for each in listed["encounters"]] == [told["encounter"]]
        assert listed == bob.get("/v1/encounters?limit=1").json()
        assert "next" not in listed
        assert bob.get(encounter).headers["ETag"].endswith(';seat=bob"')
        assert caller.get(f"{encounter}/seats/bob").json()["has_joined"]


def test_a_player_sees_and_does_what_the_seat_may(caller: Caller) -> None:
    encounter = caller.started()
    with joined(caller, encounter) as bob:
        told = problem(bob.post(f"{encounter}/actions", {"action": SHOT}))
        assert (told["status"], told["code"]) == (403, "not_your_combatant")
        told = problem(bob.post(f"{encounter}/actions", {"action": START}))
        assert (told["status"], told["code"]) == (403, "gm_only")
        noted = bob.act(encounter, {"type": "note", "text": "Hm."})
        again = bob.get(f"{encounter}/events/{noted['version']}").json()
        assert again["event"]["by"]["id"] == "bob"
        with caller.seated("bob") as acted_for:
            seen, own = acted_for.get(encounter).json(), bob.get(encounter).json()
            assert seen == own, "by its token or by a key for it: the same view"


def test_a_seat_does_not_create_nor_delete(caller: Caller) -> None:
    encounter = caller.create()
    with joined(caller, encounter, {"id": "gia", "role": "gm"}) as gia:
        created = gia.post("/v1/encounters", {})
        assert (problem(created)["status"], problem(created)["code"]) == (403, "gm_only")
        deleted = gia.http.delete(encounter)
        assert (problem(deleted)["status"], problem(deleted)["code"]) == (403, "gm_only")
    assert caller.get(encounter).status_code == 200


CALLS = [
    ("GET", "", None),
    ("GET", "?at=1", None),
    ("GET", "/map", None),
    ("GET", "/events", None),
    ("GET", "/events/1", None),
    ("GET", "/audit", None),
    ("GET", "/bundle", None),
    ("GET", "/legal-actions?combatant=hunter", None),
    ("POST", "/actions", {"action": START}),
    ("POST", "/preview", {"action": SHOT}),
]


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_any_other_encounter_is_none_to_a_seat(
    caller: Caller, method: str, path: str, body: object
) -> None:
    own, other, nowhere = caller.create(), caller.create(), f"/v1/encounters/{uuid4()}"
    with joined(caller, own, {"id": "gia", "role": "gm"}) as gia:
        answers = [
            gia.http.request(
                method,
                each + path,
                json=body,
                headers={"Idempotency-Key": "k", "If-None-Match": "*"},
            )
            for each in (other, nowhere)
        ]
    told = [
        (
            answer.status_code,
            answer.text.replace(each.rpartition("/")[2], "ID"),
            [pair for pair in answer.headers.items() if pair[0] != "date"],
        )
        for answer, each in zip(answers, (other, nowhere), strict=True)
    ]
    assert told[0] == told[1]
    assert problem(answers[0])["code"] == "unknown_encounter"


def test_of_many_who_use_one_code_at_once_one_comes_in(caller: Caller) -> None:
    encounter = caller.create()
    code = invited(caller, encounter, BOB)

    async def all_at_once() -> list[httpx.Response]:
        return await asyncio.gather(*(asyncio.to_thread(join, caller.url, code) for _ in range(8)))

    answers = asyncio.run(all_at_once())
    assert Counter(answer.status_code for answer in answers) == {201: 1, 404: 7}


async def test_codes_that_are_wrong_used_replaced_or_late_are_told_alike(
    caller: Caller, database: Dsns
) -> None:
    encounter = caller.create()
    used = invited(caller, encounter, BOB)
    seated_by(caller, used).http.close()
    replaced = invited(caller, encounter, {"id": "c1", "role": "observer"})
    caller.post(f"{encounter}/seats/c1/invitation", None)
    removed = invited(caller, encounter, {"id": "c2", "role": "observer"})
    delete(caller, f"{encounter}/seats/c2")
    late = invited(caller, encounter, {"id": "c3", "role": "observer"})
    admin = await asyncpg.connect(database.admin)
    await admin.execute(
        "UPDATE invitation SET expires_at = now() WHERE encounter_id = $1 AND seat = 'c3'",
        UUID(encounter.rpartition("/")[2]),
    )
    await admin.close()
    gone = caller.create()
    deleted = invited(caller, gone, BOB)
    caller.http.delete(gone)
    codes = [used, replaced, removed, late, deleted, EXAMPLE, "x", "ключ", "=" * 40, "\u0660" * 10]
    for language in ("en", "ru"):
        answers = [join(caller.url, code, accept_language=language) for code in codes]
        assert {problem(answer)["code"] for answer in answers} == {"unknown_invitation"}
        headers = [
            [pair for pair in answer.headers.items() if pair[0] != "date"] for answer in answers
        ]
        assert [(a.status_code, a.text) for a in answers] == [(404, answers[0].text)] * len(codes)
        assert headers == [headers[0]] * len(codes)
        assert all(code not in answers[0].text for code in codes if len(code) > 1)


@pytest.mark.parametrize("code", ["", "x" * 41, 7, None, ["x"], {}])
def test_what_is_no_text_is_malformed(caller: Caller, code: object) -> None:
    assert problem(join(caller.url, code))["code"] == "malformed"


@pytest.fixture
def guarded(database: Dsns) -> Iterator[Served]:
    """A service that takes as many codes from one address as it does by itself."""
    with Served(settings_for(database, WARLOG_JOINS_PER_MINUTE=str(PER_SENDER))) as running:
        yield running


def test_a_wrong_guess_costs_its_sender_and_nobody_else(
    guarded: Served, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_clock(monkeypatch, services_behind(guarded).code_guesses._senders)
    encounter = caller.create()
    code = invited(caller, encounter, BOB)
    guesser = some_address()
    most = PER_SENDER // (1 + WRONG_COSTS)
    answers = [join(guarded.url, EXAMPLE, address=guesser) for _ in range(most + 1)]
    assert [answer.status_code for answer in answers] == [404] * most + [429]
    told = problem(answers[-1])
    assert told["code"] == "too_many_requests"
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60 // PER_SENDER
    assert join(guarded.url, code, address=guesser).status_code == 429
    assert join(guarded.url, code).status_code == 201, "others are not kept out"


def test_codes_that_are_right_may_come_from_one_address(caller: Caller) -> None:
    encounter = caller.create()
    seats = [{"id": f"p{number}", "role": "observer"} for number in range(PER_SENDER)]
    codes = [invited(caller, encounter, seat) for seat in seats]
    house = some_address()
    assert {join(caller.url, code, address=house).status_code for code in codes} == {201}


def guess(guesses: CodeGuesses, address: str) -> bool:
    """Whether somebody may try a code, which is wrong."""
    try:
        guesses.count((address, 1))
    except TooMany:
        return False
    guesses.wrong((address, 1))
    return True


@pytest.mark.parametrize(("near", "far"), [("10.0.0.", "10.0.1."), ("2001:db8:0:", "2001:db8:1:")])
def test_a_flood_of_guesses_closes_no_door_for_who_takes_no_part(near: str, far: str) -> None:
    now = 0.0
    guesses = CodeGuesses(lambda: now, per_sender=1_000, per_neighbourhood=40, per_process=60)
    ending = "" if "." in near else "::1"
    flooders = [f"{near}{number}{ending}" for number in range(1, 33)]
    let_through = sum(guess(guesses, each) for _ in range(10) for each in flooders)
    assert let_through == (FREE_GUESSES + 1) * len(flooders)
    assert not any(guess(guesses, each) for each in flooders)
    for untouched in (f"{near}99{ending}", f"{far}1{ending}"):
        for _ in range(20):
            guesses.count((untouched, 1))
        assert guess(guesses, untouched)
    now = REMEMBERED_SECONDS
    assert all(guess(guesses, each) for each in flooders)


def test_who_guesses_in_parallel_owes_what_that_costs() -> None:
    now = 0.0
    guesses = CodeGuesses(lambda: now)
    for _ in range(PER_SENDER):
        guesses.count(("10.0.0.1", 1))
    for _ in range(PER_SENDER):
        guesses.wrong(("10.0.0.1", 1))
    now = 60.0 * WRONG_COSTS
    with pytest.raises(TooMany):
        guesses.count(("10.0.0.1", 1))
    now = 60.0 * (1 + WRONG_COSTS)
    guesses.count(("10.0.0.1", 1))


@pytest.mark.parametrize(
    ("one", "other", "is_same", "are_neighbours"),
    [
        ("10.0.0.1", "10.0.0.1", True, True),
        ("10.0.0.1", "10.0.0.2", False, True),
        ("10.0.0.1", "10.0.1.1", False, False),
        ("2001:db8::1", "2001:db8::ffff:ffff", True, True),
        ("2001:db8::1", "2001:db8:0:1::1", False, True),
        ("2001:db8::1", "2001:db8:1::1", False, False),
        ("::ffff:10.0.0.1", "10.0.0.1", True, True),
        ("fe80::1%eth0", "fe80::2%eth1", True, True),
        ("a socket", "a socket", True, True),
    ],
)
def test_addresses_count_as_their_network(
    one: str, other: str, *, is_same: bool, are_neighbours: bool
) -> None:
    assert (sender_of((one, 1)) == sender_of((other, 2))) is is_same
    assert (neighbours_of((one, 1)) == neighbours_of((other, 2))) is are_neighbours


def test_whoever_has_no_address_shares_one_account() -> None:
    assert sender_of(None) == sender_of(None) == neighbours_of(None)


@given(CODES, st.data())
def test_a_code_is_known_however_it_is_typed(code: str, data: st.DataObject) -> None:
    typed = []
    for letter in code:
        alike = {"0": "0Oo", "1": "1IiLl"}.get(letter, letter + letter.lower())
        typed.append(data.draw(st.sampled_from(alike)))
        typed.append(data.draw(st.sampled_from(["", "", "-", " ", "\u2013", "\u00a0", "_"])))
    stored = {hash_of_code(code, for_device=for_device) for for_device in (False, True)}
    assert set(hashes_of_code("".join(typed))) == stored
    assert len(stored) == 2


@given(CODES, CODES)
def test_different_codes_are_different(one: str, other: str) -> None:
    assert (hashes_of_code(one) == hashes_of_code(other)) == (one == other)


@given(st.text(max_size=40))
def test_what_can_be_no_code_is_none(text: str) -> None:
    known = hashes_of_code(text)
    assert [len(each) for each in known] in ([], [32, 32])


def drawing(drawn: bytes) -> Sources:
    """Sources that draw just this."""
    return Sources(now=lambda: datetime.now(UTC), random=lambda _: drawn)


@given(st.binary(min_size=7, max_size=7), st.binary(min_size=7, max_size=7))
def test_new_codes_hold_fifty_random_bits(one: bytes, other: bytes) -> None:
    codes = [new_code(drawing(drawn)) for drawn in (one, other)]
    assert all(len(code) == 11 and code[5] == "-" for code in codes)
    assert all(hashes_of_code(code) for code in codes)
    bits = 2**50 - 1
    same = int.from_bytes(one, "big") & bits == int.from_bytes(other, "big") & bits
    assert (codes[0] == codes[1]) == same


def test_records_with_secrets_show_none() -> None:
    records = (
        Invitation(code="7K3QF-9TX0M", link="/join#7K3QF-9TX0M", expires_at="now"),
        JoinAnswer(token="ws_7K3QF-9TX0M", encounter="e", seat="s", role="gm"),
        JoinRequest(code="7K3QF-9TX0M"),
    )
    for each in records:
        assert repr(each) == f"{type(each).__name__}()"
        assert each.__rich_repr__() == []


async def test_neither_code_nor_token_is_told_anywhere_again(
    caller: Caller,
    store: EventStore,
    database: Dsns,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with caplog.at_level(logging.DEBUG):
        encounter = caller.create()
        code = invited(caller, encounter, BOB)
        token = join(caller.url, code.lower()).json()["token"]
        join(caller.url, code)
        with Caller(caller.url, token) as bob:
            pages = [
                each.get(encounter + path).text
                for each in (caller, bob)
                for path in ("", "/seats", "/events", "/bundle", "/audit")
            ]
            pages += [bob.get("/v1/me").text, bob.get("/metrics").text]
    shown = "".join([*pages, caplog.text, *capfd.readouterr()])
    kept_back = (code, code.replace("-", ""), code.lower(), token, token[3:])
    assert [secret for secret in kept_back if secret in shown] == []
    assert hash_of(token).hex() not in shown
    admin = await asyncpg.connect(database.admin)
    tables = await admin.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    for (table,) in tables:
        for (row,) in await admin.fetch(f"SELECT t::text FROM {table} t"):
            plain = row.upper()
            kept = [s for s in kept_back if s.upper() in plain or s.encode().hex().upper() in plain]
            assert kept == [], table
    await admin.close()


HOSTS = [
    ("warlog.example:8443", False),
    ("localhost", True),
    ("LocalHost:81", True),
    ("table.localhost", True),
    ("localhost.evil.example", False),
    ("127.9.9.9:80", True),
    ("[::1]:80", True),
    ("10.255.255.1", False),
    ("evil.example:99999", False),
    ("x" * 300, False),
]


def link(caller: Caller, encounter: str, host: str) -> str:
    """The link of a new invitation, without its code; the request is served in any case."""
    seat = {"id": f"s{secrets.token_hex(8)}", "role": "observer"}
    answer = caller.post(f"{encounter}/seats", {"seat": seat}, host=host)
    assert answer.status_code == 201, answer.text
    invitation = answer.json()["invitation"]
    assert invitation["link"].endswith(f"/join#{invitation['code']}")
    return str(invitation["link"].partition("/join#")[0])


def test_a_link_begins_with_the_host_that_was_asked_if_it_is_known(caller: Caller) -> None:
    encounter = caller.create()
    hosts = [*HOSTS, (socket.gethostname(), True), (f"{socket.gethostname().upper()}.:8", True)]
    links = [(host, link(caller, encounter, host)) for host, _ in hosts]
    assert links == [(host, f"http://{host}" if is_known else "") for host, is_known in hosts]


def test_further_hosts_are_listed_and_a_public_address_wins(database: Dsns, caller: Caller) -> None:
    encounter = caller.create()
    listed = settings_for(database, WARLOG_HOSTS="warlog.example, table.example:8443")
    with Served(listed) as served, Caller(served.url, caller.token) as one:
        assert link(one, encounter, "Warlog.Example:81") == "http://Warlog.Example:81"
        assert link(one, encounter, "table.example:8443") == "http://table.example:8443"
        assert link(one, encounter, "table.example") == ""
    public = settings_for(database, WARLOG_PUBLIC_URL="https://warlog.example/x")
    with Served(public) as served, Caller(served.url, caller.token) as one:
        for host in ("localhost", "evil.example"):
            assert link(one, encounter, host) == "https://warlog.example/x"


@pytest.mark.parametrize("path", ["/health/live", "/v1/rulesets", "/v1/nothing", "/docs"])
def test_two_hosts_are_refused(served: Served, path: str) -> None:
    for more in ("Host: x", "host:y"):
        with Plain(served.url) as line:
            line.ask(f"GET {path} HTTP/1.1", "Host: x", more, "Connection: close")
            head, _, body = line.rest().partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 ")
        told = json.loads(body)
        assert told["params"] == {"path": "header.host", "why": "repeated_parameter"}


def test_an_action_names_one_host_too(served: Served, caller: Caller) -> None:
    encounter = caller.create()
    with Plain(served.url) as line:
        line.ask(
            f"POST {encounter}/actions HTTP/1.1",
            *("Host: x", "Host: x", f"Authorization: Bearer {caller.token}", "Idempotency-Key: k"),
            *("Content-Length: 0", "Connection: close"),
        )
        assert line.rest().startswith(b"HTTP/1.1 400 ")


def test_a_seat_is_named_only_where_there_is_an_encounter(caller: Caller) -> None:
    encounter = caller.create()
    expected = {"path": "header.warlog-seat", "why": "unknown_parameter"}
    with caller.seated("vera") as one:
        for answer in (
            one.get("/v1/rulesets"),
            one.get("/v1/encounters"),
            one.post("/v1/encounters", CREATION),
            one.get(f"/v1/stream?encounters={encounter.rpartition('/')[2]}"),
            one.post("/v1/join", {"code": EXAMPLE}),
        ):
            told = problem(answer)
            assert (told["status"], told["params"]) == (400, expected), answer.request.url
        for path in ("/v1/me", encounter, "/health/live"):
            assert one.get(path).status_code == 200
