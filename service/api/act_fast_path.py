"""Acting: the call that carries the load, answered without the router's help.

How this works. The router finds the route, builds a request and a response and mends them on the
way: that costs more than everything else that HTTP asks of an action. So the address of actions is
known here, in front of the router, and goes through the same steps: `admit`, `acted`, `refused`.
The router's own route (`routes.actions.act`) consists of the same three and stays its twin:
whatever is not plainly an action sent to its address - another method, another spelling of the
address, an odd host - is left to it.
"""

import re
from typing import Final

import msgspec
from litestar import Litestar
from litestar.types import Receive
from litestar.types.asgi_types import HTTPScope

from service.api import calls, headers, problems
from service.api.request import admit, encounter_id, principal_in, tree_in
from service.api.request_id import REQUEST_ID
from service.api.response import REPLAYED, HttpResponse, instance_of, language_asked, refused
from service.api.services import Services, services_of
from service.encounters.requests import ActRequest
from service.encounters.responses import ActionsAnswer
from service.encounters.write_path import Acted

_ADDRESS: Final = re.compile(r"/v1/encounters/([^/]+)/actions")
_HOST: Final = re.compile(rb"[A-Za-z0-9.:\[\]-]+")


def acted_upon(scope: HTTPScope) -> str | None:
    """The encounter of a plain action; None for whatever the router has to look at."""
    if scope["method"] != calls.ACT.method:
        return None
    found = _ADDRESS.fullmatch(scope["path"])
    return found[1] if found is not None and _has_plain_host(scope) else None


async def answer_to_action(
    scope: HTTPScope, receive: Receive, encounter: str, application: Litestar
) -> HttpResponse:
    """The answer to an action, whatever comes of it."""
    services = services_of(application)
    try:
        await admit(scope, calls.ACT, application)
        return await acted(scope, receive, encounter, services)
    except Exception as error:
        return refused(scope, error, services)


async def acted(
    scope: HTTPScope, receive: Receive, encounter: str, services: Services
) -> HttpResponse:
    """One action, or several in order, for whom `admit` let in.

    Raises what `Encounters.act` raises; Malformed, TooLarge, UnsupportedMedia, NotFound.
    """
    raw = scope["headers"]
    key, expected = headers.idempotency_key(raw), headers.if_match(raw)
    wanted = encounter_id(encounter)
    tree = await tree_in(scope, receive, services)
    asked = ActRequest.read(tree, services.limits.actions_per_list)
    done = await services.encounters.writes.act(principal_in(scope), wanted, asked, key, expected)
    told = {"ETag": f'"{done.answer.etag}"'}
    return HttpResponse(
        status=201,
        media_type=calls.JSON,
        body=msgspec.json.encode(_with_problem(scope, done, services)),
        headers={**told, **REPLAYED} if done.replayed else told,
    )


def _has_plain_host(scope: HTTPScope) -> bool:
    """Whether the host is absent or looks like one."""
    for name, value in scope["headers"]:
        if name == b"host":
            return _HOST.fullmatch(value) is not None
    return True


def _with_problem(scope: HTTPScope, done: Acted, services: Services) -> ActionsAnswer:
    """The answer, with the problem that stopped a list told as any other."""
    stopped = done.answer.stopped
    if done.refusal is None or stopped is msgspec.UNSET:
        return done.answer
    problem = problems.problem_of(
        done.refusal,
        language_asked(scope),
        instance_of(scope),
        services.phrasebook,
        scope["state"][REQUEST_ID],
    )
    told = msgspec.structs.replace(stopped, problem=msgspec.Raw(problems.body_of(problem)))
    return msgspec.structs.replace(done.answer, stopped=told)
