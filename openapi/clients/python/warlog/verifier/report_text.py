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
    """The report as lines of text."""
    teller = _Teller(report, language)
    return "\n".join([*teller.about(), *teller.found(), teller.end()]) + "\n"


class _Teller:
    def __init__(self, report: Report, language: Language) -> None:
        self._report = report
        self._language = language

    def about(self) -> list[str]:
        """What the bundle is, and who vouches for it."""
        report = self._report
        bundle, head, key = report.bundle, report.head, report.key
        lines = []
        if bundle is not None:
            counts = (report.counts.events, bundle.viewer)
            named = (bundle.encounter, bundle.ruleset, bundle.version)
            lines.append(self._say("bundle", *named, *counts))
        if head is not None:
            lines.append(self._say("head", head.seq, head.hash))
            lines.append(self._say(report.signer, "" if key is None else key.id))
        if bundle is not None:
            dice = report.dice
            lines.append(self._say(_dice_sentence(dice), dice.visible, dice.checked))
        lines += [self._say(each.code, each.count) for each in report.remarks]
        for name, kept in (("heads", report.heads), ("receipts", report.receipts)):
            lines += [
                self._say("kept", self._say(name), each.seq, self._meaning(each.verdict))
                for each in kept
                if each.verdict is not None
            ]
        return lines

    def found(self) -> list[str]:
        """The first findings, or what was not looked for."""
        report = self._report
        if report.clean:
            return [self._say("rules")]
        count = report.counts.findings
        head = self._say("found_one") if count == 1 else self._say("found", count)
        return [head, *(f"  {self._finding(each)}" for each in report.findings[:_SHOWN])]

    def end(self) -> str:
        """The report in a word."""
        if not self._report.clean:
            return self._say("wrong_end")
        return self._say("clean" if self._report.signer == "trusted" else "clean_unknown")

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


def _dice_sentence(dice: DiceReport) -> str:
    if dice.mode == "supplied":
        return "supplied"
    if not dice.visible or dice.seed == "fits":
        return "sealed"
    return "absent" if dice.seed == "absent" else "misfit"


def _plain(text: str) -> str:
    """A text without control characters: what a bundle says is never an order to the terminal."""
    return _CONTROLS.sub("\ufffd", text)
