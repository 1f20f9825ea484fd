"""Dice that players roll themselves: which seat or side is asked for which, and which it may give.

The rolls that only one rulebook has are tested next to it.
"""

from typing import Any

import pytest
from msgspec import UNSET

from service.engine.battle.turn import TurnHolder
from service.errors import Forbidden, Refused
from tests.kit.random_battles import play
from tests.kit.rig import Rig, Tree
from tests.kit.rigs import RIGS
from tests.kit.table import Table, effects_of, seated, tree_of
from tests.kit.table_dice import require_sound, roll_answer, roll_question
from tests.toy.sweeps import CLOCK

BATTLES = range(3)
EVENTS = 40

pytestmark = pytest.mark.parametrize("rig", RIGS, ids=repr)


def battle(rig: Rig, **options: object) -> Table:
    """Ann's a, who has the turn, and Bob's t; the table rolls."""
    table = seated(rig.ruleset, rig.table_dice.setup(options), dice="supplied")
    table.ask({"type": "start_encounter"})
    return table


def rolling(rig: Rig) -> Table:
    """The battle in which Ann is asked for the dice of her attack."""
    table = battle(rig)
    for by, choose in rig.table_dice.deeds:
        table.ask(choose(table), by)
    return table


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_purpose_of_a_roll_is_a_term(rig: Rig, language: str) -> None:
    terms = {term.id: getattr(term, language) for term in rig.ruleset.catalogue.terms}
    assert all(terms[purpose] for purpose in rig.table_dice.purposes)


def test_everybody_sees_who_is_asked_for_which_dice(rig: Rig) -> None:
    table = rolling(rig)
    for by in ("ann", "bob", "eve", "gm"):
        question = roll_question(table, by)
        assert (question["kind"], question["options"]) == ("roll", ["roll"])
        assert question["roll"] == rig.table_dice.roll
        asked = {name: question[name] for name in ("seat", "side") if name in question}
        assert asked == rig.table_dice.asks
    assert rig.table_dice.roll["count"] == len(rig.table_dice.faces)


@pytest.mark.parametrize(
    ("by", "change", "error", "code"),
    [
        ("bob", "none", Forbidden, "not_your_decision"),
        ("eve", "none", Forbidden, "observer_cannot_act"),
        ("ann", "all missing", Refused, "too_few_faces"),
        ("ann", "last missing", Refused, "too_few_faces"),
        ("ann", "one more", Refused, "too_many_faces"),
        ("ann", "first too low", Refused, "impossible_face"),
        ("ann", "last too high", Refused, "impossible_face"),
    ],
)
def test_wrong_dice_and_those_of_other_players_are_refused_without_a_trace(
    rig: Rig, by: str, change: str, error: type[Forbidden | Refused], code: str
) -> None:
    table = rolling(rig)
    faces, sides = rig.table_dice.faces, int(rig.table_dice.roll["sides"])
    changed = {
        "none": faces,
        "all missing": (),
        "last missing": faces[:-1],
        "one more": (*faces, faces[-1]),
        "first too low": (0, *faces[1:]),
        "last too high": (*faces[:-1], sides + 1),
    }
    before, stored = table.state, len(table.events)
    with pytest.raises(error) as refused:
        table.ask(roll_answer(table), by, changed[change])
    assert refused.value.code == code
    assert (table.state, len(table.events)) == (before, stored)
    event = table.ask(roll_answer(table), "ann", faces)
    assert tuple(draw.face for draw in event.draws) == faces


def test_a_roll_is_neither_passed_nor_timed_out(rig: Rig) -> None:
    table = rolling(rig)
    answer = roll_answer(table)
    for reason in ("choice", "timeout"):
        with pytest.raises(Refused, match="wrong_choice"):
            table.ask({**answer, "choice": {"type": "pass", "reason": reason}}, "ann")
    table.ask({"type": "force_pass", "decision_id": answer["decision_id"]})
    assert [combatant for _, combatant in table.questions] == list(rig.table_dice.asked_again)


