"""Requests and answers as httpx knows them, for both drivers."""

import httpx

from warlog.steps import Lost, Request, Response

CONNECT_SECONDS = 10.0
UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Errors after which it is certain that nothing arrived."""


def built(
    http: httpx.Client | httpx.AsyncClient,
    request: Request,
    silence_seconds: float,
) -> httpx.Request:
    """A request to be sent; `silence_seconds` is how long a piece of the answer may take."""
    connect_seconds = min(CONNECT_SECONDS, silence_seconds)
    return http.build_request(
        request.method,
        request.url,
        headers=dict(request.headers),
        params=dict(request.query) or None,
        content=request.body,
        timeout=httpx.Timeout(silence_seconds, connect=connect_seconds),
    )


def response_of(answer: httpx.Response) -> Response:
    """An answer; without its body where that is still to be read."""
    headers = {name.lower(): value for name, value in answer.headers.items()}
    body = answer.content if answer.is_closed else b""
    return Response(status=answer.status_code, headers=headers, body=body)


def lost(error: httpx.RequestError) -> Lost:
    """That no answer came, and why."""
    why = f"{type(error).__name__}: {error}".rstrip(": ")
    return Lost(was_sent=not isinstance(error, UNSENT), why=why)
