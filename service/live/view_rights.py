"""Who may see what of which events of one encounter, as far as the log tells by now.

How this works. What a caller may see of an event follows from the rights held when it was made and
from what was opened since (`views.viewer_then`). For one caller that changes at few seqs only, so
a log is a few runs of events, each for one viewer.
"""

from bisect import bisect_right
from itertools import takewhile

from msgspec import UNSET
from msgspec.structs import replace

from service.encounters.views import viewer_then
from service.engine.battle.state import Linear, Seat, seat_of
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import By

Runs = tuple[tuple[int, Viewer], ...]
"""(first seq, viewer) of each run, in order; each lasts until the next begins."""


class Rights:
    """The rights of all seats up to event `at`; for a seq behind `newest` they do not depend on it.

    Nothing here keeps free text.
    """

    __slots__ = ("_linear", "_runs", "_sides", "at", "newest")

    def __init__(self, linear: Linear, sides: tuple[str, ...], at: int) -> None:
        self._linear = Linear(
            seats=tuple([replace(seat, name=UNSET) for seat in linear.seats]),
            grants=linear.grants,
            opened=linear.opened,
            openings=linear.openings,
        )
        self._sides = sides
        self._runs: dict[tuple[str, object], Runs] = {}
        self.at = at
        since = [grant.since for grant in linear.grants]
        self.newest = max([0, *since, *(each.before for each in linear.openings)])

    def are_those_of(self, linear: Linear) -> bool:
        """Whether they are the same in this state: whatever changes a seat grants it something."""
        own = self._linear
        return own.opened == linear.opened and (
            (own.grants is linear.grants and own.openings is linear.openings)
            or (own.grants == linear.grants and own.openings == linear.openings)
        )

    @property
    def is_opened(self) -> bool:
        """Whether parts are open to more than had a right to them."""
        return self._linear.opened != "none"

    def seat(self, name: str) -> Seat | None:
        """The seat of that id as it is now, without its name; None if there is none any more."""
        return seat_of(self._linear, name)

    def granted_at(self, name: str) -> int:
        """The last event that said what a seat of that id may do; 0 if none did."""
        of_seat = [grant.since for grant in self._linear.grants if grant.seat == name]
        return max([0, *of_seat])

    def runs(self, by: By) -> Runs:
        """What a caller may see of the log, from event 1 on."""
        key = (by.role, by.seat)
        found = self._runs.get(key)
        if found is None:
            found = self._runs[key] = self._found(by)
        return found

    def _found(self, by: By) -> Runs:
        linear = self._linear
        turns = {grant.since for grant in linear.grants if grant.seat == by.seat}
        turns |= {1, *(each.before for each in linear.openings)}
        runs: list[tuple[int, Viewer]] = []
        for first in sorted(turns):
            viewer = viewer_then(by, linear, self._sides, first)
            if not runs or runs[-1][1] != viewer:
                runs.append((first, viewer))
        return tuple(runs)

    def viewer(self, by: By, seq: int) -> Viewer:
        """What a caller may see of event `seq`, 1 and up."""
        runs = self.runs(by)
        return runs[-1][1] if seq >= runs[-1][0] else within(runs, seq, seq)[0][1]


def within(runs: Runs, first: int, last: int) -> Runs:
    """The runs of the events from `first` to `last`, cut to them; `first` is 1 and up."""
    at = bisect_right(runs, first, key=lambda run: run[0]) - 1
    met = takewhile(lambda run: run[0] <= last, runs[at:])
    return tuple([(max(first, start), viewer) for start, viewer in met])
