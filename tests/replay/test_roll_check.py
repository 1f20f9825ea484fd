"""Effects are tied to the dice that were drawn, for whoever audits however little of a battle."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, Raw
from msgspec.structs import replace

from service.engine.dice.dice import Draw
from service.engine.dice.draw_names import rolls_in
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import DrawRun, Roll
from service.replay.audit.roll_check import SeenDraws, roll_difference
from service.replay.report.verdicts import EventVerdict
from tests.kit.table import SEED, Table
from tests.replay.forger import resealed
from tests.replay.memory_audit import audit
from tests.rulesets.crossfire_d6 import golden as crossfire
from tests.rulesets.seeker_d100 import golden as seeker
from tests.rulesets.seeker_d100.setups import battle_of, fighter, seated, strike

CROSSFIRE = crossfire.sealed_battle()
SEEKER = seeker.fight()
SUPPLIED = seeker.supplied()
OBSERVER, RED = Viewer(), Viewer(sides=("red",))
VIEWERS = pytest.mark.parametrize("viewer", [OBSERVER, RED, GAME_MASTER], ids=str)
BATTLES = pytest.mark.parametrize("table", [CROSSFIRE, SEEKER], ids=["crossfire-d6", "seeker-d100"])


def changed(value: Any, old: Roll, new: object) -> Any:
    """A value with one of its rolls changed."""
    if value is old:
        return new
    if isinstance(value, tuple):
        return tuple(changed(each, old, new) for each in value)
    if not isinstance(value, msgspec.Struct):
        return value
    fields = {name: getattr(value, name) for name in value.__struct_fields__}
    return replace(value, **{name: changed(each, old, new) for name, each in fields.items()})


def with_faces(roll: Roll, *faces: int) -> Roll:
    return replace(roll, faces=faces, total=sum(faces))


def find(table: Table, is_wanted: Callable[[fx.Effect, Roll], bool]) -> tuple[int, Roll]:
    """The first public roll of a kind, and its event."""
    for event in table.events:
        if all(draw.stream == 0 for draw in event.draws):
            for effect in event.effects:
                for roll in rolls_in(effect):
                    if is_wanted(effect, roll):
                        return event.seq, roll
    raise AssertionError("no such roll in this battle")


def forged(
    table: Table, seq: int, old: Roll, new: object, viewer: Viewer, seed: bytes | None = SEED
) -> EventVerdict:
    """The first failure that this viewer finds where somebody with all keys changed one roll."""

    events = list(table.events[:seq])
    events[-1] = replace(events[-1], effects=changed(events[-1].effects, old, new))
    log = [
        replace(
            each,
            opened={name: part for name, part in each.opened.items() if viewer.may_know(name[1])},
        )
        for each in resealed(table, events)
    ]
    failure = audit(table, log, seed=seed, viewer=viewer).first_failure
    assert isinstance(failure, EventVerdict)
    assert failure.seq == seq
    return failure


def is_attack(effect: fx.Effect, roll: Roll) -> bool:
    return isinstance(effect, fx.AttackResolved) and roll is effect.detail.roll


def is_wound(effect: fx.Effect, roll: Roll) -> bool:
    return isinstance(effect, fx.Hurt) and any(run.seq is UNSET for run in roll.draws)


@BATTLES
@VIEWERS
def test_faces_retold_as_the_highest_are_found(table: Table, viewer: Viewer) -> None:
    seq, roll = find(table, lambda e, r: is_attack(e, r) and r.faces != (r.sides,) * len(r.faces))
    best = with_faces(roll, *(roll.sides,) * len(roll.faces))
    failure = forged(table, seq, roll, best, viewer)
    assert failure.verdict == "mismatch"
    assert ".detail.roll.faces[" in str(failure.path)
    assert failure.stored == Raw(b"%d" % roll.sides)


@BATTLES
@VIEWERS
@pytest.mark.parametrize("seed", [SEED, None], ids=["revealed", "sealed"])
def test_a_draw_that_no_effect_names_is_found(
    table: Table, viewer: Viewer, seed: bytes | None
) -> None:
    seq, roll = find(table, is_wound)
    failure = forged(table, seq, roll, UNSET, viewer, seed)
    assert failure.verdict == "mismatch"
    assert str(failure.path).startswith("$.effects" if viewer.is_gm else "$.draws")


@BATTLES
@VIEWERS
def test_a_draw_named_twice_is_found(table: Table, viewer: Viewer) -> None:
    seq, roll = find(table, is_wound)
    first = table.events[seq - 1].draws[0]
    twice = replace(
        with_faces(roll, first.face), sides=first.sides, draws=(DrawRun(stream=0, number=1),)
    )
    failure = forged(table, seq, roll, twice, viewer)
    assert failure.verdict == "mismatch"
    assert str(failure.path).startswith("$.effects")


@BATTLES
@VIEWERS
@pytest.mark.parametrize(
    "changes",
    [
        {"total": 99},
        {"draws": ()},
        {"draws": (DrawRun(stream=0, number=9),)},
        {"draws": (DrawRun(stream=0, number=1, count=10**6),)},
        {"draws": (DrawRun(stream=0, number=1, seq=2),)},
        {"draws": (DrawRun(stream=0, number=1, uncounted="unread"),)},
    ],
    ids=str,
)
def test_a_roll_that_names_no_such_draws_is_found(
    table: Table, viewer: Viewer, changes: dict[str, Any]
) -> None:
    seq, roll = find(table, is_attack)
    failure = forged(table, seq, roll, replace(roll, **changes), viewer)
    assert failure.verdict == "mismatch"
    assert ".detail.roll" in str(failure.path)


@BATTLES
@VIEWERS
@pytest.mark.parametrize("count", [0, -1, 10**15])
def test_counts_that_no_roll_can_have_are_found(table: Table, viewer: Viewer, count: int) -> None:
    seq, roll = find(table, is_attack)
    impossible = replace(roll, draws=(DrawRun(stream=0, number=1, count=count),))
    failure = forged(table, seq, roll, impossible, viewer)
    assert failure.verdict == "mismatch"


def brawl() -> Table:
    """T strikes at somebody unaware, and then is struck at himself: his roll answers."""
    people = [
        fighter("t", "red", 0, 0),
        fighter("a", "blue", 1, 0),
        fighter("b", "blue", 0, 1, conditions=["unaware"]),
    ]
    table = seated({"combatants": people, "battle": battle_of(*people)})
    table.ask({"type": "start_encounter"})
    table.ask(strike(combatant="t", target="b"))
    table.ask(strike(combatant="a", target="t"))
    return table


@VIEWERS
def test_an_old_face_told_otherwise_is_found(viewer: Viewer) -> None:
    table = brawl()
    seq, roll = find(
        table,
        lambda e, r: isinstance(e, fx.AttackResolved) and r.draws[0].seq is not UNSET,
    )
    assert roll.draws[0].seq == seq - 1
    failure = forged(table, seq, roll, with_faces(roll, roll.faces[0] % 100 + 1), viewer)
    assert ".answered.roll.faces[0]" in str(failure.path)


@VIEWERS
def test_a_face_of_the_table_told_otherwise_while_its_action_waits_is_found(viewer: Viewer) -> None:
    seq, roll = find(SUPPLIED, lambda e, r: isinstance(e, fx.DecisionClosed))
    failure = forged(SUPPLIED, seq, roll, with_faces(roll, roll.faces[0] % 6 + 1), viewer)
    assert ".roll.faces[0]" in str(failure.path)


@VIEWERS
def test_a_face_of_the_table_told_otherwise_when_its_action_happens_is_found(
    viewer: Viewer,
) -> None:
    seq, roll = find(SUPPLIED, lambda e, r: is_attack(e, r) and r.draws[0].seq is not UNSET)
    failure = forged(SUPPLIED, seq, roll, with_faces(roll, roll.faces[0] % 100 + 1), viewer)
    assert ".detail.roll.faces[0]" in str(failure.path)


# --- one event ------------------------------------------------------------------------------------


def test_rules_that_leave_a_draw_without_a_name_are_told_of_by_any_audit() -> None:
    seq, roll = find(SEEKER, is_wound)
    event = SEEKER.events[seq - 1]
    assert roll_difference(event) is None
    careless = replace(event, effects=changed(event.effects, roll, UNSET))
    differs = roll_difference(careless)
    assert differs is not None
    assert differs.path.startswith("$.draws[")


def test_a_face_that_did_not_count_is_named_all_the_same() -> None:
    roll = {"sides": 6, "faces": [3, 5], "total": 5}
    runs = [
        {"stream": 0, "number": 1, "count": 1, "uncounted": "replaced"},
        {"stream": 0, "number": 2, "count": 1},
    ]
    draws = [
        msgspec.to_builtins(Draw(stream=0, number=n, sides=6, face=face, purpose="song"))
        for n, face in ((1, 3), (2, 5))
    ]
    effects = [{"type": "rolled", "roll": {**roll, "draws": runs}}]
    assert SeenDraws(since=1).fold({"draws": draws, "effects": effects}, 1, "$") is None
    whole = SeenDraws(since=1).fold(
        {"draws": draws, "effects": [{"roll": {**roll, "total": 8, "draws": runs}}]}, 1, "$"
    )
    assert whole is not None
    assert whole.path == "$.effects[0].roll.total"


def test_dice_that_were_rolled_for_one_thing_do_not_serve_another() -> None:
    draws = [
        msgspec.to_builtins(Draw(stream=0, number=n, sides=6, face=4, purpose=purpose))
        for n, purpose in ((1, "attack"), (2, "damage"))
    ]
    roll = {"sides": 6, "faces": [4, 4], "total": 8, "draws": [{"stream": 0, "number": 1}]}
    view = {"draws": draws, "effects": [{"type": "rolled", "roll": roll}]}
    differs = SeenDraws(since=1).fold(view, 1, "$")
    assert differs is not None
    assert differs.path == "$.effects[0].roll.draws"


@pytest.mark.parametrize(
    "view",
    [
        None,
        [],
        {"draws": 5, "effects": "x"},
        {"draws": [{}], "effects": [{"faces": 1, "sides": 2}]},
        {"effects": [{"faces": [1], "sides": 6, "total": 1, "draws": [{"stream": 0}]}]},
    ],
)
def test_whatever_a_forger_writes_is_read_without_a_fall(view: object) -> None:
    SeenDraws(since=1).fold(view, 1, "$")


def test_effects_may_be_nested_deeply() -> None:
    deep: object = {"draws": [], "faces": [], "sides": 6, "total": 1}
    for _ in range(5_000):
        deep = [deep]
    differs = SeenDraws(since=1).fold({"effects": [deep]}, 1, "$")
    assert differs is not None
    assert differs.path.endswith(".total")
