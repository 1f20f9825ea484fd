"""The log of calls that the proof rests on: what was asked when, and what was shown.

How this works. A call is written down before its first byte is sent and again when it is known
what came of it, one JSON object per line. A call whose second line is missing was never shown
anything, so its outcome is `unknown`, as if the answer had been lost. Times are of one monotonic
clock, in nanoseconds: calls that overlap have no order, others have one.
"""

import itertools
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from service.encounters.responses import Receipt

Outcome = Literal["ok", "refused", "unknown"]


class Asked(Struct, frozen=True, kw_only=True):
    """One request: by whom, for what, under which key and behind which head.

    `poison` is the place of the first action that the database refuses to store.
    """

    encounter: str
    principal: str
    key: str | None
    if_match: str | None
    actions: int
    poison: int | None = None


class Told(Struct, frozen=True, kw_only=True):
    """An answer: `seqs` and `hashes` of its events, `digest` over their bytes.

    Without a `status` nothing was heard.
    """

    outcome: Outcome
    status: int | None = None
    code: str | None = None
    version: int | None = None
    seqs: tuple[int, ...] = ()
    hashes: tuple[str, ...] = ()
    digest: str | None = None
    is_replay: bool = False
    receipt: Receipt | None = None


class Call(Struct, frozen=True, kw_only=True):
    """A call from beginning to end; `ended` of one that was shown nothing is the end of time."""

    id: int
    invoked: int
    ended: int
    asked: Asked
    told: Told


class _Line(Struct, kw_only=True, omit_defaults=True):
    id: int
    at: int
    asked: Asked | None = None
    told: Told | None = None


NEVER = 2**63 - 1
LOST = Told(outcome="unknown")


class History:
    """Writes calls to a file; may be used from several threads and tasks at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("ab", buffering=0)
        self._lock = threading.Lock()
        self._ids = itertools.count(1)

    def invoke(self, asked: Asked) -> int:
        """A call begins now; its id."""
        with self._lock:
            call = next(self._ids)
            self._write(_Line(id=call, at=time.monotonic_ns(), asked=asked))
        return call

    def end(self, call: int, told: Told) -> None:
        """It is known what came of a call."""
        with self._lock:
            self._write(_Line(id=call, at=time.monotonic_ns(), told=told))

    def close(self) -> None:
        """Nothing more is written."""
        self._file.close()

    def _write(self, line: _Line) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")


def read(paths: Iterable[Path]) -> tuple[Call, ...]:
    """All calls of these logs in the order they began."""
    calls = [call for path in paths for call in _read(path)]
    return tuple(sorted(calls, key=lambda call: call.invoked))


def _read(path: Path) -> list[Call]:
    begun: dict[int, tuple[int, Asked]] = {}
    ended: dict[int, tuple[int, Told]] = {}
    for text in path.read_bytes().splitlines():
        line = msgspec.json.decode(text, type=_Line)
        if line.asked is not None:
            begun[line.id] = line.at, line.asked
        if line.told is not None:
            ended[line.id] = line.at, line.told
    calls = []
    for number, (invoked, asked) in begun.items():
        at, told = ended.get(number, (NEVER, LOST))
        calls.append(Call(id=number, invoked=invoked, ended=at, asked=asked, told=told))
    return calls
