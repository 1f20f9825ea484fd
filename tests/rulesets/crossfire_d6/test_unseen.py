"""What somebody meets without having known of it: an outcome, never a refusal, and then known."""

from typing import Any

import pytest

from service.engine.kit.inspections import LineQuery
from service.engine.visibility.scope import GAME_MASTER
from service.errors import Refused
from service.rulesets.crossfire_d6.inspections import line
from tests.kit.table import Table, effects_of, tree_of
from tests.rulesets.crossfire_d6.setups import blade, fighter, in_progress, rifle, seated

Tree = dict[str, Any]
WALL = {"x": 2, "y": 0, "kind": "solid", "smoke": False, "dark": False, "elevation_ft": 0}
SMOKE = {**WALL, "kind": "free", "smoke": True}


def battle(*more: Tree, hidden: tuple[Tree, ...] = (), **setup: Any) -> Table:
    """Red a (whose turn it is) and blue t in a row, six cells apart."""
    combatants = [
        fighter("a", "red", 0, 0, weapons=[rifle(), blade(reach_ft=10)]),
        fighter("t", "blue", 6, 0, weapons=[rifle(), blade()]),
        *more,
    ]
    order = in_progress(*(each["id"] for each in combatants))
    ground = {"hidden_terrain": {"cells": list(hidden)}} if hidden else {}
    table = seated({"combatants": combatants, "battle": order, **ground, **setup})
    table.ask({"type": "start_encounter"})
    return table


def walk(combatant: str, *cells: tuple[int, int], **more: Any) -> Tree:
    path = [{"x": x, "y": y} for x, y in cells]
    return {"type": "move", "combatant": combatant, "path": path, **more}


def shot(combatant: str, target: str) -> Tree:
    return {
        "type": "ranged_attack",
        "combatant": combatant,
        "weapon": "rifle",
        "target": target,
    }


def blow(combatant: str, target: str) -> Tree:
    return {"type": "melee_attack", "combatant": combatant, "weapon": "blade", "target": target}


def spent(combatant: str, now: int = 1) -> Tree:
    return {
        "type": "resource_changed",
        "combatant": combatant,
        "resource": "actions",
        "now": now,
    }


def met(*cells: Tree) -> Tree:
    changes = [{"cell": cell} for cell in cells]
    return {"type": "terrain_changed", "cause": "met", "changes": changes, "secret": False}


def test_a_walk_ends_before_a_wall_that_nobody_knew_of() -> None:
    cover = {"form": "cells", "cells": [{"x": 4, "y": 1, "kind": "cover"}]}
    table = battle(hidden=(WALL,), map=cover)
    event = table.ask(walk("a", (1, 0), (2, 0), (3, 0), posture="in_cover"), "ann")
    assert effects_of(event) == [
        spent("a"),
        {
            "type": "moved",
            "combatant": "a",
            "manner": "walk",
            "start": {"x": 0, "y": 0},
            "path": [{"x": 1, "y": 0}],
            "end": {"x": 1, "y": 0},
            "cost": 5,
            "complete": False,
            "cause": "contact",
        },
        met(WALL),
        {"type": "posture_changed", "combatant": "a", "posture": "in_cover", "rule": "CF-POS-2"},
    ]
    with pytest.raises(Refused, match="cell_impassable"):
        table.ask(walk("a", (2, 0)), "ann")


def test_the_game_master_knows_of_the_wall_and_is_refused() -> None:
    with pytest.raises(Refused, match="cell_impassable"):
        battle(hidden=(WALL,)).ask(walk("a", (1, 0), (2, 0)))


def test_cover_that_turns_out_to_be_gone_is_lost_by_all_who_hid_behind_it() -> None:
    gone = {**WALL, "x": 5, "kind": "free"}
    cover = {"form": "cells", "cells": [{"x": 5, "y": 0, "kind": "cover"}]}
    people = [
        fighter("a", "red", 0, 0, weapons=[rifle()]),
        fighter("t", "blue", 6, 0, posture="in_cover"),
        fighter("u", "blue", 5, 1, posture="blocked"),
        fighter("v", "blue", 5, 2),
    ]
    setup = {"combatants": people, "map": cover, "hidden_terrain": {"cells": [gone]}}
    table = seated({**setup, "battle": in_progress("a", "t")})
    table.ask({"type": "start_encounter"})
    effects = effects_of(table.ask(shot("a", "t"), "ann"))
    lost = {"type": "posture_changed", "posture": "open", "cause": "cover_lost"}
    assert effects[:-1] == [
        spent("a"),
        met(gone),
        {**lost, "combatant": "t"},
        {**lost, "combatant": "u"},
    ]
    assert effects[-1]["detail"]["position"] == "open"


