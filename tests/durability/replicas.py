"""Two PostgreSQL servers: every commit is on both, and either can be stopped, hung or promoted."""

import asyncio
import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
from msgspec.structs import replace

from service.eventstore.embedded import Dsns, provision
from service.eventstore.embedded.account import account_for
from service.eventstore.embedded.binaries import choose_installation, runnable_by
from service.eventstore.embedded.postmaster import (
    ADMIN,
    HOST,
    Site,
    address,
    answers,
    initialise,
    launch,
    stop,
)
from service.eventstore.embedded.provision import Roles
from service.eventstore.embedded.server import DATABASE
from service.eventstore.migrate import upgrade
from tests.conftest import user_of
from tests.durability.rig import Store
from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port

USER = "nobody"
_REPLICATED = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"


class Node:
    """One of the two servers; `settings` are lines of its configuration."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        account = account_for(folder / "cluster", USER)
        programs = runnable_by(account, choose_installation(folder / "cluster"))
        self.site = Site(folder=folder, account=account, programs=programs, durable=False)
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def configure(self, **settings: str) -> None:
        """Have it begin with these settings."""
        lines = [f"{name} = '{value}'\n" for name, value in settings.items()]
        with (self.site.cluster / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(lines)

    def start(self, password: str) -> None:
        """Start it and wait until it answers."""
        process = self._process = launch(self.site, self.port)
        if not answers(self.site, self.port, password, lambda: process.poll() is None):
            raise AssertionError(self.site.log.read_text()[-2000:])

    def stop(self) -> None:
        """Stop it, whatever state it is in."""
        self.thaw()
        stop(self.site, self._process)
        self._process = None

    def kill(self) -> None:
        """End all of it without a word."""
        self._send(signal.SIGKILL)

    def freeze(self) -> None:
        """It stays connected, lets everybody connect, and does nothing any more."""
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        """It continues where it stopped."""
        self._send(signal.SIGCONT)

    def _send(self, order: signal.Signals) -> None:
        """Send it to all of them; a child that has just ended by itself needs none."""
        for pid in self._pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, order)

    def _pids(self) -> list[int]:
        """The postmaster and its children."""
        if self._process is None or self._process.poll() is not None:
            return []
        postmaster = self._process.pid
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        return [postmaster, *map(int, children)]


class Replicas(Store):
    """A primary and its synchronous standby; `dsns` name both to those who serve and erase.

    With `is_synchronous` false a commit waits for nobody.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.primary = Node(folder / "primary")
        self.standby = Node(folder / "standby")
        self._passwords = dict.fromkeys((ADMIN, *_roles()), secrets.token_hex(12))

    def start(self) -> None:
        """Start both, make the tables, and wait until each commit is on both."""
        initialise(self.primary.site, self._passwords[ADMIN])
        self.primary.start(self._passwords[ADMIN])
        self.dsns = self._dsns(self.primary)
        asyncio.run(self._provide())
        self.primary.stop()
        self._copy()
        self.primary.configure(synchronous_standby_names="*")
        login = f"host={HOST} port={self.primary.port} user={ADMIN}"
        self.standby.configure(primary_conninfo=f"{login} password={self._passwords[ADMIN]}")
        (self.standby.site.cluster / "standby.signal").touch()
        self.primary.start(self._passwords[ADMIN])
        self.standby.start(self._passwords[ADMIN])
        asyncio.run(self._until_replicated())

    def stop(self) -> None:
        """Stop both."""
        self.standby.stop()
        self.primary.stop()

    async def promote(self) -> float:
        """Make the standby take writes; when it does, by the monotonic clock."""
        admin = await asyncpg.connect(self._dsns(self.standby).admin)
        assert await admin.fetchval("SELECT pg_promote()")
        promoted = time.monotonic()
        await admin.close()
        self.dsns = self._dsns(self.standby)
        return promoted

    def through(self, first: int) -> Dsns:
        """The same addresses with another port in the place of the primary's."""
        named = f"{HOST}:{self.primary.port},"
        changed = {
            role: getattr(self.dsns, role).replace(named, f"{HOST}:{first},")
            for role in ("app", "eraser")
        }
        return replace(self.dsns, **changed)

    def _copy(self) -> None:
        subprocess.run([shutil.which("cp") or "cp", "-a", *map(str, _clusters(self))], check=True)

    def _dsns(self, node: Node) -> Dsns:
        owner, app, eraser = (self._address(node, role) for role in _roles())
        return Dsns(
            admin=self._address(node, ADMIN),
            owner=owner,
            app=self._both(app),
            eraser=self._both(eraser),
        )

    def _address(self, node: Node, role: str) -> str:
        return address(node.port, role, self._passwords[role], DATABASE)

    def _both(self, one: str) -> str:
        """The address with both hosts, the primary first."""
        parts = urlsplit(one)
        login = parts.netloc.rpartition("@")[0]
        hosts = ",".join(f"{HOST}:{node.port}" for node in (self.primary, self.standby))
        return parts._replace(netloc=f"{login}@{hosts}").geturl()

    async def _provide(self) -> None:
        admin = await asyncpg.connect(
            address(self.primary.port, ADMIN, self._passwords[ADMIN], "postgres")
        )
        await provision(admin, DATABASE, {role: self._passwords[role] for role in _roles()})
        await admin.close()
        roles = user_of(self.dsns.app), user_of(self.dsns.eraser)
        await upgrade(self.dsns.owner, app_role=roles[0], eraser_role=roles[1])

    async def _until_replicated(self) -> None:
        admin = await asyncpg.connect(self.dsns.admin)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not await admin.fetchval(_REPLICATED):
            assert time.monotonic() < deadline, "the standby does not follow"
            await asyncio.sleep(0.05)
        await admin.close()


class Mute:
    """A host that lets everybody connect and never says a word."""

    def __init__(self) -> None:
        self._socket = socket.create_server((HOST, 0))

    @property
    def port(self) -> int:
        """Where it is."""
        port: int = self._socket.getsockname()[1]
        return port

    def close(self) -> None:
        """Let nobody connect any more."""
        self._socket.close()


def _roles() -> tuple[str, str, str]:
    roles = Roles()
    return roles.owner, roles.app, roles.eraser


def _clusters(pair: Replicas) -> tuple[Path, Path]:
    return pair.primary.site.cluster, pair.standby.site.cluster
