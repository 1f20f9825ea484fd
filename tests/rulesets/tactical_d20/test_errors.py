"""The catalogue's table of bad input, row by row: what is refused, by which rule, and why."""

from typing import Any

import pytest

from service.encounters.requests import convert
from service.engine.battle.permission import require_askable
from service.errors import Forbidden, Malformed
from tests.kit.given_when_then import Given, Refusal, given, opened
from tests.kit.table import seat_by
from tests.rulesets.tactical_d20.duels import (
    BLADE,
    BOMB,
    GUN,
    adjust,
    answer,
    at,
    attack,
    border,
    cell,
    cells,
    do,
    duel,
    guess,
    only,
    path,
    stated,
    strikes,
)
from tests.rulesets.tactical_d20.examples import EXAMPLES, Tree
from tests.rulesets.tactical_d20.setups import RULESET

FAR = at(4, 0)


def burst(x: int = 3, y: int = 0, combatant: str = "a", **more: Any) -> Tree:
    """An area effect of the sheet, unless another is stated."""
    stated_area = {} if "radius_ft" in more else {"area": "bomb"}
    return do("area_attack", combatant, origin={"x": x, "y": y}, **{**stated_area, **more})


ACTIONS = {
    "move": path((0, 1)),
    "attack": attack(),
    "attack_cell": guess(3, 3),
    "area_attack": burst(),
    "drop_prone": do("drop_prone"),
    "stand_up": do("stand_up"),
    "right_self": do("right_self"),
    "end_turn": do("end_turn"),
}
EACH_ACTION = pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
COSTLY = pytest.mark.parametrize(
    "action",
    [each for name, each in ACTIONS.items() if name != "end_turn"],
    ids=lambda a: a["type"],
)


# --- whose turn, and with what --------------------------------------------------------------------


@EACH_ACTION
def test_nobody_acts_out_of_turn(action: Tree) -> None:
    battle = duel(battle={"order": ["t", "a"]})
    battle.when(action).refused("not_your_turn", "TD-SD-1", combatant="a", turn="t")


@EACH_ACTION
@pytest.mark.parametrize("condition", ["unconscious", "dead"])
def test_nobody_acts_who_is_out_also_when_it_is_not_his_turn(action: Tree, condition: str) -> None:
    battle = duel({"conditions": [condition]}, battle={"order": ["t", "a"]})
    acted = battle.when(action)
    acted.refused("actor_incapacitated", combatant="a", conditions=[condition])


@COSTLY
def test_nothing_is_done_without_the_action_it_costs(action: Tree) -> None:
    spent = {"standard_left": 0, "move_left": 0, "swift_left": 0}
    battle = duel({**spent, "areas": [BOMB], "conditions": ["prone", "spinning"]})
    needed = {"drop_prone": "swift", "move": "move", "stand_up": "move", "right_self": "move"}
    refused = battle.when(action)
    lacking = needed.get(action["type"], "standard")
    refused.refused("no_action_left", combatant="a", needed=lacking)


def test_a_move_action_may_be_paid_with_the_standard_action_but_not_the_other_way() -> None:
    battle = duel(t=at(6, 6))
    assert battle.when(path((0, 1))).outcome == [
        spent("move"),
        walked((0, 0), (0, 1)),
    ]
    assert battle.when(path((0, 2))).outcome == [
        spent("standard"),
        walked((0, 1), (0, 2)),
    ]
    battle.when(path((0, 3))).refused("no_action_left", combatant="a", needed="move")
    other = duel({"standard_left": 0})
    other.when(attack()).refused("no_action_left", combatant="a", needed="standard")


def spent(resource: str) -> Tree:
    """A's action is gone."""
    return {"type": "resource_changed", "combatant": "a", "resource": resource, "now": 0}


def walked(start: tuple[int, int], end: tuple[int, int]) -> Tree:
    """A has made one step."""
    first, last = ({"x": x, "y": y} for x, y in (start, end))
    return {
        "type": "moved",
        "combatant": "a",
        "manner": "walk",
        "start": first,
        "path": [last],
        "end": last,
        "cost": 5,
        "complete": True,
    }


