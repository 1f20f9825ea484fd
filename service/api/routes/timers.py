"""The clock of an encounter: what it shows, and what the game master does to it."""

from litestar import Response
from litestar.params import FromPath

from service.api import calls, headers
from service.api.request import Ask, encounter_id, principal_of, services_behind, tree_of
from service.api.response import REPLAYED, encoded
from service.api.routes.serving import serving


@serving(calls.LIST_TIMERS)
async def list_timers(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The deadlines that the caller may know of."""
    encounters = services_behind(request).encounters
    return encoded(await encounters.reads.timers(principal_of(request), encounter_id(encounter)))


@serving(calls.CHANGE_TIMERS)
async def change_timers(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """Pause, resume or extend, once per key."""
    key = headers.required_idempotency_key(request.scope["headers"])
    who, wanted = principal_of(request), encounter_id(encounter)
    tree = await tree_of(request)
    done = await services_behind(request).encounters.writes.change_timers(who, wanted, tree, key)
    return encoded(done.answer, extra=REPLAYED if done.replayed else {})
