"""Combatants of a battle by their ids, and how they come in and go."""

from typing import TypeVar

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import Combatant, Roster, RuleState, combatant_of
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.client_ids import require_new
from service.errors import Refused

C = TypeVar("C", bound=Combatant)
R = TypeVar("R", bound=RuleState)


def existing(rule: Roster[C], combatant: str) -> C:
    """The combatant of that id, which is sure to be there. Raises KeyError if it is not."""
    one = combatant_of(rule, combatant)
    if one is None:
        raise KeyError(combatant)
    return one


def require_combatant(rule: Roster[C], combatant: str) -> C:
    """The combatant of that id. Raises Refused("unknown_combatant")."""
    one = combatant_of(rule, combatant)
    if one is None:
        raise Refused("unknown_combatant", combatant=combatant)
    return one


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


def remove(battle: EffectBuilder[R], combatant: str) -> tuple[bool, str | None]:
    """Take a combatant out: whether it had the turn, and behind whom the next one is due."""
    rule = battle.rule
    had_turn = rule.turn == combatant
    at = rule.order.index(combatant) if combatant in rule.order else 0
    if had_turn:
        battle.emit(fx.TurnEnded(combatant=combatant, cause="removed"))
    battle.emit(fx.CombatantRemoved(combatant=combatant))
    return had_turn, rule.order[at - 1] if at else None
