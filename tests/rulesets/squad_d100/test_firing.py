"""Shots, blows and armour next to the worked examples: options, order of checks, objects,
rounds.
"""

from typing import Any, Final

import pytest

from tests.rulesets.squad_d100 import oracle
from tests.rulesets.squad_d100.duels import (
    BOMB,
    GUN,
    PISTOL,
    RIFLE,
    adjust,
    aimed,
    aimed_at,
    at,
    burst,
    code,
    do,
    done,
    dual,
    duel,
    end,
    fight,
    lines,
    melee,
    only,
    rolls,
    snaps,
    suppress,
    throw,
    who,
    wounds,
)
from tests.rulesets.squad_d100.examples import Tree

MISS: Final = (99,)
KNEELS: Final[Tree] = {"posture": "kneeling"}
HANDS: Final[Tree] = {"weapons": [PISTOL | {"id": "p"}, PISTOL | {"id": "q", "kind": "revolver"}]}


# --- SQ-SHOOT -------------------------------------------------------------------------------------


@pytest.mark.rule("SQ-SHOOT-2")
@pytest.mark.parametrize(("modifiers", "result"), [("all", 60), ("none", 50)])
def test_an_aimed_shot_may_be_without_any_modifier(modifiers: str, result: int) -> None:
    options = {"aimed_modifiers": modifiers}
    sheet = KNEELS | {"weapons": [GUN | {"kind": "automatic_rifle"}]}
    ground = ["....x......."]
    shot = duel({**sheet, "weapons": [GUN]}, KNEELS, map=ground, options=options).when(
        aimed(), dice=(50,)
    )
    assert [each[3] for each in rolls(shot)] == [result]
    # The game master's word is no modifier of pose, cover or range.
    told = duel(sheet, map=ground, options=options).when(aimed(gm_modifier=7), dice=(50,))
    assert [rule_less for rule_less in lines(told)[0] if rule_less[1] == 7] != []


@pytest.mark.rule("SQ-SHOOT-2")
def test_without_modifiers_of_aimed_shots_all_others_still_have_them() -> None:
    options = {"aimed_modifiers": "none"}
    shots = duel(KNEELS, KNEELS, options=options).when(snaps("t", "t"), dice=(90, 90))
    assert lines(shots) == [[("SQ-SHOOT-3", 10), ("SQ-POSE-2", -5), ("SQ-POSE-3", 5)]] * 2


@pytest.mark.rule("SQ-SHOOT-4")
def test_a_burst_of_one_roll_spends_five_rounds_and_hits_once() -> None:
    battle = duel({"weapons": [RIFLE]}, options={"burst_rolls": "single"})
    fired = battle.when(burst(), dice=(20,))
    assert rolls(fired) == [("s", "t", 20, 40, 60, "hit")]
    assert len(wounds(fired)) == 1
    assert who(battle, "s")["weapons"][0]["rounds"] == 995


@pytest.mark.rule("SQ-SHOOT-8")
def test_two_hands_shoot_once_each_if_the_table_says_so() -> None:
    battle = duel(HANDS, u=at(3, 0), options={"dual_shots_per_hand": 1})
    fired = battle.when(dual("q", "p", "t", "u"), dice=(99, 98))
    assert [(*each[:3], each[4]) for each in rolls(fired)] == [
        ("s", "t", 99, 30),
        ("s", "u", 98, 30),
    ]
    assert [each["rounds"] for each in who(battle, "s")["weapons"]] == [999, 999]
    items = [each["detail"]["item"] for each in only(fired, "attack_resolved")]
    assert items == ["q", "p"]


@pytest.mark.rule("SQ-SHOOT-7")
@pytest.mark.parametrize(
    ("highest", "die", "outcome"),
    [(0, 1, "miss"), (1, 2, "miss"), (5, 5, "critical_success"), (5, 6, "miss")],
)
def test_the_table_chooses_what_is_a_critical_success(highest: int, die: int, outcome: str) -> None:
    battle = duel({"accuracy": 0}, options={"crit_success_max": highest})
    assert rolls(battle.when(aimed(), dice=(die,))) == [("s", "t", die, die, 0, outcome)]


@pytest.mark.rule("SQ-SHOOT-5")
def test_a_negative_result_hits() -> None:
    battle = duel({"accuracy": 1, **KNEELS}, options={"crit_success_max": 0})
    assert rolls(battle.when(aimed(), dice=(2,))) == [("s", "t", 2, -3, 1, "hit")]


