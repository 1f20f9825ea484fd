"""The environment: defaults, bounds, and an error that names the variable."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from service.settings import (
    VARIABLES,
    Limits,
    SettingError,
    Settings,
    from_environment,
    unknown_variables,
)

HOME = {"HOME": "/home/mira"}
KEY = bytes(range(32))


class Recorded(Mapping[str, str]):
    """An empty environment that remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def test_an_empty_environment_gives_the_embedded_default() -> None:
    assert from_environment(HOME) == Settings(
        database_url=None,
        migrate_url=None,
        erase_url=None,
        redis_url=None,
        data_dir=Path("/home/mira/.local/share/warlog"),
        embedded_user="nobody",
        host="127.0.0.1",
        port=8080,
        workers=1,
        public_url=None,
        hosts=(),
        trusted_proxies=(),
        signing_key=None,
        first_key_file=None,
        spare_key_file=Path("/home/mira/.local/share/warlog/owner-key"),
        log_level="info",
        pool_size=10,
        cache_bytes=268_435_456,
        stream_cache_bytes=33_554_432,
        jobs=max(1, (os.cpu_count() or 1) - 1),
        simulation_processes=max(1, (os.cpu_count() or 1) - 2),
        invitation_hours=168,
        traces=False,
        refuse_on_subscription=False,
        limits=Limits(),
    )


def test_everything_that_is_read_is_known_by_name() -> None:
    environment = Recorded()
    from_environment(environment)
    assert {name for name in environment.asked if name.startswith("WARLOG_")} == VARIABLES


def test_an_unknown_variable_is_named() -> None:
    given = dict.fromkeys(("WARLOG_DATABSE_URL", "WARLOG_PORT", "WARLOG_BENCH_PEERS", "PATH"), "1")
    assert unknown_variables(given) == ("WARLOG_DATABSE_URL",)


@pytest.mark.parametrize(
    ("environment", "file", "spare"),
    [
        ({"WARLOG_DATABASE_URL": "postgresql:///w"}, None, None),
        ({"WARLOG_DATABASE_URL": "postgresql:///w", "WARLOG_DATA_DIR": "/d"}, None, "/d/owner-key"),
        ({"WARLOG_DATA_DIR": "/d", "WARLOG_FIRST_KEY_FILE": "/k/key"}, "/k/key", "/d/owner-key"),
    ],
)
def test_the_first_key_has_a_file_of_its_own_or_one_in_a_data_directory_in_use(
    environment: dict[str, str], file: str | None, spare: str | None
) -> None:
    settings = from_environment({**HOME, **environment})
    assert (settings.first_key_file, settings.spare_key_file) == (
        file and Path(file),
        spare and Path(spare),
    )


@pytest.mark.parametrize(
    ("environment", "data_dir"),
    [
        ({"XDG_DATA_HOME": "/data", **HOME}, "/data/warlog"),
        ({"XDG_DATA_HOME": "relative", **HOME}, "/home/mira/.local/share/warlog"),
        ({"XDG_DATA_HOME": "/data", "WARLOG_DATA_DIR": "/srv/war", **HOME}, "/srv/war"),
        ({"WARLOG_DATA_DIR": "", **HOME}, "/home/mira/.local/share/warlog"),
    ],
)
def test_data_lives_where_the_user_keeps_data(environment: dict[str, str], data_dir: str) -> None:
    assert from_environment(environment).data_dir == Path(data_dir)


