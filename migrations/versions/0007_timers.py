"""Clocks: when the time of a decision or of a turn is over, and what the game master made of it.

How this works. An encounter whose options limit decisions or turns has a row in `clock`: `due` is
when the next of its deadlines is over, worked out on the log up to `seq`. A row behind the log is
stale and is worked out again by whichever process finds it. While the encounter is paused nothing
is due. `changes` counts what the game master did to the clock: a deadline that was worked out
before such a change is never written after it, and a change makes the row stale (`seq` 0).

`clock_pause` are the pauses that are over, `clock_change` what was added to single deadlines,
`clock_command` which requests did so: repeated, they do nothing. All three are only inserted into
by whoever holds the encounter's row of `clock`, so that a deletion leaves none of them behind.
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

CLOCKS = (
    """
    CREATE TABLE clock (
        encounter_id uuid CONSTRAINT clock_pkey PRIMARY KEY,
        seq integer NOT NULL DEFAULT 0,
        due timestamptz,
        paused_at timestamptz,
        changes integer NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX clock_due_idx ON clock (due) WHERE due IS NOT NULL",
    """
    CREATE TABLE clock_pause (
        encounter_id uuid NOT NULL,
        paused_at timestamptz NOT NULL,
        resumed_at timestamptz NOT NULL,
        CONSTRAINT clock_pause_pkey PRIMARY KEY (encounter_id, paused_at),
        CONSTRAINT clock_pause_order_check CHECK (resumed_at >= paused_at)
    )
    """,
    """
    CREATE TABLE clock_change (
        encounter_id uuid NOT NULL,
        subject text NOT NULL,
        extra_ms bigint NOT NULL,
        CONSTRAINT clock_change_pkey PRIMARY KEY (encounter_id, subject)
    )
    """,
    """
    CREATE TABLE clock_command (
        encounter_id uuid NOT NULL,
        principal text NOT NULL,
        idempotency_key text NOT NULL,
        fingerprint bytea NOT NULL,
        CONSTRAINT clock_command_pkey PRIMARY KEY (encounter_id, principal, idempotency_key),
        CONSTRAINT clock_command_fingerprint_check CHECK (octet_length(fingerprint) = 32)
    )
    """,
)

DELETION = "SELECT pg_get_functiondef('delete_encounter(uuid)'::regprocedure)"
LINE = "DELETE FROM seat WHERE encounter_id = doomed;"
# The clock goes first: whoever holds it has inserted what there is to insert by then.
LINES = """
        DELETE FROM clock WHERE encounter_id = doomed;
        DELETE FROM clock_pause WHERE encounter_id = doomed;
        DELETE FROM clock_change WHERE encounter_id = doomed;
        DELETE FROM clock_command WHERE encounter_id = doomed;"""


def upgrade() -> None:
    """Add the tables, and what deletes them to the deletion of an encounter as it is."""
    for statement in CLOCKS:
        op.execute(statement)
    _redefine(LINE, LINE + LINES)


def downgrade() -> None:
    """Take them away: nothing is over by time then."""
    _redefine(LINES, "")
    for table in ("clock_command", "clock_change", "clock_pause", "clock"):
        op.execute(f"DROP TABLE {table}")


def _redefine(old: str, new: str) -> None:
    before = str(op.get_bind().exec_driver_sql(DELETION).scalar_one())
    if before.count(old) != 1:
        raise RuntimeError("delete_encounter is not what this migration knows")
    op.get_bind().exec_driver_sql(before.replace(old, new))
