"""Facts and breakdowns of an effect or an action, in words.

How this works. The JSON that the reader sees is walked in its own order. Rolls, breakdowns, ways
and outlines of ground are left out: dice and modifiers are told by themselves, and geometry is
seen better in the scene. A flag that does not hold is nothing that mattered.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from service.engine.narration.explanation import ExplainedFact
from service.engine.narration.names import Names
from service.engine.narration.plain_text import in_one_line
from service.engine.narration.template import (
    LONGEST_TEXT,
    LONGEST_WORD,
    MOST_ELEMENTS,
    JsonObject,
    Voice,
    bearer_in,
    length_of,
    number_of,
    place_of,
)
from service.engine.vocabulary.catalogue import Language

MOST_FACTS: Final = 60
"""Facts of one effect that are told."""

UNTOLD: Final = frozenset(
    {"type", "rule", "rules", "level_rule", "draws", "corner", "line", "lines", "ground", "sources"}
    | {"obstructed_by", "metadata", "path", "breakdown", "attack_breakdown", "secret"}
)
"""Fields that are told elsewhere, or better seen than told."""

_NAMES: Final = frozenset(
    {"combatant", "combatants", "target", "targets", "attacker", "other", "versus", "by", "partner"}
    | {"unit", "against"}
)
_SIDES: Final = frozenset({"side", "sides", "winner"})
_ITEMS: Final = frozenset({"item", "weapon", "weapons", "grenade", "area"})
_THINGS: Final = frozenset({"melody", "song", "marker", "feature", "cover"})
_IDS: Final = frozenset({"id", "decision_id"})
_TEXTS: Final = frozenset({"text", "gm_text", "reason", "name"})
"""What people wrote; not the reason of a pass or of a part, which is a word of the rules."""
_TOLD_EVEN_IF_FALSE: Final = frozenset({"complete", "detected", "tied", "holds", "seed"})
_LENGTHS: Final = frozenset({"length", "half_width", "radius", "distance", "cost"})
"""Numbers in units of coordinates: told in the same length as places."""
_SILENT_PARENTS: Final = frozenset({"detail", "facts", "seat", "choice"})
"""Objects whose fields need no word of the object."""

_YES: Final[dict[Language, tuple[str, str]]] = {"en": ("no", "yes"), "ru": ("нет", "да")}


class FactReader(NamedTuple):
    """Reads facts aloud in one language, with the names that the reader knows.

    `effects` are those of the event: of an answer they alone say who gave it.
    """

    language: Language
    label: Callable[[str], str]
    voice: Voice
    effects: object = ()

    def facts(
        self, value: JsonObject, without: frozenset[str] = frozenset()
    ) -> tuple[ExplainedFact, ...]:
        """The facts of an object at any depth, the first of them if they are very many.

        Those `without` which they are told anyway are left out, by their paths.
        """
        found = (fact for fact in self._walk(value, "", "") if fact.path not in without)
        return tuple(fact for fact, _ in zip(found, range(MOST_FACTS), strict=False))

    def _walk(self, holder: JsonObject, path: str, about: str) -> Iterator[ExplainedFact]:
        for name, value in holder.items():
            if name in UNTOLD:
                continue
            at = f"{path}.{name}" if path else name
            told = self._told(name, value, holder)
            if told is not None:
                yield ExplainedFact(path=at, label=f"{about}{self.label(name)}", value=told)
            elif isinstance(value, dict) and "faces" not in value:
                yield from self._walk(value, at, self._about(name, about))
            elif isinstance(value, list):
                for number, each in enumerate(value[:MOST_ELEMENTS]):
                    if isinstance(each, dict) and "faces" not in each:
                        yield from self._walk(
                            each, f"{at}[{number}]", f"{about}{self._called(name, number, each)}: "
                        )

    def _about(self, name: str, about: str) -> str:
        return about if name in _SILENT_PARENTS else f"{about}{self.label(name)}: "

    def _called(self, name: str, number: int, element: JsonObject) -> str:
        """What an element of a list is called: by whom it is about, else by its place."""
        target = element.get("target", element.get("combatant"))
        if isinstance(target, str):
            return self.voice.names.called(target)
        return f"{self.label(name)} {number + 1}"

    def _told(self, name: str, value: object, holder: JsonObject) -> str | None:
        """A fact in words; None for what has facts of its own, or is nothing to tell."""
        if isinstance(value, bool):
            is_told = value or name in _TOLD_EVEN_IF_FALSE
            return _YES[self.language][value] if is_told else None
        if isinstance(value, int):
            length = self.voice.length if name in _LENGTHS else 1
            return length_of(value, length)
        if isinstance(value, str):
            return self._word(name, value, holder)
        if isinstance(value, dict):
            is_place = value.keys() <= {"x", "y", "elevation"}
            return place_of(value, self.voice.length) if is_place else None
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return ", ".join(self._word(name, each, holder) for each in value[:MOST_ELEMENTS])
        if isinstance(value, list) and value and all(type(each) is int for each in value):
            return ", ".join(number_of(each) for each in value[:MOST_ELEMENTS])
        return None

    def _word(self, name: str, value: str, holder: JsonObject) -> str:
        names: Names = self.voice.names
        if name in _TEXTS and (name != "reason" or holder.get("type", "pass") != "pass"):
            return in_one_line(value, LONGEST_TEXT)
        if name in _NAMES:
            return names.called(value)
        if name in _SIDES:
            return names.side(value)
        if name in _ITEMS:
            bearer = bearer_in(holder, name) or user_of(value, self.effects)
            return names.item(bearer, name, value, self.language)
        if name in _THINGS or (name, value) in names.content:
            return names.thing(name, value, self.language)
        if name == "seat":
            return names.seat(value)
        if name in _IDS:
            return in_one_line(value, LONGEST_WORD)
        if name == "role":
            return self.voice.roles(value)
        return self.voice.causes(value) if name == "cause" else self.voice.words(value)


def user_of(item: str, effects: object) -> str | None:
    """Who used an item, by the effects that say so; None where nobody did, or several."""
    users = set(_users(item, effects))
    return users.pop() if len(users) == 1 else None


def _users(item: str, value: object) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _users(item, each)
    elif isinstance(value, dict):
        bearer = bearer_in(value, "item")
        if value.get("item") == item and isinstance(bearer, str):
            yield bearer
        for each in value.values():
            yield from _users(item, each)
