"""Sentences for the raid on the warehouse: cards, chances, answers to attacks, wounds."""

from collections.abc import Mapping
from typing import Final

from service.demo.narrator import Sentence, TermLookup
from service.demo.tabletop import Json


def attack(effect: Json, word: TermLookup) -> str:
    """An attack at one victim: the chance and its lines, the die, the answer, the outcome."""
    answer = answered(effect["answered"], word) if "answered" in effect else ""
    return f"{blow(effect, str(effect['target']), word)}{answer}, {outcome(effect, word)}"


def area(effect: Json, word: TermLookup) -> str:
    """An attack with a radius, victim by victim."""
    at = effect["area"]["origin"]
    where = f"({at['x']}, {at['y']})"
    victims = "; ".join(
        f"{each['target']}{answered(each['answered'], word) if 'answered' in each else ''}"
        f" {outcome(each, word)}"
        for each in effect["victims"]
    )
    whom = victims or "nobody is there"
    return f"{blow(effect, where, word)}, {effect['area']['radius']} m around: {whom}"


def blow(effect: Json, target: str, word: TermLookup) -> str:
    """Who attacks what with what, and the roll against the chance."""
    detail = effect["detail"]
    mode = word("called_shot" if detail["mode"] == "called" else detail["mode"])
    tool = f" with {detail['item']}" if "item" in detail else ""
    attack = f"{detail['attacker']}: {mode} at {target}{tool}"
    if "roll" not in detail:
        return attack
    lines = "".join(f" {line['amount']:+d} ({line['rule']})" for line in detail["breakdown"])
    return f"{attack}: {detail['base']}{lines} = {detail['pool']} %: {detail['roll']['total']}"


def answered(answer: Json, word: TermLookup) -> str:
    """How a victim answered."""
    rolled = f" {answer['roll']['total']}" if "roll" in answer else ""
    why = f", {word(answer['why'])}" if "why" in answer else ""
    kind = "its standing roll" if answer["kind"] == "standing" else word(answer["kind"])
    return f" [cyan](answer: {kind}{rolled}, {word(answer['outcome'])}{why})[/]"


def outcome(effect: Json, word: TermLookup) -> str:
    """How it ended, in colour."""
    colour = "green" if effect["outcome"] in ("hit", "critical") else "red"
    return f"[{colour}]{word(effect['outcome'])}[/]"


def question(effect: Json, word: TermLookup) -> str:
    """A question to a combatant who is attacked."""
    decision = effect["decision"]
    options = ", ".join(word(option) for option in decision["options"])
    return f"[cyan]{decision.get('combatant', 'the table')} is asked: {options}?[/]"


def closed(effect: Json, word: TermLookup) -> str:
    """An answer: that there is one, or what it was."""
    if "choice" in effect:
        return f"[cyan]{effect['decision_id']} was answered: {word(effect['choice'])}[/]"
    is_void = effect.get("how") == "void"
    outcome = "nobody can answer that any more" if is_void else "sealed until all have answered"
    return f"[cyan]{effect['decision_id']}: {outcome}[/]"


def moved(effect: Json, word: TermLookup) -> str:
    """A way, how long and where to."""
    end = effect["end"]
    manner = word(effect["manner"])
    return f"{effect['combatant']}: {manner}, {effect['cost']} m to ({end['x']}, {end['y']})"


def check(effect: Json, word: TermLookup) -> str:
    """A test, opposed or not."""
    other = effect.get("opposed", {}).get("roll")
    against = f" against {other['total']}" if other else ""
    rolled = f"{effect['roll']['total']} of {effect.get('needed', '?')} %"
    who = f"{effect['combatant']}: {word(effect['check'])}"
    return f"{who} {rolled}{against}: {word(effect['outcome'])}"


def rolled(effect: Json, _: TermLookup) -> str:
    """A card; the dice of its digits are named with the wound."""
    return f"{effect['combatant']} draws {effect['value']}" if "value" in effect else ""


def hold(effect: Json, _: TermLookup) -> str:
    """A hold that begins or ends."""
    grip = "has a hold on" if effect["tied"] else "has no hold any more on"
    return f"{effect['other']} {grip} {effect['combatant']}"


def gained(effect: Json, word: TermLookup) -> str:
    """Aiming, or getting ready to answer; a standing roll is named when it serves."""
    if effect["condition"] == "standing_roll":
        return ""
    return f"{effect['combatant']}: {word(effect['condition'])}"


LINES: Final[Mapping[str, Sentence]] = {
    "rolled": rolled,
    "attack_resolved": attack,
    "area_resolved": area,
    "decision_opened": question,
    "decision_closed": closed,
    "moved": moved,
    "check_resolved": check,
    "link_changed": hold,
    "item_changed": lambda e, _: f"{e['combatant']}: {e['item']} is {e['change']}",
    "condition_gained": gained,
}
"""What this rulebook tells in its own way."""
