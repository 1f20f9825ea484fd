"""The odds of previews are those of deciding the action with every combination of faces."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.kit.odds import TooManyCases, counted, last_step, told
from tests.kit.random_battles import ask, play
from tests.kit.rig import Chances, Rig
from tests.kit.rigs import EVERY_RIG, RIGS
from tests.kit.table import Table, seated
from tests.soak import with_soak

BATTLES = with_soak(
    [pytest.param(0, True), pytest.param(1, False)],
    [
        pytest.param(0, False),
        pytest.param(1, True),
        *(pytest.param(*each) for each in product(range(2, 50), [False, True])),
    ],
)
EVENTS = 60
COUNTED = 6
"""So many previews of a battle are counted."""
COSTLY = {
    "a volley against the strong",
    "resisted, the lower die is better",
    "two snap shots that may fell",
    "an arrow dodged",
    "a volley that may fell",
    "two in an area, one dives out of it",
    "a stance",
    "a song that one of two words resists, partly under it",
}
"""Scenes of two CPU seconds and more; each has a cheaper one of its kind."""
SCENES = [
    pytest.param(rig, name, id=f"{rig!r}: {name}") for rig in EVERY_RIG for name in rig.odds.scenes
]
LONGEST = 1_000_000


def require_exact(chances: Mapping[str, Fraction], counts: Mapping[str, Fraction]) -> None:
    """Every chance that was shown is the one counted."""
    assert chances == {name: counts.get(name, 0) for name in chances}


class Counting:
    """Takes actions; the odds of the first ones are counted, those who are asked passing."""

    def __init__(self, chances: Chances, most: int) -> None:
        self._chances = chances
        self._most = most
        self.done = 0

    def __call__(self, table: Table, action: Mapping[str, Any], by: str) -> None:
        foretold = told(self._chances, table, dict(action)) if self.done < COUNTED else {}
        if not foretold:
            ask(table, action, by)
            return
        last = last_step(table, dict(action))
        try:
            counts = counted(table, last, self._chances, self._most)
        except TooManyCases:
            pass
        else:
            require_exact(foretold, counts)
            require_exact(told(self._chances, table, last), counts)
            self.done += 1
        ask(table, last)


@pytest.mark.parametrize("rig", RIGS, ids=repr)
@pytest.mark.parametrize(("number", "with_secrets"), BATTLES)
def test_odds_in_random_battles_are_those_of_every_combination_of_faces(
    rig: Rig, number: int, with_secrets: bool
) -> None:
    table = seated(rig.ruleset, rig.battles.setup(number, with_secrets=with_secrets))
    counting = Counting(rig.odds.usual, rig.odds.most)
    play(table, number, EVENTS, deed=counting)
    assert counting.done


@pytest.mark.parametrize(
    ("rig", "name"),
    with_soak(
        [scene for scene in SCENES if scene.values[1] not in COSTLY],
        [scene for scene in SCENES if scene.values[1] in COSTLY],
    ),
)
def test_odds_of_a_scene_are_those_of_every_combination_of_faces(rig: Rig, name: str) -> None:
    scene = rig.odds.scenes[name]
    table = seated(rig.ruleset, scene.setup)
    table.ask({"type": "start_encounter"})
    foretold = told(scene.chances, table, scene.action, scene.answers)
    assert foretold
    last = last_step(table, scene.action, scene.answers)
    counts = counted(table, last, scene.chances, LONGEST)
    require_exact(foretold, counts)
    require_exact(told(scene.chances, table, last), counts)