# --- attacks --------------------------------------------------------------------------------------


def test_a_blow_beyond_the_reach_of_its_weapon_is_refused() -> None:
    over = duel(t=at(2, 0)).when(attack())
    over.refused("out_of_reach", "TD-GEO-2", distance_ft=10, reach_ft=5)
    diagonal = duel({"reach_ft": 10}, at(2, 2)).when(attack())
    diagonal.refused("out_of_reach", "TD-GEO-2", distance_ft=15, reach_ft=10)
    high = duel(t=at(1, 0, elevation=6)).when(attack())
    high.refused("out_of_reach", "TD-GEO-2", distance_ft=6, reach_ft=5)
    no_reach = duel({"reach_ft": 0}).when(attack())
    no_reach.refused("out_of_reach", "TD-GEO-2", distance_ft=5, reach_ft=0)
    long = [BLADE | {"reach_ft": 10}]
    assert isinstance(duel({"weapons": long}, at(2, 0)).when(attack(), dice=(2,)).outcome, list)


@pytest.mark.rule("TD-SD-4")
def test_a_shot_beyond_the_last_increment_is_refused() -> None:
    short = {"weapons": [GUN | {"range_increment_ft": 10, "max_increments": 2}]}
    over = duel(short, at(5, 0)).when(attack("gun"))
    over.refused("out_of_range", "TD-SD-4", distance_ft=25, longest_ft=20)
    assert isinstance(duel(short, FAR).when(attack("gun"), dice=(2,)).outcome, list)
    guessed = duel(short, FAR).when(guess(5, 5))
    guessed.refused("out_of_range", "TD-SD-4", distance_ft=35, longest_ft=20)


@pytest.mark.rule("TD-TOTAL-1")
def test_there_is_no_attack_without_a_line_of_effect() -> None:
    walled = cells(borders=tuple(border("v", 2, y, wall=True) for y in range(-6, 7)))
    duel(t=FAR, map=walled).when(attack("gun")).refused("total_cover", "TD-TOTAL-1")
    duel(t=FAR, map=walled).when(guess(4, 0)).refused("total_cover", "TD-TOTAL-1")


@pytest.mark.rule("TD-COVER-8")
def test_the_game_masters_total_cover_forbids_attacks() -> None:
    ruled = {"cover_overrides": [{"versus": "a", "grade": "total"}]}
    duel(t={**FAR, **ruled}).when(attack("gun")).refused("total_cover", "TD-TOTAL-1")


@pytest.mark.rule("TD-UNSEEN-1")
@pytest.mark.parametrize(
    ("sheet", "ground"),
    [
        ({"conditions": ["invisible"]}, cells()),
        ({}, cells(cell(4, 0, light="dark"))),
        ({}, cells(*(cell(2, y, opaque=True) for y in (-1, 0, 1)))),
    ],
    ids=["invisible", "dark", "opaque"],
)
def test_there_is_no_attack_on_somebody_unseen_but_on_his_cell(sheet: Tree, ground: Tree) -> None:
    battle = duel(t={**FAR, **sheet}, map=ground)
    battle.when(attack("gun")).refused("target_unseen", "TD-UNSEEN-1")
    assert isinstance(battle.when(guess(4, 0), dice=(2, 50)).outcome, list)


@pytest.mark.rule("TD-UNSEEN-2")
def test_there_is_no_guess_at_somebody_visible() -> None:
    duel(t=FAR).when(guess(4, 0)).refused("target_is_visible", "TD-UNSEEN-2", x=4, y=0)
    friend = duel(t=FAR, f=at(4, 1)).when(guess(4, 1))
    friend.refused("target_is_visible", "TD-UNSEEN-2", x=4, y=1)
    body = duel(t=FAR | {"conditions": ["dead"]}).when(guess(4, 0), dice=(2, 50))
    assert isinstance(body.outcome, list)


