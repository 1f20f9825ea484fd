"""CF-GEO-5 on random scenes, held against a second formulation of it."""

import random

import pytest

from service.engine.geometry.features import Border
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.rulesets.crossfire_d6.rules.ground import Fighter, Ground, Posture, ground_of
from service.rulesets.crossfire_d6.rules.position import best_sight, has_line
from tests.engine.geometry_oracle import Mark
from tests.rulesets.crossfire_d6.position_oracle import Scene, solve

POSTURES: tuple[Posture, ...] = ("open", "in_cover", "in_cover", "blocked")


def random_marks(dice: random.Random, span: int, share: int) -> frozenset[Mark]:
    """About `share` of 100 cells and a third as many borders of a square map."""
    places = [(x, y) for x in range(span) for y in range(span)]
    marks: set[Mark] = {("cell", x, y) for x, y in places if dice.randrange(100) < share}
    marks |= {("V", x, y) for x, y in places if dice.randrange(300) < share}
    marks |= {("H", x, y) for x, y in places if dice.randrange(300) < share}
    return frozenset(marks)


def random_scene(dice: random.Random) -> Scene:
    span = dice.randint(4, 9)
    sizes = (1, 1, 1, 1, 2, 3)

    def space() -> Space:
        return Space(dice.randrange(span), dice.randrange(span), dice.choice(sizes))

    return Scene(
        solid=random_marks(dice, span, dice.choice((0, 6, 15, 30))),
        cover=random_marks(dice, span, dice.choice((0, 10, 30))),
        smoke=frozenset((x, y) for _, x, y in random_marks(dice, span, dice.choice((0, 8)))),
        dark=frozenset((x, y) for _, x, y in random_marks(dice, span, dice.choice((0, 30)))),
        attacker=space(),
        attacker_posture=dice.choice(POSTURES),
        target=space(),
        target_posture=dice.choice(POSTURES),
        intervening=dice.random() < 0.3,
    )


def ground_in(scene: Scene) -> Ground:
    def cells(marks: frozenset[Mark]) -> list[Cell]:
        return [(x, y) for kind, x, y in marks if kind == "cell"]

    def borders(marks: frozenset[Mark]) -> list[Border]:
        return [(kind, x, y) for kind, x, y in marks if kind != "cell"]

    return ground_of(
        solid_cells=cells(scene.solid),
        solid_borders=borders(scene.solid),
        cover_cells=cells(scene.cover),
        cover_borders=borders(scene.cover),
        smoke=scene.smoke,
        dark=scene.dark,
    )


def check(scene: Scene) -> str:
    attacker = Fighter(id="a", side="red", space=scene.attacker, posture=scene.attacker_posture)
    target = Fighter(id="t", side="blue", space=scene.target, posture=scene.target_posture)
    ground = ground_in(scene)
    sight = best_sight(ground, attacker, target, intervening=scene.intervening)
    expected = solve(scene)
    ax, ay, tx, ty = sight.line
    assert (
        sight.position,
        (ay, ax, ty, tx),
        sight.is_smoke_on_line,
        sight.is_target_dark,
        sight.by_own_posture,
    ) == (expected.position, expected.line, expected.smoke, expected.dark, expected.own), scene
    back = best_sight(ground, target, attacker, intervening=scene.intervening)
    assert has_line(back.position) == has_line(sight.position), scene
    return sight.position


def check_many(count: int, seed: int) -> None:
    dice = random.Random(seed)
    seen = {check(random_scene(dice)) for _ in range(count)}
    assert seen == {"open", "in_cover", "blocked"}


@pytest.mark.rule("CF-GEO-5")
@pytest.mark.rule("CF-POS-6")
def test_positions_of_2000_random_scenes_agree_with_the_second_formulation() -> None:
    check_many(2_000, seed=1)


@pytest.mark.soak
@pytest.mark.rule("CF-GEO-5")
@pytest.mark.rule("CF-POS-6")
@pytest.mark.parametrize("seed", range(2, 12))
def test_positions_of_100000_random_scenes_agree_with_the_second_formulation(seed: int) -> None:
    check_many(10_000, seed)
