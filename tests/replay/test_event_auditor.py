"""An honest log audits clean, and the report says what can be said of it."""

import pytest
from msgspec import UNSET, Raw
from msgspec.structs import replace

from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary.values import Place, Side
from service.replay.report.chances import Ratio
from service.replay.report.verdicts import DieStatistics, EventVerdict, LogProblem
from tests.kit.table import SEED, Table
from tests.replay.forger import seq_of, with_row
from tests.replay.memory_audit import audit, evidence_in_memory
from tests.toy.battles import ANN, SEATS, SETUP, SIDES, ambush, fighter, strike, table_dice
from tests.toy.model import Adjust, Field, Step, ToySetup
from tests.toy.rules import RULESET

OBSERVER = Viewer()
RED = Viewer(sides=("red",))


def test_a_battle_with_everything_in_it_matches_event_by_event() -> None:
    report = audit(ambush(), seed=SEED)
    assert report.clean
    assert dict(report.counts) == {"match": 26, "override": 1}
    assert [v.seq for v in report.verdicts] == list(range(1, 28))
    assert report.first_failure is UNSET
    assert report.problems == ()


def test_a_battle_with_the_tables_own_dice_matches_and_says_they_prove_nothing() -> None:
    report = audit(table_dice(), seed=SEED)
    assert dict(report.counts) == {"match": 13}
    assert report.dice is not UNSET
    assert (report.dice.mode, report.dice.fairness) == ("supplied", "not_verified")


def test_the_dice_are_verified_only_with_the_seed() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    revealed, sealed = (audit(table, seed=seed).dice for seed in (SEED, None))
    assert revealed is not UNSET
    assert sealed is not UNSET
    assert (revealed.fairness, sealed.fairness) == ("verified", "sealed")


def test_without_a_contribution_the_dice_could_have_been_chosen() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    dice = audit(table, seed=SEED).dice
    assert dice is not UNSET
    assert dice.grindable
    assert dice.last_contributor is UNSET


def test_the_last_contributor_is_named() -> None:
    dice = audit(ambush(), seed=SEED).dice
    assert dice is not UNSET
    assert not dice.grindable
    assert dice.last_contributor == "bob"


def test_a_seed_that_was_not_committed_to_is_told_and_not_used() -> None:
    report = audit(ambush(), seed=bytes(32))
    assert [problem.code for problem in report.problems] == ["seed_does_not_fit"]
    assert not report.clean
    assert dict(report.counts) == {"match": 26, "override": 1}


def test_statistics_count_what_each_seat_threw() -> None:
    dice = audit(ambush(), seed=SEED).dice
    assert dice is not UNSET
    assert dice.draws == 9
    assert dice.statistics[0] == DieStatistics(
        seat="ann",
        sides=6,
        count=3,
        undone=1,
        total=9,
        mean=Ratio(num="3", den="1"),
        expected=Ratio(num="7", den="2"),
        faces=(1, 1, 0, 0, 0, 1),
    )
    assert dice.remark is not UNSET
    assert (
        dice.remark.en
        == "Nobody threw 30 dice of one kind: too few to say whether they were lucky."
    )
    assert [(s.seat, s.sides, s.count) for s in dice.statistics] == [
        ("ann", 6, 3),
        ("bob", 6, 1),
        ("gm", 6, 1),
        ("gm", 20, 4),
    ]


@pytest.mark.parametrize("viewer", [OBSERVER, RED, Viewer(sides=("red", "blue"))])
def test_who_lacks_a_part_is_told_sealed_and_nothing_wrong(viewer: Viewer) -> None:
    report = audit(ambush(), seed=SEED, viewer=viewer)
    assert report.clean
    assert dict(report.counts) == {"sealed": 27}


def test_only_draws_that_the_viewer_may_see_are_counted() -> None:
    table = ambush()
    counted = {}
    for viewer in (OBSERVER, RED, Viewer(sides=("blue",)), GAME_MASTER):
        with_all = audit(
            table, [evidence_in_memory(s) for s in table.sealed], seed=SEED, viewer=viewer
        )
        with_own = audit(table, seed=SEED, viewer=viewer)
        assert with_all.dice is not UNSET
        assert with_own.dice is not UNSET
        assert with_all.dice.statistics == with_own.dice.statistics
        counted[viewer] = with_all.dice.draws
    assert list(counted.values()) == [7, 7, 8, 9]


def test_a_ruleset_that_is_not_known_here_leaves_everything_unavailable() -> None:
    report = audit(ambush(), seed=SEED, rulesets={})
    assert dict(report.counts) == {"unavailable": 27}
    assert not report.clean


