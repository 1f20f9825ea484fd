"""A load of clients that play many encounters over HTTP and write down every call.

How this works. Each client picks an encounter (a few of them get most of the traffic), makes up a
request and sends it until it knows what came of it: whoever heard nothing, or was told that
nobody knows, asks again under the same key. Some requests are sent twice, at the same time or one
after the other; some name a head of long ago. What a client knows of a battle it has from the
answers of all clients, so its picture may be old by the time it acts.
"""

import asyncio
import itertools
import random
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from hashlib import sha256

import msgspec
from msgspec import Raw, Struct

from service.encounters.responses import Receipt
from tests.durability.battles import COMBATANTS, creation
from tests.durability.history import Asked, History, Outcome, Told
from tests.durability.wire import AnswerLost, NotConnected, Reply, Wire
from tests.patience import PATIENCE_SECONDS

PAUSE_SECONDS = (0.02, 0.3)
POISON = "poisoned"
REPLAYED = "replayed"
CREATED = 201
UNAVAILABLE = 503


class Key(Struct, frozen=True, kw_only=True):
    """An API key: what its holder sends, and how the log names it."""

    token: str
    principal: str


class Mix(Struct, frozen=True, kw_only=True):
    """How many clients and encounters, and which share of the requests is peculiar.

    A client thinks for so many seconds on average before its next request.
    """

    clients: int = 10
    encounters: int = 6
    duplicates: float = 0.2
    stale: float = 0.1
    conditional: float = 0.1
    vanishing: float = 0.0
    poisoned: float = 0.0
    erasing: float = 0.0
    think_seconds: float = 0.06


class _Effect(Struct):
    type: str
    combatant: str | None = None


class _Body(Struct):
    base: int
    effects: tuple[_Effect, ...]


class _Event(Struct):
    seq: int
    hash: str
    recorded_at: str
    event: _Body


class _Answer(Struct):
    events: Raw
    version: int
    etag: str
    receipt: Receipt


class _Problem(Struct):
    code: str


class Battle:
    """What the clients together know of one encounter: `head` is the last seq they heard of."""

    def __init__(self, encounter: str) -> None:
        self.id = encounter
        self.head = 0
        self.tags: dict[int, str] = {}
        self._turns: dict[int, str] = {}

    @property
    def turn(self) -> str:
        """Whose turn it was there."""
        return self._turns.get(self.head, "c0")

    def forget(self) -> None:
        """What was heard of it is not so any more."""
        self.head = 0
        self.tags.clear()
        self._turns.clear()

    def learn(self, answer: _Answer, events: tuple[_Event, ...]) -> None:
        """Take note of an answer."""
        for event in events:
            began = [each.combatant for each in event.event.effects if each.type == "turn_began"]
            before = self._turns.get(event.event.base, "c0")
            self._turns[event.seq] = (began[-1] if began else None) or before
        self.tags[answer.version] = answer.etag
        self.head = max(self.head, answer.version)


class _Request(Struct, frozen=True, kw_only=True):
    """A request that may be sent more than once."""

    battle: Battle
    holder: Key
    key: str | None
    if_match: str | None
    actions: tuple[dict[str, object], ...]

    @property
    def body(self) -> bytes:
        items = [{"action": action} for action in self.actions]
        return msgspec.json.encode(items[0] if len(items) == 1 else {"actions": items})

    @property
    def headers(self) -> dict[str, str]:
        given = {
            "Idempotency-Key": self.key,
            "If-Match": None if self.if_match is None else f'"{self.if_match}"',
        }
        return {name: value for name, value in given.items() if value is not None}

    @property
    def asked(self) -> Asked:
        poisoned = (
            index for index, action in enumerate(self.actions) if POISON in str(action.get("text"))
        )
        return Asked(
            encounter=self.battle.id,
            principal=self.holder.principal,
            key=self.key,
            if_match=self.if_match,
            actions=len(self.actions),
            poison=next(poisoned, None),
        )


