"""Random battles of this ruleset: setups from a number, and what is done in them at random."""

from collections.abc import Sequence
from random import Random
from typing import Any

from service.rulesets.seeker_d100.state import BattleState
from tests.kit.rig import RandomBattles, Tree
from tests.kit.table import Table
from tests.rulesets.seeker_d100.setups import fighter, only, weapon
from tests.rulesets.seeker_d100.soundness import require_explained, require_sound

WIDTH, HEIGHT = 24, 16
PLAYER_OF = {"red": "ann", "blue": "bob", "green": "gm"}
GUNS = (
    "w_pistol_small",
    "w_revolver",
    "w_shotgun",
    "w_smg",
    "w_assault_rifle",
    "w_heavy_rifle",
    "w_lmg",
    "w_hmg",
    "w_grenade",
    "w_ied",
)
BLADES = ("w_knuckles", "w_knife", "w_combat_knife", "w_machete")
THROWN = {"id": "axe", "skill": "athletics", "damage": {"sides": 6}, "range_m": 12}
BOW = {"id": "bow", "skill": "ranged", "delivery": "arrow", "damage": {"count": 2, "sides": 6}}
SKILLS = (
    "ranged",
    "athletics",
    "melee_weapon",
    "unarmed",
    "heavy_weapons",
    "demolitions",
    "dodge",
)


def random_setup(number: int, *, with_secrets: bool = False) -> dict[str, Any]:
    """The setup of battle `number`: 6 to 10 combatants of two or three sides among covers.

    `with_secrets` hides some of them and some cover, and lets the table hide numbers.
    """
    dice = Random(number)
    sides = ["red", "blue"] + (["green"] if dice.random() < 0.3 else [])
    spots = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    centre = dice.choice(spots)
    spots.sort(key=lambda spot: (abs(spot[0] - centre[0]) + abs(spot[1] - centre[1]), spot))
    near = spots[:60]
    dice.shuffle(near)
    combatants = [
        random_fighter(dice, f"f{index}", sides[index % len(sides)], near.pop(), with_secrets)
        for index in range(dice.randint(6, 10))
    ]
    setup: dict[str, Any] = {
        "options": random_options(dice, with_secrets),
        "map": {"cover": [random_cover(dice, f"c{index}") for index in range(dice.randint(0, 25))]},
        "combatants": combatants,
    }
    if with_secrets:
        setup["hidden_cover"] = [random_cover_change(dice, f"h{index}") for index in range(2)]
    return setup


def random_cover(dice: Random, name: str) -> dict[str, Any]:
    """A wall of up to six metres, standing or lying or aslant."""
    x, y = dice.randrange(WIDTH), dice.randrange(HEIGHT)
    end = {"x": x + dice.randint(-4, 4), "y": y + dice.randint(-4, 4)}
    parts = ["head", "left_arm", "right_arm", "left_leg", "right_leg"]
    return {
        "id": name,
        "start": {"x": x, "y": y},
        "end": end,
        "degree": dice.choice(["partial", "large"]),
        "armour": dice.choice([5, 10, 15]),
        "exposed": parts[dice.randint(0, 3) :],
    }


def random_cover_change(dice: Random, name: str) -> dict[str, Any]:
    """A cover as the game master states it again."""
    ground = {each: value for each, value in random_cover(dice, name).items() if each != "id"}
    return {"feature": name, "terrain": ground}


def random_fighter(
    dice: Random, name: str, side: str, spot: tuple[int, int], with_secrets: bool
) -> dict[str, Any]:
    """A combatant with a gun, a blade and things to throw."""
    gun = weapon(dice.choice((*GUNS, "w_lmg", "w_grenade")))
    if dice.random() < 0.3:
        gun = {**gun, "ammo": dice.randint(1, 5), "shots": {"min": 1, "max": 3}}
    items = [weapon(dice.choice(BLADES)), THROWN, BOW]
    armour: dict[str, Any] = {
        "body_armour": {"value": dice.randint(1, 6), "parts": ["torso", "left_leg"]}
    }
    more: dict[str, Any] = armour if dice.random() < 0.4 else {}
    return fighter(
        name,
        side,
        *spot,
        health=dice.randint(6, 40),
        strength=dice.randint(0, 20),
        dexterity=dice.randint(0, 20),
        skills={skill: dice.randint(20, 95) for skill in SKILLS},
        weapons=[gun, *dice.sample(items, 2)],
        held_items=["radio", gun["id"]],
        free_hands=dice.randint(0, 2),
        helmet=dice.random() < 0.3,
        conditions=["unaware"] if dice.random() < 0.1 else [],
        hidden=with_secrets and dice.random() < 0.3,
        **more,
    )


