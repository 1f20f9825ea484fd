"""Cards, rounds and turns through the desk."""

from typing import Any

import pytest

from service.engine.narration.names import NO_NAMES
from service.engine.narration.narrator import narrator_of
from service.engine.vocabulary.catalogue import Language
from service.errors import Malformed, Refused
from tests.kit.given_when_then import START, act, opened
from tests.kit.table import SIDE_IDS, effects_of, tree_of
from tests.rulesets.seeker_d100.setups import (
    RULESET,
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
    weapon,
)

A, B, C = (fighter(each, "red", n, 0) for n, each in enumerate("abc"))


def started(*dice: int, setup: dict[str, Any]) -> tuple[Any, list[dict[str, Any]]]:
    """A battle started with these dice, and what that shown."""
    creation = {"dice": "supplied", "sides": [{"id": each} for each in SIDE_IDS], "setup": setup}
    table = opened(RULESET, creation)
    event = act(table, START, dice=dice)
    return table, tree_of(event.effects)


@pytest.mark.rule("SK-INIT-1", "SK-INIT-3", "SK-INIT-4")
def test_cards_are_drawn_by_number_and_give_the_order() -> None:
    table, effects = started(1, 51, 50, setup={"combatants": [A, B, C]})
    assert [each["type"] for each in effects] == [
        "encounter_started",
        "rolled",
        "rolled",
        "rolled",
        "order_set",
        "round_began",
        "turn_began",
    ]
    assert [(each["combatant"], each["value"]) for each in only(effects, "rolled")] == [
        ("a", "2♠"),
        ("b", "A♦"),
        ("c", "2♣"),
    ]
    assert only(effects, "order_set")[0]["entries"] == [
        {"combatant": "b", "score": 14, "facts": {"card": 51}},
        {"combatant": "a", "score": 2, "facts": {"card": 0}},
        {"combatant": "c", "score": 2, "facts": {"card": 1}},
    ]
    assert table.state.rule.turn == "b"
    assert len(table.state.rule.deck) == 49


@pytest.mark.rule("SK-INIT-3")
def test_a_late_arrival_draws_on_and_takes_its_place() -> None:
    table, _ = started(1, 51, setup={"combatants": [A, B]})
    event = act(table, {"type": "add_combatant", "combatant": C}, dice=(50,))
    effects = tree_of(event.effects)
    assert [each["roll"]["sides"] for each in only(effects, "rolled")] == [50]
    assert only(effects, "order_set")[0]["combatant"] == "c"
    assert table.state.rule.order == ("b", "a", "c")
    assert table.state.rule.turn == "b"


@pytest.mark.rule("SK-INIT-6")
def test_each_round_may_have_a_deck_of_its_own() -> None:
    dead = fighter("d", "red", 9, 0, conditions=["dead"])
    for redraws, more in ((True, (1, 1)), (False, ())):
        setup = {"combatants": [A, B, dead], "options": {"redraw_each_round": redraws}}
        table, _ = started(52, 51, 1, setup=setup)
        act(table, do("end_turn", table.state.rule.turn))
        event = act(table, do("end_turn", table.state.rule.turn), dice=more)
        effects = tree_of(event.effects)
        assert [each["value"] for each in only(effects, "rolled")] == ["2♠", "2♣"] * redraws
        assert table.state.rule.round == 2
        assert len(table.state.rule.deck) == (50 if redraws else 49)


def test_given_cards_are_not_drawn_and_the_others_draw_from_the_rest() -> None:
    battle = {"round": 3, "cards": [{"combatant": "a", "card": 0}], "deck": [7, 50, 3]}
    table, effects = started(2, setup={"combatants": [A, B], "battle": battle})
    assert [each["roll"]["sides"] for each in only(effects, "rolled")] == [3]
    assert table.state.rule.deck == (7, 3)
    assert (table.state.rule.round, table.state.rule.turn) == (3, "b")


def test_without_a_stated_deck_the_given_cards_are_missing_from_it() -> None:
    battle = {"cards": [{"combatant": "a", "card": 0}]}
    table, effects = started(1, setup={"combatants": [A, B], "battle": battle})
    assert [each["value"] for each in only(effects, "rolled")] == ["2♣"]
    assert len(table.state.rule.deck) == 50


