"""Connections of those who follow: a stream of events or a socket, over a real one.

How this works. HTTP is taken apart by one library, frames by another, so that the service is held
to what they expect of it. What a line hears it passes on at once: the id, empty where there is
none, and the JSON of the record as the service encoded it.
"""

import asyncio
import socket
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import httptools
import msgspec
from msgspec import Struct
from websockets.client import ClientProtocol
from websockets.datastructures import Headers
from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

Took = Callable[[str, bytes], None]
"""Is shown the id of a record, and its JSON."""

_ID = b'{"id":"'


class Line(asyncio.Protocol, ABC):
    """One connection, once it is open; `status` is 0 until there is an answer.

    `problem` is the body of a refusal. `over` is set when the connection is gone.
    """

    def __init__(self, path: str, headers: Mapping[str, str], took: Took) -> None:
        self.path, self.headers, self.took = path, headers, took
        self.status = 0
        self.problem = b""
        self.close_code: int | None = None
        self.heard_bytes = 0
        self.over = asyncio.Event()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.ask()

    def connection_lost(self, _: Exception | None) -> None:
        self.over.set()

    @abstractmethod
    def ask(self) -> None:
        """Send the request."""

    def vanish(self) -> None:
        """Be gone without a word."""
        self.transport.abort()


class EventLine(Line):
    """A stream of events."""

    def ask(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._text = b""
        lines = {"Host": "x", "Accept": "text/event-stream", **self.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.transport.write(f"GET {self.path} HTTP/1.1\r\n{head}\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self.heard_bytes += len(data)
        self._parser.feed_data(data)

    def on_headers_complete(self) -> None:
        self.status = self._parser.get_status_code()

    def on_body(self, body: bytes) -> None:
        if self.status != 200:
            self.problem += body
            return
        *events, self._text = (self._text + body).split(b"\n\n")
        for event in events:
            self._read(event)

    def on_message_complete(self) -> None:
        # A refusal leaves the connection open.
        self.transport.close()

    def _read(self, event: bytes) -> None:
        fields = dict(line.partition(b": ")[::2] for line in event.split(b"\n"))
        body = fields[b"data"]
        assert body.startswith(b'{"type":"' + fields[b"event"] + b'"'), event
        self.took(fields.get(b"id", b"").decode(), body)


class _Told(Struct):
    type: str
    problem: msgspec.Raw = msgspec.Raw(b"{}")


class _Problem(Struct):
    status: int


class SocketLine(Line):
    """A socket."""

    def ask(self) -> None:
        self._frames = ClientProtocol(parse_uri(f"ws://x{self.path}"))
        request = self._frames.connect()
        request.headers.update(Headers(self.headers))
        self._frames.send_request(request)
        self._flush()

    def data_received(self, data: bytes) -> None:
        self.heard_bytes += len(data)
        self._frames.receive_data(data)
        for event in self._frames.events_received():
            if isinstance(event, Response):
                self.status = event.status_code
                if self.status != 101:
                    # Refused before there was a socket.
                    self.problem = bytes(event.body)
                    self.transport.close()
            elif isinstance(event, Frame):
                self._read(event)
        self._flush()

    def _flush(self) -> None:
        for piece in self._frames.data_to_send():
            if piece:
                self.transport.write(piece)
            else:
                self.transport.close()

    def _read(self, frame: Frame) -> None:
        if frame.opcode is Opcode.CLOSE:
            self.close_code = Close.parse(frame.data).code
        if frame.opcode is not Opcode.TEXT:
            return
        body = bytes(frame.data)
        if body.startswith(_ID):
            end = body.index(b'",', len(_ID))
            self.took(body[len(_ID) : end].decode(), b"{" + body[end + 2 :])
            return
        if body.startswith(b'{"type":"problem"'):
            self.problem = bytes(msgspec.json.decode(body, type=_Told).problem)
            self.status = msgspec.json.decode(self.problem, type=_Problem).status
            return
        self.took("", body)


async def opened(line: Line, url: str, receive_bytes: int | None = None) -> None:
    """Connect; the system keeps at most so many bytes that are not read. Raises OSError."""
    parts = urlsplit(url)
    loop = asyncio.get_running_loop()
    connection = socket.socket()
    try:
        if receive_bytes is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        connection.setblocking(False)
        await loop.sock_connect(connection, (parts.hostname, parts.port))
        await loop.create_connection(lambda: line, sock=connection)
    except BaseException:
        connection.close()
        raise
