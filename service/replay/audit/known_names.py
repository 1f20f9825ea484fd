"""The names that a viewpoint of a bundle knows, as its events are told one after another."""

from collections.abc import Iterable, Iterator, Mapping

from service.encounters.narrations import words_in
from service.engine.narration.names import Names, names_in


class KnownNames:
    """The names that one viewpoint knows: those of the state, or of whatever it was told so far."""

    def __init__(self) -> None:
        self._sheets: dict[str, Mapping[str, object]] = {}
        self._sides: object = ()

    def know(self, state: Mapping[str, object]) -> None:
        """Know what is in a state as the viewpoint sees it, and nothing else."""
        self._sheets = {}
        self._learn(_objects(state.get("combatants")))
        self._sides = state.get("sides")

    def at(self, event: Mapping[str, object]) -> Names:
        """The names of those whom an event mentions, as the service tells the event with them."""
        action = event.get("action")
        if not self._sheets and isinstance(action, dict):
            self._learn(_objects(action.get("combatants")))
            self._sides = action.get("sides")
        self._learn(
            sheet
            for effect in _objects(event.get("effects"))
            if isinstance(sheet := effect.get("combatant"), dict)
        )
        mentioned = frozenset(words_in(event))
        sheets = [sheet for one, sheet in self._sheets.items() if one in mentioned]
        return names_in({"combatants": sheets, "sides": self._sides})

    def _learn(self, sheets: Iterable[Mapping[str, object]]) -> None:
        for sheet in sheets:
            if isinstance(one := sheet.get("id"), str):
                self._sheets.setdefault(one, sheet)


def _objects(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, dict))
