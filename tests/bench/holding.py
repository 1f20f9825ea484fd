"""The longest single callback of the loop at the largest sizes, in ms of CPU and in attacks.

How this works. The service runs in this process on asyncio's own loop, whose handles are measured:
while a handle runs, every other caller waits. A battle of 500 combatants is created, acted in,
previewed, explained, read by pages with patches and audited; the longest callback of each is
measured against one attack of a battle of eight, which is the work that others wait for.
"""

import http.client
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
from _battles import BATTLES, largest
from _handles import LongestCallback, measured_handles
from _measuring import Table, at_most, parser
from _service import Service
from msgspec.structs import replace

from service.app import build
from service.server.garbage_collection import collect_seldom
from service.server.http_server import SWITCH_SECONDS, HttpServer
from service.settings import from_environment

LONGEST_MS: Final = 50
SLUGS: Final = ("tactical-d20", "melody-d6", "squad-d100", "crossfire-d6", "seeker-d100")


class Store(Service):
    """A database and a key, without a process that serves."""

    def restart(self) -> None:
        """Nothing to begin."""


class Client:
    """A caller with a key."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self._key = key

    def ask(self, method: str, path: str, tree: object = None) -> tuple[int, bytes, str]:
        """Status, body and place of what was created."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=600)
        headers = {"Authorization": f"Bearer {self._key}", "Idempotency-Key": secrets.token_hex(8)}
        body = None
        if tree is not None:
            headers["Content-Type"] = "application/json"
            body = msgspec.json.encode(tree)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        found = answer.status, answer.read(), answer.getheader("Location") or ""
        connection.close()
        return found

    def done(self, method: str, path: str, tree: object = None) -> tuple[bytes, str]:
        """Body and place. Raises SystemExit for a refusal."""
        status, body, place = self.ask(method, path, tree)
        if status >= 400:
            raise SystemExit(f"{method} {path}: {status} {body[:600]!r}")
        return body, place


@contextmanager
def in_this_process(service: Store) -> Iterator[Client]:
    """A second server on the same database, in a thread of this process."""
    environ = {
        "WARLOG_DATABASE_URL": service.dsns.app,
        "WARLOG_ERASE_URL": service.dsns.eraser,
        "WARLOG_PORT": "0",
        "WARLOG_REQUESTS_PER_MINUTE": "1000000000",
        "WARLOG_PREVIEWS_PER_MINUTE": "1000000",
        "HOME": "/nonexistent",
        "WARLOG_LOG_LEVEL": "error",
    }
    settings = replace(from_environment(environ), port=0)
    server = HttpServer(build(settings), settings)
    server.config.loop = "asyncio"
    collect_seldom()
    sys.setswitchinterval(SWITCH_SECONDS)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Client(port, service.key)
    finally:
        server.should_exit = True
        thread.join(30)


def attack_ms(client: Client, slug: str) -> float:
    """CPU of the service's thread for one attack in a battle of eight, all callbacks together."""
    battle = BATTLES[slug]
    _, place = client.done("POST", "/v1/encounters", battle.creation)
    client.done("POST", f"{place}/actions", {"action": {"type": "start_encounter"}})
    found = []
    for action in battle.cycle[:3]:
        with spent() as cost:
            client.done("POST", f"{place}/actions", {"action": action})
        found.append(cost())
    return sorted(found)[len(found) // 2]


@contextmanager
def spent() -> Iterator[Callable[[], float]]:
    """CPU milliseconds of the process, the client's own few included."""
    began = time.process_time()
    yield lambda: 1000 * (time.process_time() - began)


def measure(client: Client, longest: LongestCallback, slug: str) -> Iterator[tuple[str, float]]:
    """What is asked, and the longest callback of it."""
    battle = largest(slug)

    def asked(method: str, path: str, tree: Any = None) -> tuple[bytes, str]:
        longest.take()
        return client.done(method, path, tree)

    def shown(name: str) -> tuple[str, float]:
        print(f"      {name}: {longest.longest_ms:.0f} ms in {longest.what[:200]}", flush=True)
        return name, longest.take()

    _, place = asked("POST", "/v1/encounters", battle.creation)
    yield shown("creation")
    asked("POST", f"{place}/actions", {"action": {"type": "start_encounter"}})
    yield shown("start")
    for name, action in (("a common", battle.common), ("a heavy", battle.heavy)):
        asked("POST", f"{place}/preview", {"action": action})
        yield shown(f"preview of {name} action")
    asked("POST", f"{place}/actions", {"action": battle.heavy})
    yield shown("a heavy action")
    for name, path in (
        ("state", ""),
        ("scene", "/scene"),
        ("legal actions", "/legal-actions"),
        ("explanation", "/events/3?explain=en"),
        ("page with patches", "/events?state=patch&scene=patch&narrate=en"),
        ("audit", "/audit"),
        ("bundle", "/bundle"),
    ):
        asked("GET", f"{place}{path}")
        yield shown(name)


def main() -> None:
    """Measure and print."""
    made = parser(__doc__, rounds=3)
    made.add_argument("--slugs", default=",".join(SLUGS), help="(default %(default)s)")
    given = made.parse_args()
    with (
        Table(given.rows) as table,
        Store() as service,
        measured_handles() as longest,
        in_this_process(service) as client,
    ):
        for slug in given.slugs.split(","):
            count = len(largest(slug).creation["setup"]["combatants"])
            rounds = []
            attacks = []
            for _ in range(given.rounds):
                attacks.append(attack_ms(client, slug))
                rounds.append(dict(measure(client, longest, slug)))
            table.add(f"{slug}: one attack of eight, CPU", attacks, "ms")
            for name in rounds[0]:
                found = [each[name] for each in rounds]
                table.add(
                    f"{slug}, {count}: longest callback of {name}", found, "ms", at_most(LONGEST_MS)
                )
            worst = [max(each.values()) for each in rounds]
            ratios = [most / attack for most, attack in zip(worst, attacks, strict=True)]
            table.add(f"{slug}, {count}: longest callback / attack", ratios)


if __name__ == "__main__":
    main()