def test_a_diagonal_step_meets_the_corner_it_would_cut() -> None:
    table = battle(hidden=({**WALL, "x": 1, "y": 0},))
    effects = effects_of(table.ask(walk("a", (1, 1)), "ann"))
    assert [each["type"] for each in effects] == ["resource_changed", "moved", "terrain_changed"]
    assert (effects[1]["end"], effects[1]["path"]) == ({"x": 0, "y": 0}, [])


def test_a_walk_ends_before_somebody_unseen_who_is_seen_from_then_on() -> None:
    table = battle(fighter("h", "blue", 2, 0, hidden=True))
    effects: list[Any] = effects_of(table.ask(walk("a", (1, 0), (2, 0)), "ann"))
    assert [each["type"] for each in effects] == ["resource_changed", "moved", "revealed"]
    assert (effects[1]["complete"], effects[1]["cause"]) == (False, "contact")
    assert (effects[2]["combatant"]["id"], effects[2]["cause"]) == ("h", "contact")
    assert not table.combatant("h").hidden


def test_two_who_meet_unseen_are_both_seen() -> None:
    table = battle(fighter("s", "red", 0, 2, hidden=True), fighter("h", "blue", 2, 2, hidden=True))
    for combatant in ("a", "t"):
        table.ask({"type": "end_turn", "combatant": combatant})
    effects: list[Any] = effects_of(table.ask(walk("s", (1, 2), (2, 2)), "ann"))
    seen = [each["combatant"]["id"] for each in effects if each["type"] == "revealed"]
    assert seen == ["h", "s"]


def test_nobody_comes_to_rest_on_a_body_even_an_unseen_one() -> None:
    body = fighter("h", "blue", 2, 0, hidden=True, conditions=["dead"])
    table = battle(body)
    effects: list[Any] = effects_of(table.ask(walk("a", (1, 0), (2, 0)), "ann"))
    assert effects[1]["end"] == {"x": 1, "y": 0}
    assert effects[2]["combatant"]["id"] == "h"
    passed: list[Any] = effects_of(battle(body).ask(walk("a", (1, 0), (2, 0), (3, 0)), "ann"))
    assert [each["type"] for each in passed] == ["resource_changed", "moved"]
    assert passed[1]["complete"]


def test_a_walk_cut_short_over_a_body_ends_before_the_body() -> None:
    body = fighter("b", "red", 1, 0, conditions=["helpless"])
    table = battle(body, hidden=(WALL,))
    effects = effects_of(table.ask(walk("a", (1, 0), (2, 0)), "ann"))
    assert (effects[1]["end"], effects[1]["cost"]) == ({"x": 0, "y": 0}, 0)


def test_smoke_that_is_walked_into_is_known_but_stops_nobody() -> None:
    table = battle(hidden=(SMOKE,))
    effects = effects_of(table.ask(walk("a", (1, 0), (2, 0), (3, 0)), "ann"))
    assert effects[2:] == [met(SMOKE)]
    assert effects[1]["complete"]


def test_somebody_unseen_who_walks_into_it_tells_nobody() -> None:
    table = battle(fighter("h", "blue", 2, 1, hidden=True), hidden=(SMOKE,))
    for combatant in ("a", "t"):
        table.ask({"type": "end_turn", "combatant": combatant})
    effects = effects_of(table.ask(walk("h", (2, 0))))
    assert [each["type"] for each in effects] == ["resource_changed", "moved"]


def test_a_shot_at_a_wall_that_nobody_knew_of_is_spent_without_dice() -> None:
    table = battle(hidden=(WALL,))
    event = table.ask(shot("a", "t"), "ann")
    assert event.draws == ()
    effects: list[Any] = effects_of(event)
    assert effects[:2] == [spent("a"), met(WALL)]
    assert effects[2:] == [
        {
            "type": "attack_resolved",
            "target": "t",
            "outcome": "obstructed",
            "detail": {
                "attacker": "a",
                "item": "rifle",
                "mode": "ranged",
                "breakdown": [],
                "distance_ft": 30,
                "attacked_from": "side",
                "position": "blocked",
                "line": [{"x": 0, "y": 0}, {"x": 6, "y": 0}],
                "obscured": False,
                "critical": False,
                "reckless": False,
            },
        }
    ]
    with pytest.raises(Refused, match="line_of_sight_blocked"):
        table.ask(shot("a", "t"), "ann")


