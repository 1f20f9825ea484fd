"""Sides and units that have the turn, actions of several, and changes that are no combatant's."""

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from service.engine.battle import fold
from service.engine.battle.state import State, TableOptions, scope_of
from service.engine.battle.turn import (
    TurnHolder,
    audience_of_turn,
    may_act_in,
    turn_of_combatant,
)
from service.engine.log import canonical
from service.engine.log import event as events
from service.engine.log.event import Event
from service.engine.visibility.openness import is_open
from service.engine.visibility.projection import Array, Leaf, Object, ProjectedNode, annotate
from service.engine.visibility.scope import GAME_MASTER, OBSERVER, Viewer, audience_of
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from tests.engine.test_sealed_answers import part_bodies
from tests.kit.table import GM, SEED, Table, effects_of
from tests.replay.memory_audit import audit
from tests.toy import battles
from tests.toy.seating import denied, refused, shown
from tests.toy.side_battles import BEA, BOB, NED, OLAF, RITA, begun, manoeuvre, opened
from tests.toy.sides import (
    RULESET,
    Activate,
    Adjust,
    EndActivation,
    Morale,
    SetMorale,
    Shout,
    SidesEvent,
    SidesState,
)
from tests.toy.sweeps import CLOCK

RED = Viewer(sides=("red",))
BLUE = Viewer(sides=("blue",))
LIMITED = TableOptions(turn_seconds=60)


# --- who acts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "by", "code", "facts"),
    [
        (do.EndSideTurn(side="red"), BOB, "not_your_side", {"side": "red"}),
        (do.EndSideTurn(side="blue"), RITA, "not_your_side", {"side": "blue"}),
        (do.EndSideTurn(side="blue"), BOB, "not_your_turn", {"side": "blue"}),
        (do.EndSideTurn(side="red"), OLAF, "observer_cannot_act", {"action": "end_turn"}),
        (
            do.EndSideTurn(side="green"),
            BOB,
            "unknown_side",
            {"side": "green", "allowed": ["red", "blue"]},
        ),
        (Activate(unit="guards"), BEA, "not_your_unit", {"unit": "guards"}),
        (Activate(unit="spies"), BEA, "unknown_unit", {"unit": "spies"}),
        (Activate(unit="nobodies"), BEA, "unknown_unit", {"unit": "nobodies"}),
        (Activate(unit="spies"), NED, "not_your_unit", {"unit": "spies"}),
        (Activate(unit="ghosts"), BOB, "not_your_unit", {"unit": "ghosts"}),
        (Activate(unit="lancers"), BOB, "not_your_turn", {"unit": "lancers"}),
        (Shout(combatants=("r1", "b1")), RITA, "not_your_combatant", {"combatant": "b1"}),
        (Shout(combatants=("r1", "r2")), NED, "not_your_combatant", {"combatant": "r2"}),
        (Shout(combatants=("b3", "r1", "b1")), RITA, "not_your_combatant", {"combatant": "b1"}),
        (Shout(combatants=("r1", "b3")), RITA, "unknown_combatant", {"combatant": "b3"}),
        (Shout(combatants=("r1", "x9")), RITA, "unknown_combatant", {"combatant": "x9"}),
    ],
)
def test_who_may_not_act_is_told_why(
    action: do.Action, by: By, code: str, facts: dict[str, object]
) -> None:
    assert refused(lambda: begun().act(action, by)) == (code, facts)


@pytest.mark.parametrize("by", [RITA, NED, GM])
def test_whoever_controls_any_of_a_side_or_unit_acts_for_it(by: By) -> None:
    table = begun()
    table.act(Activate(unit="guards"), by)
    table.act(EndActivation(unit="guards"), by)
    table.act(do.EndSideTurn(side="red"), by)
    assert (table.state.rule.side, table.state.rule.unit) == ("blue", UNSET)


def test_a_joint_action_is_judged_for_each_before_anything_else() -> None:
    shout = Shout(combatants=("r1", "b1"))
    in_setup, over = opened(), begun()
    over.act(do.EndEncounter())
    for table in (in_setup, begun(), over):
        assert denied(table, shout, RITA) == "not_your_combatant"
    assert denied(in_setup, Shout(combatants=("r1",)), RITA) == "encounter_not_running"
    event = begun().act(Shout(combatants=("r1", "r2", "r3")), RITA)
    assert event.effects == (fx.ResourceChanged(side="red", resource="morale", now=3),)


