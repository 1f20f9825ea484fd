"""The golden battle of version 3: the game master changes it while attacks wait."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from service.engine.battle.roster import is_out
from service.engine.visibility.scope import Viewer
from tests.kit.rig import GoldenBattle
from tests.kit.table import Table
from tests.replay.staging import BLUE, RED, is_legal, seat_of, staged
from tests.rulesets.seeker_d100.golden import action, answer_all, mend, play_turn
from tests.rulesets.seeker_d100.v3.setups import RULESET

Tree = Mapping[str, Any]

RIFLE: Final[Tree] = {"id": "rifle", "sample": "w_carbine", "range_m": 30, "ammo": 20}
BOMB: Final[Tree] = {"id": "bomb", "sample": "w_grenade", "delivery": "explosive"}
BLADE: Final[Tree] = {"id": "blade", "sample": "w_machete"}
SHOT: Final[Tree] = {"type": "attack", "weapon": "rifle"}
THROW: Final[Tree] = {"type": "attack", "weapon": "bomb"}
CUT: Final[Tree] = {"type": "attack", "weapon": "blade"}

WANTED: Final[Mapping[str, tuple[Tree, ...]]] = {
    "ruth": (SHOT, {"type": "aim"}),
    "ralf": (CUT, {"type": "grapple"}),
    "rita": (THROW, SHOT),
    "bela": (SHOT, THROW),
    "bert": (CUT, {"type": "disarm", "item": "rifle"}),
    "bina": (CUT, {"type": "dodge"}),
}
"""What each of them likes to do, in odd rounds and in even ones; attacks are at any enemy."""


def setup() -> Any:
    """Three against three on a bridge with cover, one of them hidden; their numbers are hidden."""

    def fighter(name: str, side: str, x: int, y: int, *weapons: Tree, **more: object) -> Tree:
        skills = ("ranged", "athletics", "melee_weapon", "unarmed", "dodge")
        return {
            "id": name,
            "name": name.title(),
            "side": side,
            "place": {"x": x, "y": y},
            "health": 40,
            "health_max": 40,
            "skills": dict.fromkeys(skills, 65),
            "weapons": weapons,
            "held_items": [weapons[0]["id"]],
        } | more

    def wall(x: int, name: str) -> Tree:
        ends = {"start": {"x": x, "y": -2}, "end": {"x": x, "y": 4}}
        return {"id": name, **ends, "sample": "wall"}

    tree = {
        "options": {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"},
        "map": {"cover": [wall(2, "sacks"), wall(9, "lorry")]},
        "combatants": [
            fighter("ruth", "red", 0, 0, RIFLE, BLADE),
            fighter("ralf", "red", 5, 1, BLADE),
            fighter("rita", "red", 1, 3, BOMB, RIFLE),
            fighter("bela", "blue", 11, 0, RIFLE, BOMB),
            fighter("bert", "blue", 6, 1, BLADE),
            fighter("bina", "blue", 5, 2, BLADE, hidden=True),
        ],
    }
    return msgspec.convert(tree, RULESET.setup)


def begin(table: Table, liked: Tree) -> bool:
    """Whoever has the turn attacks so, whom it can; whether answers are awaited now."""
    acting = str(table.state.rule.turn)
    by = seat_of(table, acting)
    enemies = [c.id for c in table.state.rule.combatants if seat_of(table, c.id) != by]
    for enemy in enemies:
        tree = {**liked, "combatant": acting, "target": enemy}
        if is_legal(table, tree, by):
            table.act(action(**tree), by)
            return bool(table.state.rule.pending)
    return False


def until_asked(table: Table, *liked: Tree) -> tuple[str, str]:
    """Play on until an attack of these kinds waits: the attacker, and the first who is asked."""
    while True:
        if is_anybody_out(table):
            mend(table)
        if any(begin(table, each) for each in liked):
            asked = str(table.state.rule.pending[-1].decisions[0].combatant)
            return str(table.state.rule.turn), asked
        if not is_anybody_out(table):
            play_turn(table, WANTED)


def is_anybody_out(table: Table) -> bool:
    """Whether somebody has fallen."""
    return any(is_out(each) for each in table.state.rule.combatants)


def rule(table: Table, reason: str, *changes: Tree) -> None:
    """The game master changes something while an attack waits."""
    table.act(action(type="adjust", changes=list(changes), reason=reason))


FELLED: Final[Tree] = {"type": "condition", "condition": "unconscious"}


def place(combatant: str, x: int, y: int) -> Tree:
    """The combatant is put there."""
    return {"type": "place", "combatant": combatant, "place": {"x": x, "y": y}}


def fight() -> Table:
    """Attacks that stop and attacks that continue from where people were put."""
    table = staged(RULESET, setup(), "The bridge", 0x6A)
    table.act(action(type="contribute", value="1f" * 32), RED)
    table.act(action(type="contribute", value="b4" * 32), BLUE)
    table.act(action(type="start_encounter"))
    for _ in range(4):
        play_turn(table, WANTED)
    attacker, asked = until_asked(table, CUT)
    rule(table, "Swept off the bridge", place(asked, 40, 1))
    answer_all(table)
    rule(table, "And back", place(asked, 6, 2))
    attacker, asked = until_asked(table, SHOT)
    rule(table, "The bridge turns", place(attacker, 12, 2))
    answer_all(table)
    attacker, asked = until_asked(table, THROW)
    rule(table, "Fog", {"type": "hide", "combatant": asked})
    answer_all(table)
    rule(table, "The fog lifts", {"type": "reveal", "combatant": asked})
    mend(table)
    step = {"to": {"x": 5, "y": 1}, "when": "before"}
    attacker, asked = until_asked(table, {**CUT, "step": step}, SHOT)
    rule(table, "A push", place(attacker, 5, 3))
    answer_all(table)
    attacker, asked = until_asked(table, CUT, SHOT)
    rule(table, "Struck by a beam", {**FELLED, "combatant": attacker})
    mend(table)
    for _ in range(6):
        play_turn(table, WANTED)
    table.act(action(type="end_encounter", reason="The bridge is down"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


GOLDEN: Final[Mapping[str, GoldenBattle]] = {
    "seeker-d100-v3-sealed": GoldenBattle(
        play=fight,
        counts={"match": 85, "override": 10},
        happened=frozenset(
            {"answered resist", "answered take_cover", "attack hit", "attack stopped", "void"}
        ),
    ),
    "seeker-d100-v3-sealed-red": GoldenBattle(
        play=fight, viewer=Viewer(sides=("red",)), counts={"sealed": 95}
    ),
}
"""The battles by the name of their bundle."""
