"""Bundles with something malformed in them: odd keys, other types, members that are gone.

Where a thing is no line of the format, a verifier stops there; all else has its place.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from service.engine import hashing
from tests.forgeries.bundle_forger import Difference, Forger, Line, with_entries, with_entry
from tests.forgeries.bundle_forgeries import Forgery, part_of

RED_FACTS: Final = ("facts", "red")
Change = Callable[[Line], object]


def of_malformed_lines(forger: Forger, seq: int) -> Iterator[Forgery]:
    """Forgeries of the battle of the vectors; `seq` is an event with an attack."""
    yield from _of_the_form(forger, seq)
    yield from _of_canonical_json(forger, seq)
    yield from _of_rolls(forger, seq)
    yield from _of_orders(forger, seq)


def of_malformed_forks(fork: Forger, name: str) -> Iterator[Forgery]:
    """Forks that do not say which event of another log they continue."""
    changes: dict[str, tuple[str, Any]] = {
        "text": ("is a text", lambda _: "the battle before"),
        "without_hash": ("has no hash", lambda told: told.pop("hash") and told),
        "event_0": ("names event 0", lambda told: {**told, "seq": 0}),
        "status": ("has a status that there is not", lambda told: {**told, "status": "over"}),
    }
    found = {"check": "log_rules", "line": fork.line_of(1), "path": "$.effects[0]"}
    for word, (about, change) in changes.items():
        lines = fork.rehashed(1, _with_origin(change), file=fork.red)
        told = f"Of a fork, what it continues {about}."
        yield Forgery(f"{name}_fork_of_{word}_red", told, fork.red, lines, found)
    lines = fork.rehashed(1, _with_origin(lambda told: {**told, "place": 3}), file=fork.red)
    why = "A newer service may say more of the event that a fork continues."
    about = "Of a fork, what it continues has one more member."
    yield Forgery(f"{name}_fork_of_more_red", about, fork.red, lines, None, why=why)


def _with_origin(change: Callable[[Any], Any]) -> Change:
    def changed(body: Line) -> None:
        for holder in (body["action"], body["effects"][0]):
            holder["fork_of"] = change(holder["fork_of"])

    return changed


def _both(
    forger: Forger, name: str, about: str, seq: int, change: Change, found: Difference
) -> Iterator[Forgery]:
    """The same change of an event's line in the whole bundle and in red's."""
    for ending, file in (("_gm", forger.gm), ("_red", forger.red)):
        lines = forger.relined(seq, change, file=file)
        yield Forgery(name + ending, about, file, lines, found)


def _of_the_form(forger: Forger, seq: int) -> Iterator[Forgery]:
    at = forger.line_of(seq)
    unreadable: Difference = {"check": "unreadable", "line": at}

    def entry(*path: object) -> Change:
        return lambda line: with_entry(line, RED_FACTS, [list(path), 1])

    changes: dict[str, tuple[str, Change]] = {
        "capital_in_path": ("A capital in the path of an entry.", entry("effects", 0, "Outcome")),
        "space_in_path": ("A space in the path of an entry.", entry("effects", 0, "out come")),
        "far_path": ("A position beyond 2^53 - 1.", entry("effects", 2**53)),
        "no_path": ("An entry whose path is empty.", entry()),
        "entry_of_three": (
            "An entry of three.",
            lambda line: with_entry(line, RED_FACTS, [["effects", 0, "seen"], 1, 2]),
        ),
        "part_field": (
            "A field in a part that no part has.",
            lambda line: part_of(line, *RED_FACTS)["body"].update(more=[]),
        ),
        "no_actor": ("An event without `by`.", lambda line: line["event"].pop("by")),
        "body_field": ("A field that no body has.", lambda line: line["event"].update(more=1)),
        "effect_text": (
            "An effect that is a text.",
            lambda line: line["event"]["effects"].append("turn_ended"),
        ),
        "effect_untyped": (
            "An effect whose type is a number.",
            lambda line: line["event"]["effects"].append({"type": 1}),
        ),
        "die_without_sides": (
            "A die in the body with no sides.",
            lambda line: line["event"]["draws"][0].update(sides=0),
        ),
    }
    for name, (about, change) in changes.items():
        yield from _both(forger, name, about, seq, change, unreadable)
    lines = forger.rows(1, lambda line: line.update(format=2))
    about = "A first line of another format."
    found: Difference = {"check": "unknown_format", "line": 1}
    yield Forgery("other_format", about, forger.gm, lines, found)
    end = len(forger.bundles[forger.gm])
    lines = forger.rows(end, lambda line: line["receipt"].update(seq=0))
    about = "A receipt of event 0."
    found = {"check": "unreadable", "line": end}
    yield Forgery("receipt_of_event_0", about, forger.gm, lines, found)


def _of_canonical_json(forger: Forger, seq: int) -> Iterator[Forgery]:
    at = forger.line_of(seq)
    of_body: Difference = {"check": "canonical", "line": at, "path": "$"}
    of_part: Difference = {"check": "canonical", "line": at, "path": "parts.facts.red"}

    def odd_part(line: Line) -> None:
        """A key with a capital in red's facts; the commitment stays as it was."""
        part_of(line, *RED_FACTS)["body"]["entries"].append([["effects", 0, "more"], {"Odd": 1}])

    def odd_body(line: Line) -> None:
        line["event"]["effects"][0]["Odd"] = 1

    def odd_part_committed(line: Line) -> None:
        with_entry(line, RED_FACTS, [["effects", 0, "more"], {"Odd": 1}])

    def odd_part_unsealed(line: Line) -> None:
        odd_part(line)
        line["event"]["sealed"] = hashing.sealed(b"")

    def odd_body_and_field(line: Line) -> None:
        odd_body(line)
        line["event"].update(more=1)

    def odd_body_and_part(line: Line) -> None:
        odd_body(line)
        part_of(line, *RED_FACTS)["body"]["entries"].append([["Effects"], 1])

    for name, about, change, found in (
        ("odd_part", "A key with a capital in a part.", odd_part_committed, of_part),
        ("odd_part_elsewhere", "The same, and not what was committed to.", odd_part, of_part),
        ("odd_part_unsealed", "The same under another `sealed`.", odd_part_unsealed, of_part),
        (
            "odd_body",
            "A key with a capital in a body, and a field that no body has.",
            odd_body_and_field,
            of_body,
        ),
        (
            "odd_body_and_path",
            "A key with a capital in a body, and one in the path of an entry.",
            odd_body_and_part,
            {"check": "unreadable", "line": at},
        ),
    ):
        yield from _both(forger, name, about, seq, change, found)


