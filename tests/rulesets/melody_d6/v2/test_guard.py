"""What version 2 has otherwise: shots at those who are on their way no more, and nothing else."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from service.engine.battle.actors import Actor
from service.rulesets import RULESETS
from service.rulesets.melody_d6.v2.rules.guard import is_met_while_it_goes_on
from tests.kit.given_when_then import Given, given, preview
from tests.kit.odds import counted
from tests.kit.odds import told as foretold
from tests.kit.random_battles import play
from tests.kit.table import SEED, Table, seated, tree_of
from tests.replay.memory_audit import audit
from tests.rulesets.melody_d6.battles import random_setup
from tests.rulesets.melody_d6.field import told
from tests.rulesets.melody_d6.odds import FOREMOST
from tests.rulesets.melody_d6.skirmishes import (
    PASS,
    Tree,
    answer,
    conditions,
    creation,
    guard,
    move,
    pending,
    place,
    shot,
    warrior,
)
from tests.rulesets.melody_d6.skirmishes import effects_of as came_of
from tests.rulesets.melody_d6.v2.golden import raids

FIRST, SECOND = (RULESETS["melody-d6", version] for version in ("1", "2"))
START, FLED = (10_000, 20_000), (7000, 20_000)
WALK = move("a1", (16_000, 20_000))
CHARGE = {**move("a1", (15_000, 20_000)), "type": "charge", "target": "b3"}
IN_THE_MIDDLE = (0, 500)
MISS = 2
PANIC = (MISS, 6, 6)
"""A shot from ambush that misses, and nerves that fail."""
SHOT = "attack_resolved"


@pytest.mark.rule("ML-GUARD-13")
@pytest.mark.parametrize("goes_on", [True, False])
def test_a_mover_is_met_on_its_way_as_long_as_it_goes_on(goes_on: bool) -> None:
    assert is_met_while_it_goes_on(goes_on) == goes_on


def before_guards(ruleset: Any = SECOND, x: int = 20_000, **sheet: Any) -> Given:
    """a1 may move in front of b1, who shoots from ambush, and of b2 and b3, who have rifles.

    b3 is at `x` in a1's way, or beyond its end.
    """
    battle = {"round": 1, "first_side": "a", "turn_side": "a", "turn_unit": "A1"}
    return given(
        ruleset,
        creation(
            warrior("a1", *START, **sheet),
            warrior("a2", 3000, 3000),
            guard("b1", 12_000, 28_000, "longbow", conditions=["masked"]),
            guard("b2", 14_000, 28_000),
            guard("b3", x, 20_000),
            battle={**battle, "phase": "movement"},
        ),
    )


def panicked(battle: Given, action: Tree = WALK) -> Given:
    """a1 flees from the middle of its way, and the other guards are asked."""
    battle.when(action, by="ann")
    answer(battle, shot("b1", "a1", IN_THE_MIDDLE, "longbow"), dice=PANIC)
    assert conditions(battle, "a1")[-1] == "fleeing"
    return battle


def put_elsewhere(battle: Given, x: int, y: int) -> Given:
    """a1 is on its way, and the game master puts it somewhere while the guards are asked."""
    battle.when(WALK, by="ann")
    there = {"type": "place", "combatant": "a1", "place": {"x": x, "y": y}}
    battle.when({"type": "adjust", "changes": [there]})
    return battle


def pass_on(battle: Given) -> list[str]:
    """What comes of it if the next guard does not shoot."""
    return told(came_of(answer(battle, PASS)))


def shot_by(
    battle: Given, name: str = "b2", at: tuple[int, int] | None = (0, 700), *dice: int
) -> list[str]:
    """What comes of a guard's shot at a1."""
    return told(came_of(answer(battle, shot(name, "a1", at), dice=dice or (MISS,))))


MISSED = [
    "decision_closed",
    "attack_resolved",
    "condition_lost b2 on_guard shot",
    "decision_opened guard_window",
]
"""All that comes of a shot of b2 that moves nobody."""


