"""Forks: a battle continues from any event in a separate log, with all that belonged to it."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
from msgspec import UNSET

from service.engine.battle.open_decisions import Declared
from service.engine.battle.state import scope_of
from service.engine.log.canonical import encode
from service.engine.visibility.projection import view
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.effects import DecisionClosed, EncounterStarted
from service.engine.vocabulary.values import DiceMode
from service.errors import Refused
from tests.kit.draw_names import require_named_draws
from tests.kit.played_battles import overruled
from tests.kit.random_battles import ask as take
from tests.kit.random_battles import next_action, refolded
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import GM, SEATS, Table, tree_of
from tests.replay.memory_audit import audit
from tests.soak import with_soak

EVENTS: Final = 80
FURTHER: Final = 15
BATTLES: list[tuple[DiceMode, int]] = [("sealed", 0), ("sealed", 3), ("supplied", 1)]
VIEWERS: Final = (GAME_MASTER, Viewer(), Viewer(sides=("red",)), Viewer(sides=("blue",)))

every_ruleset = pytest.mark.parametrize("rig", RIGS, ids=repr)


def parent_of(slug: str, number: int, mode: DiceMode) -> Table:
    """A battle of a number, overruled and rewound as often as not."""
    return overruled(slug, number, mode, EVENTS)[0]


def places(table: Table, number: int) -> list[int]:
    """Some events to fork at: the first two, some others, and the last with open questions."""
    rules = table.rules
    going = [seq for seq, rule in rules.items() if rule.status != "ended"]
    waiting = [seq for seq in going if rules[seq].pending]
    return sorted({1, 2, *waiting[-1:], *Random(number).sample(going, 1)} & {*going})


def differences(first: Any, second: Any, path: str = "") -> Iterator[str]:
    """Where two trees differ, by path."""
    if isinstance(first, dict) and isinstance(second, dict):
        for name in first.keys() | second.keys():
            if name not in first or name not in second:
                yield f"{path}.{name}"
            else:
                yield from differences(first[name], second[name], f"{path}.{name}")
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for place, pair in enumerate(zip(first, second, strict=True)):
            yield from differences(*pair, f"{path}[{place}]")
    elif first != second:
        yield path


def is_expected(path: str) -> bool:
    """Whether a fork may differ there: text stays behind, what points into the log is turned."""
    name = path.rpartition(".")[2]
    if name in {"name", "metadata"} or path == ".status":
        return True
    if name == "seq":
        return ".draw" in path
    is_waiting = path.startswith(".pending[")
    if not is_waiting:
        return False
    turned = {"id", "opened_by", "seat", "side", "decision_id"}
    return name in turned or any(f".{each}.by" in path for each in ("suspended", "declared"))


def unexpected(first: Any, second: Any) -> list[str]:
    """Where two states differ that should not."""
    return [path for path in differences(first, second) if not is_expected(path)]


def go_on(fork: Table, number: int) -> None:
    """Start the fork as it stood, play on in it, and hold its log to what holds of every log."""
    here = encode(fork.state.rule)
    take(fork, {"type": "start_encounter"})
    fork_of = fork.state.linear.fork_of
    assert fork_of
    if fork_of.status == "running":
        assert fork.events[-1].draws == ()
        started = here.replace(b'"status":"setup"', b'"status":"running"')
        assert encode(fork.state.rule) == started
    dice = Random(number)
    for _ in range(FURTHER):
        chosen = next_action(fork, dice)
        if chosen is None:
            break
        take(fork, *chosen)
    folded = refolded(fork)
    assert encode(folded.rule) == encode(fork.state.rule)
    assert encode(folded.linear) == encode(fork.state.linear)
    require_named_draws(fork)


def require_clean(fork: Table) -> None:
    """Every event of the log is decided again, and so it is as far as others see it."""
    seed = None if fork.state.rule.dice == "supplied" else fork.seed
    report = audit(fork, seed=seed)
    assert report.clean, report.first_failure
    assert set(report.counts) == {"match"}
    for viewer in VIEWERS[1:]:
        assert audit(fork, viewer=viewer).clean


@every_ruleset
@pytest.mark.parametrize(
    ("mode", "number"), with_soak(BATTLES[1:], [pytest.param(*each) for each in BATTLES[:1]])
)
def test_a_fork_has_the_whole_rule_state_and_goes_on_by_itself(
    rig: Rig, mode: DiceMode, number: int
) -> None:
    parent = parent_of(rig.ruleset.slug, number, mode)
    for seq in places(parent, number):
        fork = Table.continuing(parent, seq)
        assert unexpected(tree_of(parent.rules[seq]), tree_of(fork.state.rule)) == []
        assert encode(fork.stored(1)) == encode(fork.events[0])
        go_on(fork, number)
        require_clean(fork)


def declared_at(parent: Table, seq: int) -> Declared | None:
    """The action that waits for dice after an event, if one does."""
    pending = parent.rules[seq].pending
    return pending[-1].declared or None if pending else None


def awaiting(parent: Table) -> list[int]:
    """Events at which dice are awaited: the first and the last, and those with faces before."""
    asking = {seq: waiting for seq in parent.rules if (waiting := declared_at(parent, seq))}
    begun = [seq for seq, waiting in asking.items() if waiting.faces]
    return sorted({*[*asking][:1], *[*asking][-1:], *begun[-2:]})


@every_ruleset
@pytest.mark.parametrize("mode", with_soak(["supplied"], ["sealed"]))
def test_dice_that_were_awaited_are_asked_of_the_forker(rig: Rig, mode: DiceMode) -> None:
    happened = 0
    for number in range(1, 3):
        parent = parent_of(rig.ruleset.slug, number, "supplied")
        for seq in awaiting(parent):
            fork = Table.continuing(parent, seq, dice=mode)
            here = fork.state.rule.pending
            assert len(here) == len(parent.rules[seq].pending)
            [question], declared = here[-1].decisions, here[-1].declared
            assert declared
            assert (question.kind, question.seat, question.side) == ("roll", UNSET, UNSET)
            assert (question.opened_by, declared.by) == (1, GM)
            before = declared_at(parent, seq)
            assert before is not None
            assert declared.faces == before.faces
            take(fork, {"type": "start_encounter"})
            roll = {"type": "roll"}
            take(fork, {"type": "answer", "decision_id": question.id, "choice": roll})
            closed, *others = fork.events[-1].effects
            assert isinstance(closed, DecisionClosed)
            assert (closed.how, closed.choice) == ("answered", "roll")
            assert sum(draw.sides == question.roll.sides for draw in fork.events[-1].draws) >= (
                question.roll.count
            )
            happened += bool(others)
            dice = Random(number)
            for _ in range(FURTHER):
                chosen = next_action(fork, dice)
                if chosen is not None:
                    take(fork, *chosen)
            require_named_draws(fork)
            require_clean(fork)
    assert happened


@every_ruleset
def test_what_waits_for_dice_in_a_fork_is_rewound_and_overruled_like_anything(rig: Rig) -> None:
    parents = (parent_of(rig.ruleset.slug, number, "supplied") for number in range(1, 4))
    parent = next(each for each in parents if awaiting(each))
    seq = awaiting(parent)[-1]
    fork = Table.continuing(parent, seq, dice="sealed")
    take(fork, {"type": "start_encounter"})
    [first] = fork.state.rule.pending[-1].decisions
    take(fork, {"type": "rewind", "to": 2})
    [again] = fork.state.rule.pending[-1].decisions
    assert again.id != first.id
    take(fork, {"type": "force_pass", "decision_id": again.id})
    assert len(fork.state.rule.pending) == len(parent.rules[seq].pending) - 1
    take(fork, {"type": "rewind", "to": 2})
    for each in fork.state.rule.combatants:
        if fork.state.rule.status == "running":
            blow = {"type": "hp", "combatant": each.id, "value": 0}
            take(fork, {"type": "adjust", "changes": [blow]})
    assert not fork.state.rule.pending
    report = audit(fork, seed=fork.seed)
    assert (report.clean, set(report.counts)) == (True, {"match", "override"})


@every_ruleset
def test_everybody_sees_of_a_fork_what_they_saw_of_the_battle(rig: Rig) -> None:
    parent = parent_of(rig.ruleset.slug, 0, "sealed")
    for seq in places(parent, 0):
        there = parent.rules[seq]
        fork = Table.continuing(parent, seq)
        here = fork.state.rule
        for viewer in VIEWERS:
            before = tree_of(view(there, scope_of(there), viewer))
            after = tree_of(view(here, scope_of(here), viewer))
            assert unexpected(before, after) == []
            told = tree_of(view(fork.events[0], scope_of(here), viewer))
            assert told["effects"][0]["state"] == told["action"]["state"] == after


@every_ruleset
def test_a_fork_of_a_fork_is_one_as_well(rig: Rig) -> None:
    parent = parent_of(rig.ruleset.slug, 3, "sealed")
    fork = Table.continuing(parent, places(parent, 1)[-1])
    go_on(fork, 1)
    last = max(seq for seq, rule in fork.rules.items() if rule.status == "running")
    again = Table.continuing(fork, last)
    assert unexpected(tree_of(fork.rules[last]), tree_of(again.state.rule)) == []
    go_on(again, 2)
    require_clean(again)


@every_ruleset
@pytest.mark.parametrize("battle", with_soak([0], [1, 2]))
def test_a_fork_that_has_not_gone_on_is_forked_as_the_running_battle_it_is(
    rig: Rig, battle: int
) -> None:
    parent = parent_of(rig.ruleset.slug, battle, "sealed")
    running = [each for each in places(parent, battle) if parent.rules[each].status == "running"]
    for seq in running[:2]:
        fork = Table.continuing(parent, seq)
        again = Table.continuing(fork, 1)
        assert again.state.linear.fork_of != UNSET
        assert unexpected(tree_of(fork.state.rule), tree_of(again.state.rule)) == []
        with pytest.raises(Refused) as refusal:
            again.ask({"type": "configure"})
        assert refusal.value.code == "options_frozen"
        go_on(again, 2)
        assert again.events[1].effects == (EncounterStarted(),)
        require_clean(again)


@every_ruleset
def test_before_it_goes_on_only_seats_and_dice_are_settled(rig: Rig) -> None:
    parent = parent_of(rig.ruleset.slug, 0, "sealed")
    running = next(seq for seq in places(parent, 0) if parent.rules[seq].status == "running")
    fork = Table.continuing(parent, running)
    someone = fork.state.rule.combatants[0].id
    for action, code in (
        ({"type": "configure"}, "options_frozen"),
        ({"type": "remove_combatant", "combatant": someone}, "encounter_not_running"),
        ({"type": "rewind", "to": 1}, "rewind_before_start"),
        ({"type": "end_encounter"}, "encounter_not_running"),
    ):
        with pytest.raises(Refused) as refusal:
            fork.ask(action)
        assert refusal.value.code == code
    assert fork.legal_for() == ()
    fork.ask({"type": "contribute", "value": "7" * 64})
    fork.ask({"type": "add_seat", "seat": {"id": "ann", "role": "player", "sides": ["red"]}})
    go_on(fork, 3)
    with pytest.raises(Refused) as refusal:
        fork.ask({"type": "rewind", "to": 1})
    assert refusal.value.code == "rewind_before_start"
    require_clean(fork)


@every_ruleset
def test_seats_of_a_fork_know_their_sides(rig: Rig) -> None:
    parent = parent_of(rig.ruleset.slug, 3, "sealed")
    seq = places(parent, 1)[-1]
    fork = Table.continuing(parent, seq, seats=SEATS)
    assert [(seat.id, seat.knows) for seat in fork.state.linear.seats] == [
        ("ann", ("red",)),
        ("bob", ("blue",)),
        ("eve", ()),
    ]
    here = fork.state.rule
    assert fork.view("ann") == tree_of(view(here, scope_of(here), Viewer(sides=("red",))))
