"""`warlog doctor --backup`: proves a dump by restoring it and auditing its battles.

Nothing of the service's own database is touched: the dump goes into a private server in a temporary
folder, which is deleted afterwards.
"""

import asyncio
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from service.cli.all_audits.build_id import build_id
from service.cli.all_audits.journal import Journal
from service.cli.all_audits.run import AllAudits, AuditRun
from service.cli.database import Addresses, bring_up_to_date
from service.cli.failures import failure_of
from service.cli.findings import Finding, Severity
from service.errors import WarlogError
from service.eventstore.embedded import EmbeddedError, EmbeddedPostgres
from service.eventstore.embedded.restore import DumpOrigin, origin_of, restore
from service.exits import Exit
from service.settings import Settings

Look = Callable[[Addresses], Coroutine[Any, Any, list[Finding]]]
"""Looks at a database."""


def prove_backup(dump: Path, settings: Settings, look: Look, *, as_json: bool) -> list[Finding]:
    """Restore a dump, bring it up to date, look at it and audit every battle in it."""
    try:
        origin = origin_of(dump)
    except (EmbeddedError, OSError) as error:
        return [_finding("backup", Severity.WRONG, f"{dump}: {error}")]
    findings = [_origin(origin)]
    try:
        with _restored(dump, settings) as (addresses, folder):
            findings.append(_finding("restore", Severity.OK, "pg_restore took all of it"))
            asyncio.run(bring_up_to_date(addresses))
            findings += asyncio.run(look(addresses))
            findings.append(_audited(addresses, folder, as_json=as_json))
    except EmbeddedError as error:
        findings.append(_finding("restore", Severity.WRONG, str(error)))
    except WarlogError as error:
        failure = failure_of(error)
        says = error.code if failure is None else failure.sentence
        findings.append(_finding("restore", Severity.WRONG, says))
    return findings


def _origin(origin: DumpOrigin) -> Finding:
    says = f"PostgreSQL {origin.server}, dumped by pg_dump {origin.program}"
    if origin.is_one_major:
        return _finding("backup", Severity.OK, says)
    advice = "use the pg_dump of the server's own major version"
    return _finding("backup", Severity.WARNING, f"{says}; {advice}")


@contextmanager
def _restored(dump: Path, settings: Settings) -> Iterator[tuple[Addresses, Path]]:
    """The addresses of the restored database, and a folder that lasts as long."""
    with tempfile.TemporaryDirectory(prefix="warlog-backup-") as name:
        folder = Path(name)
        server = EmbeddedPostgres(folder / "postgres", user=settings.embedded_user, durable=False)
        with server as dsns:
            restore(dump, dsns.owner)
            addresses = Addresses(
                serve=dsns.app, migrate=dsns.owner, erase=dsns.eraser, is_embedded=True
            )
            yield addresses, folder


def _audited(addresses: Addresses, folder: Path, *, as_json: bool) -> Finding:
    """Audit all battles; what the audit prints comes before the findings."""
    build = build_id()
    with Journal(folder / "audits.ndjson", build, None) as journal:
        run = AuditRun(AllAudits(as_json=as_json), journal, build, addresses.serve)
        result = asyncio.run(run.finished())
    if result is Exit.OK:
        return _finding("audit", Severity.OK, "every battle is clean")
    severity = Severity.WRONG if result is Exit.WRONG else Severity.AWAY
    return _finding("audit", severity, "not every battle is clean; the lines above name them")


def _finding(subject: str, verdict: Severity, says: str) -> Finding:
    return Finding(subject=subject, verdict=verdict, says=says)
