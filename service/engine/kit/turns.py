"""Turns in an order, round by round: who is next, and when a new round begins."""

from collections.abc import Callable
from typing import TypeVar

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import RuleState

R = TypeVar("R", bound=RuleState)

Following = Callable[[tuple[str, ...], str | None], str | None]
"""Who is behind somebody in an order; behind nobody the first, behind the last nobody."""


def next_in_order(order: tuple[str, ...], after: str | None) -> str | None:
    """Who comes behind `after` (None: the first of the order); None behind the last."""
    at = 0 if after is None else order.index(after) + 1
    return order[at] if at < len(order) else None


def next_turn(
    battle: EffectBuilder[R],
    after: str | None,
    *,
    following: Following,
    is_anybody_able: bool,
    takes_turn: Callable[[str], bool],
    begin_round: Callable[[], None],
) -> str | None:
    """Whose turn is next, from behind `after` (None: from the first) on; None: nobody's.

    Past the end of the order a new round begins, at most one and only if anybody is able to act.
    `takes_turn` says whether somebody has his turn or is passed over, and may tell of that;
    `begin_round` may change the order.
    """
    if not is_anybody_able:
        return None
    is_new = False
    turn = following(battle.rule.order, after)
    while turn is None or not takes_turn(turn):
        if turn is None:
            if is_new:
                return None
            begin_round()
            is_new = True
        turn = following(battle.rule.order, turn)
    return turn
