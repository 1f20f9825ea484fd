"""Servers that store nothing, to measure against: python _echo.py litestar|bare PORT

`litestar` reads a body into a type and sends it back. `bare` answers every request with the same
bytes and no HTTP library: what the load can do with it is the load's own ceiling.
"""

import asyncio
import sys
from typing import cast

import uvicorn
import uvloop
from litestar import Litestar, post
from litestar.params import JSONBody
from msgspec import Struct

ANSWER_BYTES = 2000
"""About as long as the answer to an action."""


class Asked(Struct):
    """The body of one action."""

    action: dict[str, object]


@post("/echo")
async def echo(data: JSONBody[Asked]) -> Asked:
    """The body, read and written."""
    return data


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
        uvicorn.run(
            Litestar([echo], openapi_config=None, logging_config=None),
            port=int(sys.argv[2]),
            http="httptools",
            loop="uvloop",
            log_config=None,
            access_log=False,
        )
