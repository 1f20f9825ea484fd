"""Who calls which service: requests as they are sent, and retries that can never act twice.

How this works. A request that changes something carries a key, made once, however often it is sent;
the service applies it once and answers a repetition as it answered the first. So a lost answer is
asked for again. A request that has no key and changes something is sent again only if it cannot
have arrived.
"""

import secrets
from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct, field
from msgspec.json import Decoder
from msgspec.structs import replace

from warlog.problems import UnexpectedAnswer, Unreachable, problem_of, retry_after
from warlog.server_clock import ServerClock
from warlog.steps import (
    ANSWER_SECONDS,
    Lost,
    Pause,
    Request,
    Response,
    Steps,
    ask,
    open_line,
)

T = TypeVar("T")
Query: TypeAlias = Mapping[str, str | int | None]
"""Parameters of an address; those that are None are left out."""

LONG_SECONDS = 330.0
"""How long the service may work at an audit or a simulation, and a little more."""

ASK_AGAIN = frozenset({429, 502, 503, 504})
"""Statuses of a service that cannot answer now, or of a proxy before it."""


class Patience(Struct, frozen=True, kw_only=True):
    """How often and how long the library tries.

    `tries` is how often a request is sent at most; between two it waits from `first_seconds`,
    doubled each time, up to `longest_seconds`, or what the service asks for. A stream that says
    nothing for `silence_seconds` is taken for dead; the service says something every 10 seconds.
    """

    tries: int = 8
    first_seconds: float = 0.2
    longest_seconds: float = 8.0
    silence_seconds: float = 25.0

    def pause_seconds(self, attempt: int, chance: Random) -> float:
        """How long to wait behind attempt `attempt`, from 0: half of it is left to chance."""
        most = min(self.longest_seconds, self.first_seconds * (1 << min(attempt, 30)))
        return most * (0.5 + chance.random() / 2)


class Caller(Struct, frozen=True, kw_only=True):
    """Who calls, which service, and in which language its problems are shown.

    `clock` is the service's; every answer shows something of it.
    """

    url: str
    token: str | None = None
    language: str = "en"
    patience: Patience = Patience()
    chance: Random = secrets.SystemRandom()
    clock: ServerClock = field(default_factory=ServerClock)

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise ValueError(f"an address begins with http:// or https://, not so {self.url!r}")

    def holding(self, token: str | None) -> "Caller":
        """The same with another token; itself for None."""
        return self if token is None else replace(self, token=token)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: object = None,
        key: str | None = None,
        accept: str = "application/json",
        headers: Mapping[str, str] | None = None,
        is_repeatable: bool = True,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> Request:
        """A request of this caller; `body` is sent as JSON."""
        sent = {"Accept": accept, "Accept-Language": self.language, **(headers or {})}
        if self.token is not None:
            sent["Authorization"] = f"Bearer {self.token}"
        if key is not None:
            sent["Idempotency-Key"] = key
        if body is not None:
            sent["Content-Type"] = "application/json"
        return Request(
            method=method,
            url=self.url.rstrip("/") + path,
            headers=sent,
            query={name: str(each) for name, each in (query or {}).items() if each is not None},
            body=None if body is None else msgspec.json.encode(body),
            key=key,
            is_repeatable=is_repeatable,
            answer_seconds=answer_seconds,
        )

    def answered(self, request: Request) -> Steps[Response]:
        """The answer to a request, which is sent again where that is safe.

        Raises Problem if the service says no, Unreachable if nobody answers.
        """
        return self._settled(request, lambda: ask(request))

    def opened(self, request: Request) -> Steps[Response]:
        """The answer to a request, to be read piece by piece. Raises as `answered` does."""
        return self._settled(request, lambda: open_line(request, request.answer_seconds))

    def _settled(
        self, request: Request, send: Callable[[], Steps[Response | Lost]]
    ) -> Steps[Response]:
        attempt = 0
        while True:
            asked = self.clock.own()
            reply = yield from send()
            self.hear(reply, asked)
            pause = self._pause_seconds(request, reply, attempt)
            if pause is None:
                return _settled(request, reply)
            yield Pause(pause)
            attempt += 1

    def hear(self, reply: Response | Lost, asked: float) -> None:
        """Hear what a reply to a request of then, by the own clock, shows of the service's."""
        if isinstance(reply, Response):
            self.clock.hear(reply.headers.get("date"), asked)

    def _pause_seconds(
        self, request: Request, reply: Response | Lost, attempt: int
    ) -> float | None:
        """How long to wait before asking again; None if this reply stands."""
        if attempt + 1 >= self.patience.tries or not _may_be_repeated(request, reply):
            return None
        wanted = None if isinstance(reply, Lost) else retry_after(reply)
        if wanted is not None and wanted > 4 * self.patience.longest_seconds:
            return None
        return max(wanted or 0.0, self.patience.pause_seconds(attempt, self.chance))


def _may_be_repeated(request: Request, reply: Response | Lost) -> bool:
    if isinstance(reply, Lost):
        return request.is_repeatable or not reply.was_sent
    if reply.status in ASK_AGAIN:
        # After 429 nothing was done; after anything else, perhaps.
        return request.is_repeatable or reply.status == 429
    return reply.status == 409 and problem_of(reply).code == "in_progress"


def _settled(request: Request, reply: Response | Lost) -> Response:
    if isinstance(reply, Lost):
        raise Unreachable(
            reply.why,
            outcome_unknown=reply.was_sent and request.method != "GET",
            key=request.key,
        )
    if reply.status >= 400:
        raise problem_of(reply)
    return reply


def new_key() -> str:
    """A key under which a request is applied once."""
    return secrets.token_urlsafe(18)


def part_of_path(text: str) -> str:
    """A name as a part of an address."""
    return quote(text, safe="")


def read(response: Response, decoder: Decoder[T]) -> T:
    """The body of an answer. Raises UnexpectedAnswer."""
    try:
        return decoder.decode(response.body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnexpectedAnswer(f"status {response.status}: {error}") from error
