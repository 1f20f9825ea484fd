"""Answers of inspections that come in pieces."""

from typing import TypeVar

from service.engine.inspection import Pieces

A = TypeVar("A")


def whole(answer: Pieces[A]) -> A:
    """The answer, all of its pieces at once."""
    return pieces_and_answer(answer)[1]


def pieces_and_answer(answer: Pieces[A]) -> tuple[int, A]:
    """How many pieces the answer came in, and the answer."""
    count = 0
    while True:
        try:
            next(answer)
        except StopIteration as end:
            return count, end.value
        count += 1
