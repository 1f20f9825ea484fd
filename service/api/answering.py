"""How answers leave: encoded once, with the headers that every one of them carries."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import uuid4

import msgspec
import structlog
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.types import Scope

from service import errors
from service.api import headers, problems
from service.api.asking import Ask
from service.api.calls import JSON
from service.api.language import Language, language_of
from service.api.rooms import rooms_of

PRIVATE: Final[Mapping[str, str]] = {
    "Cache-Control": "private, no-cache",
    "Vary": "Authorization, Accept, Accept-Language, Warlog-Seat",
}
"""Headers of everything that depends on who asks."""

PUBLIC: Final[Mapping[str, str]] = {"Cache-Control": "no-cache"}
"""Headers of what everyone is told alike."""

_LONGEST_INSTANCE: Final = 500

_log = structlog.get_logger("warlog.api")


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
    request: Ask, tag: str, value: object, extra: Mapping[str, str] | None = None
) -> Response[bytes]:
    """A value with its tag (without quotes), or 304 if the client has it."""
    quoted = f'"{tag}"'
    told = {**(extra or {}), "ETag": quoted}
    if headers.is_known_to_client(request.scope["headers"], quoted):
        return Response(
            content=b"", status_code=304, media_type=MediaType.TEXT, headers={**PRIVATE, **told}
        )
    if isinstance(value, bytes):
        return plain(value, JSON, extra=told)
    return encoded(value, extra=told)


def language_asked(scope: Scope) -> Language:
    """The language of the answer's words."""
    return language_of(headers.header(scope["headers"], "accept-language"))


def refuse(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The answer to whatever went wrong: always a problem, never a trace."""
    told = _told(request, error)
    language = language_asked(request.scope)
    instance = instance_of(request.scope)
    if problems.status_of(told) == 500:
        instance = f"urn:uuid:{uuid4()}"
        _log.error("fault", instance=instance, code=told.code, exc_info=error)
    problem = problems.problem_of(told, language, instance, rooms_of(request.app).phrasebook)
    return plain(
        problems.body_of(problem),
        problems.PROBLEM_TYPE,
        status=problem.status,
        extra=problems.headers_of(told, language),
    )


def instance_of(scope: Scope) -> str:
    """The address that was asked, as it stands in the request line, without the query."""
    path = scope["raw_path"].decode("ascii", "replace")
    return path.partition("?")[0][:_LONGEST_INSTANCE]


def _told(request: Request[Any, Any, Any], error: Exception) -> errors.WarlogError:
    """The service's own error for whatever was raised."""
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
            return errors.MethodNotAllowed(method=request.method[:20], allowed=sorted(methods))
        case 400:
            return errors.Malformed(path="$", why="protocol")
        case _:
            return errors.WarlogError()
