"""Coming to a seat: invitations, codes for another device, and what codes are exchanged for."""

from typing import Final

from litestar import Response
from litestar.params import FromPath
from msgspec import UNSET

from service.api.authentication import SECRET_BYTES, hash_of, seat_token_of
from service.api.call import JSON, READING, Call, CallAnswer, Example
from service.api.endpoints.seats import NOT_KEPT, SEAT_PATH, replayed, seat_call, seat_id
from service.api.headers import headers_of
from service.api.request import Ask, principal_of, route, services_behind, tree_of
from service.api.response import encoded
from service.encounters.seats.client_tokens import HASH_EXAMPLE
from service.encounters.seats.invitation_codes import EXAMPLE as CODE
from service.encounters.seats.messages import JoinAnswer
from service.errors import NotFound
from service.eventstore.seats import DEVICES

JOIN_BYTES: Final = 4_096
"""More than a code takes: whoever sends it is nobody yet."""

INVITE: Final = Call(
    id="invite",
    method="POST",
    path=f"{SEAT_PATH}/invitation",
    tag="seats",
    summary="A new code for a seat; the one before is good no more",
    says=(
        "For game masters. Whoever sits there stays until the code is exchanged: then the tokens"
        " of all devices end. A repeated request is answered without the code."
    ),
    headers=("seat", "key_required"),
    answers=(
        CallAnswer(
            status=201,
            says="The invitation.",
            content={JSON: "InvitationAnswer"},
            headers=("Idempotency-Replayed",),
        ),
    ),
    problems=(*READING, 409, 428),
)


@route(INVITE)
async def invite(request: Ask, encounter: FromPath[str], seat: FromPath[str]) -> Response[bytes]:
    """A new code, once per key."""
    key = headers_of(request.scope).required_idempotency_key()
    call = seat_call(request, encounter, key)
    done = await services_behind(request).seats.invite(call, seat_id(seat))
    return encoded(done.answer, status=201, extra=replayed({**NOT_KEPT}, done.replayed))


REVOKE_TOKEN: Final = Call(
    id="revoke_token",
    method="DELETE",
    path=f"{SEAT_PATH}/token",
    tag="seats",
    summary="End the tokens of a seat, of a lost phone for one; the seat stays",
    says=(
        "For game masters. It ends those of all devices. Doing it again gives the same answer."
        " `invite` makes a code anew."
    ),
    headers=("seat",),
    answers=(CallAnswer(status=200, says="The seat.", content={JSON: "SeatView"}),),
    problems=READING,
)


@route(REVOKE_TOKEN)
async def revoke_token(
    request: Ask, encounter: FromPath[str], seat: FromPath[str]
) -> Response[bytes]:
    """The token is no longer good."""
    call = seat_call(request, encounter, None)
    return encoded(await services_behind(request).seats.revoke_token(call, seat_id(seat)))


JOIN: Final = Call(
    id="join",
    method="POST",
    path="/v1/join",
    tag="seats",
    summary="Exchange an invitation's code for the token of its seat, once",
    says=(
        "Needs no key. A code that never was, was used or has expired gets one and the same 404."
        " How many a minute are taken from one address, `limits` of `GET /v1/rulesets` says."
        " Whoever makes the token and sends its SHA-256 (`token_hash`) can ask again for ten"
        " minutes if the answer was lost: the same code with the same hash is answered alike, with"
        " another as any used code. A hash that some seat has already is refused with 409."
    ),
    body="JoinRequest",
    examples=(
        Example(
            name="code",
            says="A code as somebody typed it; this one leads nowhere",
            value={"code": CODE.lower()},
        ),
        Example(
            name="own_token",
            says="A code with the hash of a token that the caller made",
            value={"code": CODE, "token_hash": HASH_EXAMPLE},
        ),
    ),
    answers=(
        CallAnswer(
            status=201,
            says="The token, which is told to nobody again, unless the caller made it.",
            content={JSON: "JoinAnswer"},
            headers=("Idempotency-Replayed",),
        ),
    ),
    problems=(400, 404, 406, 408, 409, 413, 415, 429, 503),
)


@route(JOIN)
async def join(request: Ask) -> Response[bytes]:
    """A token for a code."""
    services = services_behind(request)
    services.code_guesses.count(request.scope["client"])
    token = seat_token_of(services.encounters.writes.sources.random(SECRET_BYTES))
    tree = await tree_of(request, JOIN_BYTES)
    try:
        joined = await services.seats.join(tree, hash_of(token))
    except NotFound:
        services.code_guesses.wrong(request.scope["client"])
        raise
    answer = JoinAnswer(
        token=UNSET if joined.made_by_caller else token,
        encounter=str(joined.encounter),
        seat=joined.seat.id,
        role=joined.seat.role,
    )
    return encoded(answer, status=201, extra=replayed({**NOT_KEPT}, joined.replayed))


ADD_DEVICE: Final = Call(
    id="add_device",
    method="POST",
    path="/v1/me/devices",
    tag="seats",
    summary="A code to go on with one's own seat on another device",
    says=(
        "For seats by their own tokens. Whoever exchanges the code within 15 minutes speaks for the"
        f" seat beside this device, up to {DEVICES} in all, and each asks by a token of its own."
        " What ends the token of one ends those of all: a new invitation that is exchanged, a"
        " revocation, a removal. An open code of this kind ends with the next one. A repeated"
        " request is answered without the code."
    ),
    headers=("key_required",),
    answers=(
        CallAnswer(
            status=201,
            says="The invitation.",
            content={JSON: "InvitationAnswer"},
            headers=("Idempotency-Replayed",),
        ),
    ),
    problems=(400, 401, 403, 406, 409, 428, 429, 503),
)


@route(ADD_DEVICE)
async def add_device(request: Ask) -> Response[bytes]:
    """A code for another device, once per key."""
    key = headers_of(request.scope).required_idempotency_key()
    call = seat_call(request, str(principal_of(request).encounter), key)
    done = await services_behind(request).seats.add_device(call)
    return encoded(done.answer, status=201, extra=replayed({**NOT_KEPT}, done.replayed))
