"""Panic, flight and rallying as steps: who tests, what is lost in which order, where one ends."""

from typing import Any

import pytest
from msgspec import UNSET

from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import DrawRun, Place, Roll
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding import panic
from service.rulesets.melody_d6.lines import Line
from tests.rulesets.melody_d6.steps import Skirmish, box, veil, warrior

FAILED = (6, 6)


def unit_of_three() -> Skirmish:
    """E58: three of one unit, courages 6, 8 and 7."""
    return Skirmish(
        warrior("a1", 3000, 12_000, unit="u", courage=6),
        warrior("a2", 9000, 12_000, unit="u", courage=8),
        warrior("a3", 12_000, 12_000, unit="u", courage=7),
        warrior("b1", 50_000, 30_000),
    )


@pytest.mark.rule("ML-PANIC-1")
def test_an_equal_total_holds_and_tells_whose_courage_counted() -> None:
    effects = unit_of_three().after(lambda on: panic.take_test(on, "u"), (4, 4))
    roll = Roll(sides=6, faces=(4, 4), total=8, draws=(DrawRun(stream=0, number=1),))
    assert effects == (
        own.CheckResolved(
            rule="ML-PANIC-1",
            check="panic",
            combatant="a2",
            unit="u",
            outcome="success",
            roll=roll,
            base=8,
            needed=8,
        ),
    )


@pytest.mark.rule("ML-PANIC-1")
@pytest.mark.rule("ML-PANIC-2")
@pytest.mark.rule("ML-PANIC-3")
def test_who_fails_flees_in_upload_order_and_leaves_the_table_at_the_edge() -> None:
    battle = unit_of_three()
    effects = battle.after(lambda on: panic.take_test(on, "u", -2, rules=("ML-AMB-5",)), (4, 4))
    check, *flight = effects
    assert isinstance(check, own.CheckResolved)
    assert (check.outcome, check.needed, check.base) == ("failure", 6, 8)
    assert check.breakdown == (Line(rule="ML-PANIC-1", amount=-2, note="modifier"),)
    assert check.rules == ("ML-AMB-5",)
    assert flight == [
        own.ConditionGained(rule="ML-PANIC-2", combatant="a1", condition="fleeing", cause="panic"),
        own.Felled(rule="ML-PANIC-3", combatant="a1", state="fled", cause="panic"),
        own.ConditionGained(rule="ML-PANIC-2", combatant="a2", condition="fleeing", cause="panic"),
        _flight("a2", (9000, 12_000), (3000, 12_000)),
        own.ConditionGained(rule="ML-PANIC-2", combatant="a3", condition="fleeing", cause="panic"),
        _flight("a3", (12_000, 12_000), (6000, 12_000)),
    ]
    gone = battle.rule.combatants[0]
    assert (gone.presence, gone.place) == ("fled", Place(x=3000, y=12_000))


def _flight(name: str, start: tuple[int, int], end: tuple[int, int]) -> fx.Moved:
    place = Place(x=end[0], y=end[1])
    return fx.Moved(
        rule="ML-PANIC-3",
        combatant=name,
        manner="flight",
        start=Place(x=start[0], y=start[1]),
        path=(place,),
        end=place,
        cost=start[0] - end[0],
        cause="panic",
    )


@pytest.mark.rule("ML-PANIC-2")
@pytest.mark.rule("ML-LAST-3")
def test_guard_masking_and_song_go_before_the_way() -> None:
    """E78: each loses what it has and flees before the next one; nobody rolls for it."""
    battle = Skirmish(
        warrior("a1", 30_000, 5000, unit="u", conditions=("on_guard",)),
        warrior("a2", 30_000, 12_000, unit="u", conditions=("masked",)),
        warrior("a3", 30_000, 16_000, unit="u"),
        warrior("b1", 50_000, 30_000),
        songs=(veil("a3"),),
    )
    story = battle.story(lambda on: panic.take_test(on, "u"), FAILED)
    assert story == [
        ("check_resolved", "panic", "a1", "failure", FAILED),
        ("condition_gained", "a1", "fleeing"),
        ("condition_lost", "a1", "on_guard", "panic"),
        ("moved", "a1", "flight", (24_000, 5000)),
        ("condition_gained", "a2", "fleeing"),
        ("condition_lost", "a2", "masked", "panic"),
        ("moved", "a2", "flight", (24_000, 12_000)),
        ("condition_gained", "a3", "fleeing"),
        ("marker_removed", "s1", "singer_fled"),
        ("moved", "a3", "flight", (24_000, 16_000)),
    ]


