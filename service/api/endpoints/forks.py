"""Forks: a battle continues from any of its events in a separate encounter."""

from typing import Final

from litestar import Response
from litestar.params import FromPath
from litestar.types import ASGIApp
from msgspec import UNSET
from msgspec.structs import replace

from service.api.authentication import SECRET_BYTES, hash_of, seat_token_of
from service.api.call import (
    ENCOUNTER_PATH,
    EVENT_STREAM,
    JSON,
    WRITING,
    Call,
    CallAnswer,
    Example,
)
from service.api.created_encounters import created, created_with
from service.api.headers import headers_of
from service.api.request import (
    Ask,
    encounter_id,
    media_type_asked,
    principal_of,
    route,
    services_behind,
    tree_of,
)
from service.api.response import explained
from service.api.streaming.simulation_stream import SimulationStream
from service.encounters.forks.service import ForkCall

FORKS_PATH: Final = f"{ENCOUNTER_PATH}/forks"

CREATE_FORK: Final = Call(
    id="create_fork",
    method="POST",
    path=FORKS_PATH,
    tag="encounters",
    summary="Take up a battle from one of its events, with other dice and in a log of its own",
    says=(
        "For game masters at any time, and once the battle has ended for everybody to whom all of"
        " it is open. Nothing is written to the battle itself. The fork's event 1 holds the whole"
        " state without free text; it stands in `setup` with its options frozen, and"
        " `start_encounter` lets it go on where it was, without drawing anything. Open decisions"
        " have new ids, what waited goes on as the forker's. Seats are not taken over: the caller"
        " is the fork's game master. `actions` are posted behind event 1 in their order. A fork"
        " counts until it is deleted, also when it has ended: `limits` of `GET /v1/rulesets` say"
        " how many one battle has (`forks`), one seat has (`seat_forks`) and one seat makes in a"
        " day (`seat_forks_per_day`). What seats ask in a fork counts on the account of the seat"
        " that made it, which deletes it with the fork's token."
    ),
    headers=("seat", "key_required"),
    body="ForkRequest",
    examples=(
        Example(
            name="from_the_beginning",
            says="The same battle with other dice",
            value={"at": 1, "title": "What if", "actions": []},
        ),
    ),
    answers=(created_with("The fork, its first event and those of the actions.", "ForkAnswer"),),
    problems=(*WRITING, 428),
)


@route(CREATE_FORK)
async def create_fork(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """A new encounter that continues from an event of this one, once per key."""
    key = headers_of(request.scope).required_idempotency_key()
    tree = await tree_of(request)
    services = services_behind(request)
    token = seat_token_of(services.encounters.writes.sources.random(SECRET_BYTES))
    call = ForkCall(
        who=principal_of(request),
        encounter=encounter_id(encounter),
        key=key,
        token_hash=hash_of(token),
    )
    done = await services.encounters.forks.create(call, tree)
    answer = done.answer
    extra: dict[str, str] = {}
    if done.refusal is not None and answer.stopped is not UNSET:
        stopped = explained(request.scope, answer.stopped, done.refusal, services)
        answer = replace(answer, stopped=stopped)
    if not done.replayed and call.who.has_own_token:
        answer = replace(answer, token=token)
        extra["Cache-Control"] = "no-store"
    return created(answer, extra, replayed=done.replayed)


SIMULATE: Final = Call(
    id="simulate",
    method="POST",
    path=f"{FORKS_PATH}/simulations",
    tag="encounters",
    summary="Play a battle from one of its events to its end, many times, and count what comes",
    says=(
        "For those who may fork it. Nothing is stored, and no dice of the battle are used: all"
        " follows from the request's own `seed`, also where the table rolls its dice. Each side's"
        " policy chooses from what that side sees and may do. A battle ends when the rules say so,"
        " when at most one side can act, or after `max_rounds`, undecided. How many may be played,"
        " and how long that may take, `limits` of `GET /v1/rulesets` says; when time is up the"
        " answer is of as many as were played (`ended`, `asked`). With `Accept:"
        " text/event-stream` the answer is events: `progress` (`done`, `n`), at last `result`, or"
        " `problem`. Whoever leaves ends it; a caller has one at a time."
    ),
    headers=("seat",),
    body="SimulationRequest",
    examples=(
        Example(
            name="at_random",
            says="Ten battles in which every side takes whatever it may do",
            value={"at": 1, "n": 10, "max_rounds": 3, "seed": "07" * 32},
        ),
    ),
    answers=(
        CallAnswer(
            status=200,
            says="What came of the battles, or events with it at their end.",
            content={JSON: "SimulationAnswer", EVENT_STREAM: "Text"},
        ),
    ),
    problems=WRITING,
)


@route(SIMULATE)
async def simulate(request: Ask, encounter: FromPath[str]) -> ASGIApp:
    """Battles that go on from an event of this one, in memory alone."""
    services, who = services_behind(request), principal_of(request)
    planned = await services.simulations.plan(who, encounter_id(encounter), await tree_of(request))
    return SimulationStream(services, who, planned, media_type_asked(request))
