"""The golden battle of version 2: people pinned down by somebody unknown, and one in a wall."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import Viewer
from service.rulesets.squad_d100.v2 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import Table
from tests.replay.staging import BLUE, RED, offered, seat_of, staged
from tests.rulesets.squad_d100.golden import action, mend

Tree = Mapping[str, Any]

TEXT: Final = """\
..x.........
............
......|.....
............
........x...
............
"""


def setup() -> Any:
    """Two reds and three blues, two of these hidden."""

    def fighter(name: str, side: str, x: int, y: int, **more: object) -> Tree:
        rifle = {"id": "rifle", "kind": "automatic_rifle", "ap_class": 3, "damage": 12}
        place, arms = {"x": x, "y": y}, {"weapons": [{**rifle, "magazine": 60}]}
        sheet = {"kind": "mercenary", "name": name.title(), "accuracy": 95, "health_max": 400}
        return {"id": name, "side": side, "place": place, **sheet, **arms, **more}

    watch = {"conditions": ["watch"]}
    order = ["saul", "bina", "bela", "ruth", "bert"]
    tree = {
        "options": {"enemy_numbers": "hidden", "enemy_health": "band"},
        "map": {"text": TEXT},
        "combatants": [
            fighter("ruth", "red", 11, 1, **watch, suppressions=[{"by": "bert"}]),
            fighter("saul", "red", 4, 3),
            fighter("bela", "blue", 4, 1, **watch, hidden=True, suppressions=[{"by": "saul"}]),
            fighter("bert", "blue", 1, 4, hidden=True),
            fighter("bina", "blue", 0, 0, suppressions=[{"by": "saul"}]),
        ],
        "battle": {
            "round": 1,
            "order": [{"combatant": each} for each in order],
            "turn": order[0],
        },
    }
    return msgspec.convert(tree, RULESET.setup)


def walk(combatant: str, *cells: tuple[int, int]) -> Tree:
    """A walk."""
    return {
        "type": "move",
        "combatant": combatant,
        "path": [{"x": x, "y": y} for x, y in cells],
    }


def fight(number: int = 0x6A, ruleset: Ruleset[Any] = RULESET) -> Table:
    """A suppressor walks past a hidden watcher, a reaction is wasted, somebody leaves a wall."""
    table = staged(ruleset, setup(), "The clearing", number)

    def do(tree: Tree) -> None:
        table.act(action(**tree), seat_of(table, str(tree["combatant"])))

    table.act(action(type="contribute", value="b1" * 32), RED)
    table.act(action(type="contribute", value="d7" * 32), BLUE)
    table.act(action(type="start_encounter"))
    do(walk("saul", (3, 2), (3, 1)))
    do({"type": "end_turn", "combatant": "saul"})
    table.act(action(type="set_terrain", cells=[{"x": 0, "y": 0, "terrain": "wall"}]))
    do(walk("bina", (1, 1), (2, 0)))
    for _ in range(24):
        holder = str(table.state.rule.turn)
        listed = [each for each in offered(table, holder, 40) if each["type"] != "throw_grenade"]
        do(listed[(7 * len(table.sealed)) % len(listed)])
    mend(table)
    table.act(action(type="end_encounter", reason="The rain came"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


GOLDEN: Final = {
    "squad-d100-v2-sealed": GoldenBattle(
        play=fight,
        counts={"match": 34, "override": 1},
        happened=frozenset({"snap wasted", "snap hit"}),
    ),
    "squad-d100-v2-sealed-red": GoldenBattle(
        play=fight, viewer=Viewer(sides=("red",)), counts={"sealed": 35}
    ),
}
"""The battles by the name of their bundle."""
