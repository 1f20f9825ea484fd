"""Where the source text and the catalogue are silent: how the table plays it."""

from typing import Any

import pytest

from service.errors import Malformed
from tests.kit.given_when_then import preview, rolled
from tests.kit.table import effects_of
from tests.rulesets.seeker_d100.setups import (
    answer,
    battle_of,
    do,
    done,
    duel,
    fighter,
    only,
    scene,
    seated,
    sheet,
    strike,
    wall,
    weapon,
)

REVOLVER = {"weapons": [weapon("w_revolver")]}
KNIFE = {"weapons": [weapon("w_knife")], "held_items": ["w_knife"]}
SPENT = {"actions_left": 0}
DICE_OF_THEIR_OWN = {"redraw_each_round": True}


def word(**change: Any) -> dict[str, Any]:
    """What the game master says about one thing."""
    return {"type": "adjust", "changes": [change]}


@pytest.mark.parametrize(
    "change",
    [
        {"type": "hp", "combatant": "a", "value": 0},
        {"type": "condition", "combatant": "a", "condition": "unconscious", "holds": True},
        {"type": "resource", "combatant": "a", "resource": "action", "value": 0},
    ],
)
def test_whoever_falls_while_the_table_rolls_for_him_does_not_keep_the_turn(
    change: dict[str, Any],
) -> None:
    battle = duel(fresh=True, options={"reactions": "none"})
    done(battle, strike(), by="ann")
    assert battle.table.state.rule.pending
    effects = done(battle, word(**change))
    assert [each["how"] for each in only(effects, "decision_closed")] == ["void"]
    assert (battle.table.state.rule.turn, battle.table.state.rule.pending) == ("t", ())
    done(battle, do("end_turn", "t"))


@pytest.mark.rule("SK-INIT-6")
def test_the_dead_draw_no_card_with_a_late_arrival_in_a_round_of_new_cards() -> None:
    dead = fighter("d", "red", 9, 0, conditions=["dead"])
    setup = {
        "combatants": [fighter("a", "red", 0, 0), dead],
        "options": DICE_OF_THEIR_OWN,
        "battle": {"round": 2, "cards": [{"combatant": "a", "card": 5}]},
    }
    table = seated(setup, dice="supplied")
    assert only(effects_of(table.ask({"type": "start_encounter"})), "rolled") == []
    late = {"type": "add_combatant", "combatant": fighter("b", "blue", 9, 9)}
    drawn = only(effects_of(table.ask(late, dice=(51,))), "rolled")
    assert [(each["combatant"], each["roll"]["sides"]) for each in drawn] == [("b", 51)]
    assert table.state.rule.order == ("b", "a")


@pytest.mark.rule("SK-CALL-6")
def test_a_called_burst_at_somebody_dead_by_then_hits_nobody_else() -> None:
    near = fighter("u", "blue", 8, 1, actions_left=0)
    smg, far = {"weapons": [weapon("w_smg")]}, {"place": {"x": 8, "y": 0}}
    battle = duel(smg, far, near, fresh=True, cover=(wall(20),))
    done(battle, do("called_shot", weapon="w_smg", target="t", part="head"))
    effects = done(battle, word(type="hp", combatant="t", value=0))
    assert [each["outcome"] for each in only(effects, "attack_resolved")] == ["wasted"]
    assert only(effects, "area_resolved") == []


@pytest.mark.rule("SK-STAND-1", "SK-DIS-1", "SK-RES-3")
def test_who_lost_the_knife_of_a_standing_roll_strikes_back_with_bare_hands() -> None:
    roll = {"kind": "resist_counter", "natural": 35, "level": 2, "item": "w_knife"}
    standing = KNIFE | SPENT | {"standing_roll": roll}
    battle = duel({}, standing, fighter("b", "red", 1, 1))
    done(battle, do("disarm", target="t", item="w_knife"), 40)
    effects = done(battle, strike(combatant="b"), 30, 4)
    _, counter = only(effects, "attack_resolved")
    assert counter["detail"]["item"] == "w_unarmed"
    assert [each["amount"] for each in only(effects, "hurt")] == [3]


@pytest.mark.rule("SK-COVER-1")
def test_whoever_was_put_elsewhere_meanwhile_takes_no_cover() -> None:
    near = {"place": {"x": 4, "y": 0}}
    u = fighter("u", "blue", 4, 1)
    smg = {"weapons": [weapon("w_smg", radius={"min": 30, "max": 30})]}
    battle = duel(smg, near, u, fresh=True, cover=(wall(5),))
    done(battle, strike("w_smg"))
    done(battle, answer(battle, "t", "take_cover", cover="wall", to={"x": 6, "y": 0}))
    done(battle, word(type="place", combatant="t", place={"x": -9, "y": 0}))
    effects = done(battle, answer(battle, "u", "pass"), 60)
    assert only(effects, "moved") == []
    assert (sheet(battle, "t").place.x, sheet(battle, "t").actions_left) == (-9, 1)


