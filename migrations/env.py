"""Alembic's entry: runs the migrations on the connection `service.eventstore.migrate` hands in."""

from alembic import context

from service.eventstore.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
