"""Songs from their declaration to what the dice make of them, with the window of the reroll."""

from typing import Any

import pytest

from tests.kit.given_when_then import Given, rolled
from tests.rulesets.melody_d6.choirs import (
    NO_DAMPENING,
    NO_REROLL,
    PASS,
    Tree,
    answer,
    content,
    effects,
    reroll,
    sing,
    told,
    voice,
)
from tests.rulesets.melody_d6.skirmishes import conditions, in_turn, warrior

HERE, THERE = (10_000, 10_000), (20_000, 10_000)
VICTIM = warrior("b1", *THERE)
FAR = warrior("b2", 30_000, 20_000)
SPENT = {
    "type": "resource_changed",
    "combatant": "a1",
    "resource": "action",
    "now": 0,
    "rule": "ML-TURN-4",
}
EMBER = sing("a1", "ember_march", point=THERE)


def singer(**sheet: Any) -> Tree:
    """The singer of the tests."""
    return warrior("a1", *HERE, **{"singer": voice(), **sheet})


def choir(*others: Tree, lead: Tree | None = None, **setup: Any) -> Given:
    """A battle in which the unit of a1 is in its action phase."""
    first = singer() if lead is None else lead
    return in_turn(first, *others, unit=first["unit"], phase="action", **setup)


def song_check(*faces: int, **more: Any) -> Tree:
    """A song of a1 without bonuses, rolled in this very event."""
    return {
        "type": "check_resolved",
        "check": "song",
        "combatant": "a1",
        "melody": "ember_march",
        "roll": rolled(6, *faces),
        "base": 0,
        "breakdown": [],
        "total": sum(faces),
        "needed": 7,
        "classification": "none",
        "outcome": "success",
        "rule": "ML-SING-1",
        "tested": [],
        **more,
    }


@pytest.mark.rule("ML-SING-11", "ML-SING-12")
def test_a_song_that_nobody_can_dampen_strikes_at_once() -> None:
    source = {"combatant": "a1", "item": "ember_march"}
    choir(VICTIM, FAR).when(EMBER, dice=(3, 4, 3)).then(
        SPENT,
        NO_REROLL,
        song_check(3, 4),
        NO_DAMPENING,
        {
            "type": "area_resolved",
            "combatant": "a1",
            "melody": "ember_march",
            "area": {"kind": "disc", "origin": {"x": 20_000, "y": 10_000}, "radius": 1500},
            "outcome": "success",
            "victims": [{"target": "b1", "outcome": "full"}],
            "rule": "ML-SING-12",
        },
        {
            "type": "check_resolved",
            "check": "wound",
            "combatant": "b1",
            "needed": 3,
            "outcome": "success",
            "roll": rolled(6, 3, number=3),
            "rule": "ML-SHOOT-6",
            "source": source,
            "breakdown": [],
            "tested": [],
        },
        {
            "type": "hurt",
            "combatant": "b1",
            "amount": 1,
            "health": 0,
            "band": "down",
            "cause": "melody",
            "source": source,
            "breakdown": [],
            "rule": "ML-SHOOT-6",
        },
        {
            "type": "felled",
            "combatant": "b1",
            "state": "out",
            "cause": "melody",
            "rule": "ML-SHOOT-6",
        },
    )


def test_a_failure_spends_the_action_and_no_more() -> None:
    battle = choir(VICTIM)
    battle.when(EMBER, dice=(2, 4)).then(SPENT, NO_REROLL, song_check(2, 4, outcome="failure"))
    battle.when(EMBER).refused("action_spent", "ML-TURN-4", combatant="a1")


def squad(**setup: Any) -> Given:
    """A singer with one reroll and a squad-mate near by."""
    lead = singer(unit="A", singer=voice(rerolls_per_round=1))
    return choir(warrior("a2", 12_000, 10_000, unit="A"), VICTIM, FAR, lead=lead, **setup)


@pytest.mark.rule("ML-SING-7", "ML-UI-1")
def test_dice_are_told_before_the_question() -> None:
    rolled_effect, opened = effects(squad().when(EMBER, dice=(2, 3)))[1:]
    assert rolled_effect == {
        "type": "rolled",
        "purpose": "song",
        "combatant": "a1",
        "roll": rolled(6, 2, 3),
        "rule": "ML-SING-1",
    }
    question = opened["decision"]
    assert question == {
        "id": "d3.1",
        "kind": "reroll",
        "opened_by": 3,
        "side": "a",
        "options": ["reroll", "pass"],
        "default": "pass",
        "number": 1,
        "context": {
            "type": "reroll",
            "combatant": "a1",
            "roll": "song",
            "melody": "ember_march",
            "dice": [2, 3],
            "total": 5,
            "needed": 7,
            "classification": "none",
            "sources": ["united_impulse", "ordinary"],
        },
    }


