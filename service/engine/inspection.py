"""Inspections: questions about a battle that are no actions, such as who has cover against whom.

A ruleset lists them with the type of the query, the type of the answer and the function. They are
judged on what the caller may see: the state is the perceived one.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec import Struct

from service.engine.battle.state import State
from service.engine.visibility.scope import Viewer

A = TypeVar("A")

Pieces = Generator[None, None, A]
"""An answer that is worked out piece by piece, since the whole may take long."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """One question. `says` is a sentence for the document.

    The fields of `query` are words or whole numbers, which come as parameters of the address;
    `inspect` is pure and raises Refused for what the state does not have; it may answer in pieces.
    """

    name: str
    says: str
    query: type[Struct]
    answer: type[Struct]
    inspect: Callable[[State[Any], Any, Viewer], Struct | Pieces[Struct]]