@pytest.mark.rule("SQ-SHOOT-9")
def test_rounds_are_spent_also_for_shots_that_are_never_rolled() -> None:
    battle = duel({"weapons": [RIFLE]}, {"health": 20})
    fired = battle.when(burst(), dice=(2,))
    assert [each[-1] for each in rolls(fired)] == ["hit", *["wasted"] * 4]
    assert who(battle, "s")["weapons"][0]["rounds"] == 995


@pytest.mark.rule("SQ-SHOOT-9")
def test_a_second_target_is_shot_at_though_the_first_went_down() -> None:
    battle = duel(t={"health": 20}, u=at(3, 3))
    fired = battle.when(snaps("t", "u"), dice=(2, 99))
    assert [(each[1], each[-1]) for each in rolls(fired)] == [("t", "hit"), ("u", "miss")]


@pytest.mark.rule("SQ-SHOOT-10")
def test_wounds_of_the_shooter_count_from_the_next_roll_on() -> None:
    """The first snap shot sets off cargo next to the shooter, whose second one is worse for it."""
    battle = duel(map=[".E.........."])
    shots = snaps("t", "t") | {"targets": [{"cell": {"x": 1, "y": 0}}, {"target": "t"}]}
    fired = battle.when(shots, dice=(2, 50, 29))
    assert [each[2:] for each in rolls(fired)] == [(2, 12, 60, "hit"), (29, 39, 40, "hit")]


@pytest.mark.rule("SQ-SHOOT-9")
def test_a_shooter_who_goes_down_shoots_no_more() -> None:
    battle = duel({"health": 30}, map=[".E.........."])
    shots = snaps("t", "t") | {"targets": [{"cell": {"x": 1, "y": 0}}, {"target": "t"}]}
    fired = battle.when(shots, dice=(2, 50))
    assert [each[-1] for each in rolls(fired)] == ["hit", "wasted"]
    assert battle.table.turn == "t"


def test_friends_may_be_shot_at() -> None:
    battle = duel(f=at(0, 4, side="red"))
    assert code(battle.when(aimed("f"), dice=MISS)) is None


def test_the_game_masters_modifier_counts_for_every_die() -> None:
    battle = duel({"weapons": [RIFLE]}, t=at(8, 0))
    fired = battle.when(burst(gm_modifier=-40), dice=(69, 70, 71, 72, 73))
    assert [each[3] for each in rolls(fired)] == [59, 60, 61, 62, 63]
    for action, dice, result in (
        (throw(8, 0, gm_modifier=5), (54,), 59),
        (melee(gm_modifier=5), (54,), 59),
    ):
        battle = duel({"grenades": [BOMB]}, t=at(1, 0))
        assert [each[3] for each in rolls(battle.when(action, dice=dice))] == [result]


@pytest.mark.rule("SQ-SHOOT-1")
def test_a_reload_fills_the_magazine_and_is_the_shooting_of_the_turn() -> None:
    battle = duel({"weapons": [GUN | {"magazine": 7, "rounds": 2}]})
    done(battle.when(do("reload", weapon="gun")))
    assert who(battle, "s")["weapons"][0]["rounds"] == 7
    assert who(battle, "s")["phase"] == "shooting"
    assert code(battle.when(aimed())) == "shooting_phase_used"


# --- SQ-COVER and SQ-RANGE ------------------------------------------------------------------------


@pytest.mark.rule("SQ-COVER-1")
@pytest.mark.parametrize(
    ("ground", "there", "covered"),
    [
        (["...x........"], at(4, 0), True),
        (["..x........."], at(4, 0), False),
        (["....x......."], at(4, 0), True),
        (["............", "...x........"], at(4, 0), False),
        (["............", "...x........"], at(4, 2), True),
        (["............", "............", "...x........"], at(4, 2), True),
        (["............", "............", "....x......."], at(5, 1), False),
        (["x..........."], at(1, 0), False),
        ([".x.........."], at(2, 0), True),
    ],
)
def test_behind_cover_is_cover_where_the_table_says_so(
    ground: list[str], there: Tree, covered: bool
) -> None:
    """A `cover` cell at distance 1 of the target that the shot line crosses, not the shooter's."""
    rows = [*ground, *["." * 12] * (4 - len(ground))]
    stands_in = rows[there["place"]["y"]][there["place"]["x"]] == "x"
    for mode, expected in (("line", covered), ("occupied", stands_in)):
        battle = duel(t=there, map=rows, options={"cover_mode": mode})
        shot = lines(battle.when(aimed(), dice=MISS))
        assert shot == [[("SQ-COVER-1", 10)] if expected else []]


