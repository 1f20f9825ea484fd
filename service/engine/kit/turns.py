"""Turns in an order, round by round: who is next, and when a new round begins."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from msgspec import UnsetType

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.state import Combatant, RuleState
from service.engine.vocabulary import effects as fx

C = TypeVar("C", bound=Combatant)
R = TypeVar("R", bound=RuleState)
T = TypeVar("T")

Following = Callable[[tuple[str, ...], str | None], str | None]
"""The id behind another one in an order: the first behind None, None behind the last."""


class Scored(Protocol):
    """A place in an order of turns; without a score where it was stated or is that of entry."""

    @property
    def combatant(self) -> str:
        """Id of the combatant who has this place."""

    @property
    def score(self) -> int | UnsetType:
        """What gave the place, such as the total of the initiative roll."""


def next_in_order(order: tuple[str, ...], after: str | None) -> str | None:
    """The id behind `after` in the order (None: the first); None behind the last."""
    at = 0 if after is None else order.index(after) + 1
    return order[at] if at < len(order) else None


def next_turn(
    effects: EffectBuilder[R],
    after: str | None,
    *,
    following: Following,
    is_anybody_able: bool,
    takes_turn: Callable[[str], bool],
    begin_round: Callable[[], None],
) -> str | None:
    """The combatant whose turn is next, from behind `after` (None: from the first) on, if any.

    Past the end of the order a new round begins, at most one and only if anybody is able to act.
    `takes_turn` says whether a combatant takes its turn or is passed over, and may emit effects of
    that; `begin_round` may change the order.
    """
    if not is_anybody_able:
        return None
    is_new = False
    turn = following(effects.rule.order, after)
    while turn is None or not takes_turn(turn):
        if turn is None:
            if is_new:
                return None
            begin_round()
            is_new = True
        turn = following(effects.rule.order, turn)
    return turn


def newcomers_to(order: tuple[str, ...], combatants: tuple[C, ...]) -> tuple[C, ...]:
    """Of these combatants those who have no place in the order yet."""
    holders = frozenset(order)
    return tuple(each for each in combatants if each.id not in holders)


def entries_of(places: Iterable[Scored]) -> tuple[fx.OrderEntry, ...]:
    """An order of scored places as an effect states it."""
    return tuple(fx.OrderEntry(combatant=each.combatant, score=each.score) for each in places)


def placed(order: tuple[T, ...], newcomer: T, beats: Callable[[T], bool]) -> tuple[T, ...]:
    """An order with a newcomer before the first place whose holder it beats, else behind all."""
    for at, place in enumerate(order):
        if beats(place):
            return (*order[:at], newcomer, *order[at:])
    return (*order, newcomer)
