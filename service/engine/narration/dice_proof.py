"""How the faces of one event follow from the key of the encounter, die by die."""

from collections.abc import Iterable
from typing import Final

from service.engine.dice.dice import die_width
from service.engine.hashing import stream_block, stream_input
from service.engine.narration.explanation import DieProof, StreamBlock

BLOCK_BYTES: Final = 32


class StreamProof:
    """One stream of one event, read die by die; `blocks` are those that were read."""

    def __init__(self, key: bytes, seq: int, stream: int) -> None:
        self._key = key
        self._seq = seq
        self._stream = stream
        self._bytes = b""
        self._at = 0

    def die(self, sides: int) -> DieProof:
        """The next die of `sides` sides. Raises ValueError outside 1 to 65,536."""
        width = die_width(sides)
        limit = sides * (256**width // sides)
        start = self._at
        while (value := self._value(width)) >= limit:
            pass
        return DieProof(
            offset=start,
            bytes=self._bytes[start : self._at].hex(),
            skipped=self._at - start - width,
            face=value % sides + 1,
        )

    def blocks(self) -> Iterable[StreamBlock]:
        """Every block that was read, with what makes it."""
        for number in range(len(self._bytes) // BLOCK_BYTES):
            start = number * BLOCK_BYTES
            yield StreamBlock(
                stream=self._stream,
                block=number,
                input=stream_input(self._seq, self._stream, number).hex(),
                bytes=self._bytes[start : start + BLOCK_BYTES].hex(),
            )

    def _value(self, width: int) -> int:
        while self._at + width > len(self._bytes):
            number = len(self._bytes) // BLOCK_BYTES
            self._bytes += stream_block(self._key, self._seq, self._stream, number)
        self._at += width
        return int.from_bytes(self._bytes[self._at - width : self._at], "big")
