"""The golden battles of `seeker-d100`: fights with answers, sealed and with the table's dice."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import DiceMode
from service.rulesets.seeker_d100 import RULESET
from tests.kit.rig import GoldenBattle
from tests.kit.table import GM, Table
from tests.replay.staging import BLUE, RED, faces, is_legal, offered, roll_for, seat_of, staged

Tree = Mapping[str, Any]

WANTED: Final[Mapping[str, tuple[Tree, ...]]] = {
    "ruth": ({"type": "called_shot", "weapon": "revolver", "part": "left_arm"}, {"type": "aim"}),
    "ralf": ({"type": "attack", "weapon": "grenade"}, {"type": "dodge"}),
    "rita": ({"type": "attack", "weapon": "gun"}, {"type": "attack", "weapon": "grenade"}),
    "bela": ({"type": "attack", "weapon": "rifle", "radius": 2}, {"type": "aim"}),
    "bert": ({"type": "grapple"}, {"type": "attack", "weapon": "machete"}),
    "bina": ({"type": "attack", "weapon": "knife"}, {"type": "disarm", "item": "grenade"}),
}
"""What each of them likes to do, in odd rounds and in even ones; attacks are at any enemy."""


def setup(order: tuple[str, ...]) -> Any:
    """Three against three among crates, one of them hidden; a trench nobody knows of.

    With an `order` the cards are given, else they are drawn.
    """

    def armed(name: str, sample: str, **more: object) -> dict[str, object]:
        return {"id": name, "sample": sample, **more}

    def fighter(name: str, side: str, x: int, y: int, *weapons: object, **more: object) -> Tree:
        skills = ("ranged", "athletics", "melee_weapon", "unarmed", "heavy_weapons", "dodge")
        return {
            "id": name,
            "name": name.title(),
            "side": side,
            "place": {"x": x, "y": y},
            "health": 40,
            "health_max": 40,
            "strength": 12,
            "dexterity": 11,
            "skills": dict.fromkeys(skills, 60) | {"athletics": 90},
            "weapons": weapons,
            "held_items": [weapons[0]["id"]] if isinstance(weapons[0], dict) else [],
        } | more

    def wall(x: int, y: int, name: str, **more: object) -> Tree:
        ends = {"start": {"x": x, "y": y - 2}, "end": {"x": x, "y": y + 2}}
        return {"id": name, **ends, **more}

    brawler = {"unarmed": 95, "melee_weapon": 70, "dodge": 50}
    trench = {name: value for name, value in wall(5, 9, "-", armour=15).items() if name != "id"}
    heavy = armed("gun", "w_lmg"), armed("grenade", "w_grenade")
    vest = {"value": 3, "parts": ["torso"]}
    tree = {
        "options": {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"},
        "map": {
            "cover": [
                wall(2, 1, "crates", sample="wall"),
                wall(9, 1, "car", sample="car_side", degree="large"),
                wall(12, 4, "sandbags", sample="sandbag", exposed=["head"]),
            ]
        },
        "hidden_cover": [{"feature": "trench", "terrain": trench}],
        "combatants": [
            fighter("ruth", "red", 0, 1, armed("revolver", "w_revolver", ammo=12), helmet=True),
            fighter("ralf", "red", 6, 1, armed("grenade", "w_grenade"), armed("knife", "w_knife")),
            fighter("rita", "red", 1, 4, *heavy, body_armour=vest),
            fighter("bela", "blue", 11, 1, armed("rifle", "w_assault_rifle"), helmet=True),
            fighter("bert", "blue", 7, 2, armed("machete", "w_machete"), skills=brawler),
            fighter("bina", "blue", 5, 0, armed("knife", "w_combat_knife"), hidden=True),
        ],
    }
    if order:
        cards = [{"combatant": name, "card": 51 - 4 * at} for at, name in enumerate(order)]
        tree["battle"] = {"cards": cards, "turn": order[0]}
    return msgspec.convert(tree, RULESET.setup)


def new_table(number: int, dice: DiceMode = "sealed", order: tuple[str, ...] = ()) -> Table:
    """The battle at seq 1."""
    return staged(RULESET, setup(order), "The loading dock", 0x60 + number, dice)


def action(**tree: object) -> do.Action:
    """An action as a client writes it."""
    read: do.Action = msgspec.convert(tree, RULESET.action)
    return read


def declare(table: Table, wanted: Mapping[str, tuple[Tree, ...]] = WANTED) -> None:
    """The action of whoever's turn it is: what it likes best, else the next, else anything."""
    acting = str(table.state.rule.turn)
    by = seat_of(table, acting)
    likes = wanted[acting] if table.state.rule.round % 2 else reversed(wanted[acting])
    for liked in likes:
        for tree in aimed(table, {**liked, "combatant": acting}):
            if is_legal(table, tree, by):
                table.act(action(**tree), by)
                return
    table.act(action(**sampled(table, acting)), by)


