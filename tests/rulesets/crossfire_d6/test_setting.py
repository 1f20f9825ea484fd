"""Creations: prepared battles, what does not fit together, configuration."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from service.engine.battle.linear import Seat
from service.errors import Malformed, Refused
from service.rulesets.crossfire_d6.state import Hiding, Override, Score
from service.rulesets.crossfire_d6.terrain import Cell
from tests.kit.given_when_then import opened
from tests.kit.table import effects_of
from tests.rulesets.crossfire_d6.setups import RULESET, fighter, in_progress, rifle, seated

Tree = dict[str, Any]
START: Tree = {"type": "start_encounter"}


def test_what_a_combatant_leaves_out_is_completed() -> None:
    sheet = fighter("a", "red", 2, 3, band="down", number=77)
    a = seated({"combatants": [sheet]}).combatant("a")
    assert (a.number, a.band, a.health_max) == (1, "unhurt", 30)
    assert (a.pin_origin, a.actions_left) == (Cell(x=2, y=3), msgspec.UNSET)


@pytest.mark.parametrize(("health", "conditions"), [(0, ("helpless",)), (-9, ("dead",))])
def test_who_comes_in_without_health_is_down(health: int, conditions: tuple[str, ...]) -> None:
    a = seated({"combatants": [fighter("a", "red", 0, 0, health=health, health_max=9)]})
    assert a.combatant("a").conditions == conditions


ON_MAP = [0, 0, 6, 4]


@pytest.mark.parametrize(
    ("combatants", "why"),
    [
        (
            [fighter("a", "red", 0, 0), fighter("a", "red", 1, 0)],
            ("duplicate_combatant", {"combatant": "a", "taken": "a"}),
        ),
        (
            [fighter("a", "pink", 0, 0)],
            ("unknown_side", {"side": "pink", "allowed": ["red", "blue", "green"]}),
        ),
        ([fighter("a", "red", 0, 0), fighter("b", "red", 1, 1, size=1)], None),
        (
            [fighter("a", "red", 2, 2, size=2), fighter("b", "red", 3, 3)],
            ("cell_occupied", {"x": 3, "y": 3}),
        ),
        (
            [fighter("a", "red", 1, 2, size=2), fighter("b", "red", 0, 1, size=2)],
            ("cell_occupied", {"x": 1, "y": 2}),
        ),
        (
            [fighter("a", "red", 0, 2, size=2), fighter("b", "red", 1, 1, size=2)],
            ("cell_occupied", {"x": 1, "y": 2}),
        ),
        ([fighter("a", "red", 0, 2, size=2), fighter("b", "red", 2, 2)], None),
        ([fighter("a", "red", 0, 2, size=2), fighter("b", "red", 0, 0, size=2)], None),
        ([fighter("a", "red", 4, 0)], ("cell_impassable", {"x": 4, "y": 0})),
        ([fighter("a", "red", 3, 0, size=2)], ("cell_impassable", {"x": 4, "y": 0})),
        ([fighter("a", "red", 5, 3)], ("cell_impassable", {"x": 5, "y": 3})),
        ([fighter("a", "red", 6, 0)], ("off_map", {"x": 6, "y": 0, "bounds": ON_MAP})),
        ([fighter("a", "red", 2, 3, size=2)], ("off_map", {"x": 2, "y": 3, "bounds": ON_MAP})),
        ([fighter("a", "red", 10_001, 0)], ("off_map", {"x": 10_001, "y": 0})),
        (
            [fighter("a", "red", 0, 0, shot_at=["nobody"])],
            ("unknown_combatant", {"combatant": "nobody"}),
        ),
    ],
)
def test_everybody_needs_an_id_a_side_and_room(
    combatants: list[Tree], why: tuple[str, Tree] | None
) -> None:
    setup = {
        "combatants": combatants,
        "map": {"form": "ascii", "rows": ["....#."] + ["......"] * 3},
        "hidden_terrain": {"cells": [{"x": 5, "y": 3, "kind": "solid"}]},
    }
    if why is None:
        seated(setup)
        return
    with pytest.raises(Refused) as refusal:
        seated(setup)
    assert (refusal.value.code, refusal.value.params) == why


COVER_SECRET: Tree = {"x": 1, "y": 0, "kind": "cover"}
COVER_GONE: Tree = {"x": 3, "y": 0}


@pytest.mark.rule("CF-POS-7")
@pytest.mark.parametrize(
    ("x", "size", "posture", "is_let_in"),
    [
        (0, 1, "in_cover", True),
        (0, 1, "blocked", True),
        (2, 1, "in_cover", True),
        (5, 1, "in_cover", False),
        (5, 1, "blocked", False),
        (5, 1, "open", True),
        (6, 2, "in_cover", False),
        (4, 2, "in_cover", True),
    ],
    ids=[
        "secret cover",
        "behind it",
        "what everyone takes for cover",
        "nothing near",
        "nothing to hide behind",
        "open",
        "large, a cell away",
        "large",
    ],
)
def test_who_comes_in_in_cover_needs_some(x: int, size: int, posture: str, is_let_in: bool) -> None:
    setup: Tree = {
        "map": {"form": "ascii", "rows": ["...c......", ".........."]},
        "hidden_terrain": {"cells": [COVER_SECRET, COVER_GONE]},
    }
    sheet = fighter("a", "red", x, 0, size=size, posture=posture)
    table = seated({**setup, "combatants": [fighter("b", "blue", 9, 1)]})
    for enter in (
        lambda: seated({**setup, "combatants": [sheet]}),
        lambda: table.ask({"type": "add_combatant", "combatant": sheet}),
    ):
        if is_let_in:
            enter()
            continue
        with pytest.raises(Refused) as refusal:
            enter()
        assert (refusal.value.code, refusal.value.rule, refusal.value.params) == (
            "no_cover_here",
            "CF-POS-7",
            {"posture": posture, "x": x, "y": 0, "allowed": ["open"]},
        )


@pytest.mark.rule("CF-RANGE-2")
@pytest.mark.parametrize("field", ["range_increment_ft", "max_range_ft"])
@pytest.mark.parametrize(("feet", "is_taken"), [(100_000, True), (100_001, False), (0, False)])
def test_a_weapon_shoots_as_far_as_the_map_at_most(field: str, feet: int, is_taken: bool) -> None:
    setup = {"combatants": [fighter("a", "red", 0, 0, weapons=[rifle(**{field: feet})])]}
    if is_taken:
        assert getattr(seated(setup).combatant("a").weapons[0], field) == feet
        return
    with pytest.raises(msgspec.ValidationError, match=rf"\$.combatants\[0\].weapons\[0\].{field}"):
        seated(setup)


def test_a_prepared_battle_goes_on_where_it_was_without_dice() -> None:
    a = fighter(
        "a",
        "red",
        0,
        0,
        pin_count=3,
        pin_origin={"x": 1, "y": 0},
        hidden_from=[{"combatant": "b", "offset": 2}],
        overrides=[{"versus": "b", "position": "in_cover"}],
        shot_at=["b"],
        actions_left=1,
        int_pool=4,
        weapons=[rifle()],
    )
    order = [{"combatant": "b", "score": 7}, {"combatant": "a", "score": 3}]
    table = seated(
        {
            "combatants": [a, fighter("b", "blue", 5, 5)],
            "battle": {"round": 4, "order": order, "turn": "a"},
        }
    )
    created = effects_of(table.events[0])
    assert created[0]["prepared"]
    event = table.ask(START)
    assert effects_of(event) == [{"type": "encounter_started"}]
    rule = table.state.rule
    assert (rule.round, rule.turn, rule.order) == (4, "a", ("b", "a"))
    kept = table.combatant("a")
    assert (kept.pin_count, kept.actions_left, kept.shot_at) == (3, 1, ("b",))
    assert (kept.hidden_from[0].offset, kept.overrides[0].position) == (2, "in_cover")


def test_who_has_the_turn_of_a_prepared_battle_has_all_actions_unless_stated() -> None:
    setup = {"combatants": [fighter("a", "red", 0, 0)], "battle": in_progress("a")}
    assert seated(setup).combatant("a").actions_left == 2
    assert not effects_of(seated({"combatants": setup["combatants"]}).events[0])[0]["prepared"]


@pytest.mark.parametrize(
    ("stated", "is_in_progress"),
    [
        ({}, False),
        ({"pin_origin": {"x": 1, "y": 1}, "posture": "open", "conditions": ["prone"]}, False),
        ({"pin_count": 1}, True),
        ({"hidden_from": [{"combatant": "c", "offset": 0}]}, True),
        ({"shot_at": ["c"]}, True),
        ({"overrides": [{"versus": "c", "position": "open"}]}, True),
        ({"previous_streak": {"origin": {"x": 0, "y": 0}, "count": 1}}, True),
        ({"actions_left": 0}, True),
    ],
    ids=lambda each: "-".join(each) if isinstance(each, dict) else str(each),
)
def test_what_somebody_remembers_of_a_battle_says_that_it_is_in_progress(
    stated: Tree, is_in_progress: bool
) -> None:
    people = [fighter("a", "red", 0, 0), fighter("b", "red", 1, 0), fighter("c", "blue", 5, 0)]
    table = seated({"combatants": [people[0], people[1] | stated, people[2]]})
    assert effects_of(table.events[0])[0]["prepared"] is is_in_progress


@pytest.mark.parametrize(
    ("battle", "path"),
    [
        ({"order": [{"combatant": "a"}, {"combatant": "a"}]}, "$.battle.order"),
        ({"order": [{"combatant": "a"}], "turn": "b"}, "$.battle.turn"),
    ],
)
def test_an_order_names_everybody_once_and_holds_the_turn(battle: Tree, path: str) -> None:
    setup = {
        "combatants": [fighter("a", "red", 0, 0), fighter("b", "red", 1, 0)],
        "battle": battle,
    }
    with pytest.raises(Malformed) as refusal:
        seated(setup)
    assert refusal.value.params["path"] == path


def test_whoever_is_removed_is_forgotten_and_nobody_else_is() -> None:
    ties: Tree = {
        "hidden_from": [{"combatant": each, "offset": 1} for each in ("b", "c")],
        "overrides": [{"versus": each, "position": "blocked"} for each in ("b", "c")],
        "shot_at": ["b", "c"],
    }
    left = {
        "hidden_from": (Hiding(combatant="c", offset=1),),
        "overrides": (Override(versus="c", position="blocked"),),
        "shot_at": ("c",),
    }
    people = [
        fighter("a", "red", 0, 0, pin_count=2, **ties),
        fighter("b", "blue", 5, 5),
        fighter("c", "blue", 6, 5),
    ]
    order = [{"combatant": each, "score": 5} for each in "abc"]
    table = seated({"combatants": people, "battle": {"order": order, "turn": "a"}})
    table.ask(START)
    a, c = table.combatant("a"), table.combatant("c")
    gone = table.ask({"type": "remove_combatant", "combatant": "b"})
    assert effects_of(gone) == [{"type": "combatant_removed", "combatant": "b", "cause": "gm"}]
    rule = table.state.rule
    assert rule.combatants == (replace(a, **left), c)
    assert (rule.order, rule.scores) == (
        ("a", "c"),
        (Score(combatant="a", score=5), Score(combatant="c", score=5)),
    )


def test_before_the_start_options_and_map_may_change_and_nothing_is_drawn() -> None:
    table = seated({"combatants": [fighter("a", "red", 0, 0), fighter("b", "blue", 3, 0)]})
    options = {"type": "configure", "options": {"actions_per_turn": 3}}
    assert table.ask(options).draws == ()
    table.ask({"type": "set_terrain", "cells": [{"x": 9, "y": 9, "kind": "solid"}]})
    table.ask({"type": "configure", "map": {"form": "ascii", "rows": [".#..", "...."]}})
    assert table.state.rule.options.actions_per_turn == 3
    assert table.state.rule.terrain == ()
    table.ask(START)
    walk = {"type": "move", "combatant": table.turn, "path": [{"x": 1, "y": 0}]}
    with pytest.raises(Refused):
        table.ask(walk)
    with pytest.raises(Refused, match="options_frozen"):
        table.ask(options)


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ({"sides": ["red", "pink"]}, ("unknown_side", {"side": "pink", "allowed": ["red"]})),
        ({"combatants": ["a", "b"]}, ("unknown_combatant", {"combatant": "b"})),
        ({"sides": ["red"], "combatants": ["a"]}, None),
    ],
)
def test_a_seat_must_name_what_there_is(named: Tree, why: tuple[str, Tree] | None) -> None:
    seats = [{"id": "ann", "role": "player", **named}]
    creation = {
        "sides": [{"id": "red"}],
        "seats": seats,
        "setup": {"combatants": [fighter("a", "red", 0, 0)]},
    }
    if why is None:
        assert opened(RULESET, creation).state.linear.seats == (
            Seat(id="ann", role="player", sides=("red",), combatants=("a",), knows=("red",)),
        )
        return
    with pytest.raises(Refused) as raised:
        opened(RULESET, creation)
    assert (raised.value.code, raised.value.params) == why
