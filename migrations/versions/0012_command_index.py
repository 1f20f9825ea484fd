"""Commands are found by an index that grows at one place for each encounter.

How this works. A key is only random letters: a primary key of them put every new command
on another page of the index, and the first change to a page behind a checkpoint writes the whole
page ahead. The more commands there were, the more of these pages. `command_key_idx` holds, behind
the encounter, to which 512 seqs a command belongs, and only then the hash of its key: what is new
comes to the same few pages, however long the log is. `command_under_key` looks for a key among each
512 in turn, once for most logs. Fewer seqs would be fewer pages and more to look through. (OFFSET 0
keeps it from being planned as one scan over all of them, as was done while `command` was empty.)

That a key is used once is no longer the index's to see to: commands are only ever inserted by
`append_free`, which holds the encounter's row, has looked for the keys since, and refuses one that
is twice in what it is handed.

The release before finds keys by itself, and continues doing so: among all commands of the
encounter.
"""

from alembic import context, op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

oldest_build = 8

# An append that has read commands and is about to insert one must not wait for the index, which
# would wait for it when the old one goes.
LOCK = "LOCK TABLE command IN ACCESS EXCLUSIVE MODE"

INDEX = (
    "ALTER TABLE command DROP CONSTRAINT command_pkey",
    # Subscribers of a logical replication need something to know a row by.
    "ALTER TABLE command REPLICA IDENTITY FULL",
    """
    CREATE INDEX command_key_idx
    ON command (encounter_id, (first_seq >> 9), hashtext(idempotency_key))
    """,
    """
    CREATE FUNCTION command_under_key(encounter uuid, caller text, key text)
    RETURNS SETOF command
    LANGUAGE sql STABLE AS $$
        SELECT c.*
        FROM generate_series(
            0, (SELECT max(l.first_seq >> 9) FROM command l WHERE l.encounter_id = encounter)
        ) AS s (number), LATERAL (
            SELECT l.* FROM command l
            WHERE l.encounter_id = encounter AND l.first_seq >> 9 = s.number
                AND hashtext(l.idempotency_key) = hashtext(key)
                AND l.principal = caller AND l.idempotency_key = key
            OFFSET 0
        ) c
    $$
    """,
)

PRIMARY_KEY = (
    "DROP FUNCTION command_under_key",
    "DROP INDEX command_key_idx",
    "ALTER TABLE command REPLICA IDENTITY DEFAULT",
    """
    ALTER TABLE command
    ADD CONSTRAINT command_pkey PRIMARY KEY (encounter_id, principal, idempotency_key)
    """,
)

LOOKUP = """
            SELECT FROM command u WHERE u.encounter_id = c.encounter_id
                AND u.principal = c.principal AND u.idempotency_key = c.idempotency_key
            OFFSET 0
"""
LOOKUP_BY_HASH = """
            SELECT FROM command_under_key(c.encounter_id, c.principal, c.idempotency_key)
            OFFSET 0
"""

STORED = """
            RETURNING encounter_id, first_seq, last_seq
        )
        SELECT strays + count(*) FILTER ("""
STORED_ONCE = """
            RETURNING encounter_id, principal, idempotency_key, first_seq, last_seq
        )
        SELECT strays + count(*)
            - count(DISTINCT (s.i, s.principal, s.idempotency_key)) + count(*) FILTER ("""

PLACED = """
            SELECT first_seq, last_seq, array_position(taken, encounter_id) AS i
            FROM stored OFFSET 0
"""
PLACED_WITH_KEY = """
            SELECT principal, idempotency_key, first_seq, last_seq,
                array_position(taken, encounter_id) AS i
            FROM stored OFFSET 0
"""


def upgrade() -> None:
    """Put the index in the place of the key, and have the append see to what the key saw to."""
    append_free = _append_free_before()
    for old, new in ((LOOKUP, LOOKUP_BY_HASH), (STORED, STORED_ONCE), (PLACED, PLACED_WITH_KEY)):
        if append_free.count(old) != 1:
            raise RuntimeError("append_free is not what this migration knows")
        append_free = append_free.replace(old, new)
    for statement in (LOCK, *INDEX, append_free):
        op.execute(statement)


def downgrade() -> None:
    """Take it back: the key sees to itself again."""
    for statement in (LOCK, _append_free_before(), *PRIMARY_KEY):
        op.execute(statement)


def _append_free_before() -> str:
    return str(context.script.get_revision("0010").module.APPEND_FREE)
