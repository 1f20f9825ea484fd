"""Unfinished upgrades, for the operator: who serves still, and raising the lowest release."""

from itertools import groupby
from typing import Final

from msgspec import Struct

from service.eventstore.driver_errors import DRIVER_ERRORS, translated
from service.eventstore.processes import LIVE_SECONDS, require_allowed
from service.eventstore.servers import ServerSession
from service.eventstore.session import one_session
from service.releases import BUILD, FIRST_LOWEST, RELEASES, Releases, is_before, newest_of

SECONDS: Final = 10.0
"""How long a connection, or an answer, is waited for."""
KNOWS_RELEASES: Final = 16
"""The first build that looks at the lowest release; earlier ones look at `oldest_build` only."""

# Waits for processes that write their row at this moment; those that come later wait for us.
_LOCK: Final = "LOCK TABLE serving_process IN SHARE ROW EXCLUSIVE MODE"
_LOWEST: Final = "SELECT lowest_release FROM schema_version"
_PROCESSES: Final = """
    SELECT build, rulesets,
        greatest(0, extract(epoch FROM clock_timestamp() - seen_at))::integer AS seen_seconds
    FROM serving_process
    WHERE seen_at > clock_timestamp() - make_interval(secs => $1)
    ORDER BY started_at, id
"""
# What a session is called is shown to every role.
_SESSIONS: Final = """
    SELECT application_name AS name, coalesce(usename, '') AS role, pid
    FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND application_name ~ '^warlog( |$)'
    ORDER BY application_name, usename, pid
"""
RAISED: Final = """
    UPDATE schema_version SET lowest_release = $1, oldest_build = greatest(oldest_build, $2)
"""
"""Of a release, and KNOWS_RELEASES."""


class LiveProcess(Struct, frozen=True, kw_only=True):
    """A process that serves, and how many seconds ago it renewed its row."""

    build: str
    rulesets: tuple[str, ...]
    seen_seconds: int


class LiveSessions(Struct, frozen=True, kw_only=True):
    """Database sessions of one build as one role; `build` is empty up to 1.1.0."""

    build: str
    role: str
    pids: tuple[int, ...]


class Upgrade(Struct, frozen=True, kw_only=True):
    """The lowest release that the operator allows, and all who use the database now."""

    lowest: str
    processes: tuple[LiveProcess, ...] = ()
    sessions: tuple[LiveSessions, ...] = ()

    def older_than(self, release: str) -> "Upgrade":
        """The same with those alone whose build is older than a release."""
        return Upgrade(
            lowest=self.lowest,
            processes=tuple(each for each in self.processes if is_before(each.build, release)),
            sessions=tuple(
                each for each in self.sessions if is_before(each.build or FIRST_LOWEST, release)
            ),
        )

    @property
    def is_in_use(self) -> bool:
        """Whether anybody is listed."""
        return bool(self.processes or self.sessions)


class Finish(Struct, frozen=True, kw_only=True):
    """What became of finishing an upgrade to `release`.

    `before` was the lowest release until then; `older` lists who is in the way.
    """

    before: str
    release: str
    older: Upgrade

    @property
    def is_finished(self) -> bool:
        """Whether the release is the lowest one now."""
        return not self.older.is_in_use


async def read_upgrade(session: ServerSession) -> Upgrade:
    """The upgrade of a database, as a session of any of its roles sees it."""
    processes = await session.fetch(_PROCESSES, LIVE_SECONDS)
    sessions = await session.fetch(_SESSIONS)
    return Upgrade(
        lowest=str(await session.fetchval(_LOWEST)),
        processes=tuple(
            LiveProcess(
                build=row["build"],
                rulesets=tuple(row["rulesets"]),
                seen_seconds=row["seen_seconds"],
            )
            for row in processes
        ),
        sessions=tuple(
            LiveSessions(
                build=name.removeprefix("warlog").strip(),
                role=role,
                pids=tuple(row["pid"] for row in rows),
            )
            for (name, role), rows in groupby(sessions, lambda row: (row["name"], row["role"]))
        ),
    )


async def finish_upgrade(
    owner_url: str, releases: Releases = RELEASES, build: str = BUILD
) -> Finish:
    """Raise the lowest release to the newest one that brought anything, as the schema's owner.

    Changes nothing while a process or a session of an older build lives. Raises BuildTooOld where
    a newer build has finished an upgrade, Unavailable.
    """
    try:
        session = await one_session(
            owner_url,
            seconds=SECONDS,
            answer_seconds=2 * SECONDS,
            settings={"search_path": "public"},
        )
        try:
            async with session.transaction():
                return await _finish(session, releases, build)
        finally:
            await session.close()
    except DRIVER_ERRORS as error:
        raise translated(error) from error


async def _finish(session: ServerSession, releases: Releases, build: str) -> Finish:
    await session.execute("SET LOCAL search_path = public")
    await session.execute(f"SET LOCAL lock_timeout = '{SECONDS:.0f}s'")
    await session.execute(_LOCK)
    upgrade = await read_upgrade(session)
    require_allowed(build, upgrade.lowest)
    release = newest_of(upgrade.lowest, releases)
    nobody = Upgrade(lowest=upgrade.lowest)
    older = nobody if release == upgrade.lowest else upgrade.older_than(release)
    if release != upgrade.lowest and not older.is_in_use:
        await session.execute(RAISED, release, KNOWS_RELEASES)
    return Finish(before=upgrade.lowest, release=release, older=older)
