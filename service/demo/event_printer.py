"""Prints a battle in the service's own words, from the events that any client gets."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from service.console import escaped, out
from service.demo.tabletop import Json
from service.engine.narration.known_names import KnownNames
from service.engine.narration.narrator import EffectSentence, narrator_of
from service.engine.ruleset.definition import Ruleset

COLOURS: Final[Mapping[str, str]] = {
    "adjusted": "yellow",
    "decision_closed": "cyan",
    "decision_opened": "cyan",
    "encounter_created": "bold",
    "encounter_ended": "bold",
    "felled": "red",
    "noted": "yellow",
    "revealed": "magenta",
    "rewound": "yellow",
    "round_began": "bold",
    "turn_began": "cyan",
}
"""The colour of a sentence, by its effect."""

OF_OUTCOME: Final[Mapping[str, str]] = {
    "hit": "green",
    "critical": "green",
    "critical_success": "green",
    "success": "green",
}
"""That of an attack or a check; any other outcome is red."""

RESOLVED: Final = ("attack_resolved", "area_resolved")


class EventPrinter:
    """Prints events of a ruleset; below each sentence the same `in_russian`, if that is wanted.

    `content` gives what an event names by a digest: things are called by the names they have there.
    """

    def __init__(
        self, ruleset: Ruleset[Any], content: Callable[[str], object], *, in_russian: bool = False
    ) -> None:
        self._names = KnownNames(ruleset.content_names, content)
        self._english = narrator_of(ruleset, "en")
        self._russian = narrator_of(ruleset, "ru") if in_russian else None

    def narrate(self, event: Json, odds: Fraction | None = None) -> None:
        """Print what came of an event; the first line carries its seq."""
        effects: list[Json] = event["effects"]
        names = self._names.at(event)
        english = self._english.sentences(event, names)
        russian = self._russian.sentences(event, names) if self._russian else english
        number = f"{event['seq']:>4}"
        for effect, told, twin in zip(effects, english, russian, strict=True):
            if told.is_detail:
                continue
            out.print(f"[dim]{number}[/]  {_coloured(effect, told)}{_foretold(effect, odds)}")
            number = "    "
            if self._russian:
                out.print(f"      [dim]{escaped(twin.text)}[/]")

    def show(self, picture: str) -> None:
        """Print the scene as the service draws it in characters."""
        indented = "".join(f"    {line}\n" for line in picture.splitlines())
        out.print(f"\n{escaped(indented)}")


def _coloured(effect: Json, told: EffectSentence) -> str:
    kind, text = effect["type"], escaped(told.text)
    colour = COLOURS.get(kind)
    if kind in (*RESOLVED, "check_resolved"):
        colour = OF_OUTCOME.get(effect["outcome"], "red")
    return f"[{colour}]{text}[/]" if colour else text


def _foretold(effect: Json, odds: Fraction | None) -> str:
    """The chance to hit, as it was foretold for an attack."""
    if odds is None or effect["type"] not in RESOLVED:
        return ""
    thousandths = odds.numerator * 1000 // odds.denominator
    return f" [dim](foretold {thousandths // 10}.{thousandths % 10} %)[/]"
