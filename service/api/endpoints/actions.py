"""Acting, looking before one acts, and what may be done at all.

How this works. Acting is the call that carries the load. The router finds the route, builds a
request and a response and mends them on the way: that costs more than everything else that HTTP
asks of an action. So the address of actions is recognized in front of the router
(`middleware.acted_upon`), where the same steps follow as in the route: `admit`, `acted`, `refused`.
The route `act` stays its twin: whatever is not plainly an action sent to its address - another
method, another spelling of the address, an odd host - is left to it.
"""

from typing import Final

import msgspec
from litestar import Response
from litestar.params import FromPath
from litestar.types import Receive
from litestar.types.asgi_types import HTTPScope

from service.api.call import (
    ENCOUNTER_PATH,
    JSON,
    READING,
    WRITING,
    Call,
    CallAnswer,
)
from service.api.endpoints.examples import ACT_EXAMPLES, PREVIEW_EXAMPLES
from service.api.headers import headers_of
from service.api.query_parameters import Text, Whole
from service.api.request import (
    Ask,
    encounter_id,
    principal_in,
    principal_of,
    query_of,
    route,
    services_behind,
    tree_in,
    tree_of,
)
from service.api.response import (
    REPLAYED,
    HttpResponse,
    encoded,
    explained,
)
from service.api.services import Services
from service.encounters.requests import ActRequest
from service.engine.battle.actors import Actor
from service.engine.ruleset.legal_nodes import FARTHEST
from service.engine.vocabulary.client_ids import ID_FORM

SAMPLES: Final = 50
COMBATANT: Final = Text(
    name="combatant",
    says="Combatant whose actions are asked for; of the three at most one may be stated.",
    pattern=ID_FORM,
    form=ID_FORM,
)
UNIT: Final = Text(
    name="unit",
    says="Unit whose actions are asked for, those of several of its members among them.",
    pattern=ID_FORM,
    form=ID_FORM,
)
SIDE: Final = Text(
    name="side",
    says="Side whose actions are asked for, its answers to questions among them.",
    pattern=ID_FORM,
    form=ID_FORM,
)
ATTACKER: Final = Text(
    name="attacker",
    says="Id of the combatant at whose end a line begins.",
    pattern=ID_FORM,
    form=ID_FORM,
)
TARGET: Final = Text(
    name="target",
    says="Id of the combatant at whose end a line ends.",
    pattern=ID_FORM,
    form=ID_FORM,
)
MODE: Final = Text(
    name="mode",
    says="Whether `cover` is asked for strikes or for shots; `ranged` without it.",
    pattern="melee|ranged",
    form="melee | ranged",
)
SUBJECT: Final = Text(
    name="combatant",
    says="Id of the combatant whom a question is about.",
    pattern=ID_FORM,
    form=ID_FORM,
)
MELODY: Final = Text(
    name="melody",
    says="Id of the Melody whose template `coverage` lays.",
    pattern=ID_FORM,
    form=ID_FORM,
)
TEMPLATE: Final = Text(
    name="template",
    says="Id of the template that `coverage` lays, where no Melody is stated.",
    pattern=ID_FORM,
    form=ID_FORM,
)
EAST: Final = Whole(
    name="x",
    says="Column of a cell that a line ends in, or u to the east of a point.",
    least=-FARTHEST,
    most=FARTHEST,
)
SOUTH: Final = Whole(
    name="y",
    says="Row of a cell that a line ends in, or u to the south of a point.",
    least=-FARTHEST,
    most=FARTHEST,
)
SAMPLE: Final = Whole(
    name="sample",
    says="How many complete actions, legal now, to draw at random.",
    least=0,
    most=SAMPLES,
    default=0,
)

ACT: Final = Call(
    id="act",
    method="POST",
    path=f"{ENCOUNTER_PATH}/actions",
    tag="play",
    summary="Do something: one action, or several in order",
    says=(
        "Each accepted action is one event. A list stops before the first action that is refused"
        " and after any that opened a decision. Send `Idempotency-Key` or `If-Match`; an answer to"
        " a decision needs neither. Notes have a rate of their own (`notes_per_minute` of the"
        " limits), for keys and seats alike."
    ),
    headers=("seat", "key", "if_match"),
    body="ActRequest",
    examples=ACT_EXAMPLES,
    answers=(
        CallAnswer(
            status=201,
            says="What happened.",
            content={JSON: "ActionsAnswer"},
            headers=("ETag", "Idempotency-Replayed"),
        ),
    ),
    problems=(*WRITING, 412, 428),
)


