"""CF-SD and CF-GEN: initiative, pools, hits and damage."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.rules.defaults import (
    CriticalRule,
    Initiative,
    Outcome,
    added_dice,
    attack_outcome,
    attack_pool,
    damage_dealt,
    damage_pool,
    initiative_order,
    is_felled,
    is_killed,
)


def line(amount: int) -> Modifier:
    return Modifier(rule="CF-TEST-1", amount=amount)


@pytest.mark.rule("CF-GEN-1")
def test_modifiers_add_up_with_their_signs_in_any_order() -> None:
    assert added_dice(()) == 0
    assert added_dice((line(-2), line(3), line(-4))) == added_dice((line(3), line(-4), line(-2)))
    assert added_dice((line(-2), line(3), line(-4))) == -3


@pytest.mark.rule("CF-SD-1")
def test_the_higher_sum_then_the_larger_pool_then_the_earlier_acts_first() -> None:
    rolled = (
        Initiative(id="low", number=1, pool=5, total=9),
        Initiative(id="late", number=4, pool=3, total=12),
        Initiative(id="early", number=3, pool=3, total=12),
        Initiative(id="large", number=5, pool=4, total=12),
        Initiative(id="high", number=2, pool=3, total=13),
    )
    assert initiative_order(rolled) == ("high", "large", "early", "late", "low")


@pytest.mark.rule("CF-SD-2")
@pytest.mark.parametrize(
    ("added", "floor", "pool", "changed"),
    [
        (-2, 1, 1, 0),
        (-3, 1, 1, 1),
        (-7, 1, 1, 5),
        (-3, 0, 0, 0),
        (-7, 0, 0, 4),
        (6, 1, 9, 0),
        (90, 1, 93, 0),
    ],
)
def test_the_pool_has_a_floor_and_no_ceiling(
    added: int, floor: int, pool: int, changed: int
) -> None:
    row = Modifier(rule="CF-SD-2", amount=changed, facts={"floor": floor}) if changed else None
    assert attack_pool(3, (line(added),), floor) == (pool, row)


@pytest.mark.rule("CF-SD-3")
@pytest.mark.parametrize(
    ("faces", "defence", "sixes", "outcome"),
    [
        ((4, 5), 10, 3, "miss"),
        ((4, 6), 10, 3, "hit"),
        ((5, 6), 10, 3, "hit"),
        ((6, 6, 1), 10, 3, "hit"),
        ((6, 6, 6), 10, 3, "critical"),
        ((6, 6, 6), 19, 3, "miss"),
        ((6, 6, 6), 10, 0, "hit"),
        ((6, 1), 2, 1, "critical"),
        ((), 0, 3, "miss"),
        ((1,), 0, 3, "hit"),
    ],
)
def test_a_total_hits_the_defence_it_reaches_and_sixes_make_it_critical(
    faces: tuple[int, ...], defence: int, sixes: int, outcome: Outcome
) -> None:
    assert attack_outcome(faces, defence, sixes) == outcome


@pytest.mark.rule("CF-SD-4")
@pytest.mark.parametrize(
    ("outcome", "rule", "dice", "faces", "damage"),
    [
        ("miss", "double_dice", 0, (), 0),
        ("hit", "double_dice", 2, (1, 1), 0),
        ("hit", "double_dice", 2, (1, 2), 0),
        ("hit", "double_dice", 2, (1, 3), 1),
        ("critical", "double_dice", 4, (4, 5, 1, 6), 13),
        ("hit", "max_damage", 2, (4, 5), 6),
        ("critical", "max_damage", 0, (), 9),
    ],
)
def test_damage_is_its_dice_less_the_soak(
    outcome: Outcome, rule: CriticalRule, dice: int, faces: tuple[int, ...], damage: int
) -> None:
    assert damage_pool(2, outcome, rule) == dice
    assert damage_dealt(2, faces, 3, outcome, rule) == damage


@pytest.mark.rule("CF-SD-4")
@pytest.mark.parametrize(
    ("health", "felled", "killed"),
    [(1, False, False), (0, True, False), (-9, True, False), (-10, True, True), (-11, True, True)],
)
def test_nobody_stands_at_0_or_lives_at_minus_the_start(
    health: int, felled: bool, killed: bool
) -> None:
    assert (is_felled(health), is_killed(health, 10)) == (felled, killed)
