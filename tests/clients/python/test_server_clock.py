"""The service's clock, as the client for Python knows it; the one for JavaScript counts alike."""

import time
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from tests.api.serving import Caller
from warlog import AsyncWarlog, Warlog
from warlog.server_clock import ServerClock

AN_HOUR = 3600.0


class OwnClock:
    """A clock that stands still."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_is_known_ever_better() -> None:
    own = OwnClock()
    clock = ServerClock(own)
    ahead = []
    for now, asked, date, recorded in (
        (1.0, 0.0, None, None),
        (1.0, 0.9, "Thu, 01 Jan 1970 00:00:11 GMT", None),
        (2.5, 2.45, "Thu, 01 Jan 1970 00:00:12 GMT", None),
        (2.6, 0.0, None, "1970-01-01T00:00:12.900000Z"),
        (9.0, 9.0, "Thu, 01 Jan 1970 00:00:10 GMT", None),
        (9.0, 9.0, "some day", "then"),
    ):
        own.now = now
        clock.hear(date, asked)
        if recorded is not None:
            clock.hear_event(recorded)
        ahead.append(round(clock.now().timestamp() - now, 3))
    # The bounds are 10 to 11.1, then 9.5 to 10.55; an event says 10.3 at least.
    assert ahead == [0.0, 10.55, 10.275, 10.425, 1.5, 1.5]


def test_an_event_alone_says_how_late_it_is_at_least() -> None:
    own = OwnClock()
    clock = ServerClock(own)
    clock.hear_event("1970-01-01T00:00:05Z")
    assert clock.now() == datetime.fromtimestamp(5, UTC)


async def test_a_client_whose_own_clock_is_wrong_knows_the_services(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = caller.token
    blocking = Warlog(caller.url, token)
    async with AsyncWarlog(caller.url, token) as awaiting:
        for clock in (blocking._core.clock, awaiting._core.clock):
            monkeypatch.setattr(clock, "own", lambda: time.time() - AN_HOUR)
        began = datetime.now(UTC)
        blocking.rulesets()
        await awaiting.rulesets()
        told = (blocking.server_now(), awaiting.battle("any").server_now())
        ended = datetime.now(UTC)
    blocking.close()
    # A clock is known no better than an answer takes.
    doubt = timedelta(seconds=2) + (ended - began)
    for each in told:
        assert began - doubt < each < ended + doubt


def test_an_answer_without_a_date_tells_nothing() -> None:
    with Warlog(
        "http://nowhere", http=httpx.Client(transport=httpx.MockTransport(_without_date))
    ) as service:
        service.rulesets()
        now = service._core.clock.own
        before = now()
        told = service.server_now().timestamp()
        assert before - 0.001 < told < now() + 0.001


def _without_date(_: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json={"rulesets": [], "limits": {}})
