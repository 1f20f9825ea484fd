"""An encounter's metadata next to its title, so that lists can be searched by what it is to others.

How this works. `metadata` is the object as its sender wrote it, a copy of what the log keeps in a
text part; `metadata_seq` is the event that states it, so that a copy that comes late puts nothing
older in the place of something newer, and an erasure empties what it should. `metadata_texts` are
the members of the object that are texts: by them, each for itself, encounters are found through an
index. Numbers are left out, since `json` holds some that PostgreSQL has no number for.
"""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

oldest_build = 8

STATEMENTS = (
    """
    CREATE FUNCTION texts_of(stated json) RETURNS jsonb
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog AS $$
        SELECT coalesce(jsonb_object_agg(member.key, member.value #>> '{}'), '{}')
        FROM json_each(stated) AS member WHERE json_typeof(member.value) = 'string'
    $$
    """,
    """
    ALTER TABLE encounter
        ADD COLUMN metadata json,
        ADD COLUMN metadata_seq integer NOT NULL DEFAULT 1,
        ADD COLUMN metadata_texts jsonb GENERATED ALWAYS AS (texts_of(metadata)) STORED
    """,
    """
    CREATE INDEX encounter_metadata_idx ON encounter
    USING gin (metadata_texts jsonb_path_ops) WHERE metadata_texts IS NOT NULL
    """,
)


def upgrade() -> None:
    """Add the columns, the function and the index."""
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """Take them away; the log keeps what was stated."""
    op.execute("DROP INDEX encounter_metadata_idx")
    op.execute(
        "ALTER TABLE encounter DROP COLUMN metadata_texts, DROP COLUMN metadata_seq,"
        " DROP COLUMN metadata"
    )
    op.execute("DROP FUNCTION texts_of(json)")
