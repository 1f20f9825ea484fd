"""What an audit counts while it judges: verdicts, dice, parts that cannot be read, luck."""

from collections import Counter
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from service.engine.battle.state import State
from service.engine.dice.dice import Draw
from service.engine.dice.draw_names import tells_again
from service.engine.log import parts
from service.engine.log.event import Event, view_of_event
from service.engine.visibility.scope import Viewer
from service.replay.audit.luck_tally import LuckTally
from service.replay.audit.retold_check import DieTakenUp, taken_up_in
from service.replay.log.overrides import override_in
from service.replay.log.sealed_event import Evidence, filled_parts
from service.replay.report.interventions import Override
from service.replay.report.statistics import DiceTally, seen_draws
from service.replay.report.verdicts import FAULTS, EventVerdict, Ruling


class AuditCounts:
    """The counts of one audit, which its report shows.

    `by_ruling` says how often each ruling was given, `first_failure` is the first verdict that is
    neither good nor `sealed`. `drawn_again` counts the dice of the tally that were drawn again from
    the seed and fit, `withheld_parts` those of which only the commitment is there, `erased_texts`
    the readable ones that are gone. `is_brief`: neither single verdicts nor overrides are kept,
    however long the log is. `has_seed`: the seed is at hand. `luck` is None if nobody's is wanted.
    """

    def __init__(self, luck: LuckTally | None, *, is_brief: bool, has_seed: bool) -> None:
        self.luck = luck
        self.tally = DiceTally(keeps_seqs=not is_brief)
        self.verdicts: list[EventVerdict] = []
        self.by_ruling: Counter[Ruling] = Counter()
        self.first_failure: EventVerdict | None = None
        self.drawn_again = 0
        self.withheld_parts = 0
        self.erased_texts = 0
        self.overrides: list[Override] = []
        self.taken_up: set[DieTakenUp] = set()
        self._is_brief = is_brief
        self._has_seed = has_seed

    def add_verdict(self, verdict: EventVerdict) -> None:
        """Count a verdict; unless the audit is brief, keep it."""
        self.by_ruling[verdict.verdict] += 1
        is_good = verdict.verdict not in FAULTS and verdict.verdict != "unavailable"
        if self.first_failure is None and not is_good:
            self.first_failure = verdict
        if not self._is_brief:
            self.verdicts.append(verdict)

    def add_parts(self, evidence: Evidence, viewer: Viewer, sides: tuple[str, ...]) -> None:
        """Count the parts of an event that cannot be read."""
        names = parts.part_names(sides)
        at_hand = evidence.opened.keys() | evidence.erased
        self.withheld_parts += sum(name not in at_hand for name in names)
        self.erased_texts += sum(
            name in evidence.erased and viewer.may_know(name[1]) for name in names
        )

    def add_dice(
        self, seat: str | UnsetType, seq: int, seen: tuple[Draw, ...], drawn_again: int
    ) -> None:
        """Count the dice that the reader may see, and those of them that the seed gave."""
        self.tally.add(seat, seq, seen)
        if self._has_seed:
            self.drawn_again += drawn_again

    def add_override(
        self, evidence: Evidence, seq: int, viewer: Viewer, sides: tuple[str, ...]
    ) -> None:
        """Keep an event that overrules, unless the audit is brief; any other is passed over."""
        if self._is_brief:
            return
        override = override_in(evidence, seq, sides, viewer)
        if override is not None:
            self.overrides.append(override)

    def add_taken_up(
        self, event: Event, evidence: Evidence, viewer: Viewer, sides: tuple[str, ...]
    ) -> None:
        """Count the dice of the log that a fork continues, as far as the reader may see them."""
        if tells_again(event.effects):
            view = view_of_event(evidence.body, filled_parts(evidence), sides, viewer)
            self.taken_up |= taken_up_in(msgspec.json.decode(view))

    def add_luck(
        self,
        event: Event,
        before: State[Any] | None,
        evidence: Evidence,
        viewer: Viewer,
        sides: tuple[str, ...],
        *,
        holds: bool = True,
    ) -> None:
        """Count the rolls of an event; `holds`: its verdict is good, so its odds are known."""
        if self.luck is None:
            return
        if holds:
            self.luck.count(event, before, evidence, sides, viewer)
        elif seen_draws(event.draws, viewer, sides):
            self.luck.leave_out(event.by.seat, "sealed")

    def add_unknown_luck(self, seat: str | UnsetType) -> None:
        """Count an event with dice whose odds nobody knows: parts of the log are withheld."""
        if self.luck is not None:
            self.luck.leave_out(seat, "sealed")


def asker_of(tree: dict[str, object]) -> str | UnsetType:
    """The seat that asked, as the body says."""
    by = tree.get("by")
    seat = by.get("seat") if isinstance(by, dict) else UNSET
    return seat if isinstance(seat, str) else UNSET
