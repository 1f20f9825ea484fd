"""Dice from the seed: the key, the blocks of a stream, a face."""

from collections.abc import Sequence
from typing import Final

from warlog.verifier.digests import digest, hex_digest, keyed, label

_COMMITMENT: Final = label("warlog/commit/1")
_DICE: Final = label("warlog/dice/1")

PUBLIC_STREAM: Final = 0
"""The stream of what everyone may know. Sides have 1 and up."""

GM_STREAM: Final = 255
"""The game master's."""


def commitment_to(seed: str) -> str:
    """The commitment to a seed of 64 hex digits, in hex."""
    return hex_digest(_COMMITMENT, bytes.fromhex(seed))


def dice_key(seed: str, encounter: str, contributions: Sequence[str]) -> bytes:
    """The key of the dice: 32 bytes; contributions in hex and in the order of the log."""
    entropy = digest(*map(bytes.fromhex, contributions)) if contributions else b""
    return keyed(bytes.fromhex(seed), _DICE + encounter.encode() + entropy)


class Stream:
    """One stream of one event, read from its first byte."""

    def __init__(self, key: bytes, seq: int, stream: int) -> None:
        self._key = key
        self._place = seq.to_bytes(8, "big") + stream.to_bytes(1, "big")
        self._blocks = 0
        self._rest = b""

    def take(self, count: int) -> bytes:
        """The next bytes."""
        while len(self._rest) < count:
            self._rest += keyed(self._key, self._place + self._blocks.to_bytes(4, "big"))
            self._blocks += 1
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken

    def face(self, sides: int) -> int:
        """The next face, from 1, of a die of 1 to 65,536 sides."""
        width = 1 if sides <= 256 else 2
        values = 256**width
        while True:
            value = int.from_bytes(self.take(width), "big")
            if value < values - values % sides:
                return value % sides + 1
