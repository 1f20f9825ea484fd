"""Secrets of all kinds, made recognisable, are found nowhere but where they belong.

How this works. The real service runs as its operator starts it, telling all that it can tell, with
a Redis whose every command is recorded. A battle is played in which everything secret is a canary.
What others read, what is logged, counted, passed on and stored is gone through for them, in every
form that they could have there.
"""

import base64
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

import asyncpg
import pytest

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.joining import join
from tests.api.people import Answered, Wire, bearer, id_of
from tests.api.serving import START, Caller, new_key
from tests.api.streaming import eventually
from tests.api.surfaces import Tap, events, frames, read, refused, weighed
from tests.fanout.servers import Server
from tests.kit.canaries import GHOST, LATE, TAGS
from tests.kit.rig import Rig, there
from tests.kit.rigs import OF_COMBATANTS
from tests.patience import PATIENCE_SECONDS
from tests.soak import with_soak

pytestmark = pytest.mark.slow

Tree = dict[str, Any]
SERVE: Final = [sys.executable, "-m", "service", "serve", "--port", "0"]
CANARY: Final = b"canary"
OTHERS: Final = ("ann", "bob", "eve")
SEATS: Final = (
    {"id": "mike", "role": "gm", "metadata": {"keeps": "a canary"}},
    {"id": "ann", "role": "player", "sides": ["red"]},
    {"id": "bob", "role": "player", "sides": ["blue"]},
    {"id": "eve", "role": "observer"},
)


class Monitor:
    """Everything that a Redis is asked to do."""

    def __init__(self, port: int) -> None:
        self.heard = b""
        self._line = socket.create_connection(("127.0.0.1", port))
        self._line.sendall(b"MONITOR\r\n")
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        eventually(lambda: b"+OK" in self.heard, "nothing is monitored")

    def _listen(self) -> None:
        while piece := self._line.recv(65_536):
            self.heard += piece

    def close(self) -> None:
        """Listen no more."""
        self._line.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._line.close()


class Service(NamedTuple):
    """The service, what it says and logs, and what its Redis hears."""

    url: str
    said: Path
    log: Path
    monitor: Monitor
    database: Dsns


@pytest.fixture(scope="module")
def service(database: Dsns, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """`warlog serve`, at its most talkative."""
    folder = tmp_path_factory.mktemp("canaries")
    redis = Server(folder / "redis")
    redis.start()
    monitor = Monitor(redis.port)
    environ = {name: value for name, value in os.environ.items() if "WARLOG_" not in name}
    environ |= {
        "WARLOG_DATABASE_URL": database.app,
        "WARLOG_ERASE_URL": database.eraser,
        "WARLOG_REDIS_URL": redis.url,
        "WARLOG_LOG_LEVEL": "debug",
    }
    said, log = folder / "said", folder / "log"
    with said.open("wb") as out, log.open("wb") as err:
        process = subprocess.Popen(SERVE, env=environ, stdout=out, stderr=err)
    try:
        eventually(lambda: "serving on " in said.read_text(), "it does not start")
        found = re.search(r"serving on (http\S+),", said.read_text())
        assert found
        yield Service(found[1], said, log, monitor, database)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_SECONDS)
        monitor.close()
        redis.kill()


class Secrets:
    """What was kept secret so far, by what it is."""

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}

    def keep(self, what: str, secret: str) -> str:
        """This is secret, too."""
        self.known[what] = secret.encode()
        return secret

    def keep_bytes(self, what: str, secret: bytes) -> None:
        """This is secret, too."""
        self.known[what] = secret

    def found_in(self, text: bytes, *but: str) -> list[str]:
        """Which of them stand in a text, in any form; not those that may."""
        return [
            what
            for what, secret in self.known.items()
            if what not in but and any(form in text for form in forms_of(secret))
        ]


def forms_of(secret: bytes) -> Iterable[bytes]:
    """A secret as it is, in hexadecimal, and in base64 wherever it is in it."""
    yield secret
    yield secret.hex().encode()
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + secret).rstrip(b"=")
        inner = encoded[4 if shift else 0 : -2]
        yield inner
        yield inner.replace(b"+", b"-").replace(b"/", b"_")