@pytest.mark.rule("TD-UNSEEN-2")
def test_there_is_no_guess_at_a_cell_of_ones_own_or_off_the_map() -> None:
    small = cells(x=0, y=0, width=6, height=4)
    battle = duel({"size": 2}, FAR, map=small)
    battle.when(guess(1, 1)).refused("target_is_self", x=1, y=1)
    battle.when(guess(6, 0)).refused("off_map", x=6, y=0, bounds=[0, 0, 6, 4])
    battle.when(guess(0, -1)).refused("off_map", x=0, y=-1, bounds=[0, 0, 6, 4])


@pytest.mark.parametrize("weapon", ["blade", "gun"])
def test_one_attacks_living_enemies_only(weapon: str) -> None:
    battle = duel(t=at(1, 0) | {"conditions": ["dead"]}, f=at(0, 1))
    battle.when(attack(weapon, "a")).refused("target_is_self", target="a")
    battle.when(attack(weapon, "f")).refused("target_not_hostile", target="f", side="red")
    battle.when(attack(weapon, "t")).refused("target_dead", target="t")


def test_a_weapon_must_be_ones_own_and_ready() -> None:
    battle = duel({"weapons": [BLADE | {"ready": False}, GUN]})
    battle.when(attack("spoon")).refused("unknown_weapon", weapon="spoon", allowed=["blade", "gun"])
    battle.when(attack("blade")).refused("weapon_not_ready", weapon="blade")
    battle.when(guess(3, 3, "blade")).refused("weapon_not_ready", weapon="blade")
    unknown = battle.when(guess(3, 3, "spoon"))
    unknown.refused("unknown_weapon", weapon="spoon", allowed=["blade", "gun"])


@pytest.mark.rule("TD-COVER-1")
@pytest.mark.rule("TD-CONC-2")
def test_a_named_corner_is_one_of_the_attackers() -> None:
    ours, other = {"x": 1, "y": 1}, {"x": 2, "y": 0}
    battle = duel(t=FAR)
    for attempt in (attack("gun"), guess(3, 3)):
        refused = battle.when(attempt | {"cover_corner": other})
        refused.refused("bad_corner", "TD-COVER-1", x=2, y=0)
        refused = battle.when(attempt | {"concealment_corner": ours})
        refused.refused("bad_corner", "TD-CONC-2", x=1, y=1)
    chooses = duel(t=FAR, options={"concealment_corner_chooser": "attacker"})
    refused = chooses.when(attack("gun", concealment_corner=other))
    refused.refused("bad_corner", "TD-CONC-2", x=2, y=0)
    named = attack("gun", concealment_corner=ours, cover_corner=ours)
    assert isinstance(chooses.when(named, dice=(2,)).outcome, list)


# --- opportunities --------------------------------------------------------------------------------


def leaving(
    a: Tree | None = None,
    t: Tree | None = None,
    *steps: tuple[int, int],
    **more: Any,
) -> Given:
    """T walks away from A, who is asked, and perhaps others are."""
    battle = duel(a, t, battle={"order": ["t", "a"]}, **more)
    battle.when(path(*(steps or ((2, 0), (3, 0))), combatant="t"))
    return battle


def test_whoever_is_not_asked_takes_no_opportunity() -> None:
    battle = duel()
    choice = {"type": "opportunity_attack", "weapon": "blade"}
    late = {"type": "answer", "decision_id": "d3.1", "choice": choice}
    battle.when(late).refused("decision_closed", decision_id="d3.1")
    asked = leaving()
    taken = strikes(asked.table, "a")
    assert isinstance(asked.when(taken, dice=(2,)).outcome, list)
    asked.when(taken).refused("decision_closed", decision_id=taken["decision_id"])


def test_there_is_one_reaction_in_a_round() -> None:
    asked = leaving({"reach_ft": 10})
    asked.when(strikes(asked.table, "a"), dice=(2,))
    assert asked.table.questions == []
    spent_first = duel({"reaction_left": 0}, battle={"order": ["t", "a"]})
    walk = spent_first.when(path((2, 0), combatant="t"))
    assert only(walk.outcome, "decision_opened") == []


