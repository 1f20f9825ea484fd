"""Battles of this ruleset that differ in secrets alone.

Red is Ann's. Blue, whose h is hidden, is the game master's here: of its warriors whom everybody
knows only what nothing unseen can bar is done, and the same in both worlds.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from msgspec import UNSET

from service.engine.battle.actors import Actor
from service.engine.log.canonical import encode
from tests.kit.rig import Tree, TwoWorlds
from tests.kit.table import Table, asked
from tests.kit.two_worlds import why_not, why_unforeseen
from tests.rulesets.melody_d6.battles import (
    free_places,
    is_free,
    random_fighter,
    random_setup,
)
from tests.rulesets.melody_d6.setups import at, battle_of, fighter, in_progress, singing

Action = Mapping[str, Any]
SAFE: Final = frozenset({"shoot", "guard", "fight", "stop_melody"})
"""What known blue warriors do: nothing unseen can be in the way of it."""


def world(number: int, variant: int) -> Tree:
    """Battle `number` with a hidden h elsewhere, and fallen ones, in each variant."""
    setup = random_setup(number)
    dice = Random(1000 * number + variant)
    people = list(setup["combatants"])
    free = free_places(setup["map"]["features"])
    dice.shuffle(free)
    for name in ("h", *(f"x{index}" for index in range(variant))):
        place = next(each for each in free if is_free(each, people))
        hidden = random_fighter(dice, name, "blue", name, place, False)
        hidden |= {"hidden": True, "name": f"the {variant}th", "weapons": []}
        hidden.pop("singer", None)
        people.append(hidden if name == "h" else {**hidden, "health": 0})
    whole = battle_of(people, map=setup["map"], options=setup["options"])
    whole["options"] |= {"attack_reveals": False, "initiative": "fixed"}
    return whole


def deeds(one: Table, other: Table, dice: Random) -> tuple[str, tuple[Tree, Tree]]:
    """What is done next in both worlds, and by whom."""
    if one.state.rule.pending:
        return answer(one, other, dice)
    if one.state.rule.turn_side == "red":
        require_alike(one, other)
        actor = dice.choice(one.speakers("ann"))
        action = dice.choice(one.samples(actor, 8, "ann"))
        return "ann", (action, action)
    if one.state.rule.turn_unit == "h":
        return "gm", unseen(one, other, dice)
    action = blue(one, dice)
    return "gm", (action, action)


def answer(one: Table, other: Table, dice: Random) -> tuple[str, tuple[Tree, Tree]]:
    """Ann answers for red; the game master passes for blue."""
    decision = one.state.rule.pending[-1].decisions[0]
    if decision.side == "red":
        require_alike(one, other)
        action = dice.choice(one.samples(asked(decision), 6, "ann"))
        return "ann", (action, action)
    passed = {"type": "answer", "decision_id": decision.id, "choice": {"type": "pass"}}
    return "gm", (passed, passed)


def require_alike(one: Table, other: Table) -> None:
    """Ann may do the same in both worlds, and would be shown the same of it."""
    assert encode(one.legal_for("ann")) == encode(other.legal_for("ann"))
    for actor in one.speakers("ann"):
        actions = one.samples(actor, 6, "ann")
        assert actions == other.samples(actor, 6, "ann")
        for action in actions:
            assert encode(one.preview(action, "ann")) == encode(other.preview(action, "ann"))
    red = [each.id for each in one.state.rule.combatants if each.side == "red"]
    for probe in probes(one, red[0]):
        assert why_unforeseen(one, probe, "ann") == why_unforeseen(other, probe, "ann"), probe
        assert why_not(one, probe, "ann") == why_not(other, probe, "ann"), probe


def unseen(one: Table, other: Table, dice: Random) -> tuple[Tree, Tree]:
    """What h does in either world, which nobody sees but for its phase."""
    if one.state.rule.phase == "action":
        ending = {"type": "end_activation", "unit": "h"}
        return ending, ending
    moves = [
        [each for each in table.samples("h", 12) if each["type"] == "move"]
        for table in (one, other)
    ]
    if all(moves) and dice.random() < 0.7:
        return dice.choice(moves[0]), dice.choice(moves[1])
    ending = {"type": "end_movement", "unit": "h"}
    return ending, ending


def blue(table: Table, dice: Random) -> Tree:
    """What the known warriors of blue do, or the end of their turn."""
    rule = table.state.rule
    if rule.turn_unit is not UNSET:
        if rule.phase == "movement":
            return {"type": "end_movement", "unit": rule.turn_unit}
        members = [each.id for each in rule.combatants if each.unit == rule.turn_unit]
        able = [
            action
            for member in members
            for action in table.samples(member, 8)
            if action["type"] in SAFE
        ]
        if able and dice.random() < 0.7:
            return dice.choice(able)
        return {"type": "end_activation", "unit": rule.turn_unit}
    units = [
        unit.id
        for unit in rule.units
        if unit.side == "blue" and table.legal_of(Actor(unit=unit.id))
    ]
    if units and dice.random() < 0.8:
        return {"type": "activate_unit", "unit": dice.choice(units)}
    return {"type": "end_turn", "side": "blue"}


def probes(table: Table, combatant: str) -> list[Tree]:
    """Attempts to find out about somebody unseen, and plain mistakes."""
    place = table.combatant(combatant).place
    here = {"x": place.x, "y": place.y}
    shot = {"type": "shoot", "combatant": combatant, "weapon": "rifle"}
    return [
        {**shot, "target": "h"},
        {**shot, "weapon": "spoon", "target": "x1"},
        {"type": "fight", "combatant": combatant, "target": "h"},
        {"type": "charge", "combatant": combatant, "target": "x0", "path": [here]},
        {"type": "sing", "combatant": combatant, "melody": "drum_of_dread", "target": "h"},
        {"type": "move", "combatant": combatant, "path": [here]},
        {"type": "move", "combatant": "h", "path": [here]},
        {"type": "activate_unit", "unit": "h"},
        {"type": "end_activation", "unit": "x0"},
        {"type": "guard_shoot", "combatant": "h", "weapon": "rifle", "target": combatant},
        {"type": "dampen_lasting", "combatant": combatant, "song": "s1"},
        {
            "type": "answer",
            "decision_id": f"d{len(table.events)}.9",
            "choice": {"type": "pass"},
        },
        {"type": "adjust", "changes": [{"type": "reveal", "combatant": "h"}]},
        {"type": "gm_reveal", "combatant": "h"},
        {"type": "configure", "options": {}},
    ]


def duel(*secrets: Action, **more: Any) -> Tree:
    """Red a, whose activation is open, and blue t, who know of each other, and secrets."""
    songs = singing("ember_march", "drum_of_dread")
    known = [fighter("a", "red", 0, 0, **songs), fighter("t", "blue", 6, 0, **songs)]
    return battle_of([*known, *secrets], battle=in_progress("a"), **more)


def plain_and_odd() -> tuple[Tree, Tree]:
    """The same battle with two sheets of t that look the same to an enemy."""
    options = {"enemy_numbers": "hidden", "enemy_health": "band"}
    plain = fighter("t", "blue", 6, 0, **singing("ember_march", song_dice=3))
    odd = {
        **plain,
        "mobility": 1,
        "move": 4000,
        "accuracy": 9,
        "melee": 8,
        "toughness": 6,
        "armour": 3,
        "courage": 11,
        "sight": 9000,
        "health_max": 5,
        "singer": {**plain["singer"], "song_dice": 4, "song_bonus": 3, "dampen_bonus": 2},
    }
    shooter = fighter("a", "red", 0, 0, **singing("ember_march", "drum_of_dread"))
    first, second = (
        battle_of([shooter, each], options=options, battle=in_progress("a"))
        for each in (plain, odd)
    )
    return first, second


WORLDS: Final = TwoWorlds(
    world=world,
    quiet=frozenset({"move"}),
    met=frozenset({"contact"}),
    probes=probes,
    duel=duel,
    secret_ground={
        "type": "adjust",
        "changes": [{"type": "place", "combatant": "h", "place": at(9, 8)}],
    },
    secret_ruling={"type": "adjust", "changes": [{"type": "hp", "combatant": "h", "value": 1}]},
    plain_and_odd=plain_and_odd,
    hidden_side="blue",
    unknowing=("ann", "eve"),
    deeds=deeds,
)
ATTACKS: Final = frozenset({"shoot", "fight", "sing"})
