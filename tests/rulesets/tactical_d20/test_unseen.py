"""TD-UNSEEN, TD-TOTAL and TD-GEO-6: lines of sight and of effect, and guessed cells."""

import pytest

from service.engine.geometry.features import Feature
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier, cancelled
from service.rulesets.tactical_d20.rules.geometry import has_open_line
from service.rulesets.tactical_d20.rules.ground import Ground, ground_of
from service.rulesets.tactical_d20.rules.reports import ConcealmentReport, Vertex
from service.rulesets.tactical_d20.rules.total_cover import (
    closing,
    has_line_of_effect,
    require_line_of_effect,
)
from service.rulesets.tactical_d20.rules.unseen import (
    draws_miss_chance,
    guessed,
    has_line_of_sight,
    is_in_darkness,
    require_seen,
    require_unseen,
)
from service.rulesets.tactical_d20.rules.words import CoverGrade, Light, Sense
from tests.rulesets.tactical_d20.scenes import Refusal, cell, one, refusal, smoke, solid

A, T = one(0, 0), one(4, 0)
COLUMN = tuple(cell(2, y) for y in (-1, 0, 1))
LONG_WALL = ground_of(walls=[Feature("V", 2, y) for y in range(-6, 7)])


def is_seen(
    ground: Ground,
    senses: tuple[Sense, ...] = (),
    *,
    target: Space = T,
    is_invisible: bool = False,
) -> bool:
    return has_line_of_sight(ground, A, target, senses, is_invisible=is_invisible)


@pytest.mark.rule("TD-GEO-6")
@pytest.mark.parametrize(
    ("ground", "target", "is_open"),
    [
        (solid(), (4, 0), True),
        (solid((2, 0)), (4, 0), True),
        (solid((2, -1), (2, 0), (2, 1)), (4, 0), False),
        (solid((1, 0)), (2, 2), True),
        (solid((1, 0), (0, 1)), (2, 2), False),
        (ground_of(walls=[Feature("V", 2, 0)]), (2, 0), True),
        (LONG_WALL, (2, 0), False),
    ],
)
def test_a_line_is_open_unless_all_are_interrupted(
    ground: Ground, target: Cell, is_open: bool
) -> None:
    assert has_open_line(ground.walls, A, one(*target)) == is_open
    assert has_line_of_effect(ground, A, one(*target)) == is_open
    assert has_line_of_effect(ground, one(*target), A) == is_open


@pytest.mark.rule("TD-TOTAL-1")
@pytest.mark.parametrize(
    ("ground", "override", "is_refused"),
    [
        (solid(), None, False),
        (solid(), "improved", False),
        (solid(), "total", True),
        (ground_of(walls=COLUMN), None, True),
        (ground_of(glass=COLUMN), None, True),
        (ground_of(opaque=COLUMN), None, False),
        (ground_of(walls=COLUMN), "none", True),
    ],
)
def test_without_a_line_of_effect_there_is_no_attack(
    ground: Ground, override: CoverGrade | None, is_refused: bool
) -> None:
    expected: Refusal | None = ("total_cover", "TD-TOTAL-1", {}) if is_refused else None
    assert refusal(lambda: require_line_of_effect(ground, A, T, override)) == expected


@pytest.mark.rule("TD-TOTAL-1")
def test_the_walls_on_the_line_of_the_nearest_corners_close_it() -> None:
    assert closing(ground_of(walls=COLUMN), A, T) == (cell(2, -1), cell(2, 0))
    assert closing(LONG_WALL, A, one(2, 0)) == (Feature("V", 2, -1), Feature("V", 2, 0))


@pytest.mark.rule("TD-UNSEEN-1")
@pytest.mark.rule("TD-GEO-6")
@pytest.mark.parametrize(
    ("ground", "seen", "effect"),
    [
        (ground_of(walls=COLUMN), False, False),
        (ground_of(glass=COLUMN), True, False),
        (ground_of(opaque=COLUMN), False, True),
        (ground_of(opaque=COLUMN[1:2]), True, True),
    ],
)
def test_glass_stops_effect_and_thick_smoke_stops_sight(
    ground: Ground, seen: bool, effect: bool
) -> None:
    assert (is_seen(ground), has_line_of_effect(ground, A, T)) == (seen, effect)
    expected: Refusal | None = None if seen else ("target_unseen", "TD-UNSEEN-1", {})
    assert refusal(lambda: require_seen(is_seen=seen)) == expected


@pytest.mark.rule("TD-UNSEEN-1")
@pytest.mark.parametrize(
    ("light", "senses", "seen"),
    [
        ("dim", (), True),
        ("dark", (), False),
        ("dark", ("low_light",), False),
        ("dark", ("darkvision",), True),
    ],
)
def test_darkness_hides_from_all_without_darkvision(
    light: Light, senses: tuple[Sense, ...], seen: bool
) -> None:
    ground = smoke({}, light={(4, 0): light})
    assert is_seen(ground, senses) == seen
    assert is_in_darkness(ground, T, senses) != seen
    assert is_seen(ground, senses, target=one(4, 0, 2))


@pytest.mark.rule("TD-UNSEEN-1")
def test_no_sense_finds_the_invisible() -> None:
    assert not is_seen(solid(), ("darkvision",), is_invisible=True)


@pytest.mark.rule("TD-UNSEEN-2")
@pytest.mark.parametrize("seen", [True, False])
def test_only_a_cell_without_a_visible_creature_is_guessed(seen: bool) -> None:
    facts: dict[str, object] = {"x": 4, "y": 1}
    expected = ("target_is_visible", "TD-UNSEEN-2", facts) if seen else None
    assert refusal(lambda: require_unseen((4, 1), is_seen=seen)) == expected


@pytest.mark.rule("TD-UNSEEN-3")
@pytest.mark.parametrize(
    ("concealment", "percent", "amounts"),
    [(0, 50, (50,)), (49, 50, (0, 50)), (50, 50, (50, 0)), (51, 51, (51, 0))],
)
def test_a_guess_misses_half_the_time_or_as_concealment_makes_it(
    concealment: int, percent: int, amounts: tuple[int, ...]
) -> None:
    smoke_line = Modifier(rule="TD-CONC-2", amount=concealment)
    guess_line = Modifier(rule="TD-UNSEEN-3", amount=50)
    sources = (smoke_line,) if concealment else ()
    corner = Vertex(x=1, y=2)
    report = ConcealmentReport(percent=concealment, sources=sources, corner=corner)
    shown = tuple(
        line if amount else cancelled(line, "not_stacking", "TD-CONC-4")
        for line, amount in zip((*sources, guess_line), amounts, strict=True)
    )
    assert guessed(report, 50) == ConcealmentReport(percent=percent, sources=shown, corner=corner)


@pytest.mark.rule("TD-UNSEEN-3")
@pytest.mark.parametrize(("natural", "draws"), [(1, False), (2, True), (20, True)])
def test_the_percent_die_is_drawn_after_all_but_a_natural_one(natural: int, draws: bool) -> None:
    assert draws_miss_chance(natural) == draws
