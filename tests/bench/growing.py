"""Appends to a log of 10,000,000 stored events next to appends to an empty one: p99, and WAL.

Two databases on one server hold the same number of encounters, one without events, one with 5,000
in each. Every append stores events of 8 encounters picked at random, as the service's committer
does. The empty one is measured immediately before and after. What an append writes ahead depends on
no clock: a page of an index that was not touched since the last checkpoint is written whole.
"""

import asyncio
import random
import secrets
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
from _measuring import Table, at_most, paired, parser, percentile

from service.engine.log.event import SealedEvent
from service.eventstore.embedded import Dsns, EmbeddedPostgres, provision
from service.eventstore.migrate import upgrade
from service.eventstore.records import Append, Appended, Command
from service.eventstore.store import EventStore

T = TypeVar("T")

ENCOUNTERS = 2_000
BATCH = 8
PRINCIPAL = "key:00000000-0000-7000-8000-000000000001"
BODY = (
    '{"action":{"combatant":"c1","target":"c5","type":"ranged_attack","weapon":"rifle"},'
    '"at":"2026-01-01T00:00:00.000Z","base":0,"by":{"id":"x","kind":"key","role":"gm"},'
    f'"draws":[],"effects":[{{"detail":"{"a" * 1000}"}}],"prev":"{"0" * 64}","seq":1}}'
)

_TENANT = "INSERT INTO tenant (id, name) VALUES ($1, 'bench') ON CONFLICT DO NOTHING"
_ENCOUNTERS = """
    INSERT INTO encounter (id, tenant, ruleset, version, status, head_seq, head_hash)
    SELECT id, $2, 'crossfire-d6', '1', 'running', $3, decode(repeat('00', 32), 'hex')
    FROM unnest($1::uuid[]) AS e (id)
"""
_EVENTS = """
    INSERT INTO event (encounter_id, seq, base, hash, body, commits)
    SELECT id, seq, seq - 1, sha256(id::text::bytea || seq::text::bytea), $3::text::json,
        decode(repeat('ab', 224), 'hex')
    FROM unnest($1::uuid[]) AS e (id), generate_series(1, $2::integer) AS s (seq)
"""
_COMMANDS = """
    INSERT INTO command (encounter_id, principal, idempotency_key, fingerprint, first_seq, last_seq)
    SELECT id, $3, gen_random_uuid()::text, sha256(seq::text::bytea), seq, seq
    FROM unnest($1::uuid[]) AS e (id), generate_series(1, $2::integer) AS s (seq)
"""
_WAL = "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"
PORTION = 20
FILLERS = 4
"""Connections that fill a database at the same time."""


