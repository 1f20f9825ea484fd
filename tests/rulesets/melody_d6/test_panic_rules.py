"""ML-PANIC-1, -2, -4 and ML-STUN-1: whose courage counts, who flees, who rallies, who recovers."""

from itertools import product

import pytest

from service.rulesets.melody_d6.rules.panic import (
    Member,
    Nerve,
    holds,
    is_shaken,
    is_to_rally,
    nerve_of,
    spokesman_of,
)
from service.rulesets.melody_d6.rules.stun import is_stun_over

TRUTHS = (False, True)


W1, W2, W3, W4 = Member("w1", 6), Member("w2", 8), Member("w3", 7), Member("w4", 8)
H1, H2 = Member("h1", 8, is_hidden=True), Member("h2", 9, is_hidden=True)


@pytest.mark.rule("ML-PANIC-1")
@pytest.mark.parametrize(
    ("members", "modifier", "nerve"),
    [
        ((W1, W2, W3), 0, Nerve(W2, 8)),
        ((W1, W2, W3), -2, Nerve(W2, 6)),
        ((W1, W2, W4), 3, Nerve(W2, 11)),
        ((W1,), -12, Nerve(W1, -6)),
        ((H1, W2), 0, Nerve(W2, 8)),
        ((W2, H2), 0, Nerve(H2, 9)),
    ],
)
def test_the_highest_courage_counts_with_the_modifier(
    members: tuple[Member, ...], modifier: int, nerve: Nerve
) -> None:
    assert nerve_of(members, modifier) == nerve


@pytest.mark.parametrize(
    ("members", "bearer", "named"),
    [
        ((W1, W2), W2, W2),
        ((H1, H2, W1, W3), H2, W1),
        ((H1, H2), H2, H2),
    ],
)
def test_a_hidden_bearer_is_named_only_where_all_are_hidden(
    members: tuple[Member, ...], bearer: Member, named: Member
) -> None:
    assert spokesman_of(members, bearer) == named


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