def _of_rolls(forger: Forger, seq: int) -> Iterator[Forgery]:
    at = forger.line_of(seq)
    path = "$.effects[1].detail.roll"

    def roll_of(line: Line) -> Line:
        roll: Line = line["event"]["effects"][1]["detail"]["roll"]
        return roll

    inner = {"faces": [6], "sides": 6, "total": 6, "draws": [{"stream": 0, "number": 1}]}
    changes: dict[str, tuple[str, Change, str]] = {
        "roll_in_roll": (
            "A roll within a roll, of a die that the outer one names.",
            lambda line: roll_of(line).update(more=inner),
            f"{path}.more.draws",
        ),
        "roll_in_roll_of_nothing": (
            "A roll within a roll, without draws.",
            lambda line: roll_of(line).update(more={"faces": [6], "sides": 6}),
            f"{path}.more",
        ),
        "total_text": (
            "A total that is a text.",
            lambda line: roll_of(line).update(total=str(roll_of(line)["total"])),
            path,
        ),
        "sides_list": (
            "The sides of a roll are a list.",
            lambda line: roll_of(line).update(sides=[6]),
            path,
        ),
        "face_true": (
            "A face that is `true`.",
            lambda line: roll_of(line)["faces"].__setitem__(0, True),
            path,
        ),
        "far_run": (
            "A run that begins beyond 2^31 - 1.",
            lambda line: roll_of(line)["draws"][0].update(number=2**31),
            path,
        ),
    }
    for name, (about, change, where) in changes.items():
        found: Difference = {"check": "draws", "line": at, "path": where}
        yield from _both(forger, name, about, seq, change, found)


def _of_orders(forger: Forger, seq: int) -> Iterator[Forgery]:
    found: Difference = {"check": "parts", "line": forger.line_of(seq), "path": "parts.facts.gm"}

    def ordered(path: list[object], audiences: list[str]) -> Change:
        def change(line: Line) -> None:
            part_of(line, "facts", "gm")["body"].setdefault("orders", []).append([path, audiences])
            with_entries(line, ("facts", "gm"), lambda entries: None)

        return change

    orders: tuple[tuple[str, str, list[object], list[str]], ...] = (
        ("order_of_nothing", "An order of an array that there is not.", ["effects", 0, "x"], []),
        ("order_too_short", "An order without the last effects.", ["effects"], ["everyone"]),
    )
    for name, about, path, audiences in orders:
        lines = forger.relined(seq, ordered(path, audiences))
        yield Forgery(name, about, forger.gm, lines, found)
