"""Who may do what: everybody against every call, every action type and every stream.

What is expected follows from two tables, `rights.ROWS` for calls and `rights.DEEDS` for actions.
"""

import json
import re
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Final, NamedTuple
from uuid import UUID, uuid4

import asyncpg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from service.api.call import VERSIONED, Call
from service.api.routes import CALLS
from service.api.streaming.calls import SOCKET
from service.encounters import access
from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.rulesets import RULESETS as KNOWN_RULESETS
from service.web.routes import PAGES
from tests.api.joining import delete, join
from tests.api.people import (
    OWN,
    RULESETS,
    STATUS,
    THEIRS,
    UNSEEN,
    Answered,
    Someone,
    Tree,
    World,
    battle,
    bearer,
    code_for,
    everybody,
    id_of,
    refusal,
)
from tests.api.rights import BATTLE, DEEDS, JUDGED, OPEN, PLAY, QUESTIONS, ROWS, SEVERAL, Deed
from tests.api.serving import Caller, Served, new_key, settings_for
from tests.patience import PATIENCE_SECONDS
from tests.soak import with_soak

HALVES: Final = with_soak([0], [1])
"""Every run asks for every call as one half of the people, or for every person's half of them."""


@pytest.fixture(scope="module")
def served(database: Dsns) -> Iterator[Served]:
    """A service that does not mind how much is asked of it."""
    names = ("REQUESTS", "SEAT_REQUESTS", "PREVIEWS", "JOINS")
    plenty = {f"WARLOG_{name}_PER_MINUTE": "100000" for name in names}
    with Served(settings_for(database, **plenty)) as running:
        yield running


@pytest.fixture(scope="module")
async def home(store: EventStore) -> UUID:
    """The tenant whose battles these are."""
    made = await store.access.create_tenant(uuid4(), secrets.token_hex(8))
    return made.id


@pytest.fixture(scope="module")
async def world(served: Served, store: EventStore, home: UUID) -> AsyncIterator[World]:
    """Battles of two tenants."""
    abroad = await store.access.create_tenant(uuid4(), secrets.token_hex(8))
    owner = Caller(served.url, await new_key(store, home, SCOPES))
    stranger = Caller(served.url, await new_key(store, abroad.id, SCOPES))
    made = World(served, owner, stranger)
    yield made
    made.wire.close()
    owner.http.close()
    stranger.http.close()


@pytest.fixture(scope="module")
async def people(world: World, store: EventStore, home: UUID) -> list[Someone]:
    """Everybody."""
    return await everybody(world, store, home)


def test_every_call_has_a_row_and_a_request_and_nothing_else_is_served(served: Served) -> None:
    ids = [call.id for call in CALLS]
    assert len(ids) == len(set(ids))
    assert set(ids) == set(access.ROUTES) == set(ROWS) == set(QUESTIONS)
    assert {name: (each.key, each.seat) for name, each in access.ROUTES.items()} == ROWS
    declared = {(call.path.replace(":str", ""), call.method) for call in CALLS}
    registered = {
        (route.path_format, method)
        for route in served.edge.application.routes
        for method in getattr(route, "methods", ())
        if method != "OPTIONS"
    }
    pages = {(re.sub(r":\w+", "", path), "GET") for page in PAGES for path in page.paths}
    assert registered == declared | pages


BEFORE_SEATS = {"unauthenticated", "unknown_encounter"}
"""Who is refused with these is not asked any further."""


def names_stray_seat(who: Someone, call: Call) -> bool:
    """Whether a seat is named where there is no encounter that it could be one of."""
    names = any(name.lower() == "warlog-seat" for name in who.headers)
    return names and not call.takes_seat and call.path.startswith(VERSIONED)


