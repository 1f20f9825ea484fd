"""A battle as text: its map with whoever stands there, and what the rows cannot show.

How this works. First the rows, then an empty line, then what is under the standing, which doors
are open and who there is, each on a line of its own. Who reads a print back gets the same map: the
rows are a map text, the rest are its `under` and its roster. Whoever is down is listed alone, so
that reading a print raises nobody.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from service.engine.geometry.points import Cell
from service.engine.vocabulary.client_ids import ID_FORM
from service.rulesets.squad_d100.maps import MapImport, RosterEntry, UnderCell
from service.rulesets.squad_d100.rules.ground import OPEN_DOOR, Ground, open_doors, terrain_at
from service.rulesets.squad_d100.rules.map_checks import lines_of, row_major
from service.rulesets.squad_d100.rules.terrain import KINDS

_NOWHERE: Final = "- -"

_CELL: Final = r"(?P<x>[0-9]{1,3}) (?P<y>[0-9]{1,3})"
_UNDER: Final = re.compile(rf"under {_CELL} (?P<glyph>\S)")
_OPEN: Final = re.compile(rf"open {_CELL}")
_UNIT: Final = re.compile(
    rf"unit (?P<id>{ID_FORM}) \S (?:{_CELL}|{_NOWHERE}) (?P<side>[a-z0-9_]{{1,20}})(?P<down> down)?"
)


class PrintedUnit(Struct, frozen=True, kw_only=True):
    """Somebody in a print, by the glyph of its kind or character; without a cell if it has none."""

    id: str
    glyph: str
    cell: Cell | None
    side: str
    is_down: bool


class Unlisted(Struct, frozen=True):
    """A line of a print that no import needs: an open door, or somebody who does not stand."""


def print_of(ground: Ground, units: Sequence[PrintedUnit]) -> str:
    """The print of a battle, as far as `units`, in the order of their creation, are known."""
    standing = {each.cell: each for each in units if each.cell is not None and not each.is_down}
    rows = [list(row.replace(OPEN_DOOR, KINDS["door"].glyph)) for row in ground.rows]
    for (x, y), unit in standing.items():
        rows[y][x] = unit.glyph
    lines = [
        *("".join(row) for row in rows),
        "",
        *_lines_under(ground, standing),
        *(f"open {x} {y}" for x, y in open_doors(ground)),
        *map(_unit_line, units),
    ]
    return "\n".join(lines) + "\n"


def read_print(stated: MapImport) -> MapImport:
    """A whole print taken apart into rows, `under` and roster; any other text as it is.

    What is stated beside the print counts after it. Doors that nobody stands in are closed again.
    """
    lines = lines_of(stated.text)
    if "" not in lines:
        return stated
    end = lines.index("")
    listed = [_read_listed(line) for line in lines[end + 1 :]]
    if not end or None in listed:
        return stated
    return MapImport(
        text="\n".join(lines[:end]) + "\n",
        under=(*(each for each in listed if isinstance(each, UnderCell)), *stated.under),
        roster=(*(each for each in listed if isinstance(each, RosterEntry)), *stated.roster),
    )


def _lines_under(ground: Ground, standing: Mapping[Cell, PrintedUnit]) -> Iterator[str]:
    for x, y in sorted(standing, key=row_major):
        terrain = terrain_at(ground, (x, y))
        if terrain != "floor":
            yield f"under {x} {y} {KINDS[terrain].glyph}"


def _unit_line(unit: PrintedUnit) -> str:
    place = _NOWHERE if unit.cell is None else f"{unit.cell[0]} {unit.cell[1]}"
    return f"unit {unit.id} {unit.glyph} {place} {unit.side}{' down' if unit.is_down else ''}"


def _read_listed(line: str) -> UnderCell | RosterEntry | Unlisted | None:
    """What a line below the rows of a print says of an import; None: it is no such line."""
    under, unit = _UNDER.fullmatch(line), _UNIT.fullmatch(line)
    if under is not None:
        return UnderCell(x=int(under["x"]), y=int(under["y"]), glyph=under["glyph"])
    if unit is None:
        return Unlisted() if _OPEN.fullmatch(line) else None
    if unit["down"] or unit["x"] is None:
        return Unlisted()
    return RosterEntry(x=int(unit["x"]), y=int(unit["y"]), id=unit["id"], side=unit["side"])
