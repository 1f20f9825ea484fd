"""The audience: subscribers and those who act before them, in a separate process.

    python _audience.py ASKED        `Listen`, `CatchUp` or `Idle` of _attending.py, as JSON

How this works. One loop over raw sockets. Subscribers only look for the numbers of events; those
who act post requests that were made beforehand. An event counts from the moment its action was
posted, or was due to be posted if the one before it was still under way, to the moment a subscriber
had its number in hand.
"""

import asyncio
import gc
import itertools
import socket
import sys
import time
from collections.abc import Iterator
from typing import cast
from urllib.parse import urlsplit

import msgspec
import uvloop
from _attending import CatchUp, CaughtUp, Heard, Idle, Listen, Settled, Stand
from _driving import Load
from _hearing import Room, SocketSubscriber, Subscriber, address_of, request_of
from _load import Requests, cpu_seconds
from _measuring import encoded, percentile

COMING_SECONDS = 60.0
HEARING_SECONDS = 20.0
WARM_SECONDS = 0.4
AT_ONCE = 50
REST_SECONDS = 0.3
PIECE_BYTES = 16_384
"""What a subscriber lets gather while actions come back to back: a dozen events."""


class Poster(asyncio.Protocol):
    """One kept-alive connection with one request under way."""

    def __init__(self) -> None:
        self._rest = b""
        self._answer: asyncio.Future[bytes] | None = None
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where requests go."""
        self.transport = cast(asyncio.Transport, transport)

    def connection_lost(self, _: Exception | None) -> None:
        """Whoever waits for an answer gets none."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(SystemExit("the service hung up"))

    def data_received(self, data: bytes) -> None:
        """Take the answer once it is whole."""
        answer = self._rest + data
        end = answer.find(b"\r\n\r\n")
        found = answer.find(b"content-length: ", 0, max(end, 0)) + 16
        size = int(answer[found : answer.find(b"\r\n", found)]) if found > 15 else 0
        if end < 0 or len(answer) < end + 4 + size:
            self._rest = answer
            return
        self._rest = b""
        if self._answer is not None:
            self._answer.set_result(answer)

    async def post(self, request: bytes) -> bytes:
        """The answer."""
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await self._answer


class Actions:
    """Requests to the service; it says which event they made."""

    def __init__(self, asked: Listen) -> None:
        bodies = [body.encode() for body in asked.bodies]
        self._requests = Requests(Load(url=asked.url, key=asked.key), asked.path, bodies)

    def following(self) -> bytes:
        """The next one."""
        return self._requests.following()

    def version(self, answer: bytes) -> int:
        """The last event it made."""
        if answer[9:12] != b"201" or answer.find(b'"stopped"') >= 0:
            raise SystemExit(answer.decode())
        at = answer.rfind(b'"version":') + 10
        return int(answer[at : answer.find(b",", at)])


class Numbers:
    """Requests to a bare server, which sends on what it gets: events numbered from 1."""

    _FRAME = b"x\nid: %d-00000000\nevent: event\ndata: "
    _AROUND = len(b"data: \n\n")

    def __init__(self, asked: Listen) -> None:
        self._asked = asked
        self._numbers = itertools.count(1)
        self._last = 0

    def following(self) -> bytes:
        """The next one."""
        body = b"\n\n".join([self._event(next(self._numbers)) for _ in range(self._asked.joined)])
        head = f"POST {self._asked.path} HTTP/1.1\r\nHost: {urlsplit(self._asked.url).netloc}\r\n"
        return b"%bContent-Length: %d\r\n\r\n%b" % (head.encode(), len(body), body)

    def version(self, answer: bytes) -> int:
        """How many were answered."""
        if answer[9:12] != b"204":
            raise SystemExit(answer.decode())
        self._last += self._asked.joined
        return self._last

    def _event(self, number: int) -> bytes:
        start = self._FRAME % number
        return start + b"x" * max(0, self._asked.record_bytes - len(start) - self._AROUND)