@pytest.mark.rule("SQ-COVER-1")
def test_cover_on_the_line_is_the_cells_that_it_crosses() -> None:
    rows = ["." * 12] * 8
    for x in range(1, 8):
        for y in range(8):
            around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            crossed = set(oracle.crossed_cells((0, 0), (x, y)))
            for cx, cy in around:
                if not (0 <= cx < 12 and 0 <= cy < 8) or (cx, cy) in ((x, y), (0, 0)):
                    continue
                ground = [list(row) for row in rows]
                ground[cy][cx] = "x"
                if (x + y + cx + cy) % 5:
                    continue
                battle = duel(
                    t=at(x, y), map=["".join(row) for row in ground], options={"cover_mode": "line"}
                )
                expected = [("SQ-COVER-1", 10)] if (cx, cy) in crossed else []
                assert lines(battle.when(aimed(), dice=MISS)) == [expected], ((x, y), (cx, cy))


@pytest.mark.rule("SQ-DIST-1")
@pytest.mark.parametrize("metric", ["chebyshev", "manhattan", "steps", "euclid"])
def test_the_bands_are_counted_by_the_metric_of_the_table(metric: oracle.Metric) -> None:
    classes = ("pistol", "automatic_rifle", "sniper_rifle")
    rules = ("SQ-RANGE-2", "SQ-RANGE-3", "SQ-RANGE-4")
    for x, y in ((2, 0), (2, 1), (2, 2), (3, 3), (5, 4), (6, 0), (6, 2), (5, 5), (7, 0)):
        cells = oracle.distance((0, 0), (x, y), metric)
        band = 0 if cells <= 2 else 1 if cells <= 6 else 2
        for n, kind in enumerate(classes):
            battle = duel(
                {"weapons": [GUN | {"kind": kind}]}, at(x, y), options={"distance_metric": metric}
            )
            shot = battle.when(aimed(), dice=MISS)
            assert lines(shot) == [[(rules[n], -10)] if n == band else []]
            [attack] = only(shot, "attack_resolved")
            assert attack["detail"]["distance"] == cells


# --- SQ-AP ----------------------------------------------------------------------------------------


@pytest.mark.rule("SQ-AP-2")
@pytest.mark.rule("SQ-AP-3")
@pytest.mark.parametrize("difference", range(7))
def test_the_zone_of_every_natural_die_is_that_of_the_printed_table(difference: int) -> None:
    """Naturals 2 to 99; 1 and 100 are critical."""
    sheet = {"accuracy": 1000, "weapons": [RIFLE | {"ap_class": 2}]}
    target = {"armour_class": 2 + difference, "health": 100_000, "health_max": 100_000}
    for start in range(2, 100, 5):
        dice = tuple(min(start + n, 99) for n in range(5))
        fired = duel(sheet, target).when(burst(), dice=dice)
        zones = [each["detail"]["armour"]["zone"] for each in only(fired, "attack_resolved")]
        assert zones == [oracle.zone(die, difference) for die in dice]


@pytest.mark.rule("SQ-AP-2")
def test_a_natural_100_never_tests_armour() -> None:
    fired = duel({"accuracy": 1000}, {"armour_class": 9}).when(aimed(), dice=(100,))
    [attack] = only(fired, "attack_resolved")
    assert "armour" not in attack["detail"]


@pytest.mark.rule("SQ-AP-1")
@pytest.mark.parametrize(
    ("armour", "ap_class", "options", "reason"),
    [
        (0, 0, {}, "no_armour"),
        (0, 5, {}, "no_armour"),
        (0, 0, {"unarmoured": "by_class"}, "table"),
        (0, 0, {"unarmoured": "by_class", "ap_equal": "penetrate"}, "ap_equal_option"),
        (0, 1, {"unarmoured": "by_class"}, "ap_greater"),
        (4, 4, {}, "table"),
        (4, 4, {"ap_equal": "penetrate"}, "ap_equal_option"),
        (4, 3, {"ap_equal": "penetrate"}, "table"),
        (4, 5, {}, "ap_greater"),
    ],
)
def test_why_a_hit_penetrates_or_comes_to_the_table(
    armour: int, ap_class: int, options: Tree, reason: str
) -> None:
    sheet = {"weapons": [GUN | {"ap_class": ap_class}]}
    fired = duel(sheet, {"armour_class": armour}, options=options).when(aimed(), dice=(20,))
    [attack] = only(fired, "attack_resolved")
    tested = attack["detail"]["armour"]
    assert tested["reason"] == reason
    assert ("swapped" in tested) is (reason == "table")


