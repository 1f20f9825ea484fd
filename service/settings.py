"""Everything the environment decides, read once into one frozen record.

Only `app` and `cli` know this module; the rooms below are given plain values.
"""

import base64
import binascii
import os
import re
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from service.api.public_address import host_of
from service.fanout.connection import RedisDialer
from service.jobs.jobs import default_at_once

PREFIX = "WARLOG_"
OTHERS = ("WARLOG_TEST_", "WARLOG_BENCH_")
LOG_LEVELS = ("debug", "info", "warning", "error")

MEBIBYTE = 1 << 20
SIGNING_KEY_BYTES = 32
MOST_WORKERS = 64
MOST_JOBS = 256
MOST_PER_MINUTE = 1_000_000_000


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
    requests_per_minute: int = 120_000
    seat_requests_per_minute: int = 1_200
    streams_at_once: int = 10_000
    streams_per_caller: int = 100
    joins_per_minute: int = 20
    handshakes_per_minute: int = 300
    unfinished_bytes: int = 64 * MEBIBYTE
    forks: int = 100
    seat_forks_per_day: int = 50
    notes_per_minute: int = 60
    simulations: int = 1_000
    simulation_seconds: int = 300
    audit_bytes: int = 128 * MEBIBYTE
    audit_seconds: int = 300


class Settings(Struct, frozen=True, kw_only=True):
    """Settings of the service, as `from_environment` reads them.

    Without `database_url` the service starts its own PostgreSQL under `data_dir`. Over the
    `redis_url` processes tell one another what happened; without it they find it in the log.
    URLs are plain (`postgresql://`, no driver), `public_url` is where clients reach the service
    if that is not where they say they are, without a slash at its end; `hosts` are further names
    of the service, with which links may begin. `trusted_proxies` are addresses and networks whose
    word on where a request came from is taken.
    `migrate_url` and `erase_url` are the database roles that own the schema and that may erase.
    `first_key_file`: the file for the key of a new database's owner; None: the terminal, or the
    `spare_key_file` where there is no terminal; None: the data directory is not in use.
    `traces`: whether requests are traced with OpenTelemetry. `refuse_on_subscription`: no writes
    are taken while logical replication writes into the store.
    `pool_size`, `cache_bytes`, `stream_cache_bytes` and `jobs` are those of each of the `workers`;
    `simulation_processes` of its jobs may play the battles of one request.
    """

    database_url: str | None
    migrate_url: str | None
    erase_url: str | None
    redis_url: str | None
    data_dir: Path
    embedded_user: str
    host: str
    port: int
    workers: int
    public_url: str | None
    hosts: tuple[str, ...]
    trusted_proxies: tuple[str, ...]
    signing_key: bytes | None
    first_key_file: Path | None
    spare_key_file: Path | None
    log_level: str
    pool_size: int
    cache_bytes: int
    stream_cache_bytes: int
    jobs: int
    simulation_processes: int
    invitation_hours: int
    traces: bool
    refuse_on_subscription: bool
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
    jobs = _integer(environ, "WARLOG_JOBS", default_at_once(), 1, MOST_JOBS)
    return Settings(
        database_url=_postgres_url(environ, "WARLOG_DATABASE_URL"),
        migrate_url=_postgres_url(environ, "WARLOG_MIGRATE_URL"),
        erase_url=_postgres_url(environ, "WARLOG_ERASE_URL"),
        redis_url=_redis_url(environ),
        data_dir=_data_dir(environ),
        embedded_user=environ.get("WARLOG_EMBEDDED_USER") or "nobody",
        host=environ.get("WARLOG_HOST") or "127.0.0.1",
        port=_integer(environ, "WARLOG_PORT", 8080, 0, 65_535),
        workers=_integer(environ, "WARLOG_WORKERS", 1, 1, MOST_WORKERS),
        public_url=_public_url(environ),
        hosts=_hosts(environ, "WARLOG_HOSTS"),
        trusted_proxies=_networks(environ, "WARLOG_TRUSTED_PROXIES"),
        signing_key=_signing_key(environ),
        first_key_file=_path(environ, "WARLOG_FIRST_KEY_FILE"),
        spare_key_file=_spare_key_file(environ),
        log_level=_choice(environ, "WARLOG_LOG_LEVEL", "info", LOG_LEVELS),
        pool_size=_integer(environ, "WARLOG_POOL_SIZE", 10, 1, 1_000),
        cache_bytes=_integer(
            environ, "WARLOG_CACHE_BYTES", 256 * MEBIBYTE, MEBIBYTE, 1_048_576 * MEBIBYTE
        ),
        stream_cache_bytes=_integer(
            environ, "WARLOG_STREAM_CACHE_BYTES", 32 * MEBIBYTE, MEBIBYTE, 1_048_576 * MEBIBYTE
        ),
        jobs=jobs,
        # One is left to everybody else's work.
        simulation_processes=_integer(
            environ, "WARLOG_SIMULATION_PROCESSES", max(1, jobs - 1), 1, MOST_JOBS
        ),
        invitation_hours=_integer(environ, "WARLOG_INVITATION_HOURS", 7 * 24, 1, 30 * 24),
        traces=_traces(environ),
        refuse_on_subscription=_choice(
            environ, "WARLOG_REFUSE_ON_SUBSCRIPTION", "no", ("yes", "no")
        )
        == "yes",
        limits=_limits(environ),
    )


