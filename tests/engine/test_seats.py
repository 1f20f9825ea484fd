"""Seats in the log: given, changed and taken away, at any time and over rewinds."""

from collections.abc import Callable

import msgspec
import pytest

from service.engine.battle.linear import Seat
from service.engine.battle.seats import MAX_SEATS
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from tests.kit.table import SEED, Table, seat_by
from tests.replay.memory_audit import audit
from tests.toy.battles import ANN, SEATS, strike, turn_to
from tests.toy.seating import ZOE, add, asked, denied, ended, fresh, ids, named, refused, running

# --- at any time ----------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", [fresh, running, asked, ended])
def test_seats_are_given_changed_and_taken_away_at_any_time(moment: Callable[[], Table]) -> None:
    table = moment()
    pending = table.state.rule
    table.act(add("zoe", sides=("red",), name="Zoe"))
    table.act(do.ChangeSeat(seat="zoe", role="observer"))
    table.act(do.AssignControl(seat="zoe", sides=("blue",)))
    assert named(table, "zoe") == Seat(
        id="zoe", role="observer", sides=("blue",), knows=("blue",), name="Zoe"
    )
    table.act(do.RemoveSeat(seat="zoe"))
    assert ids(table) == ["ann", "bob", "eve"]
    assert table.state.rule == pending
    assert audit(table, seed=SEED).clean


def test_after_the_seed_is_out_seats_stay_as_they_are() -> None:
    table = ended()
    table.act(do.Reveal())
    actions: list[do.Action] = [
        add("zoe"),
        do.ChangeSeat(seat="ann", role="gm"),
        do.RemoveSeat(seat="ann"),
        do.AssignControl(seat="ann"),
    ]
    for action in actions:
        assert denied(table, action) == "seed_revealed"


def test_only_a_game_master_says_who_sits_where() -> None:
    table = running()
    for action in (add("zoe"), do.ChangeSeat(seat="ann", role="gm"), do.RemoveSeat(seat="bob")):
        assert denied(table, action, ANN) == "gm_only"


# --- refusals -------------------------------------------------------------------------------------


def test_an_id_is_given_once_for_what_it_saw_stays_its_own() -> None:
    table = running()
    assert refused(lambda: table.act(add("ann"))) == ("seat_taken", {"seat": "ann", "taken": "ann"})
    table.act(do.RemoveSeat(seat="ann"))
    assert refused(lambda: table.act(add("ann"))) == ("seat_taken", {"seat": "ann", "taken": "ann"})


def test_an_encounter_has_a_hundred_seats_at_a_time() -> None:
    table = fresh()
    for number in range(MAX_SEATS - len(SEATS)):
        table.act(add(f"s{number}", "observer"))
    assert refused(lambda: table.act(add("zoe"))) == ("too_many_seats", {"limit": MAX_SEATS})
    table.act(do.RemoveSeat(seat="eve"))
    table.act(add("zoe"))


