"""What the life of an encounter allows, and the actions that are alike in all rulesets."""

from dataclasses import replace
from typing import NoReturn

import pytest
from msgspec import UNSET, UnsetType

from service.engine.battle import decide
from service.engine.battle.linear import Contribution, Note
from service.engine.battle.state import State
from service.engine.dice.dice import Dice, SealedDice
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By, Opened, Place
from service.errors import Refused
from tests.kit.table import GM, SEED, Table
from tests.toy.battles import ANN, BOB, SEATS, SETUP, SIDES, fighter
from tests.toy.model import AddFighter, Adjust, Create, Sniff, ToyState
from tests.toy.rules import RULESET
from tests.toy.seating import add, ended, fresh, refused, running


def revealed() -> Table:
    """A battle that is over, its seed known."""
    table = ended()
    table.act(do.Reveal())
    return table


# --- the moment -----------------------------------------------------------------------------------

MOMENTS = {"setup": fresh, "running": running, "ended": ended, "revealed": revealed}
NOT_YET = {"setup": "encounter_not_running"}
OVER = {"ended": "encounter_not_running", "revealed": "encounter_not_running"}
BEFORE_THE_SEED = {"revealed": "seed_revealed"}
AT_THE_START = {"running": "already_started", **OVER}
NEW = AddFighter(combatant=fighter("new", "red", 7))
PUT = Adjust(changes=(alter.SetPlace(combatant="berta", place=Place(x=2, y=0)),))
LIVES: list[tuple[do.Action, dict[str, str]]] = [
    (NEW, OVER),
    (do.RemoveCombatant(combatant="berta"), OVER),
    (PUT, OVER),
    (do.AssignControl(seat="ann"), BEFORE_THE_SEED),
    (add("zoe"), BEFORE_THE_SEED),
    (do.ChangeSeat(seat="ann", role="observer"), BEFORE_THE_SEED),
    (do.RemoveSeat(seat="ann"), BEFORE_THE_SEED),
    (do.NoteAction(text="a remark"), BEFORE_THE_SEED),
    (do.Erase(seqs=(1,)), {}),
    (do.Contribute(value="ab" * 32), AT_THE_START),
    (do.StartEncounter(), AT_THE_START),
    (Sniff(), {**NOT_YET, **OVER}),
    (do.EndTurn(combatant="lurker"), {**NOT_YET, **OVER}),
    (do.EndEncounter(), {**NOT_YET, **OVER}),
    (do.Reveal(), {**NOT_YET, "running": "encounter_not_ended", "revealed": "nothing_to_reveal"}),
]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("action", "codes"), LIVES, ids=lambda each: type(each).__name__)
def test_every_action_has_its_moments(
    action: do.Action, codes: dict[str, str], moment: str
) -> None:
    table = MOMENTS[moment]()
    before = table.state
    if moment not in codes:
        table.act(action)
        return
    code = codes[moment]
    facts: dict[str, object] = {"action": str(action.__struct_config__.tag)}
    if code == "encounter_not_running":
        facts["status"] = "setup" if moment == "setup" else "ended"
    elif code == "nothing_to_reveal":
        facts = {}
    assert refused(lambda: table.act(action)) == (code, facts)
    assert table.state == before


def test_a_rewind_stays_between_the_start_and_the_seed() -> None:
    table = fresh()
    table.act(do.NoteAction(text="a remark"))
    assert refused(lambda: table.act(do.Rewind(to=1))) == ("rewind_before_start", {})
    for make in (running, ended):
        make().act(do.Rewind(to=2))
    out = refused(lambda: revealed().act(do.Rewind(to=2)))
    assert out == ("seed_revealed", {"action": "rewind"})


def test_an_event_goes_on_from_the_one_before_or_from_where_a_rewind_leads() -> None:
    assert decide.base_of(do.NoteAction(), 7) == 6
    assert [decide.base_of(do.Rewind(to=to), 7) for to in (1, 6)] == [1, 6]
    for to in (7, 8):
        with pytest.raises(Refused) as refusal:
            decide.base_of(do.Rewind(to=to), 7)
        told = (refusal.value.code, refusal.value.params)
        assert told == ("unknown_event", {"seq": to, "head": 6})


def test_a_battle_is_created_once() -> None:
    table = running()
    created = table.events[0].action
    assert isinstance(created, Create)
    again = refused(lambda: table.act(created))
    assert again == ("already_created", {"action": "create_encounter"})


# --- contributions and remarks --------------------------------------------------------------------


