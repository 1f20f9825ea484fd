"""An attack that waited for answers is judged again: what the game master changed counts."""

from typing import Any

import pytest

from service.errors import Refused
from service.rulesets.seeker_d100.v3.rules.cover import danger_from
from service.rulesets.seeker_d100.v3.rules.wait import is_step_due, rounds_given_back
from tests.kit.table import Table, effects_of, tree_of
from tests.replay.memory_audit import audit
from tests.rulesets.seeker_d100.setups import Tree, fighter, only, reply, wall
from tests.rulesets.seeker_d100.v3.setups import (
    BLOW,
    DISARM,
    GRENADE,
    HOLD,
    PASS,
    SHOT,
    adjust,
    answered,
    place,
    seated,
    waiting,
)

HEAD: Tree = {**SHOT, "type": "called_shot", "part": "head"}
STEP: Tree = {**BLOW, "step": {"to": {"x": 2, "y": 0}}}
"""A blow from (2,0), where the attacker steps before."""
DODGE: Tree = {"type": "dodge"}
COUNTER: Tree = {"type": "resist", "weapon": "w_unarmed"}
PIPE = wall(15, name="pipe", exposed=["left_leg"])
DOOR = wall(5, name="door", armour=5)
BEHIND_DOOR: Tree = {"type": "take_cover", "cover": "door", "to": {"x": 6, "y": 0}}
TURN_ENDS: list[Tree] = [
    {"type": "turn_ended", "combatant": "a", "cause": "ended"},
    {"type": "turn_began", "combatant": "t"},
]


def stopped(code: str, rule: str | None = None) -> Tree:
    """The attack of a goes no further."""
    stop = {"type": "action_stopped", "combatant": "a", "code": code}
    return stop if rule is None else {**stop, "rule": rule}


def change(kind: str, combatant: str, **more: Any) -> Tree:
    """A change by the game master."""
    return {"type": kind, "combatant": combatant, **more}


def kinds(effects: list[Tree]) -> list[str]:
    """The types of effects."""
    return [each["type"] for each in effects]


# --- SK-WAIT-1 ------------------------------------------------------------------------------------


@pytest.mark.rule("SK-WAIT-1")
def test_the_rounds_of_the_attack_are_given_back_unless_they_never_run_out() -> None:
    assert [rounds_given_back(left, 3) for left in (None, 0, 2)] == [None, 3, 5]


@pytest.mark.rule("SK-WAIT-1")
@pytest.mark.parametrize(
    ("action", "changed", "choice", "end"),
    [
        (BLOW, place("t", 31), PASS, stopped("out_of_reach", "SK-ATK-1")),
        (BLOW, place("a", -30), DODGE, stopped("out_of_reach", "SK-ATK-1")),
        (BLOW, place("t", 31), COUNTER, stopped("out_of_reach", "SK-ATK-1")),
        (HOLD, place("t", 31), PASS, stopped("out_of_reach", "SK-ATK-1")),
        (DISARM, place("t", 31), PASS, stopped("out_of_reach", "SK-ATK-1")),
        (
            DISARM,
            change("item", "t", item="torch", held=False),
            PASS,
            stopped("nothing_held", "SK-DIS-1"),
        ),
        (
            DISARM,
            change("stat", "a", stat="free_hands", value=0),
            PASS,
            stopped("no_free_hand", "SK-DIS-2"),
        ),
        (SHOT, place("t", 21), PASS, stopped("out_of_range", "SK-ATK-1")),
        (SHOT, change("hide", "t"), PASS, stopped("unknown_target", "SK-ATK-1")),
        (HEAD, place("t", 16), PASS, stopped("part_not_exposed", "SK-CALL-2")),
    ],
)
def test_an_attack_that_would_not_be_allowed_now_goes_no_further(
    action: Tree, changed: Tree, choice: Tree, end: Tree
) -> None:
    near = wall(8, name="near")
    table = waiting(action, cover=(near, PIPE))
    adjust(table, changed)
    assert answered(table, choice) == [end, *TURN_ENDS]
    assert (table.combatant("a").actions_left, table.combatant("t").actions_left) == (0, 1)
    assert table.combatant("t").health == 12
    assert audit(table).clean


