"""Tokens that are no longer good, shown to every process that may remember them.

How this works. A process remembers a token that it looked up (`authentication`). The one that
revokes it forgets it before it answers; the others hear of it over the fan-out. Where messages may
have been missed, a process forgets all it remembers. Without a fan-out, or while it is away, the
others notice when they look the token up again.
"""

from collections.abc import Callable
from uuid import UUID

from service.api.authentication import KeyRing
from service.fanout.fanout import Fanout
from service.fanout.messages import EVERY_PROCESS, FanoutMessage, Missed, Revocation


class Revocations:
    """Passes revocations on; all other messages go to `receive`."""

    def __init__(
        self, keys: KeyRing, fanout: Fanout, receive: Callable[[FanoutMessage], None]
    ) -> None:
        self._keys = keys
        self._fanout = fanout
        self._receive = receive
        fanout.follow(EVERY_PROCESS)

    def announce(self, encounter: UUID, seat: str | None = None) -> None:
        """The tokens of a seat, of all seats without one, are no longer good, as stored."""
        self._keys.forget(encounter, seat)
        self._fanout.publish(Revocation(encounter=EVERY_PROCESS, of=encounter, seat=seat))

    def receive(self, message: FanoutMessage) -> None:
        """Take in a message of another process."""
        match message:
            case Revocation():
                self._keys.forget(message.of, message.seat)
            case Missed() if EVERY_PROCESS in message.encounters:
                self._keys.forget_all()
                self._receive(message)
            case _:
                self._receive(message)
