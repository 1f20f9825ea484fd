"""Opportunity attacks: who is asked, what may be answered, and how the action continues."""

from typing import Any

import pytest

from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import By
from service.rulesets.tactical_d20.actions import Answer
from tests.kit.given_when_then import rolled
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.blows import (
    BLADE,
    GUN,
    SHOT,
    answer,
    battle,
    cell_map,
    creature,
    declined,
    hurt,
    kinds,
    refusal,
    spent,
    strike,
)
from tests.rulesets.tactical_d20.setups import Tree

CLOCK = By(kind="system", id="timer", role="gm")
FAR = creature("t", 9)
"""Whom a shoots at, out of everybody's reach."""


def asked(decision: str, combatant: str, **more: Any) -> Tree:
    """The question to an enemy whether it strikes at a, who shoots."""
    return {
        "type": "decision_opened",
        "first": True,
        "decision": {
            "id": decision,
            "kind": "opportunity",
            "opened_by": 3,
            "side": "blue",
            "combatant": combatant,
            "options": ["opportunity_attack", "pass"],
            "default": "pass",
            "context": {"target": "a", "deed": "attack", "place": {"x": 0, "y": 0}},
            **more,
        },
    }


def closed(decision: str, how: str, choice: str | None = None, **more: Any) -> Tree:
    """A question that is answered, in the open."""
    stated = {} if choice is None else {"choice": choice}
    return {"type": "decision_closed", "decision_id": decision, "how": how, **stated, **more}


def word(kind: str, combatant: str, **more: Any) -> Tree:
    """The game master overrules one thing."""
    return {"type": "adjust", "changes": [{"type": kind, "combatant": combatant, **more}]}


def shooting(*enemies: Tree, **setup: Any) -> Table:
    """Red a has shot at T from among these enemies."""
    table = battle(FAR, *enemies, **setup)
    table.ask(SHOT)
    return table


def outcomes(effects: list[Tree]) -> list[tuple[str, str, str]]:
    """Who attacked whom, and how it ended."""
    return [
        (each["detail"]["attacker"], each["target"], each["outcome"])
        for each in effects
        if each["type"] == "attack_resolved"
    ]


def test_a_shot_from_a_controlled_cell_waits_for_those_who_control_it() -> None:
    table = battle(
        FAR,
        creature("b", 1),
        creature("c", 0, 2, reach_ft=10),
        creature("far", 2),
        creature("friend", 0, 1, side="red"),
        creature("green", -1, side="green", reaction_left=0),
        creature("out", -1, 1, conditions=["unconscious"], health=0, health_max=30),
        creature("bow", -1, -1, weapons=[GUN]),
        creature("empty", 0, -1, weapons=[{**BLADE, "ready": False}]),
    )
    event = table.ask(SHOT, "ann")
    shown: Any = table.shown(event.seq, "ann")
    assert shown["effects"] == [spent(), asked("d3.1", "b"), asked("d3.2", "c")]
    assert event.draws == ()
    assert refusal(table, SHOT) == "decision_pending"


@pytest.mark.rule("TD-GEO-3")
def test_a_wall_between_keeps_from_controlling() -> None:
    wall = [{"axis": "v", "x": 1, "y": y, "wall": True} for y in range(-6, 7)]
    ground = {"form": "cells", "cells": [], "borders": wall}
    table = battle(creature("t", -9), creature("b", 1), map=ground)
    assert "attack_resolved" in kinds(effects_of(table.ask(SHOT, dice=(1,))))


def test_strikes_give_nobody_an_opportunity() -> None:
    table = battle(creature("t", 1), creature("b", 0, 1))
    assert "attack_resolved" in kinds(effects_of(table.ask({**SHOT, "weapon": "blade"}, dice=(1,))))


def test_a_guess_gives_opportunities_as_any_shot_does() -> None:
    table = battle(creature("b", 1))
    guess = {"type": "attack_cell", "combatant": "a", "weapon": "gun", "cell": {"x": 5, "y": 0}}
    [_, opened] = effects_of(table.ask(guess))
    assert opened["decision"]["context"]["deed"] == "attack_cell"
    effects = effects_of(table.ask(declined(table, "b"), dice=(10, 50)))
    assert [each["outcome"] for each in effects[1:]] == ["miss"]


