"""Seats: who takes part, how they come, and what they see of their own."""

import re
from typing import Final

from litestar import Response
from litestar.params import FromPath
from msgspec import UNSET

from service.api import calls, headers
from service.api.authentication import SECRET_BYTES, hash_of, seat_token_of
from service.api.request import (
    Ask,
    encounter_id,
    principal_of,
    query_of,
    services_behind,
    tree_of,
)
from service.api.response import REPLAYED, encoded
from service.api.routes.serving import serving
from service.encounters.seats.me import me as mine
from service.encounters.seats.messages import JoinAnswer
from service.encounters.seats.service import SeatCall
from service.engine.vocabulary.client_ids import ID_FORM
from service.errors import NotFound

_SEAT: Final = re.compile(ID_FORM)
_SHOWN: Final = 60

JOIN_BYTES: Final = 4_096
"""More than a code takes: whoever sends it is nobody yet."""

_NOT_KEPT: Final = {"Cache-Control": "no-store"}
"""The header of what holds a secret: no cache keeps it, not even the caller's own."""


@serving(calls.CREATE_SEAT)
async def create_seat(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """A new seat, once per key."""
    key = headers.required_idempotency_key(request.scope["headers"])
    asked = _asking(request, encounter, key)
    tree = await tree_of(request)
    done = await services_behind(request).seating.create(asked, tree)
    extra = {**_NOT_KEPT, "ETag": f'"{done.answer.etag}"'}
    if done.answer.seat is not UNSET:
        seats = calls.SEATS_PATH.replace("{encounter:str}", str(asked.encounter))
        extra["Location"] = f"{seats}/{done.answer.seat.id}"
    return encoded(done.answer, status=201, extra=_replayed(extra, done.replayed))


@serving(calls.LIST_SEATS)
async def list_seats(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """All seats."""
    seating = services_behind(request).seating
    return encoded(await seating.list(principal_of(request), encounter_id(encounter)))


@serving(calls.READ_SEAT)
async def read_seat(request: Ask, encounter: FromPath[str], seat: FromPath[str]) -> Response[bytes]:
    """One seat."""
    seating, who = services_behind(request).seating, principal_of(request)
    return encoded(await seating.read(who, encounter_id(encounter), seat_id(seat)))


@serving(calls.CHANGE_SEAT)
async def change_seat(
    request: Ask, encounter: FromPath[str], seat: FromPath[str]
) -> Response[bytes]:
    """Another role, control or name."""
    asked, wanted = _writing(request, encounter), seat_id(seat)
    done = await services_behind(request).seating.change(asked, wanted, await tree_of(request))
    extra = {"ETag": f'"{done.answer.etag}"'}
    return encoded(done.answer, extra=_replayed(extra, done.replayed))


@serving(calls.REMOVE_SEAT)
async def remove_seat(
    request: Ask, encounter: FromPath[str], seat: FromPath[str]
) -> Response[bytes]:
    """A seat is gone."""
    asked = _writing(request, encounter)
    done = await services_behind(request).seating.remove(asked, seat_id(seat))
    extra = {"ETag": f'"{done.answer.etag}"'}
    return encoded(done.answer, extra=_replayed(extra, done.replayed))


@serving(calls.INVITE)
async def invite(request: Ask, encounter: FromPath[str], seat: FromPath[str]) -> Response[bytes]:
    """A new code, once per key."""
    key = headers.required_idempotency_key(request.scope["headers"])
    asked = _asking(request, encounter, key)
    done = await services_behind(request).seating.invite(asked, seat_id(seat))
    return encoded(done.answer, status=201, extra=_replayed({**_NOT_KEPT}, done.replayed))


@serving(calls.REVOKE_TOKEN)
async def revoke_token(
    request: Ask, encounter: FromPath[str], seat: FromPath[str]
) -> Response[bytes]:
    """The token is good no more."""
    asked = _asking(request, encounter, None)
    return encoded(await services_behind(request).seating.revoke_token(asked, seat_id(seat)))


@serving(calls.JOIN)
async def join(request: Ask) -> Response[bytes]:
    """A token for a code."""
    services = services_behind(request)
    services.guesses.count(request.scope["client"])
    token = seat_token_of(services.encounters.writes.sources.random(SECRET_BYTES))
    tree = await tree_of(request, JOIN_BYTES)
    try:
        joined = await services.seating.join(tree, hash_of(token))
    except NotFound:
        services.guesses.wrong(request.scope["client"])
        raise
    answer = JoinAnswer(
        token=token,
        encounter=str(joined.encounter),
        seat=joined.seat.id,
        role=joined.seat.role,
    )
    return encoded(answer, status=201, extra=_NOT_KEPT)


@serving(calls.ME)
async def me(request: Ask) -> Response[bytes]:
    """A seat, or a key and a page of battles."""
    services, query = services_behind(request), query_of(request)
    cursor, limit = query.text_or_none(calls.CURSOR), query.whole(calls.BATTLES_LIMIT)
    who = principal_of(request)
    return encoded(await mine(services.encounters.reads, services.seating, who, cursor, limit))


def seat_id(text: str) -> str:
    """The seat in an address. Raises NotFound, as for a seat that does not exist."""
    if not _SEAT.fullmatch(text):
        raise NotFound("unknown_seat", seat=text[:_SHOWN])
    return text


def _writing(request: Ask, encounter: str) -> SeatCall:
    """A request that writes to the log under a key or behind a head."""
    raw = request.scope["headers"]
    return _asking(request, encounter, headers.idempotency_key(raw), headers.if_match(raw))


def _asking(request: Ask, encounter: str, key: str | None, if_match: str | None = None) -> SeatCall:
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
    host, local = headers.header(scope["headers"], "host") or "", scope["server"]
    hosts = services_behind(request).hosts
    return hosts.base(scope["scheme"], host, None if local is None else local[0])


def _replayed(extra: dict[str, str], is_replayed: bool) -> dict[str, str]:
    return {**extra, **REPLAYED} if is_replayed else extra
