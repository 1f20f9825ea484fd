"""Doors, loot and fire."""

import pytest
from msgspec.structs import replace

from service.engine.dice.dice import SuppliedDice
from service.engine.geometry.points import Cell
from service.engine.vocabulary.values import Place
from service.errors import Refused
from service.rulesets.squad_d100.action_table import decide
from service.rulesets.squad_d100.actions import PickUp
from service.rulesets.squad_d100.effects import ItemsTaken
from service.rulesets.squad_d100.rules.doors import require_door
from service.rulesets.squad_d100.rules.fire import (
    FireEffect,
    wound_at_turn_start,
    wound_on_entering,
)
from service.rulesets.squad_d100.rules.loot import MOST_ITEMS, free_ids, require_loot
from service.rulesets.squad_d100.state import Cache
from tests.kit.table import GM
from tests.rulesets.squad_d100.duels import BOMB, GUN, duel

HERE = (4, 4)


def door_refusal(
    cell: Cell, *, is_door: bool = True, is_closing: bool = True, is_free: bool = True
) -> tuple[str, str | None, object]:
    with pytest.raises(Refused) as refused:
        require_door(HERE, cell, is_door=is_door, is_closing=is_closing, is_free=is_free)
    return refused.value.code, refused.value.rule, refused.value.params


@pytest.mark.rule("SQ-DOOR-1")
@pytest.mark.parametrize("cell", [(3, 3), (4, 3), (5, 5), (3, 4)])
def test_a_door_next_to_one_opens_and_closes(cell: Cell) -> None:
    require_door(HERE, cell, is_door=True, is_closing=False, is_free=True)
    require_door(HERE, cell, is_door=True, is_closing=False, is_free=False)
    require_door(HERE, cell, is_door=True, is_closing=True, is_free=True)


@pytest.mark.rule("SQ-DOOR-1")
def test_a_door_is_refused_in_the_order_of_its_checks() -> None:
    at = {"x": 6, "y": 4}
    assert door_refusal((6, 4), is_door=False, is_free=False) == ("not_a_door", "SQ-DOOR-1", at)
    far = ("not_adjacent", "SQ-DOOR-1", {**at, "distance": 2})
    assert door_refusal((6, 4), is_free=False) == far
    own = ("not_adjacent", "SQ-DOOR-1", {"x": 4, "y": 4, "distance": 0})
    assert door_refusal(HERE, is_free=False) == own
    held = ("cell_occupied", "SQ-DOOR-1", {"x": 5, "y": 4})
    assert door_refusal((5, 4), is_free=False) == held


@pytest.mark.rule("SQ-LOOT-1")
def test_there_must_be_something_to_pick_up() -> None:
    require_loot(HERE, is_loot=True)
    with pytest.raises(Refused) as refused:
        require_loot(HERE, is_loot=False)
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "nothing_here",
        "SQ-LOOT-1",
        {"x": 4, "y": 4},
    )


@pytest.mark.parametrize(
    ("wanted", "carried", "ids"),
    [
        (("rifle",), (), ("rifle",)),
        (("rifle",), ("rifle",), ("rifle_2",)),
        (("rifle",), ("rifle", "rifle_2"), ("rifle_3",)),
        (("rifle", "rifle_2"), ("rifle",), ("rifle_2", "rifle_2_2")),
        (("longest",), ("longest",), ("longe_2",)),
    ],
)
def test_an_id_that_is_carried_gets_a_suffix(
    wanted: tuple[str, ...], carried: tuple[str, ...], ids: tuple[str, ...]
) -> None:
    assert free_ids(wanted, carried, longest=7 if wanted == ("longest",) else 64) == ids


@pytest.mark.rule("SQ-FIRE-1")
@pytest.mark.rule("SQ-FIRE-2")
@pytest.mark.parametrize(
    ("effect", "wound"),
    [("light_wound", "light"), ("heavy_wound", "heavy"), ("none", None)],
)
def test_fire_wounds_whoever_enters_it_or_begins_a_turn_in_it(
    effect: FireEffect, wound: str | None
) -> None:
    assert wound_on_entering(True, effect) == wound_at_turn_start(True, effect) == wound
    assert wound_on_entering(False, effect) is wound_at_turn_start(False, effect) is None


@pytest.mark.rule("SQ-LOOT-1")
def test_what_lay_there_is_carried_under_an_id_that_is_free() -> None:
    battle = duel({"weapons": [GUN], "grenades": [BOMB]}, map=["W...."]).table.state
    [actor, _] = battle.rule.combatants
    cache = Cache(x=0, y=0, weapons=actor.weapons, grenades=actor.grenades)
    stocked = replace(battle, rule=replace(battle.rule, caches=(cache,)))
    effects = decide(stocked, PickUp(combatant="s"), GM, 9, SuppliedDice((), 9))
    [taken] = [each for each in effects if isinstance(each, ItemsTaken)]
    assert taken == ItemsTaken(
        rule="SQ-LOOT-1",
        combatant="s",
        place=Place(x=0, y=0),
        weapons=(replace(actor.weapons[0], id="gun_2"),),
        grenades=(replace(actor.grenades[0], id="bomb_2"),),
    )


@pytest.mark.rule("SQ-LOOT-1")
def test_nobody_takes_more_than_there_is_room_for() -> None:
    guns = [GUN | {"id": f"gun_{number}"} for number in range(MOST_ITEMS - 1)]
    bombs = [BOMB | {"id": f"bomb_{number}"} for number in range(MOST_ITEMS)]
    battle = duel({"weapons": guns, "grenades": bombs}, map=["W...."]).table.state
    [actor, _] = battle.rule.combatants
    lying = tuple(replace(actor.weapons[0], id=name) for name in ("first", "second"))
    cache = Cache(x=0, y=0, weapons=lying, grenades=actor.grenades[:1])
    stocked = replace(battle, rule=replace(battle.rule, caches=(cache,)))
    effects = decide(stocked, PickUp(combatant="s"), GM, 9, SuppliedDice((), 9))
    assert [each for each in effects if isinstance(each, ItemsTaken)] == [
        ItemsTaken(
            rule="SQ-LOOT-1",
            combatant="s",
            place=Place(x=0, y=0),
            weapons=lying[:1],
            grenades=(),
        )
    ]