def test_the_player_of_one_combatant_of_a_side_rolls_what_the_side_is_asked(rig: Rig) -> None:
    roll = rig.side_roll
    table = seated(rig.ruleset, roll.setup, dice="supplied")
    table.ask({"type": "start_encounter"})
    for seat, combatant in (("ann", "a"), ("bob", "t")):
        plays = {"seat": seat, "sides": [], "combatants": [combatant]}
        table.ask({"type": "change_seat", **plays})
    for by, deed in roll.deeds:
        table.ask(deed, by)
    by, choice, faces = roll.answer
    table.ask({"type": "answer", "decision_id": table.questions[0][0], "choice": choice}, by, faces)
    question = roll_question(table, "ann")
    assert ("seat" in question, question["side"]) == (False, "red")
    with pytest.raises(Forbidden) as refused:
        table.ask(roll_answer(table), "bob", roll.faces)
    assert refused.value.code == "not_your_decision"
    table.ask(roll_answer(table), "ann", roll.faces)
    assert table.state.rule.pending == ()
    require_sound(table)


@pytest.mark.parametrize("number", BATTLES)
def test_the_same_faces_mean_the_same_from_either_hand(rig: Rig, number: int) -> None:
    setup = rig.battles.setup(number)
    sealed, supplied = seated(rig.ruleset, setup), seated(rig.ruleset, setup, dice="supplied")
    play(sealed, number, EVENTS)
    assert any(event.draws for event in sealed.events)
    for event in sealed.events[1:]:
        faces = tuple(draw.face for draw in event.draws)
        if faces:
            require_exact_dice(supplied, event.action, faces)
        other = supplied.act(event.action, faces=faces)
        assert tree_of(other.draws) == tree_of(event.draws)
        assert effects_of(other) == effects_of(event)


def require_exact_dice(table: Table, action: Any, faces: tuple[int, ...]) -> None:
    """A face less, a face more and a face that no die has are refused without a trace."""
    before, stored = table.state, len(table.events)
    for other, code in (
        (faces[:-1], "too_few_faces"),
        ((*faces, 1), "too_many_faces"),
        ((*faces[:-1], 0), "impossible_face"),
        ((*faces[:-1], 1000), "impossible_face"),
    ):
        with pytest.raises(Refused) as refused:
            table.act(action, faces=other)
        assert refused.value.code == code
        assert (table.state, len(table.events)) == (before, stored)


# --- time -----------------------------------------------------------------------------------------


def ended(effects: list[Tree]) -> list[Tree]:
    """The ends of turns among these effects."""
    return [
        {name: value for name, value in effect.items() if name != "rule"}
        for effect in effects
        if effect["type"] == "turn_ended"
    ]


def holder(table: Table) -> TurnHolder:
    """Whose turn it is."""
    turn = table.ruleset.turn(table.state.rule)
    assert turn is not None
    return turn


def whose(turn: TurnHolder) -> Tree:
    """The holder of a turn as effects name it."""
    return {"side": turn.side} if turn.combatant is UNSET else {"combatant": turn.combatant}


def test_a_turn_whose_time_is_over_is_ended_by_the_service(rig: Rig) -> None:
    table = battle(rig, turn_seconds=30, decision_seconds=20)
    turn = holder(table)
    event = table.act(table.read(tree_of(turn.ending)), CLOCK)
    assert ended(effects_of(event)) == [{"type": "turn_ended", **whose(turn), "cause": "timeout"}]
    assert table.turn == "t"
    with pytest.raises(Refused, match="not_your_turn"):
        table.act(table.read(tree_of(turn.ending)), CLOCK)
    options = table.view("eve")["options"]
    assert (options["turn_seconds"], options["decision_seconds"]) == (30, 20)


def test_an_unseen_turn_whose_time_is_over_names_nobody_to_the_others(rig: Rig) -> None:
    table = battle(rig, turn_seconds=30)
    table.ask({"type": "adjust", "changes": [{"type": "hide", "combatant": "a"}]})
    turn = holder(table)
    event = table.act(table.read(tree_of(turn.ending)), CLOCK)
    seen: Any = table.shown(event.seq, "bob")
    named = {} if turn.side is UNSET else whose(turn)
    assert ended(seen["effects"]) == [{"type": "turn_ended", **named, "cause": "timeout"}]
    assert ("action" in seen) is (turn.side is not UNSET)
