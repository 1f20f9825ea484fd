"""The sample duel of `melody-d6` over HTTP from four seats, with either dice, to its end.

Two players share a side, each with two of its warriors. The scout lies in ambush; all others do
what is listed for them, chosen at random, and answer what they are asked; the table's dice are
brought by whoever is asked. What else comes about is for the dice to say: there are several
battles until everything that is wanted has happened.
"""

import json
from collections import Counter
from contextlib import ExitStack
from random import Random
from typing import Any, Final

import pytest

from tests.api.examples import EXAMPLES
from tests.api.serving import START, Caller

Tree = dict[str, Any]

[DUEL] = [
    each.value for each in EXAMPLES["create_encounter"] if each.name == "melody_d6_sample_duel"
]
SEATS: Final[list[Tree]] = [
    {"id": "olga", "role": "player", "combatants": ["a_singer", "a_bow"]},
    {"id": "oleg", "role": "player", "combatants": ["a_rifle", "a_scout"]},
    {"id": "pavel", "role": "player", "sides": ["b"]},
    {"id": "gus", "role": "gm"},
]
PLAYERS: Final = {"a": ("olga", "oleg"), "b": ("pavel",)}
MOST: Final = 260
"""Actions at most; then the game master ends it."""
LATE: Final = ("end_turn", "end_activation", "end_movement")
"""What is done when there is nothing else to do, or now and then."""
SCOUT: Final = "a_scout"
IN_WAIT: Final = ("mask", "shoot", "activate_unit", *LATE)
"""What the scout does, the first that is listed; `mask` and `activate_unit` of its unit."""
WANTED: Final = frozenset(
    {"song in play", "song dampened", "shot", "shot on guard", "shot from ambush", "masked"}
)
"""What is to happen in one battle or another."""
BATTLES: Final = 40
"""At most; two or three are enough, as a rule."""


class Duel:
    """One battle, and who plays it."""

    def __init__(self, caller: Caller, mode: str, number: int) -> None:
        terms = {**DUEL, "dice": mode, "seats": SEATS, "seed": f"{number:064x}"}
        setup = {**terms["setup"], "options": {"round_limit": 6, "fp_per_turn": 4}}
        self.dice = Random(f"{mode} {number}")
        self.encounter = caller.create({**terms, "setup": setup})
        self.seats: dict[str, Caller] = {}

    def view(self, by: str) -> Tree:
        """The battle as a seat sees it."""
        told: Tree = self.seats[by].get(self.encounter).json()
        return told

    def act(self, by: str, action: Tree, faces: list[int] | None = None) -> None:
        """Do something that works."""
        body = {"action": action, **({"dice": faces} if faces else {})}
        answer = self.seats[by].post(f"{self.encounter}/actions", body)
        assert answer.status_code == 201, (by, action, answer.text)

    def listed(self, by: str) -> list[Tree]:
        """Things that a seat may do, of all for whom it may act."""
        path = f"{self.encounter}/legal-actions"
        actors = self.seats[by].get(path).json()["actors"]
        found: list[Tree] = []
        for actor in actors:
            [(name, whose)] = [each for each in actor.items() if each[0] != "actions"]
            asked = f"{path}?{name}={whose}&sample=4"
            found += self.seats[by].get(asked).json()["samples"]
        return found

    def step(self) -> bool:
        """An answer where one is awaited, else a deed of the side with the turn; False: over."""
        told = self.view("gus")
        if told["state"]["status"] != "running":
            return False
        if told["decisions"]:
            self.answer(told["decisions"][0])
            return True
        players = list(PLAYERS[told["state"]["turn_side"]])
        self.dice.shuffle(players)
        for by in players:
            deeds = self.listed(by)
            if deeds:
                self.act(by, self.chosen(deeds))
                return True
        raise AssertionError("nobody may do anything")

    def chosen(self, deeds: list[Tree]) -> Tree:
        """What the scout wants, or any; what ends something only now and then."""
        waiting = [each for each in deeds if SCOUT in json.dumps(each) or each["type"] in LATE]
        if any(SCOUT in json.dumps(each) for each in waiting):
            for kind in IN_WAIT:
                if wanted := [each for each in waiting if each["type"] == kind]:
                    return self.dice.choice(wanted)
        rest = [each for each in deeds if each["type"] not in LATE]
        return self.dice.choice(rest if rest and self.dice.random() < 0.85 else deeds)

    def answer(self, decision: Tree) -> None:
        """Whoever is asked answers; of a side any of its players who can."""
        if decision["kind"] == "roll":
            faces = [self.dice.randint(1, 6) for _ in range(decision["roll"]["count"])]
            by = decision.get("seat") or PLAYERS.get(decision.get("side", ""), ("gus",))[0]
            answer = {"type": "answer", "decision_id": decision["id"], "choice": {"type": "roll"}}
            self.act(by, answer, faces)
            return
        by = self.dice.choice(PLAYERS[decision["side"]])
        answers = [each for each in self.listed(by) if each["type"] == "answer"]
        chosen = [each for each in answers if each["choice"]["type"] != "pass"] or answers
        self.act(by, self.dice.choice(chosen))


