"""The frame of previews: who asks, whether an action would go through, exact odds.

It also says whether a player would be asked for dice.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Generic, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from service.engine.battle.state import RuleState, State, viewer_of
from service.engine.dice.dice import Dice, NeedFaces, SuppliedDice
from service.engine.kit.perception import perceive
from service.engine.ruleset.definition import Answers, Odds, Preview
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.effects import Effect
from service.engine.vocabulary.values import By

R = TypeVar("R", bound=RuleState)
Decide = Callable[[State[R], Action, By, int, Dice], tuple[Effect, ...]]


class Asker(Struct, Generic[R], frozen=True):
    """Who asks for a preview, and what the caller knows.

    `view` is the battle as the caller knows it, `answers` those that are taken as given. `state` is
    the battle as it is: for the question that an answer names, and for what waits for it.
    """

    state: State[R]
    view: State[R]
    viewer: Viewer
    by: By
    answers: Answers

    @classmethod
    def of(cls, state: State[R], by: By, answers: Answers) -> Self:
        """The caller `by`, in a battle as it is."""
        viewer = viewer_of(by, state.rule, state.linear)
        return cls(state, perceive(state, viewer), viewer, by, answers)


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
