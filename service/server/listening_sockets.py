"""The sockets that the service listens on: made here where several processes share them."""

import socket
from collections.abc import Iterable
from typing import Final

import typer

from service.console import out, tell_error
from service.exits import Exit

BACKLOG: Final = 65_535
"""Connections that wait to be taken: as many as the system allows (`net.core.somaxconn`).

One that finds no room is dropped without a word, and its client tries again a second later.
"""


def bound_or_told(host: str, port: int) -> list[socket.socket]:
    """What `bound_to` gives; where that fails, why and what to do is said and the command ends."""
    try:
        return bound_to(host, port)
    except OSError as error:
        tell_error(
            f"cannot listen on {host}, port {port} ({error.strerror}); name another with --host"
            " and --port, or WARLOG_HOST and WARLOG_PORT"
        )
        raise typer.Exit(Exit.UNAVAILABLE) from None


def bound_to(host: str, port: int) -> list[socket.socket]:
    """A listening socket for each address of `host`, all on one port; 0 takes a free one.

    Raises OSError if there is no such address, or another program listens there.
    """
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(addresses):
            place = (str(address[0]), port, *address[2:])
            sockets.append(_listening(family, place))
            port = sockets[0].getsockname()[1]
    except OSError:
        for each in sockets:
            each.close()
        raise
    return sockets


def tell_where(sockets: Iterable[socket.socket]) -> None:
    """Say on the terminal where the service is to be found."""
    for bound in sockets:
        host, port, *_ = bound.getsockname()
        address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        out.print(f"serving on {address}, documentation at {address}/docs")


def _listening(family: int, place: tuple[object, ...]) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind(place)
        bound.listen(BACKLOG)
    except OSError:
        bound.close()
        raise
    return bound
