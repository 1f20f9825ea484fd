"""CF-PIN: who stays where he is gets pinned down.

How this works. A combatant has a streak: the cell where it began and the number of own turns
ended there since. Every enemy shooting at him gains that many dice. Whether he has moved is
judged by the net distance from that cell, never by the way taken; while he is far enough away
during his turn the dice are gone, and they are back if he is back.
"""

from typing import Final, Literal

from msgspec import UNSET, Struct

from service.engine.geometry.distance import DiagonalRule, cells_apart
from service.engine.geometry.points import Cell
from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.range import FEET_PER_CELL

CF_PIN_1: Final = "CF-PIN-1"
CF_PIN_2: Final = "CF-PIN-2"
CF_PIN_4: Final = "CF-PIN-4"
CF_PIN_6: Final = "CF-PIN-6"

MeasuredFrom = Literal["origin", "last_turn"]
HideScope = Literal["aggressor", "all"]

MOST_TURNS: Final = 1_000
"""More turns are not counted, so that pools stay within reason: default, not in the source text."""


class Streak(Struct, frozen=True, kw_only=True):
    """Own turns ended (0 to 1,000) since the combatant came to the cell `origin`."""

    origin: Cell
    count: int


class PinOptions(Struct, frozen=True, kw_only=True):
    """The encounter's options about suppression; the defaults are the catalogue's."""

    cap: int | None = None
    min_move_ft: int = 10
    measured_from: MeasuredFrom = "origin"
    return_memory: bool = False
    diagonal_rule: DiagonalRule = "equal"


class AfterTurn(Struct, frozen=True, kw_only=True):
    """The streak after an own turn; `previous` is the one just broken, if it is remembered.

    `clears_hidden`: what the combatant hid from his aggressors is forgotten with the streak.
    `is_restored`: it is a broken one that goes on (CF-PIN-4).
    """

    streak: Streak
    previous: Streak | None = None
    clears_hidden: bool = False
    is_restored: bool = False


def live_suppression(
    streak: Streak, present: Cell, hidden: int, resistance: int, options: PinOptions
) -> int:
    """CF-PIN-1: the dice any enemy gains now for shooting at one who has stayed.

    0 while he is far enough from the cell where the streak began; else the turns counted, less
    what he hid from this enemy (`hidden`) and his resistance, at most the cap if there is one.
    All enemies profit, not only those who shot.
    Source: "противник получает дополнительную кость к дальнобойным атакам против вас".
    """
    dice = after_resistance(streak.count - hidden, resistance)
    if dice == 0 or has_moved(streak.origin, present, options):
        return 0
    return dice if options.cap is None else min(dice, options.cap)


def suppression_modifier(
    streak: Streak, present: Cell, hidden: int, resistance: int, options: PinOptions
) -> Modifier | None:
    """The line of the breakdown for the live suppression, with whatever took dice away from it.

    The amount is the `count` of turns less the `offset` of those hidden from this enemy and the
    `resistance`, at most the `cap`; of these three the facts hold those that cost dice, and the
    line names the rules of the first two (CF-PIN-6, CF-PIN-5).
    """
    dice = live_suppression(streak, present, hidden, resistance, options)
    if dice <= 0:
        return None
    facts = {"count": streak.count}
    facts |= {"offset": hidden} if hidden else {}
    facts |= {"resistance": resistance} if resistance else {}
    facts |= {"cap": dice} if dice < streak.count - hidden - resistance else {}
    lowered = (*((CF_PIN_6,) if hidden else ()), *(("CF-PIN-5",) if resistance else ()))
    return Modifier(rule=CF_PIN_1, amount=dice, facts=facts, rules=lowered or UNSET)


def suppression_after_turn(
    streak: Streak, present: Cell, previous: Streak | None, options: PinOptions
) -> AfterTurn:
    """CF-PIN-2: what becomes of the streak at the end of the combatant's own turn.

    Far enough from its origin: a new streak of 0 begins here and hiding is forgotten. Otherwise
    one more turn is counted, up to 1,000; the origin stays, or moves along with
    `measured_from = last_turn`, so that only the way since the last own turn is measured.
    `previous` is the streak remembered from the turn before (CF-PIN-4).
    Source: "Когда вы перемещаетесь, этот эффект сбрасывается до нуля".
    """
    if not has_moved(streak.origin, present, options):
        origin = present if options.measured_from == "last_turn" else streak.origin
        return AfterTurn(streak=Streak(origin=origin, count=_one_more(streak.count)))
    restored = returned_streak(previous, present, options)
    return AfterTurn(
        streak=restored or Streak(origin=present, count=0),
        previous=streak if options.return_memory else None,
        clears_hidden=True,
        is_restored=restored is not None,
    )


def displacement_ft(origin: Cell, present: Cell, rule: DiagonalRule) -> int:
    """CF-PIN-3: how far a combatant is from a cell: north-west cells, 5 ft each, heights ignored.

    Less than the minimum (10 ft) counts as having stayed.
    Source: "переместиться, хотя бы на 10` от вашей предыдущей позиции".
    """
    return FEET_PER_CELL * cells_apart(present[0] - origin[0], present[1] - origin[1], rule)


def has_moved(origin: Cell, present: Cell, options: PinOptions) -> bool:
    """Whether a combatant is far enough from where the streak began (inclusive)."""
    return displacement_ft(origin, present, options.diagonal_rule) >= options.min_move_ft


def returned_streak(previous: Streak | None, present: Cell, options: PinOptions) -> Streak | None:
    """CF-PIN-4: going away and coming back is staying.

    Within a turn this follows from the net distance. With the option `pin_return_memory` a
    streak broken at the end of a turn goes on, one turn longer, if the very next turn ends in
    the cell where it began; None if nothing is restored.
    Source: "возвращение тот же квадрат не считается «передвижением»".
    """
    if not options.return_memory or previous is None or previous.origin != present:
        return None
    return Streak(origin=present, count=_one_more(previous.count))


def _one_more(turns: int) -> int:
    return min(turns + 1, MOST_TURNS)


def after_resistance(dice: int, resistance: int) -> int:
    """CF-PIN-5: some professions are harder to pin: the first `resistance` dice do not count.

    Source: "Некоторые профессии, например снайпер, тяжелее подавить".
    """
    return max(0, dice - resistance)


def is_hidden(hider_sum: int, aggressor_sum: int, *, tie_succeeds: bool) -> bool:
    """CF-PIN-6: agility against intellect decides whether one hides from the aggressor.

    The sums of two pools, 0 for an empty one; the hider wins ties unless the option says not.
    On success his present count no longer helps that aggressor (or any enemy, with
    `hide_scope = all`); later turns add up anew.
    Source: "пройдя успешную проверку ЛОВ против ИНТ, чтобы скрыться от вашего агрессора".
    """
    return hider_sum > aggressor_sum or (tie_succeeds and hider_sum == aggressor_sum)


def hidden_from(aggressor: str, enemies: tuple[str, ...], scope: HideScope) -> tuple[str, ...]:
    """The enemies a successful check hides from, by the option `hide_scope`."""
    return enemies if scope == "all" else (aggressor,)


def require_suppression(dice: int) -> None:
    """Hiding needs live suppression against that enemy. Raises Refused("nothing_to_hide")."""
    if dice <= 0:
        raise Refused("nothing_to_hide", rule=CF_PIN_6, suppression=dice)
