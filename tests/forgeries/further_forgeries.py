"""More forged bundles of the battle of the vectors: lines, parts and effects of other places."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from service.engine.log import canonical
from service.engine.log.event import Event
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.rolls import discounted
from service.replay.bundle.format import blob_line, encoded
from tests.forgeries.bundle_forger import (
    Difference,
    Forger,
    Line,
    changed_line,
    seal_line,
    signer_of,
    with_entry,
)
from tests.forgeries.bundle_forgeries import OF_BLUE, Forgery, part_of, with_roll


def further_forgeries(
    forger: Forger, other: Forger, rewritten: Forger, seqs: dict[str, int]
) -> Iterator[Forgery]:
    """All of them; `other` is another battle, `rewritten` the same, played otherwise."""
    yield from _of_lines(forger, seqs)
    yield from _of_other_battles(forger, other, seqs)
    yield from _of_the_log(forger, seqs)
    yield from _newer_types(forger, seqs)
    yield from _of_parts(forger, seqs)
    yield from _of_effects(forger, seqs)
    yield from _of_signatures(forger, rewritten)


def _found(check: str, line: int, path: str) -> Difference:
    return {"check": check, "line": line, "path": path}


def _of_lines(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Files that are no bundle, or are one of something else."""
    whole, file = forger.bundles[forger.gm], forger.gm
    end = len(whole)

    def damaged(name: str, about: str, lines: list[bytes], line: int, check: str) -> Forgery:
        return Forgery(name, about, file, lines, {"check": check, "line": line})

    yield damaged("empty", "An empty file.", [], 1, "truncated")
    yield damaged("header_alone", "The first line and no more.", whole[:1], 2, "truncated")
    twice = [whole[0], *whole]
    yield damaged("two_headers", "The first line twice.", twice, 2, "out_of_order")
    yield damaged("no_header", "The first line is missing.", whole[1:], 1, "out_of_order")
    yield damaged("no_events", "No event at all.", [*whole[:2], whole[-1]], 3, "out_of_order")
    yield damaged("two_seals", "The last line twice.", [*whole, whole[-1]], end + 1, "out_of_order")
    behind = [*whole, whole[-2]]
    yield damaged("behind_the_seal", "An event behind the seal.", behind, end + 1, "out_of_order")
    yield damaged("no_json", "A line that is no JSON.", [*whole[:3], b"{\n"], 4, "unreadable")
    yield damaged("no_object", "A line that is a list.", [*whole[:3], b"[]\n"], 4, "unreadable")
    at = forger.line_of(seqs["hidden"])
    swapped = forger.rows(at, lambda line: line["parts"].reverse())
    yield damaged("parts_swapped", "Parts in another order.", swapped, at, "wrong_parts")
    twice = forger.rows(at, lambda line: line["parts"].append(line["parts"][-1]))
    yield damaged("part_twice", "A part twice.", twice, at, "wrong_parts")
    idle = [whole[0], whole[1], encoded(blob_line(b'{"rows":[]}')), *whole[2:]]
    unnamed: Difference = {"check": "unnamed_blob", "where": "blobs"}
    yield Forgery("unnamed_blob", "A blob that no event names.", file, idle, unnamed)
    gone = forger.bundles[forger.red]
    missing: Difference = {"check": "missing_blob", "where": "blobs"}
    lines = [gone[0], *gone[2:]]
    yield Forgery("no_map", "The map is missing.", forger.red, lines, missing)


