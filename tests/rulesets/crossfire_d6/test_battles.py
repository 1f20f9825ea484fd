"""Whole battles at random: nothing sampled is refused, and the log says all that happened."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.engine.battle import fold
from service.engine.battle.state import Linear, State
from service.engine.log.canonical import encode
from service.errors import Forbidden, Malformed, Refused
from service.rulesets.crossfire_d6.evolve import initial
from service.rulesets.crossfire_d6.state import BattleState
from tests.replay.evidence import audit
from tests.rulesets.crossfire_d6.battles import play, random_setup
from tests.rulesets.crossfire_d6.table import RULESET, Table, fighter, rifle
from tests.rulesets.naming import require_named
from tests.rulesets.reseating import EVERY_WAY, Reseating
from tests.rulesets.seated import effects_of
from tests.rulesets.table import tree_of
from tests.toy.table import SEED

PLAYER_OF = {"red": "ann", "blue": "bob", "green": "gm"}
BATTLES = range(12)
EVENTS = 120


@pytest.mark.parametrize("number", BATTLES)
def test_sampled_actions_are_never_refused_and_do_what_the_preview_said(number: int) -> None:
    table = Table(random_setup(number))
    play(table, number, EVENTS, deed=foretold)


@pytest.mark.parametrize("number", BATTLES)
def test_the_game_master_is_told_exactly_what_happens_also_where_things_are_hidden(
    number: int,
) -> None:
    table = Table(random_setup(number, with_secrets=True))
    play(table, number, EVENTS, deed=foretold)
    require_named(table)


TOLD = ("base", "pool", "breakdown", "position", "line", "distance_ft", "attacked_from", "obscured")


def foretold(table: Table, action: dict[str, Any], by: str) -> None:
    preview = table.preview(action, by)
    effects = effects_of(table.ask(action, by))
    attacks: list[Any] = [each for each in effects if each["type"] == "attack_resolved"]
    if attacks:
        told, detail = tree_of(preview.facts), attacks[0]["detail"]
        assert {n: told[n] for n in TOLD if n in told} == {
            n: detail[n] for n in TOLD if n in detail
        }
        chances = {each.outcome: int(each.num) for each in preview.odds}
        assert chances[attacks[0]["outcome"]] > 0
    moves: list[Any] = [each for each in effects if each["type"] == "moved"]
    if moves:
        assert moves[0]["cost"] == preview.facts["cost_ft"]


@pytest.mark.parametrize("number", BATTLES)
def test_players_who_do_not_know_everything_meet_outcomes_not_refusals(number: int) -> None:
    table = Table(random_setup(number, with_secrets=True))
    play(table, number, EVENTS, by=PLAYER_OF.__getitem__)
    require_named(table)


@pytest.mark.parametrize("number", BATTLES)
def test_folding_the_stored_events_gives_the_live_state(number: int) -> None:
    table = Table(random_setup(number, with_secrets=True))
    play(table, number, EVENTS, by=PLAYER_OF.__getitem__)
    folded = refolded(table)
    assert encode(folded.rule) == encode(table.state.rule)
    assert encode(folded.linear) == encode(table.state.linear)


def refolded(table: Table) -> State[BattleState]:
    created: Any = table.stored(1).effects[0]
    blobs = table.state.blobs
    states = {0: State(initial(created), Linear(), blobs)}
    for seq in range(1, len(table.events) + 1):
        event = table.stored(seq)
        before = State(states[event.base].rule, states[seq - 1].linear, blobs)
        states[seq] = fold.apply(RULESET, before, event)
    return states[len(table.events)]


@pytest.mark.parametrize("number", range(4))
def test_a_battle_with_rewinds_goes_on_from_where_it_went_back_to(number: int) -> None:
    table = Table(random_setup(number))
    dice = Random(number)

    def deed(table: Table, action: dict[str, Any], by: str) -> None:
        table.ask(action, by)
        if dice.random() < 0.1:
            table.ask({"type": "rewind", "to": dice.randint(2, len(table.events))})

    play(table, number, EVENTS, deed=deed)
    assert encode(refolded(table).rule) == encode(table.state.rule)


@pytest.mark.parametrize("number", range(6))
def test_seats_come_and_go_over_rewinds_and_the_log_audits_clean(number: int) -> None:
    table = Table(random_setup(number, with_secrets=True))
    reseat(table, number)
    folded = refolded(table)
    assert encode(folded.rule) == encode(table.state.rule)
    assert encode(folded.linear) == encode(table.state.linear)
    report = audit(table, seed=SEED)
    assert report.clean, report.first_failure
    require_named(table)


def reseat(table: Table, number: int) -> Reseating:
    """Play on while seats change and the game master goes back now and then."""
    seats, dice = Reseating(number), Random(number)

    def deed(table: Table, action: dict[str, Any], by: str) -> None:
        table.ask(action, by)
        seats(table)
        if dice.random() < 0.1:
            table.ask({"type": "rewind", "to": dice.randint(2, len(table.events))})
            seats(table)

    play(table, number, EVENTS, by=PLAYER_OF.__getitem__, deed=deed)
    return seats


def test_in_these_battles_seats_change_in_every_way() -> None:
    done: set[str] = set()
    for number in range(6):
        done |= reseat(Table(random_setup(number, with_secrets=True)), number).done
    assert done >= EVERY_WAY


def test_the_same_seed_and_actions_give_the_same_bytes() -> None:
    first, second = Table(random_setup(3)), Table(random_setup(3))
    play(first, 3, EVENTS)
    play(second, 3, EVENTS)
    assert [each.body for each in first.sealed] == [each.body for each in second.sealed]


def test_another_hash_seed_gives_the_same_bytes() -> None:
    script = (
        "from tests.rulesets.crossfire_d6.battles import play, random_setup\n"
        "from tests.rulesets.crossfire_d6.table import Table\n"
        "table = Table(random_setup(5, with_secrets=True))\n"
        "play(table, 5, 60)\n"
        "print(table.sealed[-1].hash)\n"
    )
    root = Path(__file__).parents[3]
    hashes = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(hashes) == 1


WORDS = {
    "combatant": ["f0", "f1", "f2", "nobody"],
    "target": ["f0", "f1", "f3", "nobody"],
    "against": ["f0", "f1", "f5", "nobody"],
    "weapon": ["rifle", "blade", "spoon"],
    "posture": ["open", "in_cover", "blocked"],
    "facing": ["N", "SW"],
    "seat": ["ann", "bob", "zoe"],
    "role": ["gm", "player", "observer"],
}
SHAPES: list[tuple[str, list[str]]] = [
    ("move", ["combatant", "path"]),
    ("move", ["combatant", "path", "posture", "facing"]),
    ("change_posture", ["combatant", "posture"]),
    ("set_facing", ["combatant", "facing"]),
    ("ranged_attack", ["combatant", "weapon", "target"]),
    ("ranged_attack", ["combatant", "weapon", "target", "reckless"]),
    ("melee_attack", ["combatant", "weapon", "target"]),
    ("hide", ["combatant", "against"]),
    ("go_prone", ["combatant"]),
    ("stand_up", ["combatant"]),
    ("end_turn", ["combatant"]),
    ("start_encounter", []),
    ("remove_combatant", ["combatant"]),
    ("assign_control", ["seat"]),
    ("add_seat", ["guest"]),
    ("change_seat", ["seat", "role"]),
    ("remove_seat", ["seat"]),
    ("configure", ["options", "map"]),
    ("add_combatant", ["newcomer"]),
    ("set_terrain", ["cells"]),
    ("set_terrain", ["cells", "secret"]),
    ("adjust", ["changes"]),
    ("note", ["text"]),
]


NAMES = {"newcomer": "combatant", "guest": "seat"}


def random_action(dice: Random) -> dict[str, Any]:
    """An action that can be read, mostly nonsense."""
    name, fields = dice.choice(SHAPES)
    action: dict[str, Any] = {"type": name}
    for field in fields:
        action[NAMES.get(field, field)] = random_value(dice, field)
    return action


def random_value(dice: Random, field: str) -> Any:
    x, y = dice.randint(-1, 18), dice.randint(-1, 12)
    values: dict[str, Any] = {
        "path": [{"x": x, "y": y}, {"x": x + 1, "y": y}][: dice.randint(1, 2)],
        "reckless": True,
        "secret": True,
        "options": {"crossfire_cap": 1},
        "map": {"form": "ascii", "rows": ["...", ".#."]},
        "newcomer": fighter(dice.choice(["f0", "g1", "g2"]), "red", x, y, weapons=[rifle()]),
        "cells": [{"x": x, "y": y, "kind": dice.choice(["solid", "cover", "free"])}],
        "changes": [random_change(dice, x, y)],
        "text": "hear, hear",
        "guest": {"id": dice.choice(WORDS["seat"]), "role": "player", "combatants": ["f1"]},
    }
    return values[field] if field in values else dice.choice(WORDS[field])


def random_change(dice: Random, x: int, y: int) -> dict[str, Any]:
    changes: list[dict[str, Any]] = [
        {"type": "hp", "value": dice.randint(-30, 30)},
        {"type": "place", "place": {"x": x, "y": y}},
        {"type": "condition", "condition": "helpless", "holds": dice.random() < 0.3},
        {"type": "condition", "condition": "dead", "holds": False},
        {"type": "resource", "resource": "actions", "value": 3},
        {"type": "stat", "stat": "speed_ft", "value": dice.randint(-1, 250)},
        {"type": "reveal"},
        {"type": "hide"},
        {"type": "position", "versus": "f1", "position": "blocked"},
        {"type": "position", "versus": "f1"},
        {"type": "pin", "count": 4},
        {"type": "pin", "count": 1, "origin": {"x": x, "y": y}},
        {"type": "facing", "facing": "E"},
        {"type": "posture", "posture": "in_cover"},
        {"type": "ready", "weapon": dice.choice(["rifle", "spoon"]), "ready": False},
    ]
    return {**dice.choice(changes), "combatant": dice.choice(WORDS["combatant"])}


@pytest.mark.parametrize("number", range(6))
def test_whatever_is_asked_is_done_whole_or_refused_without_a_trace(number: int) -> None:
    table = Table(random_setup(number, with_secrets=True))
    dice = Random(number)
    table.ask({"type": "start_encounter"})
    for _ in range(400):
        before, stored = table.state, len(table.events)
        by = dice.choice(["gm", "gm", "ann", "bob", "eve"])
        try:
            table.ask(random_action(dice), by)
        except (Refused, Forbidden, Malformed):
            assert table.state is before
            assert len(table.events) == stored
        require_sound(table.state.rule)
    assert encode(refolded(table).rule) == encode(table.state.rule)


def require_sound(rule: BattleState) -> None:
    """Everybody is in the order once, and a turn belongs to somebody who can act."""
    everyone = [each.id for each in rule.combatants]
    assert sorted(rule.order) == sorted(everyone)
    assert [score.combatant for score in rule.scores] == list(rule.order)
    able = [c.id for c in rule.combatants if not {"helpless", "dead"} & set(c.conditions)]
    assert (rule.turn in able) if able else not rule.turn
    assert not any(len(set(c.conditions)) < len(c.conditions) for c in rule.combatants)


def test_a_refusal_draws_nothing_so_the_next_dice_are_the_same() -> None:
    plain, disturbed = Table(random_setup(8)), Table(random_setup(8))
    for table in (plain, disturbed):
        table.ask({"type": "start_encounter"})
    combatant = plain.turn
    assert combatant is not None
    shot = {"type": "ranged_attack", "combatant": combatant, "weapon": "spoon", "target": "f1"}
    with pytest.raises(Refused):
        disturbed.ask(shot)
    for table in (plain, disturbed):
        table.ask({"type": "end_turn", "combatant": combatant})
    assert plain.sealed[-1].body == disturbed.sealed[-1].body
