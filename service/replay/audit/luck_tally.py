"""Rolls held against the odds that a preview would have shown the reader just before.

How this works. Every event with dice that the reader may see is looked at. Its action is previewed
for the reader on the state before it, with the code of live previews: so nothing that the reader
did not know then has a part in the odds. Whether they are known is settled before the outcome is
looked at; otherwise good or bad rolls would be left out more often than others. Counted are the
foremost roll, and those that are made for several whatever becomes of the others, such as saves.
Any further roll follows from what came before it, so that no preview tells odds of it by itself: it
is counted as such by what it was made for.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.linear import seat_of
from service.engine.battle.permission import require_askable
from service.engine.battle.state import State
from service.engine.log.event import Event, view_of_event
from service.engine.ruleset.definition import Ending, Fact, Luck, Odds, Preview, Ruleset
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import Answer, ForcePass
from service.engine.vocabulary.values import By
from service.errors import WarlogError
from service.replay.audit.told_rolls import rolls_in
from service.replay.log.overrides import OVERRIDE
from service.replay.log.sealed_event import Evidence, filled_parts
from service.replay.report.chances import TailChance
from service.replay.report.luck import LeftOut, LuckReport, SeatLuck
from service.replay.report.luck_remark import remark_on
from service.replay.report.statistics import TABLE, ratio_of, seen_draws
from service.replay.report.tails import tail_of_successes

FEWEST_ROLLS: Final = 30
"""Rolls of a seat below which no probability is told."""

MOST_ROLLS: Final = 2_000
"""Events with dice of one log that are previewed."""

MASTER: Final = By(kind="key", id="", role="gm")
"""Somebody who may know everything: whoever has a whole bundle, or the database."""


@dataclass(frozen=True, slots=True)
class LuckRoll:
    """A roll with known odds; `told` are the facts that tell its ending."""

    seq: int
    purpose: str
    chance: Fraction
    is_success: bool
    told: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class EventLuck:
    """The rolls of an event: those with known odds, why there are no others, what was rolled on."""

    rolls: tuple[LuckRoll, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    further: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class LuckTally:
    """Rolls of one log, event by event; `reader` is whose previews count, where not the GM's.

    `rolls` are those with known odds, by the seat that asked for them.
    """

    ruleset: Ruleset[Any]
    reader: By
    rolls: dict[str, list[LuckRoll]] = field(default_factory=lambda: defaultdict(list))
    _left_out: dict[str, Counter[LeftOut]] = field(default_factory=lambda: defaultdict(Counter))
    _further: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _previewed: int = 0

    def leave_out(self, seat: str | UnsetType, why: LeftOut) -> None:
        """An event with dice that the reader may see has no known odds."""
        self._left_out[TABLE if seat is UNSET else seat][why] += 1

    def count(
        self,
        event: Event,
        before: State[Any] | None,
        evidence: Evidence,
        sides: tuple[str, ...],
        viewer: Viewer,
    ) -> None:
        """Look at an event that holds, decided on the state `before`."""
        if before is None or not seen_draws(event.draws, viewer, sides):
            return
        preview = self._preview(event, before, viewer)
        if isinstance(preview, Preview):
            effects = _effects(event, evidence, sides, viewer)
            self.add(event.by.seat, luck_of_event(self.ruleset, event, preview, effects))
        else:
            self.leave_out(event.by.seat, preview)

    def add(self, asker: str | UnsetType, found: EventLuck) -> None:
        """Enter the rolls of an event that a seat asked for."""
        seat = TABLE if asker is UNSET else asker
        if found.rolls:
            self.rolls[seat] += found.rolls
            self._further[seat] += found.further
        if found.left_out:
            self._left_out[seat].update(found.left_out)

    def _preview(self, event: Event, before: State[Any], viewer: Viewer) -> Preview | LeftOut:
        """What the reader would have been shown just before."""
        by = MASTER
        if not viewer.is_gm:
            by = _seated(self.reader, before)
            try:
                require_askable(before, event.action, by, event.seq)
            except WarlogError:
                return "not_yours"
        if event.action.__struct_config__.tag == OVERRIDE:
            return "override"
        if self._previewed >= MOST_ROLLS:
            return "too_many"
        self._previewed += 1
        try:
            return self.ruleset.preview(before, event.action, by)
        except WarlogError:
            return "no_preview"

    def report(self, undone_by: Callable[[int], int | None]) -> LuckReport:
        """The luck of every seat; `undone_by` says of which events they were undone."""
        seats = tuple(
            _luck_of(seat, self.rolls[seat], self._left_out[seat], self._further[seat], undone_by)
            for seat in sorted({*self.rolls, *self._left_out})
        )
        return LuckReport(seats=seats, remark=remark_on(seats))


def luck_of_event(
    ruleset: Ruleset[Any], event: Event, preview: Preview, effects: Sequence[Fact]
) -> EventLuck:
    """The rolls of an event against the odds of a preview, by the effects that its reader sees."""
    found = _rolls_of(ruleset.luck, event, preview, effects)
    rolls = tuple(each for each in found if isinstance(each, LuckRoll))
    return EventLuck(
        rolls=rolls,
        left_out=tuple(each for each in found if not isinstance(each, LuckRoll)),
        further=further_rolls(event, effects, [each.told for each in rolls])
        if rolls
        else Counter(),
    )


def _rolls_of(
    luck: Luck | None, event: Event, preview: Preview, effects: Sequence[Fact]
) -> list[LuckRoll | LeftOut]:
    """The rolls of known odds, or why there are none."""
    if luck is None or preview.opens:
        return ["no_preview"]
    if luck.beside is not None and (odds_by_name := luck.beside.odds(preview)):
        endings = luck.beside.endings(effects)
        return [
            _judged(event.seq, odds, endings.get(name), luck.beside.successes)
            for name, odds in odds_by_name.items()
        ]
    odds = luck.odds(event.action, preview)
    if not odds and not preview.unknown:
        return ["no_preview"]
    ending = luck.ending(event.action, effects)
    return [_judged(event.seq, odds, ending, _successes(luck, event))]


def _judged(
    seq: int, odds: Sequence[Odds], ending: Ending | None, successes: frozenset[str]
) -> LuckRoll | LeftOut:
    """A roll by its odds and by how it ended; why it is none where one of them is missing."""
    if not odds:
        return "unknown"
    chances = {each.outcome: Fraction(int(each.num), int(each.den)) for each in odds}
    if ending is None or ending.outcome not in chances:
        return "no_odds"
    chance = sum((chances[name] for name in chances if name in successes), Fraction(0))
    return LuckRoll(seq, ending.purpose, chance, ending.outcome in successes, ending.told)


def further_rolls(
    event: Event, effects: Sequence[Fact], counted: Sequence[tuple[Fact, ...]]
) -> Counter[str]:
    """What else was rolled in an event, by purpose, beside the rolls that these facts tell."""
    purposes = {(draw.stream, draw.number): draw.purpose for draw in event.draws}
    own = {name for facts in counted for each in facts for name in _foremost_draws(each)}
    rolled = [name for _, roll in rolls_in(list(effects), "$") for name in _first_draw(roll)]
    return Counter(purposes[name] for name in rolled if name in purposes and name not in own)


def _foremost_draws(fact: Fact) -> tuple[tuple[int, int], ...]:
    """The first draw of the roll that a fact is about; none where it was drawn in another event."""
    detail = fact.get("detail", fact)
    return _first_draw(detail.get("roll")) if isinstance(detail, dict) else ()


def _first_draw(roll: Any) -> tuple[tuple[int, int], ...]:
    draws = roll.get("draws") if isinstance(roll, dict) else None
    if not draws or "seq" in draws[0]:
        return ()
    return ((draws[0]["stream"], draws[0]["number"]),)


def _seated(reader: By, before: State[Any]) -> By:
    """The reader in the role that his seat had then."""
    seat = None if reader.seat is UNSET else seat_of(before.linear, reader.seat)
    return replace(reader, role="observer" if seat is None else seat.role)


def _effects(
    event: Event, evidence: Evidence, sides: tuple[str, ...], viewer: Viewer
) -> tuple[Fact, ...]:
    """The effects that the viewer may see, as JSON values."""
    if viewer.is_gm:
        return msgspec.json.decode(msgspec.json.encode(event.effects), type=tuple[Fact, ...])
    visible = view_of_event(evidence.body, filled_parts(evidence), sides, viewer)
    return tuple(msgspec.json.decode(visible).get("effects", ()))


def _successes(luck: Luck, event: Event) -> frozenset[str]:
    return luck.answered if isinstance(event.action, Answer | ForcePass) else luck.successes


def _luck_of(
    seat: str,
    rolls: list[LuckRoll],
    left_out: Counter[LeftOut],
    further: Counter[str],
    undone_by: Callable[[int], int | None],
) -> SeatLuck:
    successes = sum(roll.is_success for roll in rolls)
    chances = [roll.chance for roll in rolls]
    chance: TailChance | UnsetType = UNSET
    if len(rolls) >= FEWEST_ROLLS:
        tail = tail_of_successes(chances, successes)
        chance = TailChance(millionths=tail.millionths, exact=tail.is_exact)
    return SeatLuck(
        seat=seat,
        rolls=len(rolls),
        purposes=dict(sorted(Counter(roll.purpose for roll in rolls).items())),
        undone=sum(undone_by(roll.seq) is not None for roll in rolls),
        successes=successes,
        expected=ratio_of(sum(chances, Fraction(0))),
        chance=chance,
        left_out=dict(sorted(left_out.items())),
        further=dict(sorted(further.items())),
    )
