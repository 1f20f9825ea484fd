"""The tables as SQLAlchemy sees them; the migrations create them, a test holds both together.

Check constraints, partitions, triggers and functions are in the migrations alone.
"""

from typing import Final

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    Computed,
    Date,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSON, JSONB

METADATA: Final = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "fk": "%(table_name)s_%(column_0_name)s_fkey",
        "uq": "%(table_name)s_%(column_0_name)s_key",
    }
)

TENANT: Final = Table(
    "tenant",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column(
        "created_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    Column("deleted_at", DateTime(timezone=True)),
)
"""Owners of encounters and API keys."""

TENANT_ORIGIN: Final = Table(
    "tenant_origin",
    METADATA,
    Column("tenant", ForeignKey("tenant.id"), nullable=False),
    Column("origin", Text, nullable=False),
    Column(
        "created_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    PrimaryKeyConstraint("tenant", "origin"),
)
"""Whose pages in a browser may read the answers to a tenant's callers."""

API_KEY: Final = Table(
    "api_key",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("tenant", ForeignKey("tenant.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("secret_hash", LargeBinary, nullable=False, unique=True),
    Column("scopes", ARRAY(Text), nullable=False),
    Column(
        "created_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    Column("revoked_at", DateTime(timezone=True)),
    Index("api_key_tenant_idx", "tenant", "created_at", "id"),
)
"""API keys; of a secret only its SHA-256."""

ENCOUNTER: Final = Table(
    "encounter",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("tenant", ForeignKey("tenant.id"), nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("head_seq", Integer, nullable=False),
    Column("head_hash", LargeBinary, nullable=False),
    Column("title", Text),
    Column(
        "created_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    Column("erasures", Integer, nullable=False, server_default=text("0")),
    Column("metadata", JSON),
    Column("metadata_seq", Integer, nullable=False, server_default=text("1")),
    Column("metadata_texts", JSONB, Computed("texts_of(metadata)", persisted=True)),
    Column("lockable", Boolean, nullable=False, server_default=text("true")),
    Index("encounter_tenant_idx", "tenant", "created_at", "id"),
    Index(
        "encounter_running_idx",
        "tenant",
        "created_at",
        "id",
        postgresql_where=text("status = 'running'"),
    ),
    Index(
        "encounter_metadata_idx",
        "metadata_texts",
        postgresql_using="gin",
        postgresql_ops={"metadata_texts": "jsonb_path_ops"},
        postgresql_where=text("metadata_texts IS NOT NULL"),
    ),
)
"""One row per encounter: the compare-and-set point of its log."""

EVENT: Final = Table(
    "event",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("base", Integer, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("body", JSON, nullable=False),
    Column("commits", LargeBinary, nullable=False),
    Column(
        "recorded_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    PrimaryKeyConstraint("encounter_id", "seq"),
    Index(
        "event_rewind_idx",
        "encounter_id",
        "seq",
        "base",
        postgresql_where=text("base <> seq - 1"),
    ),
    postgresql_partition_by="HASH (encounter_id)",
)
"""The log. Only ever inserted into."""

EVENT_PART: Final = Table(
    "event_part",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("audience", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("salt", LargeBinary),
    Column("body", LargeBinary),
    PrimaryKeyConstraint("encounter_id", "seq", "audience", "kind"),
    postgresql_partition_by="HASH (encounter_id)",
)
"""What only some may see of an event; text parts can be emptied, nothing else changes."""

BLOB: Final = Table(
    "blob",
    METADATA,
    Column("digest", LargeBinary, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)
"""Maps and contents by their SHA-256, shared by all encounters that use them."""

ENCOUNTER_BLOB: Final = Table(
    "encounter_blob",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("digest", ForeignKey("blob.digest"), nullable=False),
    PrimaryKeyConstraint("encounter_id", "digest"),
    Index("encounter_blob_digest_idx", "digest"),
)
"""Which encounter uses which blob."""

COMMAND: Final = Table(
    "command",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("principal", Text, nullable=False),
    Column("idempotency_key", Text, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Index(
        "command_key_idx",
        "encounter_id",
        text("(first_seq >> 9)"),
        text("hashtext(idempotency_key)"),
    ),
)
"""Accepted requests by idempotency key, kept as long as the encounter; `append_free` sees to it
that a principal uses a key once."""

CREATION: Final = Table(
    "creation",
    METADATA,
    Column("principal", Text, nullable=False),
    Column("idempotency_key", Text, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("encounter_id", Uuid, nullable=False, unique=True),
    PrimaryKeyConstraint("principal", "idempotency_key"),
)
"""Creating requests by idempotency key; outlives the encounter, so that none comes back."""

FORK: Final = Table(
    "fork",
    METADATA,
    Column("encounter_id", ForeignKey("encounter.id", ondelete="CASCADE"), primary_key=True),
    Column("origin", Uuid, nullable=False),
    Column("account", Text),
    Index("fork_origin_idx", "origin"),
)
"""What forks stem from, and the seat that made them; none of a key."""

FORK_DAY: Final = Table(
    "fork_day",
    METADATA,
    Column("encounter_id", ForeignKey("encounter.id", ondelete="CASCADE"), primary_key=True),
    Column("account", Text, primary_key=True),
    Column("day", Date, nullable=False),
    Column("forks", Integer, nullable=False),
)
"""How many forks a seat made on the day (UTC) of its last one, deleted ones included."""

SNAPSHOT: Final = Table(
    "snapshot",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("engine_version", Text, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column(
        "created_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    PrimaryKeyConstraint("encounter_id", "seq", "engine_version"),
)
"""States along the log; disposable."""

SEAT: Final = Table(
    "seat",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("name", Text),
    Column("token_hash", LargeBinary, unique=True),
    Column(
        "created_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    Column("revoked_at", DateTime(timezone=True)),
    PrimaryKeyConstraint("encounter_id", "id"),
)
"""Participants and the hashes of their tokens; roles and control are in the log."""

INVITATION: Final = Table(
    "invitation",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("principal", Text, nullable=False),
    Column("idempotency_key", Text, nullable=False),
    Column("seat", Text, nullable=False),
    Column("code_hash", LargeBinary, unique=True),
    Column(
        "created_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    Column("used_at", DateTime(timezone=True)),
    Column("ended_at", DateTime(timezone=True)),
    Column("beside", LargeBinary),
    Column("used_code_hash", LargeBinary, unique=True),
    Column("token_hash", LargeBinary, unique=True),
    PrimaryKeyConstraint("encounter_id", "principal", "idempotency_key"),
    Index(
        "invitation_open_kind_idx",
        "encounter_id",
        "seat",
        text("(beside IS NULL)"),
        unique=True,
        postgresql_where=text("code_hash IS NOT NULL"),
    ),
    Index("invitation_beside_idx", "beside", postgresql_where=text("token_hash IS NOT NULL")),
)
"""Codes that are exchanged once for a seat's token, and the tokens of a seat's other devices; of
codes and tokens only the SHA-256."""

SECRET: Final = Table(
    "secret",
    METADATA,
    Column("encounter_id", Uuid, primary_key=True),
    Column("seed", LargeBinary, nullable=False),
    Column("seal_key", LargeBinary, nullable=False),
)
"""Seeds and seal keys, in a table of their own for the sake of its grant."""

SIGNING_KEY: Final = Table(
    "signing_key",
    METADATA,
    Column("kid", Text, primary_key=True),
    Column("private", LargeBinary),
    Column("public", LargeBinary, nullable=False),
    Column(
        "created_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    Column("retired_at", DateTime(timezone=True)),
    Index(
        "signing_key_active_idx",
        text("(true)"),
        unique=True,
        postgresql_where=text("private IS NOT NULL AND retired_at IS NULL"),
    ),
)
"""Keys that sign receipts, at most one active; one given from outside has no private half."""

SERVICE_KEY: Final = Table(
    "service_key",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column(
        "created_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
)
"""Secrets that all processes share, such as the fan-out's."""

DUE_ERASURE: Final = Table(
    "due_erasure",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("seq", Integer, nullable=False),
    PrimaryKeyConstraint("encounter_id", "seq"),
)
"""Events whose text the log says is erased, until it is."""

SEALED_SEED: Final = Table(
    "sealed_seed",
    METADATA,
    Column("encounter_id", Uuid, primary_key=True),
    Column("reveal_by_days", Integer, nullable=False),
)
"""Encounters whose seed may be sealed still, and after how many days of silence it is revealed."""

CLOCK: Final = Table(
    "clock",
    METADATA,
    Column("encounter_id", Uuid, primary_key=True),
    Column("seq", Integer, nullable=False, server_default=text("0")),
    Column("due", DateTime(timezone=True)),
    Column("paused_at", DateTime(timezone=True)),
    Column("changes", Integer, nullable=False, server_default=text("0")),
    Index("clock_due_idx", "due", postgresql_where=text("due IS NOT NULL")),
)
"""Encounters whose decisions or turns have a limit, and when the next one is over."""

CLOCK_PAUSE: Final = Table(
    "clock_pause",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("paused_at", DateTime(timezone=True), nullable=False),
    Column("resumed_at", DateTime(timezone=True), nullable=False),
    PrimaryKeyConstraint("encounter_id", "paused_at"),
)
"""Pauses that are over: their time does not count."""

CLOCK_CHANGE: Final = Table(
    "clock_change",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("subject", Text, nullable=False),
    Column("extra_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("encounter_id", "subject"),
)
"""What was added to single deadlines."""

CLOCK_COMMAND: Final = Table(
    "clock_command",
    METADATA,
    Column("encounter_id", Uuid, nullable=False),
    Column("principal", Text, nullable=False),
    Column("idempotency_key", Text, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    PrimaryKeyConstraint("encounter_id", "principal", "idempotency_key"),
)
"""Requests that changed a clock, by idempotency key."""

SCHEMA_VERSION: Final = Table(
    "schema_version",
    METADATA,
    Column("is_only", Boolean, primary_key=True, server_default=text("true")),
    Column("number", Integer, nullable=False),
    Column("oldest_build", Integer, nullable=False),
    Column("lowest_release", Text, nullable=False, server_default=text("'1.1.0'")),
)
"""One row: the schema's number, the oldest build that works on it, and the lowest release that the
operator allows."""

SERVING_PROCESS: Final = Table(
    "serving_process",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("build", Text, nullable=False),
    Column("rulesets", ARRAY(Text), nullable=False),
    Column(
        "started_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    Column(
        "seen_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
)
"""Processes that serve, with their release and the versions of rulebooks that they know."""

TOMBSTONE: Final = Table(
    "tombstone",
    METADATA,
    Column("encounter_id", Uuid, primary_key=True),
    Column("tenant", Uuid, nullable=False),
    Column("head_seq", Integer, nullable=False),
    Column("head_hash", LargeBinary, nullable=False),
    Column(
        "deleted_at",
        DateTime(timezone=True),
        nullable=False,
        server_default=func.clock_timestamp(),
    ),
    Index("tombstone_tenant_idx", "tenant", "deleted_at", "encounter_id"),
)
"""What is left of deleted encounters."""
