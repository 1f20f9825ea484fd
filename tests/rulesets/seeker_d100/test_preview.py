"""What a preview shows is what deciding the action then does."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from service.engine.ruleset.definition import Preview, choices_of
from service.errors import Refused
from tests.kit.given_when_then import Given, Tree, preview
from tests.kit.table import PEOPLE, tree_of
from tests.rulesets.seeker_d100.setups import (
    RULESET,
    answer,
    do,
    done,
    duel,
    fighter,
    only,
    scene,
    strike,
    wall,
    weapon,
)

FACES = range(1, 101)
GUN: dict[str, Any] = {"weapons": [weapon("w_revolver")]}
SMG: dict[str, Any] = {"weapons": [weapon("w_smg")]}
KNIFE: dict[str, Any] = {"weapons": [weapon("w_knife")]}
AT_5: dict[str, Any] = {"place": {"x": 5, "y": 0}}
DODGE: Tree = {"type": "dodge"}


def told(
    battle: Given, action: Tree, by: str = "gm", answers: Mapping[str, Tree] | None = None
) -> Preview:
    """The preview of an action where those asked answer like this."""
    asked = msgspec.convert(action, RULESET.action)
    kind = choices_of(RULESET)
    choices = {who: msgspec.convert(choice, kind) for who, choice in (answers or {}).items()}
    return RULESET.preview(battle.table.state, asked, PEOPLE[by], choices)


def victims(found: Preview) -> list[Any]:
    """What is shown of each victim."""
    return list(tree_of(found.facts)["victims"])


def odds(found: Preview) -> dict[str, Fraction]:
    """The chances by outcome, of those that have any."""
    chances = {each.outcome: Fraction(int(each.num), int(each.den)) for each in found.odds}
    return {outcome: share for outcome, share in chances.items() if share}


def chance(odds_: Tree) -> Fraction:
    return Fraction(int(odds_["num"]), int(odds_["den"]))


def test_the_breakdown_of_a_preview_is_that_of_the_roll() -> None:
    gun = {**GUN, "aim": {"round": 1}, "next_roll": 7}
    order = [{"combatant": "a", "card": 48}, {"combatant": "t", "card": 49}]
    battle = duel(
        gun,
        AT_5,
        cover=(wall(3),),
        battle={"round": 2, "turn": "a", "cards": order},
    )
    shot = do("called_shot", weapon="w_revolver", target="t", part="head")
    found = preview(battle.table, shot)["facts"]
    [event] = [each for each in done(battle, shot, 90) if each["type"] == "attack_resolved"]
    assert found["base"] == event["detail"]["base"] == 50
    assert found["breakdown"] == event["detail"]["breakdown"]
    assert [line["amount"] for line in found["breakdown"]] == [20, -20, 7]
    assert found["pool"] == event["detail"]["pool"] == 57


def oracle(attack: int, dodge: int, *, low: bool = False) -> dict[str, Fraction]:
    """The outcomes of an attack that is dodged, pair of faces by pair."""

    def level(face: int, chance_: int) -> int:
        double = face in range(11, 100, 11)
        if face == 1 or (face <= chance_ and double and face < 100):
            return 3
        if face == 100 or (face > chance_ and double):
            return 0
        return 2 if face <= chance_ else 1

    counts: Counter[str] = Counter()
    for face in FACES:
        mine = level(face, attack)
        for other in FACES:
            theirs = level(other, dodge)
            if mine < 2:
                counts["miss" if mine else "fumble"] += 1
                continue
            better = (theirs, -other if low else other) > (mine, -face if low else face)
            ended = "critical" if mine == 3 else "hit"
            counts["avoided" if theirs >= 2 and better else ended] += 1
    return {word: Fraction(n, 10_000) for word, n in counts.items()}


@pytest.mark.parametrize("die", ["high", "low"])
@pytest.mark.parametrize(("attack", "dodge"), [(50, 50), (90, 20), (10, 75), (110, 100), (30, 0)])
def test_the_odds_against_a_dodge_count_all_pairs_of_faces(
    attack: int, dodge: int, die: str
) -> None:
    battle = duel(
        {"skills": {"unarmed": attack}},
        {"skills": {"dodge": dodge}},
        fresh=True,
        options={"opposed_die": die},
    )
    found = told(battle, strike(), answers={"t": DODGE})
    expected = oracle(attack, dodge, low=die == "low")
    assert odds(found) == expected
    assert found.opens == ("reaction",)
    done(battle, strike())
    assert odds(told(battle, answer(battle, "t", "dodge"))) == expected


def test_a_stance_is_told_as_the_roll_it_will_be() -> None:
    battle = duel(t={"answering": {"kind": "dodge"}})
    found = told(battle, strike())
    assert odds(found) == oracle(50, 50)
    [victim] = victims(found)
    assert victim["answer"]["kind"] == "dodge"
    assert found.opens == ()


def test_a_resist_tells_the_chance_of_a_blow_in_return_and_a_block_does_not() -> None:
    battle = duel(t=KNIFE, fresh=True)
    counter = told(battle, strike(), answers={"t": {"type": "resist", "weapon": "w_knife"}})
    [victim] = victims(counter)
    avoided = oracle(50, 50)["avoided"]
    assert odds(counter)["stopped"] == avoided
    assert chance(victim["counter"]) == avoided + Fraction(50 * 50, 10_000)
    block = {"type": "resist", "weapon": "w_knife", "intent": "block"}
    assert "counter" not in victims(told(battle, strike(), answers={"t": block}))[0]


def test_cover_between_leaves_no_instant_kill() -> None:
    battle = duel(SMG, AT_5, cover=(wall(3),))
    [victim] = victims(told(battle, strike("w_smg")))
    assert chance(victim["instant_kill"]) == 0
    assert victim["armour"] == [{"rule": "SK-ARM-5", "amount": -10, "note": "cover"}]


@pytest.mark.parametrize(
    ("versus", "by", "share"),
    [
        ("none", "gm", Fraction(21, 100)),
        ("none", "ann", Fraction(21, 100)),
        ("downgrade", "gm", Fraction(0)),
        ("downgrade", "ann", None),
    ],
)
@pytest.mark.rule("SK-ARM-6")
def test_an_instant_kill_is_foretold_unless_armour_nobody_shows_decides_it(
    versus: str, by: str, share: Fraction | None
) -> None:
    options = {
        "enemy_numbers": "hidden",
        "body_vs_lethality": versus,
        "attack_roll_kills": False,
        "lethality_critical": "instant",
        "doubles": False,
    }
    # Face 1 kills at once, each of the other 50 with 40 per cent.
    gun = {"weapons": [weapon("w_heavy_rifle", lethality=40)], "skills": {"ranged": 51}}
    battle = duel(gun, {**AT_5, "body_armour": {"value": 3}}, options=options)
    [victim] = victims(told(battle, strike("w_heavy_rifle"), by))
    if share is None:
        assert "instant_kill" not in victim
        return
    assert chance(victim["instant_kill"]) == share


def test_a_dive_may_lead_behind_cover_or_out_of_the_area() -> None:
    battle = duel(SMG, AT_5, fresh=True, cover=(wall(4),))
    away = {"type": "take_cover", "cover": "wall", "to": {"x": 7, "y": 0}}
    found = told(battle, strike("w_smg"), answers={"t": away})
    [victim] = victims(found)
    assert {each["outcome"]: chance(each) for each in victim["odds"]}["avoided"] == Fraction(1, 4)
    assert chance(victim["in_cover"]) == Fraction(1, 2)
    assert odds(found)["hit"] + odds(found)["critical"] == Fraction(1, 2)


def test_an_area_tells_every_victim_in_its_order() -> None:
    battle = scene(
        fighter("a", "red", 0, 0, weapons=[weapon("w_grenade", delivery="explosive")]),
        fighter("t", "blue", 5, 0, conditions=["unaware"]),
        fighter("u", "blue", 6, 0, actions_left=0),
        fighter("far", "blue", 60, 0),
    )
    found = told(battle, strike("w_grenade"))
    assert [each["combatant"] for each in victims(found)] == ["t", "u", "a"]
    assert found.opens == ()


def test_what_it_would_open_is_told_with_the_options() -> None:
    battle = duel(fresh=True)
    found = told(battle, strike(), by="ann")
    asks = {"combatant": "t", "options": ["dodge", "resist", "pass"], "default": "pass"}
    assert tree_of(found.facts)["asks"] == [asks]
    assert found.opens == ("reaction",)
    assert told(duel(), strike(), by="ann").opens == ("roll",)


def test_answers_are_judged_as_they_would_be() -> None:
    battle = duel(fresh=True, t=GUN)
    tried: list[tuple[dict[str, Tree], str]] = [
        ({"t": {"type": "take_cover", "cover": "wall", "to": {"x": 1, "y": 1}}}, "reaction_not"),
        ({"t": {"type": "resist", "weapon": "w_revolver"}}, "weapon_not_melee"),
        ({"t": {"type": "roll"}}, "reaction_not_possible"),
        ({"a": DODGE}, "not_asked"),
        ({"nobody": DODGE}, "unknown_combatant"),
    ]
    for given, code in tried:
        with pytest.raises(Refused, match=code):
            told(battle, strike(), answers=given)
    with pytest.raises(Refused, match="not_asked"):
        told(duel(), strike(), answers={"t": DODGE})
    with pytest.raises(Refused, match="not_asked"):
        told(battle, do("end_turn"), answers={"t": DODGE})


def test_an_answer_that_is_not_offered_is_refused_alike_whatever_is_hidden() -> None:
    dive: Tree = {"type": "take_cover", "cover": "wall", "to": {"x": 1, "y": 1}}
    for options in ({}, {"enemy_numbers": "hidden"}):
        battle = duel(fresh=True, options=options)
        with pytest.raises(Refused) as refused:
            told(battle, strike(), by="ann", answers={"t": dive})
        assert (refused.value.code, refused.value.rule, refused.value.params) == (
            "reaction_not_possible",
            "SK-REACT-2",
            {"choice": "take_cover", "allowed": ["dodge", "resist", "pass"]},
        )


def test_hidden_numbers_leave_the_odds_of_an_answer_unknown() -> None:
    hidden = {"options": {"enemy_numbers": "hidden"}}
    battle = duel(SMG, {**KNIFE, "body_armour": {"value": 3}}, fresh=True, **hidden)
    bare = told(battle, strike(), by="ann")
    assert odds(bare)["hit"] == Fraction(45, 100)
    found = told(battle, strike(), by="ann", answers={"t": DODGE})
    assert (found.odds, found.unknown) == ((), ("answer",))
    [victim] = victims(found)
    assert victim["answer"] == {"kind": "dodge", "as": "dodge"}
    assert victim["unknown"] == ["answer", "armour"]
    assert told(battle, strike(), answers={"t": DODGE}).unknown == ()
    done(battle, strike())
    mine = told(battle, answer(battle, "t", "dodge"), by="bob")
    assert (mine.odds, mine.unknown) == ((), ("attack",))
    assert tree_of(mine.facts)["answer"] == {
        "kind": "dodge",
        "as": "dodge",
        "base": 50,
        "pool": 50,
        "breakdown": [],
    }


def test_an_attack_that_may_be_answered_tells_the_same_to_the_one_asked() -> None:
    battle = duel(SMG, {"skills": {"dodge": 70}, **AT_5}, fresh=True, cover=(wall(4),))
    done(battle, strike("w_smg", radius=3))
    dive = answer(battle, "t", "take_cover", cover="wall", to={"x": 4, "y": 0})
    [victim] = victims(told(battle, dive, by="bob"))
    assert chance(victim["in_cover"]) == Fraction(70, 100)
    with pytest.raises(Refused, match="no_preview"):
        told(battle, answer(battle, "t", "roll"), by="bob")


def test_letting_go_of_somebody_unseen_is_foretold() -> None:
    battle = duel(t={"held_by": {"holder": "a", "natural": 30, "level": 2}}, fresh=True)
    done(battle, {"type": "adjust", "changes": [{"type": "hide", "combatant": "t"}]})
    assert told(battle, do("release"), "ann") == Preview(legal=True)
    [loosened] = only(done(battle, do("release"), by="ann"), "link_changed")
    assert (loosened["combatant"], loosened["cause"]) == ("t", "released")


def test_breaking_free_tells_its_chance() -> None:
    hold = {"holder": "t", "natural": 40, "level": 2}
    battle = duel({"held_by": hold, "strength": 12}, {"holding": "a"})
    assert tree_of(told(battle, do("break_free")).facts)["pool"] == 60


def test_breaking_free_from_somebody_unseen_is_foretold() -> None:
    held = {"held_by": {"holder": "b", "natural": 40, "level": 2}}
    battle = duel(held, None, fighter("b", "blue", 0, 1))
    done(battle, {"type": "adjust", "changes": [{"type": "hide", "combatant": "b"}]})
    found = preview(battle.table, do("break_free"), by="ann")
    assert (found["facts"]["pool"], found["unknown"]) == (50, ["against"])


def test_a_movement_tells_its_length_and_the_odds_of_its_test() -> None:
    battle = duel({"dexterity": 9})
    path = [{"x": 3, "y": 0}, {"x": 4, "y": 1}]
    walk = do("move", gait="jog", path=path)
    found = told(battle, walk)
    assert tree_of(found.facts) == {"length_m": 5, "budget_m": 10, "end": {"x": 4, "y": 1}}
    assert found.odds == ()
    tested = told(battle, {**walk, "test": {"modifier": 5}})
    assert tree_of(tested.facts)["pool"] == 50
    assert odds(tested)["success"] + odds(tested)["critical"] == Fraction(1, 2)