@pytest.mark.parametrize(
    "battle",
    [
        {"cards": [{"combatant": "a", "card": 52}]},
        {"cards": [{"combatant": "a", "card": 1}, {"combatant": "b", "card": 1}]},
        {"cards": [{"combatant": "a", "card": 1}, {"combatant": "a", "card": 2}]},
        {"cards": [{"combatant": "a", "card": 1}], "deck": [1, 2]},
        {"cards": [{"combatant": "a", "card": 1}], "deck": [2, 2]},
        {"cards": [{"combatant": "a", "card": 1}], "turn": "b"},
    ],
)
def test_cards_that_cannot_be_are_refused(battle: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        started(setup={"combatants": [A, B], "battle": battle})


@pytest.mark.rule("SK-INIT-3")
def test_more_combatants_than_cards_are_refused_before_any_die() -> None:
    crowd = [fighter(f"c{n}", "red", n, 5) for n in range(53)]
    with pytest.raises(Refused, match="deck_exhausted"):
        started(setup={"combatants": crowd})
    table, _ = started(
        *(54 - n for n in range(53)), setup={"combatants": crowd, "options": {"deck": 54}}
    )
    assert len(table.state.rule.order) == 53


REVIVED = {
    "hp": {"type": "hp", "combatant": "d", "value": 12},
    "condition": {"type": "condition", "combatant": "d", "condition": "dead", "holds": False},
}


@pytest.mark.rule("SK-INIT-3", "SK-INIT-6")
@pytest.mark.parametrize("change", REVIVED)
@pytest.mark.parametrize("deck", [52, 54])
def test_nobody_is_brought_back_to_life_whom_a_full_deck_has_no_card_for(
    deck: int, change: str
) -> None:
    crowd = [fighter(f"c{n}", "red", n, 5) for n in range(deck)]
    dead = fighter("d", "blue", 0, 9, health=0 if change == "hp" else 12, health_max=12)
    dead["conditions"] = ["dead"]
    cards = [{"combatant": each["id"], "card": deck - 1 - n} for n, each in enumerate(crowd)]
    battle = scene(
        *crowd,
        dead,
        options={"redraw_each_round": True, "deck": deck},
        battle={"round": 2, "cards": cards, "turn": f"c{deck - 4}"},
    )
    revived = {"type": "adjust", "changes": [REVIVED[change]]}
    battle.when(revived).refused("deck_exhausted", "SK-INIT-3", left=deck, wanted=deck + 1)
    killed = {"type": "hp", "combatant": "c7", "value": 0}
    done(battle, {"type": "adjust", "changes": [REVIVED[change], killed]})
    last = battle.table.state.rule.turn
    faces = tuple(range(deck, 0, -1))
    effects = done(battle, do("end_turn", last), *faces)
    living = [each["id"] for each in (*crowd, dead) if each["id"] != "c7"]
    assert [each["combatant"] for each in only(effects, "rolled")] == living
    assert sorted(battle.table.state.rule.order) == sorted(living)


@pytest.mark.rule("SK-INIT-6")
def test_with_cards_for_the_whole_scene_any_dead_may_be_brought_back() -> None:
    crowd = [fighter(f"c{n}", "red", n, 5) for n in range(51)]
    dead = fighter("d", "blue", 0, 9, health=0, health_max=12)
    done(scene(*crowd, dead), {"type": "adjust", "changes": [REVIVED["hp"]]})


@pytest.mark.rule("SK-INIT-4", "SK-INIT-5")
def test_the_ace_may_be_low_and_jokers_come_first() -> None:
    low = {"combatants": [A, B], "options": {"ace": "low"}}
    table, _ = started(49, 1, setup=low)
    assert table.state.rule.order == ("b", "a")
    jokers = {"combatants": [A, B, C], "options": {"deck": 54}}
    table, _ = started(54, 52, 48, setup=jokers)
    assert table.state.rule.order == ("b", "a", "c")


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["a draws a card: red joker.", "b draws a card: black joker."]),
        ("ru", ["a: карта — красный джокер.", "b: карта — чёрный джокер."]),
    ],
)
def test_jokers_are_told_in_words(language: Language, sentences: list[str]) -> None:
    _, effects = started(54, 52, setup={"combatants": [A, B], "options": {"deck": 54}})
    drawn = {"effects": only(effects, "rolled")}
    told = narrator_of(RULESET, language).sentences(drawn, NO_NAMES)
    assert [each.text for each in told] == sentences