def test_an_opportunity_is_taken_with_a_ready_melee_weapon_that_reaches() -> None:
    asked = leaving({"weapons": [BLADE | {"reach_ft": 10}, GUN, KNIFE, SPEAR]}, at(2, 0), (3, 0))
    asked.when(strikes(asked.table, "a", "spoon")).refused(
        "unknown_weapon", weapon="spoon", allowed=["blade", "gun", "knife", "spear"]
    )
    for weapon, kind in (("gun", "ranged"), ("spear", "melee")):
        unready = asked.when(strikes(asked.table, "a", weapon))
        unready.refused("weapon_not_ready", weapon=weapon, kind=kind)
    asked.when(strikes(asked.table, "a", "knife")).refused(
        "out_of_reach", "TD-GEO-2", distance_ft=10, reach_ft=5
    )


KNIFE: Tree = {"id": "knife", "kind": "melee", "attack_bonus": 0, "damage": {"sides": 4}}
SPEAR: Tree = KNIFE | {"id": "spear", "reach_ft": 10, "ready": False}


@pytest.mark.rule("TD-COVER-3")
@pytest.mark.parametrize("grade", ["partial", "normal", "improved"])
def test_no_opportunity_is_taken_against_any_cover(grade: str) -> None:
    parapet = cells(borders=(border("v", 1, 0, cover=grade),))
    asked = leaving(map=parapet)
    asked.when(strikes(asked.table, "a")).refused("target_has_cover", "TD-COVER-3", grade=grade)


def test_no_opportunity_is_taken_against_somebody_unseen() -> None:
    asked = leaving(t={"conditions": ["invisible"]})
    asked.when(strikes(asked.table, "a")).refused("target_unseen", "TD-UNSEEN-1")


@EACH_ACTION
def test_nothing_else_is_done_while_somebody_is_asked(action: Tree) -> None:
    asked = leaving()
    for who in ("a", "t"):
        outcome = asked.when({**action, "combatant": who}).outcome
        assert isinstance(outcome, Refusal)
        assert outcome.code == "decision_pending"


# --- walks and postures ---------------------------------------------------------------------------


@pytest.mark.rule("TD-PRONE-4")
def test_who_spins_does_not_walk_and_who_is_prone_crawls_one_step() -> None:
    duel({"conditions": ["spinning"]}, FAR).when(path((0, 1))).refused(
        "spinning_cannot_move", "TD-PRONE-4"
    )
    prone = duel({"conditions": ["prone"]}, FAR)
    prone.when(path((0, 1), (0, 2))).refused("prone_cannot_walk", steps=2, longest=1)
    assert isinstance(prone.when(path((0, 1))).outcome, list)


def test_a_posture_that_is_had_already_is_not_taken_again() -> None:
    duel({"conditions": ["prone"]}).when(do("drop_prone")).refused(
        "nothing_changes", combatant="a", condition="prone"
    )
    for kind, condition in (("stand_up", "prone"), ("right_self", "spinning")):
        unneeded = duel().when(do(kind))
        unneeded.refused("nothing_changes", combatant="a", condition=condition)


PILLAR = ["cell", 1, 1]


def test_nobody_lies_down_without_gravity() -> None:
    duel(gravity="zero").when(do("drop_prone")).refused("no_gravity", "TD-PRONE-4", gravity="zero")


@pytest.mark.parametrize(
    ("steps", "code", "params"),
    [
        (((0, 1), (0, 3)), "path_not_contiguous", {"step": 1, "dx": 0, "dy": 2}),
        (((0, 0),), "path_not_contiguous", {"step": 0, "dx": 0, "dy": 0}),
        (((0, -1),), "off_map", {"step": 0, "x": 0, "y": -1, "bounds": [0, 0, 9, 9]}),
        (((0, 1), (-1, 1)), "off_map", {"step": 1, "x": -1, "y": 1, "bounds": [0, 0, 9, 9]}),
        (((1, 1),), "cell_impassable", {"step": 0, "x": 1, "y": 1, "features": [PILLAR]}),
        (((0, 1), (1, 1)), "cell_impassable", {"step": 1, "x": 1, "y": 1, "features": [PILLAR]}),
        (
            ((0, 1), (0, 2), (1, 3)),
            "cell_impassable",
            {"step": 2, "x": 1, "y": 3, "features": [["cell", 0, 3]]},
        ),
        (((1, 0),), "cell_occupied", {"step": 0, "x": 1, "y": 0}),
    ],
)
def test_a_walk_must_be_possible(steps: Any, code: str, params: Tree) -> None:
    ground = cells(cell(1, 1, wall=True), cell(0, 3, wall=True), x=0, y=0, width=9, height=9)
    duel(map=ground).when(path(*steps)).refused(code, **params)


