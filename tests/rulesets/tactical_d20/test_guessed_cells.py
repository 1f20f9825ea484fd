"""Attacks at a cell where somebody may be: what players learn is the same, whoever is there."""

from typing import Any

import pytest

from service.engine.vocabulary.values import DiceMode
from tests.kit.given_when_then import rolled
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.blows import (
    BLADE,
    GUN,
    NOTHING,
    battle,
    cell_map,
    creature,
    hurt,
    kinds,
    refusal,
    spent,
    walls,
)
from tests.rulesets.tactical_d20.setups import Tree

GUESS: Tree = {
    "type": "attack_cell",
    "combatant": "a",
    "weapon": "gun",
    "cell": {"x": 4, "y": 0},
}
UNSEEN: Tree = {"conditions": ["invisible"]}


def secret(sides: int, *faces: int, uncounted: str | None = None) -> Tree:
    """A roll of the game master's own."""
    why = {} if uncounted is None else {"uncounted": uncounted}
    draws = [{"stream": 255, "number": 1, **why}]
    return {
        "sides": sides,
        "faces": list(faces),
        "total": 0 if uncounted else sum(faces),
        "draws": draws,
    }


def resolved(face: int, outcome: str, guess: Tree | None, **more: Any) -> Tree:
    """An attack at the cell with a d20; without `guess`, as players see it."""
    seen: Tree = {
        "type": "attack_resolved",
        "rule": "TD-UNSEEN-3",
        "place": {"x": 4, "y": 0},
        "outcome": outcome,
        "detail": {
            "attacker": "a",
            "item": "gun",
            "mode": "ranged",
            "defence": "kac",
            "opportunity": False,
            "distance_ft": 20,
            "roll": rolled(20, face),
            "base": 4,
            "breakdown": [],
            "pool": 4,
            "result": face + 4,
            "obstructed_by": [],
            **more,
        },
    }
    return seen if guess is None else {**seen, "guess": guess}


def there(outcome: str, d100: Tree | None, needed: int = 10, **more: Any) -> Tree:
    """What the game master learns of an attack on T in the cell."""
    corner = {"x": 0, "y": 0}
    half = {"rule": "TD-UNSEEN-3", "amount": 50}
    guess: Tree = {
        "target": "t",
        "outcome": outcome,
        "needed": needed,
        "base": needed,
        "pool": 4,
        "attack_breakdown": [],
        "breakdown": [],
        "cover": {**NOTHING, "corner": corner, "lines": [], "sources": []},
        "concealment": {"percent": 50, "corner": corner, "lines": [], "sources": [half]},
        **more,
    }
    return guess if d100 is None else {**guess, "miss_chance": d100}


@pytest.mark.rule("TD-UNSEEN-3")
def test_a_hit_half_of_which_miss() -> None:
    """TD-EX-21 (i), (ii)."""
    table = battle(creature("t", 4, **UNSEEN))
    event = table.ask(GUESS, dice=(6, 50))
    missed = there("miss_concealment", secret(100, 50))
    assert effects_of(event) == [spent(), resolved(6, "miss", missed)]
    table = battle(creature("t", 4, **UNSEEN))
    event = table.ask(GUESS, dice=(6, 51, 8))
    struck = there("hit", secret(100, 51))
    wound = hurt("t", 22, rolled(8, 8, number=2))
    assert effects_of(event) == [spent(), resolved(6, "hit", struck), wound]


@pytest.mark.rule("TD-UNSEEN-3")
def test_an_empty_cell_is_a_miss_with_a_die_that_nobody_reads() -> None:
    """TD-EX-21 (iii)."""
    table = battle(creature("t", 4, 1, **UNSEEN))
    nobody = {
        "outcome": "miss",
        "attack_breakdown": [],
        "breakdown": [],
        "miss_chance": secret(100, 51, uncounted="unread"),
    }
    event = table.ask(GUESS, dice=(6, 51))
    assert effects_of(event) == [spent(), resolved(6, "miss", nobody)]
    assert [(draw.stream, draw.purpose) for draw in event.draws] == [
        (0, "attack"),
        (255, "miss_chance"),
    ]


@pytest.mark.rule("TD-UNSEEN-3")
def test_a_miss_draws_the_die_too_and_a_natural_one_does_not() -> None:
    table = battle(creature("t", 4, **UNSEEN, ac={"kac": 11}))
    event = table.ask(GUESS, dice=(6, 99))
    guess = there("miss", secret(100, 99, uncounted="unread"), needed=11)
    assert effects_of(event)[1] == resolved(6, "miss", guess)
    table = battle(creature("t", 4, **UNSEEN))
    event = table.ask(GUESS, dice=(1,))
    assert effects_of(event)[1] == resolved(1, "miss", there("miss", None))
    assert len(event.draws) == 1