class Grown:
    """One database with encounters of so many events, and appends to them."""

    def __init__(self, runner: asyncio.Runner, dsns: Dsns, events_each: int) -> None:
        self._runner = runner
        self._admin = dsns.admin
        self.wal_kib: list[float] = []
        self._heads = {
            UUID(bytes=secrets.token_bytes(16)): (events_each, bytes(32)) for _ in range(ENCOUNTERS)
        }
        self.run(self._fill(events_each))
        self._store = self.run(EventStore.open(dsns.app))

    def close(self) -> None:
        """Close the store."""
        self.run(self._store.close())

    def p99_ms(self, seconds: float) -> float:
        """Of appends one after the other for so long."""
        taken: list[float] = []
        before = self.run(self._wal_bytes())
        self.run(self._append(seconds, taken))
        self.wal_kib.append((self.run(self._wal_bytes()) - before) / 1024 / len(taken))
        return 1000 * percentile(taken, 0.99)

    async def _wal_bytes(self) -> int:
        """How much the server has written ahead so far."""
        connection = await asyncpg.connect(self._admin)
        written: int = await connection.fetchval(_WAL)
        await connection.close()
        return written

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Its result."""
        return self._runner.run(work)

    async def _append(self, seconds: float, taken: list[float]) -> None:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            batch = [self._shot(each) for each in random.sample(list(self._heads), BATCH)]
            began = time.perf_counter()
            outcomes = await self._store.writer.append(batch)
            taken.append(time.perf_counter() - began)
            if not all(isinstance(outcome, Appended) for outcome in outcomes):
                raise SystemExit(f"not appended: {outcomes}")

    def _shot(self, encounter: UUID) -> Append:
        seq, head = self._heads[encounter]
        event = SealedEvent(
            seq=seq + 1,
            base=seq,
            hash=secrets.token_hex(32),
            body=BODY.encode(),
            commits=bytes(32 * 7),
            parts=(),
        )
        command = Command(
            principal=PRINCIPAL,
            key=secrets.token_hex(16),
            fingerprint=secrets.token_bytes(32),
            first_seq=event.seq,
            last_seq=event.seq,
        )
        self._heads[encounter] = (event.seq, bytes.fromhex(event.hash))
        return Append(
            encounter_id=encounter,
            expected_seq=seq,
            expected_hash=head,
            events=(event,),
            commands=(command,),
            status="running",
        )

    async def _fill(self, events_each: int) -> None:
        ids, tenant = list(self._heads), UUID(int=1)
        connection = await asyncpg.connect(self._admin)
        await connection.execute(_TENANT, tenant)
        await connection.execute(_ENCOUNTERS, ids, tenant, events_each)
        if events_each:
            portions = [ids[first : first + PORTION] for first in range(0, ENCOUNTERS, PORTION)]
            shares = [portions[first::FILLERS] for first in range(FILLERS)]
            await asyncio.gather(*[self._fill_some(share, events_each) for share in shares])
            await connection.execute("VACUUM ANALYZE")
        await connection.close()

    async def _fill_some(self, portions: list[list[UUID]], events_each: int) -> None:
        """Store events and commands as a replica does: nothing is checked row by row."""
        connection = await asyncpg.connect(self._admin)
        await connection.execute("SET session_replication_role = replica")
        await connection.execute("SET synchronous_commit = off")
        for portion in portions:
            await connection.execute(_EVENTS, portion, events_each, BODY)
            await connection.execute(_COMMANDS, portion, events_each, PRINCIPAL)
        await connection.close()


async def made(dsns: Dsns, database: str) -> Dsns:
    """A separate database next to the service's, migrated."""
    admin, owner, app, eraser = (urlsplit(each) for each in _urls(dsns))
    connection = await asyncpg.connect(dsns.admin)
    passwords = {each.username or "": each.password or "" for each in (owner, app, eraser)}
    await provision(connection, database, passwords)
    await connection.close()
    addresses = [
        each._replace(path=f"/{database}").geturl() for each in (admin, owner, app, eraser)
    ]
    own = Dsns(admin=addresses[0], owner=addresses[1], app=addresses[2], eraser=addresses[3])
    await upgrade(own.owner, app_role=app.username, eraser_role=eraser.username)
    return own


async def flush(url: str) -> None:
    """Write out what filling left behind, so that it is not paid for while measuring."""
    connection = await asyncpg.connect(url)
    await connection.execute("CHECKPOINT")
    await connection.close()


@contextmanager
def server() -> Iterator[Dsns]:
    """A durable private PostgreSQL that nobody else works with."""
    with tempfile.TemporaryDirectory(prefix="warlog-bench-") as made:
        folder = Path(made)
        folder.chmod(0o755)
        with EmbeddedPostgres(folder / "postgres") as dsns:
            yield dsns


def _urls(dsns: Dsns) -> tuple[str, str, str, str]:
    return dsns.admin, dsns.owner, dsns.app, dsns.eraser


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument(
        "--events", type=int, default=10_000_000, help="stored; 0 skips (default %(default)s)"
    )
    given = options.parse_args()
    name = f"append p99 with {given.events:,} stored events"
    with Table(given.rows) as table:
        if not given.events:
            table.missing("append p99 with stored events", "--events 0", at_most(1.2))
            return
        with server() as dsns, asyncio.Runner() as runner:
            began = time.perf_counter()
            empty = Grown(runner, runner.run(made(dsns, "empty")), 0)
            full = Grown(runner, runner.run(made(dsns, "full")), given.events // ENCOUNTERS)
            runner.run(flush(dsns.admin))
            print(f"  filled in {time.perf_counter() - began:.0f} s", flush=True)
            empty.p99_ms(given.seconds)
            full.p99_ms(given.seconds)
            pairs = list(
                paired(
                    given.rounds,
                    lambda: empty.p99_ms(given.seconds),
                    lambda: full.p99_ms(given.seconds),
                )
            )
            empty.close()
            full.close()
        table.add("append p99, no stored events", [limit for _, limit in pairs], "ms")
        table.add(name, [tail for tail, _ in pairs], "ms")
        table.add("WAL of an append of 8, no stored events", empty.wal_kib[1:], "KiB")
        table.add("WAL of an append of 8, with stored events", full.wal_kib[1:], "KiB")
        ratios = [tail / limit for tail, limit in pairs]
        table.add(f"{name} / none", ratios, target=at_most(1.2))


if __name__ == "__main__":
    main()