def test_the_checks_of_a_walk_look_at_the_whole_path_one_after_another() -> None:
    ground = cells(cell(1, 1, wall=True), x=0, y=0, width=9, height=9)
    battle = duel(map=ground)
    battle.when(path((1, 1), (1, -1))).refused("path_not_contiguous", step=1, dx=0, dy=-2)
    outside = battle.when(path((1, 1), (1, 0), (1, -1)))
    outside.refused("off_map", step=2, x=1, y=-1, bounds=[0, 0, 9, 9])
    walled = battle.when(path((1, 0), (1, 1)))
    walled.refused("cell_impassable", step=1, x=1, y=1, features=[PILLAR])


@pytest.mark.rule("TD-GEO-2")
def test_a_walk_is_no_longer_than_the_speed() -> None:
    battle = duel({"speed_ft": 15}, FAR)
    diagonal = path((1, 1), (2, 2), (3, 3))
    battle.when(diagonal).refused("path_too_long", "TD-GEO-2", length_ft=20, longest_ft=15)
    equal = duel({"speed_ft": 15}, at(9, 0), options={"diagonal_rule": "equal"})
    [walk] = only(equal.when(diagonal).outcome, "moved")
    assert walk["cost"] == 15


# --- what cannot be read --------------------------------------------------------------------------

UNREADABLE = {
    "per cent": {"blur_pct": 101},
    "size": {"size": 0},
    "reach": {"reach_ft": -5},
    "reach of a weapon": {"weapons": [BLADE | {"reach_ft": 101}]},
    "fraction": {"speed_ft": 7.5},
    "unknown field": {"wisdom": 3},
    "dice": {"weapons": [BLADE | {"damage": {"count": 51, "sides": 6}}]},
    "sides": {"weapons": [BLADE | {"damage": {"count": 1, "sides": 101}}]},
    "bonus": {"weapons": [BLADE | {"damage": {"count": 1, "sides": 6, "bonus": -101}}]},
    "radius": {"areas": [BOMB | {"radius_ft": 201}]},
    "increment": {"weapons": [GUN | {"range_increment_ft": 4}]},
    "too many weapons": {"weapons": 21 * [BLADE]},
}


@pytest.mark.parametrize("sheet", UNREADABLE.values(), ids=UNREADABLE)
def test_sheets_are_held_to_their_bounds(sheet: Tree) -> None:
    with pytest.raises(Malformed):
        opened(RULESET, EXAMPLES.creation(stated(sheet)))


SPOILED = {
    "a ranged weapon without an increment": {
        "weapons": [{"id": "bow", "kind": "ranged", "attack_bonus": 0, "damage": {"sides": 6}}]
    },
    "a weapon twice": {"weapons": [BLADE, BLADE]},
    "an area twice": {"areas": [BOMB, BOMB]},
    "a sense twice": {"senses": ["darkvision", "darkvision"]},
}


@pytest.mark.parametrize("sheet", SPOILED.values(), ids=SPOILED)
def test_sheets_must_go_together(sheet: Tree) -> None:
    with pytest.raises(Malformed):
        opened(RULESET, EXAMPLES.creation(stated(sheet)))


@pytest.mark.parametrize(
    "ground",
    [
        {"transparent": True},
        {"low_height_ft": 3},
        {"low_height_ft": 3, "cover": "normal", "wall": True},
        {"concealment_pct": 0},
        {"concealment_pct": 101},
        {"cover": "total"},
        {"cover": "none"},
        {"light": "bright"},
    ],
    ids=str,
)
def test_ground_must_go_together_wherever_it_is_stated(ground: Tree) -> None:
    marked = cell(5, 5, **ground)
    for parts in ({"map": cells(marked)}, {"hidden_terrain": {"cells": [marked]}}):
        with pytest.raises(Malformed):
            opened(RULESET, EXAMPLES.creation(stated(**parts)))
    laid = duel().when({"type": "set_terrain", "cells": [marked]}).outcome
    assert isinstance(laid, Refusal)
    assert laid.code == "malformed"


