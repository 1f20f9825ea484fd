"""Area effects: whom they reach, saves, one damage roll for all, and what is hidden."""

from typing import Any

import pytest
from msgspec.json import encode

from tests.kit.given_when_then import rolled
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.blows import (
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

BOMB: Tree = {"id": "bomb", "radius_ft": 10, "dc": 15, "damage": {"count": 2, "sides": 6}}
PUFF: Tree = {**BOMB, "damage": {"count": 0, "sides": 6, "bonus": 5}}
THROW: Tree = {
    "type": "area_attack",
    "combatant": "a",
    "area": "bomb",
    "origin": {"x": 10, "y": 0},
}


def bombing(*others: Tree, area: Tree = BOMB, **setup: Any) -> Table:
    """Red a, far away at (0, 0), has a bomb for the vertex (10, 0)."""
    attacker = {"areas": [area], **setup.pop("attacker", {})}
    return battle(*others, attacker=attacker, **setup)


def resolved(*victims: Tree, radius: int = 10, **more: Any) -> Tree:
    """The area effect with its victims."""
    return {
        "type": "area_resolved",
        "area": {"kind": "blast", "origin": {"x": 10, "y": 0}, "radius": radius},
        "outcome": "carried_out",
        "victims": list(victims),
        "detail": {
            "attacker": "a",
            "item": "bomb",
            "breakdown": [],
            "needed": 15,
            "spread": False,
            **more,
        },
    }


def victim(target: str, face: int, *, number: int = 1, reflex: int = 0) -> Tree:
    """A save without cover."""
    return {
        "target": target,
        "outcome": "success" if face + reflex >= 15 else "failure",
        "roll": rolled(20, face, number=number),
        "base": reflex,
        "breakdown": [],
        "result": face + reflex,
        "cover": {**NOTHING, "corner": {"x": 10, "y": 0}, "lines": [], "sources": []},
    }


def damage(*faces: int, number: int, uncounted: str | None = None) -> Tree:
    """The one roll of damage."""
    roll = dict(rolled(6, *faces, number=number))
    if uncounted is not None:
        roll |= {"total": 0, "draws": [{"stream": 0, "number": number, "uncounted": uncounted}]}
    return {"type": "rolled", "purpose": "damage", "combatant": "a", "roll": roll}


def test_everybody_saves_in_the_order_of_entry_and_one_roll_is_for_all() -> None:
    table = bombing(
        creature("t", 11, reflex=4),
        creature("f", 10, 1, side="red"),
        creature("u", 9, conditions=["unconscious"], health=0, health_max=30),
        creature("d", 10, -1, conditions=["dead"], health=-30, health_max=30),
        creature("o", 12),
    )
    event = table.ask(THROW, dice=(11, 14, 3, 4, 3))
    again = rolled(6, 4, 3, number=4, seq=event.seq)
    assert effects_of(event) == [
        spent(),
        resolved(victim("t", 11, reflex=4), victim("f", 14, number=2), victim("u", 3, number=3)),
        damage(4, 3, number=4),
        with_half(hurt("t", 27, again, item="bomb", amount=3), 3),
        hurt("f", 23, again, item="bomb"),
        hurt("u", -7, again, item="bomb"),
    ]


def with_half(wound: Tree, half: int) -> Tree:
    """A wound that a save has halved."""
    [report] = wound["reports"]
    return {**wound, "reports": [{**report, "facts": {**report["facts"], "half": half}}]}


@pytest.mark.parametrize(
    ("place", "radius", "is_reached"),
    [
        ((10, 0), 5, True),
        ((9, -1), 5, True),
        ((11, 0), 5, False),
        ((11, 1), 10, False),
        ((11, 1), 15, True),
        ((11, 0), 10, True),
    ],
)
def test_the_radius_counts_cells_from_the_vertex(
    place: tuple[int, int], radius: int, is_reached: bool
) -> None:
    """The nearest cells are one away, by the diagonal rule: a second diagonal is two."""
    table = bombing(creature("t", *place), area={**PUFF, "radius_ft": radius})
    dice = (1,) if is_reached else ()
    assert ("hurt" in kinds(effects_of(table.ask(THROW, dice=dice)))) == is_reached


@pytest.mark.rule("TD-COVER-7")
@pytest.mark.rule("TD-COVER-9")
@pytest.mark.parametrize(
    ("spread", "amount", "result", "left"), [(False, 2, 15, 28), (True, 0, 13, 25)]
)
def test_cover_from_the_origin_helps_unless_the_effect_spreads(
    spread: bool, amount: int, result: int, left: int
) -> None:
    """TD-EX-25."""
    area = {**PUFF, "radius_ft": 30, "spread": spread}
    table = bombing(creature("t", 14, reflex=3), area=area, map=cell_map(*walls((12, 0))))
    effects = effects_of(table.ask(THROW, dice=(10,)))
    [saved] = effects[1]["victims"]
    lines = [(line["rule"], line["amount"]) for line in saved["breakdown"]]
    assert (lines, saved["result"]) == ([("TD-COVER-2", amount)], result)
    assert (saved["cover"]["grade"], effects[1]["detail"]["spread"]) == ("normal", spread)
    assert (kinds(effects)[2:], effects[2]["health"]) == (["hurt"], left)


@pytest.mark.rule("TD-COVER-8")
def test_the_game_masters_word_on_cover_counts_for_saves() -> None:
    target = creature("t", 10, cover_overrides=[{"versus": "a", "grade": "improved"}])
    effects = effects_of(bombing(target, area=PUFF).ask(THROW, dice=(11,)))
    [saved] = effects[1]["victims"]
    assert [(line["rule"], line["amount"]) for line in saved["breakdown"]] == [("TD-COVER-8", 4)]
    assert saved["outcome"] == "success"


def test_who_falls_by_his_own_hand_ends_his_turn() -> None:
    near = {**THROW, "origin": {"x": 0, "y": 0}}
    table = bombing(creature("t", 20), attacker={"health_max": 5}, area=PUFF)
    effects = effects_of(table.ask(near, dice=(3,)))
    assert kinds(effects)[:5] == [
        *("resource_changed", "area_resolved", "hurt", "felled", "turn_ended")
    ]
    assert table.turn == "t"


# --- what is hidden -------------------------------------------------------------------------------


def test_damage_is_rolled_even_if_nobody_is_there() -> None:
    table = bombing(creature("t", 20))
    event = table.ask(THROW, dice=(4, 3))
    nobody = damage(4, 3, number=1, uncounted="nobody_affected")
    assert effects_of(event) == [spent(), resolved(), nobody]


def test_players_cannot_tell_hidden_victims_from_nobody() -> None:
    shown = []
    for place in (11, 50):
        table = bombing(creature("t", 20), creature("h", place, hidden=True), dice="sealed")
        event = table.ask(THROW, "ann")
        assert ("hurt" in kinds(effects_of(event))) == (place == 11)
        shown.append([table.shown(event.seq, "ann"), table.shown(event.seq, "eve")])
        assert table.combatant("h").hidden
    assert shown[0] == shown[1]


HIDDEN: tuple[Tree, ...] = (
    creature("h", 9, side="green", hidden=True, reflex=9),
    creature("k", 10, -2, side="green", hidden=True, size=2, conditions=["invisible"]),
)


def thrown(unseen: Tree) -> Table:
    """Ann throws; the game master rolls for whom she does not see, she for herself."""
    table = bombing(creature("t", 30), unseen)
    table.ask(THROW, "ann")
    assert table.view("ann")["pending"] == [{"decisions": []}]
    assert refusal(table, THROW, "ann") == "decision_pending"
    for by, faces in (("gm", (12,)), ("ann", (3, 4))):
        [question] = table.state.rule.pending[-1].decisions
        answer = {"type": "answer", "decision_id": question.id, "choice": {"type": "roll"}}
        table.ask(answer, by, faces)
    assert table.state.rule.pending == ()
    return table


def test_a_hidden_victim_who_rolls_holds_the_battle_and_nothing_more_is_told() -> None:
    """That somebody unseen is asked is a leak that the service declares."""
    one, other = map(thrown, HIDDEN)
    assert len(one.events) == len(other.events)
    for by in ("ann", "bob", "eve"):
        assert encode(one.view(by)) == encode(other.view(by))
        for event in one.events:
            assert encode(one.shown(event.seq, by)) == encode(other.shown(event.seq, by))


def test_hidden_victims_are_left_out_for_those_who_do_not_know_them() -> None:
    table = bombing(creature("h", 11, hidden=True), creature("t", 10))
    event = table.ask(THROW, "gm", dice=(5, 6, 4, 3))
    assert [(draw.stream, draw.number, draw.face) for draw in event.draws] == [
        *((2, 1, 5), (0, 1, 6), (0, 2, 4), (0, 3, 3))
    ]
    shown: Any = table.shown(event.seq, "ann")
    again = rolled(6, 4, 3, number=2, seq=event.seq)
    assert shown["effects"] == [
        spent(),
        resolved(victim("t", 6)),
        damage(4, 3, number=2),
        hurt("t", 23, again, item="bomb"),
    ]


def test_the_user_of_an_area_becomes_known() -> None:
    table = bombing(creature("t", 10), attacker={"hidden": True}, area=PUFF)
    effects = effects_of(table.ask(THROW, dice=(3,)))
    assert kinds(effects) == ["resource_changed", "revealed", "area_resolved", "hurt"]


def test_hidden_walls_spare_and_become_known() -> None:
    wall = walls(*((12, y) for y in range(-4, 4)))
    table = bombing(
        creature("t", 13), area={**PUFF, "radius_ft": 30}, hidden_terrain={"cells": wall}
    )
    effects = effects_of(table.ask(THROW, "ann"))
    assert kinds(effects) == ["resource_changed", "terrain_changed", "area_resolved"]
    assert effects[2]["victims"] == []
    met = [(change["cell"]["x"], change["cell"]["y"]) for change in effects[1]["changes"]]
    assert met
    assert set(met) <= {(12, y) for y in range(-4, 4)}


def test_hidden_walls_that_spare_the_hidden_stay_hidden() -> None:
    wall = walls(*((12, y) for y in range(-4, 4)))
    table = bombing(
        creature("t", 13, hidden=True),
        area={**PUFF, "radius_ft": 30},
        hidden_terrain={"cells": wall},
    )
    assert kinds(effects_of(table.ask(THROW, "ann"))) == ["resource_changed", "area_resolved"]


# --- refusals -------------------------------------------------------------------------------------

FREELY: Tree = {
    **{name: value for name, value in THROW.items() if name != "area"},
    "radius_ft": 10,
    "dc": 15,
    "damage": {"count": 0, "sides": 6, "bonus": 2},
}


def test_the_game_master_states_an_effect_of_his_own() -> None:
    table = bombing(creature("t", 10))
    effects = effects_of(table.ask(FREELY, dice=(3,)))
    assert effects[1]["detail"] == {"attacker": "a", "breakdown": [], "needed": 15, "spread": False}
    assert (kinds(effects)[2:], effects[2]["health"]) == (["hurt"], 28)
    assert refusal(bombing(creature("t", 10)), FREELY, "ann") == "gm_only"


@pytest.mark.parametrize(
    ("action", "by", "code"),
    [
        ({**FREELY, "area": "bomb"}, "ann", "malformed"),
        ({**THROW, "spread": True}, "gm", "malformed"),
        ({name: FREELY[name] for name in FREELY if name != "dc"}, "gm", "malformed"),
        ({name: THROW[name] for name in THROW if name != "area"}, "gm", "malformed"),
        ({**THROW, "area": "x", "combatant": "t"}, "gm", "not_your_turn"),
        ({**THROW, "area": "x", "origin": {"x": 17, "y": 0}}, "gm", "unknown_area"),
        ({**THROW, "origin": {"x": 17, "y": 0}}, "gm", "off_map"),
    ],
)
def test_the_first_thing_that_is_wrong_names_the_refusal(action: Tree, by: str, code: str) -> None:
    edge = cell_map(bounds={"x": -2, "y": -2, "width": 18, "height": 9})
    assert refusal(bombing(creature("t", 10), map=edge), action, by) == code


def test_the_far_edge_of_the_map_has_vertices_too() -> None:
    edge = cell_map(bounds={"x": -2, "y": -2, "width": 18, "height": 9})
    table = bombing(creature("t", 10), map=edge, area=PUFF)
    assert kinds(effects_of(table.ask({**THROW, "origin": {"x": 16, "y": 7}}))) == [
        *("resource_changed", "area_resolved")
    ]


def test_an_action_is_needed() -> None:
    table = bombing(creature("t", 10), attacker={"standard_left": 0})
    assert refusal(table, {**THROW, "area": "x"}) == "no_action_left"