@route(ACT)
async def act(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """One action, or several in order; nearly all of them are answered before the router."""
    done = await acted(request.scope, request.receive, encounter, services_behind(request))
    return done.response()


async def acted(
    scope: HTTPScope, receive: Receive, encounter: str, services: Services
) -> HttpResponse:
    """One action, or several in order, for whom `admit` let in.

    Raises what `Encounters.act` raises; Malformed, TooLarge, UnsupportedMedia, NotFound.
    """
    headers = headers_of(scope)
    key, expected = headers.idempotency_key(), headers.if_match()
    who, number = principal_in(scope), encounter_id(encounter)
    tree = await tree_in(scope, receive, services)
    body = ActRequest.read(tree, services.limits.actions_per_list)
    notes = body.notes
    if notes:
        services.notes.require(who.account)
    done = await services.encounters.write_path.act(who, number, body, key, expected)
    answer = done.answer
    if notes and not done.replayed:
        services.notes.charge(who.account, min(notes, answer.accepted))
    if done.refusal is not None and answer.stopped is not msgspec.UNSET:
        # The refusal that stopped a list is written as a problem in the answer.
        complete = explained(scope, answer.stopped, done.refusal, services)
        answer = msgspec.structs.replace(answer, stopped=complete)
    tag = {"ETag": f'"{answer.etag}"'}
    return HttpResponse(
        status=201,
        media_type=JSON,
        body=msgspec.json.encode(answer),
        headers={**tag, **REPLAYED} if done.replayed else tag,
    )


PREVIEW: Final = Call(
    id="preview",
    method="POST",
    path=f"{ENCOUNTER_PATH}/preview",
    tag="play",
    summary="What an action would do: modifiers, target number, exact odds",
    says=(
        "Nothing is drawn, written or changed. `answers` says how those answer whom the action"
        " would ask; whoever is not named declines. The odds of what depends on numbers that the"
        " caller may not know are left out, and `unknown` says which. Has its own rate limit for"
        " each key."
    ),
    headers=("seat",),
    body="PreviewRequest",
    examples=PREVIEW_EXAMPLES,
    answers=(
        CallAnswer(
            status=200,
            says="What would happen.",
            content={JSON: "PreviewAnswer"},
            headers=("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
        ),
    ),
    problems=WRITING,
)


@route(PREVIEW)
async def preview(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """What an action would do."""
    services = services_behind(request)
    who = principal_of(request)
    allowance = services.previews.take(who.account)
    number = encounter_id(encounter)
    answer = await services.encounters.reads.preview(who, number, await tree_of(request))
    return encoded(answer, extra=allowance.headers())


INSPECT: Final = Call(
    id="inspect",
    path=f"{ENCOUNTER_PATH}/inspections/{{name:str}}",
    tag="play",
    summary="A question that is no action, on what the caller may see",
    says=(
        "Each ruleset has its own; another name is refused with those there are. `line`: the line"
        " and the cover between two combatants of the caller's view. `cover`: cover, concealment"
        " and flanking of everybody in that view against one attacker. `field_of_view` and"
        " `nearest_cover` of a combatant; `line_of_fire` from an attacker to a target or a cell."
        " `visibility` and `ranges` of a combatant: whom it sees, how far its weapons reach;"
        " `coverage`: whom a template would cover. Nothing is drawn, written or changed. Counts as"
        " a preview."
    ),
    query=(ATTACKER, TARGET, MODE, SUBJECT, MELODY, TEMPLATE, EAST, SOUTH),
    headers=("seat",),
    answers=(
        CallAnswer(
            status=200,
            says="What was found.",
            content={JSON: "InspectionAnswer"},
            headers=("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
        ),
    ),
    problems=(*READING, 422),
)


@route(INSPECT)
async def inspect(request: Ask, encounter: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """An inspection; it counts as a preview does."""
    services = services_behind(request)
    who = principal_of(request)
    allowance = services.previews.take(who.account)
    words = query_of(request).words
    answer = await services.encounters.reads.inspect(who, encounter_id(encounter), name, words)
    return encoded(answer, extra=allowance.headers())


LIST_LEGAL_ACTIONS: Final = Call(
    id="list_legal_actions",
    path=f"{ENCOUNTER_PATH}/legal-actions",
    tag="play",
    summary="What may be done now, with a domain for every parameter",
    says=(
        "By a combatant, a unit or a side; without any of them, all that the caller may do: of each"
        " side, unit and combatant for which it may act, answers to open decisions among them. What"
        " a unit, a side or several combatants do stands once, with the unit or the side. Dice that"
        " are awaited (`roll`) are not listed.\n\n"
        "A node is `{type, params, example}`; the example is a complete action. A domain is"
        " `{one_of: [...]}`, whose members may be `{value, params}`, `{int_range: {min, max}}`,"
        " `{disc: {x, y, radius}}` for a point (without a radius: any), `{cells: [...]}` or"
        " `{path: {x, y, budget, metric}}` for a path, `{params: {...}}` for an object,"
        " `{list_of: {...}, length}` for a list of so many values of one domain, `{some_of: [...],"
        " min, max}` for a list of distinct members;"
        " `optional` ones may be left out. Whoever is asked something has its open `decision`."
    ),
    query=(COMBATANT, UNIT, SIDE, SAMPLE),
    headers=("seat",),
    answers=(CallAnswer(status=200, says="The actions.", content={JSON: "LegalAnswer"}),),
    problems=(*READING, 409, 422),
)


@route(LIST_LEGAL_ACTIONS)
async def list_legal_actions(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """What somebody may do now, or all that the caller may do."""
    query = query_of(request)
    asked = query.one_text(COMBATANT, UNIT, SIDE)
    actor = None if asked is None else _actor(*asked)
    reads = services_behind(request).encounters.reads
    number = encounter_id(encounter)
    answer = await reads.legal(principal_of(request), number, actor, query.whole(SAMPLE))
    return encoded(answer)


def _actor(parameter: Text, name: str) -> Actor:
    """Whose actions are asked for."""
    if parameter is COMBATANT:
        return Actor(combatant=name)
    return Actor(unit=name) if parameter is UNIT else Actor(side=name)
