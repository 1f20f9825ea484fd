"""Traces, as a collector gets them from a service that was asked for them."""

import socket
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from service import __version__
from service.api.telemetry import SHUTDOWN_SECONDS, Traces
from tests.api.serving import START, Caller
from tests.api.test_commands import owner_key, serving
from tests.ports import free_port

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"


class Collector(HTTPServer):
    """Takes what an exporter sends."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Taking)
        self.exports: list[ExportTraceServiceRequest] = []

    def spans(self) -> list[Span]:
        return [
            span
            for export in self.exports
            for resource in export.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def resources(self) -> set[tuple[str, str]]:
        return {
            (attribute.key, attribute.value.string_value)
            for export in self.exports
            for resource in export.resource_spans
            for attribute in resource.resource.attributes
        }


class Taking(BaseHTTPRequestHandler):
    """One request of an exporter."""

    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.exports.append(ExportTraceServiceRequest.FromString(body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing: nobody reads it."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def attributes(span: Span) -> dict[str, object]:
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


@pytest.mark.slow
def test_a_request_and_the_batch_that_stores_it_are_traced(
    environ: dict[str, str], collector: Collector
) -> None:
    asked = {
        **environ,
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
        "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
        "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test",
    }
    with serving(asked) as service:
        token = owner_key(environ)
        with Caller(service.url, token) as owner:
            encounter = owner.create()
            answer = owner.post(
                f"{encounter}/actions",
                {"action": START},
                traceparent=f"00-{TRACE}-{PARENT}-01",
            )
            assert answer.status_code == 201
        assert service.stop()[0] == 0
    assert ("service.name", "warlog") in collector.resources()
    assert ("service.version", __version__) in collector.resources()
    assert ("deployment.environment.name", "test") in collector.resources()
    [acted] = [span for span in collector.spans() if span.name == "POST act"]
    assert (acted.trace_id.hex(), acted.parent_span_id.hex()) == (TRACE, PARENT)
    assert attributes(acted) == {
        "http.request.method": "POST",
        "http.response.status_code": 201,
        "warlog.call": "act",
        "warlog.encounter": encounter.rpartition("/")[2],
        "warlog.request": "test",
    }
    batches = [span for span in collector.spans() if span.name == "append batch"]
    [batch] = [span for span in batches if acted.span_id in [link.span_id for link in span.links]]
    assert attributes(batch) == {"warlog.encounters": 1, "warlog.appends": 1}
    assert batch.trace_id != acted.trace_id


@pytest.mark.parametrize("listens", [True, False])
def test_the_end_of_the_process_does_not_wait_for_a_collector_that_is_away(
    listens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1] if listens else free_port()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "600")
        traces = Traces()
        traces.provider.get_tracer("test").start_span("last").end()
        began = time.monotonic()
        traces.shut_down()
        # The exporter alone takes thirty seconds; all beyond two is left to a busy machine.
        assert time.monotonic() - began < 10 * SHUTDOWN_SECONDS


@pytest.mark.slow
def test_a_collector_that_is_away_costs_nothing_but_its_spans(environ: dict[str, str]) -> None:
    away = {
        **environ,
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1",
        "OTEL_EXPORTER_OTLP_TIMEOUT": "1",
    }
    with serving(away) as service:
        token = owner_key(environ)
        with Caller(service.url, token) as owner:
            owner.act(owner.create(), START)
        assert service.stop()[0] == 0
