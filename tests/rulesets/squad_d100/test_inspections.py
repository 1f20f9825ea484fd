"""Field of view, line of fire and nearest cover, asked for as anybody would, in random battles."""

from typing import Any

import msgspec
import pytest

from service.engine.kit.perception import perceive
from service.engine.log.canonical import encode
from service.engine.scene import SceneSource
from service.errors import Refused
from service.rulesets.squad_d100 import RULESET
from service.rulesets.squad_d100.scene import prints
from tests.kit.table import Table, tree_of
from tests.kit.two_worlds import START, UNKNOWING
from tests.rulesets.squad_d100 import oracle
from tests.rulesets.squad_d100.battles import random_setup
from tests.rulesets.squad_d100.setups import Tree, seated
from tests.rulesets.squad_d100.worlds import pasted_world

Cell = tuple[int, int]
INSPECTIONS = {each.name: each for each in RULESET.inspections}


def inspect(table: Table, name: str, by: str = "gm", **query: object) -> Any:
    """The answer to a question, as JSON values. Raises Refused."""
    inspection, viewer = INSPECTIONS[name], table.viewer(by)
    asked = msgspec.convert(query, inspection.query)
    return tree_of(inspection.inspect(perceive(table.state, viewer), asked, viewer))


def printed(table: Table, by: str = "gm") -> str:
    """The battle as text, as somebody may know it."""
    ground = table.blobs[table.state.rule.map]
    source = SceneSource(
        state=msgspec.Raw(msgspec.json.encode(table.view(by))),
        event=msgspec.Raw(b"{}"),
        map=msgspec.Raw(encode(ground)),
    )
    return prints(source)


def begun(number: int) -> Table:
    """A random battle, listed or pasted."""
    table = seated(random_setup(number, with_secrets=True))
    table.ask(START)
    return table


def rows_of(table: Table) -> list[str]:
    """The ground with open doors as `/`, from the master's print of it without units."""
    rows = printed(table).split("\n\n")[0].split("\n")
    drawn = [list(row) for row in rows]
    for line in printed(table).split("\n\n")[1].splitlines():
        word, *rest = line.split()
        if word == "unit" and rest[-1] != "down" and rest[2] != "-":
            drawn[int(rest[3])][int(rest[2])] = "."
    for line in printed(table).split("\n\n")[1].splitlines():
        word, *rest = line.split()
        if word == "under":
            drawn[int(rest[1])][int(rest[0])] = rest[2]
        elif word == "open":
            drawn[int(rest[1])][int(rest[0])] = "/"
    return ["".join(row) for row in drawn]


def standing(table: Table, by: str = "gm") -> dict[str, Cell]:
    """Where everybody is of whom somebody knows."""
    people: list[Tree] = table.view(by)["combatants"]
    return {
        each["id"]: (each["place"]["x"], each["place"]["y"])
        for each in people
        if "down" not in each["conditions"]
    }


@pytest.mark.rule("SQ-LOS-4")
@pytest.mark.rule("SQ-SUP-5")
@pytest.mark.rule("SQ-DIST-1")
@pytest.mark.parametrize("number", range(10))
def test_answers_are_those_of_a_second_formulation(number: int) -> None:
    table = begun(number)
    rows, options = rows_of(table), table.state.rule.options
    rule, metric = options.corner_rule, options.distance_metric
    stops_sight = oracle.STOPS_SIGHT + ("X" if options.x_blocks_sight else "")
    reach = options.sight_range if isinstance(options.sight_range, int) else 99
    for by in ("gm", "ann"):
        people = standing(table, by)
        for name, here in people.items():
            seen = [
                cell
                for cell in oracle.field_of_view(rows, here, stops_sight, rule)
                if oracle.distance(here, cell, metric) <= reach
            ]
            view = inspect(table, "field_of_view", by, combatant=name)
            assert [(x + n, y) for x, y, count in view["cells"] for n in range(count)] == seen
            others = [each for each, cell in people.items() if each != name and cell in seen]
            assert view["combatants"] == others
            taken = {cell for each, cell in people.items() if each != name}
            price = oracle.prices_to_cover(rows, taken, rule).get(here)
            cover = inspect(table, "nearest_cover", by, combatant=name)
            assert cover.get("price_mp") == price
            require_way(rows, here, cover, price)
            for target, there in ((each, cell) for each, cell in people.items() if each != name):
                fire = inspect(table, "line_of_fire", by, attacker=name, target=target)
                assert fire["distance"] == oracle.distance(here, there, metric)
                is_clear = oracle.is_clear(rows, here, there, oracle.STOPS_SHOTS, rule)
                assert fire["is_clear"] is is_clear
                crossed = {(cell["x"], cell["y"]) for cell in fire["cells"]}
                assert crossed == set(oracle.crossed_cells(here, there))


def require_way(rows: list[str], here: Cell, cover: Tree, price: int | None) -> None:
    """The steps cost what was shown and end in cover."""
    spent, at = 0, here
    for step in cover["path"]:
        to = (step["x"], step["y"])
        spent += 6 if at[0] != to[0] and at[1] != to[1] else 4
        assert max(abs(at[0] - to[0]), abs(at[1] - to[1])) == 1
        at = to
    assert spent == (price or 0)
    assert price is None or rows[at[1]][at[0]] == "x"


@pytest.mark.rule("SQ-MAP-2")
@pytest.mark.parametrize("number", range(8))
def test_pictures_and_answers_tell_nothing_of_those_unseen(number: int) -> None:
    one, other = (seated(pasted_world(number, variant)) for variant in (0, 3))
    for table in (one, other):
        table.ask(START)
    for by in UNKNOWING:
        assert printed(one, by) == printed(other, by)
        for name in standing(one, by):
            for question in ("field_of_view", "nearest_cover"):
                first, second = (
                    inspect(each, question, by, combatant=name) for each in (one, other)
                )
                assert first == second
        for name in ("h", "x0", "nobody"):
            with pytest.raises(Refused, match="unknown_combatant"):
                inspect(one, "field_of_view", by, combatant=name)
    assert printed(one) != printed(other)


@pytest.mark.rule("SQ-MAP-2")
@pytest.mark.parametrize("number", range(6))
def test_the_masters_print_is_read_back_to_the_same_print(number: int) -> None:
    """Open doors in which nobody stands are closed again, and whoever is down is left out."""
    table = begun(number)
    text = printed(table)
    rows, rest = text.split("\n\n")
    units = [line.split() for line in rest.splitlines() if line.startswith("unit ")]
    under = [line.split() for line in rest.splitlines() if line.startswith("under ")]
    again = seated(
        {
            "map": {
                "text": rows + "\n",
                "under": [{"x": int(x), "y": int(y), "glyph": glyph} for _, x, y, glyph in under],
                "roster": [
                    {"x": int(unit[3]), "y": int(unit[4]), "id": unit[1], "side": unit[5]}
                    for unit in units
                    if unit[-1] != "down"
                ],
            }
        }
    )
    assert printed(again).split("\n\n")[0] == rows
    kept = [line for line in rest.splitlines() if line.startswith("under ")]
    assert [line for line in printed(again).splitlines() if line.startswith("under ")] == kept
