"""Sentences of sections 1 and 2 of the catalogue that no worked example shows, one by one."""

from typing import Any

import pytest

from tests.kit.given_when_then import Given, Refusal
from tests.rulesets.tactical_d20.duels import (
    BLADE,
    BOMB,
    GUN,
    adjust,
    answer,
    at,
    attack,
    border,
    cell,
    cells,
    do,
    duel,
    guess,
    only,
    path,
    strikes,
)
from tests.rulesets.tactical_d20.examples import Tree

T_FIRST: Tree = {"order": ["t", "a"]}
PASS: Tree = {"type": "pass"}


def state(battle: Given, name: str) -> Any:
    """A combatant as the battle has it."""
    return battle.table.combatant(name)


def done(battle: Given, action: Tree, *dice: int, by: str = "gm") -> list[Tree]:
    """The effects of an action that is allowed."""
    outcome = battle.when(action, by=by, dice=dice).outcome
    assert isinstance(outcome, list), outcome
    return outcome


def asked(battle: Given) -> list[str]:
    """Who is asked."""
    return [who for _, who in battle.table.questions]


def place(battle: Given, name: str) -> tuple[int, int]:
    """Where somebody is."""
    where = state(battle, name).place
    return where.x, where.y


# --- opportunities --------------------------------------------------------------------------------


def test_who_has_passed_is_asked_again_before_the_next_step_that_he_controls() -> None:
    battle = duel({"reach_ft": 10}, battle=T_FIRST)
    done(battle, path((2, 0), (3, 0), (4, 0), combatant="t"))
    assert (asked(battle), place(battle, "t")) == (["a"], (1, 0))
    done(battle, answer(battle.table, "a", PASS))
    assert (asked(battle), place(battle, "t")) == (["a"], (2, 0))
    done(battle, answer(battle.table, "a", PASS))
    assert (asked(battle), place(battle, "t")) == ([], (4, 0))


def test_a_step_into_reach_offers_nothing() -> None:
    battle = duel(t=at(3, 0), battle=T_FIRST)
    done(battle, path((2, 0), (1, 0), combatant="t"))
    assert (asked(battle), place(battle, "t")) == ([], (1, 0))


def test_a_reaction_is_spent_until_the_own_turn_begins() -> None:
    battle = duel({"reach_ft": 10}, battle=T_FIRST)
    done(battle, path((2, 0), (3, 0), combatant="t"))
    done(battle, strikes(battle.table, "a"), 2)
    assert (asked(battle), place(battle, "t")) == ([], (3, 0))
    assert state(battle, "a").reaction_left == 0
    done(battle, do("end_turn", "t"))
    assert state(battle, "a").reaction_left == 1


def test_whoever_falls_on_a_walk_drops_the_rest_and_lies_where_he_is() -> None:
    battle = duel(t={"health": 1, "health_max": 100}, battle=T_FIRST)
    done(battle, path((2, 0), (3, 0), combatant="t"))
    effects = done(battle, strikes(battle.table, "a"), 20)
    assert [each["state"] for each in only(effects, "felled")] == ["unconscious"]
    assert place(battle, "t") == (1, 0)
    ended = {"type": "turn_ended", "combatant": "t", "cause": "felled"}
    assert only(effects, "turn_ended") == [ended]
    assert battle.table.turn == "a"


def test_a_walker_who_falls_may_lie_in_a_cell_that_somebody_holds() -> None:
    friend = at(2, 0, side="blue")
    battle = duel({"reach_ft": 10}, {"health_max": 1}, battle={"order": ["t", "a", "f"]}, f=friend)
    done(battle, path((2, 0), (3, 0), combatant="t"))
    done(battle, answer(battle.table, "a", PASS))
    assert place(battle, "t") == (2, 0)
    done(battle, strikes(battle.table, "a"), 20)
    assert (place(battle, "t"), place(battle, "f")) == ((2, 0), (2, 0))


