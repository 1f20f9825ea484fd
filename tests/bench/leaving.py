"""Audits whose client leaves: what 100 of them cost the callers of another battle.

An observer's token asks for the audit of a long battle again and again and closes each request
after 0.6 seconds. Meanwhile, and for as long afterwards as work may be left over, another caller
acts in a battle of eight; its median is next to that of an idle service just before and after.
"""

import http.client
import secrets
import socket
import statistics
import threading
import time
from contextlib import closing
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from _battles import BATTLES
from _measuring import Table, at_most, parser
from _service import Service

SLUG: Final = "crossfire-d6"
LIST: Final = 32
"""Actions of one request."""
STAYS_SECONDS: Final = 0.6
MOST_RATIO: Final = 2.0


class Caller:
    """Somebody with a token, over one connection."""

    def __init__(self, url: str, token: str | None) -> None:
        self.place = urlsplit(url)
        self.token = token
        self._line = http.client.HTTPConnection(
            str(self.place.hostname), self.place.port, timeout=60
        )

    def post(self, path: str, tree: object) -> tuple[Any, str]:
        """The body and the place of what was made. Raises SystemExit for a refusal."""
        headers = {"Idempotency-Key": secrets.token_hex(8), "Content-Type": "application/json"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        self._line.request("POST", path, msgspec.json.encode(tree), headers)
        answer = self._line.getresponse()
        body = answer.read()
        if answer.status >= 400:
            raise SystemExit(f"{path}: {answer.status} {body[:400]!r}")
        return msgspec.json.decode(body), answer.getheader("Location") or ""

    def begun(self) -> str:
        """A battle of eight that runs, with a seat that looks on."""
        creation = {**BATTLES[SLUG].creation, "seats": [{"id": "olaf", "role": "observer"}]}
        _, place = self.post("/v1/encounters", creation)
        self.post(f"{place}/actions", {"action": {"type": "start_encounter"}})
        return place

    def leave_after_asking(self, path: str) -> None:
        """Ask, wait for a while and close the connection, whatever came."""
        place = (str(self.place.hostname), self.place.port or 80)
        head = f"GET {path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        with closing(socket.create_connection(place)) as line:
            line.sendall(head.encode())
            time.sleep(STAYS_SECONDS)


class Acting:
    """Another caller, who acts again and again in a separate battle."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._battle = caller.begun()
        self._cycle = BATTLES[SLUG].cycle
        self._turn = 0

    def median_ms(self, seconds: float) -> float:
        """The median of its requests over so many seconds."""
        spent, until = [], time.monotonic() + seconds
        while time.monotonic() < until:
            action = self._cycle[self._turn % len(self._cycle)]
            self._turn += 1
            began = time.perf_counter()
            self._caller.post(f"{self._battle}/actions", {"action": action})
            spent.append(1000 * (time.perf_counter() - began))
            time.sleep(0.01)
        return statistics.median(spent)


def long_battle(caller: Caller, events: int) -> str:
    """A battle with so many events."""
    place, cycle = caller.begun(), BATTLES[SLUG].cycle
    for first in range(0, events, LIST):
        items = [{"action": cycle[(first + each) % len(cycle)]} for each in range(LIST)]
        caller.post(f"{place}/actions", {"actions": items})
    return place


def observer(caller: Caller, battle: str) -> Caller:
    """The holder of the token of the seat that looks on."""
    invited, _ = caller.post(f"{battle}/seats/olaf/invitation", {})
    url = f"http://{caller.place.netloc}"
    joined, _ = Caller(url, None).post("/v1/join", {"code": invited["invitation"]["code"]})
    return Caller(url, joined["token"])


def main() -> None:
    """Measure and print."""
    made = parser(__doc__, rounds=3)
    made.add_argument("--events", type=int, default=4_000, help="(default %(default)s)")
    made.add_argument("--audits", type=int, default=100, help="(default %(default)s)")
    given = made.parse_args()
    with Table(given.rows) as table, Service() as service:
        key = Caller(service.url, service.key)
        battle = long_battle(key, given.events)
        looking, acting = observer(key, battle), Acting(Caller(service.url, service.key))
        attacked, left_over, ratios = [], [], []
        idle = acting.median_ms(given.seconds)
        for _ in range(given.rounds):
            threads = [
                threading.Thread(target=looking.leave_after_asking, args=[f"{battle}/audit"])
                for _ in range(given.audits)
            ]
            for thread in threads:
                thread.start()
            attacked.append(acting.median_ms(given.seconds))
            for thread in threads:
                thread.join()
            left_over.append(acting.median_ms(given.seconds))
            before, idle = idle, acting.median_ms(given.seconds)
            ratios.append(max(attacked[-1], left_over[-1]) / ((before + idle) / 2))
        name = f"{given.audits} audits of {given.events} events, each left after {STAYS_SECONDS} s"
        table.add(f"{name}: others' median meanwhile", attacked, "ms")
        table.add("… others' median afterwards", left_over, "ms")
        table.add("… the slower / idle", ratios, target=at_most(MOST_RATIO))


if __name__ == "__main__":
    main()
