"""What counts as luck: attacks that hit, and hiding that succeeds."""

from typing import Final

from service.engine.kit.outcomes import first_ending, odds_of_deed
from service.engine.ruleset.definition import Luck

# The first attack is the one asked for; a reckless miss may strike somebody else behind it.
LUCK: Final = Luck(
    odds=odds_of_deed,
    ending=first_ending,
    successes=frozenset({"hit", "critical", "success"}),
)
