"""What the toy ruleset's suspended actions have in common: answers, and the GM's word."""

from typing import Final

import msgspec

from service.engine.battle import decision_groups
from service.engine.battle.decisions import require_option
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.open_decisions import Decision
from service.engine.dice.dice import Dice
from service.engine.vocabulary import actions as do
from tests.toy import charging, sweeping
from tests.toy.model import Charge, Sweep, ToyAnswer, ToyChoice, ToyState, Waiting

READERS: Final[decision_groups.Readers[Waiting, ToyChoice]] = decision_groups.Readers(
    action=msgspec.json.Decoder(Waiting), choice=msgspec.json.Decoder(ToyChoice)
)


def answer(
    told: EffectBuilder[ToyState], decision: Decision, action: ToyAnswer | do.ForcePass, dice: Dice
) -> None:
    """One answer; with the last of them the action continues."""
    if isinstance(action, ToyAnswer):
        require_option(decision, action.choice, code="dodge_not_possible")
    _resume(told, decision_groups.close(told, decision, action, READERS), dice)


def look_again(told: EffectBuilder[ToyState], dice: Dice) -> None:
    """After the GM's word: who is down neither acts nor answers."""
    down = {fighter.id for fighter in told.rule.combatants if fighter.health <= 0}
    resumed = decision_groups.settle(
        told,
        READERS,
        is_over=lambda action: action.combatant in down,
        is_unable=lambda decision: decision.combatant in down,
    )
    _resume(told, resumed, dice)


def _resume(
    told: EffectBuilder[ToyState],
    resumed: decision_groups.Resumed[Waiting, ToyChoice] | None,
    dice: Dice,
) -> None:
    if resumed is None:
        return
    match resumed.action:
        case Sweep() as action:
            sweeping.resume(told, action, resumed, dice)
        case Charge() as action:
            charging.resume(told, action, resumed, dice)
