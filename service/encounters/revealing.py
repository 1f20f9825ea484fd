"""Ends encounters that everybody left and reveals their seeds, as event 1 promised.

How this works. Which encounters are overdue the database knows. Each is ended behind the very head
that was found old: if anything happened since, or another process was first, the action fails and
nothing is lost, since the next round looks again. An encounter still in its setup drew no die and
is left alone. Parts stay closed: the seed opens the dice, and no secret of the table.
"""

import contextlib
from collections.abc import AsyncIterator
from uuid import UUID

from msgspec import UNSET

from service.encounters.acting import Actor
from service.encounters.caching import Cache
from service.encounters.live import Live, etag
from service.encounters.planning import Asked
from service.encounters.principal import SYSTEM, system_of
from service.encounters.requests import ActRequest
from service.encounters.sources import Sources
from service.errors import ConflictingRequest, NewerVersion, NotFound, PreconditionFailed, Refused
from service.eventstore.store import EventStore

PAGE = 100
END = {"type": "end_encounter", "reveal": "now"}
REVEAL = {"type": "reveal", "seed": True}


async def reveal_overdue(
    store: EventStore, cache: Cache, actor: Actor, sources: Sources
) -> AsyncIterator[UUID]:
    """Each encounter whose seed this call revealed."""
    after = UUID(int=0)
    while page := await store.seeds.overdue(sources.now(), after=after, limit=PAGE):
        for encounter in page:
            live = None
            with contextlib.suppress(NewerVersion):
                live = await cache.current(encounter)
            if live is None:
                continue
            if live.state.linear.seed is not UNSET:
                await store.seeds.revealed(encounter)
            elif await _reveal(live, actor):
                await store.seeds.revealed(encounter)
                yield encounter
        after = page[-1]


async def _reveal(live: Live, actor: Actor) -> bool:
    """Whether it was done now, behind the head that is known."""
    action = REVEAL if live.state.rule.status == "ended" else END
    asked = Asked(
        who=system_of(live.row.tenant),
        by=SYSTEM,
        request=ActRequest.read({"action": action}, 1),
        key=None,
        if_match=etag(live.seq, live.hash),
    )
    with contextlib.suppress(ConflictingRequest, NotFound, PreconditionFailed, Refused):
        await actor.act(live, asked)
        return True
    return False
