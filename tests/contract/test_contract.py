"""The running service keeps to its published contract, whatever is sent: schemathesis."""

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import Caller, Served, new_key, settings_for
from tests.patience import PATIENCE_SECONDS

ENDLESS = ("stream", "stream_many")
"""Calls whose answer never ends."""

PROJECT = Path(__file__).parents[2]
CONFIG = """
# How long something takes says more about the machine than about the service.
request-timeout = {seconds}
suppress-health-check = ["too_slow"]
headers = {{ Authorization = "Bearer {token}" }}

[parameters]
{parameters}

[checks]
max_response_time = {seconds}
missing_required_header.expected-statuses = [400, 401, 403, 406, 415, 422, 428]
# What no schema can say: what a seat named beside a key may do, the moment, the rules, and what
# holds across fields. That nothing else
# is refused as malformed is the business of the check in hooks.py.
positive_data_acceptance.expected-statuses = [
  "2xx", 304, 307, 400, 403, 404, 406, 409, 412, 422, 426, 428, 429
]
"""


@pytest.fixture(scope="module")
async def tested(database: Dsns) -> AsyncIterator[Caller]:
    """A service that never makes a tester wait, and a key that may do everything."""
    store = await EventStore.open(database.app, pool_size=1)
    tenant = await store.access.create_tenant(uuid4(), f"contract {uuid4()}")
    token = await new_key(store, tenant.id, SCOPES)
    settings = settings_for(
        database,
        WARLOG_WAIT_SECONDS="0",
        WARLOG_PREVIEWS_PER_MINUTE="1000000",
        WARLOG_JOINS_PER_MINUTE="1000000",
    )
    with Served(settings) as served, Caller(served.url, token) as caller:
        yield caller
    await store.close()


@pytest.mark.slow
def test_anything_sent_to_a_running_battle_is_answered_as_published(
    tested: Caller, tmp_path: Path
) -> None:
    examine(tested, tmp_path, "fuzzing", 3, encounter=tested.started())


@pytest.mark.soak
@pytest.mark.parametrize("is_running", [False, True])
def test_very_much_sent_is_answered_as_published(
    tested: Caller, tmp_path: Path, *, is_running: bool
) -> None:
    encounter = tested.started() if is_running else None
    phases = "examples,coverage,fuzzing,stateful"
    examine(tested, tmp_path, phases, 400, encounter=encounter)


def examine(
    caller: Caller,
    folder: Path,
    phases: str,
    examples: int,
    *,
    encounter: str | None = None,
) -> None:
    """Let schemathesis try everything with all checks; `encounter` is used in every address."""
    # It is made when it is first asked for, and schemathesis waits ten seconds at most.
    assert caller.get("/openapi.json").status_code == 200
    parameters = f'"path.encounter" = "{encounter.rpartition("/")[2]}"' if encounter else ""
    config = folder / "schemathesis.toml"
    general = CONFIG.format(token=caller.token, seconds=PATIENCE_SECONDS, parameters=parameters)
    config.write_text(general)
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "schemathesis.cli",
            "--config-file",
            str(config),
            "run",
            f"{caller.url}/openapi.json",
            "--checks=all",
            f"--phases={phases}",
            f"--max-examples={examples}",
            "--seed=1",
            "--continue-on-failure",
            *(f"--exclude-operation-id={each}" for each in ENDLESS),
            *(["--exclude-operation-id=delete_encounter"] if encounter else []),
            "--no-color",
            "--generation-database=none",
        ],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "SCHEMATHESIS_HOOKS": "tests.contract.hooks",
            "PYTHONPATH": str(PROJECT),
        },
    )
    assert run.returncode == 0, failures(run.stdout) + run.stderr
    cases = re.search(r"(\d+) generated, (\d+) passed", run.stdout)
    assert cases is not None, run.stdout
    assert int(cases[1]) >= 120


def failures(report: str) -> str:
    """The part of the report that says what went wrong."""
    _, found, rest = report.partition("FAILURES ====")
    return rest if found else report
