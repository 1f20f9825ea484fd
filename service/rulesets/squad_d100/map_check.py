"""What is said of a map text before a battle has it; a print is taken as what it stands for."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from msgspec import structs

from service.engine.map_check import (
    MOST_PROBLEMS,
    MapDrawing,
    MapFinding,
    MapReport,
    report_of,
)
from service.errors import Malformed, Refused
from service.rulesets.squad_d100.deciding.join_battle import require_sheet
from service.rulesets.squad_d100.map_print import read_print
from service.rulesets.squad_d100.map_text import Imported, id_of_cell, imported, problems
from service.rulesets.squad_d100.maps import MapImport
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.glyphs import FOLDS, GlyphFolding
from service.rulesets.squad_d100.rules.map_checks import lines_of
from service.rulesets.squad_d100.rules.terrain import TERRAINS
from service.rulesets.squad_d100.state import Options


def check_map(stated: MapImport, options: Options) -> MapReport:
    """Everything that is wrong with a map; a sound one in canonical glyphs."""
    taken, folding = read_print(stated), options.glyph_folding
    map_taken = _canonical(taken, folding)
    report = report_of(map(_finding, problems(taken, folding)), map_taken)
    if report.problems:
        return report
    laid = imported(taken, folding)
    report = report_of(_misfits(laid), map_taken)
    if report.problems:
        return report
    apart = () if taken == stated else (Refused("map_is_print"),)
    warnings = chain(apart, _betrayed(laid, taken))
    return replace(
        report,
        warnings=tuple(map(_finding, islice(warnings, MOST_PROBLEMS))),
        drawing=MapDrawing(
            rows=lines_of(map_taken.text),
            legend=TERRAINS,
            sides={cell_of(each): each.side for each in laid.combatants},
        ),
    )


def _canonical(stated: MapImport, folding: GlyphFolding) -> MapImport:
    """The same map in glyphs of the legend, each row ended by a line feed."""
    table = str.maketrans(dict(FOLDS[folding]))
    rows = [line.translate(table) for line in lines_of(stated.text)]
    return structs.replace(stated, text="".join([f"{row}\n" for row in rows]))


def _misfits(laid: Imported) -> Iterator[MapFinding]:
    """Units whose sheet does not fit together, each with the first of what is wrong with it."""
    for unit, path in zip(laid.combatants, laid.paths, strict=True):
        try:
            require_sheet(unit, path)
        except Malformed as error:
            yield MapFinding(error, *cell_of(unit))


def _betrayed(laid: Imported, stated: MapImport) -> Iterator[Refused]:
    """Hidden units of which nobody said what is under them: empty floor may give them away.

    An id that names the cell gives it away as well, once it is known.
    """
    covered = {(below.x, below.y) for below in stated.under}
    for unit in laid.combatants:
        x, y = cell_of(unit)
        if unit.hidden and (x, y) not in covered:
            is_named_by_cell = unit.id == id_of_cell(unit.kind, (x, y))
            telling = {"telling_id": unit.id} if is_named_by_cell else {}
            yield Refused("map_hidden_on_floor", combatant=unit.id, x=x, y=y, **telling)


def _finding(error: Refused) -> MapFinding:
    x, y = error.params.get("x"), error.params.get("y")
    return MapFinding(error, x if isinstance(x, int) else None, y if isinstance(y, int) else None)
