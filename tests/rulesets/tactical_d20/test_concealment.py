"""TD-CONC: smoke, blur, light, the corner, and the chance to miss."""

import pytest
from msgspec import UNSET

from service.engine.geometry.features import Feature
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import GroundPart, Modifier, cancelled
from service.rulesets.tactical_d20.rules.concealment import (
    Source,
    best_of,
    blur_source,
    concealment_against,
    degree_in_space,
    is_missed,
    light_degree,
    lights_hindering,
    overruled,
    require_concealment_corner,
    used_corner,
)
from service.rulesets.tactical_d20.rules.ground import Ground, ground_of
from service.rulesets.tactical_d20.rules.reports import ConcealmentReport, MetLine, Vertex
from service.rulesets.tactical_d20.rules.words import CornerChooser, Light, LineOptions, Sense
from tests.rulesets.tactical_d20.scenes import DEFAULTS, INTERIOR, one, refusal, smoke

A, T = one(0, 0), one(4, 0)
BY_ATTACKER = LineOptions(concealment_corner_chooser="attacker")
ON_LINE = LineOptions(light_on_line=True)


def concealment(
    ground: Ground,
    attacker: Space = A,
    target: Space = T,
    *,
    options: LineOptions = DEFAULTS,
    is_adjacent_melee: bool = False,
    senses: tuple[Sense, ...] = (),
    blur_pct: int = 0,
    corner: Cell | None = None,
    override: int | None = None,
) -> ConcealmentReport:
    return concealment_against(
        ground,
        attacker,
        target,
        is_adjacent_melee=is_adjacent_melee,
        senses=senses,
        blur_pct=blur_pct,
        options=options,
        corner=corner,
        override=override,
    )


def said(report: ConcealmentReport) -> tuple[int, tuple[tuple[str, int], ...]]:
    return report.percent, tuple((line.rule, line.amount) for line in report.sources)


def corner_of(report: ConcealmentReport) -> Cell | None:
    return None if report.corner is UNSET else (report.corner.x, report.corner.y)


def part(x: int, y: int) -> GroundPart:
    return GroundPart(kind="cell", x=x, y=y)


@pytest.mark.rule("TD-CONC-2")
@pytest.mark.parametrize(
    ("place", "by_defender", "interior", "by_attacker"),
    [
        ((2, 0), (20, (0, 0)), (20, (0, 0)), (20, (0, 0))),
        ((2, 1), (20, (0, 1)), (0, (0, 0)), (0, (0, 0))),
        ((4, 0), (20, (0, 0)), (20, (0, 0)), (20, (0, 0))),
        ((0, 0), (20, (0, 0)), (20, (0, 0)), (0, (1, 0))),
        ((9, 9), (0, (0, 0)), (0, (0, 0)), (0, (0, 0))),
    ],
)
def test_the_corner_is_the_defenders_or_the_attackers(
    place: Cell,
    by_defender: tuple[int, Cell],
    interior: tuple[int, Cell],
    by_attacker: tuple[int, Cell],
) -> None:
    reports = [
        concealment(smoke({place: 20}), options=each) for each in (DEFAULTS, INTERIOR, BY_ATTACKER)
    ]
    answers = [(report.percent, corner_of(report)) for report in reports]
    assert answers == [by_defender, interior, by_attacker]


@pytest.mark.rule("TD-CONC-2")
def test_an_attacker_may_name_a_worse_corner() -> None:
    ground = smoke({(2, 1): 20})
    named = concealment(ground, options=BY_ATTACKER, corner=(0, 1))
    assert (named.percent, corner_of(named)) == (20, (0, 1))


@pytest.mark.rule("TD-CONC-2")
@pytest.mark.parametrize(
    ("chooser", "degrees", "corner"),
    [
        ("defender", {}, (0, 0)),
        ("defender", {(1, 0): 20, (0, 1): 50, (1, 1): 50}, (0, 1)),
        ("attacker", {(0, 0): 20, (1, 0): 10, (0, 1): 10, (1, 1): 50}, (1, 0)),
        ("attacker", {(0, 0): 20, (1, 0): 20, (0, 1): 20}, (1, 1)),
    ],
)
def test_ties_go_to_the_least_row_then_column(
    chooser: CornerChooser, degrees: dict[Cell, int], corner: Cell
) -> None:
    def degree_from(place: Cell, unless: int | None) -> int | None:
        degree = degrees.get(place, 0)
        return degree if unless is None or degree < unless else None

    assert used_corner(A, degree_from, chooser, 100) == corner


@pytest.mark.rule("TD-CONC-2")
def test_a_curtain_on_a_border_conceals() -> None:
    curtain = ground_of(percents={Feature("V", 2, 0): 30})
    assert said(concealment(curtain)) == (30, (("TD-CONC-2", 30),))
    assert said(concealment(curtain, A, one(1, 0))) == (0, ())


