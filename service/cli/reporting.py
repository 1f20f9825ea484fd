"""An audit's report in words, for people at a terminal."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET
from rich.table import Table

from service.console import escaped, out
from service.exits import Exit
from service.replay.report.chances import Ratio
from service.replay.report.comparison import EventChange
from service.replay.report.dice_remark import percent
from service.replay.report.differences import DrawDifference
from service.replay.report.interventions import SeqRun
from service.replay.report.luck import LuckReport
from service.replay.report.verdicts import (
    FAULTS,
    RULINGS,
    DiceReport,
    DieStatistics,
    EventVerdict,
    LogProblem,
    Report,
    Ruling,
)

MEANINGS: dict[Ruling, str] = {
    "match": "the rules give exactly this event",
    "override": "the GM overruled; what follows from it was decided again and fits",
    "erased": "as match; its free text was erased",
    "sealed": "parts are withheld: chain and commitments hold, what is visible agrees with itself",
    "mismatch": "not what the rules give, or the chain is broken",
    "sealed_mismatch": "differs in a part that not everyone may read",
    "refused": "the rules would not have allowed it",
    "unavailable": "cannot be judged by this build",
}
AFTERWARDS = "not judged: comes after the first difference"
PROBLEMS = {
    "header_differs": "what stands beside the log is not what the log says",
    "seed_does_not_fit": "the seed is not the one that was committed to",
    "seed_missing": "the log reveals the seed, yet the bundle does not hold it",
    "secret_missing": "the service no longer holds the seed and the seal key of this encounter",
    "head_differs": "the log does not end where it should",
    "rows_beyond_head": "stands behind the end of the log: the head was moved back, or rows were"
    " written past the service",
    "receipt_forged": "the receipt is not a signature of the key it names, over this head",
    "receipt_of_unknown_key": "this receipt names a key that is not known here",
    "receipt_of_another_encounter": "this receipt is of another encounter",
    "receipt_beyond_head": "the log once reached further than it does now",
    "receipt_differs": "the log was rewritten: another event stood here once",
    "kept_beyond_head": "the log once reached further than it does now",
    "kept_differs": "the log was rewritten: another event stood here once",
    "key_differs": "the receipt was signed with a key that is none of those demanded",
    "key_id_differs": "the receipt names another key than the one that stands beside it",
    "erased_without_event": "text is gone that no event erased",
    "unnamed_blob": "there is a map or content that no event names",
    "blob_order": "maps and content stand neither by their digests nor as they are named",
    "snapshot_differs": "is not the state that the log leads to",
}
SIGNERS = {
    "trusted": "by a key that is trusted here",
    "unknown": "by a key that only the bundle names: whoever made the bundle could have made it"
    " too; name the service's with --keys, or trust it with 'warlog keys trust'",
    "wrong": "by a key that is none of those demanded",
}
WARNINGS = {
    "log_can_be_rewritten": "the service's database role could change the log",
    "clock_went_back": "an event is older than the one before it, by what they say of themselves",
    "clock_was_ahead": "the time of an event is 5 seconds or more after the database stored it:"
    " the service's clock was ahead",
}
FAIRNESS = {
    "verified": "were drawn again from the seed and fit",
    "sealed": "could be drawn again, since the seed is not revealed yet",
    "not_verified": "could be checked: fairness was not verified",
}
MANY_FACES = 20
LEFT = ("seat", "faces from 1", "left out")
"""Columns of words."""
MOST_LISTED = 10
"""Overrides or rewinds that are shown of one by one, the last ones."""
MOST_RUNS = 5
"""Runs of events of one rewind that are named, the last ones."""


def exit_of(report: Report) -> Exit:
    """Result of the report: something wrong comes before something unavailable."""
    if report.problems or any(report.counts.get(fault) for fault in FAULTS):
        return Exit.WRONG
    if report.counts.get("unavailable"):
        return Exit.UNAVAILABLE
    return Exit.UNVERIFIED if report.signer == "unknown" else Exit.OK


def write_report(report: Report, events: Iterable[str] = ()) -> None:
    """Print a report: the verdict and the first difference, what was checked, the keys last.

    `events` are lines about single events; they stand behind the differences.
    """
    out.print(conclusion(report))
    for line in wrong_lines(report):
        out.print(line)
    for line in events:
        out.print(line)
    for line in lines_of(report):
        out.print(line)
    if report.dice is not UNSET:
        tell_dice(report.dice)
    if report.luck is not UNSET:
        tell_luck(report.luck)
    for line in unchecked_lines(report):
        out.print(line)
    for line in _vouching_lines(report):
        out.print(line)


def conclusion(report: Report) -> str:
    """The verdict in a word, and that not all was at hand where it was not."""
    seen = ", as far as can be seen" if report.counts.get("sealed") else ""
    match exit_of(report):
        case Exit.OK:
            return f"[bold green]clean{seen}[/]"
        case Exit.UNAVAILABLE:
            return "[bold yellow]not everything could be judged[/]"
        case Exit.UNVERIFIED:
            return f"[bold yellow]clean{seen}, but signed by nobody who is known here[/]"
        case _:
            return "[bold red]something is wrong[/]"


def wrong_lines(report: Report) -> Iterator[str]:
    """What is wrong: the first difference, and problems of the log as a whole."""
    if report.first_failure is not UNSET:
        yield from failure_lines(report.first_failure)
    for problem in report.problems:
        yield f"[red]{problem_line(problem)}[/]"


def lines_of(report: Report) -> Iterator[str]:
    """What was audited, and how often each ruling was given."""
    yield (
        f"encounter [bold]{escaped(report.encounter)}[/], {escaped(report.ruleset)}"
        f" {escaped(report.version)}, {report.head} events, seen as {report.viewer}"
    )
    if report.fork_of is not UNSET:
        there = escaped(report.fork_of.encounter)
        yield f"continues event {report.fork_of.seq} of {there}, taken as event 1 states it"
    for ruling in RULINGS:
        if count := report.counts.get(ruling):
            colour = "red" if ruling in FAULTS else "yellow" if ruling == "unavailable" else "green"
            yield f"  [{colour}]{count:>6} {ruling}[/]  {_meaning(ruling, report)}"
    yield from intervention_lines(report)
    for warning in report.warnings:
        yield f"[yellow]warning: {WARNINGS[warning]}[/]"


def _meaning(ruling: Ruling, report: Report) -> str:
    """What a ruling means here: behind a difference nothing is judged whose state is not known."""
    first = report.first_failure
    if ruling == "unavailable" and first is not UNSET and first.verdict in FAULTS:
        return AFTERWARDS
    return MEANINGS[ruling]


def unchecked_lines(report: Report) -> Iterator[str]:
    """What was not looked at because it is not at hand."""
    if report.withheld_parts:
        yield f"not checked: parts that are withheld here: {report.withheld_parts}"
    if report.erased_texts:
        yield f"not checked: texts that were erased: {report.erased_texts}"


def _vouching_lines(report: Report) -> Iterator[str]:
    """Who vouches for the end of the log, and what a client kept of it."""
    if report.receipt is not UNSET:
        yield f"receipt over the head: {report.receipt}"
    if report.signer is not UNSET:
        yield f"signed {SIGNERS[report.signer]}"
    if report.receipts is not UNSET:
        held = [receipt.verdict for receipt in report.receipts].count("held")
        yield f"receipts that were kept: {held} of {len(report.receipts)} hold"
    if report.heads is not UNSET:
        held = [head.verdict for head in report.heads].count("held")
        yield f"heads that were noted: {held} of {len(report.heads)} hold"


def failure_lines(verdict: EventVerdict) -> Iterator[str]:
    """The first failure, with what is there and what should."""
    yield f"[red]event {verdict.seq}: {escaped(difference_text(verdict))}[/]"
    yield f"  {verdict.verdict}"
    yield from difference_lines(verdict)
    if verdict.draw is not UNSET:
        yield f"  {draw_line(verdict.draw)}"
    if verdict.undone_by is not UNSET:
        yield f"  undone by event {verdict.undone_by}"
    yield from refusal_lines(verdict)
    if verdict.broken:
        yield f"  broken: {', '.join(verdict.broken)}"


def difference_text(verdict: EventVerdict) -> str:
    """The difference of an event in words."""
    draw = verdict.draw
    if draw is not UNSET and UNSET not in (draw.stored, draw.recomputed):
        return f"die {draw.number} shows {draw.stored}, the seed gives {draw.recomputed}"
    if verdict.verdict == "refused":
        return "the rules refuse it"
    if verdict.code == "version_unknown":
        return "made by a newer service, or forged"
    if verdict.path is UNSET:
        return MEANINGS[verdict.verdict]
    if UNSET in (verdict.stored, verdict.recomputed):
        return f"{verdict.path} does not fit"
    return f"{verdict.path} differs from what the rules give"


def difference_lines(found: EventVerdict | EventChange) -> Iterator[str]:
    """Where an event differs, with what is there and what should."""
    if found.path is not UNSET:
        yield f"  at {escaped(found.path)}"
    if found.stored is not UNSET:
        yield f"  stored      {escaped(bytes(found.stored).decode())}"
    if found.recomputed is not UNSET:
        yield f"  recomputed  {escaped(bytes(found.recomputed).decode())}"


def refusal_lines(found: EventVerdict | EventChange) -> Iterator[str]:
    """What the rules refuse an event with, if they do."""
    if found.code is not UNSET:
        rule = "" if found.rule is UNSET else f" ({escaped(found.rule)})"
        yield f"  {escaped(found.code)}{rule}"


def draw_line(draw: DrawDifference) -> str:
    """The first die that differs, with what it was rolled for and both faces."""
    stored = "not there" if draw.stored is UNSET else str(draw.stored)
    recomputed = "no such die" if draw.recomputed is UNSET else str(draw.recomputed)
    where = f"die {draw.number} of stream {draw.stream}, d{draw.sides} for {escaped(draw.purpose)}"
    return f"{where}: stored {stored}, recomputed {recomputed}"


def intervention_lines(report: Report) -> Iterator[str]:
    """What was done outside the rules: the last overrides and rewinds, and how many there are."""
    for override in report.overrides[-MOST_LISTED:]:
        reason = "" if override.reason is UNSET else f": {escaped(override.reason)}"
        count = override.changes_count
        what = f"overruled in {count} places" if count else "overruled what cannot be seen here"
        yield f"event {override.seq} {what}{reason}"
        for change in override.changes:
            yield f"  {escaped(bytes(change).decode())}"
    yield from _others(len(report.overrides), "overrides")
    for rewind in report.rewinds[-MOST_LISTED:]:
        who = rewind.by.id if rewind.by.seat is UNSET else rewind.by.seat
        yield (
            f"event {rewind.seq}: rewound from {rewind.from_seq} to {rewind.to}, by {escaped(who)}:"
            f" undid {rewind.undone_count}{_runs(rewind.undone)}, brought back"
            f" {rewind.restored_count}{_runs(rewind.restored)}"
        )
    yield from _others(len(report.rewinds), "rewinds")


def _others(count: int, what: str) -> Iterator[str]:
    if count > MOST_LISTED:
        yield f"  the last {MOST_LISTED} of {count} {what}; --json has all"


def _runs(runs: tuple[SeqRun, ...]) -> str:
    """The last few runs of events, in brackets; nothing for none."""
    if not runs:
        return ""
    listed = [
        str(run.first) if run.first == run.last else f"{run.first}-{run.last}"
        for run in runs[-MOST_RUNS:]
    ]
    earlier = ["…"] if len(runs) > MOST_RUNS else []
    return f" ({', '.join(earlier + listed)})"


def problem_line(problem: LogProblem) -> str:
    """A problem on one line."""
    sentence = f"{problem.where}: {PROBLEMS[problem.code]}"
    if problem.stored is not UNSET:
        sentence += f"; found {problem.stored}"
    if problem.expected is not UNSET:
        sentence += f", expected {problem.expected}"
    return escaped(sentence)


def tell_dice(dice: DiceReport) -> None:
    """How far the dice can be trusted, and what they came to."""
    of_all = f"{dice.checked} of the {dice.draws} dice that can be seen here"
    # Where something else is wrong, what was drawn again was drawn again all the same.
    is_faulty = dice.mode == "sealed" and dice.fairness == "not_verified"
    out.print(f"dice: {dice.mode}; {of_all} {FAIRNESS['verified' if is_faulty else dice.fairness]}")
    if dice.taken_up:
        before = "belong to the log that this one continues"
        out.print(f"  not checked: {dice.taken_up} of these dice, which {before}")
    for told in dice.told_again:
        again = f"{told.dice} dice told again from event {told.seq}"
        out.print(f"  not checked: that an action waited for {again}")
    if dice.mode == "sealed" and dice.grindable:
        why = "the creator gave the seed" if dice.seed == "given" else "nobody contributed"
        out.print(f"  grindable: {why}, so a holder of the seed could have chosen it")
    elif dice.mode == "sealed":
        last = escaped(str(dice.last_contributor))
        out.print(f"  last contributor: {last}, who could only have chosen with the seed at hand")
    if not dice.statistics:
        return
    out.print(dice_table(dice.statistics))
    if dice.remark is not UNSET:
        out.print(escaped(dice.remark.en))


def dice_table(statistics: tuple[DieStatistics, ...]) -> Table:
    """What the dice came to: one row for each seat and size."""
    table = Table(box=None, pad_edge=False)
    for heading in ("seat", "die", "thrown", "undone", "mean", "fair", "by chance", "faces from 1"):
        table.add_column(heading, justify="left" if heading in LEFT else "right")
    for statistic in statistics:
        faces = () if statistic.faces is UNSET or statistic.sides > MANY_FACES else statistic.faces
        chance = statistic.chance
        table.add_row(
            escaped(statistic.seat),
            f"d{statistic.sides}",
            str(statistic.count),
            str(statistic.undone or ""),
            hundredths(statistic.mean),
            hundredths(statistic.expected),
            "too few" if chance is UNSET else percent(chance.millionths),
            " ".join(str(face) for face in faces),
        )
    return table


def hundredths(ratio: Ratio) -> str:
    """A fraction as people read it, rounded down."""
    whole = int(ratio.num) * 100 // int(ratio.den)
    return f"{whole // 100}.{whole % 100:02}"


def _counted(counts: Iterable[tuple[str, int]]) -> str:
    """Counts by their names, in one line."""
    return escaped(", ".join(f"{count} {name}" for name, count in counts))


def tell_luck(luck: LuckReport) -> None:
    """How rolls came out against their odds, and which were left out."""
    if luck.seats:
        table = Table(box=None, pad_edge=False)
        for heading in (
            "seat",
            "rolls",
            "undone",
            "successes",
            "expected",
            "by chance",
            "left out",
            "rolled further",
        ):
            table.add_column(heading, justify="left" if heading in LEFT else "right")
        for each in luck.seats:
            table.add_row(
                escaped(each.seat),
                _counted(each.purposes.items()),
                str(each.undone or ""),
                str(each.successes),
                hundredths(each.expected),
                "too few" if each.chance is UNSET else percent(each.chance.millionths),
                _counted(each.left_out.items()),
                _counted(each.further.items()),
            )
        shown = "a preview would have shown"
        if luck.readers is not UNSET:
            shown = f"previews would have shown {', '.join(luck.readers) or 'nobody'}"
        out.print(escaped(f"luck, against the odds that {shown}:"))
        out.print(table)
    out.print(escaped(luck.remark.en))
