"""What clients kept of a log, compared with it: the only way to find one rewritten whole.

How this works. A receipt is the service's signature over a head, its seq and its hash: it proves
that the log once ended there. Each is judged by itself; the first of these checks that fails gives
the verdict: the key it names is known, the signature is that key's over its fields, it is of this
encounter, the log still reaches that far, and it has the same event there. The hash is computed
from the event's bytes, not taken from the one stored beside them. A head that somebody noted
without its receipt is compared in the same way; whether the log ever ended there only he can know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, Self

from msgspec import UNSET, Meta, Struct, UnsetType

from service.encounters.receipts import is_genuine
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
class KeptHead:
    """A head that somebody noted: the log ended once at `seq` with an event of this hash (hex)."""

    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class Witness:
    """Receipts, each with the verdict on its signature, and heads noted without one."""

    receipts: tuple[Receipt, ...] = ()
    signatures: tuple[ReceiptRuling, ...] = field(default=())
    heads: tuple[KeptHead, ...] = ()

    @classmethod
    def of(
        cls,
        receipts: Sequence[Receipt],
        public_keys: Mapping[str, bytes],
        heads: Sequence[KeptHead] = (),
    ) -> Self:
        """Verify the signatures, a tenth of a millisecond each; keys are raw bytes by id."""
        signatures = tuple(_signature(receipt, public_keys) for receipt in receipts)
        return cls(tuple(receipts), signatures, tuple(heads))

    @property
    def seqs(self) -> frozenset[int]:
        """The seqs of which the verdicts need the hash."""
        return frozenset(each.seq for each in self.receipts) | {each.seq for each in self.heads}

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

    def head_verdicts(self, hashes: Mapping[int, str], head: int) -> tuple[ReceiptVerdict, ...]:
        """A verdict on each head that was noted, as on receipts."""
        return tuple(
            ReceiptVerdict(seq=kept.seq, hash=kept.hash, verdict=ruling, found=found)
            for kept in self.heads
            for ruling, found in [_fit(kept, hashes.get(kept.seq), head)]
        )


NO_WITNESS: Final = Witness()


def receipt_problems(verdicts: Sequence[ReceiptVerdict]) -> list[LogProblem]:
    """A problem for each receipt that does not hold, counted from 0 as it was given."""
    return _problems(verdicts, "receipt", "receipts")


def kept_head_problems(verdicts: Sequence[ReceiptVerdict]) -> list[LogProblem]:
    """The same of heads that were noted."""
    return _problems(verdicts, "kept", "heads")


def _problems(verdicts: Sequence[ReceiptVerdict], code: str, where: str) -> list[LogProblem]:
    return [
        LogProblem(
            code=f"{code}_{verdict.verdict}",
            where=f"{where}[{index}]",
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
    ruling: ReceiptRuling = signature
    found: str | UnsetType = UNSET
    if signature == "held" and receipt.encounter != encounter:
        ruling = "of_another_encounter"
    elif signature == "held":
        ruling, found = _fit(receipt, stored_hash, head)
    return ReceiptVerdict(seq=receipt.seq, hash=receipt.hash, verdict=ruling, found=found)


def _fit(
    kept: Receipt | KeptHead, stored_hash: str | None, head: int
) -> tuple[ReceiptRuling, str | UnsetType]:
    """Whether the log, which ends at `head`, has what was kept, and what it has instead."""
    if kept.seq > head:
        return "beyond_head", str(head)
    if stored_hash != kept.hash:
        return "differs", f"{kept.seq}-{stored_hash or 'none'}"
    return "held", UNSET