class Load:
    """Clients of one service, or of several on one database."""

    def __init__(
        self,
        urls: tuple[str, ...],
        keys: tuple[Key, ...],
        history: History,
        mix: Mix,
        *,
        seed: int = 1,
    ) -> None:
        self._urls = urls
        self._keys = keys
        self._history = history
        self._mix = mix
        self._random = random.Random(seed)
        self._over = asyncio.Event()
        self._names = itertools.count()
        self._counts: dict[int, itertools.count[int]] = defaultdict(itertools.count)
        self._acknowledged: Counter[str] = Counter()
        self._codes: Counter[str] = Counter()
        self.battles: list[Battle] = []

    async def prepare(self) -> None:
        """Create the encounters and start them."""
        for number in range(self._mix.encounters):
            holder = self._keys[number % len(self._keys)]
            wire = Wire(self._urls[0], holder.token)
            key = {"Idempotency-Key": f"create{number}"}
            reply = await wire.post("/v1/encounters", key, msgspec.json.encode(creation()))
            wire.close()
            if reply.status != CREATED:
                raise AssertionError(reply.body)
            battle = Battle(msgspec.json.decode(reply.body)["encounter"])
            self.battles.append(battle)
            start = _Request(
                battle=battle,
                holder=holder,
                key="start",
                if_match=None,
                actions=({"type": "start_encounter"},),
            )
            async with _Wires(self._urls, holder) as wires:
                await self._resolve(wires, start, self._urls[0])

    async def run(self) -> None:
        """Play until `stop`, then until every open question is answered."""
        self._over.clear()
        async with asyncio.TaskGroup() as group:
            for number in range(self._mix.clients):
                group.create_task(self._client(number))

    def stop(self) -> None:
        """Begin nothing new."""
        self._over.set()

    def acknowledged(self) -> Counter[str]:
        """How many requests each service has acknowledged so far."""
        return self._acknowledged.copy()

    def told(self, code: str) -> int:
        """How many calls were shown this so far, or under REPLAYED what an earlier one was
        shown.
        """
        return self._codes[code]

    def lost_to(self, heads: Mapping[str, tuple[int, str]]) -> tuple["Battle", str] | None:
        """A battle that is known to have gone on behind one of these heads, and the tag it had."""
        for battle in self.battles:
            if battle.head > heads[battle.id][0]:
                return battle, battle.tags[battle.head]
        return None

    async def act_behind(self, battle: "Battle", tag: str) -> str | None:
        """Act behind a head of this tag, which the battle may not have any more; the code shown."""
        holder = self._keys[0]
        request = _Request(
            battle=battle,
            holder=holder,
            key=f"behind-{next(self._names)}",
            if_match=tag,
            actions=({"type": "note", "text": "As if nothing had happened"},),
        )
        async with _Wires(self._urls, holder) as wires:
            return (await self._resolve(wires, request, self._urls[0])).code

    async def _client(self, number: int) -> None:
        holder = self._keys[number % len(self._keys)]
        async with _Wires(self._urls, holder) as wires:
            while not self._over.is_set():
                # Holders use each other's names for keys: a key is its holder's alone.
                key = f"k{number // len(self._keys)}-{next(self._counts[number])}"
                await self._one(wires, self._made_up(holder, key), number)
                await asyncio.sleep(self._random.uniform(0, 2 * self._mix.think_seconds))

    async def _one(self, wires: "_Wires", request: _Request, number: int) -> None:
        first, other = (self._urls[each % len(self._urls)] for each in (number, number + 1))
        if request.key is None:
            await self._call(wires, first, request)
            return
        chance = self._random.random()
        if chance < self._mix.duplicates / 2:
            async with _Wires(self._urls, request.holder) as beside:
                await asyncio.gather(
                    self._resolve(wires, request, first), self._resolve(beside, request, other)
                )
            return
        await self._resolve(wires, request, first)
        if chance < self._mix.duplicates:
            await self._resolve(wires, request, other)

    async def _resolve(self, wires: "_Wires", request: _Request, url: str) -> Told:
        """Ask until it is known what came of it; not for ever once the load is over."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            told = await self._call(wires, url, request)
            if is_settled(told) or time.monotonic() > deadline:
                return told
            await asyncio.sleep(self._random.uniform(*PAUSE_SECONDS))

    async def _call(self, wires: "_Wires", url: str, request: _Request) -> Told:
        call = self._history.invoke(request.asked)
        told = await self._told(wires.of(url), request)
        self._history.end(call, told)
        self._acknowledged[url] += told.outcome == "ok"
        self._codes[told.code or ""] += 1
        self._codes[REPLAYED] += told.is_replay
        return told

    async def _told(self, wire: Wire, request: _Request) -> Told:
        path = f"/v1/encounters/{request.battle.id}/actions"
        vanishes = self._mix.vanishing and self._random.random() < self._mix.vanishing
        try:
            if vanishes and not self._over.is_set():
                pause = self._random.uniform(0, 0.01)
                await wire.post_and_vanish(path, request.headers, request.body, pause)
                return Told(outcome="unknown", code="vanished")
            reply = await wire.post(path, request.headers, request.body)
        except NotConnected:
            return Told(outcome="refused", code="not_connected")
        except AnswerLost:
            return Told(outcome="unknown", code="answer_lost")
        return self._understood(request.battle, reply)

    def _understood(self, battle: Battle, reply: Reply) -> Told:
        if reply.status != CREATED:
            code = msgspec.json.decode(reply.body, type=_Problem).code
            if code == "history_diverged":
                battle.forget()
            is_unknown = code in ("outcome_unknown", "internal_error")
            outcome: Outcome = "unknown" if is_unknown else "refused"
            return Told(outcome=outcome, status=reply.status, code=code)
        answer = msgspec.json.decode(reply.body, type=_Answer)
        events = msgspec.json.decode(answer.events, type=tuple[_Event, ...])
        battle.learn(answer, events)
        hashes = tuple(event.hash for event in events)
        # Text that was erased since is missing from a later answer, and rightly so.
        same = repr([(each.hash, each.recorded_at) for each in events]).encode()
        return Told(
            outcome="ok",
            status=reply.status,
            version=answer.version,
            seqs=tuple(event.seq for event in events),
            hashes=hashes,
            digest=sha256(same if self._mix.erasing else answer.events).hexdigest(),
            is_replay=b"idempotency-replayed: true" in reply.head,
            receipt=answer.receipt,
        )

    def _made_up(self, holder: Key, key: str) -> _Request:
        weights = [1 / rank for rank in range(1, len(self.battles) + 1)]
        [battle] = self._random.choices(self.battles, weights)
        chance = self._random.random()
        tag = None
        is_keyed = True
        if chance < self._mix.stale and battle.tags:
            tag = self._random.choice(list(battle.tags.values()))
            is_keyed = self._random.random() < 0.5
        elif chance < self._mix.stale + self._mix.conditional and battle.tags:
            tag = battle.tags[battle.head]
            is_keyed = self._random.random() < 0.5
        return _Request(
            battle=battle,
            holder=holder,
            key=key if is_keyed else None,
            if_match=tag,
            actions=self._actions(battle),
        )

    def _actions(self, battle: Battle) -> tuple[dict[str, object], ...]:
        if self._random.random() < 0.12:
            return tuple(self._action(battle) for _ in range(self._random.randint(2, 6)))
        return (self._action(battle),)

    def _action(self, battle: Battle) -> dict[str, object]:
        chance = self._random.random()
        shooter = battle.turn
        if chance < self._mix.poisoned:
            return {"type": "note", "text": f"{POISON} {next(self._names)}"}
        if self._random.random() < self._mix.erasing and battle.head > 3:
            return {"type": "erase", "seqs": [self._random.randint(3, battle.head)]}
        if chance < 0.3:
            target = f"c{(int(shooter[1:]) + COMBATANTS // 2) % COMBATANTS}"
            shot: dict[str, object] = {"type": "ranged_attack", "weapon": "rifle"}
            return shot | {"combatant": shooter, "target": target}
        if chance < 0.42:
            return {"type": "end_turn", "combatant": shooter}
        if chance < 0.47 and battle.head > 3:
            return {"type": "rewind", "to": self._random.randint(2, battle.head - 1)}
        return {"type": "note", "text": f"note {next(self._names)}"}


class _Wires:
    """A client's connections, one to each service."""

    def __init__(self, urls: tuple[str, ...], holder: Key) -> None:
        self._wires = {url: Wire(url, holder.token) for url in urls}

    def of(self, url: str) -> Wire:
        return self._wires[url]

    async def __aenter__(self) -> "_Wires":
        return self

    async def __aexit__(self, *_: object) -> None:
        for wire in self._wires.values():
            wire.close()


def is_settled(told: Told) -> bool:
    """Whether the client knows what came of its request and need not ask again."""
    if told.outcome == "unknown" or told.status is None:
        return False
    return told.status != UNAVAILABLE and told.code != "in_progress"
