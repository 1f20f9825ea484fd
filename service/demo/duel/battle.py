"""Plays the sample duel to its end: reads the state and what may be done, picks and posts.

How this works. Each side activates its units one after another. The scout of the Choir masks near
its wall and shoots at whoever comes into the range of its crossbow; the others of the Choir hold
their ground at first, on guard while nobody is near. The Wardens come on. Singers sing whatever is
legal of what they like best, dampen what the other side sings, and reroll what fails. Whatever is
asked is answered at once: whoever is on guard shoots where it is likely to hit.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt
from typing import Any, Final

from service.demo.duel.creation import CHOIR, SCOUT, SEATS, SIDE_OF_SEAT, WARDENS, encounter
from service.demo.player import Play, named
from service.demo.tabletop import Json

FAIR_CHANCE: Final = Fraction(3, 5)
"""How likely a shot of the own turn must be to hit; who has none as likely waits on guard."""

FAIR_ON_GUARD: Final = Fraction(1, 3)
NO_CHANCE: Final = Fraction(0)
NEAR_ENOUGH: Final = {CHOIR: 30_000, WARDENS: 12_000}
"""At which distance in u a side comes no nearer."""

ROUNDS_OF_PATIENCE: Final = 2
AT_LAST: Final = 9000
"""At which distance both sides come no nearer after these rounds."""

FAVOURITES: Final = (
    "ember_march",
    "drum_of_dread",
    "thunder_shove",
    "dazzle_chord",
    "heavy_air",
    "veil_of_mist",
)
"""Melodies in the order of liking; the last is sung over the own side, the others at enemies."""

HARD_PRESSED: Final = 17_000
"""At which distance in u a singer stops what it keeps in play, to sing at the enemy."""

LENGTH_OF_RAY: Final = 8000
"""How near in u an enemy must be for a Melody that starts at the singer."""

OVER_OWN: Final = "veil_of_mist"
"""What is laid over the own side."""
UNARMED: Final = ("a_singer", "b_chanter")
GONE: Final = {"out", "fled"}


class Duel:
    """The duel of Ash Choir and Grey Wardens, under the rules of melody-d6."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._table = play.table
        self._scenes = {"taken back"}

    def play(self) -> None:
        """From the creation to the revealed seed; the rules end the battle."""
        self._play.begin(encounter(), SEATS, "Ash falls on the old town.")
        while (state := self._play.state())["status"] == "running":
            self._turn(str(state["turn_side"]))
            self._play.show(self._table.scene())
        self._play.reveal()

    def _turn(self, side: str) -> None:
        """All units of a side, then the end of its turn."""
        for unit in [unit["id"] for unit in self._play.state()["units"] if unit["side"] == side]:
            self._activation(unit)
        if self._has_turn(side):
            self._act({"type": "end_turn", "side": side}, seats_of(side)[0])

    def _has_turn(self, side: str) -> bool:
        state = self._play.state()
        return state["status"] == "running" and state.get("turn_side") == side

    def _activation(self, unit: str) -> None:
        """A unit moves, masks, continues, acts."""
        seat = self._seat_of(unit)
        if "activate_unit" not in self._table.legal_of(seat, unit=unit):
            return
        before = self._table.version
        self._act({"type": "activate_unit", "unit": unit}, seat)
        if self._once("taken back"):
            self._play.act({"type": "rewind", "to": before}, seat)
            self._act({"type": "activate_unit", "unit": unit}, seat)
        for name in self._members(unit):
            self._walk(name)
        self._hide(unit, seat)
        self._unit_act("end_movement", unit, seat)
        for name in self._members(unit):
            self._deed(name)
        self._unit_act("end_activation", unit, seat)

    def _unit_act(self, kind: str, unit: str, seat: str) -> None:
        if kind in self._table.legal_of(seat, unit=unit):
            self._act({"type": kind, "unit": unit}, seat)

    def _members(self, unit: str) -> list[str]:
        everybody = self._play.state()["combatants"]
        return [each["id"] for each in everybody if each["unit"] == unit and not is_gone(each)]

    def _seat_of(self, unit: str) -> str:
        everybody = self._play.state()["combatants"]
        return seat_of(next(each["id"] for each in everybody if each["unit"] == unit))

    def _once(self, scene: str) -> bool:
        is_due = scene in self._scenes
        self._scenes.discard(scene)
        return is_due

    def _act(self, action: Json, seat: str, odds: Fraction | None = None) -> None:
        """Post an action, then answer whatever is asked."""
        self._play.act(action, seat, odds)
        self._answers()

    # --- what a unit does -----------------------------------------------------------------------

    def _walk(self, name: str) -> None:
        """Towards the nearest enemy, as far as a path that is listed as accepted leads."""
        state, seat = self._play.state(), seat_of(name)
        fighter = named(state, name)
        goals = [foe["place"] for foe in foes(state, fighter)]
        legal = self._table.legal(name, seat)
        if name == SCOUT or "move" not in legal or not goals:
            return
        here = fighter["place"]
        goal = min(goals, key=lambda place: apart(here, place))
        is_patient = state["round"] <= ROUNDS_OF_PATIENCE
        if apart(here, goal) <= (NEAR_ENOUGH[fighter["side"]] if is_patient else AT_LAST):
            return
        paths = legal["move"]["params"]["path"]["accepted"]
        path = min(paths, key=lambda each: apart(each[-1], goal))
        if apart(path[-1], goal) < apart(here, goal):
            self._act({"type": "move", "combatant": name, "path": path}, seat)

    def _hide(self, unit: str, seat: str) -> None:
        """The scout masks as soon as it may."""
        legal = self._table.legal_of(seat, unit=unit)
        if "mask" in legal and SCOUT in legal["mask"]["params"]["combatants"]["some_of"]:
            self._act({"type": "mask", "combatants": [SCOUT]}, seat)

    def _deed(self, name: str) -> None:
        """Fight, sing, shoot at whom it most likely hits, or go on guard."""
        seat = seat_of(name)
        legal = self._table.legal(name, seat)
        if "dampen_lasting" in legal:
            self._act(legal["dampen_lasting"]["example"], seat)
            legal = self._table.legal(name, seat)
        if "fight" in legal:
            self._act(legal["fight"]["example"], seat)
            return
        if "stop_melody" in legal and self._is_hard_pressed(name):
            self._act(legal["stop_melody"]["example"], seat)
            legal = self._table.legal(name, seat)
        song = self._song(legal, name)
        if song is not None:
            self._act(song, seat)
            return
        shot, odds = self._best(shots(legal, name), seat)
        if shot is not None and (odds >= FAIR_CHANCE or name == SCOUT):
            self._act(shot, seat, odds)
        elif "guard" in legal and name not in UNARMED:
            self._act({"type": "guard", "combatant": name}, seat)

    def _is_hard_pressed(self, name: str) -> bool:
        """Whether an enemy is so near that a singer would rather strike than shelter."""
        state = self._play.state()
        fighter = named(state, name)
        near = [apart(fighter["place"], foe["place"]) for foe in foes(state, fighter)]
        return bool(near) and min(near) < HARD_PRESSED

    def _song(self, legal: dict[str, Json], name: str) -> Json | None:
        """What this singer likes best of what it may sing at somebody who is there."""
        if "sing" not in legal:
            return None
        state = self._play.state()
        fighter = named(state, name)
        offers = dict(members(legal["sing"]["params"]["melody"]))
        for melody in (each for each in FAVOURITES if each in offers):
            liked = [fighter] if melody == OVER_OWN else foes(state, fighter)
            sung = {"type": "sing", "combatant": name, "melody": melody}
            at = next(sung_at(offers[melody], fighter, liked), None)
            if at is not None:
                return {**sung, **at}
        return None

    def _best(self, attacks: Iterator[Json], seat: str) -> tuple[Json | None, Fraction]:
        """The attack that is likeliest to hit by its preview, and how likely."""
        best, odds = None, NO_CHANCE
        for attack in attacks:
            foreseen = hit_chance(self._table.preview(attack, seat))
            if foreseen > odds:
                best, odds = attack, foreseen
        return best, odds

    # --- answers --------------------------------------------------------------------------------

    def _answers(self) -> None:
        """Every question is answered by somebody who may."""
        while decisions := self._table.decisions():
            decision = decisions[-1]
            side = str(decision["side"])
            seat, choice = next(self._choices(decision, side), (seats_of(side)[0], None))
            answer = {"type": "answer", "decision_id": decision["id"]}
            self._play.act({**answer, "choice": choice or {"type": "pass"}}, seat)

    def _choices(self, decision: Json, side: str) -> Iterator[tuple[str, Json]]:
        """What seats of a side would rather answer than pass, each with its seat."""
        for seat in seats_of(side):
            node = self._table.legal_of(seat, side=side).get("answer")
            if node is None:
                continue
            for kind, params in members(node["params"]["choice"]["params"]["type"]):
                choice = self._choice(decision, seat, kind, params)
                if choice is not None:
                    yield seat, choice

    def _choice(self, decision: Json, seat: str, kind: str, params: Json) -> Json | None:
        match kind:
            case "guard_shoot":
                answer = {"type": "answer", "decision_id": decision["id"]}
                answers = ({**answer, "choice": shot} for shot in guard_shots(params))
                best, odds = self._best(answers, seat)
                is_last = decision["context"]["trigger"] == "end_turn"
                return best["choice"] if best and (is_last or odds >= FAIR_ON_GUARD) else None
            case "dampen":
                return {"type": kind, "combatant": one_of(params, "combatant")[0]}
            case "reroll":
                return reroll(decision["context"], params)
            case _:
                return None


