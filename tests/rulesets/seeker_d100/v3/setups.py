"""Battles of version 3 in which an attack waits: Ann's a attacks Bob's t, who is asked."""

from collections.abc import Mapping
from typing import Any, Final

from service.engine.vocabulary.values import DiceMode
from service.rulesets import RULESETS
from tests.kit import table as kit
from tests.kit.table import Table, effects_of
from tests.rulesets.seeker_d100.setups import Tree, battle_of, fighter, reply, wall, weapon

RULESET: Final = RULESETS["seeker-d100", "3"]

ARMS: Final[tuple[Tree, ...]] = (
    weapon("w_machete"),
    weapon("w_revolver", range_m=20, ammo=6, shots={"min": 1, "max": 3}),
    weapon("w_grenade", delivery="explosive"),
)
CRATE: Final = {**wall(12), "id": "crate"}
"""A cover behind t, who is at x = 10 where shots are waited for."""

BLOW: Final[Tree] = {"type": "attack", "combatant": "a", "weapon": "w_machete", "target": "t"}
SHOT: Final[Tree] = {"type": "attack", "combatant": "a", "weapon": "w_revolver", "target": "t"}
GRENADE: Final[Tree] = {"type": "attack", "combatant": "a", "weapon": "w_grenade", "target": "t"}
HOLD: Final[Tree] = {"type": "grapple", "combatant": "a", "target": "t"}
DISARM: Final[Tree] = {"type": "disarm", "combatant": "a", "target": "t", "item": "torch"}
PASS: Final[Tree] = {"type": "pass"}


def seated(*others: Tree, dice: DiceMode = "supplied", t_x: int = 1, **setup: Any) -> Table:
    """a at the origin and t to the east of it, neither of whom has acted; a has the turn."""
    a = fighter("a", "red", 0, 0, **{"weapons": list(ARMS), **setup.pop("a", {})})
    t = fighter("t", "blue", t_x, 0, held_items=["torch"], **setup.pop("t", {}))
    cover = setup.pop("cover", (CRATE,))
    people = [a, t, *others]
    stated = {"combatants": people, "battle": battle_of(*people), "map": {"cover": list(cover)}}
    table = kit.seated(RULESET, {**stated, **setup}, dice=dice)
    table.ask({"type": "start_encounter"})
    return table


def waiting(action: Tree, by: str = "ann", *, others: tuple[Tree, ...] = (), **setup: Any) -> Table:
    """The attack waits for the answers of all who are asked."""
    table = seated(*others, **{"t_x": 1 if action in (BLOW, HOLD, DISARM) else 10, **setup})
    table.ask(action, by)
    assert table.questions
    return table


def adjust(table: Table, *changes: Tree, faces: tuple[int, ...] = ()) -> list[Tree]:
    """What comes of the game master's word; without changes he says nothing."""
    if not changes:
        return []
    return effects_of(table.ask({"type": "adjust", "changes": list(changes)}, dice=faces))


def place(combatant: str, x: int, y: int = 0) -> Tree:
    """The combatant is put there."""
    return {"type": "place", "combatant": combatant, "place": {"x": x, "y": y}}


def answered(
    table: Table, choice: Mapping[str, Any], *faces: int, combatant: str = "t", by: str = "gm"
) -> list[Tree]:
    """What comes of an answer, the question's own end left out."""
    effects = effects_of(table.ask(reply(table, combatant, choice), by, faces))
    return [each for each in effects if each["type"] != "decision_closed"]
