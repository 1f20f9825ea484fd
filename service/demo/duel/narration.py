"""Sentences for the sample duel, in English and in Russian."""

from collections.abc import Mapping
from typing import Final

from service.demo.narrator import Phrases, TermLookup, Told, lines_in
from service.demo.tabletop import Json

ENGLISH: Final[Phrases] = {
    "round": "round",
    "order": "order of the sides",
    "turn": "turn of side",
    "active": "is active",
    "shot": "shoots at",
    "guard": "on guard, shoots at",
    "fight": "fights",
    "ambush": "from ambush",
    "needs": "needs",
    "wounds": "wound dice",
    "saves": "saves",
    "moves": "to",
    "rolls": "rolls",
    "plays": "is in play, sung by",
    "over": "is over",
    "takes": "loses wounds:",
    "heals": "is healed:",
    "falls": "leaves the table",
    "is": "is",
    "no_more": "is no more",
    "asked": "side {side} is asked",
    "chosen": "the answer",
    "void": "nobody can answer any more",
    "found": "found",
    "back": "back to event",
    "won": "the battle is over, side {winner} has won",
    "draw": "the battle is over, nobody has won",
}
RUSSIAN: Final[Phrases] = {
    "round": "раунд",
    "order": "порядок сторон",
    "turn": "ход стороны",
    "active": "активен",
    "shot": "стреляет в",
    "guard": "в карауле, стреляет в",
    "fight": "бьётся против",
    "ambush": "из засады",
    "needs": "нужно",
    "wounds": "кубики ранений",
    "saves": "спасброски",
    "moves": "в точку",
    "rolls": "кидает",
    "plays": "в игре, Певец",
    "over": "прекратилась",
    "takes": "теряет раны:",
    "heals": "исцелён:",
    "falls": "покидает стол",
    "is": "теперь",
    "no_more": "больше не",
    "asked": "вопрос стороне {side}",
    "chosen": "ответ",
    "void": "отвечать уже некому",
    "found": "обнаружены",
    "back": "назад к событию",
    "won": "бой окончен, победила сторона {winner}",
    "draw": "бой окончен, никто не победил",
}


def shown(dice: list[int]) -> str:
    """Faces, one after the other."""
    return " ".join(map(str, dice))


def faces(roll: Json) -> str:
    """The faces of a roll."""
    return shown(roll["faces"])


def lines(effect: Json, word: TermLookup) -> str:
    """What was added to a roll."""
    return "".join(
        f" {line['amount']:+d} {word(line.get('note', line['rule']))} ({line['rule']})"
        for line in effect.get("breakdown", ())
    )


def verdict(outcome: str, word: TermLookup) -> str:
    """How it ended, in colour."""
    colour = "green" if outcome in ("hit", "success") else "red"
    return f"[{colour}]{word(outcome)}[/]"


def attack(effect: Json, word: TermLookup, say: Phrases) -> str:
    """A shot or a fight: dice, modifiers, wounds, saves."""
    detail = effect.get("detail", {})
    who = f"{detail.get('attacker', '?')} {say[detail.get('mode', 'shot')]} {effect['target']}"
    if detail.get("ambush"):
        who += f" ({say['ambush']})"
    if "roll" not in detail:
        return f"{who}: {verdict(effect['outcome'], word)}"
    base = f" {detail['base']:+d}" if "base" in detail else ""
    against = detail.get("against", {})
    other = f" — {faces(against['roll'])} {against.get('base', 0):+d}" if "roll" in against else ""
    told = f"{who}: {faces(detail['roll'])}{base}{lines(detail, word)}{other}, "
    return told + verdict(effect["outcome"], word) + further(detail, say)


def further(detail: Json, say: Phrases) -> str:
    """Wound dice and saves of an attack."""
    told = ""
    for name in ("wounds", "saves"):
        if name in detail:
            dice = detail[name]
            needed = f", {say['needs']} {dice['needed']}+" if "needed" in dice else ""
            told += f"; {say[name]}: {faces(dice['roll'])}{needed}"
    return told


def check(effect: Json, word: TermLookup, say: Phrases) -> str:
    """A test and its outcome."""
    who = effect.get("unit", effect.get("combatant", "?"))
    name = word(effect["check"] if effect["check"] != "mobility" else "mobility_test")
    melody = f" {effect['melody']}" if "melody" in effect else ""
    told = f"{who}: {name}{melody}"
    if "roll" in effect:
        again = effect.get("reroll")
        dice = f"{shown(again['before'])} → {shown(again['after'])}" if again else None
        told += f" {dice or faces(effect['roll'])}{lines(effect, word)}"
    if "total" in effect:
        told += f" = {effect['total']}"
    if "needed" in effect:
        told += f", {say['needs']} {effect['needed']}"
    marks = [effect.get("classification", "none"), effect.get("automatic", "none")]
    for mark in marks:
        told += "" if mark == "none" else f", [bold]{word(mark)}[/]"
    found = [each["target"] for each in effect.get("tested", ()) if each["detected"]]
    if effect["check"] == "detection" and found:
        return f"{told}: {say['found']} {', '.join(found)}"
    return f"{told}: {verdict(effect['outcome'], word)}"


