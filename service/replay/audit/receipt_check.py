"""What clients kept of a log, held against it: nothing else finds a log that was rewritten whole.

How this works. A receipt is the service's signature over a head, its seq and its hash: whoever kept
one can show that the log once ended there. Each is judged by itself, and the first of these that
fails says what is wrong: the key that it names is a known one, the signature is that key's over
just these words, it is of this encounter, the log still reaches that far, and it has the same event
there. The hash is taken of the event's bytes, whatever hash is stored beside them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, Self

from msgspec import UNSET, Meta, Struct

from service.encounters.receipts import is_genuine
from service.encounters.responses import Receipt
from service.engine.vocabulary.patterns import whole
from service.engine.vocabulary.values import Digest, Seq
from service.replay.report.verdicts import LogProblem, ReceiptRuling, ReceiptVerdict

MOST_RECEIPTS: Final = 1000
"""So many receipts are looked at in one request. Service default, not in the source text."""


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
    """Receipts, and of each what its signature alone comes to."""

    receipts: tuple[Receipt, ...] = ()
    signatures: tuple[ReceiptRuling, ...] = field(default=())

    @classmethod
    def of(cls, receipts: Sequence[Receipt], public_keys: Mapping[str, bytes]) -> Self:
        """Look at the signatures, a tenth of a millisecond each; keys are raw, by their ids."""
        return cls(tuple(receipts), tuple(_signature(each, public_keys) for each in receipts))

    @property
    def seqs(self) -> frozenset[int]:
        """The seqs whose hashes are asked for."""
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


def receipt_problems(verdicts: Sequence[ReceiptVerdict]) -> list[LogProblem]:
    """A problem for each receipt that does not hold, counted from 0 as it was given."""
    return [
        LogProblem(
            code=f"receipt_{each.verdict}",
            where=f"receipts[{index}]",
            stored=each.found,
            expected=UNSET if each.found is UNSET else f"{each.seq}-{each.hash}",
        )
        for index, each in enumerate(verdicts)
        if each.verdict != "held"
    ]


def _signature(receipt: Receipt, public_keys: Mapping[str, bytes]) -> ReceiptRuling:
    public = public_keys.get(receipt.kid)
    if public is None:
        return "of_unknown_key"
    return "held" if is_genuine(receipt, public) else "forged"


def _verdict(
    receipt: Receipt, signature: ReceiptRuling, encounter: str, there: str | None, head: int
) -> ReceiptVerdict:
    ruling: Literal["held"] | ReceiptRuling = signature
    found: str | None = None
    if signature == "held" and receipt.encounter != encounter:
        ruling = "of_another_encounter"
    elif signature == "held" and receipt.seq > head:
        ruling, found = "beyond_head", str(head)
    elif signature == "held" and there != receipt.hash:
        ruling, found = "differs", f"{receipt.seq}-{there or 'none'}"
    return ReceiptVerdict(
        seq=receipt.seq,
        hash=receipt.hash,
        verdict=ruling,
        found=UNSET if found is None else found,
    )
