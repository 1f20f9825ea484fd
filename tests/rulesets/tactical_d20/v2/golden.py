"""The golden battle of version 2: guesses at cells whose people are in total cover by ruling."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from service.engine.visibility.scope import Viewer
from service.rulesets.tactical_d20.v2 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import Table
from tests.replay.staging import BLUE, RED, staged
from tests.rulesets.tactical_d20.golden import action, answer_all, play_turn

Tree = Mapping[str, Any]

ROWS: Final = (
    "..............",
    ".......c......",
    "..........s...",
    ".......#......",
    "..............",
)
RIFLE: Final[Tree] = {
    "id": "rifle",
    "kind": "ranged",
    "attack_bonus": 6,
    "targets": "eac",
    "damage": {"count": 1, "sides": 8, "bonus": 1},
    "range_increment_ft": 30,
}
BLADE: Final[Tree] = {
    "id": "blade",
    "kind": "melee",
    "attack_bonus": 4,
    "damage": {"count": 1, "sides": 4},
}
GUESS: Final[Tree] = {
    "type": "attack_cell",
    "combatant": "bela",
    "weapon": "rifle",
    "cell": {"x": 10, "y": 2},
}


def setup() -> Any:
    """Blue bela hunts whom she cannot see: rita, and ralf, who lies there as if he were dead."""

    def fighter(name: str, side: str, x: int, y: int, **more: object) -> Tree:
        return {
            "id": name,
            "name": name.title(),
            "side": side,
            "place": {"x": x, "y": y},
            "health_max": 60,
            "ac": {"eac": 9, "kac": 12},
            "weapons": [RIFLE, BLADE],
        } | more

    covered = {"cover_overrides": [{"versus": "bela", "grade": "total"}]}
    tree = {
        "options": {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"},
        "map": {"form": "ascii", "rows": ROWS},
        "combatants": [
            fighter("bela", "blue", 4, 2),
            fighter("ruth", "red", 3, 2),
            fighter("ralf", "red", 10, 2, health=-60, conditions=["dead", "invisible"], **covered),
            fighter("rita", "red", 10, 2, conditions=["invisible"], **covered),
            fighter("bert", "blue", 1, 0),
        ],
        "battle": {
            "round": 1,
            "order": [{"combatant": each} for each in ("bela", "ruth", "ralf", "rita", "bert")],
            "turn": "bela",
        },
    }
    return msgspec.convert(tree, RULESET.setup)


def lifted(covered: str) -> Tree:
    """The end of the game master's word on somebody's cover from bela."""
    return {"type": "cover_override", "combatant": covered, "versus": "bela", "lifted": True}


def guess(table: Table) -> None:
    """One more shot of bela's at the cell, at which ruth, next to her, may strike."""
    again = {"type": "resource", "combatant": "bela", "resource": "standard", "value": 1}
    table.act(action(type="adjust", changes=[again], reason="One more shot"))
    table.act(action(**GUESS), BLUE)
    answer_all(table)


def guess_until_hurt(table: Table, quarry: str) -> None:
    """Guesses until one hits who is wanted."""
    before = table.combatant(quarry).health
    while table.combatant(quarry).health == before:
        guess(table)


def fight() -> Table:
    """The game master's word keeps every shot from both; it is lifted for rita, then for ralf."""
    table = staged(RULESET, setup(), "The smoke", 0xD8)
    table.act(action(type="contribute", value="6e" * 32), RED)
    table.act(action(type="contribute", value="91" * 32), BLUE)
    table.act(action(type="start_encounter"))
    up = {"type": "hp", "combatant": "ralf", "value": 60}
    table.act(action(type="adjust", changes=[up], reason="He was shamming"))
    for _ in range(8):
        guess(table)
    table.act(action(type="adjust", changes=[lifted("rita")], reason="She leans out"))
    guess_until_hurt(table, "rita")
    roof = {"x": 12, "y": 0, "elevation": 10}
    away = {"type": "place", "combatant": "rita", "place": roof}
    table.act(action(type="adjust", changes=[away, lifted("ralf")], reason="She climbs up"))
    guess_until_hurt(table, "ralf")
    for _ in range(10):
        play_turn(table)
    table.act(action(type="end_encounter", reason="The smoke cleared"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


GOLDEN: Final = {
    "tactical-d20-v2-sealed": GoldenBattle(
        play=fight,
        counts={"match": 57, "override": 21},
        happened=frozenset({"guess hit", "guess miss", "answered opportunity_attack"}),
    ),
    "tactical-d20-v2-sealed-blue": GoldenBattle(
        play=fight, viewer=Viewer(sides=("blue",)), counts={"sealed": 78}
    ),
}
"""The battles by the name of their bundle."""
