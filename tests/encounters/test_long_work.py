"""Long work of one request lets other requests have their turn between its pieces."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from service.encounters import long_work
from service.encounters.long_work import whole
from service.engine.inspection import Pieces

PIECES = 5


class Others:
    """Everything else that the loop has to do: it counts its turns."""

    turns = 0

    async def run(self) -> None:
        while True:
            self.turns += 1
            await asyncio.sleep(0)


@asynccontextmanager
async def others_at_work() -> AsyncIterator[Others]:
    """They begin with the first pause."""
    others = Others()
    running = asyncio.create_task(others.run())
    yield others
    running.cancel()


@pytest.fixture
def long_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "PIECE_SECONDS", 0.0)


def table() -> Pieces[str]:
    for _ in range(PIECES):
        yield
    return "rows"


async def test_an_answer_in_pieces_pauses_between_them(long_pieces: None) -> None:
    async with others_at_work() as others:
        assert (await whole(table()), others.turns) == ("rows", PIECES)


async def test_short_work_keeps_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "PIECE_SECONDS", 3600.0)
    async with others_at_work() as others:
        assert (await whole(table()), others.turns) == ("rows", 0)
