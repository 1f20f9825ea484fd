"""Origins of pages in browsers that may read the answers to a tenant's callers.

How this works. The rows hang on the tenant: a trigger takes them away at the moment at which
`retire_tenant` marks it, and the one that refuses keys of deleted tenants refuses new origins too.
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

ORIGINS = (
    """
    CREATE TABLE tenant_origin (
        tenant uuid NOT NULL CONSTRAINT tenant_origin_tenant_fkey REFERENCES tenant,
        origin text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT tenant_origin_pkey PRIMARY KEY (tenant, origin),
        CONSTRAINT tenant_origin_origin_check
            CHECK (origin ~ '^[a-z][a-z0-9+.-]*://[^/?#@[:space:]]+$' AND length(origin) <= 255)
    )
    """,
    """
    CREATE TRIGGER tenant_origin_refuse_deleted BEFORE INSERT ON tenant_origin
    FOR EACH ROW EXECUTE FUNCTION refuse_deleted_tenant()
    """,
    """
    CREATE FUNCTION forget_origins() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
        DELETE FROM tenant_origin WHERE tenant = NEW.id;
        RETURN NULL;
    END
    $$
    """,
    """
    CREATE TRIGGER tenant_forget_origins AFTER UPDATE OF deleted_at ON tenant
    FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION forget_origins()
    """,
)


def upgrade() -> None:
    """Add the table and its triggers."""
    for statement in ORIGINS:
        op.execute(statement)


def downgrade() -> None:
    """Take them away; no page of another origin reads any answer then."""
    op.execute("DROP FUNCTION forget_origins() CASCADE")
    op.execute("DROP TABLE tenant_origin")
