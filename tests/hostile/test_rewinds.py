"""Players who take back whatever they may, to find out what they may not see."""

from collections import Counter
from itertools import product

import pytest

from service.engine.vocabulary.values import DiceMode
from tests.hostile.rules import RULES, worlds_of
from tests.hostile.tables import InMemory
from tests.hostile.worlds import Worlds
from tests.rulesets.seated import SeatedTable

MODES: tuple[DiceMode, ...] = ("sealed", "supplied")
CASES = [
    pytest.param(slug, mode, id=f"{slug}-{mode}") for slug, mode in product(sorted(RULES), MODES)
]
SHORT, LONG = 4, 150
EVENTS, MANY = 60, 150


def played(slug: str, mode: DiceMode, numbers: range, events: int) -> Counter[str]:
    """What came to pass in these battles."""
    counts: Counter[str] = Counter()
    for number in numbers:
        rules = RULES[slug]
        one, other = (
            InMemory(SeatedTable(rules.ruleset, setup, dice=mode))
            for setup in worlds_of(rules, number, mode)
        )
        worlds = Worlds(rules, (one, other), f"{number} {mode}")
        worlds.play(events)
        counts += worlds.counts
    return counts


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "mode"), CASES)
def test_no_rewind_tells_what_is_hidden(slug: str, mode: DiceMode) -> None:
    counts = played(slug, mode, range(SHORT), EVENTS)
    assert counts["rewind by a player"]
    assert counts["rewind by a player refused"]
    if slug == "seeker-d100":
        assert counts["in one world alone"]


@pytest.mark.soak
@pytest.mark.parametrize(("slug", "mode"), CASES)
def test_no_rewind_tells_what_is_hidden_in_many_battles(slug: str, mode: DiceMode) -> None:
    counts = played(slug, mode, range(SHORT, SHORT + LONG), MANY)
    assert counts["rewind by a player"] > LONG
