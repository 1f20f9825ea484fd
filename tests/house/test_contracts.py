"""The rooms know each other only downwards, and the check for it does find what breaks it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT, SERVICE
from tests.patience import PATIENCE_SECONDS


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=5 * PATIENCE_SECONDS
    )


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for folder in (SERVICE, ROOT / "openapi" / "clients" / "python" / "warlog"):
        ignored = shutil.ignore_patterns("__pycache__", "node_modules")
        shutil.copytree(folder, tmp_path / folder.name, ignore=ignored)
    return tmp_path


def test_the_rooms_keep_the_contracts() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("path", "source", "told"),
    [
        ("cellar/__init__.py", "", "service.cellar"),
        ("engine/clock.py", "import time\n", "rules are pure"),
        ("engine/upward.py", "from service.settings import Limits\n", "rooms stack one way"),
        (
            "rulesets/other_d6/__init__.py",
            "from service.rulesets.crossfire_d6 import rules\n",
            "rulesets do not know each other",
        ),
        ("fanout/upward.py", "from service.encounters import hub\n", "rooms stack one way"),
        ("jobs/upward.py", "from service.replay.audit import audits\n", "rooms stack one way"),
        ("encounters/remote.py", "import redis\n", "only the fan-out speaks to Redis"),
        ("live/remote.py", "import warlog\n", "only the demonstration is a client"),
        ("../warlog/rules.py", "import service.engine\n", "the client stands by itself"),
        ("../warlog/steps.py", "import time\n", "what the client decides is pure"),
    ],
    ids=[
        "a new room",
        "a clock",
        "an import upwards",
        "a ruleset that knows another",
        "a fan-out that knows encounters",
        "jobs that know what they are about",
        "another room that speaks to Redis",
        "a room that is a client",
        "a client that knows the service",
        "a client that looks at the clock",
    ],
)
def test_the_contracts_are_broken_by(copied: Path, path: str, source: str, told: str) -> None:
    place = copied / "service" / path
    place.parent.mkdir(exist_ok=True)
    place.write_text(source)
    done = lint_imports(copied)
    assert done.returncode == 1, done.stdout
    assert told in done.stdout.partition("Broken contracts")[2]
