"""What waited for answers continues as if it were asked for now, or says why it stops."""

from collections.abc import Sequence
from typing import Any

import pytest

from service.engine.narration.names import NO_NAMES
from service.engine.narration.narrator import narrator_of
from service.engine.vocabulary.values import Place
from service.errors import Refused
from service.rulesets.tactical_d20.v3.rules.waiting import require_left_in_place
from tests.kit.table import Table, effects_of
from tests.replay.memory_audit import audit
from tests.rulesets.tactical_d20.setups import fighter, rifle
from tests.rulesets.tactical_d20.v3.setups import (
    SECOND,
    THIRD,
    all_passed,
    battle,
    condition,
    put,
    ruled,
    stat,
    stopped,
    stops,
)
from tests.rulesets.tactical_d20.walks import (
    STRIKE,
    answer,
    moved,
    opened,
    place,
    swordsman,
    walk,
)

Tree = dict[str, Any]

AWAY = walk("a", (0, 0), (-1, 0), (-2, 0))
"""A walk of a's from (1, 0), away from g, who is asked before the first step."""


def walking(*others: Tree, by: str = "ann", ruleset: Any = None, **sheet: Any) -> Table:
    """Ann's a walks away from Bob's g, who is asked first."""
    more = {} if ruleset is None else {"ruleset": ruleset}
    people = [fighter("a", "red", 1, 0, **sheet), swordsman("g", "blue", 2, 0), *others]
    table = battle(*people, **more)
    table.ask(AWAY, by)
    return table


@pytest.mark.rule("TD-WAIT-2")
@pytest.mark.parametrize(
    ("here", "is_there"),
    [
        (Place(x=1, y=0), True),
        (Place(x=0, y=0), False),
        (Place(x=1, y=1), False),
        (Place(x=1, y=0, elevation=5), False),
    ],
)
def test_a_walker_is_where_its_last_step_led_or_elsewhere(here: Place, is_there: bool) -> None:
    if is_there:
        require_left_in_place(here, Place(x=1, y=0))
        return
    with pytest.raises(Refused) as refused:
        require_left_in_place(here, Place(x=1, y=0))
    facts = {"x": here.x, "y": here.y}
    assert (refused.value.code, refused.value.rule) == ("put_elsewhere", "TD-WAIT-2")
    assert refused.value.params == facts


@pytest.mark.rule("TD-WAIT-2")
@pytest.mark.parametrize(
    "to", [(1, 1), (1, -1), (0, 1), (0, -1), (0, 0), (-1, 0), (-1, 1), (2, 1), (1, 5)]
)
def test_whoever_is_put_elsewhere_walks_no_further(to: tuple[int, int]) -> None:
    table = walking()
    effects = ruled(table, put("a", *to)) + all_passed(table)
    assert stops(effects) == [stopped("a", "put_elsewhere", "TD-WAIT-2")]
    assert effects[-1]["type"] == "action_stopped"
    assert (place(table, "a"), table.state.rule.pending) == (to, ())
    assert audit(table).clean


@pytest.mark.rule("TD-WAIT-2")
def test_whoever_is_raised_where_it_stands_walks_no_further() -> None:
    table = walking()
    assert stops(ruled(table, put("a", 1, 0, elevation=5)) + all_passed(table)) == [
        stopped("a", "put_elsewhere", "TD-WAIT-2")
    ]


@pytest.mark.rule("TD-WAIT-1")
def test_whoever_is_put_back_before_the_answers_walks_on() -> None:
    table = walking()
    ruled(table, put("a", 1, 1))
    ruled(table, put("a", 1, 0))
    assert all_passed(table)[1:] == [moved("a", (1, 0), (0, 0), (-1, 0), (-2, 0), cost=15)]


@pytest.mark.rule("TD-WAIT-1")
def test_the_version_before_goes_on_from_where_the_walker_was_put() -> None:
    table = walking(ruleset=SECOND)
    ruled(table, put("a", 1, 1))
    assert all_passed(table)[1:] == [moved("a", (1, 1), (0, 0), (-1, 0), (-2, 0), cost=15)]


@pytest.mark.rule("TD-WAIT-1")
@pytest.mark.parametrize(
    ("changes", "code", "rule"),
    [
        ([stat("a", "speed_ft", 10)], "path_too_long", "TD-GEO-2"),
        ([condition("a", "prone")], "prone_cannot_walk", None),
        ([condition("a", "spinning")], "spinning_cannot_move", "TD-PRONE-4"),
        ([condition("a", "unconscious")], "actor_incapacitated", None),
        ([{"type": "hp", "combatant": "a", "value": -30}], "actor_incapacitated", None),
        ([put("g", 0, 0)], "cell_occupied", None),
        ([put("f", -2, 0)], "cell_occupied", None),
    ],
)
def test_a_walk_that_would_be_refused_now_stops_with_the_code_and_rule_of_that(
    changes: Sequence[Tree], code: str, rule: str | None
) -> None:
    table = walking(fighter("f", "red", 9, 9))
    effects = ruled(table, *changes) + all_passed(table)
    assert stops(effects) == [stopped("a", code, rule)]
    assert (place(table, "a"), table.state.rule.pending) == ((1, 0), ())
    assert audit(table).clean


