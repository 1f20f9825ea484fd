"""2,000 clients at once that read a battle of 1,000 events from the beginning; and idle ones.

All of them connect at the same moment and ask for everything. Meanwhile, as before, actions fall
due at fixed times in other battles of the same process: their p99 then next to their p99 before.
What the process grows by is its resident memory at the highest, looked at twenty times a second,
after a restart in every round. Who is told 503 asks again when Retry-After is over.

Then so many streams on which nothing happens, and what each adds to the process.
"""

import threading
import time
from argparse import Namespace
from urllib.parse import urlsplit

from _attending import (
    BEFORE_ALL,
    CatchUp,
    CaughtUp,
    Idle,
    Stand,
    allow_connections,
    caught_up,
    settled,
)
from _battles import BATTLES
from _driving import Load, played
from _load import Client, Connection, Requests, bodies_of
from _measuring import Table, at_most, parser, percentile
from _service import Service
from memory import MEBIBYTE, resident
from msgspec import Struct

BATTLE = BATTLES["crossfire-d6"]
ACTORS = 4
RATE = 25.0
"""Actions a second of each of them."""
LOOK_SECONDS = 0.05
WARM_STREAMS = 100
SETTLE_SECONDS = 1.0
SETTINGS = {"WARLOG_STREAMS_PER_CALLER": "100000"}
KIBIBYTE = 1 << 10
CREATED = b"HTTP/1.1 201"
UNAVAILABLE = b"HTTP/1.1 503"


class Storm(Struct, frozen=True, kw_only=True):
    """One round."""

    found: CaughtUp
    grown_bytes: int
    before_p99_ms: float
    during_p99_ms: float
    refused: int


class Appends:
    """Actors that go on acting until they are stopped, each in a separate battle.

    Keeps when each action was due and how long it took from then; and when one was answered 503,
    after which its actor rests as long as it is asked to.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._stop = threading.Event()
        self._taken: list[tuple[float, float]] = []
        self._refused: list[float] = []
        client = Client(service.url, service.key)
        self._threads = [
            threading.Thread(
                target=self._act,
                args=(client.created(BATTLE.creation), number / RATE / ACTORS),
            )
            for number in range(ACTORS)
        ]

    def __enter__(self) -> "Appends":
        """Begin."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Finish."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def p99_ms(self, since: float, until: float) -> float:
        """Of the actions that fell due in this time."""
        taken = [took for due, took in self._taken if since <= due < until]
        if not taken:
            raise SystemExit("no action was accepted")
        return 1000 * percentile(taken, 0.99)

    def refused(self, since: float, until: float) -> int:
        """How many were answered 503 in this time."""
        return sum([since <= moment < until for moment in self._refused])

    def _act(self, encounter: str, late: float) -> None:
        load = Load(url=self._service.url, key=self._service.key)
        path = f"/v1/encounters/{encounter}/actions"
        address = urlsplit(load.url)
        where = (address.hostname or "", address.port or 80)
        connection = Connection(where, Requests(load, path, bodies_of(BATTLE.cycle, 1)))
        due = time.perf_counter() + late
        while not self._stop.wait(max(0.0, due - time.perf_counter())):
            connection.send(due)
            answer = None
            while answer is None:
                answer = connection.receive()
            now = time.perf_counter()
            if answer.startswith(CREATED):
                self._taken.append((due, now - due))
                due += 1 / RATE
            elif answer.startswith(UNAVAILABLE):
                self._refused.append(now)
                due = now + pause_of(answer)
                if answer.find(b"connection: close") >= 0:
                    connection.open()
            else:
                raise SystemExit(answer.decode())


def pause_of(answer: bytes) -> float:
    """Seconds of Retry-After."""
    at = answer.find(b"retry-after: ")
    return float(answer[at + 13 : answer.find(b"\r\n", at)]) if at >= 0 else 1.0


class Highest:
    """The most resident bytes of a process while the context lasts."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.first = self.bytes = resident(pid)

    def __enter__(self) -> "Highest":
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Finish."""
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            self.bytes = max(self.bytes, resident(self._pid))


