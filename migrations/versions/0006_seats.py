"""Invitations to seats: codes that are exchanged once for a seat's token.

How this works. Of a code there is only its SHA-256, and not even that once it is used or ended. A
seat has at most one open invitation: whoever makes a new one ends the one before, under the lock
of the seat's row. `principal` and `idempotency_key` are those of the request that made it, so that
a repeated request makes no other. `principal` is a caller as in `command`.

An encounter that is deleted takes its invitations along: `delete_encounter` is the one of 0004
with a line more. `encounter_running_idx` finds the battles of a tenant that are under way.
"""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

INVITATIONS = (
    """
    CREATE TABLE invitation (
        encounter_id uuid NOT NULL,
        principal text NOT NULL,
        idempotency_key text NOT NULL,
        seat text NOT NULL,
        code_hash bytea CONSTRAINT invitation_code_hash_key UNIQUE,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        ended_at timestamptz,
        CONSTRAINT invitation_pkey PRIMARY KEY (encounter_id, principal, idempotency_key),
        CONSTRAINT invitation_code_hash_check CHECK (octet_length(code_hash) = 32),
        CONSTRAINT invitation_open_check CHECK (
            (code_hash IS NULL) = (used_at IS NOT NULL OR ended_at IS NOT NULL)
        )
    )
    """,
    """
    CREATE UNIQUE INDEX invitation_open_idx ON invitation (encounter_id, seat)
    WHERE code_hash IS NOT NULL
    """,
    """
    CREATE INDEX encounter_running_idx ON encounter (tenant, created_at, id)
    WHERE status = 'running'
    """,
)

DELETION = """
CREATE OR REPLACE FUNCTION delete_encounter(doomed uuid) RETURNS SETOF tombstone
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    used bytea;
BEGIN
    INSERT INTO tombstone (encounter_id, tenant, head_seq, head_hash)
        SELECT id, tenant, head_seq, head_hash FROM encounter WHERE id = doomed FOR UPDATE;
    IF FOUND THEN
        DELETE FROM snapshot WHERE encounter_id = doomed;
        DELETE FROM secret WHERE encounter_id = doomed;
        DELETE FROM seat WHERE encounter_id = doomed;{invitations}
        DELETE FROM command WHERE encounter_id = doomed;
        DELETE FROM due_erasure WHERE encounter_id = doomed;
        DELETE FROM sealed_seed WHERE encounter_id = doomed;
        DELETE FROM event_part WHERE encounter_id = doomed;
        DELETE FROM event WHERE encounter_id = doomed;
        UPDATE creation SET fingerprint = '' WHERE encounter_id = doomed;
        DELETE FROM encounter WHERE id = doomed;
        FOR used IN DELETE FROM encounter_blob WHERE encounter_id = doomed RETURNING digest
        LOOP
            BEGIN
                DELETE FROM blob WHERE digest = used
                    AND NOT EXISTS (SELECT FROM encounter_blob b WHERE b.digest = used);
            EXCEPTION WHEN foreign_key_violation THEN
                NULL;
            END;
        END LOOP;
    END IF;
    RETURN QUERY SELECT * FROM tombstone WHERE encounter_id = doomed;
END
$$
"""
INVITATION_LINE = """
        DELETE FROM invitation WHERE encounter_id = doomed;"""


def upgrade() -> None:
    """Add the table, the index and the line."""
    for statement in (*INVITATIONS, DELETION.replace("{invitations}", INVITATION_LINE)):
        op.execute(statement)


def downgrade() -> None:
    """Take them away; whoever has a seat's token keeps it."""
    op.execute(DELETION.replace("{invitations}", ""))
    op.execute("DROP INDEX encounter_running_idx")
    op.execute("DROP TABLE invitation")
