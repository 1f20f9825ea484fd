"""The suppressed next to their worked examples: arcs, the duty to seek cover, and when both end."""

from random import Random
from typing import Any, Final

import pytest

from service.engine.battle.roster import existing as who_is
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.occupancy import cells_held
from tests.kit.given_when_then import Given
from tests.rulesets.squad_d100 import oracle
from tests.rulesets.squad_d100.duels import (
    MISSES,
    RIFLE,
    adjust,
    aimed,
    aimed_at,
    at,
    burst,
    code,
    do,
    done,
    door,
    end,
    fight,
    melee,
    only,
    path,
    rolls,
    snaps,
    suppress,
    throw,
)
from tests.rulesets.squad_d100.examples import Tree
from tests.toy.sweeps import CLOCK

MISS: Final = (99,)
EXAMPLE: Final = ["...█x", "...█.", ".....", "x...."]


def suppressed(t: Tree | None = None, s: Tree | None = None, **more: Any) -> Given:
    """The turn of T, whom S suppressed in the turn before."""
    shooter = {"weapons": [RIFLE], **at(0, 5), **(s or {})}
    battle = fight(s=shooter, t={**at(5, 5), **(t or {})}, **more)
    done(battle.when(suppress(), dice=MISSES))
    done(battle.when(end()))
    return battle


def enemy(x: int, y: int) -> Tree:
    """Somebody T may shoot at."""
    return at(x, y, side="red")


# --- SQ-SUP-4: the arc ----------------------------------------------------------------------------


@pytest.mark.rule("SQ-SUP-4")
@pytest.mark.parametrize(
    ("arc", "barred"),
    [
        ("cone", {"s", "edge"}),
        ("shooter", {"s"}),
        ("half_plane", {"s", "edge", "steep"}),
    ],
)
def test_the_table_chooses_the_arc(arc: str, barred: set[str]) -> None:
    enemies = {"edge": enemy(0, 0), "steep": enemy(4, 0), "beside": enemy(5, 0)}
    battle = suppressed(**enemies, options={"suppression_arc": arc})
    for target in ("s", *enemies):
        refused = code(battle.when(aimed(target, "t"), dice=MISS if target not in barred else ()))
        assert refused == ("suppressed_arc" if target in barred else None)
        if refused is None:
            battle = suppressed(**enemies, options={"suppression_arc": arc})


@pytest.mark.rule("SQ-SUP-4")
def test_the_arc_is_between_two_rays_wherever_everybody_stands() -> None:
    dice = Random(4)
    for arc, is_within in (("cone", oracle.is_within_cone), ("half_plane", oracle.is_ahead)):
        for _ in range(12):
            cells = dice.sample([(x, y) for x in range(12) for y in range(8)], 10)
            here, there, *others = cells
            people = {f"e{n}": enemy(*each) for n, each in enumerate(others)}
            battle = suppressed(at(*here), at(*there), **people, options={"suppression_arc": arc})
            for n, each in enumerate(others):
                # Too many targets are refused first, a second target's arc after the first one's.
                answer = code(battle.when(snaps(f"e{n}", "t", combatant="t")))
                expected = "suppressed_arc" if is_within(here, there, each) else "target_self"
                assert answer == expected, (arc, here, there, each)


@pytest.mark.rule("SQ-SUP-4")
def test_objects_in_the_arc_are_barred_too() -> None:
    ground = ["." * 12] * 5 + ["..E......E.."] + ["." * 12] * 2
    battle = suppressed(map=ground)
    assert code(battle.when(aimed_at(2, 5, "t"))) == "suppressed_arc"
    assert code(battle.when(aimed_at(9, 5, "t"), dice=MISS)) is None


@pytest.mark.rule("SQ-SUP-4")
@pytest.mark.parametrize(
    "shot",
    [
        aimed("s", "t"),
        snaps("e", "s", combatant="t"),
        burst("s", "t"),
        suppress("s", "t"),
    ],
    ids=lambda action: str(action["type"]),
)
def test_every_kind_of_shot_is_barred(shot: Tree) -> None:
    battle = suppressed({"weapons": [RIFLE]}, e=enemy(9, 5))
    assert code(battle.when(shot)) == "suppressed_arc"