@pytest.mark.rule("SK-GRAB-5")
@pytest.mark.parametrize(
    "b",
    [
        {"conditions": ["unconscious"]},
        {"health": 0, "health_max": 9},
        {"held_by": {"holder": "c", "natural": 4, "level": 2}},
        {"held_by": {"holder": "a", "natural": 4, "level": 2}},
    ],
)
def test_no_battle_begins_with_a_holder_who_cannot_hold(b: dict[str, Any]) -> None:
    holder = fighter("b", "red", 0, 0, **b)
    held = fighter("a", "red", 1, 0, held_by={"holder": "b", "natural": 4, "level": 2})
    with pytest.raises(Malformed) as raised:
        seated({"combatants": [holder, held, fighter("c", "blue", 1, 1)]})
    assert str(raised.value.params["path"]).endswith(".held_by.holder")


@pytest.mark.rule("SK-STAND-3")
@pytest.mark.parametrize(
    "more",
    [
        {"held_by": {"holder": "a", "natural": 4, "level": 2}},
        {"conditions": ["unconscious"]},
        {"health": 0, "health_max": 12},
    ],
)
def test_nothing_stands_for_who_comes_in_held_or_out(more: dict[str, Any]) -> None:
    standing = {"standing_roll": {"kind": "dodge", "natural": 4, "level": 2}}
    ready = {"answering": {"kind": "dodge"}}
    for answering in (standing, ready):
        battle = duel(t=more | answering)
        assert {"standing_roll", "answering"}.isdisjoint(sheet(battle, "t").conditions)
        assert sheet(battle, "t").standing_roll == sheet(duel(), "t").standing_roll


@pytest.mark.rule("SK-LETH-4", "SK-LETH-5", "SK-ARM-6", "SK-ARM-7")
@pytest.mark.parametrize(
    ("options", "t", "dice", "value", "rules", "rating"),
    [
        ({}, {}, (11,), "attack_roll", ["SK-LETH-4"], 20),
        ({}, {}, (44, 40), "lethality_roll", ["SK-LETH-5", "SK-LETH-1", "SK-LETH-2"], 40),
        ({}, {}, (44, 41), "digits", ["SK-LETH-5", "SK-LETH-1", "SK-LETH-3"], 40),
        (
            {},
            {},
            (44, 55),
            "digits",
            ["SK-LETH-5", "SK-LETH-1", "SK-LETH-6", "SK-LETH-3"],
            40,
        ),
        ({"doubles": False}, {}, (44, 55), "digits", ["SK-LETH-1", "SK-LETH-3"], 20),
        ({"lethality_critical": "instant"}, {}, (44,), "critical", ["SK-LETH-5"], 20),
        (
            {"body_vs_lethality": "downgrade"},
            {"helmet": True},
            (11, 77),
            "digits",
            ["SK-LETH-4", "SK-ARM-6", "SK-LETH-3", "SK-LETH-5"],
            20,
        ),
        (
            {},
            {"place": {"x": 12, "y": 0}},
            (37, 18),
            "digits",
            ["SK-LETH-1", "SK-LETH-2", "SK-ARM-7", "SK-LETH-3"],
            20,
        ),
        (
            {"body_vs_lethality": "downgrade"},
            {"place": {"x": 12, "y": 0}, "helmet": True, "body_armour": {"value": 1}},
            (37, 18),
            "digits",
            ["SK-LETH-1", "SK-LETH-2", "SK-ARM-7", "SK-LETH-3"],
            20,
        ),
    ],
)
def test_a_lethal_wound_names_the_rules_that_made_it(
    options: dict[str, Any],
    t: dict[str, Any],
    dice: tuple[int, ...],
    value: str,
    rules: list[str],
    rating: int,
) -> None:
    rifle = {"weapons": [weapon("w_heavy_rifle")]}
    there = {"place": {"x": 8, "y": 0}} | t
    battle = duel(rifle, there, options=options, cover=(wall(10),))
    [hurt] = only(done(battle, strike("w_heavy_rifle"), *dice), "hurt")
    [report] = hurt["reports"]
    assert (report["combatant"], report["value"], report["rules"]) == ("a", value, rules)
    assert report["facts"]["rating"] == rating


