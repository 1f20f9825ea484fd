"""SQ-MAP-2: how a pasted text is read as a map, and everything that may be wrong with it.

How this works. The text is cut into lines and each line is read glyph by glyph, look-alikes folded
as the table wants it. The checks run in the catalogue's order, each over the whole text; an import
is refused with the first problem, whoever checks a map is told of all of them. So a problem is a
refusal that is not raised yet, and later checks make do with lines that earlier ones object to.

Places are told twice: x and y count from 0 as everywhere, line and column from 1 as in an editor.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple, get_args

from service.engine.geometry.points import Cell
from service.errors import Refused
from service.rulesets.squad_d100.rules.explosives import MOST_EXPLOSIVES, Explosive
from service.rulesets.squad_d100.rules.glyphs import (
    FOLDS,
    GLYPHS,
    UNITS,
    GlyphFolding,
    meaning_of,
    unit_of,
)
from service.rulesets.squad_d100.rules.terrain import KINDS

SQ_MAP_2: Final = "SQ-MAP-2"

LONGEST_SIDE: Final = 256
"""Columns and rows of a map at most."""

_EXPLOSIVES: Final = frozenset(KINDS[each].glyph for each in get_args(Explosive))

_BYTE_ORDER_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"


class Folded(NamedTuple):
    """A character that was read as a glyph which looks like it."""

    cell: Cell
    character: str
    glyph: str


class Reading(NamedTuple):
    """A text as it was read: lines of canonical glyphs, what was folded, who stands where.

    Units are in row-major order. Characters that are no glyphs stand in `rows` as they came.
    """

    rows: tuple[str, ...]
    folds: tuple[Folded, ...]
    units: Mapping[Cell, str]


def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text: without a byte order mark and the last line feed, CR LF as LF."""
    whole = text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").removesuffix("\n")
    return tuple(whole.split("\n"))


def read_lines(lines: Sequence[str], folding: GlyphFolding) -> Reading:
    """SQ-MAP-2: the glyphs of the lines, by the look-alikes that the table folds.

    Nothing is checked here (`problems_of`). Source: «сначала прочитай легенду».
    """
    rows, folds = [], []
    for y, line in enumerate(lines):
        row, folded = _read_line(line, folding)
        rows.append(row)
        folds += [Folded((x, y), character, glyph) for x, character, glyph in folded]
    return Reading(tuple(rows), tuple(folds), dict(_units(rows)))


def problems_of(reading: Reading) -> Iterator[Refused]:
    """What is wrong with the text itself, in the order of the checks, row by row."""
    rows = reading.rows
    if not any(rows):
        yield Refused("map_empty", rule=SQ_MAP_2)
        return
    yield from _ragged(rows)
    width, height = max(map(len, rows)), len(rows)
    if max(width, height) > LONGEST_SIDE:
        size = {"width": width, "height": height}
        yield Refused("map_too_large", rule=SQ_MAP_2, **size, longest=LONGEST_SIDE)
    yield from _unknown_glyphs(rows)
    yield from _duplicates(reading.units)
    yield from too_explosive(rows)


def too_explosive(rows: Sequence[str]) -> Iterator[Refused]:
    """The first cell of cargo or fuel that is one too many, if there is one.

    Default, not in the source text.
    """
    if sum(row.count(glyph) for row in rows for glyph in _EXPLOSIVES) <= MOST_EXPLOSIVES:
        return
    explosives = (
        (x, y) for y, row in enumerate(rows) for x, glyph in enumerate(row) if glyph in _EXPLOSIVES
    )
    surplus = next(islice(explosives, MOST_EXPLOSIVES, None))
    yield Refused("map_too_explosive", rule=SQ_MAP_2, **place_facts(surplus), most=MOST_EXPLOSIVES)


def place_facts(cell: Cell) -> dict[str, int]:
    """Where a problem is: x and y from 0, line and column from 1."""
    x, y = cell
    return {"x": x, "y": y, "line": y + 1, "column": x + 1}


def row_major(cell: Cell) -> tuple[int, int]:
    """What cells are sorted by: row 0 first, each row from left to right."""
    return cell[1], cell[0]


def _read_line(line: str, folding: GlyphFolding) -> tuple[str, tuple[tuple[int, str, str], ...]]:
    """A line in canonical glyphs, and the columns whose character was folded."""
    table = FOLDS[folding]
    if table.keys().isdisjoint(line):
        return line, ()
    folds = tuple((x, each, table[each]) for x, each in enumerate(line) if each in table)
    return "".join([table.get(each, each) for each in line]), folds


def _units(rows: Sequence[str]) -> Iterator[tuple[Cell, str]]:
    """Each cell with the glyph of a unit, row by row."""
    for y, row in enumerate(rows):
        if not UNITS.keys().isdisjoint(row):
            for x, glyph in enumerate(row):
                if unit_of(glyph) is not None:
                    yield (x, y), glyph


def _ragged(rows: Sequence[str]) -> Iterator[Refused]:
    expected = len(rows[0])
    for y, row in enumerate(rows):
        if len(row) != expected:
            place = place_facts((min(len(row), expected), y))
            yield Refused("map_ragged", rule=SQ_MAP_2, **place, width=len(row), expected=expected)


def _unknown_glyphs(rows: Sequence[str]) -> Iterator[Refused]:
    for y, row in enumerate(rows):
        if GLYPHS.issuperset(row):
            continue
        for x, character in enumerate(row):
            if character not in GLYPHS:
                yield unknown_glyph(character, place_facts((x, y)))


def unknown_glyph(character: str, place: Mapping[str, int]) -> Refused:
    """The refusal of a character that is no glyph, with the glyph it looks like, if any.

    That one is named by its code point and by what it stands for: the two cannot be told apart.
    """
    alike = FOLDS["fold"].get(character)
    looks_like = {} if alike is None else _named(alike)
    return Refused(
        "map_unknown_glyph", rule=SQ_MAP_2, **place, code_point=_code_point(character), **looks_like
    )


def _named(glyph: str) -> dict[str, str]:
    return {
        "looks_like": glyph,
        "looks_like_code_point": _code_point(glyph),
        "looks_like_meaning": meaning_of(glyph),
    }


def _code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


def _duplicates(units: Mapping[Cell, str]) -> Iterator[Refused]:
    seen: set[str] = set()
    for cell, glyph in units.items():
        character = UNITS[glyph].character
        if character is None:
            continue
        if character in seen:
            place = place_facts(cell)
            yield Refused("map_duplicate_named", rule=SQ_MAP_2, **place, character=character)
        seen.add(character)