@pytest.mark.parametrize("at", [None, (0, 499), (0, 500), (0, 700), (0, 1001), (7, 0)])
def test_whoever_has_fled_is_shot_at_where_it_stands(at: tuple[int, int] | None) -> None:
    battle = panicked(before_guards())
    assert shot_by(battle, "b2", at) == MISSED
    assert place(battle, "a1") == FLED
    assert pass_on(battle) == ["decision_closed"]
    assert place(battle, "a1") == FLED


def test_version_1_puts_it_back_on_its_way() -> None:
    battle = panicked(before_guards(FIRST))
    assert shot_by(battle)[1] == "moved a1 14200,20000 guard"
    assert place(battle, "a1") == (14_200, 20_000)


def test_its_death_is_where_it_stands() -> None:
    battle = panicked(before_guards())
    shot_by(battle, "b2", (0, 700), 3, 3)
    assert (place(battle, "a1"), conditions(battle, "a1")) == (FLED, ("out",))


def test_whoever_was_put_elsewhere_is_shot_at_there_and_goes_no_further() -> None:
    battle = put_elsewhere(before_guards(), 10_000, 15_000)
    assert shot_by(battle) == MISSED
    assert pass_on(battle) == ["decision_closed"]
    assert place(battle, "a1") == (10_000, 15_000)


def test_whoever_was_put_back_goes_on() -> None:
    battle = put_elsewhere(before_guards(), 10_000, 15_000)
    back = {"type": "place", "combatant": "a1", "place": {"x": START[0], "y": START[1]}}
    battle.when({"type": "adjust", "changes": [back]})
    assert shot_by(battle)[1] == "moved a1 14200,20000 guard"


def test_whoever_is_out_of_sight_where_it_stands_is_not_shot_at_on_its_path() -> None:
    battle = put_elsewhere(before_guards(), 36_000, 5000)
    refused = {"target": "a1", "sight": 24_000}
    answer(battle, shot("b2", "a1", (0, 700)), by="bob").refused(
        "out_of_sight", "ML-SHOOT-1", **refused
    )


def test_a_mover_is_still_never_behind_and_never_off_its_path() -> None:
    battle = before_guards()
    battle.when(WALK, by="ann")
    answer(battle, shot("b1", "a1", IN_THE_MIDDLE, "longbow"), dice=(MISS, 1, 1))
    answer(battle, shot("b2", "a1", (0, 499)), by="bob").refused(
        "behind_mover", "ML-GUARD-9", leg=0, permille=499, allowed={"leg": 0, "permille": 500}
    )
    assert shot_by(battle)[1] == "moved a1 14200,20000 guard"


def reasons(battle: Given) -> list[str]:
    """What changed the last shot."""
    [attack] = [e for e in tree_of(battle.table.events[-1])["effects"] if e["type"] == SHOT]
    return [line.get("note", line["rule"]) for line in attack["detail"]["breakdown"]]


@pytest.mark.parametrize(("ruleset", "found"), [(FIRST, ["guard_charged"]), (SECOND, [])])
def test_whoever_has_fled_charges_nobody(ruleset: Any, found: list[str]) -> None:
    battle = panicked(before_guards(ruleset, x=16_000), CHARGE)
    shot_by(battle, "b3", None)
    assert reasons(battle) == found


def test_a_charger_on_its_way_still_makes_the_guard_nervous() -> None:
    battle = before_guards(x=16_000)
    battle.when(CHARGE, by="ann")
    shot_by(battle, "b3")
    assert reasons(battle) == ["guard_charged"]


