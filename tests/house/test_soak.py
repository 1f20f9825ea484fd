"""The long forms of tests run where they are asked for, and nowhere else."""

import subprocess
import sys

import pytest

from tests.house.tree import ROOT

FILE = "tests/hostile/test_strangers.py"
SHORT = [f"{FILE}::test_handshakes_of_strangers_keep_nobody_waiting"]
LONG = [f"{FILE}::test_thousands_of_handshakes_keep_nobody_waiting[{turn}]" for turn in range(5)]


@pytest.mark.parametrize(
    ("options", "tests"),
    [
        ([], SHORT),
        (["-m", "soak"], LONG),
        ([LONG[0]], []),
    ],
    ids=["pytest alone", "make soak", "by name"],
)
def test_long_forms_run_only_where_marks_speak_of_them(
    options: list[str], tests: list[str]
) -> None:
    named = [] if options[:1] == LONG[:1] else [FILE]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", *options, *named]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    assert [line for line in listed.splitlines() if "::" in line] == tests
