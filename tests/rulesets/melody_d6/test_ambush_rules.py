"""ML-AMB: shots from masking, their witnesses, and what they cost."""

from itertools import product

import pytest

from service.rulesets.melody_d6.rules.ambush import (
    Onlooker,
    is_ambush,
    is_noticed,
    is_own_deed,
    is_panic_due,
    is_witness,
    may_stay_unnoticed,
)

TRUTHS = (False, True)


@pytest.mark.rule("ML-AMB-1")
@pytest.mark.parametrize("is_masked", TRUTHS)
def test_a_shot_of_whoever_is_masked_is_an_ambush(is_masked: bool) -> None:
    assert is_ambush(is_masked=is_masked) == is_masked


@pytest.mark.rule("ML-AMB-2")
@pytest.mark.parametrize(("is_killed", "is_quiet"), [*product(TRUTHS, repeat=2)])
def test_only_a_quiet_kill_may_stay_unnoticed(is_killed: bool, is_quiet: bool) -> None:
    told = may_stay_unnoticed(is_killed=is_killed, is_quiet=is_quiet)
    assert told == ((is_killed, is_quiet) == (True, True))


@pytest.mark.rule("ML-AMB-3")
def test_a_witness_is_another_of_the_targets_side_who_sees_both() -> None:
    witnesses = [
        each
        for each in (Onlooker(*facts) for facts in product(TRUTHS, repeat=6))
        if is_witness(each)
    ]
    assert witnesses == [
        Onlooker(
            is_of_targets_side=True,
            is_target=False,
            is_on_table=True,
            is_hidden=False,
            sees_target=True,
            sees_shooter=True,
        )
    ]


@pytest.mark.rule("ML-AMB-4")
@pytest.mark.parametrize(
    ("passed", "noticed"),
    [
        ((), False),
        ((False,), False),
        ((False, False), False),
        ((True,), True),
        ((False, True, False), True),
    ],
)
def test_one_test_passed_is_enough(passed: tuple[bool, ...], noticed: bool) -> None:
    assert is_noticed(passed) == noticed


@pytest.mark.rule("ML-AMB-5")
@pytest.mark.parametrize(("steady", "due"), [(0, False), (1, True), (2, True)])
def test_a_unit_tests_while_one_of_it_stands_its_ground(steady: int, due: bool) -> None:
    assert is_panic_due(steady) == due


@pytest.mark.rule("ML-AMB-6")
@pytest.mark.parametrize("is_own_turn", TRUTHS)
def test_masking_is_lost_by_ones_own_deed_in_ones_own_turn(is_own_turn: bool) -> None:
    assert is_own_deed(is_own_turn=is_own_turn) == is_own_turn
