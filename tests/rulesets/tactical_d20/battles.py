"""Random battles of this ruleset: setups from a number, and what is done in them at random."""

from collections.abc import Sequence
from random import Random

from tests.kit.rig import RandomBattles, Tree
from tests.kit.table import Table
from tests.rulesets.tactical_d20.setups import blade, bomb, fighter, rifle
from tests.rulesets.tactical_d20.soundness import require_explained, require_sound

WIDTH, HEIGHT = 16, 11
GROUND = "." * 18 + "#ccssld"
OPEN = ".sldc"
"""Characters of cells in which somebody may stand."""


def random_setup(number: int, *, with_secrets: bool = False) -> Tree:
    """The setup of battle `number`: 6 to 10 combatants of two or three sides on a random map.

    `with_secrets` hides some of them, some ground, and lets the table hide numbers.
    """
    dice = Random(number)
    rows = ["".join(dice.choice(GROUND) for _ in range(WIDTH)) for _ in range(HEIGHT)]
    spots = [(x, y) for y in range(HEIGHT) for x in range(WIDTH) if rows[y][x] in OPEN]
    dice.shuffle(spots)
    sides = ["red", "blue"] + (["green"] if dice.random() < 0.3 else [])
    taken: set[tuple[int, int]] = set()
    combatants = []
    for index in range(dice.randint(6, 10)):
        size = dice.choice([1, 1, 1, 1, 2, 3])
        spot = next(each for each in spots if fits(rows, taken, each, 1))
        for each in spots:
            if fits(rows, taken, each, size):
                spot = each
                break
        else:
            size = 1
        taken |= cells_of(spot, size)
        side = sides[index % len(sides)]
        combatants.append(random_fighter(dice, f"f{index}", side, spot, with_secrets, size=size))
    setup: Tree = {
        "options": random_options(dice, with_secrets),
        "map": random_map(dice, rows),
        "combatants": combatants,
    }
    if with_secrets:
        free = [spot for spot in spots if spot not in taken]
        setup["hidden_terrain"] = {
            "cells": [random_ground(dice, *free.pop()) for _ in range(6)],
            "borders": [random_border(dice, *free.pop()) for _ in range(2)],
        }
    return setup


def cells_of(spot: tuple[int, int], size: int) -> set[tuple[int, int]]:
    """The cells of a space."""
    return {(spot[0] + dx, spot[1] + dy) for dx in range(size) for dy in range(size)}


def fits(
    rows: Sequence[str], taken: set[tuple[int, int]], spot: tuple[int, int], size: int
) -> bool:
    """Whether a space is on the map, without walls and nobody's."""
    cells = cells_of(spot, size)
    is_on_map = all(0 <= x < WIDTH and 0 <= y < HEIGHT for x, y in cells)
    return is_on_map and taken.isdisjoint(cells) and all(rows[y][x] in OPEN for x, y in cells)


LEGEND: dict[str, Tree] = {
    "#": {"wall": True},
    "c": {"cover": "normal"},
    "s": {"concealment_pct": 20},
    "l": {"light": "dim"},
    "d": {"light": "dark"},
}


def random_map(dice: Random, rows: Sequence[str]) -> Tree:
    """The same ground drawn, or by its cells with some borders between the free ones."""
    if dice.random() < 0.4:
        return {"form": "ascii", "rows": list(rows)}
    cells = [
        {"x": x, "y": y, **varied_ground(dice, LEGEND[rows[y][x]])}
        for y in range(HEIGHT)
        for x in range(WIDTH)
        if rows[y][x] in LEGEND
    ]
    return {
        "form": "cells",
        "bounds": {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT},
        "cells": cells,
        "borders": cover_borders(dice),
    }


def varied_ground(dice: Random, ground: Tree) -> Tree:
    """Glass, low and gun-port walls, thick smoke: what a drawing has no letters for."""
    if "wall" in ground:
        return dice.choice([ground, ground, {**ground, "transparent": True}])
    if "cover" in ground:
        low = {"cover": dice.choice(["partial", "normal"]), "low_height_ft": dice.choice([2, 3, 5])}
        return dice.choice([ground, {"cover": "improved"}, {"cover": "partial"}, low])
    if "concealment_pct" in ground:
        return dice.choice([ground, {"concealment_pct": 50}, {**ground, "opaque": True}])
    return ground


def cover_borders(dice: Random) -> list[Tree]:
    """Parapets and curtains, none of which stops a step."""
    places = [(axis, x, y) for axis in "vh" for y in range(1, HEIGHT) for x in range(1, WIDTH)]
    kinds: list[Tree] = [
        {"cover": "normal"},
        {"cover": "partial", "low_height_ft": 3},
        {"concealment_pct": 20, "opaque": True},
    ]
    return [
        {"axis": axis, "x": x, "y": y, **dice.choice(kinds)}
        for axis, x, y in dice.sample(places, 12)
    ]


