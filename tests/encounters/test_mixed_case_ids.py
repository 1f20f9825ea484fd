"""Ids in mixed case, as virtual tabletops bring them: kept as they came, no two nearly alike."""

from collections.abc import Callable
from typing import Any

import pytest

from service.errors import Malformed, Refused
from tests.encounters.random_actions import RULESETS, battle
from tests.encounters.table import Table
from tests.kit.rigs import rig_of

Tree = dict[str, Any]

FOUNDRY = {"r1": "8hRvDPnXGd0Q4ZkM", "r2": "R" * 64, "b1": "-_b", "b2": "0190-AbCd"}
WEAPONS = {"rifle": "Xy7RifleOfGod", "blade": "BLADE" * 12}


def named(ruleset: str) -> Tree:
    """A battle whose people, weapons and seats have ids of a virtual tabletop."""
    tree = battle(ruleset, "sealed")
    people = [
        person
        | {
            "id": FOUNDRY[person["id"]],
            "weapons": [_renamed(arm) for arm in person["weapons"]],
        }
        for person in tree["setup"]["combatants"]
    ]
    setup = tree["setup"] | {"combatants": people}
    if "cards" in setup.get("battle", {}):
        cards = [
            card | {"combatant": FOUNDRY[card["combatant"]]} for card in setup["battle"]["cards"]
        ]
        setup["battle"] = {"cards": cards, "turn": FOUNDRY["r1"]}
    seats = [{"id": "Rita" + "S" * 60, "role": "player", "sides": ["red"]}]
    return tree | {"setup": setup, "seats": seats}


def _renamed(arm: Tree | str) -> Tree | str:
    """A weapon of a sheet under its other id; one of the content is only named there."""
    return arm if isinstance(arm, str) else arm | {"id": WEAPONS[arm["id"]]}


def attack(ruleset: str) -> Tree:
    blow = rig_of(ruleset).brawl.attack(FOUNDRY["r1"], FOUNDRY["b1"])
    arms = battle(ruleset, "sealed")["setup"]["combatants"][0]["weapons"]
    is_own = blow["weapon"] not in arms
    return blow | {"weapon": WEAPONS[blow["weapon"]] if is_own else blow["weapon"]}


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_ids_are_kept_and_compared_as_they_came(table: Table, ruleset: str) -> None:
    encounter = await table.started(named(ruleset))
    state = await table.state(encounter)
    assert [each["id"] for each in state["combatants"]] == list(FOUNDRY.values())
    rita = table.seat("Rita" + "S" * 60)
    blow = attack(ruleset)
    for name in ("combatant", "target"):
        with pytest.raises(Refused, match=r"unknown_(combatant|target)"):
            await rita.act(encounter, blow | {name: str(blow[name]).swapcase()})
    with pytest.raises(Refused, match="unknown_weapon"):
        await rita.act(encounter, blow | {"weapon": blow["weapon"].swapcase()})
    assert (await rita.act(encounter, blow)).answer.accepted == 1


def _person(tree: Tree, **more: object) -> Tree:
    people = tree["setup"]["combatants"]
    return tree | {"setup": tree["setup"] | {"combatants": [*people[:-1], people[-1] | more]}}


def _armed(tree: Tree, weapon: str) -> Tree:
    arms = tree["setup"]["combatants"][-1]["weapons"]
    return _person(tree, weapons=[*arms, arms[0] | {"id": weapon}])


CLASHES: dict[str, Callable[[Tree], Tree]] = {
    "$.seats[1].id": lambda tree: (
        tree | {"seats": [{"id": "Ann", "role": "observer"}, {"id": "ann", "role": "gm"}]}
    ),
    "$.seats[0].id": lambda tree: tree | {"seats": [{"id": "Gm", "role": "observer"}]},
    "$.setup.combatants[3].id": lambda tree: _person(tree, id="System"),
    "$.setup.combatants[3].weapons[1].id": lambda tree: _armed(tree, "RIFLE"),
}


