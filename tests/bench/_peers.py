"""Other people's programs to measure against, where somebody has set them up.

WARLOG_BENCH_PEERS names a folder with scripts that measure them (`env.sh`, `peer_*.py`,
`peer_*.js`, `fan_raw.py`); `env.sh` says where what they need is installed.
"""

import os
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec
from _measuring import encoded
from _service import free_port, wait_until_open
from msgspec import Struct

VARIABLE = "WARLOG_BENCH_PEERS"
NEEDED = f"set {VARIABLE}"

_PYTHON = '. ./env.sh; exec "$BENCH_PY" "$@"'
_NODE = '. ./env.sh; NODE_PATH="$BENCH_JS/node_modules" exec node "$@"'


AT_ONCE = (1, 8, 32)
"""How many appends or matches at once the peers are tried with."""

EVENT = {
    "type": "attack",
    "actor": 3,
    "target": 17,
    "action": "longsword",
    "roll": {"d20": [14, 9], "total": 21, "vs": 18},
    "damage": [{"dice": "1d8", "rolls": [6], "total": 10}, {"dice": "2d6", "rolls": [3, 5]}],
    "hp": {"before": 43, "after": 25},
    "detail": "." * 300,
}
"""What the peers append by default: about 600 bytes as a stored row."""


class _Rate(Struct):
    rate: float


class _Recorded(Struct):
    name: str
    values: list[float]


class _Showdown(Struct, rename="camel"):
    choice_rates: list[float]


class _Moves(Struct):
    rates: list[float]


class Peers:
    """The scripts of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def rebuilt_per_second(self, database: str) -> float:
        """Events a second of the library `eventsourcing`, from this database (an address)."""
        [rebuilt] = self._eventsourcing(database, 1, "repository.get")
        return rebuilt

    def eventsourcing_appends(self, database: str, seconds: int) -> float:
        """Appends a second of `eventsourcing` to this database, with as many threads as suit it."""
        return max(self._eventsourcing(database, seconds, "eventsourcing append"))

    def emmett_appends(self, database: str, seconds: int) -> float:
        """Appends a second of Emmett to this database, with as many at once as suit it."""
        environment = {
            "BENCH_DSN": database,
            "BENCH_EVENT": encoded(EVENT),
            "BENCH_SECS": str(seconds),
        }
        printed = [
            self._run(_NODE, "peer_emmett.js", "append", str(many), environment=environment)
            for many in AT_ONCE
        ]
        return max(msgspec.json.decode(each, type=_Rate).rate for each in printed)

    def served_moves(self, seconds: int) -> float:
        """Moves a second of boardgame.io's server, which keeps its matches in memory."""
        port = free_port()
        command = f"{_NODE} >/dev/null 2>&1"
        process = subprocess.Popen(
            ["bash", "-c", command, "bash", "peer_bgio.js", "server", str(port)],
            cwd=self._folder,
        )
        try:
            wait_until_open(port)
            printed = [
                self._run(_NODE, "peer_bgio.js", "drive", str(port), str(many), str(seconds))
                for many in AT_ONCE
            ]
        finally:
            process.terminate()
            process.wait(20)
        return max(msgspec.json.decode(each, type=_Rate).rate for each in printed)

    def _eventsourcing(self, database: str, seconds: int, named: str) -> list[float]:
        """The medians of what the script about `eventsourcing` calls so."""
        where = urlsplit(database)
        with tempfile.TemporaryDirectory() as results:
            secret = Path(results) / "pgpass"
            secret.touch(mode=0o600)
            secret.write_text(f"*:*:*:*:{unquote(where.password or '')}\n")
            environment = {
                "PGHOST": where.hostname or "",
                "PGPORT": str(where.port),
                "PGUSER": where.username or "",
                "PGDATABASE": where.path.lstrip("/"),
                "PGPASSFILE": str(secret),
                "BENCH_OUT": results,
            }
            script = ("peer_eventsourcing.py", "1", str(seconds))
            self._run(_PYTHON, *script, environment=environment)
            lines = (Path(results) / "peers.jsonl").read_bytes().splitlines()
        records = [msgspec.json.decode(line, type=_Recorded) for line in lines]
        return [statistics.median(each.values) for each in records if named in each.name]

    @contextmanager
    def raw_writes(self) -> Iterator[tuple[str, int]]:
        """A server that writes what is posted to everybody else: its address and process."""
        port = free_port()
        process = subprocess.Popen(
            ["bash", "-c", _PYTHON, "bash", "fan_raw.py", str(port)],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
        )
        try:
            wait_until_open(port)
            yield f"http://127.0.0.1:{port}", process.pid
        finally:
            process.terminate()
            process.wait(20)

    def choices_per_second(self) -> float:
        """Choices a second that Pokémon Showdown replays from seed and input log."""
        printed = self._run(_NODE, "peer_showdown.js", "6")
        return statistics.median(msgspec.json.decode(printed, type=_Showdown).choice_rates)

    def moves_per_second(self) -> float:
        """Moves a second of boardgame.io's reducer."""
        printed = self._run(_NODE, "peer_bgio.js", "reducer")
        return statistics.median(msgspec.json.decode(printed, type=_Moves).rates)

    def _run(self, command: str, *words: str, environment: dict[str, str] | None = None) -> str:
        """What a script printed last."""
        done = subprocess.run(
            ["bash", "-c", command, "bash", *words],
            cwd=self._folder,
            env=os.environ | (environment or {}),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{words[0]}: {done.stdout}{done.stderr}")
        return done.stdout.strip().splitlines()[-1]


def peers() -> Peers | None:
    """Those of the environment, if it names any."""
    folder = os.environ.get(VARIABLE)
    return Peers(Path(folder)) if folder else None
