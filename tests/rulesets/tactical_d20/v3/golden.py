"""The golden battle of version 3: what waits is overruled, walks are passed for and taken back."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By
from service.rulesets.tactical_d20.v3 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import GM, Table
from tests.replay.staging import BLUE, RED, staged
from tests.rulesets.tactical_d20.golden import answer_all, play_turn

Tree = Mapping[str, Any]

ROWS: Final = (
    "..............",
    ".####.........",
    "..............",
    ".####...c.....",
    "..........s...",
    "..............",
)
"""A corridor of one cell in row 2."""


def read(**tree: object) -> do.Action:
    """An action as a client writes it."""
    action: do.Action = msgspec.convert(tree, RULESET.action)
    return action


def setup() -> Any:
    """Red ruth and ralf against blue bert, who has a long pike, bela, and hidden bina."""
    rifle = {
        "id": "rifle",
        "kind": "ranged",
        "attack_bonus": 6,
        "targets": "eac",
        "damage": {"count": 1, "sides": 8, "bonus": 1},
        "range_increment_ft": 20,
        "max_increments": 2,
    }
    blade = {
        "id": "blade",
        "kind": "melee",
        "attack_bonus": 9,
        "damage": {"count": 1, "sides": 4},
    }

    def fighter(name: str, side: str, x: int, y: int, **more: object) -> dict[str, object]:
        return {
            "id": name,
            "name": name.title(),
            "side": side,
            "place": {"x": x, "y": y},
            "health_max": 60,
            "ac": {"eac": 9, "kac": 12},
            "weapons": [rifle, blade],
        } | more

    tree = {
        "map": {"form": "ascii", "rows": ROWS},
        "combatants": [
            fighter("ruth", "red", 3, 2),
            fighter("bert", "blue", 6, 3, reach_ft=10),
            fighter("ralf", "red", 2, 5),
            fighter("bela", "blue", 12, 1),
            fighter("bina", "blue", 7, 5, hidden=True, weapons=[]),
        ],
        "battle": {
            "round": 1,
            "order": [{"combatant": each} for each in ("ruth", "bert", "ralf", "bela", "bina")],
            "turn": "ruth",
        },
    }
    return msgspec.convert(tree, RULESET.setup)


def walk(table: Table, combatant: str, by: By, *cells: tuple[int, int]) -> None:
    """A walk along these cells."""
    path = [{"x": x, "y": y} for x, y in cells]
    table.act(read(type="move", combatant=combatant, path=path), by)


def shoot(table: Table, combatant: str, by: By, target: str) -> None:
    table.act(read(type="attack", combatant=combatant, weapon="rifle", target=target), by)


def reply(table: Table, choice: str, by: By = BLUE) -> None:
    """An answer of the first who is asked."""
    [decision, *_] = table.state.rule.pending[-1].decisions
    chosen = {"type": choice} | ({"weapon": "blade"} if choice == "opportunity_attack" else {})
    table.act(read(type="answer", decision_id=decision.id, choice=chosen), by)


def overrule(table: Table, reason: str, *changes: Tree) -> None:
    table.act(read(type="adjust", changes=changes, reason=reason))


def put(combatant: str, x: int, y: int) -> Tree:
    return {"type": "place", "combatant": combatant, "place": {"x": x, "y": y}}


def again(combatant: str) -> tuple[Tree, ...]:
    """Another turn's worth of actions, and the reactions of those who are asked."""
    actions = [(combatant, "standard"), (combatant, "move"), ("bert", "reaction")]
    return tuple(
        {"type": "resource", "combatant": each, "resource": resource, "value": 1}
        for each, resource in actions
    )


def end_turn(table: Table, combatant: str, by: By) -> None:
    table.act(read(type="end_turn", combatant=combatant), by)