def _of_other_battles(forger: Forger, other: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Something of this log and something of another."""
    whole, file = forger.bundles[forger.gm], forger.gm
    strange = other.bundles[other.gm]
    at = forger.line_of(seqs["turn"])

    def header(name: str, about: str, change: Callable[[Line], object], found: Any) -> Forgery:
        return Forgery(name, about, file, forger.rows(1, change), found)

    yield header(
        "other_encounter",
        "The header of another encounter.",
        lambda line: line.update(encounter=other.table.encounter),
        _found("chain", 3, "$.encounter"),
    )
    yield header(
        "other_ruleset",
        "The header names another ruleset.",
        lambda line: line.update(ruleset="seeker-d100"),
        {"check": "header_differs", "where": "ruleset"},
    )
    yield header(
        "other_version",
        "The header names a version that there is not.",
        lambda line: line.update(version="99"),
        {"check": "header_differs", "where": "version"},
    )
    foreign = [*whole[: at - 1], strange[other.line_of(7) - 1], *whole[at:]]
    about = "An event of another encounter."
    found = _found("chain", at, "$.encounter")
    yield Forgery("foreign_event", about, file, foreign, found)
    seal = [*whole[:-1], strange[-1]]
    about = "The seal of another encounter."
    yield Forgery("foreign_seal", about, file, seal, {"check": "head_differs", "where": "head"})
    first_gone = [whole[0], *whole[3:]]
    about = "Event 1 is missing, and the map that it names."
    yield Forgery("no_first_event", about, file, first_gone, _found("chain", 2, "$.seq"))
    found = _found("chain", 3, "$.seq")
    backwards = [*whole[:2], *reversed(whole[2:-1]), whole[-1]]
    yield Forgery("backwards", "The events from last to first.", file, backwards, found)

    def stranger(line: Line) -> None:
        line["viewer"]["grants"][0].update(sides=["green"])

    green = forger.rows(1, stranger, forger.red)
    about = "A viewer of a side that there is not."
    found = _found("entitlement", 3, "parts")
    yield Forgery("unknown_side", about, forger.red, green, found)
    newer = forger.relined(1, _newer_version)
    newer[0] = changed_line(newer[0], lambda line: line.update(version="99"))
    why = "The chain holds; without the rules of that version nobody can say more."
    about = "A log of a ruleset version that there is not, its chain sound."
    yield Forgery(
        "newer_version",
        about,
        file,
        newer,
        None,
        "differs",
        why,
        "unavailable",
        _found("version_unknown", 3, "$.effects[0].version"),
    )


def _newer_types(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Types that no table has yet, its chain sound: a newer service could have made them."""

    def newer_effect(body: Line) -> None:
        body["effects"].append({"type": "weather_changed", "weather": "rain"})

    def newer_action(body: Line) -> None:
        body["action"].update(type="change_weather")

    why = "A newer service could have made it; whoever lacks its tables cannot say."
    for name, change, path in (
        ("newer_effect", newer_effect, "$.effects[3].type"),
        ("newer_action", newer_action, "$.action.type"),
    ):
        for ending, file in (("_gm", forger.gm), ("_red", forger.red)):
            lines = forger.rehashed(seqs["shot"], change, file=file)
            about = "A type of effect or action that there is not."
            ruling, found = "unavailable", _found("version_unknown", 14, path)
            told = (name + ending, about, file, lines, None, "differs", why, ruling, found)
            yield Forgery(*told)


def _newer_version(line: Line) -> None:
    line["event"]["effects"][0].update(version="99")
    line["event"]["action"].update(version="99")


def _of_the_log(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """What no log has at this place, hashed, linked and signed again."""
    red = forger.red
    end, last = seqs["end"], seqs["end"] - 1

    def told(
        name: str, about: str, seq: int, change: Callable[[Line], object], check: str, path: str
    ) -> Forgery:
        lines = forger.rehashed(seq, change, file=red)
        return Forgery(name, about, red, lines, _found(check, forger.line_of(seq), path))

    created = json.loads(forger.bundles[red][2])["event"]["effects"][0]
    given = {"type": "contributed", "seat": "rosa", "value": "c3" * 32}

    def added(effect: Line) -> Callable[[Line], object]:
        return lambda body: body["effects"].append(effect)

    yield told(
        "created_twice",
        "A second beginning.",
        3,
        added(created),
        "log_rules",
        "$.effects[1]",
    )
    yield told(
        "never_created",
        "A log without a beginning.",
        1,
        lambda body: body["effects"].pop(0),
        "log_rules",
        "$.effects[0]",
    )
    count = len(json.loads(forger.bundles[red][forger.line_of(last) - 1])["event"]["effects"])
    yield told(
        "late_contribution",
        "A contribution after the start, by which dice could be chosen.",
        last,
        added(given),
        "log_rules",
        f"$.effects[{count}]",
    )
    yield told(
        "started_twice",
        "A second start.",
        last,
        added({"type": "encounter_started"}),
        "log_rules",
        f"$.effects[{count}]",
    )
    yield told(
        "rewound_twice",
        "Two rewinds in one event.",
        seqs["rewind"],
        added({"type": "rewound", "to": 9}),
        "chain",
        "$.base",
    )

    def other_dice(body: Line) -> None:
        roll = body["effects"][1]["detail"]["roll"]
        roll.update(sides=8, faces=[roll["faces"][0] % 6 + 1, *roll["faces"][1:]])

    yield told(
        "other_dice",
        "A roll of dice with more sides, and of another face.",
        seqs["shot"],
        other_dice,
        "draws",
        "$.effects[1].detail.roll.sides",
    )

    def other_seed(body: Line) -> None:
        [revealed] = [each for each in body["effects"] if each["type"] == "seed_revealed"]
        revealed.update(seed="11" * 32)

    def kept_back(line: Line) -> None:
        line["dice"]["fairness"] = "sealed"
        del line["seed"]

    lines = forger.rehashed(end, other_seed, file=red)
    lines[0] = changed_line(lines[0], kept_back)
    about = "The log reveals another seed than the committed one, the header has none."
    unfit = {"check": "seed_does_not_fit", "where": "seed"}
    yield Forgery("other_seed_kept_back", about, red, lines, unfit)
    # Behind the shot comes an end of turn.
    over = added({"type": "encounter_ended", "cause": "rules", "opened": "none"})
    lines = forger.rehashed(seqs["shot"], over, file=red)
    found = _found("log_rules", forger.line_of(seqs["shot"] + 1), "$.effects[0]")
    about = "The battle is over, and it is played on."
    yield Forgery("played_after_the_end", about, red, lines, found)
    draw = {"face": 6, "number": 1, "purpose": "attack", "sides": 6, "stream": 0}
    yield told(
        "early_die",
        "A die before the start.",
        4,
        lambda body: body["draws"].append(draw),
        "log_rules",
        "$.draws",
    )
    yield told(
        "seed_twice",
        "The seed is revealed twice.",
        end,
        lambda body: body["effects"].append(body["effects"][-1]),
        "log_rules",
        "$.effects[2]",
    )
    yield _seed_before_dice(forger, seqs)
    yield told(
        "rewind_ahead",
        "A rewind to an event that is yet to come.",
        seqs["rewind"],
        lambda body: (body["effects"][0].update(to=14), body.update(base=14)),
        "chain",
        "$.base",
    )
    yield told(
        "no_such_day",
        "A day that the calendar has not.",
        end,
        lambda body: body.update(at="2026-02-30T20:00:16.000Z"),
        "canonical",
        "$.at",
    )
    back = forger.rehashed(end, lambda body: body.update(at="2001-01-01T00:00:00.000Z"))
    why = "No clock in a log is vouched for: that it went back is a remark."
    about = "The clock goes back by years."
    yield Forgery("clock_back", about, forger.gm, back, None, "differs", why)


def _seed_before_dice(forger: Forger, seqs: dict[str, int]) -> Forgery:
    """The seed is out, and dice are rolled on."""
    lines = list(forger.bundles[forger.red])
    revealed = json.loads(lines[-2])["event"]["effects"][-1]
    early = forger.line_of(seqs["rewind"])

    def reveal(line: Line) -> None:
        action = {"open": revealed["opened"], "seed": True, "type": "reveal"}
        line["event"].update(action=action, effects=[revealed], base=seqs["rewind"] - 1)

    lines = forger.relined(seqs["rewind"], reveal, file=forger.red)
    about = "The seed is revealed, and then dice are rolled."
    found = _found("log_rules", early + 1, "$.draws")
    return Forgery("seed_too_early", about, forger.red, lines, found)


def _of_parts(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Parts of other events, and parts that fit nothing."""
    at = forger.line_of(seqs["hidden"])
    elsewhere = json.loads(forger.bundles[forger.gm][at])
    lines = forger.rows(
        at, lambda line: part_of(line, *OF_BLUE).update(part_of(elsewhere, *OF_BLUE))
    )
    found = _found("commitment", at, "parts.facts.blue")
    about = "A part of another event, with its salt."
    yield Forgery("foreign_part", about, forger.gm, lines, found)
    lines = forger.rows(at, lambda line: line["commits"].pop())
    found = _found("commitment", at, "$.sealed")
    about = "One commitment too few."
    yield Forgery("fewer_commitments", about, forger.gm, lines, found)
    hidden = json.loads(forger.bundles[forger.gm][at - 1])
    of_gm = part_of(hidden, "facts", "gm")
    lines = forger.rows(at, lambda line: line["parts"].append(of_gm), forger.red)
    found = _found("entitlement", at, "parts")
    about = "Red's bundle holds a part of the game master's."
    yield Forgery("not_theirs_either", about, forger.red, lines, found)

    def nowhere(line: Line) -> None:
        with_entry(line, ("facts", "red"), [["effects", 99, "total"], 7])

    lines = forger.relined(seqs["end"], nowhere, file=forger.red)
    found = _found("parts", forger.line_of(seqs["end"]), "parts.facts.red.entries[0]")
    about = "A part that tells of an effect that there is not."
    yield Forgery("part_of_nothing", about, forger.red, lines, found)


def _of_effects(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """What a shot shows of itself, changed by somebody with every key of the service."""
    shot, roll = seqs["shot"], "$.effects[1].detail"
    line = forger.line_of(shot)

    def retold(
        name: str,
        about: str,
        change: Callable[[Event], Event],
        gm: tuple[str, str],
        red: tuple[str, str],
    ) -> Iterator[Forgery]:
        for ending, file, told in (("", forger.gm, gm), ("_to_red", forger.red, red)):
            found = _found(told[0], line, told[1])
            lines = forger.retold(shot, change, file)
            yield Forgery(name + ending, about, file, lines, found)

    def detailed(**changes: Callable[[Any], Any]) -> Callable[[Event], Event]:
        def told(event: Event) -> Event:
            effects: list[Any] = list(event.effects)
            detail = effects[1].detail
            fields = {name: change(getattr(detail, name)) for name, change in changes.items()}
            effects[1] = replace(effects[1], detail=replace(detail, **fields))
            return replace(event, effects=tuple(effects))

        return told

    total = ("rules", f"{roll}.roll.draws[0].count")
    yield from retold(
        "uncounted",
        "A face of the attack is told not to count.",
        with_roll(lambda rolled: discounted(rolled, "unread", (0,))),
        total,
        ("rules", f"{roll}.roll.total"),
    )
    yield from retold(
        "pool",
        "A pool of more dice than its modifiers come to.",
        detailed(pool=lambda pool: pool + 1),
        ("rules", f"{roll}.pool"),
        ("rules", f"{roll}.pool"),
    )
    defence = detailed(against=lambda against: replace(against, needed=against.needed - 1))
    yield from retold(
        "defence",
        "A lower defence, which the total reaches as well.",
        defence,
        ("rules", f"{roll}.against.needed"),
        ("rules", f"{roll}.against.needed"),
    )
    twice = with_roll(lambda rolled: replace(rolled, draws=(*rolled.draws, *rolled.draws)))
    about = "A roll names its draws twice."
    found = _found("draws", line, f"{roll}.roll")
    lines = forger.retold(shot, twice, forger.red)
    yield Forgery("named_twice", about, forger.red, lines, found)
    yield from _of_strangers(forger, seqs)


def _of_strangers(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """Somebody whom nobody has seen."""
    seq = seqs["end"] - 1
    body = json.loads(forger.bundles[forger.red][forger.line_of(seq) - 1])["event"]
    stranger = fx.Felled(combatant="nobody", state="dead")
    told = json.loads(canonical.encode(stranger))
    lines = forger.rehashed(seq, lambda each: each["effects"].append(told), file=forger.red)
    path = f"$.effects[{len(body['effects'])}].combatant"
    found = _found("rules", forger.line_of(seq), path)
    about = "Somebody falls whom nobody has seen."
    yield Forgery("stranger", about, forger.red, lines, found)


def _of_signatures(forger: Forger, rewritten: Forger) -> Iterator[Forgery]:
    """Signatures over something else, and whole logs of somebody else's."""
    whole = forger.bundles[forger.gm]
    end = len(whole)
    forged: Difference = {"check": "receipt_forged", "where": "seal"}
    before = json.loads(whole[-3])
    earlier = json.loads(seal_line(forger.table.encounter, before["event"]["seq"], before["hash"]))[
        "receipt"
    ]
    lines = forger.rows(end, lambda line: line.update(receipt=earlier))
    about = "The receipt of an earlier event."
    yield Forgery("earlier_receipt", about, forger.gm, lines, forged)
    stranger = signer_of(bytes(32))
    public = stranger.key.public_key().public_bytes_raw().hex()
    lines = forger.rows(end, lambda line: line.update(public_key=public))
    yield Forgery("other_public_key", "Another public key.", forger.gm, lines, forged)
    head = (forger.table.encounter, len(forger.table.sealed), forger.table.head)
    lines = [*whole[:-1], seal_line(*head, signer=stranger)]
    about = "The true log, signed by a stranger."
    differs: Difference = {"check": "key_differs", "where": "seal"}
    yield Forgery("signed_by_a_stranger", about, forger.gm, lines, differs)
    why = "It is a sound log, only not the one that was played; the signer has every key."
    about = "Another battle under the same id, its dice those of its own log."
    lines = rewritten.bundles[rewritten.gm]
    yield Forgery("rewritten", about, forger.gm, lines, None, "beyond_head", why)