def test_hidden_combatants_draw_after_all_others_on_their_sides_stream() -> None:
    hidden = fighter("a", "blue", 0, 0, hidden=True)
    unseen = fighter("b", "red", 1, 0, hidden=True)
    table = seated({"combatants": [hidden, unseen, fighter("c", "green", 2, 0)]})
    event = table.ask({"type": "start_encounter"})
    assert [(each.stream, each.sides, each.combatant) for each in event.draws] == [
        (0, 52, "c"),
        (1, 51, "b"),
        (2, 50, "a"),
    ]
    shown: Any = table.shown(2, "eve")
    assert [each["combatant"] for each in only(shown["effects"], "rolled")] == ["c"]
    assert [each["combatant"] for each in only(shown["effects"], "order_set")[0]["entries"]] == [
        "c"
    ]
    assert "deck" not in table.view("bob")


@pytest.mark.rule("SK-TURN-1", "SK-TURN-2")
def test_a_round_gives_everybody_one_action() -> None:
    battle = duel(fresh=True)
    assert [each["type"] for each in done(battle, do("aim"))][-1] == "turn_began"
    assert battle.table.state.rule.turn == "t"
    effects = done(battle, do("end_turn", "t"))
    assert [each["round"] for each in only(effects, "round_began")] == [2]
    assert (battle.table.state.rule.turn, sheet(battle, "t").actions_left) == ("a", 1)


def test_the_unconscious_and_the_dead_have_no_turn_and_nobody_is_told() -> None:
    out = [
        fighter("u", "red", 5, 0, conditions=["unconscious"]),
        fighter("d", "red", 6, 0, health=0),
    ]
    battle = scene(A, *out, B)
    effects = done(battle, do("end_turn"))
    assert [each["combatant"] for each in only(effects, "turn_ended")] == ["a"]
    assert battle.table.state.rule.turn == "b"


def test_while_nobody_can_act_there_is_no_turn_until_somebody_comes_round() -> None:
    weak = {"health": 3, "weapons": [weapon("w_knife")]}
    battle = duel(weak, {"conditions": ["unconscious"]})
    fall = {"type": "hp", "combatant": "a", "value": 1}
    done(battle, {"type": "adjust", "changes": [fall]})
    wake = {"type": "condition", "combatant": "t", "condition": "unconscious", "holds": False}
    effects = done(battle, {"type": "adjust", "changes": [wake]})
    assert [each["combatant"] for each in only(effects, "turn_began")] == ["t"]
    assert battle.table.state.rule.round == 2


@pytest.mark.rule("SK-AIM-2")
def test_an_aim_is_over_with_the_round_it_was_for() -> None:
    aiming = {"aim": {"round": 1}, "actions_left": 0}
    battle = duel(t=aiming, battle=battle_of({"id": "a"}, {"id": "t"}, round=2))
    effects = done(battle, do("end_turn"))
    assert [(each["combatant"], each["cause"]) for each in only(effects, "condition_lost")] == [
        ("t", "round_began")
    ]


@pytest.mark.rule("SK-AIM-3")
def test_aiming_again_renews_the_bonus() -> None:
    guns = {"weapons": [weapon("w_revolver")], "aim": {"round": 1}}
    battle = duel(guns, battle=battle_of({"id": "a"}, {"id": "t"}, round=2))
    [gained] = only(done(battle, do("aim")), "condition_gained")
    assert gained["facts"] == {"round": 2}

    attack = only(done(battle, strike("w_revolver"), 71), "attack_resolved")[0]
    assert (attack["outcome"], attack["detail"]["pool"]) == ("miss", 70)


def test_a_prepared_battle_keeps_what_was_spent() -> None:
    standing = {"kind": "dodge", "natural": 40, "level": 2}
    battle = duel(t={"standing_roll": standing, "actions_left": 0})
    assert sheet(battle, "t").conditions == ("standing_roll",)
    assert sheet(battle, "t").actions_left == 0
    assert tree_of(battle.table.events[0].effects[0])["prepared"]


def test_a_battle_among_the_hidden_is_read_back_as_it_was() -> None:
    table = seated({"combatants": [A, fighter("h", "blue", 3, 0, hidden=True)]})
    table.ask({"type": "start_encounter"})
    for _ in range(4):
        assert table.turn is not None
        event = table.ask(do("end_turn", table.turn))
        assert only(effects_of(event), "turn_ended")