@pytest.mark.parametrize("before", [b"", b"x", b"xy"])
def test_a_secret_is_found_in_whatever_form(before: bytes) -> None:
    kept = Secrets()
    kept.keep("token", "ws_secret?>~")
    whole = before + b"ws_secret?>~" + b"and so on"
    encoded = (base64.b64encode(whole), base64.urlsafe_b64encode(whole), whole.hex().encode())
    assert all(kept.found_in(form) == ["token"] for form in (whole, *encoded))
    assert kept.found_in(whole, "token") == kept.found_in(before) == []


@pytest.fixture
async def owner(service: Service, store: EventStore) -> AsyncIterator[Caller]:
    """A key of a tenant of this test alone."""
    tenant: UUID = (await store.access.create_tenant(uuid4(), secrets.token_hex(8))).id
    with Caller(service.url, await new_key(store, tenant, SCOPES)) as caller:
        yield caller


class Played:
    """A battle full of canaries, as it is played."""

    def __init__(self, service: Service, owner: Caller, rig: Rig) -> None:
        self.kept = kept = Secrets()
        self.owner, self.url, self.words = owner, service.url, there(rig.canaries)
        kept.keep("key", str(owner.token))
        seed = kept.keep("seed", secrets.token_hex(32))
        kept.keep_bytes("seed, as bytes", bytes.fromhex(seed))
        tree = {
            "ruleset": rig.ruleset.slug,
            "seed": seed,
            "sides": [{"id": side} for side in ("red", "blue", "green")],
            "seats": SEATS,
            "setup": self.words.setup,
        }
        answer = owner.post("/v1/encounters", tree, idempotency_key=self.key("creation"))
        assert answer.status_code == 201, answer.text
        self.battle = answer.headers["Location"]
        self.tokens = {str(seat["id"]): self._joined(str(seat["id"])) for seat in SEATS}

    def key(self, what: str) -> str:
        """An idempotency key, which nobody but its sender has any business with."""
        return self.kept.keep(f"key of {what}", f"idem-{secrets.token_hex(12)}")

    def _joined(self, seat: str) -> str:
        unused, used = (self._code(seat) for _ in range(2))
        assert unused != used
        answer = join(self.url, used)
        assert answer.status_code == 201, answer.text
        return self.kept.keep(f"token of {seat}", answer.json()["token"])

    def _code(self, seat: str) -> str:
        path = f"{self.battle}/seats/{seat}/invitation"
        key = self.key(f"invitation {secrets.token_hex(4)} of {seat}")
        told = self.owner.post(path, None, idempotency_key=key)
        code = str(told.json()["invitation"]["code"])
        self.kept.keep(f"code {code[:2]} of {seat}", code)
        self.kept.keep(f"code {code[:2]} of {seat}, plain", code.replace("-", ""))
        return code

    def ticket(self, seat: str) -> str:
        """A ticket of a seat."""
        with Caller(self.url, self.tokens[seat]) as caller:
            told = caller.post(f"{self.battle}/tickets", None)
            assert told.status_code == 201, told.text
            return self.kept.keep(f"ticket of {seat}", told.json()["ticket"])

    def act(self, action: Mapping[str, Any], seat: str | None = None) -> None:
        """Do something that works, by the key or by a seat."""
        token = self.owner.token if seat is None else self.tokens[seat]
        with Caller(self.url, token) as caller:
            key = self.key(f"{action['type']} {secrets.token_hex(4)}")
            path = f"{self.battle}/actions"
            answer = caller.post(path, {"action": action}, idempotency_key=key)
            assert answer.status_code == 201, answer.text

    def play(self) -> None:
        """What the game master does in secret, and the others in the open."""
        adjust = {"type": "adjust", "changes": [{"type": "hp", "combatant": GHOST, "value": 7}]}
        spy = {"id": "spy", "role": "player", "combatants": [GHOST]}
        self.act(START)
        self.act({"type": "note", "gm_text": "a canary in the cellar"})
        self.act({"type": "note", "text": "hello", "gm_text": "a canary"}, "mike")
        self.act({**adjust, "reason": "a canary is ill"})
        self.act({"type": "add_combatant", "combatant": self.words.newcomer})
        self.act(self.words.ground)
        self.act({"type": "add_seat", "seat": {**spy, "name": "Spy"}})
        self.act({"type": "change_seat", "seat": "spy", "role": "gm", "metadata": TAGS})
        self.act({"type": "assign_control", "seat": "spy", "combatants": [LATE]}, "mike")
        self.act({"type": "remove_seat", "seat": "spy"})
        self.act({"type": "end_turn", "combatant": "a"}, "ann")
        extend = {"do": "extend", "seconds": 60, "turn": GHOST}
        told = self.owner.post(
            f"{self.battle}/timers", extend, idempotency_key=self.key("the clock")
        )
        assert told.status_code == 200, told.text
        self.act(self.words.shot)
        for question in self.owner.get(self.battle).json()["decisions"]:
            self.act({"type": "force_pass", "decision_id": question["id"]})
        self._pass_on()
        self.act({"type": "rewind", "to": len(self.owner_events()) - 1})
        self._pass_on()
        self.act({"type": "remove_combatant", "combatant": LATE})
        self.act({"type": "end_turn", "combatant": "t"}, "bob")

    def _pass_on(self) -> None:
        """Let it be blue's turn."""
        while (turn := self.owner.get(self.battle).json()["state"]["turn"]) != "t":
            self.act({"type": "end_turn", "combatant": turn})

    def owner_events(self) -> list[Tree]:
        """The log as the game master sees it."""
        told: list[Tree] = self.owner.get(f"{self.battle}/events?limit=1000").json()["events"]
        return told

    def probes(self) -> list[Tree]:
        """Attempts that fail whoever of the others makes them; none of them names a canary."""
        return [
            {"type": "adjust", "changes": [{"type": "reveal", "combatant": "a"}]},
            {"type": "end_turn", "combatant": "nobody"},
            {"type": "answer", "decision_id": "d99.1", "choice": {"type": "pass"}},
            {"type": "remove_seat", "seat": "ann"},
            {"type": "add_combatant", "combatant": self.words.newcomer | {"id": "c"}},
            {"type": "end_encounter", "reveal": "now"},
            {"type": "note", "gm_text": "?"},
        ]

    async def look_into(self, database: Dsns) -> None:
        """Keep what only the database knows."""
        admin = await asyncpg.connect(database.admin)
        found = await admin.fetchval(
            "SELECT seal_key FROM secret WHERE encounter_id = $1", id_of(self.battle)
        )
        self.kept.keep_bytes("seal key", found)
        for row in await admin.fetch("SELECT name, secret FROM service_key"):
            self.kept.keep_bytes(f"service key {row['name']}", row["secret"])
        for row in await admin.fetch("SELECT private FROM signing_key WHERE private IS NOT NULL"):
            self.kept.keep_bytes("signing key", row["private"])
        await admin.close()


