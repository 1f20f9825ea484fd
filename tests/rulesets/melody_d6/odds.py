"""The odds of shots, fights, songs, dampenings and detection, and what decides them."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from tests.kit.odds import by_outcome, chance_of
from tests.kit.rig import Chances, ExactOdds, OddsScene, Tree
from tests.rulesets.melody_d6.setups import at, battle_of, fighter, in_progress, singing, wall

SHOTS: Final = ("shoot", "guard_shoot")


def of_kind(effects: list[Tree], kind: str, **facts: Any) -> list[Tree]:
    """The effects of a type with these values."""
    return [
        each
        for each in effects
        if each["type"] == kind and all(each.get(name) == facts[name] for name in facts)
    ]


# --- the foremost roll of an action ---------------------------------------------------------------


def told(action: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of the foremost roll, of what asks nobody before it is shown."""
    odds = by_outcome(preview["odds"])
    if preview["opens"] or not odds:
        return {}
    if "shot" in preview["facts"]:
        return {"miss": odds["miss"], "hit": 1 - odds["miss"]}
    return odds


def ended(effects: list[Tree]) -> Iterable[str]:
    """How the foremost roll ended."""
    found = [
        *(each["outcome"] for each in of_kind(effects, "attack_resolved")),
        *map(song_outcome, of_kind(effects, "check_resolved", check="song")),
        *(each["outcome"] for each in of_kind(effects, "check_resolved", check="dampening")),
        *ended_panic(effects),
    ]
    if found:
        return found[:1]
    return ["detected" if detected(effects) else "undetected"]


def song_outcome(check: Tree) -> str:
    """What a song came to."""
    outcome: str = check["classification"]
    return check["outcome"] if outcome == "none" else outcome


def detected(effects: list[Tree]) -> list[str]:
    """Whom the rolls at the end of movement detected."""
    return [
        each["target"]
        for check in of_kind(effects, "check_resolved", check="detection")
        for each in check["tested"]
        if each["detected"]
    ]


# --- what becomes of bodies -----------------------------------------------------------------------


