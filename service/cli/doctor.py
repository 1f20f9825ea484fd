"""`warlog doctor`: look at everything the service depends on, change nothing, say what is wrong."""

import asyncio
import os
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from service.cli.database import Addresses, open_database
from service.cli.failures import failure_of
from service.cli.findings import (
    Finding,
    Severity,
    exit_code,
    judge_ends,
    judge_erasures,
    judge_redis,
    judge_role,
    judge_server,
    judge_serving,
    judge_sessions,
    judge_subscriptions,
    judge_upgrade,
)
from service.console import AsJson, out, print_json
from service.errors import Unavailable
from service.eventstore.embedded import EmbeddedError
from service.eventstore.grants import ERASING, SERVING, Right
from service.eventstore.probe import Examination, examine
from service.eventstore.schema_version import build_number
from service.fanout.connection import LOST
from service.fanout.probe import examine_redis
from service.fanout.supervisor import one_line
from service.fanout.topology import Unfit
from service.releases import BUILD, RELEASES
from service.settings import Settings, from_environment, unknown_variables

COLOURS = {
    Severity.OK: "green",
    Severity.WARNING: "yellow",
    Severity.WRONG: "red",
    Severity.AWAY: "red",
}


def doctor(
    *,
    backup: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Check a dump of pg_dump --format=custom instead: restore it into a private"
            " server, and audit every battle in it.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check database, roles, clock, Redis and keys; change nothing.

    With --backup no database of the service is touched: the dump is restored into a private
    PostgreSQL in a temporary folder (TMPDIR), which needs about the room of the database.

    Exits with 0 if all is well (warnings included), 1 if something is wrong, 3 if the database
    or Redis cannot be reached. The private database is started for the time of the check.
    """
    settings = from_environment(os.environ)
    if backup is None:
        findings = examine_all(settings, unknown_variables(os.environ))
    else:
        # Audits take long to import.
        proof = import_module("service.cli.backup_proof")
        findings = tuple(proof.prove_backup(backup, settings, _databases, as_json=as_json))
    if as_json:
        for finding in findings:
            print_json(finding)
    else:
        out.print(_table(findings))
    raise typer.Exit(exit_code(findings))


def examine_all(settings: Settings, unknown: tuple[str, ...]) -> tuple[Finding, ...]:
    """Look at everything; one failure does not hide the rest."""
    findings = [
        *(_unknown(name) for name in unknown),
        Finding(
            subject="signing key",
            verdict=Severity.OK,
            says="given" if settings.signing_key else "kept in the database",
        ),
        *_redis(settings),
    ]
    try:
        with open_database(settings) as addresses:
            findings += asyncio.run(_databases(addresses))
    except EmbeddedError as error:
        findings.append(Finding(subject="database", verdict=Severity.AWAY, says=str(error)))
    return tuple(findings)


def _unknown(name: str) -> Finding:
    return Finding(
        subject="settings", verdict=Severity.WARNING, says=f"{name} is set, but nothing reads it"
    )


def _redis(settings: Settings) -> tuple[Finding, ...]:
    if settings.redis_url is None:
        return ()
    try:
        return judge_redis(asyncio.run(examine_redis(settings.redis_url)))
    except Unfit as unfit:
        return (Finding(subject="redis", verdict=Severity.WRONG, says=str(unfit)),)
    except LOST as error:
        return (
            Finding(subject="redis", verdict=Severity.AWAY, says=f"no answer ({one_line(error)})"),
        )


async def _databases(addresses: Addresses) -> list[Finding]:
    """Ask once per role; the server itself is judged as the serving role sees it."""
    findings = []
    serving = await _look("database", addresses.serve, SERVING)
    if isinstance(serving, Examination):
        server = judge_server(serving, build_number())
        logs = (
            *judge_ends(serving),
            *judge_erasures(serving),
            *judge_subscriptions(serving),
            *judge_upgrade(serving, BUILD, RELEASES),
        )
        sessions = judge_sessions("sessions", serving)
        findings += [*server, judge_serving(serving), *sessions, *logs]
    else:
        findings.append(serving)
    if addresses.migrate != addresses.serve:
        owner = await _look("migrating role", addresses.migrate)
        if isinstance(owner, Finding):
            findings.append(owner)
    if addresses.erase is not None:
        eraser = await _look("erasing role", addresses.erase, ERASING)
        if isinstance(eraser, Finding):
            findings.append(eraser)
        else:
            findings.append(judge_role("erasing role", eraser))
            findings += judge_sessions("erasing sessions", eraser)
    return findings


async def _look(
    subject: str, address: str, needed: tuple[Right, ...] = ()
) -> Examination | Finding:
    try:
        return await examine(address, lambda: datetime.now(UTC), needed)
    except Unavailable as error:
        failure = failure_of(error)
        says = error.code if failure is None else failure.sentence
        return Finding(subject=subject, verdict=Severity.AWAY, says=f"no answer: {says}")


def _table(findings: tuple[Finding, ...]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    for finding in findings:
        table.add_row(
            f"[{COLOURS[finding.verdict]}]{finding.verdict}[/]", finding.subject, finding.says
        )
    return table
