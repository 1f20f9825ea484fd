"""A movement or masking that waited for guards is judged again when it continues (ML-WAIT-1)."""

from typing import Any

import pytest

from service.errors import Refused
from service.rulesets.melody_d6.v3.rules.waiting import refusal_now
from tests.kit.given_when_then import Given
from tests.rulesets.melody_d6.field import told
from tests.rulesets.melody_d6.skirmishes import (
    PASS,
    Tree,
    answer,
    conditions,
    effects_of,
    guard,
    move,
    pending,
    place,
    shot,
    warrior,
)
from tests.rulesets.melody_d6.v3.battles import (
    SECOND,
    THIRD,
    adjusted,
    before_guards,
    condition,
    hide,
    hp,
    in_turn,
    put,
    resource,
    stat,
    stopped,
)

START, HALF, END = (10_000, 20_000), (13_000, 20_000), (16_000, 20_000)
MIDDLE = (0, 500)
MISS = (2,)
CHARGE: Tree = {**move("a1", (15_000, 20_000)), "type": "charge", "target": "b5"}


@pytest.mark.rule("ML-WAIT-1")
@pytest.mark.parametrize(
    ("is_there", "refusal", "code"),
    [
        (True, None, None),
        (True, "engaged", "engaged"),
        (False, None, "put_elsewhere"),
        (False, "engaged", "put_elsewhere"),
    ],
)
def test_what_waited_goes_on_if_it_is_allowed_and_its_warrior_is_where_it_was(
    is_there: bool, refusal: str | None, code: str | None
) -> None:
    def require() -> None:
        if refusal is not None:
            raise Refused(refusal, rule="ML-MOVE-6")

    found = refusal_now("a1", require, is_there)
    assert (None if found is None else found.code) == code


def passed(battle: Given, *, by: str = "bob") -> list[Tree]:
    """What comes of it when the guards pass."""
    return effects_of(answer(battle, PASS, by=by))


def shot_at(battle: Given, name: str = "b1") -> Given:
    """A guard shoots at a1 in the middle of its way, and misses."""
    answer(battle, shot(name, "a1", MIDDLE), dice=MISS)
    assert place(battle, "a1") == HALF
    return battle


STOPS: list[Any] = [
    ([hp("a1", 0)], START, ("actor_incapacitated", None)),
    ([condition("a1", "fleeing")], START, ("warrior_fleeing", "ML-PANIC-4")),
    ([condition("a1", "stunned")], START, ("warrior_stunned", "ML-STUN-1")),
    ([put("a1", 5000, 5000)], (5000, 5000), ("put_elsewhere", "ML-WAIT-1")),
    ([put("a1", 10_001, 20_000)], (10_001, 20_000), ("put_elsewhere", "ML-WAIT-1")),
    ([stat("a1", "move", 5999)], START, ("path_too_long", "ML-MOVE-1")),
    ([put("b5", 13_000, 20_999)], START, ("path_blocked", "ML-MOVE-4")),
    ([put("b5", 17_100, 20_000)], START, ("move_into_contact", "ML-MOVE-5")),
    ([put("a9", 16_999, 20_000)], START, ("base_overlap", "ML-MOVE-4")),
    ([put("b5", 10_000, 21_100)], START, ("engaged", "ML-MOVE-6")),
]


@pytest.mark.parametrize(("changes", "spot", "why"), STOPS)
def test_a_move_that_is_not_allowed_any_more_ends_and_says_why(
    changes: list[Tree], spot: tuple[int, int], why: tuple[str, str | None]
) -> None:
    battle = before_guards(warrior("b5", 30_000, 30_000))
    adjusted(battle, *changes)
    effects = passed(battle)
    assert stopped(effects) == [("a1", *why)]
    assert told(effects) == ["decision_closed", "action_stopped a1"]
    assert (pending(battle), place(battle, "a1")) == (None, spot)
    assert battle.table.combatant("a1").moved


@pytest.mark.parametrize(
    "changes",
    [
        [stat("a1", "move", 6000)],
        [put("b5", 13_000, 21_000)],
        [put("b5", 17_101, 20_000)],
        [put("a9", 17_000, 20_000)],
        [put("b5", 10_000, 21_101)],
        [resource("a1", "movement", 0)],
        [condition("a1", "dazed")],
        [stat("a1", "move", 3000), stat("a1", "move", 9000)],
        [put("a1", 5000, 5000), put("a1", *START)],
    ],
)
def test_one_that_is_allowed_still_goes_on(changes: list[Tree]) -> None:
    battle = before_guards(warrior("b5", 30_000, 30_000))
    adjusted(battle, *changes)
    assert told(passed(battle)) == ["decision_closed", "moved a1 16000,20000"]
    assert place(battle, "a1") == END