def test_of_several_strikes_one_at_a_dead_target_is_not_made_and_its_reaction_kept() -> None:
    killer = {"weapons": [BLADE | {"damage": {"count": 0, "sides": 6, "bonus": 50}}]}
    order = {"order": ["t", "a", "b"]}
    battle = duel(killer, {"health_max": 10}, battle=order, b=at(1, 1))
    done(battle, path((2, 0), combatant="t"))
    assert asked(battle) == ["a", "b"]
    done(battle, strikes(battle.table, "b"))
    effects = done(battle, strikes(battle.table, "a"), 20)
    assert [each["detail"]["attacker"] for each in only(effects, "attack_resolved")] == ["a"]
    assert "dead" in state(battle, "t").conditions
    spent = [each["combatant"] for each in only(effects, "resource_changed") if not each["now"]]
    assert spent == ["a"]


def test_strikes_are_worked_out_by_number_whoever_answers_first() -> None:
    battle = duel(battle={"order": ["t", "a", "b"]}, b=at(1, 1))
    done(battle, path((2, 0), combatant="t"))
    done(battle, strikes(battle.table, "b"))
    effects = done(battle, strikes(battle.table, "a"), 2, 3)
    attacks = only(effects, "attack_resolved")
    assert [each["detail"]["attacker"] for each in attacks] == ["a", "b"]
    assert [each["detail"]["roll"]["faces"] for each in attacks] == [[2], [3]]


def test_a_shot_from_a_controlled_cell_is_dropped_with_its_action_if_the_shooter_falls() -> None:
    battle = duel({"health_max": 1}, f=at(9, 0, side="blue"))
    done(battle, attack("gun", "f"))
    assert asked(battle) == ["t"]
    effects = done(battle, strikes(battle.table, "t"), 20)
    assert [each["detail"]["attacker"] for each in only(effects, "attack_resolved")] == ["t"]
    assert state(battle, "a").standard_left == 0
    assert battle.table.turn == "t"


def test_a_guess_with_a_ranged_weapon_offers_opportunities_and_one_with_a_blade_none() -> None:
    shooting = duel()
    done(shooting, guess(3, 3))
    assert asked(shooting) == ["t"]
    striking = duel()
    done(striking, guess(0, 1, "blade"), 2, 50)
    assert asked(striking) == []


def test_an_area_effect_offers_no_opportunity() -> None:
    battle = duel({"areas": [BOMB]})
    burst = do("area_attack", area="bomb", origin={"x": 9, "y": 9})
    effects = done(battle, burst)
    assert (asked(battle), only(effects, "hurt")) == ([], [])


def test_damage_of_an_area_is_drawn_even_if_nobody_is_there() -> None:
    dicey = BOMB | {"damage": {"count": 2, "sides": 6}}
    battle = duel({"areas": [dicey]})
    burst = do("area_attack", area="bomb", origin={"x": 9, "y": 9})
    effects = done(battle, burst, 3, 4)
    assert [each["roll"]["faces"] for each in only(effects, "rolled")] == [[3, 4]]


def test_the_prone_unconscious_without_reaction_and_friends_are_not_asked_but_the_prone() -> None:
    people = {
        "b": at(1, 1, conditions=["unconscious"]),
        "c": at(2, 1, reaction_left=0),
        "d": at(0, 1, side="blue"),
        "e": at(2, -1, conditions=["prone"]),
        "f": at(0, -1, weapons=[GUN]),
    }
    battle = duel({"reach_ft": 0}, battle={"order": ["t", "a", *people]}, **people)
    done(battle, path((1, -1), combatant="t"))
    assert asked(battle) == ["e"]


def test_nobody_strikes_at_somebody_whom_he_does_not_know() -> None:
    battle = duel(t={"hidden": True}, battle=T_FIRST)
    done(battle, path((2, 0), combatant="t"))
    assert asked(battle) == []


