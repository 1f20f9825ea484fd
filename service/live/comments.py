"""Comments on streams of events that nothing else was written to for a while.

How this works. Clients and proxies give up on a connection that is silent for longer than they
allow, some after 5 seconds. Whatever is written to all live followers of an encounter is noted
there, so that an event costs nothing for each of its followers.
"""

import asyncio
from collections.abc import Collection, Mapping
from typing import Final
from uuid import UUID

from service.live.followed_encounter import FollowedEncounter
from service.live.subscription import ClientStream

SILENCE_SECONDS: Final = 4.0
"""A stream of events is not silent for longer."""

PER_TURN: Final = 64
"""Streams looked at in one turn of the loop."""


async def send_comments(
    streams: Collection[ClientStream],
    channels: Mapping[UUID, FollowedEncounter],
    next_seconds: float,
) -> None:
    """Send a comment on streams that would be silent for too long in `next_seconds`."""
    for number, stream in enumerate(tuple(streams), 1):
        now = asyncio.get_running_loop().time()
        if now + next_seconds - _written_at(stream, channels) > SILENCE_SECONDS:
            stream.written_at = now
            stream.sink.keep_alive()
        if number % PER_TURN == 0:
            await asyncio.sleep(0)


def _written_at(stream: ClientStream, channels: Mapping[UUID, FollowedEncounter]) -> float:
    """When something was last written to a stream, as far as it is noted."""
    live = [each.encounter for each in stream.followers if each.viewer is not None]
    return max([stream.written_at, *(channels[encounter].written_at for encounter in live)])
