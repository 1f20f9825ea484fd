"""The golden battles of `squad-d100`: in the cargo bay, sealed and with the table's dice."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import DiceMode
from service.errors import Refused
from service.rulesets.squad_d100 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import GM, Table
from tests.replay.staging import BLUE, RED, is_legal, offered, roll_for, seat_of, staged

Tree = Mapping[str, Any]

TEXT: Final = """\
..........x.....
.B..x....█..A..0
....x..E.█.~....
.K.......D...DA.
....|..F.█..x...
.R..x....█..W.A.
......X...~..0..
................
"""
"""The squad in the west, aliens in the east; their letters are Latin and only look right."""

WANTED: Final[Mapping[str, tuple[Tree, ...]]] = {
    "vika_greshovski": ({"type": "kneel"}, {"type": "snap_shots"}, {"type": "move"}),
    "warrant_officer_kutsenko": ({"type": "suppress"}, {"type": "burst"}, {"type": "move"}),
    "robot_1_5": ({"type": "throw_grenade"}, {"type": "sprint"}, {"type": "move"}),
    "drone": ({"type": "move"}, {"type": "melee_attack"}, {"type": "burst"}),
    "brute": ({"type": "toggle_door"}, {"type": "melee_attack"}, {"type": "aimed_shot"}),
    "shade": ({"type": "pick_up"}, {"type": "move"}, {"type": "aimed_shot"}),
}
"""What each of them likes to do, in odd rounds and in even ones."""


def setup() -> Any:
    """Three against three on a pasted map, one of them hidden, things to pick up, a fold."""
    pistols = [
        {"id": "left", "kind": "pistol", "ap_class": 3, "damage": 12, "magazine": 12},
        {"id": "right", "kind": "revolver", "ap_class": 4, "damage": 15, "magazine": 6},
    ]
    rifle = {
        "id": "rifle",
        "kind": "automatic_rifle",
        "ap_class": 4,
        "damage": {"count": 2, "sides": 10, "bonus": 5},
        "magazine": 40,
    }
    sniper = {"id": "long", "kind": "sniper_rifle", "ap_class": 7, "damage": 40, "magazine": 5}
    flask = {"id": "flask", "damage": {"count": 1, "sides": 6}, "ap_class": 2, "radius": 1}
    alien = {"side": "blue", "armour_class": 5, "health_max": 120, "melee_ap": 6, "agility": 40}
    tree = {
        "options": {
            "glyph_folding": "fold",
            "enemy_numbers": "hidden",
            "enemy_health": "band",
            "breakdowns": "own",
        },
        "map": {
            "text": TEXT,
            "under": [{"x": 1, "y": 3, "glyph": "x"}, {"x": 14, "y": 5, "glyph": "W"}],
            "roster": [
                {"glyph": "\u0412", "side": "red", "weapons": pistols, "accuracy": 90},
                {"glyph": "\u041a", "side": "red", "weapons": [rifle], "armour_class": 4},
                {
                    "glyph": "R",
                    "side": "red",
                    "armour_class": 7,
                    "weapons": [rifle],
                    "grenades": [{**flask, "burning": True, "count": 6}],
                },
                {"glyph": "\u0410", **alien},
                {"x": 12, "y": 1, "id": "drone", "weapons": [{**rifle, "burning": True}]},
                {"x": 14, "y": 3, "id": "brute", "strength": 60, "weapons": [sniper]},
                {"x": 14, "y": 5, "id": "shade", "hidden": True, "weapons": [sniper]},
                {"x": 14, "y": 5, "items": {"grenades": [{**flask, "id": "charge"}]}},
            ],
        },
    }
    return msgspec.convert(tree, RULESET.setup)


def new_table(number: int, dice: DiceMode = "sealed") -> Table:
    """The battle at seq 1."""
    named = ("The Squad", "The Aliens")
    return staged(RULESET, setup(), "The cargo bay", 0xE0 + number, dice, named)


def action(**tree: object) -> do.Action:
    """An action as a client writes it."""
    read: do.Action = msgspec.convert(tree, RULESET.action)
    return read


def declare(table: Table) -> None:
    """An action of whoever's turn it is: what it likes best, else the next, else anything."""
    acting = str(table.state.rule.turn)
    by = seat_of(table, acting)
    likes = WANTED[acting] if table.state.rule.round % 2 else tuple(reversed(WANTED[acting]))
    listed = offered(table, acting, 40)
    for liked in likes:
        found = [tree for tree in listed if liked.items() <= tree.items()]
        allowed = [tree for tree in found if is_legal(table, tree, by)]
        if allowed:
            table.act(action(**allowed[len(table.sealed) % len(allowed)]), by)
            return
    table.act(action(**listed[len(table.sealed) % len(listed)]), by)


