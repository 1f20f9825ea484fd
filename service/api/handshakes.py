"""Handshakes of sockets, judged by their head alone, before anything is made for them.

How this works. A socket costs many times what its handshake says, and whoever shows nothing that
was ever the service's gets none: no credentials, a token that cannot be one or is known to be
none, a ticket without our seal. All of these are answered with HTTP, as other clients are. What is
left may still be refused: a token that has to be looked up is answered with HTTP too, but whoever
shows a ticket that was good once is a browser, which shows its page nothing of a handshake that
failed; it is shown on the socket (`streaming.websocket`). So that this costs little as well, each
sender may fail only so often in a minute; after that only what is plainly good is let through.
"""

import re
from collections.abc import Callable
from typing import Final

from service.api.authentication import KeyRing
from service.api.call import TICKET
from service.api.headers import Headers
from service.api.limits.client_address import Client, sender_of
from service.api.limits.rate import Rate
from service.api.tickets import Tickets
from service.errors import NotFound, Unauthenticated

SOCKET_ADDRESS: Final = re.compile(r"/v1/encounters/([^/]+)/socket")
JUDGED: Final = "judged"
"""In the state of a request: present if its handshake was judged already."""

UNCERTAIN: Final = "uncertain"
"""In the state of a request: present if its handshake was counted as a failure so far."""

_SHOWN_TICKET: Final = re.compile(rf"(?:^|&){TICKET.name}=([^&]*)")


class Handshakes:
    """Counts the handshakes of strangers; `clock` is monotonic, in seconds."""

    def __init__(
        self, keys: KeyRing, tickets: Tickets, clock: Callable[[], float], *, per_minute: int
    ) -> None:
        self._keys = keys
        self._tickets = tickets
        self._rate = Rate(per_minute=per_minute, burst=per_minute, clock=clock)

    def require_known(self, path: str, query: str, headers: Headers, client: Client | None) -> bool:
        """Whether it is plain that a good token or ticket was shown; else it is still to be seen.

        That is counted as a failure: `succeeded` takes it back. Raises Malformed, NotFound,
        Unauthenticated, TooMany.
        """
        headers.require_one_host()
        if SOCKET_ADDRESS.fullmatch(path) is None:
            raise NotFound
        authorization = headers.value("authorization")
        if authorization is None:
            standing = self._standing(query)
        else:
            standing = self._keys.standing(authorization)
        if standing is True:
            return True
        self._rate.count(sender_of(client))
        if standing is False:
            raise Unauthenticated(presented=authorization is not None or TICKET.name in query)
        return False

    def succeeded(self, client: Client | None) -> None:
        """A sender was let in after all."""
        self._rate.refund(sender_of(client))

    def _standing(self, query: str) -> bool | None:
        shown = _SHOWN_TICKET.search(query)
        return False if shown is None else self._tickets.standing(shown[1])
