"""Random scenes mirrored and turned: no grade, bonus, per cent, yes or no depends on direction.

Which corner is named may differ: ties go by row and column.
"""

import random
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from service.engine.geometry.features import Feature
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.rulesets.tactical_d20.rules.areas import cover_from, is_in_area
from service.rulesets.tactical_d20.rules.concealment import concealment_against
from service.rulesets.tactical_d20.rules.control import does_control
from service.rulesets.tactical_d20.rules.cover import cover_against
from service.rulesets.tactical_d20.rules.flanking import flanking_report
from service.rulesets.tactical_d20.rules.geometry import are_adjacent, distance_ft
from service.rulesets.tactical_d20.rules.ground import CoverFeature, Fighter, Ground, ground_of
from service.rulesets.tactical_d20.rules.total_cover import has_line_of_effect
from service.rulesets.tactical_d20.rules.unseen import has_line_of_sight, has_open_sight
from service.rulesets.tactical_d20.rules.words import (
    AttackMode,
    FeatureGrade,
    Light,
    LineOptions,
    Sense,
)
from tests.engine.corner_oracle import Mark, Square
from tests.engine.corner_scenes import (
    Scene,
    mirrored,
    mirrored_mark,
    scene_of,
    transposed,
    transposed_mark,
)

SCENES_PER_CASE = 25


class Part(NamedTuple):
    """What a marked cell or border is made of."""

    wall: bool
    glass: bool
    opaque: bool
    cover: CoverFeature | None
    percent: int
    light: Light | None


class Question(NamedTuple):
    """What is asked about a scene, whichever way it lies."""

    options: LineOptions
    senses: tuple[Sense, ...]
    height_ft: int
    radius_ft: int
    reach_ft: int


def part_of(dice: random.Random) -> Part:
    kind = dice.choice(("wall", "glass", "opaque", "cover", "smoke", "light"))
    grades: tuple[FeatureGrade, ...] = ("partial", "normal", "improved")
    cover = CoverFeature(dice.choice(grades), dice.choice((0, 2, 3, 4)))
    return Part(
        wall=kind == "wall",
        glass=kind == "glass",
        opaque=kind == "opaque",
        cover=cover if kind == "cover" else None,
        percent=dice.choice((20, 50)) if kind in ("smoke", "opaque") else 0,
        light=dice.choice(("dim", "dark")) if kind == "light" else None,
    )


def question_of(dice: random.Random) -> Question:
    return Question(
        options=LineOptions(
            diagonal_rule=dice.choice(("alternating", "equal")),
            border_contact=dice.choice(("along", "interior_only")),
            partial_cover_method=dice.choice(("declared", "line_count")),
            concealment_corner_chooser=dice.choice(("defender", "attacker")),
            soft_cover_vs_melee=dice.random() < 0.5,
            light_on_line=dice.random() < 0.5,
            low_obstacle_range_ft=dice.choice((5, 30)),
            flank_partner=dice.choice(("centre", "any_cell")),
        ),
        senses=dice.choice(((), ("low_light",), ("darkvision",))),
        height_ft=dice.choice((5, 6)),
        radius_ft=dice.choice((10, 25, 40)),
        reach_ft=dice.choice((5, 10, 30)),
    )


def ground_with(parts: Mapping[Mark, Part]) -> Ground:
    stated = {Feature(*mark): part for mark, part in parts.items()}
    return ground_of(
        walls=[mark for mark, part in stated.items() if part.wall],
        glass=[mark for mark, part in stated.items() if part.glass],
        opaque=[mark for mark, part in stated.items() if part.opaque],
        covers={mark: part.cover for mark, part in stated.items() if part.cover is not None},
        percents={mark: part.percent for mark, part in stated.items() if part.percent},
        light={
            (mark.x, mark.y): part.light
            for mark, part in stated.items()
            if part.light is not None and mark.kind == "cell"
        },
    )


def fighter(name: str, square: Square, reach_ft: int) -> Fighter:
    return Fighter(
        id=name, side="blue" if name == "t" else "red", space=Space(*square), reach_ft=reach_ft
    )


def verdicts(
    scene: Scene, parts: Mapping[Mark, Part], origin: Cell, question: Question
) -> dict[str, object]:
    """Everything the rules say of the scene, but for corners, lines and what is named."""
    ground, options = ground_with(parts), question.options
    attacker, target, third = (
        fighter(name, square, question.reach_ft)
        for name, square in zip("atb", (scene.near, scene.far, scene.third), strict=True)
    )
    near, far = attacker.space, target.space
    modes: tuple[AttackMode, ...] = ("melee", "ranged")
    covers = [
        cover_against(
            ground, near, far, (third,), mode=mode, height_ft=question.height_ft, options=options
        )
        for mode in modes
    ]
    area = cover_from(ground, origin, far, height_ft=question.height_ft, options=options)
    return {
        "distance": distance_ft(near, 0, far, 0, options.diagonal_rule),
        "cover": [(each.grade, each.ac, each.reflex, each.can_hide) for each in covers],
        "concealment": [
            concealment_against(
                ground,
                near,
                far,
                is_adjacent_melee=mode == "melee" and are_adjacent(near, 0, far, 0),
                senses=question.senses,
                blur_pct=0,
                options=options,
            ).percent
            for mode in modes
        ],
        "effect": has_line_of_effect(ground, near, far),
        "sight": has_line_of_sight(ground, near, far, question.senses, is_invisible=False),
        "control": does_control(ground, attacker, far, 0, options.diagonal_rule),
        "flanking": flanking_report(ground, attacker, target, (third,), options),
        "area": [
            is_in_area(
                ground, origin, far, question.radius_ft, options.diagonal_rule, spread=spread
            )
            for spread in (False, True)
        ],
        "save": (area.grade, area.ac, area.reflex),
    }


@pytest.mark.parametrize("seed", range(16))
def test_a_scene_and_its_mirror_images_have_the_same_verdicts(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(SCENES_PER_CASE):
        scene = scene_of(dice, largest=3)
        parts = {mark: part_of(dice) for mark in sorted(scene.marks)}
        origin, question = dice.choice(scene.third.lattice()), question_of(dice)
        expected = verdicts(scene, parts, origin, question)
        x, y = origin
        over_x = {mirrored_mark(mark): part for mark, part in parts.items()}
        assert verdicts(mirrored(scene), over_x, (-x, y), question) == expected, scene
        over = {transposed_mark(mark): part for mark, part in parts.items()}
        assert verdicts(transposed(scene), over, (y, x), question) == expected, scene
        turned = {mirrored_mark(mark): part for mark, part in over.items()}
        assert verdicts(mirrored(transposed(scene)), turned, (-y, x), question) == expected, scene


@pytest.mark.parametrize("seed", range(100, 104))
def test_lines_of_effect_and_of_sight_lead_both_ways(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(SCENES_PER_CASE):
        scene = scene_of(dice, largest=4)
        ground = ground_with({mark: part_of(dice) for mark in sorted(scene.marks)})
        near, far = Space(*scene.near), Space(*scene.far)
        for is_open in (has_line_of_effect, has_open_sight):
            assert is_open(ground, near, far) == is_open(ground, far, near), scene
