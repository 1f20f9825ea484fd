"""Result of a bundle once its last line is read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from warlog.verifier.bundle_check import BundleCheck, Found
from warlog.verifier.details import Detail, Language, said
from warlog.verifier.ed25519 import SignatureCheck
from warlog.verifier.findings import well_formed
from warlog.verifier.keys import key_id
from warlog.verifier.line_forms import Json
from warlog.verifier.log_checks import (
    check_blobs,
    check_erased,
    check_header,
    check_seal,
    check_seed,
)
from warlog.verifier.log_state import LogState
from warlog.verifier.receipts import Head, LogEnd, head_verdict, receipt_verdict
from warlog.verifier.report import (
    BundleSummary,
    Counts,
    DiceReport,
    Finding,
    KeptReport,
    Remark,
    Report,
    Signer,
    SigningKey,
    ToldAgain,
)
from warlog.verifier.text_places import TABLE_FORMAT

MOST_FINDINGS: Final = 100
"""So many findings are kept; all are counted."""


class Findings:
    """Findings in the order in which they are told: a bounded list, and how many there are."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self.kept: list[Finding] = []
        self.count = 0

    def add(self, found: Found) -> None:
        """Take a finding down."""
        self.count += 1
        if len(self.kept) < MOST_FINDINGS:
            self.kept.append(
                Finding(
                    code=found.code,
                    line=found.line,
                    seq=found.seq,
                    path=None if found.path is None else well_formed(found.path),
                    where=found.where,
                    detail=well_formed(found.detail.told(self.language)),
                )
            )


class Kept(Struct, frozen=True, kw_only=True):
    """What a client kept, and the hashes that the log has at the seqs of it."""

    heads: Sequence[Head]
    receipts: Sequence[Json]
    hashes: Mapping[int, str]


class Conclusion:
    """The judgement of the whole log. `trusted` are public keys; None where none were named."""

    def __init__(
        self,
        check: BundleCheck,
        findings: Findings,
        trusted: Sequence[str] | None,
        signatures: SignatureCheck,
    ) -> None:
        self._check = check
        self._findings = findings
        self._trusted = trusted
        self._signatures = signatures
        self._seal = None if check.is_broken else check.seal
        self._is_signed = False
        if check.log is not None and self._seal is not None:
            self._judge_log(check.log, self._seal)

    def report(self, kept: Kept) -> Report:
        """The report, with the verdicts on what was kept."""
        heads, receipts = self._kept_heads(kept), self._kept_receipts(kept)
        self._find_kept("heads", heads)
        self._find_kept("receipts", receipts)
        check, findings, log = self._check, self._findings, self._check.log
        is_whole = log is not None and self._seal is not None
        return Report(
            clean=findings.count == 0 and (log is None or log.unknown is None),
            signer=self._signer(),
            first=findings.kept[0] if findings.kept else None,
            findings=tuple(findings.kept),
            unknown=None if log is None else self._unknown(log),
            remarks=_remarks(log),
            bundle=None if log is None else _summary(log.header),
            head=Head(seq=log.seq, hash=log.hash) if log is not None and is_whole else None,
            key=None if log is None or self._seal is None else _key(self._seal),
            dice=_dice(log),
            counts=Counts(
                bytes=check.bytes,
                lines=check.lines,
                blobs=len(check.blobs),
                events=0 if log is None else log.events,
                parts=0 if log is None else log.parts,
                withheld=0 if log is None else log.withheld_parts,
                erased=0 if log is None else log.erased_parts,
                rewinds=0 if log is None else log.rewinds,
                findings=findings.count,
            ),
            heads=tuple(heads),
            receipts=tuple(receipts),
        )

    def _judge_log(self, log: LogState, seal: Json) -> None:
        def report(code: str, where: str, detail: Detail) -> None:
            self._findings.add(Found(code=code, where=where, detail=detail))

        check_header(log, report)
        check_seed(log, report)
        check_blobs(log, self._check.blobs, report)
        before = self._findings.count
        check_seal(log, seal, self._trusted, self._signatures, report)
        self._is_signed = self._findings.count == before
        check_erased(log, report)

    def _kept_heads(self, kept: Kept) -> list[KeptReport]:
        log = self._check.log
        return [
            KeptReport(
                seq=head.seq,
                hash=head.hash,
                verdict=None
                if log is None or self._seal is None
                else head_verdict(head.seq, head.hash, log.seq, kept.hashes.get(head.seq)),
            )
            for head in kept.heads
        ]

    def _kept_receipts(self, kept: Kept) -> list[KeptReport]:
        told = []
        for receipt in kept.receipts:
            verdict = None
            if self._check.log is not None and self._seal is not None:
                end = LogEnd(
                    encounter=self._check.log.header["encounter"],
                    last=self._check.log.seq,
                    hash=kept.hashes.get(receipt["seq"]),
                    keys=[self._seal["public_key"]] if self._trusted is None else self._trusted,
                )
                verdict = receipt_verdict(self._signatures, receipt, end)
            named = {name: receipt[name] for name in ("encounter", "kid", "seq", "hash")}
            told.append(KeptReport(**named, verdict=verdict))
        return told

    def _find_kept(self, name: str, kept: Sequence[KeptReport]) -> None:
        for at, each in enumerate(kept):
            if each.verdict not in (None, "held"):
                detail = said(
                    "what was kept of event {} does not hold: {}", each.seq, str(each.verdict)
                )
                found = Found(
                    code=str(each.verdict), where=f"{name}[{at}]", seq=each.seq, detail=detail
                )
                self._findings.add(found)

    def _unknown(self, log: LogState) -> Finding | None:
        """The first thing that the table of places does not have."""
        if log.unknown is None or log.unknown_at is None:
            return None
        line, seq = log.unknown_at
        detail = said("the table of this verifier has number {}", TABLE_FORMAT)
        return Finding(
            code="version_unknown",
            line=line,
            seq=seq,
            path=log.unknown,
            detail=detail.told(self._findings.language),
        )

    def _signer(self) -> Signer:
        """Who signed the head, as far as that is known."""
        if self._seal is None:
            return "none"
        if self._trusted is not None and self._seal["public_key"] not in self._trusted:
            return "wrong"
        if not self._is_signed:
            return "none"
        return "unknown" if self._trusted is None else "trusted"


def _remarks(log: LogState | None) -> tuple[Remark, ...]:
    if log is None or not log.clock_went_back:
        return ()
    return (Remark(code="clock_went_back", count=log.clock_went_back),)


def _summary(header: Json) -> BundleSummary:
    return BundleSummary(
        encounter=header["encounter"],
        ruleset=header["ruleset"],
        version=header["version"],
        viewer=header["viewer"]["kind"],
    )


def _key(seal: Json) -> SigningKey:
    return SigningKey(id=key_id(seal["public_key"]), public_key=seal["public_key"])


def _dice(log: LogState | None) -> DiceReport:
    if log is None:
        return DiceReport(
            mode="unknown",
            seed="absent",
            visible=0,
            checked=0,
            taken_up=0,
            told_again=(),
            contributions=0,
            origin="unknown",
        )
    return DiceReport(
        mode=log.mode,
        seed=log.seed,
        visible=log.visible_dice + len(log.taken_up),
        checked=log.checked_dice,
        taken_up=len(log.taken_up),
        told_again=tuple(
            ToldAgain(seq=seq, dice=dice)
            for seq, dice in sorted(
                Counter(name[0] for _, name in log.waits.unseen - log.waits.seen).items()
            )
        ),
        contributions=len(log.contributions),
        origin="unknown" if log.creation is None else log.creation.origin,
    )
