"""Kneeling, standing, sprinting."""

import pytest

from service.errors import Refused
from service.rulesets.squad_d100.rules.poses import (
    kneeling_price,
    require_upright,
    standing_price,
)
from service.rulesets.squad_d100.rules.sprint import sprint_points


@pytest.mark.rule("SQ-POSE-1")
@pytest.mark.rule("SQ-POSE-4")
def test_kneeling_costs_4_and_standing_up_8() -> None:
    assert (kneeling_price(), standing_price()) == (4, 8)


@pytest.mark.rule("SQ-POSE-5")
def test_a_kneeling_combatant_does_not_step() -> None:
    require_upright(False, "forbid", "t")
    require_upright(True, "allow", "t")
    with pytest.raises(Refused) as refused:
        require_upright(True, "forbid", "t")
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "kneeling_cannot_move",
        "SQ-POSE-5",
        {"combatant": "t"},
    )


@pytest.mark.rule("SQ-SPRINT-1")
@pytest.mark.parametrize(
    ("endurance", "agility", "points"),
    [(0, 0, 0), (0, 1, 0), (9, 25, 21), (10, 30, 25), (3, 2, 4), (1000, 1000, 1500)],
)
def test_a_sprint_gives_endurance_and_half_of_agility(
    endurance: int, agility: int, points: int
) -> None:
    assert sprint_points(endurance, agility) == points