def test_a_wall_of_two_unseen_corners_is_met_whole() -> None:
    pinch = ({**WALL, "x": 1, "y": 0}, {**WALL, "x": 0, "y": 1})
    table = battle(fighter("u", "blue", 2, 2), hidden=pinch)
    effects = effects_of(table.ask(shot("a", "u"), "ann"))
    assert effects[1] == met(pinch[1], pinch[0])
    assert effects[2]["outcome"] == "obstructed"


def test_a_wall_behind_the_first_that_also_stops_the_shot_is_met_as_well() -> None:
    walls = (WALL, {**WALL, "y": 1})
    setup = {
        "combatants": [
            fighter("a", "red", 0, 0, size=2, weapons=[rifle()]),
            fighter("t", "blue", 6, 0, size=2),
        ],
        "battle": in_progress("a", "t"),
        "hidden_terrain": {"cells": list(walls)},
    }
    table = seated(setup)
    table.ask({"type": "start_encounter"})
    effects = effects_of(table.ask(shot("a", "t"), "ann"))
    assert effects[:3] == [spent("a"), met(walls[0]), met(walls[1])]
    assert [each["outcome"] for each in effects[3:]] == ["obstructed"]
    assert table.state.rule.secrets == ()


def test_a_shot_through_unseen_smoke_makes_it_known_and_counts_it() -> None:
    table = battle(hidden=(SMOKE,))
    event = table.ask(shot("a", "t"), "ann")
    effects: list[Any] = effects_of(event)
    assert effects[1] == met(SMOKE)
    lines = effects[2]["detail"]["breakdown"]
    assert [(line["rule"], line["amount"]) for line in lines] == [("CF-OBSC-1", -2)]
    assert len(event.draws) == 3


def test_a_blow_at_an_unseen_wall_is_spent_without_dice() -> None:
    hidden = {**WALL, "x": 1}
    table = battle(fighter("u", "blue", 2, 0), hidden=(hidden,))
    event = table.ask(blow("a", "u"), "ann")
    effects: list[Any] = effects_of(event)
    assert event.draws == ()
    assert effects[1] == met(hidden)
    assert (effects[2]["outcome"], effects[2]["detail"]["mode"]) == ("obstructed", "melee")


@pytest.mark.parametrize("counts", [True, False])
def test_a_blow_meets_cover_that_is_gone_only_where_cover_counts_in_melee(counts: bool) -> None:
    gone = {**WALL, "x": 1, "kind": "free"}
    table = battle(
        fighter("u", "blue", 2, 0, posture="in_cover"),
        hidden=(gone,),
        map={"form": "cells", "cells": [{"x": 1, "y": 0, "kind": "cover"}]},
        options={"cover_vs_melee": counts},
    )
    effects = effects_of(table.ask(blow("a", "u"), "ann"))
    assert (met(gone) in effects) == counts
    [attack] = [each for each in effects if each["type"] == "attack_resolved"]
    assert attack["detail"].get("position") == ("open" if counts else None)


def test_a_wall_that_is_only_thought_to_stand_stops_nobody_who_knows_better() -> None:
    gone = {**WALL, "kind": "free"}
    table = battle(
        hidden=(gone,), map={"form": "cells", "cells": [{"x": 2, "y": 0, "kind": "solid"}]}
    )
    with pytest.raises(Refused, match="line_of_sight_blocked"):
        table.ask(shot("a", "t"), "ann")
    effects = effects_of(table.ask(shot("a", "t")))
    assert effects[1] == met(gone)


def test_an_attack_out_of_hiding_shows_the_attacker_and_its_dice_to_everyone() -> None:
    table = battle(fighter("h", "red", 0, 3, weapons=[rifle()], hidden=True))
    for combatant in ("a", "t"):
        table.ask({"type": "end_turn", "combatant": combatant})
    event = table.ask(shot("h", "t"), "ann")
    effects: list[Any] = effects_of(event)
    assert [each["type"] for each in effects] == [
        "resource_changed",
        "revealed",
        "attack_resolved",
    ]
    assert effects[1]["cause"] == "attack"
    assert {draw.stream for draw in event.draws} == {0}
    seen: Any = table.shown(event.seq, "eve")
    assert [each["type"] for each in seen["effects"]] == ["revealed", "attack_resolved"]


