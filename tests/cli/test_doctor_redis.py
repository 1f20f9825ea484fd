"""`warlog doctor` says of Redis whether messages get through it."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from msgspec import structs

from service.cli import run
from service.cli.findings import Severity, judge_redis
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.exits import Exit
from service.fanout.probe import RedisExamination, RedisFault
from tests.conftest import scratch_database, user_of
from tests.fanout.receivers import wait_as_long_as_it_takes
from tests.fanout.servers import Cluster, Server

HEALTHY = RedisExamination(
    version_name="Redis 7.0.15", is_cluster=False, servers=1, unowned=0, faults=()
)


@pytest.fixture(scope="module")
async def database(server: str) -> AsyncIterator[Dsns]:
    """A database that no other test left anything in."""
    async with scratch_database(server) as dsns:
        await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
        yield dsns


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, database: Dsns) -> pytest.MonkeyPatch:
    monkeypatch.setenv("WARLOG_DATABASE_URL", database.app)
    monkeypatch.setenv("WARLOG_MIGRATE_URL", database.owner)
    monkeypatch.setenv("WARLOG_ERASE_URL", database.eraser)
    return monkeypatch


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_as_long_as_it_takes(monkeypatch)


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    yield server
    server.kill()


def found(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [(line["verdict"], line["says"]) for line in lines if line["subject"] == "redis"]


def test_one_server_that_works_is_found_well(
    environment: pytest.MonkeyPatch, valkey: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    valkey.start()
    environment.setenv("WARLOG_REDIS_URL", valkey.url)
    assert run(["doctor", "--json"]) == Exit.OK
    [(verdict, says)] = found(capsys)
    assert verdict == "ok"
    assert says.startswith("Valkey ")
    assert says.endswith("one server; messages get through")


def test_a_cluster_is_asked_server_by_server(
    environment: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    three = Cluster(tmp_path)
    try:
        three.start()
        environment.setenv("WARLOG_REDIS_URL", three.url)
        assert run(["doctor", "--json"]) == Exit.OK
        [(verdict, says)] = found(capsys)
        assert (verdict, "a cluster of 3" in says) == ("ok", True)
        three.servers[1].kill()
        assert run(["doctor", "--json"]) == Exit.UNAVAILABLE
        [(verdict, says)] = found(capsys)
        assert (verdict, str(three.servers[1].port) in says) == ("away", True)
    finally:
        three.kill()


@pytest.mark.parametrize("missing", ["PUBSUB", "SSUBSCRIBE", "SPUBLISH"])
def test_a_server_that_is_too_old_is_found(
    environment: pytest.MonkeyPatch,
    valkey: Server,
    missing: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    valkey.options = ("--rename-command", missing, "")
    valkey.start()
    environment.setenv("WARLOG_REDIS_URL", valkey.url)
    assert run(["doctor", "--json"]) == Exit.WRONG
    assert [verdict for verdict, _ in found(capsys)] == ["wrong"]


def test_a_wrong_password_is_told_and_not_repeated(
    environment: pytest.MonkeyPatch, valkey: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    valkey.options = ("--requirepass", "right")
    valkey.start()
    environment.setenv("WARLOG_REDIS_URL", f"redis://:wrong-secret@127.0.0.1:{valkey.port}")
    assert run(["doctor", "--json"]) == Exit.UNAVAILABLE
    [(verdict, says)] = found(capsys)
    assert verdict == "away"
    assert "wrong-secret" not in says
    assert "AuthenticationError" in says


@pytest.mark.parametrize(
    ("changed", "verdicts"),
    [
        ({}, [Severity.OK]),
        ({"is_cluster": True, "servers": 3, "unowned": 5}, [Severity.WARNING]),
        ({"faults": (RedisFault(server="h:1", says="no", is_away=True),)}, [Severity.AWAY]),
        (
            {"unowned": 1, "faults": (RedisFault(server="h:1", says="no", is_away=False),)},
            [Severity.WRONG, Severity.WARNING],
        ),
    ],
)
def test_each_fault_is_judged(changed: dict[str, object], verdicts: list[Severity]) -> None:
    seen = structs.replace(HEALTHY, **changed)
    assert [finding.verdict for finding in judge_redis(seen)] == verdicts