def random_ground(dice: Random, x: int, y: int) -> Tree:
    """A cell with something on it."""
    kinds: list[Tree] = [
        {"wall": True},
        {"wall": True, "transparent": True},
        {"cover": "improved"},
        {"concealment_pct": 30},
        {"light": "dark"},
        {},
    ]
    return {"x": x, "y": y, **dice.choice(kinds)}


def random_border(dice: Random, x: int, y: int) -> Tree:
    """A border with something on it."""
    kinds: list[Tree] = [{"wall": True}, {"cover": "normal"}, {"concealment_pct": 20}]
    return {"axis": dice.choice("vh"), "x": x, "y": y, **dice.choice(kinds)}


def random_fighter(
    dice: Random,
    name: str,
    side: str,
    cell: tuple[int, int],
    with_secrets: bool,
    **more: object,
) -> Tree:
    """A combatant with a rifle, a blade and a bomb, and the odd trait."""
    increment = dice.choice([10, 20, 60])
    gun = rifle(
        attack_bonus=dice.randint(0, 8),
        targets=dice.choice(["eac", "kac"]),
        range_increment_ft=increment,
        max_increments=dice.choice([3, 10]),
    )
    reach: Tree = dice.choice([{}, {}, {"reach_ft": 10}])
    return fighter(
        name,
        side,
        cell[0],
        cell[1],
        health_max=dice.randint(4, 25),
        ac={"eac": dice.randint(5, 18), "kac": dice.randint(5, 18)},
        reflex=dice.randint(-2, 8),
        initiative=dice.randint(-2, 6),
        speed_ft=dice.choice([15, 20, 30]),
        height_ft=dice.choice([3, 6, 6, 12]),
        reach_ft=dice.choice([5, 5, 10, 0]),
        senses=dice.choice([[], [], ["darkvision"], ["low_light"]]),
        blur_pct=dice.choice([0, 0, 0, 20]),
        weapons=[gun, blade(attack_bonus=dice.randint(0, 8), **reach)],
        areas=[bomb(radius_ft=dice.choice([5, 10, 20]), spread=dice.random() < 0.4)],
        conditions=dice.choice([[], [], [], ["prone"], ["invisible"]]),
        hidden=with_secrets and dice.random() < 0.3,
        **more,
    )


def random_options(dice: Random, with_secrets: bool) -> Tree:
    """Options, half of them otherwise than usual."""
    options: Tree = {
        "diagonal_rule": dice.choice(["alternating", "equal"]),
        "border_contact": dice.choice(["along", "interior_only"]),
        "partial_cover_method": dice.choice(["declared", "line_count"]),
        "concealment_corner_chooser": dice.choice(["defender", "attacker"]),
        "soft_cover_vs_melee": dice.random() < 0.3,
        "flank_partner": dice.choice(["centre", "any_cell"]),
        "flank_partner_side": dice.choice(["hostile", "any"]),
        "light_on_line": dice.random() < 0.3,
        "default_concealment_pct": dice.choice([20, 30]),
        "unseen_pct": dice.choice([50, 100]),
        "low_obstacle_range_ft": dice.choice([30, 10]),
        "initiative": dice.choice(["roll", "fixed"]),
    }
    if with_secrets:
        options["enemy_numbers"] = dice.choice(["shown", "hidden"])
        options["enemy_health"] = dice.choice(["exact", "band", "none"])
        options["breakdowns"] = dice.choice(["all", "own", "none"])
        options["attack_reveals"] = dice.random() < 0.5
    return options


IDS = ("f0", "f1", "f2", "f3", "nobody")
WEAPONS = ("rifle", "blade", "spoon")


def nonsense(table: Table, dice: Random) -> Tree:
    """An action that can be read, mostly nonsense."""
    x, y = dice.randint(-1, WIDTH), dice.randint(-1, HEIGHT)
    who, target, armed = dice.choice(IDS), dice.choice(IDS), dice.choice(WEAPONS)
    here, corner = {"x": x, "y": y}, {"x": dice.randint(0, WIDTH), "y": dice.randint(0, HEIGHT)}
    seat = dice.choice(["ann", "bob", "zoe"])
    seq = dice.randint(0, len(table.events) + 2)
    decision = {"decision_id": f"d{seq}.{dice.randint(1, 2)}"}
    attack = {"type": "attack", "combatant": who, "weapon": armed, "target": target}
    guess = {"type": "attack_cell", "combatant": who, "weapon": armed, "cell": here}
    burst = {"type": "area_attack", "combatant": who, "origin": corner}
    own = {"radius_ft": 10, "dc": 10, "damage": {"count": 1, "sides": 6}}
    choices: list[Tree] = [
        {"type": "opportunity_attack", "weapon": armed},
        {"type": "pass"},
        {"type": "roll"},
    ]
    actions: list[Tree] = [
        {"type": "move", "combatant": who, "path": [here, {"x": x + 1, "y": y}]},
        attack,
        {**attack, "cover_corner": corner},
        {**attack, "concealment_corner": corner},
        guess,
        {**guess, "cover_corner": corner},
        {**burst, "area": dice.choice(["bomb", "spoon"])},
        {**burst, **own},
        {"type": dice.choice(["drop_prone", "stand_up", "right_self"]), "combatant": who},
        {"type": "end_turn", "combatant": who},
        {"type": "answer", **decision, "choice": dice.choice(choices)},
        {"type": "force_pass", **decision},
        {"type": "start_encounter"},
        {"type": "remove_combatant", "combatant": who},
        {"type": "assign_control", "seat": seat},
        {"type": "add_seat", "seat": {"id": seat, "role": "player", "combatants": ["f1"]}},
        {"type": "change_seat", "seat": seat, "role": dice.choice(["gm", "player"])},
        {"type": "remove_seat", "seat": seat},
        {"type": "configure", "options": {"unseen_pct": 40}},
        {"type": "add_combatant", "combatant": fighter(dice.choice(["f0", "g1"]), "red", x, y)},
        {"type": "set_terrain", "cells": [random_ground(dice, x, y)]},
        {"type": "set_terrain", "borders": [random_border(dice, x, y)], "secret": True},
        {"type": "adjust", "changes": [random_change(dice, IDS)]},
        {"type": "adjust", "changes": [{"type": "gravity", "gravity": "zero"}]},
        {"type": "note", "text": "hear, hear"},
    ]
    return dice.choice(actions)