class Audience:
    """All subscribers of one process."""

    def __init__(self, stands: tuple[Stand, ...], key: str, *, is_greeted: bool = True) -> None:
        self.room = Room()
        self.stands = stands
        self.count = sum(stand.count for stand in stands)
        self._key = key
        self._is_greeted = is_greeted
        self.subscribers: list[Subscriber] = []
        self._coming: set[asyncio.Task[None]] = set()

    async def come(self, at_once: int) -> None:
        """Connect them, so many at the same time, and wait until all were greeted."""
        subscribers = list(self._made())
        for first in range(0, len(subscribers), at_once):
            await asyncio.gather(*map(self._connect, subscribers[first : first + at_once]))
        until = time.perf_counter() + COMING_SECONDS
        while self.room.greeted < self.count:
            if self.room.failure is not None:
                raise SystemExit(self.room.failure)
            if time.perf_counter() > until:
                greeted = f"{self.room.greeted} of {self.count} were greeted"
                raise SystemExit(f"{greeted}\n{self.room.refusal}")
            await asyncio.sleep(0.01)

    def read_in_pieces_of(self, least_bytes: int) -> None:
        """Be informed of what there is to read only when it is so much, so that reading is
        cheap.
        """
        for subscriber in self.subscribers:
            connected = subscriber.transport.get_extra_info("socket")
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, least_bytes)

    def leave(self, last: int) -> None:
        """Hang up; what did not come by now, up to event `last`, is lost."""
        self.room.is_leaving = True
        for subscriber in self.subscribers:
            self.room.flaws.lost += subscriber.missing + max(0, last - subscriber.at)
            subscriber.transport.abort()

    def _made(self) -> Iterator[Subscriber]:
        for number, stand in enumerate(self.stands):
            kind = SocketSubscriber if stand.is_socket else Subscriber
            for _ in range(stand.count):
                subscriber = kind(self.room, number, request_of(stand, self._key), self._is_greeted)
                subscriber.again = self._again
                self.subscribers.append(subscriber)
                yield subscriber

    async def _connect(self, subscriber: Subscriber) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(
            lambda: subscriber, *address_of(self.stands[subscriber.stand].url)
        )

    def _again(self, subscriber: Subscriber, pause: float) -> None:
        task = asyncio.create_task(self._connect_later(subscriber, pause))
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)

    async def _connect_later(self, subscriber: Subscriber, pause: float) -> None:
        await asyncio.sleep(pause)
        await self._connect(subscriber)


