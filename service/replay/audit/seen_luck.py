"""Luck from a bundle that lacks parts: by the previews of the players whose sight it holds.

How this works. An event is previewed by the seat that asked for it, or by another one that could
have, on the state as that seat saw it (`replay/seen`). The rules read nothing of it but what is
known (`partial_state.py`): what they would have to know besides is left out, and so is what comes
out otherwise when the event is read as somebody else saw it.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, get_type_hints

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from service.engine.battle.linear import opened_at
from service.engine.battle.permission import is_to_resume, require_askable, require_role
from service.engine.battle.state import RuleState, State
from service.engine.battle.terms import Terms
from service.engine.dice.dice import Draw
from service.engine.log.event import Event
from service.engine.ruleset.definition import Preview, Ruleset
from service.engine.vocabulary.values import By
from service.errors import WarlogError
from service.replay.audit.luck_tally import MASTER, MOST_ROLLS, EventLuck, LuckTally, luck_of_event
from service.replay.bundle.format import BundleViewer
from service.replay.log.sealed_event import Evidence
from service.replay.report.luck import LeftOut, LuckReport
from service.replay.seen.gaps import Gap
from service.replay.seen.joint_event import ways_seen
from service.replay.seen.partial_state import same_of_all
from service.replay.seen.seen_effects import EffectReader
from service.replay.seen.seen_seats import SeatSight, SeenSeats
from service.replay.seen.seen_state import SeenRule, seen_scope

_UNREADABLE: Final = (
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    RecursionError,
    StopIteration,
)
"""What forged events raise where they are read."""

MOST_PREVIEWS: Final = 4 * MOST_ROLLS
"""Previews for one bundle: of one event several where part of the state is unknown."""

Ways = Sequence[dict[str, Any]]
"""An event as somebody may see it, in each order in which it may have been seen."""


class _Read(NamedTuple):
    """An event with dice; `held` is how the bundle's viewer sees it.

    `own` says how another viewer does.
    """

    event: Event
    held: Ways
    own: Callable[[Any], Ways]


class SeenLuck:
    """The luck of one bundle of this viewer, event by event; `terms` hold its maps and content."""

    def __init__(self, ruleset: Ruleset[Any], viewer: BundleViewer, terms: Terms) -> None:
        self._ruleset = ruleset
        self._viewer = viewer
        self._terms = terms
        self._action: Any = get_type_hints(ruleset.event)["action"]
        self._seats = SeenSeats(ruleset)
        self._found: list[tuple[int, By, EventLuck]] = []
        self._previewed = 0
        self._is_lost = False

    def take(self, seq: int, evidence: Evidence, sides: tuple[str, ...], *, holds: bool) -> None:
        """Take in an event; where one does not hold, nothing is known from there on."""
        held = self._viewer.at(seq)
        try:
            ways = ways_seen(evidence, sides, held)
            draws = msgspec.convert(ways[0].get("draws", ()), tuple[Draw, ...])
            if draws and seq > 1:
                by = msgspec.convert(ways[0]["by"], By)
                found = _left_out("sealed")
                if holds and not self._is_lost:
                    own = partial(ways_seen, evidence, sides)
                    found = self._luck_of(by, draws, ways, own)
                self._found.append((seq, by, found))
            if holds and not self._is_lost:
                self._seats.take(seq, evidence, sides, held, ways[0]["effects"])
        except _UNREADABLE:
            holds = False
        self._is_lost |= not holds

    def report(self, undone_by: Callable[[int], int | None]) -> LuckReport:
        """The luck of every seat; `undone_by` says of which events they were undone."""
        tally = LuckTally(self._ruleset, MASTER)
        for _, by, found in self.found():
            tally.add(by.seat, found)
        sights = self._seats.sights.items()
        readers = sorted(name for name, sight in sights if sight.was_reader)
        return replace(tally.report(undone_by), readers=tuple(readers))

    def found(self) -> Iterator[tuple[int, By, EventLuck]]:
        """What was found of each event with dice, and who asked for it."""
        linear = self._seats.linear
        for seq, by, luck in self._found:
            # Whoever may read the game master's parts of an event is told by his previews.
            is_masters = opened_at(linear, seq) == "all"
            yield seq, by, _left_out("withheld") if is_masters else luck

    def _luck_of(
        self, by: By, draws: tuple[Draw, ...], ways: Ways, own: Callable[[Any], Ways]
    ) -> EventLuck:
        """The rolls as a seat saw them that could have asked for the event."""
        sights = {name: each for name, each in self._seats.sights.items() if each.is_held}
        if not sights:
            return _left_out("not_yours")
        event = self._event(by, draws, ways[0])
        if event is None:
            return _left_out("withheld")
        read = _Read(event, ways, own)
        first: EventLuck | None = None
        for name in sorted(sights, key=lambda each: (each != by.seat, each)):
            found = self._luck_by(name, sights[name], read)
            if found.rolls:
                return found
            if first is None or first == _left_out("not_yours"):
                first = found
        return _left_out("not_yours") if first is None else first

    def _event(self, by: By, draws: tuple[Draw, ...], tree: dict[str, Any]) -> Event | None:
        """The event apart from its effects; None where what was asked for is not told."""
        try:
            action = msgspec.convert(tree.get("action"), self._action)
        except msgspec.ValidationError:
            return None
        return Event(
            seq=int(tree["seq"]),
            base=int(tree["base"]),
            encounter=str(tree["encounter"]),
            at=str(tree["at"]),
            by=by,
            action=action,
            draws=draws,
            effects=(),
        )

    def _luck_by(self, name: str, sight: SeatSight, read: _Read) -> EventLuck:
        """The rolls as one seat saw them."""
        if sight.role == "gm":
            return _left_out("withheld")
        asker = By(kind="seat", id=name, role="player", seat=name)
        if sight.role != "player" or not _may_ask(read.event, asker):
            return _left_out("not_yours")
        before = self._seats.before(sight, read.event.base)
        if before is None:
            return _left_out("sealed")
        known = _settled(before, State(before.rule, self._seats.linear, self._terms), read.event)
        if known is None or before.viewer != sight.viewer:
            return _left_out("withheld")
        preview = self._preview(read, known, asker)
        if not isinstance(preview, Preview):
            return _left_out(preview)
        return _agreed(
            [
                luck_of_event(self._ruleset, read.event, preview, way["effects"])
                for way in (*read.held, *read.own(sight.viewer))
            ]
        )

    def _preview(self, read: _Read, before: SeenRule, asker: By) -> Preview | LeftOut:
        """What a seat would have been shown just before."""
        allowed = same_of_all(before, partial(self._is_askable, read.event, asker))
        if allowed is None:
            return "withheld"
        if not allowed:
            return "not_yours"
        if self._previewed >= MOST_PREVIEWS:
            return "too_many"
        if not self._sees_all_of(read, before):
            return "withheld"
        try:
            preview = same_of_all(before, partial(self._shown, read.event, asker))
        except WarlogError:
            return "no_preview"
        return "withheld" if preview is None else preview

    def _is_askable(self, event: Event, asker: By, rule: RuleState) -> bool:
        try:
            require_askable(self._state(rule), event.action, asker, event.seq)
        except WarlogError:
            return False
        return True

    def _shown(self, event: Event, asker: By, rule: RuleState) -> Preview:
        self._previewed += 1
        return self._ruleset.preview(self._state(rule), event.action, asker)

    def _state(self, rule: RuleState) -> State[Any]:
        return State(rule=rule, linear=self._seats.linear, terms=self._terms)

    def _sees_all_of(self, read: _Read, before: SeenRule) -> bool:
        """Whether a viewer is told all of an action: what he cannot see he could not ask for.

        A player whose secrets he shares can name nobody whom he does not see.
        """
        event = read.event
        asking = None if event.by.seat is UNSET else self._seats.sights.get(event.by.seat)
        if asking is not None and asking.role == "player" and asking.is_held:
            is_shared = {*asking.viewer.sides} <= {*before.viewer.sides}
        else:
            is_shared = False
        if is_shared:
            return True
        reader = EffectReader(seen_scope(before.rule), before.viewer)
        seen = reader.read(type(event.action), read.held[0]["action"])
        return not _has_gap(seen)


def _left_out(why: LeftOut) -> EventLuck:
    return EventLuck(left_out=(why,))


def _may_ask(event: Event, asker: By) -> bool:
    """Whether the action is one for such a role at all."""
    try:
        require_role(event.action, asker)
    except WarlogError:
        return False
    return True


def _settled(before: SeenRule, state: State[Any], event: Event) -> SeenRule | None:
    """The same with the questions that were open; None where these are not known.

    An event that waits for all questions was taken, so that none was open.
    """
    if event.action.LIFE.waits and not is_to_resume(state):
        rule = replace(before.rule, pending=())
        return before._replace(rule=rule, has_doubt=False, may_ask=False)
    if before.may_ask or (before.has_doubt and before.rule.pending):
        return None
    return before


def _agreed(found: Sequence[EventLuck]) -> EventLuck:
    """What was found, if it is the same however the event is read."""
    told = [_told(each) for each in found]
    return found[0] if all(each == told[0] for each in told) else _left_out("withheld")


def _told(luck: EventLuck) -> tuple[object, ...]:
    rolls = [(each.purpose, each.chance, each.is_success) for each in luck.rolls]
    return rolls, luck.left_out


def _has_gap(value: object) -> bool:
    if isinstance(value, Struct):
        return any(_has_gap(getattr(value, name)) for name in value.__struct_fields__)
    return any(map(_has_gap, value)) if isinstance(value, tuple) else isinstance(value, Gap)
