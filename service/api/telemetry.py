"""Exports traces as OpenTelemetry's own settings say; imported only where they ask for it.

`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`,
`OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER` and the others mean what OpenTelemetry's
specification says. Spans go out in batches from a thread of their own; a collector that is away
costs nothing but its spans. The exporter would wait for such a collector for ten seconds and more
when the process ends, so the wait for it is limited here.
"""

import os
from threading import Thread
from typing import Final

import structlog
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import (
    SERVICE_NAME,
    SERVICE_VERSION,
    OTELResourceDetector,
    Resource,
)
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter

from service import __version__

SHUTDOWN_SECONDS: Final = 2.0
"""Longest wait for the collector when the process ends. Service default."""

_log = structlog.get_logger("warlog.telemetry")


class Traces:
    """The export of spans; `provider` makes the tracers."""

    def __init__(self) -> None:
        ours = Resource({SERVICE_NAME: "warlog", SERVICE_VERSION: __version__})
        self._exporter = _exporter()
        self.provider = TracerProvider(
            resource=ours.merge(OTELResourceDetector().detect()), shutdown_on_exit=False
        )
        self.provider.add_span_processor(BatchSpanProcessor(self._exporter))

    def shut_down(self) -> None:
        """Send the spans that are left, and drop them after SHUTDOWN_SECONDS. Blocks."""
        # A daemon: the interpreter does not wait for it when it ends.
        sending = Thread(target=self.provider.shutdown, name="warlog-traces", daemon=True)
        sending.start()
        sending.join(SHUTDOWN_SECONDS)
        if sending.is_alive():
            _log.warning("the collector does not answer; the last spans are dropped")
            self._exporter.shutdown()


def _exporter() -> SpanExporter:
    if os.environ.get("OTEL_TRACES_EXPORTER") == "console":
        return ConsoleSpanExporter()
    return OTLPSpanExporter()
