"""Who takes part: seats are given, changed and taken away, decided alike in every ruleset.

How this works. Seats are of the linear half: no rewind gives one back or takes one away. An id is
given once in an encounter, for what a seat was entitled to see stays its own: the grants remember
every seat there ever was. What a seat controls is judged on the battle as it stands; what it shares
the secrets of is worked out from that. Text is never read: a name is stated, or stays.
"""

from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.linear import Linear, Seat, seat_of
from service.engine.battle.state import Combatant, RuleState, State, known_sides
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import (
    AddSeat,
    AssignControl,
    ChangeSeat,
    RemoveSeat,
    SeatAction,
)
from service.engine.vocabulary.client_ids import alike, require_unreserved
from service.engine.vocabulary.values import Side
from service.errors import Refused

MAX_SEATS: Final = 100
"""Seats that an encounter can have at a time."""


def seated(state: State[RuleState], action: SeatAction) -> fx.Effect:
    """What becomes of the seat.

    Raises Refused("unknown_seat"), or ("seat_taken") for a new one whose id is or was a seat's, in
    whatever case; ("too_many_seats"), ("unknown_side") or ("unknown_combatant"); Malformed for an
    id that is a word of the service.
    """
    match action:
        case AddSeat():
            return _added(state, action.seat)
        case ChangeSeat():
            return _changed(state, action)
        case RemoveSeat():
            seat = _seat(state.linear, action.seat)
            return fx.SeatChanged(seat=Seat(id=seat.id, role=seat.role), removed=True)
        case AssignControl():
            return _controlling(state, action)


def _added(state: State[RuleState], seat: Seat) -> fx.SeatChanged:
    require_unreserved(seat.id, "$.seat.id")
    taken = alike(seat.id, (grant.seat for grant in state.linear.grants))
    if taken is not None:
        raise Refused("seat_taken", seat=seat.id, taken=taken)
    if len(state.linear.seats) >= MAX_SEATS:
        raise Refused("too_many_seats", limit=MAX_SEATS)
    return fx.SeatChanged(seat=entitle(seat, state.rule.sides, state.rule.combatants))


def _changed(state: State[RuleState], action: ChangeSeat) -> fx.SeatChanged:
    """What a seat controls and is not stated stays, even combatants that a rewind took away."""
    seat = _seat(state.linear, action.seat)
    sides = () if action.sides is UNSET else action.sides
    combatants = () if action.combatants is UNSET else action.combatants
    require_present(sides, combatants, state.rule.sides, state.rule.combatants)
    changed = Seat(
        id=seat.id,
        role=seat.role if action.role is UNSET else action.role,
        sides=seat.sides if action.sides is UNSET else sides,
        combatants=seat.combatants if action.combatants is UNSET else combatants,
        name=action.name,
        metadata=action.metadata,
    )
    return fx.SeatChanged(seat=_knowing(changed, state.rule.combatants))


def _controlling(state: State[RuleState], action: AssignControl) -> fx.ControlChanged:
    _seat(state.linear, action.seat)
    rule = state.rule
    require_present(action.sides, action.combatants, rule.sides, rule.combatants)
    return fx.ControlChanged(
        seat=action.seat,
        sides=action.sides,
        combatants=action.combatants,
        knows=known_sides(action.sides, action.combatants, rule.combatants),
    )


def _seat(linear: Linear, seat: str) -> Seat:
    present = seat_of(linear, seat)
    if present is None:
        raise Refused("unknown_seat", seat=seat, allowed=[other.id for other in linear.seats])
    return present


def entitle(seat: Seat, sides: tuple[Side, ...], combatants: tuple[Combatant, ...]) -> Seat:
    """The seat, which controls only what these hold, with the sides whose secrets it shares.

    Raises Refused("unknown_side") or ("unknown_combatant").
    """
    require_present(seat.sides, seat.combatants, sides, combatants)
    return _knowing(seat, combatants)


def require_present(
    controlled_sides: tuple[str, ...],
    controlled_combatants: tuple[str, ...],
    sides: tuple[Side, ...],
    combatants: tuple[Combatant, ...],
) -> None:
    """What a seat is to control is there.

    Raises Refused("unknown_side") or ("unknown_combatant").
    """
    side_ids = [side.id for side in sides]
    for side in controlled_sides:
        if side not in side_ids:
            raise Refused("unknown_side", side=side, allowed=side_ids)
    combatant_ids = {combatant.id for combatant in combatants}
    for controlled in controlled_combatants:
        if controlled not in combatant_ids:
            raise Refused("unknown_combatant", combatant=controlled)


def _knowing(seat: Seat, combatants: tuple[Combatant, ...]) -> Seat:
    return replace(seat, knows=known_sides(seat.sides, seat.combatants, combatants))
