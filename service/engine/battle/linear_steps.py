"""The linear half of the reducer: seats, notes, the seed and whatever else never rewinds.

How this works. As in `evolve.py`, every fact is copied from the effect.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.linear import (
    WHOLE_NOTES,
    WIDER,
    Contribution,
    Grant,
    Linear,
    Note,
    PastOpening,
    Seat,
    UndoFloor,
)
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Opened, Role


def evolve_linear(linear: Linear, effect: fx.Effect, seq: int) -> Linear:
    """Apply what an effect of event `seq` says of the half that never rewinds."""
    step = linear_step(type(effect))
    return linear if step is None else step(linear, effect, seq)


@cache
def linear_step(kind: type[fx.Effect]) -> Callable[..., Linear] | None:
    """The step on the linear half of an effect or of the shared one that it extends, or None."""
    return next((_LINEAR_STEPS[base] for base in kind.__mro__ if base in _LINEAR_STEPS), None)


def _titled(linear: Linear, effect: fx.EncounterCreated, seq: int) -> Linear:
    linear = replace(linear, title=effect.title, metadata=effect.metadata, fork_of=effect.fork_of)
    if effect.state is UNSET or not effect.state.combatants:
        return linear
    return replace(linear, next_number=max(c.number for c in effect.state.combatants) + 1)


def _restated_metadata(linear: Linear, effect: fx.OptionsSet, seq: int) -> Linear:
    return linear if effect.metadata is UNSET else replace(linear, metadata=effect.metadata)


def _seat_stated(linear: Linear, effect: fx.SeatChanged, seq: int) -> Linear:
    if effect.removed is UNSET:
        return _seat_changed(linear, effect.seat, seq)
    seats = tuple(before for before in linear.seats if before.id != effect.seat.id)
    grant = Grant(seat=effect.seat.id, since=seq, sides=(), role="observer")
    floors = _floors_without(linear, effect.seat.id)
    return replace(linear, seats=seats, floors=floors, grants=(*linear.grants, grant))


def _control_changed(linear: Linear, effect: fx.ControlChanged, seq: int) -> Linear:
    seats = tuple(_controlling(seat, effect) for seat in linear.seats)
    role: Role = next((seat.role for seat in seats if seat.id == effect.seat), "player")
    grant = _granted(effect.seat, role, effect.knows, seq)
    return replace(linear, seats=seats, grants=(*linear.grants, grant))


def _counted(linear: Linear, effect: fx.CombatantAdded, seq: int) -> Linear:
    return replace(linear, next_number=effect.combatant.number + 1)


def _contributed(linear: Linear, effect: fx.Contributed, seq: int) -> Linear:
    entry = Contribution(seat=effect.seat, value=effect.value)
    return replace(linear, contributions=(*linear.contributions, entry))


def _seed_revealed(linear: Linear, effect: fx.SeedRevealed, seq: int) -> Linear:
    return replace(linear, seed=effect.seed, opened=_wider(linear.opened, effect.opened))


def _parts_opened(linear: Linear, effect: fx.EncounterEnded | fx.PartsOpened, seq: int) -> Linear:
    return replace(linear, opened=_wider(linear.opened, effect.opened))


def _linear_rewound(linear: Linear, effect: fx.Rewound, seq: int) -> Linear:
    return _taken_up(linear, seq)


def _noted(linear: Linear, effect: fx.Noted, seq: int) -> Linear:
    notes = [*linear.notes, Note(seq=seq, text=effect.text, gm_text=effect.gm_text)]
    if len(notes) > WHOLE_NOTES:
        notes[-WHOLE_NOTES - 1] = Note(seq=notes[-WHOLE_NOTES - 1].seq)
    return replace(linear, notes=tuple(notes))


def _notes_erased(linear: Linear, effect: fx.Erased, seq: int) -> Linear:
    return replace(linear, notes=tuple(_erased(n, effect.seqs) for n in linear.notes))


_LINEAR_STEPS: Final[dict[type[fx.Effect], Callable[..., Linear]]] = {
    fx.EncounterCreated: _titled,
    fx.OptionsSet: _restated_metadata,
    fx.SeatChanged: _seat_stated,
    fx.ControlChanged: _control_changed,
    fx.CombatantAdded: _counted,
    fx.Contributed: _contributed,
    fx.SeedRevealed: _seed_revealed,
    fx.EncounterEnded: _parts_opened,
    fx.PartsOpened: _parts_opened,
    fx.Rewound: _linear_rewound,
    fx.Noted: _noted,
    fx.Erased: _notes_erased,
}


def _seat_changed(linear: Linear, seat: Seat, seq: int) -> Linear:
    """A new seat comes last; a changed one keeps its place, and its texts unless it states others.

    A seat that becomes a player's may take back nothing that happened before.
    """
    seats = tuple(_restated(before, seat) for before in linear.seats)
    if all(before.id != seat.id for before in seats):
        seats = (*seats, seat)
    floors = linear.floors if seat.role == "player" else _floors_without(linear, seat.id)
    if seat.role == "player" and all(floor.seat != seat.id for floor in floors):
        floors = (*floors, UndoFloor(seat=seat.id, floor=seq))
    grants = (*linear.grants, _granted(seat.id, seat.role, seat.knows, seq))
    return replace(linear, seats=seats, floors=floors, grants=grants)


def _floors_without(linear: Linear, seat: str) -> tuple[UndoFloor, ...]:
    return tuple(floor for floor in linear.floors if floor.seat != seat)


def _restated(before: Seat, seat: Seat) -> Seat:
    if before.id != seat.id:
        return before
    return replace(
        seat,
        name=before.name if seat.name is UNSET else seat.name,
        metadata=before.metadata if seat.metadata is UNSET else seat.metadata,
    )


def _granted(seat: str, role: Role, sides: tuple[str, ...], seq: int) -> Grant:
    return Grant(seat=seat, since=seq, sides=sides, role=UNSET if role == "player" else role)


def _controlling(seat: Seat, effect: fx.ControlChanged) -> Seat:
    if seat.id != effect.seat:
        return seat
    return replace(seat, sides=effect.sides, combatants=effect.combatants, knows=effect.knows)


def _wider(first: Opened, second: Opened) -> Opened:
    return max(first, second, key=WIDER.index)


def _taken_up(linear: Linear, seq: int) -> Linear:
    """A battle that was opened goes on: what was open stays open, what follows is sealed."""
    if linear.opened == "none":
        return linear
    past = PastOpening(before=seq, opened=linear.opened)
    return replace(linear, opened="none", openings=(*linear.openings, past))


def _erased(note: Note, seqs: tuple[int, ...]) -> Note:
    return Note(seq=note.seq) if note.seq in seqs else note
