"""SQ-EXP: what explodes, what burns, and the queue of a chain."""

import pytest

from service.rulesets.squad_d100.rules.explosives import (
    ExplosionQueue,
    burns_beside,
    does_blast,
    touch_order,
)

GROUND = ("floor", "reserved", "cover", "fire", "wall", "weapons_ammo", "fuel", "explosive_cargo")


@pytest.mark.rule("SQ-EXP-1")
@pytest.mark.parametrize("terrain", GROUND)
def test_cargo_alone_explodes(terrain: str) -> None:
    assert does_blast(terrain) == (terrain == "explosive_cargo")


@pytest.mark.rule("SQ-EXP-2")
@pytest.mark.parametrize("terrain", GROUND)
def test_fuel_sets_fire_to_itself_and_to_open_ground_beside_it(terrain: str) -> None:
    burning = [burns_beside(terrain, distance) for distance in (0, 1, 2)]
    assert burning == [terrain == "fuel", terrain in ("floor", "reserved", "cover"), False]


@pytest.mark.rule("SQ-EXP-3")
def test_one_blast_touches_objects_row_by_row() -> None:
    assert touch_order([(2, 1), (0, 1), (9, 0)]) == ((9, 0), (0, 1), (2, 1))


@pytest.mark.rule("SQ-EXP-3")
def test_objects_go_off_first_in_first_out_and_once() -> None:
    queue = ExplosionQueue()
    queue.touch([(5, 5), (4, 4)])
    assert queue.next() == (4, 4)
    queue.touch([(0, 0), (4, 4), (5, 5)])
    assert [queue.next(), queue.next(), queue.next()] == [(5, 5), (0, 0), None]
