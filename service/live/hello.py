"""The first record of a stream, and where a stream begins."""

from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import replace

from service.encounters.cache import LoadedEncounter
from service.encounters.clock_and_ids import etag
from service.encounters.cursors import place_on_log
from service.encounters.receipts import Signer
from service.encounters.responses import TimerView
from service.encounters.views import open_decisions
from service.engine.battle.state import viewer_of
from service.engine.visibility.scope import Viewer
from service.eventstore.log_reads import Log
from service.live.followed_encounter import FollowedEncounter
from service.live.records import Hello, Record, placed
from service.live.subscription import Follower

DeadlinesOf = Callable[[LoadedEncounter, Viewer], Awaitable[Raw]]
"""The deadlines of an encounter that a viewer may know of: a JSON array."""


async def no_timers(_: LoadedEncounter, __: Viewer) -> Raw:
    """There are no deadlines."""
    return Raw(b"[]")


async def place_of(log: Log, loaded: LoadedEncounter, after: str | None) -> tuple[int, str]:
    """Seq and hash8 of a cursor on this history; without one, the log's present end.

    Raises Malformed; ConflictingRequest("history_diverged").
    """
    if after is None:
        return loaded.seq, loaded.hash[:8]
    return await place_on_log(log, loaded.row.id, loaded.seq, after, "after")


_TIMERS: Final = msgspec.json.Decoder(tuple[TimerView, ...])


def timers_in(timers: Raw) -> tuple[TimerView, ...]:
    """The deadlines of a list in comparable form: without the seconds left of those that run."""
    return tuple(
        [
            timer if timer.expires_at is UNSET else replace(timer, left_seconds=UNSET)
            for timer in _TIMERS.decode(timers)
        ]
    )


async def hello(
    channel: FollowedEncounter,
    loaded: LoadedEncounter,
    follower: Follower,
    signer: Signer,
    timers: DeadlinesOf,
) -> Record:
    """The hello of a follower: what holds at the present end of the log.

    It counts as greeted from before the deadlines are read, so that a change meanwhile makes
    another hello due.
    """
    follower.is_greeted = True
    follower.present, follower.timer_changes = channel.present, channel.timer_changes
    seq, head, by = loaded.seq, loaded.hash, follower.by
    viewer = viewer_of(by, loaded.state.rule, loaded.state.linear)
    decisions = open_decisions(loaded.state.rule, viewer)
    try:
        deadlines = await timers(loaded, viewer)
    except BaseException:
        follower.is_greeted = False
        raise
    channel.deadlines.setdefault(viewer, timers_in(deadlines))
    body = Hello(
        encounter=loaded.id,
        ruleset=loaded.row.ruleset,
        seq=seq,
        hash=head,
        etag=etag(seq, head),
        role=by.role,
        seat=UNSET if follower.who.reads_for is None else follower.who.reads_for,
        presence=tuple(sorted(follower.present)),
        decisions=decisions,
        timers=deadlines,
        receipt=channel.signed_head.receipt((seq, head), signer.sign),
        state_url=f"/v1/encounters/{loaded.id}?at={seq}",
    )
    return placed(follower.encounter, body, (follower.seq, follower.hash8))
