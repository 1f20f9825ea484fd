"""Whom the reader of a bundle trusts to have signed it, and what he kept of its log.

A bundle brings the key that its receipt fits. Whoever forges a bundle brings a key too, so that key
proves nothing: trust comes from keys that the reader has from elsewhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from service.encounters.receipts import kid_of
from service.encounters.responses import Receipt
from service.replay.audit.receipt_check import KeptHead
from service.replay.report.verdicts import SignerRuling


@dataclass(frozen=True, slots=True)
class TrustedKeys:
    """Public keys (32 raw bytes) by their ids.

    `is_demanded`: a bundle must be signed with one of them, any other key is a fault. Otherwise
    they are those of services that the reader knows, and this one may be another.
    """

    by_id: Mapping[str, bytes] = field(default_factory=dict)
    is_demanded: bool = False

    def signer(self, public: bytes) -> SignerRuling:
        """What to make of a log that was signed with this key."""
        if self.by_id.get(kid_of(public)) == public:
            return "trusted"
        return "wrong" if self.is_demanded else "unknown"


@dataclass(frozen=True, slots=True)
class Kept:
    """What a reader has from elsewhere: keys, and what he kept of the log while it was written."""

    trusted: TrustedKeys = TrustedKeys()
    receipts: Sequence[Receipt] = ()
    heads: Sequence[KeptHead] = ()


NOTHING_KEPT: Final = Kept()
