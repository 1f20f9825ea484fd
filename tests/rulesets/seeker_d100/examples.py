"""The worked examples of the catalogue as data, read and completed from examples.json.

How this works. Each example has a setup, and each of its cases may change it: options and battle
are replaced field by field, combatants id by id and field by field. What neither states has the
value of `unless_said_otherwise`. Unless a case states `"battle": null` the battle is prepared: the
cards are given in the order of the combatants (or of `battle.order`), so that starting it draws
nothing. The table supplies the dice. A step is an action or the answer of somebody who is asked.
Its refusal or all its effects are compared whole: every line of a breakdown, roll and draw, report,
question and turn.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tests.rulesets.table import rolled

Tree = dict[str, Any]

FILE = Path(__file__).with_name("examples.json")
CARDS = tuple(sorted(range(52), key=lambda card: (-(card // 4), card % 4)))
"""The cards of a deck in the order in which they act, from the ace of spades down."""


class Refusal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why an action is refused, with all its facts."""

    code: str
    rule: str | None = None
    params: Tree = {}


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come of a step: a refusal or all its effects, whole.

    Rolls are written as the arguments of `rolled`, and what every turn brings as words (`spent a`,
    see `whole`). `state` maps a path (`turn`, `t.health`, `a.weapons.0.ammo`) to the value after
    the step; null stands for absent.
    """

    refused: Refusal | None = None
    effects: tuple[Tree | str, ...] = ()
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


def whole(effect: Tree | str) -> Tree:
    """An effect as it is stored, from one as the examples write it."""
    if isinstance(effect, dict):
        written: Tree = _rolled(effect)
        return written
    word, _, about = effect.partition(" ")
    match word:
        case "spent":
            action = {"resource": "action", "now": 0}
            return {"type": "resource_changed", "rule": "SK-TURN-2", "combatant": about, **action}
        case "unasked":
            skipped = {"rule": "SK-REACT-2", "kind": "reaction", "why": "nobody_eligible"}
            return {"type": "window_skipped", **skipped}
        case "ended":
            return {"type": "turn_ended", "combatant": about, "cause": "ended"}
        case "passed_over":
            passed = {"rule": "SK-REACT-1", "combatant": about, "cause": "passed_over"}
            return {"type": "turn_ended", **passed}
        case "round":
            return {"type": "round_began", "round": int(about)}
        case "turn":
            return {"type": "turn_began", "combatant": about}
        case _:
            raise ValueError(effect)


def _rolled(written: Any) -> Any:
    """The same with every roll as it is stored."""
    if isinstance(written, list):
        return [_rolled(each) for each in written]
    if not isinstance(written, dict):
        return written
    if "faces" in written:
        return rolled(written["sides"], *written["faces"], **_draws(written))
    return {name: _rolled(value) for name, value in written.items()}


def _draws(written: Tree) -> Tree:
    return {name: written[name] for name in ("number", "seq") if name in written}


def expected(expect: Expect) -> Expect:
    """What must come of a step, as it is stored."""
    return replace(expect, effects=tuple(whole(each) for each in expect.effects))


def seen(
    expect: Expect,
    *,
    effects: list[Tree] | None = None,
    refused: Refusal | None = None,
    state: Tree,
) -> Expect:
    """What came of a step; of the state, as far as the step has an expectation about it."""
    return Expect(
        refused=refused,
        effects=tuple(_unkeyed(each) for each in effects or ()),
        state={path: _found(state, path) for path in expect.state},
    )


def _unkeyed(effect: Tree) -> Tree:
    """The same without the id of the key that asked for what waits: each service has its own."""
    if "suspended" not in effect:
        return effect
    suspended = effect["suspended"]
    by = {name: value for name, value in suspended["by"].items() if name != "id"}
    return {**effect, "suspended": {**suspended, "by": by}}


def _found(state: Tree, path: str) -> object:
    found: Any = state
    names = path.split(".")
    people = {each["id"]: each for each in state["combatants"]}
    if names[0] in people:
        found, names = people[names[0]], names[1:]
    for name in names:
        found = found[int(name)] if isinstance(found, list) else found.get(name)
    return found
