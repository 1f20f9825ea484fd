"""A battle of this ruleset in memory, asked for as a client would, seen as anybody would.

Every event is read back from its sealed form and must be the same.
"""

from collections.abc import Mapping

from service.engine.vocabulary.values import DiceMode
from service.rulesets import RULESETS
from tests.kit import table as kit
from tests.kit.table import Table

RULESET = RULESETS["crossfire-d6", "1"]


def seated(setup: Mapping[str, object], *, dice: DiceMode = "sealed") -> Table:
    """A battle of this ruleset, of three sides, in which Ann, Bob and Eve take part."""
    return kit.seated(RULESET, setup, dice=dice)


def fighter(combatant: str, side: str, x: int, y: int, **more: object) -> dict[str, object]:
    """A combatant as a client states it, hard to hit unless said otherwise."""
    place: dict[str, object] = {"x": x, "y": y}
    if "elevation" in more:
        place["elevation"] = more.pop("elevation")
    sheet = {"health": 30, "melee_defence": 200, "ranged_defence": 200}
    return {"id": combatant, "side": side, "place": place, **sheet, **more}


def rifle(**more: object) -> dict[str, object]:
    """A ranged weapon of five dice."""
    stated = {"id": "rifle", "kind": "ranged", "attack_dice": 5, "damage_dice": 2}
    return {**stated, "range_increment_ft": 60, **more}


def blade(**more: object) -> dict[str, object]:
    """A melee weapon of five dice."""
    return {"id": "blade", "kind": "melee", "attack_dice": 5, "damage_dice": 2, **more}


def in_progress(*order: str, **more: object) -> dict[str, object]:
    """A prepared battle: round 1, this order, the turn of the first."""
    entries = [{"combatant": combatant} for combatant in order]
    return {"round": 1, "order": entries, "turn": order[0], **more}
