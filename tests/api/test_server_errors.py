"""What is nobody's fault but the service's, how often one may ask, and what is never logged."""

import json
import logging
from uuid import UUID

import httpx
import pytest
import structlog
from litestar import get
from structlog.testing import capture_logs

from service import errors
from service.api.authentication import token_of
from service.api.problems import headers_of, status_of
from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.server.log_lines import as_json, configure_logging
from tests.api.examples import EXAMPLES
from tests.api.serving import SHOT, Caller, Served, new_key, settings_for
from tests.api.streaming import services_behind, stop_clock

SECRET = "the seed is 42"


@get("/broken", sync_to_thread=False)
def broken() -> None:
    """A route with a fault in it."""
    raise RuntimeError(SECRET)


def test_a_fault_is_told_without_details_and_logged_under_its_id(database: Dsns) -> None:
    with Served(settings_for(database), broken) as served, capture_logs() as logs:
        for language, title in (("en", "A fault of the service"), ("ru", "Ошибка сервиса")):
            answer = httpx.get(f"{served.url}/broken", headers={"Accept-Language": language})
            told = answer.json()
            assert (answer.status_code, told["code"]) == (500, "internal_error")
            assert (told["title"], told["params"]) == (title, {})
            assert told["instance"].startswith("urn:uuid:")
            assert SECRET not in answer.text
            assert "Traceback" not in answer.text
            [fault] = [line for line in logs if line["event"] == "fault"]
            assert (fault["instance"], fault["log_level"]) == (told["instance"], "error")
            logs.clear()


async def test_previews_and_checks_of_maps_have_a_rate_of_their_own(
    database: Dsns, store: EventStore, tenant: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await new_key(store, tenant, SCOPES)
    settings = settings_for(database, WARLOG_PREVIEWS_PER_MINUTE="2")
    with Served(settings) as served, Caller(served.url, token) as caller:
        stop_clock(monkeypatch, services_behind(served).previews)
        encounter = caller.started()
        requests = (
            (f"{encounter}/preview", {"action": SHOT}),
            ("/v1/maps", EXAMPLES["check_map"][0].value),
            (f"{encounter}/preview", {"action": SHOT}),
        )
        answers = [caller.post(path, body) for path, body in requests]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[1].headers["RateLimit-Remaining"] == "0"
        refused = answers[2]
        assert refused.json()["code"] == "too_many_requests"
        assert 1 <= int(refused.headers["Retry-After"]) <= 31
        assert caller.get(encounter).status_code == 200


def test_figures_count_calls_and_never_addresses(caller: Caller) -> None:
    encounter = caller.create()
    caller.get(encounter)
    caller.get("/nowhere/at/all")
    figures = caller.get("/metrics").text
    assert 'warlog_http_requests_total{call="read_encounter",method="GET",status="200"}' in figures
    assert 'call="none",method="GET",status="404"' in figures
    assert encounter.rpartition("/")[2] not in figures
    assert "nowhere" not in figures


@pytest.mark.parametrize(
    ("error", "status", "wait"),
    [
        (errors.DatabaseAway(), 503, "2"),
        (errors.NewerVersion(), 503, "30"),
        (errors.LogDamaged(), 503, "60"),
        (errors.Unavailable("try_again", retry_after=1), 503, "1"),
        (errors.ConflictingRequest("in_progress", retry_after=1), 409, "1"),
        (errors.TooMany(limit=1, retry_after=7), 429, "7"),
        (errors.ConflictingRequest("idempotency_key_reused"), 409, None),
        (errors.Refused("decision_pending"), 409, None),
    ],
)
def test_what_may_work_later_says_when(
    error: errors.WarlogError, status: int, wait: str | None
) -> None:
    assert (status_of(error), headers_of(error, "en").get("Retry-After")) == (status, wait)


def test_keys_and_passwords_are_masked_in_logs() -> None:
    token = token_of(bytes(32))
    told = {
        "event": f"key {token}",
        "url": "postgresql://warlog:hunter2@db/warlog",
        "hosts": ["redis://:hunter2@cache/0", {"of": "amqp://me:«hunter2»@queue"}],
        "http://host": "no:secret@all",
        "ms": 3,
    }
    assert json.loads(as_json(None, "info", told)) == {
        "event": "key wk_***",
        "url": "postgresql://warlog:***@db/warlog",
        "hosts": ["redis://:***@cache/0", {"of": "amqp://me:***@queue"}],
        "http://host": "no:secret@all",
        "ms": 3,
    }


def test_a_log_line_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    try:
        configure_logging("info")
        logging.getLogger("somebody").warning("a key wk_%s leaks", "A" * 43)
    finally:
        root.handlers[:], root.level = before
        structlog.reset_defaults()
    line = json.loads(capsys.readouterr().err)
    assert (line["event"], line["level"], line["logger"]) == (
        "a key wk_*** leaks",
        "warning",
        "somebody",
    )