def aimed(table: Table, liked: Tree) -> Iterator[Tree]:
    """An action at every enemy, if it is an attack."""
    if liked["type"] in ("aim", "dodge"):
        yield liked
        return
    acting = seat_of(table, liked["combatant"])
    for each in table.state.rule.combatants:
        if seat_of(table, each.id) != acting:
            yield {**liked, "target": each.id}


def sampled(table: Table, combatant: str) -> Tree:
    """Something that a combatant may do or answer; not nothing, if there is anything else."""
    listed = offered(table, combatant, 12)
    quiet = ("move", "break_free", "release", "resist")
    found = [tree for tree in listed if tree["type"] in quiet or is_answer(tree)] or listed
    return found[len(table.sealed) % len(found)]


def is_answer(tree: Tree) -> bool:
    """Whether this answers with more than declining."""
    return bool(tree["type"] == "answer" and tree["choice"]["type"] != "pass")


def reply(table: Table) -> None:
    """An answer of the first who is asked."""
    decision = table.state.rule.pending[-1].decisions[0]
    chosen = sampled(table, decision.combatant)
    table.act(action(**chosen), seat_of(table, decision.combatant))


def play_turn(table: Table, wanted: Mapping[str, tuple[Tree, ...]] = WANTED) -> None:
    """A turn with all its answers, and the dice of the table where it rolls them."""
    declare(table, wanted)
    answer_all(table)


def answer_all(table: Table) -> None:
    """Everybody who is asked answers, and whoever is asked for dice rolls them."""
    while table.state.rule.pending:
        decision = table.state.rule.pending[-1].decisions[0]
        by = RED if decision.seat == RED.seat or decision.side == "red" else BLUE
        if not roll_for(table, by):
            reply(table)


def until_asked(table: Table) -> None:
    """Play on until an attack waits for answers."""
    declare(table)
    while not table.state.rule.pending:
        declare(table)


def mend(table: Table) -> None:
    """Everybody is well again, and sees what happens."""
    lifted = [
        {"type": "hp", "combatant": each.id, "value": 40} for each in table.state.rule.combatants
    ]
    awake = [
        {"type": "condition", "combatant": each.id, "condition": "unaware", "holds": False}
        for each in table.state.rule.combatants
        if "unaware" in each.conditions
    ]
    table.act(action(type="adjust", changes=[*lifted, *awake], reason="The medics came through"))


THROWER_FIRST: Final = ("ralf", "bela", "ruth", "bert", "rita", "bina")
"""The order of turns in which the first attack is answered by several at once."""


def fight() -> Table:
    """Dodges, blocks, dives for cover, a pin, called shots, grenades, a machine gun; secrets."""
    table = new_table(18)
    table.act(action(type="contribute", value="37" * 32), RED)
    table.act(action(type="contribute", value="7e" * 32), BLUE)
    table.act(action(type="note", text="Fog. Туман.", gm_text="bina is behind ralf"))
    table.act(action(type="start_encounter"))
    for _ in range(16):
        play_turn(table)
    mend(table)
    for _ in range(14):
        play_turn(table)
    table.act(action(type="adjust", changes=[{"type": "reveal", "combatant": "bina"}]))
    for _ in range(6):
        play_turn(table)
    table.act(action(type="erase", seqs=[4]))
    table.act(action(type="end_encounter", reason="The lorry left"))
    table.act(action(type="reveal", seed=True, open="none"))
    return table


