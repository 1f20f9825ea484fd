"""The states of a battle as its players saw them, as far as a bundle holds their parts.

How this works. A bundle does not name the seat that it was made for. But it tells who sits where,
and what a seat controls says whose secrets it shares. Seats that shared the same secrets all the
time have one state; it is copied where they part. A seat that shares anything of which the bundle
lacks the parts is left out, from then on and for good.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec.structs import replace

from service.engine.battle.linear import Linear, Seat
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import Viewer
from service.replay.log.sealed_event import Evidence
from service.replay.seen.joint_event import ways_seen
from service.replay.seen.seen_state import SeenRule, SeenState

History = tuple[tuple[int, Viewer], ...]
"""What somebody was entitled to see, since which event; what stands before the first is nothing."""

_SEATING: Final = frozenset({"seat_changed", "control_changed"})
"""Effects that say who shares whose secrets."""

_UNREADABLE: Final = (LookupError, TypeError, ValueError, ArithmeticError, StopIteration)
"""What parts that do not fit raise where they are laid together."""


@dataclass(slots=True)
class SeatSight:
    """What a seat was entitled to see; `role` is what it is now, empty where it is not there.

    `is_held`: up to now the bundle holds all that it could see; `was_reader`: it did so when the
    seat was a player's.
    """

    history: History = ()
    role: str = ""
    is_held: bool = True
    was_reader: bool = False

    @property
    def viewer(self) -> Viewer:
        """Who it is now."""
        return _now(self.history)


@dataclass(slots=True)
class SeenSeats:
    """The seats of one bundle, event by event; `sights` by id, in the order in which they came."""

    ruleset: Ruleset[Any]
    sights: dict[str, SeatSight] = field(default_factory=dict)
    _states: dict[History, SeenState] = field(default_factory=dict)
    _held: History = ()
    _side_of: dict[str, str] = field(default_factory=dict)

    @property
    def linear(self) -> Linear:
        """Seats and what else never rewinds, as the bundle tells it."""
        state = self._states.get(self._held)
        if state is None:
            return Linear()
        seats = tuple(map(self._knowing, state.linear.seats))
        return replace(state.linear, seats=seats)

    def before(self, sight: SeatSight, base: int) -> SeenRule | None:
        """What a seat saw of the state that an event continues, if that is known."""
        state = self._states.get(sight.history)
        return None if state is None or state.since is not None else state.before(base)

    def take(
        self,
        seq: int,
        evidence: Evidence,
        sides: tuple[str, ...],
        held: Viewer,
        effects: list[dict[str, Any]],
    ) -> None:
        """Take in an event; `held` is whose parts are at hand, `effects` are those that it sees."""
        event = _Taken(seq, evidence, sides)
        seating = any(each.get("type") in _SEATING for each in effects)
        if self._states and not seating and held == _now(self._held):
            for history, state in self._states.items():
                event.take_into(state, _now(history))
            return
        before = self._states or {(): SeenState(self.ruleset)}
        after: dict[History, SeenState] = {}
        self._held = self._follow(after, before, self._held, held, event)
        self._states = {**before, **after}
        self._note_sides(seq)
        there = {seat.id: seat for seat in after[self._held].linear.seats}
        for name in there:
            self.sights.setdefault(name, SeatSight())
        for name, sight in self.sights.items():
            viewer = self._entitle(sight, there.get(name), sides)
            sight.is_held &= {*viewer.sides} <= {*held.sides}
            if sight.is_held:
                sight.was_reader |= sight.role == "player"
                sight.history = self._follow(after, before, sight.history, viewer, event)
        # Whoever sits down later saw up to then what everyone sees.
        self._follow(after, before, (), Viewer(), event)
        self._states = after

    def _follow(
        self,
        after: dict[History, SeenState],
        before: Mapping[History, SeenState],
        old: History,
        viewer: Viewer,
        event: "_Taken",
    ) -> History:
        """Take the event into the state of somebody who is this viewer from now on."""
        new = old if viewer == _now(old) else (*old, (event.seq, viewer))
        if new not in after:
            after[new] = before[old].forked()
            event.take_into(after[new], viewer)
        return new

    def _entitle(self, sight: SeatSight, seat: Seat | None, sides: tuple[str, ...]) -> Viewer:
        """Who a seat is from now on."""
        sight.role = "" if seat is None else seat.role
        if seat is None or seat.role != "player":
            return Viewer()
        knows = self._knowing(seat).knows
        return Viewer(sides=tuple(side for side in sides if side in knows))

    def _note_sides(self, seq: int) -> None:
        seen = self._states[self._held].before(seq)
        if seen is not None:
            self._side_of |= {each.id: each.side for each in seen.rule.combatants}

    def _knowing(self, seat: Seat) -> Seat:
        """The seat with the sides whose secrets it shares, which only the game master is told."""
        named: tuple[object, ...] = seat.combatants
        own = tuple(each for each in named if isinstance(each, str))
        controlled = {self._side_of[each] for each in own if each in self._side_of}
        return replace(seat, combatants=own, knows=tuple(sorted({*seat.sides} | controlled)))


@dataclass(frozen=True, slots=True)
class _Taken:
    """An event that states take in."""

    seq: int
    evidence: Evidence
    sides: tuple[str, ...]

    def take_into(self, state: SeenState, viewer: Viewer) -> None:
        """Let a state follow, as its viewer sees the event."""
        try:
            ways = ways_seen(self.evidence, self.sides, viewer)
        except _UNREADABLE:
            state.lose(self.seq)
            return
        state.take(self.seq, ways, viewer)


def _now(history: History) -> Viewer:
    return history[-1][1] if history else Viewer()