def hit_chance(preview: Json) -> Fraction:
    """How likely a shot is to hit at all."""
    missed = (each for each in preview["odds"] if each["outcome"] == "miss")
    return 1 - sum((Fraction(int(each["num"]), int(each["den"])) for each in missed), NO_CHANCE)


def sung_at(params: Json, fighter: Json, liked: list[Json]) -> Iterator[Json]:
    """What of a Melody's targets, points or directions is where somebody liked is."""
    for target in one_of(params, "target"):
        if any(target == each["id"] for each in liked):
            yield {"target": target}
    for point in params.get("point", {}).get("accepted", ()):
        if any(point == spot(each) for each in liked):
            yield {"point": point}
    for point in params.get("aim", {}).get("accepted", ()):
        is_near = apart(fighter["place"], point) <= LENGTH_OF_RAY
        if is_near and any(point == spot(each) for each in liked):
            yield {"aim": point}


def reroll(context: Json, params: Json) -> Json | None:
    """The dice of a failure that show three or less, by the first source; None for a success."""
    is_failed = context["total"] < context["needed"] or context["classification"] != "none"
    low = [at for at, face in enumerate(context["dice"]) if face <= 3]
    if not (is_failed and low):
        return None
    source, _ = next(members(params["source"]))
    return {"type": "reroll", "source": source, "dice": low}


