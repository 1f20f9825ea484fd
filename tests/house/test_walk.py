"""One action runs through few files; fewer is better, and what a change adds it has to say."""

from typing import Final

from service.eventstore.embedded import Dsns
from tests.house.walk import prepared, report, walked

MOST_FILES: Final = 55 + 2
MOST_CHANGES: Final = 148 + 5
"""As measured, and a little more: a step that a change needs is no reason to fail."""


async def test_a_shot_runs_through_few_files(empty_database: Dsns) -> None:
    walk = walked(empty_database, await prepared(empty_database))
    assert len(set(walk.files)) <= MOST_FILES, report(walk)
    assert walk.changes <= MOST_CHANGES, report(walk)
