"""The long forms of tests run where they are asked for, and nowhere else."""

import subprocess
import sys

from tests.house.tree import ROOT

FILE = "tests/hostile/test_strangers.py"
SHORT = [f"{FILE}::test_handshakes_of_strangers_keep_nobody_waiting"]
LONG = [f"{FILE}::test_thousands_of_handshakes_keep_nobody_waiting[{turn}]" for turn in range(5)]


CHOICES = [([FILE], SHORT), (["-m", "soak", FILE], LONG), ([LONG[0]], [])]
"""pytest alone, `make soak`, a long form by its name: the options, and the tests they choose."""
COLLECT = """
import sys
import pytest
for options in sys.argv[1:]:
    pytest.main(["--collect-only", "-q", "-n", "0", *options.split()])
    print("end of a list")
"""


def test_long_forms_run_only_where_marks_speak_of_them() -> None:
    options = [" ".join(each) for each, _ in CHOICES]
    command = [sys.executable, "-c", COLLECT, *options]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    lists = [
        [line for line in part.splitlines() if "::" in line] for part in said.split("end of a list")
    ]
    assert lists == [*(tests for _, tests in CHOICES), []]
