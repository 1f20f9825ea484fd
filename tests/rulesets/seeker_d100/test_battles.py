"""Whole battles at random: nothing sampled is refused, and the log says all that happened."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.engine.battle import fold
from service.engine.battle.state import Linear, State
from service.engine.log.canonical import encode
from service.engine.vocabulary.values import DiceMode
from service.errors import Forbidden, Malformed, Refused
from service.rulesets.seeker_d100.evolve import initial
from service.rulesets.seeker_d100.state import BattleState
from tests.replay.evidence import audit
from tests.rulesets.naming import require_named
from tests.rulesets.reseating import EVERY_WAY, Reseating
from tests.rulesets.seated import effects_of
from tests.rulesets.seeker_d100.battles import (
    PLAYER_OF,
    Action,
    ask,
    next_deed,
    play,
    random_change,
    random_setup,
)
from tests.rulesets.seeker_d100.soundness import require_explained, require_sound
from tests.rulesets.seeker_d100.table import RULESET, Table, battle_of, fighter, only, wall, weapon
from tests.rulesets.table import tree_of
from tests.toy.table import SEED

BATTLES = range(12)
EVENTS = 120
by_player = PLAYER_OF.__getitem__


def sound(table: Table, action: Action, by: str) -> None:
    """Take an action; state and wounds must make sense, and 0 health is death."""
    ask(table, action, by)
    require_sound(table.state.rule)
    for wound in only(effects_of(table.events[-1]), "hurt"):
        require_explained(table.state.rule, wound)
    for combatant in table.state.rule.combatants:
        assert combatant.health or "dead" in combatant.conditions


FORETOLD = ("mode", "base", "breakdown", "pool")


def foretold(table: Table, action: Action, by: str) -> None:
    """Take an action; the game master was told exactly who is asked and what is rolled for."""
    told = None if action["type"] == "force_pass" else table.preview(action, by)
    sound(table, action, by)
    effects = effects_of(table.events[-1])
    if told is None:
        return
    facts = tree_of(told.facts)
    asked = [each["decision"]["combatant"] for each in only(effects, "decision_opened")]
    assert [each["combatant"] for each in facts.get("asks", [])] == asked
    resolved = [*only(effects, "attack_resolved"), *only(effects, "area_resolved")]
    if resolved and "roll" in resolved[0]["detail"]:
        detail = resolved[0]["detail"]
        assert {name: facts[name] for name in FORETOLD} == {n: detail[n] for n in FORETOLD}
        chances = {each.outcome: int(each.num) for each in told.odds}
        if "target" in resolved[0] and action["type"] != "answer":
            assert chances[resolved[0]["outcome"]] > 0


@pytest.mark.parametrize("with_secrets", [False, True])
@pytest.mark.parametrize("number", BATTLES)
def test_nothing_sampled_is_refused_and_all_is_foretold(number: int, with_secrets: bool) -> None:
    table = Table(random_setup(number, with_secrets=with_secrets))
    play(table, number, EVENTS, deed=foretold)
    assert len(table.events) > EVENTS // 4
    require_named(table)


@pytest.mark.parametrize("number", BATTLES)
def test_players_who_do_not_know_everything_meet_outcomes_not_refusals(number: int) -> None:
    table = Table(random_setup(number, with_secrets=True))
    play(table, number, EVENTS, by=by_player, deed=sound)
    folded = refolded(table)
    assert encode(folded.rule) == encode(table.state.rule)
    assert encode(folded.linear) == encode(table.state.linear)


@pytest.mark.parametrize("number", range(6))
def test_a_battle_with_the_tables_own_dice_goes_the_same_ways(number: int) -> None:
    table = Table(random_setup(number, with_secrets=True), dice="supplied")
    play(table, number, EVENTS, by=by_player, deed=sound)
    assert encode(refolded(table).rule) == encode(table.state.rule)
    require_named(table)


def refolded(table: Table) -> State[BattleState]:
    created: Any = table.stored(1).effects[0]
    blobs = table.state.blobs
    states = {0: State(initial(created), Linear(), blobs)}
    for seq in range(1, len(table.events) + 1):
        event = table.stored(seq)
        before = State(states[event.base].rule, states[seq - 1].linear, blobs)
        states[seq] = fold.apply(RULESET, before, event)
    return states[len(table.events)]


BLOWS: tuple[dict[str, Any], ...] = (
    {"type": "hp", "value": 0},
    {"type": "condition", "condition": "unaware"},
    {"type": "condition", "condition": "unconscious"},
    {"type": "resource", "resource": "action", "value": 0},
    {"type": "place", "place": {"x": 90, "y": 90}},
    {"type": "stat", "stat": "dodge", "value": 9},
)
"""What most often makes an answer, or the attack itself, impossible."""


class Overruled:
    """Takes what is sampled; sometimes the game master changes something or goes back.

    Both come while decisions are open as often as not, and so do changes of `seats`.
    """

    def __init__(self, number: int, seats: Callable[[Table], object] = lambda table: None) -> None:
        self._dice = Random(number)
        self._seats = seats

    def __call__(self, table: Table, action: Action, by: str) -> None:
        ask(table, action, by)
        self._seats(table)
        require_sound(table.state.rule)
        chance = self._dice.random()
        if chance < 0.1:
            back = {"type": "rewind", "to": self._dice.randint(2, len(table.events))}
            ask(table, back)
        elif chance < 0.35:
            with contextlib.suppress(Refused, Malformed):
                ask(table, self._word(table))
        self._seats(table)
        require_sound(table.state.rule)

    def _word(self, table: Table) -> Action:
        """Somebody is changed or taken away; where an attack waits, it may be over with that."""
        ids = [each.id for each in table.state.rule.combatants]
        asked = [who for _, who in table.asked if who in ids]
        if asked and table.turn is not None:
            who = self._dice.choice([*asked, *asked, table.turn])
            return {"type": "adjust", "changes": [{**self._dice.choice(BLOWS), "combatant": who}]}
        if len(table.state.rule.combatants) > 3 and self._dice.random() < 0.2:
            return {"type": "remove_combatant", "combatant": self._dice.choice(ids)}
        return {"type": "adjust", "changes": [any_change(self._dice, ids)]}


MODES: list[tuple[DiceMode, int]] = [
    *(("sealed", number) for number in BATTLES),
    *(("supplied", number) for number in range(4)),
]


@pytest.mark.parametrize(("mode", "number"), MODES)
def test_overruled_and_rewound_battles_go_on_and_audit_clean(mode: DiceMode, number: int) -> None:
    table = Table(random_setup(number, with_secrets=True), dice=mode)
    play(table, number, EVENTS, by=by_player, deed=Overruled(number))
    assert encode(refolded(table).rule) == encode(table.state.rule)
    report = audit(table, seed=None if mode == "supplied" else SEED)
    assert report.clean, report.first_failure
    assert set(report.counts) <= {"match", "override"}
    require_named(table)


@pytest.mark.parametrize(("mode", "number"), MODES[:4] + MODES[-4:])
def test_seats_come_and_go_meanwhile(mode: DiceMode, number: int) -> None:
    table = Table(random_setup(number, with_secrets=True), dice=mode)
    play(table, number, EVENTS, by=by_player, deed=Overruled(number, Reseating(number)))
    folded = refolded(table)
    assert encode(folded.rule) == encode(table.state.rule)
    assert encode(folded.linear) == encode(table.state.linear)
    report = audit(table, seed=None if mode == "supplied" else SEED)
    assert report.clean, report.first_failure


def test_in_these_battles_seats_change_in_every_way() -> None:
    done: set[str] = set()
    for mode, number in MODES[:4]:
        table, seats = Table(random_setup(number), dice=mode), Reseating(number)
        play(table, number, EVENTS, by=by_player, deed=Overruled(number, seats))
        done |= seats.done
    assert done >= EVERY_WAY


def test_these_battles_have_decisions_of_every_kind() -> None:
    closed: set[tuple[object, ...]] = set()
    is_reissued = False
    for number in range(6):
        table = Table(random_setup(number, with_secrets=True))
        play(table, number, EVENTS, by=by_player, deed=Overruled(number))
        told = [effect for event in table.events for effect in effects_of(event)]
        closed |= {(e.get("how"), e.get("choice")) for e in only(told, "decision_closed")}
        is_reissued |= any(each["decisions"] for each in only(told, "rewound"))
    assert is_reissued
    assert closed == {
        (None, None),
        ("answered", "dodge"),
        ("answered", "resist"),
        ("answered", "take_cover"),
        ("passed", "pass"),
        ("timeout", "pass"),
        ("forced", "pass"),
        ("void", None),
    }


def test_the_same_seed_and_actions_give_the_same_bytes() -> None:
    first, second = Table(random_setup(3)), Table(random_setup(3))
    play(first, 3, EVENTS)
    play(second, 3, EVENTS)
    assert [each.body for each in first.sealed] == [each.body for each in second.sealed]


def test_another_hash_seed_gives_the_same_bytes() -> None:
    script = (
        "from tests.rulesets.seeker_d100.battles import play, random_setup\n"
        "from tests.rulesets.seeker_d100.table import Table\n"
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


def test_an_answer_that_is_listed_is_taken_though_the_target_was_put_elsewhere() -> None:
    thrower = fighter("a", "red", 0, 0, weapons=[weapon("w_grenade")])
    people = [thrower, fighter("t", "blue", 20, 0), fighter("u", "blue", 20, 2)]
    board = {"cover": [wall(22)]}
    table = Table({"combatants": people, "map": board, "battle": battle_of(*people)})
    table.ask({"type": "start_encounter"})
    table.ask({"type": "attack", "combatant": "a", "weapon": "w_grenade", "target": "t"})
    away = {"type": "place", "combatant": "t", "place": {"x": 90, "y": 90}}
    table.ask({"type": "adjust", "changes": [away]})
    dives = [each for each in table.samples("u", 20) if each["choice"] != {"type": "pass"}]
    assert dives
    table.ask(dives[0], "bob")
    assert [who for _, who in table.asked] == ["t"]


# --- anything at all ------------------------------------------------------------------------------

IDS = ("f0", "f1", "f2", "f3", "nobody")
WEAPONS = ("w_unarmed", "w_knife", "w_pistol_small", "w_grenade", "axe", "bow", "spoon")


def random_action(table: Table, dice: Random) -> Action:
    """An action that can be read, mostly nonsense."""
    x, y = dice.randint(-1, 24), dice.randint(-1, 16)
    point, who = {"x": x, "y": y}, dice.choice(IDS)
    target, armed = dice.choice(IDS), dice.choice(WEAPONS)
    step: dict[str, Any] = {"step": {"to": point}} if dice.random() < 0.2 else {}
    attack = {"weapon": armed, "target": target}
    seq = dice.randint(0, len(table.events) + 2)
    decision = {"decision_id": f"d{seq}.{dice.randint(1, 2)}"}
    seat = dice.choice(["ann", "bob", "zoe"])
    choices: list[dict[str, Any]] = [
        {"type": "dodge"},
        {"type": "resist", "weapon": armed},
        {"type": "take_cover", "cover": "c1", "to": point},
        {"type": "roll"},
    ]
    actions: list[dict[str, Any]] = [
        {"type": "aim", "combatant": who, **step},
        {"type": "dodge", "combatant": who, **step},
        {"type": "resist", "combatant": who, "weapon": armed},
        {"type": "break_free", "combatant": who},
        {"type": "release", "combatant": who, **step},
        {"type": "end_turn", "combatant": who, **step},
        {"type": "attack", "combatant": who, **attack, **step},
        {"type": "attack", "combatant": who, **attack, "radius": 2, "shots": 2},
        {"type": "attack", "combatant": who, "weapon": armed, "point": point},
        {"type": "attack", "combatant": who, **attack, "intent": "block"},
        {"type": "called_shot", "combatant": who, **attack, "part": "head"},
        {"type": "called_shot", "combatant": who, **attack, "over_cover": True},
        {"type": "disarm", "combatant": who, "target": target, "item": "radio"},
        {"type": "grapple", "combatant": who, "target": target},
        {"type": "move", "combatant": who, "gait": "dash", "path": [point]},
        {"type": "move", "combatant": who, "gait": "jog", "path": [point], "test": {}},
        {"type": "answer", **decision, "choice": dice.choice(choices)},
        {"type": "force_pass", **decision},
        {"type": "start_encounter"},
        {"type": "remove_combatant", "combatant": who},
        {"type": "assign_control", "seat": seat},
        {"type": "add_seat", "seat": {"id": seat, "role": "player", "combatants": ["f1"]}},
        {"type": "change_seat", "seat": seat, "role": dice.choice(["gm", "player"])},
        {"type": "remove_seat", "seat": seat},
        {"type": "configure", "options": {"deck": 54}},
        {"type": "add_combatant", "combatant": fighter(dice.choice(["f0", "g1"]), "red", x, y)},
        {"type": "set_terrain", "changes": [random_change(dice, "c1")]},
        {"type": "set_terrain", "changes": [random_change(dice, "h1")], "secret": True},
        {"type": "set_terrain", "changes": [{"feature": "c2", "removed": True}]},
        {"type": "adjust", "changes": [any_change(dice, IDS)]},
        {"type": "note", "text": "hear, hear"},
    ]
    return dice.choice(actions)


def any_change(dice: Random, ids: Any) -> dict[str, Any]:
    """Something that the game master says, possible or not."""
    condition = dice.choice(["unaware", "unconscious", "dead", "aim", "standing_roll"])
    place = {"x": dice.randint(0, 24), "y": dice.randint(0, 16)}
    stat = dice.choice(["dodge", "strength", "health_max", "helmet", "body_armour"])
    changes: list[dict[str, Any]] = [
        {"type": "hp", "value": dice.randint(0, 40)},
        {"type": "place", "place": place},
        {"type": "condition", "condition": condition, "holds": dice.random() < 0.4},
        {"type": "resource", "resource": "action", "value": dice.randint(0, 1)},
        {"type": "resource", "resource": "ammo", "item": dice.choice(WEAPONS), "value": 3},
        {"type": "stat", "stat": stat, "value": dice.randint(0, 210)},
        {"type": "reveal"},
        {"type": "hide"},
        {"type": "next_roll", "amount": dice.randint(-30, 30)},
        {"type": "movement_test", "modifier": 5},
        {"type": "item", "item": "radio", "held": dice.random() < 0.5},
    ]
    return {**dice.choice(changes), "combatant": dice.choice(ids)}


@pytest.mark.parametrize("number", range(6))
def test_whatever_is_asked_is_done_whole_or_refused_without_a_trace(number: int) -> None:
    table = Table(random_setup(number, with_secrets=True))
    dice = Random(number)
    table.ask({"type": "start_encounter"})
    for _ in range(400):
        before, stored = table.state, len(table.events)
        by = dice.choice(["gm", "gm", "ann", "bob", "eve"])
        action = random_action(table, dice)
        sensible = next_deed(table, dice) if dice.random() < 0.2 else None
        if sensible is not None:
            action, by = sensible
        try:
            table.ask(action, by)
        except (Refused, Forbidden, Malformed):
            assert table.state is before
            assert len(table.events) == stored
        require_sound(table.state.rule)
    assert encode(refolded(table).rule) == encode(table.state.rule)


def test_a_refusal_draws_nothing_so_the_next_dice_are_the_same() -> None:
    plain, disturbed = Table(random_setup(8)), Table(random_setup(8))
    for table in (plain, disturbed):
        table.ask({"type": "start_encounter"})
    combatant = plain.turn
    assert combatant is not None
    attacks = [each for each in plain.samples(combatant, 40) if each["type"] == "attack"]
    with pytest.raises(Refused):
        disturbed.ask({**attacks[0], "weapon": "spoon"})
    for table in (plain, disturbed):
        table.ask(attacks[0])
        while table.asked:
            table.ask({"type": "force_pass", "decision_id": table.asked[0][0]})
    assert plain.events[-1].draws
    assert plain.sealed[-1].body == disturbed.sealed[-1].body
