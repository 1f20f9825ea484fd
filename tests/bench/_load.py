"""The load: actions over HTTP from a separate process, lean enough not to be what is measured.

    python _load.py LOAD        LOAD and what is printed are JSON: `Load` and `Found` of _driving.py

How this works. One loop over raw sockets sends requests that were made beforehand and looks at
no more of an answer than it must. Each connection plays a separate encounter, unless they
share one, and has one request under way. With a `rate` requests fall due at fixed times,
whatever the service does, and a latency counts from the time the request was due: a service that
stalls pays for everything that fell due meanwhile. Without one the next request follows the
answer. A 503 is sent again, under the same key, when its Retry-After is over.
"""

import gc
import heapq
import http.client
import itertools
import math
import select
import socket
import sys
import time
import uuid
from collections import deque
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from _battles import BATTLES, Tree, secretive
from _driving import Found, Load
from _measuring import encoded, percentile

CREATED = 201
UNAVAILABLE = 503
IDLE_SECONDS = 30.0


class Requests:
    """The requests of one encounter, in their order for ever; each is its bytes around the key."""

    def __init__(self, load: Load, path: str, bodies: list[bytes]) -> None:
        address = urlsplit(load.url).netloc
        run = uuid.uuid4().hex
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {load.key}\r\n"
            f"Content-Type: application/json\r\nIdempotency-Key: {run}"
        ).encode()
        self._made = [
            (head, b"\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)) for body in bodies
        ]
        self._next = itertools.count()

    def following(self) -> bytes:
        """The next request under a separate key."""
        number = next(self._next)
        head, tail = self._made[number % len(self._made)]
        return head + b"%d" % number + tail


class Connection:
    """One kept-alive connection with one request under way; `due` is when that fell due."""

    def __init__(self, address: tuple[str, int], requests: Requests) -> None:
        self._address = address
        self._requests = requests
        self._under_way: bytes | None = None
        self._rest = b""
        self.due = 0.0
        self.open()

    def open(self) -> None:
        """Connect, again if need be."""
        self.socket = socket.create_connection(self._address, IDLE_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, due: float) -> None:
        """Send the next request, or the one that was refused."""
        self.due = due
        if self._under_way is None:
            self._under_way = self._requests.following()
        self.socket.sendall(self._under_way)

    def receive(self) -> bytes | None:
        """The whole answer, None while there is more to come."""
        read = self.socket.recv(262_144)
        if not read:
            raise SystemExit("the service hung up")
        answer = self._rest + read if self._rest else read
        end = answer.find(b"\r\n\r\n")
        at = answer.find(b"content-length: ", 0, end) + 16
        if end < 0 or len(answer) < end + 4 + int(answer[at : answer.find(b"\r\n", at)]):
            self._rest = answer
            return None
        self._rest = b""
        if answer[9:12] == b"201":
            self._under_way = None
        return answer


class Run:
    """One load from its first request to its last answer."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._accepted = b'"accepted":%d,' % load.per_request
        self.encounters: list[str] = []
        self._connections = self._connected()
        self._by_file = {each.socket.fileno(): each for each in self._connections}
        self._poll = select.epoll()
        for file in self._by_file:
            self._poll.register(file, select.EPOLLIN)
        self._idle = deque(self._connections)
        self._resting: list[tuple[float, int, Connection]] = []
        self._waiting: deque[float] = deque()
        self._latencies: list[float] = []
        self._refusals: list[float] = []
        self._late: list[float] = []
        self._versions: list[int] = []
        self._acknowledged = 0
        self._began = time.perf_counter()
        self._next_due = self._began
        self._counted_from = self._began + load.warm
        self._until = self._counted_from + load.seconds

    def played(self) -> Found:
        """Play it."""
        while (now := time.perf_counter()) < self._counted_from:
            self._step(now)
        counted = self._acknowledged
        cpu = self._cpu()
        began = time.perf_counter()
        most = self._load.events or sys.maxsize
        while (now := time.perf_counter()) < self._until and self._acknowledged < most:
            self._step(now)
        ended = time.perf_counter()
        actions = self._acknowledged - counted
        used = [after - before for before, after in zip(cpu, self._cpu(), strict=True)]
        # What fell due and was not even sent waits this long at least.
        self._latencies += [ended - due for due in self._waiting if due >= self._counted_from]
        self._drain()
        return Found(
            actions=actions,
            seconds=ended - began,
            p50_ms=1000 * percentile(self._latencies, 0.5),
            p99_ms=1000 * percentile(self._latencies, 0.99),
            refused=len(self._refusals),
            refused_p99_ms=1000 * percentile(self._refusals, 0.99),
            late_ms=1000 * percentile(self._late, 0.99),
            cpu=used[0],
            database_cpu=used[1],
            own_cpu=used[2],
            encounters=tuple(self.encounters),
            versions=tuple(self._versions),
        )

    def _connected(self) -> list[Connection]:
        address = urlsplit(self._load.url)
        where = (address.hostname or "", address.port or 80)
        battle = BATTLES[self._load.battle]
        actions = battle.unordered if self._load.is_shared else battle.cycle
        bodies = bodies_of(actions, self._load.per_request)
        count = 1 if self._load.is_shared else self._load.connections
        creation = secretive(battle.creation) if self._load.is_secretive else battle.creation
        paths = [self._load.path or self._created(creation) for _ in range(count)]
        return [
            Connection(where, Requests(self._load, path, bodies))
            for path in itertools.islice(itertools.cycle(paths), self._load.connections)
        ]

    def _created(self, creation: Tree) -> str:
        """A running encounter's path for actions."""
        client = Client(self._load.url, self._load.key)
        encounter = client.created(creation)
        self.encounters.append(encounter)
        return f"/v1/encounters/{encounter}/actions"

    def _step(self, now: float) -> None:
        while self._resting and self._resting[0][0] <= now:
            self._idle.append(heapq.heappop(self._resting)[2])
        if self._load.rate is None:
            while self._idle:
                self._idle.popleft().send(now)
        else:
            self._send_what_is_due(now, self._load.rate)
        self._wait()

    def _send_what_is_due(self, now: float, rate: float) -> None:
        is_prompt = not self._waiting
        while self._next_due <= now:
            self._waiting.append(self._next_due)
            self._next_due += 1 / rate
        while self._waiting and self._idle:
            due = self._waiting.popleft()
            if is_prompt:
                self._late.append(now - due)
            self._idle.popleft().send(due)

    def _wait(self) -> None:
        """Until an answer comes or something falls due; epoll alone waits whole milliseconds."""
        now = time.perf_counter()
        times = [self._until if self._counted_from <= now else self._counted_from]
        if self._load.rate is not None and self._idle:
            times.append(self._next_due)
        if self._resting:
            times.append(self._resting[0][0])
        # What fell due while this was worked out is not waited for.
        ahead = max(0.0, min(times) - time.perf_counter())
        select.select([self._poll], [], [], ahead)
        self._take()

    def _take(self) -> None:
        for file, _ in self._poll.poll(0):
            connection = self._by_file[file]
            answer = connection.receive()
            if answer is not None:
                self._note(connection, answer)

    def _note(self, connection: Connection, answer: bytes) -> None:
        now = time.perf_counter()
        status = int(answer[9:12])
        is_counted = self._counted_from <= connection.due < self._until
        if status == UNAVAILABLE:
            if is_counted:
                self._refusals.append(now - connection.due)
            self._rest(connection, answer, now)
            return
        if status != CREATED:
            raise SystemExit(answer.decode())
        if self._load.per_request > 1 and answer.find(self._accepted) < 0:
            raise SystemExit(f"a list was cut short: {answer.decode()}")
        self._idle.append(connection)
        self._acknowledged += self._load.per_request
        if is_counted:
            self._latencies.append(now - connection.due)
        if self._load.is_shared:
            at = answer.rfind(b'"version":') + 10
            self._versions.append(int(answer[at : answer.find(b",", at)]))

    def _rest(self, connection: Connection, answer: bytes, now: float) -> None:
        """As long as Retry-After says."""
        at = answer.find(b"retry-after: ")
        pause = int(answer[at + 13 : answer.find(b"\r\n", at)]) if at >= 0 else 1
        if answer.find(b"connection: close") >= 0:
            self._poll.unregister(connection.socket.fileno())
            del self._by_file[connection.socket.fileno()]
            connection.open()
            self._by_file[connection.socket.fileno()] = connection
            self._poll.register(connection.socket.fileno(), select.EPOLLIN)
        heapq.heappush(self._resting, (now + pause, id(connection), connection))

    def _drain(self) -> None:
        """Take the answers that are still to come."""
        until = time.perf_counter() + IDLE_SECONDS
        while len(self._idle) + len(self._resting) < len(self._connections):
            if time.perf_counter() > until:
                raise SystemExit("the service does not answer")
            select.select([self._poll], [], [], 1)
            self._take()

    def _cpu(self) -> tuple[float, float, float]:
        return (
            cpu_seconds(self._load.pid),
            sum(map(cpu_seconds, children(self._load.database_pid))),
            time.process_time(),
        )


class Client:
    """Calls before the load, one after the other."""

    def __init__(self, url: str, key: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc)
        self._key = key

    def created(self, creation: Tree) -> str:
        """The id of a running encounter."""
        encounter: str = self.post("/v1/encounters", creation)["encounter"]
        started = {"action": {"type": "start_encounter"}}
        self.post(f"/v1/encounters/{encounter}/actions", started)
        return encounter

    def post(self, path: str, body: Tree) -> Any:
        """The answer, which is one of success."""
        headers = {
            "Authorization": f"Bearer {self._key}",
            "Content-Type": "application/json",
            "Idempotency-Key": uuid.uuid4().hex,
        }
        self._connection.request("POST", path, encoded(body), headers)
        answer = self._connection.getresponse()
        read = answer.read()
        if answer.status != CREATED:
            raise SystemExit(read.decode())
        return msgspec.json.decode(read)


def bodies_of(actions: tuple[Tree, ...], per_request: int) -> list[bytes]:
    """Request bodies that repeat the actions, so many in each, until both come out even."""
    if per_request == 1:
        return [encoded({"action": action}).encode() for action in actions]
    endless = itertools.cycle({"action": action} for action in actions)
    count = math.lcm(len(actions), per_request) // per_request
    lists = [list(itertools.islice(endless, per_request)) for _ in range(count)]
    return [encoded({"actions": each}).encode() for each in lists]


def cpu_seconds(pid: int | None) -> float:
    """User and system time of a process, on Linux; 0 elsewhere and for processes that ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / 100


def children(pid: int | None) -> list[int]:
    """The processes that this one has started."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


if __name__ == "__main__":
    run = Run(msgspec.json.decode(sys.argv[1], type=Load))
    gc.freeze()
    gc.disable()
    print(encoded(run.played()))
