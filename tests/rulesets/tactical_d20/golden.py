"""The golden battles of `tactical-d20`: in the yard, sealed and with the table's dice."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import DiceMode, Place
from service.rulesets.tactical_d20 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import GM, Table
from tests.replay.staging import BLUE, RED, faces, is_legal, offered, roll_for, seat_of, staged

Tree = Mapping[str, Any]

ROWS: Final = (
    "..............",
    "..##....c.....",
    "..#...c..#....",
    "......c.ss....",
    ".c......ssl...",
    ".c..#.....d...",
    "....#...c.d...",
    "..............",
)
WANTED: Final[Mapping[str, tuple[Tree, ...]]] = {
    "ruth": ({"type": "attack", "weapon": "rifle"}, {"type": "drop_prone"}),
    "ralf": ({"type": "attack", "weapon": "blade"}, {"type": "move"}),
    "rita": ({"type": "area_attack", "area": "bomb"}, {"type": "attack", "weapon": "rifle"}),
    "bela": ({"type": "attack", "weapon": "rifle"}, {"type": "attack_cell", "weapon": "rifle"}),
    "bert": ({"type": "attack", "weapon": "blade"}, {"type": "move"}),
    "bina": ({"type": "attack", "weapon": "blade"}, {"type": "attack", "weapon": "rifle"}),
}
"""What each of them likes to do, in odd rounds and in even ones; attacks are at any enemy."""


def setup() -> Any:
    """Three against three, one of them hidden and a big one; a wall nobody knows of."""
    rifle = {
        "id": "rifle",
        "kind": "ranged",
        "attack_bonus": 5,
        "targets": "eac",
        "damage": {"count": 1, "sides": 8, "bonus": 1},
        "range_increment_ft": 30,
    }
    blade = {
        "id": "blade",
        "kind": "melee",
        "attack_bonus": 7,
        "damage": {"count": 1, "sides": 10, "bonus": 2},
    }
    bomb = {
        "id": "bomb",
        "radius_ft": 15,
        "dc": 14,
        "damage": {"count": 2, "sides": 6},
    }

    def fighter(name: str, side: str, x: int, y: int, **more: object) -> dict[str, object]:
        place = {"x": x, "y": y, "elevation": 10} if name == "ruth" else {"x": x, "y": y}
        return {
            "id": name,
            "name": name.title(),
            "side": side,
            "place": place,
            "health_max": 34,
            "ac": {"eac": 13, "kac": 14},
            "reflex": 3,
            "initiative": 2,
            "weapons": [rifle, blade],
            "areas": [bomb],
        } | more

    tree = {
        "options": {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"},
        "map": {"form": "ascii", "rows": ROWS},
        "hidden_terrain": {"cells": [{"x": 5, "y": 6, "wall": True}]},
        "combatants": [
            fighter("ruth", "red", 1, 3, senses=["darkvision"]),
            fighter("ralf", "red", 6, 4),
            fighter("rita", "red", 4, 0, blur_pct=20),
            fighter("bela", "blue", 11, 2),
            fighter("bert", "blue", 7, 4, size=2, height_ft=12, reach_ft=10),
            fighter("bina", "blue", 6, 7, hidden=True),
        ],
    }
    return msgspec.convert(tree, RULESET.setup)


def new_table(number: int, dice: DiceMode = "sealed") -> Table:
    """The battle at seq 1."""
    return staged(RULESET, setup(), "The yard", 0xD0 + number, dice)


def action(**tree: object) -> do.Action:
    """An action as a client writes it."""
    read: do.Action = msgspec.convert(tree, RULESET.action)
    return read


def declare(table: Table) -> None:
    """An action of whoever's turn it is: what it likes best, else the next, else anything."""
    acting = str(table.state.rule.turn)
    by = seat_of(table, acting)
    likes = WANTED[acting] if table.state.rule.round % 2 else reversed(WANTED[acting])
    listed = offered(table, acting, 30)
    for liked in likes:
        found = [tree for tree in listed if liked.items() <= tree.items()]
        allowed = [tree for tree in found if is_legal(table, tree, by)]
        if allowed:
            table.act(action(**allowed[len(table.sealed) % len(allowed)]), by)
            return
    table.act(action(**listed[len(table.sealed) % len(listed)]), by)


