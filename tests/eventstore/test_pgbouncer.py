"""Behind pgbouncer itself, set up as `deploy/settings.md` says: migrated past it."""

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest
from msgspec.structs import replace

from service.cli.database import Addresses, bring_up_to_date
from service.cli.doctor import examine_all
from service.cli.findings import Finding, Severity
from service.eventstore.embedded import Dsns
from service.eventstore.embedded.postmaster import free_port
from service.eventstore.store import EventStore
from service.settings import from_environment
from tests.eventstore.logs import append, head_of, stored_encounter, until
from tests.eventstore.test_pooler import set_for_all

PROGRAM = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
CONFIGURATION = """
[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own_port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/users
pool_mode = {mode}
"""

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="pgbouncer is not installed")


@contextmanager
def pgbouncer(dsns: Dsns, mode: str) -> Iterator[Dsns]:
    """The addresses of those who serve and erase, by way of a pooler of this moment alone."""
    assert PROGRAM is not None
    own_port = free_port()
    logins = {login.username: login for login in map(urlsplit, (dsns.app, dsns.eraser))}
    [server, _] = logins.values()
    # It refuses to run as root, and another account cannot read what is in the test's own folder.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        users = [f'"{user}" "{login.password}"\n' for user, login in logins.items()]
        (folder / "users").write_text("".join(users))
        (folder / "ini").write_text(
            CONFIGURATION.format(
                host=server.hostname,
                port=server.port,
                own_port=own_port,
                folder=folder,
                mode=mode,
            )
        )
        account = "nobody" if os.geteuid() == 0 else None
        with subprocess.Popen([PROGRAM, "-q", str(folder / "ini")], user=account) as process:
            own = {
                role: getattr(dsns, role).replace(f":{server.port}/", f":{own_port}/")
                for role in ("app", "eraser")
            }
            try:
                yield replace(dsns, **own)
            finally:
                process.terminate()


async def sessions(dsns: Dsns) -> dict[str, Finding]:
    """What doctor says of the sessions, asked through the pooler."""
    settings = from_environment(
        {
            "WARLOG_DATABASE_URL": dsns.app,
            "WARLOG_MIGRATE_URL": dsns.owner,
            "WARLOG_ERASE_URL": dsns.eraser,
            "HOME": "/nonexistent",
        }
    )
    found = await asyncio.to_thread(examine_all, settings, ())
    return {each.subject: each for each in found if each.subject.endswith("sessions")}


async def answers(dsns: Dsns) -> bool:
    """Whether the pooler takes connections."""
    try:
        session = await asyncpg.connect(dsns.app, statement_cache_size=0)
    except OSError:
        return False
    await session.close()
    return True


@pytest.mark.parametrize("mode", ["transaction", "session"])
async def test_what_the_roles_have_is_what_sessions_behind_pgbouncer_have(
    empty_database: Dsns, mode: str
) -> None:
    # A server that would forget what it acknowledged.
    await set_for_all(empty_database, "synchronous_commit", "off")
    direct = empty_database
    await bring_up_to_date(
        Addresses(serve=direct.app, migrate=direct.owner, erase=direct.eraser, is_embedded=False)
    )
    with pgbouncer(direct, mode) as pooled:
        await until(lambda: answers(pooled))
        good = await sessions(pooled)
        assert {each.verdict for each in good.values()} == {Severity.OK}
        store = await EventStore.open(pooled.app, eraser_url=pooled.eraser, pool_size=2)
        tenant = (await store.access.create_tenant(uuid4(), "pooled")).id
        row = await stored_encounter(store, tenant)
        await store.writer.append((append(row),))
        assert (await head_of(store, row.id)).head_seq == 2
        await store.eraser.delete_encounter(row.id)
        assert (await store.ready()).uncommitted_seconds == 0
        await store.close()
    role = await asyncpg.connect(direct.app)
    name = await role.fetchval("SELECT current_database()")
    await role.execute(f"ALTER ROLE CURRENT_USER IN DATABASE {name} RESET synchronous_commit")
    await role.close()
    # The sessions that a pooler makes from then on.
    with pgbouncer(direct, mode) as pooled:
        await until(lambda: answers(pooled))
        worse = await sessions(pooled)
    assert {**worse, "sessions": good["sessions"]} == good
    assert worse["sessions"].verdict == Severity.WRONG
    assert worse["sessions"].says.startswith("synchronous_commit is off and not on (a pooler")
