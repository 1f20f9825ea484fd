"""Bundles that were made to break their reader: each is a finding or no bundle, never a crash."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from io import BytesIO
from random import Random
from typing import Any, Final, get_args

import msgspec
import pytest

from service.engine import hashing
from service.engine.log import canonical
from service.replay.audit.audit_records import BundleAuditOrder, Inclusion, piece_in
from service.replay.audit.bundle_job import audit_fed
from service.replay.audit.trust import NOTHING_KEPT
from service.replay.bundle.reader import MAX_LINE_BYTES
from tests.forgeries.bundle_forger import seal_line
from tests.forgeries.verdicts import audited, word_of
from tests.replay.audit_vectors import FOLDER as VECTORS
from tests.replay.audit_vectors import NAMES

FILES: Final = [name for name in NAMES if name.endswith(".ndjson")]
ODD: Final[tuple[Any, ...]] = (
    *(-1, 0, 1, 2**53 - 1, 255, 65_537, True, "", "x", "everyone", "gm", "0" * 64),
    *([], {}, [[]], [0], {"faces": [6], "sides": 6}, [["effects", 0], 1], {"id": "x"}),
)
"""Values that stand anywhere."""


@cache
def true_lines(name: str) -> list[bytes]:
    return (VECTORS / name).read_bytes().splitlines(keepends=True)


def rechained(name: str, place: int, change: Callable[[Any], object]) -> list[bytes]:
    """The bundle with one event's line changed, committed to, hashed and linked again."""
    lines = list(true_lines(name))
    events = [at for at, line in enumerate(lines) if b'"type":"event"' in line]
    head = None
    for at in events[place:]:
        line = json.loads(lines[at])
        if head is None:
            change(line)
        elif isinstance(line["event"], dict):
            line["event"]["prev"] = head
        head = hashing.event_hash(canonical.encode(line["event"]))
        lines[at] = canonical.encode({**line, "hash": head}) + b"\n"
    body = json.loads(lines[events[0]])["event"]
    encounter = body.get("encounter") if isinstance(body, dict) else "x"
    return [*lines[:-1], seal_line(str(encounter), len(events), str(head))]


def bent(value: Any, dice: Random) -> Any:
    """A JSON value with something in it that is otherwise."""
    if isinstance(value, dict) and value and dice.random() < 0.9:
        name = dice.choice(sorted(value))
        if dice.random() < 0.2:
            return {key: each for key, each in value.items() if key != name}
        return {**value, name: bent(value[name], dice)}
    if isinstance(value, list) and value and dice.random() < 0.9:
        at = dice.randrange(len(value))
        kept = [] if dice.random() < 0.2 else [bent(value[at], dice)]
        twice = kept * (2 if dice.random() < 0.2 else 1)
        return [*value[:at], *twice, *value[at + 1 :]]
    return dice.choice(ODD)


def bent_in_form(line: Any, dice: Random) -> None:
    """Bend effects and parts of an event's line, which stays a line of its format."""
    effects = line["event"]["effects"]
    for at in dice.sample(range(len(effects)), min(1, len(effects))):
        inside = bent(effects[at], dice)
        if isinstance(inside, dict):
            effects[at] = {**inside, "type": effects[at]["type"]}
    for part in line["parts"]:
        entries = part.get("body", {}).get("entries", [])
        if entries and dice.random() < 0.5:
            entry = dice.choice(entries)
            entry[1] = bent(entry[1], dice)


@pytest.mark.parametrize("name", FILES)
def test_whatever_is_bent_in_an_event_by_somebody_with_every_key_is_read(name: str) -> None:
    dice = Random(name)
    count = len(true_lines(name)) - 3
    words = set()
    for _ in range(16):

        def change(line: Any) -> None:
            if dice.random() < 0.5:
                bent_in_form(line, dice)
                return
            line["event"] = bent(line["event"], dice)
            if dice.random() < 0.3:
                part = dice.choice(line["parts"])
                part["body"] = bent(part.get("body", {}), dice)

        try:
            lines = rechained(name, dice.randrange(count), change)
        except canonical.NotCanonical:
            continue
        words.add(word_of(audited(lines, NOTHING_KEPT)))
    assert words <= {"wrong", "damaged", "unverified", "unavailable"}
    # What is left out of a redacted bundle can make every change one that cannot be judged.
    assert words & ({"wrong", "unverified"} if "-red" in name else {"wrong"})


def told_of(lines: list[bytes]) -> set[str]:
    """What the audit of an upload shows of such lines, with all that there is to tell: the kinds of
    its records."""
    order = BundleAuditOrder(include=get_args(Inclusion), luck=True)
    fed = BytesIO(msgspec.json.encode(order) + b"\n" + b"".join(lines))
    return {piece_in(line)[0] for line in audit_fed(fed)}


@pytest.mark.parametrize("name", FILES)
def test_whatever_is_bent_can_be_shown_or_is_told_as_unknown(name: str) -> None:
    dice = Random(f"{name} shown")
    kinds: set[str] = set()
    for _ in range(2):
        place = dice.randrange(len(true_lines(name)) - 3)
        with suppress(canonical.NotCanonical):
            kinds |= told_of(rechained(name, place, lambda line: bent_in_form(line, dice)))
    assert kinds >= {"event", "report"}


@pytest.mark.parametrize("name", ["bundle-red.ndjson", "bundle-gm.ndjson"])
@pytest.mark.parametrize("depth", [100, 500, 900, 5_000, 200_000])
def test_what_is_nested_deeply_is_wrong_or_no_bundle(name: str, depth: int) -> None:
    line = true_lines(name)[13]
    body = line[line.index(b'"event":') + 8 : line.index(b',"hash"')]
    deep = body.replace(b'"effects":[', b'"effects":[' + b"[" * depth + b"]" * depth + b",", 1)
    forged = line.replace(body, deep).replace(
        json.loads(line)["hash"].encode(), hashing.event_hash(deep).encode()
    )
    lines = [*true_lines(name)[:13], forged, *true_lines(name)[14:]]
    assert word_of(audited(lines, NOTHING_KEPT)) in ("wrong", "damaged")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"\xff\n", "unreadable"),
        (b"\n", "unreadable"),
        (b"null\n", "unreadable"),
        (b'{"type":"event"}\n', "unreadable"),
        (b"[" * 100_000 + b"\n", "unreadable"),
        (b'{"__proto__":{"type":"blob"}}\n', "unreadable"),
        (b"9" * 5_000 + b"\n", "unreadable"),
        (b'"' + b"x" * MAX_LINE_BYTES + b'"\n', "too_long"),
        (b'{"type":"event"', "truncated"),
    ],
    ids=["utf8", "empty", "null", "event", "deep", "prototype", "number", "huge", "cut"],
)
def test_a_line_that_is_none_is_told(line: bytes, reason: str) -> None:
    lines = [*true_lines("bundle-gm.ndjson")[:3], line]
    found = audited(lines, NOTHING_KEPT)
    assert getattr(found, "params", {}).get("reason") == reason
