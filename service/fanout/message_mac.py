"""Messages as bytes, under an HMAC that only processes of this service can make.

Redis need not be trusted: an attacker who can write to it can delay, repeat and lose messages, but
not invent or change one. A message has the name of its process, so that a process ignores its own,
and a stamp, so that recorded presence is not believed later (`replay_guard`).
"""

import hmac
from typing import Final

import msgspec
from msgspec.msgpack import Decoder, Encoder
from msgspec.structs import replace

from service.fanout.messages import EncounterMessage, News, Presence, Revocation
from service.fanout.replay_guard import ReplayGuard

LONGEST_BODY: Final = 1 << 16
"""Bytes of a public body that is sent along; a longer one is read from the log."""

LONGEST: Final = 1 << 18
"""Bytes of a message; a longer one is neither sent nor read."""

MAC_BYTES: Final = 32
_LABEL: Final = b"warlog/fanout/2\0"

_ENCODER: Final = Encoder(uuid_format="bytes")
_DECODER: Final[Decoder[tuple[str, int, News | Presence | Revocation]]] = Decoder(
    tuple[str, int, News | Presence | Revocation]
)


class Unsound(Exception):
    """These bytes are no message of this service, or a repeated one."""


class TooLong(Exception):
    """A message that is too long even without its body."""


class MessageSealer:
    """Seals the messages of this process, opens those of all. `key` is shared and has 32 bytes."""

    def __init__(self, key: bytes, process: str, guard: ReplayGuard | None = None) -> None:
        self._key = key
        self._process = process
        self._guard = guard or ReplayGuard()

    def seal(self, message: EncounterMessage) -> bytes:
        """The bytes to send; a body that is too long is left out. Raises TooLong."""
        if isinstance(message, News) and len(message.body) > LONGEST_BODY:
            message = replace(message, body=b"")
        packed = _ENCODER.encode((self._process, self._guard.stamp(), message))
        if len(packed) > LONGEST - MAC_BYTES:
            raise TooLong
        return self._mac(packed) + packed

    def open(self, sealed: bytes) -> EncounterMessage | None:
        """The message in these bytes, None if this process sent it itself. Raises Unsound."""
        if not MAC_BYTES < len(sealed) <= LONGEST:
            raise Unsound
        packed = sealed[MAC_BYTES:]
        if not hmac.compare_digest(sealed[:MAC_BYTES], self._mac(packed)):
            raise Unsound
        try:
            process, sent, message = _DECODER.decode(packed)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            # Sealed by a release that encodes it otherwise.
            raise Unsound from None
        if process == self._process:
            return None
        if isinstance(message, Presence) and not self._guard.is_fresh(
            process, message.encounter, sent
        ):
            raise Unsound
        return message

    def _mac(self, packed: bytes) -> bytes:
        return hmac.digest(self._key, _LABEL + packed, "sha256")
