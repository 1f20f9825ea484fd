"""The frame of previews: whether an action would go through, who is asked for dice, exact odds."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar

from msgspec.structs import replace

from service.engine.battle.state import RuleState, State
from service.engine.dice.dice import Dice, NeedFaces, SuppliedDice
from service.engine.ruleset.definition import Odds, Preview
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.effects import Effect
from service.engine.vocabulary.values import By

R = TypeVar("R", bound=RuleState)
Decide = Callable[[State[R], Action, By, int, Dice], tuple[Effect, ...]]


def rehearse(
    preview: Preview, decide: Decide[R], view: State[R], action: Action, by: By
) -> Preview:
    """The preview, once the rules have let the action through on what the asker knows.

    It opens a `roll` where a player would be asked for the table's dice. Raises what deciding the
    action would raise.
    """
    try:
        decide(view, action, by, 0, SuppliedDice((), 0))
    except NeedFaces:
        is_asked = view.rule.dice == "supplied" and by.role == "player"
        return replace(preview, opens=("roll",)) if is_asked else preview
    return preview


def odds_of(outcome: str, chance: Fraction) -> Odds:
    """An exact chance as clients read it."""
    num, den = chance.numerator, chance.denominator
    return Odds(outcome=outcome, num=str(num), den=str(den), percent_milli=100_000 * num // den)


def odds_by_count(counts: Iterable[tuple[str, int]], of: int) -> tuple[Odds, ...]:
    """The chances of outcomes: `counts` of each among `of` equally likely cases."""
    return tuple(odds_of(outcome, Fraction(count, of)) for outcome, count in counts)
