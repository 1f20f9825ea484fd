"""Random battles of this ruleset, and what is done to them at random."""

from collections.abc import Sequence
from math import isqrt
from random import Random
from typing import Final

from tests.kit.rig import RandomBattles, Tree
from tests.kit.table import Table
from tests.rulesets.melody_d6.setups import battle_of, fighter
from tests.rulesets.melody_d6.soundness import require_explained, require_sound

WIDTH: Final = 14_000
HEIGHT: Final = 10_000
"""A small table, so that everybody meets everybody."""

KINDS: Final = ("low_wall", "column", "rock", "building", "debris", "other")
GUNS: Final = ("longbow", "crossbow", "darts", "rifle", "silenced_pistol", "volley_gun")
BLADES: Final = ("blade", "halberd")
MELODIES: Final = (
    "ember_march",
    "drum_of_dread",
    "dazzle_chord",
    "mending_round",
    "veil_of_mist",
    "heavy_air",
    "thunder_shove",
)
RESISTED: Final = ("fire", "fear", "light", "air", "thunder", "red", "melody", "heavy_air")


def random_setup(number: int, *, with_secrets: bool = False, is_odd: bool = False) -> Tree:
    """The setup of battle `number`: 6 to 9 warriors of two sides among features.

    `with_secrets` hides some of them and lets the table hide numbers; `is_odd` begins in the middle
    of a battle, with conditions on many.
    """
    dice = Random(number)
    features = [random_feature(dice, f"t{index}") for index in range(dice.randint(2, 6))]
    free = free_places(features)
    dice.shuffle(free)
    people: list[Tree] = []
    for index in range(dice.randint(6, 9)):
        side = ("red", "blue")[index % 2]
        place = next(each for each in free if is_free(each, people))
        unit = f"{side}_{dice.choice(['squad', 'squad', index])}"
        people.append(random_fighter(dice, f"f{index}", side, unit, place, with_secrets))
    setup = battle_of(people, map={"width": WIDTH, "height": HEIGHT, "features": features})
    setup["sides"][0]["home_edge"] = dice.choice(["west", "north"])
    setup["options"] = random_options(dice, with_secrets)
    return in_the_middle(dice, setup) if is_odd else setup


def random_feature(dice: Random, name: str) -> Tree:
    """A rectangle, or a triangle, somewhere."""
    x, y = dice.randint(1000, WIDTH - 4000), dice.randint(1000, HEIGHT - 3000)
    wide, high = dice.randint(400, 2500), dice.randint(400, 1500)
    corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
    if dice.random() < 0.3:
        corners.pop(dice.randrange(4))
    vertices = [{"x": each[0], "y": each[1]} for each in corners]
    return {"id": name, "kind": dice.choice(KINDS), "vertices": vertices}


def free_places(features: Sequence[Tree]) -> list[tuple[int, int]]:
    """Points on which somebody may stand, among these features."""
    points = [(x, y) for x in range(600, WIDTH - 500, 700) for y in range(600, HEIGHT - 500, 700)]
    boxes = [box_of(each) for each in features]
    return [
        (x, y)
        for x, y in points
        if not any(west <= x <= east and north <= y <= south for west, north, east, south in boxes)
    ]


def box_of(feature: Tree) -> tuple[int, int, int, int]:
    """The bounding box of a feature."""
    xs = [each["x"] for each in feature["vertices"]]
    ys = [each["y"] for each in feature["vertices"]]
    return min(xs), min(ys), max(xs), max(ys)


def is_free(place: tuple[int, int], people: Sequence[Tree]) -> bool:
    """Whether a base has room there."""
    return all(
        isqrt((each["place"]["x"] - place[0]) ** 2 + (each["place"]["y"] - place[1]) ** 2) > 1300
        for each in people
    )


def random_fighter(
    dice: Random,
    name: str,
    side: str,
    unit: str,
    place: tuple[int, int],
    with_secrets: bool,
) -> Tree:
    """A warrior of some kind, often a singer."""
    sheet: Tree = {
        "unit": unit,
        "place": {"x": place[0], "y": place[1]},
        "base_radius": dice.choice([300, 500, 500, 600]),
        "mobility": dice.choice([0, 1, 2, 4, 6]),
        "move": dice.choice([3000, 6000, 9000]),
        "accuracy": dice.choice([0, 2, 4, 6]),
        "melee": dice.randint(0, 6),
        "toughness": dice.randint(1, 6),
        "health_max": dice.choice([1, 1, 2, 3]),
        "courage": dice.choice([4, 7, 9]),
        "sight": dice.choice([5000, 24_000]),
        "mounted": dice.random() < 0.1,
        "weapons": [*dice.sample(GUNS, dice.choice([1, 1, 2])), *dice.sample(BLADES, 1)],
        "hidden": with_secrets and dice.random() < 0.3,
    }
    if dice.random() < 0.4:
        sheet["armour"] = dice.randint(2, 6)
    if dice.random() < 0.5:
        sheet["singer"] = {
            "song_dice": dice.randint(1, 4),
            "song_bonus": dice.randint(-1, 4),
            "dampen_bonus": dice.randint(0, 3),
            "rerolls_per_round": dice.choice([0, 1, 1, 2]),
            "melodies": dice.sample(MELODIES, 3),
        }
    if dice.random() < 0.3:
        sheet["resistances"] = [
            {"to": to, "value": dice.randint(1, 6)} for to in dice.sample(RESISTED, 2)
        ]
    return {**fighter(name, side, 0, 0), **sheet}


