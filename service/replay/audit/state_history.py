"""The states that an audited log has led to, as far as an event may still continue one."""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from service.engine import hashing
from service.engine.battle.linear import Linear
from service.engine.battle.state import RuleState, State
from service.engine.battle.terms import Terms
from service.engine.ruleset.definition import Ruleset
from service.replay.report.differences import UNREADABLE


class StateHistory:
    """The rule half by seq, the linear half of the last event.

    `bases` are the seqs that later events go back to, where they are known: then no other rule half
    outlives the event after it. None keeps them all. Blobs are those that the ruleset, if there is
    one, can read of those at hand.
    """

    def __init__(
        self,
        ruleset: Ruleset[Any] | None,
        blobs: Mapping[str, bytes],
        bases: Collection[int] | None,
    ) -> None:
        decoded = _decoded(ruleset, blobs)
        self.terms = Terms(decoded, None) if ruleset is None else ruleset.terms(decoded)
        self._bases = bases
        self._rules: dict[int, RuleState] = {}
        self._linear: Linear | None = None
        self._last = 0

    @property
    def is_empty(self) -> bool:
        """Whether no state was ever reached."""
        return self._linear is None

    def before(self, base: int) -> State[Any]:
        """The state that the next event continues. Raises KeyError if it was never reached."""
        if self._linear is None:
            raise KeyError(base)
        return State(rule=self._rules[base], linear=self._linear, terms=self.terms)

    def at(self, seq: int) -> State[Any] | None:
        """The state after the last event, if `seq` is that one."""
        rule = self._rules.get(seq)
        if rule is None or self._linear is None:
            return None
        return State(rule=rule, linear=self._linear, terms=self.terms)

    def keep(self, state: State[Any], seq: int) -> None:
        """Event `seq` leads to this state."""
        if self._bases is not None and self._last not in self._bases:
            self._rules.pop(self._last, None)
        self._rules[seq] = state.rule
        self._linear = state.linear
        self._last = seq

    def missing_blobs(self, state: State[Any]) -> list[str]:
        """The digests of map and content that a state names and are not at hand."""
        named = (state.rule.map, state.rule.content)
        return [name for name in named if isinstance(name, str) and name not in self.terms.blobs]


def _decoded(ruleset: Ruleset[Any] | None, blobs: Mapping[str, bytes]) -> dict[str, object]:
    """The blobs as the rules read them; those that do not fit their digest are left out."""
    decoded: dict[str, object] = {}
    for digest, body in blobs.items():
        if ruleset is None or hashing.blob_digest(body) != digest:
            continue
        try:
            decoded[digest] = msgspec.json.decode(body, type=ruleset.blob)
        except UNREADABLE:
            continue
    return decoded