@pytest.mark.rule("TD-WAIT-1")
@pytest.mark.parametrize(
    "changes",
    [
        [stat("a", "speed_ft", 15)],
        [{"type": "resource", "combatant": "a", "resource": "standard", "value": 0}],
        [{"type": "resource", "combatant": "a", "resource": "move", "value": 1}],
        [put("f", -1, 0)],
        [put("g", 2, 1)],
        [condition("a", "invisible")],
    ],
)
def test_what_the_walk_has_cost_is_given_back_and_what_is_still_allowed_goes_on(
    changes: Sequence[Tree],
) -> None:
    table = walking(fighter("f", "red", 9, 9))
    effects = ruled(table, *changes) + all_passed(table)
    assert effects[-1] == moved("a", (1, 0), (0, 0), (-1, 0), (-2, 0), cost=15)
    assert stops(effects) == []


def stepping(*others: Tree, **sheet: Any) -> Table:
    """Ann's a has walked two diagonal steps and is asked about before the third step."""
    people = [fighter("a", "red", 0, 0, **sheet), swordsman("g", "blue", 3, 2), *others]
    table = battle(*people)
    effects = effects_of(table.ask(walk("a", (1, 1), (2, 2), (2, 3), (3, 4)), "ann"))
    assert opened(effects) == [("g", "a")]
    assert place(table, "a") == (2, 2)
    return table


@pytest.mark.rule("TD-WAIT-1", "TD-GEO-2")
@pytest.mark.parametrize(("speed_ft", "is_enough"), [(25, True), (24, False), (30, True)])
def test_the_steps_made_count_and_every_second_diagonal_with_them(
    speed_ft: int, is_enough: bool
) -> None:
    table = stepping()
    ruled(table, stat("a", "speed_ft", speed_ft))
    effects = all_passed(table)
    if is_enough:
        assert opened(effects) == [("g", "a")]
        assert all_passed(table)[1:] == [moved("a", (2, 3), (3, 4), cost=5)]
    else:
        assert effects[1:] == [stopped("a", "path_too_long", "TD-GEO-2")]
        assert place(table, "a") == (2, 2)


@pytest.mark.rule("TD-WAIT-1")
def test_whoever_lies_down_on_the_way_does_not_crawl_the_last_step() -> None:
    table = battle(fighter("a", "red", 0, 0), swordsman("g", "blue", 1, 1))
    table.ask(walk("a", (0, 1), (0, 2)), "ann")
    all_passed(table)
    assert place(table, "a") == (0, 1)
    effects = ruled(table, condition("a", "prone")) + all_passed(table)
    assert stops(effects) == [stopped("a", "prone_cannot_walk")]
    assert place(table, "a") == (0, 1)


@pytest.mark.rule("TD-WAIT-1")
def test_a_step_asked_for_upright_is_a_crawl_once_one_lies() -> None:
    table = battle(fighter("a", "red", 1, 0), swordsman("g", "blue", 2, 0))
    table.ask(walk("a", (0, 0)), "ann")
    ruled(table, condition("a", "prone"))
    assert all_passed(table)[-1] == moved("a", (1, 0), (0, 0), cost=5)


@pytest.mark.rule("TD-WAIT-1")
def test_nobody_is_asked_again_and_somebody_new_before_the_steps_ahead_alone() -> None:
    table = walking(swordsman("n", "blue", 9, 9))
    ruled(table, put("n", 1, 1))
    effects = all_passed(table)
    assert opened(effects) == [("n", "a")]
    assert place(table, "a") == (0, 0)
    assert all_passed(table)[-1] == moved("a", (0, 0), (-1, 0), (-2, 0), cost=10)


@pytest.mark.rule("TD-WAIT-1")
def test_whoever_falls_to_an_answer_stops_too() -> None:
    table = walking(health=1, ac={"eac": -50, "kac": -50})
    effects = effects_of(answer(table, "g", STRIKE))
    assert "felled" in [each["type"] for each in effects]
    assert stops(effects) == [stopped("a", "actor_incapacitated")]


# --- what is shown, and by whose view -------------------------------------------------------------


