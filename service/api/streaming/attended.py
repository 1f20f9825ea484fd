"""Work that is worth doing only as long as its client is there."""

import asyncio
from collections.abc import Coroutine


async def attended(work: Coroutine[None, None, None], leaving: Coroutine[None, None, None]) -> None:
    """Do the work until it is done or the client has left; then neither goes on.

    Raises what the work raises.
    """
    doing, left = asyncio.create_task(work), asyncio.create_task(leaving)
    try:
        await asyncio.wait((doing, left), return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            doing.result()
    finally:
        doing.cancel()
        left.cancel()
        await asyncio.gather(doing, left, return_exceptions=True)
