"""Comments: on a stream that is silent for long, and on no other."""

import asyncio

from service.live.comments import PER_TURN, SILENCE_SECONDS, send_comments
from tests.encounters.table import Table
from tests.live.clients import NOTE, joined

CHECK_SECONDS = 1.0


async def test_a_comment_is_sent_before_a_stream_was_silent_for_too_long(table: Table) -> None:
    encounter = await table.started()
    hub = table.encounters.hub
    client, other = await joined(table, encounter), await joined(table, encounter)
    [channel], streams = hub.channels.values(), tuple(hub._streams)

    async def comments(silent_seconds: float, channel_seconds: float) -> list[int]:
        now = asyncio.get_running_loop().time()
        for stream in streams:
            stream.written_at = now - silent_seconds
        channel.written_at = now - channel_seconds
        client.sink.comments = other.sink.comments = 0
        await send_comments(streams, hub.channels, CHECK_SECONDS)
        return [client.sink.comments, other.sink.comments]

    late, early = SILENCE_SECONDS - CHECK_SECONDS, SILENCE_SECONDS - CHECK_SECONDS - 0.5
    assert await comments(late, late) == [1, 1]
    assert await comments(late, 0.0) == await comments(0.0, late) == [0, 0]
    assert await comments(early, late) == await comments(late, early) == [0, 0]
    await hub.send_comments()
    other.leave()
    assert await comments(late, late) == [1, 1]


async def test_what_is_written_to_all_puts_the_next_comment_off(table: Table) -> None:
    encounter = await table.started()
    hub = table.encounters.hub
    client = await joined(table, encounter)
    [channel], [stream] = hub.channels.values(), hub._streams
    channel.written_at = stream.written_at = 0.0
    await table.act(encounter, NOTE)
    await client.at(3)
    await hub.send_comments()
    assert (client.sink.comments, stream.written_at) == (0, 0.0)
    channel.written_at = 0.0
    await joined(table.seat("rita"), encounter)
    await hub.send_comments()
    assert (client.sink.comments, channel.written_at > 0.0) == (0, True)


async def test_a_follower_that_is_behind_is_not_silent_either(table: Table) -> None:
    encounter = await table.started()
    hub = table.encounters.hub
    client = await joined(table, encounter)
    [channel], [stream] = hub.channels.values(), hub._streams
    client.sink.unread = 1 << 20
    [follower] = stream.followers
    channel.fall_behind(follower)
    channel.written_at = asyncio.get_running_loop().time()
    stream.written_at = 0.0
    await hub.send_comments()
    assert client.sink.comments == 1
    client.leave()


async def test_others_have_their_turn_between_comments(table: Table) -> None:
    encounter = await table.started()
    for _ in range(2 * PER_TURN):
        await joined(table, encounter)
    turns = 0

    def count() -> None:
        nonlocal turns
        turns += 1
        asyncio.get_running_loop().call_soon(count)

    count()
    await table.encounters.hub.send_comments()
    assert turns > 2
