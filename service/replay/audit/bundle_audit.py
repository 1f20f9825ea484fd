"""Audits of bundles by nothing but what they contain."""

from collections.abc import Iterable
from functools import partial
from importlib import import_module
from typing import Any, Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.encounters.receipts import is_genuine, kid_of
from service.engine.ruleset.definition import Rulesets
from service.engine.vocabulary.values import By
from service.replay.audit.event_auditor import Auditor, Charge
from service.replay.audit.log_ends import head_problems, opening_problems
from service.replay.audit.luck_tally import MASTER
from service.replay.audit.receipt_check import Witness
from service.replay.audit.trust import NOTHING_KEPT, Kept
from service.replay.bundle.format import (
    BundleEvent,
    BundleHeader,
    BundleSeal,
    evidence_in,
    parts_for,
)
from service.replay.bundle.reader import BundleReader, DamagedBundle
from service.replay.log.sealed_event import Evidence
from service.replay.report.report import report_of
from service.replay.report.verdicts import (
    FAULTS,
    EventVerdict,
    LogProblem,
    Progress,
    Report,
    SignerRuling,
)


def audit_bundle(
    lines: Iterable[bytes],
    rulesets: Rulesets,
    *,
    kept: Kept = NOTHING_KEPT,
    progress: Progress = lambda verdict: None,
    with_luck: bool = False,
) -> Report:
    """Judge a bundle by its content alone; `lines` come with their newlines.

    `kept` is what the reader has from elsewhere. Receipts in it are verified with the keys that he
    trusts and, unless he demands one of those, the bundle's own. Luck is told by the previews of
    the game master where all parts are at hand, else by those of the players whose sight the bundle
    holds. Raises DamagedBundle if it cannot be read.
    """
    audit = BundleAudit(rulesets, kept, with_luck=with_luck)
    for line in lines:
        verdict = audit.feed(line)
        if verdict is not None:
            progress(verdict)
    return audit.report()


class BundleAudit:
    """An audit under way: every line is fed to it, with its newline; then it reports.

    `auditor` is there from the first event on, `evidence` is that of the last event.
    """

    def __init__(
        self, rulesets: Rulesets, kept: Kept = NOTHING_KEPT, *, with_luck: bool = False
    ) -> None:
        self.auditor: Auditor | None = None
        self.evidence: Evidence | None = None
        self.reader = BundleReader()
        self._rulesets = rulesets
        self._kept = kept
        self._with_luck = with_luck
        self._seen_luck: Any = None

    def feed(self, line: bytes) -> EventVerdict | None:
        """The verdict on the event of this line, if it is one. Raises DamagedBundle."""
        reader = self.reader
        read = reader.feed(line)
        if not isinstance(read, BundleEvent) or reader.header is None:
            return None
        if self.auditor is None:
            self.auditor = self._begin(reader.header)
        self.evidence = evidence_in(read)
        verdict = self.auditor.judge(self.evidence, partial(reader.require_form, read))
        if "canonical" in verdict.broken and verdict.path != "$.at":
            reader.require_unmendable(read)
        if self._seen_luck is not None:
            holds = verdict.verdict not in FAULTS
            sides = self.auditor.header.sides
            self._seen_luck.take(verdict.seq, self.evidence, sides, holds=holds)
        reader.require_order(read, self.auditor.header.sides)
        return verdict

    def _begin(self, header: BundleHeader) -> Auditor:
        """The auditor of the bundle, and what tells luck without all of its parts."""
        is_whole = header.viewer.kind == "gm"
        asker = MASTER if self._with_luck and is_whole else None
        auditor = _auditor(header, self._rulesets, self.reader.blobs, self._kept, asker)
        ruleset = self._rulesets.get((header.ruleset, header.version))
        if self._with_luck and not is_whole and ruleset is not None:
            # Takes longer to import than many a bundle to audit.
            luck: Any = import_module("service.replay.audit.seen_luck")
            self._seen_luck = luck.SeenLuck(ruleset, header.viewer, auditor.terms)
        return auditor

    def report(self) -> Report:
        """The report, once there is no further line. Raises DamagedBundle."""
        reader, auditor, kept = self.reader, self.auditor, self._kept
        seal = reader.finish()
        if auditor is None or reader.header is None:
            raise DamagedBundle(reader.line, "truncated")
        receipt = _receipt_of(seal)
        public = bytes.fromhex(seal.public_key)
        signer = kept.trusted.signer(public)
        problems = [
            *_header_problems(auditor, reader.header),
            *_blob_problems(reader),
            *head_problems(auditor, seal.seq, seal.hash),
            *_receipt_problems(auditor, seal, receipt, signer),
        ]
        viewer = reader.header.viewer.at(auditor.chain.seq)
        own = {} if kept.trusted.is_demanded else {kid_of(public): public}
        witness = Witness.of(kept.receipts, {**own, **kept.trusted.by_id}, kept.heads)
        report = report_of(auditor, viewer, problems, receipt, signer, witness)
        if self._seen_luck is None:
            return report
        return replace(report, luck=self._seen_luck.report(auditor.rewinds.undone_by()))


def _auditor(
    header: BundleHeader,
    rulesets: Rulesets,
    blobs: dict[str, bytes],
    kept: Kept,
    luck_reader: By | None,
) -> Auditor:
    charge = Charge(
        encounter=header.encounter,
        ruleset=header.ruleset,
        version=header.version,
        seed=None if header.seed is UNSET else bytes.fromhex(header.seed),
        viewer_of_seq=header.viewer.at,
        parts_of_seq=lambda seq, sides: parts_for(header.viewer.at(seq), sides),
        witnessed=frozenset(each.seq for each in kept.receipts) | {each.seq for each in kept.heads},
        reader=luck_reader,
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


def _blob_problems(reader: BundleReader) -> list[LogProblem]:
    fault = reader.blob_fault
    return [] if fault is None else [LogProblem(code=fault, where="blobs")]


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
    signer: SignerRuling,
) -> list[LogProblem]:
    problems = []
    if receipt != "genuine" or seal.receipt.encounter != auditor.charge.encounter:
        problems.append(LogProblem(code="receipt_forged", where="seal"))
    key_id = kid_of(bytes.fromhex(seal.public_key))
    if seal.receipt.kid != key_id:
        problems.append(
            LogProblem(
                code="key_id_differs", where="seal", stored=seal.receipt.kid, expected=key_id
            )
        )
    if signer == "wrong":
        problems.append(LogProblem(code="key_differs", where="seal", stored=key_id))
    return problems
