"""A pasted map with what is under its units and what they are, turned into ground and combatants.

How this works. The text is read first (`rules.map_checks`), then `under`, then the roster entry
by entry, each being checked against what the ones before it made of the map. Checks are in the
catalogue's order, and an import is refused with the first problem; `problems` has all of them.
An id that is not stated is the character or the kind with the cell: an id that counted would tell
how many units of a kind are hidden.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import merge
from itertools import starmap
from operator import itemgetter
from typing import Final, Literal

from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from service.engine.geometry.points import Cell
from service.engine.visibility.scope import RESERVED_SIDES
from service.engine.vocabulary.client_ids import RESERVED_IDS
from service.engine.vocabulary.values import Place
from service.errors import Refused
from service.rulesets.squad_d100 import terrain
from service.rulesets.squad_d100.maps import (
    Fold,
    MapBlob,
    MapImport,
    RosterEntry,
    RosterItems,
    UnderCell,
)
from service.rulesets.squad_d100.rules.glyphs import FOLDS, UNITS, GlyphFolding, UnitGlyph
from service.rulesets.squad_d100.rules.map_checks import (
    SQ_MAP_2,
    lines_of,
    place_facts,
    problems_of,
    read_lines,
    row_major,
)
from service.rulesets.squad_d100.rules.terrain import KINDS, is_passable, terrain_of
from service.rulesets.squad_d100.rules.words import Kind
from service.rulesets.squad_d100.state import MAX_COMBATANTS, Cache, Combatant

FLOOR: Final = KINDS["floor"].glyph
DOOR: Final = KINDS["door"].glyph
WEAPONS_AMMO: Final = KINDS["weapons_ammo"].glyph

WrongUnder = Literal["outside", "no_terrain", "no_unit", "impassable", "twice"]
"""Why an entry of `under` does not count: its cell is not on the map, its glyph is no terrain, no
unit stands there, nobody can stand on that terrain, or the cell was stated before.
"""

WrongEntry = Literal["address", "no_unit", "no_weapons_ammo", "field", "service_word"]
"""Why a roster entry does not count: it names not exactly one of a glyph and a cell, no unit is
there or no place for things, a field does not belong to it, or an id or side is a word of the
service.
"""

_ADDRESS: Final = frozenset({"glyph", "x", "y", "items"})
"""Fields of a roster entry that say what it is about; all others are of a sheet."""

Fields = dict[str, object]
"""What roster entries state of a sheet."""


class Imported(Struct, frozen=True, kw_only=True):
    """What a map text comes to.

    `combatants` are in row-major order, without numbers. `doors` are those that stand open because
    somebody stands in them.
    """

    blob: MapBlob
    combatants: tuple[Combatant, ...]
    paths: tuple[str, ...]
    """Where the sheet of each is stated: in the last roster entry about it, else in the import."""
    folds: tuple[Fold, ...]
    caches: tuple[Cache, ...]
    doors: tuple[terrain.Cell, ...]


class Presence(Struct, frozen=True, kw_only=True):
    """What a battle has before a map comes: its sides, and the ids of those who stay in it.

    Without `sides` the map brings its own.
    """

    sides: tuple[str, ...] | None = None
    combatants: tuple[str, ...] = ()


NOBODY: Final = Presence()


def imported(stated: MapImport, folding: GlyphFolding, presence: Presence = NOBODY) -> Imported:
    """What a map comes to. Raises the first problem that it has, in the catalogue's order."""
    problem = next(problems(stated, folding, presence), None)
    if problem is not None:
        raise problem
    return _imported(stated, folding)


def problems(
    stated: MapImport, folding: GlyphFolding, presence: Presence = NOBODY
) -> Iterator[Refused]:
    """Everything that is wrong with a map, in the order of the checks.

    The import itself: SQ-MAP-2, whose codes begin with `map_`; then `unknown_side`,
    `duplicate_combatant` and `too_many_combatants`, judged by who is in the battle already.
    """
    draft = _Draft(stated, folding)
    yield from draft.problems()
    yield from _crowd_problems(draft.combatants(), presence)


def blob_of(stated: MapImport) -> MapBlob | None:
    """The ground of a map; None where something is wrong with it.

    All look-alikes are read as glyphs here: a table that does not fold them refuses the map itself,
    and what it does not refuse has the same ground.
    """
    is_sound = next(problems(stated, "fold"), None) is None
    return _imported(stated, "fold").blob if is_sound else None


