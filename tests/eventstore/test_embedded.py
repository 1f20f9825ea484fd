"""The private PostgreSQL: durable, shared, closed to strangers, and hard to kill."""

import asyncio
import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from service.eventstore.embedded import Dsns, EmbeddedError, EmbeddedPostgres, postmaster
from service.eventstore.embedded.account import Account
from service.eventstore.embedded.binaries import Installation, choose_installation, runnable_by
from service.eventstore.embedded.postmaster import running_pid
from tests.patience import PATIENCE_SECONDS

AS_ROOT = os.geteuid() == 0

OTHER_PROCESS = """
import sys
from pathlib import Path
from service.eventstore.embedded import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
print(server.start().app, flush=True)
sys.stdin.readline()
server.stop()
"""


def ask(dsn: str, question: str) -> object:
    """Run one statement on a separate connection, in a separate loop."""

    async def answer() -> object:
        connection = await asyncpg.connect(dsn, timeout=PATIENCE_SECONDS)
        try:
            return await connection.fetchval(question)
        finally:
            await connection.close()

    return asyncio.run(answer())


def ask_when_back(dsn: str, question: str) -> object:
    """Ask until the server is there again."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return ask(dsn, question)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def pid_in(folder: Path) -> int:
    pid = running_pid(folder / "cluster")
    assert pid is not None
    return pid


def other_process(folder: Path) -> subprocess.Popen[str]:
    """Let another process start or join the server; it stays until asked to leave."""
    process = subprocess.Popen(
        [sys.executable, "-c", OTHER_PROCESS, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("postgresql://")
    return process


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "below" / "postgres"
    yield place
    pid = running_pid(place / "cluster")
    if pid is not None:
        os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def made_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A private PostgreSQL that was started once and stopped; nobody starts it again."""
    place = tmp_path_factory.mktemp("embedded") / "postgres"
    with EmbeddedPostgres(place, durable=False):
        pass
    return place


@pytest.fixture
def second_start(folder: Path, made_before: Path) -> Path:
    """A folder of its own in which a start finds what another one left behind."""
    folder.parent.mkdir()
    # With the owner of each file, which `shutil` leaves out.
    subprocess.run(["cp", "-a", str(made_before), str(folder)], check=True)
    return folder


def test_a_first_start_gives_a_durable_database_and_four_ways_in(folder: Path) -> None:
    with EmbeddedPostgres(folder) as dsns:
        users = [
            ask(dsn, "SELECT current_user")
            for dsn in (dsns.admin, dsns.owner, dsns.app, dsns.eraser)
        ]
        settings = {
            name: ask(dsns.app, f"SHOW {name}")
            for name in (
                "fsync",
                "synchronous_commit",
                "full_page_writes",
                "max_connections",
                "listen_addresses",
                "password_encryption",
                "data_checksums",
                "server_encoding",
                "timezone",
            )
        }
        database = ask(
            dsns.app,
            "SELECT datcollate || ' ' || datdba::regrole::text FROM pg_database"
            " WHERE datname = current_database()",
        )
        too_mighty = ask(
            dsns.app,
            "SELECT count(*) FROM pg_roles WHERE rolname <> 'warlog_admin'"
            " AND rolname LIKE 'warlog_%'"
            " AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)",
        )
    assert users == ["warlog_admin", "warlog_owner", "warlog_app", "warlog_eraser"]
    assert settings == {
        "fsync": "on",
        "synchronous_commit": "on",
        "full_page_writes": "on",
        "max_connections": "300",
        "listen_addresses": "127.0.0.1",
        "password_encryption": "scram-sha-256",
        "data_checksums": "on",
        "server_encoding": "UTF8",
        "timezone": "UTC",
    }
    assert (database, too_mighty) == ("C warlog_owner", 0)


def test_only_its_owners_can_read_what_a_start_leaves_behind(folder: Path) -> None:
    with EmbeddedPostgres(folder, durable=False) as dsns:
        rules = ask(
            dsns.admin, "SELECT string_agg(DISTINCT auth_method, ' ') FROM pg_hba_file_rules"
        )
    modes = {
        path.name: oct(path.stat().st_mode & 0o777)
        for path in (folder, folder / "cluster", folder / "server.json")
    }
    assert modes == {"postgres": "0o700", "cluster": "0o700", "server.json": "0o600"}
    assert rules == "scram-sha-256"


