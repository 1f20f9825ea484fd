"""Attacks through the desk: what they cost, whom they hit, what they do to a body."""

import pytest

from tests.kit.given_when_then import rolled
from tests.rulesets.seeker_d100.setups import (
    Tree,
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

GUNS = {"weapons": [weapon("w_pistol_small"), weapon("w_revolver"), weapon("w_heavy_rifle")]}
FAR = {"place": {"x": 8, "y": 0}}


def hurts(effects: list[Tree]) -> list[tuple[str, int, int]]:
    """Who lost how much of it, and what is left."""
    return [(each["combatant"], each["amount"], each["health"]) for each in only(effects, "hurt")]


@pytest.mark.rule("SK-ORD-1")
def test_a_plain_blow_tells_everything_in_order() -> None:
    battle = duel(a={"weapons": [weapon("w_knife")]})
    assert done(battle, strike("w_knife"), 50, 3) == [
        {
            "type": "resource_changed",
            "combatant": "a",
            "resource": "action",
            "now": 0,
            "rule": "SK-TURN-2",
        },
        {
            "type": "window_skipped",
            "kind": "reaction",
            "why": "nobody_eligible",
            "rule": "SK-REACT-2",
        },
        {
            "type": "condition_gained",
            "combatant": "a",
            "condition": "standing_roll",
            "value": "resist_counter",
            "item": "w_knife",
            "facts": {"natural": 50, "level": 2},
            "draw": {"stream": 0, "number": 1, "seq": 3},
            "rule": "SK-STAND-1",
        },
        {
            "type": "attack_resolved",
            "target": "t",
            "outcome": "hit",
            "detail": {
                "attacker": "a",
                "item": "w_knife",
                "mode": "attack",
                "roll": rolled(100, 50),
                "base": 50,
                "breakdown": [],
                "pool": 50,
                "level": 2,
            },
            "rule": "SK-ATK-1",
        },
        {
            "type": "hurt",
            "combatant": "t",
            "amount": 3,
            "health": 9,
            "band": "hurt",
            "breakdown": [],
            "cause": "attack",
            "source": {
                "combatant": "a",
                "item": "w_knife",
                "roll": rolled(4, 3, number=2),
            },
            "reports": [],
            "rule": "SK-DMG-1",
        },
        {"type": "turn_ended", "combatant": "a", "cause": "ended"},
        {"type": "turn_ended", "combatant": "t", "cause": "passed_over", "rule": "SK-REACT-1"},
        {"type": "round_began", "round": 2},
        {"type": "turn_began", "combatant": "a"},
    ]


@pytest.mark.parametrize(("natural", "outcome"), [(50, "hit"), (51, "miss"), (55, "fumble")])
def test_a_miss_needs_no_damage_die(natural: int, outcome: str) -> None:
    battle = duel(a=GUNS, t=FAR)
    dice = (natural, 4) if outcome == "hit" else (natural,)
    [attack] = only(done(battle, strike("w_pistol_small"), *dice), "attack_resolved")
    assert attack["outcome"] == outcome


@pytest.mark.rule("SK-ATK-3")
def test_shots_cost_ammunition_and_no_more_dice() -> None:
    pistol = weapon("w_pistol_small", shots={"min": 2, "max": 3}, ammo=4)
    battle = duel(a={"weapons": [pistol]}, t=FAR)
    effects = done(battle, strike("w_pistol_small", shots=3), 50, 5)
    assert hurts(effects) == [("t", 5, 7)]
    assert sheet(battle, "a").weapons[0].ammo == 1
    refused = battle.when(strike("w_pistol_small"))
    refused.refused("no_ammo", "SK-ATK-3", weapon="w_pistol_small", left=1, shots=2)


@pytest.mark.rule("SK-AIM-1", "SK-AIM-2")
def test_an_aim_serves_the_next_attack_and_is_used_up() -> None:
    battle = duel(a=GUNS, t=FAR)
    [gained] = only(done(battle, do("aim")), "condition_gained")
    assert (gained["amount"], gained["facts"]) == (20, {"round": 1})

    effects = done(battle, strike("w_pistol_small"), 70, 2)
    assert only(effects, "attack_resolved")[0]["detail"]["pool"] == 70
    assert only(effects, "condition_lost") == [
        {
            "type": "condition_lost",
            "combatant": "a",
            "condition": "aim",
            "cause": "used",
            "rule": "SK-AIM-2",
        }
    ]


@pytest.mark.rule("SK-AIM-2")
def test_an_aim_is_lost_with_blood_but_not_with_a_scratch_on_the_armour() -> None:
    aiming = {"aim": {"round": 1}, "body_armour": {"value": 5}}
    for damage, is_kept in ((5, True), (6, False)):
        battle = duel(a=GUNS, t=FAR | aiming)
        done(battle, strike("w_pistol_small"), 50, damage)
        assert ("aim" in sheet(battle, "t").conditions) == is_kept
        assert sheet(battle, "t").health == (12 if is_kept else 11)


@pytest.mark.rule("SK-AIM-2")
def test_an_aim_is_lost_by_doing_something_else() -> None:
    battle = duel(a={"aim": {"round": 1}})
    assert only(done(battle, do("end_turn")), "condition_lost") == []
    move = do("move", gait="jog", path=[{"x": 0, "y": 1}])
    [lost] = only(done(battle, move), "condition_lost")
    assert (lost["condition"], lost["cause"]) == ("aim", "acted")


@pytest.mark.rule("SK-DMG-4")
@pytest.mark.parametrize(
    ("lost", "state"), [(9, None), (10, "unconscious"), (11, "unconscious"), (12, "dead")]
)
def test_two_hit_points_and_less_are_too_few(lost: int, state: str | None) -> None:
    cannon = {
        "id": "c",
        "skill": "ranged",
        "damage": {"count": 1, "sides": 100},
    }
    battle = duel(a={"weapons": [cannon]}, t=FAR)
    effects = done(battle, strike("c"), 50, lost)
    assert [each["state"] for each in only(effects, "felled")] == ([state] if state else [])
    assert only(effects, "hurt")[0]["band"] == ("down" if state else "badly_hurt")


@pytest.mark.rule("SK-DMG-2")
def test_bare_hands_may_do_nothing_and_it_is_shown() -> None:
    assert hurts(done(duel(), strike(), 50, 1)) == [("t", 0, 12)]


@pytest.mark.rule("SK-DMG-3", "SK-ARM-1")
def test_a_critical_hit_doubles_before_armour() -> None:
    battle = duel(a=GUNS, t=FAR | {"body_armour": {"sample": "heavy_armour"}, "helmet": True})
    effects = done(battle, strike("w_revolver"), 44, 6)
    assert hurts(effects) == [("t", 6, 6)]
    assert [(each["amount"], each["note"]) for each in only(effects, "hurt")[0]["breakdown"]] == [
        (6, "critical"),
        (-5, "body_armour"),
        (-1, "helmet"),
    ]


@pytest.mark.rule("SK-ARM-5")
def test_cover_between_adds_its_armour_and_cover_beside_does_not() -> None:
    for x, left in ((4, 12), (9, 5)):
        battle = duel(a=GUNS, t=FAR, cover=(wall(x),))
        assert hurts(done(battle, strike("w_pistol_small"), 50, 7)) == [("t", 12 - left, left)]


@pytest.mark.rule("SK-CALL-4", "SK-ARM-3")
@pytest.mark.parametrize(("part", "amount"), [("left_leg", 7), ("head", 6)])
def test_a_called_shot_meets_only_what_protects_the_part(part: str, amount: int) -> None:
    armoured = {"body_armour": {"value": 5}, "helmet": True}
    battle = duel(a=GUNS, t=FAR | armoured, cover=(wall(4),))
    effects = done(battle, do("called_shot", weapon="w_pistol_small", target="t", part=part), 30, 7)
    [attack] = only(effects, "attack_resolved")
    assert (attack["detail"]["mode"], attack["detail"]["pool"]) == ("called", 30)
    assert attack["detail"]["breakdown"] == [
        {"rule": "SK-CALL-1", "amount": -20, "note": "partial_cover"}
    ]
    assert hurts(effects) == [("t", amount, 12 - amount)]


@pytest.mark.rule("SK-LETH-3", "SK-LETH-7")
@pytest.mark.parametrize(
    ("dice", "lost", "value"),
    [
        ((37, 20), 12, "lethality_roll"),
        ((37, 21), 3, "digits"),
        ((37, 40), 14, "digits"),
        ((37, 100), 20, "digits"),
        ((20,), 12, "attack_roll"),
        ((44, 40), 12, "lethality_roll"),
        ((44, 41), 10, "digits"),
    ],
)
def test_a_lethal_weapon(dice: tuple[int, ...], lost: int, value: str) -> None:
    battle = duel(a=GUNS, t=FAR)
    [hurt] = only(done(battle, strike("w_heavy_rifle"), *dice), "hurt")
    assert (hurt["amount"], hurt["reports"][0]["value"]) == (lost, value)
    assert hurt["rule"] == {"attack_roll": "SK-LETH-4", "digits": "SK-LETH-3"}.get(
        value, "SK-LETH-2"
    )
    assert hurt["health"] == max(0, 12 - lost)


@pytest.mark.rule("SK-ARM-7")
def test_cover_turns_a_kill_by_the_attack_die_into_digits_rolled_for_their_own_sake() -> None:
    battle = duel(a=GUNS, t=FAR, cover=(wall(4),))
    effects = done(battle, strike("w_heavy_rifle"), 15, 77)
    [rolled] = only(effects, "rolled")
    assert (rolled["purpose"], rolled["roll"]["total"]) == ("digits", 77)
    [hurt] = only(effects, "hurt")
    assert hurt["amount"] == 4
    assert hurt["reports"] == [
        {
            "combatant": "a",
            "about": "lethality",
            "value": "digits",
            "rules": ["SK-LETH-4", "SK-ARM-7", "SK-LETH-3"],
            "facts": {"rating": 20, "roll": 77, "a": 7, "b": 7},
        }
    ]


@pytest.mark.rule("SK-AREA-1", "SK-AREA-2", "SK-AREA-3")
def test_automatic_fire_hits_everybody_near_the_target_in_order_with_one_roll() -> None:
    far = {"actions_left": 0}
    battle = duel(
        {"weapons": [weapon("w_assault_rifle")]},
        {"place": {"x": 10, "y": 0}},
        fighter("u", "red", 12, 0, **far),
        fighter("v", "blue", 11, 1, **far),
        fighter("w", "blue", 10, -3, **far),
    )
    effects = done(battle, strike("w_assault_rifle", radius=2), 30, 55, 60, 9)
    [area] = only(effects, "area_resolved")
    assert area["area"] == {"kind": "blast", "origin": {"x": 10, "y": 0}, "radius": 2}
    assert [each["target"] for each in area["victims"]] == ["t", "v", "u"]
    assert hurts(effects) == [("t", 10, 2), ("v", 16, 0), ("u", 12, 0)]
    assert [each["state"] for each in only(effects, "felled")] == ["unconscious", "dead", "dead"]


@pytest.mark.rule("SK-CALL-6")
def test_a_called_shot_with_automatic_fire_hits_the_first_target_alone() -> None:
    near = fighter("u", "blue", 9, 0, actions_left=0)
    battle = duel({"weapons": [weapon("w_assault_rifle")]}, FAR, near)
    called = do("called_shot", weapon="w_assault_rifle", target="t", part="head", radius=3)
    effects = done(battle, called, 25, 55)
    assert [each["target"] for each in only(effects, "area_resolved")[0]["victims"]] == ["t"]


@pytest.mark.rule("SK-CALL-5", "SK-ARM-5")
def test_a_grenade_over_cover_bursts_behind_it() -> None:
    grenade = {"weapons": [weapon("w_grenade")]}
    target = {"place": {"x": 12, "y": 0}, "health": 30}
    behind = wall(8, armour=15, degree="large")
    thrown = do("attack", weapon="w_grenade", point={"x": 11, "y": 0})
    over = do("called_shot", weapon="w_grenade", point={"x": 11, "y": 0}, over_cover=True)
    for action, dice, lost, chance in (
        (thrown, (40, 15), 0, 50),
        (over, (10,), 30, 10),
        (over, (11,), None, 10),
    ):
        battle = duel(grenade, target, cover=(behind,))
        effects = done(battle, action, *dice)
        [area] = only(effects, "area_resolved")
        assert area["detail"]["pool"] == chance
        assert [each["amount"] for each in only(effects, "hurt")] == (
            [] if lost is None else [lost]
        )


def test_explosives_spare_nobody_and_ordinary_area_damage_is_rolled_once_for_all() -> None:
    bomb = {
        "id": "bomb",
        "skill": "demolitions",
        "damage": {"count": 1, "sides": 6},
        "radius": {"min": 3, "max": 3},
    }
    battle = duel({"weapons": [bomb]})
    effects = done(battle, do("attack", weapon="bomb", point={"x": 2, "y": 0}), 50, 4)
    assert hurts(effects) == [("t", 4, 8), ("a", 4, 8)]


@pytest.mark.rule("SK-DIS-1", "SK-STAND-1")
def test_a_disarmed_pistol_lies_at_the_feet_and_cannot_be_fired() -> None:
    holding = {"held_items": ["w_revolver"], "weapons": [weapon("w_revolver")]}
    battle = duel(t=holding)
    effects = done(battle, do("disarm", target="t", item="w_revolver"), 50)
    assert only(effects, "item_changed") == [
        {
            "type": "item_changed",
            "combatant": "t",
            "item": "w_revolver",
            "change": "dropped",
            "place": {"x": 1, "y": 0},
            "rule": "SK-DIS-1",
        }
    ]
    assert hurts(effects) == []
    assert only(effects, "attack_resolved")[0]["detail"]["mode"] == "disarm"
    assert sheet(battle, "t").held_items == ()
    [standing] = only(effects, "condition_gained")
    assert (standing["value"], "item" in standing) == ("resist_counter", False)
    done(battle, do("end_turn"))
    shot = battle.when(strike("w_revolver", "t", "a"))
    shot.refused("unknown_weapon", "SK-ATK-1", weapon="w_revolver", allowed=["w_unarmed"])


@pytest.mark.rule("SK-STAND-1", "SK-RES-3")
def test_an_attack_hand_to_hand_resists_later_attacks_of_the_round() -> None:
    third = fighter("c", "blue", 0, 1, actions_left=0)
    battle = duel({"weapons": [weapon("w_knife")]}, None, third, fresh=True)
    done(battle, strike("w_knife", target="c"), 35, 2)
    assert "standing_roll" in sheet(battle, "a").conditions
    effects = done(battle, strike(combatant="t", target="a"), 34, 4)
    [attack, counter] = only(effects, "attack_resolved")
    assert (attack["target"], attack["outcome"]) == ("a", "stopped")
    assert attack["answered"] == {
        "combatant": "a",
        "kind": "standing",
        "roll": rolled(100, 35, seq=3),
        "level": 2,
        "outcome": "success",
        "why": "die",
        "rules": ["SK-RES-2", "SK-OPP-1"],
    }
    assert (counter["target"], counter["outcome"]) == ("t", "hit")
    assert (counter["detail"]["attacker"], counter["detail"]["item"]) == ("a", "w_knife")
    assert hurts(effects) == [("t", 4, 8)]


@pytest.mark.rule("SK-STAND-3")
def test_a_new_round_knows_no_standing_rolls() -> None:
    battle = duel()
    assert "condition_gained" in {each["type"] for each in done(battle, strike(), 60)}
    assert sheet(battle, "a").conditions == ()
    assert (sheet(battle, "a").actions_left, sheet(battle, "t").actions_left) == (1, 1)


def test_an_attack_at_somebody_dead_by_then_is_wasted() -> None:
    battle = duel(fresh=True, t={"weapons": [weapon("w_knife")]})
    done(battle, strike())
    kill = {"type": "hp", "combatant": "t", "value": 0}
    effects = done(battle, {"type": "adjust", "changes": [kill]})
    assert only(effects, "attack_resolved") == [
        {
            "type": "attack_resolved",
            "target": "t",
            "outcome": "wasted",
            "detail": {
                "attacker": "a",
                "item": "w_unarmed",
                "mode": "attack",
                "breakdown": [],
            },
        }
    ]
    assert [each["how"] for each in only(effects, "decision_closed")] == ["void"]


def test_a_burst_at_somebody_dead_by_then_still_hits_those_around() -> None:
    near = fighter("u", "blue", 8, 1, actions_left=0)
    battle = duel({"weapons": [weapon("w_smg")]}, FAR, near, fresh=True, cover=(wall(20),))
    done(battle, strike("w_smg"))
    kill = {"type": "hp", "combatant": "t", "value": 0}
    effects = done(battle, {"type": "adjust", "changes": [kill]}, 40, 55)
    [area] = only(effects, "area_resolved")
    assert [each["target"] for each in area["victims"]] == ["u"]


@pytest.mark.rule("SK-MOVE-4")
def test_a_step_before_brings_into_reach_and_a_step_after_out_of_it() -> None:
    step = {"to": {"x": 3, "y": 0}, "when": "before"}
    battle = duel(t={"place": {"x": 4, "y": 0}})
    effects = done(battle, strike(step=step), 50, 2)
    assert [each["type"] for each in effects[:2]] == ["moved", "resource_changed"]
    assert (effects[0]["manner"], effects[0]["cost"]) == ("step", 3)
    back = {"to": {"x": -3, "y": 0}, "when": "after"}
    battle = duel()
    kinds = [each["type"] for each in done(battle, strike(step=back), 50, 2)]
    assert kinds.index("moved") > kinds.index("hurt")
    assert sheet(battle, "a").place.x == -3
