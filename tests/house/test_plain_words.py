"""Words of ballads become fewer in code, documents and messages."""

import pytest

from tests.house.plain_words import Place, counted, places, report

CEILING = 1930
"""Places today. It may only fall: lower it with every change that removes some."""
SLACK = 100
"""So many fewer than the ceiling, and it has to be lowered."""


def test_there_are_no_more_words_of_ballads_than_before() -> None:
    found = counted()
    assert len(found) <= CEILING, report(found)
    assert len(found) > CEILING - SLACK, f"well done; set CEILING to {len(found)}"


@pytest.mark.parametrize(
    ("file", "text", "found"),
    [
        ("a.py", 'told = 1  # It is told\n"""Tells\nnothing."""\n', [("told", 1), ("tells", 2)]),
        ("a.py", "# It goes\n# on.\n", [("goes on", 1)]),
        ("a.js", "const told = `stands`; /* goes\n * on */", [("stands", 1), ("goes on", 1)]),
        ("a.md", "one\nanew, Beside it", [("anew", 2), ("beside", 2)]),
        ("a.md", "standstill, besides, told_again", []),
        ("a.ndjson", "told", []),
    ],
)
def test_words_are_found_in_what_people_read(
    file: str, text: str, found: list[tuple[str, int]]
) -> None:
    assert list(places(file, text)) == [Place(word, file, line) for word, line in found]


def test_the_report_names_file_and_line_of_the_most_frequent_word() -> None:
    found = [Place("told", "a.py", 3), Place("anew", "b.md", 1), Place("told", "b.md", 7)]
    assert report(found).splitlines() == [
        "3 places",
        "    2  told: write sent, shown, returned, reported",
        "    1  anew: write again, new",
        "a.py:3: told",
        "b.md:7: told",
    ]