@pytest.mark.rule("SK-WAIT-1")
def test_a_weapon_that_is_not_at_hand_any_more_does_not_strike() -> None:
    table = waiting(BLOW, a={"held_items": ["w_machete"]})
    adjust(table, change("item", "a", item="w_machete", held=False))
    assert answered(table, PASS) == [stopped("unknown_weapon", "SK-ATK-1"), *TURN_ENDS]


@pytest.mark.rule("SK-WAIT-1")
@pytest.mark.parametrize(
    ("action", "changed"), [(BLOW, place("t", 0, 1)), (SHOT, place("t", 20)), (HOLD, place("a", 2))]
)
def test_an_attack_that_is_still_allowed_continues_from_where_both_are_now(
    action: Tree, changed: Tree
) -> None:
    table = waiting(action)
    adjust(table, changed)
    assert only(answered(table, PASS, 51), "attack_resolved")[0]["outcome"] == "miss"


@pytest.mark.rule("SK-WAIT-1")
@pytest.mark.parametrize("ammo", [0, 2])
def test_the_rounds_that_were_taken_are_enough_whatever_is_left(ammo: int) -> None:
    table = waiting({**SHOT, "shots": 3})
    adjust(table, change("resource", "a", resource="ammo", item="w_revolver", value=ammo))
    assert only(answered(table, PASS, 51), "attack_resolved")[0]["outcome"] == "miss"
    assert table.combatant("a").weapons[1].ammo == ammo


@pytest.mark.rule("SK-WAIT-1")
@pytest.mark.parametrize("action", [GRENADE, {**GRENADE, "target": "o"}])
def test_an_area_round_a_dead_target_is_not_struck(action: Tree) -> None:
    other = fighter("o", "blue", 11, 0)
    table = waiting(action, others=(other,))
    adjust(table, change("condition", action["target"], condition="dead"))
    left = [who for _, who in table.questions]
    assert left == [{"t": "o", "o": "t"}[action["target"]]]
    [effects] = [answered(table, PASS, combatant=who) for who in left]
    assert effects[0] == stopped("target_dead", "SK-ATK-1")


@pytest.mark.rule("SK-WAIT-1")
@pytest.mark.parametrize(
    ("changed", "end", "cause"),
    [
        (
            change("condition", "a", condition="unconscious"),
            stopped("actor_incapacitated", "SK-DMG-4"),
            "felled",
        ),
        (change("hp", "a", value=0), stopped("actor_incapacitated", "SK-DMG-4"), "felled"),
    ],
)
def test_an_attack_whose_attacker_is_out_stops_at_once(
    changed: Tree, end: Tree, cause: str
) -> None:
    table = waiting(BLOW)
    effects = adjust(table, changed)
    at = kinds(effects).index("decision_closed")
    assert effects[at]["how"] == "void"
    assert effects[at + 1 : at + 3] == [end, {**TURN_ENDS[0], "cause": cause}]
    assert table.questions == []
    assert audit(table).clean


@pytest.mark.rule("SK-WAIT-1")
def test_if_nobody_can_answer_any_more_the_attack_is_judged_at_once() -> None:
    table = waiting(BLOW)
    effects = adjust(table, change("condition", "t", condition="unaware"), place("t", 31))
    assert effects[-3:] == [stopped("out_of_reach", "SK-ATK-1"), *TURN_ENDS]


@pytest.mark.rule("SK-WAIT-1")
def test_the_turn_goes_on_if_the_game_master_has_given_the_action_back() -> None:
    table = waiting(BLOW)
    adjust(table, place("t", 31), change("resource", "a", resource="action", value=1))
    assert answered(table, PASS) == [stopped("out_of_reach", "SK-ATK-1")]
    assert (table.turn, table.combatant("a").actions_left) == ("a", 1)
    table.ask({"type": "end_turn", "combatant": "a"}, "ann")


