"""Reads a long log page by page: the next page is under way while one is worked on."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any, Protocol, TypeVar


class Placed(Protocol):
    """What has a place in a log."""

    @property
    def seq(self) -> int:
        """Its place, from 1."""


P = TypeVar("P", bound=Placed)


async def pages_of(
    read: Callable[[int], Coroutine[Any, Any, tuple[P, ...]]], after: int, until: int
) -> AsyncGenerator[tuple[P, ...], None]:
    """The pages behind `after` up to `until`; `read` gives the one behind a seq, empty if none is.

    Whoever works on a page without ever waiting keeps the next one from being read meanwhile.
    """
    page = await read(after) if after < until else ()
    while page:
        last = page[-1].seq
        if last >= until:
            yield page
            return
        following = asyncio.create_task(read(last))
        try:
            yield page
        finally:
            page = await following
