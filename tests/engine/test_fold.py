"""The fold: rule state follows `base`, the linear half never goes back."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle import fold
from service.engine.battle.linear import Grant, Note, UndoFloor, opened_at, viewer_at
from service.engine.battle.state import State, UnknownEffect, scope_of, viewer_of
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.errors import Refused
from tests.kit.table import Table, seat_by
from tests.toy.battles import (
    ANN,
    BOB,
    SEATS,
    SETUP,
    SIDES,
    ambush,
    answer_roll,
    fighter,
    table_dice,
    turn_to,
)
from tests.toy.model import (
    AddFighter,
    Adjust,
    DodgeChoice,
    Hide,
    Step,
    Strike,
    ToyAnswer,
    ToySetup,
)
from tests.toy.rules import RULESET


def running(dice: str = "sealed") -> Table:
    table = Table(
        RULESET,
        SETUP,
        sides=SIDES,
        seats=SEATS,
        dice="supplied" if dice == "supplied" else "sealed",
    )
    table.act(do.StartEncounter(), faces=(20, 10, 5) if dice == "supplied" else ())
    return table


def folded(table: Table) -> State[Any]:
    """The same battle's states rebuilt from its events alone; the rule half is that of the end."""
    state = fold.apply(table.ruleset, None, table.events[0])
    rules = {1: state.rule}
    for event in table.events[1:]:
        before = State(rule=rules[event.base], linear=state.linear, terms=table.terms)
        state = fold.apply(table.ruleset, before, event)
        rules[event.seq] = state.rule
    assert rules == table.rules
    return state


@pytest.mark.parametrize("play", [ambush, table_dice])
def test_a_log_folds_to_the_state_it_was_played_to(play: Callable[[], Table]) -> None:
    played = play()
    assert folded(played).linear == played.state.linear


def test_a_rewind_restores_the_rule_state_and_nothing_else() -> None:
    table = running()
    mark = len(table.sealed)
    before = table.state.rule
    table.act(do.EndTurn(combatant=before.turn))
    table.act(do.NoteAction(text="a remark"))
    table.act(do.AssignControl(seat="ann", sides=("red", "blue")))
    event = table.act(do.Rewind(to=mark))
    assert table.state.rule == before
    assert (event.base, event.effects) == (mark, (fx.Rewound(to=mark),))
    assert table.state.linear.notes == (Note(seq=mark + 2, text="a remark"),)
    assert next(s.sides for s in table.state.linear.seats if s.id == "ann") == ("red", "blue")


def test_a_redo_is_a_rewind_to_what_was_undone() -> None:
    table = running()
    mark = len(table.sealed)
    table.act(do.EndTurn(combatant=table.state.rule.turn))
    done = table.state.rule
    table.act(do.Rewind(to=mark))
    table.act(do.Rewind(to=mark + 1))
    assert table.state.rule == done


def test_a_rewound_ambusher_is_hidden_again() -> None:
    table = running()
    mark = len(table.sealed)
    table.act(Adjust(changes=(alter.RevealCombatant(combatant="lurker"),)))
    assert not table.state.rule.combatants[2].hidden
    table.act(do.Rewind(to=mark))
    assert table.state.rule.combatants[2].hidden


def test_combatants_are_counted_from_one_and_no_number_is_given_again() -> None:
    table = Table(RULESET, ToySetup(fighters=()), sides=SIDES, seats=SEATS)
    for name in ("first", "second"):
        table.act(AddFighter(combatant=fighter(name, "red", 0)))
    table.act(do.StartEncounter())
    mark = len(table.sealed)
    table.act(AddFighter(combatant=fighter("third", "red", 0)))
    table.act(do.RemoveCombatant(combatant="second"))
    table.act(do.Rewind(to=mark))
    table.act(AddFighter(combatant=fighter("fourth", "red", 0)))
    known = [(each.id, each.number) for each in table.state.rule.combatants]
    assert known == [("first", 1), ("second", 2), ("fourth", 4)]
    assert table.state.linear.next_number == 5