def told_whole(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of a whole shot."""
    return by_outcome(preview["odds"])


def ended_whole(effects: list[Tree]) -> Iterable[str]:
    """What a whole shot came to."""
    [attack] = of_kind(effects, "attack_resolved")
    if attack["outcome"] == "miss":
        return ["miss"]
    return [harm_to(effects, attack["target"], "no_effect")]


def harm_to(effects: list[Tree], combatant: str, otherwise: str) -> str:
    """What became of somebody."""
    if of_kind(effects, "felled", combatant=combatant, state="out"):
        return "felled"
    lost = [each["amount"] for each in of_kind(effects, "hurt", combatant=combatant)]
    return "hurt" if any(lost) else otherwise


def told_fight(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of what a fight does to both."""
    return {
        f"{harm['target']} {outcome}": chance
        for harm in preview["facts"]["fight"]["harm"]
        for outcome, chance in by_outcome(harm["odds"]).items()
    }


def ended_both(effects: list[Tree]) -> Iterable[str]:
    """What became of both."""
    return [f"{who} {harm_to(effects, who, 'unhurt')}" for who in ("a", "t")]


def told_ambush(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of what becomes of the masking, and that the target's unit flees."""
    ambush = preview["facts"]["shot"]["ambush"]
    return {**by_outcome(ambush["odds"]), "panic": chance_of(ambush["panic"])}


def ended_ambush(effects: list[Tree]) -> Iterator[str]:
    """What became of the masking, and whether the target's unit flees."""
    if of_kind(effects, "condition_gained", combatant="a", condition="exposed"):
        yield "exposed"
    elif of_kind(effects, "condition_lost", combatant="a", condition="masked"):
        yield "uncovered"
    else:
        yield "unnoticed"
    if of_kind(effects, "check_resolved", check="panic", outcome="failure"):
        yield "panic"


def told_song(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of what a song does to everybody whom it reaches."""
    odds = by_outcome(preview["odds"])
    success, power = odds["success"], odds["monstrous_power"]
    chances: dict[str, Fraction] = {}
    for each in preview["facts"]["song"]["targets"]:
        ordinary, powerful = by_outcome(each["harm"]), by_outcome(each["harm_by_power"])
        for outcome in ("felled", "hurt"):
            whole = success * ordinary[outcome] + power * powerful[outcome]
            chances[f"{each['target']} {outcome}"] = whole
    return chances


def ended_bodies(effects: list[Tree]) -> Iterable[str]:
    """What became of everybody."""
    struck = {each["combatant"] for each in effects if each["type"] in ("hurt", "felled")}
    return [f"{who} {harm_to(effects, who, 'unhurt')}" for who in sorted(struck)]


def told_panic(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of a panic test."""
    return by_outcome(preview["facts"]["panic"]["odds"])


def ended_panic(effects: list[Tree]) -> Iterable[str]:
    """How a panic test ended."""
    return [each["outcome"] for each in of_kind(effects, "check_resolved", check="panic")]


def told_detections(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances that each of those masked is detected."""
    return {
        test["combatant"]: by_outcome(test["odds"])["success"]
        for roll in preview["facts"]["detections"]
        for test in roll["tested"]
    }


ATTACK: Final = frozenset({"attack", "defence"})
BODIES: Final = ATTACK | {"wound", "save"}
FOREMOST: Final = Chances(
    purposes=ATTACK | {"song", "dampening", "detection"}, told=told, ended=ended
)
WHOLE: Final = Chances(purposes=BODIES, told=told_whole, ended=ended_whole)
FIGHT: Final = Chances(purposes=BODIES, told=told_fight, ended=ended_both)
AMBUSH: Final = Chances(
    purposes=BODIES | {"mobility", "panic"}, told=told_ambush, ended=ended_ambush
)
SONG: Final = Chances(
    purposes=frozenset({"song", "template", "resistance", "wound", "save"}),
    told=told_song,
    ended=ended_bodies,
)
PANIC: Final = Chances(purposes=frozenset({"panic"}), told=told_panic, ended=ended_panic)
SEARCH: Final = Chances(purposes=frozenset({"detection"}), told=told_detections, ended=detected)

A: Final[Tree] = {"combatant": "a"}
T: Final[Tree] = {**A, "target": "t"}
SHOT: Final[Tree] = {"type": "shoot", **T, "weapon": "rifle"}
VOLLEY: Final[Tree] = {"type": "shoot", **T, "weapon": "volley_gun"}
ARROW: Final[Tree] = {"type": "shoot", **T, "weapon": "longbow"}
BLOW: Final[Tree] = {"type": "fight", **T}
GUNS: Final[Tree] = {"weapons": ["rifle", "volley_gun", "longbow", "blade"]}
MASKED: Final[Tree] = {**GUNS, "conditions": ["masked"]}


def scene(
    action: Tree,
    a: Tree = GUNS,
    t: Tree | None = None,
    *others: Tree,
    chances: Chances = FOREMOST,
    x: int = 6,
    phase: str = "action",
    **more: Any,
) -> OddsScene:
    """An action of Ann's a, in the activation of its unit, with Bob's t so many steps east."""
    people = [fighter("a", "red", 3, 3, **a), fighter("t", "blue", 3 + x, 3, **(t or {}))]
    setup = battle_of(
        [*people, *others], battle=in_progress("a", phase, **more.pop("battle", {})), **more
    )
    return OddsScene(setup=setup, action=action, answers={}, chances=chances)


def song(melody: str, a: Tree, t: Tree, *others: Tree, x: int = 6, **aim: Any) -> OddsScene:
    """A song of Ann's a that nobody rerolls or dampens."""
    action = {"type": "sing", **A, "melody": melody, **aim}
    return scene(action, a, t, *others, chances=SONG, x=x)


PAIR: Final = (fighter("u", "blue", 9, 6, unit="t"),)
ODDS: Final = ExactOdds(
    usual=FOREMOST,
    scenes={
        "no accuracy at all": scene(SHOT, {**GUNS, "accuracy": 0}),
        "more accuracy than can miss": scene(SHOT, {**GUNS, "accuracy": 10}),
        "a dazed shooter far away": scene(SHOT, {**GUNS, "conditions": ["dazed"]}, x=18),
        "a shot through armour": scene(SHOT, t={"armour": 4, "health_max": 2}, chances=WHOLE),
        "a volley that may fell": scene(VOLLEY, t={"health_max": 2}, chances=WHOLE),
        "a volley against the strong": scene(
            VOLLEY, t={"health_max": 3, "toughness": 6}, chances=WHOLE
        ),
        "a fight of equals": scene(BLOW, x=1, chances=FIGHT),
        "a fight with the stunned": scene(
            BLOW, t={"conditions": ["stunned"], "armour": 5, "health_max": 2}, x=1, chances=FIGHT
        ),
        "a fight with bare hands": scene(BLOW, {"weapons": []}, {"melee": 6}, x=1, chances=FIGHT),
        "an arrow from ambush": scene(ARROW, MASKED, {"unit": "t"}, *PAIR, chances=AMBUSH),
        "a shot from ambush that is heard": scene(
            SHOT, MASKED, {"unit": "t"}, *PAIR, chances=AMBUSH
        ),
        "an arrow at the last of a unit": scene(ARROW, MASKED, chances=AMBUSH),
        "a song of two dice": song(
            "ember_march", singing("ember_march"), {"health_max": 2}, point=at(9, 3)
        ),
        "a song of three dice": song(
            "ember_march",
            singing("ember_march", song_dice=3, song_bonus=-2),
            {"armour": 5, "health_max": 2},
            point=at(9, 3),
        ),
        "a song that one of two words resists, partly under it": song(
            "ember_march",
            singing("ember_march"),
            {"resistances": [{"to": "fire", "value": 2}, {"to": "red", "value": 1}]},
            point=at(10, 4),
        ),
        "a ray that pushes and wounds": song(
            "thunder_shove", singing("thunder_shove", song_bonus=4), {"armour": 3}, aim=at(9, 3)
        ),
        "a search": scene(
            {"type": "end_movement", "unit": "a"},
            {**GUNS, "moved": True},
            {"conditions": ["masked"]},
            fighter("u", "blue", 12, 3, unit="t", conditions=["masked"]),
            chances=SEARCH,
            phase="movement",
            x=7,
            map={
                "width": 30_000,
                "height": 20_000,
                "features": [wall("w1", 9, 4), wall("w2", 11, 4)],
            },
        ),
        "panic": scene(
            {"type": "gm_panic_test", "unit": "t", "modifier": -2},
            t={"courage": 8},
            chances=PANIC,
        ),
    },
)
