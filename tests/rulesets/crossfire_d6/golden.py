"""The golden battles of `crossfire-d6`: at the crates, sealed and with the table's dice."""

from typing import Any, Final

import msgspec

from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By, DiceMode
from service.rulesets.crossfire_d6 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import GM, Table, seat_by
from tests.replay.staging import BLUE, RED, faces, offered, roll_for, seat_of, staged

GM_ROSA: Final = seat_by("rosa", "gm")
ATTACKS: Final = ("ranged_attack", "melee_attack")
ROWS: Final = (
    "............",
    "..##....c...",
    "..#...c..#..",
    "......c.s...",
    ".c......ss..",
    ".c..#.......",
    "....#...c.d.",
    "............",
)


def setup() -> Any:
    """Three against three, one of them hidden; a crate nobody knows of."""
    rifle = {
        "id": "rifle",
        "kind": "ranged",
        "attack_dice": 5,
        "damage_dice": 3,
        "range_increment_ft": 40,
    }
    blade = {"id": "blade", "kind": "melee", "attack_dice": 5, "damage_dice": 3}

    def fighter(name: str, side: str, x: int, y: int, **more: object) -> dict[str, object]:
        place = {"x": x, "y": y, "elevation": 12} if name == "ruth" else {"x": x, "y": y}
        return {
            "id": name,
            "name": name.title(),
            "side": side,
            "place": place,
            "health": 14,
            "health_max": 14,
            "ranged_defence": 15,
            "melee_defence": 14,
            "agi_pool": 3,
            "int_pool": 3,
            "weapons": [rifle, blade],
        } | more

    tree = {
        "options": {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"},
        "map": {"form": "ascii", "rows": ROWS},
        "hidden_terrain": {"cells": [{"x": 5, "y": 6, "kind": "cover"}]},
        "combatants": [
            fighter("ruth", "red", 1, 4, posture="in_cover"),
            fighter("ralf", "red", 3, 6),
            fighter("rita", "red", 2, 0),
            fighter("bela", "blue", 10, 2),
            fighter("bert", "blue", 9, 6, soak=2),
            fighter("bina", "blue", 5, 7, hidden=True),
        ],
    }
    return msgspec.convert(tree, RULESET.setup)


def new_table(number: int, dice: DiceMode = "sealed", ruleset: Ruleset[Any] = RULESET) -> Table:
    """The battle at seq 1."""
    return staged(ruleset, setup(), "The crates", number, dice)


def action(**tree: object) -> do.Action:
    """An action as a client writes it."""
    read: do.Action = msgspec.convert(tree, RULESET.action)
    return read


def take(table: Table, asked: do.Action, by: By) -> None:
    """Act, and bring the dice the table is asked for."""
    table.act(asked, by)
    while roll_for(table, by):
        pass


def play_turn(table: Table) -> None:
    """The turn of whoever's it is, as its player: attacks where one is legal, else anything."""
    acting = str(table.state.rule.turn)
    by = seat_of(table, acting)
    for _ in range(2):
        chosen = choose(table, acting)
        if chosen is None:
            break
        take(table, chosen, by)
    if table.state.rule.turn == acting:
        take(table, action(type="end_turn", combatant=acting), by)


def choose(table: Table, acting: str) -> do.Action | None:
    """An attack on somebody still fighting if there is one, else one of the samples."""
    listed = [
        tree
        for tree in offered(table, acting, 12)
        if tree["type"] in (*ATTACKS, "move", "hide", "change_posture", "set_facing")
    ]
    fighting = {
        c.id for c in table.state.rule.combatants if not {"helpless", "dead"} & set(c.conditions)
    }
    attacks = [tree for tree in listed if tree["type"] in ATTACKS and tree["target"] in fighting]
    found = attacks or [tree for tree in listed if tree["type"] not in ATTACKS]
    return action(**found[len(table.sealed) % len(found)]) if found else None


def sealed_battle(number: int = 0x5E, ruleset: Ruleset[Any] = RULESET) -> Table:
    """Contributions, a hidden ambusher, rewinds, an override, secrets, notes, an erasure."""
    table = new_table(number, ruleset=ruleset)
    table.act(action(type="contribute", value="a1" * 32), RED)
    table.act(action(type="contribute", value="b2" * 32), BLUE)
    table.act(action(type="note", text="Rain. Засада?", gm_text="bina waits at the wall"))
    table.act(action(type="start_encounter"))
    for _ in range(4):
        play_turn(table)
    mark = len(table.sealed)
    play_turn(table)
    table.act(action(type="rewind", to=mark))
    play_turn(table)
    undone = len(table.sealed)
    table.act(action(type="set_terrain", cells=[{"x": 6, "y": 5, "smoke": True}]))
    table.act(action(type="set_terrain", cells=[{"x": 7, "y": 7, "kind": "cover"}], secret=True))
    overruled = [
        {"type": "hp", "combatant": "bina", "value": 9},
        {"type": "condition", "combatant": "ralf", "condition": "prone"},
    ]
    table.act(action(type="adjust", changes=overruled, reason="She fell off the wall"))
    table.act(action(type="rewind", to=undone))
    for _ in range(5):
        play_turn(table)
    table.act(action(type="adjust", changes=[{"type": "reveal", "combatant": "bina"}]))
    table.act(action(type="assign_control", seat="rosa", sides=["red"], combatants=["bert"]))
    for _ in range(3):
        play_turn(table)
    table.act(action(type="erase", seqs=[4]))
    table.act(action(type="end_encounter", winner="red", reason="The rain won"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


def seated_battle() -> Table:
    """Seats come, change and go while six fight: a co-GM, its demotion, rewinds over all of it."""
    table = new_table(0xEA)
    hugo, vera = seat_by("hugo", "gm"), seat_by("vera")
    newcomer = {"id": "hugo", "role": "gm", "name": "Hugo"}
    table.act(action(type="add_seat", seat=newcomer))
    table.act(action(type="add_seat", seat={"id": "vera", "role": "observer"}), hugo)
    table.act(action(type="start_encounter"), hugo)
    mark = len(table.sealed)
    table.act(action(type="change_seat", seat="vera", role="player", combatants=["bina", "bela"]))
    table.act(action(type="note", gm_text="bina is vera's"), hugo)
    for _ in range(2):
        play_turn(table)
    wound = {"type": "hp", "combatant": "bina", "value": 9}
    table.act(action(type="adjust", changes=[wound], reason="She cut herself"), hugo)
    table.act(
        action(type="assign_control", seat="boris", combatants=["bert"], sides=["blue"]), hugo
    )
    for _ in range(2):
        play_turn(table)
    table.act(action(type="remove_seat", seat="olga"), hugo)
    table.act(action(type="rewind", to=mark), hugo)
    play_turn(table)
    while table.state.rule.turn != "bela":
        play_turn(table)
    facing = action(type="set_facing", combatant="bela", facing="N")
    table.act(facing, vera)
    table.act(action(type="change_seat", seat="hugo", role="player", sides=["red"], name="Hugh"))
    table.act(action(type="note", gm_text="Hugo plays on"))
    table.act(action(type="note", text="Good luck"), seat_by("hugo"))
    for _ in range(2):
        play_turn(table)
    table.act(action(type="remove_seat", seat="vera"))
    table.act(action(type="change_seat", seat="rosa", role="gm"))
    table.act(action(type="adjust", changes=[{"type": "reveal", "combatant": "bina"}]), GM_ROSA)
    table.act(action(type="change_seat", seat="rosa", role="player"), GM_ROSA)
    for _ in range(2):
        play_turn(table)
    table.act(action(type="end_encounter", reason="Enough"))
    table.act(action(type="add_seat", seat={"id": "late", "role": "observer"}))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


def supplied_battle() -> Table:
    """The table rolls: the GM's faces next to the action, players' in answer to `roll`."""
    table = new_table(0x5D, "supplied")
    table.act(action(type="start_encounter"), GM, faces(table, 18, 6))
    for _ in range(9):
        play_turn(table)
    acting = str(table.state.rule.turn)
    by = seat_of(table, acting)
    mark = len(table.sealed)
    asked = choose(table, acting)
    if asked is not None:
        table.act(asked, by)
    if table.state.rule.pending:
        [decision] = table.state.rule.pending[-1].decisions
        table.act(do.ForcePass(decision_id=decision.id))
    table.act(action(type="rewind", to=mark))
    for _ in range(4):
        play_turn(table)
    table.act(action(type="end_encounter", reveal="now", open="all"))
    return table


GOLDEN: Final = {
    "crossfire-d6-sealed": GoldenBattle(
        play=sealed_battle, counts={"match": 54, "override": 2, "erased": 1}
    ),
    "crossfire-d6-sealed-red": GoldenBattle(
        play=sealed_battle, viewer=Viewer(sides=("red",)), counts={"sealed": 57}
    ),
    "crossfire-d6-sealed-observer": GoldenBattle(
        play=sealed_battle, viewer=Viewer(), counts={"sealed": 57}
    ),
    "crossfire-d6-supplied": GoldenBattle(
        play=supplied_battle, viewer=GAME_MASTER, counts={"match": 68}
    ),
    "crossfire-d6-seats": GoldenBattle(
        play=seated_battle,
        counts={"match": 55, "override": 2},
        happened=frozenset(
            {"gm seated", "player seated", "observer seated", "gm acted"}
            | {"observer removed", "player removed", "unseen control"}
        ),
    ),
}
"""The battles by the name of their bundle."""