class Listening:
    """An audience before which somebody acts."""

    def __init__(self, asked: Listen) -> None:
        self._asked = asked
        self._audience = Audience(asked.stands, asked.key, is_greeted=bool(asked.bodies))
        self._room = self._audience.room
        self._requests = Actions(asked) if asked.bodies else Numbers(asked)
        self._last = 0
        self._sent: dict[int, float] = {}
        self._late: list[float] = []

    async def listened(self) -> Heard:
        """Act back to back, then at the paced rate."""
        asked, room = self._asked, self._room
        await self._audience.come(AT_ONCE)
        posters = [await self._poster() for _ in range(asked.actors)]
        first = self._last = self._audience.subscribers[0].at
        await self._act(posters, WARM_SECONDS)
        await self._hear(first)
        await asyncio.sleep(REST_SECONDS)

        begin, heard, octets = self._last, room.heard, room.octets
        self._audience.read_in_pieces_of(PIECE_BYTES)
        cpu, own = self._cpu(), time.process_time()
        began = time.perf_counter()
        await self._act(posters, asked.seconds)
        self._audience.read_in_pieces_of(1)
        await self._hear(first)
        seconds = time.perf_counter() - began
        cpu, own = self._cpu() - cpu, time.process_time() - own
        events, deliveries = self._last - begin, room.heard - heard
        octets = room.octets - octets
        await asyncio.sleep(REST_SECONDS)

        room.arrivals = []
        heard, paced_cpu = room.heard, self._cpu()
        await self._act_paced(posters[0])
        await self._hear(first)
        paced_cpu = self._cpu() - paced_cpu
        self._audience.leave(self._last)
        latencies = self._latencies(room.arrivals)
        return Heard(
            deliveries=deliveries,
            events=events,
            seconds=seconds,
            record_bytes=octets / max(1, deliveries),
            p50_ms=tuple([1000 * percentile(each, 0.5) for each in latencies]),
            p99_ms=tuple([1000 * percentile(each, 0.99) for each in latencies]),
            late_ms=1000 * percentile(self._late, 0.99),
            cpu=cpu,
            own_cpu=own,
            paced_cpu=paced_cpu,
            paced_deliveries=room.heard - heard,
            all_events=self._last - first,
            flaws=room.flaws,
        )

    async def _poster(self) -> Poster:
        loop = asyncio.get_running_loop()
        _, poster = await loop.create_connection(Poster, *address_of(self._asked.url))
        return poster

    async def _act(self, posters: list[Poster], seconds: float) -> None:
        until = time.perf_counter() + seconds
        await asyncio.gather(*[self._act_until(poster, until) for poster in posters])

    async def _act_until(self, poster: Poster, until: float) -> None:
        while time.perf_counter() < until:
            self._note(await poster.post(self._requests.following()))

    async def _act_paced(self, poster: Poster) -> None:
        due = time.perf_counter()
        for _ in range(round(self._asked.rate * self._asked.paced_seconds)):
            is_late = due < time.perf_counter()
            await asyncio.sleep(due - time.perf_counter())
            now = time.perf_counter()
            before, sent = self._last, due if is_late else now
            self._late.append(now - due)
            self._note(await poster.post(self._requests.following()))
            self._sent.update((seq, sent) for seq in range(before + 1, self._last + 1))
            due += 1 / self._asked.rate

    def _note(self, answer: bytes) -> None:
        self._last = max(self._last, self._requests.version(answer))

    async def _hear(self, first: int) -> None:
        """Everything that was posted since event `first`."""
        wanted = self._audience.count * (self._last - first)
        await self._room.hears(wanted, HEARING_SECONDS)

    def _latencies(self, arrivals: list[tuple[int, int, float]]) -> list[list[float]]:
        found: list[list[float]] = [[] for _ in self._asked.stands]
        for stand, seq, moment in arrivals:
            if seq in self._sent:
                found[stand].append(moment - self._sent[seq])
        return found

    def _cpu(self) -> float:
        return sum(map(cpu_seconds, self._asked.pids))


async def caught_up(asked: CatchUp) -> CaughtUp:
    """All at once, until the last one is up to date."""
    audience = Audience(asked.stands, asked.key)
    room, took = audience.room, list[float]()
    everybody = asyncio.Event()

    def finish(_: Subscriber, moment: float) -> None:
        took.append(moment - began)
        if len(took) == audience.count:
            everybody.set()

    room.until, room.finish = asked.until, finish
    cpu, own = sum(map(cpu_seconds, asked.pids)), time.process_time()
    began = time.perf_counter()
    await audience.come(audience.count)
    try:
        async with asyncio.timeout(COMING_SECONDS):
            await everybody.wait()
    except TimeoutError:
        raise SystemExit(f"{len(took)} of {audience.count} have all; {room.flaws}") from None
    cpu, own = sum(map(cpu_seconds, asked.pids)) - cpu, time.process_time() - own
    audience.leave(asked.until)
    return CaughtUp(
        began=began,
        seconds=max(took),
        p50_s=percentile(took, 0.5),
        p99_s=percentile(took, 0.99),
        put_off=room.put_off,
        cpu=cpu,
        own_cpu=own,
        bytes=room.octets,
        flaws=room.flaws,
    )


async def stay(asked: Idle) -> None:
    """Until there is nothing left to read from whoever started this."""
    audience = Audience(asked.stands, asked.key)
    await audience.come(AT_ONCE)
    print(encoded(Settled(streams=audience.count, put_off=audience.room.put_off)), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    audience.leave(0)


async def main(asked: Listen | CatchUp | Idle) -> None:
    """Do what was asked, and print what came of it."""
    match asked:
        case Listen():
            print(encoded(await Listening(asked).listened()))
        case CatchUp():
            print(encoded(await caught_up(asked)))
        case Idle():
            await stay(asked)


if __name__ == "__main__":
    what = msgspec.json.decode(sys.argv[1], type=Listen | CatchUp | Idle)
    gc.freeze()
    gc.disable()
    uvloop.run(main(what))
