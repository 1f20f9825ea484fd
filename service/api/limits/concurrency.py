"""How many requests are under way at once; one more than that is refused."""

from collections.abc import Iterator
from contextlib import contextmanager


class Concurrency:
    """Counts the requests of one process; `most` is how many there may be.

    Long polls that only wait for news do not count: see `aside`.
    """

    __slots__ = ("most", "under_way")

    def __init__(self, most: int) -> None:
        self.most = most
        self.under_way = 0

    @property
    def is_full(self) -> bool:
        """Whether one more would be too many."""
        return self.under_way >= self.most

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Count a request out while it waits for something that is not this service's work."""
        self.under_way -= 1
        try:
            yield
        finally:
            self.under_way += 1