def expected(who: Someone, call: Call) -> str | None:
    """The code that a caller is refused with; None for whom the tables let in."""
    row = ROWS[call.id]
    is_about_here = BATTLE in call.path or call.id in SEVERAL
    refused = refusal(
        who, row, is_about_here=is_about_here, takes_tickets=call.id in {"stream", "socket"}
    )
    if names_stray_seat(who, call) and (row is OPEN or refused not in BEFORE_SEATS):
        return "malformed"
    if refused is None and call.id in JUDGED and who.role == "observer":
        return "observer_cannot_act"
    if row is OPEN and who.is_ticket and call.path.startswith(VERSIONED):
        return "malformed"
    return refused


def asked(world: World, who: Someone, call: Call, is_let_in: bool) -> tuple[int, Answered]:
    """The status that is due to whoever is let in, and what is answered."""
    question = QUESTIONS[call.id](world, is_let_in)
    query = "&".join(filter(None, (question.query, who.query)))
    headers = {**who.headers, "Idempotency-Key": secrets.token_hex(8)}
    body = None if question.body is None else json.dumps(question.body).encode()
    path = f"{question.path}?{query}" if query else question.path
    return question.status, world.wire.ask(call.method, path, headers, body)


@pytest.mark.parametrize("call", [each for each in CALLS if each.id != "join"], ids=lambda c: c.id)
@pytest.mark.parametrize("half", HALVES)
def test_everybody_is_let_into_a_call_or_kept_out_as_the_table_says(
    world: World, people: list[Someone], call: Call, half: int
) -> None:
    everyone = people[(CALLS.index(call) + half) % 2 :: 10 if ROWS[call.id] is OPEN else 2]
    fates = [(who, expected(who, call)) for who in everyone]
    before = world.look() if call.method != "GET" else None
    wrong: list[tuple[object, ...]] = []
    for who, code in fates:
        if code is not None:
            _, answer = asked(world, who, call, is_let_in=False)
            if (answer.status, answer.code) != (STATUS[code], code):
                wrong.append((who.name, code, answer.status, answer.code))
    assert before is None or before == world.look()
    for who, code in fates:
        if code is None:
            status, answer = asked(world, who, call, is_let_in=True)
            if answer.status != status:
                wrong.append((who.name, status, answer.status, answer.code))
    assert wrong == []


def test_nobody_needs_a_key_to_join_and_no_key_helps(world: World, people: list[Someone]) -> None:
    # A seat can only be named to a call about an encounter.
    seatless = [who for who in people if "Warlog-Seat" not in who.headers]
    answers = {
        join(world.owner.url, "00000-00000", **_named(who.headers)).content for who in seatless[::4]
    }
    assert len(answers) == 1
    assert json.loads(answers.pop())["code"] == "unknown_invitation"


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("-", "_"): value for name, value in headers.items()}


# --- sockets --------------------------------------------------------------------------------------


def told_on_a_socket(
    url: str, path: str, headers: Mapping[str, str]
) -> tuple[bytes, int | None, str]:
    """The first frame, the close code if there is one behind it, and what it is.

    A stranger is refused before there is a socket: by a problem, and a status as a close code.
    """
    address = url.replace("http:", "ws:") + path
    try:
        return told_on_an_open_socket(address, headers)
    except InvalidStatus as refused:
        body = bytes(refused.response.body)
        return body, 4000 + refused.response.status_code, str(json.loads(body)["code"])


def told_on_an_open_socket(
    address: str, headers: Mapping[str, str]
) -> tuple[bytes, int | None, str]:
    """The same of a handshake that succeeded."""
    one = {"X-Request-Id": "test", **headers}
    with connect(
        address, additional_headers=one, compression=None, open_timeout=PATIENCE_SECONDS
    ) as socket:
        first = socket.recv(timeout=PATIENCE_SECONDS, decode=False)
        kind = json.loads(first)["type"]
        if kind != "problem":
            return first, None, kind
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE_SECONDS)
        assert closed.value.rcvd is not None
        return first, closed.value.rcvd.code, str(json.loads(first)["problem"]["code"])