def replaced(*faces: int, dice: tuple[int, ...], seq: int) -> Tree:
    """A roll of event `seq` told again without the dice at these places."""
    runs: list[Tree] = []
    for place in range(len(faces)):
        run = {"stream": 0, "number": place + 1, "count": 1, "seq": seq}
        runs.append({**run, "uncounted": "replaced"} if place in dice else run)
    total = sum(face for place, face in enumerate(faces) if place not in dice)
    return {"sides": 6, "faces": list(faces), "total": total, "draws": runs}


@pytest.mark.rule("ML-SING-7", "ML-SING-8")
def test_an_ordinary_reroll_is_told_with_what_it_replaced() -> None:
    battle = squad()
    battle.when(EMBER, dice=(2, 3))
    answer(battle, reroll("ordinary", 1), dice=(4,)).then(
        {
            "type": "decision_closed",
            "decision_id": "d3.1",
            "how": "answered",
            "choice": "reroll",
            "full": reroll("ordinary", 1),
        },
        {
            "type": "resource_changed",
            "combatant": "a1",
            "resource": "rerolls",
            "now": 0,
            "rule": "ML-SING-7",
        },
        song_check(
            2,
            4,
            outcome="failure",
            roll=replaced(2, 3, dice=(1,), seq=3),
            reroll={
                "source": "ordinary",
                "dice": [1],
                "before": [2, 3],
                "after": [2, 4],
                "roll": rolled(6, 4),
            },
            rules=["ML-SING-7", "ML-SING-8"],
        ),
    )
    assert battle.table.combatant("a1").rerolls_left == 0


@pytest.mark.rule("ML-UI-1", "ML-UI-2")
def test_a_united_impulse_costs_fp_and_undoes_a_mistake() -> None:
    battle = squad(sides=[{"id": "a", "home_edge": "west", "fp": 2}, {"id": "b"}])
    asked = battle.when(EMBER, dice=(1, 1))
    assert effects(asked)[-1]["decision"]["context"]["sources"] == ["united_impulse"]
    closed, paid, check, *rest = effects(answer(battle, reroll("united_impulse", 0), dice=(4,)))
    assert closed["choice"] == "reroll"
    assert paid == {
        "type": "resource_changed",
        "side": "a",
        "resource": "fp",
        "now": 1,
        "rule": "ML-UI-1",
    }
    assert check == song_check(
        4,
        1,
        outcome="failure",
        roll=replaced(1, 1, dice=(0,), seq=3),
        reroll={
            "source": "united_impulse",
            "dice": [0],
            "before": [1, 1],
            "after": [4, 1],
            "roll": rolled(6, 4),
        },
        rules=["ML-UI-2", "ML-UI-3", "ML-SING-8"],
    )
    assert rest == []


def test_a_hidden_squad_mate_lends_no_impulse_that_would_tell_of_it() -> None:
    mate = warrior("a2", 12_000, 10_000, unit="A", hidden=True)
    asked = choir(mate, VICTIM, lead=singer(unit="A")).when(EMBER, dice=(2, 3))
    assert told(asked)[-1] == "check_resolved a1 song failure"
    unseen = choir(
        mate, VICTIM, lead=singer(unit="A", hidden=True), options={"attack_reveals": False}
    )
    assert told(unseen.when(EMBER, dice=(2, 3)))[-1] == "decision_opened reroll"


@pytest.mark.rule("ML-SING-7")
@pytest.mark.parametrize(
    ("faces", "choice", "code", "rule", "params"),
    [
        (
            (1, 1),
            reroll("ordinary", 0),
            "reroll_unavailable",
            "ML-SING-7",
            {"source": "ordinary", "allowed": ["united_impulse"]},
        ),
        ((2, 3), reroll("ordinary"), "bad_die_index", "ML-SING-7", {"dice": [], "count": 2}),
        (
            (2, 3),
            reroll("ordinary", 0, 0),
            "bad_die_index",
            "ML-SING-7",
            {"dice": [0, 0], "count": 2},
        ),
        (
            (2, 3),
            reroll("united_impulse", 2),
            "bad_die_index",
            "ML-UI-1",
            {"dice": [2], "count": 2},
        ),
    ],
)
def test_a_reroll_needs_a_source_and_dice_of_the_roll(
    faces: tuple[int, ...], choice: Tree, code: str, rule: str, params: Tree
) -> None:
    battle = squad()
    battle.when(EMBER, dice=faces)
    answer(battle, choice, by="ann").refused(code, rule, **params)


@pytest.mark.rule("ML-UI-1")
def test_an_impulse_that_nobody_lends_is_refused_by_its_own_rule() -> None:
    battle = choir(FAR, lead=singer(singer=voice(rerolls_per_round=1)))
    battle.when(EMBER, dice=(2, 3))
    answer(battle, reroll("united_impulse", 0), by="ann").refused(
        "reroll_unavailable", "ML-UI-1", source="united_impulse", allowed=["ordinary"]
    )