def rude(service: Service, played: Played) -> None:
    """Requests that carry secrets where they do not belong, and fail."""
    wire, kept = Wire(service.url), played.kept
    token, ticket = played.tokens["ann"], kept.known["ticket of ann"].decode()
    code = next(value.decode() for what, value in kept.known.items() if what.startswith("code"))
    battle, own = played.battle, bearer(played.tokens["ann"])
    key = {"Idempotency-Key": played.key("something rude")}
    for path in (f"{battle}?ticket={ticket}", f"{battle}/events?after={token}", f"/v1/{token}"):
        wire.ask("GET", path, own)
    wire.ask("GET", f"{battle}/stream?ticket={ticket[:-4]}AAAA")
    wire.ask("GET", f"/v1/encounters?token={token}", bearer(token + "x"))
    wire.ask("POST", "/v1/join", {}, json.dumps({"code": code}).encode())
    wire.ask("POST", "/v1/join", key, b'{"code": "' + token.encode())
    wire.ask("POST", f"{battle}/actions", {**own, **key}, json.dumps({"action": token}).encode())
    wire.ask("GET", battle, {"Authorization": f"Bearer {token} {ticket}", "Cookie": token})
    wire.close()


@pytest.mark.parametrize("rig", with_soak(OF_COMBATANTS[-1:], OF_COMBATANTS[:-1]), ids=repr)
async def test_canaries_stay_where_they_belong(service: Service, owner: Caller, rig: Rig) -> None:
    played = Played(service, owner, rig)
    kept, battle = played.kept, played.battle
    await played.look_into(service.database)
    taps = followed(service, played)
    master = events(service.url, f"{battle}/stream?after=0", bearer(str(owner.token)))
    played.play()
    rude(service, played)
    head = len(played.owner_events())
    for tap in (*taps.values(), master):
        tap.until(lambda each: each.count(f'"seq":{head},'.encode()) > 0, "not all came")
    wire = Wire(service.url)
    told: dict[str, bytes] = {name: b"\n".join(tap.records) for name, tap in taps.items()}
    for seat in OTHERS:
        headers = bearer(played.tokens[seat])
        answers = {
            **read(wire, headers, battle, seat),
            **weighed(wire, headers, battle, ("a", "t")),
            **refused(wire, headers, battle, played.probes()),
        }
        told |= {f"{seat} {what}": whole(answer) for what, answer in answers.items()}
    everywhere = {
        "metrics": whole(wire.ask("GET", "/metrics")),
        "said": service.said.read_bytes(),
        "log": service.log.read_bytes(),
        "redis": service.monitor.heard,
    }
    wire.close()
    assert_played(master, everywhere, battle)
    for where, text in {**told, **everywhere}.items():
        assert CANARY not in text.lower(), where
        assert kept.found_in(text) == [], where
    of_master = [*master.records, owner.get(f"{battle}/bundle").content]
    of_master += [owner.get(battle + path).content for path in ("", "/seats", "/audit", "/timers")]
    assert kept.found_in(b"\n".join(of_master)) == []
    await assert_stored(service.database, played)


