"""The figures: counted, read again, and shown together where several processes share a port."""

import re
from collections.abc import Sequence

import httpx
from prometheus_client.parser import text_string_to_metric_families

from service import __version__
from service.api.metrics import Figure, Measures, Share
from tests.api.serving import Caller, Served

NEW = {
    "warlog_streams_open": "gauge",
    "warlog_stream_records_delivered_total": "counter",
    "warlog_stream_records_encoded_total": "counter",
    "warlog_stream_catch_ups_total": "counter",
    "warlog_stream_resyncs_total": "counter",
    "warlog_fanout_told_total": "counter",
    "warlog_fanout_published_total": "counter",
    "warlog_fanout_dropped_total": "counter",
    "warlog_fanout_heard_total": "counter",
    "warlog_fanout_refused_total": "counter",
    "warlog_fanout_connections_total": "counter",
    "warlog_fanout_waiting": "gauge",
    "warlog_fanout_deaf": "gauge",
    "warlog_timers_fired_total": "counter",
    "warlog_build_info": "gauge",
    "warlog_append_batches_total": "counter",
    "warlog_appends_total": "counter",
    "warlog_clock_ahead_seconds": "gauge",
    "warlog_events_ahead_of_clock_total": "counter",
    "warlog_database_connections": "gauge",
    "warlog_database_connections_idle": "gauge",
    "warlog_database_seconds": "histogram",
}


def samples(text: bytes, name: str) -> dict[frozenset[tuple[str, str]], float]:
    """The samples of one name by their labels."""
    return {
        frozenset(sample.labels.items()): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
        if sample.name == name
    }


class Others:
    """A crew of three, of which this process is the second."""

    number = 2

    def __init__(self, *others: Measures) -> None:
        self._others = others

    async def others(self) -> Sequence[Share]:
        return [
            Share(worker=number, families=each.families())
            for number, each in zip((3, 1), self._others, strict=False)
        ]


async def test_what_others_count_is_read_when_it_is_asked_for() -> None:
    now = 1.0
    measures = Measures(
        (
            Figure(name="x_seen", says="Seen.", kind="counter", read=lambda: now),
            Figure(name="x_open", says="Open.", kind="gauge", read=lambda: -now),
        )
    )
    for now in (2.0, 3.0):
        text = await measures.text()
        assert samples(text, "x_seen_total") == {frozenset(): now}
        assert samples(text, "x_open") == {frozenset(): -now}
        assert b"worker=" not in text


async def test_figures_of_several_processes_stand_side_by_side() -> None:
    crew = [Measures(), Measures()]
    own = Measures(crew=Others(*crew))
    for count, each in enumerate([own, *crew], start=1):
        for _ in range(count):
            each.answered("act", "POST", 201, 0.01)
    text = await own.text()
    asked = {("call", "act"), ("method", "POST"), ("status", "201")}
    assert samples(text, "warlog_http_requests_total") == {
        frozenset({*asked, ("worker", "2")}): 1.0,
        frozenset({*asked, ("worker", "3")}): 2.0,
        frozenset({*asked, ("worker", "1")}): 3.0,
    }
    told = samples(text, "warlog_http_request_seconds_bucket")
    assert told[frozenset({("call", "act"), ("worker", "1"), ("le", "+Inf")})] == 3.0
    assert len(samples(text, "process_start_time_seconds")) == 3
    names = re.findall(rb"^# TYPE (\S+)", text, flags=re.MULTILINE)
    assert len(names) == len(set(names))


async def test_who_does_not_answer_is_left_out() -> None:
    own = Measures(crew=Others())
    own.answered("act", "POST", 201, 0.01)
    assert len(samples(await own.text(), "warlog_http_requests_total")) == 1


def test_streams_ways_and_timers_are_among_the_figures(served: Served) -> None:
    text = httpx.get(f"{served.url}/metrics").text
    found = dict(re.findall(r"^# TYPE (warlog_\S+) (\S+)", text, flags=re.MULTILINE))
    assert {name: found.get(name) for name in NEW} == NEW


def test_who_asks_for_openmetrics_gets_them(served: Served, caller: Caller) -> None:
    caller.started()
    answer = httpx.get(
        f"{served.url}/metrics",
        headers={"Accept": "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"},
    )
    assert answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
    kinds = dict(re.findall(r"^# TYPE (warlog_\S+) (\S+)", answer.text, flags=re.MULTILINE))
    assert kinds["warlog_appends"] == "counter"
    assert re.search(r"^warlog_appends_total \d+", answer.text, flags=re.MULTILINE)
    assert f'version="{__version__}"}} 1.0\n' in answer.text
    assert answer.text.endswith("\n# EOF\n")


async def test_what_the_database_takes_is_counted_by_pool_and_class(
    served: Served, caller: Caller
) -> None:
    before = await figures(served)
    caller.started()
    after = await figures(served)

    def both(name: str, labels: frozenset[tuple[str, str]]) -> list[float]:
        return [samples(text, name)[labels] for text in (before, after)]

    for pool in ("shared", "appends"):
        labels = frozenset({("pool", pool)})
        counts = [
            samples(text, "warlog_database_seconds_count")[labels] for text in (before, after)
        ]
        assert counts[1] > counts[0]
        classes = [
            (float(dict(found)["le"]), count)
            for found, count in samples(after, "warlog_database_seconds_bucket").items()
            if ("pool", pool) in found
        ]
        assert [count for _, count in sorted(classes)] == sorted(count for _, count in classes)
        assert max(classes) == (float("inf"), counts[1])
        open_now = samples(after, "warlog_database_connections")[labels]
        assert 0 <= samples(after, "warlog_database_connections_idle")[labels] <= open_now
    batches = [
        samples(text, "warlog_append_batches_total")[frozenset()] for text in (before, after)
    ]
    appends = both("warlog_appends_total", frozenset())
    assert batches[1] > batches[0]
    assert appends[1] - appends[0] >= batches[1] - batches[0]


async def figures(served: Served) -> bytes:
    async with httpx.AsyncClient() as client:
        return (await client.get(f"{served.url}/metrics")).content