@pytest.mark.rule("SQ-SUP-4")
def test_throws_and_blows_are_no_shots() -> None:
    assert code(suppressed(s=at(4, 5)).when(melee("s", "t"), dice=MISS)) is None
    assert code(suppressed(s=at(3, 5)).when(throw(3, 5, "t"), dice=(99, 1))) is None


@pytest.mark.rule("SQ-SUP-4")
def test_the_arc_is_seen_from_where_both_stand_now() -> None:
    battle = suppressed(e=enemy(0, 0))
    assert code(battle.when(aimed("e", "t"))) == "suppressed_arc"
    done(battle.when(path((5, 4), (5, 3), (5, 2), (5, 1), combatant="t")))
    # From (5,1): S is at (-5,4), E at (-5,-1); 25 - 4 = 21 and 5 + 20 = 25.
    assert code(battle.when(aimed("e", "t"), dice=MISS)) is None


@pytest.mark.rule("SQ-SUP-6")
def test_a_suppressor_who_is_down_bars_nothing_and_the_duty_remains() -> None:
    ground = ["." * 12] * 7 + [".....x......"]
    battle = suppressed(e=enemy(1, 5), map=ground)
    done(battle.when(adjust("hp", "s", value=0)))
    assert code(battle.when(do("kneel", "t"))) == "must_seek_cover"
    done(battle.when(path((5, 6), (5, 7), combatant="t")))
    assert code(battle.when(aimed("e", "t"), dice=MISS)) is None


@pytest.mark.rule("SQ-SUP-6")
def test_a_suppression_lasts_to_the_end_of_the_first_turn_that_starts_after_it() -> None:
    battle = suppressed()
    done(battle.when(end("t")))
    done(battle.when(end("s")))
    assert code(battle.when(aimed("s", "t"), dice=MISS)) is None


@pytest.mark.rule("SQ-SUP-3")
def test_somebody_whom_the_burst_brings_down_is_not_suppressed() -> None:
    battle = fight(s=at(0, 0, weapons=[RIFLE]), t=at(5, 0, health=20))
    fired = battle.when(suppress(), dice=(1, 1, *MISSES[2:]))
    assert [each["type"] for each in done(fired) if "suppress" in each["type"]] == []
    assert [each[-1] for each in rolls(fired)] == ["critical_success", "wasted"] + [
        "miss"
    ] * 13 or [each[-1] for each in rolls(fired)][:1] == ["critical_success"]


@pytest.mark.rule("SQ-SUP-2")
def test_a_wider_critical_success_does_not_make_suppression_hit_more_often() -> None:
    battle = fight(s=at(0, 0, weapons=[RIFLE]), t=at(5, 0), options={"crit_success_max": 10})
    fired = battle.when(suppress(), dice=(2, *MISSES[1:]))
    assert only(fired, "hurt") == []


@pytest.mark.rule("SQ-SUP-2")
def test_without_critical_successes_a_suppression_hits_as_any_hit() -> None:
    """Option `crit_success_max` 0: a natural 1 hits, and armour is tested by the table."""
    rifle = {"weapons": [RIFLE | {"ap_class": 0}]}
    options = {"crit_success_max": 0}
    battle = fight(s=at(0, 0, **rifle), t=at(5, 0, armour_class=5), options=options)
    fired = battle.when(suppress(), dice=(1, *MISSES[1:]))
    [hit] = [each for each in only(fired, "attack_resolved") if "armour" in each["detail"]]
    assert (hit["outcome"], hit["detail"]["armour"]["zone"]) == ("hit", "green")


