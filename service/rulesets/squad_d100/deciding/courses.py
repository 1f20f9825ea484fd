"""A movement under way: what has been done of it and is not told yet.

How this works. Steps are put together to legs: one effect tells as many of them as nothing came
between that everybody may know who knows of the mover. What only some may know, the test of a
hidden watcher, is told behind the leg, lest the seam tell of him.
"""

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.geometry.points import Cell
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.movement import price_rules
from service.rulesets.squad_d100.state import Combatant, points_left


class Course:
    """The course of one mover; `ahead` steps of its path are not made yet."""

    def __init__(self, resolution: Resolution, mover: str, ahead: int = 0) -> None:
        self.resolution = resolution
        self.effects = resolution.effects
        self.ahead = ahead
        self._mover = mover
        self._steps: list[Cell] = []
        self._price = 0
        self._unseen: list[fx.Effect] = []

    @property
    def mover(self) -> Combatant:
        """The mover, as what has been told leaves it."""
        return existing(self.effects.rule, self._mover)

    def step(self, cell: Cell, price: int) -> None:
        """One more step is made and paid."""
        self._steps.append(cell)
        self._price += price
        self.ahead -= 1

    def note(self, effect: fx.Effect, *, is_open: bool) -> None:
        """Something has happened; unless it is open it is told with the next leg."""
        if is_open:
            self.effects.emit(effect)
        else:
            self._unseen.append(effect)

    def tell(self, cause: str) -> None:
        """Tell the steps made, if any; `cause` says why the leg does not end the path."""
        if self._steps:
            self._tell_leg(cause)
        self._tell_unseen()

    def stop(self, cause: str) -> None:
        """Tell the steps made, be it none, of a path that ends before its time."""
        self._tell_leg(cause)
        self._tell_unseen()

    def _tell_leg(self, cause: str) -> None:
        mover, is_whole = self.mover, self.ahead == 0
        start, *path = (Place(x=x, y=y) for x, y in (cell_of(mover), *self._steps))
        if self._price:
            self.effects.emit(
                own.ResourceChanged(
                    combatant=mover.id, resource="mp", now=points_left(mover) - self._price
                )
            )
        self.effects.emit(
            own.Moved(
                combatant=mover.id,
                manner="walk",
                start=start,
                path=tuple(path),
                end=path[-1] if path else start,
                cost=self._price,
                rules=price_rules(cell_of(mover), self._steps),
                complete=is_whole,
                cause=UNSET if is_whole else cause,
            )
        )
        self._steps, self._price = [], 0

    def _tell_unseen(self) -> None:
        unseen, self._unseen = self._unseen, []
        for effect in unseen:
            self.effects.emit(effect)
