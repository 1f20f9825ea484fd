"""What a player asks for, in a battle without and in one with a crowd that he does not see.

The two battles look the same to him. State and legal actions are asked for in turn, now of the one,
now of the other, by the clock of the client; the figure is what the crowd adds.
"""

import http.client
import json
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from _measuring import Table, arguments, at_most, percentile
from _service import Service

from tests.rulesets.crossfire_d6 import setups as crossfire
from tests.rulesets.seeker_d100 import setups as seeker
from tests.rulesets.tactical_d20 import setups as tactical

Tree = dict[str, Any]
ASKED = 150
"""How often each is asked for in a round."""

CROWDS = {"crossfire-d6": 100, "seeker-d100": 50, "tactical-d20": 100}
"""How many are hidden; a deck has no card for more."""


def shootout(crowd: int) -> Tree:
    """Two who see each other, and a crowd that nobody sees."""
    arms = [crossfire.rifle(), crossfire.blade()]
    people = [
        crossfire.fighter("a", "red", 0, 0, weapons=arms),
        crossfire.fighter("t", "blue", 6, 0, weapons=arms),
        *(
            crossfire.fighter(f"h{n}", "green", 20 + n % 20, 20 + n // 20, hidden=True)
            for n in range(crowd)
        ),
    ]
    return {
        "combatants": people,
        "battle": crossfire.in_progress(*(str(each["id"]) for each in people)),
    }


def brawl(crowd: int) -> Tree:
    """The same with cards."""
    arms = [seeker.weapon("w_revolver"), seeker.weapon("w_machete"), seeker.weapon("w_grenade")]
    people = [
        seeker.fighter("a", "red", 0, 0, weapons=arms),
        seeker.fighter("t", "blue", 1, 0, weapons=arms),
        *(
            seeker.fighter(f"h{n}", "green", 20 + n % 20, 20 + n // 20, hidden=True)
            for n in range(crowd)
        ),
    ]
    return {"combatants": people, "battle": seeker.battle_of(*people)}


def skirmish(crowd: int) -> Tree:
    """The same with cover and concealment."""
    arms = [tactical.rifle(), tactical.blade()]
    people = [
        tactical.fighter("a", "red", 0, 0, weapons=arms),
        tactical.fighter("t", "blue", 6, 0, weapons=arms),
        *(
            tactical.fighter(f"h{n}", "green", 20 + n % 20, 20 + n // 20, hidden=True)
            for n in range(crowd)
        ),
    ]
    return {
        "combatants": people,
        "battle": tactical.in_progress(*(str(each["id"]) for each in people)),
    }


BATTLES: Mapping[str, Callable[[int], Tree]] = {
    "crossfire-d6": shootout,
    "seeker-d100": brawl,
    "tactical-d20": skirmish,
}


class Player:
    """A key that acts for Ann, who plays the red side; one connection."""

    def __init__(self, service: Service) -> None:
        parts = urlsplit(service.url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
        self._key = {"Authorization": f"Bearer {service.key}", "Content-Type": "application/json"}
        self._keys = 0

    def begin(self, slug: str, crowd: int) -> str:
        """The address of a battle that runs."""
        creation = {
            "ruleset": slug,
            "sides": [{"id": side} for side in ("red", "blue", "green")],
            "seats": [{"id": "ann", "role": "player", "sides": ["red"]}],
            "setup": BATTLES[slug](crowd),
        }
        made = self._ask("POST", "/v1/encounters", {}, creation)
        battle = f"/v1/encounters/{made['encounter']}"
        self._ask("POST", f"{battle}/actions", {}, {"action": {"type": "start_encounter"}})
        return battle

    def seconds(self, path: str) -> float:
        """How long an answer to Ann takes."""
        began = time.perf_counter()
        self._ask("GET", path, {"Warlog-Seat": "ann"})
        return time.perf_counter() - began

    def _ask(self, method: str, path: str, headers: Mapping[str, str], tree: object = None) -> Tree:
        self._keys += 1
        key = {"Idempotency-Key": str(self._keys)} if tree is not None else {}
        body = None if tree is None else json.dumps(tree)
        self._connection.request(method, path, body, {**self._key, **headers, **key})
        answer = self._connection.getresponse()
        told: Tree = json.loads(answer.read())
        if answer.status >= 300:
            raise SystemExit(f"{method} {path}: {told}")
        return told


def medians(player: Player, battles: list[str], what: str) -> list[float]:
    """The median of each battle in milliseconds, asked in turn."""
    taken: list[list[float]] = [[] for _ in battles]
    for _ in range(ASKED):
        for battle, times in zip(battles, taken, strict=True):
            times.append(player.seconds(battle + what))
    return [1000 * percentile(times, 0.5) for times in taken]


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    limits = {"WARLOG_PREVIEWS_PER_MINUTE": "1000000"}
    with Table(given.rows) as table, Service(limits) as service:
        player = Player(service)
        for slug, crowd in CROWDS.items():
            battles = [player.begin(slug, count) for count in (0, crowd)]
            for name, what in (("state", ""), ("legal actions", "/legal-actions?combatant=a")):
                medians(player, battles, what)
                rounds = [medians(player, battles, what) for _ in range(given.rounds)]
                alone = [one for one, _ in rounds]
                table.add(f"{slug}: {name} of a player, nobody hidden", alone, "ms")
                ratios = [other / one for one, other in rounds]
                table.add(f"… {crowd} hidden / nobody", ratios, target=at_most(1.5))


if __name__ == "__main__":
    main()