def start(duel: Duel, mode: str) -> None:
    """Begin; where the table rolls, the game master brings the dice of the initiative."""
    duel.act("gus", START, [4, 4, 5, 2] if mode == "supplied" else None)


@pytest.mark.soak
@pytest.mark.parametrize("mode", ["supplied", "sealed"])
def test_the_sample_duel_is_played_to_its_end_from_four_seats(caller: Caller, mode: str) -> None:
    happened: set[str] = set()
    for number in range(BATTLES):
        duel = Duel(caller, mode, number)
        with ExitStack() as stack:
            duel.seats = {
                str(seat["id"]): stack.enter_context(caller.seated(str(seat["id"])))
                for seat in SEATS
            }
            play(duel, mode)
            happened |= scenes(duel)
        if happened >= WANTED:
            break
    assert happened >= WANTED


def play(duel: Duel, mode: str) -> None:
    """All of it, and what must hold of its log."""
    start(duel, mode)
    for _ in range(MOST):
        if not duel.step():
            break
    if duel.view("gus")["state"]["status"] == "running":
        duel.act("gus", {"type": "end_encounter", "reveal": "now"})
    for by in duel.seats:
        audit = duel.seats[by].get(f"{duel.encounter}/audit").json()
        assert audit["clean"], audit
        require_named_draws(duel, by)


def scenes(duel: Duel) -> set[str]:
    """What has happened in a battle, of what is wanted."""
    page = duel.seats["gus"].get(f"{duel.encounter}/events?limit=1000").json()
    told = [
        effect
        for record in page["events"]
        for effect in record.get("seen", record["event"])["effects"]
    ]
    shots = [each["detail"] for each in told if each["type"] == "attack_resolved"]
    found = {
        "song in play": any(each["type"] == "marker_placed" for each in told),
        "song dampened": any(each.get("check") == "dampening" for each in told),
        "shot": any(each["mode"] == "shot" for each in shots),
        "shot on guard": any(each["mode"] == "guard" for each in shots),
        "shot from ambush": any(each["ambush"] for each in shots),
        "masked": any(each.get("condition") == "masked" for each in told),
    }
    return {scene for scene, came in found.items() if came}


def require_named_draws(duel: Duel, by: str) -> None:
    """Each draw that a seat sees is named by exactly one effect that it sees."""
    page = duel.seats[by].get(f"{duel.encounter}/events?limit=1000").json()
    for record in page["events"]:
        event = record.get("seen", record["event"])
        drawn = Counter((draw["stream"], draw["number"]) for draw in event.get("draws", ()))
        named = Counter(named_in(event["effects"]))
        assert drawn == named, json.dumps(event)[:2000]


def named_in(value: Any) -> list[tuple[int, int]]:
    """The draws that rolls in effects name as their own: those without a `seq`."""
    if isinstance(value, list):
        return [draw for each in value for draw in named_in(each)]
    if not isinstance(value, dict):
        return []
    inner = [draw for each in value.values() for draw in named_in(each)]
    if not {"faces", "draws"} <= value.keys():
        return inner
    return [
        (run["stream"], run["number"] + offset)
        for run in value["draws"]
        if "seq" not in run
        for offset in range(run.get("count", len(value["faces"])))
    ]
