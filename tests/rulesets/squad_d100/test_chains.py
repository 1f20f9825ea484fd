"""Long chains of explosions: each object goes off once, and the ground is read once for all."""

import pytest

from service.errors import Refused
from service.rulesets.squad_d100.rules import ground
from service.rulesets.squad_d100.rules.terrain import Terrain
from service.rulesets.squad_d100.terrain import (
    ChangedCell,
    ChangedRow,
    TerrainChange,
    with_changes,
)
from tests.kit.table import Table, tree_of
from tests.rulesets.squad_d100.setups import fighter, in_progress, rifle, seated

LENGTH = 50
WIDTH = 2 * LENGTH + 4


def lit() -> Table:
    """Ann's a before a row of cargo with a gap between each two; she cannot miss."""
    row = "...." + "E." * LENGTH
    shooter = fighter("a", "red", 0, 0, weapons=[rifle()], accuracy=1000)
    watcher = fighter("t", "blue", WIDTH - 1, 0, health_max=1000)
    table = seated(
        {
            "map": {"text": "\n".join([row, *["." * WIDTH] * 19])},
            "combatants": [shooter, watcher],
            "battle": in_progress("a", "t"),
            "options": {"crit_success_max": 10},
        }
    )
    table.ask({"type": "start_encounter"})
    return table


@pytest.mark.rule("SQ-EXP-3")
def test_fifty_explosions_go_through_a_row_one_after_the_other() -> None:
    table = lit()
    shot = {"type": "aimed_shot", "combatant": "a", "weapon": "rifle", "cell": {"x": 4, "y": 0}}
    effects = tree_of(table.ask(shot).effects)
    blasts = [each["area"]["origin"] for each in effects if each["type"] == "area_resolved"]
    assert blasts == [{"x": 4 + 2 * number, "y": 0} for number in range(LENGTH)]
    gone = [each["changes"] for each in effects if each["type"] == "terrain_changed"]
    assert gone == [[{**place, "terrain": "floor", "open": False}] for place in blasts]
    counted = [
        number
        for number, each in enumerate(each for each in effects if each["type"] == "area_resolved")
        if "uncounted" not in each["roll"]["draws"][0]
    ]
    assert counted == [LENGTH - 1], "only the last one has a victim"


def test_a_chain_makes_no_board_of_the_ground_for_each_explosion() -> None:
    table = lit()
    shot = {"type": "aimed_shot", "combatant": "a", "weapon": "rifle"}
    table.ask({**shot, "target": "t"})
    for holder in ("a", "t"):
        table.ask({"type": "end_turn", "combatant": holder})
    made = ground._board.cache_info().misses
    table.ask({**shot, "cell": {"x": 4, "y": 0}})
    assert ground._board.cache_info().misses == made


@pytest.mark.rule("SQ-MAP-2")
def test_cargo_laid_by_the_game_master_counts_like_that_of_the_map() -> None:
    table = seated({"map": {"text": "\n".join(["E" * 256] * 15 + ["." * 256] * 2)}})
    laid = [{"x": x, "y": 15, "terrain": "fuel"} for x in range(256)]
    table.ask({"type": "set_terrain", "cells": laid[::-1]})
    swap = [{"x": 9, "y": 3, "terrain": "floor"}, {"x": 9, "y": 16, "terrain": "fuel"}]
    table.ask({"type": "set_terrain", "cells": swap})
    with pytest.raises(Refused) as caught:
        table.ask({"type": "set_terrain", "cells": [{"x": 9, "y": 3, "terrain": "fuel"}]})
    assert (caught.value.code, caught.value.params) == (
        "map_too_explosive",
        {"x": 9, "y": 16, "line": 17, "column": 10, "most": 4096},
    )


def test_a_change_costs_its_own_row() -> None:
    cells = [(3, 1), (1, 1), (2, 5), (3, 1)]
    kinds: list[Terrain] = ["fire", "wall", "fuel", "floor"]
    changes = [
        TerrainChange(x=x, y=y, terrain=kind) for (x, y), kind in zip(cells, kinds, strict=True)
    ]
    rows = with_changes((), changes)
    assert rows == (
        ChangedRow(
            y=1, cells=(ChangedCell(x=1, terrain="wall"), ChangedCell(x=3, terrain="floor"))
        ),
        ChangedRow(y=5, cells=(ChangedCell(x=2, terrain="fuel"),)),
    )
    after = with_changes(rows, [TerrainChange(x=0, y=5, terrain="door", open=True)])
    assert after[0] is rows[0]
    assert after[1].cells == (ChangedCell(x=0, terrain="door", open=True), *rows[1].cells)
