"""What it costs on a table of melody-d6 to see past terrain, and to lay a template on warriors.

200 warriors of two sides among 30 polygons of 4 to 12 corners on a table of 60 by 60 steps, laid at
random and the same in every run. Lines and templates are asked of the rules alone, the tables as
inspections ask them. Figures are of processor time.
"""

import random
import time
from collections.abc import Callable
from functools import partial
from math import cos, pi, sin
from typing import Any, Final

from _battles import Tree
from _measuring import Table, arguments, at_most

from service.engine.battle.state import State
from service.engine.geometry.polygons import Polygon, is_inside_or_on, polygon_of
from service.engine.geometry.segments import Spot
from service.engine.geometry.templates import PlacedTemplate, beam, cone, disc
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import GAME_MASTER
from service.rulesets import latest
from service.rulesets.melody_d6.inspections.coverage import CoverageQuery, inspect_coverage
from service.rulesets.melody_d6.inspections.pairs import WarriorQuery
from service.rulesets.melody_d6.inspections.ranges import inspect_ranges
from service.rulesets.melody_d6.inspections.visibility import inspect_visibility
from service.rulesets.melody_d6.rules.geometry import has_line_of_sight
from service.rulesets.melody_d6.rules.templates import coverage_of
from tests.kit import given_when_then as tables

SIDE: Final = 60_000
WARRIORS: Final = 200
POLYGONS: Final = 30
LINES: Final = 1_000
RADIUS: Final = 500


def corners(chance: random.Random) -> tuple[Spot, ...]:
    """Corners on a circle, so that they are convex."""
    count, radius = chance.randrange(4, 13), chance.randrange(800, 3000)
    x, y = (chance.randrange(radius, SIDE - radius) for _ in range(2))
    turns = [2 * pi * at / count for at in range(count)]
    return tuple((x + round(radius * cos(turn)), y + round(radius * sin(turn))) for turn in turns)


def anywhere(chance: random.Random) -> Spot:
    """A point of the table where a base fits."""
    return chance.randrange(RADIUS, SIDE - RADIUS), chance.randrange(RADIUS, SIDE - RADIUS)


def lines_us(chance: random.Random) -> float:
    """Microseconds of a line of sight that nothing blocks, so that all 30 polygons are asked."""
    high: list[Polygon] = [polygon_of(corners(chance)) for _ in range(POLYGONS)]
    free: list[tuple[Spot, Spot]] = []
    while len(free) < LINES:
        start, end = anywhere(chance), anywhere(chance)
        if has_line_of_sight(start, end, high):
            free.append((start, end))
    return 1000 * spent_ms(lambda: [has_line_of_sight(*line, high) for line in free]) / LINES


def templates_ms(chance: random.Random, lay: Callable[[], PlacedTemplate]) -> float:
    """Milliseconds of laying a template and asking it of 200 warriors."""
    bases = [anywhere(chance) for _ in range(WARRIORS)]

    def laid() -> None:
        template = lay()
        for spot in bases:
            coverage_of(template, spot, RADIUS)

    return spent_ms(laid)


def spent_ms(asked: Callable[[], object]) -> float:
    """Milliseconds of processor time that a question takes."""
    began = time.process_time()
    asked()
    return 1000 * (time.process_time() - began)


def battle_on(ruleset: Ruleset[Any], chance: random.Random) -> State[Any]:
    """A battle in progress of squads of 20, nobody within terrain or over another."""
    shapes = [corners(chance) for _ in range(POLYGONS)]
    polygons = [polygon_of(shape) for shape in shapes]
    places: list[Spot] = []
    while len(places) < WARRIORS:
        x, y = anywhere(chance)
        if not any(is_inside_or_on(each, (x, y)) for each in polygons) and all(
            (x - px) ** 2 + (y - py) ** 2 >= 4 * RADIUS * RADIUS for px, py in places
        ):
            places.append((x, y))
    units = [f"U{number}" for number in range(WARRIORS // 20)]
    features = [
        {"id": f"t{number}", "kind": "debris", "height": ("low", "high")[number % 2]}
        | {"vertices": [{"x": x, "y": y} for x, y in shape]}
        for number, shape in enumerate(shapes)
    ]
    battle: Tree = {"round": 1, "first_side": "a", "turn_side": "a"}
    creation: Tree = {
        "sides": [{"id": "a"}, {"id": "b"}],
        "setup": {
            "map": {"width": SIDE, "height": SIDE, "features": features},
            "units": [
                {"id": unit, "side": "ab"[number % 2], "kind": "squad"}
                for number, unit in enumerate(units)
            ],
            "combatants": [
                {
                    "id": f"c{number}",
                    "side": "ab"[number % 2],
                    "unit": units[number % len(units)],
                    "place": {"x": x, "y": y},
                    "weapons": ["rifle", "darts"],
                }
                for number, (x, y) in enumerate(places)
            ],
            "battle": battle,
        },
    }
    return tables.opened(ruleset, creation).state


def add_rules(table: Table, rounds: int) -> None:
    """Lines and templates, on a new table in every round."""
    chance, middle = random.Random(56), (SIDE // 2, SIDE // 2)
    lines_us(chance)
    found = [lines_us(chance) for _ in range(rounds)]
    table.add("a free line of sight past 30 polygons", found, "us", at_most(50))
    aim = (SIDE // 2 + 4097, SIDE // 2 - 6113)
    for name, lay in (
        ("cone of 20 steps by 20", lambda: cone(middle, aim, 20_000, 10_000)),
        ("beam of 20 steps by 4", lambda: beam(middle, aim, 20_000, 2000)),
        ("disc of 5 steps", lambda: disc(middle, 5000)),
    ):
        found = [templates_ms(chance, lay) for _ in range(rounds)]
        table.add(f"a {name} over 200 warriors", found, "ms", at_most(5))


def add_tables(table: Table, ruleset: Ruleset[Any], rounds: int) -> None:
    """Answers to one question, on a new table in every round."""
    chance = random.Random(78)
    states = [battle_on(ruleset, chance) for _ in range(rounds + 1)]
    for name, asked, most in (
        ("visibility", _visibility, 20),
        ("coverage of a cone", _coverage, 5),
        ("ranges of two weapons", _ranges, 50),
    ):
        found = [spent_ms(partial(asked, state)) for state in states][1:]
        table.add(f"{name}, 200 warriors, 30 polygons", found, "ms", at_most(most))


def _visibility(state: State[Any]) -> object:
    return inspect_visibility(state, WarriorQuery(combatant="c0"), GAME_MASTER)


def _ranges(state: State[Any]) -> object:
    return inspect_ranges(state, WarriorQuery(combatant="c0"), GAME_MASTER)


def _coverage(state: State[Any]) -> object:
    query = CoverageQuery(combatant="c0", template="cone", x=30_001, y=29_999)
    return inspect_coverage(state, query, GAME_MASTER)


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table:
        add_rules(table, given.rounds)
        ruleset = latest("melody-d6")
        if ruleset is None:
            table.missing("inspections of melody-d6", "not registered")
        else:
            add_tables(table, ruleset, given.rounds)


if __name__ == "__main__":
    main()
