"""Random battles of this ruleset: setups from a number, and what is done in them at random."""

from collections.abc import Sequence
from random import Random
from typing import Final

from tests.kit.rig import RandomBattles, Tree
from tests.kit.table import Table
from tests.rulesets.squad_d100.setups import bomb, fighter, pistol, rifle
from tests.rulesets.squad_d100.soundness import require_explained, require_sound

WIDTH, HEIGHT = 14, 10
GROUND: Final = "." * 30 + "██X|~~00DDEEFWWxxxx"
OPEN: Final = ".~0Wx"
"""Glyphs of the cells on which somebody may stand."""
KINDS: Final = ("mercenary", "alien", "robot", "civilian", "scientist", "engineer")
OF_LISTS: Final = ("kind", "place", "conditions")
"""Fields of a fighter that a roster does not state."""
GLYPH_OF: Final = dict(zip(KINDS, "G\u0410RiSU", strict=True))


def random_setup(number: int, *, with_secrets: bool = False, is_pasted: bool | None = None) -> Tree:
    """The setup of battle `number`: 6 to 9 fighters of two or three sides on a random map.

    In half of the battles (or as `is_pasted` says) all of them are units of the pasted text,
    described by its roster.
    `with_secrets` hides some of them and lets the table hide numbers.
    """
    dice = Random(number)
    rows = ["".join(dice.choice(GROUND) for _ in range(WIDTH)) for _ in range(HEIGHT)]
    free = open_cells(rows)
    dice.shuffle(free)
    sides = ["red", "blue"] + (["green"] if dice.random() < 0.3 else [])
    people = [
        random_fighter(dice, f"f{index}", sides[index % len(sides)], free.pop(), with_secrets)
        for index in range(dice.randint(6, 9))
    ]
    options = random_options(dice, with_secrets)
    is_drawn = dice.random() < 0.5 if is_pasted is None else is_pasted
    if is_drawn:
        return {"options": options, "map": pasted(rows, people)}
    return {"options": options, "map": {"text": "\n".join(rows)}, "combatants": people}


def open_cells(rows: Sequence[str]) -> list[tuple[int, int]]:
    """The cells on which somebody may stand."""
    cells = ((x, y) for y, row in enumerate(rows) for x, _ in enumerate(row))
    return [(x, y) for x, y in cells if rows[y][x] in OPEN]


def pasted(rows: Sequence[str], people: Sequence[Tree]) -> Tree:
    """A map with these fighters as units of its text, and the ground below them."""
    drawn = [list(row) for row in rows]
    under, roster = [], []
    for each in people:
        place = dict(each["place"])
        x, y = place["x"], place["y"]
        under.append({**place, "glyph": rows[y][x]})
        drawn[y][x] = GLYPH_OF[each["kind"]]
        roster.append({**place, **{k: v for k, v in each.items() if k not in OF_LISTS}})
    text = "\n".join("".join(row) for row in drawn)
    return {"text": text, "under": under, "roster": roster}


def random_fighter(
    dice: Random, name: str, side: str, cell: tuple[int, int], with_secrets: bool
) -> Tree:
    """A fighter of some kind with one or two weapons and a grenade."""
    damage = dice.choice([20, 30, {"count": 2, "sides": 10, "bonus": 5}])
    classes = ["automatic_rifle", "automatic_rifle", "sniper_rifle", "other"]
    gun = rifle(
        kind=dice.choice(classes),
        damage=damage,
        ap_class=dice.randint(0, 6),
        magazine=dice.choice([5, 30, 60]),
    )
    side_arm = pistol(burning=dice.random() < 0.2)
    both = [pistol(id="p1"), {**pistol(id="p2"), "kind": "revolver"}]
    hp = dice.choice([40, 80, 120])
    return fighter(
        name,
        side,
        *cell,
        kind=dice.choice(KINDS),
        strength=dice.randint(10, 50),
        agility=dice.randint(12, 40),
        accuracy=dice.randint(30, 90),
        endurance=dice.randint(2, 15),
        health=hp,
        health_max=hp,
        armour_class=dice.choice([0, 0, 3, 5, 8]),
        melee_ap=dice.choice([0, 0, 4]),
        posture=dice.choice(["standing", "standing", "standing", "kneeling"]),
        weapons=dice.choice([[gun], [gun, side_arm], both, [*both, gun]]),
        grenades=[bomb(radius=dice.choice([0, 1, 2]), count=dice.choice([1, 3]))],
        conditions=dice.choice([[], ["watch"]]),
        hidden=with_secrets and dice.random() < 0.3,
    )


def random_options(dice: Random, with_secrets: bool) -> Tree:
    """Options, half of them otherwise than usual."""
    options: Tree = {
        "x_blocks_sight": dice.random() < 0.3,
        "doors_open": dice.random() < 0.3,
        "door_cost": dice.choice([4, 0]),
        "fire_effect": dice.choice(["light_wound", "heavy_wound", "none"]),
        "turn_order": dice.choice(["agility", "sides"]),
        "distance_metric": dice.choice(["chebyshev", "manhattan", "steps", "euclid"]),
        "corner_rule": dice.choice(["both", "any"]),
        "kneel_move": dice.choice(["forbid", "allow"]),
        "cover_mode": dice.choice(["occupied", "line"]),
        "aimed_modifiers": dice.choice(["all", "none"]),
        "burst_rolls": dice.choice(["per_round", "single"]),
        "dual_shots_per_hand": dice.choice([1, 2]),
        "melee_reach": dice.choice([1, 2]),
        "ap_equal": dice.choice(["table", "penetrate"]),
        "unarmoured": dice.choice(["penetrate", "by_class"]),
        "crit_success_max": dice.choice([0, 1, 5]),
        "suppression_arc": dice.choice(["cone", "shooter", "half_plane"]),
        "suppressed_reaction": dice.choice(["barred", "allowed"]),
        "vigilance_trigger": dice.choice(["in_view", "entering"]),
        "vigilance_target": dice.choice(["ACC", "AGI", "AGI_PLUS_HALF_ACC", "END"]),
        "vigilance_reaction": dice.choice(["snap", "snap", "aimed", "none"]),
        "sprint_keeps_watch": dice.random() < 0.3,
        "explosive_radius": dice.choice([1, 2, 3]),
    }
    if dice.random() < 0.3:
        options["sight_range"] = 6
    if with_secrets:
        options["enemy_numbers"] = dice.choice(["shown", "hidden"])
        options["enemy_health"] = dice.choice(["exact", "band", "none"])
        options["breakdowns"] = dice.choice(["all", "own", "none"])
        options["attack_reveals"] = dice.random() < 0.5
    return options


