"""Who is on watch and may have to test for a mover, and whom a step of his calls (SQ-VIG-2).

How this works. The watchers are listed once for an action. Whoever is called is off the list, for
he tests this enemy once in his turn; so what is looked at after each step becomes less. Nobody
else moves meanwhile, so what the watchers saw after one step is what they saw before the next.
"""

from msgspec import UNSET

from service.engine.geometry.points import Cell
from service.rulesets.squad_d100.ground import line_options
from service.rulesets.squad_d100.occupancy import cell_of, is_enemy
from service.rulesets.squad_d100.rules.ground import Ground, seen_from
from service.rulesets.squad_d100.rules.vigilance import calls_for_test
from service.rulesets.squad_d100.state import BattleState, Combatant, is_down, is_on_watch


class Lookout:
    """Those on watch against one mover, by number, each with its cell."""

    def __init__(self, rule: BattleState, mover: Combatant, ground: Ground) -> None:
        self._trigger = rule.options.vigilance_trigger
        self._lines = line_options(rule.options)
        self._watchers = _watchers_of(rule, mover)
        self._seeing: frozenset[Cell] = frozenset()
        if self._watchers and self._trigger == "entering":
            self._seeing = self._who_sees(ground, cell_of(mover))

    def called(self, ground: Ground, cell: Cell) -> list[str]:
        """Who must test now that the mover is in a cell of the ground, by number."""
        if not self._watchers:
            return []
        before, self._seeing = self._seeing, self._who_sees(ground, cell)
        called = [
            watcher
            for watcher, where in self._watchers.items()
            if calls_for_test(
                self._trigger, is_seen=where in self._seeing, was_seen=where in before
            )
        ]
        for watcher in called:
            del self._watchers[watcher]
        return called

    def _who_sees(self, ground: Ground, cell: Cell) -> frozenset[Cell]:
        return seen_from(ground, cell, frozenset(self._watchers.values()), self._lines)


def _watchers_of(rule: BattleState, mover: Combatant) -> dict[str, Cell]:
    """Who has not tested for a mover in this turn; nobody tests for one he does not know."""
    if mover.hidden:
        return {}
    tested = frozenset(each.watcher for each in rule.tests if each.mover == mover.id)
    return {
        each.id: cell_of(each)
        for each in rule.combatants
        if is_on_watch(each)
        and is_enemy(each, mover)
        and not is_down(each)
        and each.place is not UNSET
        and each.id not in tested
    }
