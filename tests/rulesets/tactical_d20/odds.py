"""The odds of attacks, of felling and of saves, and what decides them."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from tests.kit.odds import by_outcome
from tests.kit.rig import Chances, ExactOdds, OddsScene, Tree
from tests.rulesets.tactical_d20.setups import blade, bomb, fighter, in_progress, rifle


def told(action: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances by outcome; those of a strike out of turn are of another attack."""
    return {} if action["type"] == "answer" else by_outcome(preview["odds"])


def ended(effects: list[Tree]) -> Iterable[str]:
    """The outcome of the attack."""
    return [each["outcome"] for each in effects if each["type"] == "attack_resolved"][:1]


def told_felled(action: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances that the target falls."""
    return {} if action["type"] == "answer" else by_outcome(preview["facts"]["felled"])


def ended_felled(effects: list[Tree]) -> Iterable[str]:
    """How somebody fell."""
    return [each["state"] for each in effects if each["type"] == "felled"]


def told_saves(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of each save."""
    return {
        f"{victim['target']} {outcome}": chance
        for victim in preview["facts"]["victims"]
        for outcome, chance in by_outcome(victim["odds"]).items()
    }


def told_felled_by_area(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances that t falls."""
    [t] = [each for each in preview["facts"]["victims"] if each["target"] == "t"]
    return by_outcome(t["felled"])


def ended_saves(effects: list[Tree]) -> Iterable[str]:
    """How each save ended."""
    return [
        f"{victim['target']} {victim['outcome']}"
        for each in effects
        if each["type"] == "area_resolved"
        for victim in each["victims"]
    ]


def ended_struck(effects: list[Tree]) -> Iterable[str]:
    """The outcome of a's shot, which somebody strikes at before."""
    attacks = [each for each in effects if each["type"] == "attack_resolved"]
    return [each["outcome"] for each in attacks if each["detail"]["attacker"] == "a"] or ["dropped"]


def ended_felled_struck(effects: list[Tree]) -> Iterable[str]:
    """How t fell, whom a shoots at."""
    return [
        each["state"] for each in effects if each["type"] == "felled" and each["combatant"] == "t"
    ]


OUTCOMES: Final = Chances(purposes=frozenset({"attack", "miss_chance"}), told=told, ended=ended)
FELLED: Final = Chances(
    purposes=frozenset({"attack", "damage"}), told=told_felled, ended=ended_felled
)
STRUCK: Final = Chances(purposes=frozenset({"attack", "damage"}), told=told, ended=ended_struck)
FELLED_STRUCK: Final = Chances(
    purposes=frozenset({"attack", "damage"}), told=told_felled, ended=ended_felled_struck
)
SAVES: Final = Chances(purposes=frozenset({"reflex"}), told=told_saves, ended=ended_saves)

FELLED_BY_AREA: Final = Chances(
    purposes=frozenset({"reflex", "damage"}), told=told_felled_by_area, ended=ended_felled
)

SHOT: Final[Tree] = {"type": "attack", "combatant": "a", "weapon": "rifle", "target": "t"}
BLOW: Final[Tree] = {"type": "attack", "combatant": "a", "weapon": "blade", "target": "t"}
GUESS: Final[Tree] = {
    "type": "attack_cell",
    "combatant": "a",
    "weapon": "rifle",
    "cell": {"x": 4, "y": 0},
}
BURST: Final[Tree] = {
    "type": "area_attack",
    "combatant": "a",
    "area": "bomb",
    "origin": {"x": 3, "y": 0},
}
SMOKE: Final[Tree] = {
    "form": "cells",
    "cells": [{"x": 2, "y": 0, "concealment_pct": 35}, {"x": 3, "y": 0, "cover": "normal"}],
}
SMALL: Final[Tree] = {"areas": [bomb(damage={"count": 1, "sides": 6, "bonus": 1})]}
"""What a throws, of few cases, from where it does not reach him."""
UNSEEN: Final[Tree] = {"conditions": ["invisible"]}


def duel(a: Tree, t: Tree, *, x: int = 4, **more: Any) -> Tree:
    """Ann's a, who has the turn, and Bob's t so many cells east."""
    people = [
        fighter("a", "red", 0, 0, **{"weapons": [rifle(), blade()], "areas": [bomb()], **a}),
        fighter("t", "blue", x, 0, **t),
    ]
    return {"combatants": people, "battle": in_progress("a", "t"), **more}


def scene(
    action: Tree,
    *duelists: Tree,
    chances: Chances = OUTCOMES,
    answers: Mapping[str, Tree] | None = None,
    **more: Any,
) -> OddsScene:
    """An action of a's, counted by its outcome."""
    setup = duel(*duelists, **more)
    return OddsScene(setup=setup, action=action, answers=answers or {}, chances=chances)


STRIKE: Final[Tree] = {"type": "opportunity_attack", "weapon": "blade"}
COIN: Final[Tree] = {"count": 1, "sides": 2, "bonus": 1}
"""Damage of few cases."""
ARCHER: Final[Tree] = {"health_max": 4, "weapons": [rifle(damage=COIN)]}
STRIKER: Final[Tree] = {"health_max": 3, "weapons": [blade(damage=COIN, attack_bonus=2)]}


def shot_at(chances: Chances, *strikers: str) -> OddsScene:
    """a shoots at t next to him, and these strike before."""
    people = [
        fighter("a", "red", 0, 0, **ARCHER),
        fighter("t", "blue", 1, 0, **STRIKER),
        fighter("u", "blue", 0, 1, **STRIKER),
    ]
    setup = {"combatants": people, "battle": in_progress("a", "t", "u")}
    answers = dict.fromkeys(strikers, STRIKE)
    return OddsScene(setup=setup, action=SHOT, answers=answers, chances=chances)


ODDS: Final = ExactOdds(
    usual=OUTCOMES,
    scenes={
        "a shot through smoke over cover": scene(SHOT, {}, {"ac": {"kac": 12}}, map=SMOKE),
        "only a natural 20 hits": scene(SHOT, {}, {"ac": {"kac": 60}}),
        "only a natural 1 misses": scene(SHOT, {}, {"ac": {"kac": 5}, "blur_pct": 100}),
        "a shot that an enemy lets pass": scene(SHOT, {}, {"weapons": [blade()]}, x=1),
        "a shot that an enemy strikes at": shot_at(STRUCK, "t"),
        "a shot that another strikes at": shot_at(STRUCK, "u"),
        "a shot that fells whoever strikes at it": shot_at(FELLED_STRUCK, "t"),
        "a guess at somebody": scene(GUESS, {}, UNSEEN),
        "a guess at nobody": scene(GUESS, {}, UNSEEN, x=5),
        "a blow that may fell": scene(BLOW, {}, {"health_max": 4}, x=1, chances=FELLED),
        "a blow that may kill": scene(
            BLOW,
            {},
            {"health": -1, "health_max": 6, "conditions": ["unconscious"]},
            x=1,
            chances=FELLED,
        ),
        "a burst that may fell": scene(
            BURST, SMALL, {"health_max": 3, "reflex": 3}, chances=FELLED_BY_AREA
        ),
        "a burst that may kill": scene(
            BURST,
            SMALL,
            {"health": -1, "health_max": 3, "conditions": ["unconscious"]},
            chances=FELLED_BY_AREA,
        ),
        "a burst over cover": scene(BURST, {}, {"reflex": 3}, chances=SAVES, map=SMOKE),
    },
)
