"""Everybody who might ask: with which headers, and what the table of rights makes of them.

How this works. A `World` is a battle of each ruleset with seats of all roles, and the same next to
it and in another tenant. `everybody` lists the callers: those who are nobody, those who were
somebody, those who are somebody elsewhere, and those who belong here. `refusal` says what the row
of a call makes of a caller; it knows nothing of the service but the words of the table.
"""

import http.client
import json
import secrets
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from service.api.authentication import hash_of, seat_token_of, token_of
from service.api.tickets import Tickets
from service.encounters.principal import SCOPES
from service.eventstore.store import EventStore
from tests.api.examples import EXAMPLES
from tests.api.joining import delete, invited, join
from tests.api.serving import START, Caller, Served, new_key
from tests.api.streaming import services_behind
from tests.kit.rigs import RIGS, rig_of
from tests.patience import PATIENCE_SECONDS

Tree = dict[str, Any]
Home = Literal["here", "elsewhere", "nowhere"]

RULESETS: Final = tuple(rig.ruleset.slug for rig in RIGS)
OWN: Final = {rig.ruleset.slug: rig.deeds.own for rig in RIGS}
THEIRS: Final = {rig.ruleset.slug: rig.deeds.theirs for rig in RIGS}
UNSEEN: Final = "ghost"
LIMITS: Final = {"turn_seconds": 86_400, "decision_seconds": 86_400}
IDLE_SECONDS: Final = 2.0
"""After this a connection is not used again: the service hangs up on idle ones."""

STATUS: Final = {
    "unauthenticated": 401,
    "scope_missing": 403,
    "own_token_only": 403,
    "gm_only": 403,
    "observer_cannot_act": 403,
    "unknown_encounter": 404,
    "unknown_seat": 404,
    "malformed": 400,
}


class Row(NamedTuple):
    """Who may make a call: the scope a key needs (`none` lets no key in), and which seats may."""

    key: Literal["open", "read", "play", "none"]
    seat: Literal["open", "read", "play", "gm", "forker", "none"]


Role = Literal["key", "gm", "player", "observer", "ghost"]

HERE: Final[tuple[tuple[str, Role], ...]] = (
    ("mike", "gm"),
    ("vera", "player"),
    ("guest", "observer"),
)
"""The seats of every battle, and their roles."""


class Someone(NamedTuple):
    """A caller. `scopes` of nobody are none at all; `role` of a key by itself is `key`.

    `is_ticket`: shows a ticket, which is good for streams only, and only for those of its battle.
    `seat` is that of somebody who belongs here by its own token: see `World.headers`.
    """

    name: str
    headers: Mapping[str, str] = {}
    query: str = ""
    scopes: frozenset[str] | None = None
    role: Role = "key"
    home: Home = "here"
    has_own_token: bool = False
    is_ticket: bool = False
    seat: str | None = None


class Answered(NamedTuple):
    """An answer as it came; `date` is left out of the headers."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def code(self) -> str | None:
        """The code of its problem, if it is one."""
        kinds = [value for name, value in self.headers if name.lower() == "content-type"]
        if "application/problem+json" not in kinds:
            return None
        return str(json.loads(self.body)["code"])


class Wire:
    """Asks, and shows the answer as it came; of a stream only the head."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(
            str(parts.hostname), parts.port, timeout=PATIENCE_SECONDS
        )
        self._used_at = 0.0

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] = {}, body: bytes | None = None
    ) -> Answered:
        """The answer."""
        if time.monotonic() - self._used_at > IDLE_SECONDS:
            self._connection.close()
        self._used_at = time.monotonic()
        # One id for all, so that answers can be compared whole.
        stated = {"X-Request-Id": "test", **headers}
        if body is not None:
            stated.setdefault("Content-Type", "application/json")
        self._connection.request(method, path, body=body, headers=stated)
        answer = self._connection.getresponse()
        told = tuple((n, v) for n, v in answer.getheaders() if n.lower() != "date")
        if answer.headers.get("content-type") == "text/event-stream":
            self._connection.close()
            return Answered(answer.status, told, b"")
        return Answered(answer.status, told, answer.read())

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


