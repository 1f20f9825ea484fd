"""The clock of an encounter: what it shows, and what the game master does to it."""

from typing import Final

from litestar import Response
from litestar.params import FromPath

from service.api.call import (
    ENCOUNTER_PATH,
    JSON,
    READING,
    WRITING,
    Call,
    CallAnswer,
    Example,
)
from service.api.headers import headers_of
from service.api.request import Ask, encounter_id, principal_of, route, services_behind, tree_of
from service.api.response import REPLAYED, encoded

LIST_TIMERS: Final = Call(
    id="list_timers",
    path=f"{ENCOUNTER_PATH}/timers",
    tag="play",
    summary="How long open decisions and the present turn may still take",
    says=(
        "Where the options `decision_seconds` or `turn_seconds` limit them. What is over the"
        " service ends within seconds, as `by: system`: it passes for whoever is asked, or ends the"
        " turn. A question for dice, which cannot be passed, stays open and overdue."
    ),
    headers=("seat",),
    answers=(CallAnswer(status=200, says="All deadlines.", content={JSON: "TimersAnswer"}),),
    problems=(*READING, 409),
)


@route(LIST_TIMERS)
async def list_timers(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The deadlines that the caller may know of."""
    encounters = services_behind(request).encounters
    return encoded(await encounters.reads.timers(principal_of(request), encounter_id(encounter)))


CHANGE_TIMERS: Final = Call(
    id="change_timers",
    method="POST",
    path=f"{ENCOUNTER_PATH}/timers",
    tag="play",
    summary="Pause or resume the clock, or give more time: for game masters",
    says=(
        "Nothing of it stands in the log. A repeated key changes nothing and is answered with the"
        " deadlines as they are now."
    ),
    headers=("seat", "key_required"),
    body="TimersRequest",
    examples=(
        Example(
            name="pause",
            says="Somebody is at the door",
            value={"do": "pause"},
            of="time_limits",
        ),
        Example(name="resume", says="Go on", value={"do": "resume"}, of="time_limits"),
        Example(
            name="extend",
            says="Five minutes more for the hunter",
            value={"do": "extend", "seconds": 300, "turn": "hunter"},
            of="time_limits",
        ),
    ),
    answers=(
        CallAnswer(
            status=200,
            says="All deadlines.",
            content={JSON: "TimersAnswer"},
            headers=("Idempotency-Replayed",),
        ),
    ),
    problems=(*WRITING, 428),
)


@route(CHANGE_TIMERS)
async def change_timers(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """Pause, resume or extend, once per key."""
    key = headers_of(request.scope).required_idempotency_key()
    who, number = principal_of(request), encounter_id(encounter)
    tree = await tree_of(request)
    done = await services_behind(request).encounters.writes.change_timers(who, number, tree, key)
    return encoded(done.answer, extra=REPLAYED if done.replayed else {})
