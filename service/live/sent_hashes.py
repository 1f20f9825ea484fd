"""The events that a channel sent lately, by their hashes: to tell a repeat from another log."""

from collections.abc import Sequence
from typing import Final

from service.live.outgoing_event import OutgoingEvent

KNOWN_HASHES: Final = 64
"""Events sent of which the hash is remembered."""


class SentHashes:
    """Hashes, in hex, of the last events up to where a channel is; never without that one."""

    def __init__(self, seq: int, digest: str) -> None:
        self._last = seq
        self._hashes: dict[int, str] = {seq: digest}

    def add(self, run: Sequence[OutgoingEvent]) -> None:
        """These were sent, each behind the one before; there is one at least."""
        for event in run:
            self._hashes[event.seq] = event.hash
        self._last = run[-1].seq
        while len(self._hashes) > KNOWN_HASHES:
            del self._hashes[next(iter(self._hashes))]

    def has(self, event: OutgoingEvent) -> bool:
        """Whether this very event was sent, as far as is remembered."""
        return self._hashes.get(event.seq) == event.hash

    def are_continued_by(self, tail: Sequence[OutgoingEvent]) -> bool:
        """Whether events read from the log continue those that were sent."""
        for event in tail:
            if self._hashes.get(event.seq, event.hash) != event.hash:
                return False
            if event.seq == self._last + 1 and event.prev != self._hashes[self._last]:
                return False
        return True

    def hash8_of(self, seq: int) -> str | None:
        """The first digits of an event's hash, if it was sent lately."""
        digest = self._hashes.get(seq)
        return None if digest is None else digest[:8]