def fight() -> Table:
    """Ruth's walks and shots, each time something of it overruled; then all play on."""
    table = staged(RULESET, setup(), "The corridor", 0xD9)
    options = {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"}
    table.act(read(type="configure", options=options | {"fallen_give_cover": False}))
    table.act(read(type="contribute", value="5a" * 32), RED)
    table.act(read(type="contribute", value="c4" * 32), BLUE)
    table.act(read(type="start_encounter"))
    taken_back(table)
    passed(table)
    stopped_walks(table)
    stopped_shots(table)
    fallen(table)
    for _ in range(8):
        play_turn(table)
    table.act(read(type="end_encounter", reason="The corridor is taken"))
    table.act(read(type="reveal", seed=True, open="none"))
    return table


def taken_back(table: Table) -> None:
    """Ruth goes one way and takes it back; a walk that meets hidden bina stays."""
    start = len(table.sealed)
    walk(table, "ruth", RED, (2, 2), (1, 2))
    table.act(read(type="rewind", to=start), RED)
    overrule(table, "A way round", put("ruth", 7, 3), put("bert", 12, 5))
    walk(table, "ruth", RED, (7, 4), (7, 5), (8, 5))
    overrule(table, "And back", put("ruth", 3, 2), put("bert", 6, 3), *again("ruth"))


def passed(table: Table) -> None:
    """Bert lets ruth go by, once for all of her walk and once step by step."""
    walk(table, "ruth", RED, (4, 2), (5, 2), (6, 2), (7, 2))
    reply(table, "pass_walk")
    overrule(table, "Once more", put("ruth", 3, 2), *again("ruth"))
    walk(table, "ruth", RED, (4, 2), (5, 2), (6, 2), (7, 2))
    while table.state.rule.pending:
        reply(table, "pass")


def stopped_walks(table: Table) -> None:
    """Ruth is struck in the corridor; then she is put elsewhere, slowed, and felled."""
    overrule(table, "The pike waits", put("ruth", 3, 2), put("bert", 5, 2), *again("ruth"))
    walk(table, "ruth", RED, (2, 2), (1, 2), (0, 2))
    reply(table, "opportunity_attack")
    overrule(table, "She is pushed", put("ruth", 4, 2), *again("ruth"))
    walk(table, "ruth", RED, (3, 2), (2, 2))
    overrule(table, "A step aside", put("ruth", 5, 1))
    reply(table, "pass")
    overrule(table, "Mud", put("ruth", 4, 2), *again("ruth"))
    walk(table, "ruth", RED, (3, 2), (2, 2), (1, 2))
    reply(table, "pass")
    slow = {"type": "stat", "combatant": "ruth", "stat": "speed_ft", "value": 10}
    overrule(table, "Mud", slow)
    if table.state.rule.pending:
        reply(table, "pass")
    fast = {"type": "stat", "combatant": "ruth", "stat": "speed_ft", "value": 30}
    overrule(table, "Dry ground", fast, put("ruth", 4, 2), *again("ruth"))
    walk(table, "ruth", RED, (3, 2))
    overrule(table, "A stone falls", {"type": "hp", "combatant": "ruth", "value": 0})
    overrule(table, "She gets up", {"type": "hp", "combatant": "ruth", "value": 60})


def stopped_shots(table: Table) -> None:
    """Whoever has the turn is led on to ruth's; her shots lose their target."""
    while table.state.rule.turn != "ruth":
        table.act(read(type="end_turn", combatant=table.state.rule.turn), GM)
    near = (put("ruth", 6, 2), put("bert", 7, 3), put("bela", 9, 2))
    far = {"type": "place", "combatant": "bela", "place": {"x": 13, "y": 0, "elevation": 60}}
    for reason, change in (
        ("She flies off", far),
        ("She is gone", {"type": "hide", "combatant": "bela"}),
        ("It jams", {"type": "ready", "combatant": "ruth", "weapon": "rifle", "ready": False}),
    ):
        overrule(table, "Aim", *near, *again("ruth"))
        shoot(table, "ruth", RED, "bela")
        overrule(table, reason, change)
        reply(table, "pass")
        seen = {"type": "reveal", "combatant": "bela"}
        loaded = {"type": "ready", "combatant": "ruth", "weapon": "rifle", "ready": True}
        overrule(table, "As before", seen, loaded)
    overrule(table, "Aim", *near, *again("ruth"))
    shoot(table, "ruth", RED, "bela")
    overrule(table, "A little nearer", put("bela", 8, 1))
    reply(table, "pass")


def fallen(table: Table) -> None:
    """Ralf lies between ruth and bela and gives no cover."""
    down = {"type": "hp", "combatant": "ralf", "value": -1}
    overrule(table, "Ralf falls", down, put("ralf", 8, 2), put("bert", 0, 0), *again("ruth"))
    overrule(table, "Aim", put("ruth", 6, 2), put("bela", 10, 2))
    shoot(table, "ruth", RED, "bela")
    answer_all(table)
    overrule(table, "Ralf is well", {"type": "hp", "combatant": "ralf", "value": 60})
    end_turn(table, "ruth", RED)


GOLDEN: Final = {
    "tactical-d20-v3-sealed": GoldenBattle(
        play=fight,
        counts={"match": 63, "override": 25},
        happened=frozenset(
            {"stopped put_elsewhere", "stopped path_too_long", "stopped actor_incapacitated"}
            | {"stopped out_of_range", "stopped unknown_combatant", "stopped weapon_not_ready"}
            | {"answered pass_walk", "passed pass", "answered opportunity_attack"}
        ),
    ),
    "tactical-d20-v3-sealed-blue": GoldenBattle(
        play=fight, viewer=Viewer(sides=("blue",)), counts={"sealed": 88}
    ),
}
"""The battles by the name of their bundle."""