@pytest.mark.rule("TD-CONC-2")
def test_the_report_names_the_corner_the_lines_and_what_they_meet() -> None:
    report = concealment(smoke({(3, 0): 20}), options=INTERIOR)
    assert report == ConcealmentReport(
        percent=20,
        sources=(Modifier(rule="TD-CONC-2", amount=20, ground=(part(3, 0),)),),
        corner=Vertex(x=0, y=0),
        lines=tuple(MetLine(end=Vertex(x=x, y=1), ground=(part(3, 0),)) for x in (4, 5)),
    )


@pytest.mark.rule("TD-CONC-3")
@pytest.mark.parametrize(
    ("percent", "die", "is_so"),
    [(20, 19, True), (20, 20, True), (20, 21, False), (0, 1, False), (100, 100, True)],
)
def test_the_die_must_be_above_the_chance(percent: int, die: int, is_so: bool) -> None:
    assert is_missed(percent, die) == is_so


@pytest.mark.rule("TD-CONC-4")
@pytest.mark.rule("TD-CONC-5")
def test_several_sources_do_not_add() -> None:
    report = concealment(smoke({(2, 0): 20, (3, 0): 50}), blur_pct=20)
    assert report.percent == 50
    assert report.sources == (
        Modifier(rule="TD-CONC-2", amount=50, ground=(part(3, 0),)),
        cancelled(
            Modifier(rule="TD-CONC-2", amount=20, ground=(part(2, 0),)),
            "not_stacking",
            "TD-CONC-4",
        ),
        cancelled(Modifier(rule="TD-CONC-5", amount=20), "not_stacking", "TD-CONC-4"),
    )


@pytest.mark.rule("TD-CONC-4")
@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ((), (0, ())),
        ((("TD-CONC-8", 20),), (20, (("TD-CONC-8", 20),))),
        (
            (("TD-CONC-8", 20), ("TD-CONC-2", 20)),
            (20, (("TD-CONC-2", 20), ("TD-CONC-8", 0))),
        ),
        (
            (("TD-CONC-5", 40), ("TD-CONC-2", 20), ("TD-CONC-6", 40)),
            (40, (("TD-CONC-2", 0), ("TD-CONC-5", 40), ("TD-CONC-6", 0))),
        ),
    ],
)
def test_a_tie_is_won_in_the_order_of_the_rules(
    sources: tuple[tuple[str, int], ...], expected: tuple[int, tuple[tuple[str, int], ...]]
) -> None:
    percent, lines = best_of(Source(*each) for each in sources)
    assert (percent, tuple((line.rule, line.amount) for line in lines)) == expected


@pytest.mark.rule("TD-CONC-5")
@pytest.mark.parametrize(("blur_pct", "expected"), [(0, (0, ())), (1, (1, (("TD-CONC-5", 1),)))])
def test_blur_conceals_from_everybody(
    blur_pct: int, expected: tuple[int, tuple[tuple[str, int], ...]]
) -> None:
    assert len(blur_source(blur_pct)) == len(expected[1])
    assert said(concealment(smoke({}), blur_pct=blur_pct)) == expected
    near = concealment(smoke({}), blur_pct=blur_pct, is_adjacent_melee=True)
    assert said(near) == expected


@pytest.mark.rule("TD-CONC-6")
@pytest.mark.parametrize(
    ("percents", "expected"),
    [
        ({}, (0, ())),
        ({(1, 0): 20, (2, 0): 20, (1, 1): 20}, (0, ())),
        ({(1, 0): 20, (2, 0): 20, (1, 1): 20, (2, 1): 50}, (20, (("TD-CONC-6", 20),))),
        ({(1, 0): 40, (2, 0): 30, (1, 1): 60, (2, 1): 50}, (30, (("TD-CONC-6", 30),))),
    ],
)
def test_a_neighbour_is_concealed_only_on_its_whole_space(
    percents: dict[Cell, int], expected: tuple[int, tuple[tuple[str, int], ...]]
) -> None:
    report = concealment(smoke(percents), A, one(1, 0, 2), is_adjacent_melee=True)
    assert (said(report), corner_of(report)) == (expected, None)


@pytest.mark.rule("TD-CONC-6")
def test_beyond_a_step_melee_is_judged_by_lines() -> None:
    assert said(concealment(smoke({(1, 0): 20}), A, one(2, 0))) == (20, (("TD-CONC-2", 20),))


