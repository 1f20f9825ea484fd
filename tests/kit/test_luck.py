"""Rolls against the odds that their previews would have shown: counted, fair, and no wiser."""

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from service.engine.log.canonical import encode
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.replay.report.luck import LuckReport
from service.replay.report.verdicts import Report
from tests.kit.random_battles import next_action, play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import GM, PEOPLE, SEED, Table, seated
from tests.kit.two_worlds import START, Action, end_turn, meets_a_secret, quiet
from tests.replay.memory_audit import audit, evidence_in_memory
from tests.soak import with_soak

BATTLES = range(4)
EVENTS = 60
VIEWERS = {"gm": GAME_MASTER, "ann": Viewer(sides=("red",)), "eve": Viewer()}

pytestmark = pytest.mark.parametrize("rig", RIGS, ids=repr)


def audited(table: Table, by: str, events: int | None = None) -> Report:
    """The service's own audit of the first events, with the luck that somebody is shown."""
    evidence = [evidence_in_memory(each, sides=table.side_ids) for each in table.sealed[:events]]
    return audit(table, evidence, seed=SEED, viewer=VIEWERS[by], reader=PEOPLE[by])


def luck_of(report: Report) -> LuckReport:
    """The luck that was asked for."""
    assert isinstance(report.luck, LuckReport)
    return report.luck


def test_rolls_of_random_battles_come_out_by_their_odds(rig: Rig) -> None:
    rolls, successes, expected = 0, 0, Fraction(0)
    left_out: Counter[str] = Counter()
    further: Counter[str] = Counter()
    for number in BATTLES:
        table = seated(rig.ruleset, rig.battles.setup(number))
        play(table, number, EVENTS)
        report = audited(table, "gm")
        assert report.clean
        for seat in luck_of(report).seats:
            rolls, successes = rolls + seat.rolls, successes + seat.successes
            expected += Fraction(int(seat.expected.num), int(seat.expected.den))
            left_out.update(seat.left_out)
            assert sum(seat.purposes.values()) == seat.rolls
            further.update(seat.further)
    assert rolls >= 20
    # A sum of so many independent rolls is within five deviations of half a roll each.
    assert (successes - expected) ** 2 <= Fraction(25 * rolls, 4)
    assert set(left_out) <= {"no_preview", "no_odds", "override"}
    assert further.total() >= 5


@pytest.mark.parametrize("number", with_soak([0], [1]))
def test_what_is_hidden_has_no_part_in_it(rig: Rig, number: int) -> None:
    one, other = (seated(rig.ruleset, rig.worlds.world(number, variant)) for variant in (0, 3))
    one.ask(START)
    other.ask(START)
    alike = play_both(rig, one, other, Random(number))
    assert alike > 4
    for by in {"ann", "eve"} & {*rig.worlds.unknowing}:
        told = [_told(audited(table, by, alike)) for table in (one, other)]
        assert told[0] == told[1]


def play_both(rig: Rig, one: Table, other: Table, dice: Random) -> int:
    """Play on in both worlds; how many events they are alike to whoever knows no secret."""
    while len(one.events) < EVENTS and one.turn is not None:
        alike = len(one.events)
        by, deeds = _deeds(rig, one, other, dice)
        events = [one.ask(deeds[0], by), other.ask(deeds[1], by)]
        if any(meets_a_secret(rig.worlds, event) for event in events):
            return alike
        if by == "gm" and deeds[0]["type"] != "end_turn" and "h" == one.turn == other.turn:
            one.ask(end_turn("h"))
            other.ask(end_turn("h"))
    return len(one.events)


def _deeds(rig: Rig, one: Table, other: Table, dice: Random) -> tuple[str, tuple[Action, Action]]:
    if rig.worlds.deeds is not None:
        return rig.worlds.deeds(one, other, dice)
    if one.turn == "h" and not one.questions:
        return "gm", (quiet(rig.worlds, one, dice), quiet(rig.worlds, other, dice))
    chosen: Any = next_action(one, dice, lambda side: {"red": "ann", "blue": "bob"}[side])
    return chosen[1], (chosen[0], chosen[0])


def _told(report: Report) -> tuple[bytes, ...]:
    parts = (report.luck, report.dice, report.overrides, report.rewinds)
    return tuple(encode(part) for part in parts)


def test_others_rolls_are_left_out_and_counted_and_so_are_sealed_ones(rig: Rig) -> None:
    table = seated(rig.ruleset, rig.battles.setup(1))
    play(table, 1, EVENTS)
    master, watcher = luck_of(audited(table, "gm")), luck_of(audited(table, "eve"))
    assert all(seat.rolls == 0 and set(seat.left_out) == {"not_yours"} for seat in watcher.seats)
    partly = audit(table, seed=SEED, viewer=VIEWERS["eve"], reader=GM)
    [sealed] = luck_of(partly).seats
    assert set(sealed.left_out) == {"sealed"}
    seen = sum(seat.left_out["not_yours"] for seat in watcher.seats)
    assert sealed.left_out["sealed"] == seen
    assert seen <= sum(seat.rolls + sum(seat.left_out.values()) for seat in master.seats)


def test_nobodys_luck_is_told_unasked(rig: Rig) -> None:
    table = seated(rig.ruleset, rig.battles.setup(0))
    table.ask(START)
    assert not isinstance(audit(table, seed=SEED).luck, LuckReport)