def storm(service: Service, encounter: str, given: Namespace) -> Storm:
    """One round, after a restart."""
    service.restart()
    path = f"/v1/encounters/{encounter}/stream"
    stand = Stand(url=service.url, path=path, count=1, after=BEFORE_ALL)
    asked = CatchUp(stands=(stand,), until=given.events, key=service.key, pids=(service.pid,))
    caught_up(asked)
    stand.count = given.clients
    with Appends(service) as appends, Highest(service.pid) as highest:
        time.sleep(SETTLE_SECONDS)
        began = time.perf_counter()
        time.sleep(given.seconds)
        begun = time.perf_counter()
        found = caught_up(asked)
        time.sleep(SETTLE_SECONDS)
    ended = found.began + found.seconds
    return Storm(
        found=found,
        grown_bytes=highest.bytes - highest.first,
        before_p99_ms=appends.p99_ms(began, begun),
        during_p99_ms=appends.p99_ms(found.began, ended),
        refused=appends.refused(found.began, ended),
    )


def add_storms(table: Table, service: Service, given: Namespace) -> None:
    """The clients that catch up."""
    encounter = str(played(service.url, service.key, "crossfire-d6", given.events))
    storms = [storm(service, encounter, given) for _ in range(given.rounds)]
    found = [each.found for each in storms]
    name = f"{given.clients:,} clients, {given.events:,} events"
    table.add(f"{name}: all have all", [each.seconds for each in found], "s")
    table.add("… half of them", [each.p50_s for each in found], "s")
    table.add("… all of it", [each.bytes / MEBIBYTE for each in found], "MiB")
    rates = [given.clients * given.events / each.seconds for each in found]
    table.add("… events", rates, "deliveries/s")
    table.add("… CPU of the service", [each.cpu for each in found], "s")
    table.add("… CPU of the clients", [each.own_cpu for each in found], "s")
    table.add("… told to come later", [float(each.put_off) for each in found], "answers")
    table.add("… memory grows by", [each.grown_bytes / MEBIBYTE for each in storms], "MiB")
    flaws = [float(each.flaws.total) for each in found]
    table.add("… lost, doubled, out of order, ended", flaws, target=at_most(0))
    table.add("actions before: p99", [each.before_p99_ms for each in storms], "ms")
    table.add("actions meanwhile: p99", [each.during_p99_ms for each in storms], "ms")
    refused = [float(each.refused) for each in storms]
    table.add("… told to come later", refused, "answers")
    ratios = [each.during_p99_ms / each.before_p99_ms for each in storms]
    table.add("p99 meanwhile / before", ratios, target=at_most(2))


def idle_kib(service: Service, count: int, *, is_socket: bool) -> float:
    """KiB that each of so many idle subscribers adds, after a restart."""
    service.restart()
    encounter = Client(service.url, service.key).created(BATTLE.creation)
    path = f"/v1/encounters/{encounter}/{'socket' if is_socket else 'stream'}"
    stand = Stand(url=service.url, path=path, count=WARM_STREAMS, is_socket=is_socket)
    asked = Idle(stands=(stand,), key=service.key)
    with settled(asked):
        time.sleep(SETTLE_SECONDS)
    time.sleep(SETTLE_SECONDS)
    before = resident(service.pid)
    stand.count = count
    with settled(asked):
        time.sleep(SETTLE_SECONDS)
        return (resident(service.pid) - before) / count / KIBIBYTE


def main() -> None:
    """Measure and print."""
    options = parser(__doc__, rounds=3, seconds=4)
    options.add_argument("--clients", type=int, default=2_000, help="(default %(default)s)")
    options.add_argument("--events", type=int, default=1_000, help="(default %(default)s)")
    options.add_argument("--idle", type=int, default=1_000, help="(default %(default)s)")
    given = options.parse_args()
    allow_connections()
    with Table(given.rows) as table, Service(SETTINGS) as service:
        add_storms(table, service, given)
        for is_socket, what in ((False, "stream"), (True, "socket")):
            added = [
                idle_kib(service, given.idle, is_socket=is_socket) for _ in range(given.rounds)
            ]
            table.add(f"memory per idle {what}", added, "KiB")


if __name__ == "__main__":
    main()
