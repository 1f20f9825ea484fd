"""Everything the environment decides, read once into one frozen record.

Only `app` and `cli` know this module; the rooms below are given plain values.
"""

import base64
import binascii
import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

PREFIX = "WARLOG_"
OTHERS = ("WARLOG_TEST_", "WARLOG_BENCH_")
LOG_LEVELS = ("debug", "info", "warning", "error")

MEBIBYTE = 1 << 20
SIGNING_KEY_BYTES = 32


class SettingError(Exception):
    """An environment variable cannot be used: `variable` names it, `problem` says why."""

    def __init__(self, variable: str, problem: str) -> None:
        super().__init__(f"{variable}: {problem}")
        self.variable = variable
        self.problem = problem


class Limits(Struct, frozen=True, kw_only=True):
    """How much a client may send or ask for; published, and the same for everyone.

    All are service defaults, not in the source texts.
    """

    body_bytes: int = MEBIBYTE
    json_depth: int = 64
    actions_per_list: int = 32
    events_per_page: int = 500
    wait_seconds: int = 30
    previews_per_minute: int = 600
    request_seconds: int = 30
    requests_at_once: int = 1_000


class Settings(Struct, frozen=True, kw_only=True):
    """What `from_environment` read.

    Without `database_url` the service starts its own PostgreSQL under `data_dir`. Only `doctor`
    asks the `redis_url`. URLs are plain (`postgresql://`, no driver).
    `migrate_url` and `erase_url` are the database roles that own the schema and that may erase.
    """

    database_url: str | None
    migrate_url: str | None
    erase_url: str | None
    redis_url: str | None
    data_dir: Path
    embedded_user: str
    host: str
    port: int
    signing_key: bytes | None
    log_level: str
    pool_size: int
    cache_bytes: int
    limits: Limits

    def __repr__(self) -> str:
        """Name nothing: URLs and the signing key are secrets, and records end up in messages."""
        return "Settings(...)"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Name nothing to tracebacks that print records in colour either."""
        return []


def from_environment(environ: Mapping[str, str]) -> Settings:
    """Read and check every variable; an empty one counts as absent.

    Raises SettingError for the first that cannot be used.
    """
    return Settings(
        database_url=_postgres_url(environ, "WARLOG_DATABASE_URL"),
        migrate_url=_postgres_url(environ, "WARLOG_MIGRATE_URL"),
        erase_url=_postgres_url(environ, "WARLOG_ERASE_URL"),
        redis_url=_url(environ, "WARLOG_REDIS_URL", ("redis", "rediss", "unix")),
        data_dir=_data_dir(environ),
        embedded_user=environ.get("WARLOG_EMBEDDED_USER") or "nobody",
        host=environ.get("WARLOG_HOST") or "127.0.0.1",
        port=_integer(environ, "WARLOG_PORT", 8080, 0, 65_535),
        signing_key=_signing_key(environ),
        log_level=_choice(environ, "WARLOG_LOG_LEVEL", "info", LOG_LEVELS),
        pool_size=_integer(environ, "WARLOG_POOL_SIZE", 10, 1, 1_000),
        cache_bytes=_integer(
            environ, "WARLOG_CACHE_BYTES", 256 * MEBIBYTE, MEBIBYTE, 1_048_576 * MEBIBYTE
        ),
        limits=_limits(environ),
    )


def unknown_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Name the WARLOG_ variables that nothing reads: most likely slips of the pen.

    Those of the test suite and of the measurements are somebody else's.
    """
    ours = {name for name in environ if name.startswith(PREFIX)}
    return tuple(sorted(name for name in ours - VARIABLES if not name.startswith(OTHERS)))


def _limits(environ: Mapping[str, str]) -> Limits:
    default = Limits()
    return Limits(
        body_bytes=_integer(environ, "WARLOG_BODY_BYTES", default.body_bytes, 1_024, 64 * MEBIBYTE),
        json_depth=_integer(environ, "WARLOG_JSON_DEPTH", default.json_depth, 16, 256),
        actions_per_list=_integer(
            environ, "WARLOG_ACTIONS_PER_LIST", default.actions_per_list, 1, 1_000
        ),
        events_per_page=_integer(
            environ, "WARLOG_EVENTS_PER_PAGE", default.events_per_page, 1, 10_000
        ),
        wait_seconds=_integer(environ, "WARLOG_WAIT_SECONDS", default.wait_seconds, 0, 300),
        previews_per_minute=_integer(
            environ, "WARLOG_PREVIEWS_PER_MINUTE", default.previews_per_minute, 1, 1_000_000
        ),
        request_seconds=_integer(
            environ, "WARLOG_REQUEST_SECONDS", default.request_seconds, 1, 3_600
        ),
        requests_at_once=_integer(
            environ, "WARLOG_REQUESTS_AT_ONCE", default.requests_at_once, 1, 100_000
        ),
    )


