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


BREAKING = (
    ("cellar/__init__.py", "", "service.cellar"),
    ("engine/clock.py", "import time\n", "service.engine.clock -> time"),
    (
        "engine/dice/upward.py",
        "from service.engine.log import event\n",
        "service.engine.dice.upward -> service.engine.log.event",
    ),
    (
        "engine/upward.py",
        "from service.settings import Limits\n",
        "service.engine.upward -> service.settings",
    ),
    (
        "rulesets/other_d6/__init__.py",
        "from service.rulesets.crossfire_d6 import rules\n",
        "service.rulesets.other_d6 -> service.rulesets.crossfire_d6",
    ),
    (
        "fanout/upward.py",
        "from service.encounters import hub\n",
        "service.fanout.upward -> service.encounters",
    ),
    (
        "jobs/upward.py",
        "from service.replay.audit import audits\n",
        "service.jobs.upward -> service.replay.audit.audits",
    ),
    ("encounters/remote.py", "import redis\n", "service.encounters.remote -> redis"),
    ("live/remote.py", "import warlog\n", "service.live.remote -> warlog"),
    ("../warlog/rules.py", "import service.engine\n", "warlog.rules -> service.engine"),
    ("../warlog/steps.py", "import time\n", "warlog.steps -> time"),
)
"""A new room, a clock in the rules, imports upwards and sideways, a client that knows too much."""


def test_whatever_breaks_the_contracts_is_found(copied: Path) -> None:
    for path, source, _ in BREAKING:
        place = copied / "service" / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(source)
    done = lint_imports(copied)
    assert done.returncode == 1, done.stdout
    broken = done.stdout.partition("Broken contracts")[2]
    assert [told for *_, told in BREAKING if told not in broken] == []
