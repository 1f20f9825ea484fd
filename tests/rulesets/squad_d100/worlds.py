"""Battles of this ruleset that differ in secrets alone."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.hostile.battle import PLAYER_OF, Battle, combatant_in
from tests.kit.rig import Hostile, Tree, TwoWorlds
from tests.kit.table import Table
from tests.rulesets.squad_d100.battles import (
    open_cells,
    pasted,
    random_fighter,
    random_setup,
)
from tests.rulesets.squad_d100.setups import FREE, bomb, fighter, in_progress, pistol, rifle

Action = Mapping[str, Any]


def pasted_world(number: int, variant: int) -> Tree:
    """Such a battle; in every second one all fighters are units of a pasted text."""
    setup = world(number, variant)
    if number % 2 == 0:
        return setup
    rows = setup["map"]["text"].split("\n")
    return {**setup, "map": pasted(rows, setup["combatants"]), "combatants": []}


def world(number: int, variant: int) -> Tree:
    """Battle `number` without its green side, and with other secrets in each variant."""
    setup = random_setup(number, is_pasted=False)
    known = [each for each in setup["combatants"] if each["side"] != "green"]
    rows = setup["map"]["text"].split("\n")
    dice = Random(1000 * number + variant)
    taken = {(each["place"]["x"], each["place"]["y"]) for each in known}
    free = [cell for cell in open_cells(rows) if cell not in taken]
    dice.shuffle(free)
    # Without arms nobody shoots at those who know nothing of him: he watches and tests in secret.
    hidden = random_fighter(dice, "h", "green", free.pop(), False)
    hidden |= {"hidden": True, "name": f"the {variant}th", "weapons": [], "grenades": []}
    more = [random_fighter(dice, f"x{n}", "green", free.pop(), False) for n in range(variant)]
    fallen = [{**each, "hidden": True, "health": 0} for each in more]
    # Whose turn it is would tell of wounds that nobody sees, and where a hidden side comes in.
    order = {"turn_order": "sides", "side_order": ["red", "blue", "green"]}
    setup["options"] |= {**order, "attack_reveals": False}
    return {**setup, "combatants": [*known, hidden, *fallen]}


def probes(table: Table, combatant: str) -> list[Tree]:
    """Attempts to find out about somebody unseen, and plain mistakes."""
    place = table.combatant(combatant).place
    here = {"x": place.x, "y": place.y}
    shot = {"type": "aimed_shot", "combatant": combatant, "weapon": "rifle"}
    return [
        {**shot, "target": "h"},
        {**shot, "weapon": "spoon", "target": "x1"},
        {**shot, "cell": here, "gm_modifier": 5},
        {"type": "melee_attack", "combatant": combatant, "target": "h"},
        {"type": "suppress", "combatant": combatant, "weapon": "rifle", "target": "x0"},
        {"type": "aimed_shot", "combatant": "h", "weapon": "rifle", "target": combatant},
        {"type": "kneel", "combatant": "h"},
        {"type": "end_turn", "combatant": "x0"},
        {"type": "move", "combatant": combatant, "path": [{"x": place.x + 2, "y": place.y}]},
        {"type": "throw_grenade", "combatant": combatant, "grenade": "spoon", "cell": here},
        {
            "type": "answer",
            "decision_id": f"d{len(table.events)}.1",
            "choice": {"type": "roll"},
        },
        {"type": "adjust", "changes": [{"type": "reveal", "combatant": "h"}]},
        {"type": "configure", "map": {"text": FREE}},
    ]


ARMS: Tree = {"weapons": [rifle(), pistol()], "grenades": [bomb()]}


def duel(*secrets: Action, **more: Any) -> Tree:
    """Red a and blue t, who know of each other, and secrets; the turns go round in this order."""
    known = [fighter("a", "red", 0, 0, **ARMS), fighter("t", "blue", 6, 0, **ARMS)]
    everyone: list[Action] = [*known, *secrets]
    order = in_progress(*(str(each["id"]) for each in everyone))
    return {
        "map": {"text": "." * 12 + "\n" + "............\n" * 11},
        "combatants": everyone,
        "battle": order,
        **more,
    }


def plain_and_odd() -> tuple[Tree, Tree]:
    """The same battle with two sheets of t that look the same to an enemy."""
    options = {"enemy_numbers": "hidden", "enemy_health": "band", "turn_order": "sides"}
    plain = fighter("t", "blue", 6, 0, **ARMS)
    odd = {
        **plain,
        "strength": 90,
        "agility": 17,
        "accuracy": 93,
        "endurance": 3,
        "health": 250,
        "health_max": 250,
        "armour_class": 7,
        "melee_ap": 6,
        "weapons": [rifle(ap_class=9, damage=70, magazine=33), pistol(rounds=2)],
        "grenades": [bomb(damage={"count": 3, "sides": 6}, ap_class=8, radius=4, count=7)],
    }
    shooter = fighter("a", "red", 0, 0, **ARMS)
    order = in_progress("a", "t")
    first, second = (
        {"map": {"text": FREE}, "combatants": [shooter, each], "options": options, "battle": order}
        for each in (plain, odd)
    )
    return first, second


def probe(battles: Sequence[Battle], combatant: str, dice: Random) -> Tree | None:
    """Some attack, a throw above all, whatever is legal."""
    by = PLAYER_OF[combatant_in(battles[0], combatant)["side"]]
    sampled = battles[0].samples(combatant, 20, by)
    throws = [each for each in sampled if each["type"] == "throw_grenade"]
    others = [each for each in sampled if each["type"] in ATTACKS]
    found = throws if throws and dice.random() < 0.7 else others
    return dice.choice(found) if found else None


ATTACKS = frozenset(
    {"aimed_shot", "snap_shots", "burst", "suppress", "throw_grenade", "melee_attack"}
)

WORLDS = TwoWorlds(
    world=pasted_world,
    quiet=frozenset({"move", "kneel", "stand", "sprint", "end_movement"}),
    met=frozenset({"contact"}),
    probes=probes,
    duel=duel,
    secret_ground={
        "type": "adjust",
        "changes": [{"type": "posture", "combatant": "h", "posture": "kneeling"}],
    },
    secret_ruling={"type": "adjust", "changes": [{"type": "hp", "combatant": "h", "value": 7}]},
    plain_and_odd=plain_and_odd,
)
HOSTILE = Hostile(
    world=world,
    probe=probe,
    unmet={
        "type": "adjust",
        "changes": [{"type": "condition", "combatant": "h", "condition": "watch"}],
    },
    asks_unseen=False,
)
