"""The private server as its users see it: start or join it, keep it up, leave or stop it.

How this works. All processes that are given the same folder share one server. Whoever comes
first starts it; the others find it answering and join; whoever leaves last stops it. A server
whose starter was killed is simply found answering. A killed server is started again, on the
same port, by whichever of its users notices first. Everything that changes the server happens
under one lock (`state.start_lock`); crash recovery itself is PostgreSQL's.
"""

import logging
import subprocess
import threading
import time
from pathlib import Path
from types import TracebackType

from msgspec.structs import replace

from service.eventstore.embedded import postmaster, state
from service.eventstore.embedded.account import account_for
from service.eventstore.embedded.binaries import choose_installation, runnable_by
from service.eventstore.embedded.errors import EmbeddedError
from service.eventstore.embedded.provision import Dsns, Roles, provision

DATABASE = "warlog"
WATCH_SECONDS = 0.5
LAUNCHES = 20
LAUNCH_PAUSE_SECONDS = 0.25
"""How often, and how long apart, a server is started whose refusal passes by itself."""
UNSEEN_SECONDS = 15

logger = logging.getLogger(__name__)


class EmbeddedPostgres:
    """A PostgreSQL of our own in `folder`, listening on loopback only.

    `user` is the account it runs as when we are root (others: ourselves). `durable=False` skips
    every wait for the disk: for tests. The calls block; from async code use a thread.
    """

    def __init__(self, folder: Path, *, user: str = "nobody", durable: bool = True) -> None:
        self._folder = folder.absolute()
        self._user = user
        self._durable = durable
        self._membership: _Membership | None = None
        self._leaving = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="warlog-postgres", daemon=True)

    def start(self) -> Dsns:
        """Start the server or join the one that runs; give the addresses of its database.

        Once per object. Raises EmbeddedError with what to do about it.
        """
        try:
            self._membership = _join(self._folder, self._user, self._leaving, durable=self._durable)
        except OSError as error:
            raise EmbeddedError(
                f"cannot keep a database in {self._folder} ({error});"
                " choose another place with WARLOG_DATA_DIR, or set WARLOG_DATABASE_URL"
            ) from error
        self._watcher.start()
        return self._membership.dsns()

    def stop(self) -> None:
        """Leave; the last to leave stops the server. Does nothing if it was not started."""
        if self._membership is None:
            return
        self._leaving.set()
        self._watcher.join()
        membership, self._membership = self._membership, None
        with state.start_lock(self._folder):
            membership.leave()

    def __enter__(self) -> Dsns:
        """Start or join."""
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave, whatever happened."""
        self.stop()

    def _watch(self) -> None:
        """Start the server again when it has died; until `stop`, or until its folder is gone."""
        while not self._leaving.wait(WATCH_SECONDS):
            membership = self._membership
            if membership is None or not membership.site.cluster.exists():
                return
            if membership.is_up():
                continue
            try:
                with state.start_lock(self._folder):
                    if not self._leaving.is_set():
                        membership.start_again()
            except (EmbeddedError, OSError) as error:
                if not self._leaving.is_set():
                    logger.warning("the private PostgreSQL is down: %s", error)


class _Membership:
    """One process's share in the server of one folder. All but `is_up` need the start lock.

    Nothing is waited for once `leaving` is set.
    """

    def __init__(
        self, site: postmaster.Site, users: state.UsersLock, leaving: threading.Event
    ) -> None:
        self.site = site
        self._users = users
        self._leaving = leaving
        self._state = state.read_or_create(site.folder)
        self._child: subprocess.Popen[bytes] | None = None

    def enter(self) -> None:
        """Make the cluster, the server and the database where they are missing, and join."""
        try:
            if not self.site.cluster.exists():
                postmaster.initialise(self.site, self._state.passwords.admin)
            self._ensure_running(may_move=True)
            postmaster.complete(self._provision())
            self._users.join()
        except BaseException:
            self.leave()
            raise

    def leave(self) -> None:
        """Stop the server unless others use it; give up the membership."""
        try:
            if not self._users.others_use_it():
                self._stop()
            elif self._child is not None:
                # It continues without us: nothing is left to wait for.
                self._child.returncode = 0
        finally:
            self._users.close()

    def start_again(self) -> None:
        """Bring a dead server back on the port that everybody knows."""
        if not self.is_up():
            logger.warning("the private PostgreSQL has died and is started again")
        self._ensure_running(may_move=False)

    def is_up(self) -> bool:
        """Tell whether the server's process lives; takes note of the death of our own child."""
        if self._child is not None:
            if self._child.poll() is None:
                return True
            self._child = None
        return postmaster.running_pid(self.site.cluster) is not None

    def dsns(self) -> Dsns:
        """Write the addresses of the database."""
        port, passwords, roles = self._state.port, self._state.passwords, Roles()
        return Dsns(
            admin=postmaster.address(port, postmaster.ADMIN, passwords.admin, DATABASE),
            owner=postmaster.address(port, roles.owner, passwords.owner, DATABASE),
            app=postmaster.address(port, roles.app, passwords.app, DATABASE),
            eraser=postmaster.address(port, roles.eraser, passwords.eraser, DATABASE),
        )

    def _ensure_running(self, *, may_move: bool) -> None:
        """Use the server that answers, else start one; `may_move`: on another port if need be."""
        for _ in range(LAUNCHES):
            if self.is_up() and self._answers():
                return
            if self.is_up():
                self._end_or_tell()
            if self._leaving.is_set():
                return
            self._launch(may_move=may_move)
            if self._answers():
                return
            if not postmaster.may_start_later(self.site):
                break
            time.sleep(LAUNCH_PAUSE_SECONDS)
        raise EmbeddedError(
            f"PostgreSQL does not start: {postmaster.last_words(self.site)} (see {self.site.log})"
        )

    def _launch(self, *, may_move: bool) -> None:
        if may_move:
            # Written first: whoever finds the server after our sudden death knows its port.
            self._state = replace(self._state, port=postmaster.free_port(self._state.port))
            state.write(self.site.folder, self._state)
        self._child = postmaster.launch(self.site, self._state.port)

    def _answers(self) -> bool:
        return postmaster.answers(
            self.site,
            self._state.port,
            self._state.passwords.admin,
            lambda: self.is_up() and not self._leaving.is_set(),
        )

    def _end_or_tell(self) -> None:
        """End a server that was asked to stop by a process which was killed meanwhile.

        Raises EmbeddedError if the server does not answer for another reason.
        """
        if self._condition() is not postmaster.Condition.ENDING:
            raise EmbeddedError(
                f"the PostgreSQL in {self.site.folder} runs but does not answer;"
                f" see {self.site.log}"
            )
        logger.warning("the private PostgreSQL is shutting down; it is started again afterwards")
        self._stop()

    def _stop(self) -> None:
        found = self._condition() if self.is_up() else postmaster.Condition.SILENT
        postmaster.stop(self.site, self._child, found)

    def _condition(self) -> postmaster.Condition:
        return postmaster.condition(self._state.port, self._state.passwords.admin)

    async def _provision(self) -> None:
        passwords, roles = self._state.passwords, Roles()
        connection = await postmaster.connect(self._state.port, passwords.admin)
        try:
            await provision(
                connection,
                DATABASE,
                {
                    roles.owner: passwords.owner,
                    roles.app: passwords.app,
                    roles.eraser: passwords.eraser,
                },
            )
        finally:
            await connection.close()


def _join(folder: Path, user: str, leaving: threading.Event, *, durable: bool) -> _Membership:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    account = account_for(folder / "cluster", user)
    programs = runnable_by(account, choose_installation(folder / "cluster"))
    site = postmaster.Site(folder=folder, account=account, programs=programs, durable=durable)
    users = state.UsersLock(folder)
    try:
        _wait_until_seen(site, users)
        with state.start_lock(folder):
            membership = _Membership(site, users, leaving)
            membership.enter()
            return membership
    except BaseException:
        users.close()
        raise


def _wait_until_seen(site: postmaster.Site, users: state.UsersLock) -> None:
    """Never start a second server where others use one that we cannot see.

    That happens when two containers share the folder: their processes are invisible to us.
    """
    deadline = time.monotonic() + UNSEEN_SECONDS
    while users.others_use_it() and postmaster.running_pid(site.cluster) is None:
        if time.monotonic() > deadline:
            raise EmbeddedError(
                f"{site.folder} is in use by a process whose PostgreSQL cannot be seen from here"
                " (another container?); give each its own WARLOG_DATA_DIR"
            )
        time.sleep(0.1)
