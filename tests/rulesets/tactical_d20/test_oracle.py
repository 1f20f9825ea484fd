"""Cover, concealment, lines and flanking against a second formulation, on random scenes."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final, Literal

import pytest

from service.engine.geometry.features import Feature
from service.engine.geometry.spaces import Space
from service.rulesets.tactical_d20.rules.concealment import concealment_against
from service.rulesets.tactical_d20.rules.cover import cover_against
from service.rulesets.tactical_d20.rules.flanking import are_opposite
from service.rulesets.tactical_d20.rules.ground import CoverFeature, Fighter, Ground, ground_of
from service.rulesets.tactical_d20.rules.reports import MetLine
from service.rulesets.tactical_d20.rules.total_cover import closing, has_line_of_effect
from service.rulesets.tactical_d20.rules.unseen import has_line_of_sight
from service.rulesets.tactical_d20.rules.words import (
    BorderContact,
    CornerChooser,
    LineOptions,
)
from tests.rulesets.tactical_d20 import oracle
from tests.rulesets.tactical_d20.oracle import Covering, Grade, Mark, MarkKind, Square

SCENES = range(150)
WIDE = 6
KINDS: Final[Mapping[MarkKind, Literal["cell", "V", "H"]]] = {"cell": "cell", "v": "V", "h": "H"}


def feature(mark: Mark) -> Feature:
    """A cell or border as the rules have it."""
    kind, x, y = mark
    return Feature(KINDS[kind], x, y)


class Scene:
    """Two fighters, some more creatures and some ground, from a number."""

    def __init__(self, number: int) -> None:
        dice = Random(number)
        self.dice = dice
        marks = sorted({self._mark() for _ in range(dice.choice([1, 3, 6, 10]))})
        self.walls = {mark for mark in marks if dice.random() < 0.4}
        self.glass = {mark for mark in self.walls if dice.random() < 0.4}
        self.covering = {
            mark: self._covering() for mark in marks if mark in self.walls or dice.random() < 0.5
        }
        self.concealing = {mark: dice.choice([20, 50]) for mark in marks if dice.random() < 0.5}
        self.opaque = {mark for mark in marks if mark not in self.walls and dice.random() < 0.3}
        self.attacker, self.target = self._square(), self._square()
        self.others = tuple(self._square() for _ in range(dice.randint(0, 3)))
        self.height_ft = dice.choice([4, 6, 10])

    def _mark(self) -> Mark:
        kinds: Sequence[MarkKind] = ("cell", "cell", "v", "h")
        kind = self.dice.choice(kinds)
        return kind, self.dice.randint(-1, WIDE), self.dice.randint(-1, WIDE)

    def _covering(self) -> Covering:
        grades: Sequence[Grade] = ("partial", "normal", "improved")
        return Covering(self.dice.choice(grades), self.dice.choice([0, 0, 2, 4]))

    def _square(self) -> Square:
        size = self.dice.choice([1, 1, 1, 2, 3])
        return Square(self.dice.randint(0, WIDE), self.dice.randint(0, WIDE), size)

    @property
    def ground(self) -> Ground:
        """The ground as the rules have it."""
        covers = {
            feature(mark): CoverFeature(what.grade, 0 if mark in self.walls else what.low_height_ft)
            for mark, what in self.covering.items()
        }
        return ground_of(
            walls=map(feature, sorted(self.walls - self.glass)),
            glass=map(feature, sorted(self.glass)),
            opaque=map(feature, sorted(self.opaque)),
            covers=covers,
            percents={feature(mark): each for mark, each in self.concealing.items()},
        )

    @property
    def crowd(self) -> tuple[Fighter, ...]:
        """The other creatures as the rules have them."""
        return tuple(
            Fighter(id=f"c{n}", side="red", space=space(each)) for n, each in enumerate(self.others)
        )


def space(square: Square) -> Space:
    """A space as the rules have it."""
    return Space(square.x, square.y, square.size)


def parts(lines: Iterable[MetLine]) -> set[tuple[str, int, int]]:
    """Everything that some line of a report meets, as marks."""
    return {(each.kind, each.x, each.y) for line in lines for each in (line.ground or ())}


@pytest.mark.rule("TD-COVER-1")
@pytest.mark.rule("TD-COVER-6")
def test_cover_is_what_a_second_formulation_says(subtests: pytest.Subtests) -> None:
    for number in SCENES:
        with subtests.test(number=number):
            require_same_cover(Scene(number))


def require_same_cover(scene: Scene) -> None:
    """Cover of the scene, at range and in melee, as the second formulation has it."""
    for mode in ("ranged", "melee"):
        options = LineOptions(
            border_contact=scene.dice.choice(["along", "interior_only"]),
            partial_cover_method=scene.dice.choice(["declared", "line_count"]),
            soft_cover_vs_melee=scene.dice.random() < 0.5,
            diagonal_rule=scene.dice.choice(["alternating", "equal"]),
        )
        low = {
            mark: Covering(what.grade, 0 if mark in scene.walls else what.low_height_ft)
            for mark, what in scene.covering.items()
        }
        named = scene.dice.choice([None, scene.dice.choice(scene.attacker.lattice)])
        report = cover_against(
            scene.ground,
            space(scene.attacker),
            space(scene.target),
            scene.crowd,
            mode=mode,
            height_ft=scene.height_ft,
            options=options,
            corner=named,
        )
        expected = oracle.cover(
            scene.attacker,
            scene.target,
            low,
            scene.others,
            ranged=mode == "ranged",
            height_ft=scene.height_ft,
            named=named,
            table=oracle.Table(
                along=options.border_contact == "along",
                equal=options.diagonal_rule == "equal",
                line_count=options.partial_cover_method == "line_count",
                soft_vs_melee=options.soft_cover_vs_melee,
            ),
        )
        corner = report.corner
        assert (report.ac, report.reflex) == (expected.ac, expected.reflex)
        assert corner
        assert (corner.x, corner.y) == expected.corner
        assert parts(report.lines) == expected.features
        crossed = {name for line in report.lines for name in (line.combatants or ())}
        assert crossed == {f"c{n}" for n in expected.creatures}
        assert report.can_hide == any(rule != "TD-SOFT-1" for rule in expected.sources)


@pytest.mark.rule("TD-CONC-2")
@pytest.mark.rule("TD-CONC-6")
def test_concealment_is_what_a_second_formulation_says(subtests: pytest.Subtests) -> None:
    for number in SCENES:
        with subtests.test(number=number):
            require_same_concealment(Scene(number))


def require_same_concealment(scene: Scene) -> None:
    """Concealment of the scene as the second formulation has it."""
    chooser: CornerChooser = scene.dice.choice(["defender", "attacker"])
    contact: BorderContact = scene.dice.choice(["along", "interior_only"])
    options = LineOptions(border_contact=contact, concealment_corner_chooser=chooser)
    named = scene.dice.choice([None, scene.dice.choice(scene.attacker.lattice)])
    corner = named if chooser == "attacker" else None
    report = concealment_against(
        scene.ground,
        space(scene.attacker),
        space(scene.target),
        is_adjacent_melee=False,
        senses=(),
        blur_pct=0,
        options=options,
        corner=corner,
    )
    expected = oracle.concealment(
        scene.attacker,
        scene.target,
        scene.concealing,
        chosen_by_attacker=chooser == "attacker",
        named=corner,
        along=contact == "along",
    )
    assert report.percent == expected.percent
    assert report.corner
    assert (report.corner.x, report.corner.y) == expected.corner
    assert parts(report.lines) == expected.features
    beside = concealment_against(
        scene.ground,
        space(scene.attacker),
        space(scene.target),
        is_adjacent_melee=True,
        senses=(),
        blur_pct=0,
        options=options,
    )
    assert beside.percent == oracle.adjacent_concealment(scene.target, scene.concealing)


@pytest.mark.rule("TD-GEO-6")
@pytest.mark.rule("TD-TOTAL-1")
def test_lines_of_effect_and_of_sight_are_what_a_second_formulation_says(
    subtests: pytest.Subtests,
) -> None:
    for number in SCENES:
        with subtests.test(number=number):
            require_same_lines(Scene(number))


def require_same_lines(scene: Scene) -> None:
    """Lines of effect and of sight as the second formulation has them."""
    near, far, ground = space(scene.attacker), space(scene.target), scene.ground
    is_open = bool(oracle.open_lines(scene.attacker, scene.target, scene.walls))
    assert has_line_of_effect(ground, near, far) is is_open
    assert has_line_of_effect(ground, far, near) is is_open
    thick = scene.opaque | (scene.walls - scene.glass)
    is_seen = bool(oracle.open_lines(scene.attacker, scene.target, thick))
    assert has_line_of_sight(ground, near, far, (), is_invisible=False) is is_seen
    if not is_open:
        line = oracle.nearest_line(scene.attacker, scene.target)
        met = oracle.met(*line, scene.walls, scene.attacker, scene.target, along=False)
        assert set(closing(ground, near, far)) == {feature(mark) for mark in met}


@pytest.mark.rule("TD-FLANK-4")
@pytest.mark.rule("TD-FLANK-5")
@pytest.mark.rule("TD-GEO-7")
def test_opposite_sides_are_what_a_second_formulation_says(subtests: pytest.Subtests) -> None:
    for number in SCENES:
        with subtests.test(number=number):
            require_same_sides(Scene(number))


def require_same_sides(scene: Scene) -> None:
    """Partners on opposite sides as the second formulation has them."""
    for partner in scene.others:
        for by in ("centre", "any_cell"):
            expected = oracle.flanks(
                scene.attacker, partner, scene.target, any_cell=by == "any_cell"
            )
            spaces = (space(scene.attacker), space(partner), space(scene.target))
            assert are_opposite(*spaces, by) is expected