def random_options(dice: Random, with_secrets: bool) -> Tree:
    """Options, half of them otherwise than usual."""
    options: Tree = {
        "measure": dice.choice(["edge", "edge", "centre"]),
        "mask_near": dice.choice([1000, 1000, 3000]),
        "mask_leaving_cover": dice.choice(["lost", "kept"]),
        "detection_from": dice.choice(["active_unit", "side"]),
        "mask_fp_cost": dice.choice([0, 1]),
        "ui_radius": dice.choice([3000, 20_000]),
        "ui_uncovers_power": dice.random() < 0.5,
        "mp_auto_success": dice.random() < 0.7,
        "mp_ignores_resistance": dice.random() < 0.3,
        "lasting_dampen_at_creation": dice.choice(["difficulty", "result"]),
        "lasting_dampen_limit": dice.choice(["per_melody", "per_player"]),
        "lasting_dampen_when": dice.choice(["own_turn", "any_turn"]),
        "exposed_duration": dice.choice(["battle", "next_turn"]),
        "guard_after_move": dice.random() < 0.8,
        "guard_lost_on": dice.choice(["damage", "hit"]),
        "guard_penalty_stacks": dice.random() < 0.3,
        "singing_reveals": dice.random() < 0.6,
        "mobility_six_fails": dice.random() < 0.7,
        "initiative": dice.choice(["roll_once", "fixed"]),
    }
    if dice.random() < 0.3:
        options["dampen_range"] = 6000
    if with_secrets:
        options["enemy_numbers"] = dice.choice(["shown", "hidden"])
        options["enemy_health"] = dice.choice(["exact", "band", "none"])
        options["breakdowns"] = dice.choice(["all", "own", "none"])
        options["attack_reveals"] = dice.random() < 0.5
    return options


CONDITIONS: Final = ("masked", "exposed", "on_guard", "fleeing", "stunned", "dazed")


def in_the_middle(dice: Random, setup: Tree) -> Tree:
    """The same battle in its third round, with conditions on many and no activation open."""
    for each in setup["combatants"]:
        odds = [name for name in CONDITIONS if dice.random() < 0.2]
        each["conditions"] = odds
        if "singer" in each and dice.random() < 0.2:
            each["hoarse_until"] = 3
    turn = dice.choice(["red", "blue"])
    battle = {"round": 3, "first_side": dice.choice(["red", "blue"]), "turn_side": turn}
    return {**setup, "battle": battle}


IDS: Final = ("f0", "f1", "f2", "f3", "f4", "nobody")
UNITS: Final = ("red_squad", "blue_squad", "red_0", "blue_1")


