"""The odds of shots, blows and throws, of felling and of armour, and what decides them."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from tests.kit.odds import by_outcome
from tests.kit.rig import Chances, ExactOdds, OddsScene, Tree
from tests.rulesets.squad_d100.setups import FREE, bomb, fighter, in_progress, pistol, rifle


def first(effects: list[Tree]) -> Tree | None:
    """The first roll to hit."""
    attacks = [each for each in effects if each["type"] == "attack_resolved"]
    return attacks[0] if attacks else None


def told(action: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of the first roll to hit."""
    shots = preview["facts"].get("shots", ())
    return by_outcome(shots[0]["odds"]) if shots and action["type"] != "suppress" else {}


def ended(effects: list[Tree]) -> Iterable[str]:
    """How the first roll ended."""
    attack = first(effects)
    return [] if attack is None else [attack["outcome"]]


def told_zones(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of what the first roll does to armour."""
    return by_outcome(preview["facts"]["shots"][0]["zones"])


def ended_zones(effects: list[Tree]) -> Iterable[str]:
    """What the first roll did to armour."""
    attack = first(effects)
    armour = {} if attack is None else attack["detail"].get("armour", {})
    return [armour.get("zone", "no_hit")]


def told_falls(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances that each target goes down."""
    return {each["target"]: by_outcome(each["odds"])["down"] for each in preview["facts"]["felled"]}


def ended_falls(effects: list[Tree]) -> Iterable[str]:
    """Who went down."""
    return [each["combatant"] for each in effects if each["type"] == "felled"]


def told_victims(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of what a blast does to each."""
    return {
        f"{victim['target']} {outcome}": chance
        for victim in preview["facts"]["victims"]
        for outcome, chance in by_outcome(victim["odds"]).items()
        if outcome != "unreached"
    }


def ended_victims(effects: list[Tree]) -> Iterable[str]:
    """What the blast of the grenade did."""
    areas = [each for each in effects if each["type"] == "area_resolved"]
    return [f"{each['target']} {each['outcome']}" for each in areas[0]["victims"]]


ROLLS: Final = frozenset({"attack", "throw"})
OUTCOMES: Final = Chances(purposes=ROLLS, told=told, ended=ended)
ZONES: Final = Chances(purposes=ROLLS, told=told_zones, ended=ended_zones)
FALLS: Final = Chances(purposes=frozenset({"attack", "damage"}), told=told_falls, ended=ended_falls)
VICTIMS: Final = Chances(
    purposes=frozenset({"throw", "scatter"}), told=told_victims, ended=ended_victims
)

A: Final[Tree] = {"combatant": "a"}
AIMED: Final[Tree] = {"type": "aimed_shot", **A, "weapon": "rifle", "target": "t"}
SNAPS: Final[Tree] = {
    "type": "snap_shots",
    **A,
    "weapon": "rifle",
    "targets": [{"target": "t"}] * 2,
}
BURST: Final[Tree] = {"type": "burst", **A, "weapon": "rifle", "target": "t"}
BLOW: Final[Tree] = {"type": "melee_attack", **A, "target": "t"}
THROW: Final[Tree] = {"type": "throw_grenade", **A, "grenade": "bomb", "cell": {"x": 4, "y": 1}}
ARMOURED: Final[Tree] = {"armour_class": 4}


def scene(
    action: Tree,
    a: Tree | None = None,
    t: Tree | None = None,
    *,
    chances: Chances = OUTCOMES,
    x: int = 4,
    **more: Any,
) -> OddsScene:
    """An action of Ann's a, who has the turn, against Bob's t so many cells east."""
    people = [
        fighter("a", "red", 0, 0, **{"weapons": [rifle(), pistol()], **(a or {})}),
        fighter("t", "blue", x, 0, **(t or {})),
    ]
    setup = {"map": {"text": FREE}, "combatants": people, "battle": in_progress("a", "t"), **more}
    return OddsScene(setup=setup, action=action, answers={}, chances=chances)


DICED: Final = rifle(damage={"count": 1, "sides": 6})
ODDS: Final = ExactOdds(
    usual=OUTCOMES,
    scenes={
        "no accuracy at all": scene(AIMED, {"accuracy": 0}),
        "more accuracy than can miss": scene(AIMED, {"accuracy": 300}),
        "no critical success": scene(AIMED, {"accuracy": 0}, options={"crit_success_max": 0}),
        "a wide critical success": scene(AIMED, {"accuracy": 3}, options={"crit_success_max": 9}),
        "a blow at the same number": scene(BLOW, x=1, options={"melee_equal_hits": True}),
        "armour by the table": scene(AIMED, t=ARMOURED, chances=ZONES),
        "armour out of reach": scene(AIMED, t={"armour_class": 90}, chances=ZONES),
        "a blow against armour": scene(BLOW, t=ARMOURED, x=1, chances=ZONES),
        "two snap shots that may fell": scene(SNAPS, t={"health_max": 45}, chances=FALLS),
        "snap shots through armour": scene(SNAPS, t={**ARMOURED, "health_max": 35}, chances=FALLS),
        "damage dice that may fell": scene(
            AIMED, {"weapons": [DICED]}, {"health_max": 14}, chances=FALLS
        ),
        "a burst of one roll": scene(
            BURST, t={"health_max": 30}, chances=FALLS, options={"burst_rolls": "single"}
        ),
        "a grenade that scatters": scene(THROW, t=ARMOURED, chances=VICTIMS),
        "a grenade that everybody feels": scene(
            THROW, {"grenades": [bomb(radius=3)]}, ARMOURED, chances=VICTIMS
        ),
    },
)