def test_a_wall_between_them_keeps_an_enemy_from_being_asked() -> None:
    walled = cells(borders=tuple(border("v", 1, y, wall=True) for y in range(-3, 4)))
    battle = duel(map=walled, battle=T_FIRST)
    done(battle, path((2, 0), combatant="t"))
    assert asked(battle) == []


# --- walking --------------------------------------------------------------------------------------


def test_the_fallen_hinder_nobody_passing_and_the_dead_nobody_ending() -> None:
    lying = at(1, 0, conditions=["unconscious"])
    through = duel(t=lying)
    assert only(done(through, path((1, 0), (2, 0))), "moved")[0]["complete"]
    onto = duel(t=lying).when(path((1, 0)))
    onto.refused("cell_occupied", step=0, x=1, y=0)
    dead = duel(t=at(1, 0, conditions=["dead"]))
    assert only(done(dead, path((1, 0))), "moved")[0]["complete"]


def test_one_passes_through_friends_and_ends_in_nobodys_cell() -> None:
    battle = duel(t=at(9, 9), f=at(1, 0))
    battle.when(path((1, 0))).refused("cell_occupied", step=0, x=1, y=0)
    assert only(done(battle, path((1, 0), (2, 0))), "moved")[0]["complete"]


def test_no_diagonal_step_passes_a_wall_at_its_vertex() -> None:
    for wall in (
        cells(cell(1, 0, wall=True)),
        cells(cell(0, 1, wall=True)),
        cells(borders=(border("v", 1, 0, wall=True),)),
        cells(borders=(border("h", 1, 1, wall=True),)),
    ):
        outcome = duel(t=at(9, 9), map=wall).when(path((1, 1))).outcome
        assert isinstance(outcome, Refusal)
        assert outcome.code == "cell_impassable"


def test_glass_stops_a_walk_and_a_parapet_does_not() -> None:
    glass = cells(borders=(border("v", 1, 0, wall=True, transparent=True),))
    outcome = duel(t=at(9, 9), map=glass).when(path((1, 0))).outcome
    assert isinstance(outcome, Refusal)
    assert outcome.code == "cell_impassable"
    parapet = cells(borders=(border("v", 1, 0, cover="improved", opaque=True),))
    assert only(done(duel(t=at(9, 9), map=parapet), path((1, 0))), "moved")


def test_a_big_one_needs_room_for_its_whole_space() -> None:
    pillar = cells(cell(3, 1, wall=True))
    outcome = duel({"size": 2}, at(9, 9), map=pillar).when(path((1, 0), (2, 0))).outcome
    assert isinstance(outcome, Refusal)
    assert (outcome.code, outcome.params["step"]) == ("cell_impassable", 1)


def test_a_wall_laid_into_a_space_harms_nobody_and_he_may_leave_it() -> None:
    battle = duel(t=at(9, 9))
    done(battle, {"type": "set_terrain", "cells": [cell(0, 0, wall=True)]})
    assert place(battle, "a") == (0, 0)
    assert only(done(battle, path((0, 1))), "moved")[0]["complete"]


# --- what is hidden -------------------------------------------------------------------------------

HIDDEN_WALL: Tree = {"borders": [border("v", 3, 0, wall=True)]}


def test_a_walk_ends_before_a_hidden_wall_which_becomes_known() -> None:
    battle = duel(t=at(9, 9), hidden_terrain=HIDDEN_WALL)
    effects = done(battle, path((1, 0), (2, 0), (3, 0)), by="red")
    [walk] = only(effects, "moved")
    assert (walk["complete"], walk["cause"], place(battle, "a")) == (False, "contact", (2, 0))
    [ground] = only(effects, "terrain_changed")
    assert (ground["cause"], ground["changes"]) == (
        "met",
        [{"border": ground["changes"][0]["border"]}],
    )
    assert state(battle, "a").move_left == 0


