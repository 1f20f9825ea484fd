"""A battle of this ruleset in memory, asked for as a client would, seen as anybody would.

Every event is read back from its sealed form and must be the same.
"""

from collections.abc import Mapping
from typing import Any

from service.engine.vocabulary.values import DiceMode
from service.rulesets.squad_d100 import RULESET
from tests.kit import table as kit
from tests.kit.table import Table

Tree = dict[str, Any]
"""A JSON object, as a client writes it."""

FREE = "............\n" * 8
"""A map of floor alone."""


def seated(setup: Mapping[str, object], *, dice: DiceMode = "sealed") -> Table:
    """A battle of this ruleset, of three sides, in which Ann, Bob and Eve take part."""
    return kit.seated(RULESET, setup, dice=dice)


def fighter(combatant: str, side: str, x: int, y: int, **more: object) -> Tree:
    """A mercenary as a client states it, with a rifle and a grenade unless said otherwise."""
    arms = {"weapons": [rifle()], "grenades": [bomb()]}
    place = {"x": x, "y": y}
    return {"id": combatant, "kind": "mercenary", "side": side, "place": place, **arms, **more}


def rifle(**more: object) -> Tree:
    """An automatic rifle of 60 rounds."""
    stated = {"id": "rifle", "kind": "automatic_rifle", "ap_class": 3, "damage": 20}
    return {**stated, "magazine": 60, **more}


def pistol(**more: object) -> Tree:
    """A pistol of 12 rounds."""
    return {"id": "pistol", "kind": "pistol", "ap_class": 1, "damage": 10, "magazine": 12, **more}


def bomb(**more: object) -> Tree:
    """A grenade that reaches the cells around it; there are three."""
    return {"id": "bomb", "damage": 15, "ap_class": 2, "radius": 1, "count": 3, **more}


def in_progress(*order: str, **more: object) -> Tree:
    """A prepared battle: round 1, this order, the turn of the first."""
    entries = [{"combatant": combatant} for combatant in order]
    return {"round": 1, "order": entries, "turn": order[0], **more}
