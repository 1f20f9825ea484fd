"""What protects the log, and the one way an encounter is deleted.

`event` and `event_part` are only ever inserted into. Grants (`service.eventstore.grants`) keep
the serving role from anything else; the triggers refuse everyone, the owner included:

- `event`: UPDATE and TRUNCATE always; DELETE unless the encounter has a tombstone.
- `event_part`: TRUNCATE always; UPDATE unless it empties a text part; DELETE as for `event`.

Only `delete_encounter` writes tombstones, in the transaction that deletes. It runs with the
owner's rights and the eraser alone is granted it, so there is no setting that switches the
protection off.
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

PARTITIONS = 8
PARTITIONED = ("event", "event_part")

PROTECTION = (
    """
    CREATE FUNCTION refuse_log_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    BEGIN
        IF TG_OP = 'DELETE' THEN
            IF EXISTS (SELECT FROM tombstone WHERE encounter_id = OLD.encounter_id) THEN
                RETURN OLD;
            END IF;
        END IF;
        RAISE EXCEPTION '% on % is refused: the log is append-only', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END
    $$
    """,
    """
    CREATE FUNCTION refuse_part_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    BEGIN
        IF OLD.kind = 'text' AND NEW.salt IS NULL AND NEW.body IS NULL
            AND (NEW.encounter_id, NEW.seq, NEW.audience, NEW.kind)
                = (OLD.encounter_id, OLD.seq, OLD.audience, OLD.kind)
        THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'UPDATE on % is refused: a text part can be emptied, no more', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END
    $$
    """,
    """
    CREATE TRIGGER event_refuse_change BEFORE UPDATE OR DELETE ON event
    FOR EACH ROW EXECUTE FUNCTION refuse_log_change()
    """,
    """
    CREATE TRIGGER event_part_refuse_delete BEFORE DELETE ON event_part
    FOR EACH ROW EXECUTE FUNCTION refuse_log_change()
    """,
    """
    CREATE TRIGGER event_part_refuse_update BEFORE UPDATE ON event_part
    FOR EACH ROW EXECUTE FUNCTION refuse_part_change()
    """,
    # Row triggers of a partitioned table reach its partitions; statement triggers do not.
    *(
        f"CREATE TRIGGER {table}_refuse_truncate BEFORE TRUNCATE ON {table}{suffix} "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change()"
        for table in PARTITIONED
        for suffix in ("", *(f"_p{number}" for number in range(PARTITIONS)))
    ),
)

DELETION = (
    # A blob that another encounter takes up meanwhile stays: that is the exception caught.
    """
    CREATE FUNCTION delete_encounter(doomed uuid) RETURNS SETOF tombstone
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
            DELETE FROM command WHERE encounter_id = doomed;
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
    """,
    "REVOKE ALL ON FUNCTION delete_encounter(uuid) FROM PUBLIC",
)


def upgrade() -> None:
    """Put the triggers on and create the function that deletes."""
    for statement in (*PROTECTION, *DELETION):
        op.execute(statement)


def downgrade() -> None:
    """Leave the log unprotected; the triggers go with their functions."""
    op.execute("DROP FUNCTION delete_encounter(uuid)")
    op.execute("DROP FUNCTION refuse_part_change() CASCADE")
    op.execute("DROP FUNCTION refuse_log_change() CASCADE")
