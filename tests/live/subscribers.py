"""Those who follow a battle, come back after they were cut off, and hold what they hear to account.

How this works. A `Book` reads each record once however many hear the same bytes: the body hashes
to what is said, the parts are those that the body commits to. A `Subscriber` follows until asked
to stop, at any of several processes, and looks at each record as it comes: does it continue what
was heard before, by seq and by hash; does the id say so; was it greeted first, as who it is. What
does not fit is a flaw. At the end `compared` holds what was heard against the log.
"""

import asyncio
import itertools
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from tests.live.connections import EventLine, Line, SocketLine, opened
from tests.patience import PATIENCE_SECONDS

Kind = Literal["stream", "socket"]

NAP_SECONDS: Final = 0.05
PUT_OFF: Final = frozenset({429, 503})

_EVENT_LABEL: Final = b"warlog/event/1\x00"
_SEAL_LABEL: Final = b"warlog/seal/1\x00"


class Person(Struct, frozen=True, kw_only=True):
    """Who follows: a token, and the seat a key acts for.

    `role` is what the hello says, None where that changes. None of the `unseen` words is ever shown
    to them; all of the `seen` ones are to whoever hears the battle from its beginning.
    """

    name: str
    token: str
    acts_for: str | None = None
    seat: str | None = None
    role: str | None = None
    unseen: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()

    @property
    def headers(self) -> dict[str, str]:
        """What a request of theirs carries."""
        own = {"Authorization": f"Bearer {self.token}"}
        return own if self.acts_for is None else {**own, "Warlog-Seat": self.acts_for}


class Part(Struct):
    """A part as it is shown."""

    salt: str
    body: Raw | UnsetType = UNSET


class HeardEvent(Struct):
    """An event as it is shown, on a stream or in a page."""

    seq: int
    hash: str
    recorded_at: str
    event: Raw
    commits: tuple[str, ...]
    parts: Raw = Raw(b"[]")
    seen: Raw | UnsetType = UNSET

    @property
    def shown(self) -> tuple[bytes, bytes, bytes]:
        """What depends on who is shown, and on what was erased."""
        seen_bytes = b"" if isinstance(self.seen, UnsetType) else bytes(self.seen)
        return bytes(self.parts), seen_bytes, self.recorded_at.encode()

    @property
    def fixed(self) -> tuple[int, str, bytes, tuple[str, ...]]:
        """What is the same for everybody, for ever."""
        return self.seq, self.hash, bytes(self.event), self.commits


class _Body(Struct):
    seq: int
    prev: str
    sealed: str


class _BookEntry(Struct, frozen=True):
    """A record that was read: `raw` as it came."""

    raw: bytes
    event: HeardEvent
    prev: str


class Book:
    """Everything that anybody heard, each record once."""

    def __init__(self) -> None:
        self._entries: dict[bytes, _BookEntry] = {}
        self.flaws: list[str] = []

    def read(self, raw: bytes) -> _BookEntry:
        """An event as it came over a line."""
        entry = self._entries.get(raw)
        if entry is None:
            entry = self._entries[raw] = self._read(raw)
        return entry

    def _read(self, raw: bytes) -> _BookEntry:
        event = msgspec.json.decode(raw, type=HeardEvent)
        body = msgspec.json.decode(event.event, type=_Body)
        if sha256(_EVENT_LABEL + bytes(event.event)).hexdigest() != event.hash:
            self.flaws.append(f"event {event.seq} is not what its hash says")
        if body.seq != event.seq:
            self.flaws.append(f"event {event.seq} says it is {body.seq}")
        if sha256(bytes.fromhex("".join(event.commits))).hexdigest() != body.sealed:
            self.flaws.append(f"event {event.seq} seals other parts")
        for part in msgspec.json.decode(event.parts, type=tuple[Part, ...]):
            if isinstance(part.body, UnsetType):
                continue
            sealed = sha256(_SEAL_LABEL + bytes.fromhex(part.salt) + bytes(part.body)).hexdigest()
            if sealed not in event.commits:
                self.flaws.append(f"event {event.seq} does not seal what is told of it")
        return _BookEntry(raw, event, body.prev)