IDS: Final = ("f0", "f1", "f2", "f3", "nobody")
TERRAINS: Final = ("wall", "floor", "fire", "door", "explosive_cargo", "fuel", "cover")
WEAPONS: Final = ("rifle", "pistol", "p1", "spoon")


def nonsense(table: Table, dice: Random) -> Tree:
    """An action that can be read, mostly nonsense."""
    who, other = dice.choice(IDS), dice.choice(IDS)
    x, y = dice.randint(-1, WIDTH), dice.randint(-1, HEIGHT)
    here, weapon = {"x": x, "y": y}, dice.choice(WEAPONS)
    seat = dice.choice(["ann", "bob", "new"])
    decision = {"decision_id": f"d{dice.randint(1, 40)}.1"}
    actions: list[Tree] = [
        {"type": "move", "combatant": who, "path": [here]},
        {"type": "kneel", "combatant": who},
        {"type": "stand", "combatant": who},
        {"type": "toggle_door", "combatant": who, "cell": here},
        {"type": "pick_up", "combatant": who},
        {"type": "sprint", "combatant": who},
        {"type": "end_movement", "combatant": who},
        {"type": "aimed_shot", "combatant": who, "weapon": weapon, "target": other},
        {"type": "aimed_shot", "combatant": who, "weapon": weapon, "cell": here},
        {"type": "snap_shots", "combatant": who, "weapon": weapon, "targets": [{"target": other}]},
        {"type": "burst", "combatant": who, "weapon": weapon, "target": other},
        {"type": "suppress", "combatant": who, "weapon": weapon, "target": other},
        {"type": "throw_grenade", "combatant": who, "grenade": "bomb", "cell": here},
        {"type": "melee_attack", "combatant": who, "target": other, "gm_modifier": -30},
        {"type": "reload", "combatant": who, "weapon": weapon},
        {"type": "end_turn", "combatant": who},
        {"type": "answer", **decision, "choice": {"type": "roll"}},
        {"type": "force_pass", **decision},
        {"type": "start_encounter"},
        {"type": "remove_combatant", "combatant": who},
        {"type": "assign_control", "seat": seat},
        {"type": "add_seat", "seat": {"id": seat, "role": "player", "combatants": ["f1"]}},
        {"type": "change_seat", "seat": seat, "role": dice.choice(["gm", "player"])},
        {"type": "remove_seat", "seat": seat},
        {"type": "configure", "options": {"door_cost": 7}},
        {"type": "configure", "map": {"text": "..."}},
        {"type": "add_combatant", "combatant": fighter(dice.choice(["f0", "g1"]), "red", x, y)},
        {"type": "set_terrain", "cells": [{**here, "terrain": dice.choice(TERRAINS)}]},
        {"type": "adjust", "changes": [random_change(dice, IDS)]},
        {"type": "note", "text": "hear, hear"},
    ]
    return dice.choice(actions)


def random_change(dice: Random, ids: Sequence[str]) -> Tree:
    """Something that the game master says of one of these, possible or not."""
    x, y = dice.randint(-1, WIDTH), dice.randint(-1, HEIGHT)
    changes: list[Tree] = [
        {"type": "hp", "value": dice.randint(0, 130)},
        {"type": "place", "place": {"x": x, "y": y}},
        {"type": "posture", "posture": dice.choice(["standing", "kneeling"])},
        {
            "type": "condition",
            "condition": "watch",
            "holds": dice.random() < 0.5,
        },
        {"type": "resource", "resource": "mp", "value": dice.randint(-1, 60)},
        {
            "type": "resource",
            "resource": "rounds",
            "item": dice.choice(WEAPONS),
            "value": dice.randint(0, 70),
        },
        {"type": "resource", "resource": "grenades", "item": "bomb", "value": dice.randint(0, 9)},
        {"type": "stat", "stat": "agility", "value": dice.randint(-1, 1100)},
        {"type": "stat", "stat": "heavy_wounds", "value": dice.randint(0, 3)},
        {"type": "stat", "stat": "health_max", "value": dice.randint(0, 200)},
        {"type": "lift_suppression"},
        {"type": "reveal"},
        {"type": "hide"},
    ]
    return {**dice.choice(changes), "combatant": dice.choice(ids)}


BLOWS: tuple[Tree, ...] = (
    {"type": "hp", "value": 0},
    {"type": "place", "place": {"x": 2, "y": 2}},
    {"type": "resource", "resource": "rounds", "item": "rifle", "value": 0},
)
"""What most often makes an answer, or the action that waits itself, impossible."""

BATTLES = RandomBattles(
    setup=random_setup,
    varied=lambda number: random_setup(number, with_secrets=False, is_pasted=True),
    nonsense=nonsense,
    change=random_change,
    blows=BLOWS,
    spoiled={"weapon": "spoon"},
    require_sound=require_sound,
    require_explained=require_explained,
)