def play_turn(table: Table) -> None:
    """The turn of whoever's it is, as its player: three actions, and the end of it."""
    acting = table.state.rule.turn
    for _ in range(3):
        if table.state.rule.turn == acting:
            declare(table)
            roll_all(table)
    if table.state.rule.turn == acting:
        by = seat_of(table, str(acting))
        try:
            table.act(action(type="end_turn", combatant=acting), by)
        except Refused:
            # Pinned down, and not yet in cover: the game master lets him stay.
            table.act(adjusted({"type": "lift_suppression", "combatant": acting}))
            table.act(action(type="end_turn", combatant=acting), by)
        roll_all(table)


def roll_all(table: Table) -> None:
    """Whoever is asked for dice rolls them."""
    while table.state.rule.pending:
        decision = table.state.rule.pending[-1].decisions[0]
        by = RED if decision.seat == RED.seat or decision.side == "red" else BLUE
        if decision.seat == msgspec.UNSET and decision.side == msgspec.UNSET:
            by = GM
        roll_for(table, by)


def adjusted(*changes: Tree, reason: str = "The game master says so") -> do.Action:
    """A ruling."""
    return action(type="adjust", changes=list(changes), reason=reason)


def mend(table: Table) -> None:
    """Everybody is well again."""
    people = table.state.rule.combatants
    healed = [{"type": "hp", "combatant": each.id, "value": each.health_max} for each in people]
    wounds = [
        {"type": "stat", "combatant": each.id, "stat": stat, "value": 0}
        for each in people
        for stat in ("heavy_wounds", "light_wounds")
    ]
    table.act(adjusted(*healed, *wounds, reason="The medics came through"))


def fight() -> Table:
    """Shots of every kind, grenades, fire and an explosion; secrets, an override, an erasure."""
    table = new_table(1)
    table.act(action(type="contribute", value="e5" * 32), RED)
    table.act(action(type="contribute", value="f6" * 32), BLUE)
    table.act(action(type="note", text="Alarm. Тревога.", gm_text="the shade waits by the door"))
    table.act(action(type="start_encounter"))
    for _ in range(9):
        play_turn(table)
    mend(table)
    cargo = [{"x": 11, "y": 4, "terrain": "explosive_cargo"}, {"x": 8, "y": 6, "terrain": "fuel"}]
    table.act(action(type="set_terrain", cells=cargo))
    table.act(adjusted({"type": "posture", "combatant": "brute", "posture": "kneeling"}))
    for _ in range(9):
        play_turn(table)
    table.act(adjusted({"type": "reveal", "combatant": "shade"}))
    mend(table)
    for _ in range(8):
        play_turn(table)
    table.act(action(type="erase", seqs=[4]))
    table.act(action(type="end_encounter", winner="red", reason="The lights went out"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


def supplied() -> Table:
    """The table rolls, one answer after the other."""
    table = new_table(2, "supplied")
    table.act(action(type="start_encounter"))
    for _ in range(14):
        play_turn(table)
    table.act(action(type="end_encounter", reveal="now", open="all"))
    return table


def rewound() -> Table:
    """Back within a turn and over several of them, and forth again."""
    table = new_table(3)
    table.act(action(type="start_encounter"))
    start = len(table.sealed)
    for _ in range(4):
        play_turn(table)
    later = len(table.sealed)
    play_turn(table)
    table.act(action(type="rewind", to=later))
    play_turn(table)
    table.act(action(type="rewind", to=start))
    for _ in range(5):
        play_turn(table)
    table.act(action(type="end_encounter", reveal="now", open="sides"))
    return table


GOLDEN: Final = {
    "squad-d100-sealed": GoldenBattle(
        play=fight,
        counts={"match": 87, "override": 5, "erased": 1},
        happened=frozenset(
            {"aimed hit", "melee hit", "snap hit", "burst hit", "burst wasted"}
            | {
                "suppression critical_success",
                "throw hit",
                "flask carried_out",
                "explosion carried_out",
            }
        ),
    ),
    "squad-d100-sealed-red": GoldenBattle(
        play=fight, viewer=Viewer(sides=("red",)), counts={"sealed": 93}
    ),
    "squad-d100-supplied": GoldenBattle(
        play=supplied,
        viewer=GAME_MASTER,
        counts={"match": 69},
        happened=frozenset({"answered roll", "throw miss", "explosion carried_out", "snap hit"}),
    ),
    "squad-d100-rewound": GoldenBattle(
        play=rewound, counts={"match": 41}, happened=frozenset({"snap hit", "suppression miss"})
    ),
}
"""The battles by the name of their bundle."""
