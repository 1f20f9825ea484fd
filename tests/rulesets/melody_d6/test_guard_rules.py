"""Who may go on guard, when a guard may shoot, at which point of a path, and what ends it."""

from collections.abc import Callable

import pytest

from service.errors import Refused
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.rules import guard
from service.rulesets.melody_d6.rules.guard import GuardLostOn, WayPoint


def refusal(check: Callable[[], None]) -> tuple[str, str | None, dict[str, object]]:
    with pytest.raises(Refused) as refused:
        check()
    return refused.value.code, refused.value.rule, refused.value.params


@pytest.mark.rule("ML-GUARD-1")
def test_only_on_foot_and_not_engaged() -> None:
    guard.require_foot("g", is_mounted=False, is_engaged=False)
    assert refusal(lambda: guard.require_foot("g", is_mounted=True, is_engaged=True)) == (
        "guard_mounted",
        "ML-GUARD-1",
        {"combatant": "g"},
    )
    assert refusal(lambda: guard.require_foot("g", is_mounted=False, is_engaged=True)) == (
        "engaged",
        "ML-GUARD-1",
        {"combatant": "g"},
    )


@pytest.mark.rule("ML-GUARD-2")
def test_one_may_have_moved_before_unless_the_table_says_otherwise() -> None:
    guard.require_stood("g", has_moved=True, may_have_moved=True)
    guard.require_stood("g", has_moved=False, may_have_moved=False)
    assert refusal(lambda: guard.require_stood("g", has_moved=True, may_have_moved=False)) == (
        "moved_before_guard",
        "ML-GUARD-2",
        {"combatant": "g"},
    )


@pytest.mark.rule("ML-GUARD-3")
def test_whoever_masked_in_this_turn_may_not_go_on_guard() -> None:
    guard.require_masked_before("g", masked_this_turn=False)
    assert refusal(lambda: guard.require_masked_before("g", masked_this_turn=True)) == (
        "guard_after_masking",
        "ML-GUARD-3",
        {"combatant": "g"},
    )


@pytest.mark.rule("ML-GUARD-4")
def test_a_guard_shoots_in_the_enemys_turn_alone() -> None:
    guard.require_enemy_turn("g", is_own_turn=False)
    assert refusal(lambda: guard.require_enemy_turn("g", is_own_turn=True)) == (
        "guard_own_turn",
        "ML-GUARD-4",
        {"combatant": "g"},
    )


@pytest.mark.rule("ML-GUARD-5")
@pytest.mark.parametrize(
    ("is_on_guard", "is_able", "is_armed", "is_asked"),
    [
        (True, True, True, True),
        (False, True, True, False),
        (True, False, True, False),
        (True, True, False, False),
    ],
)
def test_a_window_asks_able_guards_with_a_ranged_weapon(
    is_on_guard: bool, is_able: bool, is_armed: bool, is_asked: bool
) -> None:
    asked = guard.may_be_asked(is_on_guard=is_on_guard, is_able=is_able, is_armed=is_armed)
    assert asked == is_asked


@pytest.mark.rule("ML-GUARD-6")
def test_without_the_marker_there_is_no_shot() -> None:
    guard.require_on_guard("g", is_on_guard=True)
    assert refusal(lambda: guard.require_on_guard("g", is_on_guard=False)) == (
        "not_on_guard",
        "ML-GUARD-6",
        {"combatant": "g"},
    )


@pytest.mark.rule("ML-GUARD-7")
def test_the_guards_of_the_other_side_are_relieved_at_the_end_of_a_turn() -> None:
    assert guard.is_relieved("b", turn_of="a")
    assert not guard.is_relieved("a", turn_of="a")


@pytest.mark.rule("ML-GUARD-8")
@pytest.mark.parametrize(
    ("lost_on", "is_hit", "lost_wounds", "is_shaken"),
    [
        ("damage", True, 0, False),
        ("damage", True, 1, True),
        ("damage", False, 1, True),
        ("hit", True, 0, True),
        ("hit", False, 0, False),
        ("hit", True, 2, True),
    ],
)
def test_a_lost_wound_ends_a_guard_and_a_hit_where_the_table_says_so(
    lost_on: GuardLostOn, is_hit: bool, lost_wounds: int, is_shaken: bool
) -> None:
    assert guard.is_shaken(lost_on, is_hit=is_hit, lost_wounds=lost_wounds) == is_shaken


@pytest.mark.rule("ML-GUARD-9")
@pytest.mark.parametrize(
    ("stated", "used", "legs", "reach"),
    [
        ((0, 0), (0, 0), 1, None),
        ((0, 1000), (0, 500), 1, None),
        ((0, 500), (0, 500), 1, None),
        ((1, 0), (0, 999), 2, None),
        ((0, 700), (0, 0), 2, (0, 700)),
    ],
)
def test_a_point_of_the_path_not_before_the_furthest_one(
    stated: WayPoint, used: WayPoint, legs: int, reach: WayPoint | None
) -> None:
    guard.require_way_point(stated, used, legs, reach)


@pytest.mark.parametrize(
    ("stated", "used", "legs", "reach", "code"),
    [
        ((0, 499), (0, 500), 1, None, "behind_mover"),
        ((0, 1000), (1, 1), 2, None, "behind_mover"),
        ((1, 0), (0, 0), 1, None, "bad_path_point"),
        ((0, 1001), (0, 0), 1, None, "bad_path_point"),
        ((0, 0), (0, 0), 0, None, "bad_path_point"),
        ((0, 701), (0, 0), 1, (0, 700), "bad_path_point"),
    ],
)
def test_no_point_off_the_path_and_none_behind_the_mover(
    stated: WayPoint, used: WayPoint, legs: int, reach: WayPoint | None, code: str
) -> None:
    found, rule, params = refusal(lambda: guard.require_way_point(stated, used, legs, reach))
    allowed = {"allowed": {"leg": used[0], "permille": used[1]}} if code == "behind_mover" else {}
    assert (found, rule) == (code, "ML-GUARD-9")
    assert params == {"leg": stated[0], "permille": stated[1], **allowed}


@pytest.mark.rule("ML-GUARD-10")
@pytest.mark.parametrize(
    ("is_on_table", "is_fleeing", "goes_on"),
    [(True, False, True), (False, False, False), (True, True, False), (False, True, False)],
)
def test_a_wounded_mover_goes_on(is_on_table: bool, is_fleeing: bool, goes_on: bool) -> None:
    assert guard.moves_on(is_on_table=is_on_table, is_fleeing=is_fleeing) == goes_on


FLEETING = Line(rule="ML-GUARD-11", amount=-1, note="guard_fleeting")
CHARGED = Line(rule="ML-GUARD-12", amount=-1, note="guard_charged")


@pytest.mark.rule("ML-GUARD-11")
def test_a_fleeting_target_is_harder_to_hit() -> None:
    assert guard.fleeting_line(is_fleeting=True) == FLEETING
    assert guard.fleeting_line(is_fleeting=False) is None


@pytest.mark.rule("ML-GUARD-12")
@pytest.mark.parametrize(
    ("is_charged", "is_fleeting", "stacks", "line"),
    [
        (True, False, False, CHARGED),
        (True, True, False, None),
        (True, True, True, CHARGED),
        (False, True, True, None),
        (False, False, False, None),
    ],
)
def test_the_charged_guard_takes_the_same_modifier_once(
    is_charged: bool, is_fleeting: bool, stacks: bool, line: Line | None
) -> None:
    found = guard.charged_line(is_charged=is_charged, is_fleeting=is_fleeting, stacks=stacks)
    assert found == line
