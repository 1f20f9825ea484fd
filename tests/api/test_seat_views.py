"""Who may read what another seat sees: the game master, as long as it is one."""

import json
from collections.abc import AsyncIterator

import pytest

from service.eventstore.embedded import Dsns
from tests.api.people import Wire, bearer
from tests.api.surfaces import events, frames
from tests.api.worlds import World, serving, twin_databases
from tests.kit.rigs import RIGS


@pytest.fixture(scope="module")
async def database(server: str) -> AsyncIterator[Dsns]:
    """A database with a tenant and its key."""
    async with twin_databases(server) as pair:
        yield pair[0]


READS = ("?at=1", "/scene?at=1", "/events?limit=5", "/events/1?explain=en", "/stream?after=0")


def test_only_the_game_master_reads_what_another_seat_sees(database: Dsns) -> None:
    rig = RIGS[0]
    with serving(database, "views") as served:
        setup = rig.worlds.world(rig.worlds.long, 0)
        world = World(served, rig.ruleset.slug, setup, "h", name="views")
        wire = Wire(served.url)
        as_gus = {**world.owner, "Warlog-Seat": "gus"}
        told = []
        for path in READS:
            for by, seat in (
                (world.by["ann"], "bob"),
                (world.by["ann"], "ann"),
                (world.by["eve"], "ann"),
                ({**world.owner, "Warlog-Seat": "bob"}, "ann"),
                (world.owner, "nobody"),
                (as_gus, "nobody"),
                (world.owner, "no%20body"),
                ({}, "ann"),
                (bearer("wk_" + "A" * 43), "ann"),
            ):
                answer = wire.ask("GET", f"{world.battle}{path}&view={seat}", by)
                told.append((answer.status, json.loads(answer.body)["code"]))
        assert told == [
            *[(403, "gm_only")] * 4,
            *[(404, "unknown_seat")] * 2,
            (400, "malformed"),
            *[(401, "unauthenticated")] * 2,
        ] * len(READS)
        own = wire.ask("GET", f"{world.battle}?at=1", world.by["ann"])
        assert wire.ask("GET", f"{world.battle}?at=1&view=ann", as_gus).body == own.body
        wire.close()
        world.close()


def test_a_seat_is_not_present_because_it_is_viewed_and_the_view_ends_with_the_right_to_it(
    database: Dsns,
) -> None:
    rig = RIGS[0]
    with serving(database, "ends") as served:
        setup = rig.worlds.world(rig.worlds.long, 0)
        world = World(served, rig.ruleset.slug, setup, "h", name="ends")
        as_gus = {**world.owner, "Warlog-Seat": "gus"}
        path = f"{world.battle}/socket?view=ann"
        by_seat, by_key = (frames(served.url, path, by) for by in (as_gus, world.owner))
        for tap in (by_seat, by_key):
            tap.until(lambda each: each.count(b'"hello"') == 1, "no hello")
        hello = json.loads(by_key.records[0])
        assert (hello["seat"], hello["role"]) == ("ann", "player")
        assert "ann" not in hello["presence"]
        world.act({"type": "change_seat", "seat": "gus", "role": "observer"})
        assert json.loads(by_seat.rest()[-1])["reason"] == "revoked"
        again = events(served.url, f"{world.battle}/stream?view=ann&state=patch", world.owner)
        again.until(lambda each: each.count(b'"hello"') == 1, "no hello")
        world.act({"type": "remove_seat", "seat": "ann"})
        assert json.loads(by_key.rest()[-1])["reason"] == "revoked"
        assert b'"reason":"revoked"' in again.rest()[-1]
        world.close()
