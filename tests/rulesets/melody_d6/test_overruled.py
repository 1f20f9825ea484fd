"""The game master overrules, removes, reveals and lets panic: what the rules make of it."""

from typing import Any

import pytest

from tests.kit.given_when_then import Asked, Given
from tests.rulesets.melody_d6.skirmishes import (
    PASS,
    Tree,
    answer,
    conditions,
    effects_of,
    guard,
    in_turn,
    kinds,
    move,
    pending,
    place,
    shot,
    warrior,
)


def adjust(battle: Given, *changes: Tree, by: str = "gm", dice: tuple[int, ...] = ()) -> Asked:
    return battle.when({"type": "adjust", "changes": list(changes)}, by=by, dice=dice)


def hp(name: str, value: int) -> Tree:
    return {"type": "hp", "combatant": name, "value": value}


def condition(name: str, word: str, *, holds: bool = True) -> Tree:
    return {"type": "condition", "combatant": name, "condition": word, "holds": holds}


def put(name: str, x: int, y: int) -> Tree:
    return {"type": "place", "combatant": name, "place": {"x": x, "y": y}}


def before_guards(*guards: Tree) -> Given:
    """Somebody moves past guards, and their side is asked."""
    battle = in_turn(
        warrior("a1", 10000, 20000),
        warrior("a2", 3000, 3000),
        *guards,
        warrior("b9", 35000, 3000),
        unit="A1",
    )
    battle.when(move("a1", (16000, 20000)), by="ann")
    assert pending(battle) is not None
    return battle


TWO = (guard("b1", 12000, 28000), guard("b2", 14000, 28000))


def test_a_window_is_void_with_its_last_guard_and_the_mover_goes_on() -> None:
    battle = before_guards(*TWO)
    adjust(battle, hp("b1", 0))
    assert pending(battle) is not None
    happened = adjust(battle, hp("b2", 0))
    assert kinds(happened)[-2:] == ["decision_closed", "moved"]
    assert effects_of(happened)[-2]["how"] == "void"
    assert (pending(battle), place(battle, "a1")) == (None, (16000, 20000))


@pytest.mark.parametrize(
    "change",
    [
        condition("b1", "on_guard", holds=False),
        condition("b1", "stunned"),
        condition("b1", "fleeing"),
        {"type": "hide", "combatant": "a1"},
    ],
)
def test_so_it_is_when_the_last_guard_can_shoot_no_more_or_the_mover_hides(change: Tree) -> None:
    battle = before_guards(TWO[0])
    adjust(battle, change)
    assert (pending(battle), place(battle, "a1")) == (None, (16000, 20000))


@pytest.mark.parametrize(
    ("change", "stands"),
    [
        (hp("a1", 0), (10000, 20000)),
        (condition("a1", "fleeing"), (10000, 20000)),
        (put("a1", 5000, 5000), (5000, 5000)),
    ],
)
def test_a_move_is_lost_with_its_mover_and_the_guard_may_shoot_at_others(
    change: Tree, stands: tuple[int, int]
) -> None:
    battle = before_guards(*TWO)
    adjust(battle, change)
    assert pending(battle) is not None
    answer(battle, PASS, by="bob")
    assert (pending(battle), place(battle, "a1")) == (None, stands)


def test_a_mover_killed_by_one_guard_leaves_the_others_asked() -> None:
    battle = before_guards(*TWO)
    answer(battle, shot("b1", "a1", (0, 500)), dice=(6, 6))
    assert conditions(battle, "a1") == ("out",)
    question = pending(battle)
    assert question is not None
    assert (question["context"]["guards"], question["context"]["used"]["permille"]) == (["b2"], 500)
    answer(battle, shot("b2", "a1")).refused("target_gone", "ML-SHOOT-1", target="a1")
    answer(battle, PASS, by="bob")
    assert (pending(battle), place(battle, "a1")) == (None, (13000, 20000))


def test_the_battle_ends_with_the_last_of_a_side_and_closes_what_is_open() -> None:
    battle = before_guards(*TWO)
    happened = adjust(battle, hp("a1", 0), hp("a2", 0))
    assert kinds(happened)[-2:] == ["decision_closed", "encounter_ended"]
    assert effects_of(happened)[-1]["winner"] == "b"
    assert (pending(battle), battle.table.state.rule.status) == (None, "ended")


