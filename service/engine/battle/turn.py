"""Whose turn it is: a combatant's, a side's or a unit's; each ruleset says it of its own state."""

from dataclasses import dataclass

from msgspec import UNSET, UnsetType

from service.engine.battle.linear import seat_of
from service.engine.battle.roster import combatant_of
from service.engine.battle.state import RuleState, State, controls, scope_of
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.vocabulary.actions import Action, EndTurn
from service.engine.vocabulary.values import By


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnHolder:
    """Who has the turn, and the action that ends it.

    Exactly one says whose it is: `combatant`; `side`; or `unit`, which may name its side, too.
    `combatants` are those who may act in it.
    """

    combatants: tuple[str, ...]
    ending: Action
    combatant: str | UnsetType = UNSET
    side: str | UnsetType = UNSET
    unit: str | UnsetType = UNSET


def turn_of_combatant(rule: RuleState) -> TurnHolder | None:
    """The turn where combatants have it one by one; None outside of a turn."""
    if rule.turn is UNSET:
        return None
    return TurnHolder(
        combatants=(rule.turn,), combatant=rule.turn, ending=EndTurn(combatant=rule.turn)
    )


def audience_of_turn(rule: RuleState, turn: TurnHolder) -> str:
    """Who may know whose turn it is: that a side has it, everyone."""
    if turn.unit is not UNSET:
        return scope_of(rule).unit(turn.unit)
    return EVERYONE_WORD if turn.combatant is UNSET else scope_of(rule).subject(turn.combatant)


def may_act_in(state: State[RuleState], turn: TurnHolder, by: By) -> bool:
    """Whether a caller may act in this turn: for any of its combatants, or for the whole side."""
    if by.role == "gm":
        return True
    seat = seat_of(state.linear, by.seat) if by.seat is not UNSET else None
    if seat is not None and turn.unit is UNSET and turn.side in seat.sides:
        return True
    acting = (combatant_of(state.rule, actor) for actor in turn.combatants)
    return any(actor is not None and controls(by, state.linear, actor) for actor in acting)