def supplied() -> Table:
    """The table rolls: cards next to the start, and whatever is asked for in answer to `roll`."""
    table = new_table(2, "supplied")
    table.act(action(type="start_encounter"), GM, cards_of(table))
    for _ in range(10):
        play_turn(table)
    table.act(action(type="end_encounter", reveal="now", open="all"))
    return table


def cards_of(table: Table) -> tuple[int, ...]:
    """The dice of six cards."""
    return tuple(faces(table, 1, 52 - drawn)[0] for drawn in range(6))


def rewound() -> Table:
    """Back across open decisions, by a player and by the game master, and forth again."""
    table = new_table(3, order=THROWER_FIRST)
    table.act(action(type="start_encounter"))
    until_asked(table)
    asked = len(table.sealed)
    reply(table)
    table.act(action(type="rewind", to=asked), BLUE)
    reply(table)
    answered = len(table.sealed)
    reply(table)
    table.act(action(type="rewind", to=answered), GM)
    answer_all(table)
    for _ in range(3):
        play_turn(table)
    table.act(action(type="rewind", to=asked))
    table.act(action(type="rewind", to=asked - 1))
    for _ in range(4):
        play_turn(table)
    table.act(action(type="end_encounter", reveal="now", open="sides"))
    return table


def overruled() -> Table:
    """Decisions that nobody can answer any more: the attack continues, or is over with its
    attacker.

    And one that is forced, and one that a timer passes.
    """
    table = new_table(4, order=THROWER_FIRST)
    table.act(action(type="start_encounter"))
    until_asked(table)
    felled = [
        {"type": "condition", "combatant": each.combatant, "condition": "unaware"}
        for each in table.state.rule.pending[-1].decisions
    ]
    table.act(action(type="adjust", changes=felled, reason="They look the other way"))
    mend(table)
    until_asked(table)
    attacker = str(table.state.rule.turn)
    table.act(action(type="adjust", changes=[{"type": "hp", "combatant": attacker, "value": 1}]))
    mend(table)
    until_asked(table)
    for decision in table.state.rule.pending[-1].decisions:
        table.act(action(type="force_pass", decision_id=decision.id, reason="Dinner is ready"))
    until_asked(table)
    for decision in table.state.rule.pending[-1].decisions:
        late = {"type": "pass", "reason": "timeout"}
        answer = action(type="answer", decision_id=decision.id, choice=late)
        table.act(answer, seat_of(table, str(decision.combatant)))
    until_asked(table)
    table.act(action(type="end_encounter", reveal="now", open="all"))
    return table


GOLDEN: Final = {
    "seeker-d100-sealed": GoldenBattle(
        play=fight,
        counts={"match": 58, "override": 2, "erased": 1},
        happened=frozenset(
            {"answered dodge", "answered resist", "answered take_cover", "attack avoided"}
            | {"called hit", "counter hit", "grapple hit", "grenade hit", "gun hit"}
        ),
    ),
    "seeker-d100-sealed-red": GoldenBattle(
        play=fight, viewer=Viewer(sides=("red",)), counts={"sealed": 61}
    ),
    "seeker-d100-sealed-observer": GoldenBattle(play=fight, viewer=Viewer(), counts={"sealed": 61}),
    "seeker-d100-supplied": GoldenBattle(
        play=supplied,
        counts={"match": 38},
        happened=frozenset({"answered roll", "answered dodge", "answered take_cover"}),
    ),
    "seeker-d100-rewound": GoldenBattle(
        play=rewound, counts={"match": 23}, happened=frozenset({"reissued", "sealed"})
    ),
    "seeker-d100-overruled": GoldenBattle(
        play=overruled,
        counts={"match": 27, "override": 4},
        happened=frozenset({"void", "void and resumed", "forced pass", "timeout pass"}),
    ),
}
"""The battles by the name of their bundle."""
