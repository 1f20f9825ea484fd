"""SQ-SHOOT: the manners of shooting, when a roll hits, and what a round costs."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.squad_d100.rules.halves import half
from service.rulesets.squad_d100.rules.ranges import WeaponClass
from service.rulesets.squad_d100.rules.shots import (
    Manner,
    are_circumstances_counted,
    burst_dice,
    burst_modifier,
    dual_threshold,
    firing_order,
    gm_line,
    is_below,
    is_critical_failure,
    is_critical_success,
    outcome_rule,
    require_dual,
    require_rounds,
    require_shooting_phase,
    shot_outcome,
    shots_due,
    snap_modifier,
    threshold_of,
    threshold_rules,
    waste_of,
)
from tests.rulesets.squad_d100.refusals import Refusal, refusal

MANNERS: tuple[Manner, ...] = ("aimed", "snap", "burst", "suppression", "throw", "melee")


@pytest.mark.rule("SQ-ROUND-1")
@pytest.mark.parametrize(("number", "halved"), [(0, 0), (1, 0), (2, 1), (61, 30), (62, 31)])
def test_every_halving_rounds_down(number: int, halved: int) -> None:
    assert half(number) == halved


@pytest.mark.rule("SQ-SHOOT-1")
@pytest.mark.parametrize(
    ("has_sprinted", "is_used", "refused"),
    [
        (False, False, None),
        (False, True, ("shooting_phase_used", "SQ-SHOOT-1", {})),
        (True, False, ("shooting_phase_lost", "SQ-SPRINT-1", {})),
        (True, True, ("shooting_phase_lost", "SQ-SPRINT-1", {})),
    ],
)
def test_a_sprint_or_another_action_takes_the_shooting_phase(
    has_sprinted: bool, is_used: bool, refused: Refusal | None
) -> None:
    phase = refusal(lambda: require_shooting_phase(has_sprinted=has_sprinted, is_used=is_used))
    assert phase == refused


@pytest.mark.rule("SQ-SHOOT-2")
@pytest.mark.parametrize("manner", MANNERS)
def test_only_an_aimed_shot_can_do_without_its_circumstances(manner: Manner) -> None:
    assert are_circumstances_counted(manner, "all")
    assert are_circumstances_counted(manner, "none") == (manner != "aimed")


@pytest.mark.rule("SQ-SHOOT-3")
@pytest.mark.rule("SQ-SHOOT-4")
@pytest.mark.parametrize("manner", MANNERS)
def test_snap_shots_cost_ten_and_bursts_thirty(manner: Manner) -> None:
    lines = {
        "snap": (Modifier(rule="SQ-SHOOT-3", amount=10, note="mode"), None),
        "burst": (None, Modifier(rule="SQ-SHOOT-4", amount=30, note="mode")),
    }
    assert (snap_modifier(manner), burst_modifier(manner)) == lines.get(manner, (None, None))


@pytest.mark.rule("SQ-SHOOT-4")
def test_a_burst_rolls_for_each_round_or_once() -> None:
    assert (burst_dice("per_round"), burst_dice("single")) == (5, 1)


@pytest.mark.rule("SQ-SHOOT-5")
@pytest.mark.parametrize(("result", "is_hit"), [(-20, True), (59, True), (60, False), (61, False)])
def test_a_result_equal_to_the_threshold_is_a_miss(result: int, is_hit: bool) -> None:
    assert is_below(result, 60) == is_hit


@pytest.mark.rule("SQ-SHOOT-6")
@pytest.mark.parametrize(("natural", "is_failure"), [(99, False), (100, True)])
def test_a_natural_hundred_is_a_critical_failure(natural: int, is_failure: bool) -> None:
    assert is_critical_failure(natural) == is_failure


@pytest.mark.rule("SQ-SHOOT-7")
@pytest.mark.parametrize(
    ("natural", "most", "is_success"),
    [(1, 0, False), (1, 1, True), (2, 1, False), (10, 10, True), (11, 10, False)],
)
def test_the_lowest_naturals_are_critical_successes(
    natural: int, most: int, is_success: bool
) -> None:
    assert is_critical_success(natural, most) == is_success


@pytest.mark.parametrize(
    ("natural", "modifiers", "threshold", "most", "outcome", "rule"),
    [
        (100, -15, 150, 1, "critical_failure", "SQ-SHOOT-6"),
        (1, 45, 20, 1, "critical_success", "SQ-SHOOT-7"),
        (1, 45, 20, 0, "miss", "SQ-SHOOT-5"),
        (1, 0, 20, 0, "hit", "SQ-SHOOT-5"),
        (10, 45, 20, 10, "critical_success", "SQ-SHOOT-7"),
        (59, 0, 60, 1, "hit", "SQ-SHOOT-5"),
        (60, 0, 60, 1, "miss", "SQ-SHOOT-5"),
        (69, -10, 60, 1, "hit", "SQ-SHOOT-5"),
        (70, -10, 60, 1, "miss", "SQ-SHOOT-5"),
        (2, 0, 0, 1, "miss", "SQ-SHOOT-5"),
    ],
)
def test_naturals_decide_before_the_result(
    natural: int, modifiers: int, threshold: int, most: int, outcome: str, rule: str
) -> None:
    ended = shot_outcome(natural, modifiers, threshold, most)
    assert (ended, outcome_rule(ended)) == (outcome, rule)


@pytest.mark.rule("SQ-SHOOT-8")
@pytest.mark.rule("SQ-SHOOT-10")
@pytest.mark.parametrize(("accuracy", "halved"), [(0, 0), (59, 29), (60, 30), (61, 30)])
def test_two_hands_halve_the_accuracy_of_the_moment(accuracy: int, halved: int) -> None:
    thresholds = (threshold_of(accuracy, is_dual=False), threshold_of(accuracy, is_dual=True))
    assert (*thresholds, dual_threshold(accuracy)) == (accuracy, halved, halved)


@pytest.mark.rule("SQ-SHOOT-10")
def test_a_threshold_names_its_rules_in_their_order() -> None:
    assert threshold_rules("aimed", is_dual=False) == ("SQ-SHOOT-2", "SQ-SHOOT-10")
    assert threshold_rules("snap", is_dual=False) == ("SQ-SHOOT-10",)
    assert threshold_rules("burst", is_dual=False) == ("SQ-SHOOT-10",)
    assert threshold_rules("snap", is_dual=True) == ("SQ-SHOOT-10", "SQ-SHOOT-8", "SQ-ROUND-1")


@pytest.mark.rule("SQ-SHOOT-8")
def test_the_hands_take_turns_and_the_first_weapon_begins() -> None:
    assert firing_order(("p", "q"), 4) == ("p", "q", "p", "q")
    assert firing_order(("p", "q"), 2) == ("p", "q")
    assert firing_order(("p",), 2) == ("p", "p")


@pytest.mark.rule("SQ-SHOOT-8")
@pytest.mark.parametrize(
    ("is_dual", "per_hand", "due"), [(False, 1, 2), (False, 2, 2), (True, 1, 2), (True, 2, 4)]
)
def test_snap_shots_name_two_targets_or_so_many_for_each_hand(
    is_dual: bool, per_hand: int, due: int
) -> None:
    assert shots_due(is_dual=is_dual, per_hand=per_hand) == due


@pytest.mark.rule("SQ-SHOOT-8")
@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [
        (("p", "pistol"), ("q", "revolver"), None),
        (("q", "revolver"), ("p", "pistol"), None),
        (("p", "pistol"), ("q", "pistol"), None),
        (("p", "pistol"), ("p", "pistol"), ("same_weapon_twice", "p")),
        (("r", "other"), ("r", "other"), ("same_weapon_twice", "r")),
        (("r", "automatic_rifle"), ("s", "sniper_rifle"), ("weapon_not_dual", "r")),
        (("p", "pistol"), ("s", "other"), ("weapon_not_dual", "s")),
    ],
)
def test_two_hands_hold_two_pistols_or_revolvers(
    first: tuple[str, WeaponClass],
    second: tuple[str, WeaponClass],
    refused: tuple[str, str] | None,
) -> None:
    expected = None
    if refused is not None:
        code, weapon = refused
        facts: dict[str, object] = {"weapon": weapon}
        if code == "weapon_not_dual":
            facts["allowed"] = ["pistol", "revolver"]
        expected = (code, "SQ-SHOOT-8", facts)
    assert refusal(lambda: require_dual(first, second)) == expected


@pytest.mark.rule("SQ-SHOOT-9")
@pytest.mark.parametrize(("rounds", "is_refused"), [(4, True), (5, False), (6, False)])
def test_the_rounds_of_the_whole_action_are_there(rounds: int, is_refused: bool) -> None:
    facts: dict[str, object] = {"weapon": "r", "rounds": rounds, "needed": 5}
    expected = ("not_enough_ammo", "SQ-SHOOT-9", facts) if is_refused else None
    assert refusal(lambda: require_rounds("r", rounds, 5)) == expected


@pytest.mark.rule("SQ-SHOOT-9")
@pytest.mark.parametrize(
    ("is_shooter_down", "is_target_gone", "is_arc_barred", "waste"),
    [
        (False, False, False, None),
        (False, False, True, "suppressed_arc"),
        (False, True, False, "target_down"),
        (False, True, True, "target_down"),
        (True, False, True, "shooter_down"),
        (True, True, False, "shooter_down"),
    ],
)
def test_a_round_without_target_or_shooter_is_wasted(
    is_shooter_down: bool, is_target_gone: bool, is_arc_barred: bool, waste: str | None
) -> None:
    assert waste == waste_of(
        is_shooter_down=is_shooter_down,
        is_target_gone=is_target_gone,
        is_arc_barred=is_arc_barred,
    )


@pytest.mark.parametrize(("amount", "is_stated"), [(-1, True), (0, False), (1, True)])
def test_what_the_game_master_adds_is_a_line_unless_it_is_nothing(
    amount: int, is_stated: bool
) -> None:
    line = Modifier(rule="SQ-SHOOT-5", amount=amount, note="gm")
    assert gm_line(amount) == (line if is_stated else None)