@pytest.mark.parametrize("path", CLASHES)
async def test_a_creation_has_no_two_ids_that_differ_only_in_case(table: Table, path: str) -> None:
    with pytest.raises(Malformed) as refused:
        await table.create(CLASHES[path](battle("crossfire-d6", "sealed")))
    assert refused.value.params["path"] == path


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_combatant_or_seat_comes_in_under_a_new_id(table: Table, ruleset: str) -> None:
    tree = battle(ruleset, "sealed")
    with pytest.raises(Refused) as refused:
        await table.create(_person(tree, id="R1"))
    assert refused.value.params == {"combatant": "R1", "taken": "r1"}
    encounter = await table.create(tree)
    person = tree["setup"]["combatants"][0] | {"place": {"x": 50, "y": 50}}
    with pytest.raises(Refused) as refused:
        await table.act(encounter, {"type": "add_combatant", "combatant": person | {"id": "B2"}})
    assert refused.value.params == {"combatant": "B2", "taken": "b2"}
    add = {"type": "add_seat", "seat": {"id": "RITA", "role": "observer"}}
    with pytest.raises(Refused) as refused:
        await table.act(encounter, add)
    assert (refused.value.code, refused.value.params) == (
        "seat_taken",
        {"seat": "RITA", "taken": "rita"},
    )
    with pytest.raises(Malformed) as malformed:
        await table.act(encounter, add | {"seat": {"id": "EVERYONE", "role": "gm"}})
    assert malformed.value.params["path"] == "$.action.seat.id"
    await table.act(encounter, {"type": "remove_seat", "seat": "rita"})
    with pytest.raises(Refused, match="seat_taken"):
        await table.act(encounter, add | {"seat": {"id": "rITA", "role": "observer"}})


WALL = {"start": {"x": 9, "y": 0}, "end": {"x": 9, "y": 9}, "armour": 4}


async def test_covers_and_items_have_one_case_each(table: Table) -> None:
    tree = battle("seeker-d100", "sealed")
    setup = tree["setup"] | {"map": {"cover": [WALL | {"id": "Wall"}]}}
    both = [WALL | {"id": "Wall"}, WALL | {"id": "wall"}]
    with pytest.raises(Malformed) as refused:
        await table.create(tree | {"setup": setup | {"map": {"cover": both}}})
    assert refused.value.params["path"] == "$.setup.map.cover[1].id"
    hidden = [{"feature": "WALL", "terrain": WALL}]
    with pytest.raises(Malformed) as refused:
        await table.create(tree | {"setup": setup | {"hidden_cover": hidden}})
    assert refused.value.params["path"] == "$.setup.hidden_cover[0].feature"
    for things in ({"held_items": ["Lamp", "lamp"]}, {"held_items": ["BLADE"]}):
        with pytest.raises(Malformed, match="held_items"):
            await table.create(_person(tree, **things))
    with pytest.raises(Malformed, match=r"weapons\[0\]"):
        await table.create(_person(tree, weapons=[{"id": "W_Unarmed", "sample": "w_machete"}]))
    encounter = await table.create(_person(tree | {"setup": setup}, held_items=["Lamp"]))
    for feature, is_there in (("Wall", True), ("Wall2", True), ("WALL2", False), ("wall", False)):
        laid = {"type": "set_terrain", "changes": [{"feature": feature, "terrain": WALL}]}
        if is_there:
            await table.act(encounter, laid)
        else:
            with pytest.raises(Malformed, match="each id once"):
                await table.act(encounter, laid)
    change: Tree = {"type": "item", "combatant": "b2", "item": "LAMP", "held": True}
    with pytest.raises(Malformed, match=r"changes\[0\].item"):
        await table.act(encounter, {"type": "adjust", "changes": [change]})
    await table.act(encounter, {"type": "adjust", "changes": [change | {"item": "Lamp2"}]})