WORLDS: list[tuple[str, list[Tree]]] = [
    ("nobody", [creature("h", 90, hidden=True)]),
    ("invisible, beside the cell", [creature("h", 90, hidden=True)]),
    ("hidden in plain light", [creature("h", 4, hidden=True, ac={"kac": 30})]),
    ("hidden and invisible", [creature("h", 4, hidden=True, **UNSEEN, ac={"kac": 30})]),
    ("hidden and hit, but for its blur", [creature("h", 4, hidden=True, blur_pct=100)]),
    (
        "a hidden one of the attacker's enemies' friends",
        [creature("h", 4, side="green", hidden=True, blur_pct=100)],
    ),
]


def misses(world: list[Tree], dice: DiceMode) -> list[object]:
    """All that Ann, who attacks, and Eve, who looks on, are shown of an attack at the cell."""
    table = battle(creature("t", 20, 20), *world, dice=dice)
    first = len(table.events) + 1
    table.ask(GUESS, "ann")
    for by, face in (("ann", 12), ("gm", 70)) if dice == "supplied" else ():
        [(decision, _)] = table.questions
        table.ask(
            {"type": "answer", "decision_id": decision, "choice": {"type": "roll"}}, by, (face,)
        )
    seqs = range(first, len(table.events) + 1)
    shown: list[object] = [table.shown(seq, who) for seq in seqs for who in ("ann", "eve")]
    return [*shown, table.view("ann"), table.view("eve")]


@pytest.mark.rule("TD-UNSEEN-3")
@pytest.mark.parametrize("dice", ["sealed", "supplied"])
@pytest.mark.parametrize("world", [world for _, world in WORLDS], ids=[name for name, _ in WORLDS])
def test_players_cannot_tell_a_miss_from_an_empty_cell(world: list[Tree], dice: DiceMode) -> None:
    assert misses(world, dice) == misses(WORLDS[0][1], dice)


def test_the_question_for_the_die_goes_to_the_game_master_and_nobody_else() -> None:
    table = battle(creature("t", 4, **UNSEEN))
    table.ask(GUESS, "ann")
    [(first, _)] = table.questions
    table.ask({"type": "answer", "decision_id": first, "choice": {"type": "roll"}}, "ann", (12,))
    [[decision]] = [group.decisions for group in table.state.rule.pending]
    assert (decision.roll.purpose, decision.stream) == ("miss_chance", 255)
    for who in ("ann", "bob", "eve"):
        assert table.view(who)["pending"] == [{"decisions": []}]


@pytest.mark.rule("TD-UNSEEN-3")
def test_what_depends_on_who_is_there_is_the_game_masters() -> None:
    ground = cell_map({"x": 3, "y": 0, "cover": "normal"})
    table = battle(creature("t", 4, **UNSEEN), map=ground)
    event = table.ask(GUESS, "gm", dice=(10, 99, 3))
    told = effects_of(event)[1]
    assert (told["guess"]["needed"], told["guess"]["cover"]["ac"]) == (14, 4)
    shown: Any = table.shown(event.seq, "ann")
    assert shown["effects"][1] == resolved(10, "hit", None)


@pytest.mark.rule("TD-FLANK-1")
def test_flanking_counts_and_is_not_shown() -> None:
    blow = {**GUESS, "weapon": "blade", "cell": {"x": 1, "y": 0}}
    table = battle(creature("t", 1, **UNSEEN, ac={"kac": 16}), creature("p", 2, side="red"))
    event = table.ask(blow, dice=(10, 99, 3))
    told = effects_of(event)[1]
    assert (told["guess"]["pool"], told["guess"]["flanking"]) == (6, {"partner": "p"})
    assert (told["outcome"], told["detail"]["pool"], told["detail"]["result"]) == ("hit", 4, 14)
    assert told["detail"]["breakdown"] == []


def test_a_hidden_creature_that_is_hit_becomes_known_before_it_is_hurt() -> None:
    table = battle(creature("t", 4, hidden=True))
    event = table.ask(GUESS, "gm", dice=(16, 51, 3))
    assert kinds(effects_of(event)) == [
        *("resource_changed", "attack_resolved", "revealed", "hurt")
    ]
    assert [draw.stream for draw in event.draws] == [0, 255, 0]
    shown: Any = table.shown(event.seq, "ann")
    assert kinds(shown["effects"]) == kinds(effects_of(event))


