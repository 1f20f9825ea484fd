"""Battles that are stored, and somebody who is at the database behind the service's back."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg

from service.engine import hashing
from service.engine.log import canonical
from service.eventstore.connection import Connection
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_log, audit_stored
from service.replay.bundle.writer import bundle_stored
from service.replay.report.verdicts import EventVerdict, Report
from service.rulesets import RULESETS
from tests.encounters.table import Table, creation, end_turn, fighter, shoot

Tamper = Callable[[Connection, UUID], Awaitable[object]]
HIDDEN = creation(
    fighter("r1", "red", 0, 0),
    fighter("b1", "blue", 6, 0),
    fighter("b2", "blue", 3, 3, hidden=True),
)


async def battle(table: Table) -> UUID:
    """Eleven events: shots, an override with a reason, a rewind, a hidden move, a note."""
    encounter = await table.create(HIDDEN)
    await table.seat("rita").act(encounter, {"type": "contribute", "value": "ab" * 32})
    await table.act(encounter, {"type": "start_encounter"})
    await table.seat("rita").act(encounter, shoot("r1", "b1"))
    change = {"type": "hp", "combatant": "r1", "value": 30}
    await table.act(encounter, {"type": "adjust", "changes": [change], "reason": "A splinter"})
    await table.act(encounter, shoot("r1", "b1"))
    await table.act(encounter, {"type": "rewind", "to": 5})
    await table.act(encounter, end_turn("r1"))
    await table.act(encounter, end_turn("b1"))
    path = [{"x": 3, "y": 2}]
    await table.seat("bob").act(encounter, {"type": "move", "combatant": "b2", "path": path})
    await table.act(encounter, {"type": "note", "text": "Rain", "gm_text": "b2 gets nearer"})
    return encounter


async def audit(table: Table, encounter: UUID) -> Report:
    return await audit_stored(table.encounters.reads, table.who, encounter)


async def bundle(table: Table, encounter: UUID) -> list[bytes]:
    lines = await bundle_stored(table.encounters.reads, table.who, encounter)
    return [line async for line in lines]


@asynccontextmanager
async def without_guard(database: Dsns) -> AsyncIterator[Connection]:
    """Somebody who owns the database server, for whom no trigger counts."""
    connection = await asyncpg.connect(database.admin)
    try:
        await connection.execute("SET session_replication_role = replica")
        yield connection
    finally:
        await connection.close()


async def after(database: Dsns, store: EventStore, encounter: UUID, tamper: Tamper) -> Report:
    """The audit of the log after somebody was at it."""
    async with without_guard(database) as connection:
        await tamper(connection, encounter)
    row = await store.log.head(encounter)
    assert row is not None
    return await audit_log(store.log, row, RULESETS)


def adding_text(seq: int, path: list[str | int], text: str) -> Tamper:
    """Somebody adds a text for everyone to an event that has none, and seals and chains it."""
    part = canonical.encode({"entries": [[path, text]]})
    salt = bytes(16)

    async def add(connection: Connection, encounter: UUID) -> None:
        row = await connection.fetchrow(
            "SELECT body::text, commits FROM event WHERE encounter_id = $1 AND seq = $2",
            encounter,
            seq,
        )
        assert row is not None
        # Everyone's text is the first part.
        commits = hashing.part_commit(salt, part) + row["commits"][32:]
        await connection.execute(
            "INSERT INTO event_part (encounter_id, seq, audience, kind, salt, body)"
            " VALUES ($1, $2, 'everyone', 'text', $3, $4)",
            encounter,
            seq,
            salt,
            part,
        )
        await connection.execute(
            "UPDATE event SET commits = $3 WHERE encounter_id = $1 AND seq = $2",
            encounter,
            seq,
            commits,
        )
        sealed = json.loads(row["body"])["sealed"]
        await replacing(sealed, hashing.sealed(commits), after=seq - 1)(connection, encounter)

    return add


def failure(report: Report) -> EventVerdict:
    assert isinstance(report.first_failure, EventVerdict)
    return report.first_failure


def replacing(old: str, new: str, *, after: int = 1) -> Tamper:
    """Somebody writes the events behind `after` again, the chain with them, and the head."""

    async def rewrite(connection: Connection, encounter: UUID) -> None:
        rows = await connection.fetch(
            "SELECT seq, body::text FROM event WHERE encounter_id = $1 AND seq > $2 ORDER BY seq",
            encounter,
            after,
        )
        prev = ""
        for row in rows:
            body = row["body"].replace(old, new)
            if prev:
                at = body.index('"prev":"') + 8
                body = body[:at] + prev + body[at + 64 :]
            prev = hashing.event_hash(body.encode())
            await connection.execute(
                "UPDATE event SET body = $3::json, hash = $4 WHERE encounter_id = $1 AND seq = $2",
                encounter,
                row["seq"],
                body,
                bytes.fromhex(prev),
            )
        await connection.execute(
            "UPDATE encounter SET head_hash = $2 WHERE id = $1", encounter, bytes.fromhex(prev)
        )

    return rewrite
