"""What an audit of many logs says of each: no verdict but the first bad one; a wire type."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from service.eventstore.records import EncounterRow
from service.replay.report.comparison import VersionComparison
from service.replay.report.verdicts import FAULTS, EventVerdict, LogProblem, Report, Ruling

LogResult = Literal["clean", "wrong", "unavailable", "gone"]
"""`clean`: everything fits. `wrong`: something does not. `unavailable`: nothing is wrong, but not
everything could be judged. `gone`: the encounter was deleted meanwhile."""

MOST_PROBLEMS: Final = 20
MOST_LETTERS: Final = 1_000
"""Of a path, or of a value beside the log."""


class LogVerdict(Struct, frozen=True, kw_only=True, tag_field="type", tag="audit"):
    """An audit of one stored log among many; read it as the game master's."""

    encounter: str
    """Id of the encounter."""
    ruleset: str
    """Slug of its ruleset."""
    version: str
    """Version of the ruleset that decided its events."""
    head: int
    """Last event that the service knows of."""
    hash: str
    """Hash of that event, as it stands beside the log."""
    result: LogResult
    """`clean`: everything fits. `wrong`: something does not. `unavailable`: not everything could be
    judged. `gone`: deleted meanwhile."""
    clean: bool
    """Whether `result` is `clean`."""
    counts: Mapping[Ruling, int] = {}
    """How often each verdict was given; those never given are left out."""
    first_failure: EventVerdict | UnsetType = UNSET
    """First verdict that says wrong or `unavailable`; absent where there is none."""
    problems: tuple[LogProblem, ...] = ()
    """What is wrong with the log as a whole: the first 20."""
    warnings: tuple[str, ...] = ()
    """As in a report."""
    reason: Literal["failed"] | UnsetType = UNSET
    """`failed`: the audit itself failed, in the way that `error` names. Absent otherwise."""
    error: str | UnsetType = UNSET
    """What the audit failed with; absent where it did not."""

    @property
    def is_settled(self) -> bool:
        """Whether another audit of the same log by the same build would say the same."""
        return self.error is UNSET and self.result != "gone"

    @property
    def events(self) -> int:
        """How many events were judged."""
        return sum(self.counts.values())


def brief(row: EncounterRow, report: Report) -> LogVerdict:
    """A report in brief; `row` names the head up to which the log was judged."""
    failure = report.first_failure
    return replace(
        unjudged(row, _result(report)),
        counts=report.counts,
        first_failure=failure if failure is UNSET else shortened(failure),
        problems=tuple(map(shortened_problem, report.problems[:MOST_PROBLEMS])),
        warnings=report.warnings,
    )


def unjudged(row: EncounterRow, result: LogResult) -> LogVerdict:
    """A verdict that says nothing but its result."""
    return LogVerdict(
        encounter=str(row.id),
        ruleset=row.ruleset,
        version=row.version,
        head=row.head_seq,
        hash=row.head_hash.hex(),
        result=result,
        clean=result == "clean",
    )


def _result(report: Report) -> LogResult:
    if report.problems or any(report.counts.get(fault) for fault in FAULTS):
        return "wrong"
    return "unavailable" if report.counts.get("unavailable") else "clean"


def shortened(verdict: EventVerdict) -> EventVerdict:
    """A verdict that is short enough to be kept by the thousand; its values are already."""
    return replace(verdict, path=short_text(verdict.path), params=short_params(verdict.params))


def shorter_comparison(comparison: VersionComparison) -> VersionComparison:
    """A comparison that is short enough; its values are already."""
    first = comparison.first
    if first is UNSET:
        return comparison
    short = replace(first, path=short_text(first.path), params=short_params(first.params))
    return replace(comparison, first=short)


def shortened_problem(problem: LogProblem) -> LogProblem:
    """A problem whose values are short."""
    stored, expected = short_text(problem.stored), short_text(problem.expected)
    return replace(problem, stored=stored, expected=expected)


def short_text(text: str | UnsetType) -> str | UnsetType:
    """A text, of a long one the beginning."""
    return text if text is UNSET else text[:MOST_LETTERS]


def short_params(params: Mapping[str, object] | UnsetType) -> Mapping[str, object] | UnsetType:
    """The parameters of a refusal; none where they are long."""
    is_short = params is UNSET or len(msgspec.json.encode(params)) <= MOST_LETTERS
    return params if is_short else {}
