"""A sound bundle of any length, made from a golden one: for measuring, not for judging rules.

How this works. The events behind the start come again and again under new numbers. Their dice are
drawn again for their own `seq`, rolls tell those, rounds are counted on, commitments and hashes are
computed again. The rules of the game would give other events; no verifier without them sees that.

    python -m tests.clients.long_bundle EVENTS FILE [GOLDEN]
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from tests.clients.rechained import canonical, chained, committed, sealed

GOLDEN: Final = Path(__file__).parents[1] / "replay" / "bundles" / "crossfire-d6-sealed.ndjson"
_MIDNIGHT: Final = datetime(2026, 11, 22, tzinfo=UTC)
_ONCE: Final = {
    "contributed",
    "encounter_started",
    "encounter_ended",
    "erased",
    "rewound",
    "seed_revealed",
}


def write(events: int, file: Path, golden: Path = GOLDEN) -> None:
    """Write a bundle with so many events."""
    header, *lines = map(json.loads, golden.read_bytes().splitlines())
    log = [line for line in lines if line["type"] == "event"]
    with file.open("wb") as out:
        for line in [header, *(line for line in lines if line["type"] == "blob")]:
            out.write(canonical(line) + b"\n")
        prev = "0" * 64
        writer = _Writer(header, log)
        for line in writer.lines(events):
            prev = chained(line, prev)
            out.write(canonical(line) + b"\n")
        out.write(canonical(sealed(header["encounter"], events, prev)) + b"\n")


class _Writer:
    def __init__(self, header: dict[str, Any], log: list[dict[str, Any]]) -> None:
        created = log[0]["event"]["effects"][0]
        self.sides = [side["id"] for side in created["sides"]]
        contributions = [
            bytes.fromhex(effect["value"])
            for line in log
            for effect in line["event"]["effects"]
            if effect["type"] == "contributed"
        ]
        entropy = hashlib.sha256(b"".join(contributions)).digest() if contributions else b""
        message = b"warlog/dice/1\0" + header["encounter"].encode() + entropy
        self.key = hmac.digest(bytes.fromhex(header["seed"]), message, "sha256")
        types = [{effect["type"] for effect in line["event"]["effects"]} for line in log]
        start = next(at for at, each in enumerate(types) if "encounter_started" in each)
        self.opening = log[: start + 1]
        self.middle = [
            line
            for line, each in zip(log[start + 1 :], types[start + 1 :], strict=True)
            if not each & _ONCE and b'"seq"' not in _hidden(line) and not _is_erased(line)
        ]
        self.closing = [
            line
            for line, each in zip(log, types, strict=True)
            if each & {"erased", "seed_revealed"}
        ]

    def lines(self, events: int) -> Iterator[dict[str, Any]]:
        """All events, hashes aside."""
        count = events - len(self.opening) - len(self.closing)
        lines = [*self.opening, *islice(cycle(self.middle), count), *self.closing]
        rounds = 0
        for seq, line in enumerate(lines, start=1):
            own = json.loads(json.dumps(line))
            for effect in own["event"]["effects"]:
                if effect["type"] == "round_began":
                    rounds += 1
                    effect["round"] = rounds
            yield self._renumbered(own, seq)

    def _renumbered(self, line: dict[str, Any], seq: int) -> dict[str, Any]:
        if line["event"]["seq"] != seq:
            moment = _MIDNIGHT + timedelta(seconds=seq)
            at = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            line["event"] |= {"seq": seq, "base": seq - 1, "at": at}
            dice = self._redraw(line, seq)
            _retell(line["event"]["effects"], dice)
            for part in line["parts"]:
                _retell(part["body"], dice)
                committed(line, part, self.sides)
        return line

    def _redraw(self, line: dict[str, Any], seq: int) -> dict[tuple[int, int], int]:
        entries = [entry for part in line["parts"] for entry in part["body"]["entries"]]
        hidden = [value for path, value in entries if path[0] == "draws" and len(path) == 2]
        streams: dict[int, Iterator[int]] = {}
        faces = {}
        for draw in [*line["event"]["draws"], *hidden]:
            stream = draw["stream"]
            read = streams.setdefault(stream, self._stream(seq, stream))
            faces[stream, draw["number"]] = draw["face"] = _face(read, draw["sides"])
        return faces

    def _stream(self, seq: int, stream: int) -> Iterator[int]:
        for block in range(1 << 32):
            place = seq.to_bytes(8) + stream.to_bytes(1) + block.to_bytes(4)
            yield from hmac.digest(self.key, place, "sha256")


def _is_erased(line: dict[str, Any]) -> bool:
    return any("body" not in part for part in line["parts"])


def _hidden(line: dict[str, Any]) -> bytes:
    return canonical([line["event"]["effects"], line["parts"]])


def _face(read: Iterator[int], sides: int) -> int:
    width = 1 if sides <= 256 else 2
    while True:
        value = int.from_bytes(bytes(islice(read, width)))
        if value < sides * (256**width // sides):
            return value % sides + 1


def _retell(value: object, dice: dict[tuple[int, int], int]) -> None:
    """Let every roll within a value tell the dice as they fall now."""
    if isinstance(value, list):
        for each in value:
            _retell(each, dice)
    elif isinstance(value, dict):
        if "faces" in value and "sides" in value:
            counted = [
                (dice[run["stream"], run["number"] + each], "uncounted" not in run)
                for run in value["draws"]
                for each in range(run.get("count", len(value["faces"])))
            ]
            value["faces"] = [face for face, _ in counted]
            value["total"] = sum(face for face, counts in counted if counts)
        for each in value.values():
            _retell(each, dice)


if __name__ == "__main__":
    write(int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]) if sys.argv[3:] else GOLDEN)
