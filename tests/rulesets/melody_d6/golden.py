"""The golden battles of `melody-d6`: at the low walls, sealed and with the table's dice."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from service.engine.battle.actors import Actor
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By, DiceMode
from service.rulesets.melody_d6 import RULESET
from service.rulesets.melody_d6.state import BattleState
from tests.kit.rig import GoldenBattle
from tests.kit.table import GM, Table, asked, samples
from tests.replay.staging import BLUE, RED, SEAT_OF, roll_for, staged
from tests.rulesets.melody_d6.setups import battle_of, fighter, singing

Tree = Mapping[str, Any]

LIKES: Final[Mapping[str, tuple[str, ...]]] = {
    "ash": ("sing",),
    "bow": ("shoot", "guard"),
    "rifle": ("guard", "shoot"),
    "scout": ("shoot", "fight", "shoot"),
    "chanter": ("sing", "fight", "sing"),
    "gunner": ("guard", "shoot"),
    "warden": ("shoot", "guard"),
    "shade": ("shoot", "guard"),
}
"""What each of them likes to do in its action, in odd rounds; in even ones the other way round."""


def rectangle(name: str, kind: str, west: int, north: int, east: int, south: int) -> Tree:
    """A feature by two opposite corners."""
    corners = ((west, north), (east, north), (east, south), (west, south))
    return {"id": name, "kind": kind, "vertices": [{"x": x, "y": y} for x, y in corners]}


FEATURES: Final = [
    rectangle("wall", "low_wall", 5000, 3000, 9000, 3400),
    rectangle("far_wall", "low_wall", 11_000, 7600, 15_000, 8000),
    rectangle("house", "building", 9500, 5000, 11_000, 6500),
    rectangle("column", "column", 7000, 8000, 7600, 8600),
]


def someone(name: str, side: str, unit: str, x: int, y: int, **more: Any) -> dict[str, Any]:
    """A warrior of a unit, where it is."""
    sheet = fighter(name, side, 0, 0, place={"x": x, "y": y}, unit=unit, health_max=4, courage=9)
    return {**sheet, **more}


def setup() -> Any:
    """Four against four, a singer on each side, one of blue hidden, one of red masked."""
    choir = singing(
        *("ember_march", "veil_of_mist", "mending_round"),
        song_bonus=2,
        rerolls_per_round=1,
    )
    dread = singing("drum_of_dread", "heavy_air", "thunder_shove", song_dice=3)
    people = [
        someone("ash", "red", "choir", 4000, 5500, **choir),
        someone("bow", "red", "choir", 4000, 4000, weapons=["longbow", "blade"]),
        someone("rifle", "red", "choir", 4000, 7000),
        someone("scout", "red", "scout", 6000, 4200, weapons=["crossbow", "blade"], mobility=5)
        | {"conditions": ["masked"]},
        someone("gunner", "blue", "wardens", 16_000, 5500, weapons=["volley_gun"], armour=5),
        someone("warden", "blue", "wardens", 16_000, 7000),
        someone("chanter", "blue", "chanter", 15_000, 9000, **dread, weapons=["halberd"])
        | {"resistances": [{"to": "fire", "value": 2}]},
        someone("shade", "blue", "shade", 17_000, 3000, hidden=True, weapons=["silenced_pistol"]),
    ]
    tree = battle_of(people, map={"width": 20_000, "height": 12_000, "features": FEATURES})
    tree["options"] = {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"}
    return msgspec.convert(tree, RULESET.setup)


def new_table(
    number: int, dice: DiceMode = "sealed", ruleset: Ruleset[BattleState] = RULESET
) -> Table:
    """The battle at seq 1."""
    named = ("Ash Choir", "Grey Wardens")
    return staged(ruleset, setup(), "At the low walls", 0x1E0 + number, dice, named)


def action(**tree: object) -> do.Action:
    """An action as a client writes it."""
    read: do.Action = msgspec.convert(tree, RULESET.action)
    return read


def liked(table: Table, actor: Actor, by: By, kinds: tuple[str, ...]) -> Tree | None:
    """What somebody likes best of what it may do; None if it may do nothing of that."""
    listed = samples(table.ruleset, table.state, actor, by, 24)
    for kind in kinds:
        found = [each for each in listed if each["type"] == kind]
        if found:
            return found[len(table.sealed) % len(found)]
    return None


def take(table: Table, tree: Tree, by: By) -> None:
    """Do it, and answer all that is asked behind it."""
    if table.state.rule.status == "running":
        table.act(action(**tree), by)
        settle(table)


def settle(table: Table) -> None:
    """Whoever is asked for dice rolls them; of three windows for guards one is passed."""
    while table.state.rule.pending:
        decision = table.state.rule.pending[-1].decisions[0]
        if decision.kind == "roll":
            roll_for(table, roller(decision))
            continue
        by = SEAT_OF[decision.side]
        passed = {"type": "answer", "decision_id": decision.id, "choice": {"type": "pass"}}
        listed = samples(table.ruleset, table.state, asked(decision), by, 12)
        chosen = [each for each in listed if each["choice"]["type"] != "pass"]
        is_passed = decision.kind == "guard_window" and len(table.sealed) % 3 == 0
        is_passed = is_passed or not chosen
        tree = passed if is_passed else chosen[len(table.sealed) % len(chosen)]
        table.act(action(**tree), by)


def roller(decision: Any) -> By:
    """Who brings the dice."""
    if decision.seat is UNSET and decision.side is UNSET:
        return GM
    is_red = decision.seat == RED.seat or decision.side == "red"
    return RED if is_red else BLUE


def members(table: Table, unit: str) -> Iterator[str]:
    """The members of a unit whose activation is open."""
    for each in [each.id for each in table.state.rule.combatants if each.unit == unit]:
        if table.state.rule.turn_unit == unit and table.state.rule.status == "running":
            yield each


def play_unit(table: Table, unit: str, by: By) -> None:
    """An activation: moves, perhaps masking, and what each member likes to do."""
    take(table, {"type": "activate_unit", "unit": unit}, by)
    round_number = table.state.rule.round
    masks = liked(table, Actor(unit=unit), by, ("mask",)) if round_number % 2 else None
    if masks is not None:
        take(table, masks, by)
    for name in members(table, unit):
        way = liked(table, Actor(combatant=name), by, ("charge", "move"))
        if way is not None and (len(table.sealed) + round_number) % 2:
            take(table, way, by)
    if table.state.rule.turn_unit == unit:
        take(table, {"type": "end_movement", "unit": unit}, by)
    for name in members(table, unit):
        likes = LIKES[name] if round_number % 2 else LIKES[name][::-1]
        deed = liked(table, Actor(combatant=name), by, likes)
        if deed is not None:
            take(table, deed, by)
    if table.state.rule.turn_unit == unit:
        take(table, {"type": "end_activation", "unit": unit}, by)


def play_turn(table: Table) -> None:
    """The turn of a side, as its player."""
    side = table.state.rule.turn_side
    if side is UNSET:
        return
    by = SEAT_OF[side]
    for unit in [each.id for each in table.state.rule.units if each.side == side]:
        is_open = liked(table, Actor(unit=unit), by, ("activate_unit",)) is not None
        if table.state.rule.turn_side == side and is_open:
            play_unit(table, unit, by)
    if table.state.rule.turn_side == side and table.state.rule.status == "running":
        take(table, {"type": "end_turn", "side": side}, by)


def adjusted(*changes: Tree, reason: str = "The game master says so") -> do.Action:
    """A ruling."""
    return action(type="adjust", changes=list(changes), reason=reason)


def mend(table: Table) -> None:
    """Everybody is well again, and is where it fell."""
    people = table.state.rule.combatants
    healed = [{"type": "hp", "combatant": each.id, "value": each.health_max} for each in people]
    steady = [
        {"type": "condition", "combatant": each.id, "condition": "fleeing", "holds": False}
        for each in people
        if "fleeing" in each.conditions
    ]
    table.act(adjusted(*healed, *steady, reason="The medics came through"))
    settle(table)


def fight() -> Table:
    """Songs, dampening, ambush, guards and panic; secrets, overrides, an erasure."""
    return fought(new_table(1))


def fought(table: Table) -> Table:
    """The same, of a battle at seq 1."""
    table.act(action(type="contribute", value="e5" * 32), RED)
    table.act(action(type="contribute", value="f6" * 32), BLUE)
    table.act(action(type="note", text="Тише, туман!", gm_text="the shade waits by the wall"))
    table.act(action(type="start_encounter"))
    for _ in range(2):
        play_turn(table)
    table.act(action(type="gm_panic_test", unit="wardens", modifier=-6))
    settle(table)
    for _ in range(4):
        play_turn(table)
    mend(table)
    table.act(adjusted({"type": "fp", "side": "red", "value": 5}))
    rock = {"kind": "rock", "vertices": [{"x": x, "y": y} for x, y in ((1, 1), (900, 1), (1, 900))]}
    table.act(action(type="set_terrain", features=[{"feature": "rock", "terrain": rock}]))
    for _ in range(4):
        play_turn(table)
    table.act(adjusted({"type": "reveal", "combatant": "shade"}))
    mend(table)
    for _ in range(6):
        play_turn(table)
    table.act(action(type="erase", seqs=[4]))
    table.act(action(type="end_encounter", winner="red", reason="The mist lay down"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


def supplied() -> Table:
    """The table rolls, one answer after the other."""
    table = new_table(2, "supplied")
    table.act(action(type="start_encounter"), GM, (4, 4, 5, 2))
    for _ in range(8):
        play_turn(table)
    table.act(action(type="end_encounter", reveal="now", open="all"))
    return table


def rewound() -> Table:
    """Back over a turn and over several of them, and forth again."""
    table = new_table(3)
    table.act(action(type="start_encounter"))
    start = len(table.sealed)
    play_turn(table)
    later = len(table.sealed)
    play_turn(table)
    table.act(action(type="rewind", to=later))
    play_turn(table)
    table.act(action(type="rewind", to=start))
    for _ in range(3):
        play_turn(table)
    table.act(action(type="end_encounter", reveal="now", open="sides"))
    return table


GOLDEN: Final = {
    "melody-d6-sealed": GoldenBattle(
        play=fight,
        counts={"match": 174, "override": 4, "erased": 1},
        happened=frozenset(
            {"answered dampen", "answered guard_shoot", "answered reroll", "passed pass"}
            | {"guard hit", "guard miss", "shot hit", "shot miss"}
        ),
    ),
    "melody-d6-sealed-red": GoldenBattle(
        play=fight, viewer=Viewer(sides=("red",)), counts={"sealed": 179}
    ),
    "melody-d6-supplied": GoldenBattle(
        play=supplied,
        viewer=GAME_MASTER,
        counts={"match": 132},
        happened=frozenset({"answered roll", "answered dampen", "guard hit", "shot hit"}),
    ),
    "melody-d6-rewound": GoldenBattle(
        play=rewound,
        counts={"match": 94},
        happened=frozenset({"answered dampen", "answered reroll", "guard hit", "shot miss"}),
    ),
}
"""The battles by the name of their bundle."""
