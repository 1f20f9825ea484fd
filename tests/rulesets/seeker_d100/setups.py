"""A battle of this ruleset in memory, asked for as a client would, seen as anybody would.

Every event is read back from its sealed form and must be the same. `duel` and `scene` are the
worked examples' premises: a attacks t, who has acted; every skill 50, 12 hit points, nobody armed
but with bare hands and what is stated.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from service.engine.battle.roster import combatant_of
from service.engine.vocabulary.values import DiceMode
from service.rulesets import RULESETS
from service.rulesets.seeker_d100.state import Combatant
from tests.kit import table as kit
from tests.kit.given_when_then import Given, given
from tests.kit.table import SEATS, SIDES, Table

RULESET = RULESETS["seeker-d100", "1"]

Tree = dict[str, Any]
"""A JSON object, as a client writes it."""


ALL_50 = dict.fromkeys(
    (
        "ranged",
        "athletics",
        "melee_weapon",
        "unarmed",
        "heavy_weapons",
        "demolitions",
        "dodge",
    ),
    50,
)


def seated(setup: Mapping[str, object], *, dice: DiceMode = "sealed") -> Table:
    """A battle of this ruleset, of three sides, in which Ann, Bob and Eve take part."""
    return kit.seated(RULESET, setup, dice=dice)


def weapon(sample: str, **more: object) -> Tree:
    """A weapon of the rulebook, under the sample's name unless another id is stated."""
    return {"id": sample, "sample": sample, **more}


def fighter(combatant: str, side: str, x: int, y: int, **more: object) -> Tree:
    """A combatant as a client states it: every skill 50, strength and dexterity 10, 12 hp."""
    sheet = {"health": 12, "strength": 10, "dexterity": 10, "skills": ALL_50}
    place = {"x": x, "y": y}
    return {"id": combatant, "side": side, "place": place, **sheet, **more}


def battle_of(*combatants: Mapping[str, Any], **more: object) -> Tree:
    """A prepared battle: round 1, cards in this order from the ace of spades down, the first's
    turn.
    """
    deck = sorted(range(52), key=lambda card: (-(card // 4), card % 4))
    cards = [
        {"combatant": each["id"], "card": card}
        for each, card in zip(combatants, deck, strict=False)
    ]
    return {"round": 1, "cards": cards, "turn": combatants[0]["id"], **more}


def wall(x: int, *, armour: int = 10, name: str = "wall", **more: object) -> Tree:
    """A cover across the x axis."""
    start, end = {"x": x, "y": -5}, {"x": x, "y": 5}
    return {"id": name, "start": start, "end": end, "armour": armour, **more}


def scene(*combatants: Tree, cover: tuple[Tree, ...] = (), **setup: Any) -> Given:
    """A running battle of these combatants with the table's own dice, in this order of turns."""
    order = setup.pop("battle", None) or battle_of(*combatants)
    board = {"map": {"cover": list(cover)}} if cover else {}
    stated = {"combatants": list(combatants), "battle": order, **board, **setup}
    creation = {
        "dice": "supplied",
        "sides": msgspec.to_builtins(SIDES),
        "seats": msgspec.to_builtins(SEATS),
        "setup": stated,
    }
    return given(RULESET, creation)


def duel(
    a: Tree | None = None,
    t: Tree | None = None,
    *others: Tree,
    fresh: bool = False,
    **setup: Any,
) -> Given:
    """a at the origin and t next to it, who has acted unless `fresh`."""
    spent = {} if fresh else {"actions_left": 0}
    attacker = fighter("a", "red", 0, 0, **(a or {}))
    target = fighter("t", "blue", 1, 0, **{**spent, **(t or {})})
    return scene(attacker, target, *others, **setup)


def done(battle: Given, action: Tree, *dice: int, by: str = "gm") -> list[Tree]:
    """The effects of an action that is allowed."""
    outcome = battle.when(action, by=by, dice=dice).outcome
    assert isinstance(outcome, list), outcome
    return outcome


def do(kind: str, combatant: str = "a", **more: object) -> Tree:
    """An action."""
    return {"type": kind, "combatant": combatant, **more}


def strike(weapon: str = "w_unarmed", combatant: str = "a", target: str = "t", **more: Any) -> Tree:
    """A standard attack."""
    return do("attack", combatant, weapon=weapon, target=target, **more)


def answer(battle: Given, combatant: str, kind: str, **more: object) -> Tree:
    """The answer of a combatant who is asked."""
    pending = battle.table.state.rule.pending[-1].decisions
    decision = next(each.id for each in pending if each.combatant == combatant)
    return {"type": "answer", "decision_id": decision, "choice": {"type": kind, **more}}


def only(effects: list[Tree], kind: str) -> list[Tree]:
    """The effects of one type."""
    return [each for each in effects if each["type"] == kind]


def sheet(battle: Given, combatant: str) -> Combatant:
    """A combatant as the battle has it."""
    found: Combatant | None = combatant_of(battle.table.state.rule, combatant)
    assert found is not None
    return found


def reply(table: Table, combatant: str, choice: Mapping[str, Any]) -> Tree:
    """The answer of a combatant who is asked."""
    [decision] = [name for name, who in table.questions if who == combatant]
    return {"type": "answer", "decision_id": decision, "choice": choice}