@pytest.mark.rule("ML-PANIC-3")
def test_a_flight_that_ends_under_a_song_is_affected_and_one_off_the_table_by_nothing() -> None:
    heard = {"conditions": ("melody",), "songs": ("s1",)}
    battle = Skirmish(
        warrior("a1", 26_000, 12_000, unit="u"),
        warrior("a2", 6000, 12_000, unit="u", **heard),
        warrior("b1", 50_000, 30_000),
        songs=(veil("b1", 20_000, 12_000),),
    )
    assert battle.story(lambda on: panic.take_test(on, "u"), FAILED)[1:] == [
        ("condition_gained", "a1", "fleeing"),
        ("moved", "a1", "flight", (20_000, 12_000)),
        ("condition_gained", "a1", "melody"),
        ("condition_gained", "a2", "fleeing"),
        ("condition_lost", "a2", "melody", UNSET),
        ("felled", "a2", "fled"),
    ]


@pytest.mark.rule("ML-PANIC-3")
def test_a_flight_that_ends_beside_enemies_takes_guard_and_masking_from_them() -> None:
    """Who flees detects nobody, but is engaged next to whom it stops."""
    battle = Skirmish(
        warrior("a1", 26_000, 12_000, unit="u"),
        warrior("b1", 20_000, 13_050, conditions=("on_guard",)),
        warrior("b2", 20_000, 10_950, conditions=("masked",)),
        warrior("b3", 22_000, 14_000, conditions=("masked",)),
    )
    assert battle.story(lambda on: panic.take_test(on, "u"), FAILED)[2:] == [
        ("moved", "a1", "flight", (20_000, 12_000)),
        ("condition_lost", "b1", "on_guard", "engaged"),
        ("condition_lost", "b2", "masked", "engaged"),
    ]


@pytest.mark.rule("ML-MASK-9")
def test_who_rallies_notices_masked_enemies_near_it() -> None:
    battle = Skirmish(
        warrior("a1", 26_000, 12_000, unit="u", conditions=("fleeing",)),
        warrior("b1", 26_000, 17_000, conditions=("masked",)),
        warrior("b2", 26_000, 6999, conditions=("masked",)),
    )
    assert battle.story(lambda on: panic.rally(on, "u"), (3, 4))[1:] == [
        ("condition_lost", "a1", "fleeing", "rallied"),
        ("condition_lost", "b1", "masked", "detected_auto"),
    ]


@pytest.mark.rule("ML-PANIC-1")
def test_those_who_flee_or_are_gone_lend_no_courage_and_a_unit_without_others_does_not_test() -> (
    None
):
    battle = Skirmish(
        warrior("a1", 20_000, 5000, unit="u", courage=12, conditions=("fleeing",)),
        warrior("a2", 20_000, 8000, unit="u", courage=12, conditions=("out",)),
        warrior("a3", 20_000, 12_000, unit="u", courage=5),
        warrior("b1", 50_000, 30_000),
    )
    assert battle.story(lambda on: panic.take_test(on, "u"), (2, 3)) == [
        ("check_resolved", "panic", "a3", "success", (2, 3))
    ]
    assert len(battle.story(lambda on: panic.take_test(on, "u"), (2, 4))) == 3
    assert battle.story(lambda on: panic.take_test(on, "u")) == []


@pytest.mark.rule("ML-PANIC-3")
def test_a_flight_goes_on_from_bases_and_high_ground_and_stops_for_nothing_else() -> None:
    wall = box("wall", "building", 18_000, 11_000, 22_000, 13_000)
    battle = Skirmish(
        warrior("a1", 26_000, 12_000, unit="u"),
        warrior("a2", 17_950, 12_500, unit="v"),
        warrior("b1", 24_000, 12_000),
        features=(wall,),
    )
    # 20000 is inside the building; 18000 is on its edge and free of it, but overlaps a2 until 17000
    assert battle.story(lambda on: panic.take_test(on, "u"), FAILED)[-1] == (
        "moved",
        "a1",
        "flight",
        (17_000, 12_000),
    )


@pytest.mark.rule("ML-PANIC-3")
def test_a_flight_north_costs_its_length_too() -> None:
    battle = Skirmish(warrior("a1", 26_000, 12_000), warrior("b1", 50_000, 30_000), home="north")
    flight = battle.after(lambda on: panic.take_test(on, "unit_a1"), FAILED)[-1]
    place = Place(x=26_000, y=6000)
    assert flight == fx.Moved(
        rule="ML-PANIC-3",
        combatant="a1",
        manner="flight",
        start=Place(x=26_000, y=12_000),
        path=(place,),
        end=place,
        cost=6000,
        cause="panic",
    )


