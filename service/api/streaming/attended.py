"""Work that is worth doing only as long as its client is there."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from litestar.types import Receive

A = TypeVar("A")


async def attended(
    work: Coroutine[None, None, A], leaving: Coroutine[None, None, None]
) -> A | None:
    """Do the work until it is done or the client has left; then neither continues.

    None if the client has left. Raises what the work raises.
    """
    doing, left = asyncio.create_task(work), asyncio.create_task(leaving)
    try:
        await asyncio.wait((doing, left), return_when=asyncio.FIRST_COMPLETED)
        return doing.result() if doing.done() else None
    finally:
        doing.cancel()
        left.cancel()
        await asyncio.gather(doing, left, return_exceptions=True)


async def left(receive: Receive) -> None:
    """Return when the client of a request is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