def test_the_service_ends_the_turns_of_sides_and_units_where_they_have_a_limit() -> None:
    assert denied(begun(), do.EndSideTurn(side="red"), CLOCK) == "gm_only"
    table = begun(LIMITED)
    table.act(Activate(unit="guards"), NED)
    ended = [table.act(EndActivation(unit="guards"), CLOCK)]
    ended.append(table.act(do.EndSideTurn(side="red"), CLOCK))
    causes = [effects_of(event)[0]["cause"] for event in ended]
    assert causes == ["timeout", "timeout"]
    assert denied(table, Activate(unit="lancers"), CLOCK) == "gm_only"


# --- whose turn it is -----------------------------------------------------------------------------


def holder(table: Table) -> TurnHolder:
    turn = table.ruleset.turn(table.state.rule)
    assert turn is not None
    return turn


def test_a_turn_is_a_side_s_and_within_it_a_unit_s() -> None:
    table = begun()
    assert holder(table) == TurnHolder(
        combatants=("r1", "r2", "r3"), side="red", ending=do.EndSideTurn(side="red")
    )
    table.act(Activate(unit="guards"), NED)
    assert holder(table) == TurnHolder(
        combatants=("r1", "r2"), side="red", unit="guards", ending=EndActivation(unit="guards")
    )
    assert RULESET.turn(opened().state.rule) is None


def test_whoever_has_no_word_of_its_own_has_the_turn_of_a_combatant() -> None:
    table = battles.ambush()
    rule = table.rules[5]
    assert rule.turn is not UNSET
    assert turn_of_combatant(rule) == TurnHolder(
        combatants=(rule.turn,), combatant=rule.turn, ending=do.EndTurn(combatant=rule.turn)
    )
    assert turn_of_combatant(table.rules[1]) is None


def test_the_move_is_of_whoever_may_act_in_the_turn() -> None:
    table = begun()

    def movers() -> list[object]:
        seats = (RITA, NED, BEA, BOB, OLAF)
        return [by.seat for by in seats if may_act_in(table.state, holder(table), by)]

    assert movers() == ["rita", "ned"]
    table.act(Activate(unit="spies"), RITA)
    assert movers() == ["rita"]
    table.act(EndActivation(unit="spies"), RITA)
    table.act(Adjust(changes=tuple(alter.SetHp(combatant=each, value=0) for each in ("r1", "r2"))))
    assert movers() == ["rita"]
    table.act(do.EndSideTurn(side="red"), RITA)
    assert movers() == ["bea", "bob"]
    assert may_act_in(table.state, holder(table), GM)


def test_that_a_side_has_the_turn_everyone_knows_of_a_unit_who_knows_a_member() -> None:
    table = begun()
    audiences = [audience_of_turn(table.state.rule, holder(table))]
    for unit in ("guards", "spies"):
        table.act(Activate(unit=unit), RITA)
        audiences.append(audience_of_turn(table.state.rule, holder(table)))
        table.act(EndActivation(unit=unit), RITA)
    assert audiences == ["everyone", "everyone", "red"]


# --- what others see ------------------------------------------------------------------------------


def seen(table: Table, viewer: Viewer) -> Any:
    """The last event as a viewer sees it."""
    return shown(table, len(table.sealed), viewer)


def test_of_those_who_act_together_everyone_sees_whom_it_knows() -> None:
    table = begun()
    table.act(Shout(combatants=("r1", "r2", "r3")), RITA)
    assert seen(table, BLUE)["action"] == {"type": "shout", "combatants": ["r1"]}
    assert seen(table, RED)["action"] == {"type": "shout", "combatants": ["r1", "r2", "r3"]}
    table.act(Shout(combatants=("r2", "r3")), RITA)
    for viewer in (BLUE, OBSERVER):
        assert "action" not in seen(table, viewer)
    assert seen(table, RED)["action"]["combatants"] == ["r2", "r3"]