def test_a_wrong_password_is_refused(second_start: Path) -> None:
    with EmbeddedPostgres(second_start, durable=False) as dsns:
        address = dsns.app.split("@")[1]
        with pytest.raises(asyncpg.InvalidPasswordError):
            ask(f"postgresql://warlog_app:guess@{address}", "SELECT 1")


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads Linux's socket table")
def test_the_server_listens_on_loopback_only(second_start: Path) -> None:
    with EmbeddedPostgres(second_start, durable=False) as dsns:
        port = int(dsns.app.split(":")[-1].split("/")[0])
        listening = [
            row.split()[1]
            for table in ("tcp", "tcp6")
            for row in Path(f"/proc/net/{table}").read_text().splitlines()[1:]
            if row.split()[3] == "0A" and row.split()[1].endswith(f":{port:04X}")
        ]
    assert listening == [f"0100007F:{port:04X}"]


def test_data_and_addresses_outlive_a_restart(second_start: Path) -> None:
    with EmbeddedPostgres(second_start, durable=False) as before:
        ask(before.owner, "CREATE TABLE kept AS SELECT 42 AS answer")
    assert running_pid(second_start / "cluster") is None
    with EmbeddedPostgres(second_start, durable=False) as after:
        assert ask(after.owner, "SELECT answer FROM kept") == 42
        assert after == before


def test_a_killed_server_comes_back_by_itself_on_the_same_address(second_start: Path) -> None:
    with EmbeddedPostgres(second_start) as dsns:
        ask(dsns.owner, "CREATE TABLE kept AS SELECT 42 AS answer")
        killed = pid_in(second_start)
        os.kill(killed, signal.SIGKILL)
        assert ask_when_back(dsns.owner, "SELECT answer FROM kept") == 42
        assert pid_in(second_start) != killed
    assert running_pid(second_start / "cluster") is None


def test_a_start_finds_the_server_of_a_killed_process_and_stops_it_at_the_end(
    second_start: Path,
) -> None:
    first = other_process(second_start)
    orphan = pid_in(second_start)
    kill(first)
    with EmbeddedPostgres(second_start, durable=False) as dsns:
        assert ask(dsns.app, "SELECT 1") == 1
        assert pid_in(second_start) == orphan
    assert running_pid(second_start / "cluster") is None


def test_a_start_recovers_what_a_killed_process_and_its_killed_server_committed(
    second_start: Path,
) -> None:
    first = other_process(second_start)
    with EmbeddedPostgres(second_start) as dsns:
        ask(dsns.owner, "CREATE TABLE kept AS SELECT 42 AS answer")
    killed = pid_in(second_start)
    os.kill(first.pid, signal.SIGSTOP)
    os.kill(killed, signal.SIGKILL)
    kill(first)
    with EmbeddedPostgres(second_start) as dsns:
        assert ask(dsns.owner, "SELECT answer FROM kept") == 42
        assert pid_in(second_start) != killed


def test_processes_share_one_server_and_the_last_to_leave_stops_it(second_start: Path) -> None:
    first = other_process(second_start)
    shared = pid_in(second_start)
    with EmbeddedPostgres(second_start, durable=False) as dsns:
        assert pid_in(second_start) == shared
        first.communicate("leave\n")
        assert first.returncode == 0
        assert ask(dsns.app, "SELECT 1") == 1
        assert pid_in(second_start) == shared
    assert running_pid(second_start / "cluster") is None


def test_starting_at_the_same_moment_makes_one_server(folder: Path) -> None:
    command = [sys.executable, "-c", OTHER_PROCESS, str(folder)]
    together = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    addresses = {process.stdout.readline() for process in together if process.stdout}
    assert len(addresses) == 1
    for process in together:
        process.communicate("leave\n")
    assert [process.returncode for process in together] == [0, 0, 0]
    assert running_pid(folder / "cluster") is None