class World:
    """The battles, by ruleset, and everybody's tokens."""

    def __init__(self, served: Served, owner: Caller, stranger: Caller) -> None:
        self.served = served
        self.owner = owner
        self.stranger = stranger
        self.battle = {slug: battle(owner, slug) for slug in RULESETS}
        self.over = {slug: over(owner, slug) for slug in RULESETS}
        self.beside = battle(owner, RULESETS[0])
        self.foreign = battle(stranger, RULESETS[0])
        self.wire = Wire(served.url)
        elsewhere = [self.battle[slug] for slug in RULESETS[1:]]
        for address in elsewhere:
            owner.act(address, {"type": "remove_seat", "seat": "gone"})
        others = (*elsewhere, *self.over.values())
        self._tokens = {
            (address, seat): token_for(owner, address, seat)
            for address in others
            for seat in ("mike", "vera", "guest")
        }

    def headers(self, who: Someone, address: str) -> Mapping[str, str]:
        """How a caller asks about a battle: whoever has a seat here has the same one there."""
        token = self._tokens.get((address, str(who.seat)))
        return who.headers if token is None else {**who.headers, **bearer(token)}

    @property
    def here(self) -> str:
        """The address of the battle that is asked about."""
        return self.battle[RULESETS[0]]

    def look(self) -> list[object]:
        """What refused requests must leave as it is."""
        told = [
            self.owner.get(f"{address}/{what}").content
            for address in (*self.battle.values(), self.beside, *self.over.values())
            for what in ("seats", "events?limit=1000")
        ]
        pauses = self.owner.get(f"{self.here}/timers").json()["paused"]
        return [*told, pauses, self.owner.get("/v1/encounters?limit=100").content]


def creation(slug: str) -> Tree:
    """A battle with seats of every role, somebody unseen, and limits of time."""
    name = slug.replace("-", "_")
    [tree] = [each.value for each in EXAMPLES["create_encounter"] if each.name == name]
    setup = tree["setup"]
    deeds = rig_of(slug).deeds
    [side] = [each["side"] for each in setup["combatants"] if each["id"] == OWN[slug]]
    enemy = next(each for each in setup["combatants"] if each["side"] != side)
    ghost = {**enemy, "id": UNSEEN, "hidden": True, "place": deeds.free}
    seats: list[Tree] = [{"id": "mike", "role": "gm"}, {"id": "guest", "role": "observer"}]
    players = ("vera", "spare", "gone", "old", "lost", "late")
    seats += [{"id": seat, "role": "player", "combatants": [OWN[slug]]} for seat in players]
    setup = {**setup, "combatants": [*setup["combatants"], ghost], "options": LIMITS}
    setup["battle"] = deeds.with_last(setup["battle"], UNSEEN)
    return {**tree, "seats": seats, "setup": setup}


def battle(owner: Caller, slug: str) -> str:
    """The address of a battle that runs."""
    address = owner.create(creation(slug))
    owner.act(address, START)
    return address


def over(owner: Caller, slug: str) -> str:
    """The address of a battle that is over, seed and all: the rules have no more to say."""
    address = battle(owner, slug)
    owner.act(address, {"type": "end_encounter", "reveal": "now"})
    return address


def token_for(owner: Caller, address: str, seat: str) -> str:
    """The token of a seat, by a new invitation."""
    return str(exchanged(owner, code_for(owner, address, seat)))


def code_for(owner: Caller, address: str, seat: str) -> str:
    """A new code for a seat."""
    answer = owner.post(f"{address}/seats/{seat}/invitation", None)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["invitation"]["code"])


def exchanged(owner: Caller, code: str) -> str:
    """The token that a code is exchanged for."""
    answer = join(owner.url, code)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


def bearer(token: str, seat: str | None = None) -> dict[str, str]:
    """The headers of whoever has this token."""
    own = {"Authorization": f"Bearer {token}"}
    return own if seat is None else {**own, "Warlog-Seat": seat}


ALL: Final = frozenset(SCOPES)
SEATED: Final = frozenset({"read", "play", "dice"})