@pytest.mark.rule("SQ-SUP-4")
def test_a_turn_that_had_begun_before_is_not_the_next() -> None:
    """T is suppressed in its own turn, by a reaction of nobody: no suppression is a reaction."""
    battle = suppressed(e=enemy(9, 5), battle={"order": ["s", "t", "e"]})
    assert code(battle.when(aimed("s", "t"))) == "suppressed_arc"


# --- SQ-SUP-5: the duty ---------------------------------------------------------------------------


def hurried(t: Tree | None = None, rows: list[str] | None = None, **more: Any) -> Given:
    """The suppressed T of example 25, in the corner of its map."""
    return suppressed({**at(0, 0), **(t or {})}, at(4, 3), map=rows or EXAMPLE, **more)


@pytest.mark.rule("SQ-SUP-5")
@pytest.mark.parametrize("number", range(12))
def test_every_step_must_come_nearer_to_cover_by_its_price(number: int) -> None:
    dice = Random(number)
    rule: oracle.CornerRule = dice.choice(["both", "any"])
    rows = ["".join(dice.choice("......██|xX") for _ in range(9)) for _ in range(7)]
    free = [(x, y) for y in range(7) for x in range(9) if rows[y][x] == "."]
    here, there, *others = dice.sample(free, 6)
    seen = [each for each in free if oracle.is_clear(rows, each, here, oracle.STOPS_SHOTS, rule)]
    there = next((each for each in seen if each not in (here, *others)), there)
    if not oracle.is_clear(rows, there, here, oracle.STOPS_SHOTS, rule):
        return
    people = {f"e{n}": enemy(*each) for n, each in enumerate(others) if each != there}
    battle = suppressed(at(*here), at(*there), map=rows, **people, options={"corner_rule": rule})
    taken = {there, *others}
    prices = oracle.prices_to_cover(rows, taken, rule)
    for dx, dy in ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)):
        step = (here[0] + dx, here[1] + dy)
        refused = code(battle.when(path(step, (0, 99), combatant="t")))
        if here not in prices:
            assert refused != "must_seek_cover"
        elif refused in ("must_seek_cover", "out_of_map", "not_a_step"):
            is_nearer = prices.get(step, prices[here]) < prices[here]
            is_inside = 0 <= step[0] < 9 and 0 <= step[1] < 7
            assert (refused == "must_seek_cover") is (is_inside and not is_nearer)


@pytest.mark.rule("SQ-SUP-5")
def test_standing_in_cover_there_is_no_duty() -> None:
    for action in (path((1, 0), combatant="t"), do("kneel", "t"), do("end_movement", "t")):
        battle = hurried(rows=["x..█x", "...█.", ".....", "x...."])
        assert code(battle.when(action)) is None
    left = hurried(rows=["x..█x", "...█.", ".....", "x...."])
    done(left.when(path((1, 0), combatant="t")))
    assert code(left.when(do("kneel", "t"))) == "must_seek_cover"


@pytest.mark.rule("SQ-SUP-5")
@pytest.mark.parametrize(
    "rows",
    [["....."] * 4, [".....", "███.█", "....█", "x█..."], [".....", ".....", "███..", "x█..."]],
    ids=["none", "walled in", "behind a corner"],
)
def test_where_no_cover_can_be_reached_there_is_no_duty(rows: list[str]) -> None:
    battle = suppressed(at(0, 0), at(4, 0), map=rows)
    expected = oracle.prices_to_cover(rows, {(4, 0)}).get((0, 0))
    refused = code(battle.when(do("kneel", "t")))
    assert refused == (None if expected is None else "must_seek_cover")


@pytest.mark.rule("SQ-SUP-5")
def test_cover_that_somebody_holds_is_none() -> None:
    battle = hurried(rows=["...█.", "...█.", ".....", "x...."], f=at(0, 3))
    assert code(battle.when(do("kneel", "t"))) is None


@pytest.mark.rule("SQ-SUP-5")
def test_the_end_of_the_turn_is_refused_like_the_end_of_the_phase() -> None:
    battle = hurried()
    for action in (
        end("t"),
        do("end_movement", "t"),
        aimed("s", "t"),
        do("reload", "t", weapon="gun"),
    ):
        assert code(battle.when(action)) == "must_seek_cover"


