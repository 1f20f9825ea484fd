"""Creation, options, map and content, covers, who takes part."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.linear import Seat
from service.engine.vocabulary import effects as fx
from service.errors import Malformed, Refused
from service.rulesets.seeker_d100.evolve import evolve
from service.rulesets.seeker_d100.state import Drawn, Hold
from tests.kit.given_when_then import opened
from tests.kit.table import SIDE_IDS, effects_of
from tests.rulesets.seeker_d100.setups import (
    RULESET,
    battle_of,
    do,
    done,
    duel,
    fighter,
    only,
    seated,
    sheet,
    strike,
    wall,
    weapon,
)

A = fighter("a", "red", 0, 0)
LIMBS = ["head", "left_arm", "right_arm", "left_leg", "right_leg"]


def created(**setup: Any) -> Any:
    creation = {"sides": [{"id": each} for each in SIDE_IDS], "setup": setup}
    return opened(RULESET, creation)


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        ({"combatants": [A, A]}, "duplicate_combatant"),
        ({"combatants": [A | {"side": "pink"}]}, "unknown_side"),
        ({"combatants": [A | {"body_armour": {"sample": "jelly"}}]}, "unknown_sample"),
        (
            {"combatants": [A | {"held_by": {"holder": "x", "natural": 5, "level": 2}}]},
            "unknown_combatant",
        ),
        ({"map": {"cover": [wall(1) | {"sample": "jelly"}]}}, "malformed"),
        ({"map": {"cover": [wall(1), wall(2)]}}, "malformed"),
        ({"hidden_cover": [{"feature": "h"}]}, "malformed"),
    ],
)
def test_what_does_not_fit_together(setup: dict[str, Any], code: str) -> None:
    with pytest.raises((Refused, Malformed)) as raised:
        created(**setup)
    assert raised.value.code == code


ARMED = {"weapons": [weapon("w_revolver"), weapon("w_knife"), {"id": "fist", "skill": "unarmed"}]}
RESISTS = "absent with dodge, else a melee weapon of its own or w_unarmed"


@pytest.mark.rule("SK-RES-1")
@pytest.mark.parametrize("kind", ["resist_counter", "resist_block"])
@pytest.mark.parametrize(
    ("item", "fits"),
    [
        ("w_knife", True),
        ("fist", True),
        ("w_unarmed", True),
        ("w_revolver", False),
        ("spoon", False),
        (None, False),
    ],
)
def test_a_prepared_resist_names_what_resists(kind: str, item: str | None, fits: bool) -> None:
    answering = {"kind": kind} if item is None else {"kind": kind, "item": item}
    setup = {"combatants": [A | ARMED, A | ARMED | {"id": "b", "answering": answering}]}
    if fits:
        assert created(**setup).combatant("b").answering.item == item
        return
    with pytest.raises(Malformed) as raised:
        created(**setup)
    assert raised.value.params == {
        "path": "$.setup.combatants[1].answering.item",
        "allowed": RESISTS,
    }


@pytest.mark.rule("SK-REACT-3")
def test_a_prepared_dodge_needs_no_weapon() -> None:
    assert created(combatants=[A | {"answering": {"kind": "dodge"}}]).combatant("a").answering
    armed = {"kind": "dodge", "item": "w_knife"}
    with pytest.raises(Malformed) as raised:
        created(combatants=[A | ARMED | {"answering": armed}])
    assert raised.value.params == {
        "path": "$.setup.combatants[0].answering.item",
        "allowed": RESISTS,
    }


@pytest.mark.rule("SK-AIM-1")
@pytest.mark.parametrize(("battle", "begun"), [({"battle": {"round": 3}}, 3), ({}, 1)])
def test_aim_was_taken_in_a_round_that_has_begun(battle: dict[str, Any], begun: int) -> None:
    assert created(combatants=[A | {"aim": {"round": begun}}], **battle).combatant("a").aim
    with pytest.raises(Malformed) as raised:
        created(combatants=[A | {"aim": {"round": begun + 1}}], **battle)
    assert raised.value.params == {
        "path": "$.setup.combatants[0].aim.round",
        "allowed": f"{begun} at most",
    }


def test_who_holds_somebody_may_be_stated_at_both_ends() -> None:
    held = {"held_by": {"holder": "a", "natural": 45, "level": 2}}
    battle = duel({"holding": "t"}, held)
    assert sheet(battle, "a").holding == "t"


def test_a_battle_in_progress_restores_its_holds() -> None:
    held = {"held_by": {"holder": "a", "natural": 45, "level": 2}}
    battle = duel(t=held)
    assert sheet(battle, "a").holding == "t"
    assert sheet(battle, "t").held_by == Hold(holder="a", natural=45, level=2)


def test_who_comes_in_later_may_be_held_already() -> None:
    battle = duel()
    held = fighter("n", "blue", 0, 1, held_by={"holder": "a", "natural": 45, "level": 2})
    [added, tied] = done(battle, {"type": "add_combatant", "combatant": held}, 1)[:2]
    assert (added["type"], added["combatant"]["id"]) == ("combatant_added", "n")
    assert tied == {
        "type": "link_changed",
        "link": "hold",
        "combatant": "n",
        "other": "a",
        "tied": True,
        "facts": {"natural": 45, "level": 2},
    }
    assert sheet(battle, "a").holding == "n"
    assert sheet(battle, "n").held_by == Hold(holder="a", natural=45, level=2)


def test_options_map_and_content_can_be_set_until_the_start() -> None:
    table = seated({"combatants": [A, fighter("t", "blue", 8, 0)]})
    cover = {"unit": "cells", "cover": [wall(2)]}
    event = table.ask({"type": "configure", "options": {"cell_m": 2}, "map": cover})
    [effect] = effects_of(event)
    assert (effect["options"]["cell_m"], "map" in effect, "content" in effect) == (2, True, False)
    table.ask({"type": "configure", "content": {"weapons": []}})
    with pytest.raises(Refused, match="unknown_sample"):
        table.ask(
            {
                "type": "add_combatant",
                "combatant": fighter("x", "red", 1, 1, weapons=[weapon("w_knife")]),
            }
        )
    table.ask({"type": "start_encounter"})
    with pytest.raises(Refused, match="options_frozen"):
        table.ask({"type": "configure", "options": {}})


@pytest.mark.parametrize(("card", "is_of_both"), [(51, True), (52, False), (53, False)])
def test_jokers_in_play_need_the_larger_deck(card: int, is_of_both: bool) -> None:
    prepared = {"cards": [{"combatant": "a", "card": card}]}
    table = seated({"combatants": [A], "options": {"deck": 54}, "battle": prepared})
    assert table.state.rule.cards == (Drawn(combatant="a", card=card),)
    if is_of_both:
        seated({"combatants": [A], "options": {"deck": 52}, "battle": prepared})
        return
    with pytest.raises(Malformed) as raised:
        seated({"combatants": [A], "options": {"deck": 52}, "battle": prepared})
    assert raised.value.params == {"path": "$.battle.cards[0].card", "allowed": "0 to 51"}


@pytest.mark.parametrize(("card", "is_taken"), [(51, True), (52, False)])
def test_a_smaller_deck_is_chosen_only_while_no_joker_is_in_play(card: int, is_taken: bool) -> None:
    """The deck of 54 that is left holds its jokers, unless it is stated without them."""
    battle = {"cards": [{"combatant": "a", "card": card}], "deck": [3]}
    table = seated({"combatants": [A], "options": {"deck": 54}, "battle": battle})
    smaller = {"type": "configure", "options": {"deck": 52}}
    if is_taken:
        table.ask(smaller)
        assert table.state.rule.options.deck == 52
        return
    with pytest.raises(Malformed) as raised:
        table.ask(smaller)
    assert raised.value.params == {
        "path": "$.options.deck",
        "allowed": "54, as its jokers are in play",
    }


def test_covers_are_set_changed_and_taken_away() -> None:
    battle = duel({"weapons": [weapon("w_revolver")]}, {"place": {"x": 8, "y": 0}})
    ground = {key: value for key, value in wall(4).items() if key != "id"}
    change = {"feature": "wall", "terrain": ground}
    stated = {"feature": "wall", "terrain": {"degree": "partial", "exposed": LIMBS, **ground}}
    assert done(battle, {"type": "set_terrain", "changes": [change]}) == [
        {
            "type": "terrain_changed",
            "changes": [stated | {"removed": False}],
            "secret": False,
            "cause": "gm",
        }
    ]
    effects = done(battle, strike("w_revolver"), 50, 10)
    assert [each["amount"] for each in only(effects, "hurt")] == [0]
    gone = {"feature": "wall", "removed": True}
    done(battle, {"type": "set_terrain", "changes": [gone]})
    done(
        battle,
        {
            "type": "adjust",
            "changes": [{"type": "resource", "combatant": "t", "resource": "action", "value": 0}],
        },
    )
    effects = done(battle, strike("w_revolver"), 50, 7)
    assert [each["amount"] for each in only(effects, "hurt")] == [7]


@pytest.mark.parametrize(
    "change",
    [
        {"feature": "x"},
        {
            "feature": "x",
            "removed": True,
            "terrain": {"start": {"x": 0, "y": 0}, "end": {"x": 0, "y": 0}, "armour": 1},
        },
        {"feature": "x", "terrain": {"start": {"x": 0, "y": 0}, "end": {"x": 0, "y": 0}}},
    ],
)
def test_a_cover_is_stated_whole_or_taken_away(change: dict[str, Any]) -> None:
    outcome = duel().when({"type": "set_terrain", "changes": [change]}).outcome
    assert not isinstance(outcome, list)
    assert outcome.code == "malformed"


@pytest.mark.rule("SK-ARM-4")
def test_covers_may_be_of_a_known_material() -> None:
    sandbags = {key: value for key, value in wall(4).items() if key != "armour"}
    guns = {"weapons": [weapon("w_revolver")]}
    battle = duel(guns, {"place": {"x": 8, "y": 0}}, cover=(sandbags | {"sample": "sandbag"},))
    effects = done(battle, strike("w_revolver"), 44, 10)
    assert [each["amount"] for each in only(effects, "hurt")] == [5]


def test_whoever_is_removed_is_forgotten_and_the_turn_passes_on() -> None:
    held = {"held_by": {"holder": "a", "natural": 45, "level": 2}}
    battle = duel(None, held, fresh=True)
    effects = done(battle, {"type": "remove_combatant", "combatant": "a"})
    assert [each["type"] for each in effects] == [
        "link_changed",
        "turn_ended",
        "combatant_removed",
        "turn_began",
    ]
    assert sheet(battle, "t").held_by is UNSET
    assert battle.table.state.rule.order == ("t",)


def test_whoever_was_held_and_is_removed_leaves_his_holder_free() -> None:
    battle = duel(None, {"held_by": {"holder": "a", "natural": 45, "level": 2}})
    ended = {"link": "hold", "combatant": "t", "other": "a", "tied": False, "cause": "removed"}
    assert done(battle, {"type": "remove_combatant", "combatant": "t"}) == [
        {"type": "link_changed", **ended},
        {"type": "combatant_removed", "combatant": "t", "cause": "gm"},
    ]
    assert [each.id for each in battle.table.state.rule.combatants] == ["a"]
    assert sheet(battle, "a").holding is UNSET
    assert [each.combatant for each in battle.table.state.rule.cards] == ["a"]


@pytest.mark.parametrize("gone", ["a", "t"])
def test_a_hold_ends_with_either_of_the_two_also_if_nothing_else_says_so(gone: str) -> None:
    battle = duel(None, {"held_by": {"holder": "a", "natural": 45, "level": 2}})
    left = sheet(battle, "t" if gone == "a" else "a")
    rule = evolve(battle.table.state.rule, fx.CombatantRemoved(combatant=gone))
    assert rule.combatants == (replace(left, held_by=UNSET, holding=UNSET),)


def test_nobody_is_removed_while_an_answer_is_awaited() -> None:
    battle = duel(fresh=True)
    done(battle, strike())
    refused = battle.when({"type": "remove_combatant", "combatant": "t"})
    refused.refused("decision_pending", decisions=[{"id": "d3.1", "who": "blue"}])


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ({"sides": ["red", "pink"]}, ("unknown_side", {"side": "pink", "allowed": ["red"]})),
        ({"combatants": ["a", "b"]}, ("unknown_combatant", {"combatant": "b"})),
        ({"sides": ["red"], "combatants": ["a"]}, None),
    ],
)
def test_a_seat_must_name_what_there_is(
    named: dict[str, Any], why: tuple[str, dict[str, Any]] | None
) -> None:
    seats = [{"id": "ann", "role": "player", **named}]
    creation = {"sides": [{"id": "red"}], "seats": seats, "setup": {"combatants": [A]}}
    if why is None:
        assert opened(RULESET, creation).state.linear.seats == (
            Seat(id="ann", role="player", sides=("red",), combatants=("a",), knows=("red",)),
        )
        return
    with pytest.raises(Refused) as raised:
        opened(RULESET, creation)
    assert (raised.value.code, raised.value.params) == why


def test_who_enters_a_running_battle_before_the_turn_holder_waits_for_the_next_round() -> None:
    table = seated(
        {"combatants": [A, fighter("t", "blue", 1, 0)], "battle": battle_of(A, {"id": "t"})}
    )
    table.ask({"type": "start_encounter"})
    event = table.ask({"type": "add_combatant", "combatant": fighter("n", "red", 5, 5)})
    assert [each["type"] for each in effects_of(event)] == [
        "combatant_added",
        "rolled",
        "order_set",
    ]
    assert table.turn == "a"
    table.ask(do("end_turn"))
    assert table.turn == "t"