def test_the_attack_is_made_and_the_shot_goes_on() -> None:
    table = shooting(creature("b", 1))
    event = table.ask(strike(table, "b"), dice=(15, 4, 16, 3))
    effects = effects_of(event)
    full = {"type": "opportunity_attack", "weapon": "blade"}
    assert effects[:2] == [
        closed("d3.1", "answered", "opportunity_attack", full=full),
        spent("b", "reaction"),
    ]
    assert (effects[2]["target"], effects[2]["detail"]["opportunity"]) == ("a", True)
    assert effects[3] == hurt("a", 25, rolled(6, 4, number=2), bonus=1, attacker="b", item="blade")
    assert (effects[4]["target"], effects[4]["detail"]["opportunity"]) == ("t", False)
    assert effects[5] == hurt("t", 27, rolled(8, 3, number=4))
    assert len(effects) == 6


def test_answers_are_sealed_until_all_are_there_and_worked_out_in_the_order_of_entry() -> None:
    table = shooting(creature("b", 1), creature("c", 0, 1))
    event = table.ask(strike(table, "c"))
    shown: Any = table.shown(event.seq, "ann")
    assert shown["effects"] == [{"type": "decision_closed", "decision_id": "d3.2"}]
    effects = effects_of(table.ask(strike(table, "b"), dice=(2, 2, 1)))
    assert outcomes(effects) == [("b", "a", "miss"), ("c", "a", "miss"), ("a", "t", "miss")]


def test_who_passes_keeps_its_reaction() -> None:
    table = shooting(creature("b", 1))
    effects = effects_of(table.ask(declined(table, "b"), dice=(1,)))
    assert effects[0] == closed("d3.1", "passed", "pass")
    assert outcomes(effects) == [("a", "t", "miss")]
    assert table.combatant("b").reaction_left == 1


@pytest.mark.parametrize(("health", "state"), [(5, "unconscious"), (2, "dead")])
def test_a_shot_is_dropped_with_its_action_if_the_attacker_falls(health: int, state: str) -> None:
    attacker = {"health": health, "health_max": 3 if state == "dead" else 30}
    table = shooting(creature("b", 1), attacker=attacker)
    effects = effects_of(table.ask(strike(table, "b"), dice=(15, 4)))
    assert outcomes(effects) == [("b", "a", "hit")]
    felled = next(each for each in effects if each["type"] == "felled")
    assert (felled["combatant"], felled["state"]) == ("a", state)
    assert "turn_ended" in kinds(effects)
    assert table.turn == "t"


def test_an_attack_on_the_dead_is_not_made_and_its_reaction_kept() -> None:
    table = shooting(creature("b", 1), creature("c", 0, 1), attacker={"health": 2, "health_max": 3})
    table.ask(strike(table, "c"))
    effects = effects_of(table.ask(strike(table, "b"), dice=(15, 4)))
    assert outcomes(effects) == [("b", "a", "hit")]
    assert (table.combatant("b").reaction_left, table.combatant("c").reaction_left) == (0, 1)


def test_the_unconscious_are_struck_all_the_same() -> None:
    table = shooting(creature("b", 1), creature("c", 0, 1), attacker={"health_max": 5})
    table.ask(strike(table, "c"))
    effects = effects_of(table.ask(strike(table, "b"), dice=(15, 4, 15, 1)))
    assert outcomes(effects) == [("b", "a", "hit"), ("c", "a", "hit")]


@pytest.mark.rule("TD-PRONE-1")
def test_an_opportunity_attack_has_the_modifiers_of_any_strike() -> None:
    table = shooting(creature("b", 1, conditions=["prone"]), creature("c", -1))
    table.ask(declined(table, "c"))
    effects = effects_of(table.ask(strike(table, "b"), dice=(2, 1)))
    lines = effects[3]["detail"]["breakdown"]
    assert [(line["rule"], line["amount"]) for line in lines] == [
        *(("TD-FLANK-1", 2), ("TD-PRONE-1", -4))
    ]


# --- refusals -------------------------------------------------------------------------------------

