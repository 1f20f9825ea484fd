"""Every option of the table, on both sides of what it decides."""

from typing import Any

import pytest

from tests.kit.given_when_then import Given
from tests.rulesets.seeker_d100.setups import (
    answer,
    do,
    done,
    duel,
    fighter,
    only,
    sheet,
    strike,
    wall,
    weapon,
)

GUNS = {"weapons": [weapon("w_heavy_rifle"), weapon("w_revolver"), weapon("w_ied")]}
FAR = {"place": {"x": 8, "y": 0}}


def lost(battle: Given, action: dict[str, Any], *dice: int) -> list[int]:
    """What an attack cost its victims."""
    return [each["amount"] for each in only(done(battle, action, *dice), "hurt")]


def code(battle: Given, action: dict[str, Any]) -> str | None:
    """Why an action is refused, None if it is not."""
    outcome = battle.when(action).outcome
    return None if isinstance(outcome, list) else outcome.code


def test_cell_m_stretches_a_map_drawn_in_cells() -> None:
    for cell_m, amount in ((3, 0), (5, 7)):
        cells = {"unit": "cells", "cover": [wall(2)]}
        options = {"cell_m": cell_m}
        battle = duel(GUNS, FAR, options=options, map=cells)
        assert lost(battle, strike("w_revolver"), 50, 7) == [amount]


def test_melee_reach_sq_says_how_far_a_blow_reaches() -> None:
    for reach, is_allowed in ((4, False), (5, True)):
        battle = duel(t={"place": {"x": 2, "y": 1}}, options={"melee_reach_sq": reach})
        outcome = battle.when(strike(), dice=(60,) if is_allowed else ()).outcome
        assert isinstance(outcome, list) == is_allowed


@pytest.mark.parametrize(
    ("doubles", "outcomes"),
    [(True, ["critical", "fumble", "hit"]), (False, ["hit", "miss", "hit"])],
)
@pytest.mark.rule("SK-CHECK-3")
def test_doubles(doubles: bool, outcomes: list[str]) -> None:
    found = []
    for dice in ((44, 1), (55,), (43, 1)):
        effects = done(duel(options={"doubles": doubles}), strike(), *dice)
        found.append(only(effects, "attack_resolved")[0]["outcome"])
    assert found == outcomes


@pytest.mark.rule("SK-REACT-2", "SK-STAND-2")
def test_without_reactions_everybody_declines_and_standing_rolls_remain() -> None:
    none = {"reactions": "none"}
    effects = done(duel(fresh=True, options=none), strike(), 60)
    assert only(effects, "window_skipped")[0]["why"] == "reactions_none"
    standing = {"standing_roll": {"kind": "dodge", "natural": 40, "level": 2}, "actions_left": 0}
    effects = done(duel(t=standing, options=none), strike(), 30)
    assert only(effects, "attack_resolved")[0]["outcome"] == "avoided"


@pytest.mark.rule("SK-OPP-1")
@pytest.mark.parametrize(("die", "outcome"), [("high", "avoided"), ("low", "hit")])
def test_opposed_die(die: str, outcome: str) -> None:
    battle = duel(fresh=True, options={"opposed_die": die})
    done(battle, strike())
    dice = (30, 40) if outcome == "avoided" else (30, 40, 2)
    effects = done(battle, answer(battle, "t", "dodge"), *dice)
    assert only(effects, "attack_resolved")[0]["outcome"] == outcome


@pytest.mark.rule("SK-CALL-3")
@pytest.mark.parametrize("penalty", [0, -1, -100])
def test_called_open_penalty(penalty: int) -> None:
    battle = duel(GUNS, FAR, options={"called_open_penalty": penalty})
    called = do("called_shot", weapon="w_revolver", target="t", part="head")
    [attack] = only(done(battle, called, 100), "attack_resolved")
    assert attack["detail"]["pool"] == 50 + penalty
    assert len(attack["detail"]["breakdown"]) == (1 if penalty else 0)


@pytest.mark.rule("SK-CALL-4")
@pytest.mark.parametrize(("ignores", "amount"), [("uncovering", 6), ("all", 7)])
def test_called_ignores_armour(ignores: str, amount: int) -> None:
    options = {"called_ignores_armour": ignores}
    battle = duel(GUNS, FAR | {"helmet": True}, options=options)
    called = do("called_shot", weapon="w_revolver", target="t", part="head")
    assert lost(battle, called, 30, 7) == [amount]


@pytest.mark.rule("SK-DIS-2")
@pytest.mark.parametrize(("needed", "refusal"), [(1, None), (2, "no_free_hand")])
def test_disarm_free_hands(needed: int, refusal: str | None) -> None:
    options = {"disarm_free_hands": needed}
    battle = duel({"free_hands": 1}, {"held_items": ["x"]}, options=options)
    outcome = battle.when(do("disarm", target="t", item="x"), dice=() if refusal else (60,)).outcome
    assert (None if isinstance(outcome, list) else outcome.code) == refusal


@pytest.mark.rule("SK-FREE-1")
def test_break_free_versus_the_roll_of_the_grapple() -> None:
    hold = {"held_by": {"holder": "t", "natural": 40, "level": 2}}
    options = {"break_free_versus": "grapple_roll"}
    for face, outcome in ((40, "failure"), (41, "success")):
        effects = done(duel(hold, options=options), do("break_free"), face)
        [check] = only(effects, "check_resolved")
        assert check["outcome"] == outcome
        assert check["opposed"] == {
            "combatant": "t",
            "natural": 40,
            "level": 2,
            "breakdown": [],
        }


