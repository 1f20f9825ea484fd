"""What players take back of their walks: one that is whole in its own event, and no other."""

from typing import Any

import pytest

from service.encounters.views import own_undo
from service.errors import Refused
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.setups import blade, fighter, rifle
from tests.rulesets.tactical_d20.v3.setups import SECOND, all_passed, battle
from tests.rulesets.tactical_d20.walks import place, swordsman, walk

Tree = dict[str, Any]

STEP = walk("a", (1, 0), (2, 0))
FAR = fighter("b", "blue", 40, 0)


def back(table: Table, by: str = "ann", to: int = 2) -> str | None:
    """What a seat is refused with that goes back to before its action; None if it may."""
    try:
        table.ask({"type": "rewind", "to": to}, by)
    except Refused as refused:
        return refused.code
    return None


def bar(table: Table, by: str = "ann") -> tuple[object, object]:
    """How far a seat may go back and why no further, as it is shown."""
    undo = own_undo(table.state, len(table.events), table.who(by))
    return undo.get("undo_to"), undo.get("undo_bar")


def walked(*others: Tree, asked: Tree = STEP, ruleset: Any = None, **more: Any) -> Table:
    """Ann has her a walk from (0, 0)."""
    if ruleset is not None:
        more["ruleset"] = ruleset
    table = battle(fighter("a", "red", 0, 0), *others, **more)
    table.ask(asked, "ann")
    return table


def test_a_walk_that_nobody_was_asked_about_is_taken_back_by_its_player() -> None:
    table = walked(FAR)
    assert [each["complete"] for each in effects_of(table.events[-1])[1:]] == [True]
    assert bar(table)[0] == 2
    assert back(table, "bob") == "rewind_not_allowed"
    assert back(table) is None
    assert (place(table, "a"), table.combatant("a").move_left) == ((0, 0), 1)


def test_several_walks_and_free_actions_are_taken_back_together() -> None:
    table = walked(FAR)
    table.ask(walk("a", (3, 0)), "ann")
    table.ask({"type": "drop_prone", "combatant": "a"}, "ann")
    assert back(table) is None
    assert place(table, "a") == (0, 0)


def test_no_walk_is_taken_back_in_the_version_before() -> None:
    table = walked(FAR, ruleset=SECOND)
    assert bar(table) == (None, "asked_somebody")
    assert back(table) == "rewind_not_allowed"


@pytest.mark.parametrize("hidden", [False, True], ids=["seen", "unseen"])
@pytest.mark.parametrize("at", [(1, 1), (2, 1)], ids=["before the first step", "on the way"])
def test_a_walk_that_somebody_was_asked_about_stays(hidden: bool, at: tuple[int, int]) -> None:
    table = walked(swordsman("g", "blue", *at, hidden=hidden))
    assert back(table) == "rewind_not_allowed"
    all_passed(table)
    while table.state.rule.pending:
        all_passed(table)
    assert place(table, "a") == (2, 0)
    assert back(table) == "rewind_not_allowed"


def test_a_walk_that_met_something_stays() -> None:
    for secret in (
        {"hidden_terrain": {"cells": [{"x": 2, "y": 0, "wall": True}]}},
        {},
    ):
        others = [FAR] if secret else [fighter("h", "green", 2, 0, hidden=True), FAR]
        table = walked(*others, **secret)
        assert place(table, "a") == (1, 0)
        assert back(table) == "rewind_not_allowed"


def test_nothing_is_taken_back_behind_the_deed_of_another() -> None:
    table = walked(FAR)
    table.ask({"type": "end_turn", "combatant": "a"}, "ann")
    table.ask(walk("b", (41, 0)), "bob")
    assert back(table) == "rewind_not_allowed"
    assert back(table, "bob", 4) is None


def test_shots_and_guesses_stay_whether_or_not_they_hit() -> None:
    for asked in (
        {"type": "attack", "combatant": "a", "weapon": "rifle", "target": "b"},
        {"type": "attack_cell", "combatant": "a", "weapon": "rifle", "cell": {"x": 9, "y": 0}},
    ):
        table = battle(fighter("a", "red", 0, 0, weapons=[rifle(), blade()]), FAR)
        table.ask(asked, "ann")
        assert back(table) == "rewind_not_allowed"


def test_whether_a_walk_may_be_taken_back_says_no_more_than_the_walk_itself() -> None:
    """Two battles that differ in somebody hidden far from the path: the same walk, the same bar."""
    shown = []
    for at in ((20, 20), (30, 3)):
        table = walked(FAR, swordsman("h", "blue", *at, hidden=True))
        event: Any = table.shown(3, "ann")
        shown.append((event, bar(table)))
    assert shown[0] == shown[1]
