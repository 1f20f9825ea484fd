"""Exports traces as OpenTelemetry's own settings say; imported only where they ask for it.

`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`,
`OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER` and the others mean what OpenTelemetry's
specification says. Spans go out in batches from a thread of their own; a collector that is away
costs nothing but its spans.
"""

import os

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


def provider() -> TracerProvider:
    """Makes tracers; `shutdown` sends what is left."""
    ours = Resource({SERVICE_NAME: "warlog", SERVICE_VERSION: __version__})
    made = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()))
    made.add_span_processor(BatchSpanProcessor(_exporter()))
    return made


def _exporter() -> SpanExporter:
    if os.environ.get("OTEL_TRACES_EXPORTER") == "console":
        return ConsoleSpanExporter()
    return OTLPSpanExporter()
