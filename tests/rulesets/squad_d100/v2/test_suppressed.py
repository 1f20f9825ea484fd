"""What version 2 has otherwise: arcs in two cases, the duty in a wall, and nothing else."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import cycle, pairwise
from random import Random
from typing import Any, Final

import msgspec
import pytest
from msgspec import UNSET

from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.engine.kit.perception import perceive
from service.engine.log.canonical import encode
from service.errors import Refused
from service.rulesets import RULESETS
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.state import BattleState, is_down
from tests.kit.random_battles import ask, play
from tests.kit.table import SEED, Table, effects_of, seated, tree_of
from tests.kit.two_worlds import START, compare
from tests.replay.memory_audit import audit
from tests.rulesets.squad_d100 import oracle
from tests.rulesets.squad_d100.battles import random_setup
from tests.rulesets.squad_d100.setups import FREE, Tree, fighter, in_progress

FIRST, SECOND = (RULESETS["squad-d100", version] for version in ("1", "2"))
ARCS: Final = ("cone", "half_plane", "shooter")
COLOURS: Final = ("red", "green", "blue")
ROUND: Final = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y]

Cell = tuple[int, int]


def battle(
    *people: Tree, rows: str = FREE, options: Tree | None = None, ruleset: Any = SECOND
) -> Table:
    """A battle under way; the turns go round in this order."""
    setup = {
        "map": {"text": rows},
        "combatants": list(people),
        "battle": in_progress(*(each["id"] for each in people)),
        "options": options or {},
    }
    table = seated(ruleset, setup, dice="supplied")
    table.ask(START)
    return table


def walk(combatant: str, *cells: Cell) -> Tree:
    """A walk."""
    return {"type": "move", "combatant": combatant, "path": [at(cell) for cell in cells]}


def at(cell: Cell) -> Tree:
    """A cell as actions name it."""
    return {"x": cell[0], "y": cell[1]}


def watcher(x: int, y: int, by: str, **more: object) -> Tree:
    """Blue's t, on watch and suppressed, who notices anybody."""
    sheet = {"accuracy": 1000, "conditions": ["watch"], "suppressions": [{"by": by}]}
    return fighter("t", "blue", x, y, **{**sheet, **more})


def of_type(table: Table, kind: str) -> list[Tree]:
    """The effects of one type, of the last event."""
    return [each for each in effects_of(table.events[-1]) if each["type"] == kind]


# --- SQ-SUP-4: arcs -------------------------------------------------------------------------------


@pytest.mark.rule("SQ-SUP-4")
@pytest.mark.parametrize("arc", ARCS)
@pytest.mark.parametrize("is_hidden", [False, True])
def test_a_walking_suppressor_bars_the_way_to_where_he_is_now(arc: str, is_hidden: bool) -> None:
    for dx, dy in ROUND:
        if (dx, dy) == (0, -1):
            continue
        table = battle(
            fighter("s", "red", 4, 3),
            watcher(4, 2, "s", hidden=is_hidden),
            options={"suppression_arc": arc},
        )
        table.ask(walk("s", (4 + dx, 3 + dy)), "gm", (50,))
        assert [each["why"] for each in of_type(table, "vigilance_no_shot")] == ["suppressed"]


@pytest.mark.rule("SQ-SUP-4")
def test_a_reaction_into_the_arc_of_somebody_unknown_is_wasted_once_it_is_fired() -> None:
    """The watcher is known by it as by any shot, if the table wants it so."""
    table = battle(
        fighter("a", "red", 1, 1), watcher(5, 0, "h", hidden=True), fighter("h", "green", 0, 0)
    )
    table.ask({"type": "adjust", "changes": [{"type": "hide", "combatant": "h"}]})
    event = table.ask(walk("a", (1, 0)), "gm", (50,))
    assert [each["type"] for each in effects_of(event)] == [
        "resource_changed",
        "moved",
        "check_resolved",
        "condition_lost",
        "resource_changed",
        "revealed",
        "attack_resolved",
    ]
    [shot] = of_type(table, "attack_resolved")
    assert shot["outcome"] == "wasted"
    assert shot["detail"]["why"] == "suppressed_arc"
    assert (table.combatant("t").hidden, table.combatant("t").weapons[0].rounds) == (False, 59)


@pytest.mark.rule("SQ-SUP-4")
@pytest.mark.parametrize("is_hidden", [False, True])
def test_a_wasted_reaction_tells_nothing_more_of_who_suppresses(is_hidden: bool) -> None:
    near, far = (
        battle(
            fighter("a", "red", 1, 1),
            watcher(5, 0, "h", hidden=is_hidden),
            fighter("h", "green", *cell, hidden=True),
            options={"attack_reveals": False},
        )
        for cell in ((3, 0), (0, 4))
    )
    step = walk("a", (1, 0))
    first, second = (table.ask(step, "gm", (50,)) for table in (near, far))
    compare(near, far, first, second)
    for by in ("ann", "bob", "eve"):
        assert b'"h"' not in encode(near.shown(first.seq, by))
    seen: Any = near.shown(first.seq, "ann")
    [shot] = [each for each in seen["effects"] if each["type"] == "attack_resolved"]
    told = {"type": "attack_resolved", "target": "a", "outcome": "wasted"}
    detail = {"detail": shot.get("detail")} if not is_hidden else {}
    assert shot == told | detail


