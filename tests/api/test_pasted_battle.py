"""A whole battle on a pasted map, over HTTP, with the dice of the service and of the table."""

from random import Random
from typing import Any, Final

import pytest

from tests.api.serving import START, Caller

Tree = dict[str, Any]

ALIEN: Final = "\N{CYRILLIC CAPITAL LETTER A}"
GANDER: Final = "\N{LATIN CAPITAL LETTER M}"
TEXT: Final = f"""\
██████████
█{GANDER}..x...{ALIEN}█
█G.D.|.E.█
█.G~x.W.{ALIEN}█
█..0.F.{ALIEN}.█
██████████
"""
RIFLE: Final[Tree] = {
    "id": "rifle",
    "kind": "automatic_rifle",
    "ap_class": 3,
    "damage": 20,
    "magazine": 30,
}
BOMB: Final[Tree] = {"id": "bomb", "damage": 15, "ap_class": 3, "radius": 1}
MAP: Final[Tree] = {
    "text": TEXT,
    "roster": [
        {"glyph": each, "weapons": [RIFLE], "grenades": [BOMB]} for each in (ALIEN, GANDER, "G")
    ]
    + [{"x": 7, "y": 4, "hidden": True}],
}
MOST_ACTIONS: Final = 40


def answered(caller: Caller, encounter: str, action: Tree, dice: Random, *, rolls: bool) -> Tree:
    """The event of an action; where the table rolls, the game master brings what is needed."""
    faces: list[int] = []
    while True:
        answer = caller.post(
            f"{encounter}/actions", {"action": action, **({"dice": faces} if faces else {})}
        )
        tree: Tree = answer.json()
        if answer.status_code == 201:
            [record] = tree["events"]
            event: Tree = record["event"]
            return event
        assert rolls, tree
        assert tree["code"] == "too_few_faces", tree
        faces.append(dice.randint(1, tree["params"]["sides"]))


def printed(caller: Caller, encounter: str, **headers: str) -> str:
    """The battle as text."""
    answer = caller.get(f"{encounter}/scene", accept="text/plain", **headers)
    assert answer.status_code == 200
    return answer.text


def require_print(caller: Caller, encounter: str) -> None:
    """What is printed is a map again, of whoever is where; players are shown no more."""
    whole = printed(caller, encounter)
    checked = caller.post("/v1/maps", {"ruleset": "squad-d100", "map": {"text": whole}}).json()
    assert checked["problems"] == []
    state = caller.get(encounter).json()["state"]
    standing = {
        each["id"]: (each["place"]["x"], each["place"]["y"])
        for each in state["combatants"]
        if "down" not in each["conditions"]
    }
    read = {entry["id"]: (entry["x"], entry["y"]) for entry in checked["map"]["roster"]}
    assert read == standing
    hidden = [each["id"] for each in state["combatants"] if each["hidden"]]
    seen = printed(caller, encounter, warlog_seat="ann")
    assert [each for each in hidden if f"unit {each} " in seen] == []
    assert len(seen.splitlines()[0]) == len(whole.splitlines()[0])


@pytest.mark.parametrize("mode", ["sealed", "supplied"])
def test_a_pasted_map_plays_a_whole_battle_and_prints_itself_after_every_turn(
    caller: Caller, mode: str
) -> None:
    dice = Random(7)
    encounter = caller.create(
        {
            "ruleset": "squad-d100",
            "dice": mode,
            "seed": "07" * 32,
            "sides": [{"id": "squad"}],
            "seats": [{"id": "ann", "role": "player", "sides": ["squad"]}],
            "setup": {"map": MAP},
        }
    )
    caller.act(encounter, START)
    turns = 0
    for _ in range(MOST_ACTIONS):
        turn = caller.get(encounter).json()["state"].get("turn")
        if turn is None:
            break
        legal = caller.get(f"{encounter}/legal-actions?combatant={turn}&sample=6").json()
        deeds = [each for each in legal["samples"] if each["type"] != "end_turn"]
        action = dice.choice(deeds) if deeds and dice.random() < 0.7 else legal["samples"][-1]
        event = answered(caller, encounter, action, dice, rolls=mode == "supplied")
        if any(effect["type"] == "turn_began" for effect in event["effects"]):
            turns += 1
            require_print(caller, encounter)
    assert turns >= 5
    caller.act(encounter, {"type": "end_encounter", "reveal": "now"})
    audited = caller.get(f"{encounter}/audit").json()
    assert audited["clean"], audited
