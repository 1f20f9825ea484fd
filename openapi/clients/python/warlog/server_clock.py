"""The service's clock as far as answers tell it.

How this works. A `Date` header names the second in which an answer was made, which lies between
the request and its answer: so the difference of the clocks lies between two bounds. Every answer
narrows them; where one contradicts the others, a clock was set, and it alone counts.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import inf


class ServerClock:
    """The difference between two clocks, in seconds; `own` shows the own one's since 1970."""

    def __init__(self, own: Callable[[], float] = time.time) -> None:
        self.own = own
        self._least, self._most = -inf, inf

    def hear(self, date: str | None, asked: float) -> None:
        """Hear the `Date` of an answer to a request of then, by the own clock."""
        try:
            told = parsedate_to_datetime(date or "").timestamp()
        except ValueError:
            return
        self._narrow(told - self.own(), told + 1 - asked)

    def hear_event(self, recorded_at: str) -> None:
        """Hear that an event (RFC 3339) was stored just now or earlier."""
        try:
            told = datetime.fromisoformat(recorded_at).timestamp()
        except ValueError:
            return
        self._narrow(told - self.own(), inf)

    def now(self) -> datetime:
        """The service's time in UTC; that of the own clock as long as nothing was heard."""
        least, most = self._least, self._most
        is_known = least > -inf and most < inf
        ahead = (least + most) / 2 if is_known else max(least, min(most, 0.0))
        return datetime.fromtimestamp(self.own() + ahead, UTC)

    def _narrow(self, least: float, most: float) -> None:
        low, high = max(self._least, least), min(self._most, most)
        if low <= high:
            self._least, self._most = low, high
        else:
            self._least, self._most = least, most
