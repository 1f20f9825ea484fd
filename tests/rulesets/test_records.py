"""What every ruleset's record promises, whatever its rules."""

from typing import Any, get_args, get_type_hints

import pytest

from service.engine.ruleset import Ruleset
from service.rulesets import RULESETS
from tests.toy.rules import RULESET as TOY


@pytest.mark.parametrize("ruleset", [*RULESETS.values(), TOY], ids=lambda ruleset: ruleset.slug)
def test_dice_are_asked_for_with_the_effect_that_is_read_again(ruleset: Ruleset[Any]) -> None:
    [effects, _] = get_args(get_type_hints(ruleset.event)["effects"])
    read = [kind for kind in get_args(effects) if kind.__struct_config__.tag == "decision_opened"]
    assert read == [ruleset.opened]
