"""Tells a battle in plain words, from the events that any client gets."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final

from rich.markup import escape

from service.cli.console import out
from service.cli.demonstration.scenario import ROWS
from service.cli.demonstration.table import Json

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


class Teller:
    """Prints events; `rules` is the ruleset's catalogue."""

    def __init__(self, rules: Json) -> None:
        self._terms = {str(term["id"]): str(term["en"]) for term in rules["terms"]}
        self._tellers: dict[str, Callable[[Json], str]] = {
            "encounter_created": created,
            "rolled": lambda e: f"{e['combatant']} rolls {e['purpose']}: {dice(e['roll'])}",
            "encounter_started": lambda _: "the battle begins",
            "contributed": lambda e: f"{e['seat']} mixes 32 bytes of chance into the dice",
            "order_set": lambda e: "order: " + ", ".join(x["combatant"] for x in e["entries"]),
            "round_began": lambda e: f"[bold]— round {e['round']} —[/]",
            "turn_began": lambda e: f"[cyan]{e.get('combatant', 'somebody unseen')}[/]",
            "moved": moved,
            "posture_changed": lambda e: f"{e['combatant']} is now {self._term(e['posture'])}",
            "attack_resolved": self._attack,
            "check_resolved": check,
            "hurt": hurt,
            "felled": lambda e: f"[red]{e['combatant']} falls: {self._term(e['state'])}[/]",
            "condition_gained": lambda e: f"{e['combatant']} is {self._term(e['condition'])}",
            "condition_lost": lambda e: f"{e['combatant']} is no longer {e['condition']}",
            "stat_changed": stat,
            "revealed": lambda e: f"[magenta]{e['combatant']['id']} steps out of hiding[/]",
            "terrain_changed": lambda e: f"the ground changes in {len(e['changes'])} cells",
            "adjusted": lambda e: f"[yellow]the GM overrules: {escape(e.get('reason', ''))}[/]",
            "noted": lambda e: f"[yellow]note: {escape(e.get('text', ''))}[/]",
            "rewound": lambda e: f"[yellow]back to event {e['to']}; nothing is deleted[/]",
            "encounter_ended": lambda e: f"[bold]the battle is over, {winner(e)}[/]",
            "seed_revealed": lambda e: f"the seed was {e['seed']}",
            "parts_opened": lambda e: f"parts are open to {e['opened']}",
        }

    def tell(self, event: Json, odds: Fraction | None = None) -> None:
        """Print what came of an event; the first line carries its seq."""
        for index, (kind, line) in enumerate(self._lines(event)):
            number = f"{event['seq']:>4}" if index == 0 else "    "
            foretold = percent(odds) if odds is not None and kind == "attack_resolved" else ""
            out.print(f"[dim]{number}[/]  {line}{foretold}")

    def show(self, state: Json) -> None:
        """Print the map with the initials of those who stand on it; small ones are out of it."""
        rows = [list(row) for row in ROWS]
        for each in state["combatants"]:
            initial = str(each["id"])[0]
            is_out = {"helpless", "dead"} & set(each["conditions"])
            rows[each["place"]["y"]][each["place"]["x"]] = initial if is_out else initial.upper()
        drawn = "\n".join("    " + "".join(row) for row in rows)
        out.print(f"\n{escape(drawn)}\n    [dim]# wall, c cover, s smoke, d dark[/]\n")

    def _lines(self, event: Json) -> Iterator[tuple[str, str]]:
        for effect in event["effects"]:
            teller = self._tellers.get(effect["type"])
            if teller is not None and (told := teller(effect)):
                yield effect["type"], told

    def _term(self, word: str) -> str:
        """A word of the catalogue in English."""
        return self._terms.get(f"position_{word}", self._terms.get(word, word.replace("_", " ")))

    def _attack(self, effect: Json) -> str:
        detail = effect["detail"]
        lines = "".join(self._modifier(line) for line in detail["breakdown"])
        verb = "shoots at" if detail["mode"] == "ranged" else "strikes at"
        who = f"{detail['attacker']} {verb} {effect['target']} with {detail['item']}"
        rolled = dice(detail["roll"]) if "roll" in detail else "no dice"
        against = detail.get("against", {}).get("needed")
        needed = f" against {against}" if against is not None else ""
        outcome = self._term(effect["outcome"])
        colour = "green" if effect["outcome"] in ("hit", "critical") else "red"
        pool = (
            "helpless"
            if "base" not in detail
            else f"{detail['base']}d6{lines} = {detail['pool']}d6"
        )
        return f"{who}: {pool}: {rolled}{needed}, [{colour}]{outcome}[/]"

    def _modifier(self, line: Json) -> str:
        chapter = str(line["rule"]).split("-")[1]
        label = self._terms.get(CHAPTERS.get(chapter, ""), "")
        note = f", {self._term(line['note'])}" if "note" in line else ""
        return f" {line['amount']:+d} {label} ({line['rule']}{note})"


def percent(odds: Fraction) -> str:
    """A chance as it was foretold."""
    thousandths = odds.numerator * 1000 // odds.denominator
    return f" [dim](foretold {thousandths // 10}.{thousandths % 10} %)[/]"


def created(effect: Json) -> str:
    """The title of a new battle and the terms of its dice."""
    return f"[bold]{escape(effect['title'])}[/], dice sealed as {effect['commitment'][:16]}…"


def dice(roll: Json) -> str:
    """Faces and their sum."""
    return f"{' '.join(map(str, roll['faces']))} = {roll['total']}"


def moved(effect: Json) -> str:
    """A move: how far, where to, and whether it was cut short."""
    end = effect["end"]
    cost = f"{effect['cost']} ft " if "cost" in effect else ""
    short = "" if effect["complete"] else ", cut short"
    return f"{effect['combatant']} moves {cost}to ({end['x']}, {end['y']}){short}"


def hurt(effect: Json) -> str:
    """Damage, and what is left as far as it may be known."""
    faces = f" (dice {dice(effect['roll'])})" if "roll" in effect else ""
    left = f", {effect['health']} left" if "health" in effect else ""
    amount = effect.get("amount", "?")
    return f"{effect['combatant']} takes {amount}{faces}{left}: {effect['band']}"


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


def winner(effect: Json) -> str:
    """Who won, if anybody did."""
    side = effect.get("winner")
    return f"{side} hold the field" if side else "and nobody won"