def random_options(dice: Random, with_secrets: bool) -> dict[str, Any]:
    """Options, half of them otherwise than usual."""
    options: dict[str, Any] = {
        "melee_reach_sq": dice.choice([2, 4, 9]),
        "deck": dice.choice([52, 54]),
        "ace": dice.choice(["high", "low"]),
        "redraw_each_round": dice.random() < 0.3,
        "doubles": dice.random() < 0.7,
        "reactions": "none" if dice.random() < 0.1 else "prompt",
        "opposed_die": dice.choice(["high", "low"]),
        "called_open_penalty": dice.choice([-20, 0]),
        "called_ignores_armour": dice.choice(["uncovering", "all"]),
        "break_free_versus": dice.choice(["new_roll", "grapple_roll"]),
        "held_bonus": dice.choice(["melee", "unarmed"]),
        "critical_doubles_damage": dice.random() < 0.7,
        "attack_roll_kills": dice.random() < 0.5,
        "lethality_critical": dice.choice(["double", "instant"]),
        "body_vs_lethality": dice.choice(["none", "downgrade"]),
        "cover_vs_lethality": dice.choice(["none", "downgrade"]),
        "unconscious_at": dice.choice([0, 2, 5]),
    }
    if with_secrets:
        options["enemy_numbers"] = dice.choice(["shown", "hidden"])
        options["enemy_health"] = dice.choice(["exact", "band", "none"])
        options["breakdowns"] = dice.choice(["all", "own", "none"])
        options["attack_reveals"] = dice.random() < 0.5
    return options


BLOWS: tuple[dict[str, Any], ...] = (
    {"type": "hp", "value": 0},
    {"type": "condition", "condition": "unaware"},
    {"type": "condition", "condition": "unconscious"},
    {"type": "resource", "resource": "action", "value": 0},
    {"type": "place", "place": {"x": 90, "y": 90}},
    {"type": "stat", "stat": "dodge", "value": 9},
)
"""What most often makes an answer, or the attack itself, impossible."""
IDS = ("f0", "f1", "f2", "f3", "nobody")
WEAPONS = ("w_unarmed", "w_knife", "w_pistol_small", "w_grenade", "axe", "bow", "spoon")


def nonsense(table: Table, dice: Random) -> dict[str, Any]:
    """An action that can be read, mostly nonsense."""
    x, y = dice.randint(-1, 24), dice.randint(-1, 16)
    point, who = {"x": x, "y": y}, dice.choice(IDS)
    target, armed = dice.choice(IDS), dice.choice(WEAPONS)
    step: dict[str, Any] = {"step": {"to": point}} if dice.random() < 0.2 else {}
    attack = {"weapon": armed, "target": target}
    seq = dice.randint(0, len(table.events) + 2)
    decision = {"decision_id": f"d{seq}.{dice.randint(1, 2)}"}
    seat = dice.choice(["ann", "bob", "zoe"])
    choices: list[dict[str, Any]] = [
        {"type": "dodge"},
        {"type": "resist", "weapon": armed},
        {"type": "take_cover", "cover": "c1", "to": point},
        {"type": "roll"},
    ]
    actions: list[dict[str, Any]] = [
        {"type": "aim", "combatant": who, **step},
        {"type": "dodge", "combatant": who, **step},
        {"type": "resist", "combatant": who, "weapon": armed},
        {"type": "break_free", "combatant": who},
        {"type": "release", "combatant": who, **step},
        {"type": "end_turn", "combatant": who, **step},
        {"type": "attack", "combatant": who, **attack, **step},
        {"type": "attack", "combatant": who, **attack, "radius": 2, "shots": 2},
        {"type": "attack", "combatant": who, "weapon": armed, "point": point},
        {"type": "attack", "combatant": who, **attack, "intent": "block"},
        {"type": "called_shot", "combatant": who, **attack, "part": "head"},
        {"type": "called_shot", "combatant": who, **attack, "over_cover": True},
        {"type": "disarm", "combatant": who, "target": target, "item": "radio"},
        {"type": "grapple", "combatant": who, "target": target},
        {"type": "move", "combatant": who, "gait": "dash", "path": [point]},
        {"type": "move", "combatant": who, "gait": "jog", "path": [point], "test": {}},
        {"type": "answer", **decision, "choice": dice.choice(choices)},
        {"type": "force_pass", **decision},
        {"type": "start_encounter"},
        {"type": "remove_combatant", "combatant": who},
        {"type": "assign_control", "seat": seat},
        {"type": "add_seat", "seat": {"id": seat, "role": "player", "combatants": ["f1"]}},
        {"type": "change_seat", "seat": seat, "role": dice.choice(["gm", "player"])},
        {"type": "remove_seat", "seat": seat},
        {"type": "configure", "options": {"deck": 54}},
        {"type": "add_combatant", "combatant": fighter(dice.choice(["f0", "g1"]), "red", x, y)},
        {"type": "set_terrain", "changes": [random_cover_change(dice, "c1")]},
        {"type": "set_terrain", "changes": [random_cover_change(dice, "h1")], "secret": True},
        {"type": "set_terrain", "changes": [{"feature": "c2", "removed": True}]},
        {"type": "adjust", "changes": [random_change(dice, IDS)]},
        {"type": "note", "text": "hear, hear"},
    ]
    return dice.choice(actions)


