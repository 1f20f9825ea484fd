"""What is offered is accepted, and what is accepted is offered: of warriors, units and sides."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from service.engine.battle.actors import Actor
from service.errors import Forbidden, Malformed, Refused
from tests.kit.given_when_then import Given
from tests.kit.offers import is_offered
from tests.kit.table import Table, tree_of
from tests.rulesets.melody_d6.skirmishes import begun, in_turn, warrior

Tree = dict[str, Any]
WALL = {
    "id": "wall",
    "kind": "low_wall",
    "vertices": [
        {"x": 10000, "y": 10000},
        {"x": 14000, "y": 10000},
        {"x": 14000, "y": 10400},
        {"x": 10000, "y": 10400},
    ],
}
HOUSE = {
    "id": "house",
    "kind": "building",
    "vertices": [
        {"x": 16000, "y": 8000},
        {"x": 18000, "y": 8000},
        {"x": 18000, "y": 12000},
        {"x": 16000, "y": 12000},
    ],
}
TABLE = {"width": 30000, "height": 20000, "features": [HOUSE, WALL]}
SINGER = {
    "song_dice": 2,
    "rerolls_per_round": 1,
    "melodies": ["ember_march", "drum_of_dread", "dazzle_chord", "mending_round", "veil_of_mist"],
}
ARMED = {"weapons": ["rifle", "volley_gun", "blade"]}
NUMBERS = range(4)
STEPS = 30


def crowd(number: int) -> Given:
    """A battle of eight close to one another, at places that go by number."""
    dice = Random(number)
    spots = [(x, y) for x in range(8000, 24000, 1300) for y in range(6000, 14000, 1300)]
    spots = [spot for spot in spots if not (15000 < spot[0] < 19000 and 7000 < spot[1] < 13000)]
    dice.shuffle(spots)
    people = []
    for index in range(8):
        side = "ab"[index % 2]
        unit = f"{side.upper()}{1 if index < 6 else 2}"
        sheet: Tree = {"unit": unit, "health_max": dice.choice([1, 2])}
        sheet |= ARMED if index % 4 < 2 else {"singer": SINGER}
        people.append(warrior(f"{side}{index}", *spots[index], **sheet))
    return begun(*people, dice="sealed", map=TABLE)


def nodes_of(table: Table, by: str) -> list[Tree]:
    """Everything that somebody may do."""
    nodes: list[Tree] = tree_of([node for each in table.legal_for(by) for node in each.actions])
    return nodes


def refusal(table: Table, action: Tree, by: str) -> str | None:
    """Why an action is refused, None if it is not."""
    try:
        table.preview(action, by)
    except (Refused, Malformed, Forbidden) as refused:
        return refused.code
    return None


def moments(number: int) -> Iterator[tuple[Table, Random]]:
    """A battle played at random, before each of its steps."""
    table, dice = crowd(number).table, Random(number)
    for _ in range(STEPS):
        if table.state.rule.status != "running":
            return
        yield table, dice
        actors = [
            Actor(combatant=each.combatant, unit=each.unit, side=each.side)
            for each in table.legal_for()
        ]
        action = dice.choice(table.samples(dice.choice(actors), 5))
        if action["type"] != "end_turn" or dice.random() < 0.3:
            table.ask(action)


@pytest.mark.parametrize("number", NUMBERS)
def test_whatever_is_offered_to_somebody_is_accepted_of_him(number: int) -> None:
    for table, _ in moments(number):
        for by in ("gm", "ann", "bob"):
            for each in table.legal_for(by):
                actor = Actor(combatant=each.combatant, unit=each.unit, side=each.side)
                examples = [dict(tree_of(node.example)) for node in each.actions]
                for action in (*examples, *table.samples(actor, 4, by)):
                    assert refusal(table, action, by) is None, (by, action)


def attempts(table: Table) -> Iterator[Tree]:
    """Every action that names somebody, something, or both, whether it makes sense or not."""
    for unit in ("A1", "A2", "B1", "B2"):
        for kind in ("activate_unit", "end_movement", "end_activation"):
            yield {"type": kind, "unit": unit}
    for side in "ab":
        yield {"type": "end_turn", "side": side}
    songs = [song.id for song in table.state.rule.songs]
    ids = [each.id for each in table.state.rule.combatants]
    for who in ids:
        yield from alone(who, songs)
        for target in ids:
            yield from at_somebody(who, target)


def alone(who: str, songs: list[str]) -> Iterator[Tree]:
    """What a warrior does to nobody else."""
    for kind in ("guard", "unmask", "stop_melody"):
        yield {"type": kind, "combatant": who}
    yield {"type": "mask", "combatants": [who]}
    for song in songs:
        yield {"type": "dampen_lasting", "combatant": who, "song": song}


def at_somebody(who: str, target: str) -> Iterator[Tree]:
    """What a warrior does to another, or to itself."""
    yield {"type": "fight", "combatant": who, "target": target}
    for melody in ("drum_of_dread", "mending_round"):
        yield {"type": "sing", "combatant": who, "target": target, "melody": melody}
    for weapon in ("rifle", "volley_gun", "blade"):
        for kind in ("shoot", "fight", "guard_shoot"):
            yield {"type": kind, "combatant": who, "target": target, "weapon": weapon}


@pytest.mark.parametrize("number", NUMBERS)
def test_whatever_is_accepted_is_offered(number: int) -> None:
    accepted = refused = 0
    for table, dice in moments(number):
        if table.state.rule.pending or dice.random() < 0.6:
            continue
        nodes = nodes_of(table, "gm")
        for action in attempts(table):
            if refusal(table, action, "gm") is None:
                accepted += 1
                assert is_offered(nodes, action), action
            else:
                refused += 1
    assert accepted
    assert refused


def of(battle: Given, by: str = "gm", **actor: str) -> dict[str, Tree]:
    """The parameters of what somebody may do, by the type of action."""
    listed = battle.table.legal_of(Actor(**actor), by)
    return {node.type: tree_of(node.params) for node in listed}


def test_a_unit_that_begins_its_activation_moves_and_masks_its_members_by_the_wall() -> None:
    by_wall = warrior("a1", 12000, 11900, unit="A1")
    away = warrior("a2", 12000, 15000, unit="A1")
    battle = in_turn(by_wall, away, warrior("b1", 25000, 11000), unit="A1", map=TABLE, options={})
    assert of(battle, unit="A1") == {
        "mask": {"combatants": {"some_of": ["a1"], "min": 1, "max": 1}},
        "end_movement": {},
    }
    assert of(battle, unit="B1") == {}
    assert of(battle, side="a") == {}
    assert sorted(of(battle, combatant="a1")) == ["move"]
    way = of(battle, combatant="a1")["move"]["path"]
    assert way["path"] == {
        "x": 12000,
        "y": 11900,
        "unit": "u",
        "budget": 6000,
        "longest": 12,
        "metric": "legs_rounded_up",
    }
    assert [{"x": 18000, "y": 11900}] not in way["accepted"], "through the house"
    assert [{"x": 6000, "y": 11900}] in way["accepted"]


def test_several_are_masked_of_whom_the_caller_controls_only_his_own() -> None:
    people = [warrior(f"a{n}", 9000 + 1500 * n, 11900, unit="A1") for n in (1, 2, 3)]
    battle = in_turn(*people, warrior("b1", 25000, 11000), unit="A1", map=TABLE)
    several = {"some_of": ["a1", "a2", "a3"], "min": 1, "max": 3}
    assert of(battle, "ann", unit="A1")["mask"] == {"combatants": several}
    assert "mask" not in of(battle, "bob", unit="A1")


def test_a_charge_past_the_house_is_offered_with_a_way_round_it() -> None:
    runner = warrior("a1", 15000, 9000, move=12000)
    battle = in_turn(runner, warrior("b1", 19500, 9000), unit="A1", map=TABLE)
    [target] = of(battle, combatant="a1")["charge"]["target"]["one_of"]
    assert target["value"] == "b1"
    [path] = target["params"]["path"]["accepted"]
    assert len(path) == 2


def test_a_song_is_offered_with_whom_where_and_whither() -> None:
    singer = warrior("a1", 8000, 14000, singer=SINGER)
    battle = in_turn(singer, warrior("b1", 12000, 14000), unit="A1", phase="action", map=TABLE)
    melodies = {
        each["value"]: each["params"]
        for each in of(battle, combatant="a1")["sing"]["melody"]["one_of"]
    }
    assert melodies["drum_of_dread"] == {"target": {"one_of": ["b1"]}}
    assert melodies["mending_round"] == {"target": {"one_of": ["a1"]}}
    point = melodies["ember_march"]["point"]
    assert point["disc"] == {"x": 8000, "y": 14000, "radius": 18500, "unit": "u"}
    assert {"x": 12000, "y": 14000} in point["accepted"]
    aim = melodies["dazzle_chord"]["aim"]
    assert aim["disc"]["radius"] == 9600
    assert {"x": 8000, "y": 14000} not in aim["accepted"]


def test_a_window_of_guards_lists_points_from_the_one_that_was_used() -> None:
    guard = warrior("b1", 12000, 18000, weapons=["rifle"], conditions=["on_guard"])
    battle = in_turn(warrior("a1", 8000, 14000), guard, unit="A1", map=TABLE)
    battle.table.ask({"type": "move", "combatant": "a1", "path": [{"x": 14000, "y": 14000}]})
    choice = of(battle, side="b")["answer"]["choice"]["params"]["type"]["one_of"]
    [shot, declined] = choice
    assert (shot["value"], declined) == ("guard_shoot", "pass")
    [one] = shot["params"]["combatant"]["one_of"]
    [weapon] = one["params"]["weapon"]["one_of"]
    [target] = weapon["params"]["target"]["one_of"]
    assert (one["value"], weapon["value"], target["value"]) == ("b1", "rifle", "a1")
    assert target["params"]["path_point"] == {
        "params": {
            "leg": {"int_range": {"min": 0, "max": 0}},
            "permille": {"int_range": {"min": 0, "max": 1000}},
        },
        "accepted": [{"leg": 0, "permille": n} for n in (0, 250, 500, 750, 1000)],
        "optional": True,
    }
    assert of(battle, side="a") == {}
    assert of(battle, combatant="b1") == {}
    [only] = of(battle, "ann", side="b")["answer"]["choice"]["params"]["type"]["one_of"]
    assert only == "pass", "the guard is another's"
