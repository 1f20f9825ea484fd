"""The append: a batch of encounters in one statement.

How this works. The rows of the batch's encounters are locked in the order of their ids, so that
two processes cannot deadlock. Each statement after that sees what was committed before the lock
was had: first the idempotency keys, then the heads are compared and set, then everything of the
encounters that passed is inserted. An encounter whose key is used or whose head differs is left
out; `taken` names the others. All arrays of one letter run in parallel: c for commands, e for
events, p for parts.

A later shape of this function gets a new name, since the release before still calls this one.
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

APPEND = """
CREATE FUNCTION append_events(
    ids uuid[], expected_seqs integer[], expected_hashes bytea[],
    head_seqs integer[], head_hashes bytea[], statuses text[],
    c_ids uuid[], c_principals text[], c_keys text[],
    c_fingerprints bytea[], c_first_seqs integer[], c_last_seqs integer[],
    e_ids uuid[], e_seqs integer[], e_bases integer[],
    e_hashes bytea[], e_bodies json[], e_commits bytea[],
    p_ids uuid[], p_seqs integer[], p_audiences text[],
    p_kinds text[], p_salts bytea[], p_bodies bytea[],
    OUT taken uuid[], OUT at timestamptz
)
LANGUAGE plpgsql AS $$
DECLARE
    used uuid[];
BEGIN
    PERFORM FROM encounter e WHERE e.id = ANY (ids) ORDER BY e.id FOR NO KEY UPDATE;
    at := clock_timestamp();

    IF cardinality(c_ids) > 0 THEN
        SELECT array_agg(c.encounter_id) INTO used
        FROM unnest(c_ids, c_principals, c_keys) AS k (encounter_id, principal, idempotency_key)
        JOIN command c USING (encounter_id, principal, idempotency_key);
    END IF;

    WITH moved AS (
        UPDATE encounter e
        SET head_seq = b.head_seq, head_hash = b.head_hash, status = b.status
        FROM unnest(ids, expected_seqs, expected_hashes, head_seqs, head_hashes, statuses)
            AS b (id, expected_seq, expected_hash, head_seq, head_hash, status)
        WHERE e.id = b.id AND e.head_seq = b.expected_seq AND e.head_hash = b.expected_hash
            AND (used IS NULL OR b.id <> ALL (used))
        RETURNING e.id
    )
    SELECT array_agg(moved.id) INTO taken FROM moved;
    IF taken IS NULL THEN
        RETURN;
    END IF;

    INSERT INTO event (encounter_id, seq, base, hash, body, commits, recorded_at)
    SELECT e.encounter_id, e.seq, e.base, e.hash, e.body, e.commits, at
    FROM unnest(e_ids, e_seqs, e_bases, e_hashes, e_bodies, e_commits)
        AS e (encounter_id, seq, base, hash, body, commits)
    WHERE e.encounter_id = ANY (taken);

    IF cardinality(p_ids) > 0 THEN
        INSERT INTO event_part (encounter_id, seq, audience, kind, salt, body)
        SELECT p.encounter_id, p.seq, p.audience, p.kind, p.salt, p.body
        FROM unnest(p_ids, p_seqs, p_audiences, p_kinds, p_salts, p_bodies)
            AS p (encounter_id, seq, audience, kind, salt, body)
        WHERE p.encounter_id = ANY (taken);
    END IF;

    IF cardinality(c_ids) > 0 THEN
        INSERT INTO command
            (encounter_id, principal, idempotency_key, fingerprint, first_seq, last_seq)
        SELECT c.encounter_id, c.principal, c.idempotency_key,
            c.fingerprint, c.first_seq, c.last_seq
        FROM unnest(c_ids, c_principals, c_keys, c_fingerprints, c_first_seqs, c_last_seqs)
            AS c (encounter_id, principal, idempotency_key, fingerprint, first_seq, last_seq)
        WHERE c.encounter_id = ANY (taken);
    END IF;
END
$$
"""


def upgrade() -> None:
    """Create the function."""
    op.execute(APPEND)


def downgrade() -> None:
    """Drop the function."""
    op.execute("DROP FUNCTION append_events")
