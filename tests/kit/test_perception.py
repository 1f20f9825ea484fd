"""What is left of a battle for whoever may not know all of it, in every ruleset.

The marks of the fields alone say it, so every field of every type that a state holds is asked for.
"""

from typing import Any, get_type_hints

import msgspec
import pytest
from msgspec import NODEFAULT, UNSET, Struct
from msgspec.structs import fields, replace

from service.engine.battle.linear import Linear
from service.engine.battle.state import RuleState, State
from service.engine.battle.terms import NO_TERMS
from service.engine.kit.perception import perceive
from service.engine.log.canonical import encode
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.audience_plan import FieldPlan, marks_of, plan_of
from service.engine.visibility.redaction import redacted
from service.engine.visibility.scope import GAME_MASTER, OBSERVER, Scope, Viewer
from service.rulesets import RULESETS
from tests.kit.whole_values import default_of, structs_of, whole
from tests.toy.rules import RULESET as TOY
from tests.toy.sides import RULESET as SIDES

ALL = (*RULESETS.values(), TOY, SIDES)
RED, BLUE = Viewer(sides=("red",)), Viewer(sides=("blue",))
SECRETIVE = {"enemy_numbers": "hidden", "enemy_health": "none", "breakdowns": "none"}
SCOPE = Scope(
    sides=("red", "blue"),
    subjects={"ann": ("red", False), "bob": ("blue", False), "ghost": ("blue", True)},
    numbers="hidden",
    health="none",
    breakdowns="none",
)
"""A table that hides all it can; somebody of Bob's side is hidden."""


def kinds() -> list[type[Struct]]:
    """Every type that the state of some ruleset holds."""
    return list(dict.fromkeys(kind for ruleset in ALL for kind in structs_of(ruleset.state)))


def unread(kind: type[Struct], field: FieldPlan) -> object:
    """What a field of a type reads where it is hidden; NODEFAULT: the object is gone."""
    marks = marks_of(get_type_hints(kind, include_extras=True)[field.attribute])
    [default] = [default_of(each) for each in fields(kind) if each.name == field.attribute]
    return NODEFAULT if "needed" in marks else marks.get("unseen", default)


MARKED = [
    pytest.param(kind, field, id=f"{kind.__module__.split('.')[-2]}-{kind.__name__}.{field.name}")
    for kind in kinds()
    for field in plan_of(kind).fields
    if field.mark != "everyone" and not field.is_text
]


def of_bob(kind: type[Struct]) -> Any:
    """An object of Bob's or naming him, with every field stated."""
    return whole(kind, combatant="bob", side="blue", hidden=False, stream=0)


@pytest.mark.parametrize(("kind", "field"), MARKED)
def test_a_hidden_field_reads_what_is_declared_beside_its_mark(
    kind: type[Struct], field: FieldPlan
) -> None:
    value: Struct = of_bob(kind)
    blank, stated = unread(kind, field), getattr(value, field.attribute)
    is_gone = any(
        unread(kind, each) is NODEFAULT
        for each in plan_of(kind).fields
        if each.mark != "everyone" and not each.is_kept
    )
    assert stated != blank
    for viewer in (OBSERVER, RED):
        left = redacted(value, SCOPE, viewer, "blue")
        if is_gone:
            assert left is None
        else:
            assert getattr(left, field.attribute) == (stated if field.is_kept else blank)
    assert redacted(value, SCOPE, GAME_MASTER, "blue") is value
    if field.mark != "gm":
        assert getattr(redacted(value, SCOPE, BLUE, "blue"), field.attribute) == stated


@pytest.mark.parametrize("ruleset", ALL, ids=lambda ruleset: ruleset.slug)
def test_no_hidden_field_takes_a_combatant_away(ruleset: Ruleset[Any]) -> None:
    [combatant] = [kind for kind in structs_of(ruleset.state) if plan_of(kind).own]
    left = redacted(of_bob(combatant), SCOPE, RED)
    assert left is not None
    assert (left.id, left.side, left.place) == ("bob", "blue", of_bob(combatant).place)


def battle(ruleset: Ruleset[Any], named: str) -> RuleState:
    """A state in which everything names one combatant, among Ann, Bob and the ghost."""
    state = whole(
        ruleset.state, combatant=named, side="blue", seat=UNSET, hidden=False, stream=UNSET
    )
    [bob] = state.combatants
    people = (
        replace(bob, id="ann", side="red"),
        replace(bob, id="bob"),
        replace(bob, id="ghost", hidden=True),
    )
    options = replace(state.options, **SECRETIVE)
    sides = tuple(replace(state.sides[0], id=side) for side in ("red", "blue"))
    changed: RuleState = replace(state, combatants=people, options=options, sides=sides)
    return changed


def seen_by(rule: RuleState, viewer: Viewer) -> RuleState:
    return perceive(State(rule=rule, linear=Linear(), terms=NO_TERMS), viewer).rule


def names_kept(ruleset: Ruleset[Any]) -> frozenset[str]:
    """The fields that players feel, whoever it is."""
    return frozenset(
        field.name
        for kind in structs_of(ruleset.state)
        for field in plan_of(kind).fields
        if field.is_kept
    )


def without(tree: Any, names: frozenset[str]) -> Any:
    """JSON values without the members of these names."""
    if isinstance(tree, list):
        return [without(each, names) for each in tree]
    if isinstance(tree, dict):
        return {name: without(each, names) for name, each in tree.items() if name not in names}
    return tree


@pytest.mark.parametrize("ruleset", ALL, ids=lambda ruleset: ruleset.slug)
@pytest.mark.parametrize("viewer", [OBSERVER, RED], ids=["nobody", "enemy"])
def test_nothing_that_is_left_names_a_hidden_combatant(
    ruleset: Ruleset[Any], viewer: Viewer
) -> None:
    rule = battle(ruleset, "ghost")
    kept = names_kept(ruleset)
    assert b"ghost" in encode(without(msgspec.to_builtins(rule.order), kept))
    left = seen_by(rule, viewer)
    assert b"ghost" not in encode(without(msgspec.json.decode(encode(left)), kept))
    assert [each.id for each in left.combatants] == ["ann", "bob"]
    assert (left.order, left.turn, left.pending) == ((), UNSET, ())


@pytest.mark.parametrize("ruleset", ALL, ids=lambda ruleset: ruleset.slug)
def test_what_names_somebody_in_sight_is_left(ruleset: Ruleset[Any]) -> None:
    rule = battle(ruleset, "bob")
    left = seen_by(rule, RED)
    assert (left.order, left.turn) == (("bob",), "bob")
    [group] = left.pending
    assert [decision.combatant for decision in group.decisions] == ["bob"]
    assert (group.closed, group.declared, group.suspended) == (UNSET, UNSET, UNSET)


@pytest.mark.parametrize("ruleset", ALL, ids=lambda ruleset: ruleset.slug)
def test_where_nothing_is_hidden_the_state_is_the_same_object(ruleset: Ruleset[Any]) -> None:
    rule = battle(ruleset, "bob")
    bare = {
        each.name: default_of(each)
        for each in fields(ruleset.state)
        if default_of(each) is not NODEFAULT and each.name != "combatants"
    }
    shown = replace(rule, options=replace(rule.options, **OPEN), **bare)
    assert seen_by(shown, BLUE) is shown
    assert seen_by(replace(shown, combatants=shown.combatants[:2]), OBSERVER).combatants


OPEN = {"enemy_numbers": "shown", "enemy_health": "exact", "breakdowns": "all"}