@pytest.mark.parametrize(
    "given",
    [
        "postgresql://a:b@h:1/d",
        "postgres://a:b@h:1/d",
        "postgresql+asyncpg://a:b@h:1/d",
    ],
)
def test_a_database_url_is_made_plain(given: str) -> None:
    settings = from_environment({"WARLOG_DATABASE_URL": given, **HOME})
    assert settings.database_url == "postgresql://a:b@h:1/d"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("WARLOG_DATABASE_URL", "mysql://h/d"),
        ("WARLOG_DATABASE_URL", "h"),
        ("WARLOG_MIGRATE_URL", "http://[h"),
        ("WARLOG_ERASE_URL", "file:///d"),
        ("WARLOG_REDIS_URL", "http://h"),
        ("WARLOG_REDIS_URL", "redis://h:port"),
        ("WARLOG_REDIS_URL", "redis://h?what=1"),
        ("WARLOG_REDIS_URL", "redis://h,h"),
        ("WARLOG_REDIS_URL", "redis://h,http://h"),
        ("WARLOG_PORT", "-1"),
        ("WARLOG_PORT", "65536"),
        ("WARLOG_PORT", "tcp://10.0.0.1:80"),
        ("WARLOG_PORT", "٣"),
        ("WARLOG_POOL_SIZE", "0"),
        ("WARLOG_POOL_SIZE", "1e1"),
        ("WARLOG_BODY_BYTES", "1023"),
        ("WARLOG_LOG_LEVEL", "loud"),
        ("WARLOG_WORKERS", "0"),
        ("WARLOG_WORKERS", "65"),
        ("WARLOG_WORKERS", "auto"),
        ("WARLOG_PUBLIC_URL", "warlog.example"),
        ("WARLOG_PUBLIC_URL", "ftp://warlog.example"),
        ("WARLOG_PUBLIC_URL", "https://"),
        ("WARLOG_PUBLIC_URL", "https://a b"),
        ("WARLOG_PUBLIC_URL", "https://mira:secret@warlog.example"),
        ("WARLOG_PUBLIC_URL", "https://warlog.example/?x"),
        ("WARLOG_PUBLIC_URL", "https://warlog.example/#x"),
        ("WARLOG_PUBLIC_URL", "https://warlog.example\n"),
        ("WARLOG_INVITATION_HOURS", "0"),
        ("WARLOG_INVITATION_HOURS", "721"),
        ("WARLOG_STREAM_CACHE_BYTES", "1048575"),
        ("WARLOG_REQUESTS_PER_MINUTE", "0"),
        ("WARLOG_SEAT_REQUESTS_PER_MINUTE", "1000000001"),
        ("WARLOG_STREAMS_AT_ONCE", "0"),
        ("WARLOG_STREAMS_PER_CALLER", "-1"),
        ("WARLOG_JOINS_PER_MINUTE", "0"),
        ("WARLOG_TRUSTED_PROXIES", "*"),
        ("WARLOG_TRUSTED_PROXIES", "proxy.example"),
        ("WARLOG_TRUSTED_PROXIES", "10.0.0.1/8"),
        ("WARLOG_SIGNING_KEY", "00"),
        ("WARLOG_SIGNING_KEY", "zz" * 32),
        ("WARLOG_SIGNING_KEY_FILE", "/nonexistent/key"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(variable: str, value: str) -> None:
    with pytest.raises(SettingError) as refused:
        from_environment({variable: value, **HOME})
    assert refused.value.variable == variable


@pytest.mark.parametrize(
    "written",
    [
        KEY.hex(),
        KEY.hex().upper(),
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n",
    ],
)
def test_a_signing_key_is_read_from_the_variable_or_a_file(written: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(written)
    in_place = from_environment({"WARLOG_SIGNING_KEY": written, **HOME})
    in_file = from_environment({"WARLOG_SIGNING_KEY_FILE": str(tmp_path / "key"), **HOME})
    assert (in_place.signing_key, in_file.signing_key) == (KEY, KEY)


def test_url_safe_base64_is_read_too() -> None:
    settings = from_environment({"WARLOG_SIGNING_KEY": "-_" + "A" * 41, **HOME})
    assert settings.signing_key == b"\xfb\xf0" + bytes(30)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://warlog.example", "https://warlog.example"),
        ("https://warlog.example/", "https://warlog.example"),
        ("http://10.0.0.7:8080", "http://10.0.0.7:8080"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
        ("https://table.example/war/log/", "https://table.example/war/log"),
        ("", None),
    ],
)
def test_where_clients_reach_the_service_is_kept_without_its_last_slash(
    given: str, kept: str | None
) -> None:
    assert from_environment({"WARLOG_PUBLIC_URL": given, **HOME}).public_url == kept


def test_the_limits_of_callers_and_streams_are_read() -> None:
    settings = from_environment(
        {
            "WARLOG_WORKERS": "3",
            "WARLOG_INVITATION_HOURS": "720",
            "WARLOG_STREAM_CACHE_BYTES": "1048576",
            "WARLOG_REQUESTS_PER_MINUTE": "1",
            "WARLOG_SEAT_REQUESTS_PER_MINUTE": "2",
            "WARLOG_STREAMS_AT_ONCE": "3",
            "WARLOG_STREAMS_PER_CALLER": "4",
            "WARLOG_JOINS_PER_MINUTE": "5",
            "WARLOG_HANDSHAKES_PER_MINUTE": "6",
            "WARLOG_UNFINISHED_BYTES": "1048576",
            "WARLOG_HOSTS": "warlog.example,, [::1]:8080 ",
            "WARLOG_TRUSTED_PROXIES": " 10.0.0.0/8,, ::1, 192.0.2.7 ",
            **HOME,
        }
    )
    assert (settings.workers, settings.invitation_hours) == (3, 720)
    assert settings.stream_cache_bytes == 1_048_576
    assert settings.hosts == ("warlog.example", "[::1]:8080")
    assert settings.trusted_proxies == ("10.0.0.0/8", "::1/128", "192.0.2.7/32")
    assert settings.limits == Limits(
        requests_per_minute=1,
        seat_requests_per_minute=2,
        streams_at_once=3,
        streams_per_caller=4,
        joins_per_minute=5,
        handshakes_per_minute=6,
        unfinished_bytes=1_048_576,
    )


def test_secrets_are_not_shown_when_printed() -> None:
    secret = "postgresql://a:hunter2@h/d"
    settings = from_environment({"WARLOG_DATABASE_URL": secret, **HOME})
    rich_parts = list(getattr(settings, "__rich_repr__", list)())
    assert "hunter2" not in f"{settings} {settings!r} {rich_parts}"


@pytest.mark.parametrize(
    "given",
    ["redis://h", "rediss://u:p@h:7/1", "unix:///run/r.sock?db=1", "redis://:a,b@h,redis://i:1"],
)
def test_a_redis_url_is_one_address_or_several(given: str) -> None:
    assert from_environment({"WARLOG_REDIS_URL": given, **HOME}).redis_url == given


@pytest.mark.parametrize(
    "given",
    [
        "sentinel://h:26379/main",
        "redis+sentinel://:secret@h:26379/main",
        "rediss+sentinel://h/main",
        "redis-sentinel://h",
        "Sentinel://h",
        "redis://h,sentinel://i",
        "sentinel://h,redis://i",
    ],
)
def test_a_sentinel_is_refused_with_its_own_sentence(given: str) -> None:
    with pytest.raises(SettingError) as refused:
        from_environment({"WARLOG_REDIS_URL": given, **HOME})
    assert str(refused.value) == (
        "WARLOG_REDIS_URL: names a Sentinel, which is not supported: give the redis:// address of"
        " the Redis server itself, of a name or proxy that leads to the present primary, or of a"
        " Redis Cluster"
    )


def test_what_is_said_of_a_redis_url_does_not_repeat_it() -> None:
    with pytest.raises(SettingError) as refused:
        from_environment({"WARLOG_REDIS_URL": "redis://:sec/ret@h", **HOME})
    assert "sec" not in str(refused.value)


@pytest.mark.parametrize(
    ("environ", "traces"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318/v1/traces"}, True),
        ({"OTEL_TRACES_EXPORTER": "console"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"}, False),
        ({"OTEL_SERVICE_NAME": "battles"}, False),
    ],
)
def test_traces_are_made_where_opentelemetry_s_settings_ask(
    environ: dict[str, str], traces: bool
) -> None:
    assert from_environment({**HOME, **environ}).traces is traces


def test_an_exporter_nobody_knows_is_told() -> None:
    with pytest.raises(SettingError, match="must be one of otlp, console, none"):
        from_environment({**HOME, "OTEL_TRACES_EXPORTER": "zipkin"})
