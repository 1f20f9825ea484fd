"""How many forks a seat made today, also of those that are deleted again.

How this works. `account` is the seat as limits count it, `encounter_id` the battle that was played
first, or the one that was forked where the first is deleted; its rows go with it. One row for each
seat that ever forked: `day` (UTC) is that of its last fork, `forks` how many it made on that day.
"""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

oldest_build = 8

FORK_DAYS = """
    CREATE TABLE fork_day (
        encounter_id uuid NOT NULL
            CONSTRAINT fork_day_encounter_id_fkey REFERENCES encounter ON DELETE CASCADE,
        account text NOT NULL,
        day date NOT NULL,
        forks integer NOT NULL,
        CONSTRAINT fork_day_pkey PRIMARY KEY (encounter_id, account)
    )
"""


def upgrade() -> None:
    """Add the table."""
    op.execute(FORK_DAYS)


def downgrade() -> None:
    """Take it away; forks stay what they are, and are no longer counted by day."""
    op.execute("DROP TABLE fork_day")
