"""How an action that goes no further is shown; rewinds, seats and the table's dice around it."""

from typing import Any

import pytest

from service.encounters.narrations import narration
from service.engine.log import canonical
from service.engine.vocabulary.catalogue import Language
from service.rulesets.melody_d6.v3.catalogue import CATALOGUE
from tests.kit.given_when_then import Given
from tests.rulesets.melody_d6.field import told
from tests.rulesets.melody_d6.skirmishes import (
    PASS,
    answer,
    conditions,
    effects_of,
    guard,
    move,
    pending,
    place,
    shot,
    warrior,
)
from tests.rulesets.melody_d6.v3.battles import (
    THIRD,
    WALK,
    adjusted,
    before_guards,
    condition,
    hide,
    hp,
    in_turn,
    put,
    stat,
    stopped,
)

START, END = (10_000, 20_000), (16_000, 20_000)
LANGUAGES: tuple[Language, ...] = ("en", "ru")


def story(battle: Given) -> list[str]:
    """The last event in both languages, as the game master is shown it."""
    table = battle.table
    seq = len(table.events)
    shown = canonical.encode(table.shown(seq, "gm"))
    state, before, viewer = table.behind(seq), table.before(seq), table.viewer("gm")
    return [narration(THIRD, state, before, viewer, shown, each) for each in LANGUAGES]


@pytest.mark.parametrize(
    ("change", "english", "russian"),
    [
        (stat("a1", "move", 1), "the path is too long", "путь слишком длинный"),
        (put("a1", 5000, 5000), "put elsewhere", "воина переставили"),
        (condition("a1", "stunned"), "stunned", "воин оглушён"),
        (hp("a1", 0), "off the table", "воина больше нет на столе"),
    ],
)
def test_it_reads_well_in_both_languages(change: Any, english: str, russian: str) -> None:
    battle = before_guards()
    adjusted(battle, change)
    answer(battle, PASS)
    first, second = story(battle)
    assert f"a1 goes no further: {english}." in first
    assert f"a1 не продолжает действие: {russian}." in second


def test_every_refusal_of_the_rulebook_has_a_word_for_it_but_those_of_answers() -> None:
    terms = {term.id for term in CATALOGUE.terms}
    unsaid = {message.code for message in CATALOGUE.messages} - terms
    assert sorted(unsaid) == [
        "activation_open",
        "aim_required",
        "bad_die_index",
        "bad_path_point",
        "behind_mover",
        "duplicate_warrior",
        "invalid_setup",
        "mask_already_declared",
        "no_melody_in_play",
        "no_such_decision",
        "point_required",
        "reroll_unavailable",
        "target_required",
        "unit_already_activated",
    ]


# --- what the seat knows --------------------------------------------------------------------------


def hidden_friend(*others: Any) -> Given:
    """a1 is on its way, and somebody of its side is hidden who may come into it."""
    return before_guards(warrior("a5", 30_000, 30_000, hidden=True), *others)


def test_the_code_is_one_that_the_seat_may_know() -> None:
    battle = hidden_friend()
    adjusted(battle, put("a5", 16_500, 20_000))
    assert stopped(effects_of(answer(battle, PASS))) == [("a1", "base_overlap", "ML-MOVE-4")]


@pytest.mark.parametrize("seat", ["removed", "observer"])
def test_of_a_seat_that_is_gone_its_side_knows(seat: str) -> None:
    battle = hidden_friend(warrior("b5", 30_000, 3000, hidden=True))
    gone: Any = {"type": "remove_seat", "seat": "ann"}
    if seat == "observer":
        gone = {"type": "change_seat", "seat": "ann", "role": "observer"}
    assert isinstance(battle.when(gone).outcome, list)
    adjusted(battle, put("b5", 14_500, 20_500))
    effects = effects_of(answer(battle, PASS))
    assert (stopped(effects), told(effects)[1]) == ([], "moved a1 13630,20000 contact")
    again = hidden_friend()
    assert isinstance(again.when(gone).outcome, list)
    adjusted(again, put("a5", 16_500, 20_000))
    assert stopped(effects_of(answer(again, PASS))) == [("a1", "base_overlap", "ML-MOVE-4")]


