"""Battles in memory, of which every rewind that a player could ask for is tried."""

from typing import Any

import msgspec
from msgspec import UNSET

from service.engine.battle import decide
from service.engine.battle.state import State
from service.engine.log.canonical import encode
from service.engine.vocabulary.actions import Rewind
from service.errors import WarlogError
from tests.hostile.battle import Done, NotDone, Outcome, Tree, Undone
from tests.kit.table import Table, effects_of


class InMemory:
    """One of them."""

    unseen = "h"

    def __init__(self, table: Table) -> None:
        self._table = table
        self._seen: dict[str, Tree] = {}

    @property
    def head(self) -> int:
        """How many events there are."""
        return len(self._table.events)

    def view(self, by: str) -> Tree:
        """The rule state as somebody sees it now."""
        if by not in self._seen:
            shown = self._table.view(by)
            assert isinstance(shown, dict)
            self._seen[by] = shown
        return self._seen[by]

    def samples(self, combatant: str, count: int, by: str) -> list[dict[str, Any]]:
        """Legal actions of a combatant."""
        return self._table.samples(combatant, count, by)

    def ask(self, action: Tree, by: str, faces: tuple[int, ...] = ()) -> Outcome:
        """Try to do something."""
        try:
            event = self._table.ask(action, by, faces)
        except WarlogError as error:
            return refusal_of(error)
        self._seen = {}
        return Done(effects_of(event))

    def told(self, by: str) -> object:
        """The last event, the state and who takes part, as somebody sees them."""
        shown = self._table.shown(self.head, by)
        return encode(shown), encode(self.view(by)), encode(self._table.seating(by))

    def rewinds_tried(self, by: str) -> object:
        """To any event, and to one that is not there yet."""
        return [self._tried(by, to) for to in range(1, self.head + 2)]

    def undone(self) -> list[Undone]:
        """The events that counted before the last one, a rewind, and count no more."""
        last = self._table.events[-1]
        kept = set(self._chain(last.seq))
        gone = [self._table.events[seq - 1] for seq in self._chain(last.seq - 1) if seq not in kept]
        return [
            Undone(
                None if event.by.seat is UNSET else event.by.seat,
                str(event.action.__struct_config__.tag),
            )
            for event in gone
        ]

    def _chain(self, seq: int) -> list[int]:
        """The seqs that the rule state after an event is made of, the last first."""
        seqs = []
        while seq:
            seqs.append(seq)
            seq = self._table.events[seq - 1].base
        return seqs

    def _tried(self, by: str, to: int) -> object:
        """What would become of a rewind, and nothing is done; "done" if it were."""
        table, seq, action = self._table, self.head + 1, Rewind(to=to)
        try:
            base = decide.base_of(action, seq)
            before = State(rule=table.rules[base], linear=table.state.linear, terms=table.terms)
            dice = table._dice(before, seq, ())
            decide.decide(table.ruleset, before, action, table.who(by), seq, dice)
        except WarlogError as error:
            return refusal_of(error)
        return "done"


def refusal_of(error: WarlogError) -> NotDone:
    """Code, facts and rule."""
    params = msgspec.json.decode(encode(error.params))
    return NotDone(error.code, params, getattr(error, "rule", None))
