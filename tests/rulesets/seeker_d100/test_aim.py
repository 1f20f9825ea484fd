"""SK-AIM: taking a round to aim."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.rules.aim import (
    AimLost,
    aim_lost,
    aim_modifier,
    aim_rule,
    is_aim_over,
    renewed_aim,
)


@pytest.mark.rule("SK-AIM-1")
@pytest.mark.parametrize(
    ("aimed_in", "round_", "is_aimed"),
    [(None, 2, False), (1, 1, False), (1, 2, True), (1, 3, False), (4, 5, True), (0, 1, True)],
)
def test_the_attack_of_the_next_round_is_twenty_better(
    aimed_in: int | None, round_: int, is_aimed: bool
) -> None:
    line = Modifier(rule="SK-AIM-1", amount=20, facts={"round": aimed_in or 0})
    assert aim_modifier(aimed_in, round_) == (line if is_aimed else None)


@pytest.mark.rule("SK-AIM-2")
@pytest.mark.parametrize(
    ("round_", "action", "hp_lost", "cause"),
    [
        (1, "aim", 0, None),
        (1, None, 0, None),
        (1, None, 1, "hurt"),
        (2, None, 0, None),
        (2, None, 1, "hurt"),
        (2, "attack", 0, "used"),
        (2, "called_shot", 0, "used"),
        (2, "disarm", 0, "used"),
        (2, "grapple", 3, "used"),
        (2, "move", 0, "acted"),
        (2, "dodge", 0, "acted"),
        (2, "end_turn", 0, "acted"),
        (2, "aim", 0, None),
    ],
)
def test_an_aim_is_lost_by_the_next_action_or_by_losing_health(
    round_: int, action: str | None, hp_lost: int, cause: AimLost | None
) -> None:
    assert aim_lost(1, round_, action=action, hp_lost=hp_lost) == cause


@pytest.mark.rule("SK-AIM-2")
@pytest.mark.parametrize(("round_", "is_over"), [(1, False), (2, False), (3, True)])
def test_an_aim_does_not_outlast_the_next_round(round_: int, is_over: bool) -> None:
    assert is_aim_over(1, round_) == is_over


@pytest.mark.rule("SK-AIM-3")
@pytest.mark.parametrize(("aimed_in", "round_"), [(None, 2), (1, 2), (2, 2)])
def test_aiming_again_renews_and_does_not_add_up(aimed_in: int | None, round_: int) -> None:
    renewed = renewed_aim(aimed_in, round_)
    assert renewed == round_
    line = aim_modifier(renewed, round_ + 1)
    assert line is not None
    assert line.amount == 20


@pytest.mark.rule("SK-AIM-1", "SK-AIM-3")
def test_aiming_again_goes_by_the_rule_of_renewing() -> None:
    assert [aim_rule(aimed_in) for aimed_in in (None, 0, 1)] == [
        "SK-AIM-1",
        "SK-AIM-3",
        "SK-AIM-3",
    ]
