"""How combatants come into a battle and go."""

from collections.abc import Callable
from typing import TypeVar

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.roster import require_combatant
from service.engine.battle.state import Combatant, RuleState
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.client_ids import require_new
from service.errors import Refused

R = TypeVar("R", bound=RuleState)


def require_newcomer(rule: RuleState, combatant: Combatant, most: int, path: str) -> None:
    """A combatant may come in: a new id, a place among at most so many, a side of the battle.

    `path` is where a request states it. Raises Malformed, Refused("duplicate_combatant"),
    ("too_many_combatants") or ("unknown_side"), checked in this order.
    """
    require_new(combatant.id, [other.id for other in rule.combatants], path)
    if len(rule.combatants) >= most:
        raise Refused("too_many_combatants", longest=most)
    require_side(rule, combatant.side)


def require_side(rule: RuleState, side: str) -> None:
    """The battle has this side. Raises Refused("unknown_side")."""
    sides = [each.id for each in rule.sides]
    if side not in sides:
        raise Refused("unknown_side", side=side, allowed=sides)


def take_out(
    effects: EffectBuilder[R], combatant: str, begin_next: Callable[[str | None], None]
) -> None:
    """A combatant goes; if it had the turn and the battle runs, the next one begins.

    `begin_next` begins it: the first that is due behind this id in the order (None: from its first
    place on). Raises Refused("unknown_combatant").
    """
    require_combatant(effects.rule, combatant)
    had_turn, after = remove(effects, combatant)
    if had_turn and effects.rule.status == "running":
        begin_next(after)


def remove(effects: EffectBuilder[R], combatant: str) -> tuple[bool, str | None]:
    """Take a combatant out of the battle.

    Returns whether it had the turn, and the id before it in the order (None: it was the first, or
    had no place), behind which the next turn is due.
    """
    rule = effects.rule
    had_turn = rule.turn == combatant
    at = rule.order.index(combatant) if combatant in rule.order else 0
    if had_turn:
        effects.emit(fx.TurnEnded(combatant=combatant, cause="removed"))
    effects.emit(fx.CombatantRemoved(combatant=combatant))
    return had_turn, rule.order[at - 1] if at else None
