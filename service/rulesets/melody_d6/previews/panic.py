"""The preview of a panic test that the game master asks for."""

from msgspec import UNSET

from service.engine.ruleset.definition import Preview
from service.rulesets.melody_d6.actions import GmPanicTest
from service.rulesets.melody_d6.previews.facts import Facts
from service.rulesets.melody_d6.previews.foreseen_tests import panic_test
from service.rulesets.melody_d6.previews.knowledge import Asker


def preview_panic_test(asker: Asker, action: GmPanicTest) -> Preview:
    """The test of the unit; absent where nobody of it would take one."""
    test = panic_test(asker, action.unit, action.modifier)
    facts = Facts(panic=UNSET if test is None else test)
    odds = () if test is None else test.odds
    return Preview(legal=True, facts=facts, odds=odds)
