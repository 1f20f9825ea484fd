"""The worked examples of the catalogue as data, read and completed from examples.json.

How this works. Each example has a setup, and each of its cases may change it: options and battle
are replaced field by field, combatants id by id and field by field. What neither states has the
value of `unless_said_otherwise`. Unless a case states `"battle": null` the battle is prepared: the
cards are given in the order of the combatants (or of `battle.order`), so that starting it draws
nothing. The table supplies the dice. A step is an action or the answer of somebody who is asked.
All attacks, checks, wounds, cards, questions and moves of a step are compared whole, also where it
states none of them.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

Tree = dict[str, Any]
Row = tuple[str, int]
Seen = TypeVar("Seen")

FILE = Path(__file__).with_name("examples.json")
CARDS = tuple(sorted(range(52), key=lambda card: (-(card // 4), card % 4)))
"""The cards of a deck in the order in which they act, from the ace of spades down."""


class Refusal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why an action is refused; `rule` and `params` are compared where they are stated."""

    code: str
    rule: str | None = None
    params: Tree | None = None


class Answered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a victim answered: with which roll, how that ended, and for what reason."""

    combatant: str
    kind: str
    natural: int
    level: int
    outcome: str
    why: str | None = None


class Attack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack at one victim. A row of the breakdown is rule and per cent.

    `skill`, `chance` and `natural` are absent where nothing was rolled, as in a counter-attack.
    """

    mode: str = "attack"
    target: str
    skill: int | None = None
    breakdown: tuple[Row, ...] = ()
    chance: int | None = None
    natural: int | None = None
    level: int
    outcome: str
    answered: Answered | None = None