def sides_of(combatants: Sequence[Combatant]) -> tuple[str, ...]:
    """The sides of combatants, each once, in their order."""
    return tuple(dict.fromkeys(each.side for each in combatants))


@lru_cache(maxsize=8)
def _imported(stated: MapImport, folding: GlyphFolding) -> Imported:
    """What a map without problems comes to."""
    draft = _Draft(stated, folding)
    for problem in draft.problems():
        raise problem
    return draft.imported()


class _Draft:
    """A map that is being read: what the text, `under` and the roster have made of it so far."""

    def __init__(self, stated: MapImport, folding: GlyphFolding) -> None:
        self._stated = stated
        self._folding = folding
        self._reading = read_lines(lines_of(stated.text), folding)
        self._glyphs = frozenset(self._reading.units.values())
        self._under: dict[Cell, str] = {}
        self._by_glyph: dict[str, list[tuple[int, Fields]]] = {}
        self._by_cell: dict[Cell, list[tuple[int, Fields]]] = {}
        self._caches: dict[Cell, Cache] = {}

    def problems(self) -> Iterator[Refused]:
        """What is wrong, in the order of the checks; what is right becomes part of the draft."""
        yield from problems_of(self._reading)
        for index, below in enumerate(self._stated.under):
            wrong = self._lay(below)
            if wrong is not None:
                place = place_facts((below.x, below.y))
                yield Refused("map_bad_under", rule=SQ_MAP_2, index=index, **place, why=wrong)
        for index, entry in enumerate(self._stated.roster):
            why = self._enrol(index, entry)
            if why is not None:
                cell = _cell_of(entry)
                place = {} if cell is None else place_facts(cell)
                yield Refused("map_bad_roster", rule=SQ_MAP_2, index=index, **place, why=why)

    def combatants(self) -> Iterator[Combatant]:
        """The units of the map, row by row."""
        alike = {glyph: self._sheet((0, 0), glyph, ()) for glyph in self._glyphs}
        for cell, glyph in self._reading.units.items():
            own = self._by_cell.get(cell)
            if own is None:
                place = Place(x=cell[0], y=cell[1])
                yield replace(alike[glyph], id=_default_id(cell, UNITS[glyph]), place=place)
            else:
                yield self._sheet(cell, glyph, own)

    def imported(self) -> Imported:
        """What the map comes to."""
        combatants = tuple(self.combatants())
        ids = dict(zip(self._reading.units, (each.id for each in combatants), strict=True))
        doors = [cell for cell, glyph in self._under.items() if glyph == DOOR]
        return Imported(
            blob=MapBlob(rows=self._rows()),
            combatants=combatants,
            paths=tuple(starmap(self._path, self._reading.units.items())),
            folds=tuple(
                Fold(
                    x=fold.cell[0],
                    y=fold.cell[1],
                    glyph=fold.character,
                    read_as=fold.glyph,
                    combatant=ids.get(fold.cell, UNSET),
                )
                for fold in self._reading.folds
            ),
            caches=tuple(self._caches[cell] for cell in sorted(self._caches, key=row_major)),
            doors=tuple(terrain.Cell(x=x, y=y) for x, y in sorted(doors, key=row_major)),
        )

    def _sheet(self, cell: Cell, glyph: str, own: Sequence[tuple[int, Fields]]) -> Combatant:
        """A unit by its glyph, its cell and the roster entries about either, the last one last."""
        unit = UNITS[glyph]
        sheet = Combatant(
            id=_default_id(cell, unit),
            kind=unit.kind,
            character=UNSET if unit.character is None else unit.character,
            name=UNSET if unit.name is None else unit.name,
            side=unit.side,
            place=Place(x=cell[0], y=cell[1]),
        )
        stated: Fields = {}
        for _, fields in merge(self._by_glyph.get(glyph, ()), own, key=itemgetter(0)):
            stated.update(fields)
        return replace(sheet, **stated)

    def _path(self, cell: Cell, glyph: str) -> str:
        """Where the sheet of a unit is stated."""
        stated = (*self._by_glyph.get(glyph, ()), *self._by_cell.get(cell, ()))
        return f"$.map.roster[{max(index for index, _ in stated)}]" if stated else "$.map"

    def _rows(self) -> tuple[str, ...]:
        """The terrain of the map: below units what is stated there, else floor."""
        rows = list(self._reading.rows)
        for y in {y for _, y in self._reading.units}:
            rows[y] = "".join(
                [
                    self._under.get((x, y), FLOOR) if glyph in UNITS else glyph
                    for x, glyph in enumerate(rows[y])
                ]
            )
        return tuple(rows)

    def _lay(self, below: UnderCell) -> WrongUnder | None:
        """Lay terrain under a unit, or say why not."""
        cell = (below.x, below.y)
        glyph = fold_of(below.glyph, self._folding)
        if self._glyph_at(cell) is None:
            return "outside"
        laid = terrain_of(glyph)
        if laid is None:
            return "no_terrain"
        if cell not in self._reading.units:
            return "no_unit"
        if not is_passable(laid, is_open=laid == "door"):
            return "impassable"
        if cell in self._under:
            return "twice"
        self._under[cell] = glyph
        return None

    def _enrol(self, index: int, entry: RosterEntry) -> WrongEntry | None:
        """Let a roster entry count, or say why not."""
        cell, stated = _cell_of(entry), _stated_fields(entry)
        is_half = (entry.x is UNSET) != (entry.y is UNSET)
        if is_half or (cell is None) == (entry.glyph is UNSET):
            return "address"
        if entry.items is not UNSET:
            return self._stock(cell, entry.items, is_alone=not stated)
        glyph = UNSET if entry.glyph is UNSET else fold_of(entry.glyph, self._folding)
        if glyph not in self._glyphs and cell not in self._reading.units:
            return "no_unit"
        if cell is None and "id" in stated:
            return "field"
        if entry.side in RESERVED_SIDES or str(entry.id).lower() in RESERVED_IDS:
            return "service_word"
        if cell is not None:
            self._by_cell.setdefault(cell, []).append((index, stated))
        elif glyph is not UNSET:
            self._by_glyph.setdefault(glyph, []).append((index, stated))
        return None

    def _stock(
        self, cell: Cell | None, things: RosterItems, *, is_alone: bool
    ) -> WrongEntry | None:
        """Lay things into a cell, or say why not."""
        if cell is None:
            return "field"
        if self._under.get(cell, self._glyph_at(cell)) != WEAPONS_AMMO:
            return "no_weapons_ammo"
        if not is_alone:
            return "field"
        x, y = cell
        self._caches[cell] = Cache(x=x, y=y, weapons=things.weapons, grenades=things.grenades)
        return None

    def _glyph_at(self, cell: Cell) -> str | None:
        """The glyph of a cell; None outside of the text."""
        x, y = cell
        rows = self._reading.rows
        return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else None