def targets_of(battle: Given) -> dict[str, Tree]:
    """Whom b2 may shoot at, with what its shot may state."""
    [node] = battle.table.legal_of(Actor(side="b"), "bob")
    [shots, _] = tree_of(node.params)["choice"]["params"]["type"]["one_of"]
    guards = {each["value"]: each["params"] for each in shots["params"]["combatant"]["one_of"]}
    [rifle] = guards["b2"]["weapon"]["one_of"]
    targets: list[Any] = rifle["params"]["target"]["one_of"]
    return {each["value"]: each["params"] for each in targets if isinstance(each, dict)} | {
        each: {} for each in targets if isinstance(each, str)
    }


def test_no_point_of_its_path_is_offered_for_whoever_has_fled() -> None:
    assert targets_of(panicked(before_guards())) == {"a1": {}}
    assert list(targets_of(panicked(before_guards(FIRST)))["a1"]) == ["path_point"]


@pytest.mark.parametrize("at", [None, (0, 700)])
def test_its_preview_shows_where_it_stands(at: tuple[int, int] | None) -> None:
    battle = panicked(before_guards(x=16_000), CHARGE)
    shown = foreseen(battle, "b3", at)
    assert {name: shown.get(name) for name in ("place", "breakdown")} == {
        "place": None,
        "breakdown": [],
    }
    before = foreseen(panicked(before_guards(FIRST, x=16_000), CHARGE), "b3", at)
    assert (before["place"]["x"], [line["note"] for line in before["breakdown"]]) == (
        12_500 if at is None else 13_500,
        ["guard_charged"],
    )


def chosen(battle: Given, choice: Tree) -> Tree:
    """The answer to the open question with this choice."""
    question = pending(battle)
    assert question is not None
    return {"type": "answer", "decision_id": question["id"], "choice": choice}


def foreseen(battle: Given, name: str, at: tuple[int, int] | None) -> Tree:
    """The facts of the preview of a guard's shot at a1."""
    action = chosen(battle, shot(name, "a1", at))
    facts: Tree = preview(battle.table, action, by="bob")["facts"]["shot"]
    return facts


def test_the_odds_of_a_shot_at_whoever_has_fled_are_those_of_every_face() -> None:
    battle = panicked(before_guards(x=16_000), CHARGE)
    action = chosen(battle, shot("b3", "a1", (0, 700)))
    odds = foretold(FOREMOST, battle.table, action)
    assert odds == counted(battle.table, action, FOREMOST, 6)


# --- battles of version 1, decided by version 2 ---------------------------------------------------


def differing(table: Table) -> list[int]:
    """The events of a battle of version 1 that version 2 decides otherwise; it audits clean."""
    assert audit(table, seed=SEED).clean
    later = {("melody-d6", "1"): replace(SECOND, version="1", create=FIRST.create)}
    verdicts = audit(table, seed=SEED, rulesets=later).verdicts
    return [each.seq for each in verdicts if each.verdict not in ("match", "override")]


def put_back(table: Table) -> Iterator[int]:
    """The events in which a guard's shot moved somebody who fled, or took it for a charger."""
    for event in table.events:
        effects: list[Any] = tree_of(event.effects)
        shots = [e for e in effects if e["type"] == SHOT and e["detail"]["mode"] == "guard"]
        for each in shots:
            before: Any = table.rules[event.seq - 1]
            [target] = [it for it in before.combatants if it.id == each["target"]]
            moved = [e["combatant"] for e in effects if e["type"] == "moved"]
            lines = [line.get("note") for line in each["detail"]["breakdown"]]
            is_met = target.id in moved or "guard_charged" in lines
            if "fleeing" in target.conditions and is_met:
                yield event.seq


@pytest.mark.parametrize("number", range(2))
def test_version_1_decided_by_version_2_differs_where_a_shot_put_somebody_back(number: int) -> None:
    table = raids(FIRST, number, 8)
    changed = differing(table)
    assert changed
    assert changed == list(put_back(table))


@pytest.mark.parametrize("number", range(3))
def test_and_nowhere_else(number: int) -> None:
    table = seated(FIRST, random_setup(number))
    play(table, number, 120)
    assert differing(table) == list(put_back(table))
