"""Where records go, and the hold that its owner has on a stream."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from service.live.records import Framing, Outgoing


class ByteSink(Protocol):
    """Takes bytes as they are; never waits and never raises."""

    @property
    def write(self) -> Callable[[bytes], None]:
        """Send them, or drop them if nobody is there any more."""
        ...


class Sink(Protocol):
    """The line to one client. Everything is called in the event loop and returns at once.

    Where events need nothing but to be framed, `how` says how; then the hub may give the bytes to
    the `line` of this moment itself: what is done a thousand times for one event must be little.
    """

    @property
    def how(self) -> Framing | None:
        """How events are framed; None if each has to be given to `write`."""
        ...

    @property
    def line(self) -> ByteSink:
        """Where the bytes go at this moment."""
        ...

    def write(self, record: Outgoing) -> None:
        """Send it, or keep it until the client takes more.

        Never waits and never raises; after the client went away it does nothing. The bytes are
        `record.framed(how)`, which are made once however many sinks ask.
        """
        ...

    @property
    def waiting(self) -> int:
        """Bytes written that the client has not taken yet."""
        ...

    def close(self) -> None:
        """Close the line once what was written is out, or soon, whichever is earlier.

        A client that takes nothing must not hold it open. Called once.
        """
        ...


class Subscription:
    """One stream as its owner holds it: it is over when it is cancelled, or when the hub ends it.

    The hub says `bye` or `resync` before it ends one, and closes the sink. Whoever cancels is not
    told anything any more, and closes by itself.
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
        """Write nothing any more, from this moment on; again does nothing."""
        if not self._over.is_set():
            self._over.set()
            self._leave()

    def end(self) -> None:
        """The hub has said its last word."""
        self._over.set()
