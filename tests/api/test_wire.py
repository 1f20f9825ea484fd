"""What comes over a connection before anything of it can be called a request."""

import socket
from urllib.parse import urlsplit

import pytest

from tests.api.serving import Served

MEBIBYTE = 1 << 20
GET = b"GET /health/live HTTP/1.1\r\nHost: x\r\n"
CHUNKED = b"POST /v1/encounters HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
LAST = b"Connection: close\r\n\r\n"


def answer_to(served: Served, *sent: bytes) -> bytes:
    """All that comes back until the service closes the connection."""
    address = urlsplit(served.url)
    told = b""
    with socket.create_connection((address.hostname, address.port or 0), timeout=20) as wire:
        try:
            for piece in sent:
                wire.sendall(piece)
            while piece := wire.recv(65_536):
                told += piece
        except (BrokenPipeError, ConnectionResetError):
            pass
    return told


@pytest.mark.parametrize(
    "endless",
    [
        GET + b"X: " + b"a" * 16 * MEBIBYTE,
        b"GET /" + b"a" * 16 * MEBIBYTE,
        GET + b"X: a\r\n" * 4 * MEBIBYTE,
        CHUNKED + b"1;" + b"a" * 16 * MEBIBYTE,
        CHUNKED + b"0\r\nX: " + b"a" * 16 * MEBIBYTE,
    ],
    ids=["header", "address", "headers", "chunk", "trailer"],
)
def test_what_never_becomes_a_request_is_given_up(served: Served, endless: bytes) -> None:
    answer_to(served, endless)
    assert answer_to(served, GET + LAST).startswith(b"HTTP/1.1 200 ")


def test_a_large_head_and_a_long_body_are_read(served: Served) -> None:
    head = b"X: " + b"a" * 30_000 + b"\r\n"
    assert answer_to(served, GET, head, LAST).startswith(b"HTTP/1.1 200 ")
    post = b"POST /v1/encounters HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n"
    told = answer_to(served, post, *[b" " * 90_000] * 10, GET, LAST)
    assert told.startswith(b"HTTP/1.1 401 ")
    assert b"HTTP/1.1 200 " in told
