"""Alembic's entry: runs the migrations on the connection `service.eventstore.migrate` hands in.

Behind every step the numbers that the migration states are written down: see `0009`.
"""

from collections.abc import Collection, Mapping
from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo
from alembic.script import Script
from sqlalchemy import text

from service.eventstore.tables import METADATA

# A finished upgrade keeps older builds out, whatever a later migration could serve.
WRITE = text(
    "UPDATE schema_version SET number = :number,"
    " oldest_build = least(greatest(oldest_build, :oldest_build), :number)"
)


def write_version(
    ctx: MigrationContext, step: MigrationInfo, heads: Collection[Any], run_args: Mapping[str, Any]
) -> None:
    """Say which builds the schema serves from here on; before 0009 there is nowhere to."""
    for migration in step.destination_revisions:
        if not isinstance(migration, Script) or ctx.connection is None:
            continue
        oldest_build = getattr(migration.module, "oldest_build", None)
        if oldest_build is not None:
            numbers = {"number": int(migration.revision), "oldest_build": oldest_build}
            ctx.connection.execute(WRITE, numbers)


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
    on_version_apply=write_version,
)
with context.begin_transaction():
    context.run_migrations()
