"""Sentences for the battle in the hangar, in English and in Russian."""

from collections.abc import Mapping
from typing import Final

from service.demo.narrator import Phrases, TermLookup, Told, lines_in
from service.demo.tabletop import Json

ENGLISH: Final[Phrases] = {
    "shoots": "shoots at",
    "strikes": "strikes at",
    "throws": "throws at",
    "reaction": "in reaction",
    "against": "against",
    "wasted": "a round in vain",
    "moves": "moves to",
    "left": "movement points left",
    "watches": "is on watch",
    "no_watch": "is no longer on watch",
    "tests": "on watch, tests for",
    "no_shot": "has noticed and does not shoot",
    "suppressed": "is pinned down",
    "free": "is pinned down no longer",
    "door": "a door",
    "open": "opens",
    "shut": "closes",
    "burns": "the ground changes in cells",
    "blast": "a blast at",
    "nobody": "nobody is there",
    "taken": "picks up",
    "is": "is",
    "takes": "takes",
    "round": "round",
    "falls": "goes down",
    "known": "comes to light",
    "back": "back to event",
}
RUSSIAN: Final[Phrases] = {
    "shoots": "стреляет в",
    "strikes": "бьёт",
    "throws": "бросает гранату в",
    "reaction": "в ответ",
    "against": "против",
    "wasted": "выстрел впустую",
    "moves": "переходит в",
    "left": "очков перемещения осталось",
    "watches": "наблюдает",
    "no_watch": "больше не наблюдает",
    "tests": "наблюдает, проверяет бдительность против",
    "no_shot": "замечает и не стреляет",
    "suppressed": "подавлен",
    "free": "больше не подавлен",
    "door": "дверь",
    "open": "открывается",
    "shut": "закрывается",
    "burns": "местность меняется, клеток",
    "blast": "взрыв в",
    "nobody": "там никого",
    "taken": "подбирает",
    "is": "теперь",
    "takes": "теряет HP:",
    "round": "раунд",
    "falls": "выведен из строя",
    "known": "обнаружен",
    "back": "назад к событию",
}


def attack(effect: Json, word: TermLookup, say: Phrases) -> str:
    """A shot, a throw or a blow: the die, what was added, the threshold, the armour, the end.

    Of suppression only what hits is told.
    """
    detail = effect.get("detail", {})
    if detail.get("mode") == "suppression" and effect["outcome"] == "miss":
        return ""
    verb = {"melee": say["strikes"], "throw": say["throws"]}.get(detail.get("mode"), say["shoots"])
    target = effect.get("target") or cell(effect["place"])
    why = f" ({say['reaction']})" if detail.get("reaction") else ""
    who = f"{detail.get('attacker', '?')} {verb} {target}{why}"
    if effect["outcome"] == "wasted":
        return f"{who}: {say['wasted']}, {word(detail.get('why', 'wasted'))}"
    colour = "green" if effect["outcome"] in ("hit", "critical_success") else "red"
    return f"{who}:{weighed(detail, word, say)} [{colour}]{word(effect['outcome'])}[/]" + armour(
        detail, word
    )


def weighed(detail: Json, word: TermLookup, say: Phrases) -> str:
    """The die of an attack with what was added to it, and the threshold."""
    if "roll" not in detail:
        return ""
    lines = "".join(
        f" {line['amount']:+d} {word(line['note'])} ({line['rule']})"
        for line in detail.get("breakdown", ())
    )
    threshold = f" {say['against']} {detail['threshold']}" if "threshold" in detail else ""
    return f" {detail['roll']['total']}{lines}{threshold},"


def armour(detail: Json, word: TermLookup) -> str:
    """What a hit did to the armour."""
    test = detail.get("armour")
    if test is None:
        return ""
    swapped = f" {test['swapped']}:" if "swapped" in test else ":"
    return f", {word('armour_class')}{swapped} {word(test['zone'])}"


