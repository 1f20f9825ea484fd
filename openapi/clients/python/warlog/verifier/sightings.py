"""Who is known to an audience.

Whom an effect names must have been seen, and continues from where it was seen last.

How this works. An event continues behind its `base`, which after a rewind is not the one before it.
Kept are those seen behind the last event, and of each event what it changed; behind another base
they are put together again, from event to base.
"""

from typing import Any

from msgspec import Struct

from warlog.verifier.details import said
from warlog.verifier.findings import Difference, shown
from warlog.verifier.line_forms import Json


class Sighting(Struct, frozen=True):
    """Of which side somebody is, and where; None where that is not known."""

    side: str
    place: Any


class _Folded(Struct, frozen=True):
    """What an event changed; None for somebody who is no longer known."""

    base: int
    changes: list[tuple[str, Sighting | None]]


class Sightings:
    """Those known to one audience; paths into its view begin with `root`."""

    def __init__(self, audience: str, root: str) -> None:
        self._audience = audience
        self._root = root
        self._last = 0
        self._known: dict[str, Sighting] = {}
        self._events: dict[int, _Folded] = {}

    def fold(self, view: Json) -> Difference | None:
        """Take in an event as the audience sees it.

        The first effect that names whom nobody sees, or where nobody was.
        """
        seq, base = view["seq"], view["base"]
        if base != self._last:
            self._known = self._behind(base)
        changes: list[tuple[str, Sighting | None]] = []
        first: Difference | None = None
        for at, effect in enumerate(view["effects"]):
            if isinstance(effect, dict):
                wrong = self._take(effect, changes, f"{self._root}.effects[{at}]")
                first = first or wrong
        self._events[seq] = _Folded(base, changes)
        self._last = seq
        return first

    def _behind(self, seq: int) -> dict[str, Sighting]:
        """Those known behind an event."""
        way = []
        while (event := self._events.get(seq)) is not None:
            way.append(event)
            seq = event.base
        known: dict[str, Sighting] = {}
        for event in reversed(way):
            for name, sighting in event.changes:
                _put(known, name, sighting)
        return known

    def _take(
        self, effect: Json, changes: list[tuple[str, Sighting | None]], path: str
    ) -> Difference | None:
        kind, combatant = effect.get("type"), effect.get("combatant")
        for each in _stated(effect, kind):
            self._see(changes, each["id"], Sighting(each["side"], each.get("place")))
        if not isinstance(combatant, str):
            return None
        before = self._known.get(combatant)
        if before is None:
            detail = said("{} is not known here", shown(combatant))
            return Difference("rules", detail, f"{path}.combatant")
        if kind == "hidden" and self._audience != before.side:
            self._see(changes, combatant, None)
        if kind != "moved":
            return None
        self._see(changes, combatant, Sighting(before.side, effect.get("end")))
        if before.place is None or _is_spot(effect.get("start"), before.place):
            return None
        detail = said("the move begins elsewhere than where {} was seen last", shown(combatant))
        return Difference("rules", detail, f"{path}.start")

    def _see(
        self, changes: list[tuple[str, Sighting | None]], name: str, sighting: Sighting | None
    ) -> None:
        changes.append((name, sighting))
        _put(self._known, name, sighting)


def _put(known: dict[str, Sighting], name: str, sighting: Sighting | None) -> None:
    if sighting is None:
        known.pop(name, None)
    else:
        known[name] = sighting


def _stated(effect: Json, kind: Any) -> list[Json]:
    """The combatants whose id and side an effect states."""
    stated: list[Any] = []
    state = effect.get("state")
    if kind == "encounter_created" and isinstance(state, dict):
        taken = state.get("combatants")
        stated = taken if isinstance(taken, list) else []
    elif kind in ("combatant_added", "revealed"):
        stated = [effect.get("combatant")]
    return [
        each
        for each in stated
        if isinstance(each, dict)
        and isinstance(each.get("id"), str)
        and isinstance(each.get("side"), str)
    ]


def _is_spot(one: Any, other: Any) -> bool:
    """Whether two places are one; their heights may differ."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return _is_same(one, other)
    return _is_same(one.get("x"), other.get("x")) and _is_same(one.get("y"), other.get("y"))


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are equal as JSON, however deeply they nest; true is not 1."""
    waiting = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, dict):
            if left.keys() != right.keys():
                return False
            waiting += ((left[name], right[name]) for name in left)
        elif isinstance(left, list):
            if len(left) != len(right):
                return False
            waiting += zip(left, right, strict=True)
        elif left != right:
            return False
    return True
