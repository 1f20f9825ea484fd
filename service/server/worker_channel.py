"""What the process that was started and those that serve for it say to each other.

How this works. Each worker shares one pair of sockets with the parent. A message is its length in
four bytes and MessagePack. The parent sends a worker its place first and whatever it has to pass
on after that; the worker says once that it serves. Whoever of the two dies leaves the other an end
of file, which needs no message. Requests are answered in any order, so they carry a number.
"""

import asyncio
import socket
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from service.api.metrics import Share

_LENGTH_BYTES: Final = 4


class WorkerAssignment(Struct, frozen=True, kw_only=True, tag="place"):
    """Parent to worker, first: which one it is, and the database it works on."""

    number: int
    database_url: str
    erase_url: str | None

    def __repr__(self) -> str:
        """Name nothing: addresses hold passwords."""
        return "Place(...)"


class Serving(Struct, frozen=True, kw_only=True, tag="serving"):
    """Worker to parent, once: it takes requests."""


class FiguresRequest(Struct, frozen=True, kw_only=True, tag="asked"):
    """Worker to parent: asks for the other workers' figures. Parent to worker: asks for its own."""

    question: int


class Figures(Struct, frozen=True, kw_only=True, tag="figures"):
    """Worker to parent: its own figures. Parent to worker: those of the workers that answered."""

    question: int
    shares: tuple[Share, ...]


WorkerMessage = WorkerAssignment | Serving | FiguresRequest | Figures

_ENCODER: Final = Encoder()
_DECODER: Final[Decoder[WorkerMessage]] = Decoder(WorkerMessage)


async def read(reader: asyncio.StreamReader) -> WorkerMessage | None:
    """The next message; None when the other side is gone, or says what cannot be read."""
    try:
        length = int.from_bytes(await reader.readexactly(_LENGTH_BYTES), "big")
        return _DECODER.decode(await reader.readexactly(length))
    except (asyncio.IncompleteReadError, OSError, msgspec.MsgspecError):
        return None


def read_first(wire: socket.socket) -> WorkerMessage | None:
    """The first message, before anything runs that could wait for it otherwise."""
    try:
        length = int.from_bytes(_exactly(wire, _LENGTH_BYTES), "big")
        return _DECODER.decode(_exactly(wire, length))
    except (EOFError, OSError, msgspec.MsgspecError):
        return None


def _exactly(wire: socket.socket, count: int) -> bytes:
    received = b""
    while len(received) < count:
        piece = wire.recv(count - len(received))
        if not piece:
            raise EOFError
        received += piece
    return received


def write(writer: asyncio.StreamWriter, message: WorkerMessage) -> None:
    """Send a message; to a side that is gone nothing is sent."""
    if not writer.is_closing():
        body = _ENCODER.encode(message)
        writer.write(len(body).to_bytes(_LENGTH_BYTES, "big") + body)