def test_only_the_singing_side_is_asked_about_its_dice() -> None:
    battle = squad()
    battle.when(EMBER, dice=(2, 3))
    answer(battle, PASS, by="bob").refused("not_your_decision", decision_id="d3.1")
    battle.when(EMBER, by="ann").refused("decision_pending", decisions=[{"id": "d3.1", "who": "a"}])


def test_without_a_reroll_the_first_dice_stand() -> None:
    battle = squad()
    battle.when(EMBER, dice=(2, 3))
    answer(battle, PASS, by="ann").then(
        {"type": "decision_closed", "decision_id": "d3.1", "how": "passed", "choice": "pass"},
        song_check(2, 3, outcome="failure", roll=rolled(6, 2, 3, seq=3)),
    )


def test_a_song_goes_on_where_nobody_can_answer_any_more() -> None:
    battle = squad()
    battle.when(EMBER, dice=(2, 3))
    change = {"type": "place", "combatant": "a2", "place": {"x": 30_000, "y": 2_000}}
    spent = {"type": "resource", "combatant": "a1", "resource": "rerolls", "value": 0}
    effects(battle.when({"type": "adjust", "changes": [spent]}))
    adjusted = battle.when({"type": "adjust", "changes": [change]})
    assert told(adjusted)[-2:] == ["decision_closed void", "check_resolved a1 song failure"]


@pytest.mark.rule("ML-SING-9")
def test_a_mistake_does_its_row_in_order_around_the_singer() -> None:
    rows: list[list[Tree]] = [[] for _ in range(6)]
    rows[2] = [
        {"scope": "around", "radius": 3000, "effect": {"kind": "damage", "amount": 1}},
        {"scope": "singer", "effect": {"kind": "damage", "amount": 1}},
        {"scope": "singer", "effect": {"kind": "hoarse", "rounds": 2}},
        {"scope": "around", "radius": 3001, "effect": {"kind": "stun"}},
        {"scope": "singer_unit", "effect": {"kind": "panic", "modifier": 0}},
        {"scope": "singer_unit", "effect": {"kind": "panic", "modifier": -12}},
    ]
    others = (
        warrior("b1", 14_000, 10_000, health_max=2),
        warrior("b2", 6_000, 10_000),
        warrior("a2", 10_000, 14_001, unit="A"),
        warrior("b3", 30_000, 20_000),
    )
    battle = choir(*others, lead=singer(unit="A"), content=content(rows=rows))
    asked = battle.when(EMBER, dice=(1, 1, 3, 3, 4))
    assert told(asked)[1:] == [
        "check_resolved a1 song failure",
        "rolled a1 mistake",
        "hurt b1 mistake",
        "hurt b2 mistake",
        "felled b2 out mistake",
        "hurt a1 mistake",
        "felled a1 out mistake",
        "condition_gained b1 stunned mistake",
        "condition_gained a2 stunned mistake",
        "check_resolved a2 A panic success",
    ]


@pytest.mark.rule("ML-HOARSE-1")
def test_hoarseness_is_never_made_shorter_and_ends_with_its_round() -> None:
    rows: list[list[Tree]] = [
        [
            {"scope": "singer", "effect": {"kind": "hoarse", "rounds": 2}},
            {"scope": "singer", "effect": {"kind": "hoarse", "rounds": 1}},
        ]
    ] * 6
    battle = choir(VICTIM, content=content(rows=rows))
    asked = battle.when(EMBER, dice=(1, 1, 5))
    assert told(asked)[-1] == "condition_gained a1 hoarse mistake"
    assert battle.table.combatant("a1").hoarse_until == 2
    battle.when({"type": "end_activation", "unit": "A1"})
    for turn, hoarse in ((1, True), (2, True), (3, False)):
        assert ("hoarse" in conditions(battle, "a1")) == hoarse, turn
        battle.when({"type": "end_turn", "side": "a"})
        battle.when({"type": "end_turn", "side": "b"})


@pytest.mark.rule("ML-MASK-7")
def test_a_masked_singer_gives_itself_away_and_may_be_shot_at() -> None:
    cover = [{"id": "wall", "kind": "low_wall", "vertices": _box(9_000, 10_700, 11_000, 11_000)}]
    guard = warrior("b1", 25_000, 10_000, weapons=["rifle"], conditions=["on_guard"])
    lead = singer(conditions=["masked"])
    battle = choir(
        guard, FAR, lead=lead, map={"width": 36_000, "height": 24_000, "features": cover}
    )
    asked = battle.when(sing("a1", "ember_march", point=(20_000, 20_000)), dice=(3, 4))
    assert told(asked) == [
        "resource_changed a1 action 0",
        "condition_lost a1 masked sang",
        "condition_gained a1 fleeting",
        "check_resolved a1 song success",
        "decision_opened guard_window",
    ]


def _box(west: int, north: int, east: int, south: int) -> list[Tree]:
    corners = ((west, north), (east, north), (east, south), (west, south))
    return [{"x": x, "y": y} for x, y in corners]