async def everybody(world: World, store: EventStore, tenant: UUID) -> list[Someone]:
    """All callers there are, none of them seen by the service before."""
    keys = {scope: await new_key(store, tenant, (scope,)) for scope in SCOPES}
    keys["read+play"] = await new_key(store, tenant, ("read", "play"))
    keys["read+act_as"] = await new_key(store, tenant, ("read", "act_as"))
    revoked = await new_key(store, tenant, SCOPES)
    [listed] = [
        each
        for each in await store.access.api_keys(tenant)
        if (await store.access.api_key_by_hash(hash_of(revoked))) == each
    ]
    assert await store.access.revoke_api_key(tenant, listed.id)
    tokens = seat_tokens(world)
    return [
        *nobodies(world, revoked, tokens),
        *keyed(world, keys),
        *seated(tokens),
        *strangers(world),
        *ticketed(world, tokens),
    ]


def seat_tokens(world: World) -> dict[str, str]:
    """Tokens of seats of the battle, good and gone: those that are gone were never shown."""
    owner, here = world.owner, world.here
    names = ("mike", "vera", "guest", "gone", "old", "lost")
    tokens = {seat: token_for(owner, here, seat) for seat in names}
    assert delete(owner, f"{here}/seats/gone").status_code == 200
    tokens["new"] = token_for(owner, here, "old")
    assert delete(owner, f"{here}/seats/lost/token").status_code == 200
    return tokens


def nobodies(world: World, revoked: str, tokens: Mapping[str, str]) -> Iterable[Someone]:
    """Those who are nobody, any more or ever."""
    code = code_for(world.owner, world.here, "late")
    yield Someone("none")
    yield Someone("not a bearer", {"Authorization": "Basic dTpw"})
    yield Someone("no token", {"Authorization": "Bearer"})
    yield Someone("malformed", bearer("wk_short"))
    yield Someone("unknown key", bearer(token_of(secrets.token_bytes(32))))
    yield Someone("unknown token", bearer(seat_token_of(secrets.token_bytes(32))))
    yield Someone("unknown, for a seat", bearer(token_of(secrets.token_bytes(32)), "vera"))
    yield Someone("a code", bearer(code))
    yield Someone("revoked key", bearer(revoked))
    yield Someone("revoked key, for a seat", bearer(revoked, "mike"))
    yield Someone("removed seat", bearer(tokens["gone"]))
    yield Someone("replaced token", bearer(tokens["old"]))
    yield Someone("revoked token", bearer(tokens["lost"]))


def keyed(world: World, keys: Mapping[str, str]) -> Iterable[Someone]:
    """Keys of the tenant, by themselves and for seats."""
    everything = str(world.owner.token)
    for scope, token in keys.items():
        yield Someone(f"key {scope}", bearer(token), scopes=frozenset(scope.split("+")))
    yield Someone("key all", bearer(everything), scopes=ALL)
    others: tuple[tuple[str, Role], ...] = (
        ("spare", "player"),
        ("gone", "ghost"),
        ("nobody", "ghost"),
    )
    for seat, role in (*HERE, *others):
        as_seat = bearer(everything, seat)
        yield Someone(f"key for {seat}", as_seat, scopes=ALL, role=role)
    for scope in ("read", "play", "act_as", "read+play", "read+act_as"):
        scopes = frozenset(scope.split("+"))
        name = f"key {scope} for mike"
        yield Someone(name, bearer(keys[scope], "mike"), scopes=scopes, role="gm")


def seated(tokens: Mapping[str, str]) -> Iterable[Someone]:
    """Seats of the battle by their own tokens."""
    own = partial(Someone, scopes=SEATED, has_own_token=True)
    yield own("gm", bearer(tokens["mike"]), role="gm", seat="mike")
    yield own("player", bearer(tokens["vera"]), role="player", seat="vera")
    yield own("observer", bearer(tokens["guest"]), role="observer", seat="guest")
    yield own("newer token", bearer(tokens["new"]), role="player", seat="vera")
    itself = bearer(tokens["vera"], "vera")
    yield own("player, for itself", itself, role="player", seat="vera")


