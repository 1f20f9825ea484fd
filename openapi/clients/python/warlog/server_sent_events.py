"""Server-sent events, taken from bytes as they come, cut anywhere."""

from collections.abc import Iterator

from msgspec import Struct


class ServerSentEvent(Struct, frozen=True):
    """One event of a stream; `id` is None where it has none."""

    name: str
    body: bytes
    id: str | None


class EventParser:
    """Takes pieces of a stream apart; a piece may end within a line or a character."""

    def __init__(self) -> None:
        self._rest = b""
        self._begin()

    def events(self, piece: bytes) -> Iterator[ServerSentEvent]:
        """The events that this piece completes."""
        lines = (self._rest + piece).replace(b"\r\n", b"\n").split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            event = self._take(line)
            if event is not None:
                yield event

    def _begin(self) -> None:
        self._name = "message"
        self._id: str | None = None
        self._lines: list[bytes] = []

    def _take(self, line: bytes) -> ServerSentEvent | None:
        if not line:
            event = ServerSentEvent(self._name, b"\n".join(self._lines), self._id)
            is_one = bool(self._lines)
            self._begin()
            return event if is_one else None
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._lines.append(value)
        elif name == b"event":
            self._name = value.decode()
        elif name == b"id":
            self._id = value.decode()
        return None
