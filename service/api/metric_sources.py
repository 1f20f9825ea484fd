"""What other rooms count for themselves, as it is among the figures."""

import platform
from collections.abc import Mapping

from service import __version__
from service.api.metrics import Figure, Spread
from service.api.services import Encounters
from service.eventstore.connection import LATENCY_BOUNDS, Database
from service.fanout.fanout import Fanout


def figures_of(
    encounters: Encounters, fanout: Fanout, databases: Mapping[str, Database]
) -> tuple[Figure | Spread, ...]:
    """The build, streams, the ways between processes, timers, appends and the database."""
    return (
        _of_build(),
        *_of_streams(encounters),
        *_of_fanout(fanout),
        *_of_timers(encounters),
        *_of_appends(encounters),
        *(figure for name, each in databases.items() for figure in _of_database(name, each)),
    )


def _of_build() -> Figure:
    return Figure(
        name="warlog_build_info",
        says="1, with the version of this build and of the Python that runs it.",
        kind="gauge",
        read=lambda: 1,
        labels={"version": __version__, "python": platform.python_version()},
    )


def _of_appends(encounters: Encounters) -> tuple[Figure, ...]:
    tally = encounters.writes.batches
    lead = encounters.write_path.clock_lead
    return (
        Figure(
            name="warlog_append_batches",
            says="Batches of appends sent to the database.",
            kind="counter",
            read=lambda: tally.batches,
        ),
        Figure(
            name="warlog_appends",
            says="Appends that went out in batches; those of a held encounter count each time.",
            kind="counter",
            read=lambda: tally.appends,
        ),
        Figure(
            name="warlog_clock_ahead_seconds",
            says="How far this process's clock was ahead of the database's at the last append;"
            " 0 below 5 seconds.",
            kind="gauge",
            read=lambda: lead.seconds,
        ),
        Figure(
            name="warlog_events_ahead_of_clock",
            says="Events whose time is ahead of the database's clock by 5 seconds or more.",
            kind="counter",
            read=lambda: lead.events,
        ),
    )


def _of_database(name: str, database: Database) -> tuple[Figure | Spread, ...]:
    labels = {"pool": name}
    return (
        Figure(
            name="warlog_database_connections",
            says="Connections to the database.",
            kind="gauge",
            read=lambda: database.connections[0],
            labels=labels,
        ),
        Figure(
            name="warlog_database_connections_idle",
            says="Connections to the database that nobody uses.",
            kind="gauge",
            read=lambda: database.connections[1],
            labels=labels,
        ),
        Spread(
            name="warlog_database_seconds",
            says="From asking for a connection to the database's answer.",
            bounds=LATENCY_BOUNDS,
            distribution=database.latency,
            labels=labels,
        ),
    )


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
            read=lambda: len(hub.inbox),
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
            read=lambda: tally.submitted,
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
            read=lambda: tally.received,
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
