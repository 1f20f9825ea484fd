"""Audits of encounters in the database, for `warlog audit`."""

import asyncio
import os
from dataclasses import replace
from uuid import UUID

from service.cli.audit import print_report, progress
from service.cli.database import open_database, with_store
from service.cli.reporting import exit_of
from service.console import tell_error
from service.encounters.responses import Receipt
from service.eventstore.records import EncounterRow
from service.eventstore.store import EventStore
from service.exits import Exit
from service.replay.audit.audits import audit_row, witness_of
from service.replay.audit.luck_tally import MASTER
from service.replay.audit.receipt_check import Witness
from service.replay.audit.trust import Kept
from service.replay.report.verdicts import EventVerdict, Report
from service.rulesets import RULESETS
from service.settings import from_environment


def audit_encounter(target: str, kept: Kept, *, as_json: bool, with_luck: bool) -> Exit:
    """Audit the encounter of this id, or say why there is none."""
    try:
        encounter = UUID(target)
    except ValueError:
        tell_error(f"{target} is neither a file nor an encounter's id")
        return Exit.USAGE

    async def work(store: EventStore) -> Report | None:
        return await audit_id(store, str(encounter), kept, with_luck=with_luck)

    with open_database(from_environment(os.environ)) as addresses:
        report = asyncio.run(with_store(addresses, work))
    if report is None:
        tell_error(f"there is no encounter {encounter}")
        return Exit.WRONG
    print_report(report, as_json=as_json)
    return exit_of(report)


def audit_named(kept: Kept, *, as_json: bool) -> Exit:
    """Audit every encounter that receipts name, each with its own."""
    named: dict[str, list[Receipt]] = {}
    for receipt in kept.receipts:
        named.setdefault(receipt.encounter, []).append(receipt)

    async def work(store: EventStore) -> Exit:
        worst = Exit.OK
        for encounter, own in named.items():
            report = await audit_id(store, encounter, replace(kept, receipts=tuple(own)))
            if report is None:
                worst = worse(worst, Exit.WRONG)
                tell_error(f"there is no encounter {encounter}, of which receipts were kept")
                continue
            worst = worse(worst, exit_of(report))
            print_report(report, as_json=as_json)
        return worst

    with open_database(from_environment(os.environ)) as addresses:
        return asyncio.run(with_store(addresses, work))


async def audit_id(
    store: EventStore, encounter: str, kept: Kept, *, with_luck: bool = False
) -> Report | None:
    """Audit the encounter of this id; None if there is none, any more or at all."""
    try:
        row = await store.log.head(UUID(encounter))
    except ValueError:
        return None
    if row is None:
        return None
    witness = await witness_of(store, kept)
    return await audit_with_bar(store, row, witness, with_luck=with_luck)


async def audit_with_bar(
    store: EventStore, row: EncounterRow, witness: Witness, *, with_luck: bool
) -> Report:
    """Audit a stored encounter; how far it is shows as events judged."""
    with progress() as bar:
        task = bar.add_task("events", total=row.head_seq)

        def step(_: EventVerdict) -> None:
            bar.advance(task)

        reader = MASTER if with_luck else None
        return await audit_row(store, row, RULESETS, progress=step, witness=witness, reader=reader)


def worse(first: Exit, second: Exit) -> Exit:
    """Something wrong outweighs something unavailable."""
    return next(
        (
            each
            for each in (Exit.WRONG, Exit.UNAVAILABLE, Exit.UNVERIFIED)
            if each in (first, second)
        ),
        Exit.OK,
    )
