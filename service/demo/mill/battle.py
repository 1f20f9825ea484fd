"""Plays the battle: looks at what is legal, previews, picks, posts, as two players and a GM would.

How this works. Nothing is known beforehand but the opening and a few scenes (a move taken back, an
override, smoke, a rewind by the GM). In between every fighter shoots or strikes if the preview
gives a fair chance, else walks; the ambusher waits for that chance. Once somebody hides from
suppression. The battle ends when a side is down or after the last round.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from service.demo.mill.creation import (
    RAIDERS,
    SEAT_OF_SIDE,
    SHIELDED,
    WATCH,
    encounter,
)
from service.demo.player import Play, chance, is_out, named, standing
from service.demo.tabletop import Json

LAST_ROUND: Final = 4
SECOND: Final = 2
FAIR_CHANCE: Final = Fraction(1, 4)
PINNED: Final = 2
ATTACKS: Final = ("ranged_attack", "melee_attack")
SMOKE: Final = ({"x": 7, "y": 5, "smoke": True}, {"x": 7, "y": 6, "smoke": True})


class Director:
    """The ambush at the mill, under the rules of crossfire-d6."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._table = play.table
        self._scenes = {"taken back", "smoke and a shield", "rewound", "hidden"}

    def play(self) -> None:
        """From the creation to the revealed seed."""
        note = "Fog over the mill race. Somebody coughed."
        self._play.begin(encounter(), SEAT_OF_SIDE.values(), note)
        state = self._play.state()
        while state["round"] <= LAST_ROUND and standing(state, WATCH) and standing(state, RAIDERS):
            self._turn(state)
            state = self._play.state()
        self._play.end((WATCH, RAIDERS), "The bells of the town are ringing.")

    def _turn(self, state: Json) -> None:
        """One turn of the fighter whose turn it is."""
        acting = str(state["turn"])
        fighter = named(state, acting)
        seat = SEAT_OF_SIDE[fighter["side"]]
        self._scene(state, acting, seat)
        while self._step(acting, seat):
            pass
        if self._play.state()["turn"] == acting:
            self._play.act({"type": "end_turn", "combatant": acting}, seat)

    # --- scenes ---------------------------------------------------------------------------------

    def _scene(self, state: Json, acting: str, seat: str) -> None:
        """What is bound to happen once, as soon as it can."""
        if acting == "oleg" and self._once("taken back"):
            self._take_back(acting, seat)
        if state["round"] >= SECOND and self._once("smoke and a shield"):
            self._play.act({"type": "set_terrain", "cells": list(SMOKE)})
            self._override()
        if state["round"] >= SECOND and "rewound" in self._scenes:
            self._go_back(acting, seat)

    def _once(self, scene: str) -> bool:
        is_due = scene in self._scenes
        self._scenes.discard(scene)
        return is_due

    def _take_back(self, acting: str, seat: str) -> None:
        """The player runs for it, thinks better of it, and takes the move back."""
        before = self._table.version
        cells = self._table.legal(acting, seat)["move"]["params"]["path"]["cells"]
        away = min(cells, key=lambda cell: (int(cell["x"]), -int(cell["cost_ft"])))
        self._play.act({"type": "move", "combatant": acting, "path": away["path"]}, seat)
        self._play.act({"type": "rewind", "to": before}, seat)

    def _override(self) -> None:
        """The GM overrules a number; what follows from it is played by the rules again."""
        change = {"type": "stat", "combatant": SHIELDED, "stat": "soak", "value": 2}
        reason = "Vera took a door off its hinges to hold before her."
        self._play.act({"type": "adjust", "changes": [change], "reason": reason})

    def _go_back(self, acting: str, seat: str) -> None:
        """The GM goes back on something; what was rolled since is never rolled the same again."""
        before = self._table.version
        if self._step(acting, seat) and self._once("rewound"):
            self._play.act({"type": "note", "text": "Wrong square, says the GM. Once more."})
            self._play.act({"type": "rewind", "to": before})

    # --- ordinary turns -------------------------------------------------------------------------

    def _step(self, acting: str, seat: str) -> bool:
        """The next thing this fighter does; False if nothing is left to do."""
        legal = self._table.legal(acting, seat)
        state = self._table.view(seat)
        fighter = named(state, acting)
        if "hide" in legal and fighter["pin_count"] >= PINNED and self._once("hidden"):
            self._play.act(legal["hide"]["example"], seat)
            return True
        attack, odds = self._best_attack(legal, state, acting, seat)
        if attack is not None and odds >= FAIR_CHANCE:
            self._play.act(attack, seat, odds)
            return True
        step = walk(state, fighter, legal.get("move"), can_attack=attack is not None)
        if step is not None:
            self._play.act(step, seat)
        return step is not None

    def _best_attack(
        self, legal: dict[str, Json], state: Json, acting: str, seat: str
    ) -> tuple[Json | None, Fraction]:
        """The attack that most likely hits an enemy still fighting, and its odds."""
        best: tuple[Json | None, Fraction] = (None, Fraction(0))
        for kind in ATTACKS:
            for weapon, target in choices(legal.get(kind)):
                if is_out(named(state, target)):
                    continue
                action = {"type": kind, "combatant": acting, "weapon": weapon, "target": target}
                odds = chance(self._table.preview(action, seat))
                if odds > best[1]:
                    best = (action, odds)
        return best


