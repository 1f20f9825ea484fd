"""What is found of all battles, in words, for people at a terminal."""

from collections.abc import Iterator, Mapping

from msgspec import UNSET

from service.cli.all_audits.job import JudgedLine
from service.cli.all_audits.summary import AuditSummary, ChangeCount
from service.cli.reporting import (
    WARNINGS,
    difference_lines,
    failure_lines,
    problem_line,
    refusal_lines,
)
from service.console import escaped
from service.replay.report.brief import LogVerdict
from service.replay.report.comparison import (
    DrawChange,
    EventChange,
    ThrownDie,
    VersionComparison,
)

COLOURS = {
    "clean": "green",
    "same": "green",
    "wrong": "red",
    "differs": "yellow",
    "unavailable": "yellow",
    "gone": "dim",
}
RESULTS = {
    "clean": "clean",
    "wrong": "something is wrong",
    "unavailable": "not everything could be judged",
    "gone": "deleted meanwhile",
    "same": "nothing changes",
    "differs": "some events are others",
}
REASONS = {
    "failed": "the work itself failed",
    "version_unknown": "this build does not have that version of its ruleset",
    "parts_withheld": "parts of the log are withheld, without which nothing can be decided",
    "secret_missing": "the service no longer holds the seal key of this encounter",
    "log_cut_off": "events are missing",
    "log_damaged": "an event cannot be read, or stands in another's place",
    "blob_missing": "a map or content is not there",
}
LEFT_OUT = {
    "version_unknown": "of rulesets without that version",
    "same_version": "decided by that version already",
}
KINDS = {
    "differs": "gives something else",
    "refused": "refuses it",
    "unreadable": "cannot read it",
}


def is_quiet(line: JudgedLine) -> bool:
    """Whether nothing need be said of an encounter among many."""
    return line.result in ("clean", "same", "gone")


def lines_of(line: JudgedLine) -> Iterator[str]:
    """An encounter that is not sound, or not the same, among many."""
    colour = COLOURS[line.result]
    which = f"{escaped(line.encounter)}, {escaped(line.ruleset)} {escaped(line.version)}"
    yield f"{which}: [{colour}]{RESULTS[line.result]}[/]"
    details = _verdict_lines(line) if isinstance(line, LogVerdict) else comparison_lines(line)
    for detail in details:
        yield f"  {detail}"


def _verdict_lines(line: LogVerdict) -> Iterator[str]:
    if line.first_failure is not UNSET:
        yield from failure_lines(line.first_failure)
    for problem in line.problems:
        yield problem_line(problem)
    if line.error is not UNSET:
        yield f"{REASONS['failed']}: {escaped(line.error)}"


def comparison_lines(line: VersionComparison) -> Iterator[str]:
    """What would change in one log."""
    yield (
        f"{line.decided} events decided under {escaped(line.against)}: {line.differing} are others"
        + (f", {line.undecided} could not be decided" if line.undecided else "")
    )
    if line.first is not UNSET:
        yield from _change_lines(line.first, line.against)
    if line.first_draw is not UNSET:
        yield _draw_line(line.first_draw, line.against)
    for name, found in (
        ("effects", line.effects),
        ("rules", line.rules),
        ("refusals", line.refusals),
    ):
        if found:
            listed = sorted(found.items(), key=lambda item: (-item[1], item[0]))
            yield f"{name}: {', '.join(f'{escaped(what)} {count}' for what, count in listed)}"
    if line.reason is not UNSET:
        error = "" if line.error is UNSET else f" ({escaped(line.error)})"
        yield f"[yellow]{REASONS.get(line.reason, escaped(line.reason))}{error}[/]"


def _change_lines(change: EventChange, against: str) -> Iterator[str]:
    action = "" if change.action is UNSET else f" ({escaped(change.action)})"
    yield f"first: event {change.seq}{action}, {escaped(against)} {KINDS[change.kind]}"
    yield from difference_lines(change)
    yield from refusal_lines(change)


def _draw_line(change: DrawChange, against: str) -> str:
    stored, recomputed = _die(change.stored), _die(change.recomputed)
    return (
        f"first other die: event {change.seq}, draw {change.place}: {stored};"
        f" under {escaped(against)} {recomputed}"
    )


def _die(die: ThrownDie | object) -> str:
    if not isinstance(die, ThrownDie):
        return "none"
    face = "" if die.face is UNSET else f" gives {die.face}"
    return f"{escaped(die.purpose)} d{die.sides}{face}"


def summary_lines(summary: AuditSummary) -> Iterator[str]:
    """What it all comes to, the verdict first."""
    worst = _worst_result(summary)
    yield f"[bold {COLOURS[worst]}]{RESULTS[worst]}[/]"
    yield f"{_count(summary.encounters, 'encounter')}, {_count(summary.events, 'event')}"
    if summary.before:
        yield f"  {summary.before:,} of them were judged by a run before"
    for result, count in summary.results.items():
        yield f"  [{COLOURS[result]}]{count:>7,} {RESULTS[result]}[/]"
    for reason, count in summary.left_out.items():
        yield f"  {count:>7,} left out, {LEFT_OUT[reason]}"
    if len(summary.rulesets) > 1:
        for name, results in summary.rulesets.items():
            told = ", ".join(f"{count:,} {RESULTS[result]}" for result, count in results.items())
            yield f"  {escaped(name)}: {told}"
    for kind in summary.kinds:
        yield (
            f"  {kind.encounters:>7,} x {escaped(kind.ruleset)} {escaped(kind.version)}:"
            f" {escaped(kind.what)} (such as {', '.join(map(escaped, kind.examples))})"
        )
    yield from _changes(summary)
    for warning in summary.warnings:
        yield f"[yellow]warning: {WARNINGS[warning]}[/]"


def _worst_result(summary: AuditSummary) -> str:
    """The worst that was found; what was not judged any more is as what could not be."""
    sound = "clean" if summary.against is UNSET else "same"
    found = {result for result, count in summary.results.items() if count}
    if not summary.complete:
        found.add("unavailable")
    return next((each for each in ("wrong", "unavailable", "differs") if each in found), sound)


def _changes(summary: AuditSummary) -> Iterator[str]:
    tables: tuple[tuple[str, Mapping[str, ChangeCount] | object], ...] = (
        ("effects that are others", summary.effects),
        ("rules that they name", summary.rules),
        ("refusals", summary.refusals),
    )
    for title, counts in tables:
        if isinstance(counts, Mapping) and counts:
            yield f"  {title}:"
            for what, count in counts.items():
                yield f"    {escaped(what)}: {_in_events(count)}"
    if summary.draws is not UNSET and summary.draws.events:
        yield f"  other dice: {_in_events(summary.draws)}"


def _in_events(count: ChangeCount) -> str:
    return f"{_count(count.events, 'event')} of {_count(count.encounters, 'encounter')}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
