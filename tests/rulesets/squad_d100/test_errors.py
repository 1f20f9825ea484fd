"""The catalogue's table of bad input, row by row: what is refused, by which rule, and why."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import pytest

from service.errors import Malformed, WarlogError
from service.rulesets.squad_d100 import RULESET
from tests.kit.given_when_then import Given, Refusal, opened
from tests.rulesets.squad_d100.duels import (
    BOMB,
    GUN,
    PISTOL,
    RIFLE,
    adjust,
    aimed,
    aimed_at,
    at,
    burst,
    cell,
    code,
    do,
    door,
    dual,
    duel,
    end,
    melee,
    path,
    snaps,
    stated,
    suppress,
    throw,
)
from tests.rulesets.squad_d100.examples import EXAMPLES, Tree

HANDS: Final[Tree] = {"weapons": [PISTOL | {"id": "p"}, PISTOL | {"id": "q"}, GUN]}
BOMBER: Final[Tree] = {"grenades": [BOMB]}
KNEELS: Final[Tree] = {"posture": "kneeling"}
EXAMPLE_25: Final = ["...█x", "...█.", ".....", "x...."]


class Row(NamedTuple):
    """One attempt in one battle."""

    action: Tree
    refusal: Refusal
    setup: Mapping[str, Any] = MappingProxyType({})
    by: str = "gm"
    before: tuple[tuple[Tree, tuple[int, ...]], ...] = ()

    @property
    def battle(self) -> Given:
        """S's turn, after what came before."""
        battle = duel(**self.setup)
        for action, dice in self.before:
            assert not isinstance(battle.when(action, dice=dice).outcome, Refusal)
        return battle


def no(code: str, rule: str | None = None, **params: Any) -> Refusal:
    """The answer to an attempt."""
    return Refusal(code, rule, params)


def bad(path: str, allowed: object, **more: Any) -> Refusal:
    """The answer to what cannot be read."""
    return Refusal("malformed", None, {"path": path, "allowed": allowed, **more})


def newcomer(x: int | None = None, y: int = 0, **more: Any) -> Tree:
    """Somebody joins."""
    place = {} if x is None else {"place": {"x": x, "y": y}}
    sheet = {"id": "new", "kind": "alien", "side": "blue", **place, **more}
    return {"type": "add_combatant", "combatant": sheet}


def first(action: Tree, *dice: int) -> tuple[tuple[Tree, tuple[int, ...]], ...]:
    """What came before the attempt."""
    return ((action, dice),)