def fold_of(character: str, folding: GlyphFolding) -> str:
    """The glyph that a character is read as; itself where it looks like none."""
    return FOLDS[folding].get(character, character)


def _cell_of(entry: RosterEntry) -> Cell | None:
    return None if entry.x is UNSET or entry.y is UNSET else (entry.x, entry.y)


def _stated_fields(entry: RosterEntry) -> Fields:
    """What an entry states of a sheet."""
    fields = asdict(entry).items()
    return {name: each for name, each in fields if name not in _ADDRESS and each is not UNSET}


def id_of_cell(kind: Kind, cell: Cell) -> str:
    """The id of a unit that has no other: its kind and the cell where it was pasted."""
    return f"{kind}_{cell[0]}_{cell[1]}"


def _default_id(cell: Cell, unit: UnitGlyph) -> str:
    return unit.character or id_of_cell(unit.kind, cell)


def _crowd_problems(combatants: Iterator[Combatant], presence: Presence) -> Iterator[Refused]:
    """Units of sides that the battle does not have, of ids that are taken, and too many of them."""
    units = tuple(combatants)
    if presence.sides is not None:
        for each in units:
            if each.side not in presence.sides:
                allowed = list(presence.sides)
                yield Refused(
                    "unknown_side", rule=None, side=each.side, allowed=allowed, **_stands(each)
                )
    taken = {each.lower(): each for each in presence.combatants}
    for each in units:
        if each.id.lower() in taken:
            names = {"combatant": each.id, "taken": taken[each.id.lower()]}
            yield Refused("duplicate_combatant", rule=None, **names, **_stands(each))
        taken.setdefault(each.id.lower(), each.id)
    if len(units) + len(presence.combatants) > MAX_COMBATANTS:
        yield Refused("too_many_combatants", longest=MAX_COMBATANTS)


def _stands(combatant: Combatant) -> dict[str, int]:
    place = combatant.place
    return {} if place is UNSET else place_facts((place.x, place.y))
