"""The golden battle of version 3: walks that wait for a watcher's die, and stop or begin anew."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from service.engine.visibility.scope import Viewer
from service.rulesets.squad_d100.v3 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import Table
from tests.replay.staging import BLUE, RED, seat_of, staged
from tests.rulesets.squad_d100.golden import action
from tests.rulesets.squad_d100.v2.golden import fight as battle_of_version_2
from tests.rulesets.squad_d100.v2.golden import walk

Tree = Mapping[str, Any]

TEXT: Final = """\
..........
....x.....
..........
.....|....
..........
"""


def setup() -> Any:
    """A red walker and two blue watchers, one of them hidden."""

    def fighter(name: str, side: str, x: int, y: int, **more: object) -> Tree:
        rifle = {"id": "rifle", "kind": "automatic_rifle", "ap_class": 3, "damage": 12}
        place, arms = {"x": x, "y": y}, {"weapons": [{**rifle, "magazine": 60}]}
        sheet = {"kind": "mercenary", "name": name.title(), "accuracy": 60, "health_max": 400}
        return {"id": name, "side": side, "place": place, **sheet, **arms, **more}

    watch = {"conditions": ["watch"]}
    tree = {
        "options": {"enemy_numbers": "hidden", "enemy_health": "band"},
        "map": {"text": TEXT},
        "combatants": [
            fighter("saul", "red", 1, 2),
            fighter("bela", "blue", 6, 2, **watch),
            fighter("bina", "blue", 8, 4, **watch, hidden=True),
        ],
        "battle": {
            "round": 1,
            "order": [{"combatant": each} for each in ("saul", "bela", "bina")],
            "turn": "saul",
        },
    }
    return msgspec.convert(tree, RULESET.setup)


def rule(table: Table, reason: str, *changes: Tree) -> None:
    """The game master changes something while a die is awaited."""
    table.act(action(type="adjust", changes=list(changes), reason=reason))


def place(combatant: str, x: int, y: int) -> Tree:
    """The combatant is put there."""
    return {"type": "place", "combatant": combatant, "place": {"x": x, "y": y}}


def fall(table: Table, *faces: int) -> None:
    """The dice that are asked for show these faces, one after the other."""
    left = list(faces)
    while table.state.rule.pending:
        question = table.state.rule.pending[-1].decisions[0]
        by = RED if question.seat == RED.seat or question.side == "red" else BLUE
        answer = action(type="answer", decision_id=question.id, choice={"type": "roll"})
        assert question.roll
        count = question.roll.count
        shown, left = left[:count], left[count:]
        table.act(answer, by, tuple(shown))


def fight() -> Table:
    """One walk stops, one begins anew from where its walker was put; a shot stops, one is made."""
    table = staged(RULESET, setup(), "The yard", 0x6D, "supplied")

    def do(tree: Tree) -> None:
        table.act(action(**tree), seat_of(table, str(tree["combatant"])))

    table.act(action(type="start_encounter"))
    do(walk("saul", (2, 2), (3, 2)))
    rule(table, "Thrown back", place("saul", 0, 0))
    rule(table, "And up again", place("saul", 1, 2))
    do(walk("saul", (2, 2), (3, 2)))
    rule(table, "A gust", place("saul", 1, 1))
    fall(table, 95, 96, 97, 98)
    shot = {"type": "aimed_shot", "combatant": "saul", "weapon": "rifle", "target": "bela"}
    do(shot)
    rule(table, "Smoke", {"type": "hide", "combatant": "bela"})
    rule(table, "It clears", {"type": "reveal", "combatant": "bela"})
    do(shot)
    fall(table, 93)
    table.act(action(type="end_encounter", reason="Dinner is ready"))
    return table


def sealed() -> Table:
    """The battle of version 2 in which the service rolls: nothing waits, and all is as it was."""
    return battle_of_version_2(0x6F, RULESET)


GOLDEN: Final[Mapping[str, GoldenBattle]] = {
    "squad-d100-v3-sealed": GoldenBattle(play=sealed, counts={"match": 34, "override": 1}),
    "squad-d100-v3-supplied": GoldenBattle(
        play=fight,
        counts={"match": 10, "override": 5},
        happened=frozenset({"void", "answered roll", "aimed miss"}),
    ),
    "squad-d100-v3-supplied-red": GoldenBattle(
        play=fight, viewer=Viewer(sides=("red",)), counts={"sealed": 15}
    ),
}
"""The battles by the name of their bundle."""
