"""The fold of the visible effects where not every part of a log is at hand.

How this works. Without all parts the rules cannot be run, but visible effects must still be
consistent: nothing happens to a combatant that the viewer does not know, a combatant that moves
starts where it was last seen, rolls name their draws, and what an effect shows of dice, modifiers,
outcome and health agrees, with itself and with the sheets shown before. Parts and draws of all
views come before what takes knowledge of the rules, and the table of invariants comes last. Each
audience at hand has a view of its own, the game master's too where all parts are at hand; rewinds
go back in all of them.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from service.engine.log import event as events
from service.engine.log import parts
from service.engine.ruleset.roll_places import RollPlaces
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.visibility.text_places import TextPlaces
from service.replay.audit.invariants import Invariants
from service.replay.audit.part_check import laid_view, whole_difference
from service.replay.audit.retold_check import DieTakenUp, RetoldCheck
from service.replay.audit.roll_check import SeenDraws
from service.replay.audit.sheet_check import SheetCheck
from service.replay.audit.told_rolls import ToldDice, told_dice
from service.replay.log.sealed_event import Evidence, filled_parts, is_complete
from service.replay.report.differences import UNREADABLE, Difference, difference
from service.replay.seen.joint_event import joint_events

Sightings = dict[str, tuple[str, object]]
"""The known combatants by id: the side of each, and the place where it was last seen."""


class _SeenEvent(NamedTuple):
    """A view of an event, the first entry that cannot be laid into it, and its dice."""

    view: object
    unlaid: Difference | None
    told: ToldDice


@dataclass(slots=True)
class PartialFold:
    """The sightings of every audience at hand, by seq; after a gap those of the last seq.

    An audience whose parts were not at hand from the first event on cannot be judged. `sheets`
    knows what the effects of the ruleset must agree in, `places` where it has text, `rolls` where
    it has rolls.
    """

    sheets: SheetCheck
    places: TextPlaces | None = None
    rolls: RollPlaces | None = None
    _seen: dict[tuple[str, int], Sightings] = field(default_factory=dict)
    _draws: dict[str, SeenDraws] = field(default_factory=dict)
    _invariants: dict[str, Invariants] = field(default_factory=dict)
    _last: int = 0
    _audiences: tuple[str, ...] = ()

    def fold(
        self, tree: dict[str, object], evidence: Evidence, sides: tuple[str, ...], seq: int
    ) -> Difference | None:
        """Take in one event; the first effect or roll in it that is inconsistent."""
        if not self._audiences:
            self._audiences = (EVERYONE_WORD, *sides)
        self._audiences = tuple(
            audience
            for audience in self._audiences
            if audience == EVERYONE_WORD or (parts.FACTS, audience) in evidence.opened
        )
        base = tree.get("base")
        came_from = base if isinstance(base, int) else self._last
        first = ruled = odd = None
        for audience, (view, unlaid, told) in self._views(evidence):
            before = self._seen.get((audience, came_from))
            if before is None:
                before = self._seen.get((audience, self._last), {})
            sightings = dict(before)
            first = first or unlaid
            wrong = self._fold_draws(view, audience, seq, told)
            first = first or wrong
            unseen = _fold_view(view, audience, sightings)
            unfitting = self.sheets.fold(_effects_in(view, audience), audience, came_from, seq)
            ruled = ruled or unseen or unfitting
            self._seen[(audience, seq)] = sightings
            unfit = self._fold_invariants(view, audience, came_from, seq)
            odd = odd or unfit
        joined = _joint_difference(evidence, sides)
        whole = self._fold_whole(evidence, sides, seq)
        self._last = seq
        return first or joined or whole or ruled or odd

    @property
    def taken_up(self) -> set[DieTakenUp]:
        """The dice of the log that a fork continues, as far as somebody here was told of them."""
        checks = [each.retold for each in self._draws.values() if each.retold is not None]
        return {die for check in checks for die in check.taken_up}

    @property
    def unseen_waits(self) -> dict[int, int]:
        """Counts of dice told again where nobody here sees what waited, by their event's seq."""
        checks = [each.retold for each in self._draws.values() if each.retold is not None]
        seen = {each for check in checks for each in check.waits_seen}
        unseen = {each for check in checks for each in check.waits_unseen} - seen
        return dict(sorted(Counter(name[0] for _, name in unseen).items()))

    def _views(self, evidence: Evidence) -> Iterator[tuple[str, _SeenEvent]]:
        """What each audience sees; most see what everyone sees, which is read once."""
        filled = filled_parts(evidence)
        common = self._view(evidence, EVERYONE_WORD)
        yield EVERYONE_WORD, common
        for audience in self._audiences[1:]:
            is_told_more = (parts.FACTS, audience) in filled or (parts.TEXT, audience) in filled
            yield audience, self._view(evidence, audience) if is_told_more else common

    def _view(self, evidence: Evidence, audience: str) -> _SeenEvent:
        view, unlaid = laid_view(evidence, audience, self.places)
        return _SeenEvent(view, unlaid, told_dice(view))

    def _fold_whole(
        self, evidence: Evidence, sides: tuple[str, ...], seq: int
    ) -> Difference | None:
        """The parts and rolls as the game master sees them, where every part is at hand."""
        if not is_complete(evidence, sides):
            return None
        unlaid = whole_difference(evidence, sides, self.places)
        if unlaid is not None:
            return unlaid
        try:
            seen = events.view_of_event(evidence.body, filled_parts(evidence), sides, GAME_MASTER)
            view = msgspec.json.decode(seen)
        except (*UNREADABLE, LookupError, TypeError, StopIteration):
            return None
        return self._fold_draws(view, GM_WORD, seq, told_dice(view))

    def _fold_draws(
        self, view: object, audience: str, seq: int, told: ToldDice
    ) -> Difference | None:
        if audience not in self._draws:
            # Of a log whose first events were not taken nobody knows what may be told again.
            retold = None
            if self.rolls is not None and seq == 1:
                retold = RetoldCheck(self.rolls, audience == GM_WORD)
            self._draws[audience] = SeenDraws(since=seq, retold=retold)
        return self._draws[audience].fold(view, seq, _root(audience), told)

    def _fold_invariants(
        self, view: object, audience: str, base: int, seq: int
    ) -> Difference | None:
        if audience not in self._invariants:
            self._invariants[audience] = Invariants(audience, _root(audience))
        return self._invariants[audience].fold(view, base, seq)


