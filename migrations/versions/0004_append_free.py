"""The append again, without waiting: an encounter that another session holds is left out at once.

How this works. As `append_events`, which stays for the release before, but rows that are locked
are skipped instead of waited for, so that one held encounter cannot hold up the others of its
batch, nor the batches behind it. `taken` names the encounters that were stored, `held` those
whose rows were there but locked. Only rows that this statement locked itself are ever moved.
Each key is looked up by itself (OFFSET 0 keeps it from becoming a join): a join planned while
`command` was empty reads the whole index, and the plan of a function is kept for long.

An event that erases text is stored together with what it asks for: `due_erasure` names the events
(d for due) whose text is to go, until the eraser has emptied it. So an erasure that was stored is
finished by whoever comes next, even if the process that stored it ended at that moment. For logs
that are there already all erasures count as due; doing one again does no harm.

`sealed_seed` names the encounters whose seed may still be sealed, with the days without any event
after which the service reveals it, as event 1 says.

The release before continues calling `append_events` for a while and knows neither table, so that
function notes both by itself: else nobody would finish an erasure that such a process left half
done, nor ever reveal the seed of an encounter that it created.

A later shape of this function gets a new name, since the release before still calls this one.
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

APPEND = """
CREATE FUNCTION append_free(
    ids uuid[], expected_seqs integer[], expected_hashes bytea[],
    head_seqs integer[], head_hashes bytea[], statuses text[],
    c_ids uuid[], c_principals text[], c_keys text[],
    c_fingerprints bytea[], c_first_seqs integer[], c_last_seqs integer[],
    e_ids uuid[], e_seqs integer[], e_bases integer[],
    e_hashes bytea[], e_bodies json[], e_commits bytea[],
    p_ids uuid[], p_seqs integer[], p_audiences text[],
    p_kinds text[], p_salts bytea[], p_bodies bytea[],
    d_ids uuid[], d_seqs integer[],
    OUT taken uuid[], OUT held uuid[], OUT at timestamptz
)
LANGUAGE plpgsql AS $$
DECLARE
    free uuid[];
    used uuid[];
BEGIN
    SELECT coalesce(array_agg(locked.id), '{}') INTO free FROM (
        SELECT e.id FROM encounter e WHERE e.id = ANY (ids)
        ORDER BY e.id FOR NO KEY UPDATE SKIP LOCKED
    ) locked;
    at := clock_timestamp();

    IF cardinality(free) < cardinality(ids) THEN
        SELECT array_agg(e.id) INTO held
        FROM encounter e WHERE e.id = ANY (ids) AND e.id <> ALL (free);
        IF cardinality(free) = 0 THEN
            RETURN;
        END IF;
    END IF;

    IF cardinality(c_ids) > 0 THEN
        SELECT array_agg(c.encounter_id) INTO used
        FROM unnest(c_ids, c_principals, c_keys) AS c (encounter_id, principal, idempotency_key)
        WHERE EXISTS (
            SELECT FROM command u WHERE u.encounter_id = c.encounter_id
                AND u.principal = c.principal AND u.idempotency_key = c.idempotency_key
            OFFSET 0
        );
    END IF;

    WITH moved AS (
        UPDATE encounter e
        SET head_seq = b.head_seq, head_hash = b.head_hash, status = b.status
        FROM unnest(ids, expected_seqs, expected_hashes, head_seqs, head_hashes, statuses)
            AS b (id, expected_seq, expected_hash, head_seq, head_hash, status)
        WHERE e.id = b.id AND e.head_seq = b.expected_seq AND e.head_hash = b.expected_hash
            AND b.id = ANY (free) AND (used IS NULL OR b.id <> ALL (used))
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

    IF cardinality(d_ids) > 0 THEN
        INSERT INTO due_erasure (encounter_id, seq)
        SELECT d.encounter_id, d.seq FROM unnest(d_ids, d_seqs) AS d (encounter_id, seq)
        WHERE d.encounter_id = ANY (taken)
        ON CONFLICT DO NOTHING;
    END IF;
END
$$
"""

DUE = (
    """
    CREATE TABLE due_erasure (
        encounter_id uuid NOT NULL,
        seq integer NOT NULL,
        CONSTRAINT due_erasure_pkey PRIMARY KEY (encounter_id, seq)
    )
    """,
    """
    INSERT INTO due_erasure (encounter_id, seq)
    SELECT DISTINCT e.encounter_id, s.value::integer
    FROM event e, json_array_elements_text(e.body -> 'action' -> 'seqs') AS s (value)
    WHERE e.body::text LIKE '%"type":"erase"%' AND e.body -> 'action' ->> 'type' = 'erase'
    """,
    """
    CREATE TABLE sealed_seed (
        encounter_id uuid CONSTRAINT sealed_seed_pkey PRIMARY KEY,
        reveal_by_days integer NOT NULL,
        CONSTRAINT sealed_seed_days_check CHECK (reveal_by_days >= 1)
    )
    """,
    """
    INSERT INTO sealed_seed (encounter_id, reveal_by_days)
    SELECT e.encounter_id, (e.body -> 'action' ->> 'reveal_by_days')::integer
    FROM event e WHERE e.seq = 1 AND e.body -> 'action' ->> 'reveal_by_days' IS NOT NULL
    """,
)

NOTED = """
    INSERT INTO due_erasure (encounter_id, seq)
    SELECT e.id, s.value::integer
    FROM unnest(e_ids, e_bodies) AS e (id, body),
        json_array_elements_text(e.body -> 'action' -> 'seqs') AS s (value)
    WHERE e.id = ANY (taken) AND e.body::text LIKE '%"type":"erase"%'
        AND e.body -> 'action' ->> 'type' = 'erase'
    ON CONFLICT DO NOTHING;

    INSERT INTO sealed_seed (encounter_id, reveal_by_days)
    SELECT e.id, (e.body -> 'action' ->> 'reveal_by_days')::integer
    FROM unnest(e_ids, e_seqs, e_bodies) AS e (id, seq, body)
    WHERE e.id = ANY (taken) AND e.seq = 1
        AND e.body -> 'action' ->> 'reveal_by_days' IS NOT NULL
    ON CONFLICT DO NOTHING;
"""
LAST_LINE = "END\n$function$"
BEFORE = "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = 'append_events'"

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
        DELETE FROM seat WHERE encounter_id = doomed;
        DELETE FROM command WHERE encounter_id = doomed;{due}
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
DUE_LINES = """
        DELETE FROM due_erasure WHERE encounter_id = doomed;
        DELETE FROM sealed_seed WHERE encounter_id = doomed;"""


def upgrade() -> None:
    """Create the function next to the one before it, and what it keeps of erasures."""
    for statement in (*DUE, DELETION.replace("{due}", DUE_LINES), APPEND):
        op.execute(statement)
    before = op.get_bind().exec_driver_sql(BEFORE).scalar_one()
    op.execute(before.replace(LAST_LINE, NOTED + LAST_LINE))


def downgrade() -> None:
    """Drop what was added; the functions of the release before are as they were."""
    noting = op.get_bind().exec_driver_sql(BEFORE).scalar_one()
    op.execute(noting.replace(NOTED, ""))
    op.execute("DROP FUNCTION append_free")
    op.execute(DELETION.replace("{due}", ""))
    op.execute("DROP TABLE sealed_seed")
    op.execute("DROP TABLE due_erasure")
