"""Moves and charges as they are carried out: windows, hidden warriors, and what waits meanwhile."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.vocabulary.values import Place
from service.errors import Refused
from service.rulesets.melody_d6.deciding import moves
from service.rulesets.melody_d6.points import PathPoint
from service.rulesets.melody_d6.remainders import MoveRemainder
from tests.rulesets.melody_d6.field import (
    Field,
    enemy,
    points,
    refused,
    terrain,
    told,
    warrior,
)

WALL = terrain("wall", "low_wall", (20_000, 10_000, 24_000, 10_400))
GUARD = enemy("g", 30_000, 20_000, "on_guard", weapons=("rifle",))
SPENT = "resource_changed m movement"
NOBODY = "window_skipped nobody_eligible"
END = (16_000, 10_000)


def test_a_move_is_told_whole() -> None:
    field = Field(warrior("m", 10_000, 10_000), enemy("e", 30_000, 10_000))
    assert field.move("m", (13_000, 14_000), (14_000, 14_000)) == [
        {
            "type": "resource_changed",
            "rule": "ML-TURN-4",
            "combatant": "m",
            "resource": "movement",
            "now": 0,
        },
        {"type": "window_skipped", "kind": "guard_window", "why": "nobody_eligible"},
        {
            "type": "moved",
            "rule": "ML-MOVE-7",
            "combatant": "m",
            "manner": "move",
            "start": {"x": 10_000, "y": 10_000},
            "path": [{"x": 13_000, "y": 14_000}, {"x": 14_000, "y": 14_000}],
            "end": {"x": 14_000, "y": 14_000},
            "cost": 6000,
            "complete": True,
        },
    ]
    assert refused(lambda: field.move("m", END)) == (
        "already_moved",
        {"rule": "ML-TURN-4", "combatant": "m"},
    )


def test_who_is_engaged_or_has_masked_does_not_move() -> None:
    field = Field(warrior("m", 10_000, 10_000), enemy("e", 11_100, 10_000))
    engaged = ("engaged", {"rule": "ML-MOVE-6", "combatant": "m", "enemy": "e"})
    assert refused(lambda: field.move("m", (9_000, 10_000))) == engaged
    assert refused(lambda: field.charge("m", "e", (9_900, 10_000))) == engaged
    field = Field(warrior("m", 10_000, 10_000, masked_this_turn=True), enemy("e", 30_000, 10_000))
    masked = ("already_moved", {"rule": "ML-MASK-2", "combatant": "m"})
    assert refused(lambda: field.move("m", END)) == masked


def test_guards_are_asked_before_the_mover_arrives() -> None:
    field = Field(warrior("m", 10_000, 10_000), GUARD)
    opened = field.move("m", END)
    assert told(opened) == [SPENT, "decision_opened guard_window"]
    assert opened[-1]["decision"]["context"] == {
        "type": "guard_window",
        "trigger": "move",
        "movers": ["m"],
        "guards": ["g"],
        "path": [{"x": 10_000, "y": 10_000}, {"x": 16_000, "y": 10_000}],
        "used": {"leg": 0, "permille": 0},
    }
    assert field.combatant("m").place == Place(x=10_000, y=10_000)
    assert told(field.go_on()) == ["decision_closed", "moved m 16000,10000"]


def test_a_mover_who_is_shot_at_goes_on_from_there() -> None:
    field = Field(warrior("m", 10_000, 10_000), GUARD)
    field.move("m", (10_000, 14_000), (12_000, 14_000))
    first, rest = field.go_on((0, 250))[1:]
    assert (first["end"], first["cost"], first["complete"], first["cause"]) == (
        {"x": 10_000, "y": 11_000},
        1000,
        False,
        "guard",
    )
    assert (rest["start"], rest["path"], rest["cost"], rest["complete"]) == (
        {"x": 10_000, "y": 11_000},
        [{"x": 10_000, "y": 14_000}, {"x": 12_000, "y": 14_000}],
        5000,
        True,
    )


@pytest.mark.parametrize("at", [(0, 1000), (1, 0)])
def test_a_corner_may_be_named_in_two_ways(at: tuple[int, int]) -> None:
    field = Field(warrior("m", 10_000, 10_000), GUARD)
    field.move("m", (10_000, 14_000), (12_000, 14_000))
    first, rest = field.go_on(at)[1:]
    assert first["path"] == [{"x": 10_000, "y": 14_000}]
    assert (rest["path"], rest["cost"]) == ([{"x": 12_000, "y": 14_000}], 2000)


def test_shot_at_in_the_very_end_it_has_arrived() -> None:
    field = Field(warrior("m", 10_000, 10_000), GUARD)
    field.move("m", END)
    assert told(field.go_on((0, 1000))) == ["decision_closed", "moved m 16000,10000"]


@pytest.mark.parametrize("condition", ["out", "fled", "fleeing"])
def test_whoever_is_gone_or_flees_goes_no_further(condition: str) -> None:
    field = Field(warrior("m", 10_000, 10_000), warrior("n", 2000, 2000), GUARD)
    field.move("m", END)
    gone = warrior("m", 10_000, 10_000, condition)
    assert told(field.go_on(None, (gone,))) == ["decision_closed"]


def test_whoever_was_put_elsewhere_goes_no_further() -> None:
    field = Field(warrior("m", 10_000, 10_000), GUARD)
    field.move("m", END)
    elsewhere = warrior("m", 10_001, 10_000)
    assert told(field.go_on(None, (elsewhere,))) == ["decision_closed"]


def test_somebody_who_has_come_into_the_way_ends_the_path_before_him() -> None:
    field = Field(warrior("m", 10_000, 10_000), GUARD)
    field.move("m", END)
    in_the_way = enemy("g", 16_000, 10_000, "on_guard", weapons=("rifle",))
    # 833 permille of 6000 u are 4998 u: 1002 u from him, which is contact.
    assert told(field.go_on(None, (in_the_way,))) == [
        "decision_closed",
        "moved m 14998,10000 blocked",
        "condition_lost g on_guard engaged",
    ]


def test_friends_who_have_come_into_the_way_are_no_bar_but_where_it_would_stand() -> None:
    mate = warrior("n", 2000, 2000)
    field = Field(warrior("m", 10_000, 10_000), mate, GUARD)
    field.move("m", END)
    passed = replace(mate, place=Place(x=13_000, y=10_000))
    assert told(field.go_on(None, (passed,)))[-1] == "moved m 16000,10000"
    field = Field(warrior("m", 10_000, 10_000), mate, GUARD)
    field.move("m", END)
    there = replace(mate, place=Place(x=16_500, y=10_000), number=2)
    # 916 permille of 6000 u are 5496 u: 1004 u from it.
    assert told(field.go_on(None, (there,)))[-1] == "moved m 15496,10000 blocked"


def test_points_of_a_path_do_not_go_back_and_end_where_the_mover_does() -> None:
    remainder = MoveRemainder(
        combatant="m",
        deed="move",
        start=points(((0, 0),))[0],
        path=points(((1000, 0), (1000, 1000))),
        used=PathPoint(leg=0, permille=500),
    )

    def asked(leg: int, permille: int) -> object:
        return moves.require_path_point(remainder, PathPoint(leg=leg, permille=permille))

    assert moves.require_path_point(remainder, UNSET) == (0, 500)
    assert asked(0, 500) == (0, 500)
    assert asked(0, 1000) == asked(1, 0) == (1, 0)
    assert refused(lambda: asked(0, 499))[0] == "behind_mover"
    assert refused(lambda: asked(1, 1001))[0] == "bad_path_point"
    assert refused(lambda: asked(2, 0))[0] == "bad_path_point"
    remainder = replace(remainder, reach=PathPoint(leg=1, permille=250))
    assert asked(1, 250) == (1, 250)
    assert refused(lambda: asked(1, 251))[0] == "bad_path_point"


def test_a_path_ends_before_somebody_hidden_and_both_become_known() -> None:
    hidden = enemy("h", 13_000, 10_000, hidden=True)
    field = Field(warrior("m", 10_000, 10_000, hidden=True), hidden)
    assert told(field.move("m", END)) == [
        SPENT,
        "window_skipped hidden",
        "moved m 11998,10000 contact",
        "revealed h contact",
        "revealed m contact",
    ]
    field = Field(warrior("m", 10_000, 10_000), hidden)
    assert told(field.move("m", END))[2:] == ["moved m 11998,10000 contact", "revealed h contact"]


def test_guards_are_told_where_it_ends_and_nobody_else_is() -> None:
    field = Field(warrior("m", 10_000, 10_000), GUARD, enemy("h", 13_000, 10_000, hidden=True))
    context = field.move("m", END)[-1]["decision"]["context"]
    assert context["path"] == [{"x": 10_000, "y": 10_000}, {"x": 16_000, "y": 10_000}]
    assert context["reach"] == {"leg": 0, "permille": 333}
    [seen] = field.view("a").rule.pending[-1].decisions
    assert not hasattr(seen.context, "reach") or seen.context.reach is UNSET
    assert told(field.go_on())[1:] == ["moved m 11998,10000 contact", "revealed h contact"]


def test_whoever_is_stopped_at_once_has_met_him_all_the_same() -> None:
    field = Field(warrior("m", 10_000, 10_000), enemy("h", 11_001, 10_000, hidden=True))
    moved = field.move("m", END)[2:]
    assert told(moved) == ["moved m 10000,10000 contact", "revealed h contact"]
    assert (moved[0]["path"], moved[0]["cost"], moved[0]["complete"]) == ([], 0, False)


def test_a_charge_cut_short_attacks_nobody() -> None:
    target = enemy("t", 17_000, 10_000)
    hidden = enemy("h", 13_000, 10_000, hidden=True)
    field = Field(warrior("m", 10_000, 10_000), target, hidden)
    assert told(field.charge("m", "t", (16_000, 10_000))) == [
        SPENT,
        "condition_gained m attacked",
        NOBODY,
        "moved m 11998,10000 contact",
        "revealed h contact",
    ]


def test_whoever_ends_beside_somebody_hidden_has_met_him() -> None:
    guard = enemy("h", 17_100, 10_000, "masked", hidden=True)
    field = Field(warrior("m", 10_000, 10_000), guard)
    assert told(field.move("m", END)) == [
        SPENT,
        NOBODY,
        "moved m 16000,10000",
        "revealed h contact",
        "condition_lost h masked detected_auto",
    ]
    field = Field(warrior("m", 10_000, 10_000), enemy("h", 17_101, 10_000, hidden=True))
    assert told(field.move("m", END))[-1] == "moved m 16000,10000"


def test_a_charge_ends_guard_and_masking_of_whom_it_reaches() -> None:
    target = enemy("t", 16_100, 10_000, "on_guard", "masked", mobility=0)
    field = Field(warrior("m", 10_000, 10_000, "masked", mobility=0), target)
    assert told(field.charge("m", "t", (15_000, 10_000))) == [
        SPENT,
        "condition_lost m masked charged",
        "condition_gained m fleeting",
        "condition_gained m attacked",
        NOBODY,
        "moved m 15000,10000",
        "condition_lost t on_guard engaged",
        "condition_lost t masked engaged",
    ]


def test_a_charge_names_an_enemy_on_the_table() -> None:
    field = Field(
        warrior("m", 10_000, 10_000),
        warrior("n", 20_000, 10_000),
        enemy("e", 16_000, 10_000, "out"),
    )
    assert refused(lambda: field.charge("m", "x", END)) == (
        "unknown_combatant",
        {"combatant": "x"},
    )
    assert refused(lambda: field.charge("m", "n", END))[0] == "target_friendly"
    assert refused(lambda: field.charge("m", "e", END))[0] == "target_gone"


def test_masking_is_lost_at_the_declaration_where_the_end_is_open() -> None:
    field = Field(warrior("m", 22_000, 11_500, "masked"), enemy("e", 2000, 2000), ground=(WALL,))
    assert told(field.move("m", (22_000, 15_000))) == [
        SPENT,
        "condition_lost m masked left_cover",
        "condition_gained m fleeting",
        NOBODY,
        "moved m 22000,15000",
    ]
    kept = {"mask_leaving_cover": "kept"}
    field = Field(warrior("m", 22_000, 11_500, "masked"), enemy("e", 2000, 2000), options=kept)
    assert told(field.move("m", (22_000, 15_000))) == [SPENT, NOBODY, "moved m 22000,15000"]


def test_a_masked_mover_that_is_stopped_in_the_open_loses_it_there() -> None:
    # The path leads back behind the wall; past the hidden one it does not come.
    path = ((22_000, 14_000), (22_000, 14_600), (22_000, 11_600))
    masked = warrior("m", 22_000, 11_500, "masked", mobility=0, move=9000)
    away = enemy("h", 22_000, 15_600, hidden=True, mobility=0)
    assert told(Field(masked, away, ground=(WALL,)).move("m", *path)) == [
        SPENT,
        NOBODY,
        "moved m 22000,11600",
    ]
    field = Field(masked, replace(away, place=Place(x=22_000, y=15_000)), ground=(WALL,))
    assert told(field.move("m", *path)) == [
        SPENT,
        NOBODY,
        "moved m 22000,14000 contact",
        "condition_lost m masked left_cover",
        "revealed h contact",
        "window_skipped nobody_eligible",
    ]


def test_the_mover_detects_and_is_detected_along_the_whole_way() -> None:
    # E33: between its ends the scout comes within Mobility of the masked one.
    field = Field(warrior("m", 19_000, 16_000), enemy("e", 22_000, 11_500, "masked"))
    effects = field.move("m", (25_000, 16_000))
    assert effects[-1] == {
        "type": "condition_lost",
        "rule": "ML-MASK-9",
        "combatant": "e",
        "condition": "masked",
        "cause": "detected_auto",
        "source": {"combatant": "m"},
    }
    kept = {"mask_leaving_cover": "kept"}
    field = Field(warrior("m", 19_000, 16_000, "masked"), enemy("e", 22_000, 11_500), options=kept)
    assert told(field.move("m", (25_000, 16_000)))[-2:] == [
        "condition_lost m masked detected_auto",
        NOBODY,
    ]
    unseen = enemy("e", 22_000, 11_500, hidden=True)
    field = Field(warrior("m", 19_000, 16_000, "masked"), unseen, options=kept)
    assert told(field.move("m", (25_000, 16_000)))[-1] == "moved m 25000,16000"


def test_a_path_that_waits_is_detected_along_from_its_first_start() -> None:
    guard = enemy("g", 30_000, 20_000, "on_guard", weapons=("rifle",))
    masked = enemy("e", 22_000, 11_500, "masked")
    field = Field(warrior("m", 19_000, 16_000), guard, masked)
    field.move("m", (25_000, 16_000))
    assert told(field.go_on((0, 990)))[-1] == "condition_lost e masked detected_auto"


def test_hidden_movers_detect_nobody() -> None:
    field = Field(warrior("m", 19_000, 16_000, hidden=True), enemy("e", 22_000, 11_500, "masked"))
    assert told(field.move("m", (25_000, 16_000)))[-1] == "moved m 25000,16000"


@pytest.mark.parametrize(
    ("path", "is_noted"),
    [
        (((23_900, 11_500),), False),
        (((22_000, 14_000), (23_000, 11_500)), True),
        (((22_000, 14_000), (21_000, 11_500)), False),
    ],
)
def test_an_open_approach_is_noted(path: tuple[tuple[int, int], ...], *, is_noted: bool) -> None:
    # E37: behind the wall a move is covert; in the open it counts if it comes nearer to an enemy.
    masked = warrior("m", 22_000, 11_500, "masked")
    field = Field(masked, enemy("e", 23_000, 22_000), ground=(WALL,))
    told_last = told(field.move("m", *path))[-1]
    assert (told_last == "condition_gained m approaching") is is_noted


@pytest.mark.parametrize("word", ["fleeing", "hidden", "out"])
def test_nobody_is_approached_who_does_not_look_out(word: str) -> None:
    masked = warrior("m", 22_000, 11_500, "masked")
    other = enemy("e", 23_000, 22_000, *([] if word == "hidden" else [word]))
    field = Field(masked, replace(other, hidden=word == "hidden"), ground=(WALL,))
    assert "approaching" not in told(field.move("m", (22_000, 14_000), (23_000, 11_500)))[-1]


def test_refused_moves_change_nothing() -> None:
    field = Field(warrior("m", 10_000, 10_000), enemy("e", 13_000, 10_000))
    before = field.rule
    with pytest.raises(Refused):
        field.move("m", END)
    assert field.rule is before
