"""The first thing that is wrong with an action is told, and nothing of it is done (2.2, 7)."""

from typing import Any

import pytest

from service.rulesets.melody_d6 import RULESET
from tests.kit.given_when_then import Refusal, given
from tests.rulesets.melody_d6.examples import EXAMPLES
from tests.rulesets.melody_d6.faults import DEEDS, Deed, Fault

Tree = dict[str, Any]

SINGLE = [
    pytest.param(deed, fault, id=f"{deed.name}-{number}-{fault.code}")
    for deed in DEEDS
    for number, fault in enumerate(deed.faults)
]
PAIRS = [
    pytest.param(deed, first, second, id=f"{deed.name}-{first.code}-{second.code}-{number}")
    for deed in DEEDS
    for number, (first, second) in enumerate(deed.pairs())
]


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


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.name)
def test_without_a_fault_it_is_allowed(deed: Deed) -> None:
    assert outcome(deed) is None


@pytest.mark.parametrize("mode", ["sealed", "supplied"])
@pytest.mark.parametrize(("deed", "fault"), SINGLE)
def test_what_is_wrong_is_told(deed: Deed, fault: Fault, mode: str) -> None:
    assert outcome(deed, fault, mode=mode) == fault.code


@pytest.mark.parametrize(("deed", "first", "second"), PAIRS)
def test_of_two_faults_the_first_is_told(deed: Deed, first: Fault, second: Fault) -> None:
    assert outcome(deed, first, second) == first.code
