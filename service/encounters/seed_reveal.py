"""Ends abandoned encounters and reveals their seeds, as event 1 promised.

How this works. The database lists the encounters that are overdue. Each is ended behind the very
head that was found old: if anything happened since, or another process was first, the action fails
and nothing is lost, since the next round looks again. An encounter still in its setup drew no die
and is left alone. Parts stay closed: the seed opens the dice, and no secret of the table.
"""

import contextlib
from collections.abc import AsyncIterator
from uuid import UUID

from msgspec import UNSET

from service.encounters.cache import Cache, LoadedEncounter
from service.encounters.clock_and_ids import etag
from service.encounters.housekeeping import Mishaps
from service.encounters.pending_events import ActCall
from service.encounters.principal import SYSTEM, system_of
from service.encounters.requests import ActRequest
from service.encounters.write_path import WritePath
from service.errors import ConflictingRequest, NewerVersion, NotFound, PreconditionFailed, Refused
from service.eventstore.records import Overdue
from service.eventstore.store import EventStore

PAGE = 100
END = {"type": "end_encounter", "reveal": "now"}
REVEAL = {"type": "reveal", "seed": True}


async def reveal_overdue(
    store: EventStore, cache: Cache, write_path: WritePath
) -> AsyncIterator[UUID]:
    """Each encounter whose seed this call revealed.

    An error with one of them is raised after all others had their turn.
    """
    mishaps = Mishaps()
    after = UUID(int=0)
    while page := await store.seeds.overdue(after=after, limit=PAGE):
        for overdue in page:
            is_done = False
            with mishaps.noted():
                is_done = await _revealed(store, cache, write_path, overdue)
            if is_done:
                yield overdue.encounter_id
        after = page[-1].encounter_id
    mishaps.tell()


async def _revealed(
    store: EventStore, cache: Cache, write_path: WritePath, overdue: Overdue
) -> bool:
    """Whether its seed was revealed now."""
    battle = None
    with contextlib.suppress(NewerVersion):
        battle = await cache.current(overdue.encounter_id, None)
    if battle is None:
        return False
    is_known = battle.state.linear.seed is not UNSET
    if not is_known and not await _reveal(battle, write_path, overdue):
        return False
    await store.seeds.revealed(overdue.encounter_id)
    return not is_known


async def _reveal(battle: LoadedEncounter, write_path: WritePath, overdue: Overdue) -> bool:
    """Whether it was done, behind the head that was found old."""
    action = REVEAL if battle.state.rule.status == "ended" else END
    request = ActRequest.read({"action": action}, 1)
    call = ActCall(
        who=system_of(battle.row.tenant),
        by=SYSTEM,
        request=request,
        actions=request.typed(battle.ruleset),
        key=None,
        if_match=etag(overdue.head_seq, overdue.head_hash.hex()),
    )
    with contextlib.suppress(ConflictingRequest, NotFound, PreconditionFailed, Refused):
        await write_path.act_on(battle, call)
        return True
    return False
