"""Watch, the vigilance test, and the shot that answers."""

import pytest

from service.rulesets.squad_d100.rules.vigilance import (
    VigilanceTarget,
    VigilanceTrigger,
    calls_for_test,
    first_loaded,
    goes_on,
    keeps_watch,
    vigilance_outcome,
    vigilance_threshold,
)


@pytest.mark.rule("SQ-VIG-1")
@pytest.mark.parametrize(
    ("shot", "sprinted", "is_down", "sprint_keeps_watch", "watches"),
    [
        (False, False, False, False, True),
        (True, False, False, False, False),
        (False, True, False, False, False),
        (False, True, False, True, True),
        (True, True, False, True, False),
        (False, False, True, True, False),
    ],
)
def test_whoever_did_not_shoot_watches(
    shot: bool, sprinted: bool, is_down: bool, sprint_keeps_watch: bool, watches: bool
) -> None:
    assert (
        keeps_watch(
            shot=shot, sprinted=sprinted, is_down=is_down, sprint_keeps_watch=sprint_keeps_watch
        )
        == watches
    )


@pytest.mark.rule("SQ-VIG-2")
@pytest.mark.parametrize(
    ("trigger", "is_seen", "was_seen", "tests"),
    [
        ("in_view", True, True, True),
        ("in_view", True, False, True),
        ("in_view", False, True, False),
        ("entering", True, True, False),
        ("entering", True, False, True),
        ("entering", False, False, False),
    ],
)
def test_a_step_in_view_calls_for_the_test(
    trigger: VigilanceTrigger, is_seen: bool, was_seen: bool, tests: bool
) -> None:
    assert calls_for_test(trigger, is_seen=is_seen, was_seen=was_seen) == tests


@pytest.mark.rule("SQ-VIG-3")
@pytest.mark.parametrize(
    ("natural", "threshold", "outcome"),
    [
        (59, 60, "success"),
        (60, 60, "failure"),
        (61, 60, "failure"),
        (1, 0, "success"),
        (2, 0, "failure"),
        (100, 1000, "failure"),
        (99, 100, "success"),
    ],
)
def test_the_test_asks_for_less_than_the_threshold(
    natural: int, threshold: int, outcome: str
) -> None:
    assert vigilance_outcome(natural, threshold) == outcome


@pytest.mark.rule("SQ-VIG-3")
@pytest.mark.parametrize(
    ("target", "threshold"), [("ACC", 61), ("AGI", 30), ("AGI_PLUS_HALF_ACC", 60), ("END", 9)]
)
def test_the_table_chooses_what_is_tested(target: VigilanceTarget, threshold: int) -> None:
    assert vigilance_threshold(target, acc=61, agi=30, end=9) == threshold


@pytest.mark.rule("SQ-VIG-4")
def test_the_first_weapon_with_a_round_answers() -> None:
    assert first_loaded([("rifle", 0), ("pistol", 1), ("revolver", 6)]) == "pistol"
    assert first_loaded([("rifle", 0)]) is None
    assert first_loaded([]) is None


@pytest.mark.rule("SQ-VIG-5")
def test_an_enemy_who_is_brought_down_stops() -> None:
    assert goes_on(is_mover_down=False)
    assert not goes_on(is_mover_down=True)
