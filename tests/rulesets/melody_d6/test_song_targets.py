"""What may be sung at what, whom it reaches, and what it does to one after the other."""

from typing import Any

import pytest

from tests.kit.given_when_then import Given
from tests.rulesets.melody_d6.choirs import (
    PASS,
    Tree,
    answer,
    content,
    dampen,
    effects,
    sing,
    told,
    voice,
)
from tests.rulesets.melody_d6.skirmishes import in_turn, warrior

HERE = (10_000, 10_000)
KNOWN = ("ember_march", "drum_of_dread", "dazzle_chord", "mending_round", "thunder_shove")


def singer(**sheet: Any) -> Tree:
    return warrior("a1", *HERE, **{"singer": voice(*KNOWN), **sheet})


def choir(*others: Tree, lead: Tree | None = None, **setup: Any) -> Given:
    """A battle in which the unit of a1 is in its action phase."""
    first = singer() if lead is None else lead
    return in_turn(first, *others, unit=first["unit"], phase="action", **setup)


def ground(kind: str, west: int, north: int, east: int, south: int) -> Tree:
    """A map with one feature."""
    corners = ((west, north), (east, north), (east, south), (west, south))
    vertices = [{"x": x, "y": y} for x, y in corners]
    feature = {"id": "feature", "kind": kind, "vertices": vertices}
    return {"width": 36_000, "height": 24_000, "features": [feature]}


ENEMY, FRIEND = warrior("b1", 20_000, 10_000), warrior("a2", 12_000, 14_000)
DREAD = sing("a1", "drum_of_dread", target="b1")
RANGE = {"longest": 18_000}


@pytest.mark.rule("ML-SING-11")
@pytest.mark.parametrize(
    ("lead", "action", "code", "rule", "params"),
    [
        (
            {},
            sing("a1", "drum_of_dread", target="x9"),
            "unknown_combatant",
            None,
            {"combatant": "x9"},
        ),
        (
            {"acted": True},
            sing("a1", "drum_of_dread"),
            "action_spent",
            "ML-TURN-4",
            {"combatant": "a1"},
        ),
        (
            {"masked_this_turn": True},
            sing("a1", "drum_of_dread"),
            "masked_this_turn",
            "ML-MASK-8",
            {"combatant": "a1"},
        ),
        (
            {"singer": None},
            sing("a1", "drum_of_dread"),
            "not_a_singer",
            "ML-SING-11",
            {"combatant": "a1"},
        ),
        (
            {},
            sing("a1", "heavy_air"),
            "melody_not_known",
            "ML-SING-11",
            {"melody": "heavy_air", "allowed": list(KNOWN)},
        ),
        (
            {"conditions": ["hoarse"], "hoarse_until": 1},
            sing("a1", "drum_of_dread"),
            "hoarse",
            "ML-HOARSE-1",
            {"until_round": 1},
        ),
        ({}, sing("a1", "drum_of_dread"), "target_required", "ML-SING-11", {}),
        ({}, sing("a1", "ember_march", target="b1"), "point_required", "ML-SING-11", {}),
        ({}, sing("a1", "dazzle_chord", point=HERE), "aim_required", "ML-SING-11", {}),
        ({}, sing("a1", "dazzle_chord", aim=HERE), "zero_direction", "ML-SING-11", {}),
        (
            {},
            sing("a1", "drum_of_dread", target="b9"),
            "target_gone",
            "ML-SING-11",
            {"target": "b9"},
        ),
        (
            {},
            sing("a1", "drum_of_dread", target="a2"),
            "target_wrong_side",
            "ML-SING-11",
            {"allowed": "enemy"},
        ),
        (
            {},
            sing("a1", "mending_round", target="b1"),
            "target_wrong_side",
            "ML-SING-11",
            {"allowed": "friend"},
        ),
        (
            {},
            sing("a1", "ember_march", point=(-1, 10_000)),
            "off_table",
            "ML-SING-11",
            {"x": -1, "y": 10_000},
        ),
        (
            {},
            sing("a1", "ember_march", point=(28_501, 10_000)),
            "out_of_range",
            "ML-SING-11",
            RANGE,
        ),
        ({}, sing("a1", "drum_of_dread", target="b2"), "out_of_range", "ML-SING-11", RANGE),
        (
            {},
            sing("a1", "ember_march", point=(10_000, 4_000)),
            "no_line_of_sight",
            "ML-SING-11",
            {},
        ),
    ],
)
def test_a_song_is_refused_for_the_first_thing_that_is_wrong(
    lead: Tree, action: Tree, code: str, rule: str | None, params: Tree
) -> None:
    sheet = singer(**lead)
    if sheet["singer"] is None:
        del sheet["singer"]
    fallen = warrior("b9", 20_000, 14_000, health=0, conditions=["out"])
    far = warrior("b2", 29_001, 10_000)
    battle = choir(
        ENEMY, FRIEND, fallen, far, lead=sheet, map=ground("building", 9_000, 6_000, 11_000, 7_000)
    )
    battle.when(action).refused(code, rule, **params)


