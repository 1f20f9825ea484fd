"""Guards who shoot at somebody on the way: one after the other, and what comes of each shot."""

from typing import Any

from service.rulesets.melody_d6.sample import SAMPLE
from tests.kit.table import Table, effects_of, tree_of
from tests.rulesets.melody_d6.field import refused, told
from tests.rulesets.melody_d6.skirmishes import Tree, in_turn, warrior

CONTENT = tree_of(SAMPLE)
HIT, NO_WOUND, WOUND = 3, 2, 3
START = warrior("a1", 10_000, 20_000)
FRIEND = warrior("a2", 2_000, 2_000)
PATH = [{"x": 16_000, "y": 20_000}]


def guard(name: str, x: int, *conditions: str, weapon: str = "rifle", **sheet: Any) -> Tree:
    held = ["on_guard", *conditions]
    return warrior(name, x, 28_000, conditions=held, weapons=[weapon], **sheet)


def battle(*warriors: Tree, **setup: Any) -> Table:
    """The first of these has its movement; the table is large."""
    ground = {"width": 36_000, "height": 36_000, "features": []}
    return in_turn(*warriors, unit="A1", content=CONTENT, map=ground, **setup).table


def move(table: Table, *path: Tree, by: str = "ann") -> list[str]:
    action = {"type": "move", "combatant": "a1", "path": list(path or PATH)}
    return told(effects_of(table.ask(action, by)))


def shoot(
    table: Table,
    by: str,
    *dice: int,
    at: tuple[int, int] | None = None,
    target: str = "a1",
    weapon: str = "rifle",
) -> list[str]:
    """The answer of this guard to the open window."""
    [(decision, _)] = table.questions
    choice: Tree = {"type": "guard_shoot", "combatant": by, "target": target, "weapon": weapon}
    if at is not None:
        choice["path_point"] = {"leg": at[0], "permille": at[1]}
    answer = {"type": "answer", "decision_id": decision, "choice": choice}
    return told(effects_of(table.ask(answer, "gm", dice)))


def spot(table: Table, name: str) -> tuple[int, int]:
    place = table.combatant(name).place
    return place.x, place.y


def test_one_guard_after_the_other_and_never_backwards() -> None:
    # E47
    table = battle(START, FRIEND, guard("b1", 12_000), guard("b2", 13_500))
    assert move(table) == ["resource_changed a1 movement", "decision_opened guard_window"]
    first = table.questions
    assert shoot(table, "b1", HIT, NO_WOUND, at=(0, 500)) == [
        "decision_closed",
        "moved a1 13000,20000 guard",
        "attack_resolved",
        "condition_lost b1 on_guard shot",
        "decision_opened guard_window",
    ]
    assert table.questions != first
    assert refused(lambda: shoot(table, "b2", at=(0, 499)))[0] == "behind_mover"
    assert refused(lambda: shoot(table, "b2", at=(0, 1001)))[0] == "bad_path_point"
    assert refused(lambda: shoot(table, "b2", at=(1, 0)))[0] == "bad_path_point"
    assert refused(lambda: shoot(table, "b1"))[0] == "not_on_guard"
    assert shoot(table, "b2", 1, at=(0, 500)) == [
        "decision_closed",
        "attack_resolved",
        "condition_lost b2 on_guard shot",
        "moved a1 16000,20000",
    ]


def test_whoever_is_killed_lies_where_it_was_shot_at() -> None:
    # E46
    table = battle(START, FRIEND, guard("b1", 12_000))
    move(table)
    assert shoot(table, "b1", HIT, WOUND, at=(0, 250)) == [
        "decision_closed",
        "moved a1 11500,20000 guard",
        "attack_resolved",
        "hurt a1 attack",
        "felled a1 attack",
        "condition_lost b1 on_guard shot",
    ]
    assert spot(table, "a1") == (11_500, 20_000)


