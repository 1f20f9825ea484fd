"""`warlog audit`: decide a battle again, event by event, and say where it differs."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from service.cli.audit_options import (
    DemandedKey,
    Everything,
    Heads,
    Include,
    Keys,
    Narrated,
    NarrationLanguage,
    OfRuleset,
    OtherVersion,
    Processes,
    Receipts,
    Resume,
    Since,
    Target,
    Viewpoint,
    WithLuck,
)
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


def audit(
    target: Target = None,
    *,
    everything: Everything = False,
    public_key: DemandedKey = None,
    keys: Keys = None,
    head: Heads = None,
    receipts: Receipts = None,
    ruleset: OfRuleset = None,
    since: Since = None,
    against: OtherVersion = None,
    processes: Processes = None,
    resume: Resume = None,
    luck: WithLuck = False,
    include: Include = None,
    viewpoint: Viewpoint = None,
    language: NarrationLanguage = Narrated.EN,
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
    asked = Asked(
        target=target,
        everything=everything,
        is_named=any((public_key, keys, head, receipts)),
        has_head=bool(head),
        has_receipts=receipts is not None,
        is_selected=(ruleset, since, processes, resume) != (None, None, None, None),
        against=against,
        with_luck=luck,
        include=include,
        viewpoint=viewpoint,
    )
    require_usable(asked)
    collect_seldom()
    if everything:
        selection = _stored("all_audits.selection").selected(ruleset, since, against)
        run = _stored("all_audits.run")
        audits = run.AllAudits(
            selection=selection,
            against=against,
            processes=processes,
            journal=resume,
            as_json=as_json,
        )
        raise typer.Exit(run.audit_all(audits))
    if against is not None and target is not None:
        compared = _stored("comparisons").compare_target(target, against, as_json=as_json)
        raise typer.Exit(compared)
    kept = Kept(
        trusted=trusted_keys(public_key, keys),
        receipts=() if receipts is None else read_receipts(receipts),
        heads=tuple(noted_head(text) for text in head or ()),
    )
    raise typer.Exit(audit_one(asked, kept, language, as_json=as_json))


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What the options together ask for.

    `is_named`: something is held against the log, keys, heads or receipts. `is_selected`: some
    option says which stored battles, and how.
    """

    target: str | None
    everything: bool
    is_named: bool
    has_head: bool
    has_receipts: bool
    is_selected: bool
    against: str | None
    with_luck: bool
    include: str | None
    viewpoint: str | None


def require_usable(asked: Asked) -> None:
    """The options fit together. Exits where they do not, with what is wrong."""
    wrong = misuse(asked)
    if wrong is not None:
        tell_error(wrong)
        raise typer.Exit(Exit.USAGE)


def misuse(asked: Asked) -> str | None:
    """What is wrong with these options together; None if they fit."""
    target, against = asked.target, asked.against
    if [target is not None or asked.has_receipts, asked.everything].count(True) != 1:
        return "name a file or an encounter, or --receipts, or say --all by itself"
    if asked.has_head and target is None:
        return "--head is of one log: name its file or encounter"
    if not asked.everything and asked.is_selected:
        return "--ruleset, --since, --processes and --resume go with --all"
    if asked.with_luck and (target is None or against is not None):
        return "--luck is of one log as it is: name its file or encounter"
    if (asked.everything or against is not None) and asked.is_named:
        return "keys, heads and receipts are held against one log that is audited as it is"
    if asked.viewpoint is not None and asked.include is None:
        return "--viewpoint is about what --include tells"
    if asked.include is not None and (against is not None or not is_file(target)):
        return "--include is about a file that is audited as it is: name one"
    return None


def audit_one(asked: Asked, kept: Kept, language: Narrated, *, as_json: bool) -> Exit:
    """Audit a file, an encounter, or the encounters that kept receipts name."""
    if asked.target is None:
        return Exit(_stored().audit_named(kept, as_json=as_json))
    if asked.include is None:
        return audit_target(asked.target, kept, as_json=as_json, with_luck=asked.with_luck)
    words = (asked.include, asked.viewpoint, language.value)
    return tell_target(asked.target, kept, words, as_json=as_json, with_luck=asked.with_luck)


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
