"""How answers leave: encoded once, with the headers that every one of them carries."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final
from uuid import uuid4

import msgspec
import structlog
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.types import Message, Scope, Send
from litestar.types.asgi_types import HTTPScope
from msgspec import Struct

from service import errors
from service.api import problems
from service.api.call import JSON
from service.api.headers import Pair, headers_of
from service.api.negotiation import language_of
from service.api.request import REQUEST_ID, Ask, services_of
from service.api.services import Services
from service.encounters.responses import Stopped
from service.engine.vocabulary.catalogue import Language

PRIVATE: Final[Mapping[str, str]] = {
    "Cache-Control": "private, no-cache",
    "Vary": "Authorization, Accept, Accept-Language, Warlog-Seat, Origin",
}
"""Headers of everything that depends on who asks."""

PUBLIC: Final[Mapping[str, str]] = {"Cache-Control": "no-cache", "Vary": "Origin"}
"""Headers of what everyone is shown alike."""

_DIGEST_DIGITS: Final = 32

REPLAYED: Final[Mapping[str, str]] = {"Idempotency-Replayed": "true"}
"""The header that distinguishes a repeated answer from a first one."""

NOSNIFF: Final[Pair] = (b"x-content-type-options", b"nosniff")
"""What every answer ends with, whoever made it."""

ANSWER_AT_ONCE: Final = "answer_at_once"
"""In the state of a request: `AnswerAtOnce` of its connection."""

_LONGEST_INSTANCE: Final = 500

_log = structlog.get_logger("warlog.api")


class HttpResponse(Struct, frozen=True, kw_only=True):
    """An answer that depends on the caller, sent by the router or by the layer before it.

    `headers` are those next to `PRIVATE`; `media_type` is no text, which would name its characters.
    `shared` are those by which a page of another origin may read it: see `cors`.
    """

    status: int
    media_type: str
    body: bytes
    headers: Mapping[str, str]
    shared: tuple[Pair, ...] = ()

    def response(self) -> Response[bytes]:
        """As a route gives it to the router."""
        return plain(self.body, self.media_type, status=self.status, extra=self.headers)

    def pairs(self) -> list[Pair]:
        """All headers, as the router and the edge make them of the response."""
        return [
            *_PRIVATE_PAIRS,
            *[_pair(name, value) for name, value in self.headers.items()],
            (b"content-type", self.media_type.encode()),
            (b"content-length", str(len(self.body)).encode()),
            NOSNIFF,
            *self.shared,
        ]

    def written(self, status_line: bytes, before: Iterable[Pair], *behind: Pair) -> bytes:
        """As HTTP/1.1 writes it, with the sender's headers before and behind its own."""
        pairs = [*before, *self.pairs(), *behind]
        head = b"".join([b"%b: %b\r\n" % pair for pair in pairs])
        return b"".join([status_line, head, b"\r\n", self.body])

    async def send(self, send: Send, *more: Pair) -> None:
        """Send it as the router sends the response, with `more` headers behind the others."""
        start = [*self.pairs(), *more]
        await send({"type": "http.response.start", "status": self.status, "headers": start})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


class AnswerSender(Struct, frozen=True):
    """Sends answers that tell the id of their request; `plain` sends them as they are."""

    plain: Send
    request_id: Pair

    async def __call__(self, message: Message) -> None:
        """Send a part of an answer."""
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], self.request_id]
        await self.plain(message)


AnswerAtOnce = Callable[[HTTPScope, HttpResponse, Pair], bool]
"""Writes the whole answer to a request, with one header more; False if it has to be sent."""


def _pair(name: str, value: str) -> Pair:
    return name.lower().encode("latin-1"), value.encode("latin-1")


_PRIVATE_PAIRS: Final = tuple(_pair(name, value) for name, value in PRIVATE.items())


def encoded(
    value: object,
    *,
    status: int = 200,
    extra: Mapping[str, str] | None = None,
    general: Mapping[str, str] = PRIVATE,
) -> Response[bytes]:
    """A value as JSON."""
    return plain(
        msgspec.json.encode(value), JSON, status=status, extra=extra or {}, general=general
    )