@pytest.mark.rule("TD-WAIT-1")
def test_what_its_asker_does_not_know_of_is_met_as_on_any_walk() -> None:
    """A hidden one is put in the way: Ann's walk meets him, the game master's would be refused."""
    for by, expected in (
        ("ann", ["moved", "revealed"]),
        ("gm", ["action_stopped"]),
    ):
        table = walking(fighter("h", "green", 9, 9, hidden=True), by=by)
        ruled(table, put("h", -1, 0))
        assert [each["type"] for each in all_passed(table)[1:]] == expected
        assert place(table, "a") == ((0, 0) if by == "ann" else (1, 0))


@pytest.mark.rule("TD-WAIT-1")
def test_of_a_seat_that_is_gone_its_side_is_asked() -> None:
    for hidden, expected in (("red", (1, 0)), ("green", (-1, 0))):
        table = walking(fighter("h", hidden, 9, 9, hidden=True))
        ruled(table, put("h", -2, 0))
        table.ask({"type": "remove_seat", "seat": "ann"})
        all_passed(table)
        assert place(table, "a") == expected


@pytest.mark.rule("TD-WAIT-1")
def test_whoever_does_not_know_the_walker_is_not_told_that_it_stops() -> None:
    table = walking()
    ruled(table, {"type": "hide", "combatant": "a"}, put("a", 1, 5))
    for by, expected in (("ann", 1), ("bob", 0), ("eve", 0), ("gm", 1)):
        shown: Any = table.shown(len(table.events), by)
        assert len(stops(shown["effects"])) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "a goes no further: put elsewhere meanwhile."),
        ("ru", "a не продолжает действие: тем временем оказался не там."),
    ],
)
def test_it_is_told_in_words(language: Any, expected: str) -> None:
    table = walking()
    ruled(table, put("a", 1, 5))
    shown: Any = table.shown(len(table.events), "ann")
    told = narrator_of(table.ruleset, language).sentences(shown, NO_NAMES)
    assert told[-1].text == expected


NO_STOPS = {"reaction_used", "nothing_changes", "no_gravity", "target_has_cover"}
"""Refusals of answers and of actions that never wait."""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_code_that_can_stop_an_action_is_a_term(language: Any) -> None:
    catalogue = THIRD.catalogue
    terms = {term.id: getattr(term, language) for term in catalogue.terms}
    codes = {message.code for message in catalogue.messages} - NO_STOPS | {"unknown_combatant"}
    assert sorted(codes - terms.keys()) == []
    assert all(terms[code] != code for code in codes)


# --- shots ----------------------------------------------------------------------------------------


SHOT: Tree = {"type": "attack", "combatant": "a", "weapon": "rifle", "target": "t"}
GUESS: Tree = {"type": "attack_cell", "combatant": "a", "weapon": "rifle", "cell": {"x": 6, "y": 0}}


def shooting(*others: Tree, asked: Tree = SHOT, by: str = "ann", **more: Any) -> Table:
    """Ann's a shoots at t from next to Bob's g, who is asked."""
    gun = rifle(range_increment_ft=10, max_increments=4)
    people = [
        fighter("a", "red", 1, 0, weapons=[gun], **more.pop("sheet", {})),
        swordsman("g", "blue", 2, 1),
        fighter("t", "blue", 6, 0, conditions=["invisible"] if asked == GUESS else []),
        *others,
    ]
    table = battle(*people, **more)
    table.ask(asked, by)
    assert table.questions
    return table


STOW: Tree = {"type": "ready", "combatant": "a", "weapon": "rifle", "ready": False}
COVERED: Tree = {"type": "cover_override", "combatant": "t", "versus": "a", "grade": "total"}


@pytest.mark.rule("TD-WAIT-1")
@pytest.mark.parametrize(
    ("change", "code", "rule"),
    [
        (put("t", 10, 0), "out_of_range", "TD-SD-4"),
        (put("a", 20, 0), "out_of_range", "TD-SD-4"),
        (condition("t", "dead"), "target_dead", None),
        (condition("t", "invisible"), "target_unseen", "TD-UNSEEN-1"),
        (COVERED, "total_cover", "TD-TOTAL-1"),
        ({"type": "hide", "combatant": "t"}, "unknown_combatant", None),
        (STOW, "weapon_not_ready", None),
        (condition("a", "unconscious"), "actor_incapacitated", None),
    ],
)
def test_a_shot_that_would_be_refused_now_stops_and_draws_nothing(
    change: Tree, code: str, rule: str | None
) -> None:
    table = shooting()
    effects = ruled(table, change) + all_passed(table)
    assert stops(effects) == [stopped("a", code, rule)]
    assert table.events[-1].draws == ()
    assert (table.combatant("a").standard_left, table.state.rule.pending) == (0, ())
    assert audit(table).clean