def _joint_difference(evidence: Evidence, sides: tuple[str, ...]) -> Difference | None:
    """Two sides set the same member, and no part of the game master's puts them together."""
    filled = filled_parts(evidence)
    informed = {audience for _, audience in filled} & set(sides)
    if len(informed) < 2 or (parts.FACTS, GM_WORD) in evidence.opened:
        return None
    try:
        joint_events(evidence.body, filled, sides, Viewer(sides=sides))
    except (*UNREADABLE, LookupError, TypeError):
        return difference("parts", UNSET, UNSET)
    return None


def _root(audience: str) -> str:
    """What paths into the view of an audience begin with."""
    return "$" if audience == EVERYONE_WORD else f"{audience}:$"


def _fold_view(view: object, audience: str, sightings: Sightings) -> Difference | None:
    first = None
    for path, effect in _effects_in(view, audience):
        wrong = _fold_effect(effect, audience, sightings, path)
        first = first or wrong
    return first


def _effects_in(view: object, audience: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The effects of a view with their paths."""
    effects = view.get("effects") if isinstance(view, dict) else None
    where = _root(audience)
    for index, effect in enumerate(effects if isinstance(effects, list) else []):
        if isinstance(effect, dict):
            yield f"{where}.effects[{index}]", effect


def _fold_effect(
    effect: dict[str, object], audience: str, sightings: Sightings, path: str
) -> Difference | None:
    who = effect.get("combatant")
    match effect.get("type"), who:
        case ("combatant_added" | "revealed", {"id": str(name), "side": str(side), **stated}):
            sightings[name] = (side, stated.get("place", UNSET))
        case ("encounter_created", _):
            _sight_taken_up(effect.get("state"), sightings)
        case (kind, str(name)):
            if name not in sightings:
                return difference(f"{path}.combatant", name, UNSET)
            return _fold_sighted(str(kind), effect, name, audience, sightings, path)
        case _:
            pass
    return None


def _sight_taken_up(state: object, sightings: Sightings) -> None:
    """The combatants of a battle that a fork takes up."""
    for each in state.get("combatants", ()) if isinstance(state, dict) else ():
        match each:
            case {"id": str(name), "side": str(side), **stated}:
                sightings[name] = (side, stated.get("place", UNSET))
            case _:
                pass


def _fold_sighted(
    kind: str, effect: dict[str, object], name: str, audience: str, sightings: Sightings, path: str
) -> Difference | None:
    side, place = sightings[name]
    if kind == "hidden" and audience != side:
        del sightings[name]
    if kind != "moved":
        return None
    sightings[name] = (side, effect.get("end", UNSET))
    start = effect.get("start", UNSET)
    if place is not UNSET and _spot(start) != _spot(place):
        return difference(f"{path}.start", start, place)
    return None


def _spot(place: object) -> object:
    """The place without its height, which may be that of the ground."""
    return (place.get("x"), place.get("y")) if isinstance(place, dict) else place
