"""Result of an audit of all battles: how many are sound, which are not, and how."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import UNSET, Struct, UnsetType

from service.cli.all_audits.job import JudgedLine
from service.exits import Exit
from service.replay.report.brief import LogVerdict
from service.replay.report.comparison import EventChange, VersionComparison
from service.replay.report.verdicts import EventVerdict

MOST_EXAMPLES: Final = 3
MOST_KINDS: Final = 200
_PLACE: Final = re.compile(r"\[[0-9]+\]")
OTHER: Final = "something else"
"""Stands for what is found beyond so many kinds."""


class FindingKind(Struct, frozen=True, kw_only=True):
    """One way in which encounters of a ruleset are not sound, or not the same."""

    ruleset: str
    """Slug of the ruleset."""
    version: str
    """Version that decided their events."""
    what: str
    """What is found first in each of them; places in lists are left out of paths."""
    encounters: int
    """How many there are."""
    examples: tuple[str, ...]
    """Ids of the first three."""


class ChangeCount(Struct, frozen=True, kw_only=True):
    """How often something is another under another version."""

    encounters: int
    """Encounters in which it is."""
    events: int
    """Events in which it is, of all encounters."""


class AuditSummary(Struct, frozen=True, kw_only=True, tag_field="type", tag="summary"):
    """The last line of an audit of all battles."""

    against: str | UnsetType = UNSET
    """Version that they were decided again under; absent where they were judged by their own."""
    build: str
    """Build that judged them."""
    complete: bool
    """Whether nothing is left to be judged: false where the run was stopped."""
    encounters: int
    """Encounters that something was found of."""
    before: int
    """How many of them an earlier run had judged."""
    events: int
    """Events of those encounters that were looked at."""
    results: Mapping[str, int]
    """Encounters by `result`."""
    rulesets: Mapping[str, Mapping[str, int]]
    """The same for each ruleset and version, named `slug version`."""
    left_out: Mapping[str, int] = {}
    """Encounters that were left out, by why: `version_unknown` (their ruleset has no such version),
    `same_version` (they are decided by it already)."""
    kinds: tuple[FindingKind, ...] = ()
    """How those that are not sound break, the most frequent way first."""
    draws: ChangeCount | UnsetType = UNSET
    """Where dice are others; absent unless it was against a version."""
    effects: Mapping[str, ChangeCount] | UnsetType = UNSET
    """Where effects are others, by type; absent unless it was against a version."""
    rules: Mapping[str, ChangeCount] | UnsetType = UNSET
    """What is another, by the rules that it names; absent unless it was against a version."""
    refusals: Mapping[str, ChangeCount] | UnsetType = UNSET
    """What is refused, by code; absent unless it was against a version."""
    warnings: tuple[str, ...] = ()
    """`log_can_be_rewritten`: the service's database role could change logs. Warnings of single
    logs are added, as in a report."""
    journal: str | UnsetType = UNSET
    """File from which the next run continues; absent where none is left."""


class Tally:
    """Sums up what is found, encounter by encounter."""

    def __init__(self, against: str | None) -> None:
        self._against = against
        self.encounters = 0
        self.before = 0
        self.events = 0
        self.results: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self._unfinished = 0
        self._warnings: set[str] = set()
        self._rulesets: dict[str, Counter[str]] = {}
        self._kinds: dict[tuple[str, str, str], list[str]] = {}
        self._kind_counts: Counter[tuple[str, str, str]] = Counter()
        self._changes: dict[str, tuple[Counter[str], Counter[str]]] = {
            name: (Counter(), Counter()) for name in ("draws", "effects", "rules", "refusals")
        }

    def add(self, line: JudgedLine, *, is_from_before: bool) -> None:
        """Count what was found of one encounter, now or by an earlier run."""
        self.encounters += 1
        self.before += is_from_before
        self.events += line.events
        self.results[line.result] += 1
        self._unfinished += line.reason is not UNSET
        name = f"{line.ruleset} {line.version}"
        self._rulesets.setdefault(name, Counter())[line.result] += 1
        what = what_is_found(line)
        if what is not None:
            self._add_kind(line, what)
        if isinstance(line, VersionComparison):
            self._add_changes(line)
        else:
            self._warnings.update(line.warnings)

    def _add_kind(self, line: JudgedLine, what: str) -> None:
        kind = (line.ruleset, line.version, what)
        if kind not in self._kinds and len(self._kinds) >= MOST_KINDS:
            kind = (line.ruleset, line.version, OTHER)
        self._kind_counts[kind] += 1
        examples = self._kinds.setdefault(kind, [])
        if len(examples) < MOST_EXAMPLES:
            examples.append(line.encounter)

    def _add_changes(self, line: VersionComparison) -> None:
        draws = {"draws": line.draws} if line.draws else {}
        for name, found in (
            ("draws", draws),
            ("effects", line.effects),
            ("rules", line.rules),
            ("refusals", line.refusals),
        ):
            encounters, events = self._changes[name]
            encounters.update(found.keys())
            events.update(found)

    def exit(self, *, is_complete: bool) -> Exit:
        """What it comes to: something wrong outweighs something that could not be judged.

        A battle that is another under another version is nothing wrong.
        """
        if self.results["wrong"]:
            return Exit.WRONG
        is_judged = not self.results["unavailable"] and not self._unfinished
        return Exit.OK if is_judged and is_complete else Exit.UNAVAILABLE

    def summary(
        self, build: str, *, is_complete: bool, warnings: tuple[str, ...], journal: str | None
    ) -> AuditSummary:
        """All of it."""
        is_against = self._against is not None
        draws = self._counted("draws").get("draws", ChangeCount(encounters=0, events=0))
        return AuditSummary(
            against=UNSET if self._against is None else self._against,
            build=build,
            complete=is_complete,
            encounters=self.encounters,
            before=self.before,
            events=self.events,
            results=dict(self.results),
            rulesets={name: dict(self._rulesets[name]) for name in sorted(self._rulesets)},
            left_out=dict(self.left_out),
            kinds=tuple(self._all_kinds()),
            draws=draws if is_against else UNSET,
            effects=self._counted("effects") if is_against else UNSET,
            rules=self._counted("rules") if is_against else UNSET,
            refusals=self._counted("refusals") if is_against else UNSET,
            warnings=(*warnings, *sorted(self._warnings)),
            journal=UNSET if journal is None else journal,
        )

    def _counted(self, name: str) -> dict[str, ChangeCount]:
        encounters, events = self._changes[name]
        return {
            what: ChangeCount(encounters=count, events=events[what])
            for what, count in sorted(encounters.items(), key=lambda item: (-item[1], item[0]))
        }

    def _all_kinds(self) -> Iterator[FindingKind]:
        for kind, count in sorted(self._kind_counts.items(), key=lambda item: (-item[1], item[0])):
            ruleset, version, what = kind
            yield FindingKind(
                ruleset=ruleset,
                version=version,
                what=what,
                encounters=count,
                examples=tuple(self._kinds[kind]),
            )


def what_is_found(line: JudgedLine) -> str | None:
    """What is found first of an encounter, in a few words; None if it is sound, same or gone."""
    if line.result in ("clean", "same", "gone"):
        return None
    if line.error is not UNSET:
        return f"failed: {line.error}"
    if isinstance(line, LogVerdict):
        return _what_is_wrong(line)
    if line.first is not UNSET:
        return _what_differs(line.first)
    return str(line.reason)


def _what_is_wrong(line: LogVerdict) -> str | None:
    if line.first_failure is not UNSET:
        failure = line.first_failure
        return " ".join(_words(failure.verdict, failure))
    return line.problems[0].code if line.problems else None


def _what_differs(change: EventChange) -> str:
    words = _words(change.kind, change)
    if change.action is UNSET:
        return " ".join(words)
    return f"{change.action}: {' '.join(words)}"


def _words(what: str, of: EventVerdict | EventChange) -> Iterator[str]:
    yield what
    if of.code is not UNSET:
        yield of.code
    if of.rule is not UNSET:
        yield f"({of.rule})"
    if of.path is not UNSET:
        yield f"at {_PLACE.sub('[]', of.path)}"
