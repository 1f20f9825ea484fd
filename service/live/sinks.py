"""Where records go, and the handle that its owner has on a stream."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from service.live.records import Framing, Outgoing


class ByteSink(Protocol):
    """Takes bytes as they are; never waits and never raises."""

    @property
    def write(self) -> Callable[[bytes], None]:
        """Send bytes, or drop them if the client is gone."""
        ...


class Sink(Protocol):
    """The line to one client. Everything is called in the event loop and returns at once.

    Where events need nothing but framing, `framing` is the function; then the hub writes the bytes
    to the `line` of this moment itself: what is done a thousand times for one event must be little.
    """

    @property
    def framing(self) -> Framing | None:
        """How events are framed; None if each must go through `write`."""
        ...

    @property
    def line(self) -> ByteSink:
        """Where the bytes go at this moment."""
        ...

    def write(self, record: Outgoing) -> None:
        """Send a record, or keep it until the client takes more.

        Never waits and never raises; after the client went away it does nothing. The bytes are
        `record.framed(framing)`, which are made once however many sinks ask.
        """
        ...

    @property
    def waiting(self) -> int:
        """Bytes written that the client has not taken yet."""
        ...

    def keep_alive(self) -> None:
        """Send a few bytes that mean nothing, if the kind of stream has such and all was taken."""
        ...

    def close(self) -> None:
        """Close the line once what was written is out, or soon, whichever is earlier.

        A client that takes nothing must not hold it open. Called once.
        """
        ...


class Subscription:
    """A stream's handle for its owner: over when the owner cancels it, or when the hub ends it.

    The hub writes `bye` or `resync` before it ends one, and closes the sink. An owner that cancels
    gets no further record, and closes the sink itself.
    """

    def __init__(self, leave: Callable[[], None]) -> None:
        self._leave = leave
        self._over = asyncio.Event()

    @property
    def is_over(self) -> bool:
        """Whether nothing will be written any more."""
        return self._over.is_set()

    async def closed(self) -> None:
        """Wait until it is over."""
        await self._over.wait()

    def cancel(self) -> None:
        """End it: nothing is written from this moment on. Again does nothing."""
        if not self._over.is_set():
            self._over.set()
            self._leave()

    def end(self) -> None:
        """Mark it as over: the hub has written the last record."""
        self._over.set()
