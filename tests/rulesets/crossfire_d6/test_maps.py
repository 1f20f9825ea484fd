"""Maps in both forms: what they hold, where they end, what contradicts itself."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from service.engine.log.canonical import encode
from service.errors import Malformed, Refused
from service.rulesets.crossfire_d6 import RULESET
from service.rulesets.crossfire_d6.maps import AsciiMap, CellMap, MapInput, blob_of, board_of
from service.rulesets.crossfire_d6.setup import Setup, blobs
from tests.rulesets.crossfire_d6.setups import fighter, seated

Tree = dict[str, Any]


def test_a_drawn_map_and_its_cells_are_one_blob() -> None:
    drawn = AsciiMap(rows=(".#c", "sd."), x=-1, y=4)
    cells = [
        {"x": 0, "y": 4, "kind": "solid"},
        {"x": 0, "y": 5, "dark": True},
        {"x": -1, "y": 5, "smoke": True},
        {"x": 1, "y": 4, "kind": "cover"},
        {"x": 1, "y": 5},
    ]
    bounds = {"x": -1, "y": 4, "width": 3, "height": 2}
    stated = msgspec.convert({"form": "cells", "bounds": bounds, "cells": cells}, MapInput)
    assert encode(blob_of(drawn)) == encode(blob_of(stated))


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"form": "ascii", "rows": ["...", ".."]}, "$.map.rows[1]"),
        ({"form": "ascii", "rows": ["..", ".x"]}, "$.map.rows[1]"),
        ({"form": "cells", "cells": [{"x": 0, "y": 0}, {"x": 0, "y": 0}]}, "$.map.cells[1]"),
        (
            {"form": "cells", "borders": [{"axis": "v", "x": 0, "y": 0}] * 2},
            "$.map.borders[1]",
        ),
        (
            {
                "form": "cells",
                "bounds": {"x": 0, "y": 0, "width": 2, "height": 2},
                "cells": [{"x": 2, "y": 0, "kind": "solid"}],
            },
            "$.map.cells[0]",
        ),
        ({"form": "ascii", "x": 9_999, "rows": ["..#"]}, "$.map.rows"),
    ],
)
def test_a_map_that_contradicts_itself_can_not_be_read(given: Tree, path: str) -> None:
    with pytest.raises(Malformed) as refusal:
        blobs(msgspec.convert({"map": given}, Setup))
    assert refusal.value.params["path"] == path


@pytest.mark.parametrize(
    ("kind", "axis", "x", "y", "is_inside"),
    [
        ("cells", "", 1, 2, True),
        ("cells", "", 3, 4, True),
        ("cells", "", 0, 2, False),
        ("cells", "", 1, 1, False),
        ("cells", "", 4, 2, False),
        ("cells", "", 1, 5, False),
        ("borders", "v", 1, 2, True),
        ("borders", "v", 4, 4, True),
        ("borders", "v", 5, 4, False),
        ("borders", "v", 1, 5, False),
        ("borders", "v", 0, 2, False),
        ("borders", "h", 1, 2, True),
        ("borders", "h", 3, 5, True),
        ("borders", "h", 3, 6, False),
        ("borders", "h", 4, 2, False),
        ("borders", "h", 1, 1, False),
    ],
)
def test_a_map_ends_with_its_edges(kind: str, axis: str, x: int, y: int, is_inside: bool) -> None:
    part = {"x": x, "y": y, "kind": "solid"} | ({"axis": axis} if axis else {})
    bounds = {"x": 1, "y": 2, "width": 3, "height": 3}
    stated = {"form": "cells", "bounds": bounds, kind: [part]}
    if is_inside:
        seated({"map": stated})
    else:
        with pytest.raises(Malformed) as refusal:
            blobs(msgspec.convert({"map": stated}, Setup))
        told = {"path": f"$.map.{kind}[0]", "allowed": "inside the bounds"}
        assert refusal.value.params == told
    table = seated({"map": {"form": "cells", "bounds": bounds}})
    ground = {"type": "set_terrain", kind: [part]}
    if is_inside:
        table.ask(ground)
        return
    with pytest.raises(Refused) as refused:
        table.ask(ground)
    facts = {"x": x, "y": y, "bounds": [1, 2, 3, 3]}
    assert (refused.value.code, refused.value.params) == ("off_map", facts)


def test_a_map_of_many_cells_is_made_into_a_board_once() -> None:
    table = seated({"map": {"form": "ascii", "rows": ["." * 256] * 256}})
    state, terms = table.state, RULESET.terms(dict(table.blobs))
    assert board_of(state) is board_of(replace(state, terms=terms))
    other = seated({"map": {"form": "ascii", "rows": ["." * 256] * 256}}).state
    assert board_of(other) is board_of(state)


def test_a_map_on_which_somebody_has_no_room_is_refused() -> None:
    table = seated({"combatants": [fighter("a", "red", 3, 0)]})
    with pytest.raises(Refused, match="cell_impassable"):
        table.ask({"type": "configure", "map": {"form": "ascii", "rows": ["...#"]}})
    with pytest.raises(Refused, match="off_map"):
        table.ask({"type": "configure", "map": {"form": "ascii", "rows": ["..."]}})


def test_a_cell_map_without_bounds_has_no_edge() -> None:
    assert blob_of(CellMap()).bounds is msgspec.UNSET