def test_seats_contribute_once_each_and_a_key_for_itself() -> None:
    table = fresh()
    for number, by in enumerate((ANN, BOB, GM)):
        value = f"{number}" * 64
        event = table.act(do.Contribute(value=value), by)
        who = by.id if by is GM else by.seat
        assert event.effects == (fx.Contributed(seat=str(who), value=value),)
        with pytest.raises(Refused) as refusal:
            table.act(do.Contribute(value="f" * 64), by)
        told = (refusal.value.code, refusal.value.params)
        assert told == ("already_contributed", {"seat": who})
    assert table.state.linear.contributions == (
        Contribution(seat="ann", value="0" * 64),
        Contribution(seat="bob", value="1" * 64),
        Contribution(seat=GM.id, value="2" * 64),
    )


@pytest.mark.parametrize("text", ["for all", UNSET])
def test_a_remark_for_the_game_master_alone_is_his_to_make(text: str | UnsetType) -> None:
    table = running()
    denied = refused(lambda: table.act(do.NoteAction(text=text, gm_text="psst"), ANN))
    assert denied == ("gm_only", {"action": "note", "field": "gm_text"})
    seq = table.act(do.NoteAction(text=text, gm_text="psst")).seq
    table.act(do.NoteAction(text=text), ANN)
    assert table.state.linear.notes == (
        Note(seq=seq, text=text, gm_text="psst"),
        Note(seq=seq + 1, text=text),
    )


# --- the end and what comes out -------------------------------------------------------------------


def test_the_winner_is_one_of_the_sides() -> None:
    table = running()
    wrong = refused(lambda: table.act(do.EndEncounter(winner="green")))
    assert wrong == ("unknown_side", {"side": "green", "allowed": ["red", "blue"]})
    event = table.act(do.EndEncounter(winner="red", reason="so it is", open="sides"))
    assert event.effects == (fx.EncounterEnded(winner="red", opened="sides", reason="so it is"),)


def test_the_seed_may_come_out_with_the_end() -> None:
    event = running().act(do.EndEncounter(reveal="now", open="all"))
    assert event.effects == (
        fx.EncounterEnded(opened="all"),
        fx.SeedRevealed(seed=SEED.hex(), opened="all"),
    )


SEEDED, OPENED = fx.SeedRevealed, fx.PartsOpened
NOTHING = "nothing_to_reveal"


@pytest.mark.parametrize("is_out", [False, True])
@pytest.mark.parametrize(
    ("before", "now", "is_wider"),
    [
        ("none", "none", False),
        ("none", "sides", True),
        ("none", "all", True),
        ("sides", "none", False),
        ("sides", "sides", False),
        ("sides", "all", True),
        ("all", "sides", False),
        ("all", "all", False),
    ],
)
@pytest.mark.parametrize("with_seed", [False, True])
def test_the_seed_comes_out_once_and_parts_as_often_as_more_of_them_open(
    before: Opened, now: Opened, is_wider: bool, is_out: bool, with_seed: bool
) -> None:
    table = running()
    table.act(do.EndEncounter(open=before, reveal="now" if is_out else "later"))
    asked = do.Reveal(seed=with_seed, open=now)
    if with_seed and not is_out:
        seeded = fx.SeedRevealed(seed=SEED.hex(), opened=now)
        assert table.act(asked).effects == (seeded,)
    elif is_wider:
        assert table.act(asked).effects == (fx.PartsOpened(opened=now),)
    else:
        assert refused(lambda: table.act(asked)) == ("nothing_to_reveal", {})


# --- dice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        do.NoteAction(text="a remark"),
        do.Rewind(to=2),
        do.Erase(seqs=(1,)),
        do.AssignControl(seat="ann"),
        do.EndEncounter(),
        do.EndTurn(combatant="anders"),
    ],
    ids=lambda action: str(action.__struct_config__.tag),
)
def test_faces_that_nothing_asks_for_are_refused(action: do.Action) -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS, dice="supplied")
    table.act(do.StartEncounter(), faces=(20, 10, 5))
    assert refused(lambda: table.act(action, faces=(3, 4)))[0] == "too_many_faces"
    table.act(action)


def test_a_ruleset_that_refuses_after_a_sealed_die_was_drawn_is_broken() -> None:
    table = running()

    def broken(state: State[ToyState], action: do.Action, by: By, seq: int, dice: Dice) -> NoReturn:
        if isinstance(action, Sniff):
            dice.roll(1, 20, "sniff")
        raise Refused("unknown_action")

    ruleset = replace(RULESET, decide=broken)

    def decided(action: do.Action) -> object:
        return decide.decide(ruleset, table.state, action, GM, 3, SealedDice(bytes(32), 3))

    with pytest.raises(RuntimeError, match="toy refused unknown_action after a draw"):
        decided(Sniff())
    with pytest.raises(Refused, match="unknown_action"):
        decided(do.EndTurn(combatant="lurker"))
