"""Whoever has a seat: what it may do as what it is, and what it keeps of what it was."""

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from service.encounters.views import viewer_then
from service.engine.battle.linear import Grant, Linear, Seat, viewer_at
from service.engine.battle.state import TableOptions
from service.engine.log import canonical
from service.engine.log.event import Event
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By, Role
from service.replay.bundle.writer import viewer_between
from tests.kit.table import SEED, Table, seat_by
from tests.replay.memory_audit import audit, rehashed
from tests.toy.battles import ANN, SEATS, SETUP, SIDES
from tests.toy.model import Adjust
from tests.toy.rules import RULESET
from tests.toy.seating import GUS, add, body, denied, refused, running, shown
from tests.toy.sweeps import CLOCK

# --- who may do and see what ----------------------------------------------------------------------


def test_a_second_game_master_does_all_that_the_first_one_may() -> None:
    table = running()
    table.act(add("gus", "gm"))
    table.act(Adjust(changes=(alter.SetHp(combatant="berta", value=3),), reason="why not"), GUS)
    table.act(do.EndTurn(combatant=table.state.rule.turn), GUS)
    table.act(add("zoe"), GUS)
    table.act(do.Rewind(to=3), GUS)
    table.act(do.ChangeSeat(seat="gus", role="player"), GUS)
    assert refused(lambda: table.act(add("ida"), seat_by("gus"))) == (
        "gm_only",
        {"action": "add_seat"},
    )
    assert audit(table, seed=SEED).clean


@pytest.mark.parametrize(
    ("change", "by"),
    [
        (do.RemoveSeat(seat="ann"), ANN),
        (do.ChangeSeat(seat="ann", role="observer"), ANN),
        (do.ChangeSeat(seat="ann", role="gm"), ANN),
        (do.NoteAction(text="nothing"), seat_by("ann", "gm")),
        (do.NoteAction(text="nothing"), seat_by("stranger", "gm")),
        (do.NoteAction(text="nothing"), seat_by("stranger")),
    ],
)
def test_who_is_not_what_it_says_it_is_may_do_nothing(change: do.Action, by: By) -> None:
    table = running()
    table.act(change)
    note = do.NoteAction(text="am I?")
    expected = ("not_seated", {"seat": by.seat, "role": by.role})
    assert refused(lambda: table.act(note, by)) == expected


def test_an_audit_refuses_what_a_seat_did_as_what_it_was_not() -> None:
    table = running()
    table.act(do.RemoveSeat(seat="ann"))
    event = table.act(do.NoteAction(text="by the game master"))
    forged = body(event, table) | {"by": msgspec.to_builtins(seat_by("ann", "gm"))}
    log = rewritten(table, event.seq, forged)
    verdict = audit(table, log, seed=SEED).verdicts[event.seq - 1]
    assert (verdict.verdict, verdict.code) == ("refused", "not_seated")


def rewritten(table: Table, seq: int, tree: dict[str, object]) -> Any:
    return rehashed(table, seq, canonical.encode(tree))


def test_what_a_seat_could_see_then_it_can_see_still() -> None:
    table = running()
    held: tuple[Role, ...] = ("gm", "player", "observer", "player")
    roles = [(table.act(do.ChangeSeat(seat="eve", role=role)).seq, role) for role in held]
    table.act(do.ChangeSeat(seat="eve", sides=("blue",)))
    gone = table.act(do.RemoveSeat(seat="eve")).seq
    linear = table.state.linear
    expected = {"gm": GAME_MASTER, "player": Viewer(), "observer": Viewer()}
    for seq, role in roles:
        assert viewer_at(linear, "eve", seq) == expected[role]
    assert viewer_at(linear, "eve", 1) == Viewer()
    assert viewer_at(linear, "eve", gone - 1) == Viewer(sides=("blue",))
    assert viewer_at(linear, "eve", gone) == Viewer()
    assert viewer_at(linear, "nobody", gone) == Viewer()
    assert [grant.role for grant in linear.grants if grant.seat == "eve"] == [
        "observer",
        "gm",
        UNSET,
        "observer",
        UNSET,
        UNSET,
        "observer",
    ]


def test_whoever_was_game_master_keeps_what_it_saw_and_a_game_master_of_now_sees_all() -> None:
    table = running()
    secret = table.act(do.NoteAction(gm_text="before its time"))
    table.act(do.ChangeSeat(seat="ann", role="gm"))
    known = table.act(do.NoteAction(gm_text="among ourselves"))
    table.act(do.ChangeSeat(seat="ann", role="player"))
    later = table.act(do.NoteAction(gm_text="she has left us"))
    linear = table.state.linear

    def told(by: By, event: Event) -> object:
        viewer = viewer_then(by, linear, ("red", "blue"), event.seq)
        return shown(table, event.seq, viewer)["action"].get("gm_text")

    assert [told(ANN, each) for each in (secret, known, later)] == [None, "among ourselves", None]
    now = seat_by("ann", "gm")
    assert [told(now, each) for each in (secret, known, later)] == [
        "before its time",
        "among ourselves",
        "she has left us",
    ]
    table.act(do.EndEncounter(open="sides"))
    linear = table.state.linear
    assert [told(ANN, each) for each in (secret, known, later)] == [None, "among ourselves", None]


