"""Plays the battle in the hangar: previews, picks and posts, and shows the map after every turn.

How this works. Nothing is known beforehand but the opening. In its turn everybody shoots at whom it
most likely hits by the preview, or does first what is to be seen once: suppressive fire, a grenade,
a burst, two hands. Whoever has nobody in its line walks: the squad to the nearest door that is
shut, opens it and continues to the nearest enemy; the aliens wait, and are on watch. Whom fire pins
down runs to cover.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from service.demo.hangar.creation import ALIENS, MAP, SEAT_OF_SIDE, SQUAD, encounter
from service.demo.player import Play, named, standing
from service.demo.tabletop import Json
from service.engine.geometry.points import Cell

LAST_ROUND: Final = 2
MOST_STEPS: Final = 5
FAIR_CHANCE: Final = Fraction(1, 4)
DOORS: Final = tuple(
    (x, y) for y, row in enumerate(MAP.splitlines()) for x, glyph in enumerate(row) if glyph == "D"
)


NextDeed = tuple[Json | None, Fraction | None]
"""An action, with the chance to hit that was foretold; None where there is nothing to do."""


class Storming:
    """The fight in the hangar, under the rules of squad-d100."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._table = play.table
        self._shut = set(DOORS)
        self._scenes = {"taken back", "pick_up", "suppress", "throw_grenade", "burst", "snap_shots"}

    def play(self) -> None:
        """From the creation to the revealed seed."""
        self._play.begin(encounter(), SEAT_OF_SIDE.values(), "The lights in the hangar go out.")
        state = self._play.state()
        while state["round"] <= LAST_ROUND and all(standing(state, side) for side in SEAT_OF_SIDE):
            self._turn(state)
            self._play.show(rows_of(self._table.scene()))
            state = self._play.state()
        self._play.end((SQUAD, ALIENS), "The alarm of the station goes off.")

    def _turn(self, state: Json) -> None:
        """One turn of the fighter whose turn it is."""
        acting = str(state["turn"])
        seat = SEAT_OF_SIDE[named(state, acting)["side"]]
        if self._once("taken back"):
            before = self._table.version
            self._play.act({"type": "kneel", "combatant": acting}, seat)
            self._play.act({"type": "rewind", "to": before}, seat)
        for _ in range(MOST_STEPS):
            if not (self._has_turn(acting) and self._step(acting, seat)):
                break
        if self._has_turn(acting):
            self._play.act({"type": "end_turn", "combatant": acting}, seat)

    def _has_turn(self, acting: str) -> bool:
        return bool(self._play.state().get("turn") == acting)

    def _once(self, scene: str) -> bool:
        is_due = scene in self._scenes
        self._scenes.discard(scene)
        return is_due

    def _step(self, acting: str, seat: str) -> bool:
        """The next thing this fighter does; False if it only can end its turn."""
        legal = self._table.legal(acting, seat)
        view = self._table.view(seat)
        for choose in (self._cover, self._scene, self._shot, self._door, self._walk):
            action, odds = choose(legal, view, named(view, acting), seat)
            if action is not None:
                self._play.act(action, seat, odds)
                self._notice(action)
                return True
        return False

    def _notice(self, action: Json) -> None:
        if action["type"] == "toggle_door":
            self._shut.discard((action["cell"]["x"], action["cell"]["y"]))

    # --- what may be done, in the order of liking -------------------------------------------------

    def _cover(self, legal: dict[str, Json], _: Json, __: Json, ___: str) -> NextDeed:
        """Whoever is pinned down goes as near to cover as it can."""
        if "end_turn" in legal:
            return None, None
        if "move" not in legal:
            return legal["stand"]["example"], None
        cells = legal["move"]["params"]["path"]["cells"]
        path = max(cells, key=lambda cell: int(cell["cost_mp"]))["path"]
        return legal["move"]["example"] | {"path": path}, None

    def _scene(self, legal: dict[str, Json], view: Json, fighter: Json, _: str) -> NextDeed:
        """What is to be seen once, as soon as it may be done."""
        if "throw_grenade" in legal:
            throw = grenade_at(legal["throw_grenade"], view, fighter)
            if throw is not None and self._once("throw_grenade"):
                return throw, None
        if "pick_up" in legal and self._once("pick_up"):
            return legal["pick_up"]["example"], None
        enemies = [foe["id"] for foe in foes(view, fighter)]
        for scene in ("snap_shots", "suppress", "burst"):
            action = aimed_at(legal[scene], enemies) if scene in legal else None
            if action is not None and self._once(scene):
                return action, None
        return None, None

    def _shot(self, legal: dict[str, Json], view: Json, fighter: Json, seat: str) -> NextDeed:
        """The shot or blow that most likely hits, if the chance is fair or nothing else is left."""
        best, chance = None, Fraction(0)
        for action in attacks(
            legal, str(fighter["id"]), [foe["id"] for foe in foes(view, fighter)]
        ):
            odds = hit_chance(self._table.preview(action, seat))
            if odds > chance:
                best, chance = action, odds
        is_chosen = best is not None and (chance >= FAIR_CHANCE or "move" not in legal)
        return (best, chance) if is_chosen else (None, None)

    def _door(self, legal: dict[str, Json], _: Json, fighter: Json, __: str) -> NextDeed:
        """The squad opens what is shut."""
        for cell in (
            legal["toggle_door"]["params"]["cell"]["one_of"] if "toggle_door" in legal else ()
        ):
            if (cell["x"], cell["y"]) in self._shut and fighter["side"] == SQUAD:
                return legal["toggle_door"]["example"] | {"cell": cell}, None
        return None, None

    def _walk(self, legal: dict[str, Json], view: Json, fighter: Json, _: str) -> NextDeed:
        """The squad walks towards the nearest door that is shut, else the nearest enemy."""
        goals = list(self._shut) or [at(foe) for foe in foes(view, fighter)]
        if "move" not in legal or fighter["side"] != SQUAD or not goals:
            return None, None
        here = at(fighter)
        goal = min(goals, key=lambda each: apart(here, each))
        cells = legal["move"]["params"]["path"]["cells"]
        best = min(cells, key=lambda each: (apart(xy(each), goal), each["cost_mp"]))
        if apart(xy(best), goal) >= apart(here, goal):
            return None, None
        return legal["move"]["example"] | {"path": best["path"]}, None


