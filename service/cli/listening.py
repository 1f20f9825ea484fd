"""How the service reads requests off a connection: no head of a request grows without end."""

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD_BYTES: Final = 65_536
"""More than any client needs to say before its body; default, not in the source texts."""


class BoundedProtocol(HttpToolsProtocol):
    """Gives up on a connection that sends this much and completes neither head nor body part.

    The parser keeps a head whole, however long it is: without a limit one connection could fill
    the memory. What arrives in one piece is read before it is counted, so that a head somewhat
    above the limit may pass.
    """

    _unfinished_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Read on, unless this goes on without end."""
        self._unfinished_bytes += len(data)
        super().data_received(data)
        if self._unfinished_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("Request head too large.")

    def on_headers_complete(self) -> None:
        """A head is whole."""
        self._unfinished_bytes = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of a body has come; how long it may be is for the routes to say."""
        self._unfinished_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is whole."""
        self._unfinished_bytes = 0
        super().on_message_complete()
