"""Acting, looking before one acts, and what may be done at all."""

import msgspec
from litestar import Response
from litestar.params import FromPath

from service.api import calls, headers, problems
from service.api.answering import encoded, instance_of, language_asked
from service.api.asking import (
    Ask,
    encounter_id,
    principal_of,
    query_of,
    rooms_behind,
    tree_of,
)
from service.api.routes.encounters import replayed
from service.api.routes.serving import serving
from service.encounters.acting import Acted
from service.encounters.answers import ActionsAnswer
from service.encounters.requests import ActRequest


@serving(calls.ACT)
async def act(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """One action, or several in order."""
    rooms = rooms_behind(request)
    raw = request.scope["headers"]
    key, expected = headers.idempotency_key(raw), headers.if_match(raw)
    wanted = encounter_id(encounter)
    asked = ActRequest.read(await tree_of(request), rooms.limits.actions_per_list)
    acted = await rooms.encounters.act(principal_of(request), wanted, asked, key, expected)
    extra = {"ETag": f'"{acted.answer.etag}"'} | replayed(acted.replayed)
    return encoded(_with_problem(request, acted), status=201, extra=extra)


@serving(calls.PREVIEW)
async def preview(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """What an action would do."""
    rooms = rooms_behind(request)
    who = principal_of(request)
    allowance = rooms.previews.take(who.key_id)
    wanted = encounter_id(encounter)
    found = await rooms.encounters.preview(who, wanted, await tree_of(request))
    return encoded(found, extra=allowance.headers())


@serving(calls.LIST_LEGAL_ACTIONS)
async def list_legal_actions(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """What a combatant may do now."""
    query = query_of(request)
    combatant, sample = query.text(calls.COMBATANT), query.whole(calls.SAMPLE)
    encounters = rooms_behind(request).encounters
    wanted = encounter_id(encounter)
    return encoded(await encounters.legal(principal_of(request), wanted, combatant, sample))


def _with_problem(request: Ask, acted: Acted) -> ActionsAnswer:
    """The answer, with the problem that stopped a list told as any other."""
    stopped = acted.answer.stopped
    if acted.refusal is None or stopped is msgspec.UNSET:
        return acted.answer
    problem = problems.problem_of(
        acted.refusal,
        language_asked(request.scope),
        instance_of(request.scope),
        rooms_behind(request).phrasebook,
    )
    told = msgspec.structs.replace(stopped, problem=msgspec.Raw(problems.body_of(problem)))
    return msgspec.structs.replace(acted.answer, stopped=told)
