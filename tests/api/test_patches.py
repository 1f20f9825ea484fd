"""Who applies the patches of events holds what `GET` tells at each of them, from any cursor on.

The battles are random ones with secrets of every ruleset, played by the game master, with notes,
rewinds, changes of seats and of what is hidden in between. The patches are applied by a library
that is not ours.
"""

import json
from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import Any, Final

import jsonpatch
import pytest

from service.encounters.documents import MOST_BEHIND
from service.eventstore.embedded import Dsns
from tests.api.people import Wire
from tests.api.worlds import SIDES, UNKNOWING, World, serving, twin_databases
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS

pytestmark = pytest.mark.slow

EVENTS: Final = 30
NUMBER: Final = 5
READERS: Final = (*UNKNOWING, "gm")


@pytest.fixture(scope="module")
async def database(server: str) -> AsyncIterator[Dsns]:
    """A database with a tenant and its key."""
    async with twin_databases(server) as pair:
        yield pair[0]


def document_at(wire: Wire, world: World, reader: str, seq: int) -> dict[str, Any]:
    """What `GET` tells of an event."""
    if seq == 0:
        return {}
    told = json.loads(wire.ask("GET", f"{world.battle}?at={seq}", world.by[reader]).body)
    return {name: told[name] for name in ("decisions", "state", "table")}


def patched(wire: Wire, world: World, reader: str, after: int, limit: int) -> list[dict[str, Any]]:
    """A page of events with patches."""
    path = f"{world.battle}/events?state=patch&after={after}&limit={limit}"
    answer = wire.ask("GET", path, world.by[reader])
    assert answer.status == 200, answer
    events: list[dict[str, Any]] = json.loads(answer.body)["events"]
    return events


def deeds(world: World, dice: Random) -> Iterator[dict[str, Any]]:
    """What is done: mostly what the rules offer, and everything that changes what is seen."""
    yield {"type": "start_encounter"}
    while True:
        path = f"{world.battle}/legal-actions?sample=8"
        offered = json.loads(world.wire.ask("GET", path, world.owner).body).get("samples", [])
        people = [each["id"] for each in world.state()["state"]["combatants"]]
        what = dice.randrange(10)
        if what == 0:
            yield {"type": "note", "text": f"a note {dice.random()}", "gm_text": "and a secret"}
        elif what == 1 and world.head > 3:
            yield {"type": "rewind", "to": dice.randrange(2, world.head)}
        elif what == 2:
            change = {"type": dice.choice(["hide", "reveal"]), "combatant": dice.choice(people)}
            yield {"type": "adjust", "changes": [change], "reason": "it is so"}
        elif what == 3:
            side = dice.choice(["red", "blue"])
            yield {"type": "change_seat", "seat": "bob", "role": "player", "sides": [side]}
        elif offered:
            yield dice.choice(offered)


def played(world: World, dice: Random) -> None:
    """Play a while; refusals are left out."""
    for deed in deeds(world, dice):
        world.ask(deed)
        if world.head >= EVENTS:
            return


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_patches_lead_to_what_is_told(database: Dsns, rig: Rig) -> None:
    slug = rig.ruleset.slug
    dice = Random(f"{slug} {rig.ruleset.version}")
    with serving(database, slug) as served:
        setup = rig.battles.setup(NUMBER, with_secrets=True)
        sides = [side for side in SIDES if f'"{side}"' in json.dumps(setup)]
        name = f"{slug}-{rig.ruleset.version}"
        world = World(served, slug, setup, "h", name=name, sides=sides)
        played(world, dice)
        wire = Wire(served.url)
        for reader in READERS:
            told = {seq: document_at(wire, world, reader, seq) for seq in range(world.head + 1)}
            for after in (0, *dice.sample(range(1, world.head), 3)):
                document = told[after]
                for event in patched(wire, world, reader, after, dice.choice([5, MOST_BEHIND])):
                    document = jsonpatch.apply_patch(document, event["patch"])
                    assert document == told[event["seq"]], (reader, after, event["patch"])
        wire.close()
        world.close()
