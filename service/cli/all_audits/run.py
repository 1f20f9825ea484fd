"""One run over all stored battles: lists them, has them judged, keeps and says what is found."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import UNSET, Struct
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from service.cli.all_audits.build_id import build_id
from service.cli.all_audits.job import AuditJob, JudgedLine
from service.cli.all_audits.journal import Journal, UnusableJournal, default_journal
from service.cli.all_audits.pool import WORK, Observer, WorkerPool
from service.cli.all_audits.summary import Tally
from service.cli.all_audits.words import is_quiet, lines_of, summary_lines
from service.cli.database import open_database
from service.console import err, out, print_json, tell_error
from service.engine.ruleset.definition import Rulesets
from service.eventstore.connection import Database
from service.eventstore.log_survey import FIRST, LogSelection
from service.eventstore.moment import READING, moment_of
from service.eventstore.records import EncounterRow
from service.eventstore.store import can_mutate_log
from service.exits import Exit
from service.rulesets import RULESETS
from service.server.log_lines import configure_logging
from service.settings import Settings, from_environment

PAGE: Final = 500
ENDS: Final = (signal.SIGINT, signal.SIGTERM)


class AllAudits(Struct, frozen=True, kw_only=True):
    """What was asked for: which battles, under which version if not their own, and how.

    `journal` is the file that was named to go on from, `work` what processes run.
    """

    selection: LogSelection = LogSelection()
    against: str | None = None
    processes: int | None = None
    journal: Path | None = None
    as_json: bool = False
    rulesets: Rulesets = RULESETS
    work: str = WORK


def audit_all(asked: AllAudits) -> Exit:
    """Audit the stored battles, or decide them under another version."""
    configure_logging("warning")
    settings = from_environment(os.environ)
    path = asked.journal or default_journal(_name_of(settings), asked.against)
    build = build_id()
    try:
        with Journal(path, build, asked.against) as journal, open_database(settings) as addresses:
            return asyncio.run(AuditRun(asked, journal, build, addresses.serve).finished())
    except UnusableJournal as unusable:
        tell_error(str(unusable))
        return Exit.USAGE


class AuditRun:
    """The parent process of one run."""

    def __init__(self, asked: AllAudits, journal: Journal, build: str, url: str) -> None:
        self._asked = asked
        self._journal = journal
        self._build = build
        self._url = url
        self._tally = Tally(asked.against)
        self._warnings: tuple[str, ...] = ()
        self._bar = AuditBar()

    async def finished(self) -> Exit:
        """Do it all; stopped by a signal, say what was done and how to go on."""
        database = await Database.open(self._url, size=1, settings=READING)
        try:
            working = asyncio.create_task(self._work(database))
            with _cancelling(working):
                is_complete = not (await asyncio.gather(working, return_exceptions=True))[0]
        finally:
            await database.close()
        failure = None if working.cancelled() else working.exception()
        if failure is not None and not self._tally.encounters and not len(self._journal):
            # It never began: there is nothing to tell, nor to go on from.
            self._journal.remove()
            raise failure
        exit_code = self._tell(is_complete=is_complete)
        if failure is not None:
            raise failure
        return exit_code

    async def _work(self, database: Database) -> None:
        if len(self._journal):
            known, path = f"{len(self._journal):,}", self._journal.path
            err.print(f"going on from {path}, which knows {known} encounters", style="dim")
        async with moment_of(database) as now:
            if await can_mutate_log(now):
                self._warnings = ("log_can_be_rewritten",)
        with self._bar.shown():
            count, events = await self._census(database)
            self._bar.expect(count, events)
            processes = self._asked.processes or os.cpu_count() or 1
            pool = WorkerPool(
                AuditJob(
                    url=self._url,
                    against=UNSET if self._asked.against is None else self._asked.against,
                    environment={k: v for k, v in os.environ.items() if k.startswith("PG")},
                ),
                max(1, min(processes, count)),
                Observer(self._take, self._bar.progressed),
                self._asked.work,
            )
            await pool.run(self._unjudged(database))

    async def _census(self, database: Database) -> tuple[int, int]:
        """How many encounters and events there are to be looked at."""
        count = events = 0
        async for row in self._chosen(database):
            count += 1
            events += row.head_seq
        return count, events

    async def _unjudged(self, database: Database) -> AsyncIterator[EncounterRow]:
        """The encounters that no run before has judged; what one found counts here too."""
        async for row in self._chosen(database, self._tally.left_out.update):
            line = self._journal.judged(row)
            if line is None:
                yield row
            else:
                self._tell_line(line, is_from_before=True)
                self._bar.progressed(line.events)

    async def _chosen(
        self, database: Database, leave_out: Callable[[tuple[str, ...]], None] = lambda why: None
    ) -> AsyncIterator[EncounterRow]:
        """The encounters that were asked for, page by page, in the order of their ids."""
        after = FIRST
        while True:
            async with moment_of(database) as now:
                page = await now.survey.page(self._asked.selection, after=after, limit=PAGE)
            for row in page:
                why = self._why_left_out(row)
                if why is None:
                    yield row
                else:
                    leave_out((why,))
            if len(page) < PAGE:
                return
            after = page[-1].id

    def _why_left_out(self, row: EncounterRow) -> str | None:
        against = self._asked.against
        if against is None:
            return None
        if row.version == against:
            return "same_version"
        return None if (row.ruleset, against) in self._asked.rulesets else "version_unknown"

    def _take(self, line: JudgedLine) -> None:
        """Something was found just now."""
        self._journal.add(line)
        self._tell_line(line, is_from_before=False)

    def _tell_line(self, line: JudgedLine, *, is_from_before: bool) -> None:
        self._tally.add(line, is_from_before=is_from_before)
        self._bar.judged()
        if self._asked.as_json:
            print_json(line)
            sys.stdout.flush()
        elif not is_quiet(line):
            for text in lines_of(line):
                out.print(text)

    def _tell(self, *, is_complete: bool) -> Exit:
        is_kept = self._asked.journal is not None or not is_complete
        path = str(self._journal.path)
        summary = self._tally.summary(
            self._build,
            is_complete=is_complete,
            warnings=self._warnings,
            journal=path if is_kept else None,
        )
        if self._asked.as_json:
            print_json(summary)
        else:
            for text in summary_lines(summary):
                out.print(text)
        if not is_complete:
            tell_error(f"stopped; the same command goes on from {path}")
        elif not is_kept:
            self._journal.remove()
        return self._tally.exit(is_complete=is_complete)


class AuditBar:
    """How far it is, on standard error: encounters, events, events a second."""

    def __init__(self) -> None:
        columns = (
            TextColumn("encounters"),
            BarColumn(),
            TextColumn("{task.completed:,.0f}/{task.fields[of]}"),
            TextColumn("{task.fields[events]:,} events, {task.fields[rate]:,.0f}/s"),
            TimeElapsedColumn(),
        )
        self._progress = Progress(
            *columns,
            console=err,
            transient=True,
            disable=not err.is_terminal,
            # What is printed is redirected to where the bar is: not what goes into a file.
            redirect_stdout=out.is_terminal,
        )
        self._task = self._add()
        self._events = 0

    def _add(self) -> TaskID:
        return self._progress.add_task("", total=None, of="?", events=0, rate=0.0)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Shown as long as the block runs, where standard error is a terminal."""
        with self._progress:
            yield

    def expect(self, encounters: int, events: int) -> None:
        """There are so many to come."""
        self._progress.update(
            self._task, total=encounters, of=f"{encounters:,} ({events:,} events)"
        )

    def judged(self) -> None:
        """One more encounter is done."""
        self._progress.advance(self._task)

    def progressed(self, count: int) -> None:
        """So many more events were looked at."""
        self._events += count
        elapsed = self._progress.tasks[0].elapsed or 0.0
        rate = self._events / elapsed if elapsed else 0.0
        self._progress.update(self._task, events=self._events, rate=rate)


@contextmanager
def _cancelling(task: "asyncio.Task[None]") -> Iterator[None]:
    """A signal that asks for the end cancels the task."""
    loop = asyncio.get_running_loop()
    for number in ENDS:
        loop.add_signal_handler(number, task.cancel)
    try:
        yield
    finally:
        for number in ENDS:
            loop.remove_signal_handler(number)


PLACES: Final = ("host", "hostaddr", "port", "dbname", "service")
PLACES_OUTSIDE: Final = ("PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGSERVICE")
"""What distinguishes one database from another, in an address and in the environment."""


def _name_of(settings: Settings) -> str:
    """Which database it is, without any password."""
    if settings.database_url is None:
        return str(settings.data_dir)
    parts = urlsplit(settings.database_url)
    # Where an address leaves something open, it says so in its query or the environment does.
    said = [(name, value) for name, value in parse_qsl(parts.query) if name in PLACES]
    said += [(name, os.environ[name]) for name in PLACES_OUTSIDE if name in os.environ]
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}?{urlencode(said)}"