@pytest.mark.rule("SK-ARM-7")
@pytest.mark.parametrize(
    ("naturals", "versus", "rules", "amount"),
    [
        ((37, 18), "downgrade", ["SK-LETH-1", "SK-LETH-2", "SK-ARM-7", "SK-LETH-3"], 9),
        ((15, 77), "downgrade", ["SK-LETH-4", "SK-ARM-7", "SK-LETH-3"], 14),
        ((37, 18), "none", ["SK-LETH-1", "SK-LETH-2"], 15),
    ],
)
def test_cover_of_no_armour_is_cover_all_the_same(
    naturals: tuple[int, int], versus: str, rules: list[str], amount: int
) -> None:
    rifle = {"weapons": [weapon("w_heavy_rifle")]}
    there = {"place": {"x": 8, "y": 0}, "health": 15}
    options = {"cover_vs_lethality": versus}
    battle = duel(rifle, there, options=options, cover=(wall(2, armour=0),))
    foreseen = preview(battle.table, strike("w_heavy_rifle"))["facts"]["victims"][0]
    assert (foreseen["instant_kill"]["num"] == "0") == (versus == "downgrade")
    [hurt] = only(done(battle, strike("w_heavy_rifle"), *naturals), "hurt")
    assert (hurt["amount"], hurt["breakdown"]) == (amount, [])
    assert hurt["reports"][0]["rules"] == rules


@pytest.mark.rule("SK-REACT-2", "SK-COVER-2")
def test_a_bullet_is_asked_about_where_some_cover_is_known_however_far() -> None:
    ground = {key: value for key, value in wall(5).items() if key != "id"}
    secret = [{"feature": "h", "terrain": ground}]
    worlds: list[tuple[dict[str, Any], bool]] = [
        ({}, False),
        ({"hidden_cover": secret}, False),
        ({"cover": (wall(90),)}, True),
        ({"cover": (wall(5),)}, True),
    ]
    for more, is_asked in worlds:
        battle = duel(REVOLVER, {"place": {"x": 4, "y": 0}}, fresh=True, **more)
        effects = done(battle, strike("w_revolver"), *(() if is_asked else (60,)))
        assert bool(only(effects, "decision_opened")) == is_asked


@pytest.mark.rule("SK-MOVE-4")
def test_who_has_just_seized_somebody_stays_with_him() -> None:
    back = {"to": {"x": -3, "y": 0}, "when": "after"}
    battle = duel()
    assert only(done(battle, do("grapple", target="t", step=back), 45), "moved") == []
    battle = duel()
    assert only(done(battle, do("grapple", target="t", step=back), 60), "moved") != []


@pytest.mark.rule("SK-AREA-1")
def test_explosives_without_a_radius_hit_whoever_stands_on_the_spot() -> None:
    mine = {"id": "mine", "skill": "demolitions", "damage": {"sides": 6}}
    battle = duel({"weapons": [mine]}, {"place": {"x": 5, "y": 0}})
    effects = done(battle, do("attack", weapon="mine", point={"x": 5, "y": 0}), 50, 4)
    assert [each["combatant"] for each in only(effects, "hurt")] == ["t"]


@pytest.mark.rule("SK-AREA-2", "SK-ORD-1")
def test_who_falls_in_his_own_blast_takes_no_step_after_it() -> None:
    step = {"to": {"x": 0, "y": 3}, "when": "after"}
    blast = do("attack", weapon="w_ied", point={"x": 2, "y": 0}, step=step)
    battle = duel({"weapons": [weapon("w_ied")]}, {"place": {"x": 30, "y": 0}}, fresh=True)
    effects = done(battle, blast, 10)
    assert [each["combatant"] for each in only(effects, "felled")] == ["a"]
    assert only(effects, "moved") == []
    assert [each["cause"] for each in only(effects, "turn_ended")] == ["felled"]


@pytest.mark.rule("SK-ARM-5")
def test_behind_the_burst_a_wall_counts_that_the_thrower_looks_past() -> None:
    beside = {"id": "beside", "start": {"x": 6, "y": 2}, "end": {"x": 9, "y": 2}, "armour": 10}
    target = fighter("t", "blue", 8, 5, health=40, **SPENT)
    thrower = fighter("a", "red", -8, 5, weapons=[weapon("w_grenade")])
    attack = do("attack", weapon="w_grenade", point={"x": 8, "y": 0})
    called = do("called_shot", weapon="w_grenade", point={"x": 8, "y": 0}, over_cover=True)
    for action, natural in ((attack, 40), (called, 30)):
        battle = scene(thrower, target, cover=(beside,))
        [hurt] = only(done(battle, action, natural, 99), "hurt")
        assert hurt["amount"] == 8
        assert [each["note"] for each in hurt["breakdown"]] == ["cover"]


@pytest.mark.rule("SK-AIM-2", "SK-REACT-1")
def test_an_aim_ends_with_a_reaction_in_the_round_it_was_for() -> None:
    aiming = {"aim": {"round": 1}}
    combatants = [fighter("a", "red", 0, 0), fighter("t", "blue", 1, 0, **aiming)]
    battle = scene(*combatants, battle=battle_of(*combatants, round=2))
    done(battle, strike())
    effects = done(battle, answer(battle, "t", "dodge"), 60, 20)
    lost = [(each["condition"], each["cause"]) for each in only(effects, "condition_lost")]
    assert lost == [("aim", "acted")]


