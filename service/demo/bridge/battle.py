"""Plays the battle at the bridge: previews, picks, posts, and answers what is offered.

How this works. Nothing is known beforehand but the opening and a few scenes (a flask among the
robbers, smoke and a word of the game master, a move taken back where nobody was asked, a shot at
somebody in the dark). In between everybody attacks if the preview gives a fair chance, else walks
closer, across from a friend if possible: the two flank. Archers who have shot stay where they are,
and who hides waits for the second round. Who may attack out of turn does so when he has the
reaction for it.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from service.demo.bridge.creation import (
    GUARDS,
    ROBBERS,
    SEAT_OF_SIDE,
    SHADED,
    encounter,
)
from service.demo.player import Play, chance, is_out, named, standing
from service.demo.tabletop import Json

LAST_ROUND: Final = 4
SECOND: Final = 2
FAIR_CHANCE: Final = Fraction(1, 4)
SMOKE: Final = ({"x": 5, "y": 3, "concealment_pct": 20}, {"x": 5, "y": 4, "concealment_pct": 20})


class Watch:
    """The fight at the toll bridge, under the rules of tactical-d20."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._table = play.table
        self._scenes = {"flask", "word", "taken back", "guess"}

    def play(self) -> None:
        """From the creation to the revealed seed."""
        self._play.begin(encounter(), SEAT_OF_SIDE.values(), "A lantern goes out on the bridge.")
        state = self._play.state()
        while state["round"] <= LAST_ROUND and all(standing(state, side) for side in SEAT_OF_SIDE):
            self._turn(state)
            state = self._play.state()
        self._play.end((GUARDS, ROBBERS), "Horns from the town.")

    def _once(self, scene: str) -> bool:
        is_due = scene in self._scenes
        self._scenes.discard(scene)
        return is_due

    # --- turns ----------------------------------------------------------------------------------

    def _turn(self, state: Json) -> None:
        """One turn of the fighter whose turn it is."""
        acting = str(state["turn"])
        seat = SEAT_OF_SIDE[named(state, acting)["side"]]
        self._scene(state, acting, seat)
        while self._has_turn(acting) and self._step(acting, seat):
            pass
        if self._has_turn(acting):
            self._play.act({"type": "end_turn", "combatant": acting}, seat)

    def _has_turn(self, acting: str) -> bool:
        return bool(self._play.state().get("turn") == acting)

    def _scene(self, state: Json, acting: str, seat: str) -> None:
        """What is bound to happen once, as soon as it can."""
        if state["round"] >= SECOND and self._once("word"):
            self._overrule()
        if self._once("taken back"):
            before = self._table.version
            self._play.act({"type": "drop_prone", "combatant": acting}, seat)
            self._play.act({"type": "rewind", "to": before}, seat)

    def _overrule(self) -> None:
        """The GM lays smoke and says what cover one of the robbers has against an archer."""
        self._play.act({"type": "set_terrain", "cells": list(SMOKE)})
        change = {"type": "cover_override", "combatant": SHADED, "versus": "iris"}
        reason = "A cart rolls between the archers."
        self._play.act(
            {"type": "adjust", "changes": [{**change, "grade": "improved"}], "reason": reason}
        )

    def _step(self, acting: str, seat: str) -> bool:
        """The next thing this fighter does; False if nothing is left to do."""
        legal = self._table.legal(acting, seat)
        view = self._table.view(seat)
        if "stand_up" in legal:
            return self._act({"type": "stand_up", "combatant": acting}, seat)
        if "area_attack" in legal and self._once("flask"):
            return self._act(flask(view, acting), seat)
        guess = self._shot_in_the_dark(view, acting, seat) if "attack_cell" in legal else None
        if guess is not None and self._once("guess"):
            return self._act(guess, seat)
        attack, odds = self._best_attack(legal, view, acting, seat)
        if attack is not None and odds >= FAIR_CHANCE:
            return self._act(attack, seat, odds)
        walk = approach(view, named(view, acting), legal.get("move"))
        return walk is not None and self._act(walk, seat)

    def _shot_in_the_dark(self, view: Json, acting: str, seat: str) -> Json | None:
        """A shot at the cell of an enemy who is known to be there and cannot be seen."""
        archer = named(view, acting)
        bows = [each["id"] for each in archer["weapons"] if each["kind"] == "ranged"]
        rows = self._table.inspection("cover", seat, attacker=acting)["targets"]
        unseen = {
            row["target"] for row in rows if row["line_of_effect"] and row["line_of_sight"] == "no"
        }
        cells = [each["place"] for each in foes(view, archer) if each["id"] in unseen]
        if not bows or not cells:
            return None
        cell = {"x": cells[0]["x"], "y": cells[0]["y"]}
        return {"type": "attack_cell", "combatant": acting, "weapon": bows[0], "cell": cell}

    def _act(self, action: Json, seat: str, odds: Fraction | None = None) -> bool:
        """Post an action, and answer whatever is offered before it continues."""
        self._play.act(action, seat, odds)
        while decisions := self._table.decisions():
            self._answer(decisions[-1])
        return True

    def _answer(self, decision: Json) -> None:
        """Attack out of turn with the first weapon that may."""
        seat = SEAT_OF_SIDE[str(decision["side"])]
        example = self._table.legal(str(decision["combatant"]), seat)["answer"]["example"]
        self._play.act(example, seat)

    def _best_attack(
        self, legal: dict[str, Json], view: Json, acting: str, seat: str
    ) -> tuple[Json | None, Fraction]:
        """The attack that most likely hits an enemy still fighting, and its odds."""
        best: tuple[Json | None, Fraction] = (None, Fraction(0))
        for weapon, target in choices(legal.get("attack")):
            if is_out(named(view, target)):
                continue
            action = {"type": "attack", "combatant": acting, "weapon": weapon, "target": target}
            odds = chance(self._table.preview(action, seat))
            if odds > best[1]:
                best = (action, odds)
        return best