VARIABLES = frozenset(
    {
        "WARLOG_DATABASE_URL",
        "WARLOG_MIGRATE_URL",
        "WARLOG_ERASE_URL",
        "WARLOG_REDIS_URL",
        "WARLOG_DATA_DIR",
        "WARLOG_EMBEDDED_USER",
        "WARLOG_HOST",
        "WARLOG_PORT",
        "WARLOG_SIGNING_KEY",
        "WARLOG_SIGNING_KEY_FILE",
        "WARLOG_LOG_LEVEL",
        "WARLOG_POOL_SIZE",
        "WARLOG_CACHE_BYTES",
        "WARLOG_BODY_BYTES",
        "WARLOG_JSON_DEPTH",
        "WARLOG_ACTIONS_PER_LIST",
        "WARLOG_EVENTS_PER_PAGE",
        "WARLOG_WAIT_SECONDS",
        "WARLOG_PREVIEWS_PER_MINUTE",
        "WARLOG_REQUEST_SECONDS",
        "WARLOG_REQUESTS_AT_ONCE",
    }
)


def _url(environ: Mapping[str, str], variable: str, schemes: tuple[str, ...]) -> str | None:
    value = environ.get(variable)
    if not value:
        return None
    try:
        scheme = urlsplit(value).scheme
    except ValueError:
        raise SettingError(variable, "is not a URL") from None
    if scheme not in schemes:
        allowed = " or ".join(f"{scheme}://" for scheme in schemes)
        raise SettingError(variable, f"must start with {allowed}")
    return value


def _postgres_url(environ: Mapping[str, str], variable: str) -> str | None:
    # Other tools write the driver into the scheme; the rooms below choose theirs themselves.
    value = _url(environ, variable, ("postgresql", "postgres", "postgresql+asyncpg"))
    return value and "postgresql" + value[value.index("://") :]


def _integer(environ: Mapping[str, str], variable: str, default: int, least: int, most: int) -> int:
    value = environ.get(variable)
    if not value:
        return default
    allowed = f"must be a whole number from {least} to {most}"
    if not (value.isascii() and value.isdigit() and len(value) <= len(str(most))):
        raise SettingError(variable, allowed)
    number = int(value)
    if not least <= number <= most:
        raise SettingError(variable, allowed)
    return number


def _choice(
    environ: Mapping[str, str], variable: str, default: str, allowed: tuple[str, ...]
) -> str:
    value = (environ.get(variable) or default).lower()
    if value not in allowed:
        raise SettingError(variable, f"must be one of {', '.join(allowed)}")
    return value


def _data_dir(environ: Mapping[str, str]) -> Path:
    """Take WARLOG_DATA_DIR, else `warlog` in the user's data directory (XDG)."""
    if given := environ.get("WARLOG_DATA_DIR"):
        return Path(given).expanduser().absolute()
    shared = environ.get("XDG_DATA_HOME", "")
    if shared.startswith("/"):
        return Path(shared) / "warlog"
    home = environ.get("HOME") or os.path.expanduser("~")
    if not home.startswith("/"):
        raise SettingError("WARLOG_DATA_DIR", "must be set: this user has no home directory")
    return Path(home) / ".local" / "share" / "warlog"


def _signing_key(environ: Mapping[str, str]) -> bytes | None:
    """32 bytes in base64 or hex, in the variable itself or in the file it names."""
    variable = "WARLOG_SIGNING_KEY"
    text = environ.get(variable)
    if not text and (path := environ.get("WARLOG_SIGNING_KEY_FILE")):
        variable = "WARLOG_SIGNING_KEY_FILE"
        try:
            text = Path(path).read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingError(variable, f"cannot be read: {error}") from None
    if not text:
        return None
    key = _key_bytes(text.strip())
    if key is None:
        raise SettingError(variable, f"must hold {SIGNING_KEY_BYTES} bytes in base64 or hex")
    return key


def _key_bytes(text: str) -> bytes | None:
    try:
        if len(text) == 2 * SIGNING_KEY_BYTES:
            return bytes.fromhex(text)
        padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
        key = base64.b64decode(padded, altchars=b"-_" if {"-", "_"} & set(text) else None)
    except (ValueError, binascii.Error):
        return None
    return key if len(key) == SIGNING_KEY_BYTES else None
