"""Seats: who takes part, and what they see of their own."""

import re
from typing import Final

from litestar import Response
from litestar.params import FromPath
from msgspec import UNSET

from service.api.call import (
    CURSOR,
    ENCOUNTER_PATH,
    JSON,
    READING,
    WRITING,
    AnswerLinks,
    Call,
    CallAnswer,
    Example,
)
from service.api.endpoints.examples import CREATE_ENCOUNTER_EXAMPLES
from service.api.headers import headers_of
from service.api.query_parameters import Whole
from service.api.request import (
    Ask,
    encounter_id,
    principal_of,
    query_of,
    route,
    services_behind,
    tree_of,
)
from service.api.response import REPLAYED, encoded
from service.encounters.seats.me import me as mine
from service.encounters.seats.service import SeatCall
from service.engine.vocabulary.client_ids import ID_FORM
from service.errors import NotFound

_SEAT: Final = re.compile(ID_FORM)
_SHOWN: Final = 60

NOT_KEPT: Final = {"Cache-Control": "no-store"}
"""The header of what holds a secret: no cache keeps it, not even the caller's own."""


BATTLES_PER_PAGE: Final = 50
BATTLES_LIMIT: Final = Whole(
    name="limit",
    says="How many at most.",
    least=1,
    most=BATTLES_PER_PAGE,
    default=10,
)
SEATS_PATH: Final = f"{ENCOUNTER_PATH}/seats"
SEAT_PATH: Final = f"{SEATS_PATH}/{{seat:str}}"

CREATE_SEAT: Final = Call(
    id="create_seat",
    method="POST",
    path=SEATS_PATH,
    tag="seats",
    summary="Give somebody a seat, and a code to come to it",
    says=(
        "For game masters. The seat stands in the log, as the action `add_seat` would put it there;"
        " the code is told now and never again: ask `invite` for another."
    ),
    headers=("seat", "key_required"),
    body="CreateSeatRequest",
    examples=(
        Example(
            name="player",
            says="A player for the raiders, who is told a code",
            value={"seat": {"id": "nina", "role": "player", "sides": ["raiders"], "name": "Nina"}},
            of=CREATE_ENCOUNTER_EXAMPLES[0].name,
        ),
        Example(
            name="game_master",
            says="A second game master; the code comes later",
            value={"seat": {"id": "second", "role": "gm"}, "invite": False},
        ),
    ),
    answers=(
        CallAnswer(
            status=201,
            says="The seat, the event that says so, the invitation.",
            content={JSON: "SeatAnswer"},
            headers=("Location", "ETag", "Idempotency-Replayed"),
            links=AnswerLinks(
                path=SEAT_PATH,
                parameters={
                    "encounter": "$request.path.encounter",
                    "seat": "$response.body#/seat/id",
                },
            ),
        ),
    ),
    problems=(*WRITING, 428),
)