@pytest.mark.rule("ML-PANIC-3")
def test_who_cannot_move_flees_on_the_spot() -> None:
    battle = Skirmish(warrior("a1", 26_000, 12_000, move=0), warrior("b1", 50_000, 30_000))
    assert battle.story(lambda on: panic.take_test(on, "unit_a1"), FAILED) == [
        ("check_resolved", "panic", "a1", "failure", FAILED),
        ("condition_gained", "a1", "fleeing"),
    ]


@pytest.mark.rule("ML-PANIC-4")
def test_a_rally_frees_all_who_flee_and_only_those_test() -> None:
    battle = Skirmish(
        warrior("a1", 20_000, 5000, unit="u", conditions=("fleeing",)),
        warrior("a2", 20_000, 8000, unit="u", courage=12),
        warrior("a3", 20_000, 12_000, unit="u", courage=6, conditions=("fleeing",)),
        warrior("b1", 50_000, 30_000),
    )
    assert battle.story(lambda on: panic.rally(on, "u"), (3, 4)) == [
        ("check_resolved", "rally", "a1", "success", (3, 4)),
        ("condition_lost", "a1", "fleeing", "rallied"),
        ("condition_lost", "a3", "fleeing", "rallied"),
    ]
    assert battle.story(lambda on: panic.rally(on, "u")) == []


@pytest.mark.rule("ML-PANIC-4")
def test_who_does_not_rally_flees_again() -> None:
    battle = Skirmish(
        warrior("a1", 20_000, 5000, unit="u", conditions=("fleeing",)),
        warrior("a2", 20_000, 8000, unit="u"),
        warrior("a3", 6500, 12_000, unit="u", conditions=("fleeing",)),
        warrior("b1", 50_000, 30_000),
    )
    assert battle.story(lambda on: panic.rally(on, "u"), (4, 4)) == [
        ("check_resolved", "rally", "a1", "failure", (4, 4)),
        ("moved", "a1", "flight", (14_000, 5000)),
        ("felled", "a3", "fled"),
    ]


@pytest.mark.rule("ML-PANIC-1")
def test_a_hidden_bearer_of_courage_is_not_named_and_no_number_tells_of_him() -> None:
    battle = Skirmish(
        warrior("a1", 20_000, 5000, unit="u", courage=12, hidden=True),
        warrior("a2", 20_000, 8000, unit="u"),
        warrior("b1", 50_000, 30_000),
    )
    (check,) = battle.after(lambda on: panic.take_test(on, "u"), (5, 5))
    assert isinstance(check, own.CheckResolved)
    assert (check.combatant, check.outcome, check.base, check.needed) == (
        "a2",
        "success",
        UNSET,
        UNSET,
    )


@pytest.mark.rule("ML-PANIC-1")
def test_the_test_of_a_hidden_unit_is_its_own_sides() -> None:
    battle = Skirmish(warrior("a1", 20_000, 5000, hidden=True), warrior("b1", 50_000, 30_000))
    (check,) = battle.after(lambda on: panic.take_test(on, "unit_a1"), (3, 4))
    assert isinstance(check, own.CheckResolved)
    assert check.roll == Roll(sides=6, faces=(3, 4), total=7, draws=(DrawRun(stream=1, number=1),))


@pytest.mark.parametrize(
    ("conditions", "dice", "failed", "rallied"),
    [
        ((), (3, 4), False, False),
        ((), (4, 4), True, False),
        (("out",), None, False, False),
        (("fleeing",), (3, 4), False, True),
        (("fleeing",), (4, 4), False, False),
    ],
)
def test_a_test_says_whether_it_failed_and_a_rally_whether_it_held(
    conditions: tuple[Any, ...], dice: tuple[int, int] | None, failed: bool, rallied: bool
) -> None:
    """Whoever does not flee does not rally, and whoever flees takes no panic test."""
    results: list[bool] = []

    def battle() -> Skirmish:
        tested = warrior("a1", 20_000, 5000, unit="u", conditions=conditions)
        return Skirmish(tested, warrior("b1", 50_000, 30_000))

    shaken = dice if dice is not None and not conditions else ()
    battle().after(lambda on: results.append(panic.take_test(on, "u")), shaken)
    fleeing = dice if dice is not None and conditions else ()
    battle().after(lambda on: results.append(panic.rally(on, "u")), fleeing)
    assert results == [failed, rallied]