@pytest.mark.parametrize(
    ("action", "code", "params"),
    [
        (
            do.ChangeSeat(seat="zoe", role="gm"),
            "unknown_seat",
            {"seat": "zoe", "allowed": ["ann", "bob", "eve"]},
        ),
        (
            do.RemoveSeat(seat="zoe"),
            "unknown_seat",
            {"seat": "zoe", "allowed": ["ann", "bob", "eve"]},
        ),
        (
            do.AssignControl(seat="zoe"),
            "unknown_seat",
            {"seat": "zoe", "allowed": ["ann", "bob", "eve"]},
        ),
        (add("zoe", sides=("tan",)), "unknown_side", {"side": "tan", "allowed": ["red", "blue"]}),
        (
            do.ChangeSeat(seat="ann", sides=("tan",)),
            "unknown_side",
            {"side": "tan", "allowed": ["red", "blue"]},
        ),
        (add("zoe", combatants=("nobody",)), "unknown_combatant", {"combatant": "nobody"}),
        (
            do.ChangeSeat(seat="ann", combatants=("nobody",)),
            "unknown_combatant",
            {"combatant": "nobody"},
        ),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(
    action: do.Action, code: str, params: dict[str, object]
) -> None:
    table = running()
    before = len(table.sealed)
    assert refused(lambda: table.act(action)) == (code, params)
    assert len(table.sealed) == before


# --- what a change leaves -------------------------------------------------------------------------


def test_what_is_absent_stays() -> None:
    table = running()
    before = named(table, "ann")
    event = table.act(do.ChangeSeat(seat="ann", role="gm"))
    assert named(table, "ann") == msgspec.structs.replace(before, role="gm")
    assert ids(table) == ["ann", "bob", "eve"]
    assert event.effects == (
        fx.SeatChanged(seat=Seat(id="ann", role="gm", sides=("red",), knows=("red",))),
    )
    table.act(do.ChangeSeat(seat="ann", name="Anna"))
    table.act(do.ChangeSeat(seat="ann", sides=(), combatants=("berta",)))
    assert named(table, "ann") == Seat(
        id="ann", role="gm", combatants=("berta",), knows=("blue",), name="Anna"
    )


def test_what_a_seat_knows_is_worked_out_whatever_came_in() -> None:
    table = running()
    table.act(add("zoe", combatants=("berta",), knows=("red", "blue")))
    assert named(table, "zoe").knows == ("blue",)


def test_a_seat_keeps_a_combatant_that_only_a_rewind_brings_back() -> None:
    table = running()
    mark = len(table.sealed)
    table.act(do.ChangeSeat(seat="ann", combatants=("berta",)))
    table.act(do.RemoveCombatant(combatant="berta"))
    table.act(do.ChangeSeat(seat="ann", name="Anna"))
    assert named(table, "ann").combatants == ("berta",)
    assert named(table, "ann").knows == ("red",)
    table.act(do.Rewind(to=mark))
    table.act(do.ChangeSeat(seat="ann", name="Ann"))
    assert named(table, "ann").knows == ("blue", "red")


def test_a_seat_that_is_gone_leaves_what_it_gave_and_said() -> None:
    table = fresh()
    table.act(do.Contribute(value="ab" * 32), ANN)
    table.act(do.NoteAction(text="I was here"), ANN)
    table.act(do.StartEncounter())
    event = table.act(do.RemoveSeat(seat="ann"))
    linear = table.state.linear
    assert event.effects == (fx.SeatChanged(seat=Seat(id="ann", role="player"), removed=True),)
    assert [each.seat for each in linear.contributions] == ["ann"]
    assert [note.text for note in linear.notes] == ["I was here"]
    assert [floor.seat for floor in linear.floors] == ["bob"]
    table.act(do.EndTurn(combatant=table.state.rule.turn))
    strike(table, str(table.state.rule.turn), enemy_of(table))


def enemy_of(table: Table) -> str:
    acting = next(c for c in table.state.rule.combatants if c.id == table.state.rule.turn)
    return next(str(c.id) for c in table.state.rule.combatants if c.side != acting.side)


def test_no_rewind_gives_a_seat_back_or_takes_one_away() -> None:
    table = running()
    mark = len(table.sealed)
    table.act(add("zoe", "gm"))
    table.act(do.ChangeSeat(seat="ann", role="observer"))
    table.act(do.RemoveSeat(seat="bob"))
    table.act(do.EndTurn(combatant=table.state.rule.turn))
    seats = table.state.linear.seats
    table.act(do.Rewind(to=mark))
    assert table.state.linear.seats == seats
    assert ids(table) == ["ann", "eve", "zoe"]


def test_a_newcomer_undoes_nothing_that_was_before_it() -> None:
    table = running()
    turn_to(table, "anders")
    table.act(add("zoe", sides=("red",)))
    seq = len(table.sealed)
    assert refused(lambda: table.act(do.Rewind(to=seq - 1), ZOE)) == (
        "rewind_not_allowed",
        {"to": seq - 1, "earliest": seq},
    )
    table.act(do.ChangeSeat(seat="eve", role="player"))
    eve = seat_by("eve")
    code, params = refused(lambda: table.act(do.Rewind(to=seq), eve))
    assert (code, params["earliest"]) == ("rewind_not_allowed", seq + 1)
