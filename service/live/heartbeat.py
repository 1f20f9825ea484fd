"""The signed end of a log: signed once as long as it is the same."""

from collections.abc import Callable
from uuid import UUID

from service.encounters.responses import Receipt
from service.live.records import Heartbeat, Record, placed

Sign = Callable[[str, int, str], Receipt]
"""Signs a head: the encounter, seq and hash."""


class SignedHead:
    """The receipt and the heartbeat of one encounter's latest head."""

    __slots__ = ("_encounter", "_heartbeat", "_receipt", "_ruleset")

    def __init__(self, encounter: UUID, ruleset: str) -> None:
        self._encounter = encounter
        self._ruleset = ruleset
        self._receipt: Receipt | None = None
        self._heartbeat: Record | None = None

    def receipt(self, head: tuple[int, str], sign: Sign) -> Receipt:
        """The signature over a head."""
        receipt = self._receipt
        if receipt is None or (receipt.seq, receipt.hash) != head:
            receipt = self._receipt = sign(str(self._encounter), *head)
        return receipt

    def heartbeat(self, head: tuple[int, str], sign: Sign) -> Record:
        """The heartbeat that states a head."""
        seq, digest = head
        if self._heartbeat is None or (self._heartbeat.seq, self._heartbeat.hash8) != (
            seq,
            digest[:8],
        ):
            body = Heartbeat(
                encounter=str(self._encounter),
                ruleset=self._ruleset,
                seq=seq,
                hash=digest,
                receipt=self.receipt(head, sign),
            )
            self._heartbeat = placed(self._encounter, body, (seq, digest[:8]))
        return self._heartbeat
