"""Figures for Prometheus: requests by call and status, their duration, and counts of other rooms.

How this works. What happens with every request is counted here; what other rooms count for
themselves is read when somebody asks for the figures, and costs nothing until then (`Figure`).
Where several processes serve on one port, whichever is asked asks the others and shows the figures
of all, each with the number of its process in the label `worker`: a process that begins again
begins its own series again, so that sums of rates stay right.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, Literal, Protocol

from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics import exposition as openmetrics
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

# The character set is added to every text.
METRICS_TYPE = CONTENT_TYPE_LATEST.partition("; charset")[0]
OPENMETRICS_TYPE: Final = openmetrics.CONTENT_TYPE_LATEST.partition("; charset")[0]
WORKER: Final = "worker"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Distribution(Protocol):
    """What a histogram counts: how many in each class, in one more than has bounds; their sum."""

    @property
    def counts(self) -> Sequence[int]:
        """By class."""

    @property
    def seconds(self) -> float:
        """In all."""


class Figure(Struct, frozen=True, kw_only=True):
    """A figure of another room: `read` gives its present value.

    The name of a `counter` goes without its `_total`; it never decreases. Figures of one name
    differ in their labels.
    """

    name: str
    says: str
    kind: Literal["counter", "gauge"]
    read: Callable[[], float]
    labels: dict[str, str] = {}


class Spread(Struct, frozen=True, kw_only=True):
    """Durations that another room counts by classes; `bounds` are their upper ends, in seconds."""

    name: str
    says: str
    bounds: tuple[float, ...]
    distribution: Distribution
    labels: dict[str, str] = {}

    def buckets(self) -> list[tuple[str, float]]:
        """As Prometheus counts: how many took at most so long."""
        ends = [*(repr(bound) for bound in self.bounds), "+Inf"]
        return list(zip(ends, map(float, accumulate(self.distribution.counts)), strict=True))


class Family(Struct, frozen=True, kw_only=True):
    """All that one process has of one figure: names, labels and values of its samples."""

    name: str
    says: str
    kind: str
    samples: tuple[tuple[str, dict[str, str], float], ...]


class Share(Struct, frozen=True, kw_only=True):
    """The figures of one process of several."""

    worker: int
    families: tuple[Family, ...]


class Crew(Protocol):
    """The processes that serve on one port, as one of them sees them; `number` is its own."""

    @property
    def number(self) -> int:
        """Which of them this process is."""

    async def others(self) -> Sequence[Share]:
        """The figures of the other processes that answer in time."""


@dataclass(slots=True)
class Measures:
    """The figures of one application; `crew` if it is not the only process on its port."""

    figures: Sequence[Figure | Spread] = ()
    crew: Crew | None = None
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    requests: Counter = field(init=False)
    seconds: Histogram = field(init=False)
    lag: Histogram = field(init=False)
    _known: dict[tuple[str, str, int], tuple[Counter, Histogram]] = field(
        init=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        """Declare the figures, the process's own included."""
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.registry.register(_Read(self.figures))
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
        self.lag = Histogram(
            "warlog_event_loop_lag_seconds",
            "How late the event loop was, measured ten times a second.",
            registry=self.registry,
            buckets=_SECONDS,
        )

    def answered(self, call: str, method: str, status: int, seconds: float) -> None:
        """Count one request; `call` is its operation id, or `none` for an unknown address."""
        figures = self._known.get((call, method, status))
        if figures is None:
            figures = self.requests.labels(call, method, str(status)), self.seconds.labels(call)
            self._known[call, method, status] = figures
        counter, histogram = figures
        counter.inc()
        histogram.observe(seconds)

    async def text(self, media_type: str = METRICS_TYPE) -> bytes:
        """All figures, those of the whole crew, as Prometheus or OpenMetrics writes them."""
        write = openmetrics.generate_latest if media_type == OPENMETRICS_TYPE else generate_latest
        if self.crew is None:
            return write(self.registry)
        own = Share(worker=self.crew.number, families=self.families())
        return write(_Together([own, *await self.crew.others()]))

    def families(self) -> tuple[Family, ...]:
        """The figures of this process, as they are sent to another."""
        return tuple(
            Family(
                name=metric.name,
                says=metric.documentation,
                kind=metric.type,
                samples=tuple(
                    (sample.name, sample.labels, sample.value) for sample in metric.samples
                ),
            )
            for metric in self.registry.collect()
        )


class _Read(Collector):
    """The figures of other rooms, read at each scrape."""

    def __init__(self, figures: Sequence[Figure | Spread]) -> None:
        self._figures = figures

    def collect(self) -> Iterable[Metric]:
        metrics: dict[str, Metric] = {}
        for figure in self._figures:
            kind = figure.kind if isinstance(figure, Figure) else "histogram"
            metric = metrics.setdefault(figure.name, Metric(figure.name, figure.says, kind))
            if isinstance(figure, Figure):
                name = f"{figure.name}_total" if figure.kind == "counter" else figure.name
                metric.add_sample(name, figure.labels, figure.read())
            else:
                _add(metric, figure)
        return metrics.values()


def _add(metric: Metric, spread: Spread) -> None:
    buckets = spread.buckets()
    for end, count in buckets:
        metric.add_sample(f"{spread.name}_bucket", {**spread.labels, "le": end}, count)
    metric.add_sample(f"{spread.name}_count", spread.labels, buckets[-1][1])
    metric.add_sample(f"{spread.name}_sum", spread.labels, spread.distribution.seconds)


class _Together(Collector):
    """The figures of several processes, each kind in one place, by the processes' numbers."""

    def __init__(self, shares: Sequence[Share]) -> None:
        self._shares = sorted(shares, key=lambda share: share.worker)

    def collect(self) -> Iterable[Metric]:
        metrics: dict[str, Metric] = {}
        for share in self._shares:
            for family in share.families:
                metric = metrics.setdefault(
                    family.name, Metric(family.name, family.says, family.kind)
                )
                for name, labels, value in family.samples:
                    metric.add_sample(name, {**labels, WORKER: str(share.worker)}, value)
        return metrics.values()
