"""Sentences for the battle at the bridge: d20 against armour class, cover, miss chances, saves."""

from collections.abc import Mapping
from typing import Final

from service.demo.narrator import Sentence, TermLookup
from service.demo.tabletop import Json


def attack(effect: Json, word: TermLookup) -> str:
    """A shot or a blow: the bonus and its lines, the die, the cover, the outcome."""
    detail = effect["detail"]
    verb = "shoots" if detail["mode"] == "ranged" else "strikes"
    when = " out of turn" if detail["opportunity"] else ""
    who = f"{detail['attacker']} {verb}{when} at {aim(effect)} with {detail['item']}"
    colour = "green" if effect["outcome"] in ("hit", "critical") else "red"
    outcome = f"[{colour}]{word(effect['outcome'])}[/]"
    if "roll" not in detail:
        return f"{who}: {outcome}"
    lines = listed(detail["breakdown"], word)
    roll = f"{detail['roll']['total']} {detail['base']:+d}{lines}"
    return f"{who}: {roll}{defence(detail, word)}{chance(detail)}, {outcome}"


def aim(effect: Json) -> str:
    """Whom or which cell an attack is at."""
    if "target" in effect:
        return str(effect["target"])
    return f"cell ({effect['place']['x']}, {effect['place']['y']})"


def listed(lines: list[Json], word: TermLookup) -> str:
    """The lines of a breakdown, with their rules."""
    return "".join(f" {line['amount']:+d} ({line['rule']}{note(line, word)})" for line in lines)


def note(line: Json, word: TermLookup) -> str:
    """Why a line is what it is, if it says so."""
    return f", {word(line['note'])}" if "note" in line else ""


def defence(detail: Json, word: TermLookup) -> str:
    """The armour class that counted, with what changed it."""
    against = detail.get("against")
    if against is None or "needed" not in against:
        return ""
    return f" against {against['base']}{listed(against['breakdown'], word)}"


def chance(detail: Json) -> str:
    """The concealment of the target, and the die that decided through it after a hit."""
    percent = detail.get("concealment", {}).get("percent", 0)
    if "miss_chance" not in detail:
        return f", concealment {percent} %" if percent else ""
    return f", d% {detail['miss_chance']['total']} against {percent} %"


def area(effect: Json, word: TermLookup) -> str:
    """An area effect, save by save."""
    at = effect["area"]["origin"]
    saves = "; ".join(
        f"{each['target']} {each['roll']['total']}: {word(each['outcome'])}"
        for each in effect["victims"]
    )
    who = effect.get("detail", {}).get("attacker", "somebody unseen")
    return f"{who} at the corner ({at['x']}, {at['y']}): {saves or 'nobody is there'}"


def moved(effect: Json) -> str:
    """A walk: how far, where to, and whether it was cut short."""
    end = effect["end"]
    cost = f"{effect['cost']} ft " if "cost" in effect else ""
    short = "" if effect["complete"] else f", {effect.get('cause', 'cut short')}"
    return f"{effect['combatant']} moves {cost}to ({end['x']}, {end['y']}){short}"


def question(effect: Json) -> str:
    """An opportunity that is offered."""
    decision = effect["decision"]
    who = decision.get("combatant", "the table")
    return f"[cyan]{who} may attack {decision['context']['target']} out of turn[/]"


def closed(effect: Json, word: TermLookup) -> str:
    """What was made of an opportunity."""
    if "choice" not in effect:
        return ""
    return f"[cyan]{effect['decision_id']}: {word(effect['choice'])}[/]"


LINES: Final[Mapping[str, Sentence]] = {
    "rolled": lambda e, word: f"{e['combatant']}: {word(e['purpose'])} {e['roll']['total']}",
    "moved": lambda e, _: moved(e),
    "attack_resolved": attack,
    "area_resolved": area,
    "decision_opened": lambda e, _: question(e),
    "decision_closed": closed,
    "condition_gained": lambda e, word: f"{e['combatant']} is {word(e['condition'])}",
    "condition_lost": lambda e, word: f"{e['combatant']} is no longer {word(e['condition'])}",
    "terrain_changed": lambda e, _: f"the ground changes in {len(e['changes'])} cells",
    "gravity_set": lambda e, word: f"gravity: {word(e['gravity'])}",
}
"""What this rulebook tells in its own way."""
