"""What other rooms count for themselves, as it stands among the figures."""

from service.api.measuring import Figure
from service.encounters.service import Encounters
from service.fanout.fanout import Fanout


def figures_of(encounters: Encounters, fanout: Fanout) -> tuple[Figure, ...]:
    """Streams, the ways between processes, and timers."""
    return (*_of_streams(encounters), *_of_fanout(fanout), *_of_timers(encounters))


def _of_streams(encounters: Encounters) -> tuple[Figure, ...]:
    hub = encounters.hub
    tally = hub.tally
    return (
        Figure(
            name="warlog_streams_open",
            says="Streams and sockets that are open.",
            kind="gauge",
            read=lambda: hub.streams_open,
        ),
        Figure(
            name="warlog_stream_records_delivered",
            says="Records of events handed to a stream.",
            kind="counter",
            read=lambda: tally.delivered,
        ),
        Figure(
            name="warlog_stream_records_encoded",
            says="Records of events made for streams: one for all who see the same.",
            kind="counter",
            read=lambda: tally.encoded,
        ),
        Figure(
            name="warlog_stream_catch_ups",
            says="How often a stream was behind and read the log.",
            kind="counter",
            read=lambda: tally.catch_ups,
        ),
        Figure(
            name="warlog_stream_resyncs",
            says="Streams that were closed because they could not go on.",
            kind="counter",
            read=lambda: tally.resyncs,
        ),
        Figure(
            name="warlog_stream_inbox",
            says="What was told and is not passed on to streams yet.",
            kind="gauge",
            read=lambda: hub.inbox,
        ),
        Figure(
            name="warlog_stream_overflown",
            says="What was told faster than it could be passed on, and was left to the log.",
            kind="counter",
            read=lambda: tally.overflown,
        ),
    )


def _of_fanout(fanout: Fanout) -> tuple[Figure, ...]:
    tally = fanout.tally
    return (
        Figure(
            name="warlog_fanout_told",
            says="Messages for other processes.",
            kind="counter",
            read=lambda: tally.told,
        ),
        Figure(
            name="warlog_fanout_published",
            says="Messages for other processes that Redis took.",
            kind="counter",
            read=lambda: tally.published,
        ),
        Figure(
            name="warlog_fanout_dropped",
            says="Messages for other processes that Redis did not take in time.",
            kind="counter",
            read=lambda: tally.dropped,
        ),
        Figure(
            name="warlog_fanout_heard",
            says="Messages of other processes.",
            kind="counter",
            read=lambda: tally.heard,
        ),
        Figure(
            name="warlog_fanout_refused",
            says="Messages that were not of our processes, or could not be read.",
            kind="counter",
            read=lambda: tally.refused,
        ),
        Figure(
            name="warlog_fanout_connections",
            says="Connections to Redis that were made.",
            kind="counter",
            read=lambda: tally.connected,
        ),
        Figure(
            name="warlog_fanout_waiting",
            says="Messages that are not on their way yet.",
            kind="gauge",
            read=lambda: fanout.waiting,
        ),
        Figure(
            name="warlog_fanout_deaf",
            says="1 while messages of other processes may be missed.",
            kind="gauge",
            read=lambda: int(fanout.is_deaf),
        ),
    )


def _of_timers(encounters: Encounters) -> tuple[Figure, ...]:
    return (
        Figure(
            name="warlog_timers_fired",
            says="Decisions and turns ended because their time was over.",
            kind="counter",
            read=lambda: encounters.timing.fired,
        ),
    )
