"""The limits of `/docs/specification` are those of every verifier, to the last allowed value."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from service.engine import hashing
from service.replay.audit.trust import Kept
from service.replay.bundle.reader import DamagedBundle
from tests.clients.test_verifier import place_of
from tests.clients.verifier import bytes_case, judged
from tests.forgeries.bundle_forger import PUBLIC, Forger, Line, with_entry
from tests.forgeries.verdicts import audited, trusted
from tests.replay import plain_verifier
from tests.replay.audit_vectors import SEQS, battle

FORGER: Final = Forger(battle())
GM: Final = FORGER.bundles[FORGER.gm]
SHOT: Final = FORGER.line_of(SEQS["shot"])
ERASURE: Final = 15
Found = dict[str, Any] | None


def with_blob(body: bytes) -> list[bytes]:
    """The whole bundle with a blob that no event names, in front of the map."""
    digest = hashing.blob_digest(body).encode()
    return [GM[0], b'{"body":' + body + b',"digest":"' + digest + b'","type":"blob"}\n', *GM[1:]]


def named_elsewhere() -> list[bytes]:
    """Red's bundle with a blob whose digest is in a body, and not where blobs are named."""
    body = b"[1]"
    digest = hashing.blob_digest(body)

    def told(event: Line) -> None:
        event["effects"][0]["caption"] = digest

    lines = FORGER.rehashed(SEQS["turn"], told, file=FORGER.red)
    blob = b'{"body":' + body + b',"digest":"' + digest.encode() + b'","type":"blob"}\n'
    first, second = sorted((blob, lines[1]), key=lambda line: str(json.loads(line)["digest"]))
    return [lines[0], first, second, *lines[2:]]


def named_in_facts() -> list[bytes]:
    """Red's bundle with a blob whose digest only red's facts have."""
    body = b"[1]"
    digest = hashing.blob_digest(body)

    def told(line: Line) -> None:
        with_entry(line, ("facts", "red"), [["effects", 0, "map"], digest])

    lines = FORGER.relined(SEQS["turn"], told, file=FORGER.red)
    blob = b'{"body":' + body + b',"digest":"' + digest.encode() + b'","type":"blob"}\n'
    first, second = sorted((blob, lines[1]), key=lambda line: str(json.loads(line)["digest"]))
    return [lines[0], first, second, *lines[2:]]


def nested(levels: int) -> bytes:
    """A blob whose line has so many levels."""
    return b"[" * (levels - 1) + b"]" * (levels - 1)


def with_escape(number: int, old: bytes) -> list[bytes]:
    """The whole bundle with half of a surrogate pair in one line, hashed again if it is an
    event.
    """
    lines = list(GM)
    assert old in lines[number - 1]
    line = lines[number - 1].replace(old, b'"\\ud800"', 1)
    if b'"type":"event"' in line:
        body = line[line.index(b'"event":') + 8 : line.index(b',"hash"')]
        was = json.loads(lines[number - 1])["hash"]
        line = line.replace(was.encode(), hashing.event_hash(body).encode())
    lines[number - 1] = line
    return lines


def of_run(change: Callable[[Line], object]) -> list[bytes]:
    """Red's bundle with the runs of the first roll of a shot changed."""

    def told(body: Line) -> None:
        change(next(each for each in body["effects"] if "detail" in each)["detail"]["roll"])

    return FORGER.rehashed(SEQS["shot"], told, file=FORGER.red)


def of_erasure(*seqs: int) -> list[bytes]:
    """Red's bundle with an erasure that names these events."""

    def told(body: Line) -> None:
        body["action"]["seqs"] = body["effects"][0]["seqs"] = list(seqs)

    return FORGER.rehashed(ERASURE, told, file=FORGER.red)


def of_creation(change: Callable[[Line], object]) -> list[bytes]:
    """Red's bundle with an event 1 that names other terms."""
    return FORGER.rehashed(1, lambda body: change(body["effects"][0]), file=FORGER.red)


def of_given_seed() -> list[bytes]:
    """Red's bundle with a seed that its creator chose."""

    def told(body: Line) -> None:
        body["action"]["seed"] = body["effects"][0]["seed"] = "given"

    return FORGER.rehashed(1, told, file=FORGER.red)


def run(**more: int) -> Line:
    """A run that names the first draw again."""
    return {"stream": 0, "number": 1, **more}


def damaged(check: str, line: int) -> Found:
    return {"check": check, "line": line}


def at(check: str, line: int, path: str) -> Found:
    return {"check": check, "line": line, "path": path}