# --- SQ-SUP-5: out of a wall ----------------------------------------------------------------------


def in_wall(number: int) -> Table:
    """T's turn, suppressed, in a wall, which was laid under him."""
    dice = Random(number)
    glyphs = ".......██|E" + "x" * (number % 3)
    rows = ["".join(dice.choice(glyphs) for _ in range(8)) for _ in range(6)]
    free = [(x, y) for y in range(6) for x in range(8) if rows[y][x] == "."]
    here, *others = dice.sample(free, 4)
    mover = fighter("t", "blue", *here, suppressions=[{"by": "e0", "due": True}])
    people = [fighter(f"e{n}", "red", *cell) for n, cell in enumerate(others)]
    options = {"corner_rule": dice.choice(["both", "any"])}
    table = battle(mover, *people, rows="\n".join(rows), options=options)
    table.ask({"type": "set_terrain", "cells": [{**at(here), "terrain": "wall"}]})
    return table


def prices_of(table: Table) -> tuple[int | None, Mapping[Cell, int]]:
    """D of t's cell, which is what it would be if that were floor, and D of all others."""
    rule, rows = table.state.rule, ground_of(table.state).rows
    x, y = cell_of(table.combatant("t"))
    floor = [*rows[:y], f"{rows[y][:x]}.{rows[y][x + 1 :]}", *rows[y + 1 :]]
    taken = {cell_of(each) for each in rule.combatants if each.id != "t"}
    from_floor, from_wall = (
        oracle.prices_to_cover(each, taken, rule.options.corner_rule) for each in (floor, rows)
    )
    return from_floor.get((x, y)), from_wall


def refusal(number: int, action: Tree) -> str | None:
    """Why an action is refused, foreseen and decided alike; None if it is not."""
    codes: list[str | None] = []
    table = in_wall(number)
    for asked in (table.preview, table.ask):
        try:
            asked(action)
        except Refused as refused:
            codes.append(refused.code)
        else:
            codes.append(None)
    assert codes[0] == codes[1]
    return codes[0]


def offered(table: Table) -> Mapping[str, Any]:
    """The legal actions of t by their types."""
    return {node["example"]["type"]: node["params"] for node in tree_of(table.legal("t"))}


@pytest.mark.rule("SQ-SUP-5")
def test_out_of_a_wall_every_step_must_come_nearer_to_cover() -> None:
    told = set()
    for number in range(16):
        table = in_wall(number)
        price, prices = prices_of(table)
        x, y = cell_of(table.combatant("t"))
        nearer = set()
        for step in ((x + dx, y + dy) for dx, dy in ROUND):
            refused = refusal(number, walk("t", step))
            if refused in (None, "must_seek_cover"):
                is_nearer = price is None or prices.get(step, price) < price
                assert is_nearer is (refused is None)
                told.add((price is None, refused))
            if refused is None:
                nearer.add(step)
        ends = offered(table)["move"]["path"]["cells"] if nearer else []
        assert {(end["x"], end["y"]) for end in ends if len(end["path"]) == 1} == nearer
    assert told == {(True, None), (False, None), (False, "must_seek_cover")}


@pytest.mark.rule("SQ-SUP-5")
def test_in_a_wall_with_a_way_to_cover_nobody_kneels_or_ends_his_movement() -> None:
    told = set()
    for number in range(16):
        price, _ = prices_of(in_wall(number))
        expected = None if price is None else "must_seek_cover"
        for kind in ("kneel", "end_movement", "end_turn"):
            assert refusal(number, {"type": kind, "combatant": "t"}) == expected
            assert (kind in offered(in_wall(number))) is (price is None)
        told.add(expected)
    assert told == {None, "must_seek_cover"}


@pytest.mark.rule("SQ-SUP-5")
def test_the_nearest_cover_is_told_from_a_wall_as_the_duty_judges_it() -> None:
    [inspection] = [each for each in SECOND.inspections if each.name == "nearest_cover"]
    query = msgspec.convert({"combatant": "t"}, inspection.query)
    for number in range(16):
        table, viewer = in_wall(number), in_wall(number).viewer("bob")
        cover = tree_of(inspection.inspect(perceive(table.state, viewer), query, viewer))
        price, prices = prices_of(table)
        assert cover.get("price_mp") == price
        way = [cell_of(table.combatant("t")), *((each["x"], each["y"]) for each in cover["path"])]
        spent = sum(6 if a[0] != b[0] and a[1] != b[1] else 4 for a, b in pairwise(way))
        assert (spent, prices.get(way[-1])) == ((0, None) if price is None else (price, 0))


# --- the version before ---------------------------------------------------------------------------


