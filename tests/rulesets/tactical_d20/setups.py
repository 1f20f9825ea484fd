"""A battle of this ruleset in memory, asked for as a client would, seen as anybody would.

Every event is read back from its sealed form and must be the same.
"""

from collections.abc import Mapping
from typing import Any

from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.values import DiceMode
from service.rulesets import RULESETS
from service.rulesets.tactical_d20.state import BattleState
from tests.kit import table as kit
from tests.kit.table import Table

RULESET = RULESETS["tactical-d20", "1"]

Tree = dict[str, Any]
"""A JSON object, as a client writes it."""


def seated(
    setup: Mapping[str, object],
    *,
    dice: DiceMode = "sealed",
    ruleset: Ruleset[BattleState] = RULESET,
) -> Table:
    """A battle of this ruleset, of three sides, in which Ann, Bob and Eve take part."""
    return kit.seated(ruleset, setup, dice=dice)


def fighter(combatant: str, side: str, x: int, y: int, **more: object) -> Tree:
    """A combatant as a client states it, with 30 hit points and a defence of 10."""
    place: Tree = {"x": x, "y": y}
    if "elevation" in more:
        place["elevation"] = more.pop("elevation")
    return {"id": combatant, "side": side, "place": place, "health_max": 30, **more}


def rifle(**more: object) -> Tree:
    """A ranged weapon of 60 feet an increment."""
    stated = {"id": "rifle", "kind": "ranged", "attack_bonus": 4, "range_increment_ft": 60}
    return {**stated, "damage": {"count": 1, "sides": 8}, **more}


def blade(**more: object) -> Tree:
    """A melee weapon."""
    stated = {"id": "blade", "kind": "melee", "attack_bonus": 4}
    return {**stated, "damage": {"count": 1, "sides": 6, "bonus": 1}, **more}


def bomb(**more: object) -> Tree:
    """An area of 10 feet."""
    stated = {"id": "bomb", "radius_ft": 10, "dc": 12, "damage": {"count": 2, "sides": 6}}
    return {**stated, **more}


def in_progress(*order: str, **more: object) -> Tree:
    """A prepared battle: round 1, this order, the turn of the first."""
    entries = [{"combatant": combatant} for combatant in order]
    return {"round": 1, "order": entries, "turn": order[0], **more}