PARAPET = {"axis": "v", "x": 1, "y": 0, "cover": "partial"}
ANSWERS: list[tuple[str, Tree, str, Tree]] = [
    ("unknown_weapon", {}, "x", {}),
    ("weapon_not_ready", {"weapons": [BLADE, {**BLADE, "id": "axe", "ready": False}]}, "axe", {}),
    ("weapon_not_ready", {}, "gun", {}),
    (
        "out_of_reach",
        {"place": {"x": 2, "y": 0}, "weapons": [{**BLADE, "id": "pike", "reach_ft": 10}, BLADE]},
        "blade",
        {"conditions": ["invisible"]},
    ),
    ("total_cover", {}, "blade", {"cover_overrides": [{"versus": "b", "grade": "total"}]}),
    ("target_unseen", {}, "blade", {"conditions": ["invisible"]}),
    ("target_has_cover", {}, "blade", {}),
]


@pytest.mark.rule("TD-COVER-3")
@pytest.mark.parametrize(("code", "enemy", "weapon", "attacker"), ANSWERS)
def test_the_first_thing_that_is_wrong_with_an_answer_names_the_refusal(
    code: str, enemy: Tree, weapon: str, attacker: Tree
) -> None:
    """TD-EX-13: cover of any grade forbids to strike; the enemy is asked all the same."""
    ground = {"form": "cells", "cells": [], "borders": [PARAPET]}
    table = shooting({**creature("b", 1), **enemy}, attacker=attacker, map=ground)
    assert refusal(table, strike(table, "b", weapon)) == code


def test_a_reaction_that_is_gone_meanwhile_voids_the_question() -> None:
    table = shooting(creature("b", 1), creature("c", 0, 1))
    change = {"type": "resource", "combatant": "b", "resource": "reaction", "value": 0}
    effects = effects_of(table.ask({"type": "adjust", "changes": [change]}))
    assert closed("d3.1", "void") in effects
    assert [who for _, who in table.questions] == ["c"]


BEYOND: list[Tree] = [
    word("place", "b", place={"x": 5, "y": 0}),
    word("place", "b", place={"x": 1, "y": 0, "elevation": 10}),
    word("ready", "b", weapon="blade", ready=False),
]
"""What takes a's space out of b's control."""


@pytest.mark.rule("TD-GEO-3")
@pytest.mark.parametrize("change", BEYOND, ids=str)
def test_whoever_controls_the_space_no_more_is_asked_no_more(change: Tree) -> None:
    table = shooting(creature("b", 1), creature("c", 0, 1))
    effects = effects_of(table.ask(change))
    assert effects[-1] == closed("d3.1", "void")
    assert [who for _, who in table.questions] == ["c"]
    assert outcomes(effects_of(table.ask(declined(table, "c"), dice=(1,)))) == [("a", "t", "miss")]


@pytest.mark.parametrize("change", BEYOND, ids=str)
def test_a_shot_goes_on_when_nobody_controls_the_space_any_more(change: Tree) -> None:
    table = shooting(creature("b", 1))
    effects = effects_of(table.ask(change, dice=(1,)))
    assert closed("d3.1", "void") in effects
    assert outcomes(effects) == [("a", "t", "miss")]
    assert (table.questions, table.combatant("b").reaction_left) == ([], 1)


def test_whoever_is_put_where_he_still_controls_the_space_is_still_asked() -> None:
    table = shooting(creature("b", 1))
    table.ask(word("place", "b", place={"x": -1, "y": -1}))
    assert [who for _, who in table.questions] == ["b"]
    assert outcomes(effects_of(table.ask(strike(table, "b"), dice=(1, 1)))) == [
        ("b", "a", "miss"),
        ("a", "t", "miss"),
    ]


@pytest.mark.rule("TD-SOFT-1")
@pytest.mark.parametrize(("soft", "code"), [(False, None), (True, "target_has_cover")])
def test_living_cover_does_not_stop_it_unless_the_table_says_so(
    soft: bool, code: str | None
) -> None:
    """TD-EX-26."""
    options = {"soft_cover_vs_melee": soft}
    table = shooting(creature("b", -2, reach_ft=10), creature("s", -1, side="red"), options=options)
    blow = strike(table, "b")
    if code is not None:
        assert refusal(table, blow) == code
        return
    effects = effects_of(table.ask(blow, dice=(1, 1)))
    assert effects[2]["detail"]["against"]["breakdown"] == []


