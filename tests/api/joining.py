"""Short ways to come to a seat over HTTP, each from a separate address."""

import secrets
from collections.abc import Mapping
from typing import Any

import httpx

from tests.api.serving import Caller
from tests.patience import PATIENCE_SECONDS

BOB = {"id": "bob", "role": "player", "sides": ["raiders"], "name": "Bob"}


def some_address() -> str:
    """An address of this machine that hardly anybody else uses: tries are counted by address."""
    return f"127.{secrets.randbelow(250) + 1}.{secrets.randbelow(250)}.{secrets.randbelow(250) + 1}"


def join(
    url: str,
    code: object,
    *,
    address: str | None = None,
    token_hash: object = None,
    **headers: str,
) -> httpx.Response:
    """The answer to somebody who tries a code, with the hash of a token if that is given."""
    transport = httpx.HTTPTransport(local_address=address or some_address())
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    # One id for all, so that answers can be compared whole.
    one = {"X-Request-Id": "test"}
    with httpx.Client(
        base_url=url, transport=transport, timeout=PATIENCE_SECONDS, headers=one
    ) as client:
        own = {} if token_hash is None else {"token_hash": token_hash}
        return client.post("/v1/join", json={"code": code, **own}, headers=named)


def invited(caller: Caller, encounter: str, seat: Mapping[str, Any]) -> str:
    """A new seat; the code to come to it."""
    answer = caller.post(f"{encounter}/seats", {"seat": seat})
    assert answer.status_code == 201, answer.text
    code: str = answer.json()["invitation"]["code"]
    return code


def joined(caller: Caller, encounter: str, seat: Mapping[str, Any] = BOB) -> Caller:
    """Whoever sits at a new seat."""
    return seated_by(caller, invited(caller, encounter, seat))


def seated_by(caller: Caller, code: str) -> Caller:
    """Whoever exchanges this code."""
    answer = join(caller.url, code)
    assert answer.status_code == 201, answer.text
    return Caller(caller.url, answer.json()["token"])


def patch(
    caller: Caller, path: str, tree: object, *, key: str | None = "", if_match: str = ""
) -> httpx.Response:
    """PATCH under a fresh key, the one given, or none."""
    return caller.http.patch(path, json=tree, headers=_written(key, if_match))


def delete(
    caller: Caller, path: str, *, key: str | None = "", if_match: str = ""
) -> httpx.Response:
    """DELETE under a fresh key, the one given, or none."""
    return caller.http.delete(path, headers=_written(key, if_match))


def _written(key: str | None, if_match: str) -> dict[str, str]:
    headers = {} if key is None else {"Idempotency-Key": key or secrets.token_hex(8)}
    return {**headers, **({"If-Match": if_match} if if_match else {})}