def test_a_shot_that_kills_the_last_asks_no_further_guard() -> None:
    battle = in_turn(warrior("a1", 10000, 20000), *TWO, unit="A1")
    battle.when(move("a1", (16000, 20000)), by="ann")
    happened = answer(battle, shot("b1", "a1"), dice=(6, 6))
    assert kinds(happened)[-1] == "encounter_ended"
    assert pending(battle) is None


def test_who_is_killed_and_has_wounds_again_is_on_the_table() -> None:
    battle = in_turn(
        warrior("a1", 3000, 3000), warrior("a2", 6000, 3000), warrior("b1", 9000, 9000)
    )
    assert kinds(adjust(battle, hp("a1", 0))) == ["adjusted", "hurt", "felled"]
    assert (conditions(battle, "a1"), battle.table.combatant("a1").band) == (("out",), "down")
    adjust(battle, put("a2", 3500, 3000))
    adjust(battle, hp("a1", 1)).refused("base_overlap", "ML-MOVE-4", combatant="a1")
    adjust(battle, put("a2", 6000, 3000))
    assert kinds(adjust(battle, hp("a1", 1))) == ["adjusted", "healed", "condition_lost"]
    assert (conditions(battle, "a1"), battle.table.combatant("a1").band) == ((), "unhurt")
    adjust(battle, condition("a1", "masked"), hp("a1", 2)).refused(
        "malformed", path="$.changes[1].value", allowed="0 to 1"
    )


def test_places_are_on_the_table_and_free_and_contact_ends_guard_and_masking() -> None:
    battle = in_turn(
        warrior("a1", 3000, 3000, conditions=["masked"]),
        guard("b1", 9000, 9000),
        warrior("b2", 20000, 20000),
    )
    adjust(battle, put("a1", 499, 3000)).refused("off_table", "ML-MOVE-2", x=499, y=3000)
    adjust(battle, put("a1", 9999, 9000)).refused("base_overlap", "ML-MOVE-4", combatant="a1")
    adjust(battle, put("a1", 10101, 9000))
    assert (conditions(battle, "a1"), conditions(battle, "b1")) == (("masked",), ("on_guard",))
    adjust(battle, put("a1", 10100, 9000))
    assert (conditions(battle, "a1"), conditions(battle, "b1")) == ((), ())
    assert pending(battle) is None


def test_what_flees_by_word_keeps_its_place_and_nothing_else() -> None:
    battle = in_turn(
        warrior("a1", 3000, 3000, conditions=["masked", "on_guard"]), warrior("b1", 9000, 9000)
    )
    adjust(battle, condition("a1", "fleeing"))
    assert (conditions(battle, "a1"), place(battle, "a1")) == (("fleeing",), (3000, 3000))
    adjust(battle, condition("a1", "fleeing", holds=False))
    assert conditions(battle, "a1") == ()


def test_numbers_points_and_resources_are_taken_as_given() -> None:
    singer = {"song_dice": 2, "rerolls_per_round": 1, "melodies": ["ember_march"]}
    battle = in_turn(warrior("a1", 3000, 3000, singer=singer), warrior("b1", 9000, 9000))
    adjust(
        battle,
        {"type": "fp", "side": "b", "value": 7},
        {"type": "stat", "combatant": "a1", "stat": "armour", "value": 4},
        {"type": "resource", "combatant": "a1", "resource": "action", "value": 0},
        {"type": "resource", "combatant": "a1", "resource": "rerolls", "value": 0},
    )
    changed = battle.table.combatant("a1")
    assert (changed.armour, changed.acted, changed.rerolls_left) == (4, True, 0)
    assert [force.fp for force in battle.table.state.rule.forces][1] == 7
    adjust(battle, {"type": "stat", "combatant": "a1", "stat": "armour", "value": 0})
    assert "armour" not in battle.table.view()["combatants"][0]
    adjust(battle, {"type": "stat", "combatant": "a1", "stat": "armour", "value": 1}).refused(
        "malformed", path="$.changes[0].value", allowed="2 to 6"
    )
    adjust(
        battle, {"type": "resource", "combatant": "a1", "resource": "movement", "value": 2}
    ).refused("malformed", path="$.changes[0].value", allowed="0 to 1")
    adjust(battle, {"type": "fp", "side": "c", "value": 1}).refused(
        "unknown_side", side="c", allowed=["a", "b"]
    )
    adjust(battle, condition("b1", "stunned"), by="ann").refused("gm_only", action="adjust")


