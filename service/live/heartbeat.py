"""The signed end of a log: signed once while it is the same, however often it is told."""

from collections.abc import Callable
from uuid import UUID

from service.encounters.responses import Receipt
from service.live.records import Heartbeat, Record, placed

Sign = Callable[[str, int, str], Receipt]
"""Signs a head: the encounter, seq and hash."""


class Pulse:
    """What was signed of one encounter last."""

    __slots__ = ("_beat", "_encounter", "_receipt", "_ruleset")

    def __init__(self, encounter: UUID, ruleset: str) -> None:
        self._encounter = encounter
        self._ruleset = ruleset
        self._receipt: Receipt | None = None
        self._beat: Record | None = None

    def receipt(self, head: tuple[int, str], sign: Sign) -> Receipt:
        """The signature over a head."""
        known = self._receipt
        if known is None or (known.seq, known.hash) != head:
            known = self._receipt = sign(str(self._encounter), *head)
        return known

    def beat(self, head: tuple[int, str], sign: Sign) -> Record:
        """The heartbeat that states a head."""
        seq, digest = head
        if self._beat is None or (self._beat.seq, self._beat.hash8) != (seq, digest[:8]):
            body = Heartbeat(
                encounter=str(self._encounter),
                ruleset=self._ruleset,
                seq=seq,
                hash=digest,
                receipt=self.receipt(head, sign),
            )
            self._beat = placed(self._encounter, body, (seq, digest[:8]))
        return self._beat
