"""The golden battles of version 3: at the low walls, and in a yard where much changes meanwhile.

In the yard a scout sneaks along a wall past two guards, a singer sings at one of them, and a squad
masks. In some rounds the game master changes something while their actions wait.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from service.engine.visibility.scope import Viewer
from service.rulesets.melody_d6.v3 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import Table
from tests.replay.staging import BLUE, RED, is_legal, staged
from tests.rulesets.melody_d6.golden import (
    action,
    adjusted,
    fought,
    new_table,
    rectangle,
    someone,
)
from tests.rulesets.melody_d6.setups import battle_of, in_progress, singing

Tree = Mapping[str, Any]

SCOUT: Final = {"x": 6000, "y": 6000}
SNEAK: Final[Tree] = {
    "type": "move",
    "combatant": "scout",
    "path": [{"x": 9000, "y": 6000}, {"x": 12_000, "y": 6000}],
}
SONG: Final[Tree] = {
    "type": "sing",
    "combatant": "voice",
    "melody": "drum_of_dread",
    "target": "warden",
}
MASK: Final[Tree] = {"type": "mask", "combatants": ["thorn", "briar"]}
GUARDS: Final[tuple[Tree, ...]] = (
    {"combatant": "archer", "weapon": "longbow", "path_point": {"leg": 1, "permille": 500}},
    {"combatant": "warden", "weapon": "rifle", "path_point": {"leg": 1, "permille": 800}},
)
"""What the guards do about the scout, one after the other, if they can."""


def setup() -> Any:
    """Four against three at a wall; the numbers of both sides are their own."""
    people = [
        someone("scout", "red", "scout", SCOUT["x"], SCOUT["y"], mobility=5),
        someone("voice", "red", "voice", 3000, 9000)
        | singing("drum_of_dread", song_dice=4, rerolls_per_round=1),
        someone("thorn", "red", "thicket", 6000, 3000),
        someone("briar", "red", "thicket", 8000, 3000),
        someone("archer", "blue", "archer", 12_000, 11_000, weapons=["longbow"]),
        someone("warden", "blue", "warden", 15_500, 9000),
        someone("chanter", "blue", "chanter", 18_000, 13_000)
        | singing("ember_march", dampen_bonus=1, rerolls_per_round=1),
    ]
    walls = [
        rectangle("wall", "low_wall", 5000, 4400, 13_000, 4800),
        rectangle("hedge", "debris", 5000, 1500, 9000, 1900),
    ]
    ground = {"width": 20_000, "height": 15_000, "features": walls}
    tree = battle_of(people, battle=in_progress(), map=ground)
    tree["options"] = {
        "enemy_numbers": "hidden",
        "enemy_health": "band",
        "breakdowns": "own",
        "mask_near": 2000,
    }
    return msgspec.convert(tree, RULESET.setup)


def take(table: Table, tree: Tree, *changes: Tree) -> None:
    """Red does it, the game master changes something while it waits, and all is answered."""
    if not is_legal(table, tree, RED):
        return
    table.act(action(**tree), RED)
    if changes and table.state.rule.pending:
        table.act(adjusted(*changes, reason="Meanwhile"))
    settle(table)


def settle(table: Table) -> None:
    """Both sides answer what is asked, best first."""
    while table.state.rule.pending:
        decision = table.state.rule.pending[-1].decisions[0]
        by = RED if decision.side == "red" else BLUE
        chosen = next(each for each in answers(decision) if is_legal(table, each, by))
        table.act(action(**chosen), by)


def answers(decision: Any) -> Iterator[Tree]:
    """What a side does about a question, best first."""
    answer = {"type": "answer", "decision_id": decision.id}
    if decision.kind == "guard_window" and "scout" in decision.context.movers:
        for each in GUARDS:
            yield {**answer, "choice": {"type": "guard_shoot", "target": "scout", **each}}
    if decision.kind == "dampen":
        yield {**answer, "choice": {"type": "dampen", "combatant": "chanter"}}
    if decision.kind == "reroll":
        yield {**answer, "choice": {"type": "reroll", "source": "ordinary", "dice": [0]}}
    yield {**answer, "choice": {"type": "pass"}}


def made_ready(table: Table) -> None:
    """All are well, where they began, masked and on guard as they were."""
    held = {
        "scout": ("masked",),
        "archer": ("masked", "on_guard"),
        "warden": ("on_guard",),
        "thorn": (),
        "briar": (),
    }
    changes: list[Tree] = []
    for each in table.state.rule.combatants:
        changes.append({"type": "hp", "combatant": each.id, "value": each.health_max})
        wanted = held.get(each.id, ())
        unwanted = ("fleeing", "stunned", "masked", "exposed", "on_guard", "hoarse")
        changes += [
            {"type": "condition", "combatant": each.id, "condition": word, "holds": word in wanted}
            for word in unwanted
            if (word in each.conditions) != (word in wanted)
        ]
        if each.hidden:
            changes.append({"type": "reveal", "combatant": each.id})
    changes.append({"type": "stat", "combatant": "scout", "stat": "move", "value": 6000})
    places = {each["id"]: each["place"] for each in msgspec.to_builtins(setup())["combatants"]}
    away = [
        {"type": "place", "combatant": name, "place": {"x": 1000 + 1500 * nth, "y": 14_400}}
        for nth, name in enumerate(places)
    ]
    back = [{"type": "place", "combatant": name, "place": at} for name, at in places.items()]
    table.act(adjusted(*away, *back, *changes, reason="Once more"))


def passage(table: Table, meanwhile: Mapping[str, tuple[Tree, ...]]) -> None:
    """One turn of red: the scout sneaks, the squad masks, the singer sings."""
    deeds: tuple[tuple[str, Callable[[], None]], ...] = (
        ("scout", lambda: take(table, SNEAK, *meanwhile.get("scout", ()))),
        ("thicket", lambda: take(table, MASK, *meanwhile.get("thicket", ()))),
    )
    for unit, deed in deeds:
        take(table, {"type": "activate_unit", "unit": unit})
        deed()
        take(table, {"type": "end_movement", "unit": unit})
        take(table, {"type": "end_activation", "unit": unit})
    take(table, {"type": "activate_unit", "unit": "voice"})
    take(table, {"type": "end_movement", "unit": "voice"})
    take(table, SONG, *meanwhile.get("voice", ()))
    take(table, {"type": "end_activation", "unit": "voice"})
    take(table, {"type": "end_turn", "side": "red"})
    made_ready(table)
    table.act(action(type="end_turn", side="blue"), BLUE)


def put(name: str, x: int, y: int) -> Tree:
    return {"type": "place", "combatant": name, "place": {"x": x, "y": y}}


MEANWHILE: Final[tuple[Mapping[str, tuple[Tree, ...]], ...]] = (
    {},
    {
        "scout": ({"type": "stat", "combatant": "scout", "stat": "move", "value": 5000},),
        "thicket": (put("thorn", 6000, 7000),),
        "voice": (put("warden", 19_000, 1000), put("voice", 700, 10_000)),
    },
    {
        "scout": (put("scout", 6000, 7000),),
        "thicket": ({"type": "condition", "combatant": "briar", "condition": "stunned"},),
        "voice": ({"type": "condition", "combatant": "voice", "condition": "hoarse"},),
    },
    {
        "scout": (put("archer", 10_000, 9000),),
        "voice": (put("voice", 4000, 9000), {"type": "hide", "combatant": "chanter"}),
    },
)
"""What the game master changes while the actions of a unit wait, turn by turn."""


def yard() -> Table:
    """Some are detected before a shot, some actions stop and say why; then the seed is revealed."""
    table = staged(RULESET, setup(), "In the yard", 0x1F3, named=("Bramble", "Bailiffs"))
    table.act(action(type="start_encounter"))
    made_ready(table)
    for meanwhile in MEANWHILE:
        passage(table, meanwhile)
    table.act(action(type="end_encounter", reason="It is getting dark"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


def fight() -> Table:
    """That of version 1, with other dice."""
    return fought(new_table(20, ruleset=RULESET))


GOLDEN: Final = {
    "melody-d6-v3-sealed": GoldenBattle(
        play=fight,
        counts={"match": 203, "override": 4, "erased": 1},
        happened=frozenset({"answered guard_shoot", "answered dampen", "shot hit"}),
    ),
    "melody-d6-v3-yard": GoldenBattle(
        play=yard,
        counts={"match": 76, "override": 11},
        happened=frozenset({"answered guard_shoot", "answered dampen", "answered reroll"}),
    ),
    "melody-d6-v3-yard-blue": GoldenBattle(
        play=yard, viewer=Viewer(sides=("blue",)), counts={"sealed": 87}
    ),
}
"""The battles by the name of their bundle."""
