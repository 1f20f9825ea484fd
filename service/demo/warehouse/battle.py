"""Plays the raid on the warehouse: attacks are answered before anything is rolled.

How this works. Whoever has the turn attacks with what the preview gives the best chance for; where
that is poor it takes aim or walks closer. Whoever is attacked and has a choice is asked, and its
player looks at what each answer would come to before choosing. A few scenes are bound to happen:
an answer that is taken back, a grip instead of a blow, a word of the game master.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import isqrt
from typing import Any, Final

from service.demo.player import Play, chance, is_out, named, standing
from service.demo.tabletop import Json
from service.demo.warehouse.creation import (
    CULT,
    SEAT_OF_SIDE,
    SEEKERS,
    encounter,
)

LAST_ROUND: Final = 6
SECOND: Final = 2
FAIR_CHANCE: Final = Fraction(1, 3)
PATIENCE_M: Final = 8
"""A combatant farther than this from all enemies walks; nearer, it takes aim."""


class Raid:
    """The raid on the warehouse, under the rules of seeker-d100."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._table = play.table
        self._scenes = {"grip", "taken back", "word"}

    def play(self) -> None:
        """From the creation to the revealed seed."""
        note = "A lorry without lights. Somebody whistles."
        self._play.begin(encounter(), SEAT_OF_SIDE.values(), note)
        state = self._play.state()
        while state["round"] <= LAST_ROUND and all(map(self._stands(state), (SEEKERS, CULT))):
            self._turn(state)
            self._answers()
            state = self._play.state()
        self._play.end((SEEKERS, CULT), "Sirens; everybody runs.")

    @staticmethod
    def _stands(state: Json) -> Any:
        return lambda side: standing(state, side)

    def _once(self, scene: str) -> bool:
        is_due = scene in self._scenes
        self._scenes.discard(scene)
        return is_due

    # --- turns ----------------------------------------------------------------------------------

    def _turn(self, state: Json) -> None:
        """One action of the fighter whose turn it is."""
        acting = str(state["turn"])
        seat = SEAT_OF_SIDE[named(state, acting)["side"]]
        if state["round"] >= SECOND and self._once("word"):
            self._overrule(acting)
        legal = self._table.legal(acting, seat)
        view = self._table.view(seat)
        attack, preview = self._best_attack(legal, view, acting, seat)
        if attack is not None and worth(preview, view, acting) >= FAIR_CHANCE:
            self._play.act(attack, seat, chance(preview))
        else:
            self._play.act(self._instead(legal, view, acting), seat)

    def _overrule(self, acting: str) -> None:
        """The GM adds to a combatant's next roll; the rules decide everything after that."""
        change = {"type": "next_roll", "combatant": acting, "amount": 10}
        reason = f"A lamp swings round: {acting} sees better now."
        self._play.act({"type": "adjust", "changes": [change], "reason": reason})

    def _best_attack(
        self, legal: dict[str, Json], view: Json, acting: str, seat: str
    ) -> tuple[Json | None, Json]:
        """The attack that is worth most, and its preview; a grip once, where one can."""
        enemies = {foe["id"] for foe in foes(view, acting)}
        kinds = ("grapple", "attack") if "grip" in self._scenes else ("attack", "called_shot")
        best: tuple[Json | None, Json] = (None, {"odds": [], "facts": {}})
        for kind in kinds:
            for action in attacks(legal.get(kind), acting):
                if action["target"] not in enemies:
                    continue
                preview = self._table.preview(action, seat)
                if worth(preview, view, acting) > worth(best[1], view, acting):
                    best = (action, preview)
            if best[0] is not None and kind == "grapple":
                self._scenes.discard("grip")
                break
        return best

    def _instead(self, legal: dict[str, Json], view: Json, acting: str) -> Json:
        """The action of a fighter without a good attack: break free, aim, walk closer, wait."""
        if "break_free" in legal:
            example: Json = legal["break_free"]["example"]
            return example
        fighter = named(view, acting)
        way = approach(view, fighter)
        if way is not None and "move" in legal:
            return {"type": "move", "combatant": acting, "gait": "jog", "path": [way]}
        calm = next((kind for kind in ("aim", "dodge") if kind in legal), "end_turn")
        return {"type": calm, "combatant": acting}

    # --- answers --------------------------------------------------------------------------------

    def _answers(self) -> None:
        """Every question is answered; one answer is taken back while others are still open."""
        while decisions := self._table.decisions():
            decision = decisions[-1]
            seat = SEAT_OF_SIDE[str(decision["side"])]
            before = self._table.version
            self._play.act(self._answer(decision, seat), seat)
            if self._table.decisions() and self._once("taken back"):
                self._play.act({"type": "rewind", "to": before}, seat)

    def _answer(self, decision: Json, seat: str) -> Json:
        """The answer after which the attack is least likely to hit, as far as a preview knows."""
        node = self._table.legal(str(decision["combatant"]), seat)["answer"]
        best: tuple[Fraction, Json] | None = None
        for choice in choices(node):
            answer = {"type": "answer", "decision_id": decision["id"], "choice": choice}
            odds = harm(self._table.preview(answer, seat), str(decision["combatant"]))
            if best is None or odds < best[0]:
                best = (odds, answer)
        if best is None:
            example: Json = node["example"]
            return example
        return best[1]