def plain(
    body: bytes,
    media_type: str,
    *,
    status: int = 200,
    extra: Mapping[str, str] | None = None,
    general: Mapping[str, str] = PRIVATE,
) -> Response[bytes]:
    """Bytes as they are."""
    return Response(
        content=body,
        status_code=status,
        media_type=media_type,
        headers={**general, **(extra or {})},
    )


def tagged(
    request: Ask,
    tag: str,
    value: object,
    extra: Mapping[str, str] | None = None,
    *,
    media_type: str = JSON,
) -> Response[bytes]:
    """A value with its tag (without quotes), or 304 if the client has it."""
    quoted = f'"{tag}"'
    headers = {**(extra or {}), "ETag": quoted}
    if headers_of(request.scope).lists_tag(quoted):
        return Response(
            content=b"", status_code=304, media_type=MediaType.TEXT, headers={**PRIVATE, **headers}
        )
    if isinstance(value, bytes):
        return plain(value, media_type, extra=headers)
    return encoded(value, extra=headers)


def unless_known(request: Ask, answer: Response[bytes]) -> Response[bytes]:
    """What everybody is shown alike, with a tag of its bytes, or 304 if the client has them.

    Bytes that were compressed on the way have a tag of their own, as `compressed_tag` has it.
    """
    quoted = f'"{_digest(answer.content)}"'
    headers = headers_of(request.scope)
    for tag in (quoted, compressed_tag(quoted)):
        if headers.lists_tag(tag):
            known = {**answer.headers, "ETag": tag}
            media_type = answer.media_type
            return Response(content=b"", status_code=304, media_type=media_type, headers=known)
    answer.set_header("ETag", quoted)
    return answer


@lru_cache(maxsize=256)
def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:_DIGEST_DIGITS]


def compressed_tag(quoted: str) -> str:
    """The tag of the same bytes in gzip's form."""
    return f'{quoted[:-1]}-gzip"'


def language_asked(scope: Scope) -> Language:
    """The language of the answer's words."""
    return language_of(headers_of(scope).value("accept-language"))


def refuse(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The router's answer to an error."""
    return refused(request.scope, error, services_of(request.app)).response()


def refused(scope: HTTPScope, error: Exception, services: Services) -> HttpResponse:
    """The answer to an error: always a problem, never a trace."""
    fault = _fault_of(scope, error)
    language = language_asked(scope)
    instance = instance_of(scope)
    request: str = scope["state"][REQUEST_ID]
    if problems.status_of(fault) == 500:
        instance = f"urn:uuid:{uuid4()}"
        _log.error(
            "fault",
            instance=instance,
            request=request,
            code=fault.code,
            exc_info=error,
        )
    problem = problems.problem_of(fault, language, instance, services.phrasebook, request)
    return HttpResponse(
        status=problem.status,
        media_type=problems.PROBLEM_TYPE,
        body=problems.body_of(problem),
        headers=problems.headers_of(fault, language),
    )


def explained(
    scope: HTTPScope, stopped: Stopped, refusal: errors.WarlogError, services: Services
) -> Stopped:
    """Why a list of actions ended early, with the refusal written as a problem."""
    problem = problems.problem_of(
        refusal,
        language_asked(scope),
        instance_of(scope),
        services.phrasebook,
        scope["state"][REQUEST_ID],
    )
    return msgspec.structs.replace(stopped, problem=msgspec.Raw(problems.body_of(problem)))


def instance_of(scope: Scope) -> str:
    """The address that was asked, as it is in the request line, without the query."""
    path = scope["raw_path"].decode("ascii", "replace")
    return path.partition("?")[0][:_LONGEST_INSTANCE]


def _fault_of(scope: HTTPScope, error: Exception) -> errors.WarlogError:
    """The service's own error for any exception."""
    if isinstance(error, errors.WarlogError):
        return error
    if not isinstance(error, HTTPException):
        return errors.WarlogError()
    match error.status_code:
        case 404:
            return errors.NotFound()
        case 405:
            allowed = (error.headers or {}).get("allow", "")
            methods = {word.strip() for word in allowed.split(",")} - {""}
            if "GET" in methods:
                methods.add("HEAD")
            return errors.MethodNotAllowed(method=scope["method"][:20], allowed=sorted(methods))
        case 400:
            return errors.Malformed(path="$", why="protocol")
        case _:
            return errors.WarlogError()
