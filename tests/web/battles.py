"""Battles for the pages: created over HTTP, with a link for every seat."""

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

from service.demo.bridge import creation as bridge
from service.demo.duel import creation as duel
from service.demo.hangar import creation as hangar
from service.demo.mill import creation as mill
from service.demo.warehouse import creation as warehouse
from tests.api.serving import Caller

CREATIONS = {
    "crossfire-d6": mill.encounter,
    "seeker-d100": warehouse.encounter,
    "tactical-d20": bridge.encounter,
    "squad-d100": hangar.encounter,
    "melody-d6": duel.encounter,
}
SEED = "5a" * 32
STEPS = 200
BATTLES = 20


class WebBattle(NamedTuple):
    """A battle that runs: its address, who sits at it, and where their invitations lead."""

    caller: Caller
    path: str
    players: tuple[str, ...]
    links: dict[str, str]

    @property
    def id(self) -> str:
        """The id of the encounter."""
        return self.path.rsplit("/", 1)[1]

    def act(self, seat: str, action: Mapping[str, Any]) -> int:
        """What becomes of an action of a seat: the status."""
        body = {"action": action}
        return self.caller.post(f"{self.path}/actions", body, warlog_seat=seat).status_code

    def view(self, seat: str | None = None) -> dict[str, Any]:
        """The battle as a seat, or the game master, is shown it."""
        who = {} if seat is None else {"warlog_seat": seat}
        view: dict[str, Any] = self.caller.get(self.path, **who).json()
        return view

    def legal(self, seat: str, sample: int = 0) -> dict[str, Any]:
        """What a seat may do now."""
        more = f"?sample={sample}" if sample else ""
        path = f"{self.path}/legal-actions{more}"
        answer: dict[str, Any] = self.caller.get(path, warlog_seat=seat).json()
        return answer

    def questions(self, seat: str) -> list[dict[str, Any]]:
        """What a seat is asked, in the order in which the service lists what it may do."""
        nodes = [node for actor in actors_of(self.legal(seat)) for node in actor["actions"]]
        return [node["decision"] for node in nodes if node["type"] == "answer"]

    def mover(self) -> str:
        """The seat that may act now. Fails where nobody may."""
        return next(each for each in self.players if actors_of(self.legal(each)))


def running(caller: Caller, ruleset: str, **changes: Any) -> WebBattle:
    """The battle of the demonstration with these fields changed, started, everybody invited."""
    creation = {**CREATIONS[ruleset](), "seed": SEED, **changes}
    if creation.get("dice") == "supplied":
        del creation["seed"]
    return started(caller, creation)


def started(caller: Caller, creation: Mapping[str, Any]) -> WebBattle:
    """A battle that runs, everybody invited."""
    battle = invited(caller, creation)
    caller.act(battle.path, {"type": "start_encounter"})
    return battle


def invited(caller: Caller, creation: Mapping[str, Any]) -> WebBattle:
    """A battle that has not begun, everybody invited."""
    path = caller.create(creation)
    seats = caller.get(f"{path}/seats").json()["seats"]
    links = {
        seat["id"]: caller.post(f"{path}/seats/{seat['id']}/invitation", {}).json()["invitation"]
        for seat in seats
    }
    players = tuple(seat["id"] for seat in seats if seat["role"] == "player")
    addresses = {seat: link["link"].removeprefix(caller.url) for seat, link in links.items()}
    return WebBattle(caller, path, players, addresses)


def actors_of(legal: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The actors of an answer of `legal-actions` that may do something."""
    return [each for each in legal.get("actors", [legal]) if each.get("actions")]


def running_until_asked(caller: Caller, ruleset: str) -> tuple[WebBattle, str]:
    """A battle in which a player is asked something, and that player's seat.

    Played at random; one that ends before anybody was asked is followed by another.
    """
    rng = random.Random(5)
    for _ in range(BATTLES):
        battle = running(caller, ruleset)
        for _ in range(STEPS):
            asked = [seat for seat in battle.players if battle.questions(seat)]
            if asked:
                return battle, asked[0]
            if battle.view()["state"]["status"] == "ended":
                break
            seat = battle.mover()
            samples = battle.legal(seat, sample=6)["samples"]
            actions = [each for each in samples if each["type"] != "end_turn"] or samples
            battle.act(seat, rng.choice(actions))
    raise AssertionError("nobody was asked anything")
