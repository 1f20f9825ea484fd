"""A bundle from its first byte to the report."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from warlog.verifier.bundle_check import BundleCheck
from warlog.verifier.conclusion import Conclusion, Findings, Kept
from warlog.verifier.details import Language
from warlog.verifier.ed25519 import signature_check
from warlog.verifier.keys import Keys, public_keys_of
from warlog.verifier.line_forms import Json, as_receipt
from warlog.verifier.lines import LineReader, RawLine, Source, pieces_of
from warlog.verifier.receipts import Head, noted_head
from warlog.verifier.report import Progress, Report

KeptReceipt: TypeAlias = Mapping[str, Any] | Struct
"""A receipt as it came with an answer of the service; other fields are ignored."""


def verify(
    source: Source,
    *,
    keys: Keys | None = None,
    heads: Iterable[str | Head] = (),
    receipts: Iterable[KeptReceipt] = (),
    language: Language = "en",
    on_progress: Callable[[Progress], None] | None = None,
) -> Report:
    """Verify a bundle by nothing but what it contains, piece by piece.

    `keys` are those of which one must have signed, as `warlog.signing_keys()` gives them; without
    them the signer is at best unknown. `heads` (`SEQ-HASH`) and `receipts` are what was kept of
    this log or others. `on_progress` is called behind every piece; what it raises ends the work.

    Whatever is wrong with the bundle is in the report. Raises ValueError or TypeError for keys,
    heads, receipts or a source that are none, MissingLibrary, and what reading the source raises.
    """
    verification = Verification(keys=keys, heads=heads, receipts=receipts, language=language)
    for piece in pieces_of(source):
        verification.feed(piece)
        if on_progress is not None:
            on_progress(verification.progress)
        if verification.is_over:
            break
    report = verification.report()
    if on_progress is not None:
        on_progress(verification.progress)
    return report


class Verification:
    """A bundle that is judged while its bytes come. Raises as `verify` does."""

    def __init__(
        self,
        *,
        keys: Keys | None = None,
        heads: Iterable[str | Head] = (),
        receipts: Iterable[KeptReceipt] = (),
        language: Language = "en",
    ) -> None:
        self._signatures = signature_check()
        self._trusted = None if keys is None else public_keys_of(keys)
        self._heads = [noted_head(each) if isinstance(each, str) else each for each in heads]
        self._receipts = [_receipt(each, at) for at, each in enumerate(receipts)]
        self._wanted = {
            *(head.seq for head in self._heads),
            *(receipt["seq"] for receipt in self._receipts),
        }
        self._hashes: dict[int, str] = {}
        self._findings = Findings(language)
        self._check = BundleCheck(self._findings.add)
        self._reader = LineReader()

    @property
    def is_over(self) -> bool:
        """Whether nothing that may still come can be judged."""
        return self._check.is_broken

    @property
    def progress(self) -> Progress:
        """How much was judged so far."""
        check = self._check
        events = 0 if check.log is None else check.log.events
        return Progress(bytes=check.bytes, lines=check.lines, events=events)

    def feed(self, piece: bytes) -> None:
        """Judge what came."""
        self._take(self._reader.lines(piece))

    def report(self) -> Report:
        """The report, once everything came."""
        self._take(self._reader.rest())
        self._check.end()
        conclusion = Conclusion(self._check, self._findings, self._trusted, self._signatures)
        return conclusion.report(
            Kept(heads=self._heads, receipts=self._receipts, hashes=self._hashes)
        )

    def _take(self, lines: Iterable[RawLine]) -> None:
        if self._check.is_broken:
            return
        for line in lines:
            if not self._check.take(line):
                return
            log = self._check.log
            if log is not None and log.seq in self._wanted:
                self._hashes[log.seq] = log.hash


def _receipt(value: KeptReceipt, at: int) -> Json:
    receipt = as_receipt(msgspec.json.decode(msgspec.json.encode(value)))
    if receipt is None:
        raise ValueError(f"receipts[{at}] is no receipt")
    return receipt
