"""The chances of an action, counted: it is decided once for every combination of faces."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from service.engine.battle import decide
from service.engine.dice.dice import RecordingDice
from service.engine.ruleset.definition import choices_of
from service.engine.visibility.streams import PUBLIC_STREAM
from service.engine.vocabulary.rolls import roll_of
from service.engine.vocabulary.values import DrawRun, Roll
from service.errors import Refused
from tests.kit.rig import Chances, Tree
from tests.kit.table import GM, Table, tree_of

PASS: Final[Tree] = {"type": "pass"}
NO_ANSWERS: Final[Mapping[str, Tree]] = MappingProxyType({})

Decided = Callable[["ScriptedDice"], list[Tree]]
"""The effects of an action with these dice."""


class AwaitedRoll(Exception):
    """A roll whose faces are not in the script."""

    def __init__(self, count: int, sides: int) -> None:
        super().__init__(count, sides)
        self.count = count
        self.sides = sides


class TooManyCases(Exception):
    """There are more combinations of faces than were to be tried."""


class ScriptedDice(RecordingDice):
    """Rolls of some purposes show the faces of a script, those of all others ones.

    Raises AwaitedRoll where the script has ended.
    """

    def __init__(self, seq: int, purposes: frozenset[str], faces: tuple[int, ...]) -> None:
        super().__init__(seq, b"")
        self._purposes = purposes
        self._faces = faces
        self._at = 0

    def roll(
        self,
        count: int,
        sides: int,
        purpose: str,
        *,
        stream: int = PUBLIC_STREAM,
        combatant: str | UnsetType = UNSET,
    ) -> Roll:
        """The next faces of the script, or ones."""
        faces = (1,) * count
        if purpose in self._purposes:
            faces = self._faces[self._at : self._at + count]
            if len(faces) < count:
                raise AwaitedRoll(count, sides)
            self._at += count
        first = self.record(stream, sides, faces, purpose, combatant)
        draws = (DrawRun(stream=stream, number=n) for n in range(first, first + count))
        return roll_of(sides, faces, draws)


class Case(NamedTuple):
    """One combination of faces, among `of` equally likely ones."""

    faces: tuple[int, ...]
    of: int


def endings(
    decided: Decided, seq: int, purposes: frozenset[str], most: int
) -> Iterator[tuple[Fraction, list[Tree]]]:
    """The effects of every combination of faces, with its chance.

    Raises TooManyCases where a combination would be one of more than `most`.
    """
    cases = [Case((), 1)]
    while cases:
        case = cases.pop()
        try:
            effects = decided(ScriptedDice(seq, purposes, case.faces))
        except AwaitedRoll as roll:
            of = case.of * roll.sides**roll.count
            if of > most:
                raise TooManyCases(of) from None
            rolls = product(range(1, roll.sides + 1), repeat=roll.count)
            cases += [Case((*case.faces, *faces), of) for faces in rolls]
        else:
            yield Fraction(1, case.of), effects


def counted(table: Table, action: Tree, chances: Chances, most: int) -> dict[str, Fraction]:
    """The chance of each ending of an action of the game master; nothing is kept.

    Raises TooManyCases.
    """
    value, seq = table.read(action), len(table.events) + 1

    def decided(dice: ScriptedDice) -> list[Tree]:
        effects: list[Tree] = tree_of(
            decide.decide(table.ruleset, table.state, value, GM, seq, dice)
        )
        return effects

    counts: dict[str, Fraction] = {}
    for share, effects in endings(decided, seq, chances.purposes, most):
        for ending in set(chances.ended(effects)):
            counts[ending] = counts.get(ending, Fraction(0)) + share
    return counts


def chance_of(odds: Tree) -> Fraction:
    """A chance as previews write it, which says the same in thousandths of a per cent."""
    chance = Fraction(int(odds["num"]), int(odds["den"]))
    assert odds["percent_milli"] == 100_000 * chance.numerator // chance.denominator
    return chance


def by_outcome(odds: Iterable[Tree]) -> dict[str, Fraction]:
    """Chances as previews write them, each outcome once."""
    chances = [(each["outcome"], chance_of(each)) for each in odds]
    assert len(dict(chances)) == len(chances)
    return dict(chances)


def foretold(table: Table, action: Tree, answers: Mapping[str, Tree] = NO_ANSWERS) -> Any:
    """The preview that the game master has where those asked answer like this, as JSON values.

    Raises what deciding the action would raise.
    """
    value, kind = table.read(action), choices_of(table.ruleset)
    choices = {who: msgspec.convert(choice, kind) for who, choice in answers.items()}
    return tree_of(table.ruleset.preview(table.state, value, GM, choices))


def told(
    chances: Chances, table: Table, action: Tree, answers: Mapping[str, Tree] = NO_ANSWERS
) -> dict[str, Fraction]:
    """The chances that the preview of an action shows; its odds cover every ending.

    None for what the engine decides by itself.
    """
    try:
        preview = foretold(table, action, answers)
    except Refused as refused:
        if refused.code != "no_preview":
            raise
        return {}
    odds = by_outcome(preview["odds"])
    assert not odds or sum(odds.values()) == 1
    return dict(chances.told(action, preview))


def last_step(table: Table, action: Tree, answers: Mapping[str, Tree] = NO_ANSWERS) -> Tree:
    """Take an action but for its last step: nothing, or the last of the answers that it asks for.

    Who has no answer passes.
    """
    if not foretold(table, action, answers)["opens"]:
        return action
    table.ask(action)
    *others, last = [
        {"type": "answer", "decision_id": decision, "choice": answers.get(combatant, PASS)}
        for decision, combatant in table.questions
    ]
    for answer in others:
        table.ask(answer)
    return last