@pytest.mark.rule("TD-WAIT-1")
@pytest.mark.parametrize(
    ("change", "code", "rule"),
    [
        (condition("t", "invisible", holds=False), "target_is_visible", "TD-UNSEEN-2"),
        (put("a", 20, 0), "out_of_range", "TD-SD-4"),
        (put("a", 6, 1), None, None),
        (put("t", 30, 0), None, None),
    ],
)
def test_a_guess_is_judged_again_as_any_shot_is(
    change: Tree, code: str | None, rule: str | None
) -> None:
    table = shooting(asked=GUESS)
    effects = ruled(table, change) + all_passed(table)
    assert stops(effects) == ([] if code is None else [stopped("a", code, rule)])
    assert ("attack_resolved" in {each["type"] for each in effects}) is (code is None)


@pytest.mark.rule("TD-WAIT-1")
def test_a_corner_that_was_named_must_still_be_one_of_the_archers() -> None:
    table = shooting(asked={**SHOT, "cover_corner": {"x": 1, "y": 1}})
    effects = ruled(table, put("a", 1, 3)) + all_passed(table)
    assert stops(effects) == [stopped("a", "bad_corner", "TD-COVER-1")]


@pytest.mark.rule("TD-WAIT-1")
def test_an_archer_who_is_hidden_meanwhile_comes_out_as_it_shoots() -> None:
    table = shooting()
    effects = ruled(table, {"type": "hide", "combatant": "a"}) + all_passed(table)
    kinds = [each["type"] for each in effects]
    assert kinds.index("revealed") + 1 == kinds.index("attack_resolved")


@pytest.mark.rule("TD-WAIT-1")
def test_what_a_player_cannot_know_lets_the_shot_through_and_obstructs_it() -> None:
    """Total cover by a word on numbers that Ann does not see: as on a shot asked for now."""
    table = shooting(options={"enemy_numbers": "hidden"})
    effects = ruled(table, COVERED) + all_passed(table)
    [attack] = [each for each in effects if each["type"] == "attack_resolved"]
    assert (attack["outcome"], stops(effects)) == ("obstructed", [])


# --- dice of the table, and rewinds ---------------------------------------------------------------


def test_dice_brought_for_an_action_that_stops_are_refused() -> None:
    """The game master's word lets the shot stop: it takes no dice, and none are kept."""
    table = shooting(dice="supplied", by="gm")
    spent = {"type": "resource", "combatant": "g", "resource": "reaction", "value": 0}
    with pytest.raises(Refused) as refused:
        ruled(table, put("t", 30, 0), spent, dice=(12,))
    assert refused.value.code == "too_many_faces"
    assert stops(ruled(table, put("t", 30, 0), spent)) == [stopped("a", "out_of_range", "TD-SD-4")]


def test_a_strike_that_waits_for_its_dice_still_ends_in_a_stop() -> None:
    """Bob's g strikes and is asked for a die; meanwhile the walker is put elsewhere."""
    people = [fighter("a", "red", 1, 0), swordsman("g", "blue", 2, 0)]
    table = battle(*people, dice="supplied")
    table.ask(AWAY, "ann")
    answer(table, "g", STRIKE, "bob")
    assert [each.roll.sides for each in table.state.rule.pending[-1].decisions] == [20]
    near = ruled(table, put("a", 1, 1))
    assert stops(near) == []
    [(decision, _)] = table.questions
    roll = {"type": "answer", "decision_id": decision, "choice": {"type": "roll"}}
    effects = effects_of(table.ask(roll, "bob", (1,)))
    assert [each["type"] for each in effects if each["type"] != "decision_closed"] == [
        "resource_changed",
        "attack_resolved",
        "action_stopped",
    ]
    assert audit(table).clean


def test_a_rewind_into_a_walk_that_waited_takes_the_change_back() -> None:
    table = walking()
    ruled(table, put("a", 1, 1))
    all_passed(table)
    table.ask({"type": "rewind", "to": 3})
    assert (place(table, "a"), len(table.questions)) == ((1, 0), 1)
    assert all_passed(table)[-1] == moved("a", (1, 0), (0, 0), (-1, 0), (-2, 0), cost=15)
    assert audit(table).clean


def test_a_rewind_to_behind_the_change_judges_by_the_change() -> None:
    table = walking()
    ruled(table, put("a", 1, 1))
    all_passed(table)
    table.ask({"type": "rewind", "to": 4})
    assert stops(all_passed(table)) == [stopped("a", "put_elsewhere", "TD-WAIT-2")]
    assert audit(table).clean
