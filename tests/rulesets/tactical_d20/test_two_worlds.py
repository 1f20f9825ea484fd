"""What those who do not know are shown of guessed cells, unseen attackers and hidden numbers."""

from collections.abc import Mapping
from itertools import combinations, product
from typing import Any

import msgspec
import pytest

from service.engine.kit.perception import perceive
from service.engine.log.canonical import encode
from service.rulesets.tactical_d20.inspections import CoverQuery, cover
from tests.kit.pieces import whole
from tests.kit.table import Table, effects_of
from tests.kit.two_worlds import UNKNOWING, both, compare, end_turn, pair
from tests.rulesets.tactical_d20.setups import (
    RULESET,
    Tree,
    blade,
    bomb,
    fighter,
    in_progress,
    rifle,
    seated,
)
from tests.rulesets.tactical_d20.worlds import duel

GUESS: Tree = {
    "type": "attack_cell",
    "combatant": "a",
    "weapon": "rifle",
    "cell": {"x": 4, "y": 0},
}
THERE = {"weapons": [], "ac": {"eac": 12, "kac": 12}}
UNSEEN: tuple[Tree, ...] = (
    fighter("h", "green", 4, 0, hidden=True, **THERE),
    fighter("h", "green", 4, 0, hidden=True, conditions=["invisible"], **THERE),
    fighter("h", "green", 40, 40, hidden=True, **THERE),
    fighter("h", "green", 3, -1, hidden=True, size=2, blur_pct=70, **THERE),
)
"""Hidden in plain light, hidden and invisible, nobody there, and a big one who is a blur."""


def guessing(*faces: int) -> list[Table]:
    """Ann's a guesses in each world; she and the game master roll what they are asked for."""
    tables = []
    for unseen in UNSEEN:
        table = seated(duel(unseen), dice="supplied")
        table.ask({"type": "start_encounter"})
        table.ask(GUESS, "ann")
        left = list(faces)
        while table.state.rule.pending:
            [question] = table.state.rule.pending[-1].decisions
            by = question.seat if isinstance(question.seat, str) else "gm"
            answer = {"type": "answer", "decision_id": question.id, "choice": {"type": "roll"}}
            table.ask(answer, by, (left.pop(0),))
        assert not left, "dice were left over"
        tables.append(table)
    return tables


@pytest.mark.rule("TD-UNSEEN-3")
@pytest.mark.parametrize("faces", [(1,), (2, 1), (2, 100), (15, 50), (20, 7)], ids=str)
def test_why_a_guess_missed_is_not_told_nor_whether_anybody_was_there(
    faces: tuple[int, ...],
) -> None:
    for one, other in combinations(guessing(*faces), 2):
        assert len(one.events) == len(other.events)
        for by in UNKNOWING:
            for event in one.events:
                assert encode(one.shown(event.seq, by)) == encode(other.shown(event.seq, by))
            assert encode(one.view(by)) == encode(other.view(by))
            assert encode(one.seating(by)) == encode(other.seating(by))


@pytest.mark.rule("TD-UNSEEN-3")
def test_the_game_master_is_told_what_became_of_a_guess() -> None:
    outcomes = []
    for table in guessing(15, 50):
        [attack] = [
            each for each in effects_of(table.events[-1]) if each["type"] == "attack_resolved"
        ]
        outcomes.append((attack["guess"].get("target"), attack["guess"]["outcome"]))
    hit = ("h", "miss_concealment")
    assert outcomes == [hit, hit, (None, "miss"), hit]


@pytest.mark.rule("TD-UNSEEN-3")
def test_whoever_is_hit_by_a_guess_becomes_known_and_whoever_is_missed_does_not() -> None:
    for faces, is_known in (((15, 51), True), ((15, 50), False), ((2, 100), False)):
        table = guessing_at(UNSEEN[0], *faces)
        assert any(each["id"] == "h" for each in table.view("ann")["combatants"]) is is_known
        kinds = [each["type"] for each in effects_of(table.events[-1])]
        assert ("revealed" in kinds, "hurt" in kinds) == (is_known, is_known)
        if is_known:
            assert kinds.index("revealed") < kinds.index("hurt")


def guessing_at(unseen: Tree, *faces: int) -> Table:
    """The game master guesses for a, and brings the dice; one of damage where it hits."""
    table = seated(duel(unseen), dice="supplied")
    table.ask({"type": "start_encounter"})
    is_hit = faces[-1] > 50 and faces[0] > 11
    table.ask(GUESS, "gm", (*faces, 1) if is_hit else faces)
    return table


@pytest.mark.rule("TD-UNSEEN-3")
def test_a_guess_is_foretold_alike_whoever_is_there() -> None:
    told = []
    for unseen in UNSEEN:
        table = seated(duel(unseen))
        table.ask({"type": "start_encounter"})
        told.append((encode(table.preview(GUESS, "ann")), encode(table.legal("a", "ann"))))
    assert len(set(told)) == 1


# --- what an enemy has that is hidden -------------------------------------------------------------

