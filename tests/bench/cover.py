"""What an attack of tactical-d20 is worth on a crowded map, and the cover table of one attacker.

60 by 60 cells with walls, cover, smoke and 40 creatures, laid at random and the same in every run.
Everything is asked once of each map, so that no answer was kept from before; what is kept of the
lines by their vectors alone stays. Figures are of processor time.
"""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from typing import Any, Final

from _battles import Tree
from _measuring import Table, arguments, at_most, percentile

from service.engine.geometry.features import features_of
from service.engine.geometry.open_lines import open_line
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of
from service.engine.visibility.scope import GAME_MASTER
from service.rulesets import latest
from service.rulesets.tactical_d20.deciding.aim import aim_of
from service.rulesets.tactical_d20.deciding.attack_modifiers import weigh
from service.rulesets.tactical_d20.inspections import CoverQuery, cover
from tests.kit import given_when_then as tables
from tests.kit.pieces import whole
from tests.kit.table import Table as InMemory

SIDE: Final = 60
CREATURES: Final = 40
PARTS: Final[tuple[tuple[int, Tree], ...]] = (
    (250, {"wall": True}),
    (130, {"cover": "normal"}),
    (70, {"cover": "partial", "low_height_ft": 3}),
    (150, {"concealment_pct": 20}),
    (50, {"opaque": True, "concealment_pct": 50}),
)
"""How many cells have what."""

FENCES: Final = ((10, 20), (40, 35))
"""Where the walls on borders begin, 20 cells long but for where somebody is across."""

PAIRS: Final = 200
WALLED_OFF: Final = 20


def battle_on(chance: random.Random, sizes: tuple[int, ...]) -> InMemory:
    """A running battle of creatures of these sizes, c0 the first, at random places."""
    ruleset = latest("tactical-d20")
    if ruleset is None:
        raise SystemExit("tactical-d20 is not registered")
    spaces = list(_spaces(chance, sizes))
    names = [f"c{index}" for index in range(len(sizes))]
    creation: Tree = {
        "sides": [{"id": "red"}, {"id": "blue"}],
        "setup": {
            "map": _map(chance, {cell for space in spaces for cell in cells_of(space)}),
            "combatants": [
                _creature(name, ("red", "blue")[index % 2], space)
                for index, (name, space) in enumerate(zip(names, spaces, strict=True))
            ],
            "battle": {"order": [{"combatant": name} for name in names], "turn": "c0"},
        },
    }
    return tables.played(ruleset, creation)


def _spaces(chance: random.Random, sizes: tuple[int, ...]) -> Iterator[Space]:
    """A space of each size, none over another."""
    held: set[Cell] = set()
    for size in sizes:
        space = _anywhere(chance, size)
        while not held.isdisjoint(cells_of(space)):
            space = _anywhere(chance, size)
        held.update(cells_of(space))
        yield space


def _anywhere(chance: random.Random, size: int) -> Space:
    return Space(chance.randrange(SIDE - size), chance.randrange(SIDE - size), size)


def _creature(name: str, side: str, space: Space) -> Tree:
    weapon = {"attack_bonus": 5, "damage": {"count": 1, "sides": 8}}
    return {
        "id": name,
        "side": side,
        "place": {"x": space.x, "y": space.y},
        "size": space.size,
        "health_max": 20,
        "reach_ft": 5 * space.size,
        "weapons": [
            {"id": "bow", "kind": "ranged", "range_increment_ft": 60, **weapon},
            {"id": "sword", "kind": "melee", **weapon},
        ],
    }


def _map(chance: random.Random, held: set[Cell]) -> Tree:
    """Marked cells where nobody is, and two fences."""
    free = [(x, y) for x in range(SIDE) for y in range(SIDE) if (x, y) not in held]
    places = iter(chance.sample(free, sum(count for count, _ in PARTS)))
    cells = [
        {"x": x, "y": y, **part}
        for count, part in PARTS
        for _, (x, y) in zip(range(count), places, strict=False)
    ]
    fences = [(x, y + step) for x, y in FENCES for step in range(20)]
    borders = [
        {"axis": "v", "x": x, "y": y, "wall": True}
        for x, y in fences
        if not {(x - 1, y), (x, y)} <= held
    ]
    bounds = {"x": 0, "y": 0, "width": SIDE, "height": SIDE}
    return {"form": "cells", "bounds": bounds, "cells": cells, "borders": borders}


def spent_ms(asked: Callable[[], object]) -> float:
    """Milliseconds of processor time that a question takes."""
    began = time.process_time()
    asked()
    return 1000 * (time.process_time() - began)


def weighing_ms(battle: InMemory, weapon: int, pairs: list[tuple[int, int]]) -> list[float]:
    """What each attack takes: its cover, its concealment and, if it is a strike, its flanking."""
    state, rule = battle.state, battle.state.rule

    def weighed(attacker: Any, target: Any) -> object:
        aim = aim_of(rule, attacker, target, attacker.weapons[weapon])
        return weigh(state, aim, target)

    creatures = rule.combatants
    return [spent_ms(partial(weighed, creatures[one], creatures[other])) for one, other in pairs]


def table_ms(chance: random.Random, sizes: tuple[int, ...]) -> float:
    """What the cover table of the first creature takes."""
    state = battle_on(chance, sizes).state
    return spent_ms(lambda: whole(cover(state, CoverQuery(attacker="c0"), GAME_MASTER)))


def walled_off_ms() -> float:
    """What it takes to find that no line leads from one creature of size 8 to another."""
    taken = []
    for shift in range(WALLED_OFF):
        wall = features_of([(10, y) for y in range(-40, 60)], [])
        near, far = Space(1, 0, 8), Space(12 + shift, shift % 5, 8)
        taken.append(spent_ms(partial(open_line, wall, near, far)))
    return percentile(taken, 0.5)


def add_attacks(table: Table, rounds: int) -> None:
    """What an attack is worth, on a new map in every round."""
    chance = random.Random(12)
    mixed = (1, 1, 2, 1, 3, 1, 4, 2) * (CREATURES // 8)
    pairs = list(permutations(range(CREATURES), 2))
    for weapon, name in ((1, "strike: cover, concealment, flanking"), (0, "shot: the same")):
        weighing_ms(battle_on(chance, mixed), weapon, pairs)
        found = [
            weighing_ms(battle_on(chance, mixed), weapon, chance.sample(pairs, PAIRS))
            for _ in range(rounds)
        ]
        for share, label in ((0.5, "median"), (0.99, "p99")):
            figures = [percentile(each, share) for each in found]
            table.add(f"a {name}, 40 creatures, {label}", figures, "ms")


def add_tables(table: Table, rounds: int) -> None:
    """Cover tables of one attacker, on a new map in every round."""
    chance = random.Random(34)
    alike = (1,) * (CREATURES - 1)
    mixed = (1, 2, 3, 4) * (CREATURES // 4)
    for name, sizes, most in (
        ("of size 1 against 39 of size 1", (1, *alike), 12),
        ("of size 4 against 39 of size 1", (4, *alike), 52),
        ("of size 4 against 39 of sizes 1 to 4", (4, *mixed[:-1]), 52),
    ):
        table_ms(chance, sizes)
        figures = [table_ms(chance, sizes) for _ in range(rounds)]
        table.add(f"cover table {name}", figures, "ms", at_most(most))


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table:
        add_attacks(table, given.rounds)
        add_tables(table, given.rounds)
        found = [walled_off_ms() for _ in range(given.rounds)]
        table.add("no line of effect, two of size 8", found, "ms", at_most(17))


if __name__ == "__main__":
    main()
