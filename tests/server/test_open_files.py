"""The limit of open files is raised as far as need be, and it is said if that is too little."""

import subprocess
import sys

PROGRAM = """
import resource
from service.server.open_files import SPARE, allow_open_files

for soft, hard in [(1_300, 2_000), (400, 2_000), (400, 1_000 + SPARE), (400, 999 + SPARE)]:
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    allow_open_files(1_000)
    print("left", resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE)
"""


def test_the_limit_is_raised_if_need_be() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    )
    told = [line for line in run.stdout.splitlines() if line.startswith("left")]
    assert told == ["left 1044", "left 1000", "left 1000", "left 999"]
    assert (run.stdout + run.stderr).count("the limit of open files is low") == 1
