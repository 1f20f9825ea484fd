"""CF-FACE: where combatants look."""

import pytest

from service.engine.geometry.arcs import FACINGS
from service.engine.geometry.spaces import Space
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.facing import (
    Direction,
    WeaponArc,
    attacked_from,
    facing_after_move,
    require_arc,
    require_own_turn,
)


@pytest.mark.rule("CF-FACE-1")
def test_the_eight_facings_go_round_clockwise_from_the_north() -> None:
    ring = ((5, 0), (10, 0), (10, 5), (10, 10), (5, 10), (0, 10), (0, 5), (0, 0))
    for facing, cell in zip(FACINGS, ring, strict=True):
        looked_at = [
            other for other in ring if attacked_from(Space(5, 5), facing, Space(*other)) == "front"
        ]
        at = ring.index(cell)
        assert looked_at == sorted((ring[at - 1], cell, ring[(at + 1) % 8]), key=ring.index)


@pytest.mark.rule("CF-FACE-2")
def test_a_move_may_end_with_another_facing() -> None:
    assert facing_after_move("N", "SE") == "SE"
    assert facing_after_move("N", None) == "N"


@pytest.mark.rule("CF-FACE-3")
def test_the_facing_changes_on_ones_own_turn_only() -> None:
    require_own_turn("t", "t")
    with pytest.raises(Refused) as refused:
        require_own_turn("t", "a")
    assert (refused.value.code, refused.value.rule) == ("not_your_turn", "CF-FACE-3")


@pytest.mark.rule("CF-FACE-4")
@pytest.mark.parametrize(
    ("arc", "target", "quarter"),
    [
        ("rear", Space(0, 1), None),
        ("rear", Space(0, 2), None),
        ("rear", Space(0, 3), "right"),
        ("rear", Space(2, 1), "front"),
        ("front", Space(2, 0), None),
        ("front", Space(0, 1), "rear"),
        ("left", Space(1, 0), None),
        ("left", Space(1, 2), "right"),
        ("right", Space(1, 3), None),
        ("right", Space(1, 1), "side"),
        ("any", Space(1, 1), None),
        ("any", Space(0, 3), None),
    ],
)
def test_a_weapon_with_an_arc_reaches_only_into_it(
    arc: WeaponArc, target: Space, quarter: str | None
) -> None:
    if quarter is None:
        require_arc(arc, Space(1, 1), "E", target)
        return
    with pytest.raises(Refused) as refused:
        require_arc(arc, Space(1, 1), "E", target)
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "outside_arc",
        "CF-FACE-4",
        {"arc": arc, "facing": "E", "quarter": quarter},
    )


@pytest.mark.rule("CF-FACE-5")
@pytest.mark.parametrize(
    ("attacker", "direction"),
    [
        (Space(5, 10), "rear"),
        (Space(7, 7), "rear"),
        (Space(8, 7), "side"),
        (Space(7, 8), "rear"),
        (Space(5, 0), "front"),
        (Space(7, 3), "front"),
        (Space(5, 5), "side"),
    ],
)
def test_an_attack_comes_from_front_side_or_rear(attacker: Space, direction: Direction) -> None:
    assert attacked_from(Space(5, 5), "N", attacker) == direction
