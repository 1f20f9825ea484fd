"""TD-SOFT, TD-COVER-4: creatures in the way."""

import pytest

from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.rulesets.tactical_d20.rules.cover import require_no_cover
from service.rulesets.tactical_d20.rules.cover_grades import Bonus
from service.rulesets.tactical_d20.rules.living_cover import (
    bystanders_between,
    bystanders_of,
    creatures_crossed,
    gives_living_cover,
    living_bonus,
)
from service.rulesets.tactical_d20.rules.words import AttackMode, LineOptions
from tests.rulesets.tactical_d20.scenes import cover, creature, one, refusal, solid

A, T = one(0, 0), one(4, 0)
IN_MELEE = LineOptions(soft_cover_vs_melee=True)


@pytest.mark.rule("TD-SOFT-1")
@pytest.mark.parametrize(
    ("mode", "is_left_out", "counts_in_melee", "gives"),
    [
        ("ranged", False, False, True),
        ("ranged", True, False, False),
        ("melee", False, False, False),
        ("melee", False, True, True),
        ("melee", True, True, False),
    ],
)
def test_the_living_are_cover_against_shots(
    mode: AttackMode, is_left_out: bool, counts_in_melee: bool, gives: bool
) -> None:
    said = gives_living_cover(mode, is_left_out=is_left_out, counts_in_melee=counts_in_melee)
    assert said == gives


@pytest.mark.rule("TD-SOFT-1")
@pytest.mark.rule("TD-COVER-4")
@pytest.mark.parametrize(
    ("places", "ac"),
    [((), 0), (((2, 0),), 4), (((2, 1),), 0), (((2, 0), (3, 0)), 4), (((5, 0),), 0)],
)
def test_a_creature_on_every_line_gives_four(places: tuple[Cell, ...], ac: int) -> None:
    others = [creature(f"s{x}", x, y) for x, y in places]
    report = cover(solid(), A, T, *others)
    assert (report.ac, report.reflex, report.can_hide) == (ac, 0, False)
    assert cover(solid(), A, T, *others, mode="melee").ac == 0


@pytest.mark.rule("TD-SOFT-1")
def test_the_unconscious_are_cover_and_the_dead_are_not() -> None:
    lying = creature("s", 2, 0)
    assert cover(solid(), A, T, lying).ac == 4
    assert cover(solid(), A, T, creature("s", 2, 0, is_dead=True)).ac == 0


@pytest.mark.rule("TD-SOFT-2")
def test_creatures_give_nothing_to_reflex_and_nobody_hides_behind_them() -> None:
    assert living_bonus() == Bonus(4, 0)
    behind = cover(solid(), A, T, creature("s", 2, 0))
    assert (behind.grade, behind.reflex, behind.can_hide) == ("normal", 0, False)
    with_wall = cover(solid((3, 0)), A, T, creature("s", 2, 0))
    assert (with_wall.ac, with_wall.reflex, with_wall.can_hide) == (4, 2, True)


@pytest.mark.rule("TD-SOFT-1")
@pytest.mark.rule("TD-COVER-3")
def test_creatures_stop_an_opportunity_attack_only_if_the_table_wants_it() -> None:
    between = creature("s", 1, 0)
    strike = cover(solid(), A, one(2, 0), between, mode="melee")
    assert refusal(lambda: require_no_cover(strike)) is None
    stopped = cover(solid(), A, one(2, 0), between, mode="melee", options=IN_MELEE)
    facts: dict[str, object] = {"grade": "normal"}
    expected = ("target_has_cover", "TD-COVER-3", facts)
    assert refusal(lambda: require_no_cover(stopped)) == expected


@pytest.mark.rule("TD-COVER-4")
@pytest.mark.parametrize(
    ("start", "end", "met"),
    [
        ((0, 0), (4, 0), ()),
        ((0, 0), (4, 1), ("large", "other")),
        ((0, 1), (4, 1), ()),
        ((2, 2), (2, -2), ()),
        ((2, 2), (1, -2), ("large",)),
        ((1, 2), (1, -2), ()),
        ((4, 0), (3, 1), ("other",)),
    ],
)
def test_only_the_interior_of_a_cell_counts(start: Cell, end: Cell, met: tuple[str, ...]) -> None:
    standing = bystanders_of((("large", Space(1, 0, 2)), ("other", Space(3, 0))))
    assert creatures_crossed(standing, start, end) == met
    assert creatures_crossed(standing, end, start) == met
    assert creatures_crossed(bystanders_of(()), start, end) == ()


@pytest.mark.rule("TD-COVER-4")
def test_those_who_share_a_cell_are_all_named_in_order() -> None:
    sharing = bystanders_of((("b", Space(2, 0)), ("a", Space(2, 0)), ("c", Space(1, 0))))
    assert creatures_crossed(sharing, (0, 0), (4, 1)) == ("b", "a", "c")


def test_who_stands_outside_the_rectangle_is_in_nobodys_way() -> None:
    places = {"in": (2, 0), "beside": (2, 1), "west": (-1, 0), "edge": (5, 0), "reaching": (3, -1)}
    others = tuple(
        creature(name, *place, 2 if name == "reaching" else 1) for name, place in places.items()
    )
    between = bystanders_between(A, T, others, "ranged", counts_in_melee=False)
    assert between == (("in", Space(2, 0)), ("reaching", Space(3, -1, 2)))
    back = bystanders_between(T, A, others, "ranged", counts_in_melee=False)
    assert back == between


def test_the_rectangle_holds_both_spaces_whole() -> None:
    corners = {"north": (4, 0), "south": (4, 4), "beyond": (6, 2), "above": (4, -1)}
    others = tuple(creature(name, *place) for name, place in corners.items())
    near, far = Space(4, 3, 2), Space(0, 0)
    for one_way in ((near, far), (far, near)):
        between = bystanders_between(*one_way, others, "ranged", counts_in_melee=False)
        assert [name for name, _ in between] == ["north", "south"]