def random_change(dice: Random, ids: Sequence[str]) -> dict[str, Any]:
    """Something that the game master says, possible or not."""
    condition = dice.choice(["unaware", "unconscious", "dead", "aim", "standing_roll"])
    place = {"x": dice.randint(0, 24), "y": dice.randint(0, 16)}
    stat = dice.choice(["dodge", "strength", "health_max", "helmet", "body_armour"])
    changes: list[dict[str, Any]] = [
        {"type": "hp", "value": dice.randint(0, 40)},
        {"type": "place", "place": place},
        {"type": "condition", "condition": condition, "holds": dice.random() < 0.4},
        {"type": "resource", "resource": "action", "value": dice.randint(0, 1)},
        {"type": "resource", "resource": "ammo", "item": dice.choice(WEAPONS), "value": 3},
        {"type": "stat", "stat": stat, "value": dice.randint(0, 210)},
        {"type": "reveal"},
        {"type": "hide"},
        {"type": "next_roll", "amount": dice.randint(-30, 30)},
        {"type": "movement_test", "modifier": 5},
        {"type": "item", "item": "radio", "held": dice.random() < 0.5},
    ]
    return {**dice.choice(changes), "combatant": dice.choice(ids)}


def require_wounds_explained(rule: BattleState, effects: list[Tree]) -> None:
    """Each wound adds up, and 0 health is death."""
    for wound in only(effects, "hurt"):
        require_explained(rule, wound)
    for combatant in rule.combatants:
        assert combatant.health or "dead" in combatant.conditions


ODD_WEAPONS = (
    weapon("w_grenade", id="bomb", delivery="explosive", range_m=9),
    weapon("w_ied", id="mine"),
    weapon("w_shotgun", id="empty", ammo=0),
    {"id": "stick", "skill": "melee_weapon"},
    {"id": "whip", "skill": "melee_weapon", "damage": {"sides": 2}, "range_m": 1},
)


def varied_setup(number: int) -> dict[str, Any]:
    """A random battle with odd weapons, some who lie about and some who stand apart."""
    setup = random_setup(number)
    dice = Random(number)
    for each in setup["combatants"]:
        each["weapons"] = [*each["weapons"], *dice.sample(ODD_WEAPONS, 2)]
        each["weapons"][0] = {**each["weapons"][0], "dropped": dice.random() < 0.2}
        each["place"] = {"x": each["place"]["x"] * dice.choice([1, 1, 3]), "y": dice.randint(0, 9)}
        each["conditions"] = dice.choice([[], [], [], ["unaware"], ["unconscious"], ["dead"]])
    return setup


BATTLES = RandomBattles(
    setup=random_setup,
    varied=varied_setup,
    nonsense=nonsense,
    change=random_change,
    blows=BLOWS,
    spoiled={"weapon": "spoon"},
    require_sound=require_sound,
    require_explained=require_wounds_explained,
)