class _Hello(Struct):
    seq: int
    hash: str
    role: str
    seat: str | UnsetType = UNSET


class _Last(Struct):
    type: str
    reason: str


class Subscriber:
    """Follows as one person, over one kind of line.

    `restless` is the mean number of seconds after which it vanishes and comes back, 0 for never.
    `began` is the seq behind which it heard everything, None before the first hello. `last_words`
    are those of the service, `refused` the status after which it does not come back.
    """

    def __init__(
        self,
        book: Book,
        who: Person,
        address: str,
        urls: Sequence[str],
        kind: Kind,
        *,
        after: int | None = None,
        restless: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.who, self.kind = who, kind
        self.book = book
        self.flaws: list[str] = []
        self.heard: list[_BookEntry] = []
        self.hellos: list[_Hello] = []
        self.kinds: Counter[str] = Counter()
        self.last_words: list[tuple[str, str]] = []
        self.close_codes: list[int] = []
        self.refused: int | None = None
        self.connects = 0
        self.receive_bytes: int | None = None
        self.line: Line | None = None
        self.began: int | None = None
        self._place: tuple[int, str] | None = None if after is None else (after, "00000000")
        self._from_start = after == 0
        self._address = address
        self._urls = urls
        self._chance = Random(seed)
        self._restless = restless
        self._next = self._chance.randrange(len(urls))
        self._is_greeted = False

    @property
    def seq(self) -> int:
        """The last event it heard of, or the one it began behind."""
        return self._place[0] if self._place is not None and self.began is not None else -1

    @property
    def url(self) -> str:
        """The process that it is at, or tries next."""
        return self._urls[self._next % len(self._urls)]

    async def follow(self) -> None:
        """Follow until cancelled or refused."""
        while self.refused is None:
            line = await self._connect()
            if line is not None:
                await self._stay(line)
                self._judge(line)
            self._next += 1
            await asyncio.sleep(self._chance.uniform(0, 2 * NAP_SECONDS))

    async def _connect(self) -> Line | None:
        headers = dict(self.who.headers)
        query = ""
        self._is_greeted = False
        if self._place is not None:
            if self.kind == "socket" or self._chance.random() < 0.3:
                query = f"?after={self._cursor}"
            else:
                headers["Last-Event-ID"] = self._cursor
        kind = EventLine if self.kind == "stream" else SocketLine
        line = kind(f"{self._address}/{self.kind}{query}", headers, self._took)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await opened(line, self.url, self.receive_bytes)
        except OSError:
            return None
        self.connects += 1
        self.line = line
        return line

    async def _stay(self, line: Line) -> None:
        try:
            if not self._restless:
                await line.over.wait()
                return
            async with asyncio.timeout(self._chance.expovariate(1 / self._restless)):
                await line.over.wait()
        except TimeoutError:
            pass
        finally:
            line.vanish()
            line.took = _unheard

    def _judge(self, line: Line) -> None:
        if line.close_code is not None:
            self.close_codes.append(line.close_code)
        if line.status in (0, 101, 200) or line.status in PUT_OFF:
            return
        self.refused = line.status
        if line.status not in (401, 404):
            self._flaw(f"was refused: {line.problem!r}")

    @property
    def _cursor(self) -> str:
        assert self._place is not None
        return f"{self._place[0]}-{self._place[1][:8]}"

    def _flaw(self, what: str) -> None:
        self.flaws.append(f"{self.who.name} over a {self.kind} at {self._place}: {what}")

    def _took(self, name: str, body: bytes) -> None:
        kind = body[9 : body.index(b'"', 9)].decode()
        self.kinds[kind] += 1
        if not self._is_greeted and kind not in ("hello", "bye", "resync"):
            self._flaw(f"was told {kind} before hello")
        if kind == "event":
            self._took_event(name, body)
        elif kind == "hello":
            self._took_hello(name, body)
        elif name and (self._place is None or name != self._cursor):
            self._flaw(f"the id of a {kind} is {name}")
        if kind in ("bye", "resync"):
            last = msgspec.json.decode(body, type=_Last)
            self.last_words.append((last.type, last.reason))

    def _took_hello(self, name: str, body: bytes) -> None:
        self._is_greeted = True
        hello = msgspec.json.decode(body, type=_Hello)
        self.hellos.append(hello)
        seq, _, digits = name.partition("-")
        if self._place is None:
            self._place = (int(seq), digits)
        elif name != self._cursor:
            self._flaw(f"is greeted at {name}")
        if self.began is None:
            self.began = self._place[0]
        if hello.seq < self._place[0]:
            self._flaw(f"is told that the log ends at {hello.seq}")
        if self.who.role not in (None, hello.role):
            self._flaw(f"is greeted as {hello.role}")
        if hello.seat != (UNSET if self.who.seat is None else self.who.seat):
            self._flaw(f"is greeted as seat {hello.seat}")

    def _took_event(self, name: str, body: bytes) -> None:
        entry = self.book.read(body)
        event = entry.event
        if self._place is None:
            return
        seq, head = self._place
        if event.seq != seq + 1:
            self._flaw(f"is told event {event.seq}")
        elif seq and not entry.prev.startswith(head):
            self._flaw(f"is told event {event.seq} of another history")
        if name != f"{event.seq}-{event.hash[:8]}":
            self._flaw(f"the id of event {event.seq} is {name}")
        self._place = (event.seq, event.hash)
        self.heard.append(entry)

    def compared(
        self, log: Mapping[int, HeardEvent], head: int, erased: Collection[int]
    ) -> list[str]:
        """What is wrong with what was heard of a log that ends at `head`.

        `log` is what this person is shown of it now; of `erased` events the text may be another.
        """
        if self.began is None:
            return [f"{self.who.name} was never greeted"]
        if [entry.event.seq for entry in self.heard] != list(range(self.began + 1, head + 1)):
            self._flaw(f"heard {len(self.heard)} events behind {self.began}, the log has {head}")
        for event in [entry.event for entry in self.heard]:
            now = log.get(event.seq)
            if now is None or event.fixed != now.fixed:
                self._flaw(f"event {event.seq} is another one in the log")
            elif event.shown != now.shown and event.seq not in erased and self.who.role:
                self._flaw(f"event {event.seq} was told {event.shown}, the log has {now.shown}")
        everything = b"".join(entry.raw for entry in self.heard)
        for word in self.who.unseen:
            if word.encode() in everything:
                self._flaw(f"was told of {word}")
        for word in self.who.seen if self._from_start else ():
            if word.encode() not in everything:
                self._flaw(f"was not told of {word}")
        return self.flaws


def _unheard(_: str, __: bytes) -> None:
    """What comes when nobody listens any more."""


def spread(
    book: Book,
    people: Sequence[Person],
    address: str,
    urls: Sequence[str],
    count: int,
    restless: float,
) -> list[Subscriber]:
    """So many subscribers, all people over both kinds of lines: some from event 1 on, some stay."""
    subscribers = []
    for number, (kind, who) in zip(
        range(count), itertools.cycle(itertools.product(_KINDS, people)), strict=False
    ):
        subscribers.append(
            Subscriber(
                book,
                who,
                address,
                urls,
                kind,
                after=0 if Random(number).random() < 0.3 else None,
                restless=restless if number % 5 else 0.0,
                seed=number,
            )
        )
    return subscribers


_KINDS: Final[tuple[Kind, ...]] = ("stream", "socket")