@pytest.mark.parametrize("sides", [("red", "blue"), ("blue", "red")])
def test_whoever_came_first_is_attacked_friend_or_foe_but_no_body(sides: tuple[str, str]) -> None:
    dead = {"conditions": ["dead", "invisible"], "health": -30, "health_max": 30}
    first, second = (creature(name, 4, side=side) for name, side in zip("bc", sides, strict=True))
    table = battle({**creature("d", 4), **dead}, {**first, **dead}, {**second, **UNSEEN})
    assert effects_of(table.ask(GUESS, dice=(19, 99, 3)))[1]["guess"]["target"] == "c"
    alive = [{"type": "hp", "combatant": "b", "value": 9}]
    again = [{"type": "resource", "combatant": "a", "resource": "standard", "value": 1}]
    table.ask({"type": "adjust", "changes": alive + again})
    assert effects_of(table.ask(GUESS, dice=(19, 99, 3)))[1]["guess"]["target"] == "b"


@pytest.mark.rule("TD-CONC-4")
def test_a_higher_concealment_takes_the_place_of_the_half() -> None:
    table = battle(creature("t", 4, **UNSEEN, blur_pct=80))
    guess = effects_of(table.ask(GUESS, dice=(16, 80)))[1]["guess"]
    assert guess["outcome"] == "miss_concealment"
    assert [(line["rule"], line["amount"]) for line in guess["concealment"]["sources"]] == [
        ("TD-CONC-5", 80),
        ("TD-UNSEEN-3", 0),
    ]


REFUSALS: list[tuple[str, Tree, Tree, Tree]] = [
    ("no_action_left", {"standard_left": 0}, {}, {"weapon": "x"}),
    ("unknown_weapon", {}, {}, {"weapon": "x", "cell": {"x": 99, "y": 0}}),
    ("weapon_not_ready", {"weapons": [{**GUN, "ready": False}]}, {}, {"cell": {"x": 99, "y": 0}}),
    ("off_map", {}, {}, {"cell": {"x": 30, "y": 0}, "weapon": "blade"}),
    ("off_map", {}, {}, {"cell": {"x": 4, "y": -6}, "weapon": "blade"}),
    ("target_is_self", {"size": 2}, {}, {"cell": {"x": 1, "y": 1}}),
    ("out_of_reach", {"weapons": [BLADE]}, {}, {"weapon": "blade", "cell": {"x": 9, "y": 0}}),
    (
        "out_of_range",
        {"weapons": [{**GUN, "range_increment_ft": 5, "max_increments": 3}]},
        {},
        {"cell": {"x": 9, "y": 0}},
    ),
    ("total_cover", {}, {}, {"cell": {"x": 9, "y": 0}, "cover_corner": {"x": 5, "y": 5}}),
    ("bad_corner", {}, {}, {"cover_corner": {"x": 5, "y": 5}}),
    ("bad_corner", {}, {}, {"concealment_corner": {"x": 0, "y": 0}}),
    ("target_is_visible", {}, {}, {}),
    ("target_is_visible", {}, {"side": "red"}, {}),
    ("target_is_visible", {}, {"conditions": ["unconscious"], "health": 0, "health_max": 9}, {}),
]


@pytest.mark.rule("TD-UNSEEN-2")
@pytest.mark.parametrize(("code", "attacker", "target", "action"), REFUSALS)
def test_the_first_thing_that_is_wrong_names_the_refusal(
    code: str, attacker: Tree, target: Tree, action: Tree
) -> None:
    ground = cell_map(
        *walls(*((6, y) for y in range(-5, 15))),
        bounds={"x": -5, "y": -5, "width": 30, "height": 20},
    )
    table = battle({**creature("t", 4), **target}, attacker=attacker, map=ground)
    assert refusal(table, {**GUESS, **action}) == code


def test_a_cell_beyond_a_hidden_wall_is_obstructed_like_anybody() -> None:
    wall = walls(*((2, y) for y in range(-3, 4)))
    shown = []
    for others in ([creature("h", 4, hidden=True)], [creature("h", 90, hidden=True)]):
        table = battle(creature("t", 20, 20), *others, hidden_terrain={"cells": wall})
        event = table.ask(GUESS, "ann")
        assert kinds(effects_of(event)) == [
            *("resource_changed", "terrain_changed", "attack_resolved")
        ]
        assert (effects_of(event)[2]["outcome"], event.draws) == ("obstructed", ())
        shown.append(table.shown(event.seq, "ann"))
    assert shown[0] == shown[1]


def test_whoever_is_known_and_not_seen_may_be_guessed_at() -> None:
    """TD-EX-28 (ii): opaque smoke stops the sight, not the shot."""
    smoke = [{"x": 2, "y": y, "opaque": True, "concealment_pct": 20} for y in (-1, 0, 1)]
    table: Table = battle(creature("t", 4), map=cell_map(*smoke))
    shot = {"type": "attack", "combatant": "a", "weapon": "gun", "target": "t"}
    assert refusal(table, shot) == "target_unseen"
    guess = effects_of(table.ask(GUESS, dice=(16, 50)))[1]["guess"]
    assert (guess["outcome"], guess["concealment"]["percent"]) == ("miss_concealment", 50)
