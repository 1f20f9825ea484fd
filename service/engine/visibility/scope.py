"""Who may know what at one moment: audiences, how they narrow, and what decides them.

An audience is a word: `everyone`, `gm`, or the id of a side (which the GM shares). The set is
small on purpose: a thing is known to all, to one side, or to the GM.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct, field

from service.engine.dice.dice import GM_STREAM, PUBLIC_STREAM

EVERYONE_WORD: Final = "everyone"
GM_WORD: Final = "gm"
RESERVED_SIDES: Final = frozenset({EVERYONE_WORD, GM_WORD})
"""Words that no side may be called."""


def narrow(first: str, second: str) -> str:
    """Who is in both audiences: two different sides have only the GM in common."""
    if first == second or second == EVERYONE_WORD:
        return first
    if first == EVERYONE_WORD:
        return second
    return GM_WORD


def widest(audiences: Iterable[str]) -> str:
    """Who knows of what consists of these: everyone who knows any, but of two sides neither."""
    known = {*audiences} - {GM_WORD}
    if EVERYONE_WORD in known:
        return EVERYONE_WORD
    return known.pop() if len(known) == 1 else GM_WORD


class Scope(Struct, frozen=True):
    """The facts that decide audiences: sides in setup order, who is hidden, the table's options.

    `subjects` maps a combatant's id to (side, is hidden), `decisions` that of an open decision to
    its audience, `answers` the same to whoever may know what is answered, `units` that of a unit
    to those who know of any of its members.
    """

    sides: tuple[str, ...]
    subjects: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    numbers: str = "shown"
    health: str = "exact"
    breakdowns: str = "all"
    decisions: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)

    def subject(self, combatant: str) -> str:
        """Audience of a combatant: everyone, its side while hidden; the GM's if unknown."""
        known = self.subjects.get(combatant)
        if known is None:
            return GM_WORD
        side, is_hidden = known
        return side if is_hidden else EVERYONE_WORD

    def unit(self, unit: str) -> str:
        """Audience of a unit: of whoever knows any member; the GM's if unknown."""
        return self.units.get(unit, GM_WORD)

    def decision(self, decision: str) -> str:
        """Audience of a decision; the GM's if it is not open."""
        return self.decisions.get(decision, GM_WORD)

    def side_of(self, named: str) -> str:
        """Side of a combatant, or whoever may know an answer; the GM's word if there is none."""
        known = self.subjects.get(named)
        return known[0] if known else self.answers.get(named, GM_WORD)

    def stream(self, number: int) -> str:
        """Audience of a dice stream: 0 everyone, 1 and up the sides in order, 255 the GM."""
        if number == PUBLIC_STREAM:
            return EVERYONE_WORD
        if number == GM_STREAM or number > len(self.sides):
            return GM_WORD
        return self.sides[number - 1]

    def stream_of(self, audience: str) -> int:
        """Stream whose draws exactly this audience sees."""
        if audience == EVERYONE_WORD:
            return PUBLIC_STREAM
        return GM_STREAM if audience == GM_WORD else self.sides.index(audience) + 1

    def declared(self, mark: str, side: str) -> str:
        """Audience of a field marked `mark` in an object whose subject belongs to `side`."""
        match mark:
            case "everyone":
                return EVERYONE_WORD
            case "side":
                return side
            case "numbers":
                return EVERYONE_WORD if self.numbers == "shown" else side
            case "health":
                return EVERYONE_WORD if self.health == "exact" else side
            case "band":
                return side if self.health == "none" else EVERYONE_WORD
            case "breakdown":
                return self._breakdown(side)
            case _:
                return GM_WORD

    def _breakdown(self, side: str) -> str:
        """A breakdown tells its side's numbers, so hidden numbers narrow it too."""
        if self.breakdowns == "none":
            return GM_WORD
        is_open = self.breakdowns == "all" and self.numbers == "shown"
        return EVERYONE_WORD if is_open else side


class Viewer(Struct, frozen=True):
    """Somebody who looks: the GM, or a seat that shares the secrets of its sides.

    A viewer without sides sees what everyone sees.
    """

    is_gm: bool = False
    sides: tuple[str, ...] = ()

    def may_know(self, audience: str) -> bool:
        """Whether something of this audience exists for this viewer."""
        return self.is_gm or audience == EVERYONE_WORD or audience in self.sides


GAME_MASTER: Final = Viewer(is_gm=True)
"""Sees everything but the seed and the seal key."""

OBSERVER: Final = Viewer()
"""Sees what everyone sees."""