def choices(node: Json | None) -> Iterator[tuple[str, str]]:
    """Every (weapon, target) of an attack's node."""
    for weapon in node["params"]["weapon"]["one_of"] if node else ():
        for target in weapon["params"]["target"]["one_of"]:
            yield weapon["value"], target


def walk(state: Json, fighter: Json, node: Json | None, *, can_attack: bool) -> Json | None:
    """A move towards the nearest enemy: for melee round him, else behind cover.

    Who sees nobody looks for a straight line. None where there is no better place.
    """
    enemies = [
        combatant["place"]
        for combatant in state["combatants"]
        if combatant["side"] != fighter["side"] and not is_out(combatant)
    ]
    friends = [
        each["place"]
        for each in state["combatants"]
        if each["side"] == fighter["side"] and each["id"] != fighter["id"] and not is_out(each)
    ]
    if node is None or not enemies or fighter["hidden"]:
        return None
    shoots = all(weapon["kind"] != "melee" for weapon in fighter["weapons"])

    def worth(cell: Mapping[str, Any]) -> tuple[int, int]:
        enemy = min(enemies, key=lambda place: apart(cell, place))
        bonus = 4 if shoots and "in_cover" in postures(cell) else 0
        bonus += 1 if any(are_opposite(cell, friend, enemy) for friend in friends) else 0
        bonus += 2 if not can_attack and is_straight(cell, enemy) else 0
        return (apart(cell, enemy) - bonus, int(cell["cost_ft"]))

    best = min(node["params"]["path"]["cells"], key=worth)
    here = fighter["place"] | {"cost_ft": 0, "params": {"posture": {"one_of": []}}}
    if worth(best)[0] >= worth(here)[0] - 4 * (fighter["posture"] != "open"):
        return None
    cover = {"posture": "in_cover"} if shoots and "in_cover" in postures(best) else {}
    return {"type": "move", "combatant": fighter["id"], "path": best["path"]} | cover


def are_opposite(
    first: Mapping[str, Any], second: Mapping[str, Any], middle: Mapping[str, Any]
) -> bool:
    """Whether two places lie next to a third on opposite sides."""
    return apart(first, middle) == 1 and all(
        first[axis] + second[axis] == 2 * middle[axis] for axis in ("x", "y")
    )


def is_straight(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Whether two places lie in one row or column."""
    return bool(first["x"] == second["x"] or first["y"] == second["y"])


def postures(cell: Mapping[str, Any]) -> list[str]:
    """The postures that a cell allows."""
    allowed: list[str] = cell["params"]["posture"]["one_of"]
    return allowed


def apart(first: Mapping[str, Any], second: Mapping[str, Any]) -> int:
    """Cells between two places, diagonals counted as one."""
    across, along = int(first["x"]) - int(second["x"]), int(first["y"]) - int(second["y"])
    return max(abs(across), abs(along))
