"""Fighters on a map, ways to change that, and the actions asked for in tests."""

from collections.abc import Sequence
from typing import Any, Final

from service.rulesets.squad_d100 import RULESET
from tests.kit.given_when_then import Asked, Given, Refusal, given
from tests.rulesets.squad_d100.examples import EXAMPLES, Tree

PARTS: Final = ("options", "map", "under", "roster", "battle")
GUN: Final[Tree] = {"id": "gun"}
RIFLE: Final[Tree] = {"id": "gun", "kind": "automatic_rifle"}
PISTOL: Final[Tree] = {"id": "gun", "kind": "pistol"}
BOMB: Final[Tree] = {"id": "bomb", "damage": 20, "ap_class": 3, "radius": 1, "count": 9}
MISSES: Final = (50,) * 15
"""Dice of a suppression that hits nobody."""


def duel(s: Tree | None = None, t: Tree | None = None, **more: Any) -> Given:
    """S's turn, T four cells to the east; `more` are other fighters and parts of a setup.

    The table rolls; red and blue have a seat each.
    """
    people = {"s": at(0, 0) | (s or {}), "t": at(4, 0) | (t or {})}
    return fight(**people, **more)


def fight(**more: Any) -> Given:
    """These fighters and parts of a setup; the first of them has the turn."""
    return given(RULESET, EXAMPLES.creation(stated(**more)))


def stated(**more: Any) -> Tree:
    """The setup of such a battle."""
    setup: Tree = {"battle": {}, **{name: more.pop(name) for name in PARTS if name in more}}
    return EXAMPLES.complete({"options": {}, **setup, "combatants": more})


def at(x: int, y: int, **more: Any) -> Tree:
    """A fighter that is there."""
    return {"place": {"x": x, "y": y}, **more}


def cell(x: int, y: int) -> Tree:
    """A cell as actions name it."""
    return {"x": x, "y": y}


def do(kind: str, combatant: str = "s", **more: Any) -> Tree:
    """An action."""
    return {"type": kind, "combatant": combatant, **more}


def aimed(target: str = "t", combatant: str = "s", weapon: str = "gun", **more: Any) -> Tree:
    """An aimed shot at somebody."""
    return do("aimed_shot", combatant, weapon=weapon, target=target, **more)


def aimed_at(x: int, y: int, combatant: str = "s", weapon: str = "gun", **more: Any) -> Tree:
    """An aimed shot at an object."""
    return do("aimed_shot", combatant, weapon=weapon, cell=cell(x, y), **more)


def snaps(*targets: str, combatant: str = "s", weapon: str = "gun", **more: Any) -> Tree:
    """Snap shots of one weapon."""
    listed = [{"target": each} for each in targets]
    return do("snap_shots", combatant, weapon=weapon, targets=listed, **more)


def dual(first: str, second: str, *targets: str, combatant: str = "s", **more: Any) -> Tree:
    """Snap shots with two hands."""
    listed = [{"target": each} for each in targets]
    arms = {"dual": True, "weapons": [first, second]}
    return do("snap_shots", combatant, targets=listed, **arms, **more)


def burst(target: str = "t", combatant: str = "s", weapon: str = "gun", **more: Any) -> Tree:
    """A burst at somebody."""
    return do("burst", combatant, weapon=weapon, target=target, **more)


def suppress(target: str = "t", combatant: str = "s", weapon: str = "gun") -> Tree:
    """Suppressive fire."""
    return do("suppress", combatant, weapon=weapon, target=target)


def throw(x: int, y: int, combatant: str = "s", grenade: str = "bomb", **more: Any) -> Tree:
    """The throw of a grenade."""
    return do("throw_grenade", combatant, grenade=grenade, cell=cell(x, y), **more)


def melee(target: str = "t", combatant: str = "s", **more: Any) -> Tree:
    """A blow."""
    return do("melee_attack", combatant, target=target, **more)


def door(x: int, y: int, combatant: str = "s") -> Tree:
    """A door that is opened or closed."""
    return do("toggle_door", combatant, cell=cell(x, y))


def path(*steps: tuple[int, int], combatant: str = "s") -> Tree:
    """A walk."""
    return do("move", combatant, path=[cell(*each) for each in steps])


def end(combatant: str = "s") -> Tree:
    """The end of a turn."""
    return do("end_turn", combatant)


def adjust(kind: str, combatant: str = "t", **more: Any) -> Tree:
    """A word of the game master about somebody."""
    return {"type": "adjust", "changes": [{"type": kind, "combatant": combatant, **more}]}


def done(asked: Asked) -> Sequence[Tree]:
    """The effects of an action that was allowed."""
    assert not isinstance(asked.outcome, Refusal), asked.outcome
    return asked.outcome


def only(asked: Asked, kind: str) -> list[Tree]:
    """The effects of one type, of an action that was allowed."""
    return [each for each in done(asked) if each["type"] == kind]


def rolls(asked: Asked) -> list[tuple[Any, ...]]:
    """Of every attack: who, whom or what, the natural die, the result, the threshold, the end."""
    return [_roll(each, each["detail"]) for each in only(asked, "attack_resolved")]


def _roll(attack: Tree, detail: Tree) -> tuple[Any, ...]:
    place = attack.get("place")
    target = attack["target"] if place is None else (place["x"], place["y"])
    natural = detail["roll"]["faces"][0] if "roll" in detail else None
    numbers = detail.get("result"), detail.get("threshold")
    return detail["attacker"], target, natural, *numbers, attack["outcome"]


def lines(asked: Asked) -> list[list[tuple[str, int]]]:
    """The breakdown of every attack: rule and amount."""
    attacks = only(asked, "attack_resolved")
    return [
        [(line["rule"], line["amount"]) for line in each["detail"]["breakdown"]] for each in attacks
    ]


def vigil(asked: Asked) -> list[tuple[str, int, str]]:
    """Every vigilance test: whose, the die, the end."""
    checks = only(asked, "check_resolved")
    return [(each["combatant"], each["roll"]["faces"][0], each["outcome"]) for each in checks]


def wounds(asked: Asked) -> list[tuple[Any, ...]]:
    """Whoever was hit, how many points it cost and the wound."""
    return [
        (each["combatant"], each["amount"], each.get("wound"), each.get("wording"))
        for each in only(asked, "hurt")
    ]


def who(battle: Given, combatant: str) -> Tree:
    """A fighter as the game master sees it."""
    people = battle.table.view()["combatants"]
    [found] = [each for each in people if each["id"] == combatant]
    return dict(found)


def code(asked: Asked) -> str | None:
    """Why not; None if it was done."""
    return asked.outcome.code if isinstance(asked.outcome, Refusal) else None


def watches(battle: Given, combatant: str) -> bool:
    """Whether somebody is on watch."""
    return "watch" in who(battle, combatant)["conditions"]
