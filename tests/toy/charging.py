"""The toy ruleset's action that asks in the middle: a charge over several squares.

Whoever of another side is on the next square and on its feet may `brace`: a die of 4 or more
stops the charge there. What is left of the charge is its remainder.
"""

from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Struct

from service.engine.battle import decision_groups
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.open_decisions import Decision
from service.engine.dice.dice import Dice
from service.engine.visibility.audience import EVERYONE
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By, Place
from tests.toy.fighting import HIT_FROM, fighter_of
from tests.toy.model import BraceChoice, Charge, Fighter, ToyChoice, ToyDecision, ToyState, Waiting


class Rest(Struct, frozen=True, kw_only=True):
    """Squares left, the next one included."""

    squares: Annotated[int, EVERYONE]


RESTS: Final = msgspec.json.Decoder(Rest)


def charge(told: EffectBuilder[ToyState], action: Charge, by: By, seq: int) -> None:
    """Run until somebody may brace, or to the end."""
    _run(told, action, by, seq, action.squares)


def resume(
    told: EffectBuilder[ToyState],
    action: Charge,
    resumed: decision_groups.Resumed[Waiting, ToyChoice],
    dice: Dice,
) -> None:
    """Whoever was asked has answered, or could not; go on with what is left."""
    assert resumed.remainder is not UNSET
    rest = RESTS.decode(resumed.remainder)
    for each in resumed.settled:
        if isinstance(each.choice, BraceChoice) and _is_stopped(told, each.decision, dice):
            return
    _step(told, action)
    _run(told, action, resumed.by, dice.seq, rest.squares - 1)


def _is_stopped(told: EffectBuilder[ToyState], decision: Decision, dice: Dice) -> bool:
    who = str(decision.combatant)
    roll = dice.roll(1, 6, "brace", combatant=who)
    outcome = "success" if roll.total >= HIT_FROM else "failure"
    told.emit(fx.CheckResolved(check="brace", combatant=who, outcome=outcome, roll=roll))
    return outcome == "success"


def _run(told: EffectBuilder[ToyState], action: Charge, by: By, seq: int, squares: int) -> None:
    for left in range(squares, 0, -1):
        barring = _barring(told, action)
        if barring is not None:
            rest = Rest(squares=left)
            decision_groups.suspend(told, [_question(barring)], action, by, seq, rest)
            return
        _step(told, action)


def _barring(told: EffectBuilder[ToyState], action: Charge) -> Fighter | None:
    """Who is on the next square and may stop the charge."""
    runner = fighter_of(told.rule, action.combatant)
    ahead = _ahead(runner)
    return next(
        (
            each
            for each in told.rule.combatants
            if each.place == ahead and each.side != runner.side and each.health > 0
        ),
        None,
    )


def _step(told: EffectBuilder[ToyState], action: Charge) -> None:
    runner = fighter_of(told.rule, action.combatant)
    end = _ahead(runner)
    moved = fx.Moved(combatant=runner.id, manner="charge", start=runner.place, end=end)
    told.emit(moved)


def _ahead(runner: Fighter) -> Place:
    assert runner.place is not UNSET
    return Place(x=runner.place.x + 1, y=runner.place.y)


def _question(barring: Fighter) -> ToyDecision:
    return ToyDecision(
        id=decision_groups.UNNUMBERED,
        kind="charge",
        opened_by=0,
        side=barring.side,
        combatant=barring.id,
        options=("brace", "pass"),
        default="pass",
    )
