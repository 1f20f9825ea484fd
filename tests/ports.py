"""Ports for servers that are killed and come back at the same address."""

import secrets
import socket
from pathlib import Path
from typing import Final

_GIVEN_BY_ITSELF: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LEAST: Final = 10_000
_MOST: Final = 32_768


def free_port() -> int:
    """A loopback port that nobody listens on at this moment.

    The system gives it to nobody who does not ask for it, so that it stays free while the server
    that it is for is not there.
    """
    most = _MOST
    if _GIVEN_BY_ITSELF.exists():
        given_from = int(_GIVEN_BY_ITSELF.read_text().split()[0])
        most = given_from if given_from > 2 * _LEAST else _MOST
    while True:
        port = _LEAST + secrets.randbelow(most - _LEAST)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