def test_a_bundle_for_somebody_who_was_game_master_holds_the_parts_of_all_sides_of_then() -> None:
    table = running()
    since = table.act(do.ChangeSeat(seat="eve", role="gm")).seq
    until = table.act(do.ChangeSeat(seat="eve", role="observer")).seq
    linear, eve = table.state.linear, seat_by("eve", "observer")
    viewer = viewer_between(lambda seq: viewer_then(eve, linear, ("red", "blue"), seq), until)
    assert viewer.kind == "sides"
    assert [(grant.since, grant.sides) for grant in viewer.grants] == [
        (since, ("red", "blue")),
        (until, ()),
    ]


def test_control_of_somebody_hidden_is_told_to_those_alone_who_may_know_him() -> None:
    table = running()
    events = [
        table.act(add("zoe", combatants=("lurker", "anders"))),
        table.act(do.ChangeSeat(seat="zoe", combatants=("anders", "lurker"))),
        table.act(do.ChangeSeat(seat="zoe", role="observer")),
        table.act(do.RemoveSeat(seat="zoe")),
    ]
    for event in events:
        assert b"lurker" not in table.sealed[event.seq - 1].body
        assert "knows" not in str(body(event, table)["effects"])
    controls = [
        shown(table, event.seq, viewer)["effects"][0]["seat"]["combatants"]
        for viewer in (Viewer(sides=("red",)), Viewer(sides=("blue",)))
        for event in events
    ]
    assert controls == [
        ["anders"],
        ["anders"],
        ["anders"],
        [],
        ["lurker", "anders"],
        ["anders", "lurker"],
        ["anders", "lurker"],
        [],
    ]


def test_a_name_is_text_that_can_be_erased_and_is_stated_once() -> None:
    table = running()
    stated = table.act(add("zoe", name="Zoe the great"))
    changed = table.act(do.ChangeSeat(seat="zoe", role="observer"))
    gone = table.act(do.RemoveSeat(seat="zoe"))
    for event in (stated, changed, gone):
        assert b"Zoe" not in table.sealed[event.seq - 1].body
    for event in (changed, gone):
        assert [p for p in table.sealed[event.seq - 1].parts if p.kind == "text"] == []
    table.act(do.Erase(seqs=(stated.seq,)))
    report = audit(table, seed=SEED)
    assert report.clean, report.first_failure


# --- the same bytes as ever -----------------------------------------------------------------------


def test_what_was_not_there_before_is_absent_where_it_is_not_used() -> None:
    seat = Seat(id="ann", role="player")
    assert b"removed" not in canonical.encode(fx.SeatChanged(seat=seat))
    assert b"_seconds" not in canonical.encode(TableOptions())
    grant = Grant(seat="ann", since=1, sides=())
    assert canonical.encode(grant) == b'{"seat":"ann","sides":[],"since":1}'
    old = msgspec.json.decode(b'{"grants":[{"seat":"ann","since":1,"sides":["red"]}]}', type=Linear)
    assert viewer_at(old, "ann", 2) == Viewer(sides=("red",))


@pytest.mark.parametrize(
    ("name", "shortest", "longest"),
    [("decision_seconds", 5, 86_400), ("turn_seconds", 10, 604_800)],
)
def test_a_limit_has_its_bounds(name: str, shortest: int, longest: int) -> None:
    for seconds in (shortest, longest):
        assert getattr(msgspec.convert({name: seconds}, TableOptions), name) == seconds
    for seconds in (shortest - 1, longest + 1):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({name: seconds}, TableOptions)


# --- time -----------------------------------------------------------------------------------------


def timed() -> Table:
    setup = msgspec.structs.replace(SETUP, options=TableOptions(turn_seconds=60))
    table = Table(RULESET, setup, sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    return table


def test_the_service_ends_the_turn_of_whoever_has_it_where_turns_have_a_limit() -> None:
    table = timed()
    holder = str(table.state.rule.turn)
    other = next(c.id for c in table.state.rule.combatants if c.id != holder)
    assert refused(lambda: table.act(do.EndTurn(combatant=other), CLOCK))[0] == "not_your_turn"
    table.act(do.EndTurn(combatant=holder), CLOCK)
    assert table.state.rule.turn != holder
    assert audit(table, seed=SEED).clean


def test_where_turns_have_none_the_service_ends_none() -> None:
    table = running()
    ending = do.EndTurn(combatant=str(table.state.rule.turn))
    assert refused(lambda: table.act(ending, CLOCK)) == ("gm_only", {"action": "end_turn"})


def test_the_service_gives_nobody_a_seat() -> None:
    table = timed()
    for action in (add("zoe", "gm"), do.RemoveSeat(seat="ann"), do.ChangeSeat(seat="ann")):
        assert denied(table, action, CLOCK) == "gm_only"
