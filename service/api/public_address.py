"""Hosts: under which names clients reach the service, as links to it begin.

How this works. `Host` is what the client, or whoever is between, says. A link that is passed on
to others must not lead them where somebody else wanted it. So it begins with the service's public
address if that is set, else with the host of the request if that is known to be this service:
a loopback name, the address that the connection came in on, the machine's own name, or one that
`WARLOG_HOSTS` lists. For any other host a link is its path alone.
"""

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

FORM: Final = "a host name or an address, and a port if only that one is meant"

_HOST: Final = re.compile(r"([A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?")
_LOOPBACK: Final = "localhost"


class PublicAddress:
    """The names of one service; `public_url` has no slash at its end."""

    def __init__(self, public_url: str | None, listed: Iterable[str]) -> None:
        self._public_url = public_url
        self._names = {host_of(each) for each in listed} | {host_of(socket.gethostname())}

    def base(self, scheme: str, host: str, local: str | None) -> str:
        """What a link begins with, for a request to `host` that came in on the address `local`."""
        if self._public_url is not None:
            return self._public_url
        return f"{scheme}://{host}" if self._is_known(host, local) else ""

    def _is_known(self, host: str, local: str | None) -> bool:
        named = host_of(host)
        if named is None:
            return False
        name, _ = named
        if named in self._names or (name, None) in self._names:
            return True
        if name == _LOOPBACK or name.endswith(f".{_LOOPBACK}"):
            return True
        address = _address(name)
        return address is not None and (address.is_loopback or address == _address(local or ""))


def host_of(text: str) -> tuple[str, int | None] | None:
    """A name in lower case or an address without brackets, and the port; None for what is none."""
    match = _HOST.fullmatch(text)
    if match is None or (match[2] and int(match[2]) > 65_535):
        return None
    name = match[1].strip("[]").lower().removesuffix(".")
    address = _address(name)
    return (name if address is None else str(address)), int(match[2]) if match[2] else None


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
