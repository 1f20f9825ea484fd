"""Every migration says which builds its schema serves."""

from pathlib import Path

from alembic.script import Script, ScriptDirectory

from tests.house.tree import ROOT

FIRST = 9
"""The migration that made the row these numbers are written to."""


def migrations() -> list[Script]:
    """All of them, the oldest first."""
    folder = ScriptDirectory(str(ROOT / "migrations"))
    return list(folder.walk_revisions())[::-1]


def test_migrations_follow_one_another_and_are_numbered_without_a_gap() -> None:
    found = [(each.revision, each.down_revision) for each in migrations()]
    numbers = [f"{number:04}" for number in range(1, len(found) + 1)]
    assert found == list(zip(numbers, [None, *numbers[:-1]], strict=True))
    assert [Path(each.path).name[:5] for each in migrations()] == [f"{one}_" for one in numbers]


def test_every_migration_states_the_oldest_build_that_its_schema_serves() -> None:
    stated = {
        int(each.revision): getattr(each.module, "oldest_build", None)
        for each in migrations()
        if int(each.revision) >= FIRST
    }
    assert [number for number, oldest in stated.items() if type(oldest) is not int] == []
    oldest = [number for number in stated.values() if number is not None]
    assert oldest == sorted(oldest)
    assert [number for number, build in zip(stated, oldest, strict=True) if build > number] == []