def test_whoever_panics_flees_from_where_it_was_shot_at() -> None:
    # A miss from ambush: the unit tests its nerve all the same (ML-AMB-5).
    table = battle(START, FRIEND, guard("b1", 12_000, "masked"))
    move(table)
    effects = shoot(table, "b1", 1, 6, 6, at=(0, 250))
    assert effects[1] == "moved a1 11500,20000 guard"
    assert effects[-3:] == [
        "condition_gained a1 fleeing panic",
        "moved a1 5500,20000 panic",
        "condition_lost b1 on_guard shot",
    ]


def test_after_a_shot_at_another_it_flees_from_the_furthest_point() -> None:
    mate = warrior("a2", 11_000, 24_000, unit="A1")
    table = battle(START, mate, guard("b1", 12_000), guard("b2", 12_000 + 1100, "masked"))
    move(table)
    shoot(table, "b1", 1, at=(0, 500))
    effects = shoot(table, "b2", 1, 6, 6, target="a2", at=(0, 900))
    assert [each for each in effects if each.startswith("moved")] == [
        "moved a1 7000,20000 panic",
        "moved a2 5000,24000 panic",
    ]


def test_a_charger_is_no_engaged_target_on_its_way() -> None:
    # In the end of its path it is in contact with whom it charges, and may be shot at still.
    table = battle(START, FRIEND, guard("b1", 17_100), warrior("b2", 16_100, 20_000))
    charge = {
        "type": "charge",
        "combatant": "a1",
        "target": "b2",
        "path": [{"x": 15_000, "y": 20_000}],
    }
    table.ask(charge, "ann")
    assert shoot(table, "b1", 1, at=(0, 1000)) == [
        "decision_closed",
        "moved a1 15000,20000",
        "attack_resolved",
        "condition_lost b1 on_guard shot",
    ]


def test_progress_outlasts_a_window_that_becomes_void() -> None:
    table = battle(START, FRIEND, guard("b1", 12_000), guard("b2", 13_500))
    move(table)
    shoot(table, "b1", 1, at=(0, 500))
    off = {"type": "condition", "combatant": "b2", "condition": "on_guard", "holds": False}
    effects = told(effects_of(table.ask({"type": "adjust", "changes": [off]})))
    assert effects[-2:] == ["decision_closed", "moved a1 16000,20000"]


def test_whom_the_game_master_puts_elsewhere_stays_there() -> None:
    table = battle(START, FRIEND, guard("b1", 12_000))
    move(table)
    put = {"type": "place", "combatant": "a1", "place": {"x": 5000, "y": 5000}}
    table.ask({"type": "adjust", "changes": [put]})
    [(decision, _)] = table.questions
    answer = {"type": "answer", "decision_id": decision, "choice": {"type": "pass"}}
    assert told(effects_of(table.ask(answer, "bob"))) == ["decision_closed"]
    assert spot(table, "a1") == (5000, 5000)


def test_a_guard_shoots_no_further_than_the_mover_comes() -> None:
    hidden = warrior("b2", 13_000, 20_000, hidden=True)
    table = battle(START, FRIEND, guard("b1", 12_000), hidden)
    move(table)
    shown: Any = table.shown(len(table.events), "ann")
    assert "b2" not in str(shown)
    assert "reach" not in str(shown)
    assert refused(lambda: shoot(table, "b1", at=(0, 334)))[0] == "bad_path_point"
    assert shoot(table, "b1", 1, at=(0, 333)) == [
        "decision_closed",
        "moved a1 11998,20000 guard",
        "attack_resolved",
        "condition_lost b1 on_guard shot",
        "moved a1 11998,20000 contact",
        "revealed b2 contact",
    ]


def test_a_path_that_waits_is_not_cut_for_who_has_been_revealed_and_left() -> None:
    hidden = warrior("b2", 13_000, 20_000, hidden=True)
    table = battle(START, FRIEND, guard("b1", 12_000), hidden)
    move(table)
    away = {"type": "place", "combatant": "b2", "place": {"x": 30_000, "y": 2_000}}
    table.ask({"type": "adjust", "changes": [away]})
    [(decision, _)] = table.questions
    answer = {"type": "answer", "decision_id": decision, "choice": {"type": "pass"}}
    effects = told(effects_of(table.ask(answer, "bob")))
    assert effects == ["decision_closed", "moved a1 16000,20000"]
