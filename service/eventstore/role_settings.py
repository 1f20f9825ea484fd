"""Settings that a session needs, put on its role: sessions of a pooler come without them.

How this works. Most settings are to be as the service has them. `synchronous_commit` may be any but
`off`, under which what was acknowledged can be lost: an operator who wants more than `on` (such as
`remote_apply`) keeps that. Without a pooler each session that has it off sets it itself
(`connection`); behind one, what a session sets is not there in its next transaction.
"""

from collections.abc import Mapping
from typing import Final

from service.eventstore.driver_errors import DRIVER_ERRORS, translated
from service.eventstore.servers import ServerSession
from service.eventstore.session import NAME, one_session
from service.eventstore.timeouts import PATIENCE

SECONDS: Final = 10.0
"""How long a connection, or an answer, is waited for."""

LOCK: Final = 0x7761726C6F68
"""Number of the advisory lock: of two that change one role at once, one would fail."""

DURABLE: Final = {"synchronous_commit": "on"}
"""What a role gets under which a commit would not wait for the disk."""

_ALTER: Final = """
    SELECT format('ALTER ROLE CURRENT_USER IN DATABASE %I SET %s = %L', current_database(), name,
        value)
    FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
"""
_DIFFERENT: Final = """
    SELECT format('%s is %s and not %s', name, coalesce(nullif(setting, ''), 'empty'), value)
    FROM pg_settings JOIN unnest($1::text[], $2::text[]) AS wanted (name, value) USING (name)
    WHERE setting <> value
"""
# As sessions begin: in the one behind a pooler that is asked, somebody may have set another.
_IS_FORGETFUL: Final = """
    SELECT reset_val = 'off' FROM pg_settings WHERE name = 'synchronous_commit'
"""


async def put_settings(address: str) -> None:
    """Put on the role of this address, in this database, what its sessions need.

    A role may do that for itself. Raises DatabaseAway and its kin.
    """
    try:
        session = await one_session(address, seconds=SECONDS, answer_seconds=SECONDS, settings=NAME)
        try:
            async with session.transaction():
                await session.execute(f"SELECT pg_advisory_xact_lock({LOCK})")
                more = DURABLE if await session.fetchval(_IS_FORGETFUL) else {}
                for row in await session.fetch(_ALTER, *_columns({**PATIENCE.settings, **more})):
                    await session.execute(row[0])
        finally:
            await session.close()
    except DRIVER_ERRORS as error:
        raise translated(error) from error


async def different_settings(session: ServerSession) -> tuple[str, ...]:
    """Which settings of a session are not as the service wants them, in words."""
    rows = await session.fetch(_DIFFERENT, *_columns(PATIENCE.settings))
    different = {row[0] for row in rows}
    if session.is_pooled and await session.fetchval(_IS_FORGETFUL):
        different.add("synchronous_commit is off and not on")
    return tuple(sorted(different))


def _columns(settings: Mapping[str, str]) -> tuple[list[str], list[str]]:
    return list(settings), list(settings.values())
