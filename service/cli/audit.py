"""`warlog audit`: decide a battle again, event by event, and say where it differs."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any, BinaryIO

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from service.cli.kept_receipts import UnreadableReceipts, receipts_in
from service.cli.key_sets import UnreadableKeys, keys_at, pinned
from service.cli.reporting import exit_of, write_report
from service.console import AsJson, err, print_json, tell_error
from service.encounters.receipts import kid_of
from service.errors import Malformed
from service.exits import Exit
from service.replay.audit.bundle_audit import BundleAudit, audit_bundle
from service.replay.audit.receipt_check import KeptHead, KeptReceipt
from service.replay.audit.trust import Kept, TrustedKeys
from service.replay.bundle.reader import DamagedBundle
from service.replay.report.verdicts import Report
from service.rulesets import RULESETS
from service.server.garbage_collection import collect_seldom


class Narrated(StrEnum):
    """Languages of the narration."""

    EN = "en"
    RU = "ru"


def audit(
    target: Annotated[
        str | None,
        typer.Argument(help="A bundle's file (- for standard input), or an encounter's id."),
    ] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Audit every stored encounter of every tenant.")
    ] = False,
    public_key: Annotated[
        str | None,
        typer.Option(help="The key (64 hex digits) that receipts must be signed with."),
    ] = None,
    keys: Annotated[
        str | None,
        typer.Option(
            metavar="URL|FILE",
            help="The service's published keys, one of which receipts must be signed with.",
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEQ-HASH",
            help="A head that the log once had, as a client noted it; repeatable.",
        ),
    ] = None,
    receipts: Annotated[
        Path | None,
        typer.Option(
            help="A file of receipts that a client kept, one to a line, to hold against the log;"
            " without a target, against the log of every encounter that they name."
        ),
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option(help="With --all: encounters of this ruleset alone.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="MOMENT",
            help="With --all: encounters whose last event is not older, such as 2026-11-01 or"
            " 2026-11-01T18:00:00Z; in UTC unless it says otherwise.",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="VERSION",
            help="Decide every event under another version of its ruleset, and say what would"
            " change.",
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="With --all: how many at once; all cores by default."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --all: go on from what this file says was judged, and keep the rest there.",
        ),
    ] = None,
    luck: Annotated[
        bool,
        typer.Option(
            "--luck",
            help="Also tell how rolls came out against the odds that previews would have shown.",
        ),
    ] = False,
    include: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="Tell of each event of a file: verdict, narration, and with --json state, table,"
            " scene and explanation; with commas between.",
        ),
    ] = None,
    viewpoint: Annotated[
        str | None,
        typer.Option(
            help="Whose view that is: gm, everyone (what an observer sees) or a side; with commas"
            " between."
        ),
    ] = None,
    language: Annotated[
        Narrated, typer.Option(help="The language of narration and explanation.")
    ] = Narrated.EN,
    as_json: AsJson = False,
) -> None:
    """Audit a bundle offline, or encounters in the database.

    A file is judged by nothing but what it contains; no database is touched. An encounter is
    judged with the service's own seed and every sealed part, so read its report as the GM's.

    What was rewritten as a whole, or cut off at the end, no audit of the log alone can find: that
    is what receipts and noted heads are for. The key that a bundle brings proves nothing: name the
    service's with --keys or --public-key, or trust it once with 'warlog keys trust'.

    --all judges every stored encounter on all cores and writes nothing to the database, so the
    service may go on serving. It shows at once of each that is not clean; the verdict on all of
    them is at the head of the summary, which comes last. What was judged is kept in the user's
    state directory until the run is complete: stopped with Ctrl-C, the same command continues, and
    judges again whose log has grown since or whom another build has judged. A file of --resume is
    kept for good.

    --against asks a question about a change of the rules and gives no verdict on the log: each
    event is decided under the other version on the state that the log led to. It exits with 0
    however much would change, and with 3 if something could not be decided.

    Exits with 0 if all is clean, 1 if anything is wrong, 3 if something could not be judged (an
    unknown ruleset version) or reached, 4 if a bundle is clean but its signer is unknown.
    """
    if [target is not None or receipts is not None, everything].count(True) != 1:
        tell_error("name a file or an encounter, or --receipts, or say --all by itself")
        raise typer.Exit(Exit.USAGE)
    if head and target is None:
        tell_error("--head is of one log: name its file or encounter")
        raise typer.Exit(Exit.USAGE)
    if not everything and (ruleset, since, processes, resume) != (None, None, None, None):
        tell_error("--ruleset, --since, --processes and --resume go with --all")
        raise typer.Exit(Exit.USAGE)
    if luck and (target is None or against is not None):
        tell_error("--luck is of one log as it is: name its file or encounter")
        raise typer.Exit(Exit.USAGE)
    if (everything or against is not None) and any((public_key, keys, head, receipts)):
        tell_error("keys, heads and receipts are held against one log that is audited as it is")
        raise typer.Exit(Exit.USAGE)
    require_told_fits(include, viewpoint, against, target)
    collect_seldom()
    if everything:
        selection = _stored("all_audits.selection").selected(ruleset, since, against)
        run = _stored("all_audits.run")
        asked = run.AllAudits(
            selection=selection,
            against=against,
            processes=processes,
            journal=resume,
            as_json=as_json,
        )
        raise typer.Exit(run.audit_all(asked))
    if against is not None and target is not None:
        compared = _stored("comparisons").compare_target(target, against, as_json=as_json)
        raise typer.Exit(compared)
    kept = Kept(
        trusted=trusted_keys(public_key, keys),
        receipts=() if receipts is None else read_receipts(receipts),
        heads=tuple(noted_head(text) for text in head or ()),
    )
    if target is None:
        raise typer.Exit(_stored().audit_named(kept, as_json=as_json))
    if include is None:
        raise typer.Exit(audit_target(target, kept, as_json=as_json, with_luck=luck))
    words = (include, viewpoint, language.value)
    raise typer.Exit(tell_target(target, kept, words, as_json=as_json, with_luck=luck))


def require_told_fits(
    include: str | None, viewpoint: str | None, against: str | None, target: str | None
) -> None:
    """What is to be shown of each event fits what is audited. Exits where it does not."""
    if viewpoint is not None and include is None:
        tell_error("--viewpoint is about what --include tells")
        raise typer.Exit(Exit.USAGE)
    if include is not None and (against is not None or not is_file(target)):
        tell_error("--include is about a file that is audited as it is: name one")
        raise typer.Exit(Exit.USAGE)


def is_file(target: str | None) -> bool:
    """Whether this names a file or standard input, not an encounter."""
    return target is not None and (target == "-" or Path(target).is_file())


def tell_target(
    target: str,
    kept: Kept,
    words: tuple[str, str | None, str],
    *,
    as_json: bool,
    with_luck: bool,
) -> Exit:
    """Audit a file and tell of each event: what, as whom, in which language.

    Exits where it is no bundle or has no such viewpoint.
    """
    records = import_module("service.cli.bundle_records")
    order = records.order_of(*words, as_json=as_json)
    with TemporaryFile("w+", encoding="utf-8") as waiting:

        def keep(record: Any) -> None:
            waiting.writelines(f"{line}\n" for line in records.record_lines(record))

        tell = records.print_record if as_json else keep
        report = told_report(target, kept, order, tell, with_luck=with_luck)
        if isinstance(report, Report) and not as_json:
            waiting.seek(0)
            write_report(report, (line.removesuffix("\n") for line in waiting))
    return exit_of(report) if isinstance(report, Report) else report


def told_report(
    target: str,
    kept: Kept,
    order: Any,
    tell: Callable[[Any], None],
    *,
    with_luck: bool,
) -> Report | Exit:
    """The report on a file whose events are shown; how it ends where there is none."""
    records = import_module("service.cli.bundle_records")
    try:
        with opened(target) as (file, size), progress() as bar:
            lines = counted(file, size, bar)
            audit = BundleAudit(RULESETS, kept, with_luck=with_luck)
            report: Report = records.tell_records(lines, order, audit, tell)
    except DamagedBundle as damage:
        return _damaged(target, damage)
    except Malformed as error:
        allowed = error.params.get("allowed")
        names = ", ".join(map(str, allowed)) if isinstance(allowed, list) else ""
        tell_error(f"--viewpoint: of this bundle there are {names}")
        return Exit.USAGE
    return report


def _damaged(target: str, damage: DamagedBundle) -> Exit:
    tell_error(f"{target} is no sound bundle: line {damage.line}, {damage.reason}")
    return Exit.WRONG


def trusted_keys(public_key: str | None, source: str | None) -> TrustedKeys:
    """The keys that are named, all of them demanded, else those that were pinned before.

    Exits where there are none, or something else.
    """
    if public_key is not None and not re.fullmatch("[0-9A-Fa-f]{64}", public_key):
        tell_error("--public-key takes 64 hex digits; --keys takes what the service publishes")
        raise typer.Exit(Exit.USAGE)
    try:
        if public_key is None and source is None:
            return TrustedKeys(pinned().by_id)
        named = {} if source is None else keys_at(source)
    except UnreadableKeys as unreadable:
        tell_error(f"{unreadable.where}: {unreadable.why}")
        raise typer.Exit(Exit.USAGE) from unreadable
    if public_key is not None:
        raw = bytes.fromhex(public_key)
        named[kid_of(raw)] = raw
    return TrustedKeys(named, is_demanded=True)


def noted_head(text: str) -> KeptHead:
    """A head as a client noted it. Exits where it is none."""
    found = re.fullmatch("([1-9][0-9]{0,9})-([0-9A-Fa-f]{64})", text)
    if found is None:
        tell_error("--head takes SEQ-HASH, such as 40-<64 hex digits>")
        raise typer.Exit(Exit.USAGE)
    return KeptHead(int(found[1]), found[2].lower())


def read_receipts(path: Path) -> tuple[KeptReceipt, ...]:
    """The receipts of a file. Exits where there is none, or something else in it."""
    try:
        return receipts_in(path)
    except OSError as error:
        tell_error(f"{path} cannot be read: {error.strerror}")
    except UnreadableReceipts as unreadable:
        tell_error(f"{path}, {unreadable.where}: {unreadable.why}")
    raise typer.Exit(Exit.USAGE)


def print_report(report: Report, *, as_json: bool) -> None:
    """The report for people or for scripts."""
    if as_json:
        print_json(report)
    else:
        write_report(report)


def audit_target(target: str, kept: Kept, *, as_json: bool, with_luck: bool = False) -> Exit:
    """Audit a file or an encounter. Exits where there is none, or no bundle in the file."""
    if not is_file(target):
        return Exit(_stored().audit_encounter(target, kept, as_json=as_json, with_luck=with_luck))
    try:
        report = audit_file(target, kept, with_luck=with_luck)
    except DamagedBundle as damage:
        return _damaged(target, damage)
    print_report(report, as_json=as_json)
    return exit_of(report)


def _stored(module: str = "stored_audits") -> Any:
    """What works on the database, and takes longer to import than many a file to audit."""
    return import_module(f"service.cli.{module}")


def audit_file(target: str, kept: Kept, *, with_luck: bool = False) -> Report:
    """Audit a bundle; how far it is shows as bytes read. Raises DamagedBundle."""
    with opened(target) as (file, size), progress() as bar:
        lines = counted(file, size, bar)
        return audit_bundle(lines, RULESETS, kept=kept, with_luck=with_luck)


def counted(file: BinaryIO, size: int | None, bar: Progress) -> Iterator[bytes]:
    """The lines of a bundle; how far they are read shows on the bar."""
    task = bar.add_task("bytes", total=size)
    for line in file:
        yield line
        bar.advance(task, len(line))


@contextmanager
def opened(target: str) -> Iterator[tuple[BinaryIO, int | None]]:
    """The bytes of a file or of standard input, and how many there are if that is known."""
    if target == "-":
        yield sys.stdin.buffer, None
        return
    path = Path(target)
    with path.open("rb") as file:
        yield file, path.stat().st_size


@contextmanager
def progress() -> Iterator[Progress]:
    """A bar on standard error, gone when the work is done; none where that is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield bar
