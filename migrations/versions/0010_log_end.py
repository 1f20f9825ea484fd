"""The end of a log moves with the rows that make it true, and by nothing else.

How this works. `append_free` runs with the owner's rights from now on, so that the serving role
needs no right of its own to write into a log or to move its head (`service.eventstore.grants`).
What it is handed it does not trust: an encounter is taken only if its head goes forward, the rows
stored for it are exactly those from the expected seq + 1 to the new head, the last of them has the
new head's hash, and parts and commands belong to those rows. Anything else fails as
`append_fits_check`, and nothing of the batch is stored. That every row is whole (its hash that of
its body, its `prev` the hash before) is not looked at: the store knows no format, the audit does.

Name, arguments and answers are those of the release before, which calls it. `append_events`, that
of the release before that one, is this function behind a wait for the rows.

Who locks a row needs the right to update some column of it. `lockable` is there for that alone:
it can only ever be true.
"""

from alembic import context, op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

oldest_build = 8

LOCKABLE = """
ALTER TABLE encounter ADD COLUMN lockable boolean NOT NULL DEFAULT true
    CONSTRAINT encounter_lockable_check CHECK (lockable)
"""

APPEND_FREE = """
CREATE OR REPLACE FUNCTION append_free(
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
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    free uuid[];
    used uuid[];
    befores integer[];
    lasts integer[];
    ends bytea[];
    due bigint;
    strays bigint;
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
            AND b.head_seq > b.expected_seq
            AND b.id = ANY (free) AND (used IS NULL OR b.id <> ALL (used))
        RETURNING e.id, b.expected_seq, e.head_seq, e.head_hash
    )
    SELECT array_agg(m.id), array_agg(m.expected_seq), array_agg(m.head_seq),
        array_agg(m.head_hash), sum(m.head_seq - m.expected_seq)
    INTO taken, befores, lasts, ends, due FROM moved m;
    IF taken IS NULL THEN
        RETURN;
    END IF;

    -- No two rows of an encounter have one seq: as many as are due, each in its place, are all.
    WITH stored AS (
        INSERT INTO event (encounter_id, seq, base, hash, body, commits, recorded_at)
        SELECT e.encounter_id, e.seq, e.base, e.hash, e.body, e.commits, at
        FROM unnest(e_ids, e_seqs, e_bases, e_hashes, e_bodies, e_commits)
            AS e (encounter_id, seq, base, hash, body, commits)
        WHERE e.encounter_id = ANY (taken)
        RETURNING encounter_id, seq, hash
    )
    SELECT abs(due - count(*)) + count(*) FILTER (WHERE NOT (
        s.seq > befores[s.i]
        AND (s.seq < lasts[s.i] OR s.seq = lasts[s.i] AND s.hash = ends[s.i])
    ))
    INTO strays
    FROM (SELECT seq, hash, array_position(taken, encounter_id) AS i FROM stored OFFSET 0) s;

    IF cardinality(p_ids) > 0 THEN
        WITH stored AS (
            INSERT INTO event_part (encounter_id, seq, audience, kind, salt, body)
            SELECT p.encounter_id, p.seq, p.audience, p.kind, p.salt, p.body
            FROM unnest(p_ids, p_seqs, p_audiences, p_kinds, p_salts, p_bodies)
                AS p (encounter_id, seq, audience, kind, salt, body)
            WHERE p.encounter_id = ANY (taken)
            RETURNING encounter_id, seq
        )
        SELECT strays + count(*) FILTER (WHERE s.seq <= befores[s.i] OR s.seq > lasts[s.i])
        INTO strays
        FROM (SELECT seq, array_position(taken, encounter_id) AS i FROM stored OFFSET 0) s;
    END IF;

    IF cardinality(c_ids) > 0 THEN
        WITH stored AS (
            INSERT INTO command
                (encounter_id, principal, idempotency_key, fingerprint, first_seq, last_seq)
            SELECT c.encounter_id, c.principal, c.idempotency_key,
                c.fingerprint, c.first_seq, c.last_seq
            FROM unnest(c_ids, c_principals, c_keys, c_fingerprints, c_first_seqs, c_last_seqs)
                AS c (encounter_id, principal, idempotency_key, fingerprint, first_seq, last_seq)
            WHERE c.encounter_id = ANY (taken)
            RETURNING encounter_id, first_seq, last_seq
        )
        SELECT strays + count(*) FILTER (
            WHERE s.first_seq <= befores[s.i] OR s.last_seq NOT BETWEEN s.first_seq AND lasts[s.i]
        )
        INTO strays
        FROM (
            SELECT first_seq, last_seq, array_position(taken, encounter_id) AS i
            FROM stored OFFSET 0
        ) s;
    END IF;

    IF strays > 0 THEN
        RAISE EXCEPTION 'an append holds the rows from its expected head to its new one, no others'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'append_fits_check';
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

APPEND_EVENTS = """
CREATE OR REPLACE FUNCTION append_events(
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
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    d_ids uuid[];
    d_seqs integer[];
BEGIN
    PERFORM FROM encounter e WHERE e.id = ANY (ids) ORDER BY e.id FOR NO KEY UPDATE;

    SELECT coalesce(array_agg(e.id), '{}'), coalesce(array_agg(s.value::integer), '{}')
    INTO d_ids, d_seqs
    FROM unnest(e_ids, e_bodies) AS e (id, body),
        json_array_elements_text(e.body -> 'action' -> 'seqs') AS s (value)
    WHERE e.body::text LIKE '%"type":"erase"%' AND e.body -> 'action' ->> 'type' = 'erase';

    SELECT a.taken, a.at INTO taken, at FROM append_free(
        ids, expected_seqs, expected_hashes, head_seqs, head_hashes, statuses,
        c_ids, c_principals, c_keys, c_fingerprints, c_first_seqs, c_last_seqs,
        e_ids, e_seqs, e_bases, e_hashes, e_bodies, e_commits,
        p_ids, p_seqs, p_audiences, p_kinds, p_salts, p_bodies, d_ids, d_seqs
    ) a;

    INSERT INTO sealed_seed (encounter_id, reveal_by_days)
    SELECT e.id, (e.body -> 'action' ->> 'reveal_by_days')::integer
    FROM unnest(e_ids, e_seqs, e_bodies) AS e (id, seq, body)
    WHERE e.id = ANY (taken) AND e.seq = 1
        AND e.body -> 'action' ->> 'reveal_by_days' IS NOT NULL
    ON CONFLICT DO NOTHING;
END
$$
"""

FUNCTIONS = ("append_free", "append_events")
END = "END\n$$"


def upgrade() -> None:
    """Give the functions the owner's rights; who else may call them, the grants say."""
    op.execute(LOCKABLE)
    for function, definition in zip(FUNCTIONS, (APPEND_FREE, APPEND_EVENTS), strict=True):
        op.execute(definition)
        op.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")


def downgrade() -> None:
    """Give them back as they were: whoever may call them needs its own rights again."""
    before, free = (context.script.get_revision(each).module for each in ("0003", "0004"))
    for function in FUNCTIONS:
        op.execute(f"DROP FUNCTION {function}")
    op.execute(before.APPEND.replace(END, free.NOTED + END))
    op.execute(free.APPEND)
    op.execute("ALTER TABLE encounter DROP COLUMN lockable")