def guard_shots(params: Json) -> Iterator[Json]:
    """Every shot on guard that is listed; at a mover where it is last accepted on its way."""
    for guard, by_weapon in members(params["combatant"]):
        for weapon, by_target in members(by_weapon["weapon"]):
            for target, more in members(by_target["target"]):
                shot = {"type": "guard_shoot", "combatant": guard, "weapon": weapon}
                point = more.get("path_point", {}).get("accepted", ())
                yield {**shot, "target": target, **({"path_point": point[-1]} if point else {})}


def shots(legal: dict[str, Json], name: str) -> Iterator[Json]:
    """Every shot that is listed."""
    if "shoot" not in legal:
        return
    for weapon, params in members(legal["shoot"]["params"]["weapon"]):
        for target in one_of(params, "target"):
            yield {"type": "shoot", "combatant": name, "weapon": weapon, "target": target}


def members(domain: Json) -> Iterator[tuple[Any, Json]]:
    """The values of a domain, with the parameters that each brings."""
    for member in domain["one_of"]:
        if isinstance(member, dict) and "value" in member:
            yield member["value"], member.get("params", {})
        else:
            yield member, {}


def one_of(params: Json, name: str) -> list[Any]:
    """The values of a parameter; none where there is no such parameter."""
    return [value for value, _ in members(params[name])] if name in params else []


def seat_of(combatant: str) -> str:
    """Whose warrior it is."""
    return next(seat for seat, led in SEATS.items() if combatant in led)


def seats_of(side: str) -> list[str]:
    """The players of a side."""
    return [seat for seat, each in SIDE_OF_SEAT.items() if each == side]


def foes(state: Json, fighter: Json) -> list[Json]:
    """The enemies of a warrior who are on the table."""
    return [
        each
        for each in state["combatants"]
        if each["side"] != fighter["side"] and not is_gone(each)
    ]


def is_gone(fighter: Json) -> bool:
    """Whether a warrior is on the table no more."""
    return bool(GONE & set(fighter["conditions"]))


def spot(fighter: Json) -> Json:
    """The centre of its base as a point."""
    return {axis: fighter["place"][axis] for axis in ("x", "y")}


def apart(one: Json, other: Json) -> int:
    """How far two points are apart, in whole u."""
    return isqrt((one["x"] - other["x"]) ** 2 + (one["y"] - other["y"]) ** 2)
