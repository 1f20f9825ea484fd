"""Reserved places: where whoever has no cell yet is put."""

import pytest

from service.errors import Refused
from service.rulesets.squad_d100.rules.reserved import reserved_place

RESERVED = [(4, 0), (1, 1), (3, 1)]


@pytest.mark.rule("SQ-MAP-4")
def test_the_first_free_reserved_cell_is_taken() -> None:
    assert reserved_place(RESERVED, (), "newcomer") == (4, 0)
    assert reserved_place(RESERVED, {(4, 0), (2, 2)}, "newcomer") == (1, 1)


@pytest.mark.rule("SQ-MAP-4")
def test_without_a_free_reserved_cell_nobody_is_placed() -> None:
    with pytest.raises(Refused) as refused:
        reserved_place(RESERVED, RESERVED, "newcomer")
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "no_reserved_cell",
        "SQ-MAP-4",
        {"combatant": "newcomer"},
    )
