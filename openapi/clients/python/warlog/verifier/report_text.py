"""A report for people. No sentence claims more than was done."""

import re
from typing import Final

from warlog.verifier.details import Language
from warlog.verifier.meanings import meaning_of
from warlog.verifier.report import DiceReport, Finding, Report
from warlog.verifier.sentences import SENTENCES

_SHOWN: Final = 10
_CONTROLS: Final = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]"
)


def report_text(report: Report, language: Language = "en") -> str:
    """The report as lines of text: the verdict first, the keys last."""
    teller = _Teller(report, language)
    lines = [
        teller.verdict(),
        *teller.differences(),
        *teller.checked(),
        *teller.unchecked(),
        *teller.signed(),
    ]
    return "\n".join(lines) + "\n"


class _Teller:
    def __init__(self, report: Report, language: Language) -> None:
        self._report = report
        self._language = language

    def verdict(self) -> str:
        """The report in a word."""
        report = self._report
        if report.findings:
            return self._say("wrong_end")
        if not report.clean:
            return self._say("unavailable")
        seen = "clean_seen" if _is_redacted(report) else "clean"
        return self._say(seen if report.signer == "trusted" else f"{seen}_unknown")

    def differences(self) -> list[str]:
        """The first differences."""
        report = self._report
        unknown = [] if report.unknown is None else [f"  {self._finding(report.unknown)}"]
        if not report.findings:
            return unknown
        count = report.counts.findings
        head = self._say("found_one") if count == 1 else self._say("found", count)
        found = [f"  {self._finding(each)}" for each in report.findings[:_SHOWN]]
        return [head, *found, *unknown]

    def checked(self) -> list[str]:
        """What the bundle is, its dice, and what was kept of its log."""
        report, lines = self._report, []
        if report.bundle is not None:
            bundle, dice = report.bundle, report.dice
            counts = (report.counts.events, bundle.viewer)
            named = (bundle.encounter, bundle.ruleset, bundle.version)
            lines.append(self._say("bundle", *named, *counts))
            lines.append(self._say(_dice_sentence(dice), dice.visible, dice.checked))
            if dice.mode == "sealed" and (dice.origin == "given" or not dice.contributions):
                lines.append(self._say("given" if dice.origin == "given" else "nobody"))
        lines += [self._say(each.code, each.count) for each in report.remarks]
        for name, kept in (("heads", report.heads), ("receipts", report.receipts)):
            lines += [
                self._say("kept", self._say(name), each.seq, self._meaning(each.verdict))
                for each in kept
                if each.verdict is not None
            ]
        return lines

    def unchecked(self) -> list[str]:
        """What was not looked for, or not reached."""
        report, lines = self._report, []
        if report.head is None:
            lines.append(self._say("unread"))
        for name in ("withheld", "erased"):
            count = getattr(report.counts, name)
            if count:
                lines.append(self._say(name, count))
        if report.dice.taken_up:
            lines.append(self._say("taken_up", report.dice.taken_up))
        told = report.dice.told_again
        lines += [self._say("told_again", each.dice, each.seq) for each in told]
        return [*lines, self._say("rules")]

    def signed(self) -> list[str]:
        """The end of the log, and who vouches for it."""
        head, key = self._report.head, self._report.key
        if head is None:
            return []
        signer = self._say(self._report.signer, "" if key is None else key.id)
        return [self._say("head", head.seq, head.hash), signer]

    def _say(self, name: str, *values: str | int) -> str:
        return SENTENCES[self._language][name].format(*(_plain(str(each)) for each in values))

    def _meaning(self, code: str) -> str:
        return meaning_of(code, self._language)

    def _finding(self, finding: Finding) -> str:
        places = [
            "" if finding.line is None else self._say("place", finding.line),
            "" if finding.seq is None else self._say("event", finding.seq),
            _plain(finding.path or finding.where or ""),
            finding.code,
        ]
        head = ", ".join(filter(None, places))
        return f"{head}: {self._meaning(finding.code)} ({_plain(finding.detail)})"


def _is_redacted(report: Report) -> bool:
    """Whether the bundle withholds parts from its viewer."""
    return report.bundle is not None and report.bundle.viewer != "gm"


def _dice_sentence(dice: DiceReport) -> str:
    if dice.mode == "supplied":
        return "supplied"
    if not dice.visible or dice.seed == "fits":
        return "sealed"
    return "absent" if dice.seed == "absent" else "misfit"


def _plain(text: str) -> str:
    """A text without control characters: what a bundle says is never an order to the terminal."""
    return _CONTROLS.sub("\ufffd", text)
