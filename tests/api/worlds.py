"""Two services that differ in nothing but the secrets of the battle they are asked to play.

How this works. Each has a separate database, the same clock, the same chance, the same key of the
same tenant. So the same requests get the same ids, seeds and tokens. What depends on hashes, or on
the clock of the database, is masked; everything else must be equal byte for byte.
"""

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from random import Random
from typing import Any, Final
from uuid import UUID

from service.api.authentication import hash_of, token_of
from service.app import build
from service.encounters.clock_and_ids import Sources
from service.encounters.principal import SCOPES
from service.engine.vocabulary.values import DiceMode
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from tests.api.people import Answered, Wire, bearer, id_of
from tests.api.serving import Served, settings_for
from tests.api.streaming import eventually, services_behind
from tests.api.surfaces import Tap, Told, events, frames, read
from tests.conftest import scratch_database, user_of
from tests.patience import PATIENT

Tree = dict[str, Any]
NOW: Final = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
KEY: Final = token_of(bytes(range(32)))
SIDES: Final = ("red", "blue", "green")
SEATS: Final = (
    {"id": "ann", "role": "player", "sides": ["red"], "metadata": {"plays": "red"}},
    {"id": "bob", "role": "player", "sides": ["blue"]},
    {"id": "eve", "role": "observer"},
)
UNKNOWING: Final = tuple(str(seat["id"]) for seat in SEATS)
NAMING: Final = frozenset({"id", "combatant", "turn"})
"""The fields of a setup that name a combatant."""
LIMITS: Final = {"turn_seconds": 86_400, "decision_seconds": 86_400}

_MASKS: Final = tuple(
    (re.compile(pattern), mask)
    for pattern, mask in (
        (rb'(?<!"map":")(?<!"content":")\b[0-9a-f]{64}\b', b"<hash>"),
        (rb"(?<![0-9a-f-])([0-9]+)-[0-9a-f]{8}(?![0-9a-f-])", rb"\1-<hash8>"),
        (rb'("kind":"text",(?:"audience":"[^"]*",)?"salt":)"[^"]*"', rb'\1"<random>"'),
        (rb'"sig":"[^"]*"', b'"sig":"<sig>"'),
        (rb"timers=[0-9a-f]{8}", b"timers=<crc>"),
        (rb'"(recorded_at|expires_at|created_at|now)":"[^"]*"', rb'"\1":"<time>"'),
        (rb'"left_seconds":[0-9]+', b'"left_seconds":<left>'),
        (rb"\b[0-9-]{10}T[0-9:]{8}\.[0-9]{6}Z", b"<time>"),
    )
)


def masked(text: bytes) -> bytes:
    """Without what binds secrets, what is drawn at random, and the time of the database."""
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text


def shown(answer: Answered) -> tuple[int, list[tuple[str, bytes]], bytes]:
    """Status, headers and body, masked."""
    headers = [
        (name, masked(value.encode()))
        for name, value in answer.headers
        if name != "content-length" and not name.startswith("ratelimit")
    ]
    return answer.status, headers, masked(answer.body)


