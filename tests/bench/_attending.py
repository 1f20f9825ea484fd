"""What an audience is asked to do and what it hears, and how one is run in a separate process."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from _measuring import encoded
from msgspec import Struct

AUDIENCE = Path(__file__).with_name("_audience.py")
BEFORE_ALL = "0-00000000"
"""The cursor before the first event."""


class Stand(Struct, kw_only=True):
    """So many subscribers of one kind: at `path` of `url`, as a seat if there is one.

    They follow a stream of events, or a socket. `after` is their cursor.
    """

    url: str
    path: str
    count: int
    seat: str | None = None
    is_socket: bool = False
    after: str | None = None


class Listen(Struct, kw_only=True, tag_field="do", tag="listen"):
    """Subscribe, post actions back to back, and then at a paced rate.

    What is posted to `path` of `url`, a key apart: `bodies` over and over, by so many `actors` at
    once, one under way for each; in the paced part by one of them. Without `bodies` it is a bare
    server that sends on what is posted, here `joined` records of `record_bytes`, and greets nobody.
    `pids` are the processes whose CPU time is wanted.
    """

    stands: tuple[Stand, ...]
    url: str
    path: str
    key: str = ""
    bodies: tuple[str, ...] = ()
    record_bytes: int = 0
    joined: int = 1
    actors: int = 8
    seconds: float = 2.0
    rate: float = 10.0
    paced_seconds: float = 2.0
    pids: tuple[int, ...] = ()


class CatchUp(Struct, kw_only=True, tag_field="do", tag="catch_up"):
    """Subscribe all at once, read up to an event, and go."""

    stands: tuple[Stand, ...]
    until: int
    key: str = ""
    pids: tuple[int, ...] = ()


class Idle(Struct, kw_only=True, tag_field="do", tag="idle"):
    """Subscribe, and stay until asked to go."""

    stands: tuple[Stand, ...]
    key: str = ""


class Flaws(Struct, kw_only=True):
    """Events that did not come, came again, or came behind a later one; streams that ended."""

    lost: int = 0
    doubled: int = 0
    reordered: int = 0
    ended: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.lost + self.doubled + self.reordered + self.ended


class Heard(Struct, kw_only=True):
    """What came of it, over all subscribers: `deliveries` of `events` posted back to back.

    `seconds` last until the last of them was received. `p50_ms` and `p99_ms` are those of each
    stand in the paced part, from a post to its receipt; `late_ms` is how late posts left, p99.
    `cpu` are the CPU seconds of the processes while actions were posted back to back, `paced_cpu`
    those of the paced part with its `paced_deliveries`. `all_events` are those of both parts, and
    of the time before in which everything warms up.
    """

    deliveries: int
    events: int
    seconds: float
    record_bytes: float
    p50_ms: tuple[float, ...]
    p99_ms: tuple[float, ...]
    late_ms: float
    cpu: float
    own_cpu: float
    paced_cpu: float
    paced_deliveries: int
    all_events: int
    flaws: Flaws

    @property
    def rate(self) -> float:
        """Deliveries a second."""
        return self.deliveries / self.seconds

    @property
    def action_rate(self) -> float:
        """Events a second."""
        return self.events / self.seconds

    @property
    def cpu_us(self) -> float:
        """Microseconds of the processes' CPU time for each delivery."""
        return 1e6 * self.cpu / max(1, self.deliveries)

    def besides_us(self, action_us: float) -> float:
        """The same without what the actions themselves cost, each so many microseconds."""
        return max(0.0, 1e6 * self.cpu - action_us * self.events) / max(1, self.deliveries)

    @property
    def own_cpu_us(self) -> float:
        """Those of the audience."""
        return 1e6 * self.own_cpu / max(1, self.deliveries)

    @property
    def paced_cpu_us(self) -> float:
        """Those of the processes at the paced rate."""
        return 1e6 * self.paced_cpu / max(1, self.paced_deliveries)


class CaughtUp(Struct, kw_only=True):
    """What came of it: until the last one had all; p50 and p99 over the subscribers.

    `began` is by the clock that all processes of a machine share (`time.perf_counter` on Linux).
    `put_off` counts answers of 503 and 429, after which they asked again when they were asked to.
    """

    began: float
    seconds: float
    p50_s: float
    p99_s: float
    put_off: int
    cpu: float
    own_cpu: float
    bytes: int
    flaws: Flaws


class Settled(Struct, kw_only=True):
    """All of them are there."""

    streams: int
    put_off: int


def allow_connections() -> None:
    """Let this process and those it starts have as many connections as they may have at all."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def listened(asked: Listen) -> Heard:
    """What an audience heard."""
    return msgspec.json.decode(_run(asked), type=Heard)


def caught_up(asked: CatchUp) -> CaughtUp:
    """How long it took an audience to catch up."""
    return msgspec.json.decode(_run(asked), type=CaughtUp)


@contextmanager
def settled(asked: Idle) -> Iterator[Settled]:
    """An audience that does nothing, as long as the context lasts."""
    process = subprocess.Popen(
        [sys.executable, AUDIENCE, encoded(asked)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        if not said:
            raise SystemExit("the audience did not come together")
        yield msgspec.json.decode(said, type=Settled)
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()


def _run(asked: Listen | CatchUp) -> str:
    done = subprocess.run(
        [sys.executable, AUDIENCE, encoded(asked)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return done.stdout