def test_light_is_no_matter_of_borders() -> None:
    lit = cells(borders=(border("v", 1, 1, light="dim"),))
    with pytest.raises(Malformed):
        opened(RULESET, EXAMPLES.creation(stated(map=lit)))


@pytest.mark.parametrize(
    "ground",
    [
        cells(cell(1, 1), cell(1, 1, wall=True)),
        cells(cell(9, 0, wall=True), x=0, y=0, width=9, height=9),
        cells(borders=(border("h", 0, 10, wall=True),), x=0, y=0, width=9, height=9),
        {"form": "ascii", "rows": ["...", ".."]},
        {"form": "ascii", "rows": ["..?"]},
    ],
    ids=["twice", "outside", "border outside", "ragged", "unknown character"],
)
def test_a_map_is_stated_once_and_inside_its_bounds(ground: Tree) -> None:
    with pytest.raises(Malformed):
        opened(RULESET, EXAMPLES.creation(stated(map=ground)))


def test_the_far_edges_of_a_map_have_borders() -> None:
    edge = (border("v", 9, 0, wall=True), border("h", 0, 9, wall=True))
    duel(map=cells(borders=edge, x=0, y=0, width=9, height=9))


@pytest.mark.parametrize("count", [0, 201])
def test_a_path_has_one_to_two_hundred_cells(count: int) -> None:
    outcome = duel().when(do("move", path=count * [{"x": 0, "y": 1}])).outcome
    assert isinstance(outcome, Refusal)
    assert outcome.code == "malformed"


# --- ids, roles, life -----------------------------------------------------------------------------


def test_unknown_ids_are_refused() -> None:
    battle = duel({"areas": [BOMB]})
    battle.when(attack(target="nobody")).refused("unknown_combatant", combatant="nobody")
    battle.when(do("end_turn", "nobody")).refused("unknown_combatant", combatant="nobody")
    unknown = battle.when(burst(area="cloud"))
    unknown.refused("unknown_area", area="cloud", allowed=["bomb"])


def test_the_origin_of_an_area_is_on_the_map() -> None:
    small = cells(x=0, y=0, width=6, height=4)
    battle = duel({"areas": [BOMB]}, map=small)
    for x, y in ((7, 0), (0, 5), (-1, 0)):
        battle.when(burst(x, y)).refused("off_map", x=x, y=y, bounds=[0, 0, 6, 4])


OWN: Tree = {"radius_ft": 10, "dc": 10, "damage": {"count": 0, "sides": 6}}


def test_only_the_game_master_states_an_area_of_his_own() -> None:
    battle = duel({"areas": [BOMB]})
    refused = battle.when(burst(**OWN), by="red")
    assert isinstance(refused.outcome, Refusal)
    assert refused.outcome.code == "gm_only"
    for wrong in (burst(**OWN, area="bomb"), do("area_attack", origin={"x": 3, "y": 0})):
        outcome = battle.when(wrong).outcome
        assert isinstance(outcome, Refusal)
        assert outcome.code == "malformed"


FORMS: list[tuple[Tree, str, Refusal]] = [
    (
        burst(**OWN),
        "red",
        Refusal("gm_only", None, {"action": "area_attack", "field": "radius_ft"}),
    ),
    *[
        (
            wrong,
            by,
            Refusal(
                "malformed",
                None,
                {"path": "$.area", "allowed": "either area or radius_ft, dc and damage"},
            ),
        )
        for wrong in (
            burst(**OWN, area="bomb"),
            burst(spread=True),
            burst(radius_ft=10),
            do("area_attack", origin={"x": 3, "y": 0}),
        )
        for by in ("gm", "red")
    ],
    (
        {"type": "set_terrain"},
        "gm",
        Refusal("malformed", None, {"path": "$.cells", "allowed": "at least one cell or border"}),
    ),
    (
        {"type": "set_terrain", "cells": [cell(5, 5, transparent=True)]},
        "gm",
        Refusal("malformed", None, {"path": "$.cells[0].transparent", "allowed": "only with wall"}),
    ),
]
"""What cannot be asked in this form, or by a player, whatever the moment."""