HIDDEN = {"enemy_numbers": "hidden", "enemy_health": "band", "initiative": "fixed"}
SHEETS: tuple[Tree, ...] = (
    {},
    {"senses": ["darkvision", "low_light"]},
    {"reach_ft": 30},
    {"weapons": [rifle(), blade(reach_ft=30)]},
    {"blur_pct": 60},
    {"cover_overrides": [{"versus": "a", "grade": "improved"}]},
    {"cover_overrides": [{"versus": "b", "grade": "total"}]},
    {"concealment_overrides": [{"versus": "a", "percent": 80}]},
    {"ac": {"eac": 30, "kac": 3}, "reflex": 20, "speed_ft": 5},
)
GROUNDS: tuple[Tree, ...] = (
    {},
    {"cells": [{"x": 3, "y": 0, "wall": True}]},
    {"cells": [{"x": 6, "y": 0, "light": "dark"}, {"x": 4, "y": 0, "concealment_pct": 50}]},
    {"borders": [{"axis": "v", "x": 6, "y": 0, "cover": "improved"}]},
)


def battle(sheet: Mapping[str, Any], ground: Tree, **options: str) -> Table:
    """Red a and b, and blue t, whose numbers are hidden from Ann, on ground with secrets."""
    arms = {"weapons": [rifle(), blade()], "areas": [bomb()]}
    people = [
        fighter("a", "red", 0, 0, **arms),
        fighter("b", "red", 7, 0, **arms),
        fighter("t", "blue", 6, 0, **{**arms, **sheet}),
    ]
    setup = {
        "combatants": people,
        "options": {**HIDDEN, **options},
        "battle": in_progress("a", "b", "t"),
        "map": {"form": "cells", "cells": [{"x": 5, "y": 1, "wall": True}]},
        "hidden_terrain": ground,
    }
    table = seated(setup)
    table.ask({"type": "start_encounter"})
    return table


def tables_of(table: Table, by: str) -> bytes:
    """The cover table of each of red's, as somebody may ask for it."""
    viewer = table.viewer(by)
    view = perceive(table.state, viewer)
    queries = [msgspec.convert({"attacker": attacker}, CoverQuery) for attacker in ("a", "b")]
    return encode([whole(cover(view, query, viewer)) for query in queries])


WORLDS = list(product(SHEETS, GROUNDS))


@pytest.mark.parametrize(("sheet", "ground"), WORLDS)
def test_no_number_and_no_ground_that_is_hidden_shows_in_a_table_or_a_preview(
    sheet: Tree, ground: Tree
) -> None:
    plain, odd = battle({}, {}), battle(sheet, ground)
    for by in ("ann", "eve"):
        assert encode(plain.view(by)) == encode(odd.view(by))
        assert tables_of(plain, by) == tables_of(odd, by)
    for combatant in ("a", "b"):
        assert encode(plain.legal(combatant, "ann")) == encode(odd.legal(combatant, "ann"))
    sampled = plain.samples("a", 20, "ann")
    assert odd.samples("a", 20, "ann") == sampled
    for action in sampled:
        assert encode(plain.preview(action, "ann")) == encode(odd.preview(action, "ann"))


def test_what_is_hidden_does_show_to_the_game_master() -> None:
    seen = {tables_of(battle(sheet, {}), "gm") for sheet in SHEETS}
    assert len(seen) > 3


# --- unseen attackers -----------------------------------------------------------------------------


def test_unseen_partners_and_bodies_change_no_dice_that_everyone_sees() -> None:
    far = fighter("h", "red", 0, 30, hidden=True, weapons=[blade()])
    shot = {"type": "attack", "combatant": "a", "weapon": "rifle", "target": "t"}
    for near in (
        fighter("h", "red", 3, 0, hidden=True, weapons=[]),
        fighter("h", "red", 7, 0, hidden=True, weapons=[blade()]),
    ):
        one, other = seated(duel(far)), seated(duel(near))
        for table in (one, other):
            table.ask({"type": "start_encounter"})
            table.ask(shot)
        assert one.events[-1].draws == other.events[-1].draws
        for by in ("bob", "eve"):
            assert encode(one.shown(3, by)) == encode(other.shown(3, by))


def test_an_unseen_attacker_who_stays_unseen_shows_only_whom_he_attacked_and_how_it_ended() -> None:
    options = {"attack_reveals": False}
    wild = {"attack_bonus": -50}
    shooter = fighter("h", "green", 0, 30, weapons=[rifle(**wild)], hidden=True)
    brawler = fighter("h", "green", 0, 1, weapons=[blade(**wild)], hidden=True)
    one, other = pair(RULESET, duel(shooter, options=options), duel(brawler, options=options))
    both(one, other, end_turn("a"))
    both(one, other, end_turn("t"))
    attack = {"type": "attack", "combatant": "h", "target": "a"}
    first, second = one.ask({**attack, "weapon": "rifle"}), other.ask({**attack, "weapon": "blade"})
    compare(one, other, first, second)
    seen: Any = one.shown(len(one.events), "eve")
    assert "action" not in seen
    told = {"type": "attack_resolved", "target": "a", "outcome": "miss", "rule": "TD-SD-2"}
    assert seen["effects"] == [told]
