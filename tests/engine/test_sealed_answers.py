"""What others see of an answer before all have answered: that there is one, and nothing of it."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, Raw

from service.encounters.loader import restored, snapshot_of
from service.encounters.views import open_decisions
from service.engine.battle import fold
from service.engine.battle.state import State, scope_of
from service.engine.kit.perception import perceive
from service.engine.log import canonical
from service.engine.log import event as events
from service.engine.log.event import Event
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility import projection
from service.engine.visibility.scope import GAME_MASTER, OBSERVER, Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.choices import PassChoice
from tests.kit.table import SEED, Table
from tests.replay.forger import with_event
from tests.replay.memory_audit import audit
from tests.toy.battles import ANN
from tests.toy.model import DodgeChoice, ParryChoice, Sweep, ToyChoice, ToyEvent
from tests.toy.rules import RULESET
from tests.toy.sweeps import (
    LOW,
    PASS,
    TARGETS,
    answer,
    asked,
    brawl,
    dicey_brawl,
    melee,
    swept,
)

RED = Viewer(sides=("red",))
BLUE = Viewer(sides=("blue",))
GREEN = Viewer(sides=("green",))
SIDE_IDS = ("red", "blue", "green")
DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(ToyEvent)
CHOICES: tuple[ToyChoice, ...] = (
    DodgeChoice(),
    ParryChoice(guard="high"),
    LOW,
    PASS,
    PassChoice(reason="timeout"),
)


ANY: Ruleset[Any] = RULESET


def pending(table: Table, viewer: Viewer) -> dict[str, Any]:
    """The one open group as a viewer sees it."""
    shown = projection.view(table.state.rule.pending, scope_of(table.state.rule), viewer)
    [group] = msgspec.convert(shown, list[dict[str, Any]])
    return group


def part_bodies(table: Table, seq: int) -> dict[tuple[str, str], bytes]:
    return {(p.kind, p.audience): p.body for p in table.sealed[seq - 1].parts}


def seen(table: Table, seq: int, viewer: Viewer) -> dict[str, object]:
    """An event as a viewer reads it, without what only commits to the hidden rest."""
    view = events.view_of_event(
        table.sealed[seq - 1].body, part_bodies(table, seq), SIDE_IDS, viewer
    )
    tree = msgspec.json.decode(view, type=dict[str, object])
    return {name: value for name, value in tree.items() if name not in ("sealed", "prev")}


def told(table: Table, viewer: Viewer) -> bytes:
    """All that a viewer can read: every event, the state and the open questions."""
    scope = scope_of(table.state.rule)
    perceived = perceive(table.state, viewer).rule
    return canonical.encode(
        [
            [seen(table, sealed.seq, viewer) for sealed in table.sealed],
            projection.view(table.state.rule, scope, viewer),
            projection.view(table.state.linear, scope, viewer),
            open_decisions(table.state.rule, viewer),
            projection.view(perceived, scope, GAME_MASTER),
        ]
    )


@pytest.mark.parametrize("viewer", [RED, GREEN, OBSERVER], ids=["attacker", "neighbour", "nobody"])
def test_worlds_that_differ_in_an_answer_are_the_same_to_others(viewer: Viewer) -> None:
    worlds = []
    for choice in CHOICES:
        table = swept()
        answer(table, "berta", choice)
        answer(table, "gerda", PASS)
        worlds.append(table)
    assert len({told(table, viewer) for table in worlds}) == 1
    assert len({told(table, BLUE) for table in worlds}) == len(CHOICES)
    for table in worlds:
        answer(table, "bruno", PASS)
    assert len({told(table, viewer) for table in worlds}) > 1


def test_worlds_that_differ_in_an_answer_stay_the_same_if_it_is_never_told() -> None:
    for end in (do.EndEncounter(), do.Rewind(to=3)):
        worlds = []
        for choice in CHOICES:
            table = swept()
            answer(table, "berta", choice)
            table.act(end)
            worlds.append(told(table, RED))
        assert len(set(worlds)) == 1


def test_a_hidden_combatant_that_is_asked_leaves_no_trace_in_the_questions_of_others() -> None:
    alone = swept(hidden=("berta",), targets=("gerda",))
    beside = swept(hidden=("berta",), targets=("berta", "gerda"))
    for viewer in (GREEN, OBSERVER):
        opened = [seen(table, len(table.sealed), viewer)["effects"] for table in (alone, beside)]
        assert opened[0] == opened[1]
    assert len(events_of(beside)) == 2


def events_of(table: Table) -> list[object]:
    """The effects of the last event, to the GM."""
    effects = seen(table, len(table.sealed), GAME_MASTER)["effects"]
    assert isinstance(effects, list)
    return effects


def test_others_see_that_somebody_answered_and_the_asked_side_what() -> None:
    table = swept()
    question = asked(table, "berta").id
    seq = answer(table, "berta", LOW).seq
    action = {"type": "answer", "decision_id": question}
    closed = {"type": "decision_closed", "decision_id": question}
    for viewer in (RED, GREEN, OBSERVER):
        event = seen(table, seq, viewer)
        assert (event["action"], event["effects"]) == (action, [closed])
    choice = {"type": "parry", "guard": "low"}
    assert seen(table, seq, BLUE)["action"] == action | {"choice": choice}
    whole = seen(table, seq, GAME_MASTER)
    assert whole["action"] == action | {"choice": choice}
    assert whole["effects"] == [closed | {"sealed": {"how": "answered", "choice": choice}}]


def test_the_state_tells_everyone_who_has_answered_and_the_gm_what() -> None:
    table = swept()
    answer(table, "berta", LOW)
    group = pending(table, RED)
    assert [d["combatant"] for d in group["decisions"]] == ["gerda", "bruno"]
    [chosen] = group["closed"]
    assert list(chosen) == ["decision"]
    assert chosen["decision"]["combatant"] == "berta"
    assert "number" not in chosen["decision"]
    assert "suspended" not in group
    group = pending(table, GAME_MASTER)
    assert group["closed"][0]["choice"] == {"type": "parry", "guard": "low"}
    assert group["suspended"]["action"] == {
        "type": "sweep",
        "combatant": "anders",
        "targets": list(TARGETS),
    }


def test_faces_are_as_public_as_the_question_for_them() -> None:
    table = swept(dice="supplied", targets=["gerda"])
    answer(table, "gerda", PASS)
    [question] = table.state.rule.pending[-1].decisions
    seq = len(table.sealed) + 1
    roll = {"type": "answer", "decision_id": question.id, "choice": {"type": "roll"}}
    table.act(msgspec.convert(roll, RULESET.action), ANN, (2,))
    assert seen(table, seq, OBSERVER)["action"] == roll


def test_who_threatens_unseen_is_not_named_to_those_who_are_asked() -> None:
    table = swept(hidden=["anders"])
    event = seen(table, len(table.sealed), BLUE)
    effects = event["effects"]
    assert isinstance(effects, list)
    assert "action" not in event
    assert [effect["decision"]["combatant"] for effect in effects] == list(TARGETS)
    assert b"anders" not in canonical.encode(effects)
    own = seen(table, len(table.sealed), RED)["effects"]
    assert isinstance(own, list)
    assert own[0]["decision"]["context"] == {"attacker": "anders"}


def test_an_answer_for_somebody_unseen_looks_like_any_hidden_action() -> None:
    table = swept(hidden=["gerda"])
    seq = answer(table, "gerda", LOW).seq
    for viewer in (RED, BLUE, OBSERVER):
        event = seen(table, seq, viewer)
        assert "action" not in event
        assert event["effects"] == []
    answer(table, "berta", PASS)
    answer(table, "bruno", PASS)
    effects = seen(table, len(table.sealed), RED)["effects"]
    assert isinstance(effects, list)
    closed = [effect for effect in effects if effect["type"] == "decision_closed"]
    assert [effect["how"] for effect in closed] == ["passed", "passed"]
    assert b"gerda" not in canonical.encode(effects)


# --- what is kept ---------------------------------------------------------------------------------

BATTLES = pytest.mark.parametrize("play", [brawl, dicey_brawl])


@BATTLES
def test_a_log_with_groups_audits_clean(play: Callable[[], Table]) -> None:
    table = play()
    report = audit(table, seed=SEED)
    assert report.clean, report.first_failure
    words = [event.action.__struct_config__.tag for event in table.events]
    overrides = words.count("adjust")
    expected = {"match": len(words) - overrides, "override": overrides}
    assert dict(report.counts) == {word: count for word, count in expected.items() if count}


@BATTLES
@pytest.mark.parametrize("viewer", [RED, GREEN, OBSERVER], ids=["red", "green", "nobody"])
def test_whoever_lacks_parts_finds_nothing_wrong(play: Callable[[], Table], viewer: Viewer) -> None:
    report = audit(play(), seed=SEED, viewer=viewer)
    assert report.clean, report.first_failure
    assert set(report.counts) == {"sealed"}


@BATTLES
def test_a_log_with_groups_opens_and_folds_to_what_was_played(play: Callable[[], Table]) -> None:
    table = play()
    state = fold.apply(RULESET, None, table.events[0])
    rules = {1: state.rule}
    for event in table.events[1:]:
        opened = events.decode(
            DECODER, table.sealed[event.seq - 1].body, part_bodies(table, event.seq), SIDE_IDS
        )
        assert canonical.encode(opened) == canonical.encode(event)
        before = State(rule=rules[event.base], linear=state.linear, terms=table.terms)
        state = fold.apply(RULESET, before, opened)
        rules[event.seq] = state.rule
        assert canonical.encode(state.rule) == canonical.encode(table.rules[event.seq])


@BATTLES
def test_a_snapshot_holds_open_groups_as_they_are(play: Callable[[], Table]) -> None:
    table = play()
    kept = 0
    for seq, rule in table.rules.items():
        state = State(rule=rule, linear=table.state.linear, terms=table.terms)
        again = restored(ANY, snapshot_of(state, seq))
        assert again is not None
        assert snapshot_of(again, seq) == snapshot_of(state, seq)
        kept += any(group.closed is not UNSET for group in rule.pending)
    assert kept


def test_a_battle_goes_on_from_a_snapshot_as_it_would_have() -> None:
    played, taken_up = swept(), swept()
    for table in (played, taken_up):
        answer(table, "gerda", LOW)
        answer(table, "bruno", PASS)
    again = restored(ANY, snapshot_of(taken_up.state, len(taken_up.sealed)))
    assert again is not None
    taken_up.state = State(rule=again.rule, linear=again.linear, terms=taken_up.terms)
    taken_up.rules[len(taken_up.sealed)] = again.rule
    for table in (played, taken_up):
        answer(table, "berta", DodgeChoice())
    assert taken_up.sealed == played.sealed


def test_free_text_of_an_action_that_waits_is_kept_nowhere_else() -> None:
    table = melee()
    seq = table.act(Sweep(combatant="anders", targets=TARGETS, cry="Zounds"), ANN).seq
    facts = [part.body for part in table.sealed[seq - 1].parts if part.kind == "facts"]
    assert b"Zounds" not in b"".join([table.sealed[seq - 1].body, *facts])
    for who in TARGETS:
        answer(table, who, PASS)
    table.act(do.Erase(seqs=(seq,)))
    report = audit(table, seed=SEED)
    assert report.clean, report.first_failure
    assert report.verdicts[seq - 1].verdict == "erased"


def test_a_sealed_answer_that_was_changed_in_the_log_is_found() -> None:
    table = swept()
    answer(table, "berta", LOW)
    event = table.events[-1]
    [closed] = event.effects
    assert isinstance(closed, fx.DecisionClosed)
    forged = fx.Sealed(how="passed", choice=Raw(b'{"reason":"choice","type":"pass"}'))
    other = msgspec.structs.replace(
        event, effects=(msgspec.structs.replace(closed, sealed=forged),)
    )
    report = audit(table, with_event(table, event.seq, lambda _: other), seed=SEED)
    assert report.verdicts[event.seq - 1].verdict == "sealed_mismatch"