def reply(table: Table) -> None:
    """An answer of the first who is asked: an attack, now and then none."""
    decision = table.state.rule.pending[-1].decisions[0]
    listed = offered(table, str(decision.combatant), 30)
    attacks = [tree for tree in listed if tree["choice"]["type"] != "pass"]
    wanted = listed if len(table.sealed) % 4 == 0 else attacks or listed
    chosen = wanted[len(table.sealed) % len(wanted)]
    table.act(action(**chosen), seat_of(table, str(decision.combatant)))


def play_turn(table: Table) -> None:
    """The turn of whoever's it is, as its player: two actions, and the end of it."""
    acting = table.state.rule.turn
    for _ in range(2):
        if table.state.rule.turn == acting:
            declare(table)
            answer_all(table)
    if table.state.rule.turn == acting:
        table.act(action(type="end_turn", combatant=acting), seat_of(table, str(acting)))


def answer_all(table: Table) -> None:
    """Everybody who is asked answers, and whoever is asked for dice rolls them."""
    while table.state.rule.pending:
        decision = table.state.rule.pending[-1].decisions[0]
        by = RED if decision.seat == RED.seat or decision.side == "red" else BLUE
        if not roll_for(table, by) and not roll_for(table, GM):
            reply(table)


def until_asked(table: Table, *deeds: str) -> None:
    """Play on until an action waits for answers, one of these if any are named."""
    while not table.state.rule.pending:
        declare(table)
        pending = table.state.rule.pending
        if pending and deeds and pending[-1].decisions[0].context.deed not in deeds:
            answer_all(table)


def search(table: Table, quarry: str) -> None:
    """Whose turn it is shoots where somebody invisible is, until a guess hits."""
    hunter, there = str(table.state.rule.turn), place_of(table, quarry)
    again = {"type": "resource", "combatant": hunter, "resource": "standard", "value": 1}
    guess = {"weapon": "rifle", "cell": {"x": there.x, "y": there.y}}
    while not is_hit(table):
        table.act(action(type="adjust", changes=[again], reason="One more shot"))
        by = seat_of(table, hunter)
        table.act(action(type="attack_cell", combatant=hunter, **guess), by)
        answer_all(table)


def place_of(table: Table, combatant: str) -> Place:
    """Where somebody is."""
    places = {each.id: each.place for each in table.state.rule.combatants}
    place: Place = places[combatant]
    return place


def is_hit(table: Table) -> bool:
    """Whether the last event hurt somebody."""
    return any(isinstance(effect, fx.Hurt) for effect in table.events[-1].effects)


def mend(table: Table) -> None:
    """Everybody is well again."""
    lifted = [
        {"type": "hp", "combatant": each.id, "value": each.health_max}
        for each in table.state.rule.combatants
    ]
    table.act(action(type="adjust", changes=lifted, reason="The medics came through"))


