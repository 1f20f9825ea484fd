"""What is committed speaks of the project alone and installs as it is."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from service.settings import VARIABLES
from service.web.build import BUILT
from tests.house.tree import ROOT, SERVICE, tracked_files
from tests.patience import PATIENCE_SECONDS

LOCKS = sorted(ROOT.glob("requirements*.lock"))
ADDRESS = re.compile(r"[a-z+]+://|index-url|find-links|trusted-host|@ file")
PIN = re.compile(r"^[A-Za-z0-9._-]+==\S+")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: str(path.name))
def test_a_lock_pins_and_hashes_everything_and_names_no_address(lock: Path) -> None:
    lines = lock.read_text(encoding="utf-8").splitlines()
    starts = [line for line in lines if line and not line.startswith((" ", "#"))]
    text = "\n".join(lines)
    assert [line for line in lines if ADDRESS.search(line)] == []
    assert [line for line in starts if not PIN.match(line)] == []
    assert text.count("--hash=sha256:") >= len(starts)


@pytest.mark.parametrize("folder", ["service/web", "tests/clients", "tests/web"])
def test_a_lock_of_npm_packages_hashes_everything_and_names_no_address(folder: str) -> None:
    tools = json.loads((ROOT / folder / "package-lock.json").read_text("utf-8"))
    packages = {name: each for name, each in tools["packages"].items() if name}
    assert [name for name, each in packages.items() if "resolved" in each] == []
    assert [name for name, each in packages.items() if "integrity" not in each] == []


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-node.lock"])
def test_a_smaller_lock_pins_the_versions_of_the_largest(lock: str) -> None:
    smaller, largest = (
        {line.split(" \\")[0] for line in path.read_text().splitlines() if PIN.match(line)}
        for path in (ROOT / lock, ROOT / "requirements-dev.lock")
    )
    assert smaller
    assert sorted(smaller - largest) == []


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("requirements.lock", ["build"]), ("requirements-dev.lock", ["build", "dev"])],
)
def test_a_lock_fits_what_the_project_asks_for(lock: str, extras: list[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = project["dependencies"] + [
        line for extra in extras for line in project["optional-dependencies"][extra]
    ]
    pinned = dict(
        line.split(" ")[0].split("==")
        for line in (ROOT / lock).read_text().splitlines()
        if PIN.match(line)
    )
    requirements = [Requirement(line) for line in asked]
    unfit = [
        str(one)
        for one in requirements
        if not one.specifier.contains(pinned.get(canonicalize_name(one.name), "0"))
    ]
    assert unfit == [], "run make lock"


def test_no_file_names_the_folder_it_was_written_in() -> None:
    here = str(ROOT)
    faults = [
        str(path.relative_to(ROOT))
        for path in tracked_files()
        if here.count("/") > 1 and here.encode() in path.read_bytes()
    ]
    assert faults == []


def test_every_setting_is_described_for_those_who_run_the_service() -> None:
    page = (ROOT / "deploy" / "settings.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| `(WARLOG_[A-Z_]+)`", page, flags=re.MULTILINE))
    assert described == VARIABLES


@pytest.mark.slow
def test_a_wheel_carries_the_migrations_the_pages_and_the_clients(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=5 * PATIENCE_SECONDS)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    needed = {
        f"service/{path.relative_to(ROOT)}"
        for path in tracked_files()
        if path.is_relative_to(ROOT / "migrations") and path.suffix in {".py", ".mako"}
    }
    pages = {
        f"service/{path.relative_to(SERVICE)}"
        for folder in BUILT.values()
        for path in folder.iterdir()
    }
    python = ROOT / "openapi" / "clients" / "python"
    package = {
        str(path.relative_to(python))
        for path in tracked_files()
        if path.is_relative_to(python / "warlog")
    }
    assert package >= {"warlog/__init__.py", "warlog/py.typed"}
    assert needed
    assert len(pages) > 10
    assert sorted((needed | pages | package) - inside) == []
