"""SQ-SUP-1 to 4 and 6: who may suppress, which rounds hit, and the barred arc."""

import pytest

from service.engine.geometry.points import Cell
from service.rulesets.squad_d100.rules.suppression import (
    SuppressionArc,
    is_anyone_barring,
    is_barred,
    is_suppressed,
    require_automatic,
    suppression_outcome,
)
from tests.rulesets.squad_d100.refusals import refusal

HERE: Cell = (5, 5)


@pytest.mark.rule("SQ-SUP-1")
@pytest.mark.parametrize("rule", ["SQ-SUP-1", "SQ-SHOOT-4"])
def test_only_an_automatic_weapon_fires_bursts(rule: str) -> None:
    def required(is_automatic: bool) -> object:
        return refusal(lambda: require_automatic("w", is_automatic=is_automatic, rule=rule))

    assert required(True) is None
    assert required(False) == ("weapon_not_automatic", rule, {"weapon": "w"})


@pytest.mark.rule("SQ-SUP-2")
@pytest.mark.parametrize(
    ("natural", "most", "outcome"),
    [
        (1, 1, "critical_success"),
        (1, 0, "hit"),
        (1, 10, "critical_success"),
        (2, 1, "miss"),
        (2, 10, "miss"),
        (99, 1, "miss"),
        (100, 1, "critical_failure"),
    ],
)
def test_a_round_of_suppression_hits_on_a_natural_one_alone(
    natural: int, most: int, outcome: str
) -> None:
    assert suppression_outcome(natural, most) == outcome


@pytest.mark.rule("SQ-SUP-3")
def test_who_is_still_standing_is_suppressed() -> None:
    assert is_suppressed(is_target_down=False)
    assert not is_suppressed(is_target_down=True)


@pytest.mark.rule("SQ-SUP-4")
@pytest.mark.parametrize(
    ("target", "cone", "half_plane"),
    [
        ((0, 5), True, True),
        ((0, 0), True, True),
        ((1, 1), True, True),
        ((0, 10), True, True),
        ((2, 1), False, True),
        ((4, 0), False, True),
        ((5, 0), False, False),
        ((6, 5), False, False),
        ((9, 5), False, False),
    ],
)
def test_the_barred_arc_reaches_45_degrees_to_each_side(
    target: Cell, cone: bool, half_plane: bool
) -> None:
    suppressor = (0, 5)
    assert is_barred(HERE, suppressor, target, "cone") == cone
    assert is_barred(HERE, suppressor, target, "half_plane") == half_plane
    assert not is_barred(HERE, suppressor, target, "shooter")


@pytest.mark.rule("SQ-SUP-6")
@pytest.mark.parametrize(
    ("arc", "target", "suppressors", "barred"),
    [
        ("cone", ("e", (9, 5)), (("s1", (0, 5)), ("s2", (5, 0))), False),
        ("cone", ("e", (3, 3)), (("s1", (0, 5)), ("s2", (5, 0))), True),
        ("cone", ("e", (2, 1)), (("s1", (0, 5)), ("s2", (5, 0))), True),
        ("cone", ("e", (2, 1)), (("s1", (0, 5)),), True),
        ("cone", ("e", (3, 3)), (), False),
        ("shooter", ("s2", (5, 0)), (("s1", (0, 5)), ("s2", (5, 0))), True),
        ("shooter", ("e", (5, 1)), (("s1", (0, 5)), ("s2", (5, 0))), False),
        ("shooter", (None, (5, 1)), (("s2", (5, 0)),), False),
    ],
)
def test_each_suppressor_bars_an_arc_of_his_own(
    arc: SuppressionArc,
    target: tuple[str | None, Cell],
    suppressors: tuple[tuple[str, Cell], ...],
    barred: bool,
) -> None:
    assert is_anyone_barring((5, 7), target, suppressors, arc) == barred
