"""Players who take back whatever they may, to find out what they may not see."""

from collections import Counter
from itertools import product

import pytest

from service.engine.vocabulary.values import DiceMode
from tests.hostile.tables import InMemory
from tests.hostile.worlds import Worlds, setups_of
from tests.kit.rig import Rig, there
from tests.kit.rigs import OF_COMBATANTS
from tests.kit.table import seated
from tests.soak import with_soak

MODES: tuple[DiceMode, ...] = ("sealed", "supplied")
CASES = [pytest.param(rig, mode, id=f"{rig}-{mode}") for rig, mode in product(OF_COMBATANTS, MODES)]
SHORT, LONG = 4, 150
EVENTS, MANY = 60, 150


def played(rig: Rig, mode: DiceMode, numbers: range, events: int) -> Counter[str]:
    """What came to pass in these battles."""
    counts: Counter[str] = Counter()
    for number in numbers:
        one, other = (
            InMemory(seated(rig.ruleset, setup, dice=mode))
            for setup in setups_of(rig, number, mode)
        )
        worlds = Worlds(rig, (one, other), f"{number} {mode}")
        worlds.play(events)
        counts += worlds.counts
    return counts


@pytest.mark.slow
@pytest.mark.parametrize(("rig", "mode"), with_soak(CASES[::3], [*CASES[1::3], *CASES[2::3]]))
def test_no_rewind_tells_what_is_hidden(rig: Rig, mode: DiceMode) -> None:
    counts = played(rig, mode, range(SHORT), EVENTS)
    assert counts["rewind by a player"]
    assert counts["rewind by a player refused"]
    if there(rig.hostile).asks_unseen:
        assert counts["in one world alone"]


@pytest.mark.soak
@pytest.mark.parametrize(("rig", "mode"), CASES)
def test_no_rewind_tells_what_is_hidden_in_many_battles(rig: Rig, mode: DiceMode) -> None:
    counts = played(rig, mode, range(SHORT, SHORT + LONG), MANY)
    assert counts["rewind by a player"] > LONG
