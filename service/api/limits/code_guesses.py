"""How often invitation codes may be tried: joining needs no key, so guesses are counted.

How this works. Every try counts for its sender, a wrong one as much as `WRONG_COSTS` more, which
whoever guesses in parallel owes afterwards. A wrong guess counts, once, for the sender's neighbours
and for all codes of the process too; when they have used up what they may, those are kept out who
have guessed wrong more than `FREE_GUESSES` times of late, and nobody else: a flood of guesses from
anywhere never closes the door for an address that it does not come from. A try that succeeds counts
for its sender alone. With 50 bits in a code, somebody with a hundred thousand addresses who uses
up what is free finds one of a million open invitations in some years.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from service.api.limits.client_address import Client, neighbours_of, sender_of
from service.api.limits.rate import Rate

PER_SENDER: Final = 20
PER_NEIGHBOURHOOD: Final = 200
PER_PROCESS: Final = 600
"""Tries of a sender, wrong guesses of others, in a minute. Service defaults, not in the sources."""

WRONG_COSTS: Final = 4
"""Tries that a wrong guess costs its sender on top."""

FREE_GUESSES: Final = 2
REMEMBERED_SECONDS: Final = 3_600.0
"""So many wrong guesses in this time may happen to anybody who types."""

_MOST_REMEMBERED: Final = 100_000
_CODES: Final = "codes"


class CodeGuesses:
    """Counts the tries of one process. `clock` is monotonic, in seconds."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        per_sender: int = PER_SENDER,
        per_neighbourhood: int = PER_NEIGHBOURHOOD,
        per_process: int = PER_PROCESS,
    ) -> None:
        self._clock = clock
        self._senders = Rate(per_minute=per_sender, burst=per_sender, clock=clock)
        self._neighbours = Rate(per_minute=per_neighbourhood, burst=per_neighbourhood, clock=clock)
        self._codes = Rate(per_minute=per_process, burst=per_process, clock=clock)
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def count(self, client: Client | None) -> None:
        """Count one try, before it is known whether it is right. Raises TooMany."""
        sender = sender_of(client)
        self._senders.require(sender)
        if self._has_guessed(sender):
            self._neighbours.require(neighbours_of(client))
            self._codes.require(_CODES)
        self._senders.charge(sender, 1)

    def wrong(self, client: Client | None) -> None:
        """The code that was tried is none."""
        sender = sender_of(client)
        self._senders.charge(sender, WRONG_COSTS)
        self._neighbours.charge(neighbours_of(client), 1)
        self._codes.charge(_CODES, 1)
        guesses, since = self._remembered(sender)
        self._wrong[sender] = guesses + 1, since
        if len(self._wrong) > _MOST_REMEMBERED:
            self._wrong.popitem(last=False)

    def _has_guessed(self, sender: str) -> bool:
        """Whether a sender was wrong more often than typing errors explain."""
        return self._remembered(sender)[0] > FREE_GUESSES

    def _remembered(self, sender: str) -> tuple[int, float]:
        """How often a sender was wrong, and since when that is counted."""
        now = self._clock()
        guesses, since = self._wrong.get(sender, (0, now))
        return (guesses, since) if now - since < REMEMBERED_SECONDS else (0, now)
