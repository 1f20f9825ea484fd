"""Which builds the schema serves, so that the release before works on while the next one migrates.

How this works. Every migration from this one on states `oldest_build`: the number of the oldest
build that still works on the schema it leads to. A build's number, and a schema's, is that of the
newest migration it knows. After each step, up or down, `env.py` writes both numbers into the one
row of `schema_version`; a build serves if the schema is not older than it is, and it is not older
than `oldest_build`. A migration that takes away what older builds use raises the number; one that
only adds repeats that of the migration before.
"""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

oldest_build = 8


def upgrade() -> None:
    """Add the table with its row."""
    op.execute(
        """
        CREATE TABLE schema_version (
            is_only boolean NOT NULL DEFAULT true,
            number integer NOT NULL,
            oldest_build integer NOT NULL,
            CONSTRAINT schema_version_pkey PRIMARY KEY (is_only),
            CONSTRAINT schema_version_one_row CHECK (is_only),
            CONSTRAINT schema_version_order CHECK (oldest_build <= number)
        )
        """
    )
    op.execute("INSERT INTO schema_version (number, oldest_build) VALUES (9, 8)")


def downgrade() -> None:
    """Take it away; builds before this one never read it."""
    op.execute("DROP TABLE schema_version")
