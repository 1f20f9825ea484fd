"""`warlog demo` plays a battle of each rulebook over HTTP and proves it."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from service.cli.demo import BATTLES
from service.eventstore.embedded import Dsns
from tests.patience import PATIENCE_SECONDS

COMMAND = [sys.executable, "-m", "service", "demo"]


@pytest.fixture
def environment(empty_database: Dsns, tmp_path: Path) -> dict[str, str]:
    return os.environ | {
        "WARLOG_DATABASE_URL": empty_database.app,
        "WARLOG_MIGRATE_URL": empty_database.owner,
        "WARLOG_ERASE_URL": empty_database.eraser,
        "WARLOG_DATA_DIR": str(tmp_path),
    }


@pytest.mark.slow
def test_a_battle_of_each_rulebook_is_played_and_a_second_time_it_keeps_serving(
    environment: dict[str, str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [*COMMAND, "--once"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "shown only now" in done.stdout
    # Which scenes come up depends on the dice; these always do.
    for scene in ("The battle begins.", "The battle is over", "The seed of the dice is revealed"):
        assert done.stdout.count(scene) >= len(BATTLES), scene
    for scene in ("Ambush at the mill", "The warehouse raid", " is asked: ", " (answered)."):
        assert scene in done.stdout, scene
    for scene in ("The hangar", "Начался раунд 1.", "█.x....█"):
        assert scene in done.stdout, scene
    assert done.stdout.count("that can be seen here were drawn again from the seed and fit") == len(
        BATTLES
    )
    bundles = sorted((tmp_path / "demo").glob("*.ndjson"))
    assert len(bundles) == len(BATTLES)
    keys = tmp_path / "demo" / "keys.json"
    assert all(f"audit --keys {keys} {bundle}" in done.stdout for bundle in bundles)
    assert done.stdout.count("signed by a key that is trusted here") == len(BATTLES)
    told = served_until_told(environment)
    assert "shown only now" not in told
    assert told.count("that can be seen here were drawn again from the seed and fit") == len(
        BATTLES
    )


def served_until_told(environment: dict[str, str]) -> str:
    """What the demonstration said that keeps serving; it is asked something, and told to stop."""
    with subprocess.Popen(
        COMMAND, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        told = []
        for line in process.stdout:
            told.append(line)
            if "Serving until" in line:
                break
        found = re.search(r"'Authorization: Bearer (\S+)' (http://\S+)", "".join(told))
        assert found is not None
        request = urllib.request.Request(found[2], headers={"Authorization": f"Bearer {found[1]}"})
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 0
    return "".join(told)
