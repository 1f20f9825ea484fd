"""The deletion of a tenant, in steps that can be repeated.

How this works. `retire_tenant` marks the tenant and revokes its keys. It waits for creations that
are on their way, and from then on a trigger refuses new ones, so that the encounters of the
tenant can be counted down to none with `delete_encounter`. `forget_tenant` then takes away, in
bounded steps, the keys under which encounters were created, and at the end every name. What stays
is the tenant's id, its revoked keys by their hashes, and the tombstones of its encounters.

Whoever ends in between leaves a marked tenant: the same steps again finish it. As with
`delete_encounter`, the functions run with the owner's rights and the eraser alone is granted them.
"""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

# The tables are locked in the order in which a creation takes them, so that the two cannot wait
# for one another: encounter or api_key first, then tenant.
DELETION = (
    """
    CREATE FUNCTION refuse_deleted_tenant() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
        PERFORM FROM tenant WHERE id = NEW.tenant AND deleted_at IS NULL FOR KEY SHARE;
        IF NOT FOUND AND EXISTS (SELECT FROM tenant WHERE id = NEW.tenant) THEN
            RAISE EXCEPTION 'the tenant is deleted'
                USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'tenant_deleted';
        END IF;
        RETURN NEW;
    END
    $$
    """,
    """
    CREATE TRIGGER encounter_refuse_deleted BEFORE INSERT ON encounter
    FOR EACH ROW EXECUTE FUNCTION refuse_deleted_tenant()
    """,
    """
    CREATE TRIGGER api_key_refuse_deleted BEFORE INSERT ON api_key
    FOR EACH ROW EXECUTE FUNCTION refuse_deleted_tenant()
    """,
    "ALTER TABLE tenant ADD COLUMN deleted_at timestamptz",
    # The lock is what creations on their way hold against.
    """
    CREATE FUNCTION retire_tenant(doomed uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
        PERFORM FROM tenant WHERE id = doomed FOR UPDATE;
        IF NOT FOUND THEN
            RETURN false;
        END IF;
        UPDATE tenant SET deleted_at = clock_timestamp()
            WHERE id = doomed AND deleted_at IS NULL;
        UPDATE api_key SET revoked_at = clock_timestamp()
            WHERE tenant = doomed AND revoked_at IS NULL;
        RETURN true;
    END
    $$
    """,
    """
    CREATE FUNCTION forget_tenant(doomed uuid, most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
        forgotten integer;
    BEGIN
        IF EXISTS (SELECT FROM encounter WHERE tenant = doomed)
            OR NOT EXISTS (SELECT FROM tenant WHERE id = doomed AND deleted_at IS NOT NULL)
        THEN
            RAISE EXCEPTION 'the tenant is not retired, or has encounters';
        END IF;
        DELETE FROM creation WHERE encounter_id IN (
            SELECT c.encounter_id FROM tombstone t JOIN creation c USING (encounter_id)
            WHERE t.tenant = doomed LIMIT most
        );
        GET DIAGNOSTICS forgotten = ROW_COUNT;
        IF forgotten < most THEN
            UPDATE api_key SET name = '' WHERE tenant = doomed AND name <> '';
            UPDATE tenant SET name = 'deleted ' || id
                WHERE id = doomed AND name <> 'deleted ' || id;
        END IF;
        RETURN forgotten;
    END
    $$
    """,
    "REVOKE ALL ON FUNCTION retire_tenant(uuid) FROM PUBLIC",
    "REVOKE ALL ON FUNCTION forget_tenant(uuid, integer) FROM PUBLIC",
    # What the release before created while 0004 was reading the log: nobody creates now.
    """
    INSERT INTO sealed_seed (encounter_id, reveal_by_days)
    SELECT e.id, (f.body -> 'action' ->> 'reveal_by_days')::integer
    FROM encounter e JOIN event f ON f.encounter_id = e.id AND f.seq = 1
    WHERE e.created_at > now() - interval '1 hour'
        AND f.body -> 'action' ->> 'reveal_by_days' IS NOT NULL
    ON CONFLICT DO NOTHING
    """,
)


def upgrade() -> None:
    """Add the mark, the triggers and the functions."""
    for statement in DELETION:
        op.execute(statement)


def downgrade() -> None:
    """Take them away; tenants that are deleted stay so, without their mark."""
    op.execute("DROP FUNCTION forget_tenant(uuid, integer)")
    op.execute("DROP FUNCTION retire_tenant(uuid)")
    op.execute("DROP FUNCTION refuse_deleted_tenant() CASCADE")
    op.execute("ALTER TABLE tenant DROP COLUMN deleted_at")
