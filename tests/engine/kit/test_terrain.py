"""Changes of the ground: the last one of a part counts, and a secret is one until it is public."""

from typing import NamedTuple

import pytest

from service.engine.kit.terrain import change_ground, overlay


class Part(NamedTuple):
    """A part of the ground and what it is."""

    name: str
    kind: str


def name_of(part: Part) -> str:
    return part.name


A, B, C = Part("a", "wall"), Part("b", "wall"), Part("c", "wall")
GATE = Part("b", "gate")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((), (), ()),
        ((), (C, A), (A, C)),
        ((C, A), (), (A, C)),
        ((A, B), (GATE,), (A, GATE)),
        ((), (B, GATE), (GATE,)),
        ((GATE,), (C, B, A), (A, B, C)),
    ],
)
def test_later_changes_take_the_place_of_earlier_ones_in_the_order_of_keys(
    before: tuple[Part, ...], after: tuple[Part, ...], expected: tuple[Part, ...]
) -> None:
    assert overlay(before, after, name_of) == expected


@pytest.mark.parametrize(
    "names", [("a",), ("n00",), ("n07",), ("n30",), ("n99",), ("z", "a"), ("n07", "n07a")]
)
def test_few_changes_are_laid_over_many_alike(names: tuple[str, ...]) -> None:
    before = tuple(Part(f"n{number:02}", "wall") for number in range(0, 100, 2))
    after = tuple(Part(name, kind) for name in names for kind in ("door", "gate"))
    expected = {part.name: part for part in (*before, *after)}
    laid = overlay(before, after, name_of)
    assert laid == tuple(expected[name] for name in sorted(expected))


def test_parts_of_a_grid_are_kept_by_kind_then_place() -> None:
    keys = (("v", 0, 0), ("cell", 2, 0), ("h", 0, 0), ("cell", 1, 9))
    assert overlay((), keys, lambda key: key) == (
        ("cell", 1, 9),
        ("cell", 2, 0),
        ("h", 0, 0),
        ("v", 0, 0),
    )


def test_a_secret_change_leaves_what_everyone_knows_alone() -> None:
    ground = change_ground((A, B), (C,), (GATE,), is_secret=True, key=name_of)
    assert ground == ((A, B), (GATE, C))


def test_a_public_change_ends_the_secret_about_the_same_part() -> None:
    ground = change_ground((A,), (GATE, C), (B,), is_secret=False, key=name_of)
    assert ground == ((A, B), (C,))