def test_who_is_removed_takes_its_activation_and_its_side_with_it() -> None:
    battle = in_turn(
        warrior("a1", 3000, 3000), warrior("a2", 6000, 3000), warrior("b1", 9000, 9000), unit="A1"
    )
    happened = battle.when({"type": "remove_combatant", "combatant": "a1"})
    assert kinds(happened) == ["activation_ended", "combatant_removed"]
    battle.when({"type": "activate_unit", "unit": "A2"}, by="ann")
    ended = battle.when({"type": "remove_combatant", "combatant": "b1"})
    assert effects_of(ended)[-1] == {
        "type": "encounter_ended",
        "cause": "rules",
        "opened": "none",
        "winner": "a",
        "rule": "ML-TURN-6",
    }


def test_the_game_master_takes_masking_away_and_the_guards_are_asked() -> None:
    battle = in_turn(
        warrior("a1", 22000, 11500, conditions=["masked"]),
        guard("b1", 22000, 20000),
    )
    battle.when({"type": "gm_reveal", "combatant": "b1"}).refused(
        "not_masked", "ML-MASK-15", combatant="b1"
    )
    happened = battle.when({"type": "gm_reveal", "combatant": "a1"})
    assert kinds(happened) == ["condition_lost", "decision_opened"]
    question = pending(battle)
    assert question is not None
    assert (question["context"]["trigger"], question["context"]["movers"]) == ("reveal", ["a1"])
    outcome = answer(battle, shot("b1", "a1"), dice=(2,))
    assert "attack_resolved" in kinds(outcome)
    assert pending(battle) is None


def test_a_panic_test_by_word_uncovers_who_flees() -> None:
    battle = in_turn(
        warrior("a1", 22000, 11500, conditions=["masked"]),
        warrior("a2", 3000, 3000),
        guard("b1", 22000, 20000),
    )
    happened = battle.when({"type": "gm_panic_test", "unit": "A1"}, dice=(4, 4))
    assert kinds(happened)[-1] == "decision_opened"
    assert conditions(battle, "a1") == ("fleeing",)
    answer(battle, {"type": "pass"})
    battle.when({"type": "gm_panic_test", "unit": "A1"}).refused(
        "unit_cannot_act", "ML-PANIC-1", unit="A1"
    )
    battle.when({"type": "gm_panic_test", "unit": "X"}).refused("unknown_unit", unit="X")


def test_dice_that_are_awaited_for_a_shot_are_void_with_its_guard() -> None:
    battle = before_guards(TWO[0])
    asked = answer(battle, shot("b1", "a1", (0, 500)), by="bob")
    assert kinds(asked) == ["decision_opened"]
    rolls = pending(battle)
    assert rolls is not None
    assert (rolls["kind"], rolls["seat"]) == ("roll", "bob")
    happened = adjust(battle, hp("b1", 0))
    closed = [each["how"] for each in effects_of(happened) if each["type"] == "decision_closed"]
    assert closed == ["void", "void"]
    assert (pending(battle), place(battle, "a1")) == (None, (16000, 20000))


def test_dice_that_are_awaited_for_a_shot_are_void_with_its_target() -> None:
    battle = before_guards(*TWO)
    answer(battle, shot("b1", "a1", (0, 500)), by="bob")
    adjust(battle, hp("a1", 0))
    again = pending(battle)
    assert again is not None
    assert (again["kind"], again["context"]["guards"]) == ("guard_window", ["b1", "b2"])
    answer(battle, PASS, by="bob")
    assert (pending(battle), place(battle, "a1")) == (None, (10000, 20000))


def test_a_dice_question_that_is_forced_leaves_the_window_open() -> None:
    battle = before_guards(TWO[0])
    answer(battle, shot("b1", "a1", (0, 500)), by="bob")
    rolls = pending(battle)
    assert rolls is not None
    battle.when({"type": "force_pass", "decision_id": rolls["id"]})
    again = pending(battle)
    assert again is not None
    assert (again["kind"], place(battle, "a1")) == ("guard_window", (10000, 20000))
    assert conditions(battle, "b1") == ("on_guard",)