def test_a_pid_file_that_names_somebody_else_does_not_stop_a_start(second_start: Path) -> None:
    (second_start / "cluster" / "postmaster.pid").write_text(f"{os.getpid()}\n")
    with EmbeddedPostgres(second_start, durable=False) as dsns:
        assert ask(dsns.app, "SELECT 1") == 1


def test_another_port_is_taken_when_the_old_one_is_in_use(second_start: Path) -> None:
    with EmbeddedPostgres(second_start, durable=False) as before:
        pass
    port = int(before.app.split(":")[-1].split("/")[0])
    with (
        socket.create_server(("127.0.0.1", port)),
        EmbeddedPostgres(second_start, durable=False) as after,
    ):
        assert f":{port}/" not in after.app
        assert ask(after.app, "SELECT 1") == 1


def test_half_a_cluster_is_thrown_away_and_made_again(folder: Path) -> None:
    (folder / "cluster.new" / "base").mkdir(parents=True)
    with EmbeddedPostgres(folder, durable=False) as dsns:
        assert ask(dsns.app, "SELECT 1") == 1
    assert not (folder / "cluster.new").exists()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        pytest.param(lambda f: (f / "server.json").unlink(), "passwords", id="lost"),
        pytest.param(lambda f: (f / "server.json").write_text("{"), "damaged", id="damaged"),
        pytest.param(
            lambda f: (f / "cluster" / "global" / "pg_control").unlink(),
            "does not start: .*pg_control",
            id="broken",
        ),
        pytest.param(
            lambda f: (f / "cluster" / "PG_VERSION").write_text("12\n"), "version 12", id="old"
        ),
    ],
)
def test_what_cannot_be_started_says_why(second_start: Path, spoil: object, said: str) -> None:
    assert callable(spoil)
    spoil(second_start)
    with pytest.raises(EmbeddedError, match=said):
        EmbeddedPostgres(second_start, durable=False).start()


def test_a_place_that_cannot_be_written_names_the_setting(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match="WARLOG_DATA_DIR"):
        EmbeddedPostgres(tmp_path / "file" / "postgres").start()


@pytest.mark.skipif(not AS_ROOT, reason="only root has another account to take")
@pytest.mark.parametrize(
    ("user", "said"), [("root", "refuses to run as root"), ("no-such-user", "no user")]
)
def test_as_root_another_user_must_be_named(folder: Path, user: str, said: str) -> None:
    with pytest.raises(EmbeddedError, match=said):
        EmbeddedPostgres(folder, user=user).start()


