"""The golden battle of version 2: archers and throwers of axes among people who dodge."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from service.engine.visibility.scope import Viewer
from service.rulesets.seeker_d100.v2 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import Table
from tests.replay.staging import BLUE, RED, staged
from tests.rulesets.seeker_d100.golden import action, mend, play_turn

Tree = Mapping[str, Any]

BOW: Final[Tree] = {"id": "bow", "skill": "ranged", "delivery": "arrow", "damage": {"sides": 6}}
AXE: Final[Tree] = {"id": "axe", "skill": "athletics", "damage": {"sides": 6}, "range_m": 15}
KNIFE: Final[Tree] = {"id": "knife", "sample": "w_combat_knife"}
SHOT: Final[Tree] = {"type": "attack", "weapon": "bow"}
THROW: Final[Tree] = {"type": "attack", "weapon": "axe"}
STAB: Final[Tree] = {"type": "attack", "weapon": "knife"}

WANTED: Final[Mapping[str, tuple[Tree, ...]]] = {
    "ruth": (SHOT, {"type": "aim"}),
    "ralf": (THROW, STAB),
    "rita": ({"type": "dodge"}, SHOT),
    "bela": (SHOT, {"type": "called_shot", "weapon": "bow", "part": "left_leg"}),
    "bert": (STAB, THROW),
    "bina": (THROW, {"type": "dodge"}),
}
"""What each of them likes to do, in odd rounds and in even ones; attacks are at any enemy."""


def setup() -> Any:
    """Three against three in a clearing, one of them hidden; their numbers are their own."""

    def fighter(name: str, side: str, x: int, y: int, *weapons: Tree, **more: object) -> Tree:
        skills = ("ranged", "athletics", "melee_weapon", "unarmed")
        return {
            "id": name,
            "name": name.title(),
            "side": side,
            "place": {"x": x, "y": y},
            "health": 40,
            "health_max": 40,
            "skills": dict.fromkeys(skills, 70) | {"dodge": 60},
            "weapons": weapons,
            "held_items": [weapons[0]["id"]],
        } | more

    tree = {
        "options": {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"},
        "combatants": [
            fighter("ruth", "red", 0, 0, BOW, KNIFE),
            fighter("ralf", "red", 5, 1, AXE, KNIFE),
            fighter("rita", "red", 1, 4, BOW, KNIFE),
            fighter("bela", "blue", 11, 0, BOW, KNIFE),
            fighter("bert", "blue", 6, 1, KNIFE, AXE),
            fighter("bina", "blue", 9, 3, AXE, hidden=True),
        ],
    }
    return msgspec.convert(tree, RULESET.setup)


def fight() -> Table:
    """Arrows and axes that are dodged, and blows; somebody is hidden, and shows herself."""
    table = staged(RULESET, setup(), "The clearing", 0x68)
    table.act(action(type="contribute", value="5a" * 32), RED)
    table.act(action(type="contribute", value="c3" * 32), BLUE)
    table.act(action(type="start_encounter"))
    for _ in range(14):
        play_turn(table, WANTED)
    mend(table)
    for _ in range(12):
        play_turn(table, WANTED)
    table.act(action(type="adjust", changes=[{"type": "reveal", "combatant": "bina"}]))
    for _ in range(6):
        play_turn(table, WANTED)
    table.act(action(type="end_encounter", reason="It is dark"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


GOLDEN: Final = {
    "seeker-d100-v2-sealed": GoldenBattle(
        play=fight,
        counts={"match": 50, "override": 2},
        happened=frozenset({"answered dodge", "attack avoided", "attack hit"}),
    ),
    "seeker-d100-v2-sealed-red": GoldenBattle(
        play=fight, viewer=Viewer(sides=("red",)), counts={"sealed": 52}
    ),
}
"""The battles by the name of their bundle."""