def fight() -> Table:
    """Shots, blows, bombs, walks with opportunities, guesses; secrets, an override, an erasure."""
    table = new_table(1)
    table.act(action(type="contribute", value="c3" * 32), RED)
    table.act(action(type="contribute", value="d4" * 32), BLUE)
    table.act(action(type="note", text="Dusk. Сумерки.", gm_text="bina is behind the wall"))
    table.act(action(type="start_encounter"))
    for _ in range(8):
        play_turn(table)
    mend(table)
    invisible = {"type": "condition", "combatant": "ralf", "condition": "invisible"}
    covered = {"type": "cover_override", "combatant": "ruth", "versus": "bela", "grade": "improved"}
    table.act(action(type="adjust", changes=[invisible, covered], reason="A potion"))
    table.act(action(type="set_terrain", cells=[{"x": 9, "y": 6, "concealment_pct": 20}]))
    table.act(action(type="set_terrain", cells=[{"x": 2, "y": 6, "wall": True}], secret=True))
    for _ in range(8):
        play_turn(table)
    apart = [
        {"type": "place", "combatant": "ralf", "place": {"x": 13, "y": 0}},
        {"type": "stat", "combatant": "ralf", "stat": "eac", "value": 0},
        {"type": "place", "combatant": "bela", "place": {"x": 10, "y": 0}},
    ]
    table.act(action(type="adjust", changes=apart))
    while table.state.rule.turn != "bela":
        play_turn(table)
    search(table, "ralf")
    weightless = [
        {"type": "gravity", "gravity": "zero"},
        {"type": "condition", "combatant": "bert", "condition": "prone"},
        {"type": "reveal", "combatant": "bina"},
    ]
    table.act(action(type="adjust", changes=weightless))
    for _ in range(8):
        play_turn(table)
    table.act(action(type="erase", seqs=[4]))
    table.act(action(type="end_encounter", winner="red", reason="Night fell"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


def supplied() -> Table:
    """The table rolls: initiative next to the start, the rest in answer to `roll`."""
    table = new_table(2, "supplied")
    table.act(action(type="start_encounter"), GM, faces(table, 6, 20))
    for _ in range(12):
        play_turn(table)
    table.act(action(type="end_encounter", reveal="now", open="all"))
    return table


def rewound() -> Table:
    """Back across open decisions, by a player and by the game master, and forth again."""
    table = new_table(3)
    table.act(action(type="start_encounter"))
    until_asked(table)
    asked = len(table.sealed)
    answer_all(table)
    answered = len(table.sealed)
    play_turn(table)
    table.act(action(type="rewind", to=answered))
    play_turn(table)
    table.act(action(type="rewind", to=asked))
    table.act(action(type="rewind", to=asked - 1))
    for _ in range(4):
        play_turn(table)
    table.act(action(type="end_encounter", reveal="now", open="sides"))
    return table


def overruled() -> Table:
    """Decisions that nobody can answer any more, that are forced, and that a timer passes."""
    table = new_table(4)
    table.act(action(type="start_encounter"))
    until_asked(table)
    spent = [
        {"type": "resource", "combatant": each.combatant, "resource": "reaction", "value": 0}
        for each in table.state.rule.pending[-1].decisions
    ]
    table.act(action(type="adjust", changes=spent, reason="They are tied up"))
    answer_all(table)
    mend(table)
    until_asked(table, "attack", "attack_cell")
    disarmed = [
        {"type": "ready", "combatant": each.combatant, "weapon": "blade", "ready": False}
        for each in table.state.rule.pending[-1].decisions
    ]
    table.act(action(type="adjust", changes=disarmed, reason="Their blades break"))
    answer_all(table)
    mend(table)
    until_asked(table)
    walker = str(table.state.rule.turn)
    table.act(action(type="adjust", changes=[{"type": "hp", "combatant": walker, "value": 0}]))
    answer_all(table)
    mend(table)
    until_asked(table)
    for decision in table.state.rule.pending[-1].decisions:
        table.act(action(type="force_pass", decision_id=decision.id, reason="Dinner is ready"))
    answer_all(table)
    until_asked(table)
    for decision in table.state.rule.pending[-1].decisions:
        late = {"type": "pass", "reason": "timeout"}
        answer = action(type="answer", decision_id=decision.id, choice=late)
        table.act(answer, seat_of(table, str(decision.combatant)))
    answer_all(table)
    table.act(action(type="end_encounter", reveal="now", open="all"))
    return table


GOLDEN: Final = {
    "tactical-d20-sealed": GoldenBattle(
        play=fight,
        counts={"match": 89, "override": 9, "erased": 1},
        happened=frozenset(
            {"answered opportunity_attack", "passed pass", "bomb carried_out", "melee critical"}
            | {"melee hit", "guess hit", "ranged hit", "ranged miss_concealment"}
            | {"ranged obstructed"}
        ),
    ),
    "tactical-d20-sealed-red": GoldenBattle(
        play=fight, viewer=Viewer(sides=("red",)), counts={"sealed": 99}
    ),
    "tactical-d20-sealed-observer": GoldenBattle(
        play=fight, viewer=Viewer(), counts={"sealed": 99}
    ),
    "tactical-d20-supplied": GoldenBattle(
        play=supplied,
        viewer=GAME_MASTER,
        counts={"match": 51},
        happened=frozenset(
            {"answered roll", "answered opportunity_attack", "bomb carried_out", "ranged hit"}
        ),
    ),
    "tactical-d20-rewound": GoldenBattle(
        play=rewound, counts={"match": 27}, happened=frozenset({"reissued"})
    ),
    "tactical-d20-overruled": GoldenBattle(
        play=overruled,
        counts={"match": 79, "override": 6},
        happened=frozenset({"void", "void and resumed", "forced pass", "timeout pass"}),
    ),
}
"""The battles by the name of their bundle."""
