"""Who holds the cells that a combatant is to be put on."""

import pytest

from service.errors import Refused
from service.rulesets.tactical_d20.occupancy import held_cell
from tests.rulesets.tactical_d20.setups import Tree, fighter, seated

CROWD: list[Tree] = [
    fighter("a", "red", 0, 0, size=2),
    fighter("b", "blue", 3, 1, size=3),
    fighter("corpse", "blue", 0, 4, conditions=["dead"]),
    fighter("sleeper", "red", 2, 4, conditions=["unconscious"]),
]


@pytest.mark.parametrize(
    ("place", "size", "held"),
    [
        ((1, 1), 3, (1, 1)),
        ((2, 0), 3, (3, 1)),
        ((2, 0), 1, None),
        ((-2, -2), 2, None),
        ((-1, -1), 2, (0, 0)),
        ((6, 1), 2, None),
        ((5, 3), 2, (5, 3)),
        ((0, 4), 1, None),
        ((0, 3), 3, (2, 4)),
        ((-3, -3), 8, (0, 0)),
        ((4, 2), 1, (4, 2)),
    ],
)
def test_somebody_comes_in_only_where_nobody_is_who_is_not_dead(
    place: tuple[int, int], size: int, held: tuple[int, int] | None
) -> None:
    table = seated({"combatants": CROWD})
    newcomer: Tree = {
        "type": "add_combatant",
        "combatant": fighter("n", "green", *place, size=size),
    }
    if held is None:
        table.ask(newcomer)
        assert held_cell(table.state.rule, table.combatant("n")) is None
        return
    with pytest.raises(Refused) as raised:
        table.ask(newcomer)
    assert (raised.value.code, raised.value.params) == (
        "cell_occupied",
        {"x": held[0], "y": held[1]},
    )


def test_nobody_is_in_its_own_way() -> None:
    table = seated({"combatants": CROWD})
    for each in CROWD:
        assert held_cell(table.state.rule, table.combatant(each["id"])) is None
