"""Battles with an attack in them, and what attacks look like to clients."""

from collections.abc import Mapping
from typing import Any

import pytest

from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.values import DiceMode
from service.errors import Forbidden, Malformed, Refused
from service.rulesets.tactical_d20.state import BattleState
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.setups import RULESET, Tree, fighter, in_progress, seated

GUN: Tree = {
    "id": "gun",
    "kind": "ranged",
    "attack_bonus": 4,
    "damage": {"count": 1, "sides": 8},
    "range_increment_ft": 60,
}
BLADE: Tree = {
    "id": "blade",
    "kind": "melee",
    "attack_bonus": 4,
    "damage": {"count": 1, "sides": 6, "bonus": 1},
}
BLOW: Tree = {"type": "attack", "combatant": "a", "weapon": "blade", "target": "t"}
SHOT: Tree = {**BLOW, "weapon": "gun"}
NOTHING: Tree = {"grade": "none", "ac": 0, "reflex": 0, "can_hide": False}
"""What a target without cover gains."""


def creature(combatant: str, x: int, y: int = 0, side: str = "blue", **more: Any) -> Tree:
    """A combatant with 30 hit points, armour classes of 10, a blade and a gun."""
    return fighter(combatant, side, x, y, **{"weapons": [BLADE, GUN], **more})


def battle(
    *others: Tree,
    attacker: Tree | None = None,
    dice: DiceMode = "supplied",
    ruleset: Ruleset[BattleState] = RULESET,
    **setup: Any,
) -> Table:
    """Red a's turn, at (0, 0), among these; the table supplies the faces."""
    first = {**creature("a", 0, side="red"), **(attacker or {})}
    combatants = [first, *others]
    order = in_progress(*(each["id"] for each in combatants))
    stated = {"combatants": combatants, "battle": order, **setup}
    table = seated(stated, dice=dice, ruleset=ruleset)
    table.ask({"type": "start_encounter"})
    return table


def walls(*cells: tuple[int, int], **ground: Any) -> list[Tree]:
    """Wall cells, or cells with something else."""
    return [{"x": x, "y": y, **(ground or {"wall": True})} for x, y in cells]


def cell_map(*cells: Tree, **more: Any) -> Tree:
    """A map of these cells."""
    return {"form": "cells", "cells": list(cells), "borders": [], **more}


def strike(table: Table, combatant: str, weapon: str = "blade") -> Tree:
    """The answer of a combatant who takes the opportunity that it is offered."""
    return answer(table, combatant, {"type": "opportunity_attack", "weapon": weapon})


def declined(table: Table, combatant: str) -> Tree:
    """The answer of a combatant who lets its opportunity pass."""
    return answer(table, combatant, {"type": "pass"})


def answer(table: Table, combatant: str, choice: Tree) -> Tree:
    """The answer of a combatant who is asked."""
    [decision] = [name for name, who in table.questions if who == combatant]
    return {"type": "answer", "decision_id": decision, "choice": choice}


def refusal(table: Table, action: Tree, by: str = "gm") -> str:
    """The code that an action is refused with; nothing of it is kept."""
    before = len(table.events)
    with pytest.raises((Refused, Forbidden, Malformed)) as caught:
        table.ask(action, by)
    assert len(table.events) == before
    return caught.value.code


def outcome_of(table: Table, action: Tree, *dice: int) -> str:
    """How an attack ends that the game master asks for with these faces."""
    effects = effects_of(table.ask(action, dice=dice))
    [resolved] = [each for each in effects if each["type"] == "attack_resolved"]
    outcome: str = resolved["outcome"]
    return outcome


def kinds(effects: list[Tree]) -> list[str]:
    """The types of effects, in their order."""
    return [each["type"] for each in effects]


def spent(combatant: str = "a", resource: str = "standard") -> Tree:
    """An action or a reaction used up."""
    return {
        "type": "resource_changed",
        "combatant": combatant,
        "resource": resource,
        "now": 0,
    }


def hurt(
    combatant: str,
    health: int,
    roll: Mapping[str, Any] | None,
    *,
    bonus: int = 0,
    attacker: str = "a",
    item: str = "gun",
    amount: int | None = None,
    **more: Any,
) -> Tree:
    """Damage from one attack, of 30 hit points at first."""
    rolled_points = 0 if roll is None else roll["total"]
    damage = max(0, rolled_points + bonus)
    source = {"combatant": attacker, "item": item}
    facts = {"roll": rolled_points, "bonus": bonus, "damage": damage}
    reports: Tree = {"combatant": attacker, "about": "damage", "facts": facts, **more}
    return {
        "type": "hurt",
        "rule": "TD-SD-3",
        "combatant": combatant,
        "amount": damage if amount is None else amount,
        "health": health,
        "band": band(health),
        "breakdown": [],
        "cause": "attack",
        "source": source if roll is None else {**source, "roll": roll},
        "reports": [reports],
    }


def band(health: int) -> str:
    """Health of 30 in words."""
    if health <= 0:
        return "down"
    if health == 30:
        return "unhurt"
    return "badly_hurt" if health <= 15 else "hurt"
