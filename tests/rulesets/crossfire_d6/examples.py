"""The worked examples of the catalogue as data, read and completed from examples.json.

How this works. Each example has a setup, and each of its cases may change it: options, map and
battle are replaced field by field, combatants id by id and field by field. What neither states has
the value of `unless_said_otherwise`. Every battle is prepared (the order is that of the combatants
and the first of them has the turn, unless stated), so that starting it draws nothing, and the table
supplies the dice. Refusals, attacks and damage are compared whole, each line of a breakdown with
its note, combatants, facts and ground. `seen` tells of the rest only what a step has an expectation
about.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

Tree = dict[str, Any]

FILE = Path(__file__).with_name("examples.json")


class Refusal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why an action is refused, with all its facts."""

    code: str
    rule: str | None = None
    params: Tree = {}


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
    id in front) to the value after the step, refused or not; null stands for absent.
    """

    refused: Refusal | None = None
    attack: Attack | None = None
    damage: Damage | None = None
    effects: tuple[Tree, ...] | None = None
    state: Tree = {}


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One action by the game master (`gm`) or a seat, with the faces the table rolled."""

    by: str = "gm"
    action: Tree
    dice: tuple[int, ...] = ()
    expect: Expect


class Case(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One battle of an example; `setup` is the ruleset's own, complete."""

    id: str
    rules: tuple[str, ...] = ()
    setup: Tree = {}
    steps: tuple[Step, ...]


class Example(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A worked example of the catalogue."""

    id: str
    title: str
    rules: tuple[str, ...]
    setup: Tree
    cases: tuple[Case, ...]


class Usual(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds unless an example says otherwise; weapons are completed by their ids."""

    sides: tuple[Tree, ...]
    seats: tuple[Tree, ...]
    combatant: Tree
    weapons: dict[str, Tree]


class Book(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    unless_said_otherwise: Usual
    examples: tuple[Example, ...]


@cache
def book() -> Book:
    """The file as it stands."""
    return msgspec.json.decode(FILE.read_bytes(), type=Book)


def cases() -> tuple[Case, ...]:
    """Every case of every example, under its full id and with its complete setup."""
    return tuple(
        replace(
            case,
            id=f"{example.id} {case.id}",
            rules=case.rules or example.rules,
            setup=completed(_merged(example.setup, case.setup)),
        )
        for example in book().examples
        for case in example.cases
    )


def creation(setup: Mapping[str, Any]) -> Tree:
    """The body of a creation, without the ruleset's name, for a complete setup."""
    usual = book().unless_said_otherwise
    return {
        "dice": "supplied",
        "sides": list(usual.sides),
        "seats": list(usual.seats),
        "setup": dict(setup),
    }


def completed(setup: Mapping[str, Any]) -> Tree:
    """The ruleset's own setup from one as the examples state it."""
    combatants = setup["combatants"]
    battle = {"order": list(combatants), **setup.get("battle", {})}
    return {
        **setup,
        "combatants": [_sheet(name, stated) for name, stated in combatants.items()],
        "battle": {
            "round": 1,
            "turn": battle["order"][0],
            **battle,
            "order": [{"combatant": name} for name in battle["order"]],
        },
    }


def _sheet(name: str, stated: Tree) -> Tree:
    usual = book().unless_said_otherwise
    sheet = {"id": name, **usual.combatant, **stated}
    weapons = [{**usual.weapons[each["id"]], **each} for each in sheet["weapons"]]
    return {**sheet, "weapons": weapons}


def _merged(setup: Tree, changes: Tree) -> Tree:
    combatants: dict[str, Tree] = {}
    for source in (setup, changes):
        for name, stated in source.get("combatants", {}).items():
            combatants[name] = {**combatants.get(name, {}), **stated}
    options = {**setup.get("options", {}), **changes.get("options", {})}
    battle = {**setup.get("battle", {}), **changes.get("battle", {})}
    return {**setup, **changes, "combatants": combatants, "options": options, "battle": battle}


def expected(expect: Expect) -> Expect:
    """What must come of a step, as it is stored: here it is written so."""
    return expect


def seen(
    expect: Expect,
    *,
    effects: list[Tree] | None = None,
    refused: Refusal | None = None,
    state: Tree,
) -> Expect:
    """What came of a step, as far as it has an expectation about it."""
    happened = effects or []
    attack = next((each for each in happened if each["type"] == "attack_resolved"), None)
    hurt = next((each for each in happened if each["type"] == "hurt"), None)
    return Expect(
        refused=refused,
        attack=None if attack is None else _attack(attack),
        damage=None if hurt is None else _damage(hurt),
        effects=None if expect.effects is None else tuple(happened),
        state={path: _found(state, path) for path in expect.state},
    )


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


def _found(state: Tree, path: str) -> object:
    name, _, field = path.partition(".")
    if not field:
        return state.get(name)
    combatant = next(each for each in state["combatants"] if each["id"] == name)
    return combatant.get(field)
