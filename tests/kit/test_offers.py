"""What is not listed as allowed is refused: other targets, other weapons, other words.

Actions of all types, sampled now or earlier, are asked for with somebody or something else in them.
Whatever of that is accepted must be listed.
"""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec import ValidationError

from service.engine.battle.actors import Actor
from service.engine.battle.state import Combatant, UnitMember
from service.engine.log.canonical import encode
from service.errors import Malformed, Refused
from tests.kit.offers import is_offered
from tests.kit.random_battles import ask, next_action
from tests.kit.rig import Rig, Tree
from tests.kit.rigs import RIGS
from tests.kit.table import Table, seated, tree_of
from tests.kit.whole_values import structs_of
from tests.soak import with_soak

BATTLES = with_soak(range(5), range(5, 40))
STEPS = 12
SAMPLES = 12
UNCHANGED = ("type", "combatant", "decision_id")
"""Fields that say whose action it is and which."""

pytestmark = pytest.mark.parametrize("rig", RIGS, ids=repr)


def speaker(table: Table) -> str | None:
    """The first who is asked or, without a question, has the turn; of a side any of it."""
    actors = table.speakers()
    if not actors:
        return None
    everybody: tuple[Combatant, ...] = table.state.rule.combatants
    return next(
        each.id
        for actor in actors
        for each in everybody
        if actor in (Actor(combatant=each.id), Actor(side=each.side), Actor(unit=unit_of(each)))
    )


def unit_of(combatant: Combatant) -> str:
    """The unit of a combatant; nothing where there are none."""
    return combatant.unit if isinstance(combatant, UnitMember) else ""


def moments(rig: Rig, number: int) -> Iterator[tuple[Table, str, list[Tree]]]:
    """Some moments of a battle: who may act or answer, what was sampled until then, and one action
    of each type.
    """
    setup = rig.battles.varied(number) if number % 2 else rig.battles.setup(number)
    table, dice = seated(rig.ruleset, setup), Random(number)
    table.ask({"type": "start_encounter"})
    other = table.state.rule.combatants[-1].id
    sampled = [
        replaced({"type": kind, **action}, "target", rig.deeds.theirs, other)
        for kind, action in rig.deeds.player.items()
    ]
    for step in range(STEPS):
        combatant, chosen = speaker(table), next_action(table, dice)
        if combatant is None or chosen is None:
            return
        for actor in table.speakers():
            sampled += table.samples(actor, SAMPLES)
        if step % 5 == number % 5:
            yield table, combatant, readdressed(table, combatant, sampled)
        ask(table, *chosen)


def readdressed(table: Table, combatant: str, sampled: list[Tree]) -> list[Tree]:
    """Actions as this combatant's, without numbers; of answers those to the questions now open.

    Actions that say where are left out. Which places and numbers may be stated is tested next to
    each rulebook.
    """
    decisions: list[str | None] = [decision for decision, _ in table.questions]
    whose = {"combatant": combatant}
    return [
        {name: whose.get(name, value) for name, value in action.items() if type(value) is not int}
        for action in sampled
        if not names_place(action) and action.get("decision_id") in (decisions or [None])
    ]


@cache
def words_of(action: Any) -> dict[str, list[Any]]:
    """The words that fields of actions may have, by the name of the field; flags too."""
    words: dict[str, list[Any]] = {}
    for kind in (kind for each in get_args(action) for kind in structs_of(each)):
        for name, hint in get_type_hints(kind).items():
            words.setdefault(name, []).extend(literals(hint))
    return words


def literals(hint: Any) -> Iterator[Any]:
    """The words that a type lists, and both flags of a flag."""
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    elif hint is bool:
        yield from (False, True)
    else:
        for each in get_args(hint):
            yield from literals(each)


def names_place(value: Any) -> bool:
    """Whether an action says where."""
    if isinstance(value, list):
        return any(map(names_place, value))
    return isinstance(value, dict) and ("x" in value or any(map(names_place, value.values())))


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The words and flags in an action, each with the name of its field."""
    if isinstance(value, dict):
        for field, inner in value.items():
            yield from leaves(inner, field)
    elif isinstance(value, str | bool):
        yield name, value


def replaced(value: Any, field: str, before: Any, after: Any, name: str = "") -> Any:
    """An action with another value in all fields of a name that have this one."""
    if isinstance(value, dict):
        return {each: replaced(value[each], field, before, after, each) for each in value}
    return after if name == field and value == before else value


def changed(table: Table, combatant: str, actions: list[Tree]) -> list[Tree]:
    """The actions, and each with somebody else, another thing of its actor's, or another word."""
    everybody = table.state.rule.combatants
    ids = [each.id for each in everybody]
    units, sides = [unit_of(each) for each in everybody], [each.side for each in everybody]
    things = [word for name, word in in_sheet(tree_of(table.combatant(combatant))) if name == "id"]
    words = words_of(table.ruleset.action)
    attempts = {encode(action): action for action in actions}
    for action in actions:
        for name, word in leaves(action):
            if name in UNCHANGED:
                continue
            alike = (each for each in (ids, things, units, sides) if word in each)
            for other in dict.fromkeys(next(alike, words.get(name, []))):
                attempt = replaced(action, name, word, other)
                attempts[encode(attempt)] = attempt
    return list(attempts.values())


def in_sheet(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The words in a sheet, those in its arrays too, each with the name of its field."""
    if isinstance(value, list):
        for inner in value:
            yield from in_sheet(inner, name)
    elif isinstance(value, dict):
        for field, inner in value.items():
            yield from in_sheet(inner, field)
    else:
        yield name, value


def is_accepted(table: Table, action: Tree) -> bool:
    """Whether an action of the game master would go through."""
    try:
        table.preview(action)
    except (Malformed, Refused, ValidationError):
        return False
    return True


@pytest.mark.parametrize("number", BATTLES)
def test_a_changed_action_is_refused_unless_it_is_listed(rig: Rig, number: int) -> None:
    refused = 0
    for table, combatant, actions in moments(rig, number):
        nodes = tree_of([node for each in table.legal_for() for node in each.actions])
        for action in changed(table, combatant, actions):
            if is_accepted(table, action):
                assert is_offered(nodes, action), action
            else:
                refused += 1
    assert refused
