"""Bundles that somebody forged, each with the first difference that a verifier finds."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from service.encounters.receipts import Signer
from service.engine import hashing
from service.engine.dice.dice import DiceStream
from service.engine.log import canonical
from service.engine.log.event import Event
from service.engine.visibility.streams import PUBLIC_STREAM
from tests.forgeries.bundle_forger import SIGNER, Difference, Forger, Line, seal_line, signer_of
from tests.kit.table import SEED

OF_BLUE: Final = ("facts", "blue")


class Forgery(NamedTuple):
    """A forged bundle and what is found; `kept` is what a receipt of the true head says of it.

    `why` says in words why a bundle alone shows nothing. `ruling` is the verdict of the service's
    audit where it is another than follows from the difference. `unknown` is the first thing that
    the tables do not have.
    """

    name: str
    about: str
    file: str
    lines: list[bytes]
    difference: Difference | None
    kept: str | None = None
    why: str | None = None
    ruling: str | None = None
    unknown: Difference | None = None


def part_of(line: Line, kind: str, audience: str) -> Line:
    """A part of an event's line."""
    found: Line = next(
        each for each in line["parts"] if (each["kind"], each["audience"]) == (kind, audience)
    )
    return found


def with_roll(change: Callable[[Any], Any]) -> Callable[[Event], Event]:
    """The first roll of the attack changed."""

    def told(event: Event) -> Event:
        effects: list[Any] = list(event.effects)
        detail = effects[1].detail
        effects[1] = replace(effects[1], detail=replace(detail, roll=change(detail.roll)))
        return replace(event, effects=tuple(effects))

    return told


