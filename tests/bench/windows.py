"""A movement that guards interrupt, as a conversation: each of them is asked after the one before.

One warrior moves in twelve legs past twenty masked enemies and ten on guard. Bob answers for his
guards one after the other as soon as he is asked, by the clock of the client; the figures are the
whole conversation, from the move to the mover's arrival, and one answer of it. Rolls are the
service's; the mover is tough enough to arrive whatever they show.
"""

import http.client
import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from _measuring import Table, arguments, percentile
from _service import Service

from service.rulesets import latest

Tree = dict[str, Any]

SLUG = "melody-d6"
LEGS, MASKED, GUARDS = 12, 20, 10
TIMES = 10
"""How many conversations are held in a round."""

WIDTH, HEIGHT = 40_000, 40_000
RIFLE: Tree = {
    "id": "rifle",
    "kind": "firearm",
    "range": 60_000,
    "shots": 1,
    "strength": 1,
    "pen": 0,
    "damage": 1,
}


def warrior(name: str, x: int, y: int, **sheet: object) -> Tree:
    """A warrior whose side is the first letter of its id."""
    place = {"x": x, "y": y}
    return {"id": name, "side": name[0], "unit": f"{name[0]}1", "place": place, **sheet}


def wall(name: str, x: int, y: int) -> Tree:
    """A low wall behind which one masks."""
    corners = ((x, y), (x + 1000, y), (x + 1000, y + 200), (x, y + 200))
    return {
        "id": name,
        "kind": "low_wall",
        "vertices": [{"x": a, "y": b} for a, b in corners],
    }


def creation() -> Tree:
    """A runner, ten on guard to the south, twenty masked behind walls to the north."""
    columns = range(MASKED)
    people = [
        warrior("a1", 2000, 20_000, move=20_000, toughness=10, health_max=20, sight=60_000),
        *(
            warrior(f"bg{n}", 3000 + 3500 * n, 30_000, weapons=["rifle"], conditions=["on_guard"])
            | {"sight": 60_000, "unit": "b2"}
            for n in range(GUARDS)
        ),
        *(warrior(f"bm{n}", 1500 + 1900 * n, 12_000, conditions=["masked"]) for n in columns),
    ]
    units = [{"id": "a1", "side": "a", "kind": "lone"}]
    units += [{"id": unit, "side": "b", "kind": "squad"} for unit in ("b1", "b2")]
    walls = [wall(f"w{n}", 1000 + 1900 * n, 10_500) for n in columns]
    return {
        "ruleset": SLUG,
        "sides": [{"id": "a"}, {"id": "b"}],
        "seats": [
            {"id": "ann", "role": "player", "sides": ["a"]},
            {"id": "bob", "role": "player", "sides": ["b"]},
        ],
        "setup": {
            "content": {"weapons": [RIFLE]},
            "map": {"width": WIDTH, "height": HEIGHT, "features": walls},
            "units": units,
            "combatants": people,
            "battle": {"first_side": "a", "turn_side": "a", "turn_unit": "a1"},
        },
    }


class Client:
    """A key that acts for the seats of one battle; one connection."""

    def __init__(self, service: Service) -> None:
        parts = urlsplit(service.url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
        self._key = {"Authorization": f"Bearer {service.key}", "Content-Type": "application/json"}
        self._keys = 0

    def begin(self) -> str:
        """The address of a battle that runs."""
        made = self._ask("/v1/encounters", {}, creation())
        battle = f"/v1/encounters/{made['encounter']}/actions"
        self._ask(battle, {}, {"action": {"type": "start_encounter"}})
        return battle

    def seconds(self, battle: str) -> list[float]:
        """How long the move takes, and then each answer until nobody is asked."""
        path = [{"x": 2000 + 1500 * leg, "y": 20_000 + leg % 2 * 300} for leg in range(1, LEGS + 1)]
        move = {"type": "move", "combatant": "a1", "path": path}
        taken: list[float] = []
        asked = self._timed(battle, "ann", move, taken)
        legs = iter(range(LEGS))
        while asked:
            guard = asked["context"]["guards"][0]
            shot = {"type": "guard_shoot", "combatant": guard, "target": "a1", "weapon": "rifle"}
            choice = {**shot, "path_point": {"leg": next(legs), "permille": 500}}
            answer = {"type": "answer", "decision_id": asked["id"], "choice": choice}
            asked = self._timed(battle, "bob", answer, taken)
        return taken

    def _timed(self, battle: str, seat: str, action: Tree, taken: list[float]) -> Tree | None:
        """Ask for an action, note how long it took, and return the question that it opened."""
        began = time.perf_counter()
        answer = self._ask(battle, {"Warlog-Seat": seat}, {"action": action})
        taken.append(time.perf_counter() - began)
        opened: list[Tree] = answer["decisions"]
        return opened[0] if opened else None

    def _ask(self, path: str, headers: Mapping[str, str], tree: Tree) -> Tree:
        self._keys += 1
        key = {"Idempotency-Key": str(self._keys)}
        self._connection.request("POST", path, json.dumps(tree), {**self._key, **headers, **key})
        answer = self._connection.getresponse()
        told: Tree = json.loads(answer.read())
        if answer.status >= 300:
            raise SystemExit(f"{path}: {told}")
        return told


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    name = f"{SLUG}: {LEGS} legs past {MASKED} masked, {GUARDS} guards shoot one after the other"
    with Table(given.rows) as table:
        if latest(SLUG) is None:
            table.missing(name, "no such ruleset")
            return
        with Service() as service:
            client = Client(service)
            client.seconds(client.begin())
            rounds = [
                [client.seconds(client.begin()) for _ in range(TIMES)] for _ in range(given.rounds)
            ]
            if any(len(each) != GUARDS + 1 for talks in rounds for each in talks):
                raise SystemExit("not every guard was asked")
            whole = [1000 * percentile(list(map(sum, talks)), 0.5) for talks in rounds]
            table.add(f"{name}, the whole conversation", whole, "ms")
            single = [
                1000 * percentile([one for each in talks for one in each[1:]], 0.5)
                for talks in rounds
            ]
            table.add("… one answer of it", single, "ms")


if __name__ == "__main__":
    main()