def test_everybody_is_let_onto_a_socket_or_kept_off_it_as_the_table_says(
    world: World, people: list[Someone]
) -> None:
    wrong = []
    for who in people:
        code = expected(who, SOCKET)
        path = f"{world.here}/socket?{who.query}".rstrip("?")
        _, closed, kind = told_on_a_socket(world.owner.url, path, who.headers)
        due = (None, "hello") if code is None else (4000 + STATUS[code], code)
        if (closed, kind) != due:
            wrong.append((who.name, due, closed, kind))
    assert wrong == []


# --- actions --------------------------------------------------------------------------------------


LET_IN: Final = frozenset({201, 409, 422})
"""What comes of an action of whoever may ask for it: it happens, or the rules say no."""


def test_every_action_type_of_every_ruleset_has_a_row() -> None:
    assert {slug for slug, _ in KNOWN_RULESETS} == set(DEEDS) == set(RULESETS)
    for (slug, _), ruleset in KNOWN_RULESETS.items():
        kinds = {kind.__struct_config__.tag: kind.WHO for kind in ruleset.action.__args__}
        assert kinds == {name: deed.who for name, deed in DEEDS[slug].items()}


def fate(who: Someone, deed: Deed) -> str | None:
    """The code that an action of a caller is refused with; None if it is for the rules to say."""
    refused = refusal(who, PLAY, is_about_here=True, takes_tickets=False)
    if refused is not None:
        return refused
    if who.role == "observer":
        return "observer_cannot_act"
    return "gm_only" if deed.who == "gm" and who.role == "player" else None


@pytest.mark.parametrize("slug", RULESETS)
@pytest.mark.parametrize("half", HALVES)
def test_everybody_may_do_what_the_table_says_and_nothing_else(
    world: World, people: list[Someone], slug: str, half: int
) -> None:
    before = world.look()
    wrong: list[tuple[object, ...]] = []
    allowed = []
    for number, who in enumerate(people):
        # What those are shown who may not come in at all does not depend on what they want.
        is_in = refusal(who, PLAY, is_about_here=True, takes_tickets=False) is None
        for name, deed in list(DEEDS[slug].items())[
            (number + half) % 2 if is_in else number % 7 :: 2 if is_in else 7
        ]:
            code = fate(who, deed)
            if code is None:
                allowed.append((who, name, deed))
                continue
            answer = done(world, world.battle[slug], who, name, deed.fields)
            if (answer.status, answer.code) != (STATUS[code], code):
                wrong.append((who.name, name, code, answer.status, answer.code))
    assert before == world.look()
    for who, name, deed in allowed:
        answer = done(world, world.over[slug], who, name, deed.fields)
        if answer.status not in LET_IN:
            wrong.append((who.name, name, None, answer.status, answer.code))
    assert wrong == []
    assert {who.role for who, _, _ in allowed} == {"key", "gm", "player"}


def done(world: World, address: str, who: Someone, name: str, fields: Tree) -> Answered:
    query = f"?{who.query}" if who.query else ""
    body = json.dumps({"action": {"type": name, **fields}}).encode()
    headers = {**world.headers(who, address), "Idempotency-Key": secrets.token_hex(8)}
    return world.wire.ask("POST", f"{address}/actions{query}", headers, body)


@pytest.mark.parametrize("slug", RULESETS)
def test_a_player_acts_for_nobody_else_and_who_is_unseen_is_nobody(world: World, slug: str) -> None:
    address = world.battle[slug]
    vera = Someone("player", bearer(str(world.owner.token), "vera"), role="player")
    before = world.owner.head(address)
    for name, deed in DEEDS[slug].items():
        if deed.who != "player" or deed.fields.get("combatant") != OWN[slug]:
            continue
        theirs = done(world, address, vera, name, {**deed.fields, "combatant": THEIRS[slug]})
        assert (theirs.status, theirs.code) == (403, "not_your_combatant"), name
        answers = [
            done(world, address, vera, name, {**deed.fields, "combatant": combatant})
            for combatant in (UNSEEN, UNSEEN[::-1])
        ]
        assert answers[0].status in {409, 422}
        assert answers[0] == masked(answers[1], UNSEEN[::-1], UNSEEN), name
    told = done(world, address, vera, "note", {"gm_text": "psst"})
    assert (told.status, told.code) == (403, "gm_only")
    assert world.owner.head(address) == before