def cell(place: Json) -> str:
    """A place by its column and row."""
    return f"({place['x']}, {place['y']})"


def moved(effect: Json, word: TermLookup, say: Phrases) -> str:
    """A leg of a walk."""
    cause = f", {word(effect['cause'])}" if "cause" in effect else ""
    return f"{effect['combatant']} {say['moves']} {cell(effect['end'])}{cause}"


def points(effect: Json, _: TermLookup, say: Phrases) -> str:
    """Movement points at the beginning of a turn; what is spent later is not told."""
    if effect["resource"] != "mp" or effect.get("cause") != "turn_began" or "now" not in effect:
        return ""
    return f"    {effect['now']} {say['left']}"


def watched(effect: Json, word: TermLookup, say: Phrases) -> str:
    """A vigilance test."""
    colour = "green" if effect["outcome"] == "success" else "red"
    needed = f" {say['against']} {effect['needed']}" if "needed" in effect else ""
    roll = f"{effect['roll']['total']}{needed}"
    who = f"{effect['combatant']} {say['tests']} {effect['versus']}"
    return f"{who}: {roll}, [{colour}]{word(effect['outcome'])}[/]"


def ground(effect: Json, _: TermLookup, say: Phrases) -> str:
    """A door, or ground that changes."""
    changes = effect["changes"]
    if effect["cause"] == "door":
        return f"{say['door']} {cell(changes[0])} {say['open' if changes[0]['open'] else 'shut']}"
    return f"{say['burns']}: {len(changes)}"


def blast(effect: Json, word: TermLookup, say: Phrases) -> str:
    """A blast, victim by victim."""
    harm = "; ".join(f"{each['target']}: {word(each['outcome'])}" for each in effect["victims"])
    return f"[red]{say['blast']} {cell(effect['area']['origin'])}[/]: {harm or say['nobody']}"


def hurt(effect: Json, word: TermLookup, say: Phrases) -> str:
    """A wound, and what is left as far as it may be known."""
    wording = f", {word(effect['wording'])}" if "wording" in effect else ""
    left = f" → {effect['health']}" if "health" in effect else ""
    return f"{effect['combatant']} {say['takes']} {effect.get('amount', '?')}{left}{wording}"


SENTENCES: Final[Mapping[str, Told]] = {
    "round_began": lambda e, _, say: f"[bold]— {say['round']} {e['round']} —[/]",
    "resource_changed": points,
    "moved": moved,
    "attack_resolved": attack,
    "area_resolved": blast,
    "hurt": hurt,
    "felled": lambda e, _, say: f"[red]{e['combatant']} {say['falls']}[/]",
    "revealed": lambda e, _, say: f"[magenta]{e['combatant']['id']} {say['known']}[/]",
    "check_resolved": watched,
    "vigilance_no_shot": lambda e, word, say: (
        f"{e['combatant']} {say['no_shot']}: {word(e['why'])}"
    ),
    "condition_gained": lambda e, _, say: f"{e['combatant']} {say['watches']}",
    "condition_lost": lambda e, _, say: f"{e['combatant']} {say['no_watch']}",
    "posture_changed": lambda e, word, say: f"{e['combatant']} {say['is']}: {word(e['posture'])}",
    "suppressed": lambda e, _, say: f"[yellow]{e['combatant']} {say['suppressed']}[/]",
    "suppression_ended": lambda e, _, say: f"{e['combatant']} {say['free']}",
    "items_taken": lambda e, _, say: (
        f"{e['combatant']} {say['taken']}: "
        + ", ".join(each["id"] for each in (*e["weapons"], *e["grenades"]))
    ),
    "terrain_changed": ground,
    "rewound": lambda e, _, say: f"[yellow]{say['back']} {e['to']}[/]",
}

LINES: Final = lines_in(SENTENCES, ENGLISH)
LINES_IN_RUSSIAN: Final = lines_in(SENTENCES, RUSSIAN)
