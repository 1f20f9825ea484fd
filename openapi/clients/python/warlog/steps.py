"""What the library asks of the world, and what it is shown in return.

How this works. Everything that this library decides is written once, as generators: they yield a
step and are sent its reply. Two drivers carry steps out, one that blocks and one that awaits; there
is no decision in either. So the order of retries and reconnects can be read, and tested, without a
network and without a clock.
"""

from collections.abc import Generator, Mapping
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

T = TypeVar("T")
ANSWER_SECONDS = 30.0


class Request(Struct, frozen=True, kw_only=True):
    """A request as it goes out, `query` not yet encoded.

    `is_repeatable`: sent twice it acts once, because it only reads or because of its `key`.
    `answer_seconds` is how long a piece of the answer may take.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    query: Mapping[str, str] = {}
    body: bytes | None = None
    key: str | None = None
    is_repeatable: bool = True
    answer_seconds: float = ANSWER_SECONDS


class Response(Struct, frozen=True, kw_only=True):
    """An answer, with the names of its headers in small letters.

    `body` is empty for the answer to `Open` unless it is an error.
    """

    status: int
    headers: Mapping[str, str] = {}
    body: bytes = b""


class Lost(Struct, frozen=True, kw_only=True):
    """There is no answer. `was_sent`: the service may have got the request all the same."""

    was_sent: bool
    why: str


class Ask(Struct, frozen=True):
    """Send a request; the reply is its Response, or Lost."""

    request: Request


class Pause(Struct, frozen=True):
    """Wait; there is no reply."""

    seconds: float


class Open(Struct, frozen=True):
    """Send a request whose answer is read piece by piece; the reply is a Response, or Lost.

    What was open before is closed. `silence_seconds` is how long a piece may take to come.
    """

    request: Request
    silence_seconds: float


class Read(Struct, frozen=True):
    """Read the next piece; the reply is its bytes, none at the end, or Lost."""


class Tell(Struct, frozen=True):
    """Hand something to the caller; there is no reply."""

    what: object


Reply: TypeAlias = Response | Lost | bytes | None
Step: TypeAlias = Ask | Pause | Open | Read | Tell

Steps: TypeAlias = Generator[Step, Reply, T]
"""What leads to a result."""


class Telling(Struct, Generic[T], frozen=True):
    """Steps that tell the caller one thing after the other."""

    steps: Steps[None]


def ask(request: Request) -> Steps[Response | Lost]:
    """Send a request."""
    return _answer((yield Ask(request)))


def open_line(request: Request, silence_seconds: float) -> Steps[Response | Lost]:
    """Send a request whose answer is read piece by piece."""
    return _answer((yield Open(request, silence_seconds)))


def read_piece() -> Steps[bytes | Lost]:
    """The next piece of the answer that is open; none at its end."""
    reply = yield Read()
    if not isinstance(reply, bytes | Lost):
        raise TypeError(f"a piece is bytes, not {reply!r}")
    return reply


def _answer(reply: Reply) -> Response | Lost:
    if not isinstance(reply, Response | Lost):
        raise TypeError(f"a request is answered with a response, not with {reply!r}")
    return reply