def pinned(number: int) -> Tree:
    """A random battle: all are on watch, the green hidden, and pinned down by two whom they face.

    The green are pinned down by others, who may walk past them, and all others by the green.
    """
    dice = Random(number)
    setup = random_setup(number, is_pasted=False)
    sides = dict(zip([each["id"] for each in setup["combatants"]], cycle(COLOURS), strict=False))
    people = []
    for each in setup["combatants"]:
        is_green = sides[each["id"]] == "green"
        facing = [name for name, side in sides.items() if (side == "green") is not is_green]
        told = {"side": sides[each["id"]], "hidden": is_green, "conditions": ["watch"]}
        pinning = {"suppressions": [{"by": by} for by in dice.sample(facing, 2)]}
        people.append(
            {**each, **told, **pinning, "accuracy": 900, "health_max": 900, "health": 900}
        )
    options = setup["options"] | {
        "attack_reveals": False,
        "suppression_arc": dice.choice(["cone", "half_plane"]),
        "suppressed_reaction": "barred",
        "vigilance_reaction": "snap",
    }
    return {**setup, "combatants": people, "options": options}


def with_walls(table: Table, action: Mapping[str, Any], by: str) -> None:
    """Take an action; now and then a wall is laid under whoever has the turn then."""
    ask(table, action, by)
    mover = table.state.rule.turn
    if len(table.events) % 4 == 0 and mover is not UNSET:
        here = at(cell_of(table.combatant(mover)))
        ask(table, {"type": "set_terrain", "cells": [{**here, "terrain": "wall"}]})


def is_in_arc(rule: BattleState, here: Cell, by: Cell, there: Cell) -> bool:
    """Whether somebody suppressed `here` cannot shoot `there`, if no arc is that of one target."""
    is_within = {"cone": oracle.is_within_cone, "half_plane": oracle.is_ahead}
    return is_within[rule.options.suppression_arc](here, by, there)


def fired_into_arcs(table: Table, seq: int) -> set[str]:
    """Whose arcs a reaction of this event was fired into: that of its target, or of another."""
    rule: BattleState = table.behind(seq - 1).rule
    cells = {each.id: cell_of(each) for each in rule.combatants if not is_down(each)}
    pinning = {each.id: [by.by for by in each.suppressions] for each in rule.combatants}
    whose = set()
    for effect in effects_of(table.events[seq - 1]):
        if effect["type"] == "moved":
            cells[effect["combatant"]] = (effect["end"]["x"], effect["end"]["y"])
        elif effect["type"] == "attack_resolved" and effect["detail"]["reaction"]:
            shooter, target = effect["detail"]["attacker"], effect["target"]
            for by in pinning[shooter]:
                if by in cells and is_in_arc(rule, cells[shooter], cells[by], cells[target]):
                    whose.add("target" if by == target else "another")
    return whose


def is_pinned_in_wall(table: Table, seq: int) -> bool:
    """Whether whoever had the turn stood in a wall and was to seek cover."""
    state: State[BattleState] = table.behind(seq - 1)
    rule = state.rule
    actor = combatant_of(rule, str(rule.turn))
    if actor is None or actor.phase != "movement" or not any(s.due for s in actor.suppressions):
        return False
    x, y = cell_of(actor)
    return ground_of(state).rows[y][x] in oracle.STOPS_STEPS


def decided_otherwise(table: Table) -> set[int]:
    """The events of a battle of version 1 that version 2 decides otherwise."""
    assert audit(table, seed=SEED).clean
    later = {("squad-d100", "1"): replace(SECOND, version="1", create=FIRST.create)}
    report = audit(table, seed=SEED, rulesets=later)
    return {each.seq for each in report.verdicts if each.verdict != "match"}


def test_version_1_decided_by_version_2_differs_in_arcs_and_in_walls_alone() -> None:
    """A battle is still audited clean by its own version; some would go otherwise."""
    told = set()
    for number in range(16):
        table = seated(FIRST, pinned(number))
        play(table, number, 25, deed=with_walls if number % 4 == 0 else ask)
        changed, played = decided_otherwise(table), range(3, len(table.events) + 1)
        fired = {seq for seq in played if fired_into_arcs(table, seq)}
        walled = {seq for seq in played if is_pinned_in_wall(table, seq)}
        assert fired <= changed <= fired | walled
        told |= {"arc" for _ in fired} | {"wall" for _ in changed - fired}
    assert told == {"arc", "wall"}


def test_walks_of_a_suppressor_are_decided_otherwise_if_a_reaction_is_fired_at_him() -> None:
    """He walks at random round a hidden watcher; with a known one nothing differs."""
    told = set()
    for number in range(24):
        dice = Random(number)
        s, t = dice.sample([(x, y) for x in range(3, 7) for y in range(2, 6)], 2)
        steps = [(s[0] + dx, s[1] + dy) for dx, dy in dice.sample(ROUND, 4)]
        table = battle(
            fighter("s", "red", *s),
            watcher(*t, "s", hidden=number % 4 > 0),
            options={"suppression_arc": dice.choice(ARCS[:2])},
            ruleset=FIRST,
        )
        step = next(each for each in steps if each != t)
        ask(table, walk("s", step))
        fired = fired_into_arcs(table, 3)
        assert decided_otherwise(table) == ({3} if fired else set())
        told.add((number % 4 > 0, *fired))
    assert told == {(True,), (True, "target"), (False,)}
