"""The golden battle of version 2: dice of the table, and a game master who changes the battle."""

from collections.abc import Mapping
from typing import Any, Final

from service.engine.visibility.scope import Viewer
from service.rulesets.crossfire_d6.v2 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import Table
from tests.replay.staging import is_legal, roll_for, seat_of, staged
from tests.rulesets.crossfire_d6.golden import action, play_turn, sealed_battle, setup

Tree = Mapping[str, Any]


def shoot(table: Table) -> tuple[str, str]:
    """Whoever has the turn shoots, if not it the next: attacker and target; dice are awaited."""
    while True:
        acting = str(table.state.rule.turn)
        by = seat_of(table, acting)
        for enemy in table.state.rule.combatants:
            tree = {"type": "ranged_attack", "weapon": "rifle"}
            tree |= {"combatant": acting, "target": enemy.id}
            if seat_of(table, enemy.id) != by and is_legal(table, tree, by):
                table.act(action(**tree), by)
                return acting, enemy.id
        play_turn(table)


def rule(table: Table, reason: str, *changes: Tree) -> None:
    """The game master changes something while dice are awaited."""
    table.act(action(type="adjust", changes=list(changes), reason=reason))


def fight() -> Table:
    """Shots that stop while their dice are awaited, and one that is made."""
    table = staged(RULESET, setup(), "The crates again", 0x6C, "supplied")
    table.act(action(type="start_encounter"), faces=(3, 4, 1) * 6)
    play_turn(table)
    _, target = shoot(table)
    rule(table, "Out of sight", {"type": "hide", "combatant": target})
    rule(table, "There again", {"type": "reveal", "combatant": target})
    attacker, _ = shoot(table)
    dazed = {"type": "condition", "combatant": attacker, "condition": "helpless"}
    rule(table, "A brick", dazed)
    attacker, _ = shoot(table)
    while roll_for(table, seat_of(table, attacker)):
        pass
    table.act(action(type="end_encounter", reason="Dinner is ready"))
    return table


def sealed() -> Table:
    """The battle of version 1 in which the service rolls: nothing waits, and all is as it was."""
    return sealed_battle(0x6E, RULESET)


GOLDEN: Final[Mapping[str, GoldenBattle]] = {
    "crossfire-d6-v2-sealed": GoldenBattle(
        play=sealed, counts={"match": 54, "override": 2, "erased": 1}
    ),
    "crossfire-d6-v2-supplied": GoldenBattle(
        play=fight,
        counts={"match": 21, "override": 3},
        happened=frozenset({"void", "answered roll"}),
    ),
    "crossfire-d6-v2-supplied-red": GoldenBattle(
        play=fight, viewer=Viewer(sides=("red",)), counts={"sealed": 24}
    ),
}
"""The battles by the name of their bundle."""