def test_a_walk_ends_before_a_hidden_creature_which_becomes_known() -> None:
    lurker = at(3, 0, side="blue", hidden=True)
    battle = duel(t=at(9, 9), h=lurker)
    effects = done(battle, path((1, 0), (2, 0), (3, 0)), by="red")
    assert [each["combatant"]["id"] for each in only(effects, "revealed")] == ["h"]
    assert place(battle, "a") == (2, 0)


def test_a_walk_ends_in_the_last_cell_in_which_it_may_end() -> None:
    lurker = at(3, 0, side="blue", hidden=True)
    battle = duel(t=at(9, 9), f=at(2, 0), h=lurker)
    done(battle, path((1, 0), (2, 0), (3, 0)), by="red")
    assert place(battle, "a") == (1, 0)


def test_an_attack_that_only_hidden_walls_close_is_obstructed_without_dice() -> None:
    walls = {"borders": [border("v", 3, y, wall=True) for y in range(-9, 10)]}
    battle = duel(t=at(5, 0), hidden_terrain=walls)
    effects = done(battle, attack("gun"), by="red")
    [shot] = only(effects, "attack_resolved")
    assert shot["outcome"] == "obstructed"
    assert "roll" not in shot["detail"]
    [ground] = only(effects, "terrain_changed")
    met = [(each["border"]["x"], each["border"]["y"]) for each in ground["changes"]]
    # The nearest pair is (1, 0) and (5, 0): its line is pinched between the borders at (3, 0).
    assert met == [(3, -1), (3, 0)]
    assert state(battle, "a").standard_left == 0
    battle.when(adjust("resource", "a", resource="standard", value=1))
    assert only(done(battle, attack("gun"), by="red"), "attack_resolved")[0]["outcome"] == (
        "obstructed"
    )


def test_hidden_ground_gives_neither_cover_nor_concealment_until_it_is_known() -> None:
    secret = {"cells": [cell(3, 0, cover="normal"), cell(2, 0, concealment_pct=50)]}
    battle = duel(t=at(5, 0), hidden_terrain=secret)
    [shot] = only(done(battle, attack("gun"), 10), "attack_resolved")
    assert (shot["detail"]["cover"]["ac"], shot["detail"]["concealment"]["percent"]) == (0, 0)


def test_a_hidden_creature_is_no_living_cover_and_no_partner() -> None:
    lurker = at(3, 0, side="blue", hidden=True, weapons=[])
    battle = duel(t=at(5, 0), h=lurker)
    [shot] = only(done(battle, attack("gun"), 10), "attack_resolved")
    assert shot["detail"]["cover"]["ac"] == 0
    partner = at(2, 0, hidden=True)
    alone = duel(p=partner)
    [blow] = only(done(alone, attack(), 9), "attack_resolved")
    assert (blow["outcome"], blow["detail"]["breakdown"]) == ("miss", [])


@pytest.mark.parametrize("reveals", [True, False])
def test_whoever_attacks_becomes_known_before_the_first_die_if_the_table_says_so(
    reveals: bool,
) -> None:
    battle = duel({"hidden": True}, options={"attack_reveals": reveals})
    kinds = [each["type"] for each in done(battle, attack(), 2)]
    assert ("revealed" in kinds) is reveals
    if reveals:
        assert kinds.index("revealed") < kinds.index("attack_resolved")


# --- hit points, criticals, senses ----------------------------------------------------------------


@pytest.mark.rule("TD-SD-3")
@pytest.mark.parametrize(
    ("health", "fallen"),
    [(51, None), (50, "unconscious"), (1, "unconscious"), (-49, "unconscious"), (-50, "dead")],
)
def test_at_0_one_is_unconscious_and_as_far_below_as_above_dead(
    health: int, fallen: str | None
) -> None:
    hammer = [BLADE | {"damage": {"count": 0, "sides": 6, "bonus": 50}}]
    conditions = ["unconscious"] if health <= 0 else []
    sheet = {"health": health, "health_max": 100, "conditions": conditions}
    battle = duel({"weapons": hammer}, sheet)
    effects = done(battle, attack(), 10)
    felled = [each["state"] for each in only(effects, "felled")]
    assert felled == ([fallen] if fallen and (health > 0 or fallen == "dead") else [])


