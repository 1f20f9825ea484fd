"""The check of commit subjects finds what it is for, and no more."""

import pytest

from tests.house.commit_subjects import faults, report
from tests.house.tree import ROOT


@pytest.mark.parametrize(
    "subject",
    [
        "forks: count ended forks against the quota",
        "crossfire-d6: refuse shots past the longest range (CF-RANGE-2)",
        "clients, tests: seed the dice of both verifiers",
        "python client: read the lines of bundles",
        "tests/bench: pass the port on",
        "api: fix " + "x" * 63,
    ],
)
def test_a_subject_of_the_agreed_form_is_taken(subject: str) -> None:
    assert list(faults(subject)) == []


@pytest.mark.parametrize(
    "subject",
    [
        "count ended forks",
        "Forks: count ended forks",
        "forks: Count ended forks",
        "forks: count ended forks.",
        "forks: counts ended forks",
        "forks: counted ended forks",
        "forks: counting ended forks",
        "forks: the ended ones count",
        "forks:count ended forks",
        "api: fix " + "x" * 64,
    ],
)
def test_another_subject_is_found(subject: str) -> None:
    assert len(list(faults(subject))) == 1


def test_the_report_names_the_commit_and_what_is_wrong() -> None:
    said = report([("0123abcd", "forks: counts them"), ("4567cdef", "forks: count them")])
    assert said == [
        "0123abcd: `counts` is no imperative; write `add`, not `adds`, `added` or `adding`:"
        " forks: counts them"
    ]


def test_lint_runs_the_check() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "&& $(bin)/python -m tests.house.commit_subjects\n" in recipe
