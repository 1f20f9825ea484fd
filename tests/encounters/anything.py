"""Battles of two rulesets with somebody hidden on each side, and anything that may be tried."""

from random import Random
from typing import Any

from tests.encounters.table import creation, end_turn, fighter, shoot

PEOPLE = ("r1", "r2", "b1", "b2")
RULESETS = ("crossfire-d6", "seeker-d100")
Action = dict[str, Any]


def battle(ruleset: str, dice: str) -> Action:
    """Two of each side, one of them hidden, and hidden numbers."""
    return brawl(dice) if ruleset == "seeker-d100" else skirmish(dice)


def skirmish(dice: str) -> Action:
    """Riflemen under the rules of crossfire-d6."""
    people = (
        fighter("r1", "red", 0, 0),
        fighter("r2", "red", 0, 3, hidden=True),
        fighter("b1", "blue", 6, 0),
        fighter("b2", "blue", 6, 3, hidden=True),
    )
    options = {"initiative": "fixed", "enemy_numbers": "hidden", "attack_reveals": False}
    return creation(setup={"options": options, "combatants": list(people)}, dice=dice)


def brawl(dice: str) -> Action:
    """Four in reach of one another under the rules of seeker-d100, who may answer blows."""
    spots = {"r1": (0, 0), "r2": (0, 1), "b1": (1, 0), "b2": (1, 1)}
    people = [
        {
            "id": name,
            "side": "red" if name.startswith("r") else "blue",
            "place": {"x": x, "y": y},
            "health": 200,
            "skills": {"melee_weapon": 60, "unarmed": 60, "dodge": 50},
            "weapons": [{"id": "blade", "sample": "w_machete"}],
            "hidden": name.endswith("2"),
        }
        for name, (x, y) in spots.items()
    ]
    cards = [{"combatant": name, "card": 51 - 4 * at} for at, name in enumerate(PEOPLE)]
    setup = {
        "options": {"enemy_numbers": "hidden", "attack_reveals": False},
        "combatants": people,
        "battle": {"cards": cards, "turn": "r1"},
    }
    return creation(ruleset="seeker-d100", setup=setup, dice=dice)


def strike(attacker: str, target: str) -> Action:
    """A blow that may be answered."""
    return {"type": "attack", "combatant": attacker, "weapon": "blade", "target": target}


def anything(chance: Random, ruleset: str, head: int, turn: str) -> Action:
    """An action that may or may not be allowed."""
    change = {"type": chance.choice(["reveal", "hide"]), "combatant": chance.choice(PEOPLE)}
    wound = {"type": "hp", "combatant": "b1", "value": chance.randint(1, 40)}
    attack = strike if ruleset == "seeker-d100" else shoot
    return chance.choice(
        [
            attack(turn, chance.choice(PEOPLE)),
            attack(turn, chance.choice(PEOPLE)),
            end_turn(turn),
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


def reply(chance: Random, question: Action) -> tuple[Action, list[int] | None]:
    """An answer to what is asked, with the faces if it is for dice."""
    asked = {"type": "answer", "decision_id": question["id"]}
    if "roll" in question:
        roll = question["roll"]
        faces = [chance.randint(1, roll["sides"]) for _ in range(roll["count"])]
        return {**asked, "choice": {"type": "roll"}}, faces
    choice = {"type": chance.choice(question["options"])}
    weapon = {"weapon": "blade"} if choice["type"] == "resist" else {}
    return {**asked, "choice": choice | weapon}, None
