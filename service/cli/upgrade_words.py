"""An unfinished upgrade in words: what is held back, and who is in the way of its end."""

from collections.abc import Iterator
from typing import Final

from service.eventstore.upgrades import LiveProcess, LiveSessions, Upgrade
from service.releases import FIRST_LOWEST, Releases, beyond

FINISH: Final = "warlog migrate --finish"


def held_words(lowest: str, releases: Releases) -> tuple[str, ...]:
    """What is held back while `lowest` is the lowest release, such as `action roll`."""
    return tuple(
        word
        for release in beyond(lowest, releases)
        for word in (
            *(f"{slug} {version}" for slug, version in release.versions.items()),
            *(f"action {name}" for name in release.actions),
            *(f"change {name}" for name in release.changes),
            *(f"option {name}" for name in release.options),
        )
    )


def users_of(upgrade: Upgrade) -> Iterator[str]:
    """Everybody who uses the database, a line each."""
    yield from map(_process, upgrade.processes)
    yield from map(_sessions, upgrade.sessions)


def _process(process: LiveProcess) -> str:
    return f"a process of {process.build}, seen {process.seen_seconds} s ago"


def _sessions(sessions: LiveSessions) -> str:
    build = sessions.build or f"{FIRST_LOWEST} or earlier"
    pids = ", ".join(map(str, sessions.pids))
    return (
        f"{len(sessions.pids)} database sessions of {build} as {sessions.role}"
        f" (pg_stat_activity: {pids})"
    )