class Area(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack with a radius. A victim is id and outcome; `answered` are those who did."""

    radius: int
    skill: int
    breakdown: tuple[Row, ...] = ()
    chance: int
    natural: int
    level: int
    outcome: str
    victims: tuple[tuple[str, str], ...]
    answered: tuple[Answered, ...] = ()


class Check(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A test; `opposed` is the other side's natural die and level."""

    check: str
    combatant: str
    chance: int
    natural: int
    level: int
    outcome: str
    why: str | None = None
    opposed: tuple[int, int] | None = None


class Wound(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A loss of health. A line is note and points; `by` says how a lethal weapon did it.

    `facts` of a lethal weapon are compared where they are stated.
    """

    combatant: str
    amount: int
    health: int
    lines: tuple[Row, ...] = ()
    by: str | None = None
    facts: dict[str, int] | None = None


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come of a step.

    A card is combatant, sides of the die, face, card; a fall combatant and state; `asked` is who
    is asked and what the options are; a move is combatant, manner, length, end. `state` maps a path
    (`turn`, `t.health`, `a.weapons.0.ammo`) to the value after the step; null stands for absent.
    """

    refused: Refusal | None = None
    attacks: tuple[Attack, ...] = ()
    area: Area | None = None
    checks: tuple[Check, ...] = ()
    hurt: tuple[Wound, ...] = ()
    fell: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    cards: tuple[tuple[str, int, int, str], ...] = ()
    asked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    moved: tuple[tuple[str, str, int, tuple[int, int]], ...] = ()
    state: Tree = {}


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the game master asks for, with the faces the table rolled.

    Either an `action`, or the `choice` of a combatant who is asked, in `answer`.
    """

    action: Tree = {}
    answer: tuple[str, Tree] | None = None
    dice: tuple[int, ...] = ()
    expect: Expect = Expect()


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
    """What holds unless an example says otherwise; `combatants` are those of every battle."""

    sides: tuple[Tree, ...]
    combatant: Tree
    combatants: dict[str, Tree]


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
    sides = list(book().unless_said_otherwise.sides)
    return {"dice": "supplied", "sides": sides, "setup": dict(setup)}


def completed(setup: Mapping[str, Any]) -> Tree:
    """The ruleset's own setup from one as the examples state it."""
    combatants = setup["combatants"]
    usual = book().unless_said_otherwise
    whole = {**setup, "combatants": [_sheet(usual, *each) for each in combatants.items()]}
    battle = whole.pop("battle")
    if battle is None:
        return whole
    order = battle.pop("order", list(combatants))
    cards = [{"combatant": each, "card": card} for each, card in zip(order, CARDS, strict=False)]
    return {**whole, "battle": {"round": 1, "cards": cards, "turn": order[0], **battle}}


def _sheet(usual: Usual, name: str, stated: Tree) -> Tree:
    whole = {"id": name, **usual.combatant, **usual.combatants.get(name, {}), **stated}
    return {**whole, "skills": {**usual.combatant["skills"], **stated.get("skills", {})}}


def _merged(setup: Tree, changes: Tree) -> Tree:
    combatants: dict[str, Tree] = {}
    for source in (setup, changes):
        for name, stated in source.get("combatants", {}).items():
            combatants[name] = {**combatants.get(name, {}), **stated}
    options = {**setup.get("options", {}), **changes.get("options", {})}
    whole: Tree = {**setup, **changes, "combatants": combatants, "options": options}
    battle = None
    if whole.get("battle", {}) is not None:
        battle = {**(setup.get("battle") or {}), **changes.get("battle", {})}
    return {**whole, "battle": battle}


def action_of(step: Step, state: Tree) -> Tree:
    """The action of a step; `state` says which decision an answer is about."""
    if step.answer is None:
        return step.action
    combatant, choice = step.answer
    [decision] = [
        each["id"]
        for each in state["pending"][-1]["decisions"]
        if each.get("combatant") == combatant
    ]
    return {"type": "answer", "decision_id": decision, "choice": choice}


def refusal_seen(expect: Expect, code: str, rule: str | None, params: Tree) -> Refusal:
    """A refusal, as far as the step has an expectation about it."""
    stated = expect.refused or Refusal(code="")
    return Refusal(
        code=code,
        rule=rule if stated.rule is not None else None,
        params=params if stated.params is not None else None,
    )


def seen(
    expect: Expect,
    *,
    effects: list[Tree] | None = None,
    refused: Refusal | None = None,
    state: Tree,
) -> Expect:
    """What came of a step, as far as it has an expectation about it."""
    happened = effects or []
    areas = _each(happened, "area_resolved", _area)
    wounds = _each(happened, "hurt", _wound)
    stated = [each.facts for each in expect.hurt] + [None] * len(wounds)
    return Expect(
        refused=refused,
        attacks=_each(happened, "attack_resolved", _attack),
        area=areas[0] if areas else None,
        checks=_each(happened, "check_resolved", _check),
        hurt=tuple(
            wound if facts is not None else replace(wound, facts=None)
            for wound, facts in zip(wounds, stated, strict=False)
        ),
        fell=_each(happened, "felled", lambda e: (e["combatant"], e["state"])),
        dropped=_each(happened, "item_changed", lambda e: (e["combatant"], e["item"])),
        cards=_each(happened, "rolled", _card),
        asked=_each(happened, "decision_opened", _question),
        moved=_each(happened, "moved", _move),
        state={path: _found(state, path) for path in expect.state},
    )


def _each(effects: list[Tree], kind: str, read: Callable[[Tree], Seen]) -> tuple[Seen, ...]:
    return tuple(read(each) for each in effects if each["type"] == kind)


def _rows(breakdown: list[Tree], key: str) -> tuple[Row, ...]:
    return tuple((str(row.get(key, row["rule"])), int(row["amount"])) for row in breakdown)


def _natural(effect: Tree) -> Any:
    return effect["roll"]["total"] if "roll" in effect else None


def _answered(told: Tree) -> Answered:
    return Answered(
        combatant=told["combatant"],
        kind=told["kind"],
        natural=_natural(told),
        level=told["level"],
        outcome=told["outcome"],
        why=told.get("why"),
    )


def _attack(effect: Tree) -> Attack:
    detail = effect["detail"]
    return Attack(
        mode=detail["mode"],
        target=effect["target"],
        skill=detail.get("base"),
        breakdown=_rows(detail["breakdown"], "rule"),
        chance=detail.get("pool"),
        natural=_natural(detail),
        level=detail["level"],
        outcome=effect["outcome"],
        answered=_answered(effect["answered"]) if "answered" in effect else None,
    )


def _area(effect: Tree) -> Area:
    detail, victims = effect["detail"], effect["victims"]
    return Area(
        radius=effect["area"]["radius"],
        skill=detail["base"],
        breakdown=_rows(detail["breakdown"], "rule"),
        chance=detail["pool"],
        natural=_natural(detail),
        level=detail["level"],
        outcome=effect["outcome"],
        victims=tuple((each["target"], each["outcome"]) for each in victims),
        answered=tuple(_answered(each["answered"]) for each in victims if "answered" in each),
    )


def _check(effect: Tree) -> Check:
    other = effect.get("opposed")
    return Check(
        check=effect["check"],
        combatant=effect["combatant"],
        chance=effect["needed"],
        natural=_natural(effect),
        level=effect["level"],
        outcome=effect["outcome"],
        why=effect.get("why"),
        opposed=None if other is None else (_natural(other), other["level"]),
    )


def _wound(effect: Tree) -> Wound:
    reports = effect["reports"]
    return Wound(
        combatant=effect["combatant"],
        amount=effect["amount"],
        health=effect["health"],
        lines=_rows(effect["breakdown"], "note"),
        by=reports[0]["value"] if reports else None,
        facts=reports[0]["facts"] if reports else {},
    )


def _card(effect: Tree) -> tuple[str, int, int, str]:
    roll = effect["roll"]
    told = str(effect.get("value", effect["purpose"]))
    return effect["combatant"], roll["sides"], roll["total"], told


def _question(effect: Tree) -> tuple[str, tuple[str, ...]]:
    decision = effect["decision"]
    return decision["combatant"], tuple(decision["options"])


def _move(effect: Tree) -> tuple[str, str, int, tuple[int, int]]:
    end = effect["end"]
    return effect["combatant"], effect["manner"], effect["cost"], (end["x"], end["y"])


def _found(state: Tree, path: str) -> object:
    found: Any = state
    names = path.split(".")
    people = {each["id"]: each for each in state["combatants"]}
    if names[0] in people:
        found, names = people[names[0]], names[1:]
    for name in names:
        found = found[int(name)] if isinstance(found, list) else found.get(name)
    return found