def test_erased_text_is_told_and_changes_nothing_else() -> None:
    table = ambush()
    erased = Table(RULESET, SETUP, sides=SIDES, seats=SEATS, title="Ambush")
    note = erased.act(do.NoteAction(text="a name that should not be here"))
    erased.act(do.StartEncounter())
    erased.act(do.Erase(seqs=(1, note.seq)))
    report = audit(erased, seed=SEED)
    assert report.clean
    assert [v.verdict for v in report.verdicts] == ["erased", "erased", "match", "match"]
    assert table.head != erased.head


def test_who_is_revealed_after_its_name_was_erased_still_matches() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    table.act(Adjust(changes=(alter.RevealCombatant(combatant="lurker"),), reason="a cough"))
    revealed = len(table.sealed)
    table.act(do.Erase(seqs=(1,)))
    table.act(Adjust(changes=(alter.HideCombatant(combatant="lurker"),)))
    table.act(Adjust(changes=(alter.RevealCombatant(combatant="lurker"),)))
    report = audit(table, seed=SEED)
    assert report.clean
    assert report.verdicts[revealed - 1] == EventVerdict(seq=revealed, verdict="override")


def test_text_may_only_be_gone_where_the_log_says_so() -> None:
    table = ambush()
    log = [evidence_in_memory(sealed) for sealed in table.sealed]
    seq = seq_of(table, "note")
    kept = {n: part for n, part in log[seq - 1].opened.items() if n != ("text", "everyone")}
    gone = with_row(log, seq, opened=kept, erased=frozenset({("text", "everyone")}))
    report = audit(table, gone, seed=SEED)
    assert report.verdicts[seq - 1].verdict == "erased"
    assert report.problems == (
        LogProblem(code="erased_without_event", where="parts", stored=str(seq)),
    )


def test_an_event_without_effects_can_be_sealed_and_audited() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    table.act(Adjust(changes=()))
    assert audit(table, seed=SEED).clean


def test_the_rules_are_judged_on_the_state_a_rewind_went_back_to() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    start = len(table.sealed)
    table.act(do.EndTurn(combatant=table.state.rule.turn))
    table.act(do.Rewind(to=start))
    table.act(do.EndTurn(combatant=table.state.rule.turn))
    table.act(do.Rewind(to=start + 1))
    table.act(do.EndTurn(combatant=table.state.rule.turn))
    assert dict(audit(table, seed=SEED).counts) == {"match": 7}


def test_walking_into_somebody_unseen_matches_for_all_who_may_judge_it() -> None:
    fighters = (fighter("anders", "red", 0), fighter("lurker", "blue", 1, hidden=True))
    table = Table(RULESET, ToySetup(fighters=fighters), sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    if table.state.rule.turn != "anders":
        table.act(do.EndTurn(combatant="lurker"))
    table.act(Step(combatant="anders", dx=1, dy=0), ANN)
    assert table.state.rule.combatants[1].hidden is False
    assert audit(table, seed=SEED).clean
    assert audit(table, seed=SEED, viewer=OBSERVER).clean


def test_a_blob_that_is_missing_is_missed_where_it_was_named() -> None:
    table = ambush()
    table.blobs = {}
    report = audit(table, seed=SEED)
    assert report.verdicts[0].verdict == "mismatch"
    assert report.verdicts[0].path == f"blobs.{table.state.rule.map}"
    assert not report.clean


def test_another_map_in_the_place_of_the_one_that_was_named_is_missed_too() -> None:
    table = ambush()
    table.blobs = {name: Field(width=3) for name in table.blobs}
    assert not audit(table, seed=SEED).clean


def test_a_report_speaks_of_the_head_it_reached() -> None:
    table = ambush()
    report = audit(table, seed=SEED)
    assert (report.head, report.hash) == (27, table.head)


def test_visible_effects_must_hang_together_even_where_parts_are_withheld() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    place = alter.SetPlace(combatant="anders", place=Place(x=7, y=0))
    table.act(Adjust(changes=(place,)))
    table.act(Adjust(changes=(alter.SetPlace(combatant="anders", place=Place(x=8, y=0)),)))
    log = [evidence_in_memory(sealed, OBSERVER) for sealed in table.sealed]
    without = [log[0], log[1], replace(log[3])]
    report = audit(table, without, seed=SEED, viewer=OBSERVER)
    assert report.verdicts[2].broken == ("chain",)
    assert report.verdicts[2].path == "$.effects[1].start"
    assert report.verdicts[2].stored == Raw(b'{"x":7,"y":0}')


def test_three_sides_and_a_strike_audit_clean() -> None:
    fighters = tuple(fighter(f"f{n}", side, n) for n, side in enumerate(("red", "blue", "green")))
    sides = (*SIDES, Side(id="green"))
    table = Table(RULESET, ToySetup(fighters=fighters), sides=sides)
    table.act(do.StartEncounter())
    acting = table.state.rule.turn
    strike(table, acting, "f0" if acting != "f0" else "f1")
    assert audit(table, seed=SEED).clean