@pytest.mark.parametrize(("action", "by", "refusal"), FORMS)
def test_the_form_and_the_game_masters_fields_come_before_the_moment(
    action: Tree, by: str, refusal: Refusal
) -> None:
    early = Given(opened(RULESET, EXAMPLES.creation(stated())))
    late = given(RULESET, EXAMPLES.creation(stated()), {"type": "end_encounter"})
    for battle in (early, late, leaving(), duel(), duel({"conditions": ["dead"]})):
        assert battle.when(action, by=by).outcome == refusal


@pytest.mark.parametrize(
    "action",
    [
        adjust("condition", condition="prone"),
        adjust("cover_override", versus="a", grade="none"),
        {"type": "set_terrain", "cells": [cell(5, 5, wall=True)]},
        {"type": "adjust", "changes": [{"type": "gravity", "gravity": "zero"}]},
        {"type": "end_encounter"},
        {"type": "remove_combatant", "combatant": "t"},
    ],
    ids=lambda action: str(action["type"]),
)
def test_players_do_not_rule(action: Tree) -> None:
    battle = duel()
    outcome = battle.when(action, by="red").outcome
    assert isinstance(outcome, Refusal)
    assert outcome.code == "gm_only"


def test_players_act_for_their_own_alone() -> None:
    battle = duel()
    asked = convert(attack(), RULESET.action, "$.action")
    with pytest.raises(Forbidden, match="not_your_combatant"):
        require_askable(battle.table.state, asked, seat_by("blue"), 3)


@EACH_ACTION
def test_nothing_is_done_before_the_start_or_after_the_end(action: Tree) -> None:
    early = Given(opened(RULESET, EXAMPLES.creation(stated())))
    late = given(RULESET, EXAMPLES.creation(stated()), {"type": "end_encounter"})
    for battle in (early, late):
        outcome = battle.when(action).outcome
        assert isinstance(outcome, Refusal)
        assert outcome.code == "encounter_not_running"


def test_options_are_frozen_at_the_start() -> None:
    outcome = duel().when({"type": "configure", "options": {"unseen_pct": 40}}).outcome
    assert isinstance(outcome, Refusal)
    assert outcome.code == "options_frozen"


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ({"x": 9, "y": 0}, "off_map"),
        ({"x": 8, "y": 8}, "off_map"),
        ({"x": 3, "y": 3}, "cell_impassable"),
        ({"x": 5, "y": 5}, "cell_impassable"),
        ({"x": 0, "y": 0}, "cell_occupied"),
        ({"x": 6, "y": 0}, None),
    ],
)
def test_nobody_comes_in_or_is_placed_where_there_is_no_room(place: Tree, code: str | None) -> None:
    walls = (border("v", 6, 5, wall=True),)
    ground = cells(cell(4, 4, wall=True), borders=walls, x=0, y=0, width=9, height=9)
    big = {"id": "n", "side": "red", "place": place, "size": 2, "health_max": 10}
    for change in (
        {"type": "add_combatant", "combatant": big},
        adjust("place", "big", place=place),
    ):
        corpse = at(6, 0, conditions=["dead"])
        more = {"big": at(7, 7, size=2), "corpse": corpse}
        outcome = duel(map=ground, **more).when(change, dice=dice_of(change, code)).outcome
        told = outcome.code if isinstance(outcome, Refusal) else None
        assert told == code


def dice_of(change: Tree, code: str | None) -> tuple[int, ...]:
    """Whoever comes in rolls initiative."""
    return (7,) if code is None and change["type"] == "add_combatant" else ()


def test_an_answer_is_one_of_the_choices() -> None:
    asked = leaving()
    outcome = asked.when(answer(asked.table, "a", {"type": "roll"})).outcome
    assert isinstance(outcome, Refusal)
    assert outcome.code == "wrong_choice"