def chance(name: str) -> Sources:
    """The same bytes for the same name: those of each length are a stream of their own."""
    counts: dict[int, int] = {}

    def random(count: int) -> bytes:
        number = counts[count] = counts.get(count, 0) + 1
        found = b"".join(
            sha256(f"{name} {count} {number} {block}".encode()).digest()
            for block in range(count // 32 + 1)
        )
        return found[:count]

    return Sources(now=lambda: NOW, random=random)


@asynccontextmanager
async def twin_databases(server: str) -> AsyncIterator[tuple[Dsns, Dsns]]:
    """Two databases with the same tenant and key."""
    async with AsyncExitStack() as stack:
        made = [await stack.enter_async_context(scratch_database(server)) for _ in range(2)]
        for dsns in made:
            await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
            await settled_in(dsns)
        yield made[0], made[1]


async def settled_in(dsns: Dsns) -> None:
    """The tenant and its key."""
    store = await EventStore.open(dsns.app, eraser_url=dsns.eraser, pool_size=1)
    tenant = (await store.access.create_tenant(UUID(int=7), "worlds")).id
    key = NewApiKey(
        id=UUID(int=8), tenant=tenant, name="test", secret_hash=hash_of(KEY), scopes=SCOPES
    )
    await store.access.create_api_key(key)
    await store.close()


@contextmanager
def serving(dsns: Dsns, name: str) -> Iterator[Served]:
    """The service on this database, with the chance of this name."""
    settings = settings_for(
        dsns,
        WARLOG_SIGNING_KEY="11" * 32,
        WARLOG_SEAT_REQUESTS_PER_MINUTE="1000000",
        WARLOG_PREVIEWS_PER_MINUTE="1000000",
    )
    with Served(settings, edge=build(settings, chance(name), patience=PATIENT)) as served:
        yield served


class World:
    """One battle, those who play it, and what each of them is shown all the time.

    `unseen` is the name of whom the secrets are about; in the setup it is called h. `name` is no
    other battle's in the same database.
    """

    def __init__(
        self,
        served: Served,
        slug: str,
        setup: Tree,
        unseen: str,
        *,
        name: str,
        dice: DiceMode = "sealed",
        sides: Sequence[str] = SIDES,
    ) -> None:
        self.served = served
        self.unseen = unseen
        self.name = name
        self.wire = Wire(served.url)
        self.owner = bearer(KEY)
        self._keys = 0
        keeper = {"id": "gus", "role": "gm", "metadata": {"keeps": unseen}}
        tree = {
            "ruleset": slug,
            "dice": dice,
            "sides": [{"id": side} for side in sides],
            "seats": [*SEATS, keeper],
        }
        created = self._post("/v1/encounters", {**tree, "setup": renamed(setup, unseen)})
        self.battle = f"/v1/encounters/{created['encounter']}"
        self.by = {seat: bearer(self._joined(seat)) for seat in UNKNOWING}
        self.by["gm"] = self.owner
        self.taps: dict[str, Tap] = {}
        self.head = 1
        self.effects: list[Tree] = []

    def _joined(self, seat: str) -> str:
        invited = self._post(f"{self.battle}/seats/{seat}/invitation", None)
        return str(self._post("/v1/join", {"code": invited["invitation"]["code"]})["token"])

    def _post(self, path: str, tree: object, by: str = "gm") -> Tree:
        answer = self._posted(path, tree, by)
        assert answer.status in {200, 201}, answer
        told: Tree = json.loads(answer.body)
        return told

    def _posted(self, path: str, tree: object, by: str) -> Answered:
        self._keys += 1
        own = self.owner if by == "gm" else self.by[by]
        body = None if tree is None else json.dumps(tree).encode()
        key = {"Idempotency-Key": f"{self.name}-{self._keys}"}
        return self.wire.ask("POST", path, {**own, **key}, body)

    def follow(self) -> None:
        """Open streams of every kind, one after another."""
        url, path = self.served.url, f"{self.battle}/stream"
        # The first look at the clocks tells of all that are followed, whenever it comes.
        self._master = events(url, path, self.owner)
        known = services_behind(self.served).encounters.timing.upcoming._known
        eventually(lambda: id_of(self.battle) in known, "nobody looked at the clock")
        for seat in UNKNOWING:
            as_seat = {**self.owner, "Warlog-Seat": seat}
            shown = f"ticket={self._post(f'{self.battle}/tickets', None, seat)['ticket']}"
            for name, tap in (
                (f"{seat} by token", lambda own: events(url, f"{path}?after=0", own)),
                (f"{seat} by key", lambda _, own=as_seat: events(url, path, own)),
                (
                    f"{seat} by patches",
                    lambda own: events(url, f"{path}?state=patch&scene=patch&narrate=ru", own),
                ),
                (
                    f"{seat} by ticket",
                    lambda _, shown=shown: frames(url, f"{self.battle}/socket?{shown}", {}),
                ),
            ):
                self.taps[name] = tap(self.by[seat])
                self._until_told(name)

    def _until_told(self, name: str) -> None:
        tap = self.taps[name]
        tap.until(lambda each: each.count(b'"hello"') > 0, f"no hello for {name}")
        if "token" in name:
            tap.until(lambda each: each.count(b'"type":"event"') == self.head, "not all came")
            for other in list(self.taps)[:-1]:
                self._until_present(other, name.partition(" ")[0])
        self.settle()

    def _until_present(self, name: str, seat: str) -> None:
        here = f'"seat":"{seat}","present":true'.encode()
        self.taps[name].until(lambda each: each.count(here) == 1, "not present")

    def settle(self) -> None:
        """Wait until deadlines were shown to everybody."""
        encounters = services_behind(self.served).encounters
        timing, retiming = encounters.timing.upcoming, encounters.hub._timer_notices
        eventually(lambda: timing._task is None and retiming._task is None, "timers")

    def act(self, action: Mapping[str, Any], by: str = "gm") -> list[Tree]:
        """Do something that works, and wait until everybody heard of it; all its effects."""
        answer = self.ask(action, by)
        assert answer.status == 201, answer
        return self.effects

    def ask(
        self, action: Mapping[str, Any], by: str = "gm", faces: tuple[int, ...] = ()
    ) -> Answered:
        """Try to do something; if it was done, wait until everybody heard of it."""
        greeted = self._greeted(action)
        dice = {"dice": faces} if faces else {}
        answer = self._posted(f"{self.battle}/actions", {"action": action, **dice}, by)
        if answer.status == 201:
            self.head = json.loads(answer.body)["version"]
            self._until_heard(greeted)
            self.effects = self._all_effects()
        return answer

    def _until_heard(self, greeted: Mapping[str, int]) -> None:
        heard = f'"seq":{self.head},"hash"'.encode()
        for name, tap in self.taps.items():
            tap.until(
                lambda each: any(b'"type":"event"' in it and heard in it for it in each.records),
                f"{name} did not hear of {self.head}",
            )
        for name, hellos in greeted.items():
            self._until_greeted(name, hellos + 1)
        self.settle()

    def _until_greeted(self, name: str, hellos: int) -> None:
        self.taps[name].until(lambda tap: hellos_of(tap) == hellos, f"{name} was not greeted anew")

    def _all_effects(self) -> list[Tree]:
        own = self.wire.ask("GET", f"{self.battle}/events/{self.head}", self.owner)
        record = json.loads(own.body)
        found: list[Tree] = record.get("seen", record["event"])["effects"]
        return found

    def _greeted(self, action: Mapping[str, Any]) -> dict[str, int]:
        """Whoever is greeted again behind an action, and how often that was so far."""
        seat = action["seat"] if action["type"] == "change_seat" else None
        named = {name: tap for name, tap in self.taps.items() if name.partition(" ")[0] == seat}
        return {name: hellos_of(tap) for name, tap in named.items()}

    def time(self, tree: Tree) -> None:
        """Something is done to the clock."""
        self._post(f"{self.battle}/timers", tree)
        self.settle()

    def state(self) -> Tree:
        """Everything, as the game master sees it."""
        told: Tree = json.loads(self.wire.ask("GET", self.battle, self.owner).body)
        return told

    def samples(self, combatant: str, count: int, by: str = "gm") -> list[Tree]:
        """Actions that are legal."""
        path = f"{self.battle}/legal-actions?combatant={combatant}&sample={count}"
        told: list[Tree] = json.loads(self.wire.ask("GET", path, self.by[by]).body)["samples"]
        return told

    def told(self, by: str) -> Told:
        """All that somebody can read now."""
        return read(self.wire, self.by[by], self.battle, "ann")

    def close(self) -> None:
        """Hang up."""
        self.wire.close()


def hellos_of(tap: Tap) -> int:
    """How often somebody was greeted."""
    return tap.count(b'"type":"hello"')


def renamed(value: Any, unseen: str) -> Any:
    """The same, where h has another name."""
    if isinstance(value, list):
        return [renamed(each, unseen) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: unseen if name in NAMING and each == "h" else renamed(each, unseen)
        for name, each in value.items()
    }


def limited(setup: Tree) -> Tree:
    """With limits of time, and somebody unseen among the first to act where entry says who is."""
    known = [{**each, "metadata": {"Known as": each.get("name")}} for each in setup["combatants"]]
    people = sorted(known, key=lambda each: each["id"] != "h")
    options = {**setup["options"], **LIMITS}
    return {**setup, "options": options, "combatants": [people[1], people[0], *people[2:]]}


def quiet(world: World, kinds: frozenset[str], dice: Random) -> Tree:
    """Something that is done unseen, and that nobody notices."""
    sampled = [each for each in world.samples(world.unseen, 12) if each["type"] in kinds]
    return dice.choice(sampled)
