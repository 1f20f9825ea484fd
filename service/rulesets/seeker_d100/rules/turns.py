"""SK-TURN: rounds, turns and the one action of each."""

from typing import Final

from service.engine.kit.turns import next_in_order
from service.errors import Refused
from service.rulesets.seeker_d100.rules.damage import SK_DMG_4
from service.rulesets.seeker_d100.rules.words import FelledState

SK_TURN_2: Final = "SK-TURN-2"


def next_turn(order: tuple[str, ...], after: str | None) -> str | None:
    """SK-TURN-1: in a round everybody has one turn, in the order of the cards.

    Who has the turn after `after` (None: the first of the round); None when the round is over.
    Does not ask whether that combatant is passed over.
    Source: «Ход - это … столько времени, сколько требуется каждому, чтобы выполнить одно
    Действие».
    """
    return next_in_order(order, after)


def is_passed_over(*, is_action_spent: bool, is_active: bool) -> bool:
    """Whether a turn goes by: its action went into a reaction, or its owner is out."""
    return is_action_spent or not is_active


def require_action_left(combatant: str, *, is_action_spent: bool) -> None:
    """SK-TURN-2: one action a round, in one's own turn or as a reaction.

    Raises Refused("action_spent").
    Source: «Во время хода участник может совершить одно из следующих действий».
    """
    if is_action_spent:
        raise Refused("action_spent", rule=SK_TURN_2, combatant=combatant)


def require_turn(combatant: str, turn: str | None) -> None:
    """Actions are taken in one's own turn; `turn` says whose it is.

    Raises Refused("not_your_turn").
    """
    if combatant != turn:
        facts = {"combatant": combatant} | ({} if turn is None else {"turn": turn})
        raise Refused("not_your_turn", rule="SK-TURN-1", **facts)


def require_active(combatant: str, felled: FelledState | None) -> None:
    """The unconscious and the dead do not act. Raises Refused("actor_incapacitated")."""
    if felled is not None:
        raise Refused(
            "actor_incapacitated", rule=SK_DMG_4, combatant=combatant, conditions=[felled]
        )