def nonsense(table: Table, dice: Random) -> Tree:
    """An action that can be read, mostly nonsense."""
    who, other = dice.choice(IDS), dice.choice(IDS)
    unit, side = {"unit": dice.choice(UNITS)}, {"side": dice.choice(["red", "blue"])}
    here = {"x": dice.randint(-500, WIDTH + 500), "y": dice.randint(-500, HEIGHT + 500)}
    weapon = dice.choice([*GUNS, *BLADES, "spoon"])
    seat = dice.choice(["ann", "bob", "new"])
    decision = {"decision_id": f"d{dice.randint(1, 40)}.1"}
    pending = table.state.rule.pending
    if pending and dice.random() < 0.7:
        decision = {"decision_id": pending[-1].decisions[0].id}
    point = {"leg": dice.randint(0, 3), "permille": dice.choice([0, 500, 1000, 1001])}
    shot = {"combatant": who, "target": other, "weapon": weapon}
    melody = dice.choice([*MELODIES, "hum"])
    actions: list[Tree] = [
        {"type": "activate_unit", **unit},
        {"type": "move", "combatant": who, "path": [here][: dice.randint(0, 1)]},
        {"type": "charge", "combatant": who, "target": other, "path": [here]},
        {"type": "unmask", "combatant": who},
        {"type": "mask", "combatants": [who, other]},
        {"type": "end_movement", **unit},
        {"type": "shoot", **shot},
        {"type": "fight", "combatant": who, "target": other},
        {"type": "sing", "combatant": who, "melody": melody, "point": here},
        {"type": "sing", "combatant": who, "melody": melody, "target": other},
        {"type": "sing", "combatant": who, "melody": melody, "aim": here},
        {"type": "guard", "combatant": who},
        {"type": "end_activation", **unit},
        {"type": "end_turn", **side},
        {"type": "stop_melody", "combatant": who},
        {"type": "dampen_lasting", "combatant": who, "song": f"s{dice.randint(2, 30)}"},
        {"type": "guard_shoot", **shot},
        {"type": "guard_shoot", **shot, "path_point": point},
        {"type": "gm_reveal", "combatant": who},
        {"type": "gm_panic_test", **unit, "modifier": dice.randint(-12, 12)},
        {"type": "answer", **decision, "choice": {"type": "roll"}},
        {"type": "answer", **decision, "choice": {"type": "pass"}},
        {"type": "answer", **decision, "choice": {"type": "guard_shoot", **shot}},
        {
            "type": "answer",
            **decision,
            "choice": {"type": "guard_shoot", **shot, "path_point": point},
        },
        {"type": "answer", **decision, "choice": {"type": "dampen", "combatant": who}},
        {
            "type": "answer",
            **decision,
            "choice": {"type": "reroll", "source": "ordinary", "dice": [dice.randint(0, 3)]},
        },
        {"type": "force_pass", **decision},
        {"type": "start_encounter"},
        {"type": "remove_combatant", "combatant": who},
        {"type": "assign_control", "seat": seat},
        {"type": "add_seat", "seat": {"id": seat, "role": "player", "combatants": ["f1"]}},
        {"type": "change_seat", "seat": seat, "role": dice.choice(["gm", "player"])},
        {"type": "remove_seat", "seat": seat},
        {"type": "configure", "options": {"mask_near": 7}},
        {"type": "configure", "map": {"width": 6000}},
        {
            "type": "add_combatant",
            "combatant": {**fighter(dice.choice(["f0", "g1"]), "red", 0, 0), "place": here},
        },
        {
            "type": "set_terrain",
            "features": [{"feature": dice.choice(["t0", "t9"]), **ground(here)}],
        },
        {"type": "adjust", "changes": [random_change(dice, IDS)]},
        {"type": "note", "text": "hear, hear"},
    ]
    return dice.choice(actions)


def ground(place: Tree) -> Tree:
    """What a feature becomes: a rock at a point, if it is on the table."""
    x, y = place["x"], place["y"]
    corners = [(x, y), (x + 900, y), (x, y + 900)]
    return {"terrain": {"kind": "rock", "vertices": [{"x": x, "y": y} for x, y in corners]}}


def random_change(dice: Random, ids: Sequence[str]) -> Tree:
    """Something that the game master says of one of these, possible or not."""
    place = {"x": dice.randint(-500, WIDTH), "y": dice.randint(-500, HEIGHT)}
    changes: list[Tree] = [
        {"type": "hp", "value": dice.randint(0, 4)},
        {"type": "place", "place": place},
        {
            "type": "condition",
            "condition": dice.choice([*CONDITIONS, "hoarse"]),
            "holds": dice.random() < 0.5,
        },
        {
            "type": "resource",
            "resource": dice.choice(["movement", "action", "rerolls"]),
            "value": dice.randint(0, 2),
        },
        {"type": "stat", "stat": "mobility", "value": dice.randint(-1, 13)},
        {"type": "stat", "stat": "armour", "value": dice.randint(0, 7)},
        {"type": "stat", "stat": "health_max", "value": dice.randint(0, 5)},
        {"type": "reveal"},
        {"type": "hide"},
    ]
    if dice.random() < 0.1:
        side = dice.choice(["red", "blue"])
        return {"type": "fp", "side": side, "value": dice.randint(0, 20)}
    return {**dice.choice(changes), "combatant": dice.choice(ids)}


BLOWS: tuple[Tree, ...] = (
    {"type": "hp", "value": 0},
    {"type": "condition", "condition": "fleeing"},
    {"type": "condition", "condition": "stunned"},
    {"type": "place", "place": {"x": 700, "y": 700}},
)
"""What most often makes an answer, or the action that waits itself, impossible."""

BATTLES: Final = RandomBattles(
    setup=random_setup,
    varied=lambda number: random_setup(number, is_odd=True),
    nonsense=nonsense,
    change=random_change,
    blows=BLOWS,
    spoiled={"weapon": "spoon"},
    require_sound=require_sound,
    require_explained=require_explained,
)
