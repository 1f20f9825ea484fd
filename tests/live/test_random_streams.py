"""Writers at two processes; many clients that come, go, resume and stall: nobody misses a thing.

Each client keeps what it was shown over all its streams, as a phone does. In the end it has exactly
the events behind the place it began at, in order, as the log shows them to it.
"""

import asyncio
import contextlib
from random import Random
from typing import Any
from uuid import UUID

import pytest

from service.errors import Unavailable, WarlogError
from service.eventstore.store import EventStore
from tests.encounters.table import Table, creation, end_turn, fighter, shoot
from tests.live.clients import Client, RecordedFanout, looking, visible, wired
from tests.patience import until
from tests.soak import with_soak

SEATS = ("rita", "bob", "olaf", "cora", "guest", "")
CLIENTS = 40
WRITERS = 5
DEEDS = 8
TRIES_SECONDS = 0.01


class Phone:
    """A client over all its streams."""

    def __init__(self, chance: Random, tables: tuple[Table, Table], encounter: UUID) -> None:
        self.chance = chance
        self.seat = chance.choice(SEATS)
        self.tables = tables
        self.encounter = encounter
        self.began: str | None = None
        self.cursor: str | None = None
        self.client: Client | None = None
        self.events: list[dict[str, Any]] = []

    @property
    def at(self) -> Table:
        table = self.chance.choice(self.tables)
        return table.seat(self.seat) if self.seat else table

    async def come(self) -> None:
        """Follow from where it was, or from anywhere for the first time."""
        if self.client is not None:
            return
        client = Client(self.at, self.encounter)
        first = self.chance.choice(["0", None, "1", "2"])
        client.sink.reads = self.chance.random() < 0.8
        await client.join(self.cursor if self.began is not None else first)
        self.client = client
        if self.began is None:
            self.began = client.sink.records[0].place

    def go(self) -> None:
        """Drop off the network, with what has come so far."""
        if self.client is None:
            return
        client, self.client = self.client, None
        client.leave()
        self.events += client.sink.of("event")
        self.cursor = client.sink.cursor
        assert client.sink.bodies[0]["type"] == "hello"

    async def live(self) -> None:
        """One thing that a phone does."""
        if self.client is not None and self.client.sink.is_closed:
            self.go()
        deed = self.chance.random()
        if self.client is None:
            await self.come()
        elif deed < 0.25:
            self.go()
        elif deed < 0.45:
            self.client.sink.reads = False
        elif deed < 0.75:
            self.client.sink.read_on()

    async def settle(self, head: str) -> None:
        """Come back for good, and read to the end."""
        if self.client is not None and self.client.sink.is_closed:
            self.go()
        await self.come()
        assert self.client is not None
        self.client.sink.read_on()
        sink = self.client.sink
        await until(lambda: sink.cursor == head)
        self.go()


def battle() -> dict[str, Any]:
    """Two of each side, one of each hidden, and six who look on."""
    people = (
        fighter("r1", "red", 0, 0),
        fighter("r2", "red", 0, 3, hidden=True),
        fighter("b1", "blue", 6, 0),
        fighter("b2", "blue", 6, 3, hidden=True),
    )
    options = {"initiative": "fixed", "enemy_numbers": "hidden", "attack_reveals": False}
    seats = [
        {"id": "rita", "role": "player", "sides": ["red"]},
        {"id": "bob", "role": "player", "sides": ["blue"]},
        {"id": "olaf", "role": "observer"},
        {"id": "cora", "role": "gm"},
        {"id": "guest", "role": "player"},
    ]
    return creation(setup={"options": options, "combatants": list(people)}, seats=seats)


def anything(chance: Random, head: int, is_wild: bool) -> dict[str, Any]:
    """Something that somebody may do."""
    who = chance.choice(["r1", "r2", "b1", "b2"])
    flip = {"type": chance.choice(["reveal", "hide"]), "combatant": who}
    calm: list[dict[str, Any]] = [
        {"type": "note", "text": "so be it " * chance.choice([1, 200])},
        {"type": "note", "gm_text": "so it will be " * chance.choice([1, 100])},
        {"type": "adjust", "changes": [flip], "reason": "because"},
        {"type": "rewind", "to": chance.randint(2, head)},
        end_turn(who),
        shoot(who, "b1"),
        {"type": "set_facing", "combatant": who, "facing": chance.choice("NESW")},
    ]
    role = chance.choice(["player", "observer", "gm"])
    wild: list[dict[str, Any]] = [
        {"type": "erase", "seqs": [chance.randint(1, head)]},
        {"type": "change_seat", "seat": "guest", "role": role},
        {"type": "assign_control", "seat": "guest", "combatants": [who]},
    ]
    return chance.choice([*calm, *wild] if is_wild else calm)


