"""The worked examples of a catalogue as data, read and completed from its `examples.json`.

How this works. Each example has a setup, and each of its cases may change it: options and battle
are replaced field by field, combatants id by id and field by field. What neither states has the
value of `unless_said_otherwise`. The table supplies the dice. A step is an action or the answer of
somebody who is asked; what must come of it, and how that is read from what happened, is the
ruleset's own.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

Tree = dict[str, Any]


class RefusalData(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why an action is refused, with all its facts."""

    code: str
    rule: str | None = None
    params: Tree = {}


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the game master (`gm`) or a seat asks for, with the faces the table rolled.

    Either an `action`, or the choice of a combatant or side that is asked, in `answer`. `expect` is
    of the ruleset's own type.
    """

    by: str = "gm"
    action: Tree = {}
    answer: tuple[str, Tree] | None = None
    dice: tuple[int, ...] = ()
    expect: Any = {}

    def action_in(self, state: Tree) -> Tree:
        """The action; `state` says which decision an answer is about."""
        if self.answer is None:
            return self.action
        asked, choice = self.answer
        [decision] = [
            each["id"]
            for each in state["pending"][-1]["decisions"]
            if asked in (each.get("combatant"), each.get("side"))
        ]
        return {"type": "answer", "decision_id": decision, "choice": choice}


class Case(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One battle of an example; `setup` is the ruleset's own, complete."""

    id: str
    rules: tuple[str, ...] = ()
    setup: Tree = {}
    steps: tuple[Step, ...]

    @property
    def is_prepared(self) -> bool:
        """Whether the battle is under way; else a step starts it."""
        return "battle" in self.setup


class Example(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A worked example of the catalogue."""

    id: str
    title: str
    rules: tuple[str, ...]
    setup: Tree
    cases: tuple[Case, ...]


class Usual(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds unless an example says otherwise; weapons are completed by their ids.

    `combatant` is everybody's sheet, `combatants` those of single ones by id, `content` what a
    table may bring in addition.
    """

    sides: tuple[Tree, ...]
    seats: tuple[Tree, ...] = ()
    combatant: Tree
    combatants: dict[str, Tree] = {}
    weapons: dict[str, Tree] = {}
    content: Tree = {}


class Book(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    unless_said_otherwise: Usual
    examples: tuple[Example, ...]


class Change(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cases of an example that come out otherwise in a later version, each whole."""

    id: str
    cases: tuple[Case, ...]


class LaterBook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a later version: which cases of the one before change, and what is added."""

    changed: tuple[Change, ...] = ()
    added: tuple[Example, ...] = ()


@dataclass(frozen=True)
class Examples:
    """The examples of one version of a ruleset; `later` has what it changes of those in `file`.

    What versions between the two change before that is in `between`, in their order.
    `completed` makes the ruleset's own setup of one as examples state it. `seen` says what came of
    a step as an expectation of type `expect`, given what the step expects, the effects, the refusal
    and the state; `written_out` is an expectation as it is stored, where the data have short forms.
    """

    file: Path
    ids: tuple[str, ...]
    expect: type[Struct]
    completed: Callable[[Usual, Tree], Tree]
    seen: Callable[[Any, list[Tree], RefusalData | None, Tree], Struct]
    written_out: Callable[[Any], Struct]
    later: Path | None = None
    between: tuple[Path, ...] = ()

    @cached_property
    def book(self) -> Book:
        """The file as it is, each expectation in the ruleset's own type."""
        book = msgspec.json.decode(self.file.read_bytes(), type=Book)
        told = book.examples
        for file in (*self.between, *(() if self.later is None else (self.later,))):
            told = _revised(told, file)
        examples = tuple(
            replace(example, cases=tuple(map(self._typed, example.cases))) for example in told
        )
        return replace(book, examples=examples)

    def _typed(self, case: Case) -> Case:
        steps = tuple(
            replace(step, expect=msgspec.convert(step.expect, self.expect)) for step in case.steps
        )
        return replace(case, steps=steps)

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """Every case of every example, under its full id and with its complete setup."""
        return tuple(
            replace(
                case,
                id=f"{example.id} {case.id}",
                rules=case.rules or example.rules,
                setup=self.complete(_merged(example.setup, case.setup)),
            )
            for example in self.book.examples
            for case in example.cases
        )

    @cached_property
    def own_cases(self) -> tuple[Case, ...]:
        """Those that are not the same in the version before: all of a first version."""
        if self.later is None:
            return self.cases
        before = dataclasses.replace(self, later=None).cases
        return tuple(case for case in self.cases if case not in before)

    def complete(self, setup: Tree) -> Tree:
        """The ruleset's own setup from one as the examples state it."""
        return self.completed(self.book.unless_said_otherwise, setup)

    def creation(self, setup: Mapping[str, Any]) -> Tree:
        """The body of a creation, without the ruleset's name, for a complete setup."""
        usual = self.book.unless_said_otherwise
        seats = {"seats": list(usual.seats)} if usual.seats else {}
        return {"dice": "supplied", "sides": list(usual.sides), **seats, "setup": dict(setup)}


def _revised(examples: tuple[Example, ...], file: Path) -> tuple[Example, ...]:
    """The examples of a later version, those that it adds last."""
    later = msgspec.json.decode(file.read_bytes(), type=LaterBook)
    changed = {(change.id, case.id): case for change in later.changed for case in change.cases}
    kept = tuple(
        replace(
            example,
            cases=tuple(changed.pop((example.id, case.id), case) for case in example.cases),
        )
        for example in examples
    )
    assert not changed, "a case that no example of the version before has"
    return (*kept, *later.added)


def _merged(setup: Tree, changes: Tree) -> Tree:
    """The setup of a case: of a battle it states `null` for one that a step starts."""
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


def at_paths(state: Tree, paths: Mapping[str, object]) -> Tree:
    """The values of a state at these paths: `turn`, `a.weapons.0.ammo`; None: absent."""
    people = {each["id"]: each for each in state["combatants"]}
    return {path: _at(state, people, path.split(".")) for path in paths}


def _at(state: Tree, people: Mapping[str, Tree], names: list[str]) -> object:
    value: Any = state
    if names[0] in people:
        value, names = people[names[0]], names[1:]
    for name in names:
        value = value[int(name)] if isinstance(value, list) else value.get(name)
    return value