ROLL: Final = at("draws", SHOT, "$.effects[1].detail.roll")
ERASED: Final = at("log_rules", FORGER.line_of(ERASURE), "$.effects[0]")
CREATED: Final = at("log_rules", FORGER.line_of(1), "$.effects[0]")
UNNAMED: Final = {"check": "unnamed_blob", "where": "blobs"}
CASES: Final[dict[str, tuple[list[bytes], Found]]] = {
    "as_deep_as_may_be": (with_blob(nested(256)), UNNAMED),
    "too_deep": (with_blob(nested(257)), damaged("unreadable", 2)),
    "far_too_deep": (with_blob(nested(100_000)), damaged("unreadable", 2)),
    "brackets_in_a_text": (with_blob(b'{"a":"' + b"[" * 300 + b'\\""}'), UNNAMED),
    "values_in_a_text": (with_blob(b'"' + b"," * (4 << 20) + b'"'), damaged("too_long", 2)),
    "surrogate_of_header": (with_escape(1, b'"crossfire-d6"'), damaged("unreadable", 1)),
    "surrogate_of_blob": (with_blob(b'"\\ud800"'), damaged("unreadable", 2)),
    "surrogate_of_event": (with_escape(SHOT, b'"rifle"'), damaged("unreadable", SHOT)),
    "fraction_in_blob": (with_blob(b"[1.5]"), damaged("unreadable", 2)),
    "nothing_in_blob": (with_blob(b"[null]"), damaged("unreadable", 2)),
    "space_in_blob": (with_blob(b"[ 1]"), damaged("not_canonical", 2)),
    "order_in_blob": (with_blob(b'{"b":1,"a":2}'), damaged("not_canonical", 2)),
    "named_elsewhere": (named_elsewhere(), UNNAMED),
    "named_in_facts": (named_in_facts(), UNNAMED),
    "count_0": (of_run(lambda roll: roll["draws"].append(run(count=0))), ROLL),
    "number_0": (of_run(lambda roll: roll["draws"][0].update(number=0)), ROLL),
    "seq_0": (of_run(lambda roll: roll["draws"][0].update(seq=0)), ROLL),
    "stream_256": (of_run(lambda roll: roll["draws"][0].update(stream=256)), ROLL),
    "member_of_run": (of_run(lambda roll: roll["draws"][0].update(why=1)), ROLL),
    "erases_a_later_one": (of_erasure(4, 16), ERASED),
    "erases_itself": (of_erasure(4, 15), ERASED),
    "erases_none_that_is": (of_erasure(0, 4), ERASED),
    "erases_also_the_one_before": (of_erasure(4, 14), None),
    "seed_of_nobody": (of_creation(lambda made: made.update(seed="mine")), CREATED),
    "seed_that_was_given": (of_given_seed(), None),
    "side_of_everyone": (of_creation(lambda made: made["sides"][1].update(id="everyone")), CREATED),
    "side_twice": (of_creation(lambda made: made["sides"][1].update(id="red")), CREATED),
    "side_too_long": (of_creation(lambda made: made["sides"][1].update(id="b" * 21)), CREATED),
    "side_in_capitals": (of_creation(lambda made: made["sides"][1].update(id="Blue")), CREATED),
}


def audit_place(lines: list[bytes]) -> Found:
    """What the service's audit finds first, as the vectors tell it but for the word."""
    found = audited(lines, Kept(trusted=trusted(PUBLIC.hex())))
    if isinstance(found, DamagedBundle):
        return {"check": found.reason, "line": found.line}
    first = found.first_failure
    if not first:
        problems = [{"check": each.code, "where": each.where} for each in found.problems]
        return problems[0] if problems else None
    numbers = {json.loads(line)["event"]["seq"]: at for at, line in events_of(lines)}
    return {"line": numbers[first.seq], "path": first.path}


def events_of(lines: list[bytes]) -> list[tuple[int, bytes]]:
    return [(at, line) for at, line in enumerate(lines, 1) if b'"type":"event"' in line]


def as_audit(found: Found) -> Found:
    """The place of a difference as the audit shows it."""
    if found is None or "path" not in found:
        return found
    return {"line": found["line"], "path": found["path"]}


def test_every_verifier_draws_the_same_line(tmp_path: Path) -> None:
    cases = [bytes_case(name, b"".join(lines)) for name, (lines, _) in CASES.items()]
    reports = judged(cases, tmp_path)
    expected = {name: found for name, (_, found) in CASES.items()}
    assert {name: place_of(report) for name, report in reports.items()} == expected
    key = PUBLIC.hex()
    assert {
        name: plain_verifier.first_difference(lines, key) for name, (lines, _) in CASES.items()
    } == expected
    ours = {name: audit_place(lines) for name, (lines, _) in CASES.items()}
    assert ours == {name: as_audit(found) for name, (_, found) in CASES.items()}