async def write(
    chance: Random, tables: tuple[Table, Table], encounter: UUID, wild: bool, deeds: int
) -> None:
    """One writer, who may be at either process."""
    for _ in range(deeds):
        table = chance.choice(tables)
        live = await table.encounters.writes._cache.current(encounter, table.who.tenant)
        assert live is not None
        several = chance.choice([1, 1, 1, 4, 12])
        actions = [anything(chance, live.seq, wild) for _ in range(several)]
        with contextlib.suppress(WarlogError):
            await table.act(encounter, *actions)
        if chance.random() < 0.02:
            table.encounters.writes._cache.forget(encounter)
        await asyncio.sleep(chance.random() * TRIES_SECONDS)


async def gossip(
    chance: Random, tables: tuple[Table, Table], wires: tuple[RecordedFanout, RecordedFanout]
) -> None:
    """What the processes tell one another: some of it late, twice, out of order or not at all."""
    while True:
        for table, others in zip(tables, reversed(wires), strict=True):
            messages, others.messages = others.messages, []
            if chance.random() < 0.3:
                chance.shuffle(messages)
            for message in messages:
                for _ in range(chance.choice([0, 1, 1, 1, 1, 2])):
                    table.encounters.hub.receive(message)
        await asyncio.sleep(chance.random() * TRIES_SECONDS)


async def everybody_has_everything(
    table: Table, store: EventStore, seed: str, deeds: int = DEEDS
) -> None:
    chance = Random(seed)
    is_wild = "wild" in seed
    encounter = await table.started(battle())
    (here, first), (there, second) = wired(table, store), wired(table, store)
    tables = (here, there)
    phones = [Phone(Random(f"{seed} {each}"), tables, encounter) for each in range(CLIENTS)]
    talk = asyncio.create_task(gossip(chance, tables, (first, second)))

    async def use(phone: Phone) -> None:
        while True:
            with contextlib.suppress(Unavailable):
                await phone.live()
            await asyncio.sleep(phone.chance.random() * 0.03)

    async with looking(*tables):
        users = [asyncio.create_task(use(phone)) for phone in phones]
        chances = [Random(f"{seed} {each}") for each in range(WRITERS)]
        await asyncio.gather(*[write(each, tables, encounter, is_wild, deeds) for each in chances])
        for user in (*users, talk):
            user.cancel()
        results = await asyncio.gather(*users, talk, return_exceptions=True)
        assert [each for each in results if not isinstance(each, asyncio.CancelledError)] == []
        view = await here.encounters.reads.view(table.who, encounter, None)
        for phone in phones:
            await phone.settle(f"{view.seq}-{view.hash[:8]}")
    delivered = sum(each.encounters.hub.tally.delivered for each in tables)
    assert delivered == sum(len(phone.events) for phone in phones)
    story = {seat: await visible(table.seat(seat) if seat else table, encounter) for seat in SEATS}
    for phone in phones:
        compare(phone, story[phone.seat], is_wild)
    for each in tables:
        assert each.encounters.hub.channels == {}
        await each.encounters.hub.settle()
        await each.encounters.writes.settle()


def compare(phone: Phone, story: list[dict[str, Any]], is_wild: bool) -> None:
    """What a phone has, and what the log has for it."""
    assert phone.began is not None
    expected = [dict(each) for each in story[int(phone.began.partition("-")[0]) :]]
    assert [each["seq"] for each in phone.events] == [each["seq"] for each in expected]
    if is_wild:
        # Text goes, and a game master of then has seen what a player of now may not.
        for each in (*phone.events, *expected):
            each.pop("parts")
            each.pop("seen", None)
    assert phone.events == expected


@pytest.mark.parametrize("seed", with_soak(["wild"], ["calm"]))
async def test_everybody_ends_with_exactly_the_events_they_may_see(
    table: Table, store: EventStore, seed: str
) -> None:
    await everybody_has_everything(table, store, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(60))
async def test_everybody_ends_with_exactly_the_events_they_may_see_again_and_again(
    table: Table, store: EventStore, seed: int
) -> None:
    await everybody_has_everything(table, store, f"{'wild' if seed % 2 else 'calm'} {seed}", 32)