def test_only_those_asked_may_answer_and_only_as_offered() -> None:
    table = shooting(creature("b", 1))
    blow = strike(table, "b")
    assert refusal(table, {**blow, "decision_id": "d3.7"}) == "decision_closed"
    assert refusal(table, blow, "ann") == "not_your_decision"
    assert refusal(table, {**blow, "choice": {"type": "roll"}}) == "wrong_choice"


# --- the game master's word, and time -------------------------------------------------------------


def test_a_forced_or_timed_out_answer_is_a_pass() -> None:
    table = shooting(creature("b", 1), creature("c", 0, 1), dice="sealed")
    [(first, _), (second, _)] = table.questions
    table.ask({"type": "force_pass", "decision_id": second})
    late = Answer(decision_id=first, choice=PassChoice(reason="timeout"))
    effects = effects_of(table.act(late, CLOCK))
    assert effects[:2] == [closed("d3.1", "timeout", "pass"), closed("d3.2", "forced", "pass")]
    assert kinds(effects)[2] == "attack_resolved"


def test_an_attacker_who_is_struck_down_voids_everything() -> None:
    table = shooting(creature("b", 1))
    effects = effects_of(table.ask(word("hp", "a", value=0)))
    assert closed("d3.1", "void") in effects
    assert outcomes(effects) == []
    assert (table.questions, table.turn) == ([], "t")


def test_the_last_enemy_who_falls_lets_the_shot_go_on() -> None:
    table = shooting(creature("b", 1))
    effects = effects_of(table.ask(word("hp", "b", value=0), dice=(1,)))
    assert closed("d3.1", "void") in effects
    assert outcomes(effects) == [("a", "t", "miss")]


@pytest.mark.parametrize(
    "meanwhile",
    [
        word("hp", "t", value=-30),
        word("ready", "a", weapon="gun", ready=False),
        word("condition", "t", condition="invisible"),
    ],
)
def test_a_shot_that_has_become_impossible_is_dropped(meanwhile: Tree) -> None:
    table = shooting(creature("b", 1))
    table.ask(meanwhile)
    effects = effects_of(table.ask(declined(table, "b")))
    assert outcomes(effects) == []
    assert table.combatant("a").standard_left == 0
    assert table.turn == "a"


def test_a_players_shot_at_whom_he_knows_no_more_is_dropped_and_the_masters_is_not() -> None:
    for by, made in (("ann", []), ("gm", [("a", "t", "miss")])):
        table = battle(FAR, creature("b", 1))
        table.ask(SHOT, by)
        table.ask(word("hide", "t"))
        effects = effects_of(table.ask(declined(table, "b"), dice=(1,) if made else ()))
        assert outcomes(effects) == made


@pytest.mark.parametrize(("by", "made"), [("gm", [("a", "t", "miss")]), ("ann", None)])
def test_a_shot_past_a_wall_that_is_gone_in_secret_goes_on_for_who_knows(
    by: str, made: list[tuple[str, str, str]] | None
) -> None:
    wall = [{"x": 4, "y": y, "wall": True} for y in (-1, 0, 1)]
    gone = {"cells": [{"x": 4, "y": y} for y in (-1, 0, 1)]}
    table = battle(FAR, creature("b", 1), map=cell_map(*wall), hidden_terrain=gone)
    if made is None:
        assert refusal(table, SHOT, by) == "total_cover"
        return
    table.ask(SHOT, by)
    assert outcomes(effects_of(table.ask(declined(table, "b"), dice=(1,)))) == made


def test_a_players_shot_that_waited_is_obstructed_by_what_he_does_not_know() -> None:
    wall = {"cells": [{"x": 4, "y": y, "wall": True} for y in (-1, 0, 1)]}
    table = battle(FAR, creature("b", 1), hidden_terrain=wall)
    table.ask(SHOT, "ann")
    effects = effects_of(table.ask(declined(table, "b")))
    assert outcomes(effects) == [("a", "t", "obstructed")]


