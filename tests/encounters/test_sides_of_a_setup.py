"""Seats are judged by the sides a creation ends with, those that its setup brings included."""

from typing import Any
from uuid import UUID

import msgspec
import pytest

from service.app import compose
from service.errors import Refused
from service.eventstore.store import EventStore
from tests.encounters.table import SIGNER, SOURCES, Table, new_table
from tests.toy.side_battles import SEATS, TROOPERS, trooper
from tests.toy.sides import RULESETS


@pytest.fixture
async def toys(store: EventStore) -> Table:
    """A service that knows a ruleset whose setup brings the sides of its troopers."""
    return Table(compose(store, RULESETS, SIGNER, SOURCES), (await new_table(store)).who)


def stated(*sides: str, seats: Any = SEATS, troopers: Any = TROOPERS) -> dict[str, object]:
    """A creation that names these sides."""
    return {
        "ruleset": "toy-sides",
        "sides": [{"id": side} for side in sides],
        "seats": msgspec.to_builtins(seats),
        "setup": {"troopers": msgspec.to_builtins(troopers)},
    }


async def sides_of(table: Table, encounter: UUID) -> list[str]:
    state = await table.state(encounter)
    return [side["id"] for side in state["sides"]]


async def test_a_seat_plays_a_side_that_only_the_setup_brings(toys: Table) -> None:
    encounter = await toys.create(stated("red"))
    assert await sides_of(toys, encounter) == ["red", "blue"]
    bea = toys.seat("bea")
    names = [each["id"] for each in (await bea.state(encounter))["combatants"]]
    assert names == ["r1", "b1", "b2", "b3"]
    await toys.act(encounter, {"type": "start_encounter"})
    await toys.act(encounter, {"type": "end_turn", "side": "red"})
    await bea.act(encounter, {"type": "activate_unit", "unit": "ghosts"})


async def test_a_side_that_is_in_neither_is_refused_with_those_that_there_are(toys: Table) -> None:
    green = {"id": "gil", "role": "player", "sides": ["green"]}
    with pytest.raises(Refused) as caught:
        await toys.create(stated("red", seats=[green]))
    assert (caught.value.code, caught.value.params) == (
        "unknown_side",
        {"side": "green", "allowed": ["red", "blue"]},
    )


async def test_a_battle_has_so_many_sides_whoever_brings_them(toys: Table) -> None:
    many = [trooper(f"t{number}", f"s{number}", f"u{number}") for number in range(1, 17)]
    encounter = await toys.create(stated("s1", seats=(), troopers=many))
    assert await sides_of(toys, encounter) == [f"s{number}" for number in range(1, 17)]
    with pytest.raises(Refused) as caught:
        await toys.create(stated("red", seats=(), troopers=many))
    assert (caught.value.code, caught.value.params) == ("too_many_sides", {"limit": 16})