def test_what_it_costs_is_paid_again_if_the_game_master_has_given_it_back() -> None:
    battle = before_guards()
    adjusted(battle, resource("a1", "movement", 1))
    assert told(passed(battle)) == [
        "decision_closed",
        "resource_changed a1 movement",
        "moved a1 16000,20000",
    ]


def test_version_2_goes_on_as_far_as_it_can() -> None:
    battle = before_guards(warrior("b5", 30_000, 30_000), ruleset=SECOND)
    adjusted(battle, stat("a1", "move", 100), condition("a1", "stunned"))
    assert told(passed(battle)) == ["decision_closed", "moved a1 16000,20000"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ([stat("a1", "move", 5999)], ("path_too_long", "ML-MOVE-1")),
        ([put("b5", 14_500, 20_999)], ("path_blocked", "ML-MOVE-4")),
        ([put("a1", *START)], ("put_elsewhere", "ML-WAIT-1")),
        ([condition("a1", "stunned")], ("warrior_stunned", "ML-STUN-1")),
    ],
)
def test_the_steps_that_it_has_made_stay(changes: list[Tree], why: tuple[str, str]) -> None:
    battle = shot_at(before_guards(warrior("b5", 30_000, 30_000)))
    adjusted(battle, *changes)
    stands = place(battle, "a1")
    effects = passed(battle)
    assert stopped(effects) == [("a1", *why)]
    assert place(battle, "a1") == stands == (START if why[0] == "put_elsewhere" else HALF)


@pytest.mark.parametrize("at", [(10_000, 21_100), (11_000, 21_000), (13_000, 21_050)])
def test_who_comes_to_where_it_has_been_stops_nobody(at: tuple[int, int]) -> None:
    battle = shot_at(before_guards(warrior("b5", 30_000, 30_000)))
    adjusted(battle, put("b5", *at))
    assert stopped(passed(battle)) == []
    assert place(battle, "a1") == END


def test_a_movement_that_ends_on_its_way_is_a_movement_all_the_same() -> None:
    scout = warrior("b5", 11_000, 25_000, conditions=["masked"])
    battle = shot_at(before_guards(scout, warrior("b6", 30_000, 30_000), mobility=0))
    adjusted(battle, stat("a1", "mobility", 6), put("b6", 16_000, 20_500))
    assert told(passed(battle)) == [
        "decision_closed",
        "action_stopped a1",
        "condition_lost b5 masked detected_auto",
    ]


def test_a_hidden_enemy_in_the_way_is_an_outcome_and_no_refusal() -> None:
    battle = before_guards(warrior("b5", 30_000, 30_000, hidden=True))
    adjusted(battle, put("b5", 14_500, 20_500))
    effects = passed(battle)
    assert stopped(effects) == []
    assert told(effects)[1] == "moved a1 13630,20000 contact"


def test_the_game_masters_own_move_is_judged_on_all_that_is_there() -> None:
    battle = in_turn(
        warrior("a1", *START),
        warrior("a9", 3000, 3000),
        guard("b1", 12_000, 28_000),
        warrior("b5", 30_000, 30_000, hidden=True),
    )
    battle.when(move("a1", END))
    adjusted(battle, put("b5", 14_500, 20_500))
    assert stopped(passed(battle)) == [("a1", "path_blocked", "ML-MOVE-4")]


def test_a_charge_whose_enemy_has_gone_stops() -> None:
    def charged(*changes: Tree) -> list[tuple[str, str, str | None]]:
        battle = before_guards(warrior("b5", 16_000, 20_000), action=CHARGE)
        adjusted(battle, *changes)
        return stopped(passed(battle))

    assert charged(condition("b5", "stunned")) == []
    assert charged(put("b5", 16_100, 20_000)) == []
    assert charged(put("b5", 16_101, 20_000)) == [("a1", "not_in_contact", "ML-MOVE-6")]
    assert charged(hp("b5", 0)) == [("a1", "target_gone", "ML-MOVE-6")]
    assert charged(hide("b5")) == [("a1", "unknown_combatant", None)]


