"""Bundles that two readings of the page once judged otherwise; the page settles each now."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from service.engine import hashing
from service.engine.log import canonical
from service.engine.log.parts import part_names
from tests.forgeries.bundle_forger import (
    SIDES,
    Difference,
    Forger,
    Line,
    with_entry,
)
from tests.forgeries.bundle_forgeries import Forgery, part_of

RED_FACTS: Final = ("facts", "red")
GM_FACTS: Final = ("facts", "gm")
NOWHERE: Final[list[Any]] = [["effects", 0, "nothing"], "x"]
BEYOND: Final[list[Any]] = [["effects", 99], {"type": "turn_ended"}]
Change = Callable[[Line], object]


def settled_forgeries(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Those of the battle of the vectors."""
    yield from _of_lines(forger, seqs["shot"])
    yield from _of_parts(forger, seqs["turn"] + 2)
    yield from _of_event_1(forger)
    yield from _of_bodies(forger, seqs)


def _of_lines(forger: Forger, seq: int) -> Iterator[Forgery]:
    whole, at = forger.bundles[forger.gm], forger.line_of(seq)
    lines = forger.rows(at - 5, lambda line: line.update(hash="00" * 32))
    lines[at - 1] = b"{\n"
    found: Difference = {"check": "hash", "line": at - 5, "path": "hash"}
    about = "Another hash, and a line behind it that is no JSON."
    yield Forgery("hash_before_no_json", about, forger.gm, lines, found, ruling="damaged")
    for name, about, old, new, found in (
        (
            "key_twice_null_first",
            "A key twice, first with null.",
            b'"at":',
            b'"at":null,"at":',
            {"check": "not_canonical", "line": at},
        ),
        (
            "key_twice_null_last",
            "A key twice, last with null.",
            b',"base":',
            b',"at":null,"base":',
            {"check": "canonical", "line": at, "path": "$"},
        ),
    ):
        told = list(whole)
        assert old in told[at - 1]
        told[at - 1] = told[at - 1].replace(old, new, 1)
        yield Forgery(name, about, forger.gm, told, found)


def _of_parts(forger: Forger, seq: int) -> Iterator[Forgery]:
    """Event `seq` hides nothing."""

    def found(path: str) -> Difference:
        return {"check": "parts", "line": forger.line_of(seq), "path": path}

    def own_order(line: Line) -> None:
        with_entry(line, GM_FACTS, [["effects", 0, "secret"], ["x"]])
        _order(line, ["effects", 0, "secret"], ["gm"])

    lines = forger.relined(seq, own_order)
    about = "An order of an array that the game master's facts bring."
    yield Forgery("order_of_own_array", about, forger.gm, lines, found("parts.facts.gm"))
    path = found("parts.facts.red.entries[0]")
    for ending, file in (("_red", forger.red), ("_gm", forger.gm)):
        lines = forger.relined(seq, lambda line: with_entry(line, RED_FACTS, BEYOND), file=file)
        about = "A side's facts insert an element far behind the last."
        yield Forgery(f"inserted_beyond{ending}", about, file, lines, path)

    def facts_and_text(line: Line) -> None:
        with_entry(line, RED_FACTS, BEYOND)
        with_entry(line, ("text", "red"), NOWHERE)

    lines = forger.relined(seq, facts_and_text, file=forger.red)
    about = "Facts and text of a side lead nowhere."
    yield Forgery("facts_before_text_red", about, forger.red, lines, path)

    def unfilled(line: Line) -> None:
        count = len(line["event"]["effects"])
        _order(line, ["effects"], [*["everyone"] * count, "gm"])

    lines = forger.relined(seq, unfilled)
    about = "An element of the game master's that no entry fills."
    yield Forgery("never_filled", about, forger.gm, lines, found("parts.facts.gm"))

    def unfilled_and_text(line: Line) -> None:
        unfilled(line)
        with_entry(line, ("text", "gm"), NOWHERE)

    lines = forger.relined(seq, unfilled_and_text)
    about = "The same, and a text of the game master's that leads nowhere."
    path = found("parts.text.gm.entries[0]")
    yield Forgery("never_filled_and_text", about, forger.gm, lines, path)


def _order(line: Line, path: list[Any], audiences: list[str]) -> None:
    """One more order of the game master's, committed to."""
    part = part_of(line, *GM_FACTS)
    part["body"].setdefault("orders", []).append([path, audiences])
    salt, body = bytes.fromhex(part["salt"]), canonical.encode(part["body"])
    line["commits"][part_names(SIDES).index(GM_FACTS)] = hashing.part_commit(salt, body).hex()
    line["event"]["sealed"] = hashing.sealed(bytes.fromhex("".join(line["commits"])))


