"""Battles of the kit put into a database as they are, without the service: many in little time.

How this works. Rows are written by the owner of the server, past the guards of the log. The key
that battles of the kit are created with belongs to one tenant, so that an audit finds nothing.
"""

from collections.abc import Iterable
from uuid import UUID

import asyncpg

from service.engine.log import canonical
from service.eventstore.connection import Connection
from tests.kit.random_battles import BY_PLAYER, play
from tests.kit.rig import Rig
from tests.kit.table import GM, SEAL_KEY, Table, seated

TENANT = UUID(int=0x1F)

_TENANT = "INSERT INTO tenant (id, name) VALUES ($1, 'kit') ON CONFLICT DO NOTHING"
_KEY = """
    INSERT INTO api_key (id, tenant, name, secret_hash, scopes)
    VALUES ($1, $2, 'kit', sha256('kit'), '{}') ON CONFLICT DO NOTHING
"""
_ENCOUNTER = """
    INSERT INTO encounter (id, tenant, ruleset, version, status, head_seq, head_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
_SECRET = "INSERT INTO secret (encounter_id, seed, seal_key) VALUES ($1, $2, $3)"
_EVENT = """
    INSERT INTO event (encounter_id, seq, base, hash, body, commits)
    VALUES ($1, $2, $3, $4, $5, $6)
"""
_PART = """
    INSERT INTO event_part (encounter_id, seq, audience, kind, salt, body)
    VALUES ($1, $2, $3, $4, $5, $6)
"""
_BLOB = "INSERT INTO blob (digest, body) VALUES (sha256($1), $1) ON CONFLICT DO NOTHING"
_USED = "INSERT INTO encounter_blob (encounter_id, digest) VALUES ($1, sha256($2))"


def random_table(rig: Rig, number: int, events: int) -> Table:
    """A random battle with a separate id; the table rolls the dice of every fourth."""
    table = seated(
        rig.ruleset,
        rig.battles.setup(number, with_secrets=True),
        dice="supplied" if number % 4 == 3 else "sealed",
        encounter=str(numbered(rig, number)),
    )
    play(table, number, events, by=BY_PLAYER)
    return table


def numbered(rig: Rig, number: int) -> UUID:
    """The id of a random battle."""
    return UUID(int=(0x0193 << 112) + (hash_of(rig) << 32) + number)


def hash_of(rig: Rig) -> int:
    return int.from_bytes(f"{rig.ruleset.slug}{rig.ruleset.version}".encode()[-8:])


async def store_tables(admin: str, tables: Iterable[Table]) -> None:
    """Put battles into the database at a superuser's address."""
    connection = await asyncpg.connect(admin)
    try:
        await connection.set_type_codec(
            "json", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary"
        )
        await connection.execute("SET session_replication_role = replica")
        await connection.execute(_TENANT, TENANT)
        await connection.execute(_KEY, UUID(GM.id), TENANT)
        for table in tables:
            async with connection.transaction():
                await _store(connection, table)
    finally:
        await connection.close()


async def _store(connection: Connection, table: Table) -> None:
    encounter, head = UUID(table.encounter), table.sealed[-1]
    await connection.execute(
        _ENCOUNTER,
        encounter,
        TENANT,
        table.ruleset.slug,
        table.ruleset.version,
        table.state.rule.status,
        head.seq,
        bytes.fromhex(head.hash),
    )
    await connection.execute(_SECRET, encounter, table.seed, SEAL_KEY)
    for blob in {canonical.encode(blob) for blob in table.blobs.values()}:
        await connection.execute(_BLOB, blob)
        await connection.execute(_USED, encounter, blob)
    await connection.executemany(
        _EVENT,
        [
            (encounter, each.seq, each.base, bytes.fromhex(each.hash), each.body, each.commits)
            for each in table.sealed
        ],
    )
    await connection.executemany(
        _PART,
        [
            (encounter, each.seq, part.audience, part.kind, part.salt or None, part.body or None)
            for each in table.sealed
            for part in each.parts
        ],
    )
