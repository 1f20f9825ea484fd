"""Addresses of clients, and what counts as one sender while the caller is unknown."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

Client = tuple[str, int]
"""The address and the port that a request came from."""

UNKNOWN: Final = "unknown"
"""What those are counted as whose address is unknown."""

_IPV6_SENDER_BITS: Final = 64
_IPV4_NEIGHBOUR_BITS: Final = 24
_IPV6_NEIGHBOUR_BITS: Final = 48


@lru_cache(maxsize=1_024)
def sender_of(client: Client | None) -> str:
    """An IPv4 address, or the /64 of an IPv6 address: providers give out no less than that."""
    address = _address(client)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), _IPV6_SENDER_BITS), strict=False))
    return _named(client) if address is None else str(address)


@lru_cache(maxsize=1_024)
def neighbours_of(client: Client | None) -> str:
    """The network of a sender and those next to it: the /24 of IPv4, the /48 of IPv6."""
    address = _address(client)
    if address is None:
        return _named(client)
    bits = _IPV4_NEIGHBOUR_BITS if isinstance(address, IPv4Address) else _IPV6_NEIGHBOUR_BITS
    return str(ip_network((str(address), bits), strict=False))


def _address(client: Client | None) -> IPv4Address | IPv6Address | None:
    try:
        address = None if client is None else ip_address(client[0].partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _named(client: Client | None) -> str:
    return UNKNOWN if client is None else client[0]