@pytest.mark.skipif(not AS_ROOT, reason="only root has another account to take")
def test_as_root_the_server_runs_unprivileged_and_no_folder_above_changes(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    folder = closed / "postgres"
    above = [closed, *closed.parents]
    before = [path.stat().st_mode for path in above]
    with EmbeddedPostgres(folder) as dsns:
        assert ask(dsns.app, "SELECT 1") == 1
        status = Path(f"/proc/{pid_in(folder)}/status").read_text()
    nobody = pwd.getpwnam("nobody")
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert lines["Uid"].split() == [str(nobody.pw_uid)] * 4
    assert lines["Gid"].split() == [str(nobody.pw_gid)] * 4
    assert lines["Groups"].split() == []
    assert [path.stat().st_mode for path in above] == before
    assert (folder / "server.json").stat().st_uid == 0


@pytest.fixture
def closed_programs(tmp_path: Path) -> Installation:
    """A copy of the programs below a folder that only its owner can enter."""
    original = choose_installation(tmp_path)
    assert original.tree is not None
    assert original.libraries is not None
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    tree = closed / original.tree.parent.name / original.tree.name
    libraries = closed / original.libraries.name
    shutil.copytree(original.tree, tree, ignore=shutil.ignore_patterns("include"))
    shutil.copytree(original.libraries, libraries)
    return Installation(bin_dir=tree / "bin", major=original.major, tree=tree, libraries=libraries)


@pytest.fixture
def nobody() -> Account:
    entry = pwd.getpwnam("nobody")
    return Account(uid=entry.pw_uid, gid=entry.pw_gid, switch=True)


@pytest.mark.skipif(not AS_ROOT, reason="only root has another account to take")
def test_programs_closed_to_the_account_are_copied_once(
    closed_programs: Installation, nobody: Account
) -> None:
    # The copy must be reachable by anybody, which a test's own folder is not.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        Path(place).chmod(0o711)
        cache = Path(place) / "cache"
        copy = runnable_by(nobody, closed_programs, (cache,))
        assert copy.bin_dir.is_relative_to(cache)
        assert runnable_by(nobody, closed_programs, (cache,)) == copy
        assert len(list(cache.iterdir())) == 1
        modes = {path.stat().st_mode & 0o777 for path in cache.rglob("*")}
        assert modes == {0o755, 0o644}


@pytest.mark.skipif(not AS_ROOT, reason="only root has another account to take")
def test_a_cache_that_others_can_write_is_not_trusted(
    tmp_path: Path, closed_programs: Installation, nobody: Account
) -> None:
    open_to_all = tmp_path / "cache"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    with pytest.raises(EmbeddedError, match="closed to the account"):
        runnable_by(nobody, closed_programs, (open_to_all,))
    assert list(open_to_all.iterdir()) == []


def test_addresses_are_not_shown_when_printed() -> None:
    dsns = Dsns(admin="secret", owner="secret", app="secret", eraser="secret")
    assert "secret" not in f"{dsns} {dsns!r}"


# --- while it recovers ----------------------------------------------------------------------------


def crash_a_backend(dsn: str) -> None:
    """Kill a session that has written a log to recover."""

    async def crash() -> None:
        connection = await asyncpg.connect(dsn, timeout=PATIENCE_SECONDS)
        await connection.execute("CREATE TABLE IF NOT EXISTS kept (number integer)")
        await connection.execute("INSERT INTO kept SELECT generate_series(1, 20000)")
        os.kill(await connection.fetchval("SELECT pg_backend_pid()"), signal.SIGKILL)
        connection.terminate()

    asyncio.run(crash())


def stop_recovery(folder: Path, dsns: Dsns) -> int:
    """Crash a backend and freeze the process that recovers from it; that process."""
    children = Path(f"/proc/{pid_in(folder)}/task/{pid_in(folder)}/children")
    crash_a_backend(dsns.admin)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        for child in children.read_text().split():
            with contextlib.suppress(OSError):
                if b"startup" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(int(child), signal.SIGSTOP)
                    return int(child)
    raise AssertionError("nothing recovers")


@pytest.mark.slow
def test_a_server_that_recovers_is_ended_at_once_and_one_that_ends_is_not_waited_for(
    second_start: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postmaster, "ENDING_SECONDS", 0.1)
    # Both would outlast the test, as would the wait for a recovery.
    monkeypatch.setattr(postmaster, "STOP_SECONDS", 10 * PATIENCE_SECONDS)
    monkeypatch.setattr(postmaster, "RECOVERY_SECONDS", 10 * PATIENCE_SECONDS)
    server = EmbeddedPostgres(second_start)
    stop_recovery(second_start, server.start())
    server.stop()
    starter = other_process(second_start)
    with EmbeddedPostgres(second_start) as dsns:
        stop_recovery(second_start, dsns)
        # It is told to stop, hangs, and those who told it are killed: the server is left behind.
        os.kill(pid_in(second_start), signal.SIGINT)
        kill(starter)
        caplog.clear()
        with EmbeddedPostgres(second_start) as again:
            assert ask(again.admin, "SELECT count(*) FROM kept") == 40000
    shut_down = "the private PostgreSQL is shutting down; it is started again afterwards"
    assert caplog.messages[0] == shut_down


@pytest.mark.slow
def test_a_recovery_that_takes_long_is_reported_and_given_up_by_who_leaves(
    second_start: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postmaster, "TELL_SECONDS", 0.0)
    server = EmbeddedPostgres(second_start)
    frozen = stop_recovery(second_start, server.start())
    second = EmbeddedPostgres(second_start)
    starting = threading.Thread(target=second.start)
    starting.start()
    told = f"waiting for it, at most 15 minutes (see {second_start / 'server.log'})"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not any(told in message for message in caplog.messages):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(frozen, signal.SIGCONT)
    starting.join()
    second.stop()
    server.stop()