# --- strangers ------------------------------------------------------------------------------------

METHODS: Final = ("GET", "HEAD", "OPTIONS", "POST", "PATCH", "DELETE", "PUT")
NOT_JSON: Final = b'{"action'


def masked(answer: Answered, shown: str, instead: str) -> Answered:
    """The answer with one word for another."""
    headers = tuple((name, value.replace(shown, instead)) for name, value in answer.headers)
    body = answer.body.replace(shown.encode(), instead.encode())
    return Answered(answer.status, headers, body)


class Approach(NamedTuple):
    """A way to ask about an encounter, by its address."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None


@pytest.fixture(scope="module")
def absent(world: World) -> tuple[str, str]:
    """The ids of an encounter that never was, and of one that was deleted."""
    gone = battle(world.owner, RULESETS[0])
    assert world.owner.http.delete(gone).status_code == 200
    return str(uuid4()), str(id_of(gone))


def approaches(world: World, call: Call, *, is_thorough: bool) -> list[Approach]:
    """How a stranger might ask: as the call wants it, and in every other way."""
    question = QUESTIONS[call.id](world, False)
    whole = json.dumps(question.body or {}).encode()
    body = whole if call.body is not None else None
    query = f"?{question.query}" if question.query else ""
    path = question.path.replace(world.here, BATTLE_PATH)
    etag, _ = world.owner.head(world.here)
    key = {"Idempotency-Key": "k"}
    ways = [Approach(call.method, path + query, key, body)]
    if not is_thorough:
        return ways
    seq = etag.strip('"').partition(";")[0]
    ways += [Approach(method, path, {**key}, None) for method in METHODS]
    ways += [Approach(method, path, {}, NOT_JSON) for method in ("POST", "PATCH", "DELETE")]
    ways += [
        Approach(call.method, path + query, {"If-Match": etag}, body),
        Approach(call.method, path + query, {"If-None-Match": etag, "Last-Event-ID": seq}, body),
        Approach(call.method, f"{path}?after={seq}", key, body),
        Approach(call.method, f"{path}?at=1", key, body),
        Approach(call.method, f"{path}?{question.query}&nonsense=1", {}, NOT_JSON),
        Approach(call.method, path + query, {**key, "Accept": "text/html"}, body),
        Approach(call.method, path + query, {**key, "Accept-Language": "ru"}, body),
        Approach(call.method, path + query, {**key, "Origin": "https://table.example"}, body),
    ]
    return ways


BATTLE_PATH: Final = "/v1/encounters/{}"
ABOUT_ONE: Final = [call for call in CALLS if BATTLE in call.path]


THOROUGH: Final = "foreign key"
"""The stranger who tries every way to ask."""
KNOWING: Final = {"ticket of a stranger", "ticket that expired"}
"""Tickets of the battle itself: their holders know of it."""


def is_stranger(who: Someone) -> bool:
    """Whether a caller has nothing that was given out for the battle."""
    return (who.home != "here" or who.scopes is None) and who.name not in KNOWING


@pytest.mark.parametrize("call", ABOUT_ONE, ids=lambda call: call.id)
@pytest.mark.parametrize("half", HALVES)
def test_a_stranger_cannot_tell_somebody_elses_battle_from_none(
    world: World, people: list[Someone], absent: tuple[str, str], call: Call, half: int
) -> None:
    there = str(id_of(world.here))
    strangers = [who for who in people if is_stranger(who)]
    place = ABOUT_ONE.index(call)
    nobodies = [who for who in strangers if who.scopes is None][(place + 3 * half) % 6 :: 6]
    thorough = [who for who in strangers if who.name == THOROUGH]
    holders = [who for who in strangers if who.scopes is not None and who not in thorough]
    holders = [*thorough, *holders[(place + half) % 2 :: 2]]
    before = None if call.method == "GET" else world.look()
    told = []
    for who in [*nobodies, *holders]:
        for way in approaches(world, call, is_thorough=who.name == THOROUGH):
            query = who.query and ("&" if "?" in way.path else "?") + who.query
            headers = {**way.headers, **who.headers}
            first, *others = (
                masked(
                    world.wire.ask(way.method, way.path.format(one) + query, headers, way.body),
                    one,
                    there,
                )
                for one in (there, *absent)
            )
            assert first.status in {204, 400, 401, 403, 404, 405, 406, 415, 428}, (who.name, way)
            told += [(who.name, way, first, each) for each in others if each != first]
    assert told == []
    assert before is None or before == world.look()


def test_a_stranger_hears_the_same_on_a_socket_of_somebody_else_and_of_nobody(
    world: World, people: list[Someone], absent: tuple[str, str]
) -> None:
    there = str(id_of(world.here))
    for who in list(filter(is_stranger, people))[::2]:
        answers = {
            told_on_a_socket(
                world.owner.url,
                f"{BATTLE_PATH.format(one)}/socket?{who.query or 'after=1'}",
                who.headers,
            )[0].replace(one.encode(), there.encode())
            for one in (there, *absent)
        }
        assert len(answers) == 1, who.name


def test_nor_in_a_stream_of_several(world: World, absent: tuple[str, str]) -> None:
    there, own = str(id_of(world.here)), str(id_of(world.foreign))
    headers = bearer(str(world.stranger.token))
    for form in ("{one}", "{own},{one}", "{one},{own}"):
        answers = {
            masked(
                world.wire.ask(
                    "GET", "/v1/stream?encounters=" + form.format(own=own, one=one), headers
                ),
                one,
                there,
            )
            for one in (there, *absent)
        }
        [answer] = answers
        assert (answer.status, answer.code) == (404, "unknown_encounter")


def test_lists_of_a_stranger_hold_nothing_of_somebody_else(
    world: World, people: list[Someone]
) -> None:
    foreign = {who.name: who for who in people if who.home == "elsewhere" and not who.is_ticket}
    theirs = [str(id_of(address)) for address in (*world.battle.values(), *world.over.values())]
    for who in foreign.values():
        for path in ("/v1/encounters?limit=100", "/v1/me?limit=50"):
            answer = world.wire.ask("GET", path, who.headers)
            is_about_none = path.startswith("/v1/encounters") and "Warlog-Seat" in who.headers
            assert answer.status == (400 if is_about_none else 200)
            assert not [one for one in theirs if one.encode() in answer.body], who.name


# --- codes ----------------------------------------------------------------------------------------


async def test_a_code_that_is_good_no_more_is_a_code_that_never_was(
    world: World, database: Dsns
) -> None:
    owner = world.owner
    address = battle(owner, RULESETS[0])
    used, late, superseded, removed = (
        code_for(owner, address, seat) for seat in ("vera", "late", "spare", "gone")
    )
    deleted_at = battle(owner, RULESETS[0])
    deleted = code_for(owner, deleted_at, "vera")
    assert join(owner.url, used).status_code == 201
    code_for(owner, address, "spare")
    assert delete(owner, f"{address}/seats/gone").status_code == 200
    assert owner.http.delete(deleted_at).status_code == 200
    admin = await asyncpg.connect(database.owner)
    await admin.execute(
        "UPDATE invitation SET expires_at = now() WHERE encounter_id = $1 AND seat = 'late'",
        id_of(address),
    )
    await admin.close()
    answers = [
        join(owner.url, code)
        for code in ("00000-00000", "not a code", used, late, superseded, removed, deleted)
    ]
    assert len({(each.status_code, each.content) for each in answers}) == 1
    for answer in answers:
        answer.headers.pop("date", None)
    assert len({tuple(answer.headers.raw) for answer in answers}) == 1
    assert answers[0].json()["code"] == "unknown_invitation"