@pytest.mark.rule("SK-WAIT-1")
def test_a_shot_that_stops_has_lost_its_round_and_its_aim_and_makes_no_step() -> None:
    step = {"to": {"x": 0, "y": 1}, "when": "after"}
    table = waiting({**SHOT, "step": step}, a={"aim": {"round": 0}})
    adjust(table, place("t", 30))
    effects = answered(table, PASS)
    assert kinds(effects) == ["action_stopped", "condition_lost", "turn_ended", "turn_began"]
    assert table.combatant("a").weapons[1].ammo == 5


@pytest.mark.rule("SK-WAIT-1")
@pytest.mark.parametrize("by", ["gm", "ann"])
def test_the_attack_is_judged_on_what_the_one_who_asked_for_it_knows(by: str) -> None:
    """The game master sees a hidden target, Ann does not."""
    table = waiting(BLOW, by)
    adjust(table, change("hide", "t"))
    effects = answered(table, PASS, *((51,) if by == "gm" else ()))
    outcomes = {"gm": "attack_resolved", "ann": "action_stopped"}
    assert only(effects, outcomes[by])


@pytest.mark.rule("SK-WAIT-1")
def test_if_the_seat_is_gone_it_is_judged_on_what_its_side_knows() -> None:
    table = waiting(BLOW)
    table.ask({"type": "remove_seat", "seat": "ann"})
    assert only(answered(table, PASS, 51), "attack_resolved")
    table = waiting(BLOW)
    table.ask({"type": "remove_seat", "seat": "ann"})
    adjust(table, change("hide", "t"))
    assert answered(table, PASS)[0] == stopped("unknown_target", "SK-ATK-1")


def test_a_stop_is_told_to_all_who_may_know_the_attacker_and_in_words() -> None:
    table = waiting(BLOW)
    adjust(table, place("t", 31))
    answered(table, PASS)
    for by in ("ann", "bob", "eve"):
        shown: Any = table.shown(len(table.events), by)
        assert only(shown["effects"], "action_stopped") == [stopped("out_of_reach", "SK-ATK-1")]


def test_each_code_with_which_an_attack_may_stop_has_a_word() -> None:
    table = waiting(BLOW)
    terms = {term.id for term in table.ruleset.catalogue.terms}
    refusals = {message.code for message in table.ruleset.catalogue.messages}
    unsaid = {"unknown_sample", "reaction_not_possible", "no_cover_in_reach"}
    assert refusals - terms == unsaid | {"bad_cover_destination"}


# --- SK-WAIT-2 ------------------------------------------------------------------------------------


@pytest.mark.rule("SK-WAIT-2")
def test_a_step_is_due_to_whoever_is_not_where_it_led() -> None:
    assert [is_step_due(here, (2, 0)) for here in ((2, 0), (2, 1), (0, 0))] == [False, True, True]


def stepped(*changes: Tree, **setup: Any) -> Table:
    """a has stepped to (2,0) to strike at t, who is at (3,0), and the game master speaks."""
    table = waiting(STEP, t_x=3, **setup)
    adjust(table, *changes)
    return table


@pytest.mark.rule("SK-WAIT-2")
def test_a_step_that_was_made_is_not_made_twice() -> None:
    table = stepped(place("t", 3, 1))
    assert only(answered(table, PASS, 51), "moved") == []


@pytest.mark.rule("SK-WAIT-2")
def test_an_attacker_who_was_put_elsewhere_makes_the_step_from_there() -> None:
    table = stepped(place("a", 2, 3))
    [step] = only(answered(table, PASS, 51), "moved")
    assert (step["manner"], step["start"], step["end"], step["cost"]) == (
        "step",
        {"x": 2, "y": 3},
        {"x": 2, "y": 0},
        3,
    )


@pytest.mark.rule("SK-WAIT-2")
def test_from_too_far_away_the_step_is_not_made() -> None:
    table = stepped(place("a", 4, 3))
    assert answered(table, PASS) == [stopped("step_too_far", "SK-MOVE-4"), *TURN_ENDS]
    assert tree_of(table.combatant("a").place) == {"x": 4, "y": 3}