@pytest.mark.rule("SQ-AP-3")
def test_the_table_is_the_encounters_own() -> None:
    columns = [[0, 0, 0], [100, 100, 100], [0, 100, 100], [0, 0, 100], [10, 10, 20], [1, 2, 3]]
    zones = []
    for armour in range(4, 10):
        battle = duel(
            {"weapons": [GUN | {"ap_class": 4}]},
            {"armour_class": armour},
            options={"universal_table": columns},
        )
        [attack] = only(battle.when(aimed(), dice=(51,)), "attack_resolved")
        zones.append(attack["detail"]["armour"]["zone"])
    assert zones == ["red", "penetration", "green", "yellow", "yellow", "red"]


@pytest.mark.rule("SQ-MELEE-1")
@pytest.mark.parametrize(("equal", "outcome"), [(False, "miss"), (True, "hit")])
def test_an_equal_die_hits_in_melee_only_if_the_table_says_so(equal: bool, outcome: str) -> None:
    options = {"melee_equal_hits": equal}
    blow = duel(t=at(1, 1), options=options).when(melee(), dice=(60,))
    assert rolls(blow) == [("s", "t", 60, 60, 60, outcome)]
    shot = duel(options=options).when(aimed(), dice=(60,))
    assert [each[-1] for each in rolls(shot)] == ["miss"]


@pytest.mark.rule("SQ-MELEE-1")
@pytest.mark.parametrize(("die", "outcome"), [(1, "critical_success"), (100, "critical_failure")])
def test_blows_are_critical_like_shots(die: int, outcome: str) -> None:
    for accuracy in (0, 500):
        blow = duel({"agility": 0, "accuracy": accuracy}, at(1, 0)).when(melee(), dice=(die,))
        assert [each[-1] for each in rolls(blow)] == [outcome]


@pytest.mark.rule("SQ-MELEE-1")
@pytest.mark.rule("SQ-MELEE-2")
def test_wounds_weaken_the_chance_of_a_blow_and_not_its_damage() -> None:
    # AGI 30 - 5 = 25, ACC 61 - 20 = 41: 25 + 20.
    sheet = {"accuracy": 61, "heavy_wounds": 1, "strength": 33}
    blow = duel(sheet, at(1, 0)).when(melee(), dice=(44,))
    assert rolls(blow) == [("s", "t", 44, 44, 45, "hit")]
    assert wounds(blow) == [("t", 43, "heavy", "broken_limb")]


@pytest.mark.rule("SQ-MELEE-2")
def test_a_blow_has_an_armour_piercing_class_of_its_own() -> None:
    for own, zone in ((0, "green"), (5, "yellow"), (6, "penetration")):
        blow = duel({"melee_ap": own}, at(1, 0, armour_class=5)).when(melee(), dice=(17,))
        [attack] = only(blow, "attack_resolved")
        swapped = {0: "red", 5: "yellow", 6: "penetration"}[own]
        assert attack["detail"]["armour"]["zone"] == swapped or zone is None


@pytest.mark.rule("SQ-MELEE-3")
def test_the_table_may_lengthen_the_reach() -> None:
    battle = duel(t=at(3, 3), options={"melee_reach": 3})
    assert code(battle.when(melee(), dice=MISS)) is None
    steps = duel(t=at(3, 3), options={"melee_reach": 3, "distance_metric": "steps"})
    assert code(steps.when(melee())) == "out_of_reach"


# --- SQ-WOUND -------------------------------------------------------------------------------------


@pytest.mark.rule("SQ-WOUND-3")
@pytest.mark.parametrize(
    ("damage", "dice", "loss"),
    [
        (0, (), 10),
        ({"count": 2, "sides": 6, "bonus": 3}, (4, 5), 22),
        ({"count": 1, "sides": 2, "bonus": -100}, (2,), 10),
    ],
)
def test_damage_dice_are_rolled_after_the_hit_for_each_penetration(
    damage: Any, dice: tuple[int, ...], loss: int
) -> None:
    sheet = {"weapons": [GUN | {"damage": damage}]}
    fired = duel(sheet, {"health_max": 200}).when(snaps("t", "t"), dice=(2, *dice, 3, *dice))
    assert [each[1] for each in wounds(fired)] == [loss, loss]


@pytest.mark.rule("SQ-AP-5")
def test_without_penetration_no_damage_dice_are_rolled() -> None:
    sheet = {"weapons": [GUN | {"damage": {"count": 2, "sides": 6}}]}
    fired = duel(sheet, {"armour_class": 4}).when(aimed(), dice=(14,))
    assert wounds(fired) == [("t", 10, "heavy", "broken_limb")]


