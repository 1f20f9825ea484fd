"""Why something did not work: the service's problems, and answers that never came."""

from typing import Any

import msgspec
from msgspec import Struct

from warlog.steps import Response

SHOWN = 200
"""Characters of an answer that is none, as they are shown."""


class WarlogError(Exception):
    """What this library raises is one of these."""


class Unreachable(WarlogError):
    """No answer came, however often it was asked for.

    `outcome_unknown`: the request may have been applied. To find out send the same once more under
    the same `key`, which cannot apply it twice.
    """

    def __init__(self, why: str, *, outcome_unknown: bool, key: str | None) -> None:
        super().__init__(why)
        self.outcome_unknown = outcome_unknown
        self.key = key


class UnexpectedAnswer(WarlogError):
    """What answered does not speak as the service does: a proxy, perhaps, or another address."""


class ProblemBody(Struct, frozen=True, kw_only=True):
    """A problem as it is shown (RFC 9457)."""

    type: str = "about:blank"
    title: str = ""
    status: int = 0
    detail: str = ""
    code: str = ""
    instance: str = ""
    params: dict[str, Any] = {}
    request: str = ""
    rule: str | None = None
    allowed: Any = None


class Problem(WarlogError):
    """The service said no.

    `code` is a stable word for programs, `rule` the rule of the rulebook that refused, `params` the
    facts behind the sentence, `allowed` what would have been possible, `request` the id that the
    service's own log has. `retry_after` are seconds, None where the service names none.
    """

    def __init__(self, body: ProblemBody, retry_after: float | None = None) -> None:
        super().__init__(body.detail or body.title or body.code)
        self.status = body.status
        self.code = body.code
        self.title = body.title
        self.detail = body.detail
        self.rule = body.rule
        self.params = body.params
        self.allowed = body.allowed
        self.request = body.request
        self.retry_after = retry_after

    @property
    def path(self) -> str | None:
        """Where in the request the fault is, for requests that cannot be read."""
        path = self.params.get("path")
        return path if isinstance(path, str) else None

    def __str__(self) -> str:
        named = self.code if self.rule is None else f"{self.code}, {self.rule}"
        return f"{self.detail or self.title} ({named})"


def problem_of(response: Response) -> Problem:
    """The problem that an answer shows; of a proxy's own answer as much as can be known."""
    text = response.body[:SHOWN].decode("utf-8", "replace").strip()
    unknown = ProblemBody(
        title="No answer of the service",
        status=response.status,
        code=f"http_{response.status}",
        detail=text or f"status {response.status}",
    )
    try:
        body = _BODIES.decode(response.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        body = unknown
    return Problem(body if body.code else unknown, retry_after(response))


def retry_after(response: Response) -> float | None:
    """The seconds after which to ask again, if the answer names them."""
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() else None


_BODIES = msgspec.json.Decoder(ProblemBody)
