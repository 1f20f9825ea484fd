"""Lines from cell to cell and fields of view, held against fractions and against each other."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.engine.geometry.cell_board import (
    CellBoard,
    board_of_cells,
    board_of_rows,
    is_marked,
    is_on_board,
)
from service.engine.geometry.cell_lines import (
    CornerRule,
    cells_crossed,
    corners_passed,
    is_clear,
)
from service.engine.geometry.field_of_view import FARTHEST, field_of_view
from service.engine.geometry.points import Cell
from tests.engine import geometry_oracle as oracle

SIZE = 9
CELLS = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
MARKED = st.frozensets(CELLS, max_size=40)
RULES = st.sampled_from(("both", "any"))
BOARDS = st.tuples(st.integers(1, 16), st.integers(1, 16)).flatmap(
    lambda size: st.builds(
        lambda cells: CellBoard(*size, bytes(cells)),
        st.lists(
            st.sampled_from((0, 0, 0, 0, 1)), min_size=size[0] * size[1], max_size=size[0] * size[1]
        ),
    )
)


def centre(cell: Cell) -> Cell:
    return 2 * cell[0] + 1, 2 * cell[1] + 1


def crossed_by_clipping(a: Cell, b: Cell) -> set[Cell]:
    return {
        (x, y)
        for x in range(SIZE)
        for y in range(SIZE)
        if (x, y) not in (a, b) and oracle.crosses_cell(centre(a), centre(b), x, y)
    }


def corners_by_proportion(a: Cell, b: Cell) -> set[frozenset[Cell]]:
    """The cells next to the vertices on a line: those round them that it does not cross."""
    corners = set()
    for x in range(1, SIZE):
        for y in range(1, SIZE):
            if oracle.is_inside_line(centre(a), centre(b), (x, y)):
                falls = (b[0] - a[0]) * (b[1] - a[1]) > 0
                beside = ((x, y - 1), (x - 1, y)) if falls else ((x - 1, y - 1), (x, y))
                corners.add(frozenset(beside))
    return corners


@given(CELLS, CELLS)
def test_a_line_crosses_the_cells_that_clipping_by_fractions_finds(a: Cell, b: Cell) -> None:
    crossed = cells_crossed(a, b)
    assert len(set(crossed)) == len(crossed)
    assert set(crossed) == crossed_by_clipping(a, b)


@given(CELLS, CELLS)
def test_a_line_passes_the_corners_that_lie_on_it_by_proportion(a: Cell, b: Cell) -> None:
    assert {frozenset(pair) for pair in corners_passed(a, b)} == corners_by_proportion(a, b)


@given(CELLS, CELLS, MARKED, RULES)
def test_a_line_is_clear_where_the_fractions_say_it_is(
    a: Cell, b: Cell, marked: frozenset[Cell], corner_rule: CornerRule
) -> None:
    enough = 2 if corner_rule == "both" else 1
    is_stopped = bool(crossed_by_clipping(a, b) & marked) or any(
        len(pair & marked) >= enough for pair in corners_by_proportion(a, b)
    )
    board = board_of_cells(SIZE, SIZE, marked)
    assert is_clear(board, a, b, corner_rule) is not is_stopped
    assert is_clear(board, b, a, corner_rule) is not is_stopped


@given(BOARDS, st.data(), RULES)
@example(CellBoard(1, 1, b"\1"), None, "both")
def test_a_field_of_view_has_the_cells_to_which_a_line_is_clear(
    board: CellBoard, data: st.DataObject | None, corner_rule: CornerRule
) -> None:
    cells = [(x, y) for y in range(board.height) for x in range(board.width)]
    viewer = cells[0] if data is None else data.draw(st.sampled_from(cells))
    expected = bytes(is_clear(board, viewer, cell, corner_rule) for cell in cells)
    assert field_of_view(board, viewer, corner_rule) == expected


@given(BOARDS, st.data(), st.integers(0, 20))
def test_a_field_ends_where_its_reach_ends(
    board: CellBoard, data: st.DataObject, reach: int
) -> None:
    cells = [(x, y) for y in range(board.height) for x in range(board.width)]
    viewer = data.draw(st.sampled_from(cells))
    whole = field_of_view(board, viewer, "both")
    near = [max(abs(x - viewer[0]), abs(y - viewer[1])) <= reach for x, y in cells]
    expected = bytes(seen and is_near for seen, is_near in zip(whole, near, strict=True))
    assert field_of_view(board, viewer, "both", reach) == expected


@pytest.mark.parametrize("corner_rule", ["both", "any"])
@pytest.mark.parametrize("viewer", [(0, 0), (255, 0), (128, 127)])
def test_slopes_of_the_largest_map_are_told_apart(viewer: Cell, corner_rule: CornerRule) -> None:
    """A comb of marks far out, where neighbouring slopes lie closest to each other."""
    marked = [(x, y) for x in range(256) for y in range(256) if (7 * x + 11 * y) % 97 == 5]
    board = board_of_cells(256, 256, [cell for cell in marked if cell != viewer])
    view = field_of_view(board, viewer, corner_rule)
    edge = [(x, y) for x in range(256) for y in range(256) if {x, y} & {0, 251, 252, 253, 254, 255}]
    lines = [is_clear(board, viewer, cell, corner_rule) for cell in edge]
    assert [view[y * 256 + x] == 1 for x, y in edge] == lines
    assert 0 < sum(view) < len(view)


def test_a_field_is_not_made_for_a_board_whose_slopes_it_cannot_tell_apart() -> None:
    with pytest.raises(ValueError, match="too large"):
        field_of_view(board_of_cells(FARTHEST + 1, 1, ()), (0, 0), "both")


def test_a_board_is_read_from_a_drawing() -> None:
    board = board_of_rows(["..#", "X.."], "#X")
    assert board == board_of_cells(3, 2, [(2, 0), (0, 1)])
    assert [is_marked(board, cell) for cell in ((2, 0), (2, 1), (0, 1))] == [True, False, True]
    inside = [is_on_board(board, cell) for cell in ((0, 0), (2, 1), (3, 0), (0, 2), (-1, 0))]
    assert inside == [True, True, False, False, False]