def test_a_window_rewound_to_is_answered_under_its_new_id() -> None:
    battle = before_guards(*TWO)
    answer(battle, shot("b1", "a1", (0, 500)), dice=(2,))
    battle.when({"type": "rewind", "to": 3})
    again = pending(battle)
    assert again is not None
    assert (again["id"], again["context"]["guards"]) == ("d5.1", ["b1", "b2"])
    assert (place(battle, "a1"), conditions(battle, "b1")) == ((10000, 20000), ("on_guard",))
    battle.when({"type": "answer", "decision_id": "d3.1", "choice": PASS}, by="bob").refused(
        "decision_closed", decision_id="d3.1"
    )
    answer(battle, PASS, by="bob")
    assert (pending(battle), place(battle, "a1")) == (None, (16000, 20000))


SINGER: Tree = {"song_dice": 2, "rerolls_per_round": 1, "melodies": ["heavy_air", "ember_march"]}


def singing(*others: Tree) -> Given:
    """A song over an empty place, whose dice may be rolled again."""
    battle = in_turn(warrior("a1", 10000, 10000, singer=SINGER), *others, unit="A1", phase="action")
    point = {"x": 10000, "y": 20000}
    song = {"type": "sing", "combatant": "a1", "melody": "heavy_air", "point": point}
    battle.when(song, dice=(4, 5))
    return battle


def test_a_reroll_that_is_no_more_to_be_had_is_void_and_the_song_stands() -> None:
    battle = singing(warrior("b1", 30000, 30000, singer=SINGER))
    question = pending(battle)
    assert question is not None
    assert question["kind"] == "reroll"
    adjust(battle, {"type": "resource", "combatant": "a1", "resource": "rerolls", "value": 0})
    question = pending(battle)
    assert question is not None
    assert (question["kind"], question["side"]) == ("dampen", "b")
    adjust(battle, condition("b1", "stunned"))
    assert pending(battle) is None
    assert [song.melody for song in battle.table.state.rule.songs] == ["heavy_air"]
    assert battle.table.combatant("a1").acted


def test_a_song_whose_singer_falls_while_it_waits_brings_nothing_into_play() -> None:
    battle = singing(warrior("a2", 3000, 3000), warrior("b1", 30000, 30000, singer=SINGER))
    adjust(battle, hp("a1", 0))
    while pending(battle) is not None:
        answer(battle, PASS)
    assert battle.table.state.rule.songs == ()
    assert battle.table.state.rule.status == "running"


def touching(**other: Any) -> Given:
    """A guard next to whom an enemy lies or hides."""
    return in_turn(
        warrior("a1", 10100, 9000, **other), guard("b1", 9000, 9000), warrior("a2", 30000, 30000)
    )


def test_who_gets_up_or_is_revealed_in_contact_is_engaged_and_a_corpse_is_not() -> None:
    fallen = touching(conditions=["out"], health=0)
    adjust(fallen, put("a1", 10000, 9000))
    assert conditions(fallen, "b1") == ("on_guard",)
    adjust(fallen, hp("a1", 1))
    assert (conditions(fallen, "a1"), conditions(fallen, "b1")) == ((), ())
    unseen = touching(hidden=True)
    assert conditions(unseen, "b1") == ("on_guard",)
    adjust(unseen, {"type": "reveal", "combatant": "a1"})
    assert conditions(unseen, "b1") == ()


def test_who_comes_in_beside_a_guard_engages_it() -> None:
    battle = in_turn(warrior("a1", 30000, 30000), guard("b1", 9000, 9000))
    newcomer = warrior("a2", 10100, 9000)
    battle.when({"type": "add_combatant", "combatant": newcomer})
    assert conditions(battle, "b1") == ()
    distant = in_turn(warrior("a1", 30000, 30000), guard("b1", 9000, 9000))
    distant.when({"type": "add_combatant", "combatant": warrior("a2", 10101, 9000)})
    assert conditions(distant, "b1") == ("on_guard",)
