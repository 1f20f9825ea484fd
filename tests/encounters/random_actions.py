"""Battles of every ruleset with somebody hidden on each side, and anything that may be tried."""

from random import Random
from typing import Any

from tests.encounters.table import creation, end_turn
from tests.kit.rigs import RIGS, rig_of

PEOPLE = ("r1", "r2", "b1", "b2")
RULESETS = tuple(rig.ruleset.slug for rig in RIGS)
Action = dict[str, Any]


def battle(ruleset: str, dice: str) -> Action:
    """Two of each side, one of them hidden, and hidden numbers."""
    return creation(ruleset=ruleset, setup=rig_of(ruleset).brawl.setup, dice=dice)


def anything(chance: Random, ruleset: str, head: int, state: Action) -> Action:
    """An action that may or may not be allowed."""
    turn = state.get("turn", "r2")
    side = state.get("turn_side")
    change = {"type": chance.choice(["reveal", "hide"]), "combatant": chance.choice(PEOPLE)}
    wound = {"type": "hp", "combatant": "b1", "value": chance.randint(1, 40 if side is None else 3)}
    attack = rig_of(ruleset).brawl.attack
    return chance.choice(
        [
            attack(turn, chance.choice(PEOPLE)),
            attack(turn, chance.choice(PEOPLE)),
            end_turn(turn) if side is None else {"type": "end_turn", "side": side},
            {"type": "rewind", "to": chance.randint(1, head + 1)},
            {"type": "note", "text": "hm"},
            {"type": "erase", "seqs": [chance.randint(1, head)]},
            {"type": "adjust", "changes": [change, wound], "reason": "so be it"},
            about_seats(chance),
        ]
    )


def about_seats(chance: Random) -> Action:
    """A seat comes, changes or goes; Rita and Bob keep theirs, but may be game masters a while."""
    guest = f"z{chance.randint(0, 9)}"
    role = chance.choice(["gm", "player", "player", "observer"])
    control = {"combatants": chance.sample(PEOPLE, 2)}
    return chance.choice(
        [
            {"type": "add_seat", "seat": {"id": guest, "role": role, **control, "name": "A guest"}},
            {"type": "change_seat", "seat": guest, "role": role, **control},
            {"type": "change_seat", "seat": chance.choice(["rita", "bob"]), "role": "player"},
            {"type": "change_seat", "seat": "rita", "role": role, "name": "Rita"},
            {"type": "remove_seat", "seat": guest},
            {"type": "assign_control", "seat": guest, **control},
        ]
    )


def reply(chance: Random, ruleset: str, question: Action) -> tuple[Action, list[int] | None]:
    """An answer to what is asked, with the faces if it is for dice."""
    asked = {"type": "answer", "decision_id": question["id"]}
    if "roll" in question:
        roll = question["roll"]
        faces = [chance.randint(1, roll["sides"]) for _ in range(roll["count"])]
        return {**asked, "choice": {"type": "roll"}}, faces
    choice = rig_of(ruleset).brawl.choice(chance.choice(question["options"]))
    return {**asked, "choice": choice}, None
