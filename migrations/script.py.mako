"""${message}."""

from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None

# The oldest build that works on this schema: that of the migration before, unless this one takes
# away what that build uses.
oldest_build = None


def upgrade() -> None:
    """Add first; what the previous release still uses is removed a release later."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Back to the revision before."""
    ${downgrades if downgrades else "pass"}
