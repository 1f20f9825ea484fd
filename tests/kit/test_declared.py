"""Players are shown all that the marks declare for them, and nothing else, in every ruleset.

Two worlds that look alike do not show what is hidden without need. Here what is seen of battles
among secrets is held against the marks, read once more in `declared.py`.
"""

from itertools import product
from typing import Final

import pytest

from service.engine.battle.state import scope_of
from service.engine.visibility.projection import view
from tests.kit.declared import Eyes
from tests.kit.played_battles import played
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.scoped_events import scoped
from tests.kit.table import tree_of
from tests.soak import with_soak

BATTLES = with_soak(
    [pytest.param(0, True), pytest.param(1, False)],
    [
        pytest.param(0, False),
        pytest.param(1, True),
        *(pytest.param(*each) for each in product(range(2, 10), [False, True])),
    ],
)
SIDE_OF: Final[dict[str, str | None]] = {"ann": "red", "bob": "blue", "eve": None}

pytestmark = [
    pytest.mark.parametrize("rig", RIGS, ids=repr),
    pytest.mark.parametrize(("number", "with_secrets"), BATTLES),
]


def test_the_state_is_seen_as_its_fields_declare(rig: Rig, number: int, with_secrets: bool) -> None:
    table = played(rig.ruleset.slug, number, with_secrets=with_secrets)
    for seq in range(1, len(table.events) + 1, 10):
        rule = table.rules[seq]
        scope = scope_of(rule)
        sides = {each.id: (each.side, each.hidden) for each in rule.combatants}
        assert scope.subjects == sides
        for by, side in SIDE_OF.items():
            assert tree_of(view(rule, scope, table.viewer(by))) == Eyes(scope, side).whole(rule)
    for by, side in SIDE_OF.items():
        seen = Eyes(scope_of(table.state.rule), side).whole(table.state.linear)
        assert table.seating(by) == seen


def test_events_are_seen_as_their_fields_declare(rig: Rig, number: int, with_secrets: bool) -> None:
    table = played(rig.ruleset.slug, number, with_secrets=with_secrets)
    for event, scopes in scoped(table):
        for by, side in SIDE_OF.items():
            before = Eyes(scopes[0], side)
            expected = {
                "seq": event.seq,
                "base": event.base,
                "encounter": event.encounter,
                "at": event.at,
                "by": before.whole(event.by),
                "draws": [before.whole(draw) for draw in event.draws if before.sees(draw)],
                "effects": [
                    eyes.whole(effect)
                    for effect, scope in zip(event.effects, scopes, strict=True)
                    if (eyes := Eyes(scope, side)).sees(effect)
                ],
            }
            if before.sees(event.action):
                expected["action"] = before.whole(event.action)
            assert table.shown(event.seq, by) == expected
