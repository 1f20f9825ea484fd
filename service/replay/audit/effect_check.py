"""Effects held against themselves, where the rules cannot be run because parts are withheld."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from service.engine.battle.state import TableOptions
from service.engine.ruleset import Ruleset, options_of
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
        try:
            found = next(self._ruleset.contradictions(effect, self._options), None)
        except msgspec.ValidationError:
            return difference(path, effect, UNSET)
        if found is None:
            return None
        return difference(f"{path}.{found.path}", found.stored, found.expected)

    def _read_options(self, ruleset: Ruleset[Any], options: object, path: str) -> Difference | None:
        try:
            self._options = msgspec.convert(options, options_of(ruleset))
        except msgspec.ValidationError:
            return difference(f"{path}.options", options, UNSET)
        return None
