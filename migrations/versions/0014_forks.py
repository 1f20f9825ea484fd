"""Which battle a fork stems from, and on whose account its seats ask.

How this works. `origin` is the battle that was played first, also of a fork of a fork: its living
forks are counted together. `account` is the seat that forked by its own token, as limits count it,
and again that of the first where it forked a fork; none where a key did. A fork that is deleted
takes its row along. Forks of earlier releases have no row and do not count.
"""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

oldest_build = 8

FORKS = (
    """
    CREATE TABLE fork (
        encounter_id uuid CONSTRAINT fork_pkey PRIMARY KEY
            CONSTRAINT fork_encounter_id_fkey REFERENCES encounter ON DELETE CASCADE,
        origin uuid NOT NULL,
        account text
    )
    """,
    "CREATE INDEX fork_origin_idx ON fork (origin)",
)


def upgrade() -> None:
    """Add the table."""
    for statement in FORKS:
        op.execute(statement)


def downgrade() -> None:
    """Take it away; forks stay what they are, and are no longer counted."""
    op.execute("DROP TABLE fork")