def test_the_same_roll_is_not_drawn_again_after_a_rewind() -> None:
    table = running()
    turn_to(table, "anders")
    mark = len(table.sealed)
    faces = []
    for _ in range(6):
        faces.append(table.act(Strike(combatant="anders", target="berta")).draws[0].face)
        table.act(do.Rewind(to=mark))
    assert len(set(faces)) > 1


def test_a_rewind_asks_open_questions_again_under_new_ids() -> None:
    table = running("supplied")
    table.act(Strike(combatant="anders", target="berta"), faces=(5,))
    asked = len(table.sealed)
    [old] = table.state.rule.pending[-1].decisions
    table.act(ToyAnswer(decision_id=old.id, choice=DodgeChoice()), faces=(6,))
    event = table.act(do.Rewind(to=asked))
    [new] = table.state.rule.pending[-1].decisions
    assert event.effects == (fx.Rewound(to=asked, decisions=(fx.Reissued(was=old.id, id=new.id),)),)
    assert new.id == f"d{event.seq}.1"
    with pytest.raises(Refused) as refusal:
        table.act(ToyAnswer(decision_id=old.id, choice=DodgeChoice()), faces=(6,))
    assert refusal.value.code == "decision_closed"
    table.act(ToyAnswer(decision_id=new.id, choice=DodgeChoice()), faces=(6,))
    assert table.state.rule.pending == ()


def test_nobody_rewinds_to_before_the_start_or_past_the_head() -> None:
    table = running()
    for to, code in ((1, "rewind_before_start"), (2, None), (9, "unknown_event")):
        if code is None:
            table.act(do.Rewind(to=to))
            continue
        with pytest.raises(Refused) as refusal:
            table.act(do.Rewind(to=to))
        assert refusal.value.code == code


def test_nobody_rewinds_across_a_revealed_seed() -> None:
    table = running()
    table.act(do.EndEncounter(reveal="now"))
    with pytest.raises(Refused) as refusal:
        table.act(do.Rewind(to=2))
    assert refusal.value.code == "seed_revealed"


def test_an_ended_battle_can_be_taken_up_again_before_the_seed_is_out() -> None:
    table = running()
    table.act(do.EndEncounter(open="sides"))
    table.act(do.Rewind(to=2))
    assert table.state.rule.status == "running"
    linear = table.state.linear
    assert [opened_at(linear, seq) for seq in (1, 2, 3, 4, 5)] == ["sides"] * 3 + ["none"] * 2


# --- how far a player may go back -----------------------------------------------------------------


def floor_of(table: Table, seat: str) -> int:
    return next(f.floor for f in table.state.linear.floors if f.seat == seat)


def test_a_player_may_take_back_its_own_drawless_actions() -> None:
    table = running()
    turn_to(table, "anders")
    mark = len(table.sealed)
    table.act(Step(combatant="anders", dx=0, dy=1), ANN)
    table.act(Step(combatant="anders", dx=0, dy=1), ANN)
    table.act(do.Rewind(to=mark), ANN)
    assert table.state.rule.combatants[0].place == Place(x=0, y=0)


def test_a_player_may_not_take_back_what_another_seat_did() -> None:
    table = running()
    turn_to(table, "anders")
    table.act(Step(combatant="anders", dx=0, dy=1), ANN)
    assert floor_of(table, "bob") == len(table.sealed)
    with pytest.raises(Refused) as refusal:
        table.act(do.Rewind(to=len(table.sealed) - 1), BOB)
    assert refusal.value.code == "rewind_not_allowed"


def test_a_player_may_not_take_back_a_draw_it_saw() -> None:
    table = running("supplied")
    table.act(Strike(combatant="anders", target="berta"), ANN)
    answer_roll(table, (1,), ANN)
    with pytest.raises(Refused):
        table.act(do.Rewind(to=len(table.sealed) - 1), ANN)