def _of_event_1(forger: Forger) -> Iterator[Forgery]:
    """Terms that are missing: those that a bundle cannot be read without are of the log's rules."""

    def without(name: str) -> Change:
        def changed(body: Line) -> None:
            body["effects"][0].pop(name)
            body["action"].pop(name)

        return changed

    lines = forger.rehashed(1, without("commitment"), file=forger.red)
    about = "Event 1 names no commitment."
    found: Difference = {"check": "header_differs", "where": "commitment"}
    yield Forgery("no_commitment_red", about, forger.red, lines, found)
    lines = forger.rehashed(1, without("seed"), file=forger.red)
    about = "Event 1 does not say who made the seed."
    found = {"check": "log_rules", "line": forger.line_of(1), "path": "$.effects[0]"}
    yield Forgery("no_maker_of_the_seed_red", about, forger.red, lines, found)


def _of_bodies(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    end, turn = seqs["end"], seqs["turn"] + 2

    def told(name: str, about: str, seq: int, change: Change, check: str, path: str) -> Forgery:
        lines = forger.rehashed(seq, change, file=forger.red)
        found: Difference = {"check": check, "line": forger.line_of(seq), "path": path}
        return Forgery(f"{name}_red", about, forger.red, lines, found)

    def seed(body: Line) -> None:
        body["effects"][1]["seed"] = "00"

    about = "A seed of one byte is revealed."
    yield told("seed_of_one_byte", about, end, seed, "log_rules", "$.effects[1]")

    def no_cause(body: Line) -> None:
        body["effects"][0].update(winner="blue")
        body["effects"][0].pop("cause")

    about = "Another side than was asked for wins, in an end without a cause."
    path = "$.effects[0].winner"
    yield told("no_cause", about, end, no_cause, "invariants", path)

    def year(body: Line) -> None:
        body["at"] = "0000-01-01T00:00:00.000Z"

    yield told("year_0000", "A moment in the year 0000.", end, year, "canonical", "$.at")

    def seqs_as_asked(body: Line) -> None:
        body["action"]["seqs"] = body["effects"][0]["seqs"] = [4, 3]

    about = "Texts are erased in the order in which that was asked."
    path = "$.effects[0].seqs"
    yield told("seqs_as_asked", about, end - 1, seqs_as_asked, "invariants", path)
    body = json.loads(forger.bundles[forger.red][forger.line_of(turn) - 1])["event"]
    count = len(body["effects"])

    def as_a_roll(body: Line) -> None:
        body["effects"][0].update(faces=[1], sides=6)

    about = "An effect that has the faces of a roll itself."
    yield told("effect_as_a_roll", about, turn, as_a_roll, "draws", "$.effects[0]")

    def unasked(body: Line) -> None:
        body.pop("action")
        body["effects"].append({"type": "adjusted"})

    about = "An override in an event that shows no action."
    path = f"$.effects[{count}]"
    yield told("override_by_nobody", about, turn, unasked, "invariants", path)
    yield _told_twice(forger)


def _told_twice(forger: Forger) -> Forgery:
    """Rita is red's, and shown again as hidden; red's player no longer acts for her."""
    body = json.loads(forger.bundles[forger.red][forger.line_of(1) - 1])["event"]
    sheets = [each["combatant"] for each in body["effects"] if each["type"] == "combatant_added"]
    [rita] = [each for each in sheets if each["id"] == "rita"]

    def again(event: Line) -> None:
        event["effects"].append({"combatant": {**rita, "hidden": True}, "type": "combatant_added"})
        for effect in event["effects"]:
            if effect["type"] == "seat_changed" and effect["seat"]["id"] == "rosa":
                effect["seat"].update(sides=[])
        for seat in event["action"]["seats"]:
            if seat["id"] == "rosa":
                seat.update(sides=[])
        event["action"]["combatants"].append({**rita, "hidden": True})

    lines = forger.rehashed(1, again, file=forger.red)
    turn = next(
        line
        for line in map(json.loads, forger.bundles[forger.red][2:-1])
        if line["event"].get("action", {}).get("combatant") == "rita"
        and line["event"]["by"]["role"] == "player"
    )
    line = forger.line_of(turn["event"]["seq"])
    found: Difference = {"check": "invariants", "line": line, "path": "$.action.combatant"}
    about = "A seat acts for a combatant of another, who was shown openly, then as hidden."
    return Forgery("told_as_hidden_too_red", about, forger.red, lines, found)