@route(CREATE_SEAT)
async def create_seat(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """A new seat, once per key."""
    key = headers_of(request.scope).required_idempotency_key()
    call = seat_call(request, encounter, key)
    tree = await tree_of(request)
    done = await services_behind(request).seats.create(call, tree)
    extra = {**NOT_KEPT, "ETag": f'"{done.answer.etag}"'}
    if done.answer.seat is not UNSET:
        seats = SEATS_PATH.replace("{encounter:str}", str(call.encounter))
        extra["Location"] = f"{seats}/{done.answer.seat.id}"
    return encoded(done.answer, status=201, extra=replayed(extra, done.replayed))


LIST_SEATS: Final = Call(
    id="list_seats",
    path=SEATS_PATH,
    tag="seats",
    summary="Who takes part, and who is there now",
    headers=("seat",),
    answers=(CallAnswer(status=200, says="All seats.", content={JSON: "SeatList"}),),
    problems=READING,
)


@route(LIST_SEATS)
async def list_seats(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """All seats."""
    seats = services_behind(request).seats
    return encoded(await seats.list(principal_of(request), encounter_id(encounter)))


READ_SEAT: Final = Call(
    id="read_seat",
    path=SEAT_PATH,
    tag="seats",
    summary="One seat",
    headers=("seat",),
    answers=(CallAnswer(status=200, says="The seat.", content={JSON: "SeatView"}),),
    problems=READING,
)


@route(READ_SEAT)
async def read_seat(request: Ask, encounter: FromPath[str], seat: FromPath[str]) -> Response[bytes]:
    """One seat."""
    seats, who = services_behind(request).seats, principal_of(request)
    return encoded(await seats.read(who, encounter_id(encounter), seat_id(seat)))


CHANGE_SEAT: Final = Call(
    id="change_seat",
    method="PATCH",
    path=SEAT_PATH,
    tag="seats",
    summary="Change the role, control or name of a seat",
    says=(
        "For game masters. What is absent stays. Send `Idempotency-Key` or `If-Match`. What the"
        " seat may see changes with the event; what it could see before stays its own."
    ),
    headers=("seat", "key", "if_match"),
    body="ChangeSeatRequest",
    examples=(
        Example(
            name="observer",
            says="A player who only watches from now on",
            value={"role": "observer", "sides": []},
        ),
    ),
    answers=(
        CallAnswer(
            status=200,
            says="The seat, and the event that says so.",
            content={JSON: "SeatAnswer"},
            headers=("ETag", "Idempotency-Replayed"),
        ),
    ),
    problems=(*WRITING, 412, 428),
)


@route(CHANGE_SEAT)
async def change_seat(
    request: Ask, encounter: FromPath[str], seat: FromPath[str]
) -> Response[bytes]:
    """Another role, control or name."""
    call, target = _writing(request, encounter), seat_id(seat)
    done = await services_behind(request).seats.change(call, target, await tree_of(request))
    extra = {"ETag": f'"{done.answer.etag}"'}
    return encoded(done.answer, extra=replayed(extra, done.replayed))


REMOVE_SEAT: Final = Call(
    id="remove_seat",
    method="DELETE",
    path=SEAT_PATH,
    tag="seats",
    summary="Take a seat away for good, with its token and its invitation",
    says=(
        "For game masters. Its id is never given again. Send `Idempotency-Key` or `If-Match`. Its"
        " token is refused and its streams are closed within seconds."
    ),
    headers=("seat", "key", "if_match"),
    answers=(
        CallAnswer(
            status=200,
            says="The event that says so.",
            content={JSON: "ActionsAnswer"},
            headers=("ETag", "Idempotency-Replayed"),
        ),
    ),
    problems=(*READING, 409, 412, 422, 428),
)


@route(REMOVE_SEAT)
async def remove_seat(
    request: Ask, encounter: FromPath[str], seat: FromPath[str]
) -> Response[bytes]:
    """A seat is gone."""
    call = _writing(request, encounter)
    done = await services_behind(request).seats.remove(call, seat_id(seat))
    extra = {"ETag": f'"{done.answer.etag}"'}
    return encoded(done.answer, extra=replayed(extra, done.replayed))


ME: Final = Call(
    id="me",
    path="/v1/me",
    tag="seats",
    summary="Who am I, where do I play, and whose move is it",
    says=(
        "By the token of a seat: that seat and its encounter. By a key: a page of the encounters"
        " that are under way; with `Warlog-Seat` those in which there is such a seat, as it sees"
        " them, so that a page may be empty and have a `next`."
    ),
    query=(CURSOR, BATTLES_LIMIT),
    headers=("seat",),
    answers=(CallAnswer(status=200, says="A seat or a key.", content={JSON: "Me"}),),
    problems=(400, 401, 403, 406, 429, 503),
)


@route(ME)
async def me(request: Ask) -> Response[bytes]:
    """A seat, or a key and a page of battles."""
    services, query = services_behind(request), query_of(request)
    cursor, limit = query.text_or_none(CURSOR), query.whole(BATTLES_LIMIT)
    who = principal_of(request)
    return encoded(await mine(services.encounters.reads, services.seats, who, cursor, limit))


def seat_id(text: str) -> str:
    """The seat in an address. Raises NotFound, as for a seat that does not exist."""
    if not _SEAT.fullmatch(text):
        raise NotFound("unknown_seat", seat=text[:_SHOWN])
    return text


def _writing(request: Ask, encounter: str) -> SeatCall:
    """A request that writes to the log under a key or behind a head."""
    headers = headers_of(request.scope)
    return seat_call(request, encounter, headers.idempotency_key(), headers.if_match())


def seat_call(
    request: Ask, encounter: str, key: str | None, if_match: str | None = None
) -> SeatCall:
    """A request about the seats of the encounter in an address."""
    return SeatCall(
        who=principal_of(request),
        encounter=encounter_id(encounter),
        key=key,
        if_match=if_match,
        base=_base(request),
    )


def _base(request: Ask) -> str:
    """What links to the service begin with; nothing if the host that was asked is unknown."""
    scope = request.scope
    host, local = headers_of(scope).value("host") or "", scope["server"]
    address = services_behind(request).public_address
    return address.base(scope["scheme"], host, None if local is None else local[0])


def replayed(extra: dict[str, str], is_replayed: bool) -> dict[str, str]:
    """The headers of an answer, and that it was given before."""
    return {**extra, **REPLAYED} if is_replayed else extra