@pytest.mark.rule("SK-WAIT-2")
def test_an_attacker_who_was_hidden_again_comes_out_again_and_acts_once() -> None:
    table = stepped()
    again = change("resource", "a", resource="action", value=1)
    effects = adjust(table, again, change("hide", "a"), faces=(51,))
    at = kinds(effects).index("decision_closed")
    assert kinds(effects)[at + 1 : at + 3] == ["revealed", "resource_changed"]
    assert effects[at + 1]["cause"] == "attack"
    assert (table.combatant("a").hidden, table.combatant("a").actions_left) == (False, 0)


# --- SK-COVER-3 -----------------------------------------------------------------------------------


@pytest.mark.rule("SK-COVER-3")
def test_the_danger_comes_from_where_it_is_now_if_that_is_known() -> None:
    assert (danger_from((1, 2), (3, 4)), danger_from((1, 2), None)) == ((3, 4), (1, 2))


def shot_at(*, t_x: int = 4, action: Tree = SHOT, others: tuple[Tree, ...] = ()) -> Table:
    """A shot at t waits, who is near the door at x = 5."""
    return waiting(action, others=others, t_x=t_x, cover=(DOOR,))


@pytest.mark.rule("SK-COVER-3")
def test_a_dive_leads_behind_cover_seen_from_where_the_attacker_is_now() -> None:
    table = shot_at()
    adjust(table, place("a", 12))
    refused = table_refusal(table, BEHIND_DOOR)
    assert refused == ("bad_cover_destination", "SK-COVER-1")
    table = shot_at(t_x=6)
    adjust(table, place("a", 12))
    dive = {**BEHIND_DOOR, "to": {"x": 4, "y": 0}}
    [wound] = only(answered(table, dive, 40, 30, 8), "hurt")
    assert (wound["amount"], wound["breakdown"][0]["rule"]) == (3, "SK-ARM-5")


def table_refusal(table: Table, choice: Tree) -> tuple[str, str | None]:
    """Code and rule with which t's choice is refused."""
    with pytest.raises(Refused) as raised:
        table.ask(reply(table, "t", choice), "bob")
    return raised.value.code, raised.value.rule


@pytest.mark.rule("SK-COVER-3")
def test_dives_that_are_offered_are_taken_and_others_refused() -> None:
    table = shot_at()
    before = table.samples("t", 60, "bob")
    adjust(table, place("a", 12))
    after = table.samples("t", 60, "bob")
    for each in after:
        assert table.preview(each, "bob").legal
    lost = [each for each in before if each not in after]
    assert BEHIND_DOOR in [each["choice"] for each in lost]
    for each in lost:
        assert table_refusal(table, each["choice"]) == ("bad_cover_destination", "SK-COVER-1")


@pytest.mark.rule("SK-COVER-3")
@pytest.mark.parametrize("x", [12, -3])
def test_a_dive_that_was_stated_before_is_judged_once_more(x: int) -> None:
    """Two are struck; one has answered when the attacker is put elsewhere.

    From x = 12 the dive would lead out of cover.
    """
    spray = {**SHOT, "weapon": "spray"}
    gun = {"id": "spray", "skill": "ranged", "damage": {"sides": 8}, "radius": {"min": 2, "max": 2}}
    other = fighter("o", "blue", 4, 1)
    table = waiting(spray, others=(other,), t_x=4, cover=(DOOR,), a={"weapons": [gun]})
    assert answered(table, BEHIND_DOOR, by="bob") == []
    adjust(table, place("a", x))
    effects = answered(table, PASS, *((40, 8) if x == 12 else (40, 30, 8)), combatant="o")
    is_made = x != 12
    assert len(only(effects, "moved")) == is_made
    assert table.combatant("t").actions_left == (0 if is_made else 1)
    wounds = {each["combatant"]: each["amount"] for each in only(effects, "hurt")}
    assert wounds["t"] == 3


@pytest.mark.rule("SK-COVER-3")
@pytest.mark.parametrize(
    ("action", "mover"),
    [
        (SHOT, "a"),
        ({**SHOT, "step": {"to": {"x": 0, "y": 1}}}, None),
        ({**SHOT, "step": {"to": {"x": 0, "y": 1}, "when": "after"}}, "a"),
        (GRENADE, "t"),
        ({name: value for name, value in GRENADE.items() if name != "target"}, None),
    ],
)
def test_the_question_names_the_one_with_whom_the_danger_moves(
    action: Tree, mover: str | None
) -> None:
    stated = action if "target" in action else {**action, "point": {"x": 3, "y": 0}}
    table = shot_at(action=stated)
    question: Any = tree_of(table.state.rule.pending[-1].decisions[0])
    assert question["context"].get("follows") == mover


