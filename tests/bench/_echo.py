"""Servers that store nothing, to measure against: python _echo.py litestar|asgi|bare PORT

`litestar` reads a body into a type and sends it back. `asgi` reads a body and answers as many bytes
as an action's answer has: the HTTP server alone. `bare` answers every request with the same bytes
and no HTTP library: what the load can do with it is the load's own ceiling.
"""

import asyncio
import sys
from typing import cast

import uvicorn
import uvloop
from litestar import Litestar, post
from litestar.params import JSONBody
from msgspec import Struct
from uvicorn._types import (
    ASGIReceiveCallable,
    ASGISendCallable,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    Scope,
)

ANSWER_BYTES = 2000
"""About as long as the answer to an action."""


class Asked(Struct):
    """The body of one action."""

    action: dict[str, object]


@post("/echo")
async def echo(data: JSONBody[Asked]) -> Asked:
    """The body, read and written."""
    return data


HEADERS = [(b"content-length", b"%d" % ANSWER_BYTES)]
START: HTTPResponseStartEvent = {"type": "http.response.start", "status": 201, "headers": HEADERS}
BODY: HTTPResponseBodyEvent = {
    "type": "http.response.body",
    "body": b"x" * ANSWER_BYTES,
    "more_body": False,
}


async def asgi(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """The same answer to whoever sent a body."""
    if scope["type"] == "http":
        await receive()
        await send(START)
        await send(BODY)


class Bare(asyncio.Protocol):
    """Answers whatever comes in, provided that it comes in one piece."""

    answer = b"HTTP/1.1 201 Created\r\ncontent-length: %d\r\n\r\n" % ANSWER_BYTES
    answer += b"x" * ANSWER_BYTES

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where answers go."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """One request, one answer."""
        self._transport.write(self.answer)


async def serve_bare(port: int) -> None:
    """Serve until the process is ended."""
    server = await asyncio.get_running_loop().create_server(Bare, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1] == "bare":
        uvloop.run(serve_bare(int(sys.argv[2])))
    else:
        litestar = Litestar([echo], openapi_config=None, logging_config=None)
        uvicorn.run(
            asgi if sys.argv[1] == "asgi" else litestar,
            lifespan="off",
            port=int(sys.argv[2]),
            http="httptools",
            loop="uvloop",
            log_config=None,
            access_log=False,
        )
