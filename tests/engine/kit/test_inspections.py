"""Questions about two combatants: what their query takes."""

import msgspec
import pytest

from service.engine.kit.inspections import LineQuery


def test_a_line_is_asked_for_between_two_ids() -> None:
    tree = {"attacker": "a" * 64, "target": "B-1_z"}
    assert msgspec.convert(tree, LineQuery) == LineQuery(attacker="a" * 64, target="B-1_z")


@pytest.mark.parametrize(
    "tree",
    [
        {"attacker": "a"},
        {"target": "a"},
        {"attacker": "", "target": "a"},
        {"attacker": "a", "target": "a" * 65},
        {"attacker": "a", "target": "a\n"},
        {"attacker": "a", "target": "b", "weapon": "c"},
    ],
)
def test_anything_else_is_no_such_question(tree: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(tree, LineQuery)
