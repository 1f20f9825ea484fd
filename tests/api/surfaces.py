"""Everything that a caller can be shown of a battle: all that can be read, refused and followed."""

import json
import secrets
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from service.api.negotiation import LANGUAGES
from tests.api.people import Answered, Wire
from tests.api.streaming import eventually
from tests.patience import PATIENCE_SECONDS

Tree = Mapping[str, Any]
Told = dict[str, Answered]
"""Answers by what was asked."""

NDJSON = {"Accept": "application/x-ndjson"}


def read(wire: Wire, headers: Mapping[str, str], battle: str, seat: str) -> Told:
    """All that can be read of a battle as it is."""
    head = int(json.loads(wire.ask("GET", f"{battle}/events?limit=1", headers).body)["head"])
    paths = [
        "?",
        *(f"?at={seq}" for seq in {1, max(1, head - 1)}),
        "/map",
        "/scene",
        *(f"/scene?at={seq}" for seq in {1, max(1, head - 1)}),
        "/events?limit=1000",
        "/events?state=patch&scene=patch&narrate=en&limit=64",
        *(f"/events/{seq}" for seq in {1, head}),
        f"/events?after={head - 1}&wait=1",
        "/timers",
        "/seats",
        f"/seats/{seat}",
        "/audit",
        "/bundle",
    ]
    told = {path: wire.ask("GET", battle + path, headers) for path in paths}
    for media_type in ("image/svg+xml", "text/plain"):
        told[media_type] = wire.ask("GET", f"{battle}/scene", {**headers, "Accept": media_type})
    told["lines"] = wire.ask("GET", f"{battle}/events?limit=1000", {**headers, **NDJSON})
    for path in ("/v1/me", "/v1/encounters"):
        told[path] = wire.ask("GET", path, headers)
    for media_type in ("application/json", "text/plain"):
        for seq in {1, head}:
            path = f"{battle}/events/{seq}?explain={LANGUAGES[seq % 2]}"
            told[f"{path} {media_type}"] = wire.ask("GET", path, {**headers, "Accept": media_type})
    return told


def weighed(
    wire: Wire, headers: Mapping[str, str], battle: str, combatants: Iterable[str], count: int = 3
) -> Told:
    """What may be done, what that would do, and how those who are asked about stand."""
    told: Told = {}
    combatants = list(combatants)
    for attacker in combatants:
        for target in combatants:
            line = f"/inspections/line?attacker={attacker}&target={target}"
            told[line] = wire.ask("GET", battle + line, headers)
    for combatant in combatants:
        path = f"{battle}/legal-actions?combatant={combatant}&sample={count}"
        told[combatant] = found = wire.ask("GET", path, headers)
        samples = json.loads(found.body).get("samples", ()) if found.status == 200 else ()
        for number, action in enumerate(samples):
            body = json.dumps({"action": action}).encode()
            told[f"{combatant} {number}"] = wire.ask("POST", f"{battle}/preview", headers, body)
    return told


def refused(wire: Wire, headers: Mapping[str, str], battle: str, actions: Iterable[Tree]) -> Told:
    """Why these cannot be done, and cannot be looked at either."""
    told: Told = {}
    for number, action in enumerate(actions):
        body = json.dumps({"action": action}).encode()
        for what in ("actions", "preview"):
            key = {"Idempotency-Key": secrets.token_hex(8)}
            answer = wire.ask("POST", f"{battle}/{what}", {**headers, **key}, body)
            assert answer.status in {400, 403, 404, 409, 422}, (action, answer)
            told[f"{what} {number} {action['type']}"] = answer
    return told


class Tap:
    """A stream that is read as it comes, byte for byte, by a separate thread."""

    def __init__(self, follow: Callable[["Tap"], None]) -> None:
        self.records: list[bytes] = []
        self._thread = threading.Thread(target=follow, args=(self,), daemon=True)
        self._thread.start()

    def count(self, word: bytes) -> int:
        """How many records hold this."""
        return sum(word in record for record in self.records)

    def until(self, holds: Callable[[Self], bool], what: str) -> None:
        """Wait until enough came."""
        eventually(lambda: holds(self), f"{what}; the last is {self.records[-1:]}")

    def rest(self) -> list[bytes]:
        """All that came, once the stream is over."""
        self._thread.join(PATIENCE_SECONDS)
        assert not self._thread.is_alive(), "the stream goes on"
        return self.records


def events(url: str, path: str, headers: Mapping[str, str]) -> Tap:
    """A stream of events: each record is an event as it is in the stream."""

    def follow(tap: Tap) -> None:
        parts = urlsplit(url)
        with socket.create_connection((str(parts.hostname), parts.port or 80)) as line:
            named = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{named}\r\n".encode())
            file = line.makefile("rb")
            status = file.readline()
            assert b" 200 " in status, status
            while file.readline().strip():
                pass
            kept = b""
            with suppress(ConnectionResetError):
                while size := int(file.readline() or b"0", 16):
                    piece = file.read(size)
                    file.readline()
                    # A comment comes by the clock.
                    kept += piece if piece != b":\n" else b""
                    *whole, kept = kept.split(b"\n\n")
                    tap.records.extend(whole)

    return Tap(follow)


def frames(url: str, path: str, headers: Mapping[str, str]) -> Tap:
    """A socket: each record is the text of a frame."""

    def follow(tap: Tap) -> None:
        address = url.replace("http:", "ws:") + path
        with (
            suppress(ConnectionClosed),
            connect(
                address,
                additional_headers=dict(headers),
                compression=None,
                open_timeout=PATIENCE_SECONDS,
                ping_timeout=PATIENCE_SECONDS,
            ) as line,
        ):
            while True:
                tap.records.append(line.recv(decode=False))

    return Tap(follow)
