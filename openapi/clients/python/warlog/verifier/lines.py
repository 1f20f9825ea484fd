"""A source of bytes as lines."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from msgspec import Struct

Source: TypeAlias = bytes | bytearray | memoryview | Path | BinaryIO | Iterable[bytes]
"""Bytes of a bundle, whole or piece by piece, a file that is open or where one is."""

LONGEST_LINE: Final = 64 * 1024 * 1024
"""No line has more bytes, its line feed included."""

MOST_VALUES: Final = 4 * 1024 * 1024
"""No line holds more values: each takes many times the memory of its bytes."""

_PIECE: Final = 1 << 16


class RawLine(Struct, frozen=True):
    """A line without its line feed; `is_ended`: it had one. None is longer than a line may be."""

    content: bytes | None
    is_ended: bool


TOO_LONG: Final = RawLine(None, is_ended=False)


def is_crowded(line: bytes) -> bool:
    """Whether a line may hold more than MOST_VALUES: by the marks that stand before values."""
    return len(line) > MOST_VALUES and sum(map(line.count, (b"[", b"{", b","))) > MOST_VALUES


class LineReader:
    """Cuts pieces into lines; holds at most one line and one piece."""

    def __init__(self) -> None:
        self._pending: list[bytes] = []
        self._length = 0
        self._is_over = False

    def lines(self, piece: bytes) -> Iterator[RawLine]:
        """The lines that a piece ends. What is longer than a line may be is the last."""
        start = 0
        while not self._is_over:
            end = piece.find(b"\n", start)
            part = piece[start : len(piece) if end < 0 else end]
            self._length += len(part)
            if self._length >= LONGEST_LINE:
                self._pending, self._is_over = [], True
                yield TOO_LONG
                return
            self._pending.append(part)
            if end < 0:
                return
            content, self._pending, self._length = b"".join(self._pending), [], 0
            yield RawLine(content, is_ended=True)
            start = end + 1

    def rest(self) -> Iterator[RawLine]:
        """What is behind the last line feed, if anything does."""
        if self._length and not self._is_over:
            yield RawLine(b"".join(self._pending), is_ended=False)


def pieces_of(source: object) -> Iterator[bytes]:
    """The pieces of a source. Raises TypeError for what is none, and what reading it raises."""
    if isinstance(source, Path):
        with source.open("rb") as file:
            yield from _read(file.read)
    elif isinstance(source, bytes | bytearray | memoryview):
        whole = memoryview(source).cast("B")
        for start in range(0, len(whole), _PIECE):
            yield bytes(whole[start : start + _PIECE])
    elif isinstance(source, str):
        raise TypeError("a text is no source: name a file with pathlib.Path, or encode the text")
    elif callable(read := getattr(source, "read", None)):
        yield from _read(read)
    elif isinstance(source, Iterable):
        for piece in source:
            yield _bytes(piece)
    else:
        raise TypeError(f"a source is bytes, a file or an iterable, not {type(source).__name__}")


def _read(read: Callable[[int], object]) -> Iterator[bytes]:
    while piece := _bytes(read(_PIECE)):
        yield piece


def _bytes(piece: object) -> bytes:
    if isinstance(piece, bytes | bytearray | memoryview):
        return bytes(piece)
    raise TypeError(f"a source gives bytes, not {type(piece).__name__}")