def attacks(legal: dict[str, Json], acting: str, enemies: list[str]) -> Iterator[Json]:
    """Every aimed shot at an enemy, and every blow."""
    for weapon in one_of(legal, "aimed_shot", "weapon"):
        for target in weapon["params"].get("target", {"one_of": ()})["one_of"]:
            if target in enemies:
                shot = {"type": "aimed_shot", "combatant": acting, "weapon": weapon["value"]}
                yield {**shot, "target": target}
    for target in one_of(legal, "melee_attack", "target"):
        if target in enemies:
            yield {"type": "melee_attack", "combatant": acting, "target": target}


def one_of(legal: dict[str, Json], kind: str, name: str) -> list[Any]:
    """The values of a parameter of a type of action; none if it may not be done."""
    return legal[kind]["params"][name]["one_of"] if kind in legal else []


def aimed_at(node: Json, enemies: list[str]) -> Json | None:
    """The example of a node, aimed at enemies; None without one in the line."""
    example, params = node["example"], node["params"]
    if "targets" in params:
        each_at, many = params["targets"]["list_of"]["one_of"], params["targets"]["length"]
        aims = [aim for aim in each_at if aim.get("target") in enemies]
        return example | {"targets": [aims[at % len(aims)] for at in range(many)]} if aims else None
    brought = params if "target" in params else params["weapon"]["one_of"][0]["params"]
    targets = [each for each in brought.get("target", {"one_of": ()})["one_of"] if each in enemies]
    return example | {"target": targets[0]} if targets else None


def hit_chance(preview: Json) -> Fraction:
    """How likely the roll of an attack is to hit."""
    return sum(
        (
            Fraction(int(share["num"]), int(share["den"]))
            for share in preview["odds"]
            if share["outcome"] in ("hit", "critical_success")
        ),
        Fraction(0),
    )


def grenade_at(node: Json, view: Json, fighter: Json) -> Json | None:
    """A throw at an enemy's cell that is not next to the thrower."""
    cells = {xy(each) for each in node["params"]["cell"]["one_of"]}
    marks = [at(foe) for foe in foes(view, fighter) if at(foe) in cells]
    far = [cell for cell in marks if apart(cell, at(fighter)) > 2]
    if not far:
        return None
    example: Json = node["example"]
    return example | {"cell": {"x": far[0][0], "y": far[0][1]}}


def foes(view: Json, fighter: Json) -> list[Json]:
    """The enemies of a combatant who are known and still fight."""
    return [
        each
        for each in view["combatants"]
        if each["side"] != fighter["side"] and "down" not in each["conditions"]
    ]


def at(fighter: Json) -> Cell:
    """Where a combatant is."""
    return xy(fighter["place"])


def xy(cell: Json) -> Cell:
    """A cell of JSON."""
    return int(cell["x"]), int(cell["y"])


def apart(one: Cell, other: Cell) -> int:
    """How many steps two cells are apart."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def rows_of(picture: str) -> str:
    """The rows of a printed map, without the list of units below."""
    return picture.split("\n\n")[0]