ROWS: Final[dict[str, Row]] = {
    # --- what cannot be read ------------------------------------------------------------------
    "a target and a cell": Row(aimed(cell=cell(1, 0)), bad("$.target", "either target or cell")),
    "neither target nor cell": Row(
        do("aimed_shot", weapon="gun"), bad("$.target", "either target or cell")
    ),
    "a burst at both": Row(burst(cell=cell(1, 0)), bad("$.target", "either target or cell")),
    "a snap shot at both": Row(
        do("snap_shots", weapon="gun", targets=[{"target": "t", "cell": cell(1, 0)}]),
        bad("$.targets[0].target", "either target or cell"),
    ),
    "a snap shot at nothing": Row(
        do("snap_shots", weapon="gun", targets=[{}]),
        bad("$.targets[0].target", "either target or cell"),
    ),
    "weapons without dual": Row(
        do("snap_shots", weapons=["p", "q"], targets=[{"target": "t"}]),
        bad("$.weapons", "two with dual, else absent"),
    ),
    "dual with one weapon": Row(
        do("snap_shots", dual=True, weapons=["p"], targets=[{"target": "t"}]),
        bad("$.action.weapons", "Expected `array` of length >= 2"),
    ),
    "dual with three weapons": Row(
        do("snap_shots", dual=True, weapons=["p", "q", "r"], targets=[{"target": "t"}]),
        bad("$.action.weapons", "Expected `array` of length <= 2"),
    ),
    "dual with a weapon": Row(
        do("snap_shots", dual=True, weapon="p", targets=[{"target": "t"}]),
        bad("$.weapons", "two with dual, else absent"),
    ),
    "dual with weapon and weapons": Row(
        dual("p", "q", "t", weapon="gun"), bad("$.weapon", "absent with dual, else one")
    ),
    "snap shots without a weapon": Row(
        do("snap_shots", targets=[{"target": "t"}]), bad("$.weapon", "absent with dual, else one")
    ),
    "no targets": Row(snaps(), bad("$.action.targets", "Expected `array` of length >= 1")),
    "nine targets": Row(
        snaps(*["t"] * 9), bad("$.action.targets", "Expected `array` of length <= 8")
    ),
    "an empty path": Row(path(), bad("$.action.path", "Expected `array` of length >= 1")),
    "a path of 65 cells": Row(
        path(*[(1, 0)] * 65), bad("$.action.path", "Expected `array` of length <= 64")
    ),
    "a modifier of 1001": Row(
        aimed(gm_modifier=1001), bad("$.action.gm_modifier", "Expected `int` <= 1000")
    ),
    "a modifier that is a float": Row(
        aimed(gm_modifier=1.5), bad("$.action.gm_modifier", "Expected `int`, got `float`")
    ),
    "a modifier that is a boolean": Row(
        aimed(gm_modifier=True), bad("$.action.gm_modifier", "Expected `int`, got `bool`")
    ),
    "the face of a die": Row(
        aimed(roll=1),
        bad(
            "$.action",
            "Object contains unknown field `roll`",
            known=["type", "combatant", "gm_modifier", "weapon", "target", "cell"],
        ),
    ),
    "a suppression of a cell": Row(
        do("suppress", weapon="gun", cell=cell(1, 0)),
        bad(
            "$.action",
            "Object contains unknown field `cell`",
            known=["type", "combatant", "weapon", "target"],
        ),
    ),
    "a modifier of a suppression": Row(
        suppress() | {"gm_modifier": 5},
        bad(
            "$.action",
            "Object contains unknown field `gm_modifier`",
            known=["type", "combatant", "weapon", "target"],
        ),
    ),
    # --- who may ---------------------------------------------------------------------------------
    "a modifier from a player": Row(
        aimed(gm_modifier=5), no("gm_only", action="aimed_shot", field="gm_modifier"), by="red"
    ),
    "no modifier from a player": Row(
        aimed(gm_modifier=0), no("gm_only", action="aimed_shot", field="gm_modifier"), by="red"
    ),
    "somebody else's fighter": Row(
        aimed("s", "t"), no("not_your_combatant", combatant="t"), by="red"
    ),
    # --- whose turn ------------------------------------------------------------------------------
    "nobody of that id": Row(end("nobody"), no("unknown_combatant", combatant="nobody")),
    "a shot out of turn": Row(aimed("s", "t"), no("not_your_turn", combatant="t")),
    "a walk out of turn": Row(path((4, 1), combatant="t"), no("not_your_turn", combatant="t")),
    "an end out of turn": Row(end("t"), no("not_your_turn", combatant="t")),
    "somebody who is down": Row(
        end("t"), no("combatant_down", combatant="t"), {"t": {"health": 0}}
    ),
    # --- phases ----------------------------------------------------------------------------------
    "a walk after the phase of movement": Row(
        path((0, 1)),
        no("wrong_phase", "SQ-TURN-1", combatant="s", phase="shooting"),
        before=first(do("end_movement")),
    ),
    "kneeling after it": Row(
        do("kneel"),
        no("wrong_phase", "SQ-TURN-1", combatant="s", phase="shooting"),
        before=first(do("end_movement")),
    ),
    "standing up after it": Row(
        do("stand"),
        no("wrong_phase", "SQ-TURN-1", combatant="s", phase="shooting"),
        {"s": KNEELS},
        before=first(do("end_movement")),
    ),
    "a door after it": Row(
        door(1, 0),
        no("wrong_phase", "SQ-TURN-1", combatant="s", phase="shooting"),
        before=first(do("end_movement")),
    ),
    "picking up after it": Row(
        do("pick_up"),
        no("wrong_phase", "SQ-TURN-1", combatant="s", phase="shooting"),
        before=first(do("end_movement")),
    ),
    "a sprint after it": Row(
        do("sprint"),
        no("wrong_phase", "SQ-TURN-1", combatant="s", phase="shooting"),
        before=first(do("end_movement")),
    ),
    "the end of the phase twice": Row(
        do("end_movement"),
        no("wrong_phase", "SQ-TURN-1", combatant="s", phase="shooting"),
        before=first(do("end_movement")),
    ),
    # --- steps -----------------------------------------------------------------------------------
    "a step of two cells": Row(path((2, 0)), no("not_a_step", step=0, x=2, y=0)),
    "a step of no cells": Row(path((0, 0)), no("not_a_step", step=0, x=0, y=0)),
    "a second step of two cells": Row(path((1, 0), (3, 0)), no("not_a_step", step=1, x=3, y=0)),
    "a step off the map": Row(
        path((0, -1)), no("out_of_map", height=8, step=0, width=12, x=0, y=-1)
    ),
    "a step off a small map": Row(
        path((1, 1), (1, 2)),
        no("out_of_map", height=2, step=1, width=5, x=1, y=2),
        {"map": ["....."] * 2},
    ),
    "a step into a wall": Row(
        path((0, 1)), no("cell_blocked", "SQ-MOVE-5", step=0, x=0, y=1), {"map": [".....", "█...."]}
    ),
    "a step into an X": Row(
        path((0, 1)), no("cell_blocked", "SQ-MOVE-5", step=0, x=0, y=1), {"map": [".....", "X...."]}
    ),
    "a step into a low thing": Row(
        path((0, 1)), no("cell_blocked", "SQ-MOVE-5", step=0, x=0, y=1), {"map": [".....", "|...."]}
    ),
    "a step into cargo": Row(
        path((0, 1)), no("cell_blocked", "SQ-MOVE-5", step=0, x=0, y=1), {"map": [".....", "E...."]}
    ),
    "a step into fuel": Row(
        path((0, 1)), no("cell_blocked", "SQ-MOVE-5", step=0, x=0, y=1), {"map": [".....", "F...."]}
    ),
    "a step into a closed door": Row(
        path((0, 1)), no("cell_blocked", "SQ-MOVE-5", step=0, x=0, y=1), {"map": [".....", "D...."]}
    ),
    "a step onto an enemy": Row(
        path((1, 0)), no("cell_occupied", "SQ-MOVE-5", step=0, x=1, y=0), {"t": at(1, 0)}
    ),
    "a step between two walls": Row(
        path((1, 1)),
        no("corner_blocked", "SQ-MOVE-4", step=0, x=1, y=1),
        {"map": [".█...", "█...."]},
    ),
    "a step past one wall": Row(
        path((1, 1)),
        no("corner_blocked", "SQ-MOVE-4", step=0, x=1, y=1),
        {"map": [".█...", "....."], "options": {"corner_rule": "any"}},
    ),
    "a point too many": Row(
        path((1, 0), (2, 0)),
        no("not_enough_mp", "SQ-MOVE-2", left=3, needed=4),
        {"s": {"agility": 7}},
    ),
    "a point too many, diagonally": Row(
        path((1, 1)), no("not_enough_mp", "SQ-MOVE-3", left=5, needed=6), {"s": {"agility": 5}}
    ),
    "a step on the knee": Row(
        path((0, 1)), no("kneeling_cannot_move", "SQ-POSE-5", combatant="s"), {"s": KNEELS}
    ),
    # --- poses, doors, things --------------------------------------------------------------------
    "kneeling twice": Row(do("kneel"), no("already_kneeling", combatant="s"), {"s": KNEELS}),
    "kneeling for 3 points": Row(
        do("kneel"), no("not_enough_mp", "SQ-POSE-1", left=3, needed=4), {"s": {"agility": 3}}
    ),
    "standing up twice": Row(do("stand"), no("not_kneeling", combatant="s")),
    "standing up for 7 points": Row(
        do("stand"),
        no("not_enough_mp", "SQ-POSE-4", left=7, needed=8),
        {"s": KNEELS | {"agility": 7}},
    ),
    "sprinting twice": Row(
        do("sprint"), no("already_sprinted", combatant="s"), before=first(do("sprint"))
    ),
    "a door two cells away": Row(
        door(2, 0), no("not_adjacent", "SQ-DOOR-1", distance=2, x=2, y=0), {"map": ["..D.."]}
    ),
    "the door one stands in": Row(
        door(0, 0),
        no("not_adjacent", "SQ-DOOR-1", distance=0, x=0, y=0),
        {"map": ["D...."], "options": {"doors_open": True}},
    ),
    "no door": Row(door(1, 0), no("not_a_door", "SQ-DOOR-1", x=1, y=0)),
    "no door off the map": Row(door(0, -1), no("not_a_door", "SQ-DOOR-1", x=0, y=-1)),
    "closing a door on somebody": Row(
        door(1, 0),
        no("cell_occupied", "SQ-DOOR-1", x=1, y=0),
        {"map": [".D..."], "options": {"doors_open": True}, "t": at(1, 0)},
    ),
    "a door for 3 points": Row(
        door(1, 0),
        no("not_enough_mp", "SQ-DOOR-1", left=3, needed=4),
        {"map": [".D..."], "s": {"agility": 3}},
    ),
    "nothing to pick up": Row(do("pick_up"), no("nothing_here", "SQ-LOOT-1", x=0, y=0)),
    "picking up for 3 points": Row(
        do("pick_up"),
        no("not_enough_mp", "SQ-LOOT-1", left=3, needed=4),
        {"map": ["W...."], "s": {"agility": 3}},
    ),
    # --- the phase of shooting -------------------------------------------------------------------
    "a shot after a sprint": Row(
        aimed(), no("shooting_phase_lost", "SQ-SPRINT-1"), before=first(do("sprint"))
    ),
    "a blow after a sprint": Row(
        melee(), no("shooting_phase_lost", "SQ-SPRINT-1"), before=first(do("sprint"))
    ),
    "the end of movement after a sprint": Row(
        do("end_movement"), no("shooting_phase_lost", "SQ-SPRINT-1"), before=first(do("sprint"))
    ),
    "a reload after a sprint": Row(
        do("reload", weapon="gun"),
        no("shooting_phase_lost", "SQ-SPRINT-1"),
        before=first(do("sprint")),
    ),
    "a shot after a shot": Row(
        aimed(), no("shooting_phase_used", "SQ-SHOOT-1"), before=first(aimed(), 99)
    ),
    "a throw after a shot": Row(
        throw(2, 0),
        no("shooting_phase_used", "SQ-SHOOT-1"),
        {"s": BOMBER},
        before=first(aimed(), 99),
    ),
    "a shot after a reload": Row(
        aimed(), no("shooting_phase_used", "SQ-SHOOT-1"), before=first(do("reload", weapon="gun"))
    ),
    # --- shots -----------------------------------------------------------------------------------
    "no such weapon": Row(aimed(weapon="bow"), no("unknown_weapon", allowed=["gun"], weapon="bow")),
    "no such weapon to reload": Row(
        do("reload", weapon="bow"), no("unknown_weapon", allowed=["gun"], weapon="bow")
    ),
    "no such weapon of two": Row(
        dual("p", "bow", *["t"] * 4),
        no("unknown_weapon", allowed=["p", "q", "gun"], weapon="bow"),
        {"s": HANDS},
    ),
    "three targets": Row(
        snaps("t", "t", "t"), no("bad_target_count", "SQ-SHOOT-3", allowed=2, count=3)
    ),
    "one target": Row(snaps("t"), no("bad_target_count", "SQ-SHOOT-3", allowed=2, count=1)),
    "two targets with two hands": Row(
        dual("p", "q", "t", "t"),
        no("bad_target_count", "SQ-SHOOT-8", allowed=4, count=2),
        {"s": HANDS},
    ),
    "four targets with two hands, one shot each": Row(
        dual("p", "q", *["t"] * 4),
        no("bad_target_count", "SQ-SHOOT-8", allowed=2, count=4),
        {"s": HANDS, "options": {"dual_shots_per_hand": 1}},
    ),
    "the same pistol twice": Row(
        dual("p", "p", *["t"] * 4), no("same_weapon_twice", "SQ-SHOOT-8", weapon="p"), {"s": HANDS}
    ),
    "two hands with a rifle": Row(
        dual("p", "gun", *["t"] * 4),
        no("weapon_not_dual", "SQ-SHOOT-8", allowed=["pistol", "revolver"], weapon="gun"),
        {"s": HANDS},
    ),
    "nobody there": Row(aimed("nobody"), no("unknown_target", target="nobody")),
    "a cell off the map": Row(aimed_at(0, -1), no("unknown_target", x=0, y=-1)),
    "oneself": Row(aimed("s"), no("target_self", target="s")),
    "a second target that is oneself": Row(snaps("t", "s"), no("target_self", target="s")),
    "somebody down": Row(
        aimed(), no("target_down", "SQ-WOUND-6", target="t"), {"t": {"health": 0}}
    ),
    "a cell of floor": Row(aimed_at(1, 0), no("not_a_target", "SQ-EXP-1", x=1, y=0)),
    "the cell of somebody": Row(aimed_at(4, 0), no("not_a_target", "SQ-EXP-1", x=4, y=0)),
    "a shot through an X": Row(
        aimed(), no("no_line_of_shot", "SQ-LOS-3", x=4, y=0), {"map": ["..X.."]}
    ),
    "a shot through a wall": Row(
        aimed(), no("no_line_of_shot", "SQ-LOS-3", x=4, y=0), {"map": ["..█.."]}
    ),
    "a shot through a closed door": Row(
        aimed(), no("no_line_of_shot", "SQ-LOS-3", x=4, y=0), {"map": ["..D.."]}
    ),
    "a shot at cargo behind a wall": Row(
        aimed_at(2, 0), no("no_line_of_shot", "SQ-LOS-3", x=2, y=0), {"map": [".█E.."]}
    ),
    "no rounds": Row(
        aimed(),
        no("not_enough_ammo", "SQ-SHOOT-9", needed=1, rounds=0, weapon="gun"),
        {"s": {"weapons": [GUN | {"magazine": 5, "rounds": 0}]}},
    ),
    "one round for two snap shots": Row(
        snaps("t", "t"),
        no("not_enough_ammo", "SQ-SHOOT-9", needed=2, rounds=1, weapon="gun"),
        {"s": {"weapons": [GUN | {"rounds": 1}]}},
    ),
    "one round in the second hand": Row(
        dual("p", "q", *["t"] * 4),
        no("not_enough_ammo", "SQ-SHOOT-9", needed=2, rounds=1, weapon="q"),
        {"s": {"weapons": [PISTOL | {"id": "p"}, PISTOL | {"id": "q", "rounds": 1}]}},
    ),
    "four rounds for a burst": Row(
        burst(),
        no("not_enough_ammo", "SQ-SHOOT-9", needed=5, rounds=4, weapon="gun"),
        {"s": {"weapons": [RIFLE | {"rounds": 4}]}},
    ),
    "four rounds for a burst of one roll": Row(
        burst(),
        no("not_enough_ammo", "SQ-SHOOT-9", needed=5, rounds=4, weapon="gun"),
        {"s": {"weapons": [RIFLE | {"rounds": 4}]}, "options": {"burst_rolls": "single"}},
    ),
    "fourteen rounds for a suppression": Row(
        suppress(),
        no("not_enough_ammo", "SQ-SHOOT-9", needed=15, rounds=14, weapon="gun"),
        {"s": {"weapons": [RIFLE | {"rounds": 14}]}},
    ),
    "a burst of a pistol": Row(
        burst(),
        no("weapon_not_automatic", "SQ-SHOOT-4", weapon="gun"),
        {"s": {"weapons": [PISTOL]}},
    ),
    "a suppression with a pistol": Row(
        suppress(),
        no("weapon_not_automatic", "SQ-SUP-1", weapon="gun"),
        {"s": {"weapons": [PISTOL]}},
    ),
    # --- grenades and blows ----------------------------------------------------------------------
    "no such grenade": Row(
        throw(2, 0, grenade="spoon"), no("no_grenade", allowed=["bomb"], grenade="spoon")
    ),
    "no grenade left": Row(
        throw(2, 0),
        no("no_grenade", allowed=[], grenade="bomb"),
        {"s": {"grenades": [BOMB | {"count": 0}]}},
    ),
    "a throw off the map": Row(
        throw(0, -1), no("out_of_map", height=8, width=12, x=0, y=-1), {"s": BOMBER}
    ),
    "a throw of 21 cells": Row(
        throw(21, 0),
        no("out_of_throw_range", "SQ-GREN-1", distance=21, longest=20),
        {"s": BOMBER | {"strength": 41}, "map": ["." * 22]},
    ),
    "a throw over a wall": Row(
        throw(3, 0), no("no_throw_line", "SQ-LOS-3", x=3, y=0), {"s": BOMBER, "map": ["..█.."]}
    ),
    "a throw at a wall": Row(
        throw(2, 0), no("cell_blocked", "SQ-GREN-2", x=2, y=0), {"s": BOMBER, "map": ["..█.."]}
    ),
    "a throw at a closed door": Row(
        throw(2, 0), no("cell_blocked", "SQ-GREN-2", x=2, y=0), {"s": BOMBER, "map": ["..D.."]}
    ),
    "a blow at nobody": Row(melee("nobody"), no("unknown_target", target="nobody")),
    "a blow at oneself": Row(melee("s"), no("target_self", target="s")),
    "a blow at somebody down": Row(
        melee(), no("target_down", "SQ-WOUND-6", target="t"), {"t": at(1, 0, health=0)}
    ),
    "a blow two cells away": Row(
        melee(), no("out_of_reach", "SQ-MELEE-3", distance=2, longest=1), {"t": at(2, 0)}
    ),
    "a blow through a wall": Row(
        melee(),
        no("no_line_of_shot", "SQ-LOS-3", x=2, y=0),
        {"t": at(2, 0), "map": [".█..."], "options": {"melee_reach": 2}},
    ),
    # --- after the start -------------------------------------------------------------------------
    "options after the start": Row(
        {"type": "configure", "options": {"door_cost": 5}}, no("options_frozen", action="configure")
    ),
    "a map after the start": Row(
        {"type": "configure", "map": {"text": "..."}}, no("options_frozen", action="configure")
    ),
    "a newcomer off the map": Row(newcomer(12, 0), no("out_of_map", x=12, y=0)),
    "a newcomer in a wall": Row(newcomer(2, 0), no("cell_blocked", x=2, y=0), {"map": ["..█.."]}),
    "a newcomer in a closed door": Row(
        newcomer(2, 0), no("cell_blocked", x=2, y=0), {"map": ["..D.."]}
    ),
    "a newcomer where somebody is": Row(newcomer(4, 0), no("cell_occupied", x=4, y=0)),
    "a newcomer of somebody's id": Row(
        newcomer(1, 0, id="t"), no("duplicate_combatant", combatant="t", taken="t")
    ),
    "a newcomer of no side of the battle": Row(
        newcomer(1, 0, side="green"),
        no("unknown_side", allowed=["red", "blue", "aliens", "squad", "neutral"], side="green"),
    ),
    "a newcomer without a cell": Row(
        newcomer(), no("no_reserved_cell", "SQ-MAP-4", combatant="new")
    ),
    "the same character again": Row(
        newcomer(1, 1, kind="named", character="the_watchman"),
        no("map_duplicate_named", character="the_watchman"),
        {"t": {"kind": "named", "character": "the_watchman"}},
    ),
    "a named one who is no character": Row(
        newcomer(1, 1, kind="named"), bad("$.combatant.character", "one for named, else absent")
    ),
    "an alien who is a character": Row(
        newcomer(1, 1, character="the_watchman"),
        bad("$.combatant.character", "one for named, else absent"),
    ),
    "somebody put off the map": Row(
        adjust("place", place={"x": 0, "y": 8}), no("out_of_map", x=0, y=8)
    ),
    "somebody put into a wall": Row(
        adjust("place", place={"x": 2, "y": 0}), no("cell_blocked", x=2, y=0), {"map": ["..█.."]}
    ),
    "somebody put onto somebody": Row(
        adjust("place", place={"x": 0, "y": 0}), no("cell_occupied", x=0, y=0)
    ),
    "ground off the map": Row(
        {"type": "set_terrain", "cells": [{"x": 0, "y": 8, "terrain": "wall"}]},
        no("out_of_map", x=0, y=8),
    ),
    "an attribute of 1001": Row(
        adjust("stat", stat="agility", value=1001), bad("$.changes[0].value", "0 to 1000")
    ),
    "a negative attribute": Row(
        adjust("stat", stat="agility", value=-1), bad("$.changes[0].value", "0 to 1000")
    ),
    "more rounds than fit": Row(
        adjust("resource", resource="rounds", item="gun", value=1001),
        bad("$.changes[0].value", "0 to 1000"),
    ),
    "points of somebody else's turn": Row(
        adjust("resource", resource="mp", value=5), no("not_your_turn", combatant="t", turn="s")
    ),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_bad_input_is_refused_with_its_whole_answer(row: Row) -> None:
    assert row.battle.when(row.action, by=row.by).outcome == row.refusal


def test_the_checks_of_a_step_come_in_the_order_of_the_catalogue() -> None:
    """Each attempt has every later fault, too."""
    rows = ["...█", "██..", "....", "...."]
    battle = duel({"agility": 5}, at(1, 2), map=rows, u=at(2, 0))
    attempts = [
        (path((0, -5)), "out_of_map"),
        (path((3, 0)), "not_a_step"),
        (path((0, 1)), "cell_blocked"),
        (path((1, 0), (2, 0)), "cell_occupied"),
        (path((1, 0), (9, 9)), "out_of_map"),
    ]
    for action, refusal in attempts:
        assert code(battle.when(action)) == refusal, action
    corner = duel({"agility": 3}, at(1, 1), map=[".█..", "█...", "...."])
    assert code(corner.when(path((1, 1)))) == "cell_occupied"
    free = duel({"agility": 3}, at(3, 2), map=[".█..", "█...", "...."])
    assert code(free.when(path((1, 1)))) == "corner_blocked"
    # Step by step: what the second lacks is not looked at where the first cannot be paid.
    assert code(duel({"agility": 3}).when(path((0, 1), (9, 9)))) == "not_enough_mp"
    kneeling = duel({"agility": 3, **KNEELS})
    assert code(kneeling.when(path((0, -1)))) == "kneeling_cannot_move"


def test_the_common_checks_come_before_all_others() -> None:
    battle = duel({"agility": 0}, {"health": 0}, u=at(3, 3))
    assert code(battle.when(aimed("nobody", "nobody"))) == "unknown_combatant"
    assert code(battle.when(aimed("nobody", "t"))) == "combatant_down"
    assert code(battle.when(aimed("nobody", "u"))) == "not_your_turn"
    assert code(fresh().when(aimed("nobody", "nobody"))) == "encounter_not_running"


def test_points_are_nobodys_before_the_first_turn() -> None:
    points = adjust("resource", resource="mp", value=5)
    fresh().when(points).refused("not_your_turn", combatant="t")


def fresh() -> Given:
    """A battle that has not begun."""
    return Given(opened(RULESET, EXAMPLES.creation(stated(battle=None, s=at(0, 0), t=at(1, 0)))))


OPTIONS: Final[dict[str, tuple[Tree, str]]] = {
    "five columns": ({"universal_table": [[1, 2, 3]] * 5}, "bad_universal_table"),
    "a column that falls": ({"universal_table": [[50, 40, 90]] * 6}, "bad_universal_table"),
    "a bound over 100": ({"universal_table": [[1, 2, 101]] * 6}, "bad_universal_table"),
    "a bound below 0": ({"universal_table": [[-1, 2, 3]] * 6}, "bad_universal_table"),
    "two bounds": ({"universal_table": [[1, 2]] * 6}, "malformed"),
    "a side twice": ({"side_order": ["red", "red"]}, "malformed"),
    "a side of another battle": ({"side_order": ["green"]}, "unknown_side"),
    "a reach of 0": ({"melee_reach": 0}, "malformed"),
    "three shots of a hand": ({"dual_shots_per_hand": 3}, "malformed"),
    "a sight range of 0": ({"sight_range": 0}, "malformed"),
    "an eleventh critical success": ({"crit_success_max": 11}, "malformed"),
    "no such option": ({"luck": True}, "malformed"),
}


@pytest.mark.parametrize(("options", "refusal"), OPTIONS.values(), ids=OPTIONS)
def test_options_that_are_none_are_refused_at_creation_and_afterwards(
    options: Tree, refusal: str
) -> None:
    people = {"s": at(0, 0), "t": at(1, 0)}
    with pytest.raises(WarlogError) as refused:
        opened(RULESET, EXAMPLES.creation(stated(battle=None, options=options, **people)))
    assert refused.value.code == refusal
    fresh = Given(opened(RULESET, EXAMPLES.creation(stated(battle=None, **people))))
    assert code(fresh.when({"type": "configure", "options": options})) == refusal


SHEETS: Final[dict[str, Tree]] = {
    "a float": {"agility": 1.5},
    "a boolean": {"agility": True},
    "a text": {"agility": "30"},
    "over the limit": {"strength": 1001},
    "below it": {"accuracy": -1},
    "no health at all": {"health_max": 0},
    "armour of 101": {"armour_class": 101},
    "more rounds than fit": {"weapons": [GUN | {"magazine": 3, "rounds": 4}]},
    "two things of one id": {"weapons": [GUN], "grenades": [BOMB | {"id": "gun"}]},
    "more health than there can be": {"health": 101, "health_max": 100},
    "21 grenades": {"grenades": [BOMB | {"id": f"b{n}"} for n in range(21)]},
    "a radius of 21": {"grenades": [BOMB | {"radius": 21}]},
    "dice of one side": {"weapons": [GUN | {"damage": {"count": 1, "sides": 1}}]},
    "21 dice": {"weapons": [GUN | {"damage": {"count": 21, "sides": 6}}]},
}


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_sheets_beyond_their_bounds_cannot_be_read(sheet: Tree) -> None:
    with pytest.raises(Malformed):
        opened(RULESET, EXAMPLES.creation(stated(battle=None, s={**at(0, 0), **sheet})))


def test_a_battle_without_a_map_does_not_begin() -> None:
    battle = Given(opened(RULESET, EXAMPLES.creation({"options": {}})))
    assert code(battle.when({"type": "start_encounter"})) == "map_empty"
