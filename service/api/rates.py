"""How often a key may ask: one leaky bucket per key and process."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.errors import TooMany

_MOST_BUCKETS: Final = 10_000
_MINUTE: Final = 60.0


class Allowance(Struct, frozen=True, kw_only=True):
    """What is left: `remaining` requests at once, all of them again in `reset_seconds`."""

    limit: int
    remaining: int
    reset_seconds: int

    def headers(self) -> dict[str, str]:
        """As the answer tells it."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset_seconds),
        }


class Rate:
    """At most `burst` at once and `per_minute` in the long run; `clock` in seconds, monotonic."""

    def __init__(self, *, per_minute: int, burst: int, clock: Callable[[], float]) -> None:
        self._per_minute = per_minute
        self._burst = min(burst, per_minute)
        self._clock = clock
        self._buckets: OrderedDict[UUID, tuple[float, float]] = OrderedDict()

    def take(self, key: UUID) -> Allowance:
        """Count one request. Raises TooMany with the seconds to wait."""
        now = self._clock()
        level, since = self._buckets.get(key, (0.0, now))
        per_second = self._per_minute / _MINUTE
        level = max(0.0, level - (now - since) * per_second)
        if level + 1 > self._burst:
            wait = int((level + 1 - self._burst) / per_second) + 1
            raise TooMany(limit=self._per_minute, retry_after=wait)
        level += 1
        self._buckets[key] = (level, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return Allowance(
            limit=self._per_minute,
            remaining=int(self._burst - level),
            reset_seconds=int(level / per_second) + 1,
        )