def rolled(effect: Json, word: TermLookup, say: Phrases) -> str:
    """Dice before anybody is asked about them."""
    who = effect.get("combatant", effect.get("side", "?"))
    return f"[dim]{who} {say['rolls']}: {word(effect['purpose'])} {faces(effect['roll'])}[/]"


def moved(effect: Json, word: TermLookup, say: Phrases) -> str:
    """A way and its end, or its end so far."""
    end = effect["end"]
    cause = f", {word(effect['cause'])}" if "cause" in effect else ""
    manner = word(effect["manner"])
    return f"{effect['combatant']}: {manner} {say['moves']} ({end['x']}, {end['y']}){cause}"


def question(effect: Json, word: TermLookup, say: Phrases) -> str:
    """A question to a side."""
    decision = effect["decision"]
    asked = say["asked"].format(side=decision.get("side", "?"))
    trigger = decision.get("context", {}).get("trigger")
    why = f" ({word(trigger)})" if trigger else ""
    return f"[cyan]{asked}: {word(decision['kind'])}{why}?[/]"


def answered(effect: Json, word: TermLookup, say: Phrases) -> str:
    """What was answered."""
    if "choice" not in effect:
        return f"[cyan]{say['void']}[/]"
    return f"[cyan]{say['chosen']}: {word(effect['choice'])}[/]"


def song(effect: Json, _: TermLookup, say: Phrases) -> str:
    """A lasting Melody enters play."""
    return f"[magenta]{effect['melody']} {say['plays']} {effect['combatant']}[/]"


def song_over(effect: Json, word: TermLookup, say: Phrases) -> str:
    """A lasting Melody leaves play."""
    return f"[magenta]{effect['marker']} {say['over']}: {word(effect['cause'])}[/]"


def hurt(effect: Json, _: TermLookup, say: Phrases) -> str:
    """Wounds lost, and what is left as far as it may be known."""
    left = f" → {effect['health']}" if "health" in effect else ""
    return f"[red]{effect['combatant']} {say['takes']} {effect.get('amount', '?')}{left}[/]"


def over(effect: Json, _: TermLookup, say: Phrases) -> str:
    """The end of the battle."""
    outcome = say["won"] if "winner" in effect else say["draw"]
    return f"[bold]{outcome.format(winner=effect.get('winner', ''))}[/]"


def condition(effect: Json, word: TermLookup, say: Phrases, verb: str) -> str:
    """A condition that begins or ends, and why."""
    cause = f" ({word(effect['cause'])})" if "cause" in effect else ""
    return f"{effect['combatant']} {say[verb]}: {word(effect['condition'])}{cause}"


SENTENCES: Final[Mapping[str, Told]] = {
    "order_set": lambda e, _, say: (
        f"{say['order']}: {', '.join(each['side'] for each in e['entries'])}"
    ),
    "round_began": lambda e, _, say: f"[bold]— {say['round']} {e['round']} —[/]",
    "turn_began": lambda e, _, say: f"[cyan]{say['turn']} {e['side']}[/]",
    "activation_began": lambda e, _, say: f"[cyan]{e.get('unit', '?')} {say['active']}[/]",
    "rolled": rolled,
    "check_resolved": check,
    "attack_resolved": attack,
    "moved": moved,
    "marker_placed": song,
    "marker_removed": song_over,
    "hurt": hurt,
    "healed": lambda e, _, say: f"{e['combatant']} {say['heals']} {e.get('amount', '?')}",
    "felled": lambda e, word, say: f"[red]{e['combatant']} {say['falls']}: {word(e['state'])}[/]",
    "condition_gained": lambda e, word, say: condition(e, word, say, "is"),
    "condition_lost": lambda e, word, say: condition(e, word, say, "no_more"),
    "decision_opened": question,
    "decision_closed": answered,
    "encounter_ended": over,
    "rewound": lambda e, _, say: f"[yellow]{say['back']} {e['to']}[/]",
}

LINES: Final = lines_in(SENTENCES, ENGLISH)
LINES_IN_RUSSIAN: Final = lines_in(SENTENCES, RUSSIAN)