def test_what_another_seat_did_unseen_is_not_taken_back_either() -> None:
    table = running()
    turn_to(table, "lurker")
    table.act(Step(combatant="lurker", dx=1, dy=0), BOB)
    assert floor_of(table, "ann") == len(table.sealed)


def test_a_seat_without_a_past_starts_with_no_floor() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    assert table.state.linear.floors == (
        UndoFloor(seat="ann", floor=1),
        UndoFloor(seat="bob", floor=1),
    )


# --- whose secrets --------------------------------------------------------------------------------


def test_a_seat_shares_the_secrets_of_its_sides_from_the_event_that_gave_them() -> None:
    table = running()
    seq = table.act(do.AssignControl(seat="ann", combatants=("lurker",))).seq
    linear = table.state.linear
    assert linear.grants[-1] == Grant(seat="ann", since=seq, sides=("blue",))
    assert viewer_at(linear, "ann", seq - 1) == Viewer(sides=("red",))
    assert viewer_at(linear, "ann", seq) == Viewer(sides=("blue",))
    assert viewer_of(ANN, table.state.rule, linear) == Viewer(sides=("blue",))


def test_the_gm_sees_all_an_observer_what_everyone_sees() -> None:
    table = running()
    rule, linear = table.state.rule, table.state.linear
    assert viewer_of(seat_by("eve", "observer"), rule, linear) == Viewer()
    assert viewer_of(seat_by("nobody"), rule, linear) == Viewer()
    assert viewer_of(seat_by("gm", "gm"), rule, linear) == GAME_MASTER


def test_a_scope_holds_before_each_effect() -> None:
    table = running()
    turn_to(table, "berta")
    before = State(table.state.rule, table.state.linear, table.terms)
    event = table.act(Hide(combatant="berta"), BOB)
    _, scopes = fold.unfold(RULESET, before, event)
    assert [scope.subject("berta") for scope in scopes] == ["everyone"]
    assert scope_of(table.state.rule).subject("berta") == "blue"


def test_an_event_without_effects_has_a_scope_too() -> None:
    table = running()
    before = State(table.state.rule, table.state.linear, table.terms)
    event = replace(table.events[-1], seq=len(table.events) + 1, effects=())
    after, scopes = fold.unfold(RULESET, before, event)
    assert (after.rule, scopes) == (before.rule, (scope_of(before.rule),))


# --- what cannot be folded ------------------------------------------------------------------------


def test_a_log_begins_with_its_terms() -> None:
    table = running()
    with pytest.raises(UnknownEffect):
        fold.apply(RULESET, None, table.events[1])


def test_an_effect_on_nobody_is_not_passed_over() -> None:
    table = running()
    gone = fx.Felled(combatant="nobody", state="down")
    with pytest.raises(UnknownEffect):
        RULESET.evolve(table.state.rule, gone)


def test_an_effect_that_a_ruleset_must_apply_itself_is_not_passed_over() -> None:
    table = running()
    with pytest.raises(UnknownEffect):
        RULESET.evolve(table.state.rule, fx.PhaseChanged(phase="movement"))


def test_erased_notes_stay_as_empty_places() -> None:
    table = running()
    seq = table.act(do.NoteAction(text="a remark")).seq
    table.act(do.Erase(seqs=(seq,)))
    assert table.state.linear.notes == (Note(seq=seq, text=UNSET),)


def test_an_event_erases_only_what_stands_before_it() -> None:
    table = running()
    table.act(do.NoteAction(text="a remark"))
    own = len(table.sealed) + 1
    for wanted in (own, own + 1):
        with pytest.raises(Refused) as refusal:
            table.act(do.Erase(seqs=(own - 1, wanted)))
        told = (refusal.value.code, refusal.value.params)
        assert told == ("unknown_event", {"seq": wanted, "head": own - 1})
    erased = table.act(do.Erase(seqs=(own - 1, 1, own - 1)))
    assert erased.effects == (fx.Erased(seqs=(1, own - 1)),)
