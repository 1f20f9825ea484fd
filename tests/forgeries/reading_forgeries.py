"""More bundles that two readings of the page once judged otherwise; the page settles each now."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.forgeries.bundle_forger import Difference, Forger, Line, with_entries
from tests.forgeries.bundle_forgeries import Forgery

GM_FACTS: Final = ("facts", "gm")
BY_THE_RULES: Final = "Only the rules of the game say how a battle ends and how rounds go by."
LATER: Final = "Whom a seat acts for is judged of those who were shown by then."
AGAIN: Final = "Whose faces are shown again is not compared."
ONE_DRAW: Final = {"count": 1, "number": 1, "seq": 1, "stream": 0}
Change = Callable[[Line], object]


def forgeries_of_readings(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Those of the battle of the vectors."""

    def changed_red(
        name: str,
        about: str,
        seq: int,
        change: Change,
        check: str = "",
        path: str = "",
        why: str = "",
    ) -> Forgery:
        lines = forger.rehashed(seq, change, file=forger.red)
        found: Difference = {"check": check, "line": forger.line_of(seq), "path": path}
        return Forgery(
            f"{name}_red", about, forger.red, lines, found if check else None, why=why or None
        )

    end, turn = seqs["end"], seqs["turn"] + 6
    about = "The battle is created again, within event 1."
    last = f"$.effects[{len(_body(forger, 1)['effects'])}]"
    yield changed_red("created_twice_at_once", about, 1, _created_again, "log_rules", last)
    about = "One combatant more comes in than was asked for."
    yield changed_red(
        "one_combatant_more", about, 1, _one_more, "invariants", f"{last}.combatant.id"
    )
    about = "One seat more than was asked for."
    yield changed_red("one_seat_more", about, 1, _seat_more, "invariants", f"{last}.seat.id")
    place = next(
        place
        for place, effect in enumerate(_body(forger, 1)["effects"])
        if effect["type"] == "seat_changed"
    )
    about = "A seat without the role that was asked for."
    path = f"$.effects[{place}].seat.role"
    yield changed_red("seat_without_role", about, 1, _without_role, "invariants", path)
    about = "An end without the winner that was asked for."
    path = "$.effects[0].winner"
    yield changed_red("end_without_winner", about, end, _without_winner, "invariants", path)
    about = "New options name a map by no digest."
    path = f"$.effects[{len(_body(forger, end - 1)['effects'])}]"
    yield changed_red("options_set_no_digest", about, end - 1, _no_digest, "log_rules", path)
    about = "Instead of the end that was asked for there is one by the rules."
    yield changed_red("ended_by_the_rules", about, end, _ended_by_rules, why=BY_THE_RULES)
    about = "Two rounds begin in one event, one behind the other."
    yield changed_red("two_rounds", about, turn, _two_rounds, why=BY_THE_RULES)
    about = "A seat acts for a combatant of another side, who came in behind the seat."
    lines = _changed(forger, forger.red, {4: _zed_comes, 9: _zed_acts})
    yield Forgery("came_in_later_red", about, forger.red, lines, None, why=LATER)
    yield from _of_headers(forger, seqs["turn"] + 1)

    def in_by(line: Line) -> None:
        line["event"]["by"]["x"] = [1]
        part = next(p for p in line["parts"] if (p["kind"], p["audience"]) == GM_FACTS)
        part["body"]["orders"] = [[["by", "x"], ["everyone"]]]
        with_entries(line, GM_FACTS, lambda entries: None)

    about = "An order of an array that stands at by."
    lines = forger.relined(2, in_by)
    found = {"check": "rules", "line": forger.line_of(2), "path": "$.by.x"}
    yield Forgery("order_at_by_gm", about, forger.gm, lines, found)


def headers_of_readings(forger: Forger) -> Iterator[Forgery]:
    """That of a battle with the dice of the table."""
    lines = forger.rows(
        1, lambda header: header["dice"].update(mode="sealed", fairness="verifiable")
    )
    about = "It says that the service rolled, and the table did."
    found = {"check": "header_differs", "where": "mode"}
    yield Forgery("mode_of_the_service", about, forger.gm, lines, found)


def forks_of_readings(forger: Forger, name: str) -> Iterator[Forgery]:
    """Those of forks."""
    if name == "seeker":
        place = len(_body(forger, 4)["effects"])

        def round_9(body: Line) -> None:
            body["effects"].append({"round": 9, "type": "round_began"})

        lines = forger.rehashed(4, round_9, file=forger.red)
        path = f"$.effects[{place}].round"
        found: Difference = {"check": "invariants", "line": forger.line_of(4), "path": path}
        about = "The first round of a fork skips some."
        yield Forgery("first_round_of_fork_red", about, forger.red, lines, found)

        def of_rita(body: Line) -> None:
            body["effects"][4]["victims"][0]["answered"]["combatant"] = "rita"

        lines = forger.rehashed(3, of_rita, file=forger.red)
        about = "A face that is shown again is that of another combatant."
        yield Forgery("again_of_another_red", about, forger.red, lines, None, why=AGAIN)
    if name == "melody":
        yield _face_twice(forger)