def choices(node: Json | None) -> Iterator[tuple[str, str]]:
    """Every (weapon, target) of an attack's node."""
    for weapon in node["params"]["weapon"]["one_of"] if node else ():
        for target in weapon["params"]["target"]["one_of"]:
            yield weapon["value"], target


def foes(view: Json, fighter: Json) -> list[Json]:
    """The enemies of a combatant who are known and still fight."""
    side = fighter["side"]
    return [each for each in view["combatants"] if each["side"] != side and not is_out(each)]


def flask(view: Json, acting: str) -> Json:
    """The flask at the nearest enemy's feet."""
    thrower = named(view, acting)
    place = min((foe["place"] for foe in foes(view, thrower)), key=_from(thrower["place"]))
    area, origin = thrower["areas"][0]["id"], {"x": place["x"], "y": place["y"]}
    return {"type": "area_attack", "combatant": acting, "area": area, "origin": origin}


def approach(view: Json, fighter: Json, node: Json | None) -> Json | None:
    """A move that brings the fighter closer to the nearest enemy, or across from a friend there.

    None if there is no such, for an archer who has shot, and for one who still hides.
    """
    enemies = foes(view, fighter)
    is_archer = any(each["kind"] == "ranged" for each in fighter["weapons"])
    if node is None or not enemies or (is_archer and not fighter["standard_left"]):
        return None
    if fighter["hidden"] and view["round"] < SECOND:
        return None
    here = fighter["place"]
    distance_from_here = _from(here)
    foe = min(enemies, key=lambda each: distance_from_here(each["place"]))
    nearer, across = _from(foe["place"]), across_from_friends(view, fighter, foe)
    if (here["x"], here["y"]) in across:
        return None
    best = min(
        node["params"]["path"]["cells"],
        key=lambda cell: ((cell["x"], cell["y"]) not in across, nearer(cell), cell["cost_ft"]),
    )
    if (best["x"], best["y"]) not in across and nearer(best) >= nearer(here):
        return None
    return {"type": "move", "combatant": fighter["id"], "path": best["path"]}


def across_from_friends(view: Json, fighter: Json, foe: Json) -> set[tuple[int, int]]:
    """The cells where the fighter has the enemy in the middle between himself and a friend."""
    friends = [
        each
        for each in view["combatants"]
        if each["side"] == fighter["side"] and each["id"] != fighter["id"] and not is_out(each)
    ]
    doubled = [
        [
            2 * (2 * foe["place"][axis] + foe["size"])
            - (2 * friend["place"][axis] + friend["size"])
            - fighter["size"]
            for axis in ("x", "y")
        ]
        for friend in friends
        if _from(foe["place"])(friend["place"]) <= foe["size"]
    ]
    return {(x // 2, y // 2) for x, y in doubled if x % 2 == y % 2 == 0}


def _from(start: Mapping[str, Any]) -> Any:
    """How many cells a place is away from another one, diagonals counted as one."""
    return lambda place: max(
        abs(int(place["x"]) - int(start["x"])), abs(int(place["y"]) - int(start["y"]))
    )