@pytest.mark.rule("SQ-WOUND-4")
def test_no_current_attribute_falls_below_nothing() -> None:
    sheet = {"heavy_wounds": 3, "light_wounds": 1, "agility": 19, "accuracy": 69, "endurance": 3}
    battle = duel(s=at(0, 0), t=at(4, 0, **sheet))
    done(battle.when(end()))
    assert who(battle, "t")["mp_left"] == 0
    done(battle.when(do("sprint", "t")))
    assert who(battle, "t")["mp_left"] == 0
    assert [each[4] for each in rolls(duel(sheet).when(aimed(), dice=MISS))] == [0]


@pytest.mark.rule("SQ-WOUND-5")
@pytest.mark.parametrize(
    ("kind", "burning", "die", "wording"),
    [
        ("robot", False, 17, "module_damaged"),
        ("robot", True, 15, "module_disabled"),
        ("alien", True, 17, "burns"),
        ("civilian", False, 17, "cracked_ribs"),
    ],
)
def test_how_wounds_are_called(kind: str, burning: bool, die: int, wording: str) -> None:
    sheet = {"weapons": [GUN | {"burning": burning}]}
    fired = duel(sheet, {"kind": kind, "armour_class": 4}).when(aimed(), dice=(die,))
    assert [each[3] for each in wounds(fired)] == [wording]


@pytest.mark.rule("SQ-WOUND-6")
def test_whoever_is_down_stays_where_he_fell_and_is_in_nobodys_way() -> None:
    battle = duel(t=at(1, 0, health=10))
    done(battle.when(aimed(), dice=(2,)))
    assert (who(battle, "t")["health"], who(battle, "t")["conditions"]) == (0, ["down"])
    assert code(battle.when(aimed())) == "shooting_phase_used"
    done(battle.when(end()))
    done(battle.when(do("move", path=[{"x": 1, "y": 0}])))


# --- objects --------------------------------------------------------------------------------------


@pytest.mark.rule("SQ-EXP-1")
def test_a_shot_at_an_object_has_neither_pose_nor_cover_of_a_target() -> None:
    battle = duel({**KNEELS, "weapons": [PISTOL]}, map=["..E........."])
    shot = battle.when(aimed_at(2, 0), dice=(99,))
    assert lines(shot) == [[("SQ-POSE-2", -5), ("SQ-RANGE-2", -10)]]


@pytest.mark.rule("SQ-EXP-1")
def test_an_object_that_is_gone_wastes_the_next_round() -> None:
    battle = duel(map=["......E....."])
    shots = snaps("t", "t") | {"targets": [{"cell": {"x": 6, "y": 0}}] * 2}
    fired = battle.when(shots, dice=(2, 50))
    assert [each[-1] for each in rolls(fired)] == ["hit", "wasted"]


# --- 2.4: the order of checks ---------------------------------------------------------------------


def test_the_checks_of_a_shot_come_in_the_order_of_the_catalogue() -> None:
    """Each attempt has every later fault, too."""
    arms = {"weapons": [PISTOL | {"rounds": 0}, GUN | {"id": "big", "rounds": 0}]}
    ground = ["..X.........", *["............"] * 3]
    battle = duel(arms, map=ground, u=at(3, 3, health=0))
    attempts = [
        (snaps("s", "u", "t", weapon="bow"), "unknown_weapon"),
        (snaps("nobody", "s", "t"), "bad_target_count"),
        (dual("gun", "gun", "nobody", *["t"] * 3), "same_weapon_twice"),
        (dual("gun", "big", "nobody", *["t"] * 3), "weapon_not_dual"),
        (snaps("nobody", "s"), "unknown_target"),
        (snaps("s", "u"), "target_self"),
        (snaps("u", "t"), "target_down"),
        (aimed_at(1, 0), "not_a_target"),
        (aimed(), "no_line_of_shot"),
        (aimed_at(2, 0), "not_a_target"),
        (burst(), "no_line_of_shot"),
        (suppress(), "no_line_of_shot"),
    ]
    for action, refusal in attempts:
        assert code(battle.when(action)) == refusal, action
    free = duel(arms)
    assert code(free.when(aimed())) == "not_enough_ammo"
    done(free.when(adjust("hp", "t", value=0)))
    assert code(free.when(aimed())) == "target_down"


def test_a_refused_shot_leaves_the_phase_of_movement() -> None:
    battle = duel(map=["..X........."])
    assert code(battle.when(aimed())) == "no_line_of_shot"
    assert (who(battle, "s")["phase"], who(battle, "s")["mp_left"]) == ("movement", 30)


def test_the_fights_of_these_tests_are_what_they_say() -> None:
    battle = fight(s=at(0, 0), t=at(4, 0))
    assert (who(battle, "s")["side"], who(battle, "t")["side"]) == ("red", "blue")
