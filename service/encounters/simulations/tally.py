"""Counts what became of simulated battles."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeVar

from msgspec import UNSET

from service.encounters.simulations.messages import (
    BattleEnd,
    BattleShare,
    CombatantLosses,
    RoundSpread,
    SideLosses,
    SimulatedOutcome,
    Simulation,
)
from service.encounters.simulations.shares import MILLI, median, thousandths, wilson
from service.engine.battle.roster import is_out
from service.engine.battle.state import RuleState

S = TypeVar("S", bound=BattleShare)


class BattleTally:
    """Of battles that all began as `rule` stands."""

    def __init__(self, rule: RuleState) -> None:
        self._sides = [side.id for side in rule.sides]
        self._able = [each for each in rule.combatants if not is_out(each)]
        self._outcomes: Counter[tuple[str, str]] = Counter()
        self._rounds: list[int] = []
        self._out: Counter[str] = Counter()

    @property
    def played(self) -> int:
        """How many were counted."""
        return len(self._rounds)

    def add(self, end: BattleEnd) -> None:
        """Count a battle."""
        if end.winner is not UNSET:
            self._outcomes["won", end.winner] += 1
        else:
            self._outcomes["draw" if end.is_decided else "undecided", ""] += 1
        self._rounds.append(end.rounds)
        self._out.update(end.out)

    def simulation(self) -> Simulation:
        """What came of them; there is one at least."""
        n = len(self._rounds)
        return Simulation(
            played=n,
            outcomes=tuple(self._told()),
            rounds=RoundSpread(
                least=min(self._rounds),
                median=median(self._rounds),
                most=max(self._rounds),
                mean=thousandths(Fraction(sum(self._rounds), n)),
            ),
            sides=tuple(self._side(side, n) for side in self._sides),
            combatants=tuple(
                _share(CombatantLosses, self._out[each.id], n, combatant=each.id, side=each.side)
                for each in self._able
            ),
        )

    def _told(self) -> Iterable[SimulatedOutcome]:
        n = len(self._rounds)
        for side in self._sides:
            count = self._outcomes["won", side]
            yield _share(SimulatedOutcome, count, n, outcome="won", side=side)
        for outcome in ("draw", "undecided"):
            yield _share(SimulatedOutcome, self._outcomes[outcome, ""], n, outcome=outcome)

    def _side(self, side: str, n: int) -> SideLosses:
        able = [each.id for each in self._able if each.side == side]
        lost = sum(self._out[each] for each in able)
        mean = thousandths(Fraction(lost, n))
        return SideLosses(side=side, began=len(able), lost=lost, mean=mean)


def _share(kind: type[S], count: int, of: int, **fields: Any) -> S:
    interval = wilson(count, of)
    share = Fraction(count, of)
    return kind(
        count=count,
        num=str(share.numerator),
        den=str(share.denominator),
        percent_milli=MILLI * count // of,
        low_milli=interval.low,
        high_milli=interval.high,
        **fields,
    )
