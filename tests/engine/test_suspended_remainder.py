"""An action that asks in the middle keeps what is left of it, whatever becomes of the question."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Struct

from service.encounters.loader import restored, snapshot_of
from service.engine.battle import decision_groups
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.open_decisions import Decision
from service.engine.battle.state import State
from service.engine.log.event import Event
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.audience import EVERYONE, TEXT
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from tests.kit.table import SEED, Table
from tests.replay.memory_audit import audit
from tests.toy.battles import ANN, BOB
from tests.toy.model import BraceChoice, Charge, Sweep
from tests.toy.rules import RULESET
from tests.toy.seating import shown
from tests.toy.sweeps import GIL, PASS, answer, asked, melee, rolled, struck_down, swept

BRACE = BraceChoice()
ANY: Ruleset[Any] = RULESET


def charged(**more: Any) -> Table:
    """Anders charges past berta (square 1), gerda (2) and bruno (3) to square 5."""
    table = melee(**more)
    table.act(Charge(combatant="anders", squares=5), ANN)
    return table


def left(table: Table) -> object:
    """What is left of the action that waits on top of the stack."""
    suspended = table.state.rule.pending[-1].suspended
    return UNSET if suspended.remainder is UNSET else msgspec.json.decode(suspended.remainder)


def where(table: Table) -> Place:
    """Where anders is."""
    place: Place = table.state.rule.combatants[0].place
    return place


def facts(event: Event) -> list[tuple[object, ...]]:
    """What happened, in words."""
    told: list[tuple[object, ...]] = []
    for effect in event.effects:
        match effect:
            case fx.Moved():
                told.append(("moved", effect.combatant, effect.end.x))
            case fx.DecisionOpened():
                told.append(("asked", effect.decision.combatant))
            case fx.DecisionClosed():
                told.append((effect.how, effect.decision_id))
            case fx.CheckResolved():
                told.append((effect.check, effect.outcome))
            case _:
                pass
    return told


def test_each_question_finds_less_left() -> None:
    table = charged()
    assert (where(table).x, left(table)) == (0, {"squares": 5})
    first = asked(table, "berta").id
    assert facts(answer(table, "berta", PASS)) == [
        ("passed", first),
        ("moved", "anders", 1),
        ("asked", "gerda"),
    ]
    assert left(table) == {"squares": 4}
    answer(table, "gerda", PASS)
    assert left(table) == {"squares": 3}
    answer(table, "bruno", PASS)
    assert (where(table).x, table.state.rule.pending) == (5, ())
    assert audit(table, seed=SEED).clean


def test_an_action_whose_questions_are_all_void_goes_on_from_where_it_was() -> None:
    table = charged()
    answer(table, "berta", PASS)
    void = asked(table, "gerda").id
    assert facts(table.act(struck_down("gerda"))) == [
        ("void", void),
        ("moved", "anders", 2),
        ("asked", "bruno"),
    ]
    assert left(table) == {"squares": 3}
    table.act(struck_down("bruno"))
    assert (where(table).x, table.state.rule.pending) == (5, ())
    assert audit(table, seed=SEED).clean


def test_a_rewind_brings_back_what_was_left_then() -> None:
    table = charged()
    opened = len(table.sealed)
    answer(table, "berta", PASS)
    further = len(table.sealed)
    answer(table, "gerda", PASS)
    table.act(do.Rewind(to=opened))
    assert (where(table).x, left(table)) == (0, {"squares": 5})
    table.act(do.Rewind(to=further))
    assert (where(table).x, left(table)) == (1, {"squares": 4})
    table.act(struck_down("gerda"))
    assert (where(table).x, left(table)) == (2, {"squares": 3})
    assert audit(table, seed=SEED).clean


def test_an_answer_that_waits_for_the_table_s_dice_goes_on_from_there() -> None:
    table = charged(dice="supplied")
    answer(table, "berta", BRACE)
    assert facts(rolled(table, BOB, 2))[-3:] == [
        ("brace", "failure"),
        ("moved", "anders", 1),
        ("asked", "gerda"),
    ]
    assert left(table) == {"squares": 4}
    answer(table, "gerda", BRACE)
    table.act(struck_down("gerda"))
    assert (where(table).x, left(table)) == (2, {"squares": 3})
    answer(table, "bruno", BRACE)
    assert facts(rolled(table, BOB, 5))[-1] == ("brace", "success")
    assert (where(table).x, table.state.rule.pending) == (2, ())
    report = audit(table, seed=SEED)
    assert report.clean, report.first_failure


def test_what_is_left_is_the_game_master_s_alone() -> None:
    table = charged()
    seq = len(table.sealed)
    for viewer, sees in ((GAME_MASTER, True), (Viewer(sides=("blue",)), False), (Viewer(), False)):
        assert (b'"remainder":{"squares":5}' in msgspec.json.encode(shown(table, seq, viewer))) is (
            sees
        )


def test_a_snapshot_holds_what_is_left() -> None:
    played, taken_up = charged(), charged()
    for table in (played, taken_up):
        answer(table, "berta", PASS)
    seq = len(taken_up.sealed)
    again = restored(ANY, snapshot_of(taken_up.state, seq))
    assert again is not None
    taken_up.state = State(rule=again.rule, linear=again.linear, terms=taken_up.terms)
    taken_up.rules[seq] = again.rule
    for table in (played, taken_up):
        table.act(struck_down("gerda"))
    assert taken_up.sealed == played.sealed


def test_an_action_that_keeps_nothing_is_written_as_it_always_was() -> None:
    """So a snapshot from before there were remainders is one of an action without any."""
    table = swept()
    snapshot = snapshot_of(table.state, len(table.sealed))
    written = msgspec.json.decode(snapshot.state)["rule"]["pending"][-1]["suspended"]
    assert set(written) == {"action", "by"}
    again = restored(ANY, snapshot)
    assert again is not None
    suspended = again.rule.pending[-1].suspended
    assert suspended is not UNSET
    assert suspended.remainder is UNSET
    assert b"remainder" not in b"".join(part.body for part in table.sealed[-1].parts)
    for who, by in (("berta", BOB), ("gerda", GIL), ("bruno", BOB)):
        answer(table, who, PASS, by)
    assert table.state.rule.pending == ()


class Verse(Struct, frozen=True, kw_only=True):
    """What is left of a song, and what somebody shouted."""

    lines: Annotated[int, EVERYONE]
    shout: Annotated[str | msgspec.UnsetType, TEXT] = UNSET


def test_free_text_is_not_kept_in_what_is_left() -> None:
    table = melee()
    question = Decision(
        id=decision_groups.UNNUMBERED, kind="song", opened_by=0, options=("pass",), default="pass"
    )
    effects = EffectBuilder(table.state, RULESET.evolve)
    sweep = Sweep(combatant="anders", targets=())
    decision_groups.suspend(effects, [question], sweep, ANN, 9, Verse(lines=2, shout="Hey!"))
    [opened] = effects.emitted
    assert isinstance(opened, fx.AnswerAsked)
    assert opened.suspended is not UNSET
    assert opened.suspended.remainder is not UNSET
    assert bytes(opened.suspended.remainder) == b'{"lines":2}'