def unknown_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """WARLOG_ variables that nothing reads: most likely slips of the pen.

    Those of the test suite and of the measurements are left out.
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
        requests_per_minute=_integer(
            environ, "WARLOG_REQUESTS_PER_MINUTE", default.requests_per_minute, 1, MOST_PER_MINUTE
        ),
        seat_requests_per_minute=_integer(
            environ,
            "WARLOG_SEAT_REQUESTS_PER_MINUTE",
            default.seat_requests_per_minute,
            1,
            MOST_PER_MINUTE,
        ),
        streams_at_once=_integer(
            environ, "WARLOG_STREAMS_AT_ONCE", default.streams_at_once, 1, 1_000_000
        ),
        streams_per_caller=_integer(
            environ, "WARLOG_STREAMS_PER_CALLER", default.streams_per_caller, 1, 1_000_000
        ),
        joins_per_minute=_integer(
            environ, "WARLOG_JOINS_PER_MINUTE", default.joins_per_minute, 1, 1_000_000
        ),
        handshakes_per_minute=_integer(
            environ, "WARLOG_HANDSHAKES_PER_MINUTE", default.handshakes_per_minute, 1, 1_000_000
        ),
        unfinished_bytes=_integer(
            environ,
            "WARLOG_UNFINISHED_BYTES",
            default.unfinished_bytes,
            MEBIBYTE,
            1_048_576 * MEBIBYTE,
        ),
        forks=_integer(environ, "WARLOG_FORKS", default.forks, 1, 1_000_000),
        seat_forks_per_day=_integer(
            environ, "WARLOG_SEAT_FORKS_PER_DAY", default.seat_forks_per_day, 1, 1_000_000
        ),
        notes_per_minute=_integer(
            environ, "WARLOG_NOTES_PER_MINUTE", default.notes_per_minute, 1, 1_000_000
        ),
        simulations=_integer(environ, "WARLOG_SIMULATIONS", default.simulations, 1, 1_000_000),
        simulation_seconds=_integer(
            environ, "WARLOG_SIMULATION_SECONDS", default.simulation_seconds, 1, 86_400
        ),
        audit_bytes=_integer(
            environ, "WARLOG_AUDIT_BYTES", default.audit_bytes, 1_024, 4_096 * MEBIBYTE
        ),
        audit_seconds=_integer(environ, "WARLOG_AUDIT_SECONDS", default.audit_seconds, 1, 3_600),
    )


_PUBLIC_URL = re.compile(
    r"https?://([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[A-Za-z0-9._~%/-]*)?"
)

VARIABLES = frozenset(
    {
        "WARLOG_FORKS",
        "WARLOG_SEAT_FORKS_PER_DAY",
        "WARLOG_NOTES_PER_MINUTE",
        "WARLOG_SIMULATIONS",
        "WARLOG_SIMULATION_PROCESSES",
        "WARLOG_SIMULATION_SECONDS",
        "WARLOG_DATABASE_URL",
        "WARLOG_MIGRATE_URL",
        "WARLOG_ERASE_URL",
        "WARLOG_REDIS_URL",
        "WARLOG_DATA_DIR",
        "WARLOG_EMBEDDED_USER",
        "WARLOG_HOST",
        "WARLOG_PORT",
        "WARLOG_WORKERS",
        "WARLOG_PUBLIC_URL",
        "WARLOG_TRUSTED_PROXIES",
        "WARLOG_SIGNING_KEY",
        "WARLOG_SIGNING_KEY_FILE",
        "WARLOG_FIRST_KEY_FILE",
        "WARLOG_REFUSE_ON_SUBSCRIPTION",
        "WARLOG_LOG_LEVEL",
        "WARLOG_POOL_SIZE",
        "WARLOG_CACHE_BYTES",
        "WARLOG_STREAM_CACHE_BYTES",
        "WARLOG_JOBS",
        "WARLOG_INVITATION_HOURS",
        "WARLOG_BODY_BYTES",
        "WARLOG_JSON_DEPTH",
        "WARLOG_ACTIONS_PER_LIST",
        "WARLOG_EVENTS_PER_PAGE",
        "WARLOG_WAIT_SECONDS",
        "WARLOG_PREVIEWS_PER_MINUTE",
        "WARLOG_REQUEST_SECONDS",
        "WARLOG_REQUESTS_AT_ONCE",
        "WARLOG_REQUESTS_PER_MINUTE",
        "WARLOG_SEAT_REQUESTS_PER_MINUTE",
        "WARLOG_STREAMS_AT_ONCE",
        "WARLOG_STREAMS_PER_CALLER",
        "WARLOG_JOINS_PER_MINUTE",
        "WARLOG_HANDSHAKES_PER_MINUTE",
        "WARLOG_UNFINISHED_BYTES",
        "WARLOG_AUDIT_BYTES",
        "WARLOG_AUDIT_SECONDS",
        "WARLOG_HOSTS",
    }
)


def _traces(environ: Mapping[str, str]) -> bool:
    """Whether OpenTelemetry's own variables ask for traces; what they say its library reads."""
    if (environ.get("OTEL_SDK_DISABLED") or "").lower() == "true":
        return False
    exporter = environ.get("OTEL_TRACES_EXPORTER")
    if exporter:
        variable = "OTEL_TRACES_EXPORTER"
        return _choice(environ, variable, "otlp", ("otlp", "console", "none")) != "none"
    places = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    return any(environ.get(place) for place in places)


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


