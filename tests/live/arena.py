"""Where it all happens: processes of the service, and battles with people who have tokens."""

import asyncio
import itertools
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import httpx
import msgspec
from msgspec import Struct

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import START, new_key
from tests.durability.rig import ServiceProcess
from tests.encounters.random_actions import battle as crew
from tests.fanout.servers import Cluster, Server
from tests.limits import PLENTY
from tests.live.subscribers import HeardEvent, Person
from tests.patience import PATIENCE_SECONDS
from warlog import AsyncBattle, AsyncWarlog, Patience

PAUSE_SECONDS: Final = 0.05
PAGE: Final = 500
STUBBORN: Final = Patience(tries=1_000, first_seconds=0.05, longest_seconds=2.0)
"""Of a client whose service is away for a while."""

GENEROUS: Final = {
    "WARLOG_POOL_SIZE": "6",
    **PLENTY,
    "WARLOG_STREAM_CACHE_BYTES": str(4 << 20),
}
"""Many may come from one address, and for one seat; little is remembered for those who catch up."""

GM_WORD: Final = "for-the-master-alone"
RED_LURKER: Final = "lurker_of_the_reds"
BLUE_LURKER: Final = "lurker_of_the_blues"

Tree = dict[str, Any]


class OtherProcess(httpx.AsyncBaseTransport):
    """A way to the processes, beginning with one: to the next once that does not answer."""

    def __init__(self, urls: Sequence[str], at: int) -> None:
        self._addresses = [httpx.URL(url) for url in urls]
        self._turn = at
        self._inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The answer of the process whose turn it is."""
        address = self._addresses[self._turn % len(self._addresses)]
        request.url = request.url.copy_with(host=address.host, port=address.port)
        try:
            return await self._inner.handle_async_request(request)
        except httpx.TransportError:
            self._turn += 1
            raise

    async def aclose(self) -> None:
        """Hang up."""
        await self._inner.aclose()


class ServiceClient:
    """Asks whichever process answers, beginning with one of them.

    What people do they do with the client for Python; `request` is for what is compared raw.
    """

    def __init__(self, urls: Sequence[str]) -> None:
        self.urls = urls
        self._http = httpx.AsyncClient(timeout=PATIENCE_SECONDS)
        self._ways = [
            httpx.AsyncClient(transport=OtherProcess(urls, at)) for at in range(len(urls))
        ]

    def service(self, who: Person, at: int = 0) -> AsyncWarlog:
        """The service as somebody asks it, at this process first."""
        return AsyncWarlog(self.urls[at], who.token, patience=STUBBORN, http=self._ways[at])

    def table(self, who: Person, address: str, at: int = 0) -> AsyncBattle:
        """A battle as somebody sees it, at this process first."""
        encounter = address.rpartition("/")[2]
        return self.service(who, at).battle(encounter, seat=who.acts_for)

    async def request(
        self,
        who: Person,
        method: str,
        path: str,
        tree: object = None,
        *,
        at: int = 0,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """The answer of the first process that has one; what writes does so under a key."""
        sent_headers = {**who.headers, **(headers or {})}
        if method != "GET":
            sent_headers["Idempotency-Key"] = secrets.token_hex(8)
        async with asyncio.timeout(PATIENCE_SECONDS):
            for turn in itertools.count(at):
                url = self.urls[turn % len(self.urls)]
                try:
                    answer = await self._http.request(
                        method, url + path, json=tree, headers=sent_headers
                    )
                except httpx.TransportError:
                    await asyncio.sleep(PAUSE_SECONDS)
                    continue
                if answer.status_code != 503 and '"in_progress"' not in answer.text:
                    assert answer.status_code < 500, answer.text
                    return answer
                await asyncio.sleep(PAUSE_SECONDS)
        raise AssertionError("nobody answers")

    async def json(self, who: Person, method: str, path: str, tree: object = None) -> Tree:
        """The body of an answer that is a success."""
        answer = await self.request(who, method, path, tree)
        assert answer.status_code in (200, 201), answer.text
        body: Tree = answer.json()
        return body

    async def log(self, who: Person, address: str) -> dict[int, HeardEvent]:
        """The whole log as somebody is shown it."""
        events: dict[int, HeardEvent] = {}
        while True:
            path = f"{address}/events?limit={PAGE}&after={len(events)}"
            answer = await self.request(who, "GET", path)
            assert answer.status_code == 200, answer.text
            page = _PAGES.decode(answer.content).events
            if not page:
                return events
            events |= {event.seq: event for event in page}

    async def close(self) -> None:
        """Hang up."""
        for http in (self._http, *self._ways):
            await http.aclose()


class _Page(Struct):
    events: tuple[HeardEvent, ...]


class Battle(Struct, frozen=True, kw_only=True):
    """A battle under way: `gm` is a key by itself, `people` have streams of every kind of view.

    `guests` are seats whose role and control change.
    """

    address: str
    ruleset: str
    gm: Person
    people: tuple[Person, ...]
    guests: tuple[Person, ...]

    @property
    def everybody(self) -> tuple[Person, ...]:
        """All who follow."""
        return (self.gm, *self.people, *self.guests)


def lurker(setup: Tree, name: str, side: str, at: int) -> Tree:
    """Somebody who stays unseen, as far away as the map allows; `at` distinguishes them."""
    sheet = setup["combatants"][0]
    place = {"x": 40, "y": 20 + 10 * at}
    if "map" in setup:
        rows = setup["map"]["text"].split()
        place = {"x": len(rows[0]) - 1, "y": len(rows) - 1 - at}
    if "units" in setup:
        place = {"x": 30_000, "y": 15_000 + 5_000 * at}
        sheet = {**sheet, "unit": name}
    return {**sheet, "id": name, "side": side, "place": place, "hidden": True}


def creation(ruleset: str, **options: object) -> Tree:
    """Two of each side and one of each who is never seen, and a seat for every view."""
    tree = crew(ruleset, "sealed")
    setup = tree["setup"]
    unseen = (RED_LURKER, "red"), (BLUE_LURKER, "blue")
    lurkers = [lurker(setup, *each, at) for at, each in enumerate(unseen)]
    changed = {
        **setup,
        "combatants": [*setup["combatants"], *lurkers],
        "options": {**setup["options"], **options},
    }
    if "units" in setup:
        units = [{"id": name, "side": side, "kind": "lone"} for name, side in unseen]
        changed["units"] = [*setup["units"], *units]
    if "cards" in setup.get("battle", {}):
        cards = [{"combatant": name, "card": at} for at, (name, _) in enumerate(unseen)]
        changed["battle"] = {**setup["battle"], "cards": [*setup["battle"]["cards"], *cards]}
    seats = [
        {"id": "mike", "role": "gm"},
        {"id": "anna", "role": "player", "sides": ["red"]},
        {"id": "ben", "role": "player", "sides": ["blue"]},
    ]
    return {**tree, "seats": [*seats, *tree["seats"]], "setup": changed}


async def begun(asker: ServiceClient, key: str, ruleset: str, **options: object) -> Battle:
    """A battle that has begun, with everybody at the table."""
    gm = Person(name="key", token=key, role="gm", seen=(GM_WORD, RED_LURKER, BLUE_LURKER))
    created = await asker.service(gm).create_encounter(creation(ruleset, **options))
    address = f"/v1/encounters/{created.encounter}"
    await asker.table(gm, address).act([START, {"type": "note", "gm_text": GM_WORD}])
    views: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
        "mike": ("gm", (), (GM_WORD, RED_LURKER, BLUE_LURKER)),
        "anna": ("player", (GM_WORD, BLUE_LURKER), (RED_LURKER,)),
        "ben": ("player", (GM_WORD, RED_LURKER), (BLUE_LURKER,)),
        "olaf": ("observer", (GM_WORD, RED_LURKER, BLUE_LURKER), ()),
    }
    people = []
    for name, (role, unseen, visible) in views.items():
        token = await token_of(asker, gm, address, name)
        people.append(
            Person(name=name, token=token, seat=name, role=role, unseen=unseen, seen=visible)
        )
    guests = tuple(
        Person(name=name, token=key, acts_for=name, seat=name) for name in ("rita", "bob")
    )
    return Battle(address=address, ruleset=ruleset, gm=gm, people=tuple(people), guests=guests)


async def token_of(asker: ServiceClient, gm: Person, address: str, seat: str) -> str:
    """A new token for a seat: invited by the GM, and come."""
    invitation = (await asker.table(gm, address).invite(seat)).invitation
    assert invitation is not None
    return (await asker.service(gm).join(invitation.code)).token


async def new_tenant(dsns: Dsns) -> tuple[UUID, str]:
    """A tenant of one test, and a key of it with every scope."""
    store = await EventStore.open(dsns.app, pool_size=1)
    tenant = UUID(bytes=secrets.token_bytes(16))
    await store.access.create_tenant(tenant, secrets.token_hex(8))
    token = await new_key(store, tenant, SCOPES)
    await store.close()
    return tenant, token


@dataclass(frozen=True)
class Arena:
    """Processes of the service on one database, and the Redis between them if there is one."""

    services: tuple[ServiceProcess, ...]
    urls: tuple[str, ...]
    dsns: Dsns
    asker: ServiceClient
    redis: Server | Cluster | None


@asynccontextmanager
async def arena_of(
    folder: Path, dsns: Dsns, redis: Server | Cluster | None, count: int = 2, **more: str
) -> AsyncIterator[Arena]:
    """So many services, and somebody who asks them."""
    url = "" if redis is None else redis.url
    async with serving(count, folder, dsns, url, **more) as services:
        urls = tuple(service.url for service in services)
        asker = ServiceClient(urls)
        try:
            yield Arena(services, urls, dsns, asker, redis)
        finally:
            await asker.close()


@asynccontextmanager
async def serving(
    count: int, folder: Path, dsns: Dsns, redis_url: str = "", **more: str
) -> AsyncIterator[tuple[ServiceProcess, ...]]:
    """So many processes of the service on one database; nothing unforeseen happens in them."""
    settings = {**GENEROUS, "WARLOG_REDIS_URL": redis_url, **more}
    services = tuple(ServiceProcess(folder, dsns, **settings) for _ in range(count))
    try:
        await asyncio.gather(*(service.start() for service in services))
        yield services
        complaints = [line for service in services for line in service.complaints()]
        assert complaints == []
    finally:
        for service in services:
            await asyncio.to_thread(service.stop)


_PAGES: Final = msgspec.json.Decoder(_Page)