@pytest.mark.rule("TD-CONC-6")
@pytest.mark.rule("TD-CONC-8")
@pytest.mark.parametrize(
    ("percents", "light", "expected"),
    [
        ({}, {(1, 0): "dim"}, (20, (("TD-CONC-8", 20),))),
        ({(1, 0): 20}, {(1, 0): "dim"}, (20, (("TD-CONC-6", 20), ("TD-CONC-8", 0)))),
        ({(1, 0): 10}, {(1, 0): "dim"}, (20, (("TD-CONC-6", 0), ("TD-CONC-8", 20)))),
        ({}, {(1, 0): "dark"}, (0, ())),
    ],
)
def test_light_conceals_a_neighbour_too(
    percents: dict[Cell, int],
    light: dict[Cell, Light],
    expected: tuple[int, tuple[tuple[str, int], ...]],
) -> None:
    ground = smoke(percents, light=light)
    assert said(concealment(ground, A, one(1, 0), is_adjacent_melee=True)) == expected


@pytest.mark.rule("TD-CONC-6")
def test_smoke_here_and_dim_light_there_conceal_together() -> None:
    half: dict[Cell, Light] = {(2, 0): "dim", (2, 1): "dim"}
    ground = smoke({(1, 0): 50, (1, 1): 50}, light=half)
    report = concealment(ground, A, one(1, 0, 2), is_adjacent_melee=True)
    assert said(report) == (20, (("TD-CONC-6", 20),))
    assert [degree_in_space(each) for each in ((50, 20), (0, 50), (7,))] == [20, 0, 7]


@pytest.mark.rule("TD-CONC-7")
@pytest.mark.parametrize("percent", [0, 1, 100])
def test_the_game_masters_degree_replaces_everything(percent: int) -> None:
    report = concealment(smoke({(2, 0): 20}), blur_pct=30, override=percent)
    assert report == overruled(percent)
    assert said(report) == (percent, (("TD-CONC-7", percent),))


@pytest.mark.rule("TD-CONC-8")
@pytest.mark.parametrize(
    ("lights", "degree"),
    [
        ((None,), 0),
        (("dim",), 20),
        (("dark",), 0),
        (("dark", None), 20),
        (("dark", "dim"), 20),
        (("dark", "dark"), 0),
        ((None, "dim"), 20),
    ],
)
def test_dim_light_and_darkness_on_a_part_conceal(
    lights: tuple[Light | None, ...], degree: int
) -> None:
    assert light_degree(lights, ("dim", "dark"), 20) == degree
    assert light_degree(lights, (), 20) == 0


@pytest.mark.rule("TD-CONC-8")
def test_light_counts_on_the_target_alone_unless_the_table_wants_the_line() -> None:
    here = smoke({}, light={(4, 0): "dim"})
    between = smoke({}, light={(2, 0): "dark"})
    source = Modifier(rule="TD-CONC-8", amount=20, ground=(part(4, 0),))
    assert concealment(here) == ConcealmentReport(
        percent=20, sources=(source,), corner=Vertex(x=0, y=0)
    )
    assert said(concealment(between)) == (0, ())
    assert said(concealment(between, options=ON_LINE)) == (20, (("TD-CONC-8", 20),))
    darkvision: tuple[Sense, ...] = ("darkvision",)
    assert said(concealment(between, options=ON_LINE, senses=darkvision)) == (0, ())


@pytest.mark.rule("TD-CONC-8")
def test_the_usual_degree_is_the_tables() -> None:
    ground = smoke({}, light={(4, 0): "dim"})
    usual = LineOptions(default_concealment_pct=35)
    assert said(concealment(ground, options=usual)) == (35, (("TD-CONC-8", 35),))


@pytest.mark.rule("TD-CONC-9")
@pytest.mark.parametrize(
    ("senses", "hindering"),
    [
        ((), ("dim", "dark")),
        (("low_light",), ("dark",)),
        (("darkvision",), ()),
        (("low_light", "darkvision"), ()),
    ],
)
def test_senses_do_away_with_light_but_not_with_smoke(
    senses: tuple[Sense, ...], hindering: tuple[Light, ...]
) -> None:
    assert lights_hindering(senses) == hindering
    dim = smoke({}, light={(4, 0): "dim"})
    assert concealment(dim, senses=senses).percent == (20 if "dim" in hindering else 0)
    thick = smoke({(4, 0): 20}, light={(4, 0): "dim"})
    assert concealment(thick, senses=senses).percent == 20


@pytest.mark.rule("TD-CONC-2")
@pytest.mark.parametrize(
    ("corner", "chooser", "is_refused"),
    [
        (None, "defender", False),
        (None, "attacker", False),
        ((1, 1), "attacker", False),
        ((1, 1), "defender", True),
        ((2, 1), "attacker", True),
    ],
)
def test_the_corner_is_named_only_by_who_chooses_it(
    corner: Cell | None, chooser: CornerChooser, is_refused: bool
) -> None:
    x, y = corner or (0, 0)
    facts: dict[str, object] = {"x": x, "y": y}
    expected = ("bad_corner", "TD-CONC-2", facts) if is_refused else None
    assert refusal(lambda: require_concealment_corner(corner, A, chooser)) == expected
