"""The tables of encounter logs and what belongs to them.

`json` keeps the text of a body as it was hashed; `jsonb` would not. Every unique key holds the
encounter's id, but for keys, tokens and creations, and nothing that is written often points at
a row that changes: the tables can be distributed by encounter. Everything lies in `public`.
"""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

PARTITIONS = 8
PARTITIONED = ("event", "event_part")

TABLES = (
    """
    CREATE TABLE tenant (
        id uuid CONSTRAINT tenant_pkey PRIMARY KEY,
        name text NOT NULL CONSTRAINT tenant_name_key UNIQUE,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    """
    CREATE TABLE api_key (
        id uuid CONSTRAINT api_key_pkey PRIMARY KEY,
        tenant uuid NOT NULL CONSTRAINT api_key_tenant_fkey REFERENCES tenant,
        name text NOT NULL,
        secret_hash bytea NOT NULL CONSTRAINT api_key_secret_hash_key UNIQUE,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        revoked_at timestamptz,
        CONSTRAINT api_key_secret_hash_check CHECK (octet_length(secret_hash) = 32)
    )
    """,
    "CREATE INDEX api_key_tenant_idx ON api_key (tenant, created_at, id)",
    # Room on the page lets the head move without touching an index.
    """
    CREATE TABLE encounter (
        id uuid CONSTRAINT encounter_pkey PRIMARY KEY,
        tenant uuid NOT NULL CONSTRAINT encounter_tenant_fkey REFERENCES tenant,
        ruleset text NOT NULL,
        version text NOT NULL,
        status text NOT NULL,
        head_seq integer NOT NULL,
        head_hash bytea NOT NULL,
        title text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        erasures integer NOT NULL DEFAULT 0,
        CONSTRAINT encounter_status_check CHECK (status IN ('setup', 'running', 'ended')),
        CONSTRAINT encounter_head_check CHECK (head_seq >= 0 AND octet_length(head_hash) = 32)
    ) WITH (fillfactor = 50)
    """,
    "CREATE INDEX encounter_tenant_idx ON encounter (tenant, created_at, id)",
    """
    CREATE TABLE event (
        encounter_id uuid NOT NULL,
        seq integer NOT NULL,
        base integer NOT NULL,
        hash bytea NOT NULL,
        body json NOT NULL,
        commits bytea NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT event_pkey PRIMARY KEY (encounter_id, seq),
        CONSTRAINT event_base_check CHECK (base >= 0 AND base < seq),
        CONSTRAINT event_hash_check CHECK (octet_length(hash) = 32),
        CONSTRAINT event_commits_check CHECK (octet_length(commits) % 32 = 0)
    ) PARTITION BY HASH (encounter_id)
    """,
    "CREATE INDEX event_rewind_idx ON event (encounter_id, seq, base) WHERE base <> seq - 1",
    """
    CREATE TABLE event_part (
        encounter_id uuid NOT NULL,
        seq integer NOT NULL,
        audience text NOT NULL,
        kind text NOT NULL,
        salt bytea,
        body bytea,
        CONSTRAINT event_part_pkey PRIMARY KEY (encounter_id, seq, audience, kind),
        CONSTRAINT event_part_kind_check CHECK (kind IN ('text', 'facts')),
        CONSTRAINT event_part_erased_check CHECK (
            (salt IS NULL) = (body IS NULL) AND (body IS NOT NULL OR kind = 'text')
        ),
        CONSTRAINT event_part_salt_check CHECK (octet_length(salt) = 16)
    ) PARTITION BY HASH (encounter_id)
    """,
    *(
        f"CREATE TABLE {table}_p{number} PARTITION OF {table} "
        f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
        for table in PARTITIONED
        for number in range(PARTITIONS)
    ),
    """
    CREATE TABLE blob (
        digest bytea CONSTRAINT blob_pkey PRIMARY KEY,
        body bytea NOT NULL,
        CONSTRAINT blob_digest_check CHECK (digest = sha256(body))
    )
    """,
    # The key on blob keeps a blob from being deleted while an encounter takes it up.
    """
    CREATE TABLE encounter_blob (
        encounter_id uuid NOT NULL,
        digest bytea NOT NULL CONSTRAINT encounter_blob_digest_fkey REFERENCES blob,
        CONSTRAINT encounter_blob_pkey PRIMARY KEY (encounter_id, digest)
    )
    """,
    "CREATE INDEX encounter_blob_digest_idx ON encounter_blob (digest)",
    """
    CREATE TABLE command (
        encounter_id uuid NOT NULL,
        principal text NOT NULL,
        idempotency_key text NOT NULL,
        fingerprint bytea NOT NULL,
        first_seq integer NOT NULL,
        last_seq integer NOT NULL,
        CONSTRAINT command_pkey PRIMARY KEY (encounter_id, principal, idempotency_key),
        CONSTRAINT command_seq_check CHECK (first_seq >= 1 AND first_seq <= last_seq)
    )
    """,
    """
    CREATE TABLE creation (
        principal text NOT NULL,
        idempotency_key text NOT NULL,
        fingerprint bytea NOT NULL,
        encounter_id uuid NOT NULL CONSTRAINT creation_encounter_id_key UNIQUE,
        CONSTRAINT creation_pkey PRIMARY KEY (principal, idempotency_key)
    )
    """,
    """
    CREATE TABLE snapshot (
        encounter_id uuid NOT NULL,
        seq integer NOT NULL,
        engine_version text NOT NULL,
        state bytea NOT NULL,
        digest bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT snapshot_pkey PRIMARY KEY (encounter_id, seq, engine_version)
    )
    """,
    """
    CREATE TABLE seat (
        encounter_id uuid NOT NULL,
        id text NOT NULL,
        role text NOT NULL,
        name text,
        token_hash bytea CONSTRAINT seat_token_hash_key UNIQUE,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        revoked_at timestamptz,
        CONSTRAINT seat_pkey PRIMARY KEY (encounter_id, id),
        CONSTRAINT seat_role_check CHECK (role IN ('gm', 'player', 'observer')),
        CONSTRAINT seat_token_hash_check CHECK (octet_length(token_hash) = 32)
    )
    """,
    """
    CREATE TABLE secret (
        encounter_id uuid CONSTRAINT secret_pkey PRIMARY KEY,
        seed bytea NOT NULL,
        seal_key bytea NOT NULL,
        CONSTRAINT secret_length_check CHECK (
            octet_length(seed) = 32 AND octet_length(seal_key) = 32
        )
    )
    """,
    # A key given from outside has no private half here and is published only.
    """
    CREATE TABLE signing_key (
        kid text CONSTRAINT signing_key_pkey PRIMARY KEY,
        private bytea,
        public bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        retired_at timestamptz
    )
    """,
    """
    CREATE UNIQUE INDEX signing_key_active_idx ON signing_key ((true))
    WHERE private IS NOT NULL AND retired_at IS NULL
    """,
    """
    CREATE TABLE service_key (
        name text CONSTRAINT service_key_pkey PRIMARY KEY,
        secret bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    """
    CREATE TABLE tombstone (
        encounter_id uuid CONSTRAINT tombstone_pkey PRIMARY KEY,
        tenant uuid NOT NULL,
        head_seq integer NOT NULL,
        head_hash bytea NOT NULL,
        deleted_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    "CREATE INDEX tombstone_tenant_idx ON tombstone (tenant, deleted_at, encounter_id)",
)

ALL_TABLES = (
    "tombstone",
    "service_key",
    "signing_key",
    "secret",
    "seat",
    "snapshot",
    "creation",
    "command",
    "encounter_blob",
    "blob",
    "event_part",
    "event",
    "encounter",
    "api_key",
    "tenant",
)


def upgrade() -> None:
    """Create the tables; whoever runs this owns them."""
    for statement in TABLES:
        op.execute(statement)


def downgrade() -> None:
    """Drop everything, the logs included."""
    for table in ALL_TABLES:
        op.execute(f"DROP TABLE {table}")
