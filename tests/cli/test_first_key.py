"""The owner's key of a new database is shown on a terminal, or kept in a file, and nowhere else."""

import asyncio
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from service.api.authentication import hash_of
from service.cli.first_key import CREATE, provide_first_key
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.records import ApiKey
from service.eventstore.store import EventStore
from service.settings import Settings, from_environment
from tests.conftest import user_of

TOKEN = re.compile(r"wk_[A-Za-z0-9_-]{43}")
Capture = pytest.CaptureFixture[str]


@pytest.fixture
async def url(empty_database: Dsns) -> str:
    """A migrated database without any key."""
    roles = user_of(empty_database.app), user_of(empty_database.eraser)
    await upgrade(empty_database.owner, app_role=roles[0], eraser_role=roles[1])
    return empty_database.app


def shown(settings: Settings, url: str) -> str:
    """What a terminal shows of one start."""
    shows, printed = os.openpty()
    with os.fdopen(printed, "w") as out, pytest.MonkeyPatch().context() as patch:
        patch.setattr("sys.stdout", out)
        provide(settings, url)
    # What was written comes a little later; then reading fails, since nobody can write any more.
    told = b""
    with os.fdopen(shows, "rb", buffering=0) as screen, suppress(OSError):
        while piece := screen.read(10_000):
            told += piece
    return told.decode()


def settings_of(**paths: Path) -> Settings:
    """Settings that name a database and no file."""
    named = {"HOME": "/nonexistent", "WARLOG_DATABASE_URL": "postgresql:///named"}
    return replace(from_environment(named), **paths)


def key_of(url: str, token: str) -> ApiKey | None:
    """The key of this token in the database."""

    async def looked_up() -> ApiKey | None:
        store = await EventStore.open(url, pool_size=1)
        try:
            return await store.access.api_key_by_hash(hash_of(token))
        finally:
            await store.close()

    return asyncio.run(looked_up())


def provide(settings: Settings, url: str) -> None:
    asyncio.run(provide_first_key(settings, url))


def test_a_terminal_shows_the_key_once(url: str, tmp_path: Path) -> None:
    settings = settings_of(spare_key_file=tmp_path / "owner-key")
    [token] = TOKEN.findall(shown(settings, url))
    key = key_of(url, token)
    assert key is not None
    assert key.name == "owner"
    assert shown(settings, url) == ""
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_named_is_used_even_on_a_terminal(url: str, tmp_path: Path) -> None:
    file = tmp_path / "keys" / "first"
    settings = settings_of(first_key_file=file, spare_key_file=tmp_path / "owner-key")
    assert TOKEN.search(shown(settings, url)) is None
    assert key_of(url, file.read_text().strip()) is not None


def test_without_a_terminal_the_key_is_in_a_file_that_its_user_alone_reads(
    url: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "data" / "owner-key"
    provide(settings_of(spare_key_file=file), url)
    assert capsys.readouterr() == (
        f"\nThis database is new. The key of its owner is in {file}\n\n",
        "",
    )
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert key_of(url, file.read_text().removesuffix("\n")) is not None


def test_a_file_that_exists_is_kept_and_no_key_is_made(
    url: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "owner-key"
    file.write_text("the key of another database")
    provide(settings_of(first_key_file=file), url)
    assert capsys.readouterr() == (
        f"\nThis database is new and has no key, because {file} cannot be written (File exists)."
        f" Make one: {CREATE}\n\n",
        "",
    )
    assert file.read_text() == "the key of another database"


def test_without_terminal_and_file_no_key_is_made(url: str, capsys: Capture) -> None:
    provide(settings_of(), url)
    provide(settings_of(), url)
    assert capsys.readouterr() == (
        f"\nThis database is new and has no key. Make one: {CREATE}\n\n",
        f"there may be no key yet: {CREATE}\n",
    )
