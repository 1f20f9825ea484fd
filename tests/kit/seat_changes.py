"""Seats that come, change and go while any battle is played, and what they must be then.

How this works. Called between the actions of a battle, `SeatChanges` now and then changes a seat,
as the game master or as a co-GM that it seated. It keeps its own account of every seat, which
nothing else changes, rewinds least of all. Ann and Bob keep what they control, so that the battle
can be played by them; Ann is a game master for a while.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from service.engine.battle.linear import Seat
from service.errors import Refused
from tests.kit.table import SEATS, Table

Account = dict[str, dict[str, Any]]
"""Role, sides and combatants of every seat there is, by id."""


class SeatChanges:
    """Changes seats of one battle at random, and knows what they must be."""

    def __init__(self, number: int, chance: float = 0.2) -> None:
        self._dice = Random(f"seats {number}")
        self._chance = chance
        self._guests = 0
        self.done: set[str] = set()
        self.account: Account = {seat.id: _of(seat) for seat in SEATS}

    def __call__(self, table: Table) -> None:
        """Perhaps change a seat; look whether all are what they should be."""
        if self._dice.random() < self._chance:
            self._change(table)
        assert {seat.id: _of(seat) for seat in table.state.linear.seats} == self.account

    def _change(self, table: Table) -> None:
        """Change something as one of the game masters; a used seat id is refused for ever."""
        action = self._action(table)
        masters = [name for name, seat in self.account.items() if seat["role"] == "gm"]
        by = self._dice.choice(["gm", *masters])
        if self._is_taken(action, table):
            with pytest.raises(Refused, match="seat_taken"):
                table.ask(action, by)
            return
        event = table.ask(action, by)
        self.done.add(self._noted(action))
        public = table.sealed[event.seq - 1].body
        for combatant in table.state.rule.combatants:
            assert not combatant.hidden or f'"{combatant.id}"'.encode() not in public

    def _action(self, table: Table) -> Mapping[str, Any]:
        others = [name for name in self.account if name not in ("ann", "bob")]
        choice = self._dice.random()
        if choice < 0.3 or not others:
            return self._newcomer(table)
        if choice < 0.45:
            role = self._dice.choice(["gm", "player"])
            return {"type": "change_seat", "seat": "ann", "role": role}
        name = self._dice.choice(others)
        if choice < 0.6:
            return {"type": "remove_seat", "seat": name}
        if choice < 0.75:
            return {"type": "assign_control", "seat": name, **self._control(table)}
        stated = {"role": self._role(), "name": "Somebody", **self._control(table)}
        some = {key: value for key, value in stated.items() if self._dice.random() < 0.5}
        return {"type": "change_seat", "seat": name, **some}

    def _is_taken(self, action: Mapping[str, Any], table: Table) -> bool:
        given = {grant.seat for grant in table.state.linear.grants}
        return action["type"] == "add_seat" and action["seat"]["id"] in given

    def _newcomer(self, table: Table) -> Mapping[str, Any]:
        self._guests += self._dice.random() < 0.9
        seat = {"id": f"z{self._guests}", "role": self._role(), **self._control(table)}
        return {"type": "add_seat", "seat": seat}

    def _role(self) -> str:
        return self._dice.choice(["gm", "player", "player", "observer"])

    def _control(self, table: Table) -> dict[str, Any]:
        ids = [each.id for each in table.state.rule.combatants]
        sides = [side.id for side in table.state.rule.sides]
        return {
            "sides": self._dice.sample(sides, self._dice.randint(0, 2)),
            "combatants": self._dice.sample(ids, min(len(ids), self._dice.randint(0, 3))),
        }

    def _noted(self, action: Mapping[str, Any]) -> str:
        """Enter what was done; what it was, in words."""
        kind, stated = action["type"], dict(action)
        if kind == "add_seat":
            seat = dict(action["seat"])
            self.account[seat.pop("id")] = seat
            return f"{kind} {seat['role']}"
        name = stated["seat"]
        if kind == "remove_seat":
            return f"{kind} {self.account.pop(name)['role']}"
        fields = ("role", "sides", "combatants")
        changed = {field: stated[field] for field in fields if field in stated}
        before, self.account[name] = self.account[name], {**self.account[name], **changed}
        return f"{kind} {before['role']} {self.account[name]['role']}"


def _of(seat: Seat) -> dict[str, Any]:
    return {"role": seat.role, "sides": list(seat.sides), "combatants": list(seat.combatants)}


Pair = tuple[Mapping[str, Any], Mapping[str, Any]]


def seat_pairs(one: str, others: Sequence[str], dice: Random) -> list[Pair]:
    """A seat that comes, changes and goes: the same in two worlds but for the hidden it controls.

    In the first world it controls the only one there is, in the second any of `others`. Every round
    of this has a separate seat.
    """
    if dice.random() > 0.15:
        return []
    name, role = f"z{dice.getrandbits(40)}", dice.choice(["gm", "player", "observer"])

    def both(**action: Any) -> Pair:
        """The action with what is controlled in either world."""
        hidden = ([one][: dice.randint(0, 1)], dice.sample(others, dice.randint(0, len(others))))
        first, second = ({"combatants": each, "sides": action.get("sides", [])} for each in hidden)
        if action["type"] == "add_seat":
            seat = {"id": name, "role": role}
            return {**action, "seat": {**seat, **first}}, {**action, "seat": {**seat, **second}}
        return {**action, "seat": name, **first}, {**action, "seat": name, **second}

    removed = {"type": "remove_seat", "seat": name}
    renamed = {"type": "change_seat", "seat": name, "role": "player", "name": "Nobody"}
    return [
        both(type="add_seat"),
        both(type="assign_control", sides=["red"]),
        (renamed, renamed),
        both(type="change_seat", sides=["blue"]),
        (removed, removed),
    ]


EVERY_WAY = {
    *(f"add_seat {role}" for role in ("gm", "player", "observer")),
    *(f"remove_seat {role}" for role in ("gm", "player", "observer")),
    "assign_control player player",
    "change_seat gm player",
    "change_seat player gm",
    "change_seat observer player",
    "change_seat player observer",
}
"""What must have been done at least once in a number of battles."""