def _redis_url(environ: Mapping[str, str]) -> str | None:
    """Take one address, or several of one cluster with commas between."""
    variable = "WARLOG_REDIS_URL"
    value = environ.get(variable)
    if not value:
        return None
    try:
        RedisDialer(value)
    except ValueError as error:
        raise SettingError(variable, str(error)) from None
    return value


def _public_url(environ: Mapping[str, str]) -> str | None:
    """Take `scheme://host` with a port or a path if there is one; a slash at the end is dropped."""
    variable = "WARLOG_PUBLIC_URL"
    value = _url(environ, variable, ("http", "https"))
    if value is None:
        return None
    if not _PUBLIC_URL.fullmatch(value):
        raise SettingError(variable, "must be an address such as https://warlog.example")
    return value.rstrip("/")


def _networks(environ: Mapping[str, str], variable: str) -> tuple[str, ...]:
    """Take addresses and networks, with commas between them."""
    networks = []
    for each in (environ.get(variable) or "").split(","):
        word = each.strip()
        try:
            networks += [str(ip_network(word))] if word else []
        except ValueError:
            raise SettingError(
                variable, "must be addresses or networks such as 10.0.0.0/8, with commas between"
            ) from None
    return tuple(networks)


def _hosts(environ: Mapping[str, str], variable: str) -> tuple[str, ...]:
    """Take names and addresses, with a port or without, with commas between them."""
    words = [each.strip() for each in (environ.get(variable) or "").split(",")]
    hosts = tuple(word for word in words if word)
    for each in hosts:
        if host_of(each) is None:
            raise SettingError(
                variable, "must be hosts such as warlog.example or [::1]:8080, with commas between"
            )
    return hosts


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


def _path(environ: Mapping[str, str], variable: str) -> Path | None:
    value = environ.get(variable)
    return Path(value).expanduser().absolute() if value else None


def _spare_key_file(environ: Mapping[str, str]) -> Path | None:
    """`owner-key` in the data directory, if that is in use."""
    is_used = environ.get("WARLOG_DATA_DIR") or not environ.get("WARLOG_DATABASE_URL")
    return _data_dir(environ) / "owner-key" if is_used else None


def _data_dir(environ: Mapping[str, str]) -> Path:
    """Take WARLOG_DATA_DIR, else `warlog` in the user's data directory (XDG)."""
    if directory := environ.get("WARLOG_DATA_DIR"):
        return Path(directory).expanduser().absolute()
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
