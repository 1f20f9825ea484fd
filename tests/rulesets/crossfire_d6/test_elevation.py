"""CF-ELEV: higher ground."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.rules.range import (
    melee_elevation_modifier,
    ranged_elevation_modifier,
)


@pytest.mark.rule("CF-ELEV-1")
@pytest.mark.parametrize(
    ("height", "minimum", "applies"),
    [(1, 2, False), (2, 2, True), (3, 2, True), (5, 2, True), (4, 5, False), (5, 5, True)],
)
def test_a_melee_attacker_high_enough_gains_a_die(height: int, minimum: int, applies: bool) -> None:
    expected = Modifier(
        rule="CF-ELEV-1", amount=1, facts={"above_ft": height, "minimum_ft": minimum}
    )
    assert melee_elevation_modifier(height, 0, minimum) == (expected if applies else None)


@pytest.mark.rule("CF-ELEV-2")
@pytest.mark.parametrize(
    ("attacker", "target", "applies"),
    [(9, 0, False), (10, 0, True), (11, 0, True), (100, 0, True), (0, -10, True), (0, 40, False)],
)
def test_a_shooter_high_enough_gains_one_die_however_high(
    attacker: int, target: int, applies: bool
) -> None:
    expected = Modifier(
        rule="CF-ELEV-2", amount=1, facts={"above_ft": attacker - target, "minimum_ft": 10}
    )
    assert ranged_elevation_modifier(attacker, target, 10) == (expected if applies else None)