def test_an_attack_that_does_not_reveal_draws_on_the_side_s_own_stream() -> None:
    hider = fighter("h", "red", 0, 3, weapons=[rifle(attack_dice=8)], hidden=True)
    options = {"attack_reveals": False}
    table = battle(hider, options=options)
    for combatant in ("a", "t"):
        table.ask({"type": "end_turn", "combatant": combatant})
    event = table.ask(shot("h", "t"), "ann")
    assert {draw.stream for draw in event.draws} == {1}
    shown: Any = table.shown(event.seq, "bob")
    assert (shown["draws"], "action" in shown) == ([], False)
    assert [sorted(each) for each in shown["effects"]] == [["outcome", "target", "type"]]
    assert table.combatant("h").hidden


def test_a_hidden_ally_counts_in_a_hidden_attack_of_his_own_side() -> None:
    both = {"weapons": [rifle()], "hidden": True}
    shooters = [fighter("h", "red", 6, 6, **both), fighter("i", "red", 6, -6, **both)]
    table = battle(*shooters, options={"attack_reveals": False})
    for combatant in ("a", "t"):
        table.ask({"type": "end_turn", "combatant": combatant})
    effects: list[Any] = effects_of(table.ask(shot("h", "t"), "ann"))
    lines = effects[1]["detail"]["breakdown"]
    assert [(line["rule"], line["amount"]) for line in lines if "XFIRE" in line["rule"]] == [
        ("CF-XFIRE-2", 1)
    ]


@pytest.mark.rule("CF-GEO-5")
def test_a_preview_names_the_line_that_the_shot_will_take() -> None:
    large = fighter("a", "red", 0, 0, size=2, weapons=[rifle()])
    setup = {
        "combatants": [large, fighter("t", "blue", 6, 0)],
        "battle": in_progress("a", "t"),
        "hidden_terrain": {"cells": [{**WALL, "x": 3}]},
    }
    table = seated(setup)
    table.ask({"type": "start_encounter"})
    told = tree_of(table.preview(shot("a", "t")))["facts"]
    effects: list[Any] = effects_of(table.ask(shot("a", "t")))
    detail = effects[1]["detail"]
    assert (detail["line"], detail["position"]) == ([{"x": 0, "y": 0}, {"x": 6, "y": 0}], "open")
    assert (told["line"], told["position"]) == (detail["line"], detail["position"])


@pytest.mark.rule("CF-GEO-5")
@pytest.mark.parametrize(
    "hidden", [{**WALL, "x": 3}, {**SMOKE, "x": 3}, {"x": 6, "y": 0, "elevation_ft": 40}]
)
def test_the_game_master_is_told_the_line_that_the_shot_will_take(hidden: Tree) -> None:
    large = fighter("a", "red", 0, 0, size=2, weapons=[rifle()])
    setup = {
        "combatants": [large, fighter("t", "blue", 6, 0)],
        "battle": in_progress("a", "t"),
        "hidden_terrain": {"cells": [hidden]},
    }
    table = seated(setup)
    table.ask({"type": "start_encounter"})
    told = line(table.state, LineQuery(attacker="a", target="t"), GAME_MASTER)
    facts = tree_of(table.preview(shot("a", "t")))["facts"]
    assert (tree_of(told.line), told.distance_ft) == (facts["line"], facts["distance_ft"])
    assert told.higher_ft == 0


@pytest.mark.rule("CF-ELEV-2")
def test_a_preview_counts_the_height_of_hidden_ground_that_the_shot_makes_known() -> None:
    rise = {**SMOKE, "x": 0, "elevation_ft": 10}
    table = battle(hidden=(rise,))
    told = tree_of(table.preview(shot("a", "t")))
    effects: list[Any] = effects_of(table.ask(shot("a", "t")))
    detail = effects[2]["detail"]
    assert [(each["rule"], each["amount"]) for each in detail["breakdown"]] == [
        ("CF-ELEV-2", 1),
        ("CF-OBSC-1", -2),
    ]
    assert (told["facts"]["breakdown"], told["facts"]["pool"]) == (detail["breakdown"], 4)
