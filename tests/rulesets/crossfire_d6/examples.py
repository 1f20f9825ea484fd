"""The worked examples of this ruleset: what a step expects, and how a setup is completed.

Every battle is prepared (the order is that of the combatants and the first of them has the turn,
unless stated), so that starting it draws nothing. Refusals, attacks and damage are compared whole,
each line of a breakdown with its note, combatants, facts and ground; of the rest only what a step
has an expectation about.
"""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tests.kit.examples import Examples, RefusalData, Usual, at_paths

Tree = dict[str, Any]


class Attack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack. What is not stated must be absent; the total is that of the attack roll."""

    rule: str | None = None
    base: int | None = None
    breakdown: tuple[Tree, ...]
    pool: int | None = None
    outcome: str
    distance_ft: int
    position: str | None = None
    line: tuple[int, int, int, int] | None = None
    attacked_from: str
    total: int | None = None


class Damage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an attack did to its target."""

    faces: tuple[int, ...]
    total: int
    breakdown: tuple[Tree, ...] = ()
    amount: int
    health: int


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come of a step.

    `effects` are all of them, whole. `state` maps a path (`turn`, `t.pin_count` with a combatant's
    id in front) to the value after the step, refused or not; null represents absent.
    """

    refused: RefusalData | None = None
    attack: Attack | None = None
    damage: Damage | None = None
    effects: tuple[Tree, ...] | None = None
    state: Tree = {}


def completed(usual: Usual, setup: Tree) -> Tree:
    """The ruleset's own setup from one as the examples state it; every battle is prepared."""
    combatants = setup["combatants"]
    battle = {"order": list(combatants), **setup.get("battle", {})}
    return {
        **setup,
        "combatants": [_sheet(usual, name, stated) for name, stated in combatants.items()],
        "battle": {
            "round": 1,
            "turn": battle["order"][0],
            **battle,
            "order": [{"combatant": name} for name in battle["order"]],
        },
    }


def _sheet(usual: Usual, name: str, stated: Tree) -> Tree:
    sheet = {"id": name, **usual.combatant, **stated}
    weapons = [{**usual.weapons[each["id"]], **each} for each in sheet["weapons"]]
    return {**sheet, "weapons": weapons}


def seen(expect: Expect, effects: list[Tree], refusal: RefusalData | None, state: Tree) -> Expect:
    """What came of a step, as far as it has an expectation about it."""
    attack = next((each for each in effects if each["type"] == "attack_resolved"), None)
    hurt = next((each for each in effects if each["type"] == "hurt"), None)
    return Expect(
        refused=refusal,
        attack=None if attack is None else _attack(attack),
        damage=None if hurt is None else _damage(hurt),
        effects=None if expect.effects is None else tuple(effects),
        state=at_paths(state, expect.state),
    )


def written_out(expect: Expect) -> Expect:
    """What must come of a step, as it is stored: here it is written so."""
    return expect


def _attack(effect: Tree) -> Attack:
    detail = effect["detail"]
    line = tuple(place[axis] for place in detail.get("line", ()) for axis in ("x", "y"))
    return Attack(
        rule=detail.get("rule"),
        base=detail.get("base"),
        breakdown=tuple(detail["breakdown"]),
        pool=detail.get("pool"),
        outcome=effect["outcome"],
        distance_ft=detail["distance_ft"],
        position=detail.get("position"),
        line=msgspec.convert(line, tuple[int, int, int, int]) if line else None,
        attacked_from=detail["attacked_from"],
        total=detail["roll"]["total"] if "roll" in detail else None,
    )


def _damage(effect: Tree) -> Damage:
    roll = effect["source"]["roll"]
    return Damage(
        faces=tuple(roll["faces"]),
        total=roll["total"],
        breakdown=tuple(effect["breakdown"]),
        amount=effect["amount"],
        health=effect["health"],
    )


EXAMPLES = Examples(
    file=Path(__file__).with_name("examples.json"),
    ids=tuple(f"CF-EX-{number:02}" for number in range(1, 36)),
    expect=Expect,
    completed=completed,
    seen=seen,
    written_out=written_out,
)