def followed(service: Service, played: Played) -> dict[str, Tap]:
    """Streams of all kinds for those who are not game masters."""
    battle, found = played.battle, {}
    for seat in OTHERS:
        own, ticket = bearer(played.tokens[seat]), played.ticket(seat)
        found[f"stream of {seat}"] = events(service.url, f"{battle}/stream?after=0", own)
        path = f"{battle}/socket?after=0&ticket={ticket}"
        found[f"socket of {seat}"] = frames(service.url, path, {})
    for tap in found.values():
        tap.until(lambda each: each.count(b"hello") > 0, "no hello")
    return found


def whole(answer: Answered) -> bytes:
    """Headers and body of an answer."""
    return repr(answer.headers).encode() + answer.body


def assert_played(master: Tap, everywhere: Mapping[str, bytes], battle: str) -> None:
    """There was something to be found, and it was looked for where it would be."""
    seen = b"\n".join(master.records)
    for word in (
        GHOST,
        LATE,
        "canary-gun",
        "The canary",
        "a canary in the cellar",
        "is ill",
        "canary's nest",
    ):
        assert word.encode() in seen, word
    assert b"warlog_stream_records_delivered_total" in everywhere["metrics"]
    assert b'"call": "act"' in everywhere["log"]
    assert battle.rpartition("/")[2].encode() in everywhere["redis"]
    assert b"turn_ended" in everywhere["redis"]


async def assert_stored(database: Dsns, played: Played) -> None:
    """Tokens, codes and tickets are stored nowhere; other secrets where they belong."""
    kept, homes = played.kept, {"secret", "service_key", "signing_key"}
    keys = [what for what in kept.known if what.startswith("key of")]
    admin = await asyncpg.connect(database.admin)
    tables = await admin.fetch(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    )
    assert homes < {row["relname"] for row in tables}
    for row in tables:
        name = row["relname"]
        text = await stored(admin, name)
        keyed = name in {"command", "creation", "clock_command", "invitation"}
        may = [*keys] if keyed else []
        if name in homes:
            may += ["seed", "seed, as bytes", "seal key", "signing key"]
            may += [what for what in kept.known if what.startswith("service key")]
        assert kept.found_in(text, *may) == [], name
        if CANARY in text.lower():
            assert name in {"event_part", "snapshot"} or name.startswith("event_part"), name
    await admin.close()


async def stored(admin: asyncpg.Connection, table: str) -> bytes:
    """All columns of all rows, bytes as bytes."""
    found = []
    for row in await admin.fetch(f'SELECT * FROM "{table}"'):
        found += [value if isinstance(value, bytes) else str(value).encode() for value in row]
    return b"\n".join(found)
