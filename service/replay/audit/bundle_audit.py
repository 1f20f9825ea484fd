"""Audits of bundles by nothing but what they contain."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from service.encounters.receipts import is_genuine
from service.encounters.responses import Receipt
from service.engine.ruleset import Rulesets
from service.replay.audit.event_auditor import Auditor, Charge
from service.replay.audit.log_ends import head_problems, opening_problems
from service.replay.audit.receipt_check import Witness, trusted_key
from service.replay.bundle.format import (
    BundleEvent,
    BundleHeader,
    BundleSeal,
    evidence_in,
    parts_for,
)
from service.replay.bundle.reader import BundleReader, DamagedBundle
from service.replay.report.report import report_of
from service.replay.report.verdicts import LogProblem, Progress, Report


def audit_bundle(
    lines: Iterable[bytes],
    rulesets: Rulesets,
    *,
    public_key: str | None = None,
    progress: Progress = lambda verdict: None,
    receipts: Sequence[Receipt] = (),
) -> Report:
    """Judge a bundle by its content alone; `lines` come with their newlines.

    `public_key` (hex) is the one its receipt must be signed with, if the reader has it from
    elsewhere, and so must `receipts` that were kept of the log. Raises DamagedBundle if it cannot
    be read.
    """
    reader = BundleReader()
    auditor: Auditor | None = None
    for line in lines:
        read = reader.feed(line)
        if isinstance(read, BundleEvent) and reader.header is not None:
            auditor = auditor or _auditor(reader.header, rulesets, reader.blobs, receipts)
            progress(auditor.judge(evidence_in(read)))
    seal = reader.finish()
    if auditor is None or reader.header is None:
        raise DamagedBundle(reader.line, "truncated")
    receipt = _receipt_of(seal)
    problems = [
        *_header_problems(auditor, reader.header),
        *head_problems(auditor, seal.seq, seal.hash),
        *_receipt_problems(auditor, seal, receipt, public_key),
    ]
    viewer = reader.header.viewer.at(auditor.chain.seq)
    witness = Witness.of(receipts, _keys_of(seal, public_key))
    return report_of(auditor, viewer, problems, receipt, witness)


def _keys_of(seal: BundleSeal, public_key: str | None) -> dict[str, bytes]:
    """The one key that receipts may be signed with: the bundle's own, if none is given."""
    if public_key is None:
        return {seal.receipt.kid: bytes.fromhex(seal.public_key)}
    return trusted_key(public_key)


def _auditor(
    header: BundleHeader, rulesets: Rulesets, blobs: dict[str, bytes], receipts: Sequence[Receipt]
) -> Auditor:
    charge = Charge(
        encounter=header.encounter,
        ruleset=header.ruleset,
        version=header.version,
        seed=None if header.seed is UNSET else bytes.fromhex(header.seed),
        viewer_of_seq=header.viewer.at,
        parts_of_seq=lambda seq, sides: parts_for(header.viewer.at(seq), sides),
        witnessed=frozenset(receipt.seq for receipt in receipts),
    )
    return Auditor(rulesets, charge, blobs)


def _header_problems(auditor: Auditor, header: BundleHeader) -> list[LogProblem]:
    claims = {
        "ruleset": header.ruleset,
        "version": header.version,
        "algorithm": header.dice.algorithm,
        "mode": header.dice.mode,
        "commitment": header.commitment,
    }
    problems = opening_problems(auditor, claims)
    sides = auditor.header.sides
    named = {side for grant in header.viewer.grants for side in grant.sides}
    if not named <= set(sides):
        problems.append(LogProblem(code="header_differs", where="viewer"))
    revealed = auditor.header.seed
    if header.seed is not UNSET and (revealed is None or revealed.hex() != header.seed):
        problems.append(LogProblem(code="header_differs", where="seed"))
    return problems


def _receipt_of(seal: BundleSeal) -> Literal["genuine", "forged"] | UnsetType:
    """Whether the signature is the key's, over this head."""
    receipt = seal.receipt
    is_of_head = (receipt.seq, receipt.hash) == (seal.seq, seal.hash)
    if is_of_head and is_genuine(receipt, bytes.fromhex(seal.public_key)):
        return "genuine"
    return "forged"


def _receipt_problems(
    auditor: Auditor,
    seal: BundleSeal,
    receipt: Literal["genuine", "forged"] | UnsetType,
    public_key: str | None,
) -> list[LogProblem]:
    problems = []
    if receipt != "genuine" or seal.receipt.encounter != auditor.charge.encounter:
        problems.append(LogProblem(code="receipt_forged", where="seal"))
    if public_key is not None and public_key != seal.public_key:
        problems.append(
            LogProblem(
                code="key_differs", where="seal", stored=seal.public_key, expected=public_key
            )
        )
    return problems
