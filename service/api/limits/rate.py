"""How often a caller may ask: one leaky bucket per account and process.

How this works. Of a bucket only the moment is kept at which it will have run empty: each request
puts that off by what one request is worth, and time passes by itself. A bucket that has run empty
says nothing that a new one would not, so those are thrown away when there are too many.
"""

from collections.abc import Callable
from math import ceil
from typing import Final

from msgspec import Struct

from service.encounters.principal import Principal
from service.errors import TooMany

MOST_BUCKETS: Final = 10_000
_MINUTE: Final = 60.0


class Allowance(Struct, frozen=True, kw_only=True):
    """What is left: `remaining` requests at once, all of them again in `reset_seconds`."""

    limit: int
    remaining: int
    reset_seconds: int

    def headers(self) -> dict[str, str]:
        """As the answer shows it."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset_seconds),
        }


class _Bucket:
    """When it will have run empty, in seconds of the clock."""

    __slots__ = ("empty_at",)

    def __init__(self, empty_at: float) -> None:
        self.empty_at = empty_at


class Rate:
    """At most `burst` at once and `per_minute` in the long run; `clock` in seconds, monotonic."""

    def __init__(self, *, per_minute: int, burst: int, clock: Callable[[], float]) -> None:
        self._per_minute = per_minute
        self._burst = max(1, min(burst, per_minute))
        self._each = _MINUTE / per_minute
        # A hair more than the last of a burst takes: what runs out by itself is not quite exact.
        self._depth = (self._burst - 1) * self._each + self._each / 1_000
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def count(self, account: str) -> None:
        """Count one request. Raises TooMany with the seconds to wait."""
        self.require(account)
        self.charge(account, 1)

    def require(self, account: str) -> None:
        """There is room for one request. Raises TooMany with the seconds to wait."""
        left = self._left(account)
        if left > self._depth:
            raise TooMany(limit=self._per_minute, retry_after=ceil(left - self._depth))

    def charge(self, account: str, requests: int) -> None:
        """Count so many requests, also beyond what is allowed: then it takes longer to wait."""
        now = self._clock()
        bucket = self._buckets.get(account)
        if bucket is None:
            self._open(account, now + requests * self._each)
        else:
            bucket.empty_at = max(bucket.empty_at, now) + requests * self._each

    def refund(self, account: str) -> None:
        """Take one request out of the count again."""
        bucket = self._buckets.get(account)
        if bucket is not None:
            bucket.empty_at -= self._each

    def _left(self, account: str) -> float:
        """Seconds until the bucket has run empty."""
        bucket = self._buckets.get(account)
        return 0.0 if bucket is None else bucket.empty_at - self._clock()

    def take(self, account: str) -> Allowance:
        """Count one request and tell what is left. Raises TooMany with the seconds to wait."""
        self.count(account)
        left = self._buckets[account].empty_at - self._clock()
        return Allowance(
            limit=self._per_minute,
            remaining=int((self._depth - left) / self._each) + 1 if left <= self._depth else 0,
            reset_seconds=int(left) + 1,
        )

    def _open(self, account: str, empty_at: float) -> None:
        """Begin a bucket; there are never more than MOST_BUCKETS."""
        now = self._clock()
        if len(self._buckets) >= MOST_BUCKETS:
            # What has run empty goes, and the emptier half in any case.
            used = sorted(self._buckets.items(), key=lambda one: one[1].empty_at)
            fuller = used[MOST_BUCKETS // 2 :]
            self._buckets = {name: each for name, each in fuller if each.empty_at > now}
        self._buckets[account] = _Bucket(empty_at)


class Rates:
    """The rate of each caller: that of keys, or the lower one of seats by their own token."""

    def __init__(self, *, keys: Rate, seats: Rate) -> None:
        self._keys = keys
        self._seats = seats

    def count(self, who: Principal) -> None:
        """Count one request of this caller. Raises TooMany with the seconds to wait."""
        rate = self._keys if who.encounter is None else self._seats
        rate.count(who.account)


def tenth(per_minute: int) -> int:
    """How many of a minute's requests may come at once: a tenth, but always one."""
    return max(1, per_minute // 10)