@pytest.mark.rule("TD-SD-3")
def test_who_is_raised_above_0_by_the_game_master_is_neither_unconscious_nor_dead() -> None:
    battle = duel()
    done(battle, adjust("hp", value=-100))
    assert "dead" in state(battle, "t").conditions
    done(battle, adjust("hp", value=1))
    assert state(battle, "t").conditions == ()


@pytest.mark.rule("TD-SD-2")
def test_a_critical_hit_doubles_dice_and_bonus_and_needs_the_total() -> None:
    axe = [BLADE | {"damage": {"count": 2, "sides": 6, "bonus": 3}}]
    battle = duel({"weapons": axe})
    [wound] = only(done(battle, attack(), 20, 1, 2, 3, 4), "hurt")
    assert wound["amount"] == 1 + 2 + 3 + 4 + 6
    hard = duel({"weapons": axe}, {"ac": {"eac": 10, "kac": 21}})
    effects = done(hard, attack(), 20, 1, 2)
    assert [each["outcome"] for each in only(effects, "attack_resolved")] == ["hit"]
    assert only(effects, "hurt")[0]["amount"] == 1 + 2 + 3


@pytest.mark.rule("TD-SD-2")
def test_a_total_below_0_of_damage_is_0() -> None:
    feather = [BLADE | {"damage": {"count": 1, "sides": 4, "bonus": -9}}]
    [wound] = only(done(duel({"weapons": feather}), attack(), 10, 4), "hurt")
    assert (wound["amount"], wound["health"]) == (0, 100)


def test_a_weapon_is_rolled_against_the_armour_class_that_it_targets() -> None:
    laser = [BLADE | {"targets": "eac"}]
    battle = duel({"weapons": laser}, {"ac": {"eac": 3, "kac": 30}})
    [blow] = only(done(battle, attack(), 3), "attack_resolved")
    assert (blow["outcome"], blow["detail"]["against"]["needed"]) == ("hit", 3)


@pytest.mark.rule("TD-CONC-8")
def test_light_on_the_way_counts_only_if_the_table_says_so() -> None:
    dim = cells(cell(2, 0, light="dim"))
    plain = duel(t=at(4, 0), map=dim)
    assert only(done(plain, attack("gun"), 10), "attack_resolved")[0]["outcome"] == "hit"
    lit = duel(t=at(4, 0), map=dim, options={"light_on_line": True})
    [shot] = only(done(lit, attack("gun"), 10, 20), "attack_resolved")
    assert shot["outcome"] == "miss_concealment"


@pytest.mark.rule("TD-COVER-5")
def test_one_line_of_four_that_meets_anything_limits_cover_if_the_table_counts_lines() -> None:
    wall = cells(borders=(border("v", 2, 0, wall=True),))
    battle = duel(t=at(2, 0), map=wall, options={"partial_cover_method": "line_count"})
    [shot] = only(done(battle, attack("gun"), 11), "attack_resolved")
    report = shot["detail"]["cover"]
    assert (report["grade"], report["ac"], report["reflex"]) == ("partial", 2, 1)
    assert (shot["detail"]["against"]["needed"], len(report["lines"])) == (12, 1)


def test_whoever_joins_draws_his_initiative_when_he_comes() -> None:
    battle = duel()
    newcomer = {
        "id": "n",
        "side": "red",
        "place": {"x": 5, "y": 5},
        "health_max": 9,
        "initiative": 3,
    }
    effects = done(battle, {"type": "add_combatant", "combatant": newcomer}, 17)
    [rolled] = only(effects, "rolled")
    assert (rolled["purpose"], rolled["roll"]["faces"]) == ("initiative", [17])
    assert state(battle, "n").reaction_left == 1
