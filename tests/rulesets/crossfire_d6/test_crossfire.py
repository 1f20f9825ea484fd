"""CF-XFIRE: shooters on several sides."""

import msgspec
import pytest
from msgspec import UNSET

from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.rules.crossfire import (
    CrossfireCount,
    capped_dice,
    crossfire_modifier,
    is_in_crossfire,
    participants,
    shooters_on,
)
from service.rulesets.crossfire_d6.rules.ground import Fighter, Ground, ground_of
from service.rulesets.crossfire_d6.rules.position import best_sight
from service.rulesets.crossfire_d6.rules.range import distance_ft

TARGET = Fighter(id="t", side="blue", space=Space(5, 5))
OPEN_GROUND = ground_of()


def shooter(
    name: str, x: int, y: int, longest: int = 300, *, helpless: bool = False, dead: bool = False
) -> Fighter:
    return Fighter(
        id=name,
        side="red",
        space=Space(x, y),
        longest_shot_ft=longest,
        is_helpless=helpless,
        is_dead=dead,
    )


A, B, C = shooter("a", 5, 0), shooter("b", 5, 10), shooter("c", 10, 6)
D, E, C_EAST = shooter("d", 0, 5), shooter("e", 9, 9), shooter("c", 10, 5)


def dice_of(
    attacker: Fighter, *fighters: Fighter, count: CrossfireCount = "participants", cap: int = 3
) -> int:
    line = crossfire_modifier(attacker, participants(TARGET, fighters, count), cap)
    return line.amount if line else 0


def shooters(
    *fighters: Fighter, ground: Ground = OPEN_GROUND, fired: frozenset[str] | None = None
) -> tuple[str, ...]:
    found = shooters_on(
        TARGET,
        fighters,
        distance_of=lambda fighter: distance_ft(fighter.space, 0, TARGET.space, 0, "equal"),
        position_of=lambda fighter: best_sight(ground, fighter, TARGET).position,
        fired=fired,
    )
    return tuple(fighter.id for fighter in found)


@pytest.mark.rule("CF-XFIRE-1")
@pytest.mark.parametrize(
    ("other", "crosses"),
    [
        (Space(10, 4), False),
        (Space(10, 5), False),
        (Space(10, 6), True),
        (Space(5, 10), True),
        (Space(5, 1), False),
        (Space(0, 5), False),
        (Space(10, 5, 2), True),
    ],
)
def test_more_than_90_degrees_make_crossfire(other: Space, crosses: bool) -> None:
    assert is_in_crossfire(Space(5, 0), other, Space(5, 5)) == crosses
    assert is_in_crossfire(other, Space(5, 0), Space(5, 5)) == crosses


@pytest.mark.rule("CF-XFIRE-2")
def test_each_participant_gains_a_die_for_every_other() -> None:
    assert (dice_of(A, A, C_EAST), dice_of(C_EAST, A, C_EAST)) == (0, 0)
    assert (dice_of(A, A, C), dice_of(C, A, C)) == (1, 1)
    assert [dice_of(each, A, B, C_EAST) for each in (A, B, C_EAST)] == [1, 1, 0]
    assert [dice_of(each, A, B, C) for each in (A, B, C)] == [2, 2, 2]


@pytest.mark.rule("CF-XFIRE-2")
def test_the_line_names_the_other_participants_and_their_number() -> None:
    assert crossfire_modifier(A, participants(TARGET, (A, B, C_EAST), "participants"), 3) == (
        Modifier(rule="CF-XFIRE-2", amount=1, combatants=("b",), facts={"participants": 2})
    )


@pytest.mark.rule("CF-XFIRE-2")
@pytest.mark.rule("CF-XFIRE-3")
@pytest.mark.parametrize(
    ("cap", "dice", "facts", "rules"),
    [
        (1, 1, {"participants": 3, "cap": 1}, ("CF-XFIRE-3",)),
        (2, 2, {"participants": 3}, ()),
    ],
)
def test_the_line_names_the_cap_where_it_counts_and_that_only_those_do_who_fired(
    cap: int, dice: int, facts: dict[str, int], rules: tuple[str, ...]
) -> None:
    line = Modifier(
        rule="CF-XFIRE-2",
        amount=dice,
        combatants=("b", "c"),
        facts=facts,
        rules=rules or UNSET,
    )
    assert crossfire_modifier(A, (A, B, C), cap) == line
    by_fire = msgspec.structs.replace(line, rules=("CF-XFIRE-4", *rules))
    assert crossfire_modifier(A, (A, B, C), cap, is_by_fire=True) == by_fire


@pytest.mark.rule("CF-XFIRE-2")
def test_with_all_shooters_one_pair_makes_everyone_take_part() -> None:
    assert dice_of(C_EAST, A, B, C_EAST, count="all_shooters") == 2
    assert dice_of(A, A, C_EAST, count="all_shooters") == 0


@pytest.mark.rule("CF-XFIRE-2")
def test_an_attacker_who_is_no_shooter_gains_nothing() -> None:
    assert dice_of(D, A, B, C) == 0


@pytest.mark.rule("CF-XFIRE-3")
@pytest.mark.parametrize(("dice", "capped"), [(0, 0), (2, 2), (3, 3), (4, 3)])
def test_crossfire_gives_three_dice_at_most(dice: int, capped: int) -> None:
    assert capped_dice(dice, 3) == capped


@pytest.mark.rule("CF-XFIRE-3")
def test_four_shooters_reach_the_cap_and_a_fifth_adds_nothing() -> None:
    assert [dice_of(each, A, B, C_EAST, D) for each in (A, B, C_EAST, D)] == [3, 3, 3, 3]
    assert [dice_of(each, A, B, C_EAST, D, E) for each in (A, B, C_EAST, D, E)] == [3] * 5
    assert dice_of(A, A, B, C_EAST, D, E, cap=20) == 4
    assert dice_of(A, A, B, cap=0) == 0


@pytest.mark.rule("CF-XFIRE-4")
@pytest.mark.parametrize(
    ("other", "counts"),
    [
        (B, True),
        (shooter("b", 5, 10, longest=0), False),
        (shooter("b", 5, 10, longest=20), False),
        (shooter("b", 5, 10, longest=24), False),
        (shooter("b", 5, 10, longest=25), True),
        (shooter("b", 5, 10, helpless=True), False),
        (shooter("b", 5, 10, dead=True), False),
        (Fighter(id="b", side="blue", space=Space(5, 10), longest_shot_ft=300), False),
    ],
)
def test_a_shooter_is_an_able_enemy_with_a_weapon_that_reaches(
    other: Fighter, counts: bool
) -> None:
    assert shooters(A, other) == (("a", "b") if counts else ("a",))


@pytest.mark.rule("CF-XFIRE-4")
def test_a_shooter_has_a_line_to_the_target() -> None:
    wall = ground_of(solid_cells=[(4, 8), (5, 8), (6, 8)])
    assert shooters(A, B, ground=wall) == ("a",)


@pytest.mark.rule("CF-XFIRE-4")
def test_the_target_itself_is_no_shooter() -> None:
    armed = Fighter(id="t", side="red", space=Space(5, 5), longest_shot_ft=300)
    assert shooters(armed, A) == ("a",)


@pytest.mark.rule("CF-XFIRE-4")
def test_by_option_only_those_who_fired_count() -> None:
    assert shooters(A, B, C, fired=frozenset({"a", "c"})) == ("a", "c")
    assert shooters(A, B, C, fired=frozenset()) == ()