def _of_headers(forger: Forger, seq: int) -> Iterator[Forgery]:
    """What the header says of the mode changes no check of the dice."""

    def other_face(body: Line) -> None:
        face = body["draws"][0]["face"] % 6 + 1
        body["draws"][0]["face"] = face
        [roll, *_] = [roll for roll in _rolls(body["effects"]) if "seq" not in roll["draws"][0]]
        roll["total"] += face - roll["faces"][0]
        roll["faces"][0] = face

    lines = forger.rehashed(seq, other_face, file=forger.red)
    header = json.loads(lines[0])
    header["dice"].update(mode="supplied", fairness="not_verified")
    lines[0] = _written(header)
    path = "$.draws[0].face"
    found: Difference = {"check": "draws", "line": forger.line_of(seq), "path": path}
    about = "Another face, under a header that says that the table rolled."
    yield Forgery("face_and_mode_red", about, forger.red, lines, found)
    lines = forger.rows(
        1, lambda line: line["viewer"]["grants"][0].update(sides=["red", "zzz"]), forger.red
    )
    about = "A side that there is not is granted."
    found = {"check": "header_differs", "where": "viewer"}
    yield Forgery("granted_to_no_side_red", about, forger.red, lines, found)


def _face_twice(forger: Forger) -> Forgery:
    """Two faces wait under one name; one of them is shown twice."""

    def declared(line: Line) -> None:
        def two(entries: list[Any]) -> None:
            for path, value in entries:
                if path[-1] == "declared":
                    value.update(draws=[ONE_DRAW] * 2, faces=[2, 5])

        with_entries(line, GM_FACTS, two)

    def twice(line: Line) -> None:
        for roll in _rolls(line["event"]["effects"]):
            if roll["draws"][0].get("seq") == 1:
                roll.update(draws=[ONE_DRAW] * 2, faces=[2, 2], total=4)

    begun = copy.copy(forger)
    begun.bundles = {**forger.bundles, forger.gm: forger.relined(1, declared)}
    lines = begun.relined(3, twice)
    path = "gm:$.effects[2].detail.roll.faces[1]"
    found = {"check": "draws", "line": forger.line_of(3), "path": path}
    about = "A face that waited is shown twice, and another of its name waits still."
    return Forgery("melody_waited_face_twice_gm", about, forger.gm, lines, found)


def _changed(forger: Forger, file: str, changes: dict[int, Change]) -> list[bytes]:
    """The bundle with several bodies changed."""
    changed = copy.copy(forger)
    for seq, change in changes.items():
        lines = changed.rehashed(seq, change, file=file)
        changed.bundles = {**changed.bundles, file: lines}
    return changed.bundles[file]


def _written(line: Line) -> bytes:
    return json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _body(forger: Forger, seq: int) -> Line:
    body: Line = json.loads(forger.bundles[forger.red][forger.line_of(seq) - 1])["event"]
    return body


def _rolls(value: Any) -> Iterator[Line]:
    """Every roll at any depth."""
    if isinstance(value, dict) and {"faces", "draws"} <= value.keys():
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _rolls(each)


def _created_again(body: Line) -> None:
    body["effects"].append(dict(body["effects"][0]))


def _one_more(body: Line) -> None:
    added = next(each for each in body["effects"] if each["type"] == "combatant_added")
    body["effects"].append({**added, "combatant": {**added["combatant"], "id": "zed"}})


def _seat_more(body: Line) -> None:
    seated = next(each for each in body["effects"] if each["type"] == "seat_changed")
    body["effects"].append({**seated, "seat": {**seated["seat"], "id": "zoe"}})


def _without_role(body: Line) -> None:
    next(each for each in body["effects"] if each["type"] == "seat_changed")["seat"].pop("role")


def _without_winner(body: Line) -> None:
    body["effects"][0].pop("winner")


def _no_digest(body: Line) -> None:
    body["effects"].append({"map": "zz", "type": "options_set"})


def _ended_by_rules(body: Line) -> None:
    body["effects"][0].update(cause="destroyed", winner="blue")


def _two_rounds(body: Line) -> None:
    began = next(each for each in body["effects"] if each["type"] == "round_began")
    body["effects"].append({**began, "round": began["round"] + 1})


def _zed_comes(body: Line) -> None:
    zed = {"id": "zed", "name": "Zed", "side": "red"}
    body["action"] = {"combatant": zed, "type": "add_combatant"}
    body["effects"] = [{"combatant": zed, "type": "combatant_added"}]


def _zed_acts(body: Line) -> None:
    body["action"]["combatant"] = "zed"
