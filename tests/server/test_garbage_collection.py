"""A busy process seldom looks for garbage, and what it does all the time leaves none to find."""

import gc
import subprocess
import sys

from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.encounters.table import creation, end_turn, fighter, new_table, shoot

SHOWN = """
import gc
from service.server.garbage_collection import collect_seldom
collect_seldom()
print(gc.isenabled(), gc.get_threshold(), gc.get_freeze_count() > 1000)
"""


def test_what_is_loaded_is_not_looked_at_again_and_the_rest_seldom() -> None:
    shown = subprocess.run([sys.executable, "-c", SHOWN], capture_output=True, check=True)
    assert shown.stdout == b"True (5000, 100, 10) True\n"


async def test_accepted_actions_leave_no_cycles(database: Dsns) -> None:
    store = await EventStore.open(database.app, eraser_url=database.eraser)
    table = await new_table(store)
    tough = {"health": 10_000, "health_max": 10_000, "soak": 100}
    both = (fighter("r1", "red", 0, 0, **tough), fighter("b1", "blue", 6, 0, **tough))
    encounter = await table.started(creation(*both))
    turn = (shoot("r1", "b1"), end_turn("r1"), shoot("b1", "r1"), end_turn("b1"))
    for action in turn:
        await table.act(encounter, action)
    gc.collect()
    gc.disable()
    try:
        for _ in range(10):
            for action in turn:
                await table.act(encounter, action)
        found = gc.collect()
    finally:
        gc.enable()
    await table.encounters.writes.settle()
    await store.close()
    # A cycle for each would be at least as many; other threads of the run may leave a few.
    assert found < 10 * len(turn)