def test_whoever_is_engaged_cannot_sing() -> None:
    battle = choir(warrior("b1", 11_100, 10_000))
    battle.when(DREAD).refused("engaged", "ML-MOVE-6", combatant="a1")


def test_without_its_masking_lost_a_warrior_that_masked_may_sing() -> None:
    lead = singer(masked_this_turn=True, conditions=["masked"])
    shelter = ground("debris", 9_000, 10_600, 11_000, 11_000)
    battle = choir(ENEMY, lead=lead, options={"singing_reveals": False}, map=shelter)
    asked = battle.when(DREAD, dice=(2, 2))
    assert told(asked) == ["resource_changed a1 action 0", "check_resolved a1 song failure"]
    assert "masked" in battle.table.combatant("a1").conditions


@pytest.mark.rule("ML-GEO-2")
@pytest.mark.parametrize(
    ("action", "is_fine"),
    [
        (sing("a1", "ember_march", point=(28_500, 10_000)), True),
        (sing("a1", "ember_march", point=(28_501, 10_000)), False),
        (sing("a1", "drum_of_dread", target="b1"), True),
        (sing("a1", "drum_of_dread", target="b2"), False),
    ],
)
def test_the_range_counts_from_the_edges_of_the_bases(action: Tree, is_fine: bool) -> None:
    battle = choir(warrior("b1", 29_000, 10_000), warrior("b2", 29_001, 12_000))
    asked = battle.when(action, dice=(2, 2) if is_fine else ())
    assert (not hasattr(asked.outcome, "code")) == is_fine


@pytest.mark.rule("ML-SING-12", "ML-TPL-2")
def test_targets_are_struck_one_by_one_and_who_is_gone_is_skipped() -> None:
    """The panic of the first target's unit carries the second one off the table."""
    scare = {
        "id": "scare",
        "like": "ember_march",
        "effects": [
            {"kind": "panic", "modifier": 0},
            {"kind": "damage", "amount": 1},
            {"kind": "stun"},
        ],
    }
    pair = (
        warrior("b1", 20_000, 10_000, unit="B", health_max=2),
        warrior("b2", 21_800, 10_000, unit="B", move=20_000),
        warrior("b3", 20_000, 11_900, health_max=2),
        warrior("b4", 35_000, 20_000),
    )
    lead = singer(singer=voice("scare"))
    battle = choir(*pair, lead=lead, content=content(scare))
    asked = battle.when(sing("a1", "scare", point=(20_000, 10_000)), dice=(3, 4, 6, 6, 4, 3, 3))
    assert told(asked) == [
        "resource_changed a1 action 0",
        "check_resolved a1 song success",
        "check_resolved b1 B panic failure",
        "condition_gained b1 fleeing panic",
        "moved b1 panic",
        "condition_gained b2 fleeing panic",
        "felled b2 fled panic",
        "hurt b1 melody",
        "condition_gained b1 stunned melody",
        "check_resolved b3 template success",
        "check_resolved b3 B3 panic success",
        "hurt b3 melody",
        "condition_gained b3 stunned melody",
    ]


@pytest.mark.rule("ML-TPL-4")
def test_a_ray_reaches_friends_and_never_its_singer() -> None:
    friend = warrior("a2", 13_000, 10_000)
    battle = choir(friend, warrior("b1", 16_000, 10_000), warrior("b2", 30_000, 20_000))
    asked = battle.when(sing("a1", "dazzle_chord", aim=(10_001, 10_000)), dice=(3, 4))
    assert told(asked) == [
        "resource_changed a1 action 0",
        "check_resolved a1 song success",
        "condition_gained a2 dazed melody",
        "condition_gained b1 dazed melody",
    ]


def test_a_template_round_a_point_may_cover_its_singer() -> None:
    battle = choir(warrior("b2", 30_000, 20_000))
    asked = battle.when(sing("a1", "ember_march", point=HERE), dice=(3, 4, 2))
    assert told(asked)[-1] == "check_resolved a1 wound failure"


def test_a_melody_for_friends_may_be_sung_at_the_singer_itself() -> None:
    lead = singer(health=1, health_max=3)
    battle = choir(warrior("b2", 30_000, 20_000), lead=lead)
    asked = battle.when(sing("a1", "mending_round", target="a1"), dice=(3, 4))
    assert told(asked)[-1] == "healed a1 melody"
    assert battle.table.combatant("a1").health == 2


@pytest.mark.rule("ML-MOVE-8")
@pytest.mark.parametrize(
    ("melody", "at", "end"),
    [
        ("ray_push", {"aim": (20_000, 10_000)}, (17_000, 10_000)),
        ("point_push", {"point": (14_500, 10_000)}, (11_000, 10_000)),
        ("model_push", {"target": "b1"}, (17_000, 10_000)),
    ],
)
def test_a_push_leads_away_from_where_the_melody_comes_from(
    melody: str, at: Tree, end: tuple[int, int]
) -> None:
    shove = [{"kind": "push", "distance": 3000}]
    added = content(
        {"id": "ray_push", "like": "thunder_shove", "effects": shove},
        {"id": "point_push", "like": "ember_march", "effects": shove},
        {"id": "model_push", "like": "drum_of_dread", "effects": shove},
    )
    lead = warrior("a1", 10_000, 10_000, singer=voice(melody))
    battle = choir(warrior("b1", 14_000, 10_000), lead=lead, content=added)
    battle.when(sing("a1", melody, **at), dice=(4, 5))
    place = battle.table.combatant("b1").place
    assert (place.x, place.y) == end


