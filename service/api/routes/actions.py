"""Acting, looking before one acts, and what may be done at all."""

from litestar import Response
from litestar.params import FromPath

from service.api import calls
from service.api.act_fast_path import acted
from service.api.request import (
    Ask,
    encounter_id,
    principal_of,
    query_of,
    services_behind,
    tree_of,
)
from service.api.response import encoded
from service.api.routes.serving import serving


@serving(calls.ACT)
async def act(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """One action, or several in order; nearly all of them are answered before the router."""
    done = await acted(request.scope, request.receive, encounter, services_behind(request))
    return done.response()


@serving(calls.PREVIEW)
async def preview(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """What an action would do."""
    services = services_behind(request)
    who = principal_of(request)
    allowance = services.previews.take(who.account)
    wanted = encounter_id(encounter)
    found = await services.encounters.reads.preview(who, wanted, await tree_of(request))
    return encoded(found, extra=allowance.headers())


@serving(calls.INSPECT)
async def inspect(request: Ask, encounter: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """A question that is no action; it counts as a preview does."""
    services = services_behind(request)
    who = principal_of(request)
    allowance = services.previews.take(who.account)
    words = query_of(request).words
    answer = await services.encounters.reads.inspect(who, encounter_id(encounter), name, words)
    return encoded(answer, extra=allowance.headers())


@serving(calls.LIST_LEGAL_ACTIONS)
async def list_legal_actions(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """What a combatant may do now."""
    query = query_of(request)
    combatant, sample = query.text(calls.COMBATANT), query.whole(calls.SAMPLE)
    encounters = services_behind(request).encounters
    wanted = encounter_id(encounter)
    return encoded(await encounters.reads.legal(principal_of(request), wanted, combatant, sample))