def test_nobody_strikes_at_whom_he_knows_no_more() -> None:
    table = shooting(creature("b", 1), creature("c", 0, 1))
    table.ask(strike(table, "b"))
    effects = effects_of(table.ask(word("hide", "a"), dice=(1,)))
    assert closed("d3.2", "void") in effects
    assert outcomes(effects) == [("a", "t", "miss")]
    assert table.combatant("b").reaction_left == 1


def test_an_attack_that_has_become_impossible_is_not_made() -> None:
    table = shooting(creature("b", 1), creature("c", 0, 1))
    table.ask(strike(table, "b"))
    table.ask(word("ready", "b", weapon="blade", ready=False))
    effects = effects_of(table.ask(declined(table, "c"), dice=(1,)))
    assert outcomes(effects) == [("a", "t", "miss")]
    assert table.combatant("b").reaction_left == 1


# --- what is hidden -------------------------------------------------------------------------------


def test_a_question_to_a_hidden_enemy_is_seen_by_its_side_alone() -> None:
    table = battle(FAR, creature("b", 1, hidden=True))
    event = table.ask(SHOT, "ann")
    shown: Any = table.shown(event.seq, "ann")
    assert shown["effects"] == [spent()]
    own: Any = table.shown(event.seq, "bob")
    assert own["effects"] == [spent(), asked("d3.b1", "b", stream=2)]
    effects = effects_of(table.ask(strike(table, "b"), dice=(15, 4, 1)))
    assert kinds(effects)[:4] == [
        *("decision_closed", "resource_changed", "revealed", "attack_resolved")
    ]


def test_whoever_may_not_know_the_shooter_is_not_asked() -> None:
    options = {"attack_reveals": False}
    table = battle(FAR, creature("b", 1), attacker={"hidden": True}, options=options)
    assert outcomes(effects_of(table.ask(SHOT, dice=(1,)))) == [("a", "t", "miss")]
    table = battle(FAR, creature("b", 1), attacker={"hidden": True})
    assert kinds(effects_of(table.ask(SHOT))) == [
        *("resource_changed", "revealed", "decision_opened")
    ]


def test_a_hidden_wall_between_shows_itself_to_the_one_who_strikes_at_it() -> None:
    wall = [{"axis": "v", "x": 1, "y": y, "wall": True} for y in range(-6, 7)]
    table = battle(
        creature("t", -9), creature("b", 1), hidden_terrain={"borders": wall}, dice="sealed"
    )
    table.ask(SHOT)
    effects = effects_of(table.ask(strike(table, "b"), "bob"))
    assert kinds(effects)[:5] == [
        *("decision_closed", "resource_changed", "terrain_changed"),
        *("attack_resolved", "attack_resolved"),
    ]
    assert outcomes(effects)[0] == ("b", "a", "obstructed")


# --- with the table's dice ------------------------------------------------------------------------


def test_each_player_rolls_for_his_own() -> None:
    table = battle(FAR, creature("b", 1))
    table.ask(SHOT, "ann")
    table.ask(strike(table, "b"), "bob")
    rolls = []
    for face in (15, 4, 16, 3):
        [[decision]] = [group.decisions for group in table.state.rule.pending[-1:]]
        by = {"blue": "bob", "red": "ann"}.get(str(decision.side), str(decision.seat))
        rolls.append((by, decision.roll.purpose))
        table.ask(answer_roll(decision.id), by, (face,))
    assert rolls == [*(("bob", "attack"), ("bob", "damage"), ("ann", "attack"), ("ann", "damage"))]
    assert (table.combatant("a").health, table.combatant("t").health) == (25, 27)


def answer_roll(decision: str) -> Tree:
    """The answer that brings dice."""
    return {"type": "answer", "decision_id": decision, "choice": {"type": "roll"}}


def test_without_dice_of_the_table_the_same_comes_of_it() -> None:
    table = battle(FAR, creature("b", 1), dice="sealed")
    table.ask(SHOT, "ann")
    effects = effects_of(table.ask(answer(table, "b", {"type": "pass"}), "bob"))
    assert kinds(effects)[:2] == ["decision_closed", "attack_resolved"]
