"""`warlog audit --against`: one battle, decided under another version of its ruleset."""

import asyncio
import os
from pathlib import Path
from uuid import UUID

from msgspec import UNSET

from service.cli.all_audits.words import lines_of
from service.cli.audit import counted, opened, progress
from service.cli.database import open_database
from service.cli.known_versions import require_version
from service.console import out, print_json, tell_error
from service.eventstore.connection import Database
from service.eventstore.moment import READING, moment_of
from service.exits import Exit
from service.replay.audit.version_comparisons import compare_bundle, compare_log
from service.replay.bundle.reader import DamagedBundle
from service.replay.report.comparison import VersionComparison
from service.rulesets import RULESETS
from service.settings import from_environment


def compare_target(target: str, against: str, *, as_json: bool) -> Exit:
    """Compare a file or an encounter. Exits where there is none, or no such version."""
    require_version(against, None)
    try:
        found = _compared(target, against)
    except DamagedBundle as damage:
        tell_error(f"{target} is no sound bundle: line {damage.line}, {damage.reason}")
        return Exit.WRONG
    if isinstance(found, Exit):
        return found
    if found.reason == "version_unknown":
        require_version(against, found.ruleset)
    if as_json:
        print_json(found)
    else:
        for line in lines_of(found):
            out.print(line)
    return Exit.OK if found.reason is UNSET else Exit.UNAVAILABLE


def _compared(target: str, against: str) -> VersionComparison | Exit:
    if target == "-" or Path(target).is_file():
        return compare_file(target, against)
    try:
        encounter = UUID(target)
    except ValueError:
        tell_error(f"{target} is neither a file nor an encounter's id")
        return Exit.USAGE
    found = compare_encounter(encounter, against)
    if found is None:
        tell_error(f"there is no encounter {encounter}")
        return Exit.WRONG
    return found


def compare_file(target: str, against: str) -> VersionComparison:
    """Compare a bundle; how far it is shows as bytes read. Raises DamagedBundle."""
    with opened(target) as (file, size), progress() as bar:
        return compare_bundle(counted(file, size, bar), RULESETS, against)


def compare_encounter(encounter: UUID, against: str) -> VersionComparison | None:
    """Compare a stored log; None if there is none."""

    async def work(url: str) -> VersionComparison | None:
        database = await Database.open(url, size=1, settings=READING)
        try:
            async with moment_of(database) as now:
                row = await now.log.head(encounter)
                if row is None:
                    return None
                with progress() as bar:
                    task = bar.add_task("events", total=row.head_seq)
                    return await compare_log(
                        now.log, row, RULESETS, against, step=lambda: bar.advance(task)
                    )
        finally:
            await database.close()

    with open_database(from_environment(os.environ)) as addresses:
        return asyncio.run(work(addresses.serve))