def foes(view: Json, acting: str) -> Iterator[Json]:
    """The enemies of a combatant who are known and still fight."""
    side = named(view, acting)["side"]
    return (each for each in view["combatants"] if each["side"] != side and not is_out(each))


def attacks(node: Json | None, acting: str) -> Iterator[Json]:
    """Every attack that a node lists, from where the attacker is or one step further."""
    if node is None:
        return
    kind = str(node["type"])
    if kind == "grapple":
        yield from ({**each, "combatant": acting} for each in aimed(node["params"], {"type": kind}))
        return
    for weapon, params in members(node["params"]["weapon"]):
        if "target" in params and "over_cover" not in params:
            yield from aimed(params, {"type": kind, "weapon": weapon, "combatant": acting})


def members(domain: Json) -> Iterator[tuple[Any, Json]]:
    """The values of a domain, with the parameters that each brings."""
    for member in domain["one_of"]:
        if isinstance(member, dict) and "value" in member:
            yield member["value"], member.get("params", {})
        else:
            yield member, {}


def aimed(params: Json, fixed: Mapping[str, object]) -> Iterator[Json]:
    """An action at each of the targets; at the first part of the body that may be called."""
    for target, more in members(params["target"]):
        if more.get("step", {"optional": True}).get("optional"):
            part = {"part": more["part"]["one_of"][0]} if "part" in more else {}
            yield {**fixed, **part, "target": target}


def choices(node: Json) -> Iterator[Json]:
    """Every choice that an answer's node lists, with the first of all that goes with it."""
    for kind, params in members(node["params"]["choice"]["params"]["type"]):
        choice = {"type": kind}
        if "weapon" in params:
            choice["weapon"] = next(members(params["weapon"]))[0]
        if "cover" in params:
            choice["cover"], more = next(members(params["cover"]))
            choice["to"] = next(members(more["to"]))[0]
        yield choice


def worth(preview: Json, view: Json, acting: str) -> Fraction:
    """How many enemies an attack is likely to hit, less the friends that it may."""
    side = named(view, acting)["side"]
    victims = preview["facts"].get("victims", [])
    sides = {combatant["id"]: combatant["side"] for combatant in view["combatants"]}
    hits = [(sides[victim["combatant"]] == side, chance(victim)) for victim in victims]
    return sum((-odds if is_friend else odds for is_friend, odds in hits), Fraction(0))


def harm(preview: Json, victim: str) -> Fraction:
    """The odds that an attack hits the victim, lowered where cover is in the way then."""
    victims = preview["facts"].get("victims", [])
    foreseen = next((each for each in victims if each["combatant"] == victim), None)
    hit = chance(preview if foreseen is None else foreseen)
    cover = foreseen.get("in_cover") if foreseen is not None else None
    dive = Fraction(int(cover["num"]), int(cover["den"])) if cover is not None else Fraction(0)
    return hit - dive / 4


def approach(view: Json, fighter: Json) -> Json | None:
    """A point about as far as a jog goes, towards the nearest enemy; none if he is near enough."""
    here = fighter["place"]
    far = [(isqrt(apart(here, foe["place"])), foe["place"]) for foe in foes(view, fighter["id"])]
    if not far or fighter["hidden"]:
        return None
    length, goal = min(far, key=lambda each: each[0])
    carries_gun = any(weapon.get("skill") == "ranged" for weapon in fighter["weapons"])
    if length <= (PATIENCE_M if carries_gun else 1):
        return None
    stride = min(length - 1, SHORT_OF_A_JOG)
    return {
        axis: int(here[axis]) + (int(goal[axis]) - int(here[axis])) * stride // length
        for axis in ("x", "y")
    }


SHORT_OF_A_JOG: Final = 8
"""A jog is ten metres; rounding may add to a leg."""


def apart(first: Mapping[str, Any], second: Mapping[str, Any]) -> int:
    """The square of the distance of two places in metres."""
    across, along = int(first["x"]) - int(second["x"]), int(first["y"]) - int(second["y"])
    return across * across + along * along
