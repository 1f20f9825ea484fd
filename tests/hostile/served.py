"""Battles behind a port: everything is asked for, and seen, as any client would."""

import json
from typing import Any

from tests.api.surfaces import Tap
from tests.api.worlds import World, shown
from tests.hostile.battle import Done, NotDone, Outcome, Tree, Undone

REACH = 4
"""How many seqs before the first one it may go back to a player tries."""


class BehindPort:
    """One of them; whoever knows no secrets follows it on streams of every kind.

    What whoever acted last was answered is part of what he is shown.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.unseen = world.unseen
        self._answer: tuple[str, object] = ("", None)
        self._views: dict[str, Tree] = {}
        world.follow()

    @property
    def head(self) -> int:
        """How many events there are."""
        return self.world.head

    def view(self, by: str) -> Tree:
        """The rule state as somebody sees it now."""
        state: Tree = self._viewed(by)["state"]
        return {"pending": [], **state}

    def samples(self, combatant: str, count: int, by: str) -> list[dict[str, Any]]:
        """Legal actions of a combatant."""
        return self.world.samples(combatant, count, by)

    def ask(self, action: Tree, by: str, faces: tuple[int, ...] = ()) -> Outcome:
        """Try to do something."""
        answer = self.world.ask(action, by, faces)
        self._answer = (by, shown(answer))
        if answer.status == 201:
            self._views = {}
            return Done(self.world.effects)
        problem = json.loads(answer.body)
        assert answer.status in {403, 409, 422}, answer
        return NotDone(problem["code"], problem.get("params", {}), shown(answer))

    def told(self, by: str) -> object:
        """What he was answered if he acted, what can be read of the last event and where it led."""
        paths = (
            "?",
            f"/events/{self.head}",
            f"/events?after={self.head - 1}",
            "/timers",
            "/seats",
        )
        found = {path: shown(self._get(f"{self.world.battle}{path}", by)) for path in paths}
        answer = self._answer[1] if self._answer[0] == by else None
        return answer, found, shown(self._get("/v1/me", by))

    def rewinds_tried(self, by: str) -> object:
        """Those that are refused, by the only account there is of which they are."""
        [floor] = [
            each["floor"] for each in self._viewed("gm")["table"]["floors"] if each["seat"] == by
        ]
        refused = {1, *range(max(1, floor - REACH), floor), self.head + 1, self.head + 2}
        return [self._refused(by, to) for to in sorted(refused)]

    def undone(self) -> list[Undone]:
        """What the last event, a rewind, undid."""
        return [
            Undone(each["by"].get("seat"), each["action"])
            for each in self.event(self.head, "gm").get("undoing", {}).get("undone", ())
        ]

    def event(self, seq: int, by: str) -> Tree:
        """An event as it is read by itself."""
        told: Tree = json.loads(self._get(f"{self.world.battle}/events/{seq}", by).body)
        return told

    def events(self, by: str) -> list[Tree]:
        """The whole log."""
        told: Tree = json.loads(self._get(f"{self.world.battle}/events?limit=1000", by).body)
        return list(told["events"])

    def audit(self, by: str) -> Tree:
        """The report on the whole log."""
        told: Tree = json.loads(self._get(f"{self.world.battle}/audit", by).body)
        return told

    @property
    def taps(self) -> dict[str, Tap]:
        """The streams by name."""
        return self.world.taps

    def _viewed(self, by: str) -> Tree:
        if by not in self._views:
            self._views[by] = json.loads(self._get(self.world.battle, by).body)
        return self._views[by]

    def _get(self, path: str, by: str) -> Any:
        answer = self.world.wire.ask("GET", path, self.world.by[by])
        assert answer.status == 200, answer
        return answer

    def _refused(self, by: str, to: int) -> object:
        """Why a rewind is refused. Fails if it is not."""
        answer = self.world.ask({"type": "rewind", "to": to}, by)
        assert answer.status in {409, 422}, (to, answer)
        return shown(answer)
