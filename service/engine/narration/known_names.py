"""The names that a reader of a log knows, as its events are told one after another."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from service.engine.narration.names import Names, names_in, words_in
from service.engine.vocabulary.content_names import OUT_OF_PLAY, ContentNames


class KnownNames:
    """The names that one viewpoint knows: those of the state, or of whatever it was told so far.

    `named` says how the rulebook names its content, `contents` gives that of a digest.
    """

    def __init__(self, named: ContentNames, contents: Callable[[str], object]) -> None:
        self._named = named
        self._contents = contents
        self._sheets: dict[str, Mapping[str, object]] = {}
        self._sides: object = ()
        self._seats: dict[str, Mapping[str, object]] = {}
        self._content: object = None
        self._in_play: dict[str, dict[str, Mapping[str, object]]] = {}
        self._before = self._in_play

    def know(self, state: Mapping[str, object], seats: object) -> None:
        """Know what is in a state and on its seats as the viewpoint sees it, and nothing else."""
        self._sheets = {}
        self._learn(_objects(state.get("combatants")))
        self._seats = {}
        self._seat(_objects(seats))
        self._sides = state.get("sides")
        self._content = state.get("content")
        self._in_play = self._in_play_of(state)

    def at(self, event: Mapping[str, object]) -> Names:
        """The names of those whom an event mentions, as the service tells the event with them."""
        action = event.get("action")
        if not self._sheets and isinstance(action, dict):
            self._learn(_objects(action.get("combatants")))
            self._sides = action.get("sides")
            self._in_play = self._in_play or self._in_play_of(action)
        if isinstance(action, dict):
            self._seat(_objects(action.get("seats")))
        for effect in _objects(event.get("effects")):
            if isinstance(seat := effect.get("seat"), dict):
                self._seat([seat])
            if isinstance(sheet := effect.get("combatant"), dict):
                self._learn([sheet])
            self._content = effect.get("content", self._content)
            self._keep_in_play(effect)
        mentioned = frozenset(words_in(event))
        sheets = [sheet for one, sheet in self._sheets.items() if one in mentioned]
        seats = [seat for one, seat in self._seats.items() if one in mentioned]
        state: dict[str, object] = {"combatants": sheets, "sides": self._sides, "seats": seats}
        for kind, known in self._in_play.items():
            all_known = {**self._before.get(kind, {}), **known}
            state[kind] = [each for one, each in all_known.items() if one in mentioned]
        self._before = {kind: dict(known) for kind, known in self._in_play.items()}
        content = self._contents(self._content) if isinstance(self._content, str) else None
        return names_in(state, self._named, content, mentioned)

    def _in_play_of(
        self, state: Mapping[str, object]
    ) -> dict[str, dict[str, Mapping[str, object]]]:
        return {
            kind: {str(each.get("id")): each for each in _objects(state.get(kind))}
            for kind in self._named.in_play
        }

    def _keep_in_play(self, effect: Mapping[str, object]) -> None:
        """Know what comes into play with an effect, and forget what goes."""
        marker = effect.get("marker")
        for kind, name in self._named.in_play.items() if isinstance(marker, str) else ():
            known = self._in_play.setdefault(kind, {})
            if effect.get("type") == OUT_OF_PLAY:
                known.pop(str(marker), None)
            elif name in effect:
                known[str(marker)] = {"id": marker, name: effect[name]}

    def _seat(self, seats: Iterable[Mapping[str, object]]) -> None:
        for seat in seats:
            if isinstance(one := seat.get("id"), str):
                self._seats[one] = seat

    def _learn(self, sheets: Iterable[Mapping[str, object]]) -> None:
        for sheet in sheets:
            if isinstance(one := sheet.get("id"), str):
                self._sheets.setdefault(one, sheet)


def _objects(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, dict))
