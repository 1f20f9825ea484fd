"""One kept-alive HTTP/1.1 connection to the service, by hand, that comes back after it is lost."""

import asyncio
from urllib.parse import urlsplit

from msgspec import Struct

from tests.patience import PATIENCE_SECONDS


class Reply(Struct, frozen=True, kw_only=True):
    """Status, head and body of an answer."""

    status: int
    head: bytes
    body: bytes


class NotConnected(Exception):
    """Nobody listens there: the request was never sent."""


class AnswerLost(Exception):
    """The request, or a part of it, went out, and no answer came back."""


class Wire:
    """Connects when it is used, and again when the last answer was lost."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._token = token
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> Reply:
        """Ask for something. Raises NotConnected, AnswerLost."""
        return await self._ask(self._request("GET", path, {}, b""))

    async def post(self, path: str, headers: dict[str, str], body: bytes) -> Reply:
        """Send something. Raises NotConnected, AnswerLost."""
        return await self._ask(self._request("POST", path, headers, body))

    async def post_and_vanish(
        self, path: str, headers: dict[str, str], body: bytes, seconds: float
    ) -> None:
        """Send something and hang up a moment later, whatever is on its way."""
        _, writer = await self._connected()
        writer.write(self._request("POST", path, headers, body))
        await asyncio.sleep(seconds)
        self.close()

    async def post_part(self, path: str, body: bytes, share: float) -> None:
        """Send the first part of something, and say nothing more."""
        _, writer = await self._connected()
        request = self._request("POST", path, {"Idempotency-Key": "partial"}, body)
        writer.write(request[: int(len(request) * share)])
        await writer.drain()

    async def hung_up(self) -> None:
        """Wait until the other side closes the connection. Raises AnswerLost if it never does."""
        reader, _ = await self._connected()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await reader.read()
        except OSError as error:
            raise AnswerLost from error

    def close(self) -> None:
        """Hang up at once."""
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None

    def _request(self, method: str, path: str, headers: dict[str, str], body: bytes) -> bytes:
        lines = {
            "Host": f"{self._host}:{self._port}",
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body

    async def _ask(self, request: bytes) -> Reply:
        reader, writer = await self._connected()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                writer.write(request)
                return await _read(reader)
        except (OSError, asyncio.IncompleteReadError) as error:
            # A late answer must not be taken for that of the next request.
            self.close()
            raise AnswerLost from error

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is not None and self._streams[0].at_eof():
            self.close()
        if self._streams is None:
            try:
                self._streams = await asyncio.open_connection(self._host, self._port)
            except OSError as error:
                raise NotConnected from error
        return self._streams


async def _read(reader: asyncio.StreamReader) -> Reply:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
    return Reply(status=int(head[9:12]), head=head, body=await reader.readexactly(length))