def test_one_whom_the_danger_follows_but_who_is_hidden_is_not_told() -> None:
    """The grenade goes to somebody of Ann's who is hidden from Bob: it stays where it was."""
    friend = fighter("f", "red", 7, 0, hidden=True)
    table = shot_at(action={**GRENADE, "target": "f"}, others=(friend,))
    shown: Any = table.view("bob")
    [question] = [
        each for each in shown["pending"][-1]["decisions"] if each.get("combatant") == "t"
    ]
    assert question["context"]["origin"] == {"x": 7, "y": 0}
    assert "follows" not in question["context"]
    before = table.samples("t", 60, "bob")
    adjust(table, place("f", 1))
    assert table.samples("t", 60, "bob") == before


# --- what is foreseen -----------------------------------------------------------------------------


def test_a_preview_of_an_answer_shows_the_attack_as_it_will_be_made() -> None:
    table = stepped(place("a", 2, 2))
    facts = tree_of(table.preview(reply(table, "t", DODGE), "bob"))["facts"]
    assert (facts["distance_m"], [each["combatant"] for each in facts["victims"]]) == (1, ["t"])
    adjust(table, place("t", 31))
    facts = tree_of(table.preview(reply(table, "t", DODGE), "bob"))["facts"]
    assert facts["victims"] == []


# --- the table's dice -----------------------------------------------------------------------------


def test_an_attack_that_waits_for_dice_stops_with_its_reason() -> None:
    table = waiting(BLOW)
    table.ask(reply(table, "t", PASS), "bob")
    [question] = table.state.rule.pending[-1].decisions
    assert question.kind == "roll"
    effects = adjust(table, place("t", 31))
    assert stopped("out_of_reach", "SK-ATK-1") in effects
    assert table.questions == []
    assert audit(table).clean


def test_any_action_that_waits_for_dice_stops_with_its_reason() -> None:
    table = seated(t={"actions_left": 0})
    table.ask(BLOW, "ann")
    effects = adjust(table, place("t", 31))
    assert effects[-1] == stopped("out_of_reach", "SK-ATK-1")
    assert table.turn == "a"


def rolled(table: Table, face: int) -> list[Tree]:
    """Whoever is asked for a die of the table rolls this."""
    [question] = table.state.rule.pending[-1].decisions
    answer = {"type": "answer", "decision_id": question.id, "choice": {"type": "roll"}}
    by = question.seat or {"red": "ann", "blue": "bob"}[question.side]
    return effects_of(table.ask(answer, by, (face,)))


def purposes(table: Table) -> list[str]:
    """What the table's dice were rolled for."""
    return [draw.purpose for event in table.events for draw in event.draws]


@pytest.mark.rule("SK-COVER-3")
def test_a_dive_with_dice_on_the_table_is_not_asked_again_but_may_not_count() -> None:
    table = shot_at()
    table.ask(reply(table, "t", BEHIND_DOOR), "bob")
    rolled(table, 40)
    adjust(table, place("a", 12))
    effects = rolled(table, 8)
    assert purposes(table) == ["attack", "damage"]
    assert (only(effects, "moved"), only(effects, "hurt")[0]["amount"]) == ([], 3)
    assert table.combatant("t").actions_left == 1
    assert audit(table).clean


@pytest.mark.rule("SK-WAIT-1")
def test_an_attack_with_dice_on_the_table_stops_where_it_is_not_allowed_any_more() -> None:
    table = waiting(BLOW)
    table.ask(reply(table, "t", DODGE), "bob")
    rolled(table, 40)
    effects = adjust(table, place("t", 31))
    assert effects[-3:] == [stopped("out_of_reach", "SK-ATK-1"), *TURN_ENDS]
    assert (purposes(table), table.combatant("t").actions_left) == (["attack"], 1)
    assert audit(table).clean