def random_change(dice: Random, ids: Sequence[str]) -> Tree:
    """Something that the game master says of one of these, possible or not."""
    x, y = dice.randint(-1, WIDTH), dice.randint(-1, HEIGHT)
    conditions = ["prone", "spinning", "invisible", "unconscious", "dead"]
    resources = ["standard", "move", "swift", "reaction"]
    changes: list[Tree] = [
        {"type": "hp", "value": dice.randint(-30, 30)},
        {"type": "place", "place": {"x": x, "y": y}},
        {
            "type": "condition",
            "condition": dice.choice(conditions),
            "holds": dice.random() < 0.5,
        },
        {"type": "resource", "resource": dice.choice(resources), "value": dice.randint(0, 1)},
        {"type": "stat", "stat": "speed_ft", "value": dice.randint(-1, 1100)},
        {"type": "reveal"},
        {"type": "hide"},
        {"type": "cover_override", "versus": "f1", "grade": dice.choice(["none", "total"])},
        {"type": "cover_override", "versus": "f1", "lifted": True},
        {"type": "concealment_override", "versus": "f1", "percent": dice.randint(0, 100)},
        {"type": "concealment_override", "versus": "f2", "lifted": True},
        {"type": "ready", "weapon": dice.choice(WEAPONS), "ready": dice.random() < 0.5},
    ]
    return {**dice.choice(changes), "combatant": dice.choice(ids)}


def varied_setup(number: int) -> Tree:
    """A random battle with odd weapons, walls on borders and some who lie about."""
    setup = random_setup(number)
    dice = Random(number)
    places = [(x, y) for x in range(0, 24, 4) for y in range(0, 12, 4)]
    dice.shuffle(places)
    for each, (x, y) in zip(setup["combatants"], places, strict=False):
        each["place"] = {"x": x, "y": y, "elevation": dice.choice([0, 0, 10])}
        each["size"] = dice.choice([1, 1, 2, 3])
        each["conditions"] = dice.choice(
            [[], [], [], ["prone"], ["invisible"], ["spinning"], ["unconscious"], ["dead"]]
        )
        each["weapons"][0]["ready"] = dice.random() < 0.8
        each["weapons"][1]["reach_ft"] = dice.choice([0, 5, 15])
    setup["map"] = {"form": "cells", "borders": walls_between(dice, setup["combatants"])}
    return setup


def walls_between(dice: Random, combatants: Sequence[Tree]) -> list[Tree]:
    """Walls and parapets between those who stand about, none inside a space."""
    sides: set[tuple[str, int, int]] = set()
    for each in combatants:
        x, y, size = each["place"]["x"], each["place"]["y"], each["size"]
        for step in range(size):
            sides |= {("v", x, y + step), ("v", x + size, y + step)}
            sides |= {("h", x + step, y), ("h", x + step, y + size)}
    kinds: list[Tree] = [{"wall": True}, {"wall": True, "transparent": True}, {"cover": "normal"}]
    return [
        {"axis": axis, "x": x, "y": y, **dice.choice(kinds)}
        for axis, x, y in sorted(sides)
        if dice.random() < 0.4
    ]


BLOWS: tuple[Tree, ...] = (
    {"type": "hp", "value": 0},
    {"type": "hp", "value": -90},
    {"type": "condition", "condition": "unconscious"},
    {"type": "condition", "condition": "invisible"},
    {"type": "place", "place": {"x": 2, "y": 2}},
    {"type": "resource", "resource": "reaction", "value": 0},
    {"type": "ready", "weapon": "blade", "ready": False},
)
"""What most often makes an answer, or the action that waits itself, impossible."""

BATTLES = RandomBattles(
    setup=random_setup,
    varied=varied_setup,
    nonsense=nonsense,
    change=random_change,
    blows=BLOWS,
    spoiled={"weapon": "spoon"},
    require_sound=require_sound,
    require_explained=require_explained,
)
