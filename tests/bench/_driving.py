"""What a load is asked to do and what it finds, and how one is run in a separate process."""

import subprocess
import sys
from pathlib import Path
from uuid import UUID

import msgspec
from _measuring import encoded
from msgspec import Struct

LONG_SECONDS = 600.0
LONGEST_LIST = 32
LOAD = Path(__file__).with_name("_load.py")


class Load(Struct, kw_only=True):
    """What to do. `path` posts there instead of playing encounters.

    The first `warm` seconds are not counted. `events` ends the load after so many. In a secretive
    battle each side knows no numbers but its own. `pid` and `database_pid` are the processes whose
    CPU time is wanted.
    """

    url: str
    key: str = ""
    connections: int = 64
    seconds: float = 3.0
    warm: float = 0.5
    rate: float | None = None
    per_request: int = 1
    events: int | None = None
    is_shared: bool = False
    battle: str = "crossfire-d6"
    is_secretive: bool = False
    path: str | None = None
    pid: int | None = None
    database_pid: int | None = None


class Found(Struct, kw_only=True):
    """What came of it: acknowledged actions and the CPU seconds used while they were counted.

    Latencies are those of everything that fell due meanwhile. `refused` are answers of 503.
    `late_ms` is how late (p99) requests left that were due while a connection was free.
    `versions` are those of a shared encounter, in the order acknowledged.
    """

    actions: int
    seconds: float
    p50_ms: float
    p99_ms: float
    refused: int
    refused_p99_ms: float
    late_ms: float
    cpu: float
    database_cpu: float
    own_cpu: float
    encounters: tuple[str, ...]
    versions: tuple[int, ...]

    @property
    def rate(self) -> float:
        """Acknowledged actions a second."""
        return self.actions / self.seconds

    def per_action_ms(self, cpu: float) -> float:
        """CPU seconds as milliseconds of each action."""
        return 1000 * cpu / max(1, self.actions)


def played(url: str, key: str, battle: str, events: int, *, is_secretive: bool = False) -> UUID:
    """The id of an encounter of this ruleset with at least so many events."""
    load = Load(url=url, key=key, connections=1, warm=0, seconds=LONG_SECONDS)
    load.battle, load.per_request, load.events = battle, LONGEST_LIST, events
    load.is_secretive = is_secretive
    [encounter] = drive(load).encounters
    return UUID(encounter)


def drive(load: Load) -> Found:
    """What the load found, run in a separate process."""
    done = subprocess.run(
        [sys.executable, LOAD, encoded(load)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return msgspec.json.decode(done.stdout, type=Found)
