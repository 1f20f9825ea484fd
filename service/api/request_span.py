"""A span for every request, continuing the trace of its client if it belongs to one.

Names and attributes are those of OpenTelemetry's conventions for HTTP servers. A span shows the
call and the encounter, never what the request carried or who asked.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from litestar.types.asgi_types import HTTPScope
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, get_tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.api.headers import headers_of

SPAN: Final = "span"
"""In the state of a request: its span, if it is traced."""

_PARENT: Final = TraceContextTextMapPropagator()


class RequestTracer:
    """Traces requests."""

    def __init__(self) -> None:
        self._tracer = get_tracer("warlog")

    @contextmanager
    def request(self, scope: HTTPScope) -> Iterator[Span]:
        """The span of a request; `answered` completes it."""
        headers = headers_of(scope)
        carried = {
            name: value
            for name in ("traceparent", "tracestate")
            if (value := headers.value(name)) is not None
        }
        with self._tracer.start_as_current_span(
            scope["method"],
            context=_PARENT.extract(carried),
            kind=SpanKind.SERVER,
            record_exception=False,
        ) as span:
            yield span


def complete(span: Span, facts: Mapping[str, str | int]) -> None:
    """What became of a request, from the facts of its log line."""
    status = int(facts["status"])
    span.update_name(f"{facts['method']} {facts['call']}")
    span.set_attributes(
        {
            "http.request.method": facts["method"],
            "http.response.status_code": status,
            **{f"warlog.{name}": facts[name] for name in _OURS if name in facts},
        }
    )
    if status >= 500:
        span.set_status(Status(StatusCode.ERROR))


_OURS: Final = ("call", "encounter", "request")
