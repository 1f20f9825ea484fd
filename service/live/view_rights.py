"""What each caller may see of which events of one encounter, as far as its log goes by now.

How this works. What a caller may see of an event follows from the caller's rights when it was made
and from what was opened since (`views.viewer_then`). For one caller that changes at few seqs only,
so a log is a few runs of events, each for one viewer.
"""

from bisect import bisect_right
from itertools import takewhile

from msgspec import UNSET
from msgspec.structs import replace

from service.encounters.views import viewer_then
from service.engine.battle.linear import Linear, Seat, seat_of
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import By

Runs = tuple[tuple[int, Viewer], ...]
"""(first seq, viewer) of each run, in order; each lasts until the next begins."""


class Rights:
    """The rights of all seats up to event `at`; they are the same for all events behind `newest`.

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
        self.newest = max([0, *since, *(opening.before for opening in linear.openings)])

    def are_those_of(self, linear: Linear) -> bool:
        """Whether this state has the same rights: each change of a seat adds a grant."""
        own = self._linear
        return own.opened == linear.opened and (
            (own.grants is linear.grants and own.openings is linear.openings)
            or (own.grants == linear.grants and own.openings == linear.openings)
        )

    @property
    def is_opened(self) -> bool:
        """Whether parts are open to seats that had no right to them."""
        return self._linear.opened != "none"

    def seat(self, name: str) -> Seat | None:
        """The seat of that id as it is now, without its name; None if it was removed."""
        return seat_of(self._linear, name)

    def granted_at(self, name: str) -> int:
        """The last event that granted a seat of that id its rights; 0 if none did."""
        of_seat = [grant.since for grant in self._linear.grants if grant.seat == name]
        return max([0, *of_seat])

    def runs(self, by: By) -> Runs:
        """What a caller may see of the log, from event 1 on."""
        key = (by.role, by.seat)
        runs = self._runs.get(key)
        if runs is None:
            runs = self._runs[key] = self._runs_of(by)
        return runs

    def _runs_of(self, by: By) -> Runs:
        linear = self._linear
        turns = {grant.since for grant in linear.grants if grant.seat == by.seat}
        turns |= {1, *(opening.before for opening in linear.openings)}
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
    overlapping = takewhile(lambda run: run[0] <= last, runs[at:])
    return tuple([(max(first, start), viewer) for start, viewer in overlapping])
