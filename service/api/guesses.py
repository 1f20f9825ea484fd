"""How often somebody may try a code: whoever has one needs no key, so guesses are counted.

How this works. Every try counts, from its address first, so that no single address can use up what
the process takes from all of them. Whoever has IPv6 has very many addresses of one network: the
network counts. With 50 bits in a code, what a process takes in a year finds one of a million open
invitations with a chance of less than a third.
"""

from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

from service.api.rates import Rate

PER_ADDRESS: Final = 20
PER_PROCESS: Final = 600
"""Tries a minute. Service defaults, not in the source text."""

_NETWORK_BITS: Final = 64
_EVERYBODY: Final = "everybody"


class Guesses:
    """Counts the tries of one process. `clock` is monotonic, in seconds."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        per_address: int = PER_ADDRESS,
        per_process: int = PER_PROCESS,
    ) -> None:
        self._addresses = Rate(per_minute=per_address, burst=per_address, clock=clock)
        self._process = Rate(per_minute=per_process, burst=per_process, clock=clock)

    def count(self, client: tuple[str, int] | None) -> None:
        """Count one try of a client (address and port). Raises TooMany."""
        self._addresses.count(network_of(client))
        self._process.count(_EVERYBODY)


def network_of(client: tuple[str, int] | None) -> str:
    """What a client is counted as: its IPv4 address, or the network of its IPv6 address."""
    if client is None:
        return _EVERYBODY
    try:
        address: IPv4Address | IPv6Address = ip_address(client[0].partition("%")[0])
    except ValueError:
        return client[0]
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((int(address), _NETWORK_BITS), strict=False))
