"""Narrates a battle in plain words, from the events that any client gets."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from rich.markup import escape

from service.console import out
from service.demo.tabletop import Json

TermLookup = Callable[[str], str]
"""A word of the rulebook's catalogue in English."""

Sentence = Callable[[Json, TermLookup], str]
"""The sentence for an effect; an empty one is left out."""

Phrases = Mapping[str, str]
"""The words between the names and numbers of one language."""

Told = Callable[[Json, TermLookup, Phrases], str]
"""The sentence for an effect in the language of a wording."""


class Narrator:
    """Prints events. `rules` is the ruleset's catalogue, `lines` has sentences for its effects.

    Where there are sentences `in_russian` they are printed below, in the words of the catalogue.
    """

    def __init__(
        self,
        rules: Json,
        lines: Mapping[str, Sentence],
        in_russian: Mapping[str, Sentence] = MappingProxyType({}),
    ) -> None:
        self._terms = {str(term["id"]): str(term["en"]) for term in rules["terms"]}
        self._terms_in_russian = {str(term["id"]): str(term["ru"]) for term in rules["terms"]}
        self._lines = {**COMMON, **lines}
        self._in_russian = in_russian

    def narrate(self, event: Json, odds: Fraction | None = None) -> None:
        """Print what came of an event; the first line carries its seq."""
        for index, (effect, line) in enumerate(self._sentences(event)):
            number = f"{event['seq']:>4}" if index == 0 else "    "
            is_attack = effect["type"] in ("attack_resolved", "area_resolved")
            foretold = percent(odds) if odds is not None and is_attack else ""
            out.print(f"[dim]{number}[/]  {line}{foretold}")
            sentence = self._in_russian.get(effect["type"])
            if sentence is not None:
                out.print(f"      [dim]{sentence(effect, self._russian_word)}[/]")

    def show(self, picture: str) -> None:
        """Print the scene as the service draws it in characters."""
        indented = "".join(f"    {line}\n" for line in picture.splitlines())
        out.print(f"\n{escape(indented)}")

    def _sentences(self, event: Json) -> Iterator[tuple[Json, str]]:
        for effect in event["effects"]:
            line = self._lines.get(effect["type"])
            if line is not None and (sentence := line(effect, self._word)):
                yield effect, sentence

    def _word(self, word: str) -> str:
        return self._terms.get(f"position_{word}", self._terms.get(word, word.replace("_", " ")))

    def _russian_word(self, word: str) -> str:
        return self._terms_in_russian.get(word, self._word(word))


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


def hurt(effect: Json) -> str:
    """Damage, and what is left as far as it may be known."""
    roll = effect.get("roll", effect.get("source", {}).get("roll"))
    faces = f" (dice {dice(roll)})" if roll else ""
    left = f", {effect['health']} left" if "health" in effect else ""
    amount = effect.get("amount", "?")
    lines = effect.get("breakdown", ())
    why = "".join(f", {line.get('note', line['rule'])} {line['amount']:+d}" for line in lines)
    return f"{effect['combatant']} takes {amount}{faces}{why}{left}: {effect['band']}"


def winner(effect: Json) -> str:
    """The side that won, or that none did."""
    side = effect.get("winner")
    return f"{side} hold the field" if side else "and nobody won"


def turn_holder(effect: Json) -> str:
    """The combatant, unit or side that has the turn, if it may be known."""
    named = (effect.get(field) for field in ("combatant", "unit", "side"))
    return next((str(name) for name in named if name), "somebody unseen")


COMMON: Final[Mapping[str, Sentence]] = {
    "encounter_created": lambda e, _: created(e),
    "encounter_started": lambda *_: "the battle begins",
    "contributed": lambda e, _: f"{e['seat']} mixes 32 bytes of chance into the dice",
    "order_set": lambda e, _: "order: " + ", ".join(x["combatant"] for x in e["entries"]),
    "round_began": lambda e, _: f"[bold]— round {e['round']} —[/]",
    "turn_began": lambda e, _: f"[cyan]{turn_holder(e)}[/]",
    "hurt": lambda e, _: hurt(e),
    "felled": lambda e, word: f"[red]{e['combatant']} falls: {word(e['state'])}[/]",
    "revealed": lambda e, _: f"[magenta]{e['combatant']['id']} steps out of hiding[/]",
    "adjusted": lambda e, _: f"[yellow]the GM overrules: {escape(e.get('reason', ''))}[/]",
    "noted": lambda e, _: f"[yellow]note: {escape(e.get('text', ''))}[/]",
    "rewound": lambda e, _: f"[yellow]back to event {e['to']}; nothing is deleted[/]",
    "encounter_ended": lambda e, _: f"[bold]the battle is over, {winner(e)}[/]",
    "seed_revealed": lambda e, _: f"the seed was {e['seed']}",
    "parts_opened": lambda e, _: f"parts are open to {e['opened']}",
}
"""Sentences for the effects that all rulebooks share."""


def lines_in(sentences: Mapping[str, Told], say: Phrases) -> Mapping[str, Sentence]:
    """Sentences in one language."""

    def told(sentence: Told) -> Sentence:
        return lambda effect, word: sentence(effect, word, say)

    return {effect: told(sentence) for effect, sentence in sentences.items()}
