"""Effects held against themselves, where the rules cannot be run because parts are withheld."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import Contradiction
from service.engine.ruleset.definition import Ruleset, options_of
from service.engine.ruleset.shown_sheets import SheetOf
from service.replay.report.differences import Difference, difference

_STATES_OPTIONS = ("encounter_created", "options_set")


class EffectCheck:
    """Dice, modifiers and outcome that one effect shows must agree, as its ruleset reads them.

    Nothing is said before an event has stated the options of the table, nor without a ruleset.
    """

    def __init__(self, ruleset: Ruleset[Any] | None) -> None:
        self._ruleset = ruleset
        self._options: TableOptions | None = None

    def judge(self, effect: Mapping[str, object], path: str) -> Difference | None:
        """The first contradiction in an effect as somebody sees it."""
        if self._ruleset is None:
            return None
        if effect.get("type") in _STATES_OPTIONS:
            return self._read_options(self._ruleset, effect.get("options"), path)
        if self._options is None:
            return None
        return _first(self._ruleset.contradictions(effect, self._options), effect, path)

    def judge_by_sheets(
        self, effect: Mapping[str, object], sheet_of: SheetOf, path: str
    ) -> Difference | None:
        """The first thing in an effect that does not fit the sheets shown before."""
        if self._ruleset is None or self._options is None:
            return None
        found = self._ruleset.sheet_contradictions(effect, sheet_of, self._options)
        return _first(found, effect, path)

    def _read_options(self, ruleset: Ruleset[Any], options: object, path: str) -> Difference | None:
        try:
            self._options = msgspec.convert(options, options_of(ruleset))
        except msgspec.ValidationError:
            return difference(f"{path}.options", options, UNSET)
        return None


def _first(
    found: Iterator[Contradiction], effect: Mapping[str, object], path: str
) -> Difference | None:
    try:
        first = next(found, None)
    except msgspec.ValidationError:
        return difference(path, effect, UNSET)
    if first is None:
        return None
    return difference(f"{path}.{first.path}", first.stored, first.expected)
