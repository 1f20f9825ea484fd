"""CF-ALLY: shooting near one's own."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.cover import (
    NearAlly,
    ally_modifier,
    ally_struck,
    near_allies,
    require_reckless_allowed,
    without_ignored,
)


def ally(name: str, number: int, distance: int, defence: int = 10) -> NearAlly:
    return NearAlly(id=name, number=number, distance_ft=distance, ranged_defence=defence)


LINE = Modifier(rule="CF-ALLY-1", amount=-2, combatants=("l",), facts={"distance_ft": 5})


@pytest.mark.rule("CF-ALLY-1")
@pytest.mark.parametrize(("distance", "near"), [(0, True), (5, True), (6, False), (10, False)])
def test_an_ally_is_near_up_to_the_limit(distance: int, near: bool) -> None:
    beside = ally("l", 1, distance)
    assert near_allies((beside,), 5) == ((beside,) if near else ())


@pytest.mark.rule("CF-ALLY-1")
def test_an_ally_near_the_target_costs_two_dice() -> None:
    assert ally_modifier(()) is None
    assert ally_modifier((ally("l", 1, 5),)) == LINE


@pytest.mark.rule("CF-ALLY-2")
def test_a_trick_shows_the_penalty_with_0_and_leaves_bonuses_alone() -> None:
    prone = Modifier(rule="CF-PRONE-1", amount=-1)
    bonus = Modifier(rule="CF-PIN-1", amount=2)
    ignored = frozenset({"CF-ALLY-1", "CF-PIN-1"})
    assert without_ignored((LINE, prone, bonus), ignored) == (
        Modifier(
            rule="CF-ALLY-1",
            amount=0,
            note="penalty_ignored",
            combatants=("l",),
            facts={"distance_ft": 5},
            rules=("CF-ALLY-2",),
        ),
        prone,
        bonus,
    )
    assert without_ignored((LINE, prone), frozenset()) == (LINE, prone)


@pytest.mark.rule("CF-ALLY-3")
def test_reckless_fire_drops_the_penalty_and_says_so() -> None:
    assert ally_modifier((ally("l", 1, 5),), is_reckless=True) == Modifier(
        rule="CF-ALLY-1",
        amount=0,
        note="reckless_fire",
        combatants=("l",),
        facts={"distance_ft": 5},
        rules=("CF-ALLY-3",),
    )


@pytest.mark.rule("CF-ALLY-3")
@pytest.mark.parametrize(("total", "struck"), [(9, None), (10, "l"), (11, "l")])
def test_a_reckless_miss_strikes_the_ally_whose_defence_it_reaches(
    total: int, struck: str | None
) -> None:
    hit = ally_struck(total, (ally("l", 1, 5),))
    assert (hit.id if hit else None) == struck
    assert ally_struck(total, ()) is None


@pytest.mark.rule("CF-ALLY-3")
def test_only_the_nearest_ally_is_in_danger_and_ties_go_to_the_lower_number() -> None:
    allies = (ally("far", 1, 5, 0), ally("late", 3, 0, 20), ally("early", 2, 0, 12))
    near = near_allies(allies, 5)
    assert [each.id for each in near] == ["early", "late", "far"]
    assert ally_struck(11, near) is None
    assert ally_struck(12, near) == allies[2]


@pytest.mark.rule("CF-ALLY-3")
def test_reckless_fire_needs_the_option() -> None:
    require_reckless_allowed(is_allowed=True)
    with pytest.raises(Refused) as refused:
        require_reckless_allowed(is_allowed=False)
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "option_disabled",
        "CF-ALLY-3",
        {"option": "allow_reckless_fire"},
    )
