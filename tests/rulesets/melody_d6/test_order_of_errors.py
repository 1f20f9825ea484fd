"""The first thing that is wrong with an action is shown, and nothing of it is done (2.2, 7)."""

from typing import Any

import pytest

from service.rulesets.melody_d6 import RULESET
from tests.kit.given_when_then import Refusal, given
from tests.rulesets.melody_d6.examples import EXAMPLES
from tests.rulesets.melody_d6.faults import DEEDS, Deed, Fault

Tree = dict[str, Any]

EACH_DEED = pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.name)


def outcome(deed: Deed, *faults: Fault, mode: str = "sealed") -> str | None:
    """The code of the refusal, foretold alike; None if the action is done."""
    setup, action = deed.with_faults(*faults)
    creation = EXAMPLES.creation(EXAMPLES.complete(setup)) | {"dice": mode}
    battle = given(RULESET, creation)
    foreseen = battle.foretold(action)
    if not faults:
        assert not isinstance(foreseen, Refusal)
        return None
    refused = battle.when(action).outcome
    assert isinstance(refused, Refusal), deed.name
    assert foreseen == refused
    return refused.code


@EACH_DEED
def test_without_a_fault_it_is_allowed(deed: Deed) -> None:
    assert outcome(deed) is None


@EACH_DEED
@pytest.mark.parametrize("mode", ["sealed", "supplied"])
def test_what_is_wrong_is_told(deed: Deed, mode: str) -> None:
    codes = [fault.code for fault in deed.faults]
    assert [outcome(deed, fault, mode=mode) for fault in deed.faults] == codes


@EACH_DEED
def test_of_two_faults_the_first_is_told(deed: Deed) -> None:
    require_first(deed, [*deed.neighbours()])


@pytest.mark.soak
@EACH_DEED
def test_of_any_two_faults_the_first_is_told(deed: Deed) -> None:
    require_first(deed, [*deed.pairs()])


def require_first(deed: Deed, pairs: list[tuple[Fault, Fault]]) -> None:
    """Of two faults the action is refused with the code of the first."""
    firsts = [(first.code, first.code, second.code) for first, second in pairs]
    assert [(outcome(deed, *pair), pair[0].code, pair[1].code) for pair in pairs] == firsts
