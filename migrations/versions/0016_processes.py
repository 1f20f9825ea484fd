"""Which processes serve, and the lowest release that may.

How this works. A process that serves has a row, which it renews every few seconds and removes at an
orderly end. A row that was not renewed for a while is of a process that is gone. `lowest_release`
is what the operator says by finishing an upgrade: a process of an earlier release does not start,
and what later releases brought is held back. Both are locked against one another: whoever raises
`lowest_release` locks the table of processes first, a process writes its row before it reads.

The release before has no rows. Its sessions are called `warlog`, those of this release and later
ones `warlog` and the number of their release. Builds older than this migration cannot read
`lowest_release`: whoever raises it raises `oldest_build` to 16, so that they are not ready.
"""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

oldest_build = 8

PROCESSES = (
    """
    CREATE TABLE serving_process (
        id uuid CONSTRAINT serving_process_pkey PRIMARY KEY,
        build text NOT NULL,
        rulesets text[] NOT NULL,
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
    ) WITH (fillfactor = 50)
    """,
    "ALTER TABLE schema_version ADD COLUMN lowest_release text NOT NULL DEFAULT '1.1.0'",
)


def upgrade() -> None:
    """Add the table, and the lowest release to the row of the schema."""
    for statement in PROCESSES:
        op.execute(statement)


def downgrade() -> None:
    """Take both away: every upgrade is unfinished again once this is back."""
    op.execute("ALTER TABLE schema_version DROP COLUMN lowest_release")
    op.execute("DROP TABLE serving_process")
