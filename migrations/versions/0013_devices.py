"""Seats on several devices, and joining that can be asked for again.

How this works. `used_code_hash` and `token_hash` say what a code was exchanged for, where the
client made the token itself: whoever sends both again shortly after is answered again. `beside` is
set in an invitation that a seat makes for another device of its own: the hash of the seat's token
at that moment. Exchanged, such a row is the other device's token, and good for as long as the
seat's token is that one: whatever ends or replaces the seat's token, by this release or by the one
before, ends those next to it. A seat has at most one open invitation of each of the two kinds.

The release before refuses the tokens of other devices, since it does not know of them, and takes an
open code for another device as one that replaces the seat's token.
"""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

oldest_build = 8

COLUMNS = (
    """
    ALTER TABLE invitation
        ADD COLUMN beside bytea,
        ADD COLUMN used_code_hash bytea,
        ADD COLUMN token_hash bytea,
        ADD CONSTRAINT invitation_used_code_hash_key UNIQUE (used_code_hash),
        ADD CONSTRAINT invitation_token_hash_key UNIQUE (token_hash),
        ADD CONSTRAINT invitation_beside_check CHECK (octet_length(beside) = 32),
        ADD CONSTRAINT invitation_token_hash_check CHECK (octet_length(token_hash) = 32),
        ADD CONSTRAINT invitation_used_code_hash_check CHECK (octet_length(used_code_hash) = 32)
    """,
    """
    CREATE UNIQUE INDEX invitation_open_kind_idx ON invitation
        (encounter_id, seat, (beside IS NULL))
    WHERE code_hash IS NOT NULL
    """,
    "DROP INDEX invitation_open_idx",
    "CREATE INDEX invitation_beside_idx ON invitation (beside) WHERE token_hash IS NOT NULL",
)

TAKEN_BACK = (
    """
    UPDATE invitation SET code_hash = NULL, ended_at = clock_timestamp()
    WHERE beside IS NOT NULL AND code_hash IS NOT NULL
    """,
    """
    CREATE UNIQUE INDEX invitation_open_idx ON invitation (encounter_id, seat)
    WHERE code_hash IS NOT NULL
    """,
    "DROP INDEX invitation_open_kind_idx",
    "DROP INDEX invitation_beside_idx",
    """
    ALTER TABLE invitation
        DROP COLUMN beside, DROP COLUMN used_code_hash, DROP COLUMN token_hash
    """,
)


def upgrade() -> None:
    """Add the columns, and let an invitation of either kind be open."""
    for statement in COLUMNS:
        op.execute(statement)


def downgrade() -> None:
    """Take them away: other devices of a seat have to be invited."""
    for statement in TAKEN_BACK:
        op.execute(statement)
