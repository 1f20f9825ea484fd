"""Sentences for the battle at the mill: pools of six-sided dice, postures, suppression."""

from collections.abc import Mapping
from typing import Final

from service.demo.narrator import Sentence, TermLookup, dice
from service.demo.tabletop import Json

CHAPTERS: Final = {
    "ALLY": "ally",
    "COVER": "cover",
    "ELEV": "elevation",
    "FLANK": "flanking",
    "OBSC": "poor_visibility",
    "PB": "point_blank",
    "PIN": "suppression",
    "PRONE": "prone",
    "RANGE": "range",
    "UNAWARE": "unaware",
    "XFIRE": "crossfire",
}
"""The chapter in a rule's id, and the term of the catalogue that names it."""


def attack(effect: Json, word: TermLookup) -> str:
    """A shot or a blow: the pool and its modifiers, the dice, the outcome."""
    detail = effect["detail"]
    lines = "".join(modifier(line, word) for line in detail["breakdown"])
    verb = "shoots at" if detail["mode"] == "ranged" else "strikes at"
    who = f"{detail['attacker']} {verb} {effect['target']} with {detail['item']}"
    rolled = dice(detail["roll"]) if "roll" in detail else "no dice"
    against = detail.get("against", {}).get("needed")
    needed = f" against {against}" if against is not None else ""
    colour = "green" if effect["outcome"] in ("hit", "critical") else "red"
    pool = "helpless" if "base" not in detail else f"{detail['base']}d6{lines} = {detail['pool']}d6"
    return f"{who}: {pool}: {rolled}{needed}, [{colour}]{word(effect['outcome'])}[/]"


def modifier(line: Json, word: TermLookup) -> str:
    """A line of the breakdown in words, with its rule."""
    chapter = CHAPTERS.get(str(line["rule"]).split("-")[1])
    label = word(chapter) if chapter else ""
    note = f", {word(line['note'])}" if "note" in line else ""
    return f" {line['amount']:+d} {label} ({line['rule']}{note})"


def moved(effect: Json) -> str:
    """A move: how far, where to, and whether it was cut short."""
    end = effect["end"]
    cost = f"{effect['cost']} ft " if "cost" in effect else ""
    short = "" if effect["complete"] else ", cut short"
    return f"{effect['combatant']} moves {cost}to ({end['x']}, {end['y']}){short}"


def stat(effect: Json) -> str:
    """A number that changed; suppression of 0 is not worth a line."""
    if effect["stat"] == "suppression":
        count = effect.get("now", "?")
        return f"{effect['combatant']} is pinned down: suppression {count}" if count else ""
    if effect["stat"].endswith("suppression"):
        return ""
    return f"{effect['combatant']}: {effect['stat']} is now {effect.get('now', '?')}"


def check(effect: Json) -> str:
    """An opposed check."""
    own, other = effect.get("roll"), effect.get("opposed", {}).get("roll")
    dice = f", {own['total']} against {other['total']}" if own and other else ""
    return f"{effect['combatant']} tries to {effect['check']}{dice}: {effect['outcome']}"


LINES: Final[Mapping[str, Sentence]] = {
    "rolled": lambda e, _: f"{e['combatant']} rolls {e['purpose']}: {dice(e['roll'])}",
    "moved": lambda e, _: moved(e),
    "posture_changed": lambda e, word: f"{e['combatant']} is now {word(e['posture'])}",
    "attack_resolved": attack,
    "check_resolved": lambda e, _: check(e),
    "condition_gained": lambda e, word: f"{e['combatant']} is {word(e['condition'])}",
    "condition_lost": lambda e, _: f"{e['combatant']} is no longer {e['condition']}",
    "stat_changed": lambda e, _: stat(e),
    "terrain_changed": lambda e, _: f"the ground changes in {len(e['changes'])} cells",
}
"""What this rulebook tells in its own way."""