@pytest.mark.rule("ML-SING-10")
def test_power_acts_with_its_own_effects_and_asks_nobody() -> None:
    enemies = (warrior("b1", 14_000, 10_000, singer=voice()), warrior("b2", 30_000, 20_000))
    battle = choir(*enemies)
    asked = battle.when(sing("a1", "dazzle_chord", aim=(20_000, 10_000)), dice=(6, 6, 2))
    assert told(asked) == [
        "resource_changed a1 action 0",
        "check_resolved a1 song success",
        "condition_gained b1 dazed melody",
        "check_resolved b1 wound failure",
    ]


@pytest.mark.rule("ML-RES-5")
def test_a_mistake_is_not_resisted() -> None:
    rows: list[list[Tree]] = [
        [{"scope": "around", "radius": 5000, "effect": {"kind": "damage", "amount": 1}}]
    ] * 6
    tough = warrior("b1", 14_000, 10_000, health_max=2, resistances=[{"to": "melody", "value": 6}])
    battle = choir(tough, content=content(rows=rows))
    asked = battle.when(sing("a1", "ember_march", point=HERE), dice=(1, 1, 1))
    assert told(asked)[-1] == "hurt b1 mistake"


def test_hidden_victims_are_struck_unseen() -> None:
    """Dice that concern only them are drawn on their side's stream."""
    hidden = warrior("b1", 20_000, 11_500, hidden=True, resistances=[{"to": "fire", "value": 2}])
    battle = choir(hidden, warrior("b2", 30_000, 20_000))
    asked = battle.when(sing("a1", "ember_march", point=(20_000, 10_000)), dice=(3, 4, 4, 3, 2))
    streams = [
        (each["check"], each["roll"]["draws"][0]["stream"])
        for each in effects(asked)
        if each["type"] == "check_resolved"
    ]
    assert streams == [("song", 0), ("template", 2), ("resistance", 2), ("wound", 2)]


def test_a_hidden_singer_becomes_known_by_its_song() -> None:
    battle = choir(ENEMY, lead=singer(hidden=True))
    asked = battle.when(DREAD, dice=(2, 2))
    assert effects(asked)[0]["type"] == "revealed"
    assert not battle.table.combatant("a1").hidden


def test_where_attacks_reveal_nobody_a_hidden_singer_sings_unseen() -> None:
    lead = singer(hidden=True, singer=voice(*KNOWN, rerolls_per_round=1))
    enemies = (warrior("b1", 20_000, 10_000, singer=voice()), warrior("b2", 30_000, 20_000))
    battle = choir(*enemies, lead=lead, options={"attack_reveals": False})
    asked = battle.when(sing("a1", "ember_march", point=(20_000, 10_000)), dice=(3, 4))
    question = effects(asked)[-1]["decision"]
    assert (question["id"], question["stream"]) == ("d3.a1", 1)
    resumed = answer(battle, PASS, dice=(2,))
    assert {"type": "window_skipped", "kind": "dampen", "why": "hidden"} in effects(resumed)
    assert told(resumed)[-1] == "check_resolved b1 wound failure"


def test_a_masked_warrior_is_reached_and_loses_its_masking_to_a_reveal() -> None:
    shelter = ground("debris", 13_000, 10_600, 15_000, 11_000)
    masked = warrior("b1", 14_000, 10_000, conditions=["masked"])
    lead = warrior("a1", 7_000, 10_000, singer=voice())
    battle = choir(masked, warrior("b2", 30_000, 20_000), lead=lead, map=shelter)
    asked = battle.when(sing("a1", "dazzle_chord", aim=(20_000, 10_000)), dice=(3, 4))
    assert told(asked)[-2:] == [
        "condition_gained b1 dazed melody",
        "condition_lost b1 masked melody",
    ]


def test_a_friend_in_a_window_cannot_be_named_as_the_one_who_dampens() -> None:
    enemies = (warrior("b1", 20_000, 10_000, singer=voice()), warrior("b2", 30_000, 20_000))
    battle = choir(FRIEND, *enemies)
    battle.when(sing("a1", "ember_march", point=(20_000, 10_000)), dice=(3, 4))
    answer(battle, dampen("b2"), by="bob").refused("not_a_singer", "ML-DAMP-1", combatant="b2")
    answer(battle, dampen("a2"), by="bob").refused("not_your_combatant", combatant="a2")
    answer(battle, dampen("a1")).refused("wrong_choice", "ML-DAMP-1", allowed=["b1"])
    answer(battle, dampen("x9"), by="bob").refused("unknown_combatant", combatant="x9")
