"""The watch next to its worked examples: who tests for whom and when, against what, and the
shot.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.kit.given_when_then import Given
from tests.rulesets.squad_d100.duels import (
    GUN,
    MISSES,
    RIFLE,
    aimed,
    at,
    do,
    done,
    door,
    end,
    fight,
    melee,
    only,
    path,
    rolls,
    suppress,
    throw,
    vigil,
    watches,
    who,
    wounds,
)
from tests.rulesets.squad_d100.examples import Tree

PASS, FAIL = 1, 99
FAILED = [("v", FAIL, "failure")]


def watched(v: Tree | None = None, n: Tree | None = None, **more: Any) -> Given:
    """N begins its turn at the east end of the first row; V is on watch at the west end."""
    walker = {"side": "blue", **at(9, 0), **(n or {})}
    return fight(n=walker, v={"conditions": ["watch"], **at(0, 0), **(v or {})}, **more)


def walk(*columns: int) -> Tree:
    """N walks along the first row."""
    return path(*((x, 0) for x in columns), combatant="n")


# --- the test -------------------------------------------------------------------------------------


@pytest.mark.rule("SQ-VIG-3")
@pytest.mark.parametrize(
    ("target", "threshold"), [("ACC", 41), ("AGI", 21), ("AGI_PLUS_HALF_ACC", 41), ("END", 8)]
)
def test_the_threshold_is_a_current_number_of_the_watcher(target: str, threshold: int) -> None:
    sheet = {"accuracy": 71, "agility": 31, "heavy_wounds": 1, "light_wounds": 1, "weapons": []}
    for die, outcome in ((threshold - 1, "success"), (threshold, "failure")):
        battle = watched(sheet, options={"vigilance_target": target})
        assert vigil(battle.when(walk(8), dice=(die,))) == [("v", die, outcome)]


@pytest.mark.rule("SQ-VIG-3")
@pytest.mark.parametrize(("accuracy", "die", "passes"), [(200, 100, False), (0, 1, True)])
def test_100_fails_and_1_succeeds_always(accuracy: int, die: int, passes: bool) -> None:
    battle = watched({"accuracy": accuracy, "weapons": []})
    assert len(vigil(battle.when(walk(8), dice=(die,)))) == 1
    assert watches(battle, "v") is not passes


@pytest.mark.rule("SQ-VIG-3")
def test_the_test_knows_no_wider_critical_success() -> None:
    """Option `crit_success_max` is of hits: the test succeeds always on a natural 1 alone."""
    battle = watched({"accuracy": 0}, options={"crit_success_max": 10})
    assert vigil(battle.when(walk(8), dice=(2,))) == [("v", 2, "failure")]


# --- who tests, and when --------------------------------------------------------------------------


@pytest.mark.rule("SQ-VIG-2")
def test_each_enemy_is_tested_once_in_each_turn_of_his() -> None:
    battle = watched()
    assert vigil(battle.when(walk(8), dice=(FAIL,))) == FAILED
    assert vigil(battle.when(walk(7, 6))) == []
    for each in (end("n"), end("v")):
        battle.when(each)
    assert vigil(battle.when(walk(5), dice=(FAIL,))) == FAILED


@pytest.mark.rule("SQ-VIG-2")
def test_a_failed_watch_goes_on_for_other_enemies() -> None:
    battle = watched(m={"side": "blue", **at(9, 2)}, battle={"order": ["n", "m", "v"]})
    battle.when(walk(8), dice=(FAIL,))
    battle.when(end("n"))
    second = battle.when(path((8, 2), combatant="m"), dice=(PASS, FAIL))
    assert [each[:2] for each in vigil(second)] == [("v", PASS)]


@pytest.mark.rule("SQ-VIG-2")
def test_watchers_test_and_shoot_in_the_order_in_which_they_came_in() -> None:
    others = {
        name: {"side": "red", "conditions": ["watch"], **at(0, y)}
        for name, y in (("w", 2), ("u", 1))
    }
    battle = watched(**others, battle={"order": ["n", "u", "w", "v"]})
    seen = battle.when(walk(8), dice=(FAIL, PASS, FAIL, FAIL))
    assert [each[:2] for each in vigil(seen)] == [("v", FAIL), ("w", PASS), ("u", FAIL)]
    kinds = [each["type"] for each in done(seen)]
    wanted = [kind for kind in kinds if kind in ("check_resolved", "attack_resolved")]
    assert wanted == ["check_resolved"] * 2 + ["attack_resolved", "check_resolved"]


@pytest.mark.rule("SQ-VIG-2")
def test_an_enemy_who_goes_down_is_tested_by_nobody_else() -> None:
    other = {"side": "red", "conditions": ["watch"], **at(0, 2)}
    battle = watched(n={"health": 20}, w=other)
    seen = battle.when(walk(8, 7), dice=(PASS, 2))
    assert [each[0] for each in vigil(seen)] == ["v"]
    assert watches(battle, "w") is True


@pytest.mark.rule("SQ-VIG-2")
@pytest.mark.parametrize(
    "watcher",
    [{"conditions": []}, {"side": "blue"}, {"side": "neutral"}, {"health": 0}],
    ids=["not on watch", "a friend", "neutral", "down"],
)
def test_whoever_is_no_enemy_on_watch_does_not_test(watcher: Tree) -> None:
    assert vigil(watched(watcher).when(walk(8))) == []


@pytest.mark.rule("SQ-VIG-2")
def test_the_neutral_are_nobodys_enemies() -> None:
    battle = watched(n={"side": "neutral"})
    assert vigil(battle.when(walk(8))) == []


@pytest.mark.rule("SQ-VIG-2")
def test_a_door_shows_whoever_works_it() -> None:
    battle = watched(map=["........D..."])
    assert vigil(battle.when(door(8, 0, "n"), dice=(FAIL,))) == FAILED


@pytest.mark.rule("SQ-VIG-2")
def test_a_door_that_closes_hides_whoever_works_it() -> None:
    battle = watched(map=["........D..."], options={"doors_open": True})
    assert vigil(battle.when(door(8, 0, "n"))) == []


@pytest.mark.rule("SQ-VIG-2")
def test_who_neither_steps_nor_works_a_door_is_not_noticed() -> None:
    battle = watched(n={"agility": 40})
    for action in (do("kneel", "n"), do("stand", "n"), do("sprint", "n"), end("n")):
        assert vigil(battle.when(action)) == []


@pytest.mark.rule("SQ-VIG-2")
@pytest.mark.parametrize(
    ("trigger", "ground", "step", "is_tested"),
    [
        ("in_view", ["." * 12] * 2, walk(8), True),
        ("entering", ["." * 12] * 2, walk(8), False),
        ("entering", ["......█.....", "............"], path((8, 1), combatant="n"), True),
        ("entering", ["........D..."], door(8, 0, "n"), True),
    ],
    ids=["in view", "seen before", "round a wall", "through a door"],
)
def test_entering_means_unseen_just_before(
    trigger: str, ground: Sequence[str], step: Tree, is_tested: bool
) -> None:
    battle = watched(map=ground, options={"vigilance_trigger": trigger})
    dice = (FAIL,) if is_tested else ()
    assert vigil(battle.when(step, dice=dice)) == FAILED[: len(dice)]


@pytest.mark.rule("SQ-LOS-4")
def test_nobody_watches_beyond_the_range_of_sight() -> None:
    battle = watched(options={"sight_range": 7})
    assert vigil(battle.when(walk(8))) == []
    assert vigil(battle.when(walk(7), dice=(FAIL,))) == FAILED


@pytest.mark.rule("SQ-LOS-3")
@pytest.mark.parametrize("blocks", [False, True])
def test_an_x_stops_sight_only_if_the_table_says_so(blocks: bool) -> None:
    battle = watched(map=[".....X......"], options={"x_blocks_sight": blocks})
    dice = () if blocks else (FAIL,)
    assert vigil(battle.when(walk(8), dice=dice)) == FAILED[: len(dice)]


# --- the reaction ---------------------------------------------------------------------------------


@pytest.mark.rule("SQ-VIG-4")
@pytest.mark.parametrize(
    ("reaction", "ends"),
    [("snap", [(49, 59, "hit"), (50, 60, "miss")]), ("aimed", [(59, 59, "hit")])],
)
def test_the_reaction_is_a_shot_of_the_mode_that_the_table_chose(
    reaction: str, ends: list[tuple[int, int, str]]
) -> None:
    for die, result, outcome in ends:
        battle = watched(options={"vigilance_reaction": reaction})
        shots = rolls(battle.when(walk(8), dice=(PASS, die)))
        assert shots == [("v", "n", die, result, 60, outcome)]
        assert who(battle, "v")["weapons"][0]["rounds"] == 999


@pytest.mark.rule("SQ-SHOOT-2")
@pytest.mark.parametrize(("reaction", "result"), [("aimed", 50), ("snap", 70)])
def test_only_an_aimed_reaction_may_be_without_modifiers(reaction: str, result: int) -> None:
    options = {"vigilance_reaction": reaction, "aimed_modifiers": "none"}
    battle = watched(options=options, map=["........x..."])
    assert [each[3] for each in rolls(battle.when(walk(8), dice=(PASS, 50)))] == [result]


@pytest.mark.rule("SQ-VIG-4")
def test_without_a_reaction_the_enemy_is_only_reported() -> None:
    battle = watched(options={"vigilance_reaction": "none"})
    seen = battle.when(walk(8, 7), dice=(PASS,))
    assert rolls(seen) == []
    assert (watches(battle, "v"), who(battle, "n")["place"]) == (False, {"x": 7, "y": 0})


@pytest.mark.rule("SQ-VIG-4")
@pytest.mark.parametrize(
    ("sheet", "ground", "why"),
    [
        ({"weapons": []}, "." * 12, "no_rounds"),
        ({"weapons": [GUN | {"magazine": 5, "rounds": 0}]}, "." * 12, "no_rounds"),
        ({}, ".....X......", "no_line"),
    ],
    ids=["no weapon", "no round", "no line"],
)
def test_a_watcher_who_cannot_shoot_has_watched_all_the_same(
    sheet: Tree, ground: str, why: str
) -> None:
    battle = watched(sheet, map=[ground])
    seen = battle.when(walk(8, 7), dice=(PASS,))
    assert rolls(seen) == []
    assert [each["why"] for each in only(seen, "vigilance_no_shot")] == [why]
    assert watches(battle, "v") is False


@pytest.mark.rule("SQ-VIG-4")
def test_the_first_weapon_that_has_a_round_shoots() -> None:
    battle = watched({"weapons": [{"id": "a", "rounds": 0}, {"id": "b", "rounds": 2}, {"id": "c"}]})
    battle.when(walk(8), dice=(PASS, FAIL))
    assert [each["rounds"] for each in who(battle, "v")["weapons"]] == [0, 1, 1000]


@pytest.mark.rule("SQ-VIG-4")
@pytest.mark.rule("SQ-SUP-4")
@pytest.mark.parametrize(("reaction", "shots"), [("barred", 0), ("allowed", 1)])
def test_the_suppressed_shoot_no_reaction_from_the_moment_of_it(reaction: str, shots: int) -> None:
    battle = fight(
        s=at(5, 0, weapons=[RIFLE]),
        n=at(6, 1, side="red"),
        t=at(0, 0, conditions=["watch"]),
        options={"suppressed_reaction": reaction},
    )
    battle.when(suppress("t"), dice=MISSES)
    battle.when(end())
    seen = battle.when(path((7, 1), combatant="n"), dice=(PASS, FAIL)[: 1 + shots])
    assert len(rolls(seen)) == shots
    assert [each["why"] for each in only(seen, "vigilance_no_shot")] == ["suppressed"] * (1 - shots)


@pytest.mark.rule("SQ-VIG-4")
@pytest.mark.rule("SQ-SUP-4")
def test_the_suppressed_shoot_reactions_elsewhere() -> None:
    battle = fight(
        s=at(5, 0, weapons=[RIFLE]), n=at(0, 6, side="red"), t=at(0, 0, conditions=["watch"])
    )
    battle.when(suppress("t"), dice=MISSES)
    battle.when(end())
    seen = battle.when(path((0, 7), combatant="n"), dice=(PASS, FAIL))
    assert len(rolls(seen)) == 1


@pytest.mark.rule("SQ-VIG-5")
def test_a_wounded_mover_goes_on_with_the_points_of_his_turn() -> None:
    battle = watched(n={"agility": 12})
    seen = battle.when(walk(8, 7, 6), dice=(PASS, 2))
    assert wounds(seen) == [("n", 30, "heavy", "broken_limb")]
    mover = who(battle, "n")
    assert (mover["place"], mover["mp_left"]) == ({"x": 6, "y": 0}, 0)


# --- who is on watch ------------------------------------------------------------------------------


@pytest.mark.rule("SQ-VIG-1")
@pytest.mark.parametrize(
    ("deed", "dice", "is_on_watch"),
    [
        (None, (), True),
        (do("kneel"), (), True),
        (do("end_movement"), (), True),
        (do("sprint"), (), False),
        (do("reload", weapon="gun"), (), False),
        (aimed(), (99,), False),
        (suppress(), MISSES, False),
        (melee(), (99,), False),
        (throw(9, 0), (1,), False),
    ],
    ids=["nothing", "kneel", "shooting", "sprint", "reload", "shot", "suppress", "blow", "throw"],
)
def test_whoever_does_not_use_the_phase_of_shooting_is_on_watch(
    deed: Tree | None, dice: tuple[int, ...], is_on_watch: bool
) -> None:
    battle = fight(s=at(0, 0, weapons=[RIFLE]), t=at(1, 0))
    if deed is not None:
        done(battle.when(deed, dice=dice))
    battle.when(end())
    assert watches(battle, "s") is is_on_watch


@pytest.mark.rule("SQ-VIG-1")
def test_a_sprint_keeps_the_watch_if_the_table_says_so() -> None:
    battle = fight(s=at(0, 0), t=at(4, 0), options={"sprint_keeps_watch": True})
    for action in (do("sprint"), end()):
        battle.when(action)
    assert watches(battle, "s") is True


@pytest.mark.rule("SQ-VIG-1")
def test_the_watch_ends_when_ones_next_turn_begins() -> None:
    battle = fight(s=at(0, 0), t=at(4, 0))
    battle.when(end())
    assert watches(battle, "s") is True
    battle.when(end("t"))
    assert watches(battle, "s") is False
