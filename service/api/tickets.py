"""Tickets: what a browser shows instead of a header, to open one stream for a short time.

How this works. A browser's EventSource and WebSocket cannot send `Authorization`, and a token in
an address ends up in the logs of proxies. So whoever has a token asks for a ticket: good for the
streams of one encounter, for `TICKET_SECONDS`, and no longer than the token itself, which is looked
up again by its hash when the ticket is shown. A browser connects again by itself, with the address
it had: whoever can show that it had the stream may do that for `RESUMED_SECONDS` more. Nothing is
stored: the ticket says all of this itself, under a key that every process reads from the database.
"""

import base64
import hmac
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.api.limits.rate import Rate
from service.engine.vocabulary.client_ids import LONGEST_ID
from service.errors import Unauthenticated

TICKET_SECONDS: Final = 300
RESUMED_SECONDS: Final = 86_400
"""How long a browser that had the stream may come back with a ticket that is over."""

RESUMED_PER_MINUTE: Final = 10
"""Hashes that may be tried in vain with the tickets of one token."""

_LONGEST_TEXT: Final = -(-(2 * 32 + 16 + 8 + LONGEST_ID) * 4 // 3)
TICKET_PATTERN: Final = rf"wt_[A-Za-z0-9_-]{{118,{_LONGEST_TEXT}}}"

_PREFIX: Final = "wt_"
_TICKET: Final = re.compile(TICKET_PATTERN)
_LABEL: Final = b"warlog/ticket/1\x00"
_DIGEST_BYTES: Final = 32
_ID_BYTES: Final = 16
_TIME_BYTES: Final = 8
_SEAT_AT: Final = _DIGEST_BYTES + _ID_BYTES + _TIME_BYTES


class TicketAnswer(Struct, frozen=True, kw_only=True):
    """A ticket for the stream and the socket of one encounter, as `?ticket=`."""

    ticket: str
    """What to send as `?ticket=` in place of a token, to the streams of this encounter."""
    expires_at: str
    """Until when a stream can be opened with it (RFC 3339, UTC); an open one continues."""


class Ticket(Struct, frozen=True, kw_only=True):
    """Whose ticket it is: `digest` is the SHA-256 of the token that asked for it.

    `seat` is the one that a key named in `Warlog-Seat`. `expires_at` is in whole seconds.
    """

    digest: bytes
    seat: str | None
    encounter: UUID
    expires_at: datetime


class Tickets:
    """Issues tickets and reads them; `secret` is shared by all processes."""

    def __init__(self, secret: bytes, now: Callable[[], datetime]) -> None:
        self._secret = secret
        self._now = now
        self.resumed = Rate(
            per_minute=RESUMED_PER_MINUTE,
            burst=RESUMED_PER_MINUTE,
            clock=lambda: self._now().timestamp(),
        )

    def issue(self, digest: bytes, seat: str | None, encounter: UUID) -> tuple[str, Ticket]:
        """A new ticket as its holder sends it, and what it says."""
        expires_at = self._now().replace(microsecond=0) + timedelta(seconds=TICKET_SECONDS)
        ticket = Ticket(digest=digest, seat=seat, encounter=encounter, expires_at=expires_at)
        payload = b"".join(
            (
                digest,
                encounter.bytes,
                int(expires_at.timestamp()).to_bytes(_TIME_BYTES, "big"),
                (seat or "").encode(),
            )
        )
        text = base64.urlsafe_b64encode(self._seal(payload) + payload).rstrip(b"=").decode()
        return f"{_PREFIX}{text}", ticket

    def standing(self, text: str) -> bool | None:
        """Whether a ticket is plainly good or plainly not; None for one of ours that is over."""
        try:
            ticket = self.opened(text)
        except Unauthenticated:
            return False
        return None if self.is_over(ticket) else True

    def is_over(self, ticket: Ticket) -> bool:
        """Whether a ticket opens no new stream any more."""
        return self._now() >= ticket.expires_at

    def is_forgotten(self, ticket: Ticket) -> bool:
        """Whether a ticket is over for longer than a browser may resume with it."""
        return self._now() >= ticket.expires_at + timedelta(seconds=RESUMED_SECONDS)

    def opened(self, text: str) -> Ticket:
        """What a ticket says, also when it is over. Raises Unauthenticated."""
        if _TICKET.fullmatch(text) is None:
            raise Unauthenticated(presented=True)
        try:
            sealed = base64.urlsafe_b64decode(text[len(_PREFIX) :] + "==")
        except ValueError as error:
            # No bytes are written in so many characters.
            raise Unauthenticated(presented=True) from error
        seal, payload = sealed[:_DIGEST_BYTES], sealed[_DIGEST_BYTES:]
        if not hmac.compare_digest(seal, self._seal(payload)):
            raise Unauthenticated(presented=True)
        seconds = int.from_bytes(payload[_DIGEST_BYTES + _ID_BYTES : _SEAT_AT], "big")
        expires_at = datetime.fromtimestamp(seconds, self._now().tzinfo)
        return Ticket(
            digest=payload[:_DIGEST_BYTES],
            seat=payload[_SEAT_AT:].decode() or None,
            encounter=UUID(bytes=payload[_DIGEST_BYTES : _DIGEST_BYTES + _ID_BYTES]),
            expires_at=expires_at,
        )

    def _seal(self, payload: bytes) -> bytes:
        return hmac.digest(self._secret, _LABEL + payload, sha256)
