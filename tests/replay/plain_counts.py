"""What a verifier says next to its verdict, as `/docs/specification` shows it: a second reading.

Counts say what was looked at, whatever else is wrong with a bundle.
"""

import json
import re
from hashlib import sha256
from itertools import takewhile
from typing import Any, Final

from tests.engine.plain_dice import dice_key
from tests.replay.plain_effects import is_draw, next_face, own_stream, tape
from tests.replay.plain_parts import part_names, readable

Tree = dict[str, Any]
DIGEST: Final = re.compile("[0-9a-f]{64}")


def counts_of(lines: list[bytes]) -> Tree:
    """The dice and parts of a bundle that can be read to its end."""
    counter = Counter(json.loads(lines[0]))
    for line in map(json.loads, lines[1:]):
        if line["type"] == "event":
            counter.take(line)
    return counter.told


class Counter:
    """Takes a bundle event by event."""

    def __init__(self, header: Tree) -> None:
        self.header = header
        self.is_begun = False
        self.sides: list[str] = []
        self.mode: str | None = None
        self.contributions: list[bytes] = []
        self.has_started = False
        self.has_fitting_seed = False
        self.told = {"seen": 0, "drawn_again": 0, "withheld": 0, "erased": 0}

    def take(self, line: Tree) -> None:
        """The next event."""
        body = line["event"]
        if not self.is_begun:
            self._open(body)
        for at, draws in self._lists(line):
            self.told["seen"] += len(draws)
            self.told["drawn_again"] += self._drawn_again(draws, body["seq"], at)
        held = {(part["kind"], part["audience"]) for part in line["parts"]}
        self.told["withheld"] += len(set(part_names(self.sides)) - held)
        self.told["erased"] += sum("body" not in part for part in line["parts"])
        for effect in body["effects"]:
            self.has_started |= effect["type"] == "encounter_started"
            if effect["type"] == "contributed" and not self.has_started:
                value = effect.get("value")
                if isinstance(value, str) and DIGEST.fullmatch(value):
                    self.contributions.append(bytes.fromhex(value))

    def _open(self, body: Tree) -> None:
        self.is_begun = True
        for effect in body["effects"]:
            if effect["type"] == "encounter_created":
                self.sides = [side["id"] for side in effect["sides"]]
                self.mode = effect["dice"]["mode"]
                seed = bytes.fromhex(self.header.get("seed", ""))
                commitment = sha256(b"warlog/commit/1\0" + seed).hexdigest()
                self.has_fitting_seed = commitment == effect.get("commitment")

    def _lists(self, line: Tree) -> list[tuple[str, list[Tree]]]:
        body = line["event"]
        due = readable(self.header["viewer"], body["seq"], self.sides)
        lists = [("$.draws", body["draws"])]
        for part in line["parts"]:
            if part["kind"] == "facts" and (part["kind"], part["audience"]) in due:
                entries = part["body"]["entries"]
                listed = [value for path, value in entries if len(path) == 2 and path[0] == "draws"]
                lists.append((f"parts.facts.{part['audience']}:$.draws", listed))
        return [(at, list(takewhile(is_draw, draws))) for at, draws in lists]

    def _drawn_again(self, draws: list[Tree], seq: int, at: str) -> int:
        if not self.has_fitting_seed or self.mode != "sealed":
            return 0
        stream = own_stream(at, self.sides)
        seed = bytes.fromhex(self.header["seed"])
        key = dice_key(seed, self.header["encounter"], self.contributions)
        source = tape(key, seq, stream)
        for place, draw in enumerate(draws):
            is_next = (draw["stream"], draw["number"]) == (stream, place + 1)
            if not is_next or draw["face"] != next_face(source, draw["sides"]):
                return place
        return len(draws)


def words(lines: list[bytes], found: Tree | None, *, has_unknown: bool, is_trusted: bool) -> Tree:
    """What is shown of a bundle that can be read to its end, as the words of all verifiers mean it.

    `found` is the first difference; `has_unknown`: something is not in the tables.
    """
    header = json.loads(lines[0])
    read = [json.loads(line) for line in lines[1:]]
    effects = [e for line in read if line["type"] == "event" for e in line["event"]["effects"]]
    created = next(effect for effect in effects if effect["type"] == "encounter_created")
    is_sealed = created["dice"]["mode"] == "sealed"
    has_contributions = any(effect["type"] == "contributed" for effect in effects)
    grindable = None
    if is_sealed and created["seed"] == "given":
        grindable = "given"
    elif is_sealed and not has_contributions:
        grindable = "nobody"
    verdict = "wrong" if found else "unavailable" if has_unknown else "clean"
    return {
        "verdict": verdict,
        "as_far_as_can_be_seen": verdict == "clean" and header["viewer"]["kind"] != "gm",
        "by_nobody_known": verdict == "clean" and not is_trusted,
        "grindable": grindable,
    }