@pytest.mark.rule("SQ-SUP-5")
def test_in_the_phase_of_shooting_nobody_must_seek_cover_any_more() -> None:
    battle = hurried({"agility": 5})
    # A step costs 6 or 4 points; with 5 the one straight down can be paid.
    assert code(battle.when(do("end_movement", "t"))) == "must_seek_cover"
    done(battle.when(path((0, 1), combatant="t")))
    assert code(battle.when(do("end_movement", "t"))) is None
    assert code(battle.when(end("t"))) is None


@pytest.mark.rule("SQ-SUP-5")
@pytest.mark.parametrize(
    ("agility", "options", "refused"),
    [
        (11, {}, None),
        (12, {}, "must_seek_cover"),
        (3, {"kneel_move": "allow"}, None),
        (4, {"kneel_move": "allow"}, "must_seek_cover"),
    ],
)
def test_the_kneeling_must_stand_up_and_go_if_both_can_be_paid(
    agility: int, options: Tree, refused: str | None
) -> None:
    battle = hurried({"agility": agility, "posture": "kneeling"}, options=options)
    assert code(battle.when(do("end_movement", "t"))) == refused


@pytest.mark.rule("SQ-SUP-5")
def test_standing_up_and_doors_are_free_and_picking_up_is_not() -> None:
    rows = ["W..█x", "D..█.", ".....", "x...."]
    battle = hurried({"posture": "kneeling"}, rows)
    assert code(battle.when(do("stand", "t"))) is None
    assert code(battle.when(do("pick_up", "t"))) == "must_seek_cover"
    assert code(battle.when(door(0, 1, "t"))) is None


@pytest.mark.rule("SQ-SUP-5")
def test_points_of_a_sprint_must_be_walked_too_but_nobody_must_sprint() -> None:
    battle = hurried({"agility": 8})
    # At (0,2) all 8 points are spent: with 12 left nothing can be paid, unless he sprints.
    done(battle.when(path((0, 1), (0, 2), combatant="t")))
    done(battle.when(do("sprint", "t")))
    assert code(battle.when(end("t"))) == "must_seek_cover"
    done(battle.when(path((0, 3), combatant="t")))
    assert code(battle.when(end("t"))) is None


@pytest.mark.rule("SQ-SUP-5")
def test_a_closed_door_is_no_way_and_an_open_one_is() -> None:
    rows = ["..D.x", "██.██", "....."]
    for options, refused in (({}, None), ({"doors_open": True}, "must_seek_cover")):
        battle = suppressed(at(1, 0), at(0, 0), map=[rows[0], "█████"], options=options)
        assert code(battle.when(do("kneel", "t"))) == refused


@pytest.mark.rule("SQ-SUP-5")
def test_fire_is_a_way() -> None:
    battle = suppressed(at(1, 0), at(0, 0), map=["..~.x"])
    assert code(battle.when(do("kneel", "t"))) == "must_seek_cover"


@pytest.mark.rule("SQ-SUP-5")
def test_a_turn_whose_time_is_over_ends_all_the_same() -> None:
    battle = hurried(options={"turn_seconds": 30})
    table = battle.table
    table.act(table.read(end("t")), CLOCK)
    assert table.turn == "s"


def test_what_is_listed_seeks_cover_no_farther_than_its_walks_lead() -> None:
    rows = [".....x" + "." * 18, *["." * 24] * 8, "." * 20 + "███.", "." * 20 + "█.█."]
    table = hurried(rows=[*rows, "." * 20 + "███."]).table
    table.legal("t")
    rule = table.state.rule
    held = cells_held(rule, who_is(rule, "t"))
    found = rule.lookups.covers.find("blue", (ground_of(table.state), held, "both"))
    assert found is not None
    assert ((21, 10) in found.sought, found.prices.limit < 60) == (False, True)
