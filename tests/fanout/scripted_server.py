"""A server that says what a test asks it to, and nothing a real one would."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager


@asynccontextmanager
async def scripted(answers: Mapping[bytes, bytes]) -> AsyncIterator[str]:
    """Its address; it answers each command by its first word, +OK where there is nothing."""
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        while line := await reader.readline():
            words = []
            for _ in range(int(line[1:])):
                size = int((await reader.readline())[1:])
                words.append((await reader.readexactly(size + 2))[:-2])
            writer.write(answers.get(words[0], b"+OK\r\n"))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    try:
        yield f"redis://{host}:{port}"
    finally:
        server.close()
        for writer in writers:
            writer.close()
        await server.wait_closed()
