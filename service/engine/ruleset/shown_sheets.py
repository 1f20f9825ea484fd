"""Sheets of combatants as somebody was shown them, for audits that lack parts.

How this works. A sheet is shown when a combatant comes in, when it is revealed, and when a fork
takes up a battle; from then on effects state every change. So whoever sees a roll that was made
against a number of a sheet can hold one against the other. What was never shown is UNSET, and so is
a number that was changed by an effect which does not show it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from msgspec import UNSET

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import Contradiction, Number, unlike

Tree = Mapping[str, object]
NO_TREE: Tree = {}


class ShownSheet(NamedTuple):
    """The sheet as it was stated, and the numbers that effects stated since, UNSET if unseen."""

    stated: Tree = NO_TREE
    since: Tree = NO_TREE

    def number(self, name: str, *within: str) -> Number:
        """A number by its name; `within` leads to it from the top of the sheet."""
        if name in self.since:
            return _number(self.since[name])
        tree: object = self.stated
        for step in within:
            tree = tree.get(step) if isinstance(tree, dict) else None
        return _number(tree.get(name)) if isinstance(tree, dict) else UNSET

    def states(self, name: str) -> bool:
        """Whether a number was ever there, seen or not."""
        return name in self.since or name in self.stated

    def listed(self, name: str, item: object) -> Tree:
        """One of a list of the sheet, such as a weapon, by its id; empty if it is not known."""
        items = self.stated.get(name)
        for each in items if isinstance(items, list) else ():
            if isinstance(each, dict) and each.get("id") == item:
                return each
        return NO_TREE

    def changed(self, name: str, value: object) -> "ShownSheet":
        """The same with another number."""
        return ShownSheet(self.stated, {**self.since, name: value})


UNSHOWN = ShownSheet()
"""The sheet of somebody of whom nothing was shown."""

SheetOf = Callable[[object], ShownSheet]
"""The sheet of a combatant by its id, as it was shown last."""

SheetContradictions = Callable[[Tree, SheetOf, TableOptions], Iterator[Contradiction]]
"""What an effect, as JSON, says otherwise than the sheets, under the options of its battle.

Raises msgspec.ValidationError where the effect has a form that no event of the ruleset has.
"""


def no_sheet_contradictions(
    _effect: Tree, _sheet_of: SheetOf, _options: TableOptions
) -> Iterator[Contradiction]:
    """No sheet is looked at."""
    return iter(())


def number_in(tree: Tree, name: str) -> Number:
    """A number of a weapon or the like; UNSET where it is hidden."""
    return _number(tree.get(name))


def shown_after(sheet: ShownSheet, effect: Tree) -> ShownSheet:
    """The sheet after an effect on its combatant."""
    match effect:
        case {"type": "hurt" | "healed"}:
            return sheet.changed("health", effect.get("health", UNSET))
        case {"type": "stat_changed", "stat": str(stat)}:
            return sheet.changed(stat, effect.get("now", UNSET))
        case {"type": "condition_gained", "condition": str(condition)}:
            return sheet.changed(condition, effect.get("amount", UNSET))
        case _:
            return sheet


def misreckoned(
    effect: Tree, sheet_of: SheetOf, left: Callable[[int, int], int]
) -> Iterator[Contradiction]:
    """A contradiction where health before and damage do not come to the health afterwards.

    `left` says what is left of health after damage.
    """
    before = sheet_of(effect.get("combatant")).number("health")
    amount, health = number_in(effect, "amount"), number_in(effect, "health")
    if before is UNSET or amount is UNSET:
        return
    match effect.get("type"):
        case "hurt":
            yield from unlike("health", health, left(before, amount))
        case "healed":
            yield from unlike("health", health, before + amount)
        case _:
            pass


def _number(value: object) -> Number:
    return value if type(value) is int else UNSET