@pytest.mark.rule("SK-AIM-2")
def test_declining_does_not_end_an_aim() -> None:
    aiming = {"aim": {"round": 1}}
    combatants = [fighter("a", "red", 0, 0), fighter("t", "blue", 1, 0, **aiming)]
    battle = scene(*combatants, battle=battle_of(*combatants, round=2))
    done(battle, strike())
    done(battle, answer(battle, "t", "pass"), 60)
    assert sheet(battle, "t").conditions == ("aim",)


def test_a_preview_calls_an_attack_what_the_log_calls_it() -> None:
    actions = (
        strike("w_revolver"),
        do("called_shot", weapon="w_revolver", target="t", part="head"),
        do("grapple", target="t"),
    )
    for action in actions:
        battle = duel(REVOLVER)
        foreseen = preview(battle.table, action)
        [attack] = only(done(battle, action, 99), "attack_resolved")
        assert foreseen["facts"]["mode"] == attack["detail"]["mode"]


BAG = wall(9, name="bag", armour=15, exposed=["head"])
CAR = wall(11, name="car", degree="large", exposed=["head", "left_leg"])


@pytest.mark.rule("SK-CALL-1")
def test_a_sandbag_before_a_large_cover_uncovers_nobody() -> None:
    gun = {"weapons": [weapon("w_revolver")]}
    there = {"place": {"x": 12, "y": 0}}
    shot = do("called_shot", weapon="w_revolver", target="t", part="head")
    battle = duel(gun, there, cover=(BAG, CAR))
    battle.when({**shot, "part": "left_leg"}).refused(
        "part_not_exposed", "SK-CALL-2", part="left_leg", cover="bag", allowed=["head"]
    )
    [attack] = only(done(battle, shot, 99), "attack_resolved")
    penalty = {"rule": "SK-CALL-1", "amount": -40, "note": "large_cover"}
    assert attack["detail"]["breakdown"] == [penalty]


@pytest.mark.rule("SK-CALL-4")
def test_what_a_called_shot_ignores_stays_in_the_breakdown() -> None:
    gun = {"weapons": [weapon("w_revolver")], "skills": dict.fromkeys(("ranged",), 90)}
    vest = {"value": 4, "parts": ["torso"]}
    there = {"place": {"x": 12, "y": 0}, "body_armour": vest, "helmet": True}
    battle = duel(gun, there, cover=(wall(10),))
    shot = do("called_shot", weapon="w_revolver", target="t", part="left_leg")
    [hurt] = only(done(battle, shot, 30, 7), "hurt")
    assert hurt["amount"] == 7
    assert hurt["breakdown"] == [
        {"rule": "SK-CALL-4", "amount": 0, "note": "body_armour", "facts": {"armour": 4}},
        {"rule": "SK-CALL-4", "amount": 0, "note": "helmet", "facts": {"armour": 1}},
        {"rule": "SK-CALL-4", "amount": 0, "note": "cover", "facts": {"armour": 10}},
    ]


@pytest.mark.rule("SK-LETH-5")
@pytest.mark.parametrize("doubles", [True, False])
def test_digits_are_doubled_by_lethality_whatever_ordinary_weapons_do(doubles: bool) -> None:
    rifle = {"weapons": [weapon("w_heavy_rifle")]}
    there = {"place": {"x": 8, "y": 0}}
    battle = duel(rifle, there, options={"critical_doubles_damage": doubles})
    [hurt] = only(done(battle, strike("w_heavy_rifle"), 44, 41), "hurt")
    line = {"rule": "SK-LETH-5", "amount": 5, "note": "critical"}
    assert (hurt["amount"], hurt["breakdown"]) == (10, [line])


@pytest.mark.rule("SK-FREE-1")
@pytest.mark.parametrize(
    ("strength", "rating", "chance"), [(12, "strength", 60), (9, "unarmed", 50)]
)
def test_breaking_free_tells_both_chances(strength: int, rating: str, chance: int) -> None:
    hold = {"held_by": {"holder": "t", "natural": 40, "level": 2}, "strength": strength}
    battle = duel(hold, {"skills": {"unarmed": 35}})
    [check] = only(done(battle, do("break_free"), 30, 40), "check_resolved")
    assert (check["needed"], check["rating"]) == (chance, rating)
    assert check["opposed"] == {
        "combatant": "t",
        "needed": 35,
        "roll": rolled(100, 40, number=2),
        "level": 1,
        "breakdown": [],
    }