def forgeries(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """The simplest forgeries of the battle; `seqs` names its events."""
    yield from of_the_form(forger, seqs)
    yield from of_the_header(forger)
    yield from of_the_chain(forger, seqs)
    yield from of_the_parts(forger, seqs)
    yield from of_the_draws(forger, seqs)
    yield from of_the_signature(forger, seqs)


def of_the_form(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Bytes that are no bundle."""
    whole = forger.bundles["bundle-gm.ndjson"]
    end = len(whole)

    def damaged(name: str, about: str, lines: list[bytes], line: int, check: str) -> Forgery:
        return Forgery(name, about, "bundle-gm.ndjson", lines, {"check": check, "line": line})

    shot = forger.line_of(seqs["shot"])
    yield damaged("no_seal", "The last line is missing.", whole[:-1], end, "truncated")
    yield damaged(
        "cut", "The file ends within a line.", [*whole[:-1], whole[-1][:-20]], end, "truncated"
    )
    yield damaged(
        "space",
        "A space that canonical JSON has not.",
        forger.text(shot, b",", b", "),
        shot,
        "not_canonical",
    )
    yield damaged(
        "escape",
        "A letter written as an escape.",
        forger.text(end, b"seal", b"\\u0073eal"),
        end,
        "not_canonical",
    )
    yield damaged(
        "field",
        "A field that no line has.",
        forger.rows(shot, lambda line: line.update(x=1)),
        shot,
        "unreadable",
    )
    yield damaged(
        "order",
        "A blob behind an event.",
        [*whole[:3], whole[1], *whole[3:]],
        4,
        "out_of_order",
    )
    yield damaged(
        "blob",
        "A cell of the map is another.",
        forger.text(2, b'"x":2', b'"x":3'),
        2,
        "wrong_digest",
    )
    yield damaged(
        "blob_twice",
        "The same blob twice.",
        [*whole[:2], whole[1], *whole[2:]],
        3,
        "repeated_blob",
    )
    yield damaged(
        "facts_erased",
        "Facts without salt and body, as only text may be.",
        forger.rows(shot, lambda line: [line["parts"][-1].pop(name) for name in ("salt", "body")]),
        shot,
        "wrong_parts",
    )
    yield damaged(
        "half_erased",
        "A part with a salt and no body.",
        forger.rows(shot, lambda line: line["parts"][0].pop("body")),
        shot,
        "wrong_parts",
    )


def of_the_header(forger: Forger) -> Iterator[Forgery]:
    """A first line that is not that of the log."""
    seed = hashing.blob_digest(b"another seed")
    commitment = hashing.commitment(bytes.fromhex(seed))

    def wrong(name: str, about: str, change: Callable[[Line], object], **found: Any) -> Forgery:
        return Forgery(name, about, "bundle-gm.ndjson", forger.rows(1, change), found)

    yield wrong(
        "fairness",
        "It has the seed and calls the dice sealed.",
        lambda line: line["dice"].update(fairness="sealed"),
        check="wrong_fairness",
        line=1,
    )
    yield wrong(
        "viewer",
        "Grants of a viewer who needs none.",
        lambda line: line["viewer"].update(grants=[{"sides": ["red"], "since": 1}]),
        check="wrong_viewer",
        line=1,
    )
    yield wrong(
        "mode",
        "It says that the table rolled.",
        lambda line: line["dice"].update(fairness="not_verified", mode="supplied"),
        check="header_differs",
        where="mode",
    )
    yield wrong(
        "seed",
        "Another seed.",
        lambda line: line.update(seed=seed),
        check="seed_does_not_fit",
        where="seed",
    )
    yield wrong(
        "seed_and_commitment",
        "Another seed with its own commitment.",
        lambda line: line.update(seed=seed, commitment=commitment),
        check="header_differs",
        where="commitment",
    )

    def sealed_again(line: Line) -> None:
        line["dice"]["fairness"] = "sealed"
        del line["seed"]

    yield wrong(
        "seed_kept_back",
        "The log reveals the seed, the header has none.",
        sealed_again,
        check="seed_missing",
        where="seed",
    )


def of_the_chain(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Events that are not where they were, or not what they were."""
    whole = forger.bundles["bundle-gm.ndjson"]
    at = forger.line_of(seqs["turn"])

    def found(check: str, line: int, path: str) -> Difference:
        return {"check": check, "line": line, "path": path}

    cut = [*whole[: at - 1], *whole[at:]]
    swapped = [*whole[: at - 1], whole[at], whole[at - 1], *whole[at + 1 :]]
    twice = [*whole[:at], *whole[at - 1 :]]
    chain = found("chain", at, "$.seq")
    yield Forgery("event_cut", "An event is missing.", "bundle-gm.ndjson", cut, chain)
    yield Forgery(
        "swapped", "Two events in each other's place.", "bundle-gm.ndjson", swapped, chain
    )
    again = found("chain", at + 1, "$.seq")
    yield Forgery("event_twice", "An event stands twice.", "bundle-gm.ndjson", twice, again)
    shot = forger.line_of(seqs["shot"])
    yield Forgery(
        "face",
        "A face was changed and nothing else.",
        "bundle-gm.ndjson",
        forger.text(shot, b'"face":4', b'"face":5'),
        found("hash", shot, "hash"),
    )
    rewind = forger.line_of(seqs["rewind"])
    yield Forgery(
        "base",
        "A rewind continues another event than it says.",
        "bundle-gm.ndjson",
        forger.rehashed(seqs["rewind"], lambda body: body.update(base=body["base"] - 1)),
        found("chain", rewind, "$.base"),
    )
    yield Forgery(
        "capital",
        "A key that canonical JSON has not.",
        "bundle-gm.ndjson",
        forger.rehashed(seqs["end"], lambda body: body.update(Base=body["base"])),
        found("canonical", forger.line_of(seqs["end"]), "$"),
    )
    clock = forger.rehashed(seqs["end"], later)
    yield Forgery(
        "old_seal",
        "The last event was hashed anew, the seal is the old one.",
        "bundle-gm.ndjson",
        [*clock[:-1], whole[-1]],
        {"check": "head_differs", "where": "head"},
    )
    yield Forgery(
        "clock",
        "A clock that no rule reads was changed by somebody with every key.",
        "bundle-gm.ndjson",
        clock,
        None,
        kept="differs",
        why="No clock in a log is vouched for, and the signer has every key.",
    )
    yield shortened(forger)


def later(body: Line) -> None:
    """Change the time of an event."""
    body["at"] = body["at"].replace("20:00", "20:01")


def shortened(forger: Forger) -> Forgery:
    """The log as it was one event ago."""
    whole = forger.bundles["bundle-gm.ndjson"]
    lines = list(whole[:-2])
    header = json.loads(lines[0])
    header["dice"]["fairness"] = "sealed"
    del header["seed"]
    before = json.loads(lines[-1])
    lines[0] = canonical.encode(header) + b"\n"
    lines.append(seal_line(forger.table.encounter, before["event"]["seq"], before["hash"]))
    about = "The last event was cut off and the one before signed as the head."
    why = "The log was once just this, and the signer has every key."
    return Forgery("shortened", about, "bundle-gm.ndjson", lines, None, "beyond_head", why)


def of_the_parts(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Parts that do not fit, are too few or too many."""
    at = forger.line_of(seqs["hidden"])
    blue = "parts.facts.blue"

    def found(check: str, path: str) -> Difference:
        return {"check": check, "line": at, "path": path}

    def forged(name: str, about: str, change: Callable[[Line], object], *what: str) -> Forgery:
        return Forgery(name, about, "bundle-gm.ndjson", forger.rows(at, change), found(*what))

    yield forged(
        "part",
        "What a hidden combatant did is told otherwise.",
        lambda line: part_of(line, *OF_BLUE)["body"]["entries"].pop(),
        "commitment",
        blue,
    )
    yield forged(
        "salt",
        "Another salt.",
        lambda line: part_of(line, *OF_BLUE).update(salt="00" * 16),
        "commitment",
        blue,
    )
    yield forged(
        "commits",
        "Another list of commitments.",
        lambda line: line["commits"].__setitem__(0, "00" * 32),
        "commitment",
        "$.sealed",
    )
    yield forged(
        "withheld",
        "A part was taken out.",
        lambda line: line["parts"].remove(part_of(line, *OF_BLUE)),
        "entitlement",
        "parts",
    )
    red = json.loads(forger.bundles["bundle-gm.ndjson"][at - 1])
    lines = forger.rows(
        at, lambda line: line["parts"].append(part_of(red, *OF_BLUE)), "bundle-red.ndjson"
    )
    yield Forgery(
        "not_theirs",
        "Red's bundle holds a part of blue's.",
        "bundle-red.ndjson",
        lines,
        found("entitlement", "parts"),
    )
    text = forger.rows(
        forger.line_of(seqs["end"]),
        lambda line: [part_of(line, "text", "everyone").pop(name) for name in ("salt", "body")],
    )
    yield Forgery(
        "emptied",
        "A text is gone that no event erased.",
        "bundle-gm.ndjson",
        text,
        {"check": "erased_without_event", "where": "parts"},
    )


def of_the_draws(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Another shot, shown by somebody with every key of the service."""
    shot = seqs["shot"]
    roll = "$.effects[1].detail.roll"

    def retold(
        name: str, about: str, change: Callable[[Event], Event], check: str, path: str
    ) -> Iterator[Forgery]:
        for viewer, file in (("", "bundle-gm.ndjson"), ("_to_red", "bundle-red.ndjson")):
            found = {"check": check, "line": forger.line_of(shot), "path": path}
            lines = forger.retold(shot, change, file)
            yield Forgery(name + viewer, about, file, lines, found)

    def better(event: Event) -> Event:
        return replace(event, draws=(replace(event.draws[0], face=6), *event.draws[1:]))

    def one_more(event: Event) -> Event:
        last = replace(event.draws[-1], number=len(event.draws) + 1, face=next_face(forger, event))
        return replace(event, draws=(*event.draws, last))

    def missed(event: Event) -> Event:
        effects: list[Any] = list(event.effects)
        effects[1] = replace(effects[1], outcome="miss")
        return replace(event, effects=tuple(effects))

    yield from retold("die", "A die shows a six.", better, "draws", "$.draws[0].face")
    sixes = with_roll(lambda rolled: replace(rolled, faces=(6, *rolled.faces[1:])))
    about = "The draws are true, the roll tells a six."
    yield from retold("roll", about, sixes, "draws", f"{roll}.faces[0]")
    more = with_roll(lambda rolled: replace(rolled, total=rolled.total + 1))
    yield from retold("total", "A total with one too many.", more, "draws", f"{roll}.total")
    about = "A true draw that no roll names."
    yield from retold("thrown_away", about, one_more, "draws", "$.draws[6]")
    about = "A hit is told as a miss: only the rules of the game object."
    yield from retold("miss", about, missed, "rules", "$.effects[1].outcome")


def next_face(forger: Forger, event: Event) -> int:
    """What the next die of an event would show."""
    given = forger.table.state.linear.contributions
    mixed = hashing.entropy(tuple(bytes.fromhex(each.value) for each in given))
    stream = DiceStream(hashing.dice_key(SEED, event.encounter, mixed), event.seq, PUBLIC_STREAM)
    return stream.faces(len(event.draws) + 1, 6)[-1]


def of_the_signature(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Receipts that are no signature of the service's key over this head."""
    whole = forger.bundles["bundle-gm.ndjson"]
    end = len(whole)
    forged = {"check": "receipt_forged", "where": "seal"}
    head = (forger.table.encounter[:-1] + "f", len(forger.table.sealed), forger.table.head)
    other = json.loads(seal_line(*head))["receipt"]
    yield Forgery(
        "signature",
        "Another signature.",
        "bundle-gm.ndjson",
        forger.rows(end, lambda line: line["receipt"].update(sig="00" * 64)),
        forged,
    )
    yield Forgery(
        "other_receipt",
        "The receipt of another encounter.",
        "bundle-gm.ndjson",
        forger.rows(end, lambda line: line.update(receipt=other)),
        forged,
    )
    unnamed = Signer(kid="0" * 16, key=SIGNER.key)
    yield Forgery(
        "key_id",
        "A true signature under the id of no such key.",
        "bundle-gm.ndjson",
        forger.rehashed(seqs["end"], later, unnamed),
        {"check": "key_id_differs", "where": "seal"},
    )
    yield Forgery(
        "other_key",
        "A whole log of somebody else's, signed with a key of theirs.",
        "bundle-gm.ndjson",
        forger.rehashed(seqs["end"], later, signer_of(bytes(32))),
        {"check": "key_differs", "where": "seal"},
    )
