"""What squad-d100 does with maps of 256 by 256 cells: reading one, looking over it, blowing it up.

Walls, cover and units are laid at random and the same in every run; every map is asked about once,
so that no answer was kept from before. Figures are of processor time.
"""

import random
import time
from collections.abc import Callable
from typing import Any, Final

from _battles import Tree
from _measuring import Table, arguments, at_most

from service.engine.geometry.points import Cell
from service.engine.ruleset.definition import Ruleset
from service.rulesets import latest
from service.rulesets.squad_d100.map_print import read_print
from service.rulesets.squad_d100.map_text import imported
from service.rulesets.squad_d100.maps import MapImport
from service.rulesets.squad_d100.rules.ground import Ground, cover_prices, field_of_view
from service.rulesets.squad_d100.rules.lines import LineOptions
from tests.kit import given_when_then as tables
from tests.kit.table import Table as InMemory

SIDE: Final = 256
CENTRE: Final[Cell] = (SIDE // 2, SIDE // 2)
UNITS: Final = 500
CARGO: Final = 50
LONGEST_PATH: Final = 64
WALK: Final[Tree] = {"type": "move", "combatant": "walker"}
SIDES: Final = [{"id": "squad"}, {"id": "aliens"}]


def spent_ms(asked: Callable[[], object]) -> float:
    """Milliseconds of processor time that a question takes."""
    began = time.process_time()
    asked()
    return 1000 * (time.process_time() - began)


def rows_of(chance: random.Random, walls_pct: int, covers_pct: int = 0) -> list[list[str]]:
    """The rows of a map with so many walls and cells of cover in a hundred."""
    others = 100 - walls_pct - covers_pct
    kinds, weights = ("█", "x", "."), (walls_pct, covers_pct, others)
    return [chance.choices(kinds, weights, k=SIDE) for _ in range(SIDE)]


def text_of(rows: list[list[str]]) -> str:
    """The rows as a text."""
    return "".join("".join(row) + "\n" for row in rows)


def crowded_text(chance: random.Random) -> str:
    """A map with as many units as a battle can have."""
    rows = rows_of(chance, 20, 2)
    for at in chance.sample(range(SIDE * SIDE), UNITS):
        rows[at // SIDE][at % SIDE] = chance.choice("GR")
    return text_of(rows)


def ground_of(chance: random.Random, walls_pct: int, covers_pct: int = 0) -> Ground:
    """The ground of such a map, on which nobody stands."""
    return Ground(tuple("".join(row) for row in rows_of(chance, walls_pct, covers_pct)))


def reading_ms(chance: random.Random) -> float:
    """What the text alone takes: its checks, its ground and its units."""
    stated = MapImport(text=crowded_text(chance))
    return spent_ms(lambda: imported(read_print(stated), "repair"))


def creating_ms(ruleset: Ruleset[Any], chance: random.Random) -> float:
    """What a creation with such a map takes, from its body to its sealed first event."""
    creation: Tree = {"sides": SIDES, "setup": {"map": {"text": crowded_text(chance)}}}
    return spent_ms(lambda: tables.opened(ruleset, creation))


def view_ms(chance: random.Random, walls_pct: int) -> float:
    """What the field of view from the centre takes."""
    ground = ground_of(chance, walls_pct)
    return spent_ms(lambda: field_of_view(ground, CENTRE, LineOptions()))


def cover_ms(chance: random.Random) -> float:
    """What the nearest cover of every cell takes."""
    ground = ground_of(chance, 10, 1)
    return spent_ms(lambda: cover_prices(ground, (), "both"))


def walk_ms(ruleset: Ruleset[Any], chance: random.Random, walls_pct: int) -> float:
    """What a walk of 64 steps takes past 499 enemies on watch, who notice next to nothing."""
    rows = rows_of(chance, walls_pct)
    rows[0] = ["."] * SIDE
    free = [(x, y) for y in range(4, SIDE) for x in range(SIDE) if rows[y][x] == "."]
    watch = {"side": "aliens", "kind": "alien", "conditions": ["watch"], "accuracy": 0}
    people: list[Tree] = [
        {"id": f"w{index}", "place": {"x": x, "y": y}, **watch}
        for index, (x, y) in enumerate(chance.sample(free, UNITS - 1))
    ]
    walker = {"id": "walker", "side": "squad", "kind": "robot", "place": {"x": 90, "y": 0}}
    setup = {
        "options": {"turn_order": "sides"},
        "map": {"text": text_of(rows)},
        "combatants": [{**walker, "agility": 256}, *people],
    }
    battle = tables.played(ruleset, {"sides": SIDES, "setup": setup})
    path = [{"x": 91 + step, "y": 0} for step in range(LONGEST_PATH)]
    return spent_ms(lambda: tables.act(battle, {**WALK, "path": path}))


def chain_ms(ruleset: Ruleset[Any]) -> float:
    """What a shot takes that sets off cargo after cargo."""
    rows = [["."] * SIDE for _ in range(SIDE)]
    rows[10][0] = "G"
    for index in range(CARGO):
        rows[10][4 + 2 * index] = "E"
    weapon = {"id": "rifle", "kind": "other", "ap_class": 3, "damage": 20, "magazine": 1000}
    roster = [{"glyph": "G", "accuracy": 1000, "weapons": [weapon]}]
    creation: Tree = {"sides": SIDES, "setup": {"map": {"text": text_of(rows), "roster": roster}}}
    battle = tables.played(ruleset, creation)
    shot = {"type": "aimed_shot", "combatant": "mercenary_0_10", "weapon": "rifle"}
    spent = spent_ms(lambda: tables.act(battle, {**shot, "cell": {"x": 4, "y": 10}}))
    if explosions(battle) != CARGO:
        raise SystemExit(f"{explosions(battle)} explosions instead of {CARGO}")
    return spent


def explosions(battle: InMemory) -> int:
    """How much cargo went off in the last event."""
    return sum(
        effect.__struct_config__.tag == "area_resolved" for effect in battle.events[-1].effects
    )


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    ruleset = latest("squad-d100")
    if ruleset is None:
        raise SystemExit("squad-d100 is not registered")
    chance = random.Random(13)
    with Table(given.rows) as table:
        found = [reading_ms(chance) for _ in range(given.rounds)]
        table.add("map of 256 by 256 and 500 units: text read", found, "ms", at_most(100))
        found = [creating_ms(ruleset, chance) for _ in range(given.rounds)]
        table.add("the same: a battle created, event 1 sealed", found, "ms")
        for walls in (0, 2, 30):
            found = [view_ms(chance, walls) for _ in range(given.rounds)]
            name = f"field of view from the centre, 256 by 256, {walls} % walls"
            table.add(name, found, "ms", at_most(100))
        found = [cover_ms(chance) for _ in range(given.rounds)]
        table.add("nearest cover of every cell, 256 by 256", found, "ms", at_most(150))
        for walls in (0, 2, 30):
            found = [walk_ms(ruleset, chance, walls) for _ in range(given.rounds)]
            name = f"a walk of {LONGEST_PATH} steps past {UNITS - 1} on watch, {walls} % walls"
            table.add(name, found, "ms", at_most(500))
        found = [chain_ms(ruleset) for _ in range(given.rounds)]
        table.add(f"a shot and a chain of {CARGO} explosions, 256 by 256", found, "ms")


if __name__ == "__main__":
    main()
