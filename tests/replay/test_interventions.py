"""Overrides and rewinds are listed, each as far as its reader may see it."""

import pytest
from msgspec import Raw, json

from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.replay.audit.audit_dice import differing_draw
from service.replay.report.differences import DrawDifference, shortened
from service.replay.report.interventions import Override, Rewinding, SeqRun
from tests.kit.table import GM, SEED, Table
from tests.replay.forger import seq_of
from tests.replay.memory_audit import audit, evidence_in_memory
from tests.toy.battles import ANN, SEATS, SETUP, SIDES, ambush, strike, turn_to
from tests.toy.model import Adjust, Step
from tests.toy.rules import RULESET

AMBUSH = ambush()
ADJUST = seq_of(AMBUSH, "adjust")
OBSERVER, RED, BLUE = Viewer(), Viewer(sides=("red",)), Viewer(sides=("blue",))
HELMET = Raw(b'{"combatant":"berta","type":"hp","value":5}')


@pytest.mark.parametrize("viewer", [GAME_MASTER, RED, BLUE, OBSERVER])
def test_an_override_is_listed_with_its_reason_as_far_as_it_may_be_known(viewer: Viewer) -> None:
    lists = [
        audit(AMBUSH, seed=SEED, viewer=viewer).overrides,
        audit(
            AMBUSH, [evidence_in_memory(each) for each in AMBUSH.sealed], seed=SEED, viewer=viewer
        ).overrides,
    ]
    change = HELMET if viewer.is_gm or viewer == BLUE else Raw(b'{"combatant":"berta","type":"hp"}')
    known = Override(
        seq=ADJUST, by=GM, reason="She wore a helmet", changes=(change,), changes_count=1
    )
    assert lists == [(known,)] * 2


def test_of_an_override_those_changes_are_listed_that_may_be_known() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    table.act(Adjust(changes=(alter.SetHp(combatant="lurker", value=5),)))
    unseen = Raw(b'{"combatant":"lurker","type":"hp","value":5}')
    for viewer in (GAME_MASTER, BLUE):
        [override] = audit(table, seed=SEED, viewer=viewer).overrides
        assert override == Override(seq=3, by=GM, changes=(unseen,), changes_count=1)
    for viewer in (RED, OBSERVER):
        [override] = audit(table, seed=SEED, viewer=viewer).overrides
        assert override == Override(seq=3, by=GM)


def test_rewinds_and_redos_are_listed_with_what_they_undid_and_brought_back() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    turn_to(table, "anders")
    mark = len(table.sealed)
    step = Step(combatant="anders", dx=0, dy=1)
    table.act(step, ANN)
    table.act(step, ANN)
    table.act(do.Rewind(to=mark), ANN)
    table.act(do.Rewind(to=mark + 2), ANN)
    strike(table, "anders", "berta", ANN)
    table.act(do.Rewind(to=mark + 1))
    for viewer in (GAME_MASTER, OBSERVER):
        report = audit(table, seed=SEED, viewer=viewer)
        assert report.rewinds == (
            Rewinding(
                seq=mark + 3,
                from_seq=mark + 2,
                to=mark,
                by=ANN,
                undone_count=2,
                undone=(SeqRun(first=mark + 1, last=mark + 2),),
                restored_count=0,
                restored=(),
            ),
            Rewinding(
                seq=mark + 4,
                from_seq=mark + 3,
                to=mark + 2,
                by=ANN,
                undone_count=1,
                undone=(SeqRun(first=mark + 3, last=mark + 3),),
                restored_count=2,
                restored=(SeqRun(first=mark + 1, last=mark + 2),),
            ),
            report.rewinds[2],
        )
        last = len(table.sealed)
        assert (report.rewinds[2].from_seq, report.rewinds[2].to) == (last - 1, mark + 1)
        undone = {each.seq: each.undone_by for each in report.verdicts if each.undone_by}
        assert undone == {
            mark + 2: last,
            mark + 3: mark + 4,
            **dict.fromkeys(range(mark + 4, last), last),
        }


def test_a_long_value_is_told_by_its_beginning() -> None:
    long = Raw(json.encode(["Я" * 400]))
    assert json.decode(shortened(long)) == '["' + "Я" * 249 + "…"
    assert shortened(HELMET) == HELMET


def test_the_first_die_that_differs_is_named() -> None:
    draws = AMBUSH.events[seq_of(AMBUSH, "start_encounter") - 1].draws
    first, second = draws[:2]
    assert first.purpose == second.purpose == "initiative"
    assert differing_draw((first,), (first, second)) == DrawDifference(
        stream=second.stream,
        number=second.number,
        purpose="initiative",
        sides=20,
        recomputed=second.face,
    )
    assert differing_draw((first, second), (first,)) == DrawDifference(
        stream=second.stream,
        number=second.number,
        purpose="initiative",
        sides=20,
        stored=second.face,
    )
