"""What is said of a map before any battle has it: everything that is wrong with it, and where.

A ruleset reads a map here as it reads that of a creation. A creation is refused with the first
problem; a check tells of all of them, so that whoever draws a map has not to ask again for each.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from msgspec import Struct

from service.engine.geometry.points import Cell
from service.errors import Malformed, Refused

M = TypeVar("M", bound=Struct)

MOST_PROBLEMS: Final = 100
"""Problems of a map that are told at most; the same for warnings."""

MapError = Malformed | Refused


@dataclass(frozen=True, slots=True)
class MapFinding:
    """A problem of a map, or what else its author may want to know: the error tells what.

    `x` and `y` are the column and the row in the text or drawing, from 0; None where it is about no
    place in one.
    """

    error: MapError
    x: int | None = None
    y: int | None = None


@dataclass(frozen=True, slots=True)
class MapDrawing:
    """A map in characters: `legend` says which ground one stands for, in words of the ruleset.

    `sides` has the side of whoever stands on a cell.
    """

    rows: tuple[str, ...]
    legend: Mapping[str, str]
    sides: Mapping[Cell, str]


@dataclass(frozen=True, slots=True)
class MapReport:
    """What a check says: problems, warnings, and the map as a creation would take it.

    `drawing` is the map in characters where the ruleset has it so.
    """

    problems: tuple[MapFinding, ...] = ()
    warnings: tuple[MapFinding, ...] = ()
    map: Struct | None = None
    drawing: MapDrawing | None = None


def report_of(problems: Iterable[MapFinding], stated: Struct) -> MapReport:
    """The first problems; without any the map as it is stated."""
    told = tuple(islice(problems, MOST_PROBLEMS))
    return MapReport(problems=told) if told else MapReport(map=stated)


def of_first(*sources: Iterable[MapFinding]) -> Iterator[MapFinding]:
    """All problems of the first source that has any."""
    for source in sources:
        is_empty = True
        for problem in source:
            is_empty = False
            yield problem
        if not is_empty:
            return


def attempt(read: Callable[[M], object], stated: M) -> Iterator[MapFinding]:
    """The problem for which a map cannot be read, if there is one."""
    try:
        read(stated)
    except (Malformed, Refused) as error:
        yield MapFinding(error)
