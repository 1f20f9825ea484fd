"""ML-PANIC-1, -2, -4 and ML-STUN-1: whose courage counts, who flees, who rallies, who recovers."""

from itertools import product

import pytest

from service.rulesets.melody_d6.rules.panic import Nerve, holds, is_shaken, is_to_rally, nerve_of
from service.rulesets.melody_d6.rules.stun import is_stun_over

TRUTHS = (False, True)


@pytest.mark.rule("ML-PANIC-1")
@pytest.mark.parametrize(
    ("members", "modifier", "nerve"),
    [
        ((("w1", 6), ("w2", 8), ("w3", 7)), 0, Nerve("w2", 8, 8)),
        ((("w1", 6), ("w2", 8), ("w3", 7)), -2, Nerve("w2", 8, 6)),
        ((("w1", 8), ("w2", 8)), 3, Nerve("w1", 8, 11)),
        ((("w1", 2),), -12, Nerve("w1", 2, -10)),
    ],
)
def test_the_highest_courage_counts_with_the_modifier(
    members: tuple[tuple[str, int], ...], modifier: int, nerve: Nerve
) -> None:
    assert nerve_of(members, modifier) == nerve


@pytest.mark.rule("ML-PANIC-1")
@pytest.mark.parametrize(("total", "held"), [(6, True), (7, True), (8, False)])
def test_an_equal_total_holds(total: int, held: bool) -> None:
    assert holds(total, 7) == held


@pytest.mark.rule("ML-PANIC-2")
@pytest.mark.rule("ML-PANIC-4")
@pytest.mark.parametrize(("is_on_table", "is_fleeing"), [*product(TRUTHS, repeat=2)])
def test_the_steady_test_for_panic_and_those_who_flee_for_rallying(
    is_on_table: bool, is_fleeing: bool
) -> None:
    shaken = is_shaken(is_on_table=is_on_table, is_fleeing=is_fleeing)
    assert shaken == ((is_on_table, is_fleeing) == (True, False))
    to_rally = is_to_rally(is_on_table=is_on_table, is_fleeing=is_fleeing)
    assert to_rally == ((is_on_table, is_fleeing) == (True, True))


@pytest.mark.rule("ML-STUN-1")
@pytest.mark.parametrize("is_received_now", TRUTHS)
def test_a_stun_of_this_very_activation_outlasts_it(is_received_now: bool) -> None:
    assert is_stun_over(is_received_now=is_received_now) != is_received_now