def test_the_turn_of_a_unit_is_seen_by_those_who_know_of_it() -> None:
    table = begun()
    table.act(Activate(unit="guards"), RITA)
    assert seen(table, BLUE)["action"] == {"type": "activate_unit", "unit": "guards"}
    table.act(EndActivation(unit="guards"), RITA)
    table.act(Activate(unit="spies"), RITA)
    for viewer in (BLUE, OBSERVER):
        event = seen(table, viewer)
        assert "action" not in event
        assert event["effects"] == [{"type": "turn_began", "side": "red"}]
    assert seen(table, RED)["effects"] == [{"type": "turn_began", "side": "red", "unit": "spies"}]


def test_units_are_known_as_their_members_are() -> None:
    table = begun()
    scope = scope_of(table.state.rule)
    assert scope.units == {
        "guards": "everyone",
        "spies": "red",
        "lancers": "everyone",
        "ghosts": "blue",
    }
    assert scope.unit("nobodies") == "gm"
    table.act(Adjust(changes=(alter.RevealCombatant(combatant="r3"),)))
    assert scope_of(table.state.rule).unit("spies") == "everyone"


def test_a_change_that_is_no_combatant_s_is_everyone_s() -> None:
    table = begun()
    event = table.act(Adjust(changes=(SetMorale(side="blue", value=-2),)))
    assert event.effects[1:] == (
        fx.ResourceChanged(side="blue", resource="morale", now=-2, cause="gm"),
    )
    assert table.state.rule.morale == (Morale(side="blue", value=-2),)
    assert seen(table, OBSERVER)["action"]["changes"] == [
        {"type": "morale", "side": "blue", "value": -2}
    ]
    hiding = (SetMorale(side="red", value=1), alter.SetHp(combatant="b3", value=1))
    table.act(Adjust(changes=hiding))
    assert seen(table, RED)["action"]["changes"] == [{"type": "morale", "side": "red", "value": 1}]


# --- the log --------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [GAME_MASTER, RED, BLUE, OBSERVER])
def test_such_a_battle_audits_clean_for_everybody(viewer: Viewer) -> None:
    report = audit(manoeuvre(), seed=SEED, viewer=viewer)
    assert report.clean, report.first_failure


def test_a_log_opens_and_folds_to_what_was_played() -> None:
    table = manoeuvre()
    decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(SidesEvent)
    state = fold.apply(RULESET, None, table.events[0])
    rules = {1: state.rule}
    for event in table.events[1:]:
        body = table.sealed[event.seq - 1].body
        stored = events.decode(decoder, body, part_bodies(table, event.seq), ("red", "blue"))
        assert canonical.encode(stored) == canonical.encode(event)
        before = State(rule=rules[event.base], linear=state.linear, terms=table.terms)
        state = fold.apply(RULESET, before, stored)
        rules[event.seq] = state.rule
    assert list(map(canonical.encode, rules.values())) == list(
        map(canonical.encode, table.rules.values())
    )


def everyones(node: ProjectedNode) -> bool:
    """Whether all of a tree is for everyone."""
    match node:
        case Leaf():
            return True
        case Array(elements=elements):
            return all(each.audience == "everyone" and everyones(each.node) for each in elements)
        case Object(members=members):
            return all(each.audience == "everyone" and everyones(each.node) for each in members)


def test_the_short_way_looks_at_units_and_at_those_who_act_together() -> None:
    found = set()
    table = manoeuvre()
    for event in table.events[1:]:
        rule = table.rules[event.base]
        assert isinstance(rule, SidesState)
        before = State(rule=rule, linear=table.state.linear, terms=table.terms)
        _, scopes = fold.unfold(RULESET, before, event)
        for value, scope in zip((event.action, *event.effects), (scopes[0], *scopes), strict=False):
            whole = audience_of(value, scope) == "everyone" and everyones(annotate(value, scope))
            assert is_open(value, scope) == whole, value
            found.add((str(value.__struct_config__.tag), whole))
    both = {"activate_unit", "end_activation", "shout", "turn_began", "turn_ended"}
    assert found >= {(tag, whole) for tag in both for whole in (True, False)} - {("shout", True)}
