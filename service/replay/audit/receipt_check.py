"""Receipts that clients kept, compared with the log: the only way to find one rewritten whole.

How this works. A receipt is the service's signature over a head, its seq and its hash: it proves
that the log once ended there. Each is judged by itself; the first of these checks that fails gives
the verdict: the key it names is known, the signature is that key's over its fields, it is of this
encounter, the log still reaches that far, and it has the same event there. The hash is computed
from the event's bytes, not taken from the one stored beside them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, Self

from msgspec import UNSET, Meta, Struct

from service.encounters.receipts import is_genuine, kid_of
from service.encounters.responses import Receipt
from service.engine.vocabulary.patterns import whole
from service.engine.vocabulary.values import Digest, Seq
from service.replay.report.verdicts import LogProblem, ReceiptRuling, ReceiptVerdict

MOST_RECEIPTS: Final = 1000
"""Receipts in one request. Service default, not in the source text."""


class KeptReceipt(Receipt, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A receipt as it came with an answer or a record of a stream, field by field."""

    kid: Annotated[str, Meta(min_length=1, max_length=64)]
    """Id of the service's key that signed, as the published key set names it."""
    encounter: Annotated[str, Meta(min_length=1, max_length=64)]
    """Id of the encounter that it was given for."""
    seq: Seq
    """Event that was the head then."""
    hash: Digest
    """Hash of that event."""
    sig: Annotated[str, Meta(min_length=128, max_length=128, pattern=whole("[0-9a-f]{128}"))]
    """Ed25519 signature, in hex, over the other fields."""


class AuditRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The receipts to hold against the log, of whatever heads, in any order."""

    receipts: Annotated[tuple[KeptReceipt, ...], Meta(min_length=1, max_length=MOST_RECEIPTS)]
    """Receipts that the client kept."""


@dataclass(frozen=True, slots=True)
class Witness:
    """Receipts, each with the verdict on its signature."""

    receipts: tuple[Receipt, ...] = ()
    signatures: tuple[ReceiptRuling, ...] = field(default=())

    @classmethod
    def of(cls, receipts: Sequence[Receipt], public_keys: Mapping[str, bytes]) -> Self:
        """Verify the signatures, a tenth of a millisecond each; keys are raw bytes by id."""
        return cls(tuple(receipts), tuple(_signature(receipt, public_keys) for receipt in receipts))

    @property
    def seqs(self) -> frozenset[int]:
        """The seqs of which `verdicts` needs the hash."""
        return frozenset(receipt.seq for receipt in self.receipts)

    def verdicts(
        self, encounter: str, hashes: Mapping[int, str], head: int
    ) -> tuple[ReceiptVerdict, ...]:
        """A verdict on each receipt; `hashes` are those of the log at `seqs`, as far as it has any.

        The log ends at `head`.
        """
        return tuple(
            _verdict(receipt, signature, encounter, hashes.get(receipt.seq), head)
            for receipt, signature in zip(self.receipts, self.signatures, strict=True)
        )


NO_WITNESS: Final = Witness()


def trusted_key(public_key: str) -> dict[str, bytes]:
    """The one key (hex) that a reader trusts, by its id."""
    public = bytes.fromhex(public_key)
    return {kid_of(public): public}


def receipt_problems(verdicts: Sequence[ReceiptVerdict]) -> list[LogProblem]:
    """A problem for each receipt that does not hold, counted from 0 as it was given."""
    return [
        LogProblem(
            code=f"receipt_{verdict.verdict}",
            where=f"receipts[{index}]",
            stored=verdict.found,
            expected=UNSET if verdict.found is UNSET else f"{verdict.seq}-{verdict.hash}",
        )
        for index, verdict in enumerate(verdicts)
        if verdict.verdict != "held"
    ]


def _signature(receipt: Receipt, public_keys: Mapping[str, bytes]) -> ReceiptRuling:
    public = public_keys.get(receipt.kid)
    if public is None:
        return "of_unknown_key"
    return "held" if is_genuine(receipt, public) else "forged"


def _verdict(
    receipt: Receipt, signature: ReceiptRuling, encounter: str, stored_hash: str | None, head: int
) -> ReceiptVerdict:
    ruling: Literal["held"] | ReceiptRuling = signature
    instead: str | None = None
    if signature == "held" and receipt.encounter != encounter:
        ruling = "of_another_encounter"
    elif signature == "held" and receipt.seq > head:
        ruling, instead = "beyond_head", str(head)
    elif signature == "held" and stored_hash != receipt.hash:
        ruling, instead = "differs", f"{receipt.seq}-{stored_hash or 'none'}"
    return ReceiptVerdict(
        seq=receipt.seq,
        hash=receipt.hash,
        verdict=ruling,
        found=UNSET if instead is None else instead,
    )
