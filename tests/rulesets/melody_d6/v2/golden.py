"""The golden battles of version 2: at the low walls, and a runner before three guards.

One guard shoots from ambush, which may put the runner to flight, and two after it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import Viewer
from service.rulesets.melody_d6.v2 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import Table
from tests.replay.staging import BLUE, RED, is_legal, staged
from tests.rulesets.melody_d6.golden import action, adjusted, fought, new_table, someone
from tests.rulesets.melody_d6.setups import battle_of, in_progress

Tree = Mapping[str, Any]

START: Final = {"x": 6000, "y": 6000}
PATHS: Final[tuple[Tree, ...]] = (
    {"type": "move", "path": [{"x": 9000, "y": 6000}, {"x": 9000, "y": 9000}]},
    {"type": "charge", "target": "warden", "path": [{"x": 11_500, "y": 6000}]},
)
"""What the runner does in odd rounds, and in even ones."""

SHOTS: Final[tuple[Tree, ...]] = (
    {"combatant": "archer", "weapon": "longbow", "path_point": {"leg": 0, "permille": 500}},
    {"combatant": "gunner", "weapon": "rifle", "path_point": {"leg": 0, "permille": 700}},
    {"combatant": "warden", "weapon": "rifle"},
)
"""What the guards do, one after the other, if they can: the last one states no point."""


def setup(ruleset: Ruleset[Any]) -> Any:
    """Two against three without cover; the numbers of both sides are their own."""
    people = [
        someone("runner", "red", "runner", START["x"], START["y"], courage=7),
        someone("keeper", "red", "keeper", 2000, 2000),
        someone("archer", "blue", "archer", 9000, 13_000, weapons=["longbow"]),
        someone("gunner", "blue", "wardens", 12_000, 11_000),
        someone("warden", "blue", "wardens", 12_500, 6000),
    ]
    tree = battle_of(people, battle=in_progress(), map={"width": 20_000, "height": 15_000})
    tree["options"] = {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"}
    return msgspec.convert(tree, ruleset.setup)


def made_ready(table: Table) -> None:
    """All three are on guard, the archer in ambush; the runner is well and at its start."""
    held = [("archer", "masked"), *((each["combatant"], "on_guard") for each in SHOTS)]
    guards = [
        {"type": "condition", "combatant": name, "condition": condition, "holds": True}
        for name, condition in held
        if condition not in table.combatant(name).conditions
    ]
    runner = table.combatant("runner")
    steady = {"type": "condition", "combatant": "runner", "condition": "fleeing", "holds": False}
    table.act(
        adjusted(
            {"type": "hp", "combatant": "runner", "value": runner.health_max},
            *([steady] if "fleeing" in runner.conditions else []),
            {"type": "place", "combatant": "runner", "place": START},
            *guards,
            reason="Once more",
        )
    )


def answers(table: Table) -> Iterator[Tree]:
    """What the guards do about the open question, best first."""
    decision = table.state.rule.pending[-1].decisions[0]
    answer = {"type": "answer", "decision_id": decision.id}
    if decision.context.trigger in ("move", "charge"):
        for each in SHOTS:
            yield {**answer, "choice": {"type": "guard_shoot", "target": "runner", **each}}
    yield {**answer, "choice": {"type": "pass"}}


def take(table: Table, tree: Tree) -> None:
    """Red does it, and blue's guards answer what is asked."""
    table.act(action(**tree), RED)
    settle(table)


def settle(table: Table) -> None:
    """Blue's guards answer what is asked."""
    while table.state.rule.pending:
        chosen = next(each for each in answers(table) if is_legal(table, each, BLUE))
        table.act(action(**chosen), BLUE)


def raid(table: Table) -> None:
    """The runner runs, both sides end their turns, and all is as it was at the start."""
    take(table, {"type": "activate_unit", "unit": "runner"})
    path = PATHS[(table.state.rule.round + 1) % 2]
    take(table, {**path, "combatant": "runner"})
    for kind in ("end_movement", "end_activation"):
        take(table, {"type": kind, "unit": "runner"})
    take(table, {"type": "end_turn", "side": "red"})
    made_ready(table)
    table.act(action(type="end_turn", side="blue"), BLUE)


def raids(ruleset: Ruleset[Any], number: int, count: int) -> Table:
    """So many rounds of a battle by this version; `number` decides its dice."""
    table = staged(ruleset, setup(ruleset), "Across the meadow", number, named=("Ash", "Grey"))
    table.act(action(type="start_encounter"))
    made_ready(table)
    for _ in range(count):
        raid(table)
    return table


def meadow() -> Table:
    """Some flee, some are missed and go on, one is put elsewhere; then the seed is revealed."""
    table = raids(RULESET, 0x1F2, 5)
    table.act(action(type="activate_unit", unit="runner"), RED)
    table.act(action(**PATHS[0], combatant="runner"), RED)
    aside = {"type": "place", "combatant": "runner", "place": {"x": 7000, "y": 9000}}
    table.act(adjusted(aside, reason="It stumbles"))
    settle(table)
    table.act(action(type="end_encounter", reason="The meadow is quiet"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


def fight() -> Table:
    """That of version 1, with other dice."""
    return fought(new_table(10, ruleset=RULESET))


GOLDEN: Final = {
    "melody-d6-v2-sealed": GoldenBattle(
        play=fight,
        counts={"match": 170, "override": 4, "erased": 1},
        happened=frozenset({"answered guard_shoot", "answered dampen", "shot hit"}),
    ),
    "melody-d6-v2-meadow": GoldenBattle(
        play=meadow,
        counts={"match": 54, "override": 7},
        happened=frozenset({"answered guard_shoot", "guard hit", "guard miss"}),
    ),
    "melody-d6-v2-meadow-red": GoldenBattle(
        play=meadow, viewer=Viewer(sides=("red",)), counts={"sealed": 61}
    ),
}
"""The battles by the name of their bundle."""
