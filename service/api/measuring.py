"""Figures for Prometheus: requests by call and status, and how long they took."""

from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

# The character set is added to every text.
METRICS_TYPE = CONTENT_TYPE_LATEST.partition("; charset")[0]
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


@dataclass(slots=True)
class Measures:
    """The figures of one application."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    requests: Counter = field(init=False)
    seconds: Histogram = field(init=False)
    _known: dict[tuple[str, str, int], tuple[Counter, Histogram]] = field(
        init=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        """Declare the figures, the process's own included."""
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.requests = Counter(
            "warlog_http_requests",
            "Requests answered.",
            ("call", "method", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "warlog_http_request_seconds",
            "From the request's first byte read to the answer's last byte sent.",
            ("call",),
            registry=self.registry,
            buckets=_SECONDS,
        )

    def answered(self, call: str, method: str, status: int, seconds: float) -> None:
        """Count one request; `call` is its operation id, or `none` for an unknown address."""
        known = self._known.get((call, method, status))
        if known is None:
            known = self.requests.labels(call, method, str(status)), self.seconds.labels(call)
            self._known[call, method, status] = known
        counter, histogram = known
        counter.inc()
        histogram.observe(seconds)

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""
        return generate_latest(self.registry)