def test_a_hidden_actor_ends_for_its_side_alone() -> None:
    battle = before_guards(warrior("b6", 30_000, 30_000))
    adjusted(battle, stat("a1", "move", 1), hide("a1"))
    seq = len(battle.table.events)
    shown = {by: canonical.encode(battle.table.shown(seq, by)) for by in ("ann", "bob", "eve")}
    assert [by for by, each in shown.items() if b"action_stopped" in each] == ["ann"]


# --- rewinds --------------------------------------------------------------------------------------


def test_a_rewind_into_a_waiting_action_takes_the_change_back() -> None:
    battle = before_guards()
    waiting = len(battle.table.events)
    adjusted(battle, stat("a1", "move", 1))
    battle.when({"type": "rewind", "to": waiting})
    assert told(effects_of(answer(battle, PASS))) == ["decision_closed", "moved a1 16000,20000"]
    battle.when({"type": "rewind", "to": waiting + 1})
    assert stopped(effects_of(answer(battle, PASS))) == [("a1", "path_too_long", "ML-MOVE-1")]
    assert place(battle, "a1") == START


# --- the dice of the table ------------------------------------------------------------------------

AIR = {
    "id": "air",
    "melody": "heavy_air",
    "combatant": "b5",
    "round": 1,
    "shape": {"kind": "disc", "origin": {"x": 16_000, "y": 20_000}, "radius": 2500},
}


def before_an_area() -> Given:
    """a1 is on its way into a lasting Melody, which it may resist with a die of Ann's."""
    singer = {"melodies": ["heavy_air"]}
    battle = in_turn(
        warrior("a1", *START, resistances=[{"to": "air", "value": 3}]),
        warrior("a9", 3000, 3000),
        guard("b1", 12_000, 28_000),
        warrior("b5", 30_000, 30_000, singer=singer),
        songs=[AIR],
    )
    battle.when(WALK, by="ann")
    return battle


def test_dice_of_an_answer_are_not_awaited_any_more_once_its_action_stops() -> None:
    battle = before_an_area()
    answer(battle, PASS, by="bob")
    question = pending(battle)
    assert question is not None
    assert (question["kind"], question["side"]) == ("roll", "a")
    effects = adjusted(battle, stat("a1", "move", 1))
    assert [each["how"] for each in effects if each["type"] == "decision_closed"] == [
        "void",
        "passed",
    ]
    assert stopped(effects) == [("a1", "path_too_long", "ML-MOVE-1")]
    assert (pending(battle), place(battle, "a1")) == (None, START)


def test_dice_that_are_brought_for_an_action_that_stops_are_refused() -> None:
    battle = before_an_area()
    adjusted(battle, stat("a1", "move", 1))
    before = len(battle.table.events)
    refusal: Any = answer(battle, PASS, dice=(4,)).outcome
    assert (refusal.code, refusal.params["supplied"]) == ("too_many_faces", 1)
    assert len(battle.table.events) == before
    assert stopped(effects_of(answer(battle, PASS))) == [("a1", "path_too_long", "ML-MOVE-1")]


def test_a_shot_of_ones_own_turn_that_waits_for_dice_stops_as_well() -> None:
    battle = in_turn(
        warrior("a1", *START, weapons=["rifle"]),
        warrior("b1", 20_000, 20_000),
        phase="action",
    )
    shoot = {"type": "shoot", "combatant": "a1", "target": "b1", "weapon": "rifle"}
    battle.when(shoot, by="ann")
    effects = adjusted(battle, put("b1", 35_001, 20_000))
    assert stopped(effects) == [("a1", "out_of_sight", "ML-SHOOT-1")]
    assert (pending(battle), conditions(battle, "a1")) == (None, ())


def test_a_guards_answer_that_waits_for_dice_is_open_again_and_stops_nobody() -> None:
    battle = before_guards()
    answer(battle, shot("b1", "a1", (0, 500)), by="bob")
    effects = adjusted(battle, put("a1", 39_000, 20_000))
    assert stopped(effects) == []
    question = pending(battle)
    assert question is not None
    assert question["kind"] == "guard_window"
    assert stopped(effects_of(answer(battle, PASS))) == [("a1", "put_elsewhere", "ML-WAIT-1")]


def test_what_players_ask_for_meanwhile_waits() -> None:
    battle = before_guards()
    outcome: Any = battle.when(move("a1", END), by="ann").outcome
    assert outcome.code == "decision_pending"
