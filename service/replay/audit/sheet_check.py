"""Rolls and wounds held against the sheets that an audience was shown before.

How this works. For each audience the sheets are kept as they were after every event, since a
rewind goes back to any of them. Of whoever is hidden from an audience nothing is known any more,
and behind an event that is missing of nobody.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from service.engine.ruleset.shown_sheets import UNSHOWN, ShownSheet, shown_after
from service.replay.audit.effect_check import EffectCheck
from service.replay.report.differences import Difference

SeenEffects = Iterable[tuple[str, dict[str, object]]]
"""Effects as an audience sees them, each with its path."""

Sheets = Mapping[str, ShownSheet]
"""The sheets of combatants by id."""


@dataclass(slots=True)
class SheetCheck:
    """The sheets that each audience was shown, by seq; `effects` knows what must fit them."""

    effects: EffectCheck
    _sheets: dict[tuple[str, int], Sheets] = field(default_factory=dict)

    def fold(
        self, effects: SeenEffects, audience: str, came_from: int, seq: int
    ) -> Difference | None:
        """Take in an event; the first effect that contradicts itself or what was shown before."""
        sheets = self._sheets.get((audience, came_from), {})
        first = None
        for path, effect in effects:
            if first is None:
                first = self.effects.judge(effect, path) or self._judge(effect, path, sheets)
            sheets = _after(sheets, effect, audience)
        self._sheets[(audience, seq)] = sheets
        return first

    def _judge(self, effect: dict[str, object], path: str, sheets: Sheets) -> Difference | None:
        def sheet_of(name: object) -> ShownSheet:
            return sheets.get(name, UNSHOWN) if isinstance(name, str) else UNSHOWN

        return self.effects.judge_by_sheets(effect, sheet_of, path)


def _after(sheets: Sheets, effect: dict[str, object], audience: str) -> Sheets:
    """The sheets after an effect, as this audience knows them."""
    match effect:
        case {"type": "combatant_added" | "revealed", "combatant": {"id": str()} as stated}:
            return {**sheets, **_stated([stated])}
        case {"type": "encounter_created", "state": {"combatants": list(combatants)}}:
            return {**sheets, **_stated(combatants)}
        case {"type": "hidden" | "combatant_removed" as kind, "combatant": str(name)}:
            side = sheets.get(name, UNSHOWN).stated.get("side")
            is_known = kind == "hidden" and side == audience
            return sheets if is_known else _without(sheets, name)
        case {"combatant": str(name)} if name in sheets:
            after = shown_after(sheets[name], effect)
            return sheets if after is sheets[name] else {**sheets, name: after}
        case _:
            return sheets


def _stated(combatants: list[object]) -> dict[str, ShownSheet]:
    """The sheets among these values, by the ids that they state."""
    return {
        str(each["id"]): ShownSheet(each)
        for each in combatants
        if isinstance(each, dict) and "id" in each
    }


def _without(sheets: Sheets, name: str) -> Sheets:
    return {each: sheet for each, sheet in sheets.items() if each != name}