@pytest.mark.rule("SK-GRAB-2")
@pytest.mark.parametrize(("bonus", "pools"), [("melee", [70, 70]), ("unarmed", [70, 50])])
def test_held_bonus(bonus: str, pools: list[int]) -> None:
    held = {"held_by": {"holder": "b", "natural": 40, "level": 2}}
    holder = fighter("b", "red", 2, 0, actions_left=0)
    found = []
    for arm in ("w_unarmed", "w_knife"):
        knife = {"weapons": [weapon("w_knife")]}
        battle = duel(knife, held, holder, options={"held_bonus": bonus})
        [attack] = only(done(battle, strike(arm), 100), "attack_resolved")
        found.append(attack["detail"]["pool"])
    assert found == pools


@pytest.mark.rule("SK-DMG-3")
@pytest.mark.parametrize(("doubles", "amount"), [(True, 8), (False, 4)])
def test_critical_doubles_damage(doubles: bool, amount: int) -> None:
    battle = duel(GUNS, FAR, options={"critical_doubles_damage": doubles})
    assert lost(battle, strike("w_revolver"), 44, 4) == [amount]


@pytest.mark.rule("SK-LETH-4")
def test_attack_roll_kills() -> None:
    battle = duel(GUNS, FAR, options={"attack_roll_kills": False})
    assert lost(battle, strike("w_heavy_rifle"), 20, 30) == [13]
    assert lost(duel(GUNS, FAR), strike("w_heavy_rifle"), 20) == [12]
    assert lost(duel(GUNS, FAR), strike("w_heavy_rifle"), 21, 90) == [19]


@pytest.mark.rule("SK-LETH-5")
def test_lethality_critical() -> None:
    instant = {"lethality_critical": "instant"}
    assert lost(duel(GUNS, FAR, options=instant), strike("w_heavy_rifle"), 44) == [12]
    assert lost(duel(GUNS, FAR), strike("w_heavy_rifle"), 44, 41) == [10]
    covered = duel(GUNS, FAR, options=instant, cover=(wall(4, armour=1),))
    assert lost(covered, strike("w_heavy_rifle"), 44, 41) == [4]


@pytest.mark.parametrize(("rating", "amount"), [(15, 12), (14, 6)])
def test_ied_lethality(rating: int, amount: int) -> None:
    battle = duel(GUNS, {"place": {"x": 14, "y": 0}}, options={"ied_lethality": rating})
    thrown = do("attack", weapon="w_ied", point={"x": 20, "y": 8})
    assert lost(battle, thrown, 37, 15) == [amount]


@pytest.mark.rule("SK-ARM-6")
@pytest.mark.parametrize(("versus", "amount"), [("none", 12), ("downgrade", 6)])
def test_body_vs_lethality(versus: str, amount: int) -> None:
    armoured = FAR | {"body_armour": {"value": 5}, "helmet": True}
    battle = duel(GUNS, armoured, options={"body_vs_lethality": versus})
    assert lost(battle, strike("w_heavy_rifle"), 37, 20) == [amount]


@pytest.mark.rule("SK-ARM-7")
@pytest.mark.parametrize(("versus", "amount"), [("none", 12), ("downgrade", 0)])
def test_cover_vs_lethality(versus: str, amount: int) -> None:
    battle = duel(GUNS, FAR, options={"cover_vs_lethality": versus}, cover=(wall(4),))
    assert lost(battle, strike("w_heavy_rifle"), 37, 18) == [amount]


@pytest.mark.rule("SK-DMG-4")
@pytest.mark.parametrize(("limit", "is_out"), [(0, False), (4, False), (5, True), (100, True)])
def test_unconscious_at(limit: int, is_out: bool) -> None:
    battle = duel(GUNS, FAR, options={"unconscious_at": limit})
    assert lost(battle, strike("w_revolver"), 50, 7) == [7]
    assert ("unconscious" in sheet(battle, "t").conditions) == is_out


def test_attack_reveals() -> None:
    hidden = {"hidden": True}
    for reveals in (True, False):
        battle = duel(hidden, options={"attack_reveals": reveals})
        effects = done(battle, strike(), 60)
        assert [each["cause"] for each in only(effects, "revealed")] == ["attack"] * reveals
        assert sheet(battle, "a").hidden != reveals


@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        ("cell_m", 0),
        ("cell_m", 101),
        ("melee_reach_sq", 0),
        ("deck", 53),
        ("ace", "middle"),
        ("called_open_penalty", 1),
        ("called_open_penalty", -101),
        ("disarm_free_hands", 0),
        ("disarm_free_hands", 3),
        ("ied_lethality", 0),
        ("ied_lethality", 101),
        ("unconscious_at", -1),
        ("unconscious_at", 101),
        ("redraw_each_round", 1),
        ("reactions", "ask"),
        ("anything", 1),
    ],
)
def test_options_have_their_bounds(option: str, wrong: object) -> None:
    battle = duel()
    assert code(battle, {"type": "configure", "options": {option: wrong}}) == "malformed"
