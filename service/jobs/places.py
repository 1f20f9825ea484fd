"""The places of jobs: so many at once, shared among tenants.

How this works. A free place goes to the waiting tenant that holds the fewest places; among equals,
to the one whose turn is longest ago. Within a tenant the oldest request comes first. Where as many
wait as may, a request of a tenant with few waiting requests takes the turn of the newest request
of the tenant with the most: one tenant never fills the queue for all others.
"""

import asyncio
from collections import Counter, deque
from typing import Final

from service.errors import Unavailable

RETRY_SECONDS: Final = 10
"""When a request that found no place is worth repeating; default, not in the source texts."""


class JobPlace:
    """A place that a job holds until it is freed, which may happen more than once."""

    def __init__(self, places: "Places", tenant: str) -> None:
        self._places = places
        self._tenant = tenant
        self._is_held = True

    def free(self) -> None:
        """Leave the place to others."""
        if self._is_held:
            self._is_held = False
            self._places.leave(self._tenant)


class Places:
    """`count` places and a queue of `most_waiting` requests for them."""

    def __init__(self, count: int, most_waiting: int) -> None:
        self.free = count
        self._most_waiting = most_waiting
        self._held: Counter[str] = Counter()
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    @property
    def waiting(self) -> int:
        """How many requests wait for a place."""
        return sum(map(len, self._queues.values()))

    async def take(self, tenant: str) -> JobPlace:
        """A place, as soon as it is this tenant's turn. Raises Unavailable("busy")."""
        if self.free and not self._queues:
            self._hold(tenant)
            return JobPlace(self, tenant)
        if self.waiting >= self._most_waiting:
            self._make_room(tenant)
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(tenant, deque()).append(turn)
        try:
            await turn
        except BaseException:
            self._withdraw(tenant, turn)
            raise
        return JobPlace(self, tenant)

    def leave(self, tenant: str) -> None:
        """A place of this tenant is free again."""
        self.free += 1
        self._held[tenant] -= 1
        if not self._held[tenant]:
            del self._held[tenant]
        if tenant in self._queues:
            self._queues[tenant] = self._queues.pop(tenant)
        while self.free and self._queues:
            # Among equals the first in the dictionary: its turn is longest ago.
            self._grant(min(self._queues, key=self._held.__getitem__))

    def _hold(self, tenant: str) -> None:
        self.free -= 1
        self._held[tenant] += 1

    def _grant(self, tenant: str) -> None:
        queue = self._queues.pop(tenant)
        turn = queue.popleft()
        if queue:
            self._queues[tenant] = queue
        self._hold(tenant)
        turn.set_result(None)

    def _withdraw(self, tenant: str, turn: "asyncio.Future[None]") -> None:
        """The request was cancelled, or lost its turn."""
        if turn.done() and not turn.cancelled() and turn.exception() is None:
            self.leave(tenant)
            return
        queue = self._queues.get(tenant, deque())
        if turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[tenant]

    def _make_room(self, tenant: str) -> None:
        """Refuse the newest request of the largest queue, or this one. Raises Unavailable."""
        largest = max(self._queues, key=lambda each: len(self._queues[each]))
        queue = self._queues[largest]
        if len(queue) <= len(self._queues.get(tenant, ())) + 1:
            raise busy()
        queue.pop().set_exception(busy())


def busy() -> Unavailable:
    """No place was free in time."""
    return Unavailable("busy", retry_after=RETRY_SECONDS)