def strangers(world: World) -> Iterable[Someone]:
    """Those who are somebody elsewhere."""
    beside = partial(Someone, scopes=SEATED, has_own_token=True, home="elsewhere")
    for seat, role in HERE:
        near = token_for(world.owner, world.beside, seat)
        yield beside(f"{role} beside", bearer(near), role=role)
        far = token_for(world.stranger, world.foreign, seat)
        yield beside(f"{role} abroad", bearer(far), role=role)
    key = str(world.stranger.token)
    yield Someone("foreign key", bearer(key), scopes=ALL, home="elsewhere")
    acted: tuple[tuple[str, Role], ...] = (*HERE[:2], ("nobody", "ghost"))
    for seat, role in acted:
        as_seat = bearer(key, seat)
        yield Someone(f"foreign key for {seat}", as_seat, scopes=ALL, role=role, home="elsewhere")


def ticketed(world: World, tokens: Mapping[str, str]) -> Iterable[Someone]:
    """Those who show a ticket, good and bad."""
    tickets = services_behind(world.served).tickets
    here, beside = id_of(world.here), id_of(world.beside)
    key = hash_of(str(world.owner.token))
    # However long the tests take that show them.
    lasting = Tickets(tickets._secret, lambda: datetime.now(UTC) + timedelta(days=1))

    def shown(token: bytes, seat: str | None, encounter: UUID, by: Tickets = lasting) -> str:
        return by.issue(token, seat, encounter)[0]

    def holder(name: str, ticket: str, scopes: frozenset[str] | None = SEATED) -> Someone:
        return Someone(f"ticket {name}", query=f"ticket={ticket}", scopes=scopes, is_ticket=True)

    good = shown(key, None, here)
    yield holder("of a key", good, ALL)
    yield holder("of a key for vera", shown(key, "vera", here), ALL)
    yield holder("of a key for nobody", shown(key, "nobody", here), ALL)._replace(role="ghost")
    for seat in ("mike", "vera", "guest"):
        yield holder(f"of {seat}", shown(hash_of(tokens[seat]), None, here))
    late = Tickets(tickets._secret, lambda: datetime.now(UTC) - timedelta(seconds=301))
    forged = Tickets(secrets.token_bytes(32), lambda: datetime.now(UTC))
    yield holder("that expired", shown(key, None, here, late), None)
    yield holder("that was forged", shown(key, None, here, forged), None)
    yield holder("of a battle beside", shown(key, None, beside), None)
    yield holder("of nobody", shown(bytes(32), None, here), None)
    for gone in ("gone", "old", "lost"):
        yield holder(f"of {gone}", shown(hash_of(tokens[gone]), None, here), None)
    foreign = shown(hash_of(str(world.stranger.token)), None, here)
    yield holder("of a stranger", foreign, ALL)._replace(home="elsewhere")
    yield Someone("a ticket for a token", bearer(good))


def refusal(who: Someone, row: Row, *, is_about_here: bool, takes_tickets: bool) -> str | None:
    """The code that a caller is refused with; None for whom the table lets in.

    `is_about_here`: the address names the battle. What an action may do is not said here.
    """
    if row.key == "open":
        return None
    if who.scopes is None or (who.is_ticket and not takes_tickets):
        return "unauthenticated"
    if row.key == "none":
        return None if who.has_own_token else "own_token_only"
    if row.key not in who.scopes:
        return "scope_missing"
    if who.role == "key":
        return "unknown_encounter" if is_about_here and who.home != "here" else None
    if not who.has_own_token and not who.is_ticket and "act_as" not in who.scopes:
        return "scope_missing"
    if row.seat in {"none", "forker"}:
        return "gm_only"
    return _refusal_here(who, row) if is_about_here else None


def _refusal_here(who: Someone, row: Row) -> str | None:
    """The same of a seat, where the address names the battle."""
    if who.home != "here":
        return "unknown_encounter"
    if who.role == "ghost":
        return "unknown_seat"
    return "gm_only" if row.seat == "gm" and who.role != "gm" else None


def id_of(address: str) -> UUID:
    """The id in the address of an encounter."""
    return UUID(address.rpartition("/")[2])


def fresh_seat(world: World) -> str:
    """The id of a seat that may be taken away."""
    seat = f"s{secrets.token_hex(6)}"
    invited(world.owner, world.here, {"id": seat, "role": "observer"})
    return seat