def test_a_charge_that_is_in_contact_already_ends_there() -> None:
    battle = before_guards(warrior("b5", 16_000, 20_000), action=CHARGE)
    answer(battle, shot("b1", "a1", (0, 1000)), dice=MISS)
    assert place(battle, "a1") == (15_000, 20_000)
    assert told(passed(battle)) == ["decision_closed"]


def test_masking_that_the_game_master_gives_back_is_lost_again() -> None:
    battle = before_guards(warrior("b5", 16_000, 20_000), action=CHARGE)
    adjusted(battle, condition("a1", "masked"))
    assert told(passed(battle))[1] == "condition_lost a1 masked charged"


def test_a_charger_that_the_game_master_hides_is_known_again_when_it_goes_on() -> None:
    battle = before_guards(warrior("b5", 16_000, 20_000), action=CHARGE)
    assert told(adjusted(battle, hide("a1"))) == [
        "adjusted",
        "hidden a1 gm",
        "decision_closed",
        "revealed a1 attack",
        "moved a1 15000,20000",
    ]


def test_a_killed_mover_goes_no_further_and_the_next_guard_is_asked_first() -> None:
    battle = before_guards()
    happened = effects_of(answer(battle, shot("b1", "a1", MIDDLE), dice=(6, 6)))
    assert stopped(happened) == []
    assert stopped(passed(battle)) == [("a1", "actor_incapacitated", None)]
    assert place(battle, "a1") == HALF


def test_a_window_that_is_void_lets_the_move_be_judged_at_once() -> None:
    battle = before_guards(warrior("b6", 30_000, 30_000))
    effects = adjusted(battle, hp("b1", 0), hp("b2", 0), stat("a1", "move", 1))
    assert stopped(effects) == [("a1", "path_too_long", "ML-MOVE-1")]
    assert (pending(battle), place(battle, "a1")) == (None, START)


# --- masking --------------------------------------------------------------------------------------

WALL = {
    "id": "wall",
    "kind": "low_wall",
    "vertices": [
        {"x": x, "y": y}
        for x, y in ((8000, 10_000), (16_000, 10_000), (16_000, 10_500), (8000, 10_500))
    ],
}
LANDSCAPE = {"width": 40_000, "height": 40_000, "features": [WALL]}


def masking(*others: Tree, ruleset: Any = THIRD) -> Given:
    """a1 and a2 of one unit are about to mask at a wall, and b1 on guard is asked."""
    squad = {"unit": "A1"}
    battle = in_turn(
        warrior("a1", 10_000, 11_200, **squad),
        warrior("a2", 13_000, 11_200, **squad),
        guard("b1", 12_000, 30_000),
        *others,
        ruleset=ruleset,
        map=LANDSCAPE,
    )
    battle.when({"type": "mask", "combatants": ["a1", "a2"]}, by="ann")
    return battle


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (hp("a1", 0), ("actor_incapacitated", None)),
        (condition("a1", "stunned"), ("warrior_stunned", "ML-STUN-1")),
        (condition("a1", "exposed"), ("exposed", "ML-AMB-4")),
        (condition("a1", "masked"), ("already_masked", "ML-MASK-15")),
        (put("a1", 10_000, 14_000), ("cannot_mask_here", "ML-MASK-3")),
        (put("b5", 10_000, 16_200), ("too_close_to_enemy", "ML-MASK-9")),
        (put("b5", 10_000, 12_300), ("engaged", "ML-MOVE-6")),
    ],
)
@pytest.mark.rule("ML-MASK-4")
def test_each_of_those_who_mask_is_judged_by_itself(change: Tree, why: tuple[str, str]) -> None:
    battle = masking(warrior("b5", 30_000, 30_000, mobility=4))
    adjusted(battle, stat("b5", "mobility", 4 if why[0] == "too_close_to_enemy" else 0), change)
    effects = passed(battle)
    assert stopped(effects) == [("a1", *why)]
    is_masked = {name: "masked" in conditions(battle, name) for name in ("a1", "a2")}
    assert is_masked == {"a1": why[0] == "already_masked", "a2": True}


def test_the_points_and_the_declaration_are_given_back() -> None:
    battle = masking()
    adjusted(battle, {"type": "fp", "side": "a", "value": 0})
    assert stopped(passed(battle)) == []
    assert conditions(battle, "a1") == ("fleeting", "masked")
