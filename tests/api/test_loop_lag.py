"""A loop that stands still is counted, and says so."""

import asyncio
import time
from collections.abc import Callable

import httpx
import pytest
import structlog
from litestar import get
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from service.api import loop_lag
from service.api.loop_lag import BEAT_SECONDS, QUIET_SECONDS, STILL_SECONDS, watched_loop
from service.api.metrics import Measures
from service.eventstore.embedded import Dsns
from tests.api.serving import Served, settings_for
from tests.api.streaming import eventually
from tests.api.test_metrics import samples
from tests.patience import until

STILL = 2 * STILL_SECONDS
STOOD = "the event loop stood still"
BUCKETS = "warlog_event_loop_lag_seconds_bucket"


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A logger that another test has not fixed to where it wrote."""
    monkeypatch.setattr(loop_lag, "_log", structlog.get_logger("warlog.loop"))


def compute(seconds: float) -> None:
    """Use so much of the processor's time in this thread."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


@pytest.mark.parametrize(("block", "computes"), [(time.sleep, False), (compute, True)])
async def test_a_stillness_is_counted_and_told(
    block: Callable[[float], None], computes: bool
) -> None:
    measures = Measures(registry=CollectorRegistry())
    lags, others = list[float](), list[float]()

    def observe(lag: float) -> None:
        others.append(lag)
        measures.lag.observe(lag)

    with capture_logs() as lines:
        async with watched_loop(lags.append), watched_loop(observe):
            # The first beat begins here.
            await asyncio.sleep(0)
            block(STILL)
            await until(lambda: len(lines) >= 2)
    # What comes later is the machine's own.
    seconds = sorted(line.pop("seconds") for line in lines[:2])
    assert seconds == sorted(round(each[0], 3) for each in (lags, others))
    for line in lines[:2]:
        assert (line.pop("computing_seconds") > STILL / 2) == computes
        assert line == {"event": STOOD, "log_level": "warning", "times": 1}
    assert lags[0] >= STILL - BEAT_SECONDS
    found = samples(await measures.text(), BUCKETS)
    assert found[frozenset({("le", "+Inf")})] > found[frozenset({("le", "0.5")})]


async def test_many_are_told_together_and_no_more_than_one_a_second() -> None:
    lags: list[float] = []
    began = time.monotonic()
    with capture_logs() as lines:
        async with watched_loop(lags.append):
            for _ in range(4):
                await asyncio.sleep(2 * BEAT_SECONDS)
                compute(STILL_SECONDS + 2 * BEAT_SECONDS)
            await until(lambda: sum(line["times"] for line in lines) >= 4)
    assert len(lines) <= 1 + (time.monotonic() - began) / QUIET_SECONDS
    assert {line["event"] for line in lines} == {STOOD}


def test_a_served_process_tells_it(database: Dsns) -> None:
    @get("/still", sync_to_thread=False)
    def still() -> str:
        time.sleep(STILL)
        return ""

    def longer(url: str) -> float:
        found = samples(httpx.get(f"{url}/metrics").content, BUCKETS)
        return found[frozenset({("le", "+Inf")})] - found[frozenset({("le", "0.5")})]

    with capture_logs() as lines, Served(settings_for(database), still) as served:
        before = longer(served.url)
        assert httpx.get(f"{served.url}/still").status_code == 200
        eventually(lambda: longer(served.url) > before, "no lag is counted")
        assert STOOD in {line["event"] for line in lines}
